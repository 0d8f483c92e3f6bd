/*
 * Answers that many questions begin with, computed once for a scope.
 *
 * A command that asks everything (`analyze`) needs the same figures of each device a dozen times.
 * It opens a store for its scope, and questions asked with that scope find their answers there; a
 * scope that was narrowed meanwhile does not use the store. For one thread. The store owns the
 * answers and must outlive every copy of them.
 */
#ifndef NSC_ANALYSIS_SHARED_H
#define NSC_ANALYSIS_SHARED_H

#include "analysis/base/scope.h"

struct nsc_shared;

/* How an answer is made. */
struct nsc_shared_kind {
    size_t bytes; /* of the value */
    /* The store keeps its result with the value. */
    bool (*build)(void *out, const struct nsc_scope *scope, uint32_t device);
    void (*fini)(void *value); /* NULL: the value owns nothing */
};

/* For this trace, mask and window, which must not change; sets scope->shared. */
void nsc_shared_open(struct nsc_scope *scope);
/* Forgets all answers. */
void nsc_shared_close(struct nsc_scope *scope);

/*
 * The answer of that kind for the device (any number, 0 where the question is of all). True in
 * *is_kept (may be NULL): the store owns what the value owns; else the caller does.
 */
bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device);

/* ---- for answers that are made many at once (device/sweep.h) ---- */

/* Whether the scope has a store and the store is for this scope. */
bool nsc_shared_keeps(const struct nsc_scope *scope);
/* Copies the answer that the store keeps. param tells answers of one kind apart; NULL: none does. */
bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device);
/* Hands an answer that is not kept yet to the store, which then owns what it owns. */
void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device);

#endif
