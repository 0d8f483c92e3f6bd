/*
 * Unit tests of the builder: order, lanes, long and open ranges, the extent, failing and starting
 * over.
 */
#include "index/builder.h"
#include "support/build_trace.h"
#include "support/cm.h"

#include <string.h>

static struct nsc_test_row kernel(nsc_time start, nsc_time end)
{
    return (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                 .process = 1,
                                 .context = 1,
                                 .stream = 7,
                                 .start = start,
                                 .end = end,
                                 .name = "k"};
}

static struct nsc_test_row range(nsc_time start, nsc_time end)
{
    return (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                 .process = 1,
                                 .tid = 1,
                                 .start = start,
                                 .end = end,
                                 .name = "r"};
}

TEST(an_empty_trace_is_a_trace)
{
    struct nsc_trace *trace = nsc_test_trace_build(NULL, 0);
    uint32_t n = 1;

    assert_int_equal(nsc_trace_events(trace)->n, 0);
    (void)nsc_trace_lanes(trace, &n);
    assert_int_equal(n, 0);
    (void)nsc_trace_tracks(trace, &n);
    assert_int_equal(n, 0);
    assert_int_equal(nsc_trace_extent(trace).t0, 0);
    assert_int_equal(nsc_trace_extent(trace).t1, 1);
    assert_true(nsc_trace_bytes(trace) > 0);
    nsc_trace_free(trace);
}

TEST(rows_come_in_order_of_lane_and_start)
{
    struct nsc_test_row rows[] = {kernel(50, 60), kernel(0, 40), kernel(10, 20), kernel(20, 30)};
    static const uint32_t sources[] = {1, 0, 2, 3};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);

    assert_int_equal(n, 2);
    assert_int_equal(lanes[1].first, 2);
    assert_int_equal(lanes[1].n, 2);
    assert_memory_equal(events->source, sources, sizeof sources);
    for (nsc_event i = 0; i < 4; i++)
        assert_int_equal(nsc_trace_lane_of(trace, i), i / 2);
    assert_int_equal(nsc_trace_group_of(trace, lanes[0].track), 0);
    nsc_trace_free(trace);
}

TEST(long_durations_are_kept)
{
    static const nsc_time ends[] = {(nsc_time)UINT32_MAX - 1, UINT32_MAX, (nsc_time)1 << 40,
                                    INT64_MAX - 1};
    struct nsc_test_row rows[4];
    struct nsc_trace *trace = NULL;

    for (uint32_t i = 0; i < 4; i++)
        rows[i] = kernel(0, ends[i]);
    trace = nsc_test_trace_build(rows, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(nsc_event_end(nsc_trace_events(trace), nsc_test_event_of(trace, i)),
                         ends[i]);
    assert_int_equal(nsc_trace_events(trace)->n_long, 3);
    nsc_trace_free(trace);
}

TEST(open_ranges_end_with_the_trace)
{
    struct nsc_test_row rows[] = {range(10, NSC_TIME_OPEN), range(20, 30), kernel(0, 100),
                                  range(90, NSC_TIME_OPEN)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);
    const struct nsc_events *events = nsc_trace_events(trace);

    assert_int_equal(nsc_event_end(events, nsc_test_event_of(trace, 0)), 100);
    assert_int_equal(nsc_event_end(events, nsc_test_event_of(trace, 3)), 100);
    assert_int_equal(nsc_trace_extent(trace).t1, 100);
    nsc_trace_free(trace);
}

TEST(graph_creation_is_no_part_of_the_extent)
{
    struct nsc_test_row rows[] = {kernel(10, 20),
                                  {.kind = NSC_KIND_GRAPH_NODE_EVENT,
                                   .process = 1,
                                   .tid = 1,
                                   .start = 1,
                                   .end = 1,
                                   .name = "n"}};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 2);

    assert_int_equal(nsc_trace_extent(trace).t0, 10);
    assert_int_equal(nsc_trace_extent(trace).t1, 20);
    nsc_trace_free(trace);
    trace = nsc_test_trace_build(rows + 1, 1);
    assert_int_equal(nsc_trace_extent(trace).t0, 1);
    assert_int_equal(nsc_trace_extent(trace).t1, 2);
    nsc_trace_free(trace);
}

