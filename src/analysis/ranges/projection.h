/*
 * NVTX ranges projected onto devices: the span of the ops launched inside each range, by thread,
 * domain and depth. An op belongs to a range if its launch starts inside the range, on the same
 * thread. Start/end ranges that end on their thread are projected only on request; their depth is
 * their lane.
 *
 * Owned by the caller; borrows from the trace and the launches, which must outlive it. Projections
 * of one depth may overlap, and are packed into as many lanes as needed.
 */
#ifndef NSC_ANALYSIS_PROJECTION_H
#define NSC_ANALYSIS_PROJECTION_H

#include "analysis/base/field_sets.h"
#include "analysis/ranges/launches.h"

/* Depths per domain of a thread: those that a screen shows, and the most that ranges can have. */
enum { NSC_PROJECTION_SHOWN = 8, NSC_PROJECTION_ALL = 256 };

#ifdef NSC_SMALL
#define NSC_PROJECTION_ROWS 400u
#else
/* Most rows; inner depths beyond it are dropped first. */
#define NSC_PROJECTION_ROWS (2u << 20)
#endif

struct nsc_projection_line { /* a depth of a domain of a thread on a device */
    uint32_t device;         /* its track */
    uint32_t track;          /* NVTX track, or track of start/end ranges */
    uint32_t depth;
    uint32_t first_lane, n_lanes; /* of the derived */
};

struct nsc_projection {
    struct nsc_trace *derived; /* rows at projected times; the source of a row is the range */
    uint32_t n;
    struct nsc_projection_line *lines; /* by device, track, depth */
    uint32_t left_out;                 /* lanes of the trace that were dropped: too many rows, or
                                        * too deep */
};

/* Projects the outermost depths. spans: NSC_FIELDS_RANGES, needed for start/end ranges; NULL:
 * push/pop ranges only. NULL if out of memory, or stopped (stop NULL: nothing stops it). */
struct nsc_projection *nsc_projection_build(const struct nsc_trace *trace,
                                            const struct nsc_launches *launches, uint32_t depths,
                                            const struct nsc_fields *spans,
                                            struct nsc_progress *stop);
void nsc_projection_free(struct nsc_projection *projection);
/* The line that has a lane of the derived; lanes are not in the order of the lines. */
const struct nsc_projection_line *nsc_projection_line_of(const struct nsc_projection *projection,
                                                         uint32_t lane);

#endif
