/*
 * Unit tests of launches, queue times and the NVTX ranges around an event.
 */
#include "analysis/base/correlate.h"
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
