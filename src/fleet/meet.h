/*
 * The meetings of a job: which ranks take part in which collectives together, and when each arrives.
 *
 * Series of one name and communicator meet. Where the communicator is unknown, series meet whose k-th collectives end
 * together once a line (offset and drift of the clocks) is taken off; a series does not join one that ends
 * NSC_LIMIT_RANK_FARTHER times as far from it as its nearest. Collectives in which not all wait for all (sends,
 * broadcasts, reductions to one) are left out. Meetings of the same ranks are one. The owner calls fini.
 */
#ifndef NSC_FLEET_MEET_H
#define NSC_FLEET_MEET_H

#include "fleet/fleet.h"

struct nsc_meet_clock { /* of a member, against the first member */
    double offset, drift;
    nsc_time origin;
    nsc_time residual; /* 90th percentile of the ends' distances */
};

struct nsc_meeting {
    uint32_t n_ranks;
    uint32_t *ranks;               /* ascending; owned */
    struct nsc_meet_clock *clocks; /* by member; owned */
    NSC_VEC(uint32_t) series;      /* n_ranks of each name, by member */
    uint32_t n;                    /* collectives of all names that are compared */
    nsc_time span,
        transfer;    /* from the first arrival to the last end; the shortest of each, added */
    nsc_time waited; /* of all ranks */
};

struct nsc_meetings {
    const struct nsc_fleet *fleet;
    NSC_VEC(struct nsc_meeting) list;
    uint32_t unmatched; /* series that meet no other */
};

void nsc_meetings_build(struct nsc_meetings *out, const struct nsc_fleet *fleet);
/* Passes the collectives of a meeting in the order of each name: arrivals by member, on the first member's clock.
 * release: the last arrival. */
struct nsc_meet_walk {
    const struct nsc_meetings *of;
    const struct nsc_meeting *meeting;
    size_t name;           /* the next: series of the meeting */
    uint32_t k, every;     /* the next collective of it, and the step */
    nsc_time *arrival;     /* by member; owned */
    nsc_time release, end; /* end: of the first member */
    nsc_time shortest;
};
void nsc_meet_walk_init(struct nsc_meet_walk *walk, const struct nsc_meetings *of,
                        uint32_t meeting);
bool nsc_meet_walk_next(struct nsc_meet_walk *walk);
void nsc_meet_walk_fini(struct nsc_meet_walk *walk);
void nsc_meetings_fini(struct nsc_meetings *meetings);

#endif
