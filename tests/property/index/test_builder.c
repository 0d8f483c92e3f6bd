/*
 * Property tests of the builder: the trace equals a naive sort and join, for any number of workers
 * and any distribution.
 */
#include "index/builder.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 600, ROUNDS = 150 };

/* Texts of one pattern with too many counters for names, and other texts. */
static const char *const names[] = {
    "op 0",    "op 1",    "op 2",    "op 3",    "op 40",       "op 500",      "op 6000",
    "layer 1", "layer 2", "layer 3", "forward", "stage1 of 2", "stage2 of 2", "op 07",
};

static nsc_time make_duration(struct dice *dice)
{
    switch (dice_below(dice, 20)) {
    case 0:
        return (nsc_time)UINT32_MAX + (nsc_time)dice_below(dice, 3) - 1;
    case 1:
    case 2:
        return 0;
    default:
        return (nsc_time)dice_below(dice, 60);
    }
}

static struct nsc_test_row make_row(struct dice *dice, uint64_t range)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL,    NSC_KIND_KERNEL,      NSC_KIND_COPY_HTOD,
                                    NSC_KIND_GRAPH,     NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER,
                                    NSC_KIND_SYNC,      NSC_KIND_NVTX_RANGE,  NSC_KIND_NVTX_SPAN,
                                    NSC_KIND_NVTX_MARK, NSC_KIND_OSRT,        NSC_KIND_GRAPH_EVENT};
    struct nsc_test_row row = {.kind = kinds[dice_below(dice, sizeof kinds)],
                               .process = 1 + dice_below(dice, 2),
                               .tid = 1 + (uint32_t)dice_below(dice, 3),
                               .device = (int64_t)dice_below(dice, 2),
                               .context = 1 + (int64_t)dice_below(dice, 2),
                               .stream = 7 + (int64_t)dice_below(dice, 2),
                               .domain = (int64_t)dice_below(dice, 2),
                               .start = (nsc_time)dice_below(dice, range) - 100,
                               .name = names[dice_below(dice, sizeof names / sizeof names[0])],
                               .correlation = (uint32_t)dice_below(dice, 50)};

    row.end = row.start + make_duration(dice);
    if (nsc_kind_is_nvtx(row.kind) && !dice_below(dice, 10))
        row.end = NSC_TIME_OPEN;
    return row;
}

/* One stream, with copies among its kernels, or one thread's ranges. */
static void put_on_one_track(struct dice *dice, struct nsc_test_row rows[], uint32_t n)
{
    bool ranges = dice_below(dice, 2) == 0;

    for (uint32_t i = 0; i < n; i++) {
        rows[i].kind = ranges                ? NSC_KIND_NVTX_RANGE
                       : dice_below(dice, 9) ? NSC_KIND_KERNEL
                                             : NSC_KIND_COPY_DTOH;
        rows[i].process = rows[i].tid = 1;
        rows[i].device = rows[i].context = rows[i].stream = rows[i].domain = 1;
        if (!ranges && rows[i].end == NSC_TIME_OPEN)
            rows[i].end = rows[i].start;
    }
}

