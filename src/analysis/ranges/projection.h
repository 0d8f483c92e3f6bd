/*
 * NVTX ranges projected onto devices: the span of the ops launched inside each range, by thread,
 * domain and depth. An op belongs to a range if its launch starts inside the range, on the same
 * thread. Start/end ranges that end on their thread are projected only if they are asked for; their
 * depth is their lane.
 *
 * Owned by the caller; borrows from the trace and the launches, which must outlive it. Projections
 * of one depth may overlap: they are packed into as many lanes as they need.
 */
#ifndef NSC_ANALYSIS_PROJECTION_H
#define NSC_ANALYSIS_PROJECTION_H

#include "analysis/base/field_sets.h"
#include "analysis/ranges/launches.h"

/* Depths of a domain of a thread: what a screen shows, and all that ranges are told apart by. */
enum { NSC_PROJECTION_SHOWN = 8, NSC_PROJECTION_ALL = 256 };

#ifdef NSC_SMALL
#define NSC_PROJECTION_ROWS 400u
#else
/* Most rows; beyond that, inner depths are left out first. */
#define NSC_PROJECTION_ROWS (2u << 20)
#endif

struct nsc_projection_line { /* a depth of a domain of a thread on a device */
    uint32_t device;         /* its track */
    uint32_t track;          /* NVTX, or start/end ranges */
    uint32_t depth;
    uint32_t first_lane, n_lanes; /* of the shadow */
};

struct nsc_projection {
    struct nsc_trace *shadow; /* rows at projected times; source is the range */
    uint32_t n;
    struct nsc_projection_line *lines; /* by device, track, depth */
    uint32_t left_out;                 /* lanes of the trace left out: too many rows, or too deep */
};

/* Of the outermost depths. spans: NSC_FIELDS_RANGES, which start/end ranges need; NULL: push/pop ranges
 * only. NULL if out of memory. */
struct nsc_projection *nsc_projection_build(const struct nsc_trace *trace,
                                            const struct nsc_launches *launches, uint32_t depths,
                                            const struct nsc_fields *spans);
void nsc_projection_free(struct nsc_projection *projection);

#endif
