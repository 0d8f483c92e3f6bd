/*
 * Property tests of the range around a call: each policy of the cursor equals a scan of all ranges,
 * on random ranges of several threads, domains and processes, of one export or two.
 */
#include "analysis/base/around.h"
#include "analysis/base/scope.h"
#include "index/builder.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

enum { ROWS = 120, ASKED = 60, SPAN = 120 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[ROWS];
    struct nsc_trace *trace;
    const struct nsc_events *events;
    nsc_time from; /* ranges that start before are left out */
};

static void roll_world(struct world *world)
{
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE,
                                    NSC_KIND_NVTX_SPAN, NSC_KIND_NVTX_MARK};
    static const char *const names[] = {"step", "forward", "layer"};
    uint32_t n = (uint32_t)dice_below(&world->dice, ROWS);
    uint64_t exports = 1 + dice_below(&world->dice, 2);
    uint64_t most = 1 + dice_below(&world->dice, 3) * dice_below(&world->dice, 60);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_test_row *row = &world->rows[i];
        nsc_time start = (nsc_time)dice_below(&world->dice, SPAN);

        *row = (struct nsc_test_row){.kind = kinds[dice_below(&world->dice, 5)],
                                     .process = 1 + dice_below(&world->dice, 2),
                                     .tid = 1 + (uint32_t)dice_below(&world->dice, 3),
                                     .domain = (int64_t)dice_below(&world->dice, 2),
                                     .start = start,
                                     .end = start + (nsc_time)dice_below(&world->dice, most),
                                     .name = names[dice_below(&world->dice, 3)],
                                     .capture_no = (uint32_t)dice_below(&world->dice, exports)};
        if (row->kind == NSC_KIND_NVTX_MARK)
            row->end = start;
        else if (dice_below(&world->dice, 12) == 0)
            row->end = NSC_TIME_OPEN;
    }
    world->trace = nsc_test_trace_build(world->rows, n);
    world->events = nsc_trace_events(world->trace);
    world->from = (nsc_time)dice_below(&world->dice, 3) * 20;
}

/* Ascending times, some equal, of calls that last up to 9 ns. */
static void roll_calls(struct world *world, struct nsc_window calls[ASKED])
{
    nsc_time t = -5;

    for (int i = 0; i < ASKED; i++) {
        t += (nsc_time)dice_below(&world->dice, 6);
        calls[i] = (struct nsc_window){t, t + (nsc_time)dice_below(&world->dice, 10)};
    }
}

static const struct nsc_track *track_of(const struct world *world, nsc_event row)
{
    return nsc_trace_track(
        world->trace,
        nsc_trace_lanes(world->trace, NULL)[nsc_trace_lane_of(world->trace, row)].track);
}

/* ---- a domain of a thread: half-open ranges at the start of the call ---- */

static bool is_around(const struct world *world, nsc_event row, nsc_time t)
{
    return world->events->start[row] <= t && nsc_event_touch_end(world->events, row) > t;
}

/* The row of a lane around t. */
static nsc_event row_around(const struct world *world, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *of = &nsc_trace_lanes(world->trace, NULL)[lane];

    for (nsc_event row = of->first; row < of->first + of->n; row++)
        if (is_around(world, row, t))
            return row;
    return NSC_NONE;
}

static void check_nested(struct world *world, const struct nsc_track *track)
{
    struct nsc_window calls[ASKED];
    struct nsc_around around;
    nsc_event open[ROWS];
    uint32_t n = 0;

    roll_calls(world, calls);
    nsc_around_nested(&around, world->trace, track->first_lane, track->n_lanes);
    for (int i = 0; i < ASKED; i++) {
        nsc_time t = calls[i].t0;

        while (n > 0 && !is_around(world, open[n - 1], t))
            n--;
        while (n < track->n_lanes &&
               (open[n] = row_around(world, track->first_lane + n, t)) != NSC_NONE)
            n++;
        assert_int_equal(nsc_around_latest(&around, t, t), n > 0 ? open[n - 1] : NSC_NONE);
        assert_int_equal(around.open.n, n);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(around.open.at[k].id, open[k]);
    }
    nsc_around_fini(&around);
}

static bool comes_before(const struct world *world, nsc_event a, nsc_event b)
{
    return world->events->start[a] != world->events->start[b]
               ? world->events->start[a] < world->events->start[b]
               : a < b;
}

/* ---- a thread: whole calls in ranges and spans that last ---- */

static bool next_lasting(struct nsc_around *around, struct nsc_around_range *range)
{
    while ((range->id = nsc_lane_merge_next(&around->lanes)) != NSC_NONE) {
        range->start = around->events->start[range->id];
        range->end = nsc_event_end(around->events, range->id);
        if (range->end > range->start)
            return true;
    }
    return false;
}

