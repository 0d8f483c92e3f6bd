/* Unit tests of launch links: both directions, separate processes, and no stale links. */
#include "support/build_trace.h"
#include "support/cm.h"

#include <string.h>

static struct nsc_test_row call(uint64_t process, nsc_time start, const char *name, uint32_t id)
{
    return (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                 .process = process,
                                 .tid = 1,
                                 .start = start,
                                 .end = start + 5,
                                 .name = name,
                                 .correlation = id};
}

static struct nsc_test_row work(uint8_t kind, uint64_t process, nsc_time start, uint32_t id)
{
    return (struct nsc_test_row){.kind = kind,
                                 .process = process,
                                 .tid = 1,
                                 .context = 1,
                                 .stream = 7,
                                 .start = start,
                                 .end = start + 5,
                                 .name = "k",
                                 .correlation = id};
}

/* The row that row i's event links to; NSC_NONE if none. */
static uint32_t link_of(const struct nsc_trace *trace, uint32_t i)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t link = events->link[nsc_test_event_of(trace, i)];

    return link == NSC_NONE ? NSC_NONE : events->source[link];
}

TEST(work_and_its_call_find_each_other)
{
    struct nsc_test_row rows[] = {
        call(1, 0, "cudaLaunchKernel", 5), call(1, 10, "cudaMemcpyAsync", 6),
        work(NSC_KIND_COPY_HTOD, 1, 30, 6), work(NSC_KIND_KERNEL, 1, 20, 5)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);

    assert_int_equal(link_of(trace, 0), 3);
    assert_int_equal(link_of(trace, 3), 0);
    assert_int_equal(link_of(trace, 1), 2);
    assert_int_equal(link_of(trace, 2), 1);
    nsc_trace_free(trace);
}

TEST(ids_are_a_process_own)
{
    struct nsc_test_row rows[] = {call(1, 0, "a", 5), call(2, 0, "b", 5),
                                  work(NSC_KIND_KERNEL, 2, 9, 5), work(NSC_KIND_KERNEL, 3, 9, 5)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);

    assert_int_equal(link_of(trace, 0), NSC_NONE);
    assert_int_equal(link_of(trace, 1), 2);
    assert_int_equal(link_of(trace, 2), 1);
    assert_int_equal(link_of(trace, 3), NSC_NONE);
    nsc_trace_free(trace);
}

TEST(a_call_links_to_the_first_of_its_work)
{
    struct nsc_test_row rows[] = {call(1, 0, "cudaGraphLaunch", 9), work(NSC_KIND_KERNEL, 1, 50, 9),
                                  work(NSC_KIND_KERNEL, 1, 30, 9), work(NSC_KIND_MEMSET, 1, 40, 9)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 4);

    assert_int_equal(link_of(trace, 0), 2);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(link_of(trace, i), 0);
    nsc_trace_free(trace);
}

/* Ids far apart take the other kind of table. */
TEST(sparse_ids_are_found)
{
    struct nsc_test_row rows[40];
    struct nsc_trace *trace = NULL;

    for (uint32_t i = 0; i < 20; i++) {
        uint32_t id = UINT32_MAX - i * 100000000;

        rows[i] = call(1, (nsc_time)i * 10, "c", id);
        rows[20 + i] = work(NSC_KIND_KERNEL, 1, (nsc_time)i * 10, id);
    }
    trace = nsc_test_trace_build(rows, 40);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(link_of(trace, i), 20 + i);
        assert_int_equal(link_of(trace, 20 + i), i);
    }
    nsc_trace_free(trace);
}

/* Threads fill the table at once: calls of one id compete, calls of others must not be lost. */
TEST(work_links_to_the_earliest_call_of_a_sparse_id)
{
    enum { IDS = 500, CALLS = 3 * IDS };
    static struct nsc_test_row rows[CALLS + IDS];
    struct nsc_trace *trace = NULL;

    for (uint32_t i = 0; i < CALLS; i++) {
        rows[i] = call(1, (nsc_time)(CALLS - i) * 10, "c", 1 + i % IDS * 8000000);
        rows[i].tid = 1 + i / IDS;
    }
    for (uint32_t i = 0; i < IDS; i++)
        rows[CALLS + i] = work(NSC_KIND_KERNEL, 1, (nsc_time)i * 10, 1 + i * 8000000);
    trace = nsc_test_trace_build_parallel(rows, CALLS + IDS, 3, 100);
    for (uint32_t i = 0; i < IDS; i++) {
        assert_int_equal(link_of(trace, CALLS + i), CALLS - IDS + i);
        assert_int_equal(link_of(trace, CALLS - IDS + i), CALLS + i);
    }
    nsc_trace_free(trace);
}

TEST(what_finds_nothing_links_to_nothing)
{
    struct nsc_test_row rows[] = {call(1, 0, "c", 0),
                                  call(1, 10, "c", 7),
                                  work(NSC_KIND_KERNEL, 1, 20, 0),
                                  work(NSC_KIND_KERNEL, 1, 30, 8),
                                  work(NSC_KIND_KERNEL, 1, 40, UINT32_MAX),
                                  work(NSC_KIND_OSRT, 1, 50, 7),
                                  work(NSC_KIND_NVTX_RANGE, 1, 60, 7)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 7);

    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(link_of(trace, i), NSC_NONE);
    nsc_trace_free(trace);
}

TEST(a_synchronization_takes_its_calls_name)
{
    struct nsc_test_row rows[] = {call(1, 0, "cudaStreamSynchronize", 3),
                                  work(NSC_KIND_SYNC, 1, 1, 3), work(NSC_KIND_SYNC, 1, 9, 4)};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 3);
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = {NULL, 0};

    text = nsc_trace_event_text(trace, nsc_test_event_of(trace, 1), false, scratch);
    assert_int_equal(text.n, strlen("cudaStreamSynchronize"));
    assert_memory_equal(text.bytes, "cudaStreamSynchronize", text.n);
    assert_int_equal(link_of(trace, 1), 0);
    assert_int_equal(link_of(trace, 0), NSC_NONE);
    text = nsc_trace_event_text(trace, nsc_test_event_of(trace, 2), false, scratch);
    assert_memory_equal(text.bytes, "k", 1);
    nsc_trace_free(trace);
}
