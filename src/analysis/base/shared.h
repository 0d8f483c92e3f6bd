/*
 * Keeps answers that many questions need, computed once for a scope.
 *
 * A command that asks everything (`analyze`) needs the times of each device a dozen times. It opens
 * a store for its scope. The questions use the store without knowing of it, and questions about a
 * narrower scope bypass it, except for answers that depend on the trace alone. Questions may be
 * asked on several threads at once: one computes an answer and the others wait for it. The store
 * owns the answers and must outlive all that was built from them.
 */
#ifndef NSC_ANALYSIS_SHARED_H
#define NSC_ANALYSIS_SHARED_H

#include "analysis/base/scope.h"

struct nsc_shared;

/* How to compute an answer. */
struct nsc_shared_kind {
    size_t bytes; /* of the value */
    /* The store keeps its result with the value. */
    bool (*build)(void *out, const struct nsc_scope *scope, uint32_t device);
    void (*fini)(void *value); /* NULL: the value owns nothing */
};

/* Opens the store for the trace, mask and window of a scope, which must not change. Then
 * scope->shared points to the store; a store that it pointed to before is the outer one and must
 * outlive it. */
void nsc_shared_open(struct nsc_scope *scope);
/* Frees all answers. scope->shared points to the outer store again. */
void nsc_shared_close(struct nsc_scope *scope);

/*
 * Returns the answer of a kind for a device: 0 if the question is not about one, NSC_NONE if the
 * answer is the same for every scope of the trace; the outermost store keeps that. *is_kept (may be
 * NULL) is true if the store owns what the answer owns; else the caller does.
 */
bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device);

/* The scope of the outermost store of the trace, with that store; false: there is none. */
bool nsc_shared_outermost(struct nsc_scope *out, const struct nsc_scope *scope);

/* ---- for answers that are made many at once (device/sweep.h) ---- */

/* Whether a store keeps answers about the device for the scope. */
bool nsc_shared_keeps(const struct nsc_scope *scope, uint32_t device);
/* Copies the answer that the store keeps, after another thread has computed it. False: nobody does,
 * and the caller must compute it and hand it over (nsc_shared_keep). param tells answers of one
 * kind apart; NULL: none does. */
bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device);
/* Hands an answer that is not kept yet to the store, which then owns what it owns. Wakes those who
 * wait for it. */
void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device);

#endif
