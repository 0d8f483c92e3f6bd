/*
 * Property tests of bins: every column of random lanes, masks and windows equals a scan of all
 * rows.
 */
#include "core/bits.h"
#include "index/builds.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/hand_trace.h"

enum { MAX_ROWS = 400, MAX_COLUMNS = 50 };

struct world {
    struct dice dice;
    struct hand_trace hand;
    uint64_t mask[MAX_ROWS * 4 / 64 + 1];
};

/* From a few ns to most of the range of a time. */
static uint64_t roll_length(struct dice *dice)
{
    static const unsigned bits[] = {1, 3, 6, 20, 31, 33, 40, 56};
    unsigned most = bits[dice_below(dice, 8)];

    return dice_next(dice) >> (64 - most);
}

static bool advance(nsc_time *t, uint64_t by)
{
    return by <= INT64_MAX && !__builtin_add_overflow(*t, (nsc_time)by, t);
}

static void roll_lane(struct world *world)
{
    struct dice *dice = &world->dice;
    uint64_t n = dice_below(dice, dice_below(dice, 4) ? 30 : MAX_ROWS);
    bool plain = dice_below(dice, 2) == 0;
    nsc_time t = 0;

    if (dice_below(dice, 20) == 0)
        t = INT64_MIN;
    else if (dice_below(dice, 20) == 0)
        t = INT64_MAX - (nsc_time)dice_below(dice, 1000);
    hand_trace_lane(&world->hand);
    while (n-- > 0) {
        nsc_time end = 0;
        uint64_t gap = plain ? dice_below(dice, 8) : roll_length(dice);

        if (dice_below(dice, 3) && !advance(&t, gap))
            break;
        end = t;
        if (dice_below(dice, 5) && !advance(&end, plain ? dice_below(dice, 20) : roll_length(dice)))
            break;
        hand_trace_row(&world->hand, t, end, 0, NSC_KIND_KERNEL);
        t = end;
    }
}

static void roll_mask(struct world *world)
{
    uint64_t density = dice_below(&world->dice, 5);

    for (size_t i = 0; i < sizeof world->mask / sizeof *world->mask; i++) {
        uint64_t word = dice_next(&world->dice); /* bits past the last row are set too */

        if (density < 3)
            word &= dice_next(&world->dice);
        if (density < 2)
            word &= dice_next(&world->dice) & dice_next(&world->dice);
        world->mask[i] = density == 4 ? UINT64_MAX : word;
        if (density == 0 && dice_below(&world->dice, 2))
            world->mask[i] = 0;
    }
}

static nsc_time roll_time(struct world *world, const struct nsc_lane *lane)
{
    struct dice *dice = &world->dice;
    uint64_t how = dice_below(dice, 10);
    nsc_time t = 0;

    if (how == 0)
        return (nsc_time)dice_next(dice);
    if (how == 1)
        return dice_below(dice, 2) ? INT64_MAX : INT64_MIN;
    if (lane->n > 0) {
        nsc_event row = lane->first + (nsc_event)dice_below(dice, lane->n);

        t = how < 6 ? world->hand.start.at[row] : nsc_event_end(&world->hand.trace.events, row);
    }
    if (how % 2 && __builtin_add_overflow(t, (nsc_time)dice_below(dice, 21) - 10, &t))
        t = 0;
    return t;
}

static struct nsc_window roll_window(struct world *world, const struct nsc_lane *lane)
{
    for (;;) {
        struct nsc_window w = {roll_time(world, lane), roll_time(world, lane)};

        if (w.t0 < w.t1)
            return w;
        if (w.t0 > w.t1)
            return (struct nsc_window){w.t1, w.t0};
    }
}

static struct nsc_bin scan_column(const struct nsc_trace *trace, const uint64_t *mask,
                                  const struct nsc_lane *lane, struct nsc_window w)
{
    struct nsc_bin bin = {.longest = NSC_NONE};
    uint64_t busy = 0; /* rows of a lane are disjoint */

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        nsc_time start = trace->events.start[row];
        nsc_time end = nsc_event_end(&trace->events, row);

        if ((mask && !nsc_bits_get(mask, row)) || start >= w.t1 ||
            nsc_event_touch_end(&trace->events, row) <= w.t0)
            continue;
        start = start > w.t0 ? start : w.t0;
        end = end < w.t1 ? end : w.t1;
        busy += end > start ? (uint64_t)end - (uint64_t)start : 0;
        bin.events++;
        if (bin.longest == NSC_NONE || nsc_event_duration(&trace->events, row) >
                                           nsc_event_duration(&trace->events, bin.longest))
            bin.longest = row;
    }
    bin.busy = busy > INT64_MAX ? INT64_MAX : (nsc_time)busy;
    bin.enters = bin.longest != NSC_NONE && trace->events.start[bin.longest] < w.t0;
    bin.leaves = bin.longest != NSC_NONE && nsc_event_end(&trace->events, bin.longest) > w.t1;
    return bin;
}

