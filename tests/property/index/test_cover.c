/*
 * Property tests of covers: built from random lanes, and combined, they equal a set of points.
 */
#include "core/threads.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/hand_trace.h"

/*
 * The naive set: times come from a sorted table of N_POINTS points, so one flag per gap between two
 * points represents a set.
 */
enum { N_POINTS = 160, MAX_LANES = 9, MAX_COLUMNS = 40 };

struct set {
    bool in[N_POINTS];
};

struct world {
    struct dice dice;
    struct hand_trace hand;
    nsc_time point[N_POINTS];
};

/* From runs of single ns to gaps beyond 32 bits; from the first or to the last possible time. */
static void roll_points(struct world *world)
{
    uint64_t wide = 1 + dice_below(&world->dice, 55);
    uint64_t shift = 0;
    nsc_time t = dice_below(&world->dice, 4) ? -1000 : INT64_MIN;

    for (int i = 0; i < N_POINTS; i++) {
        world->point[i] = t;
        if (dice_below(&world->dice, 3))
            t += 1 + (nsc_time)dice_below(&world->dice, 10);
        else
            t += 1 + (nsc_time)(dice_next(&world->dice) >> (64 - wide));
    }
    if (dice_below(&world->dice, 4) == 0)
        shift = (uint64_t)INT64_MAX - (uint64_t)world->point[N_POINTS - 1];
    for (int i = 0; i < N_POINTS; i++)
        world->point[i] = (nsc_time)((uint64_t)world->point[i] + shift);
}

static void roll_lane(struct world *world)
{
    uint64_t stride = 1 + dice_below(&world->dice, 12);

    hand_trace_lane(&world->hand);
    for (uint64_t i = dice_below(&world->dice, stride); i < N_POINTS;) {
        uint64_t end = i + dice_below(&world->dice, stride);

        if (end >= N_POINTS)
            break;
        hand_trace_row(&world->hand, world->point[i], world->point[end],
                       (nsc_name)dice_below(&world->dice, 2),
                       (uint8_t)(NSC_KIND_UNKNOWN + dice_below(&world->dice, 10)));
        i = end + dice_below(&world->dice, stride);
        if (end == i && dice_below(&world->dice, 2))
            i++;
    }
}

static bool keep_name(const void *context, nsc_event event)
{
    const struct nsc_trace *trace = context;

    return trace->events.name[event] == 1;
}

static int index_of(const struct world *world, nsc_time t)
{
    int i = 0;

    while (world->point[i] != t)
        i++;
    return i;
}

static void add_row(const struct world *world, struct set *set, nsc_event row)
{
    const struct nsc_events *events = &world->hand.trace.events;
    int end = index_of(world, nsc_event_end(events, row));

    for (int i = index_of(world, events->start[row]); i < end; i++)
        set->in[i] = true;
}

static struct set scan_lanes(const struct world *world, const uint32_t lanes[], uint32_t n,
                             bool all)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct set set = {{false}};

    for (uint32_t k = 0; k < n; k++) {
        const struct nsc_lane *lane = &trace->lanes[lanes[k]];

        for (nsc_event row = lane->first; row < lane->first + lane->n; row++)
            if (all || keep_name(trace, row))
                add_row(world, &set, row);
    }
    return set;
}

static void check_windows(struct world *world, const struct nsc_cover *cover, const struct set *set)
{
    for (int round = 0; round < 12; round++) {
        int a = (int)dice_below(&world->dice, N_POINTS);
        int b = (int)dice_below(&world->dice, N_POINTS);
        struct nsc_window w = {world->point[a < b ? a : b], world->point[a < b ? b : a]};
        uint64_t want = 0;
        uint64_t sum = 0;
        nsc_time bins[MAX_COLUMNS];
        uint32_t n = 1 + (uint32_t)dice_below(&world->dice, MAX_COLUMNS);
        uint32_t first = 0;

        for (int i = a < b ? a : b; i < (a < b ? b : a); i++)
            want += set->in[i] ? (uint64_t)world->point[i + 1] - (uint64_t)world->point[i] : 0;
        assert_int_equal(nsc_cover_measure(cover, w), want > INT64_MAX ? INT64_MAX : want);
        while (first < nsc_cover_count(cover) && nsc_cover_at(cover, first).t1 <= w.t0)
            first++;
        assert_int_equal(nsc_cover_find(cover, w.t0), first);
        nsc_cover_bins(cover, w, n, bins);
        for (uint32_t i = 0; i < n; i++) {
            struct nsc_window cut = {nsc_window_cut(w, i, n), nsc_window_cut(w, i + 1, n)};

            assert_int_equal(bins[i], nsc_cover_measure(cover, cut));
            sum += (uint64_t)bins[i];
        }
        assert_int_equal(sum, want);
    }
}

