/*
 * Orders launches by counting: the calls of each group, in order of time, get slots, and calls that
 * start together share one. Each op goes to the slot of its call, in order of track and row.
 */
#include "analysis/ranges/launch_order.h"

#include "core/bits.h"
#include "core/pages.h"
#include "core/sort.h"
#include "index/lane_merge.h"

struct ordering {
    struct nsc_launch_order *out;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const uint64_t *mask;       /* NULL: all rows */
    struct nsc_progress *stop;  /* looked at between the passes, 0.1 s each of 10 M ops */
    struct nsc_row_range calls; /* all calls are among these rows */
    uint32_t *of_call;          /* [row - calls.first]: its number of ops, then its slot */
    uint32_t *next;             /* [slot]: position of its next op */
};

static bool is_known_op(const struct ordering *ordering, nsc_event op)
{
    return nsc_kind_is_gpu(ordering->events->kind[op]) && ordering->events->link[op] != NSC_NONE &&
           (!ordering->mask || nsc_bits_get(ordering->mask, op));
}

/* Visits the selected ops with a known call, by track. */
static inline void visit_ops(struct ordering *ordering,
                             void (*visit)(struct ordering *ordering, nsc_event op))
{
    for (struct nsc_lane_walk at =
             nsc_trace_all_lanes(ordering->trace, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_lane_walk_next(&at);)
        for (nsc_event op = at.rows->first; op < at.rows->first + at.rows->n; op++)
            if (is_known_op(ordering, op))
                visit(ordering, op);
}

/* Calls launch ops, and the events of graphs capture them (nsc_trace_captured). */
#define CALL_TRACKS (NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_GRAPH_EVENTS))

static uint32_t *of_call(const struct ordering *ordering, nsc_event call)
{
    return &ordering->of_call[call - ordering->calls.first];
}

static void count_op(struct ordering *ordering, nsc_event op)
{
    ++*of_call(ordering, ordering->events->link[op]);
    ordering->out->n++;
}

static void place_op(struct ordering *ordering, nsc_event op)
{
    uint32_t slot = *of_call(ordering, ordering->events->link[op]);

    ordering->out->op[ordering->next[slot]++] = op;
}

/* Lists the calls of a group that launched ops, in order of time. Returns their number. */
static uint32_t list_calls(const struct ordering *ordering, uint32_t group, nsc_event calls[])
{
    uint32_t n = 0;

    for (struct nsc_lane_walk at = nsc_group_lanes(ordering->trace, group, CALL_TRACKS);
         nsc_lane_walk_next(&at);)
        for (nsc_event call = at.rows->first; call < at.rows->first + at.rows->n; call++)
            if (*of_call(ordering, call) > 0)
                calls[n++] = call;
    nsc_sort_by_time(calls, n, nsc_sort_time_at, ordering->events->start);
    return n;
}

/* Gives the calls of each group slots. A group has no more calls than ops: the list of its calls
 * fits where its ops will be. */
static void place_calls(struct ordering *ordering)
{
    const nsc_time *start = ordering->events->start;
    struct nsc_launch_order *out = ordering->out;
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, &n_tracks);
    uint32_t slots = 0, end = 0;

    for (uint32_t t = 0; t < n_tracks; t++) {
        const nsc_event *calls = out->op + end;
        uint32_t n =
            nsc_track_is_group(tracks[t].kind) ? list_calls(ordering, t, out->op + end) : 0;

        out->of_group[t].first = end;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t *of = of_call(ordering, calls[i]);
            uint32_t n_ops = *of;

            if (i == 0 || start[calls[i]] != start[calls[i - 1]])
                ordering->next[slots++] = end;
            *of = slots - 1;
            end += n_ops;
        }
        out->of_group[t].end = end;
    }
}

static struct nsc_row_range find_calls(const struct nsc_trace *trace)
{
    struct nsc_row_range calls = {NSC_NONE, 0};

    for (struct nsc_lane_walk at = nsc_trace_all_lanes(trace, CALL_TRACKS);
         nsc_lane_walk_next(&at);) {
        nsc_event end = at.rows->first + at.rows->n;

        calls.first = at.rows->first < calls.first ? at.rows->first : calls.first;
        calls.end = end > calls.end ? end : calls.end;
    }
    return calls.end ? calls : (struct nsc_row_range){0, 0};
}

static bool order_ops(struct ordering *ordering)
{
    struct nsc_launch_order *out = ordering->out;
    size_t bytes;

    if (nsc_progress_is_cancelled(ordering->stop))
        return false;
    visit_ops(ordering, count_op);
    bytes = (size_t)out->n * sizeof *out->op;
    if (bytes == 0)
        return true;
    out->op = nsc_pages_need(bytes);
    ordering->next = nsc_pages_need(bytes);
    if (out->op && ordering->next && !nsc_progress_is_cancelled(ordering->stop)) {
        place_calls(ordering);
        if (!nsc_progress_is_cancelled(ordering->stop))
            visit_ops(ordering, place_op);
    }
    nsc_pages_free(ordering->next, bytes);
    return out->op && ordering->next && !nsc_progress_is_cancelled(ordering->stop);
}

bool nsc_launch_order_build(struct nsc_launch_order *out, const struct nsc_trace *trace,
                            const uint64_t *mask, struct nsc_progress *stop)
{
    struct nsc_row_range calls = find_calls(trace);
    size_t bytes = (size_t)(calls.end - calls.first) * sizeof(uint32_t);
    struct ordering ordering = {.out = out,
                                .trace = trace,
                                .events = nsc_trace_events(trace),
                                .mask = mask,
                                .stop = stop,
                                .calls = calls,
                                .of_call = nsc_pages_need(bytes)};
    bool is_fine = bytes == 0 || (ordering.of_call && order_ops(&ordering));

    nsc_pages_free(ordering.of_call, bytes);
    return is_fine;
}