static void check_window(struct world *world, const struct nsc_summary *summary,
                         const uint64_t *mask, uint32_t lane)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_window w = roll_window(world, &trace->lanes[lane]);
    uint32_t n =
        1 + (uint32_t)dice_below(&world->dice, dice_below(&world->dice, 2) ? MAX_COLUMNS : 5);
    struct nsc_bin bins[MAX_COLUMNS];
    uint64_t sum = 0;

    nsc_lane_bins(trace, summary, lane, w, n, bins);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_window column = {nsc_window_cut(w, i, n), nsc_window_cut(w, i + 1, n)};
        struct nsc_bin want = scan_column(trace, mask, &trace->lanes[lane], column);

        assert_int_equal(bins[i].busy, want.busy);
        assert_int_equal(bins[i].events, want.events);
        assert_int_equal(bins[i].longest, want.longest);
        assert_int_equal(bins[i].enters, want.enters);
        assert_int_equal(bins[i].leaves, want.leaves);
        sum += (uint64_t)bins[i].busy;
    }
    if (nsc_window_length(w) < INT64_MAX)
        assert_int_equal(nsc_lane_measure(trace, summary, lane, w).busy, sum);
}

static void check_find(struct world *world, const struct nsc_summary *summary, uint32_t lane)
{
    const struct nsc_trace *trace = &world->hand.trace;
    const struct nsc_lane *at = &trace->lanes[lane];
    nsc_time t = roll_time(world, at);
    nsc_event row = at->first;
    nsc_event want = NSC_NONE;
    nsc_event from = 0;

    while (row < at->first + at->n && nsc_event_touch_end(&trace->events, row) <= t)
        row++;
    assert_int_equal(nsc_lane_find(trace, lane, t), row);
    from = at->first + (nsc_event)dice_below(&world->dice, at->n + 1);
    assert_int_equal(nsc_lane_find_near(trace, lane, t, from), row);
    if (at->n == 0)
        return;
    from = at->first + (nsc_event)dice_below(&world->dice, at->n);
    for (nsc_event i = from + 1; i < at->first + at->n && want == NSC_NONE; i++)
        want = nsc_summary_has(summary, i) ? i : NSC_NONE;
    assert_int_equal(nsc_lane_next(trace, summary, lane, from), want);
    want = NSC_NONE;
    for (nsc_event i = from; i-- > at->first && want == NSC_NONE;)
        want = nsc_summary_has(summary, i) ? i : NSC_NONE;
    assert_int_equal(nsc_lane_prev(trace, summary, lane, from), want);
}

static void check_totals(const struct nsc_trace *trace, const struct nsc_summary *summary)
{
    nsc_time busy = 0;
    uint64_t count = 0;

    for (nsc_event row = 0; row < trace->events.n; row++) {
        if (!nsc_summary_has(summary, row))
            continue;
        count++;
        if (__builtin_add_overflow(busy, nsc_event_duration(&trace->events, row), &busy))
            busy = INT64_MAX;
    }
    assert_int_equal(nsc_summary_count(summary), count);
    assert_int_equal(nsc_summary_busy(summary), busy);
}

static void check_world(struct world *world)
{
    const uint64_t *mask = dice_below(&world->dice, 3) ? world->mask : NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_summary *summary = NULL;

    hand_trace_clear(&world->hand);
    hand_trace_track(&world->hand, NSC_TRACK_STREAM);
    for (uint64_t n = 1 + dice_below(&world->dice, 3); n > 0; n--)
        roll_lane(world);
    roll_mask(world);
    trace = hand_trace_end(&world->hand, NULL);
    summary = nsc_summary_build(trace, mask);
    assert_non_null(summary);
    check_totals(trace, summary);
    for (uint32_t lane = 0; lane < trace->n_lanes; lane++) {
        for (int i = 0; i < 8; i++) {
            check_window(world, summary, mask, lane);
            check_find(world, summary, lane);
        }
    }
    nsc_summary_free(summary);
}

TEST(bins_equal_a_scan)
{
    struct world world = {.dice = dice_new(20240817)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 8000; i++) /* 8 windows of 2 lanes of up to 50 columns each */
        check_world(&world);
    hand_trace_fini(&world.hand);
}
