/*
 * Stores answers by kind and device.
 */
#include "analysis/base/shared.h"

#include "core/die.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct kept_answer {
    const struct nsc_shared_kind *kind;
    const void *param;
    uint32_t device;
    bool result;
    void *value;
};

struct nsc_shared {
    struct nsc_scope scope; /* the scope of the answers */
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

/* The mask of the store's scope is still alive, so a newer mask has another address. */
bool nsc_shared_keeps(const struct nsc_scope *scope)
{
    const struct nsc_shared *shared = scope->shared;

    return shared && shared->scope.trace == scope->trace && shared->scope.mask == scope->mask &&
           shared->scope.has_window == scope->has_window &&
           shared->scope.window.t0 == scope->window.t0 &&
           shared->scope.window.t1 == scope->window.t1;
}

bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device)
{
    for (size_t i = 0; i < scope->shared->answers.n; i++) {
        const struct kept_answer *answer = &scope->shared->answers.at[i];

        if (answer->kind != kind || answer->param != param || answer->device != device)
            continue;
        memcpy(out, answer->value, kind->bytes);
        *result = answer->result;
        return true;
    }
    return false;
}

void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device)
{
    struct kept_answer answer = {kind, param, device, result, nsc_xmalloc(kind->bytes)};

    memcpy(answer.value, value, kind->bytes);
    *NSC_VEC_ADD(&scope->shared->answers) = answer;
}

bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device)
{
    bool keeps = nsc_shared_keeps(scope);
    bool result;

    if (is_kept)
        *is_kept = keeps;
    if (keeps && nsc_shared_find(out, &result, kind, NULL, scope, device))
        return result;
    result = kind->build(out, scope, device); /* it may use the store */
    if (keeps)
        nsc_shared_keep(out, result, kind, NULL, scope, device);
    return result;
}