/* Steps over some of the times, from one to the next or far ahead. */
static void check_cursor(struct world *world, const struct nsc_cover *cover, const struct set *set)
{
    struct nsc_cover_cursor cursor;
    uint64_t want = 0;
    uint64_t skipped = dice_below(&world->dice, 20);

    nsc_cover_cursor_init(&cursor, cover);
    for (int i = 0; i < N_POINTS; i++) {
        if (dice_below(&world->dice, skipped + 1) == 0) {
            assert_int_equal(nsc_cover_cursor_step(&cursor, world->point[i]), want);
            assert_int_equal(nsc_cover_cursor_step(&cursor, world->point[i]), want);
        }
        if (i + 1 < N_POINTS && set->in[i])
            want += (uint64_t)world->point[i + 1] - (uint64_t)world->point[i];
    }
    assert_int_equal(nsc_cover_cursor_step(&cursor, INT64_MAX), want);
}

static void check_set(struct world *world, const struct nsc_cover *cover, const struct set *set)
{
    uint32_t n = 0;

    assert_non_null(cover);
    for (int i = 0; i < N_POINTS; i++) {
        struct nsc_window w = {world->point[i], 0};

        if (!set->in[i] || (i > 0 && set->in[i - 1]))
            continue;
        for (int end = i; set->in[end]; end++)
            w.t1 = world->point[end + 1];
        assert_true(n < nsc_cover_count(cover));
        assert_int_equal(nsc_cover_at(cover, n).t0, w.t0);
        assert_int_equal(nsc_cover_at(cover, n).t1, w.t1);
        n++;
    }
    assert_int_equal(nsc_cover_count(cover), n);
    check_windows(world, cover, set);
    check_cursor(world, cover, set);
}

static void check_algebra(struct world *world, const struct nsc_cover *a, const struct nsc_cover *b,
                          const struct set sets[2])
{
    struct nsc_cover *both[] = {nsc_cover_union(a, b), nsc_cover_intersect(a, b)};
    struct set want[2];
    struct nsc_cover *back = nsc_cover_union(a, both[1]);

    for (int i = 0; i < N_POINTS; i++) {
        want[0].in[i] = sets[0].in[i] || sets[1].in[i];
        want[1].in[i] = sets[0].in[i] && sets[1].in[i];
    }
    for (int k = 0; k < 2; k++)
        check_set(world, both[k], &want[k]);
    check_set(world, back, &sets[0]); /* a | (a & b) = a */
    for (int k = 0; k < 2; k++)
        nsc_cover_free(both[k]);
    nsc_cover_free(back);
}

static uint32_t roll_lanes(struct world *world, uint32_t lanes[MAX_LANES])
{
    uint32_t n = 0;

    for (uint32_t lane = 0; lane < world->hand.lanes.n; lane++)
        if (dice_below(&world->dice, 2))
            lanes[n++] = lane;
    return n;
}

static void check_world(struct world *world)
{
    struct nsc_trace *trace = NULL;
    struct nsc_cover *cover[2];
    struct set sets[2];

    hand_trace_clear(&world->hand);
    roll_points(world);
    hand_trace_track(&world->hand, NSC_TRACK_STREAM);
    for (uint64_t n = dice_below(&world->dice, MAX_LANES); n > 0; n--)
        roll_lane(world);
    trace = hand_trace_end(&world->hand, NULL);
    for (int k = 0; k < 2; k++) {
        uint32_t lanes[MAX_LANES];
        uint32_t n = roll_lanes(world, lanes);
        bool all = dice_below(&world->dice, 2) == 0;

        cover[k] = nsc_cover_build(trace, lanes, n, all ? NULL : keep_name, trace);
        sets[k] = scan_lanes(world, lanes, n, all);
        check_set(world, cover[k], &sets[k]);
    }
    check_algebra(world, cover[0], cover[1], sets);
    nsc_cover_free(cover[0]);
    nsc_cover_free(cover[1]);
}

