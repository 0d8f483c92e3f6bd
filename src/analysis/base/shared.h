/*
 * Keeps answers that many questions need, computed once for a scope.
 *
 * A command that asks everything (`analyze`) needs the times of each device a dozen times, so it
 * opens a store for its scope. Questions then use the store automatically. Questions about a
 * narrower scope bypass it, except for answers that depend on the trace alone. Several threads may
 * ask at once: one computes an answer and the others wait for it. The store owns the answers and
 * must outlive all that was built from them.
 */
#ifndef NSC_ANALYSIS_SHARED_H
#define NSC_ANALYSIS_SHARED_H

#include "analysis/base/scope.h"

struct nsc_shared;

/* How to compute an answer. */
struct nsc_shared_kind {
    size_t bytes; /* of the value */
    /* Computes the answer. The store keeps the result with the value. */
    bool (*build)(void *out, const struct nsc_scope *scope, uint32_t device);
    void (*fini)(void *value); /* NULL: the value owns nothing */
};

/* Opens the store for the trace, mask and window of a scope, which must not change. Then
 * scope->shared points to the new store. A store that it pointed to before becomes the outer one
 * and must outlive it. */
void nsc_shared_open(struct nsc_scope *scope);
/* Frees all answers. scope->shared points to the outer store again. */
void nsc_shared_close(struct nsc_scope *scope);

/*
 * Returns the answer of a kind for a device. device is 0 if the question is not about one, and
 * NSC_NONE if the answer is the same for every scope of the trace; the outermost store keeps that.
 * *is_kept (may be NULL, or in the answer) is set last: true if the store owns what the answer owns,
 * else the caller does.
 */
bool nsc_shared_ask(void *out, bool *is_kept, const struct nsc_shared_kind *kind,
                    const struct nsc_scope *scope, uint32_t device);

/* ---- for answers computed many at once (device/sweep.h) ---- */

/* Whether a store keeps answers about the device for the scope. */
bool nsc_shared_keeps(const struct nsc_scope *scope, uint32_t device);
/* Copies the answer that the store keeps; waits for it if another thread is computing it. False: no
 * thread is, so the caller must compute it and pass it to nsc_shared_keep. param distinguishes
 * answers of one kind; NULL: there is one. */
bool nsc_shared_find(void *out, bool *result, const struct nsc_shared_kind *kind, const void *param,
                     const struct nsc_scope *scope, uint32_t device);
/* Gives a new answer to the store, which takes over what it owns. Wakes the threads that wait for
 * it. */
void nsc_shared_keep(const void *value, bool result, const struct nsc_shared_kind *kind,
                     const void *param, const struct nsc_scope *scope, uint32_t device);

#endif
