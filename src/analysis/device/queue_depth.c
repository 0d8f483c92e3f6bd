/* Measures queue depth: merges the launches and the ends of a stream by time. */
#include "analysis/device/queue_depth.h"

#include "core/die.h"
#include "core/hints.h"
#include "core/sort.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

struct times {
    nsc_time *launch, *end; /* of out->n ops, in any order */
};

enum { AHEAD = 32 }; /* rows to fetch calls ahead: those of a stream lie apart */

static void gather_lane(struct nsc_queue_depth *out, const struct times *times,
                        const struct nsc_scope *scope, struct nsc_row_range rows)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (nsc_event row = rows.first; row < rows.end; row++) {
        nsc_event call = events->link[row];
        nsc_event soon = row + AHEAD < rows.end ? events->link[row + AHEAD] : NSC_NONE;

        if (soon != NSC_NONE)
            NSC_FETCH(&events->start[soon]);
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

/* The times of a stream that one thread feeds are sorted already. */
static void sort_times(nsc_time times[], uint32_t n)
{
    uint32_t sorted = 1;
    uint32_t *order, *scratch;
    nsc_time *copy;

    while (sorted < n && times[sorted - 1] <= times[sorted])
        sorted++;
    if (sorted >= n)
        return;
    order = nsc_xmalloc((size_t)n * sizeof *order);
    scratch = nsc_xmalloc((size_t)n * sizeof *scratch);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    nsc_sort_by_time(order, scratch, n, time_at, times);
    free(scratch);
    copy = nsc_xmalloc((size_t)n * sizeof *copy);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = times[order[i]];
    memcpy(times, copy, (size_t)n * sizeof *times);
    free(copy);
    free(order);
}

/* Returns length times depth. */
static double add_stretch(struct nsc_queue_depth *out, uint64_t depth, nsc_time length)
{
    if (length <= 0)
        return 0;
    out->deepest = depth > out->deepest ? depth : out->deepest;
    out->empty += depth == 0 ? length : 0;
    out->full += depth >= NSC_QUEUE_FULL ? length : 0;
    return (double)depth * (double)length;
}

static void sweep_times(struct nsc_queue_depth *out, const struct times *times,
                        struct nsc_window window)
{
    uint32_t n = (uint32_t)out->n;
    nsc_time at = window.t0;
    uint32_t launched = 0;
    uint32_t ended = 0;
    double sum = 0;

    while (ended < n && at < window.t1) {
        bool launches_next = launched < n && times->launch[launched] <= times->end[ended];
        nsc_time t = launches_next ? times->launch[launched] : times->end[ended];

        sum += add_stretch(out, launched - ended, nsc_span(at, nsc_earlier(t, window.t1)));
        at = nsc_later(at, t);
        launched += launches_next;
        ended += !launches_next;
    }
    sum += add_stretch(out, launched - ended, nsc_span(at, window.t1));
    out->mean = sum > 0 ? sum / (double)nsc_window_length(window) : 0;
}

void nsc_queue_depth_build(struct nsc_queue_depth *out, const struct nsc_scope *scope,
                           uint32_t stream, struct nsc_window window)
{
    const struct nsc_track *track = nsc_trace_track(scope->trace, stream);
    struct nsc_scope own = *scope;
    struct nsc_row_range *lanes = nsc_xcalloc((size_t)track->n_lanes + 1, sizeof *lanes);
    struct times times;
    size_t bytes = 1;

    *out = (struct nsc_queue_depth){0};
    own.window = scope->of_devices ? window : scope->window;
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        nsc_scope_rows(&own, track->first_lane + k, &lanes[k].first, &lanes[k].end);
        bytes += (size_t)(lanes[k].end - lanes[k].first) * sizeof *times.end;
    }
    times = (struct times){nsc_xmalloc(bytes), nsc_xmalloc(bytes)};
    for (uint32_t k = 0; k < track->n_lanes; k++)
        gather_lane(out, &times, &own, lanes[k]);
    sort_times(times.launch, (uint32_t)out->n);
    sort_times(times.end, (uint32_t)out->n);
    sweep_times(out, &times, window);
    free(times.launch);
    free(times.end);
    free(lanes);
}
