/*
 * Unit tests of launches, queue times and the NVTX ranges around an event.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "support/build_trace.h"
#include "support/cm.h"

static const struct nsc_test_row rows[] = {
    {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 7, .start = 0, .end = 100, .name = "step"},
    {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 7, .start = 5, .end = 50, .name = "fwd"},
    {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 8, .start = 0, .end = 100, .name = "other"},
    {.kind = NSC_KIND_API_RUNTIME,
     .process = 1,
     .tid = 7,
     .start = 10,
     .end = 20,
     .name = "cudaLaunchKernel",
     .correlation = 1},
    {.kind = NSC_KIND_KERNEL,
     .process = 1,
     .context = 1,
     .stream = 7,
     .start = 60,
     .end = 90,
     .name = "gemm",
     .correlation = 1},
    {.kind = NSC_KIND_API_RUNTIME,
     .process = 1,
     .tid = 7,
     .start = 60,
     .end = 99,
     .name = "cudaLaunchKernel",
     .correlation = 2},
    {.kind = NSC_KIND_KERNEL,
     .process = 1,
     .context = 1,
     .stream = 7,
     .start = 95,
     .end = 99,
     .name = "gemm",
     .correlation = 2},
    {.kind = NSC_KIND_KERNEL,
     .process = 1,
     .context = 1,
     .stream = 7,
     .start = 200,
     .end = 300,
     .name = "lost",
     .correlation = 9},
};
enum { STEP, FWD, OTHER, CALL, KERNEL, LATE_CALL, EARLY_KERNEL, LOST, N_ROWS };

TEST(work_knows_its_launch)
{
    struct nsc_trace *trace = nsc_test_trace_build(rows, N_ROWS);
    nsc_time queue = -1;

    assert_int_equal(nsc_event_launch(trace, nsc_test_event_of(trace, KERNEL)),
                     nsc_test_event_of(trace, CALL));
    assert_int_equal(nsc_event_launch(trace, nsc_test_event_of(trace, LOST)), NSC_NONE);
    assert_int_equal(nsc_event_launch(trace, nsc_test_event_of(trace, CALL)), NSC_NONE);
    assert_true(nsc_event_queue_time(trace, nsc_test_event_of(trace, KERNEL), &queue));
    assert_int_equal(queue, 40);
    assert_false(nsc_event_queue_time(trace, nsc_test_event_of(trace, EARLY_KERNEL), &queue));
    assert_false(nsc_event_queue_time(trace, nsc_test_event_of(trace, LOST), &queue));
    nsc_trace_free(trace);
}

TEST(ranges_around_are_those_of_the_launch)
{
    struct nsc_trace *trace = nsc_test_trace_build(rows, N_ROWS);
    nsc_event path[4];

    assert_int_equal(nsc_event_path(trace, nsc_test_event_of(trace, KERNEL), path, 4), 2);
    assert_int_equal(path[0], nsc_test_event_of(trace, STEP));
    assert_int_equal(path[1], nsc_test_event_of(trace, FWD));
    assert_int_equal(nsc_event_path(trace, nsc_test_event_of(trace, EARLY_KERNEL), path, 4), 1);
    assert_int_equal(nsc_event_path(trace, nsc_test_event_of(trace, LOST), path, 4), 0);
    assert_int_equal(nsc_event_path(trace, nsc_test_event_of(trace, CALL), path, 1), 2);
    assert_int_equal(path[0], nsc_test_event_of(trace, STEP));
    assert_int_equal(nsc_event_path(trace, nsc_test_event_of(trace, FWD), path, 4), 1);
    assert_int_equal(path[0], nsc_test_event_of(trace, STEP));
    nsc_trace_free(trace);
}

TEST(what_starts_with_a_range_is_inside_it)
{
    static const struct nsc_test_row nested[] = {
        {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 7, .start = 0, .end = 100, .name = "a"},
        {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 7, .start = 0, .end = 50, .name = "b"},
        {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 7, .start = 0, .end = 8, .name = "c"},
    };
    struct nsc_trace *trace = nsc_test_trace_build(nested, 3);
    struct nsc_path_memo *memo = nsc_path_memo_new(trace);

    for (uint32_t row = 0; row < 3; row++) {
        nsc_event event = nsc_test_event_of(trace, row), path[4];
        struct nsc_path kept =
            nsc_path_memo_find(memo, event, nsc_trace_lane_of(trace, event), NSC_NONE);

        assert_int_equal(nsc_event_path(trace, event, path, 4), row);
        assert_int_equal(kept.n, row);
        assert_int_equal(kept.innermost, row ? nsc_test_event_of(trace, row - 1) : NSC_NONE);
    }
    nsc_path_memo_free(memo);
    nsc_trace_free(trace);
}
