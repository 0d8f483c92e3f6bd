/*
 * Property tests of NVTX nesting: the parent and the path found by search equal a scan of all
 * ranges.
 */
#include "nsyscope/calltree.h"

#include "support/cm.h"
#include "support/hand_ranges.h"

enum { MAX_RANGES = 60, MAX_ROWS = 500, THREADS = 4 };

struct world {
    struct dice dice;
    struct hand_trace hand;
};

static struct nsc_track *add_track(struct world *world, uint8_t kind, uint32_t thread)
{
    struct nsc_track *track = hand_trace_track(&world->hand, kind);

    track->process = thread / 2;
    track->tid = thread % 2;
    return track;
}

/* Some of the threads of two processes, each with tracks of NVTX and of others. */
static void roll_world(struct world *world)
{
    struct hand_range ranges[MAX_RANGES];

    hand_trace_clear(&world->hand);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        if (dice_below(&world->dice, 4) == 0)
            continue;
        (void)add_track(world, NSC_TRACK_THREAD, thread);
        for (uint64_t k = dice_below(&world->dice, 3); k > 0; k--) {
            bool is_nvtx = dice_below(&world->dice, 4) != 0;
            uint32_t n_ranges = (uint32_t)dice_below(&world->dice, MAX_RANGES);

            (void)add_track(world, is_nvtx ? NSC_TRACK_NVTX : NSC_TRACK_API, thread);
            hand_ranges_roll(&world->dice, ranges, n_ranges, 5);
            hand_ranges_add(&world->hand, ranges, n_ranges);
        }
    }
    hand_trace_end(&world->hand, NULL);
}

static bool contains(const struct nsc_trace *trace, nsc_event row, nsc_time t)
{
    return trace->events.start[row] <= t && nsc_event_touch_end(&trace->events, row) > t;
}

static nsc_event scan_parent(const struct nsc_trace *trace, uint32_t lane, nsc_event event)
{
    const struct nsc_track *track = &trace->tracks[trace->lanes[lane].track];
    const struct nsc_lane *above = &trace->lanes[lane] - 1;

    if (track->kind != NSC_TRACK_NVTX || lane == track->first_lane)
        return NSC_NONE;
    for (nsc_event row = above->first; row < above->first + above->n; row++)
        if (contains(trace, row, trace->events.start[event]))
            return row;
    return NSC_NONE;
}

static void check_parents(const struct nsc_trace *trace)
{
    for (uint32_t lane = 0; lane < trace->n_lanes; lane++) {
        const struct nsc_lane *at = &trace->lanes[lane];

        for (nsc_event row = at->first; row < at->first + at->n; row++)
            assert_int_equal(nsc_nvtx_parent(trace, row), scan_parent(trace, lane, row));
    }
}

/* Marks the ranges that the path must hold, and says how many. */
static uint32_t scan_path(const struct nsc_trace *trace, uint64_t process, uint32_t tid, nsc_time t,
                          bool in[])
{
    uint32_t n = 0;

    for (uint32_t lane = 0; lane < trace->n_lanes; lane++) {
        const struct nsc_lane *at = &trace->lanes[lane];
        const struct nsc_track *track = &trace->tracks[at->track];

        for (nsc_event row = at->first; row < at->first + at->n; row++) {
            in[row] = track->kind == NSC_TRACK_NVTX && track->process == process &&
                      track->tid == tid && contains(trace, row, t);
            n += in[row];
        }
    }
    return n;
}

static void check_path(struct world *world)
{
    const struct nsc_trace *trace = &world->hand.trace;
    uint64_t process = dice_below(&world->dice, 2);
    uint32_t tid = (uint32_t)dice_below(&world->dice, 2);
    nsc_time t = (nsc_time)dice_below(&world->dice, 8 * MAX_RANGES);
    bool in[MAX_ROWS];
    nsc_event path[MAX_ROWS];
    nsc_event brief[3];
    uint32_t n = scan_path(trace, process, tid, t, in);

    assert_int_equal(nsc_nvtx_path(trace, process, tid, t, path, MAX_ROWS), n);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_events *events = &trace->events;

        assert_true(in[path[i]]);
        in[path[i]] = false; /* each once */
        if (i == 0)
            continue;
        assert_true(events->start[path[i - 1]] <= events->start[path[i]]);
        if (events->start[path[i - 1]] == events->start[path[i]])
            assert_true(events->duration[path[i - 1]] >= events->duration[path[i]]);
    }
    assert_int_equal(nsc_nvtx_path(trace, process, tid, t, brief, 3), n);
    for (uint32_t i = 0; i < n && i < 3; i++)
        assert_int_equal(brief[i], path[i]);
}

TEST(nesting_equals_a_scan)
{
    struct world world = {.dice = dice_new(99)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 3000; i++) {
        roll_world(&world);
        check_parents(&world.hand.trace);
        for (int k = 0; k < 20; k++)
            check_path(&world);
    }
    hand_trace_fini(&world.hand);
}
