/*
 * Measures the collectives of a job's ranks: which rank came late, how long the others waited, how
 * well the clocks agree.
 *
 * In each matched instance (rank_groups.h) the shortest participant shows the transfer; the others'
 * extra time is waiting. The rank that waits longest is the victim; the late one starts last. A
 * verdict that a rank is late needs more: see nsc_late_rank.
 */
#ifndef NSC_ANALYSIS_RANK_COLLECTIVES_H
#define NSC_ANALYSIS_RANK_COLLECTIVES_H

#include "analysis/base/limit.h"
#include "analysis/job/rank_groups.h"

struct nsc_job_rank {
    struct nsc_rank_place place;
    int64_t number;    /* N of "rankN" in the labels, or the last number of labels that differ only
                        * in it, if each export has one rank and a number of its own; else the
                        * index */
    uint32_t matched;  /* its kernels that have partners */
    uint32_t last;     /* how often it was late; see nsc_late_rank */
    nsc_time kept;     /* ns: how much later than the median of the others, summed */
    nsc_time waited;   /* ns: its durations beyond the transfer, summed */
    nsc_time transfer; /* ns: the transfers in which it took part, summed */
};

/* The same short name in one group of ranks. */
struct nsc_rank_collective {
    nsc_str name;
    nsc_str members;            /* numbers of its ranks: "0-3", "0 2" */
    uint32_t group;             /* of the groups */
    enum nsc_parallel parallel; /* the parallelism that nearly all its kernels name and none
                                 * contradicts; without any such range, the only parallelism in
                                 * which the members have different places; else unknown */
    uint32_t n_ranks, instances;
    nsc_time transfer;   /* one an instance, added */
    nsc_time waited;     /* of all ranks, added */
    nsc_time worst_wait; /* of a rank in an instance */
    nsc_time worst_at;   /* start of that kernel */
    nsc_time noise;      /* ns: starts closer than this count as equal */
    uint32_t decided;    /* instances in which some rank came later than the noise */
};

enum nsc_late_cause {
    NSC_LATE_UNKNOWN,
    NSC_LATE_COMPUTE,
    NSC_LATE_COPIES,
    NSC_LATE_COLLECTIVE,
    NSC_LATE_CPU
};

/* Why a rank is not named. */
enum nsc_late_doubt {
    NSC_DOUBT_NONE,
    NSC_DOUBT_TRIFLE, /* it costs too little */
    NSC_DOUBT_ONCE,   /* without its longest wait it does */
    NSC_DOUBT_CHANCE, /* chance gives as much */
    NSC_DOUBT_STAGES  /* stages of a pipeline wait for each other by design */
};

/*
 * A rank that keeps the others of a collective waiting. In an instance it is late if it starts later than
 * the median of the other starts by more than the noise (the scatter
 * between the clocks of the GPUs of one export), and by LATE_TOGETHER of the lateness of the
 * latest rank (limits: base/threshold.def): the ranks of a slow node are late together. A rank is named if
 * - without its longest wait, which may be an accident, it costs LATE_SPAN of the time from the
 *   first to the last instance and LATE_TRANSFER of the transfers; and
 * - it is late in more instances, or has more of the lateness, than chance gives (binomial, level
 *   LATE_LEVEL over the ranks of the group); or it costs LATE_LARGE of the time, no wait is more
 *   than LATE_ONE of that, and LATE_MOST of all lateness is its own.
 *
 * Instances after one during which the ranks went on computing add little evidence: the last rank
 * tends to stay the same (buckets of gradients), so they count less.
 *
 * If the only reason is another collective and the ranks are a pipeline (every rank sends to another
 * stage), no rank is late. The cause is the work that the rank's GPU did longer than the other ranks' between the previous
 * instance's end and its start, if that explains at least half of the lateness. Compute and copies
 * count from the previous instance's start on: ranks that wait in it may go on with what comes next.
 */
struct nsc_late_rank {
    uint32_t rank, collective; /* index in the list */
    uint32_t last, instances;
    double chance; /* expected share of instances */
    nsc_time kept; /* ns: later than the median of the others, summed over those instances */
    nsc_time span; /* ns: from the first to the last instance */
    enum nsc_late_doubt doubt;
    enum nsc_late_cause cause;
    nsc_time excess; /* ns: of the cause */
    bool is_root;    /* no other rank of the list keeps it waiting */
};

struct nsc_clock {       /* of an export */
    uint32_t ends;       /* that were compared */
    nsc_time correction; /* ns at the origin: ahead of the first export; to be subtracted */
    double drift;        /* ppm */
    nsc_time p05, p95;   /* ns: percentiles of the residual, nearest rank */
};

struct nsc_unmatched { /* kernels of a name without partners on a rank */
    nsc_str name;
    uint32_t rank, n;
};

struct nsc_rank_collectives {
    const struct nsc_rank_ops *ops; /* borrowed */
    struct nsc_strpool texts;       /* of members */
    struct nsc_rank_clocks fitted;
    struct nsc_rank_groups groups;
    NSC_VEC(struct nsc_job_rank) ranks;       /* by export, process, device */
    NSC_VEC(struct nsc_rank_collective) list; /* most waiting first */
    NSC_VEC(struct nsc_unmatched) unmatched;
    NSC_VEC(struct nsc_late_rank) late; /* roots first, then by kept, the most first */
    struct nsc_late_rank
        doubted;              /* that cost most of those not named; kept is 0 if none came late */
    struct nsc_clock *clocks; /* one an export */
};

/* Borrows ops. O(ops log ops + series^2 + exports^2). The owner calls fini. */
void nsc_rank_collectives_build(struct nsc_rank_collectives *out, const struct nsc_rank_ops *ops);
void nsc_rank_collectives_fini(struct nsc_rank_collectives *collectives);

/* Writes the corrected starts of each rank's kernels in instance i of a group: n_ranks values. */
void nsc_rank_starts(nsc_time out[], const struct nsc_rank_collectives *collectives,
                     const struct nsc_rank_group *group, uint32_t i);
/* Adds the late ranks. */
void nsc_rank_late_find(struct nsc_rank_collectives *collectives);

#endif