static int compare_starts(const void *a, const void *b)
{
    const struct nsc_test_row *x = a;
    const struct nsc_test_row *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* As in tables: ascending except for a few rows, or in several runs, when tables of one track
 * follow each other. */
static void put_in_order(struct dice *dice, struct nsc_test_row rows[], uint32_t n)
{
    uint32_t runs = 1 + (uint32_t)dice_below(dice, 4);

    for (uint32_t run = 0; run < runs; run++) {
        uint32_t first = n * run / runs;

        qsort(rows + first, n * (run + 1) / runs - first, sizeof *rows, compare_starts);
    }
    for (uint64_t k = dice_below(dice, 3) * dice_below(dice, 8); n && k > 0; k--) {
        uint32_t i = (uint32_t)dice_below(dice, n);
        uint32_t j = (uint32_t)dice_below(dice, n);
        struct nsc_test_row row = rows[i];

        rows[i] = rows[j];
        rows[j] = row;
    }
}

static uint32_t make_rows(struct dice *dice, struct nsc_test_row rows[MAX_ROWS])
{
    uint32_t n = (uint32_t)dice_below(dice, MAX_ROWS + 1);
    uint64_t range = 1 + dice_below(dice, 2000);

    for (uint32_t i = 0; i < n; i++)
        rows[i] = make_row(dice, range);
    if (dice_below(dice, 3) == 0)
        put_on_one_track(dice, rows, n);
    if (dice_below(dice, 2) == 0)
        put_in_order(dice, rows, n);
    return n;
}

static void assert_same_columns(const struct nsc_events *a, const struct nsc_events *b)
{
    assert_int_equal(a->n, b->n);
    if (!a->n)
        return;
    assert_memory_equal(a->start, b->start, a->n * sizeof *a->start);
    assert_memory_equal(a->duration, b->duration, a->n * sizeof *a->duration);
    assert_memory_equal(a->name, b->name, a->n * sizeof *a->name);
    assert_memory_equal(a->source, b->source, a->n * sizeof *a->source);
    assert_memory_equal(a->kind, b->kind, a->n);
    assert_int_equal(a->n_long, b->n_long);
    for (uint32_t i = 0; i < a->n_long; i++) {
        assert_int_equal(a->long_event[i], b->long_event[i]);
        assert_int_equal(a->long_duration[i], b->long_duration[i]);
    }
}

/* Where links of ranges store their counters is arbitrary; the counters are not. */
static void assert_same_links(const struct nsc_trace *a, const struct nsc_trace *b)
{
    const struct nsc_events *x = nsc_trace_events(a);
    const struct nsc_events *y = nsc_trace_events(b);

    for (nsc_event e = 0; e < x->n; e++) {
        char scratch[2][NSC_NAME_BYTES];
        struct nsc_text text_a = nsc_trace_event_text(a, e, false, scratch[0]);
        struct nsc_text text_b = nsc_trace_event_text(b, e, false, scratch[1]);

        assert_int_equal(text_a.n, text_b.n);
        if (text_a.n)
            assert_memory_equal(text_a.bytes, text_b.bytes, text_a.n);
        if (nsc_kind_is_nvtx(x->kind[e]))
            assert_int_equal(x->link[e] == NSC_NONE, y->link[e] == NSC_NONE);
        else
            assert_int_equal(x->link[e], y->link[e]);
    }
}

static void assert_same_traces(const struct nsc_trace *a, const struct nsc_trace *b)
{
    uint32_t n_a = 0;
    uint32_t n_b = 0;
    const struct nsc_lane *lanes_a = nsc_trace_lanes(a, &n_a);
    const struct nsc_lane *lanes_b = nsc_trace_lanes(b, &n_b);
    const struct nsc_track *tracks_a = NULL;
    const struct nsc_track *tracks_b = NULL;

    assert_same_columns(nsc_trace_events(a), nsc_trace_events(b));
    assert_same_links(a, b);
    assert_int_equal(n_a, n_b);
    if (n_a)
        assert_memory_equal(lanes_a, lanes_b, n_a * sizeof *lanes_a);
    tracks_a = nsc_trace_tracks(a, &n_a);
    tracks_b = nsc_trace_tracks(b, &n_b);
    assert_int_equal(n_a, n_b);
    for (uint32_t i = 0; i < n_a; i++) {
        assert_int_equal(tracks_a[i].label, tracks_b[i].label);
        assert_int_equal(tracks_a[i].kind, tracks_b[i].kind);
        assert_int_equal(tracks_a[i].first_lane, tracks_b[i].first_lane);
        assert_int_equal(tracks_a[i].skip, tracks_b[i].skip);
    }
    assert_int_equal(nsc_trace_names(a)->n, nsc_trace_names(b)->n);
    assert_int_equal(nsc_trace_extent(a).t0, nsc_trace_extent(b).t0);
    assert_int_equal(nsc_trace_extent(a).t1, nsc_trace_extent(b).t1);
}

TEST(workers_and_their_shares_do_not_matter)
{
    struct dice dice = dice_new(1);
    static struct nsc_test_row rows[MAX_ROWS];

    for (int round = 0; round < (getenv("NSC_LONG") ? ROUNDS : ROUNDS / 3); round++) {
        uint32_t n = make_rows(&dice, rows);
        struct nsc_trace *one = nsc_test_trace_build(rows, n);

        for (unsigned workers = 1; workers <= 4; workers++) {
            uint32_t share = 1 + (uint32_t)dice_below(&dice, 100);
            struct nsc_trace *other = nsc_test_trace_build_parallel(rows, n, workers, share);

            assert_same_traces(one, other);
            nsc_trace_free(other);
        }
        nsc_trace_free(one);
    }
}

/* The latest end, which open ranges take. */
static nsc_time trace_end(const struct nsc_test_row rows[], uint32_t n)
{
    nsc_time end = INT64_MIN;

    for (uint32_t i = 0; i < n; i++) {
        bool instant = rows[i].end == NSC_TIME_OPEN || rows[i].end == rows[i].start;
        nsc_time t = instant ? rows[i].start + 1 : rows[i].end;

        if (rows[i].kind != NSC_KIND_GRAPH_EVENT && t > end)
            end = t;
    }
    return end;
}

static void assert_rows(const struct nsc_trace *trace, const struct nsc_test_row rows[], uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time end = trace_end(rows, n);
    bool seen[MAX_ROWS] = {false};

    assert_int_equal(events->n, n);
    for (nsc_event e = 0; e < n; e++) {
        const struct nsc_test_row *row = &rows[events->source[e]];
        char scratch[NSC_NAME_BYTES];
        struct nsc_text text = nsc_trace_event_text(trace, e, false, scratch);

        assert_false(seen[events->source[e]]);
        seen[events->source[e]] = true;
        assert_int_equal(events->kind[e], row->kind);
        assert_int_equal(events->start[e], row->start);
        assert_int_equal(nsc_event_end(events, e), row->end == NSC_TIME_OPEN ? end : row->end);
        if (row->kind == NSC_KIND_SYNC && events->link[e] != NSC_NONE)
            continue; /* it has its call's name */
        assert_int_equal(text.n, strlen(row->name));
        assert_memory_equal(text.bytes, row->name, text.n);
    }
}

static void assert_lanes(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    uint32_t n_tracks = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    uint32_t next = 0;

    for (uint32_t l = 0; l < n; l++) {
        const struct nsc_track *track = &tracks[lanes[l].track];

        assert_int_equal(lanes[l].first, next);
        assert_true(lanes[l].n > 0);
        assert_true(l >= track->first_lane && l < track->first_lane + track->n_lanes);
        for (nsc_event e = next + 1; e < next + lanes[l].n; e++)
            assert_true(nsc_event_touch_end(events, e - 1) <= events->start[e]);
        next += lanes[l].n;
    }
    assert_int_equal(next, events->n);
}

/* Whether a row comes before another in its track: (start, longer first, kind, source). */
static bool comes_before(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    nsc_time end_a = nsc_event_end(events, a);
    nsc_time end_b = nsc_event_end(events, b);

    if (events->start[a] != events->start[b])
        return events->start[a] < events->start[b];
    if (end_a != end_b)
        return end_a > end_b;
    if (events->kind[a] != events->kind[b])
        return events->kind[a] < events->kind[b];
    return events->source[a] < events->source[b];
}

/* Rows of a track in order, each in the lowest free lane: a naive sort and search. */
static void assert_track(const struct nsc_trace *trace, const struct nsc_lane lanes[],
                         const struct nsc_track *track)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event rows[MAX_ROWS];
    nsc_time free_at[MAX_ROWS];
    uint32_t n = 0;
    uint32_t used = 0;

    for (uint32_t l = track->first_lane; l < track->first_lane + track->n_lanes; l++)
        for (nsc_event e = lanes[l].first; e < lanes[l].first + lanes[l].n; e++) {
            uint32_t at = n++;

            for (; at > 0 && comes_before(events, e, rows[at - 1]); at--)
                rows[at] = rows[at - 1];
            rows[at] = e;
        }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lane = 0;

        while (lane < used && free_at[lane] > events->start[rows[i]])
            lane++;
        used += lane == used;
        free_at[lane] = nsc_event_touch_end(events, rows[i]);
        assert_int_equal(nsc_trace_lane_of(trace, rows[i]), track->first_lane + lane);
    }
    assert_int_equal(used, track->n_lanes);
}

