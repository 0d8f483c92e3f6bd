/*
 * Walks threads forward in time: one cursor per lane, and a sweep over the rows that touch an
 * interval.
 */
#include "analysis/device/host_walk.h"

#include "nsyscope/summary.h"

#include "analysis/base/device_ops.h"
#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/heap.h"
#include "core/sum.h"
#include "index/lane_merge.h"
#include "index/names.h"

#include <stdlib.h>

enum { API_NAMES, OS_NAMES, RANGE_NAMES, OVERHEAD_NAMES };

void nsc_host_walk_init(struct nsc_host_walk *walk, const struct nsc_scope *scope)
{
    const struct nsc_trace *trace = scope->trace;
    size_t names = (size_t)nsc_trace_names(trace)->n + 1;
    uint32_t n_lanes = 0;
    uint32_t n_tracks = 0;
    uint32_t n_exports = 0;
    uint32_t n_gpus = 0;

    *walk = (struct nsc_host_walk){.trace = trace, .scope = scope};
    for (int i = 0; i < 4; i++)
        walk->acts[i] = nsc_xcalloc(names, 1);
    (void)nsc_trace_tracks(trace, &n_tracks);
    (void)nsc_trace_lanes(trace, &n_lanes);
    (void)nsc_trace_captures(trace, &n_exports);
    for (uint32_t d = NSC_NONE;
         n_gpus <= NSC_HOST_GPUS * n_exports && (d = nsc_device_next(trace, d)) != NSC_NONE;)
        n_gpus++;
    walk->is_barred = n_gpus > NSC_HOST_GPUS * n_exports;
    nsc_sparse_init(&walk->near, n_lanes, sizeof(uint32_t));
    nsc_sparse_init(&walk->threads, n_tracks, sizeof(struct nsc_host_thread *));
}

void nsc_host_walk_fini(struct nsc_host_walk *walk)
{
    for (size_t i = 0; i < walk->used.n; i++) {
        NSC_VEC_FINI(&walk->used.at[i]->lanes);
        free(walk->used.at[i]);
    }
    NSC_VEC_FINI(&walk->used);
    nsc_sparse_fini(&walk->threads);
    nsc_sparse_fini(&walk->near);
    NSC_VEC_FINI(&walk->peers);
    for (int i = 0; i < 4; i++)
        free(walk->acts[i]);
    if (!walk->has_kept_medians)
        free(walk->medians);
    NSC_VEC_FINI(&walk->waiting);
    NSC_VEC_FINI(&walk->open);
    NSC_VEC_FINI(&walk->calls);
    NSC_VEC_FINI(&walk->ranges);
    NSC_VEC_FINI(&walk->pieces);
}

/* ---- medians of launch calls ---- */

struct calls { /* of a name */
    uint32_t n;
    nsc_time *lengths; /* NULL: they are only counted */
};

static void read_calls(struct calls by_name[], const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_scope all = nsc_scope_all(trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at);) {
        struct calls *calls = &by_name[events->name[at.row]];

        if (calls->lengths)
            calls->lengths[calls->n] = nsc_event_duration(events, at.row);
        calls->n++;
    }
}

/* Computes the medians of all names of launch calls in the trace, because a file may have as many
 * names as calls. */
static bool build_medians(void *answer, const struct nsc_scope *scope, uint32_t device)
{
    uint32_t n = nsc_trace_names(scope->trace)->n;
    struct calls *by_name = nsc_xcalloc((size_t)n + 1, sizeof *by_name);
    nsc_time *medians = nsc_xcalloc((size_t)n + 1, sizeof *medians);

    (void)device;
    read_calls(by_name, scope->trace);
    for (nsc_name i = 0; i < n; i++) {
        struct calls *calls = &by_name[i];

        if (calls->n >= NSC_LIMIT_FEW &&
            nsc_host_act_api(nsc_name_text(scope->trace, i)) == NSC_HOST_LAUNCH)
            calls->lengths = nsc_xmalloc(calls->n * sizeof *calls->lengths);
        calls->n = 0;
    }
    read_calls(by_name, scope->trace);
    for (nsc_name i = 0; i < n; i++)
        if (by_name[i].lengths) {
            medians[i] = nsc_select(by_name[i].lengths, by_name[i].n, (by_name[i].n - 1) / 2);
            free(by_name[i].lengths);
        }
    free(by_name);
    *(nsc_time **)answer = medians;
    return true;
}

