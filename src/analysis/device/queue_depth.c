/*
 * Measures queue depth: merges the launches and the ends of each stream by time. A stream whose ops
 * were launched in the order of its only lane, as most are, needs only the ends of ops in its queue
 * for that; the times of others are sorted afterwards.
 */
#include "analysis/device/queue_depth.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct nsc_queue {
    NSC_VEC(nsc_time) ends; /* of launched ops, ascending */
    size_t first;           /* first of ends that is not reached */
    nsc_time at;            /* up to where depths are measured */
    nsc_time last;          /* start of the last call */
    double sum;             /* of lengths times depths */
    bool is_mixed;          /* not launched in order, or with several lanes */
};

/* ---- one stream ---- */

static void queue_init(struct nsc_queue *queue, struct nsc_window window)
{
    NSC_VEC_CLEAR(&queue->ends);
    queue->first = 0;
    queue->at = window.t0;
    queue->last = INT64_MIN;
    queue->sum = 0;
}

/* Measures the depth up to t. */
static inline void advance(struct nsc_queue_depth *out, struct nsc_queue *queue, nsc_time t)
{
    uint64_t depth = queue->ends.n - queue->first;
    nsc_time length = nsc_span(queue->at, t);

    if (length <= 0)
        return;
    out->deepest = depth > out->deepest ? depth : out->deepest;
    out->empty += depth == 0 ? length : 0;
    out->full += depth >= NSC_LIMIT_QUEUE_FULL ? length : 0;
    queue->sum += (double)depth * (double)length;
    queue->at = t;
}

/* Measures up to t or the end of the window. Ops that end before t leave the queue. */
static inline void end_ops(struct nsc_queue_depth *out, struct nsc_queue *queue, nsc_time t,
                           nsc_time window_end)
{
    while (queue->first < queue->ends.n && queue->ends.at[queue->first] < t) {
        advance(out, queue, nsc_earlier(queue->ends.at[queue->first], window_end));
        queue->first++;
    }
    advance(out, queue, nsc_earlier(t, window_end));
}

static void drop_ended(struct nsc_queue *queue)
{
    queue->ends.n -= queue->first;
    if (queue->ends.n > 0)
        memmove(queue->ends.at, queue->ends.at + queue->first,
                queue->ends.n * sizeof *queue->ends.at);
    queue->first = 0;
}

/* Launches and ends ascend. */
static inline void add_op(struct nsc_queue_depth *out, struct nsc_queue *queue, nsc_time launch,
                          nsc_time end, nsc_time window_end)
{
    end_ops(out, queue, launch, window_end);
    if (queue->ends.n == queue->ends.capacity && 2 * queue->first >= queue->ends.n)
        drop_ended(queue);
    *NSC_VEC_ADD(&queue->ends) = end;
}

static void end_queue(struct nsc_queue_depth *out, struct nsc_queue *queue,
                      struct nsc_window window)
{
    end_ops(out, queue, window.t1, window.t1);
    out->mean = queue->sum > 0 ? queue->sum / (double)nsc_window_length(window) : 0;
}

/* ---- a stream whose ops are not in order ---- */

struct times {
    nsc_time *launch, *end; /* of out->n ops, in any order */
};

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

static nsc_time time_at(const void *context, uint32_t i)
{
    return ((const nsc_time *)context)[i];
}

static void sort_times(nsc_time times[], uint32_t n)
{
    uint32_t sorted = 1;
    uint32_t *order;
    nsc_time *copy;

    while (sorted < n && times[sorted - 1] <= times[sorted])
        sorted++;
    if (sorted >= n)
        return;
    order = nsc_xmalloc((size_t)n * sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    nsc_sort_by_time(order, n, time_at, times);
    copy = nsc_xmalloc((size_t)n * sizeof *copy);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = times[order[i]];
    memcpy(times, copy, (size_t)n * sizeof *times);
    free(copy);
    free(order);
}

static void measure_mixed(struct nsc_queue_depth *out, struct nsc_queue *queue,
                          const struct nsc_scope *own, uint32_t stream, struct nsc_window window)
{
    const struct nsc_track *track = nsc_trace_track(own->trace, stream);
    struct nsc_row_range *lanes = nsc_xcalloc((size_t)track->n_lanes + 1, sizeof *lanes);
    struct times times;
    size_t bytes = 1;

    *out = (struct nsc_queue_depth){0};
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        nsc_scope_rows(own, track->first_lane + k, &lanes[k].first, &lanes[k].end);
        bytes += (size_t)(lanes[k].end - lanes[k].first) * sizeof *times.end;
    }
    times = (struct times){nsc_xmalloc(bytes), nsc_xmalloc(bytes)};
    for (uint32_t k = 0; k < track->n_lanes; k++)
        gather_lane(out, &times, own, lanes[k]);
    sort_times(times.launch, (uint32_t)out->n);
    sort_times(times.end, (uint32_t)out->n);
    queue_init(queue, window);
    for (uint64_t i = 0; i < out->n; i++)
        add_op(out, queue, times.launch[i], times.end[i], window.t1);
    free(times.launch);
    free(times.end);
    free(lanes);
}

/* ---- all streams ---- */

bool nsc_queue_depths_init(struct nsc_queue_depths *out, const struct nsc_scope *scope,
                           uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);

    *out = (struct nsc_queue_depths){
        .device = device, .n_tracks = nsc_group_end(tracks, device) - device, .scope = scope};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    out->at = nsc_xcalloc(out->n_tracks, sizeof *out->at);
    out->queues = nsc_xcalloc(out->n_tracks, sizeof *out->queues);
    for (uint32_t i = 0; i < out->n_tracks; i++) {
        queue_init(&out->queues[i], out->window);
        out->queues[i].is_mixed = nsc_trace_track(scope->trace, device + i)->n_lanes > 1;
    }
    return true;
}

void nsc_queue_depths_add(struct nsc_queue_depths *out, const struct nsc_scope *own, nsc_event row,
                          nsc_event end)
{
    const struct nsc_events *events = nsc_trace_events(own->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(own->trace, NULL);
    uint32_t i = row < end ? lanes[nsc_trace_lane_of(own->trace, row)].track - out->device : 0;
    struct nsc_queue queue = out->queues[i]; /* locals, to stay in registers */
    struct nsc_queue_depth depth = out->at[i];

    for (; row < end && !queue.is_mixed; row++) {
        nsc_event call = events->link[row];
        nsc_time launch = call == NSC_NONE ? 0 : events->start[call];

        if (!nsc_scope_selects(own, row))
            continue;
        if (call == NSC_NONE) {
            depth.unknown++;
            continue;
        }
        queue.is_mixed = launch < queue.last;
        queue.last = launch;
        add_op(&depth, &queue, launch, nsc_later(nsc_event_end(events, row), launch),
               out->window.t1);
        depth.n++;
    }
    out->queues[i] = queue;
    out->at[i] = depth;
}

void nsc_queue_depths_end(struct nsc_queue_depths *out)
{
    struct nsc_scope own = nsc_device_scope(out->scope, out->device);

    for (uint32_t i = 0; i < out->n_tracks; i++) {
        struct nsc_queue *queue = &out->queues[i];

        if (queue->is_mixed)
            measure_mixed(&out->at[i], queue, &own, out->device + i, out->window);
        end_queue(&out->at[i], queue, out->window);
    }
}

void nsc_queue_depths_fini(struct nsc_queue_depths *depths)
{
    for (uint32_t i = 0; depths->queues && i < depths->n_tracks; i++)
        NSC_VEC_FINI(&depths->queues[i].ends);
    free(depths->queues);
    free(depths->at);
}