static void assert_packing(const struct nsc_trace *trace)
{
    uint32_t n_lanes = 0;
    uint32_t n_tracks = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    for (uint32_t l = 0; l < n_lanes; l++)
        for (nsc_event e = lanes[l].first + 1; e < lanes[l].first + lanes[l].n; e++)
            assert_true(comes_before(nsc_trace_events(trace), e - 1, e));
    for (uint32_t t = 0; t < n_tracks; t++)
        assert_track(trace, lanes, &tracks[t]);
}

/* The source of the call of row i's work: the earliest with its process and id; ties: the first
 * row. */
static bool is_call_of(const struct nsc_test_row *call, const struct nsc_test_row *row)
{
    return nsc_kind_is_api(call->kind) && row->correlation && call->process == row->process &&
           call->correlation == row->correlation;
}

static void assert_links(const struct nsc_trace *trace, const struct nsc_test_row rows[],
                         uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (nsc_event e = 0; e < events->n; e++) {
        const struct nsc_test_row *row = &rows[events->source[e]];
        nsc_time earliest = INT64_MAX;
        bool any = false;

        if (!nsc_kind_is_gpu(row->kind) && row->kind != NSC_KIND_SYNC)
            continue;
        for (uint32_t i = 0; i < n; i++)
            if (is_call_of(&rows[i], row)) {
                any = true;
                earliest = rows[i].start < earliest ? rows[i].start : earliest;
            }
        assert_int_equal(events->link[e] != NSC_NONE, any);
        if (!any)
            continue;
        assert_true(is_call_of(&rows[events->source[events->link[e]]], row));
        assert_int_equal(events->start[events->link[e]], earliest);
    }
}

