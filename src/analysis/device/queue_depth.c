/* Measures queue depth: merges the launches and the ends of a stream by time. */
#include "analysis/device/queue_depth.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"

struct times {
    NSC_VEC(nsc_time) launch;
    NSC_VEC(nsc_time) end;
};

static void gather_lane(struct nsc_queue_depth *out, struct times *times,
                        const struct nsc_scope *scope, uint32_t lane)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_event row;
    nsc_event end;

    nsc_scope_rows(scope, lane, &row, &end);
    for (; row < end; row++) {
        if (!nsc_scope_has_row(scope, events, row))
            continue;
        if (events->link[row] == NSC_NONE) {
            out->unknown++;
            continue;
        }
        *NSC_VEC_ADD(&times->launch) = events->start[events->link[row]];
        *NSC_VEC_ADD(&times->end) =
            nsc_later(nsc_event_end(events, row), events->start[events->link[row]]);
        out->n++;
    }
}

static nsc_time time_at(const void *context, uint32_t i)
{
    return ((const nsc_time *)context)[i];
}

static uint32_t *order_times(const nsc_time times[], uint32_t n, uint32_t *scratch)
{
    uint32_t *order = nsc_xmalloc((size_t)n * sizeof *order + 1);

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    nsc_sort_by_time(order, scratch, n, time_at, times);
    return order;
}

static void add_stretch(struct nsc_queue_depth *out, uint64_t depth, nsc_time length,
                        nsc_time whole)
{
    if (length <= 0)
        return;
    out->deepest = depth > out->deepest ? depth : out->deepest;
    out->mean += (double)depth * ((double)length / (double)whole);
    out->empty += depth == 0 ? length : 0;
    out->full += depth >= NSC_QUEUE_FULL ? length : 0;
}

static void sweep_times(struct nsc_queue_depth *out, const struct times *times,
                        struct nsc_window window)
{
    uint32_t n = (uint32_t)times->launch.n;
    uint32_t *scratch = nsc_xmalloc((size_t)n * sizeof *scratch + 1);
    uint32_t *launches = order_times(times->launch.at, n, scratch);
    uint32_t *ends = order_times(times->end.at, n, scratch);
    nsc_time whole = nsc_window_length(window);
    nsc_time at = window.t0;
    uint64_t depth = 0;
    uint32_t i = 0;
    uint32_t k = 0;

    while (k < n && at < window.t1) {
        bool launches_next = i < n && times->launch.at[launches[i]] <= times->end.at[ends[k]];
        nsc_time t = launches_next ? times->launch.at[launches[i]] : times->end.at[ends[k]];

        add_stretch(out, depth, nsc_span(at, nsc_earlier(t, window.t1)), whole);
        at = nsc_later(at, t);
        depth += launches_next ? 1 : (uint64_t)-1;
        i += launches_next;
        k += !launches_next;
    }
    add_stretch(out, depth, nsc_span(at, window.t1), whole);
    free(scratch);
    free(launches);
    free(ends);
}

void nsc_queue_depth_build(struct nsc_queue_depth *out, const struct nsc_scope *scope,
                           uint32_t stream, struct nsc_window window)
{
    const struct nsc_track *track = nsc_trace_track(scope->trace, stream);
    struct times times = {0};

    *out = (struct nsc_queue_depth){0};
    for (uint32_t k = 0; k < track->n_lanes; k++)
        gather_lane(out, &times, scope, track->first_lane + k);
    sweep_times(out, &times, window);
    NSC_VEC_FINI(&times.launch);
    NSC_VEC_FINI(&times.end);
}
