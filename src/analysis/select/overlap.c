/*
 * Measures streams that run at once: merges their rows by start and tracks how far each stream
 * reaches.
 */
#include "analysis/select/overlap.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

/* ---- choosing ---- */

/* The summed time of the lanes of a stream, capped at the window: enough to rank streams. */
static nsc_time estimate(const struct nsc_overlap *overlap, const struct nsc_track *track)
{
    struct nsc_window w = overlap->window;
    nsc_time whole = nsc_window_length(w);
    nsc_time sum = 0;

    for (uint32_t k = 0; k < track->n_lanes; k++) {
        nsc_time busy =
            nsc_lane_measure(overlap->trace, overlap->summary, track->first_lane + k, w).busy;

        sum = busy > whole - sum ? whole : sum + busy;
    }
    return sum;
}

struct estimated {
    nsc_time busy;
    uint32_t track;
};

NSC_COMPARE(compare_estimated, struct estimated, NSC_MOST(busy) || NSC_LEAST(track))

static void streams_choose(struct nsc_overlap *overlap)
{
    const struct nsc_track *tracks = nsc_trace_tracks(overlap->trace, NULL);
    NSC_VEC(struct estimated) streams = {0};

    for (uint32_t t = overlap->group + 1; t < nsc_group_end(tracks, overlap->group); t++) {
        nsc_time busy = 0;

        if (tracks[t].kind == NSC_TRACK_STREAM)
            busy = estimate(overlap, &tracks[t]);
        if (busy > 0)
            *NSC_VEC_ADD(&streams) = (struct estimated){busy, t};
    }
    NSC_VEC_SORT(&streams, compare_estimated);
    overlap->n_working = (uint32_t)streams.n;
    for (; overlap->n < streams.n && overlap->n < NSC_OVERLAP_STREAMS; overlap->n++)
        overlap->track[overlap->n] = streams.at[overlap->n].track;
    NSC_VEC_FINI(&streams);
}

NSC_COMPARE(compare_lanes, struct nsc_overlap_lane, NSC_LEAST(first))

static void lanes_gather(struct nsc_overlap *overlap)
{
    const struct nsc_track *tracks = nsc_trace_tracks(overlap->trace, NULL);
    uint32_t n = 0;

    for (uint32_t i = 0; i < overlap->n; i++)
        n += tracks[overlap->track[i]].n_lanes;
    overlap->lanes = nsc_xcalloc((size_t)n + 1, sizeof *overlap->lanes);
    for (uint32_t i = 0; i < overlap->n; i++) {
        for (uint32_t k = 0; k < tracks[overlap->track[i]].n_lanes; k++) {
            uint32_t lane = tracks[overlap->track[i]].first_lane + k;
            struct nsc_row_range rows = nsc_lane_rows(overlap->trace, lane, overlap->window);

            if (rows.first >= rows.end)
                continue;
            overlap->lanes[overlap->n_lanes++] =
                (struct nsc_overlap_lane){lane, i, rows.first, rows.end};
            overlap->rows += rows.end - rows.first;
        }
    }
    qsort(overlap->lanes, overlap->n_lanes, sizeof *overlap->lanes, compare_lanes);
}

void nsc_overlap_begin(struct nsc_overlap *overlap, const struct nsc_trace *trace,
                       const struct nsc_summary *summary, uint32_t group, struct nsc_window window)
{
    struct nsc_row_range *ranges = NULL;

    *overlap = (struct nsc_overlap){.trace = trace,
                                    .summary = summary,
                                    .group = group,
                                    .window = window,
                                    .last_graph = NSC_NONE};
    for (int i = 0; i < NSC_OVERLAP_STREAMS; i++)
        overlap->reach[i] = INT64_MIN;
    streams_choose(overlap);
    lanes_gather(overlap);
    ranges = nsc_xcalloc((size_t)overlap->n_lanes + 1, sizeof *ranges);
    for (uint32_t i = 0; i < overlap->n_lanes; i++)
        ranges[i] = (struct nsc_row_range){overlap->lanes[i].first, overlap->lanes[i].end};
    nsc_lane_merge_open(&overlap->merge, trace, ranges, overlap->n_lanes);
    free(ranges);
    overlap->done = overlap->rows == 0;
}

void nsc_overlap_end(struct nsc_overlap *overlap)
{
    nsc_lane_merge_fini(&overlap->merge);
    overlap->merge.n = 0;
    free(overlap->lanes);
    overlap->lanes = NULL;
    overlap->n_lanes = 0;
}

/* ---- measuring ---- */

/* The stream of a row: lanes ascend by their rows. */
static uint32_t stream_of(const struct nsc_overlap *overlap, nsc_event row)
{
    uint32_t low = 0;
    uint32_t high = overlap->n_lanes;

    NSC_BISECT(low, high, middle, overlap->lanes[middle].first <= row);
    return overlap->lanes[low - 1].stream;
}

/*
 * Adds a row; rows come in order of start. From the start of a row on, the time in which another
 * stream is busy is exactly the rest of its reach. Subtracts the time that this stream had covered
 * before, so that each ns that two streams share counts once, when the later one covers it.
 */
static void row_add(struct nsc_overlap *overlap, uint32_t stream, struct nsc_window row)
{
    nsc_time from = nsc_later(row.t0, overlap->reach[stream]);

    if (from >= row.t1)
        return;
    overlap->together[stream][stream] =
        nsc_sum(overlap->together[stream][stream], nsc_span(from, row.t1));
    for (uint32_t i = 0; i < overlap->n; i++) {
        nsc_time to = nsc_earlier(row.t1, overlap->reach[i]);

        if (i == stream || to <= from)
            continue;
        overlap->together[stream][i] = nsc_sum(overlap->together[stream][i], nsc_span(from, to));
        overlap->together[i][stream] = overlap->together[stream][i];
    }
    overlap->reach[stream] = row.t1;
}

static void graph_add(struct nsc_overlap *overlap, nsc_event event, struct nsc_window row)
{
    overlap->graph = nsc_sum(overlap->graph, nsc_span(row.t0, row.t1));
    overlap->n_graphs++;
    overlap->last_graph = event;
}

bool nsc_overlap_step(struct nsc_overlap *overlap, uint64_t rows)
{
    const struct nsc_events *events = nsc_trace_events(overlap->trace);

    while (rows-- > 0 && !overlap->done) {
        nsc_event event = nsc_lane_merge_next(&overlap->merge);
        struct nsc_window row = {0, 0};

        if (event == NSC_NONE) {
            overlap->done = true;
            break;
        }
        overlap->rows_done++;
        if (!nsc_summary_has(overlap->summary, event))
            continue;
        row.t0 = nsc_later(events->start[event], overlap->window.t0);
        row.t1 = nsc_earlier(nsc_event_end(events, event), overlap->window.t1);
        if (row.t0 >= row.t1)
            continue;
        row_add(overlap, stream_of(overlap, event), row);
        if (events->kind[event] == NSC_KIND_GRAPH)
            graph_add(overlap, event, row);
    }
    if (overlap->done)
        nsc_overlap_end(overlap);
    return overlap->done;
}
