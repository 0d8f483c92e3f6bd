/* Property test of the memo of ranges around events: it equals a search for each event. */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/gpu_world.h"

static void check_event(struct nsc_path_memo *memo, const struct nsc_trace *trace, nsc_event event)
{
    nsc_event want[NSC_PATH_MOST];
    uint32_t n = nsc_event_path(trace, event, want, NSC_PATH_MOST);
    struct nsc_path path = nsc_path_memo_find(memo, event, nsc_trace_lane_of(trace, event),
                                              nsc_event_launch(trace, event));

    assert_int_equal(path.n, n < NSC_PATH_MOST ? n : NSC_PATH_MOST);
    assert_int_equal(path.is_cut, n > NSC_PATH_MOST);
    assert_int_equal(path.depth, n);
    assert_true(path.place < nsc_path_memo_places(memo));
    if (n == 0 || !path.is_cut)
        assert_int_equal(path.innermost, n ? want[n - 1] : NSC_NONE);
    if (path.n)
        assert_memory_equal(path.rows, want, path.n * sizeof *want);
}

static void check_trace(const struct nsc_trace *trace, struct dice *dice)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_path_memo *memo = nsc_path_memo_new(trace);

    for (nsc_event i = 0; i < events->n; i++)
        check_event(memo, trace, i);
    for (nsc_event i = 0; i < events->n; i++)
        check_event(memo, trace, (nsc_event)dice_below(dice, events->n));
    nsc_path_memo_free(memo);
}

TEST(test_any_order)
{
    struct gpu_world world = {.dice = dice_new(0x9a7b)};

    for (int round = 0; round < 300; round++) {
        gpu_world_roll(&world);
        check_trace(world.trace, &world.dice);
        gpu_world_clear(&world);
    }
}

/* 300 nested ranges in each of a thread's domains: the memo keeps the outermost 256. */
static void check_deep(uint32_t domains)
{
    static struct nsc_test_row rows[600];
    struct dice dice = dice_new(7);
    struct nsc_trace *trace;

    for (uint32_t i = 0; i < 300 * domains; i++)
        rows[i] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                        .process = 1,
                                        .tid = 1,
                                        .domain = i % domains,
                                        .start = 10 * (nsc_time)i,
                                        .end = 20000 - 10 * (nsc_time)i,
                                        .name = "r"};
    trace = nsc_test_trace_build(rows, 300 * domains);
    check_trace(trace, &dice);
    nsc_trace_free(trace);
}

TEST(test_deep_ranges_are_cut)
{
    check_deep(1);
    check_deep(2);
}
