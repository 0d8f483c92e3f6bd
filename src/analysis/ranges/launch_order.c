/*
 * Orders launches: walks the calls of each thread, which ascend in time and link to their first op.
 * If some launched several (nodes of a graph), it deals all ops to their calls instead.
 */
#include "analysis/ranges/launch_order.h"

#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sort.h"
#include "core/threads.h"
#include "core/vec.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef NSC_SMALL
enum { FEW_ROWS = 30 };
#else
enum { FEW_ROWS = 10000 }; /* not worth a second thread */
#endif

struct group {      /* of a thread */
    uint32_t calls; /* number of ops that are the first of their call */
    uint32_t ops;   /* of the track itself, with a known call */
};

struct ordering {
    struct nsc_launch_order *out;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_lane *lanes;
    const uint64_t *mask;    /* NULL: all rows */
    struct group *groups;    /* by track */
    uint32_t *scratch;       /* for the current group */
    atomic_bool *has_failed; /* out of memory */
    nsc_event first_call;    /* of the rows of calls */
    uint32_t *of_call;       /* [row - first_call]: ops of a call, then the place of the next one */
    NSC_VEC(struct nsc_positions) ties; /* ops of calls that start together */
};

static bool is_selected(const struct ordering *ordering, nsc_event op)
{
    return op != NSC_NONE && (!ordering->mask || nsc_bits_get(ordering->mask, op));
}

/* ---- what there is ---- */

static bool is_launch(const struct ordering *ordering, nsc_event call)
{
    return nsc_kind_is_api(ordering->events->kind[call]) &&
           is_selected(ordering, ordering->events->link[call]);
}

static bool is_known_op(const struct ordering *ordering, nsc_event op)
{
    return nsc_kind_is_gpu(ordering->events->kind[op]) && ordering->events->link[op] != NSC_NONE &&
           is_selected(ordering, op);
}

/* Counts the selected ops of a track with a known call, and its calls whose first op is selected. */
static void count_track(void *context, unsigned worker, uint32_t t)
{
    const struct ordering *ordering = context;
    const struct nsc_track *track = nsc_trace_track(ordering->trace, t);
    struct group n = {0, 0};

    (void)worker;
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        const struct nsc_lane *lane = &ordering->lanes[track->first_lane + k];
        nsc_event end = lane->first + lane->n;

        for (nsc_event row = lane->first; track->kind == NSC_TRACK_API && row < end; row++)
            n.calls += is_launch(ordering, row);
        for (nsc_event row = lane->first; track->kind == NSC_TRACK_STREAM && row < end; row++)
            n.ops += is_known_op(ordering, row);
    }
    ordering->groups[t] = n;
}

/* Visits the selected ops with a known call, by track. */
static inline void visit_ops(struct ordering *ordering,
                             void (*visit)(struct ordering *ordering, nsc_event op))
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, &n);

    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &ordering->lanes[tracks[t].first_lane + k];

            for (nsc_event op = lane->first; op < lane->first + lane->n; op++)
                if (is_known_op(ordering, op))
                    visit(ordering, op);
        }
    }
}

/* Counts the ops of each group that are the first of their call. Returns their number. */
static uint32_t count_all(struct ordering *ordering, struct nsc_pool *pool, uint32_t n_tracks)
{
    uint32_t firsts = 0;

    nsc_pool_run(pool, n_tracks, count_track, ordering);
    for (uint32_t t = 0; t < n_tracks; t++) {
        uint32_t calls = ordering->groups[t].calls;

        ordering->groups[t].calls = 0;
        ordering->groups[nsc_trace_group_of(ordering->trace, t)].calls += calls;
        ordering->out->n += ordering->groups[t].ops;
        firsts += calls;
    }
    return firsts;
}

/* ---- in order ---- */

static nsc_time call_time(const void *context, uint32_t call)
{
    return ((const struct nsc_events *)context)->start[call];
}

/* Order of ops launched at the same time. */
static bool precedes(const struct ordering *ordering, nsc_event a, nsc_event b)
{
    uint32_t x = ordering->lanes[nsc_trace_lane_of(ordering->trace, a)].track;
    uint32_t y = ordering->lanes[nsc_trace_lane_of(ordering->trace, b)].track;

    return x != y ? x < y : a < b;
}

