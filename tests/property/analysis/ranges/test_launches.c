/*
 * Property tests of launch order: it equals a plain sort, with calls that launch nothing, one op or
 * many, calls with equal starts, and one export or several; sums equal plain loops.
 */
#include "analysis/ranges/launches.h"
#include "core/bits.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/hand_trace.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_CALLS = 120, MAX_ROWS = 2048, N_THREADS = 3, N_DEVICES = 2 };

struct world {
    struct dice dice;
    struct hand_trace hand;
    nsc_event calls[MAX_CALLS]; /* of the last export */
    uint32_t n_calls;
    uint64_t mask[MAX_ROWS / 64];
    bool has_mask;
};

/* Rows of a lane, some with the same start as the previous one. */
static void roll_lane(struct world *world, uint8_t kind, uint32_t n)
{
    nsc_time t = (nsc_time)dice_below(&world->dice, 4);

    hand_trace_lane(&world->hand);
    for (uint32_t i = 0; i < n; i++) {
        nsc_time length = (nsc_time)dice_below(&world->dice, 3);
        nsc_event row = hand_trace_row(&world->hand, t, t + length, 0, kind);

        t += length + (nsc_time)dice_below(&world->dice, 3);
        if (kind == NSC_KIND_API_RUNTIME)
            world->calls[world->n_calls++] = row;
    }
}

static void roll_threads(struct world *world)
{
    for (int i = 0; i < N_THREADS; i++) {
        hand_trace_track(&world->hand, NSC_TRACK_THREAD);
        for (uint64_t tracks = dice_below(&world->dice, 3); tracks > 0; tracks--) {
            hand_trace_track(&world->hand, NSC_TRACK_API);
            for (uint64_t lanes = dice_below(&world->dice, 3); lanes > 0; lanes--)
                roll_lane(world, NSC_KIND_API_RUNTIME, (uint32_t)dice_below(&world->dice, 10));
        }
    }
}

/* Links an op with a call, and the call with the first of its ops. */
static void link_op(struct world *world, nsc_event op, nsc_event call)
{
    uint32_t *link = world->hand.link.at;
    const nsc_time *start = world->hand.start.at;

    link[op] = call;
    if (link[call] == NSC_NONE || start[op] < start[link[call]])
        link[call] = op;
}

/* few: of how many calls. */
static void roll_devices(struct world *world, uint32_t few)
{
    for (int i = 0; i < N_DEVICES; i++) {
        hand_trace_track(&world->hand, NSC_TRACK_DEVICE);
        for (uint64_t streams = dice_below(&world->dice, 8); streams > 0; streams--) {
            nsc_event first = (nsc_event)world->hand.start.n;

            hand_trace_track(&world->hand, NSC_TRACK_STREAM);
            roll_lane(world, NSC_KIND_KERNEL, (uint32_t)dice_below(&world->dice, 20));
            for (nsc_event op = first; op < world->hand.start.n; op++)
                if (few > 0 && dice_below(&world->dice, 6))
                    link_op(world, op, world->calls[dice_below(&world->dice, few)]);
        }
    }
}

/* At most as many ops as calls, each with a separate call. */
static void roll_pairs(struct world *world)
{
    uint32_t next = 0;

    hand_trace_track(&world->hand, NSC_TRACK_DEVICE);
    for (int streams = 0; streams < 3; streams++) {
        nsc_event first = (nsc_event)world->hand.start.n;

        hand_trace_track(&world->hand, NSC_TRACK_STREAM);
        roll_lane(world, NSC_KIND_KERNEL, (uint32_t)dice_below(&world->dice, 20));
        for (nsc_event op = first; op < world->hand.start.n && next < world->n_calls; op++)
            link_op(world, op, world->calls[next++]);
    }
}

static void roll_export(struct world *world)
{
    world->n_calls = 0;
    roll_threads(world);
    if (dice_below(&world->dice, 3) == 0)
        roll_pairs(world);
    else
        roll_devices(world, dice_below(&world->dice, 2) ? world->n_calls : world->n_calls / 8);
}

static void roll_world(struct world *world)
{
    uint64_t several = dice_below(&world->dice, 2) ? 2 + dice_below(&world->dice, 2) : 0;

    hand_trace_clear(&world->hand);
    if (!several)
        roll_export(world);
    for (; several > 0; several--) {
        hand_trace_track(&world->hand, NSC_TRACK_CAPTURE);
        roll_export(world);
    }
    hand_trace_end(&world->hand, NULL);
    assert_true(world->hand.trace.events.n <= MAX_ROWS);
    world->has_mask = dice_below(&world->dice, 2);
    for (int i = 0; i < MAX_ROWS / 64; i++)
        world->mask[i] = dice_next(&world->dice) | dice_next(&world->dice);
}

