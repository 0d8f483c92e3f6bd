/*
 * Property tests of ranks: counts, median and extremes equal those of the sorted durations of like
 * events.
 */
#include "analysis/select/standing.h"
#include "core/bits.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>

enum { MAX_ROWS = 120 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    char texts[MAX_ROWS][32];
    struct nsc_trace *trace;
};

static void roll_world(struct world *world)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_NVTX_RANGE, NSC_KIND_OSRT};
    uint64_t bits = 1 + dice_below(&world->dice, 40);
    uint32_t n = 1 + (uint32_t)dice_below(&world->dice, MAX_ROWS);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(&world->dice, 1000);

        (void)snprintf(world->texts[i], sizeof world->texts[i],
                       dice_below(&world->dice, 2) ? "op %llu" : "void lib::op<%llu>(float *)",
                       (unsigned long long)dice_below(&world->dice, i % 2 ? 3 : 1000));
        world->rows[i] = (struct nsc_test_row){
            .kind = kinds[dice_below(&world->dice, 3)],
            .process = 1,
            .tid = 1,
            .context = 1,
            .name = world->texts[i],
            .start = start,
            .end = start + (nsc_time)(dice_next(&world->dice) >> (64 - bits)),
        };
    }
    world->trace = nsc_test_trace_build(world->rows, n);
}

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

static bool is_like(const struct nsc_trace *trace, nsc_event row, nsc_event event, bool brief)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_names *names = nsc_trace_names(trace);
    nsc_name a = events->name[row], b = events->name[event];

    if (events->kind[row] != events->kind[event])
        return false;
    return nsc_trace_same_text(trace, row, event) ||
           (brief && names->counters[b] == 0 && names->brief[a] == names->brief[b]);
}

/* Every duration is counted in its bin, and the rows of a bin are those counted. */
static void check_histogram(struct nsc_pool *pool, const struct nsc_trace *trace, nsc_event event,
                            const struct nsc_histogram *histogram, const nsc_time times[],
                            uint32_t n, bool brief)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t sum = 0;

    assert_in_range(histogram->n, 1, NSC_HISTOGRAM_BINS);
    for (uint32_t bin = 0; bin < histogram->n; bin++) {
        struct nsc_window w = nsc_histogram_at(histogram, bin);
        uint64_t *alike = nsc_event_alike(pool, trace, NULL, event, w, brief);
        uint32_t count = 0;

        for (uint32_t i = 0; i < n; i++)
            count += times[i] >= w.t0 && times[i] < w.t1;
        assert_int_equal(histogram->count[bin], count);
        for (nsc_event row = 0; row < events->n; row++)
            count -= nsc_bits_get(alike, row);
        assert_int_equal(count, 0);
        assert_true(bin == 0 || nsc_histogram_at(histogram, bin - 1).t1 == w.t0);
        sum += histogram->count[bin];
        free(alike);
    }
    assert_int_equal(sum, n);
}

static void check_event(struct nsc_pool *pool, const struct nsc_trace *trace, nsc_event event,
                        bool brief)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_histogram histogram;
    struct nsc_standing rank = nsc_event_standing(&histogram, trace, NULL, event, brief);
    nsc_time own = nsc_event_duration(events, event);
    nsc_time times[MAX_ROWS];
    uint32_t n = 0;
    uint32_t shorter = 0;
    uint32_t longer = 0;

    for (nsc_event row = 0; row < events->n; row++)
        if (is_like(trace, row, event, brief))
            times[n++] = nsc_event_duration(events, row);
    qsort(times, n, sizeof *times, compare_times);
    for (uint32_t i = 0; i < n; i++) {
        shorter += times[i] < own;
        longer += times[i] > own;
    }
    assert_int_equal(rank.count, n);
    assert_int_equal(rank.shorter, shorter);
    assert_int_equal(rank.longer, longer);
    assert_int_equal(rank.min, times[0]);
    assert_int_equal(rank.median, times[(n - 1) / 2]);
    assert_int_equal(rank.max, times[n - 1]);
    assert_int_equal(rank.p95, times[(n * 95 + 99) / 100 - 1]);
    check_histogram(pool, trace, event, &histogram, times, n, brief);
    assert_int_equal(nsc_standing_permille(&rank),
                     (2 * shorter + (n - shorter - longer)) * 500 / n);
}

TEST(ranks_equal_sorted_durations)
{
    struct world world = {.dice = dice_new(12)};
    struct nsc_pool *pool = nsc_pool_new(2);

    for (int i = 0; i < 120; i++) {
        roll_world(&world);
        for (int k = 0; k < 20; k++)
            check_event(pool, world.trace,
                        (nsc_event)dice_below(&world.dice, nsc_trace_events(world.trace)->n),
                        k % 2);
        nsc_trace_free(world.trace);
    }
    nsc_pool_free(pool);
}