/* The first ops of calls, in order. */
struct firsts {
    const struct ordering *ordering;
    uint32_t *at;
    uint32_t n, same; /* same: the first of those whose calls start together with the last */
    nsc_time before;  /* start of the last call */
};

/* Adds the first op of a call; calls come by start. */
static inline void add_first(struct firsts *firsts, nsc_event call)
{
    const struct nsc_events *events = firsts->ordering->events;
    nsc_time start = events->start[call];
    nsc_event op = events->link[call];
    uint32_t to = firsts->n++;

    firsts->same = start == firsts->before ? firsts->same : to;
    firsts->before = start;
    for (; to > firsts->same && precedes(firsts->ordering, op, firsts->at[to - 1]); to--)
        firsts->at[to] = firsts->at[to - 1];
    firsts->at[to] = op;
}

/* Whether all calls of a group are in one lane, where they ascend. */
static bool has_one_lane(const struct ordering *ordering, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, NULL);
    uint32_t n = 0;

    for (uint32_t t = group; t < nsc_group_end(tracks, group); t++)
        n += tracks[t].kind == NSC_TRACK_API ? tracks[t].n_lanes : 0;
    return n == 1;
}

/* Orders the first ops of n calls of a group. */
static void order_firsts(const struct ordering *ordering, uint32_t group, uint32_t at[], uint32_t n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, NULL);
    struct firsts firsts = {ordering, at, 0, 0, INT64_MIN};
    bool is_ordered = has_one_lane(ordering, group);
    uint32_t *to = at;

    for (uint32_t t = group; t < nsc_group_end(tracks, group); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_API && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &ordering->lanes[tracks[t].first_lane + k];

            for (nsc_event call = lane->first; call < lane->first + lane->n; call++)
                if (is_launch(ordering, call) && is_ordered)
                    add_first(&firsts, call);
                else if (is_launch(ordering, call))
                    *to++ = call;
        }
    if (is_ordered)
        return;
    nsc_sort_by_time(at, ordering->scratch, n, call_time, ordering->events);
    for (uint32_t i = 0; i < n; i++)
        add_first(&firsts, at[i]);
}

/* Groups are ordered in parallel, each with its own state. */
static void order_group(void *context, unsigned worker, uint32_t group)
{
    struct ordering *all = context;
    struct ordering own = *all;
    size_t bytes = (size_t)all->groups[group].calls * sizeof *own.scratch;

    (void)worker;
    if (bytes == 0)
        return;
    own.scratch = nsc_pages_need(bytes);
    if (own.scratch)
        order_firsts(&own, group, own.out->op + own.out->of_group[group].first,
                     own.groups[group].calls);
    else
        atomic_store(all->has_failed, true);
    nsc_pages_free(own.scratch, bytes);
}

static void place_groups(struct ordering *ordering, uint32_t n_tracks)
{
    uint32_t at = 0;

    for (uint32_t t = 0; t < n_tracks; t++) {
        uint32_t n = ordering->groups[t].calls;

        ordering->out->of_group[t] = (struct nsc_positions){at, at + n};
        at += n;
    }
}

/* ---- calls that launched several ops ---- */

static uint32_t *place_of(struct ordering *ordering, nsc_event op)
{
    return &ordering->of_call[ordering->events->link[op] - ordering->first_call];
}

static void count_op(struct ordering *ordering, nsc_event op)
{
    ++*place_of(ordering, op);
}

static void place_op(struct ordering *ordering, nsc_event op)
{
    ordering->out->op[(*place_of(ordering, op))++] = op;
}

static int compare_ops(const void *context, uint32_t a, uint32_t b)
{
    return precedes(context, a, b) ? -1 : precedes(context, b, a);
}

static void add_tie(struct ordering *ordering, uint32_t first, uint32_t end)
{
    size_t n = ordering->ties.n;

    if (n > 0 && ordering->ties.at[n - 1].first == first)
        ordering->ties.at[n - 1].end = end;
    else
        *NSC_VEC_ADD(&ordering->ties) = (struct nsc_positions){first, end};
}