/* A call's work is the first op that links to it. */
static void assert_links_back(const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (nsc_event call = 0; call < events->n; call++) {
        nsc_event first = NSC_NONE;

        if (!nsc_kind_is_api(events->kind[call]))
            continue;
        for (nsc_event e = 0; e < events->n; e++)
            if (nsc_kind_is_gpu(events->kind[e]) && events->link[e] == call &&
                (first == NSC_NONE || events->start[e] < events->start[first]))
                first = e;
        assert_int_equal(events->link[call], first);
    }
}

TEST(the_trace_holds_what_went_in)
{
    struct dice dice = dice_new(2);
    static struct nsc_test_row rows[MAX_ROWS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = make_rows(&dice, rows);
        struct nsc_trace *trace = nsc_test_trace_build_parallel(rows, n, 3, 70);

        assert_rows(trace, rows, n);
        assert_lanes(trace);
        assert_packing(trace);
        assert_links(trace, rows, n);
        assert_links_back(trace);
        nsc_trace_free(trace);
    }
}

/* An open range before time 0 ends with the last event, not at 0, if its duration is unknown. */
TEST(an_open_range_before_zero_ends_with_the_trace)
{
    const struct nsc_test_row row = {.kind = NSC_KIND_NVTX_RANGE,
                                     .process = 1,
                                     .tid = 1,
                                     .start = -13,
                                     .end = NSC_TIME_OPEN,
                                     .name = "op 0"};
    struct nsc_trace *trace = nsc_test_trace_build(&row, 1);

    assert_int_equal(nsc_event_end(nsc_trace_events(trace), 0), -12);
    nsc_trace_free(trace);
}