static void fini_medians(void *answer)
{
    free(*(nsc_time **)answer);
}

static bool takes_long(struct nsc_host_walk *walk, nsc_event call)
{
    static const struct nsc_shared_kind kind = {sizeof walk->medians, build_medians, fini_medians};
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    nsc_time length = nsc_event_duration(events, call);

    if (length <= NSC_LONG_LAUNCH_NS)
        return false;
    if (!walk->medians)
        (void)nsc_shared_ask(&walk->medians, &walk->has_kept_medians, &kind, walk->scope, NSC_NONE);
    return walk->medians[events->name[call]] <= (length - 1) / NSC_LIMIT_LONG_LAUNCH_MEDIANS;
}

/* ---- acts ---- */

/* A copy that is done when its call returns held the thread, whatever its name says. */
static bool holds_thread(const struct nsc_events *events, nsc_event call)
{
    nsc_event op = events->link[call];

    return op != NSC_NONE && nsc_kind_is_copy(events->kind[op]) &&
           nsc_event_end(events, op) <= nsc_event_end(events, call);
}

static enum nsc_host_act act_of_name(struct nsc_host_walk *walk, nsc_event row, int table,
                                     enum nsc_host_act (*judge)(struct nsc_text name))
{
    uint8_t *act = &walk->acts[table][nsc_trace_events(walk->trace)->name[row]];

    if (*act == 0)
        *act = (uint8_t)(judge(nsc_event_name(walk->trace, row)) + 1);
    return (enum nsc_host_act)(*act - 1);
}

enum nsc_host_act nsc_host_walk_act(struct nsc_host_walk *walk, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    uint8_t kind = events->kind[row];
    enum nsc_host_act act;

    if (kind == NSC_KIND_OVERHEAD || kind == NSC_KIND_CUPTI_OVERHEAD)
        return act_of_name(walk, row, OVERHEAD_NAMES, nsc_host_act_overhead);
    if (kind == NSC_KIND_OSRT)
        return act_of_name(walk, row, OS_NAMES, nsc_host_act_os);
    if (nsc_kind_is_nvtx(kind))
        return act_of_name(walk, row, RANGE_NAMES, nsc_host_act_range);
    if (!nsc_kind_is_api(kind))
        return NSC_HOST_MPI;
    act = act_of_name(walk, row, API_NAMES, nsc_host_act_api);
    if (act != NSC_HOST_LAUNCH)
        return act;
    if (holds_thread(events, row))
        return NSC_HOST_COPY;
    return takes_long(walk, row) ? NSC_HOST_LONG_LAUNCH : NSC_HOST_LAUNCH;
}

/* ---- threads ---- */

#define READ_TRACKS                                                                                \
    (NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_OSRT) | NSC_TRACK_BIT(NSC_TRACK_MPI) | \
     NSC_TRACK_BIT(NSC_TRACK_OVERHEAD) | NSC_RANGE_TRACKS)

static void put_cursor(const struct nsc_host_walk *walk, struct nsc_host_cursor *at, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);

    at->row = row;
    at->start = row < at->end ? events->start[row] : INT64_MAX;
    at->stop = row < at->end ? nsc_event_end(events, row) : INT64_MAX;
}

