/*
 * What an export tells of its place in time: the time of day it began at, its first events, and
 * where a range of a name begins.
 *
 * What the user leaves out of the load counts all the same: where an export lies does not depend on
 * how much of it is looked at. All times are ns on the export's own clock.
 */
#ifndef NSC_NSYS_ANCHOR_H
#define NSC_NSYS_ANCHOR_H

#include "nsyscope/open.h"

#include "core/vec.h"

#define NSC_HOST_BYTES 64

struct nsc_pool;

struct nsc_anchor {
    const char *path;  /* borrowed from the export */
    int64_t utc;       /* ns since 1970 of time 0; 0 when it is not told */
    nsc_time duration; /* of the session; 0 when it is not told */
    bool has_work, has_event;
    nsc_time work, event;        /* starts of the first GPU work and of the first event */
    NSC_VEC(nsc_time) instances; /* starts of the ranges and marks of the name, ascending */
    char host[NSC_HOST_BYTES];   /* raw bytes, cut; "" when it is not told */
};

/* What small tables hold; of them nothing is ever wrong, only missing. */
void nsc_anchor_init(struct nsc_anchor *anchor, const struct nsc_capture *capture);
void nsc_anchor_fini(struct nsc_anchor *anchor);

/* Who scans, and who is told of it and may cancel. */
struct nsc_anchor_scan {
    struct nsc_pool *pool;
    struct nsc_progress *progress; /* may be NULL */
};

/* work and event: the tables of events are scanned. NSC_ECANCELLED, NSC_EDAMAGED, NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_anchor_find_first(struct nsc_anchor *anchor,
                                                    struct nsc_capture *capture,
                                                    struct nsc_anchor_scan by,
                                                    struct nsc_error *error);
/* instances: NVTX_EVENTS is scanned for ranges and marks whose whole text is name. */
NSC_NODISCARD enum nsc_status nsc_anchor_find_range(struct nsc_anchor *anchor,
                                                    struct nsc_capture *capture, const char *name,
                                                    struct nsc_anchor_scan by,
                                                    struct nsc_error *error);

#endif
