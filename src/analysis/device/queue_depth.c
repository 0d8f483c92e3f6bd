/* Measures queue depth: merges the sorted launches and ends of each stream. */
#include "analysis/device/queue_depth.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"

#include <stdlib.h>

/* ---- one stream ---- */

struct times {
    nsc_time *launch, *end; /* of out->n ops, in any order */
};

struct queue {
    struct nsc_queue_depth *out;
    uint64_t depth;
    nsc_time at; /* up to where depths are measured */
    double sum;  /* of lengths times depths */
};

/* Measures the depth up to t. */
static void advance(struct queue *queue, nsc_time t)
{
    nsc_time length = nsc_span(queue->at, t);

    if (length <= 0)
        return;
    queue->out->deepest = queue->depth > queue->out->deepest ? queue->depth : queue->out->deepest;
    queue->out->empty += queue->depth == 0 ? length : 0;
    queue->out->full += queue->depth >= NSC_LIMIT_QUEUE_FULL ? length : 0;
    queue->sum += (double)queue->depth * (double)length;
    queue->at = t;
}

/* Launches and ends ascend. An op that ends at a launch is still in the queue. */
static void walk_times(struct nsc_queue_depth *out, const struct times *times,
                       struct nsc_window window)
{
    struct queue queue = {.out = out, .at = window.t0};
    uint64_t ended = 0;

    for (uint64_t launched = 0; launched <= out->n; launched++) {
        nsc_time t = launched < out->n ? times->launch[launched] : window.t1;

        for (; ended < launched && times->end[ended] < t; ended++, queue.depth--)
            advance(&queue, nsc_earlier(times->end[ended], window.t1));
        advance(&queue, nsc_earlier(t, window.t1));
        queue.depth++;
    }
    out->mean = queue.sum > 0 ? queue.sum / (double)nsc_window_length(window) : 0;
}

static void gather_lane(struct nsc_queue_depth *out, const struct times *times,
                        const struct nsc_scope *scope, struct nsc_row_range rows)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (nsc_event row = rows.first; row < rows.end; row++) {
        nsc_event call = events->link[row];

        if (!nsc_scope_has_row(scope, events, row))
            continue;
        if (call == NSC_NONE) {
            out->unknown++;
            continue;
        }
        times->launch[out->n] = events->start[call];
        times->end[out->n] = nsc_later(nsc_event_end(events, row), events->start[call]);
        out->n++;
    }
}

static void sort_times(nsc_time times[], uint32_t n)
{
    uint32_t sorted = 1;

    while (sorted < n && times[sorted - 1] <= times[sorted])
        sorted++;
    if (sorted < n)
        qsort(times, n, sizeof *times, nsc_time_compare);
}

static void measure_stream(struct nsc_queue_depth *out, const struct nsc_scope *own,
                           const struct nsc_track *track, struct nsc_window window)
{
    struct times times;
    size_t n = 1;

    for (uint32_t k = 0; k < track->n_lanes; k++) {
        struct nsc_row_range rows = nsc_lane_rows(own->trace, track->first_lane + k, own->window);

        n += rows.end - rows.first;
    }
    times = (struct times){nsc_xmalloc(n * sizeof(nsc_time)), nsc_xmalloc(n * sizeof(nsc_time))};
    for (uint32_t k = 0; k < track->n_lanes; k++)
        gather_lane(out, &times, own,
                    nsc_lane_rows(own->trace, track->first_lane + k, own->window));
    sort_times(times.launch, (uint32_t)out->n);
    sort_times(times.end, (uint32_t)out->n);
    walk_times(out, &times, window);
    free(times.launch);
    free(times.end);
}

/* ---- all streams ---- */

bool nsc_queue_depths_build(struct nsc_queue_depths *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_scope own = nsc_device_scope(scope, device);

    *out = (struct nsc_queue_depths){.device = device,
                                     .n_tracks = nsc_group_end(tracks, device) - device};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    out->at = nsc_xcalloc(out->n_tracks, sizeof *out->at);
    for (uint32_t i = 0; i < out->n_tracks; i++)
        if (tracks[device + i].kind == NSC_TRACK_STREAM)
            measure_stream(&out->at[i], &own, &tracks[device + i], out->window);
    return true;
}

void nsc_queue_depths_fini(struct nsc_queue_depths *depths)
{
    free(depths->at);
}
