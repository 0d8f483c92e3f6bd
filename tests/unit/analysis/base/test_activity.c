/*
 * Unit tests of the activity of devices.
 */
#include "analysis/base/activity.h"
#include "support/build_trace.h"
#include "support/cm.h"

#define GPU .process = 1, .context = 1

static const struct nsc_test_row rows[] = {
    {GPU, .kind = NSC_KIND_KERNEL, .stream = 7, .start = 0, .end = 40, .name = "gemm"},
    {GPU, .kind = NSC_KIND_KERNEL, .stream = 9, .start = 20, .end = 100,
     .name = "ncclKernel_AllReduce"},
    {GPU, .kind = NSC_KIND_COPY_HTOD, .stream = 7, .start = 90, .end = 95},
    {GPU, .kind = NSC_KIND_COPY_HTOD, .stream = 7, .start = 120, .end = 130},
    {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 3, .start = 0, .end = 50, .name = "a"},
    {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 3, .start = 10, .end = 20, .name = "b"},
};

TEST(a_device_is_measured_by_unions)
{
    struct nsc_trace *trace = nsc_test_trace_build(rows, 6);
    const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, 0);
    struct nsc_activity all = {0};

    assert_non_null(covers);
    all = nsc_device_activity(covers, (struct nsc_window){-50, 150});
    assert_int_equal(all.window, 200);
    assert_int_equal(all.busy, 110);
    assert_int_equal(all.idle, 90);
    assert_int_equal(all.compute, 40);
    assert_int_equal(all.comm, 80);
    assert_int_equal(all.overlap, 20);
    assert_int_equal(all.exposed, 55); /* [40, 90) and [95, 100) */
    assert_int_equal(all.copy_only, 10);
    all = nsc_device_activity(covers, (struct nsc_window){80, 92});
    assert_int_equal(all.busy, 12);
    assert_int_equal(all.exposed, 10);
    nsc_trace_free(trace);
}

TEST(a_device_without_communication_exposes_none)
{
    struct nsc_trace *trace = nsc_test_trace_build(rows, 1);
    struct nsc_activity all =
        nsc_device_activity(nsc_trace_device_covers(trace, 0), (struct nsc_window){0, 80});

    assert_int_equal(all.busy, 40);
    assert_int_equal(all.exposed, 0);
    all = nsc_device_activity(NULL, (struct nsc_window){0, 80});
    assert_int_equal(all.idle, 80);
    nsc_trace_free(trace);
}
