/*
 * Matches the collectives of many ranks: who came last, how long the others waited, how well the
 * clocks agree.
 *
 * A rank is a process on a device that runs communication kernels; the ranks may lie in one export
 * or in several. The k-th kernel of a short name on one rank matches the k-th on another when both
 * ranks have equally many and at least four fifths of them overlap in time; matching ranks form a
 * group. Of each instance the shortest participant is the transfer; what the others take longer is
 * waiting, and the participant that starts last kept the others waiting. Participants end together,
 * so the distance between their ends is the error of the clocks. The median error of each export is
 * subtracted before starts are compared; the residual is what remains. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANK_COLLECTIVES_H
#define NSC_ANALYSIS_RANK_COLLECTIVES_H

#include "analysis/base/scope.h"
#include "core/vec.h"

struct nsc_job_rank {
    uint64_t process;
    uint32_t track;      /* of its device */
    uint32_t capture_no; /* number of its export */
    uint32_t matched;    /* its kernels that found partners */
    uint32_t last;       /* how often it came last */
    nsc_time kept;       /* ns: how much later than the second to last it came, added */
    nsc_time waited;     /* ns: its durations beyond the transfer, added */
    nsc_time transfer;   /* ns: the transfers it took part in, added */
};

/* The same short name in one group of ranks. */
struct nsc_rank_collective {
    nsc_str name;
    uint32_t n_ranks, instances;
    nsc_time transfer;     /* one an instance, added */
    nsc_time waited;       /* of all ranks, added */
    nsc_time worst_wait;   /* of a rank in an instance */
    nsc_event worst;       /* that kernel */
    uint32_t usually_last; /* rank */
    uint32_t last;         /* how often that one was */
};

struct nsc_clock {       /* of an export */
    uint32_t ends;       /* that were compared */
    nsc_time correction; /* ns: median by which its ends are later than the others'; subtracted */
    nsc_time p05, p95;   /* ns: percentiles of the residual, nearest rank */
};

struct nsc_unmatched { /* kernels of a name that found no partners on a rank */
    nsc_str name;
    uint32_t rank, n;
};

struct nsc_rank_collectives {
    const struct nsc_trace *trace;
    NSC_VEC(struct nsc_job_rank) ranks;       /* by export, process, device */
    NSC_VEC(struct nsc_rank_collective) list; /* most waiting first */
    NSC_VEC(struct nsc_unmatched) unmatched;
    struct nsc_clock *clocks; /* one an export */
    uint32_t n_clocks;
};

/* Kernels of the scope. O(kernels log kernels + ranks^2 collectives). */
void nsc_rank_collectives_build(struct nsc_rank_collectives *out, const struct nsc_scope *scope);
void nsc_rank_collectives_fini(struct nsc_rank_collectives *collectives);

#endif