/* Moves a cursor to the first row that ends after t. */
static void move_cursor(const struct nsc_host_walk *walk, struct nsc_host_cursor *at, nsc_time t)
{
    if (at->stop > t || at->row == at->end)
        return;
    put_cursor(walk, at, at->row + 1);
    if (at->stop <= t)
        put_cursor(walk, at, nsc_lane_find_near(walk->trace, at->number, t, at->row));
    while (at->stop <= t && at->row < at->end) /* an instant at t */
        put_cursor(walk, at, at->row + 1);
}

/* Adds lanes, with cursors at the first rows that end after t0. */
static void add_lanes(const struct nsc_host_walk *walk, struct nsc_host_thread *thread,
                      uint32_t group, uint32_t kinds, nsc_time t0)
{
    for (struct nsc_lane_walk lane = nsc_group_lanes(walk->trace, group, kinds);
         nsc_lane_walk_next(&lane);) {
        uint8_t kind = lane.tracks[lane.track].kind;
        struct nsc_host_cursor *at = NSC_VEC_ADD(&thread->lanes);

        *at = (struct nsc_host_cursor){.first = lane.rows->first,
                                       .end = lane.rows->first + lane.rows->n,
                                       .number = lane.lane,
                                       .is_api = kind == NSC_TRACK_API,
                                       .is_span = kind == NSC_TRACK_SPANS};
        put_cursor(walk, at, nsc_lane_find(walk->trace, lane.lane, t0));
    }
}

static struct nsc_host_thread *find_thread(struct nsc_host_walk *walk, uint32_t group, nsc_time t0)
{
    const struct nsc_track *tracks = nsc_trace_tracks(walk->trace, NULL);
    struct nsc_host_thread **at = nsc_sparse_at(&walk->threads, group);
    uint32_t whole;

    if (*at)
        return *at;
    whole = nsc_trace_thread(walk->trace, tracks[group].process, 0);
    *at = nsc_xcalloc(1, sizeof **at);
    *NSC_VEC_ADD(&walk->used) = *at;
    add_lanes(walk, *at, group, READ_TRACKS, t0);
    if (whole != NSC_NONE && whole != group)
        add_lanes(walk, *at, whole, NSC_TRACK_BIT(NSC_TRACK_OVERHEAD), t0);
    return *at;
}

uint32_t nsc_host_walk_thread(struct nsc_host_walk *walk, nsc_event call)
{
    walk->lane = nsc_trace_lane_near(walk->trace, call, walk->lane);
    return nsc_trace_group_of(walk->trace, nsc_trace_lanes(walk->trace, NULL)[walk->lane].track);
}

/* ---- an interval ---- */

/* Whether row a is inside b while both are open. */
static bool is_inner(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (events->start[a] != events->start[b])
        return events->start[a] > events->start[b];
    if (nsc_event_end(events, a) != nsc_event_end(events, b))
        return nsc_event_end(events, a) < nsc_event_end(events, b);
    return a > b;
}

/* ---- rows ---- */

static bool starts_first(const void *context, const void *a, const void *b)
{
    const struct nsc_host_next *next = a;
    const struct nsc_host_next *other = b;

    (void)context;
    return next->start < other->start;
}

static struct nsc_heap heap_of_waiting(const struct nsc_host_walk *walk)
{
    return (struct nsc_heap){walk->waiting.at, walk->waiting.n, sizeof *walk->waiting.at,
                             starts_first, NULL};
}

/* Lets a lane wait for the first of its rows from row on that has a length in the interval. */
static void await_row(struct nsc_host_walk *walk, const struct nsc_host_thread *thread,
                      nsc_event row, uint32_t lane, nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    nsc_event end = thread->lanes.at[lane].end;

    while (row < end && events->start[row] < t1 && events->duration[row] == 0)
        row++;
    if (row == end || events->start[row] >= t1)
        return;
    *NSC_VEC_ADD(&walk->waiting) = (struct nsc_host_next){events->start[row], row, lane};
    nsc_heap_add(heap_of_waiting(walk));
}

static bool ends_first(const void *events, const void *a, const void *b)
{
    const struct nsc_host_open *open = a;
    const struct nsc_host_open *other = b;

    (void)events;
    return open->end < other->end;
}

