/*
 * Stores answers by kind and device.
 */
#include "analysis/base/shared.h"

#include "core/die.h"
#include "core/vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

struct kept_answer {
    const struct nsc_shared_kind *kind;
    const void *param;
    uint32_t device;
    bool result;
    void *value;  /* NULL: a thread is computing it */
    size_t bytes; /* of value; zeros follow */
};

struct nsc_shared {
    struct nsc_scope scope; /* the scope of the answers; its store is the outer one */
    pthread_mutex_t mutex;
    pthread_cond_t kept;
    struct kept_answers {
        NSC_VEC(struct kept_answer) list;
    } answers[BUCKETS]; /* by device: there may be thousands */
};

void nsc_shared_open(struct nsc_scope *scope)
{
    struct nsc_shared *shared = nsc_xcalloc(1, sizeof *shared);

    shared->scope = *scope;
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_cond_init(&shared->kept, NULL);
    scope->shared = shared;
}

void nsc_shared_close(struct nsc_scope *scope)
{
    struct nsc_shared *shared = scope->shared;

    for (int d = 0; d < BUCKETS; d++) {
        for (size_t i = 0; i < shared->answers[d].list.n; i++) {
            struct kept_answer *answer = &shared->answers[d].list.at[i];

            if (answer->kind->fini)
                answer->kind->fini(answer->value);
            free(answer->value);
        }
        NSC_VEC_FINI(&shared->answers[d].list);
    }
    scope->shared = shared->scope.shared;
    pthread_cond_destroy(&shared->kept);
    pthread_mutex_destroy(&shared->mutex);
    free(shared);
}

/* The mask of the store's scope is still alive, so an equal address means the same mask. */
static bool is_for(const struct nsc_shared *shared, const struct nsc_scope *scope)
{
    return shared->scope.trace == scope->trace && shared->scope.mask == scope->mask &&
           shared->scope.has_window == scope->has_window &&
           shared->scope.window.t0 == scope->window.t0 &&
           shared->scope.window.t1 == scope->window.t1;
}

/* The store that keeps answers about the device; NULL: none. */
static struct nsc_shared *find_store(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_shared *shared = scope->shared;

    if (!shared || (device != NSC_NONE && !is_for(shared, scope)) ||
        shared->scope.trace != scope->trace)
        return NULL;
    while (device == NSC_NONE && shared->scope.shared &&
           shared->scope.shared->scope.trace == scope->trace)
        shared = shared->scope.shared;
    return shared;
}

bool nsc_shared_keeps(const struct nsc_scope *scope, uint32_t device)
{
    return find_store(scope, device) != NULL;
}

static struct kept_answers *answers_about(struct nsc_shared *shared, uint32_t device)
{
    return &shared->answers[device % BUCKETS];
}

/* The store must be locked. */
static struct kept_answer *find_answer(struct nsc_shared *shared,
                                       const struct nsc_shared_kind *kind, const void *param,
                                       uint32_t device)
{
    struct kept_answers *answers = answers_about(shared, device);

    for (size_t i = 0; i < answers->list.n; i++)
        if (answers->list.at[i].kind == kind && answers->list.at[i].param == param &&
            answers->list.at[i].device == device)
            return &answers->list.at[i];
    return NULL;
}

/* Copies an answer; waits for a thread that is computing it. The store must be locked. */
static bool wait_answer(void *out, bool *result, struct nsc_shared *shared,
                        const struct nsc_shared_kind *kind, const void *param, uint32_t device)
{
    struct kept_answer *answer;

    while ((answer = find_answer(shared, kind, param, device)) && !answer->value)
        pthread_cond_wait(&shared->kept, &shared->mutex);
    if (answer) {
        memcpy(out, answer->value, answer->bytes);
        memset((char *)out + answer->bytes, 0, kind->bytes - answer->bytes);
        *result = answer->result;
    }
    return answer != NULL;
}

bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_shared *shared = find_store(scope, device);
    bool is_found;

    pthread_mutex_lock(&shared->mutex);
    is_found = wait_answer(out, result, shared, kind, param, device);
    if (!is_found)
        *NSC_VEC_ADD(&answers_about(shared, device)->list) =
            (struct kept_answer){kind, param, device, false, NULL, 0};
    pthread_mutex_unlock(&shared->mutex);
    return is_found;
}

void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_shared *shared = find_store(scope, device);
    struct kept_answer *answer;
    size_t bytes = kind->bytes;
    void *copy;

    while (!kind->fini && bytes > 1 && ((const char *)value)[bytes - 1] == 0)
        bytes--; /* of thousands of devices, few fill their lists */
    copy = nsc_xmalloc(bytes);
    memcpy(copy, value, bytes);
    pthread_mutex_lock(&shared->mutex);
    answer = find_answer(shared, kind, param, device);
    if (!answer)
        answer = NSC_VEC_ADD(&answers_about(shared, device)->list);
    *answer = (struct kept_answer){kind, param, device, result, copy, bytes};
    pthread_cond_broadcast(&shared->kept);
    pthread_mutex_unlock(&shared->mutex);
}

bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device)
{
    bool keeps = nsc_shared_keeps(scope, device);
    bool result;

    if (!keeps || !nsc_shared_find(out, &result, kind, NULL, scope, device)) {
        result = kind->build(out, scope, device); /* it may use the store */
        if (keeps)
            nsc_shared_keep(out, result, kind, NULL, scope, device);
    }
    if (is_kept)
        *is_kept = keeps;
    return result;
}
