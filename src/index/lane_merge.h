/* Walks the lanes of tracks, and merges rows of many lanes by start: a heap of lanes, O(log lanes) a row. */
#ifndef NSC_INDEX_LANE_MERGE_H
#define NSC_INDEX_LANE_MERGE_H

#include "nsyscope/trace.h"

#include "core/vec.h"

/* ---- the lanes of tracks of some kinds, in the order of track and lane ---- */

#define NSC_TRACK_BIT(kind) ((uint32_t)1 << (kind)) /* of enum nsc_track_kind */
#define NSC_RANGE_TRACKS    (NSC_TRACK_BIT(NSC_TRACK_NVTX) | NSC_TRACK_BIT(NSC_TRACK_SPANS))

/* for (struct nsc_lane_walk at = nsc_group_lanes(trace, group, kinds); nsc_lane_walk_next(&at);) */
struct nsc_lane_walk {
    const struct nsc_track *tracks;
    const struct nsc_lane *lanes;
    uint32_t kinds;
    uint32_t track, lane;        /* the current ones */
    const struct nsc_lane *rows; /* of the current lane */
    uint32_t next_track, end_track, next_lane, end_lane;
};

/* The lanes of the tracks [first, end). */
static inline struct nsc_lane_walk nsc_track_lanes(const struct nsc_trace *trace, uint32_t first,
                                                   uint32_t end, uint32_t kinds)
{
    return (struct nsc_lane_walk){.tracks = nsc_trace_tracks(trace, NULL),
                                  .lanes = nsc_trace_lanes(trace, NULL),
                                  .kinds = kinds,
                                  .next_track = first,
                                  .end_track = end};
}

/* The lanes of a group: a device, a thread. */
static inline struct nsc_lane_walk nsc_group_lanes(const struct nsc_trace *trace, uint32_t group,
                                                   uint32_t kinds)
{
    return nsc_track_lanes(trace, group, nsc_group_end(nsc_trace_tracks(trace, NULL), group),
                           kinds);
}

/* The lanes of the streams of a device. */
static inline struct nsc_lane_walk nsc_device_lanes(const struct nsc_trace *trace, uint32_t device)
{
    return nsc_group_lanes(trace, device, NSC_TRACK_BIT(NSC_TRACK_STREAM));
}

/* The lanes of the whole trace. */
static inline struct nsc_lane_walk nsc_trace_all_lanes(const struct nsc_trace *trace,
                                                       uint32_t kinds)
{
    uint32_t n = 0;

    (void)nsc_trace_tracks(trace, &n);
    return nsc_track_lanes(trace, 0, n, kinds);
}

static inline bool nsc_lane_walk_next(struct nsc_lane_walk *at)
{
    while (at->next_lane == at->end_lane) {
        if (at->next_track >= at->end_track)
            return false;
        at->track = at->next_track++;
        at->next_lane = at->end_lane = at->tracks[at->track].first_lane;
        if (at->kinds & NSC_TRACK_BIT(at->tracks[at->track].kind))
            at->end_lane += at->tracks[at->track].n_lanes;
    }
    at->lane = at->next_lane++;
    at->rows = &at->lanes[at->lane];
    return true;
}

/* ---- rows of many lanes ---- */

struct nsc_lane_merge {
    const struct nsc_events *events;
    struct nsc_lane_cursor {
        nsc_time start;
        nsc_event row, end;
    } * lanes; /* a heap */
    uint32_t n;
    bool (*keep)(const void *context, nsc_event row); /* NULL: all rows */
    const void *context;
};

struct nsc_row_range { /* [first, end) */
    nsc_event first, end;
};

/* The rows of a lane that touch w: they are consecutive. O(log rows). */
struct nsc_row_range nsc_lane_rows(const struct nsc_trace *trace, uint32_t lane,
                                   struct nsc_window w);

/* Each range lies in one lane. */
void nsc_lane_merge_open(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const struct nsc_row_range ranges[], uint32_t n);
/* As nsc_lane_merge_open, with all rows of the lanes. */
void nsc_lane_merge_init(struct nsc_lane_merge *merge, const struct nsc_trace *trace,
                         const uint32_t lanes[], uint32_t n_lanes);
/* Leaves out the rows for which keep returns false. Call it before the first row. */
void nsc_lane_merge_set_filter(struct nsc_lane_merge *merge,
                               bool (*keep)(const void *context, nsc_event row),
                               const void *context);
void nsc_lane_merge_fini(struct nsc_lane_merge *merge);
/*
 * The next row; NSC_NONE after the last. Rows that start together come in order of their numbers.
 */
nsc_event nsc_lane_merge_next(struct nsc_lane_merge *merge);

/* Sorts ranges outermost first: by start, the longer first, then by row. O(n log n). */
void nsc_sort_outermost(const struct nsc_trace *trace, nsc_event *rows, size_t n);

#endif