/* Whether call a counts before call b. */
static bool is_prior(const void *events, const void *a, const void *b)
{
    const struct nsc_host_open *open = a;
    const struct nsc_host_open *other = b;

    if (open->act != other->act)
        return open->act < other->act;
    return is_inner(events, other->row, open->row);
}

/* Whether range a counts before range b. */
static bool is_deeper(const void *events, const void *a, const void *b)
{
    const struct nsc_host_open *open = a;
    const struct nsc_host_open *other = b;

    return is_inner(events, open->row, other->row);
}

static struct nsc_heap heap_of(const struct nsc_host_opens *open, const struct nsc_events *events,
                               bool (*is_before)(const void *, const void *, const void *))
{
    return (struct nsc_heap){open->at, open->n, sizeof *open->at, is_before, events};
}

static void drop_first(struct nsc_host_opens *open, const struct nsc_events *events,
                       bool (*is_before)(const void *, const void *, const void *))
{
    open->at[0] = open->at[--open->n];
    nsc_heap_set(heap_of(open, events, is_before));
}

static void add_open(struct nsc_host_walk *walk, struct nsc_host_open open)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);

    *NSC_VEC_ADD(&walk->open) = open;
    nsc_heap_add(heap_of(&walk->open, events, ends_first));
    if (open.act == NSC_HOST_CPU) {
        *NSC_VEC_ADD(&walk->ranges) = open;
        nsc_heap_add(heap_of(&walk->ranges, events, is_deeper));
        return;
    }
    walk->n_calls++;
    *NSC_VEC_ADD(&walk->calls) = open;
    nsc_heap_add(heap_of(&walk->calls, events, is_prior));
}

/* Opens a row if it counts. Of the ranges around all of the interval, which may nest deeply, only
 * the innermost does (walk->around). */
static void open_row(struct nsc_host_walk *walk, const struct nsc_host_thread *thread,
                     nsc_event row, uint32_t lane, nsc_time t0, nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    enum nsc_host_act act = nsc_host_walk_act(walk, row);
    nsc_time end = nsc_event_end(events, row);

    if (act == NSC_N_HOST_ACTS || (thread->lanes.at[lane].is_span && act != NSC_HOST_GC))
        await_row(walk, thread, row + 1, lane, t1);
    else if (act != NSC_HOST_CPU || events->start[row] > t0 || end < t1)
        add_open(walk, (struct nsc_host_open){end, row, lane, (uint8_t)act});
    else if (walk->around == NSC_NONE || is_inner(events, row, walk->around))
        walk->around = row;
}

/* Opens the row of a lane at t0, or waits for its next one. */
static void enter_lane(struct nsc_host_walk *walk, struct nsc_host_thread *thread, uint32_t lane,
                       nsc_time t0, nsc_time t1)
{
    struct nsc_host_cursor *at = &thread->lanes.at[lane];

    move_cursor(walk, at, t0);
    if (at->is_api && at->row > at->first &&
        nsc_ends_later(nsc_trace_events(walk->trace), at->row - 1, walk->before))
        walk->before = at->row - 1;
    if (at->start >= t1)
        return;
    if (at->start <= t0)
        open_row(walk, thread, at->row, lane, t0, t1);
    else
        await_row(walk, thread, at->row, lane, t1);
}

/* ---- pieces ---- */

/* The open call inside the row that counts; NSC_NONE: none, or too many calls to look. */
static nsc_event find_inside(const struct nsc_host_walk *walk, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    const struct nsc_host_open *best = NULL;

    for (size_t i = 0; walk->n_calls <= NSC_HOST_INSIDE && i < walk->open.n; i++) {
        const struct nsc_host_open *open = &walk->open.at[i];

        if (open->act != NSC_HOST_CPU && is_inner(events, open->row, row) &&
            (!best || is_prior(events, open, best)))
            best = open;
    }
    return best ? best->row : NSC_NONE;
}

