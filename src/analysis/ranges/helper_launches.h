/*
 * GPU work that a thread launches for the main thread of its process, as autograd's threads do for
 * backward().
 *
 * Naive meaning: thread T, which is not the main thread M (tid = pid) of its process, launches an
 * op by a call. [t0, t1] is the outermost push/pop range of T around the start of the call, or the
 * call itself without any range. The op is lent to the innermost range of M with start <= t0 and
 * end >= t1, if one of these shows that T works for M:
 *
 *     wait  M is in a call of the OS that sleeps until another thread wakes it; this sleep holds the
 *           whole call, the range of M holds the whole sleep, and T hands over at its end: a call or a
 *           range of T ends, or a sleep of T begins, NSC_LIMIT_HANDOVER us from the end of the sleep at
 *           most
 *     seq   a range of T around the start of the call says "seq = N", and one of M that starts before
 *           the call says the same, as forward ranges of PyTorch's emit_nvtx do
 *
 * Otherwise it is not lent. It also stays in the ranges of its own thread.
 */
#ifndef NSC_ANALYSIS_HELPER_LAUNCHES_H
#define NSC_ANALYSIS_HELPER_LAUNCHES_H

#include "analysis/ranges/launches.h"
#include "core/vec.h"

struct nsc_helper_launch {
    nsc_event op, range;
};

struct nsc_helper_launch_at {
    struct nsc_helper_launch of;
    uint32_t group; /* of the thread of the range */
    nsc_time start; /* of the range */
};

struct nsc_helper_launches {
    NSC_VEC(struct nsc_helper_launch) list; /* sorted by op */
    bool is_kept;                           /* owned by a store of answers */
};

/* Finds the lent ops among the launches. The owner calls fini. */
void nsc_helper_launches_build(struct nsc_helper_launches *out, const struct nsc_trace *trace,
                               const struct nsc_launches *launches);
void nsc_helper_launches_fini(struct nsc_helper_launches *lends);
/* Those of nsc_launches_ask, found once for a run (base/shared.h). NULL if out of memory. */
struct nsc_helper_launches *nsc_helper_launches_ask(const struct nsc_scope *scope);
/* NULL is allowed. Does nothing if a store keeps them. */
void nsc_helper_launches_free(struct nsc_helper_launches *lends);
/* The range that an op is lent to; NSC_NONE: none. O(log n). */
nsc_event nsc_helper_launches_find(const struct nsc_helper_launches *lends, nsc_event op);
/* The list with places, sorted by group, start and op. The caller frees it. */
struct nsc_helper_launch_at *nsc_helper_launches_ordered(const struct nsc_helper_launches *lends,
                                                         const struct nsc_trace *trace);

#endif