/* Reserves positions from at on for the ops of a group's calls. Returns their end. */
static uint32_t place_calls(struct ordering *ordering, uint32_t group, uint32_t at)
{
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, NULL);
    const nsc_time *start = ordering->events->start;
    NSC_VEC(nsc_event) calls = {0};
    uint32_t *scratch, before = at;

    for (uint32_t t = group; t < nsc_group_end(tracks, group); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_API && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &ordering->lanes[tracks[t].first_lane + k];

            for (nsc_event call = lane->first; call < lane->first + lane->n; call++)
                if (ordering->of_call[call - ordering->first_call] > 0)
                    *NSC_VEC_ADD(&calls) = call;
        }
    scratch = nsc_xmalloc((calls.n + 1) * sizeof *scratch);
    nsc_sort_by_time(calls.at, scratch, (uint32_t)calls.n, call_time, ordering->events);
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t *place = &ordering->of_call[calls.at[i] - ordering->first_call];
        uint32_t end = at + *place;

        if (i == 0 || start[calls.at[i]] != start[calls.at[i - 1]])
            before = at;
        else
            add_tie(ordering, before, end);
        *place = at;
        at = end;
    }
    free(scratch);
    NSC_VEC_FINI(&calls);
    return at;
}

/* Deals all ops to their calls. Streams come in order, so the ops of a call do, too. */
static bool order_by_call(struct ordering *ordering, uint32_t n_tracks)
{
    const struct nsc_track *tracks = nsc_trace_tracks(ordering->trace, NULL);
    nsc_event end = 0;
    uint32_t at = 0;
    size_t bytes;

    ordering->first_call = NSC_NONE;
    for (uint32_t t = 0; t < n_tracks; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_API && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &ordering->lanes[tracks[t].first_lane + k];

            if (lane->first < ordering->first_call)
                ordering->first_call = lane->first;
            end = lane->first + lane->n > end ? lane->first + lane->n : end;
        }
    bytes = (size_t)(end - ordering->first_call) * sizeof *ordering->of_call;
    ordering->of_call = nsc_pages_need(bytes);
    if (!ordering->of_call)
        return false;
    visit_ops(ordering, count_op);
    for (uint32_t t = 0; t < n_tracks; t++) {
        ordering->out->of_group[t].first = at;
        if (nsc_track_is_group(tracks[t].kind))
            at = place_calls(ordering, t, at);
        ordering->out->of_group[t].end = at;
    }
    visit_ops(ordering, place_op);
    for (size_t i = 0; i < ordering->ties.n; i++)
        nsc_sort_by(ordering->out->op + ordering->ties.at[i].first,
                    ordering->ties.at[i].end - ordering->ties.at[i].first, compare_ops, ordering);
    nsc_pages_free(ordering->of_call, bytes);
    NSC_VEC_FINI(&ordering->ties);
    return true;
}

static bool order_all(struct ordering *ordering, struct nsc_pool *pool, uint32_t n_tracks)
{
    uint32_t firsts = count_all(ordering, pool, n_tracks);
    atomic_bool has_failed = false;

    if (ordering->out->n == 0)
        return true;
    ordering->out->op = nsc_pages_need((size_t)ordering->out->n * sizeof(uint32_t));
    if (!ordering->out->op)
        return false;
    if (firsts < ordering->out->n)
        return order_by_call(ordering, n_tracks);
    ordering->has_failed = &has_failed;
    place_groups(ordering, n_tracks);
    nsc_pool_run(pool, n_tracks, order_group, ordering);
    return !atomic_load(&has_failed);
}

bool nsc_launch_order_build(struct nsc_launch_order *out, const struct nsc_trace *trace,
                            const uint64_t *mask)
{
    struct ordering ordering = {.out = out,
                                .trace = trace,
                                .events = nsc_trace_events(trace),
                                .lanes = nsc_trace_lanes(trace, NULL),
                                .mask = mask};
    struct nsc_pool *pool = nsc_pool_new(ordering.events->n < FEW_ROWS ? 1 : 0);
    uint32_t n_tracks = 0;
    bool is_fine;

    (void)nsc_trace_tracks(trace, &n_tracks);
    ordering.groups = nsc_xcalloc((size_t)n_tracks + 1, sizeof *ordering.groups);
    is_fine = order_all(&ordering, pool, n_tracks);
    nsc_pool_free(pool);
    free(ordering.groups);
    return is_fine;
}