/* ---- the plain sort ---- */

struct place {
    uint32_t group;
    nsc_time time;
    uint32_t track;
    nsc_event op;
};

static uint32_t track_of(const struct nsc_trace *trace, nsc_event row)
{
    return nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, row)].track;
}

static int compare(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static uint32_t sort_plainly(const struct world *world, struct place out[])
{
    const struct nsc_trace *trace = &world->hand.trace;
    const struct nsc_events *events = &trace->events;
    uint32_t n = 0;

    for (nsc_event op = 0; op < events->n; op++) {
        nsc_event call = events->link[op];

        if (events->kind[op] != NSC_KIND_KERNEL || call == NSC_NONE ||
            (world->has_mask && !nsc_bits_get(world->mask, op)))
            continue;
        out[n++] = (struct place){nsc_trace_group_of(trace, track_of(trace, call)),
                                  events->start[call], track_of(trace, op), op};
    }
    qsort(out, n, sizeof *out, compare);
    return n;
}

static void check_order(const struct world *world, const struct nsc_launches *launches)
{
    const struct nsc_trace *trace = &world->hand.trace;
    static struct place places[MAX_ROWS];
    uint32_t n = sort_plainly(world, places);
    uint32_t at = 0;

    assert_non_null(launches);
    for (uint32_t t = 0; t < trace->n_tracks; t++) {
        struct nsc_positions in;

        if (trace->tracks[t].kind != NSC_TRACK_THREAD)
            continue;
        in = nsc_launches_of_track(launches, t);
        assert_int_equal(in.first, at);
        for (; in.first < in.end; in.first++, at++) {
            assert_true(at < n);
            assert_int_equal(places[at].group, t);
            assert_int_equal(nsc_launches_op(launches, in.first), places[at].op);
        }
    }
    assert_int_equal(at, n);
    assert_int_equal(nsc_launches_count(launches), n);
}

static bool is_masked(const void *context, nsc_event op)
{
    const struct world *world = context;

    return !world->has_mask || nsc_bits_get(world->mask, op);
}

TEST(the_order_is_that_of_a_plain_sort)
{
    struct world world = {.dice = dice_new(171)};
    struct nsc_launches *all, *masked, *selected;

    hand_trace_init(&world.hand);
    for (int i = 0; i < 3000; i++) {
        roll_world(&world);
        all = nsc_launches_build(&world.hand.trace, NULL, NULL);
        masked = nsc_launches_build(&world.hand.trace, world.has_mask ? world.mask : NULL, NULL);
        selected = nsc_launches_select(all, is_masked, &world);
        check_order(&world, masked);
        check_order(&world, selected);
        nsc_launches_free(selected);
        nsc_launches_free(masked);
        nsc_launches_free(all);
    }
    hand_trace_fini(&world.hand);
}

static struct nsc_gpu_figures sum_plainly(const struct nsc_launches *launches,
                                          const struct nsc_events *events, struct nsc_positions in)
{
    struct nsc_gpu_figures sum = {.first = NSC_NONE, .last = NSC_NONE};
    nsc_event call = NSC_NONE;

    for (; in.first < in.end; in.first++) {
        nsc_event op = nsc_launches_op(launches, in.first);

        sum.launches += events->link[op] != call;
        call = events->link[op];
        sum.ops++;
        sum.work += nsc_event_duration(events, op);
        if (sum.first == NSC_NONE || events->start[op] < events->start[sum.first])
            sum.first = op;
        if (sum.last == NSC_NONE || nsc_event_end(events, op) > nsc_event_end(events, sum.last))
            sum.last = op;
    }
    return sum;
}

static void check_sums(struct world *world)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);

    assert_true(nsc_launches_sum(launches));
    for (uint32_t t = 0; t < trace->n_tracks; t++) {
        struct nsc_positions in = nsc_launches_of_track(launches, t);
        struct nsc_gpu_figures is;
        struct nsc_gpu_figures naive;

        if (trace->tracks[t].kind != NSC_TRACK_THREAD || in.first == in.end)
            continue;
        in.first += (uint32_t)dice_below(&world->dice, in.end - in.first);
        in.end = in.first + 1 + (uint32_t)dice_below(&world->dice, in.end - in.first);
        is = nsc_launches_measure(launches, in);
        naive = sum_plainly(launches, &trace->events, in);
        assert_int_equal(is.launches, naive.launches);
        assert_int_equal(is.ops, naive.ops);
        assert_int_equal(is.work, naive.work);
        assert_int_equal(is.first, naive.first);
        assert_int_equal(is.last, naive.last);
    }
    nsc_launches_free(launches);
}

