/*
 * Measures streams that run at once: merges their rows by start and tracks how far each stream
 * reaches.
 */
#include "analysis/select/overlap.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/progress.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct measuring {
    struct nsc_overlap out;
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;
    struct stream_lane { /* ascending by lane */
        uint32_t stream;
        struct nsc_row_range rows;
    } * lanes;
    uint32_t n_lanes;
    nsc_time reach[NSC_OVERLAP_STREAMS]; /* end of the covered time of each stream so far */
};

/* ---- choosing ---- */

/* The summed time of the lanes of a stream, capped at the window: enough to rank streams. */
static nsc_time estimate(const struct measuring *at, const struct nsc_track *track)
{
    nsc_time whole = nsc_window_length(at->out.window);
    nsc_time sum = 0;

    for (uint32_t k = 0; k < track->n_lanes; k++) {
        nsc_time busy =
            nsc_lane_measure(at->trace, at->summary, track->first_lane + k, at->out.window).busy;

        sum = busy > whole - sum ? whole : sum + busy;
    }
    return sum;
}

struct estimated {
    nsc_time busy;
    uint32_t track;
};

NSC_COMPARE(compare_estimated, struct estimated, NSC_MOST(busy) || NSC_LEAST(track))

static void streams_choose(struct measuring *at)
{
    const struct nsc_track *tracks = nsc_trace_tracks(at->trace, NULL);
    struct nsc_overlap *out = &at->out;
    NSC_VEC(struct estimated) streams = {0};

    for (uint32_t t = out->group + 1; t < nsc_group_end(tracks, out->group); t++) {
        nsc_time busy = tracks[t].kind == NSC_TRACK_STREAM ? estimate(at, &tracks[t]) : 0;

        if (busy > 0)
            *NSC_VEC_ADD(&streams) = (struct estimated){busy, t};
    }
    NSC_VEC_SORT(&streams, compare_estimated);
    out->n_working = (uint32_t)streams.n;
    for (; out->n < streams.n && out->n < NSC_OVERLAP_STREAMS; out->n++)
        out->track[out->n] = streams.at[out->n].track;
    NSC_VEC_FINI(&streams);
}

NSC_COMPARE(compare_lanes, struct stream_lane, NSC_LEAST(rows.first))

static void lanes_gather(struct measuring *at)
{
    const struct nsc_track *tracks = nsc_trace_tracks(at->trace, NULL);
    NSC_VEC(struct stream_lane) lanes = {0};

    for (uint32_t i = 0; i < at->out.n; i++)
        for (uint32_t k = 0; k < tracks[at->out.track[i]].n_lanes; k++) {
            uint32_t lane = tracks[at->out.track[i]].first_lane + k;
            struct nsc_row_range rows = nsc_lane_rows(at->trace, lane, at->out.window);

            if (rows.first < rows.end)
                *NSC_VEC_ADD(&lanes) = (struct stream_lane){i, rows};
        }
    NSC_VEC_SORT(&lanes, compare_lanes);
    at->lanes = lanes.at;
    at->n_lanes = (uint32_t)lanes.n;
}

/* ---- measuring ---- */

/* The stream of a row: lanes ascend by their rows. */
static uint32_t stream_of(const struct measuring *at, nsc_event row)
{
    uint32_t low = 0;
    uint32_t high = at->n_lanes;

    NSC_BISECT(low, high, middle, at->lanes[middle].rows.first <= row);
    return at->lanes[low - 1].stream;
}

/*
 * Adds a row; rows come in order of start. From the start of a row on, the time in which another
 * stream is busy is exactly the rest of its reach. Subtracts the time that this stream had covered
 * before, so that each ns that two streams share counts once, when the later one covers it.
 */
static void row_add(struct measuring *at, uint32_t stream, struct nsc_window row)
{
    nsc_time(*together)[NSC_OVERLAP_STREAMS] = at->out.together;
    nsc_time from = nsc_later(row.t0, at->reach[stream]);

    if (from >= row.t1)
        return;
    together[stream][stream] = nsc_sum(together[stream][stream], nsc_span(from, row.t1));
    for (uint32_t i = 0; i < at->out.n; i++) {
        nsc_time to = nsc_earlier(row.t1, at->reach[i]);

        if (i == stream || to <= from)
            continue;
        together[stream][i] = nsc_sum(together[stream][i], nsc_span(from, to));
        together[i][stream] = together[stream][i];
    }
    at->reach[stream] = row.t1;
}

static void event_add(struct measuring *at, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(at->trace);
    struct nsc_window row = {nsc_later(events->start[event], at->out.window.t0),
                             nsc_earlier(nsc_event_end(events, event), at->out.window.t1)};

    if (row.t0 >= row.t1 || !nsc_summary_has(at->summary, event))
        return;
    row_add(at, stream_of(at, event), row);
    if (events->kind[event] != NSC_KIND_GRAPH)
        return;
    at->out.graph = nsc_sum(at->out.graph, nsc_span(row.t0, row.t1));
    at->out.n_graphs++;
    at->out.last_graph = event;
}

static void measure(struct measuring *at, struct nsc_progress *progress)
{
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)at->n_lanes + 1, sizeof *ranges);
    struct nsc_lane_merge merge;
    nsc_event event;

    for (uint32_t i = 0; i < at->n_lanes; i++)
        ranges[i] = at->lanes[i].rows;
    nsc_lane_merge_open(&merge, at->trace, ranges, at->n_lanes);
    free(ranges);
    while (!nsc_progress_is_cancelled(progress) &&
           (event = nsc_lane_merge_next(&merge)) != NSC_NONE)
        event_add(at, event);
    nsc_lane_merge_fini(&merge);
}

struct nsc_overlap nsc_overlap_measure(const struct nsc_trace *trace,
                                       const struct nsc_summary *summary, uint32_t group,
                                       struct nsc_window window, struct nsc_progress *progress)
{
    struct measuring at = {.out = {.group = group, .window = window, .last_graph = NSC_NONE},
                           .trace = trace,
                           .summary = summary};

    for (int i = 0; i < NSC_OVERLAP_STREAMS; i++)
        at.reach[i] = INT64_MIN;
    streams_choose(&at);
    lanes_gather(&at);
    measure(&at, progress);
    free(at.lanes);
    return at.out;
}