static void check_thread(struct world *world, uint64_t process, uint32_t tid)
{
    struct nsc_window calls[ASKED];
    struct nsc_around around;

    roll_calls(world, calls);
    nsc_around_tracks(&around, world->trace, NSC_RANGE_TRACKS, process, tid, next_lasting, NULL);
    for (int i = 0; i < ASKED; i++) {
        nsc_event latest = NSC_NONE;

        for (nsc_event row = 0; row < world->events->n; row++)
            if (track_of(world, row)->process == process && track_of(world, row)->tid == tid &&
                world->events->kind[row] != NSC_KIND_NVTX_MARK &&
                nsc_event_duration(world->events, row) > 0 &&
                world->events->start[row] <= calls[i].t0 &&
                nsc_event_end(world->events, row) >= calls[i].t1 &&
                (latest == NSC_NONE || comes_before(world, latest, row)))
                latest = row;
        assert_int_equal(nsc_around_latest(&around, calls[i].t0, calls[i].t1), latest);
    }
    nsc_around_fini(&around);
}

/* ---- a process: the shortest of all threads, marks too; ranges without an end are instants ---- */

static bool is_open(const struct world *world, nsc_event row)
{
    return world->rows[world->events->source[row]].end == NSC_TIME_OPEN;
}

static nsc_time end_of(const struct world *world, nsc_event row)
{
    return is_open(world, row) ? world->events->start[row] : nsc_event_end(world->events, row);
}

static bool next_of_process(struct nsc_around *around, struct nsc_around_range *range)
{
    const struct world *world = around->context;

    while ((range->id = nsc_lane_merge_next(&around->lanes)) != NSC_NONE) {
        range->start = around->events->start[range->id];
        range->end = end_of(world, range->id);
        range->tie = around->events->source[range->id];
        if (range->start >= world->from)
            return true;
    }
    return false;
}

/* The number of candidates that start later, up to t, or have a later row. */
static uint32_t count_later(const struct world *world, uint64_t process, nsc_event row, nsc_time t)
{
    const struct nsc_events *events = world->events;
    uint32_t n = 0;

    for (nsc_event other = 0; other < events->n; other++)
        n += track_of(world, other)->process == process && events->start[other] <= t &&
             (events->start[other] > events->start[row] ||
              (events->start[other] == events->start[row] &&
               events->source[other] > events->source[row]));
    return n;
}

static nsc_event shortest(const struct world *world, uint64_t process, nsc_time t, uint32_t cap)
{
    nsc_event best = NSC_NONE;
    uint32_t later = 0;

    for (nsc_event row = 0; row < world->events->n; row++) {
        nsc_time length = end_of(world, row) - world->events->start[row];
        nsc_time least = 0;
        uint32_t n = 0;

        if (track_of(world, row)->process != process || world->events->start[row] < world->from ||
            world->events->start[row] > t || end_of(world, row) < t)
            continue;
        n = count_later(world, process, row, t);
        if (best != NSC_NONE)
            least = end_of(world, best) - world->events->start[best];
        if ((cap > 0 && n >= cap) ||
            (best != NSC_NONE && (length > least || (length == least && n > later))))
            continue;
        best = row;
        later = n;
    }
    return best;
}

static void check_process(struct world *world, uint64_t process, uint32_t cap)
{
    struct nsc_window calls[ASKED];
    struct nsc_around around;

    roll_calls(world, calls);
    nsc_around_tracks(&around, world->trace, NSC_RANGE_TRACKS | NSC_TRACK_BIT(NSC_TRACK_MARKS),
                      process, NSC_NONE, next_of_process, world);
    around.cap = cap;
    for (int i = 0; i < ASKED; i++)
        assert_int_equal(nsc_around_shortest(&around, calls[i].t0),
                         shortest(world, process, calls[i].t0, cap));
    nsc_around_fini(&around);
}

TEST(every_policy_equals_a_scan)
{
    struct world world = {.dice = dice_new(0xa20d)};

    for (int round = 0; round < 250; round++) {
        uint32_t n = 0;
        const struct nsc_track *tracks;

        roll_world(&world);
        tracks = nsc_trace_tracks(world.trace, &n);
        for (uint32_t t = 0; t < n; t++)
            if (tracks[t].kind == NSC_TRACK_NVTX || tracks[t].kind == NSC_TRACK_SPANS)
                check_nested(&world, &tracks[t]);
        for (uint64_t process = 1; process <= 2; process++) {
            for (uint32_t tid = 1; tid <= 3; tid++)
                check_thread(&world, process, tid);
            world.from = 0;
            check_process(&world, process, 1 + (uint32_t)dice_below(&world.dice, 8));
            world.from = (nsc_time)dice_below(&world.dice, 3) * 20;
            check_process(&world, process, 0);
        }
        nsc_trace_free(world.trace);
    }
}
