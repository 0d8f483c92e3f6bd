/*
 * Keeps answers by kind and device.
 */
#include "analysis/base/shared.h"

#include "core/die.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct kept_answer {
    const struct nsc_shared_kind *kind;
    uint32_t device;
    bool result;
    void *value;
};

struct nsc_shared {
    struct nsc_scope scope; /* whose answers these are */
    NSC_VEC(struct kept_answer) answers;
};

void nsc_shared_open(struct nsc_scope *scope)
{
    scope->shared = nsc_xcalloc(1, sizeof *scope->shared);
    scope->shared->scope = *scope;
}

void nsc_shared_close(struct nsc_scope *scope)
{
    struct nsc_shared *shared = scope->shared;

    for (size_t i = 0; i < shared->answers.n; i++) {
        struct kept_answer *answer = &shared->answers.at[i];

        if (answer->kind->fini)
            answer->kind->fini(answer->value);
        free(answer->value);
    }
    NSC_VEC_FINI(&shared->answers);
    free(shared);
    scope->shared = NULL;
}

/* The mask of the store's scope is alive: a mask made meanwhile lies elsewhere. */
static bool is_scope_of(const struct nsc_shared *shared, const struct nsc_scope *scope)
{
    return shared && shared->scope.trace == scope->trace && shared->scope.mask == scope->mask &&
           shared->scope.has_window == scope->has_window &&
           shared->scope.window.t0 == scope->window.t0 &&
           shared->scope.window.t1 == scope->window.t1;
}

static const struct kept_answer *find_answer(struct nsc_shared *shared,
                                             const struct nsc_shared_kind *kind, uint32_t device)
{
    for (size_t i = 0; i < shared->answers.n; i++)
        if (shared->answers.at[i].kind == kind && shared->answers.at[i].device == device)
            return &shared->answers.at[i];
    return NULL;
}

bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device)
{
    bool keeps = is_scope_of(scope->shared, scope);
    const struct kept_answer *known = keeps ? find_answer(scope->shared, kind, device) : NULL;
    struct kept_answer answer = {.kind = kind, .device = device};

    if (is_kept)
        *is_kept = keeps;
    if (!keeps)
        return kind->build(out, scope, device);
    if (!known) {
        answer.value = nsc_xmalloc(kind->bytes);
        answer.result = kind->build(answer.value, scope, device); /* which may ask the store */
        *NSC_VEC_ADD(&scope->shared->answers) = answer;
        known = &answer;
    }
    memcpy(out, known->value, kind->bytes);
    return known->result;
}
