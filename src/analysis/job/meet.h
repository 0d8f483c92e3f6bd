/*
 * The meetings of a job: which ranks take part in which collectives together, and when each arrives.
 *
 * Series of one name and communicator meet. Where the communicator is unknown, series meet whose k-th collectives end
 * together once a line (offset and drift of the clocks) is taken off; a series does not join one that ends
 * NSC_LIMIT_RANK_FARTHER times as far from it as its nearest. What is left over, and the sends, meets one by one by
 * common ends, where clocks are known: of one export, or of exports that meet elsewhere (meet_rest.h).
 * Broadcasts and reductions to one rank, in which not all wait for all, are left out. Meetings of the same ranks are
 * one. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_MEET_H
#define NSC_ANALYSIS_MEET_H

#include "analysis/job/fleet.h"

struct nsc_clock { /* puts times on another clock */
    nsc_time from, to;
    double slope;
    nsc_time residual; /* 75th percentile of the distances of ends */
};

struct nsc_export_clock {
    uint32_t like;       /* exports of one value are on one clock */
    uint32_t ends;       /* collectives that were compared */
    struct nsc_clock of; /* to that clock; for 0, the clock of export 0 */
};

struct nsc_meeting {
    bool is_sends; /* of stages of a pipeline: not all wait for all */
    uint32_t n_ranks;
    uint32_t *ranks;          /* ascending; owned */
    struct nsc_clock *clocks; /* by member, to that of the first member; owned */
    NSC_VEC(uint32_t) series; /* n_ranks of each name, by member */
    uint32_t n;               /* collectives of all names that are compared */
    nsc_time span;            /* from the first arrival to the last end */
    nsc_time apart;           /* ends of one collective are no farther apart */
};

struct nsc_late_figures { /* of a rank, over all meetings */
    uint32_t matched;     /* collectives */
    uint32_t last;        /* to which it came late; set by nsc_judge, as is kept */
    nsc_time kept;        /* later than the lower median of the others, summed */
    nsc_time waited;      /* its durations beyond the shortest, summed */
    nsc_time transfer;    /* the shortest, summed */
};

struct nsc_meetings {
    struct nsc_fleet *fleet;
    uint32_t
        n_series; /* of the fleet; those after it are copies of collectives that met one by one */
    NSC_VEC(struct nsc_meeting) list;
    struct nsc_export_clock *clocks; /* by export */
    uint8_t *is_matched;             /* by collective */
    struct nsc_late_figures *ranks;
};

/* Adds series to the fleet. */
void nsc_meetings_build(struct nsc_meetings *out, struct nsc_fleet *fleet);
nsc_time nsc_clock_at(const struct nsc_clock *clock, nsc_time t);
/* Adds a name to the meeting of the ranks of these series, which may be new. */
void nsc_meetings_add(struct nsc_meetings *out, const uint32_t series[],
                      const struct nsc_clock clocks[], uint32_t n);
bool nsc_meeting_has(const struct nsc_meeting *meeting, uint32_t rank);
/* Passes the collectives of a meeting in the order of each name: arrivals by member, on the first member's clock. Those
 * whose ends are too far apart are left out.
 * release: the last arrival. */
struct nsc_meet_walk {
    const struct nsc_meetings *of;
    const struct nsc_meeting *meeting;
    size_t name, end_name;    /* the next, and the end: series of the meeting */
    uint32_t k, every;        /* the next collective of it, and the step */
    nsc_time *arrival, *last; /* by member: when it arrives, how long it takes; owned */
    nsc_time release, end;    /* end: of the first member */
    nsc_time shortest;
    bool is_beside; /* at least half of the members compute on */
};
void nsc_meet_walk_init(struct nsc_meet_walk *walk, const struct nsc_meetings *of,
                        uint32_t meeting);
bool nsc_meet_walk_next(struct nsc_meet_walk *walk);
void nsc_meet_walk_fini(struct nsc_meet_walk *walk);
void nsc_meetings_fini(struct nsc_meetings *meetings);

#endif