TEST(sums_are_those_of_one_op_after_the_other)
{
    struct world world = {.dice = dice_new(172)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 3000; i++) {
        roll_world(&world);
        check_sums(&world);
    }
    hand_trace_fini(&world.hand);
}

/* Instants of one time in a lane. */
static nsc_event add_instants(struct hand_trace *hand, uint8_t kind, uint32_t n)
{
    nsc_event first = (nsc_event)hand->start.n;

    hand_trace_lane(hand);
    for (uint32_t i = 0; i < n; i++)
        hand_trace_row(hand, 1, 1, 0, kind);
    return first;
}

/* n calls of a thread, and n kernels of a stream, all at one time. */
static void add_launches(struct hand_trace *hand, uint32_t n, nsc_event *calls, nsc_event *ops)
{
    hand_trace_init(hand);
    hand_trace_track(hand, NSC_TRACK_THREAD);
    hand_trace_track(hand, NSC_TRACK_API);
    *calls = add_instants(hand, NSC_KIND_API_RUNTIME, n);
    hand_trace_track(hand, NSC_TRACK_DEVICE);
    hand_trace_track(hand, NSC_TRACK_STREAM);
    *ops = add_instants(hand, NSC_KIND_KERNEL, n);
}

/* The last call launches the first op, and so on. */
TEST(launches_of_one_time_do_not_take_quadratic_time)
{
    const uint32_t n = 100000;
    struct hand_trace hand;
    struct nsc_launches *launches;
    nsc_event calls, ops;
    clock_t before;

    add_launches(&hand, n, &calls, &ops);
    for (uint32_t i = 0; i < n; i++) {
        hand.link.at[ops + i] = calls + n - 1 - i;
        hand.link.at[calls + n - 1 - i] = ops + i;
    }
    before = clock();
    launches = nsc_launches_build(hand_trace_end(&hand, NULL), NULL, NULL);
    assert_true(clock() - before < 5 * CLOCKS_PER_SEC); /* 15 ms; two nested loops take minutes */
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(nsc_launches_op(launches, i), ops + i);
    nsc_launches_free(launches);
    hand_trace_fini(&hand);
}

/* Runs of one name, as short as one op or longer than the words of the marks. */
TEST(runs_of_equal_launches_end_where_the_names_change)
{
    struct dice dice = dice_new(173);
    const uint32_t n = 3000;

    for (int round = 0; round < 20; round++) {
        static const nsc_str strings[] = {0, 1};
        static const struct nsc_names names = {.n = 2, .full = strings, .brief = strings};
        struct hand_trace hand;
        struct nsc_launches *launches;
        nsc_event calls, ops;

        add_launches(&hand, n, &calls, &ops);
        for (uint32_t i = 0; i < n; i++) {
            hand.link.at[ops + i] = calls + i;
            hand.link.at[calls + i] = ops + i;
            hand.name.at[ops + i] = i == 0                        ? 0
                                    : dice_below(&dice, 150) == 0 ? 1 - hand.name.at[ops + i - 1]
                                                                  : hand.name.at[ops + i - 1];
        }
        launches = nsc_launches_build(hand_trace_end(&hand, &names), NULL, NULL);
        assert_true(round % 2 == 0 || nsc_launches_compare(launches));
        for (uint32_t i = 0; i < n; i += 1 + (uint32_t)dice_below(&dice, 20)) {
            struct nsc_positions in = {(uint32_t)dice_below(&dice, i + 1),
                                       i + 1 + (uint32_t)dice_below(&dice, n - i)};
            struct nsc_positions out = nsc_launches_alike(launches, in, i);
            uint32_t first = i, end = i + 1;

            while (first > in.first && hand.name.at[ops + first - 1] == hand.name.at[ops + i])
                first--;
            while (end < in.end && hand.name.at[ops + end] == hand.name.at[ops + i])
                end++;
            assert_int_equal(out.first, first);
            assert_int_equal(out.end, end);
        }
        nsc_launches_free(launches);
        hand_trace_fini(&hand);
    }
}