/* The first open row of a heap, from which rows that end by t are dropped; NULL: none. */
static const struct nsc_host_open *
first_open(struct nsc_host_opens *open, const struct nsc_events *events, nsc_time t,
           bool (*is_before)(const void *, const void *, const void *))
{
    while (open->n > 0 && open->at[0].end <= t)
        drop_first(open, events, is_before);
    return open->n > 0 ? open->at : NULL;
}

static struct nsc_host_piece judge_open(struct nsc_host_walk *walk, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    const struct nsc_host_open *call = first_open(&walk->calls, events, t, is_prior);
    const struct nsc_host_open *range = first_open(&walk->ranges, events, t, is_deeper);
    struct nsc_host_piece piece = {.act = NSC_HOST_CPU,
                                   .row = NSC_NONE,
                                   .inside = NSC_NONE,
                                   .range = range ? range->row : NSC_NONE};

    if (call) {
        piece.act = call->act;
        piece.row = call->row;
        piece.inside = walk->n_calls > 1 ? find_inside(walk, call->row) : NSC_NONE;
    }
    return piece;
}

static void add_piece(struct nsc_host_walk *walk, nsc_time start, nsc_time end)
{
    struct nsc_host_piece piece = judge_open(walk, start);
    struct nsc_host_piece *last = walk->pieces.n > 0 ? &walk->pieces.at[walk->pieces.n - 1] : NULL;

    piece.start = start;
    piece.end = end;
    if (last && last->row == piece.row && last->range == piece.range &&
        last->inside == piece.inside)
        last->end = end;
    else
        *NSC_VEC_ADD(&walk->pieces) = piece;
}

static void close_rows(struct nsc_host_walk *walk, const struct nsc_host_thread *thread, nsc_time t,
                       nsc_time t1)
{
    while (walk->open.n > 0 && walk->open.at[0].end <= t) {
        struct nsc_host_open open = walk->open.at[0];

        drop_first(&walk->open, NULL, ends_first);
        walk->n_calls -= open.act != NSC_HOST_CPU;
        await_row(walk, thread, open.row + 1, open.lane, t1);
    }
}

/* The next time, at most t1, at which a row begins or ends. */
static nsc_time find_edge(const struct nsc_host_walk *walk, nsc_time t1)
{
    nsc_time edge = walk->waiting.n > 0 ? walk->waiting.at[0].start : t1;

    return nsc_earlier(walk->open.n > 0 ? nsc_earlier(edge, walk->open.at[0].end) : edge, t1);
}

void nsc_host_walk_read(struct nsc_host_walk *walk, uint32_t group, nsc_time t0, nsc_time t1)
{
    struct nsc_host_thread *thread = find_thread(walk, group, t0);

    NSC_VEC_CLEAR(&walk->pieces);
    NSC_VEC_CLEAR(&walk->waiting);
    NSC_VEC_CLEAR(&walk->open);
    NSC_VEC_CLEAR(&walk->calls);
    NSC_VEC_CLEAR(&walk->ranges);
    walk->n_calls = 0;
    walk->before = walk->around = NSC_NONE;
    for (uint32_t i = 0; i < thread->lanes.n; i++)
        enter_lane(walk, thread, i, t0, t1);
    if (walk->around != NSC_NONE)
        add_open(walk, (struct nsc_host_open){t1, walk->around, NSC_NONE, NSC_HOST_CPU});
    for (nsc_time t = t0, edge; t < t1; t = edge) {
        close_rows(walk, thread, t, t1);
        while (walk->waiting.n > 0 && walk->waiting.at[0].start <= t) {
            struct nsc_host_next next = walk->waiting.at[0];

            walk->waiting.at[0] = walk->waiting.at[--walk->waiting.n];
            nsc_heap_set(heap_of_waiting(walk));
            open_row(walk, thread, next.row, next.lane, t0, t1);
        }
        edge = find_edge(walk, t1);
        add_piece(walk, t, edge);
    }
}