TEST(the_ends_of_time_are_no_trouble)
{
    struct nsc_test_row rows[] = {kernel(INT64_MAX, INT64_MAX), kernel(INT64_MAX, INT64_MAX),
                                  kernel(INT64_MIN, INT64_MIN), kernel(INT64_MIN + 1, -1)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);
    const struct nsc_events *events = nsc_trace_events(trace);

    assert_int_equal(nsc_event_end(events, nsc_test_event_of(trace, 3)), -1);
    assert_int_equal(nsc_trace_extent(trace).t0, INT64_MIN);
    assert_int_equal(nsc_trace_extent(trace).t1, INT64_MAX);
    nsc_trace_free(trace);
}

static void add_task(struct nsc_feed *feed, uint32_t task, uint32_t n)
{
    struct nsc_track_key key = {NSC_TRACK_STREAM, 0, 1, 0, 1, 7, 0};

    nsc_feed_begin_task(feed, task);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_row row = {
            .start = i, .end = i + 1, .source = task * 1000 + i, .kind = NSC_KIND_KERNEL};

        row.track = nsc_feed_track(feed, &key);
        assert_true(nsc_feed_event(feed, &row));
    }
}

TEST(discarded_tasks_leave_nothing)
{
    struct nsc_pool *pool = nsc_pool_new(1);
    struct nsc_builder *builder = nsc_builder_new(1000, pool, NULL);
    struct nsc_family *family = nsc_family_new(builder, 2);
    struct nsc_trace *trace = NULL;
    const struct nsc_events *events = NULL;

    add_task(nsc_family_feed(family, 0), 0, 100);
    add_task(nsc_family_feed(family, 0), 2, 90);
    add_task(nsc_family_feed(family, 1), 1, 300);
    nsc_family_remove(family, 1, 2);
    add_task(nsc_family_feed(family, 0), 3, 10);
    assert_int_equal(nsc_family_end(family, NULL), NSC_OK);
    assert_int_equal(nsc_builder_finish(&trace, builder, NULL), NSC_OK);
    events = nsc_trace_events(trace);
    assert_int_equal(events->n, 110);
    for (uint32_t i = 0; i < events->n; i++)
        assert_true(events->source[i] / 1000 == 0 || events->source[i] / 1000 == 3);
    nsc_trace_free(trace);
    nsc_builder_free(builder);
    nsc_pool_free(pool);
}

TEST(a_cancelled_build_says_so)
{
    struct nsc_progress progress = {0};
    struct nsc_pool *pool = nsc_pool_new(1);
    struct nsc_builder *builder = nsc_builder_new(10, pool, &progress);
    struct nsc_family *family = nsc_family_new(builder, 1);
    struct nsc_trace *trace = NULL;

    add_task(nsc_family_feed(family, 0), 0, 5);
    progress.cancel = true;
    assert_int_equal(nsc_family_end(family, NULL), NSC_ECANCELLED);
    assert_int_equal(nsc_builder_finish(&trace, builder, NULL), NSC_ECANCELLED);
    assert_null(trace);
    nsc_builder_free(builder);
    nsc_pool_free(pool);
}

