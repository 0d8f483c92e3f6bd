/*
 * Stores answers by kind, parameter and device.
 */
#include "analysis/base/shared.h"

#include "core/die.h"
#include "core/vec.h"
#include "index/idtable.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    NSC_VEC(struct kept_answer) answers;
    struct nsc_idtable known; /* the answers by kind, param and device */
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

    for (size_t i = 0; i < shared->answers.n; i++) {
        struct kept_answer *answer = &shared->answers.at[i];

        if (answer->kind->fini)
            answer->kind->fini(answer->value);
        free(answer->value);
    }
    NSC_VEC_FINI(&shared->answers);
    nsc_idtable_fini(&shared->known);
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

static uint64_t hash_of(const struct kept_answer *key)
{
    return nsc_hash_mix(nsc_hash_mix((uintptr_t)key->kind, (uintptr_t)key->param), key->device);
}

static bool is_about(const void *shared, uint32_t i, const void *about)
{
    const struct kept_answer *answer = &((const struct nsc_shared *)shared)->answers.at[i];
    const struct kept_answer *key = about;

    return answer->kind == key->kind && answer->param == key->param &&
           answer->device == key->device;
}

/* The answer of the kind, param and device of key; NULL: none. The store must be locked. */
static struct kept_answer *find_answer(struct nsc_shared *shared, const struct kept_answer *key)
{
    uint32_t i = nsc_idtable_find(&shared->known, hash_of(key), is_about, shared, key);

    return i == NSC_NONE ? NULL : &shared->answers.at[i];
}

static void add_answer(struct nsc_shared *shared, struct kept_answer answer)
{
    nsc_idtable_add(&shared->known, hash_of(&answer), (uint32_t)shared->answers.n);
    *NSC_VEC_ADD(&shared->answers) = answer;
}

bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_shared *shared = find_store(scope, device);
    struct kept_answer key = {kind, param, device, false, NULL, 0};
    struct kept_answer *answer;

    pthread_mutex_lock(&shared->mutex);
    while ((answer = find_answer(shared, &key)) && !answer->value)
        pthread_cond_wait(&shared->kept, &shared->mutex);
    if (answer) {
        memcpy(out, answer->value, answer->bytes);
        memset((char *)out + answer->bytes, 0, kind->bytes - answer->bytes);
        *result = answer->result;
    } else {
        add_answer(shared, key);
    }
    pthread_mutex_unlock(&shared->mutex);
    return answer != NULL;
}

void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_shared *shared = find_store(scope, device);
    struct kept_answer kept = {kind, param, device, result, NULL, kind->bytes};
    struct kept_answer *answer;

    while (!kind->fini && kept.bytes > 1 && ((const char *)value)[kept.bytes - 1] == 0)
        kept.bytes--; /* of thousands of devices, few fill their lists */
    kept.value = nsc_xmalloc(kept.bytes);
    memcpy(kept.value, value, kept.bytes);
    pthread_mutex_lock(&shared->mutex);
    answer = find_answer(shared, &kept);
    if (answer)
        *answer = kept;
    else
        add_answer(shared, kept);
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