TEST(covers_equal_sets)
{
    struct world world = {.dice = dice_new(7)};
    int rounds = getenv("NSC_LONG") ? 4000 : 1000;

    hand_trace_init(&world.hand);
    for (int i = 0; i < rounds; i++)
        check_world(&world);
    hand_trace_fini(&world.hand);
}

/* ---- devices ---- */

/* NSC_N_OP_CLASSES: any work. */
static struct set scan_device(const struct world *world, uint32_t group, int work)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct set set = {{false}};

    for (nsc_event row = 0; row < trace->events.n; row++) {
        uint32_t track = trace->lanes[nsc_trace_lane_of(trace, row)].track;
        enum nsc_op_class is = NSC_OP_COMPUTE;

        if (track >= group && track < trace->tracks[group].skip &&
            trace->tracks[track].kind == NSC_TRACK_STREAM && nsc_trace_work_of(trace, row, &is) &&
            (work == NSC_N_OP_CLASSES || (int)is == work))
            add_row(world, &set, row);
    }
    return set;
}

static void check_cover(struct world *world, const struct nsc_cover *cover, const struct set *set)
{
    bool any = false;

    for (int i = 0; i < N_POINTS; i++)
        any = any || set->in[i];
    if (any)
        check_set(world, cover, set);
    else
        assert_null(cover);
}

static bool is_empty(const struct set *set)
{
    for (int i = 0; i < N_POINTS; i++)
        if (set->in[i])
            return false;
    return true;
}

/* The intersection of two sets; an empty one has no cover. */
static void check_both(struct world *world, const struct nsc_cover *cover, const struct set *a,
                       const struct set *b)
{
    struct set both = {{false}};

    if (is_empty(a) || is_empty(b)) {
        assert_null(cover);
        return;
    }
    for (int i = 0; i < N_POINTS; i++)
        both.in[i] = a->in[i] && b->in[i];
    check_set(world, cover, &both);
}

static void check_device(struct world *world, uint32_t group)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(&world->hand.trace, group);
    struct set work[NSC_N_OP_CLASSES + 1];
    struct set rest = {{false}};

    assert_non_null(covers);
    for (int k = 0; k <= NSC_N_OP_CLASSES; k++)
        work[k] = scan_device(world, group, k);
    check_cover(world, covers->busy, &work[NSC_N_OP_CLASSES]);
    for (int i = 0; i < N_POINTS; i++)
        for (int k = 0; k < NSC_N_OP_CLASSES; k++)
            rest.in[i] = rest.in[i] || (k != NSC_OP_COMM && work[k].in[i]);
    for (int k = 0; k < NSC_N_OP_CLASSES; k++)
        check_cover(world, covers->work[k], &work[k]);
    check_both(world, covers->hidden, &rest, &work[NSC_OP_COMM]);
    check_both(world, covers->overlap, &work[NSC_OP_COMPUTE], &work[NSC_OP_COMM]);
}

static void check_devices(struct world *world, struct nsc_pool *pool)
{
    static const uint8_t flags[] = {0, NSC_NAME_COMM};
    struct nsc_names names = {.n = 2, .flags = flags};
    uint64_t devices = dice_below(&world->dice, 4);
    struct nsc_trace *trace = NULL;

    hand_trace_clear(&world->hand);
    roll_points(world);
    while (devices-- > 0) {
        hand_trace_track(&world->hand, NSC_TRACK_DEVICE);
        for (uint64_t n = dice_below(&world->dice, 4); n > 0; n--) {
            hand_trace_track(&world->hand,
                             dice_below(&world->dice, 5) ? NSC_TRACK_STREAM : NSC_TRACK_GPU_FAULT);
            for (uint64_t k = dice_below(&world->dice, 3); k > 0; k--)
                roll_lane(world);
        }
    }
    trace = hand_trace_end(&world->hand, &names);
    assert_true(nsc_trace_build_covers(trace, pool));
    for (uint32_t i = 0; i < trace->n_groups; i++)
        check_device(world, trace->group_track[i]);
    nsc_trace_free_covers(trace);
    nsc_arena_fini(&trace->arena);
}

TEST(device_covers_equal_sets)
{
    struct world world = {.dice = dice_new(8)};
    struct nsc_pool *pool = nsc_pool_new(2);

    hand_trace_init(&world.hand);
    for (int i = 0; i < 500; i++)
        check_devices(&world, pool);
    hand_trace_fini(&world.hand);
    nsc_pool_free(pool);
}