/* The initial bound only reserves address space; more rows are allowed. */
TEST(columns_grow_when_the_bound_was_low)
{
    struct nsc_pool *pool = nsc_pool_new(1);
    struct nsc_builder *builder = nsc_builder_new(3, pool, NULL);
    struct nsc_trace *trace = NULL;

    for (int i = 0; i < 2; i++) {
        struct nsc_family *family = nsc_family_new(builder, 1);

        add_task(nsc_family_feed(family, 0), 0, 50);
        assert_int_equal(nsc_family_end(family, NULL), NSC_OK);
    }
    nsc_builder_set_trim(builder, (struct nsc_window){10, 20});
    assert_int_equal(nsc_builder_finish(&trace, builder, NULL), NSC_OK);
    assert_int_equal(nsc_trace_events(trace)->n, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(nsc_trace_events(trace)->start[i], i % 50);
    assert_int_equal(nsc_trace_extent(trace).t0, 10);
    assert_int_equal(nsc_trace_extent(trace).t1, 20);
    nsc_trace_free(trace);
    nsc_builder_free(builder);
    nsc_pool_free(pool);
}

static struct nsc_test_row call(nsc_time start, uint32_t correlation, uint32_t capture_no)
{
    return (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                 .process = 1,
                                 .tid = 1,
                                 .start = start,
                                 .end = start + 1,
                                 .name = "launch",
                                 .correlation = correlation,
                                 .capture_no = capture_no};
}

static struct nsc_test_row work(nsc_time start, uint32_t correlation, uint32_t capture_no)
{
    struct nsc_test_row row = kernel(start, start + 10);

    row.correlation = correlation;
    row.capture_no = capture_no;
    return row;
}

TEST(exports_never_meet_but_in_names)
{
    struct nsc_test_row rows[] = {call(0, 5, 0), work(10, 5, 0), call(100, 5, 1), work(110, 5, 1),
                                  work(120, 6, 1)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 5);
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(trace, &n);

    assert_int_equal(n, 2);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(nsc_trace_capture_of(trace, nsc_test_event_of(trace, i)),
                         rows[i].capture_no);
    assert_int_equal(exports[1].first_event, 2);
    assert_int_equal(exports[1].n_events, 3);
    for (uint32_t i = 0; i < 4; i++) /* a call and its work are neighbours here */
        assert_int_equal(events->link[nsc_test_event_of(trace, i)],
                         nsc_test_event_of(trace, i ^ 1));
    assert_int_equal(events->link[nsc_test_event_of(trace, 4)], NSC_NONE);
    assert_int_equal(events->name[nsc_test_event_of(trace, 1)],
                     events->name[nsc_test_event_of(trace, 3)]);
    assert_int_equal(nsc_trace_extent(trace).t0, 0);
    assert_int_equal(nsc_trace_extent(trace).t1, 130);
    nsc_trace_free(trace);
}

TEST(exports_have_headers_where_there_are_several)
{
    static const uint8_t kinds[] = {NSC_TRACK_CAPTURE, NSC_TRACK_DEVICE, NSC_TRACK_STREAM,
                                    NSC_TRACK_THREAD, NSC_TRACK_API};
    static const uint8_t depths[] = {0, 1, 2, 1, 2};
    static const uint32_t skips[] = {5, 3, 3, 5, 5};
    struct nsc_test_row rows[] = {call(0, 5, 0), work(10, 5, 0), call(100, 5, 1), work(110, 5, 1)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    assert_int_equal(n, 10);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(tracks[i].capture_no, i / 5);
        assert_int_equal(tracks[i].kind, kinds[i % 5]);
        assert_int_equal(tracks[i].depth, depths[i % 5]);
        assert_int_equal(tracks[i].skip, skips[i % 5] + i / 5 * 5);
    }
    assert_int_equal(nsc_trace_captures(trace, &n)[1].first_track, 5);
    assert_int_equal(nsc_trace_group_of(trace, 7), 6);
    assert_int_equal(nsc_trace_group_of(trace, 5), 5);
    assert_int_equal(nsc_trace_next_group(trace, 0), 1);
    assert_int_equal(nsc_trace_next_group(trace, 5), 6);
    assert_int_equal(nsc_trace_next_group(trace, 10), 10);
    nsc_trace_free(trace);
}
