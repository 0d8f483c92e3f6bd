/*
 * Property tests of the selection: figures of every group equal a scan over all rows, of one export
 * or two.
 */
#include "nsyscope/calltree.h"

#include "analysis/select/selection.h"
#include "core/bits.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>

enum { MAX_ROWS = 160, MAX_LANES = 512 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    char texts[MAX_ROWS][32];
    uint32_t n;
    struct nsc_trace *trace;
    uint64_t mask[(MAX_ROWS + 63) / 64];
    uint32_t lanes[MAX_LANES];
    struct nsc_selection_query query;
};

static void roll_row(struct world *world, uint32_t i, uint64_t bits, uint64_t exports)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_KERNEL, NSC_KIND_COPY_HTOD,
                                    NSC_KIND_API_RUNTIME, NSC_KIND_NVTX_RANGE};
    nsc_time start = (nsc_time)dice_below(&world->dice, 2000);

    (void)snprintf(world->texts[i], sizeof world->texts[i], "op %llu",
                   (unsigned long long)dice_below(&world->dice, 6));
    world->rows[i] = (struct nsc_test_row){
        .kind = kinds[dice_below(&world->dice, 5)],
        .process = 1 + dice_below(&world->dice, 2),
        .tid = 1 + (uint32_t)dice_below(&world->dice, 2),
        .context = 1,
        .stream = (int64_t)dice_below(&world->dice, 3),
        .name = world->texts[i],
        .start = start,
        .end = start + (nsc_time)(dice_next(&world->dice) >> (64 - bits)),
        .correlation = (uint32_t)dice_below(&world->dice, 40),
        .capture_no = (uint32_t)dice_below(&world->dice, exports),
    };
}

static void roll_world(struct world *world)
{
    uint64_t bits = dice_below(&world->dice, 5) ? 1 + dice_below(&world->dice, 10) : 36;
    uint64_t exports = 1 + dice_below(&world->dice, 2);
    uint32_t n_lanes = 0;

    world->n = (uint32_t)dice_below(&world->dice, MAX_ROWS);
    for (uint32_t i = 0; i < world->n; i++)
        roll_row(world, i, bits, exports);
    world->trace = nsc_test_trace_build(world->rows, world->n);
    for (uint32_t i = 0; i < MAX_ROWS; i++)
        if (dice_below(&world->dice, 4))
            nsc_bits_set(world->mask, i);
        else
            nsc_bits_unset(world->mask, i);
    (void)nsc_trace_lanes(world->trace, &n_lanes);
    assert_true(n_lanes < MAX_LANES);
    world->query = (struct nsc_selection_query){.trace = world->trace, .lanes = world->lanes};
    for (uint32_t lane = 0; lane < n_lanes; lane++)
        if (dice_below(&world->dice, 3))
            world->lanes[world->query.n_lanes++] = lane;
    world->query.window.t0 = (nsc_time)dice_below(&world->dice, 2000);
    world->query.window.t1 =
        world->query.window.t0 + 1 + (nsc_time)dice_below(&world->dice, bits > 10 ? 90000 : 900);
    world->query.pivot = (enum nsc_pivot)dice_below(&world->dice, NSC_N_PIVOTS);
    world->query.brief = dice_below(&world->dice, 2);
}

static bool is_taken(const struct world *world, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t lane = nsc_trace_lane_of(world->trace, row);
    bool wanted = false;

    for (uint32_t i = 0; i < world->query.n_lanes; i++)
        wanted |= world->lanes[i] == lane;
    return wanted && nsc_bits_get(world->mask, row) &&
           events->start[row] < world->query.window.t1 &&
           nsc_event_touch_end(events, row) > world->query.window.t0;
}

static const struct nsc_track *track_of(const struct world *world, nsc_event row)
{
    uint32_t lane = nsc_trace_lane_of(world->trace, row);

    return nsc_trace_track(world->trace, nsc_trace_lanes(world->trace, NULL)[lane].track);
}

/* The innermost range around a row or its launch, as calltree.h defines it. */
static nsc_event range_of(const struct world *world, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event path[MAX_ROWS];
    nsc_event cause = row;
    uint32_t n = 0;

    if (nsc_kind_is_gpu(events->kind[row]))
        cause = events->link[row];
    if (cause == NSC_NONE)
        return NSC_NONE;
    n = nsc_nvtx_path(world->trace, track_of(world, cause)->process, track_of(world, cause)->tid,
                      events->start[cause], path, MAX_ROWS);
    for (uint32_t i = 0; i < n; i++) /* what comes after the row is inside it */
        n = path[i] == row ? i : n;
    return n ? path[n - 1] : NSC_NONE;
}

/* Whether two rows are in one group; b represents its group. */
static bool is_together(const struct world *world, nsc_event row, nsc_event like)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const nsc_str *names = world->query.brief ? nsc_trace_names(world->trace)->brief
                                              : nsc_trace_names(world->trace)->full;
    nsc_event range = NSC_NONE;

    switch (world->query.pivot) {
    case NSC_PIVOT_NAME:
        return names[events->name[row]] == names[events->name[like]];
    case NSC_PIVOT_TRACK:
        return track_of(world, row) == track_of(world, like);
    case NSC_PIVOT_PROCESS:
        return track_of(world, row)->process == track_of(world, like)->process;
    case NSC_PIVOT_NVTX:
        range = range_of(world, row);
        if (range == NSC_NONE || like == NSC_NONE)
            return range == like;
        return names[events->name[range]] == names[events->name[like]];
    case NSC_N_PIVOTS:
        break;
    }
    return false;
}

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

/* ns of the window in which a row of the set runs, computed between consecutive edges. */
static nsc_time naive_cover(const struct world *world, const nsc_event set[], uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_window w = world->query.window;
    nsc_time sum = 0;

    for (nsc_time t = w.t0; n && t < w.t1;) {
        nsc_time reach = t;
        nsc_time next = w.t1;

        for (uint32_t i = 0; i < n; i++) {
            nsc_time start = events->start[set[i]];
            nsc_time end = nsc_event_end(events, set[i]);

            if (start <= t && end > reach)
                reach = end;
            else if (start > t && start < next && end > start)
                next = start;
        }
        reach = reach < w.t1 ? reach : w.t1;
        sum += reach - t;
        t = reach > t ? reach : next;
    }
    return sum;
}

static void check_figures(const struct world *world, const struct nsc_figures *figures,
                          const nsc_event set[], uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_window w = world->query.window;
    nsc_time times[MAX_ROWS];
    nsc_time inside = 0;
    nsc_time total = 0;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = events->start[set[i]] > w.t0 ? events->start[set[i]] : w.t0;
        nsc_time end = nsc_event_end(events, set[i]);

        times[i] = nsc_event_duration(events, set[i]);
        total += times[i];
        end = end < w.t1 ? end : w.t1;
        inside += end > start ? end - start : 0;
    }
    qsort(times, n, sizeof *times, compare_times);
    assert_int_equal(figures->count, n);
    assert_int_equal(figures->inside, inside);
    if (!world->query.sums_only)
        assert_int_equal(figures->covered, naive_cover(world, set, n));
    assert_int_equal(figures->total, total);
    if (!n)
        return;
    assert_int_equal(figures->min, times[0]);
    assert_int_equal(figures->max, times[n - 1]);
    if (world->query.sums_only)
        return;
    assert_int_equal(figures->median, times[(n - 1) / 2]);
    assert_int_equal(figures->p95, times[(n * 95 + 99) / 100 - 1]);
}

/* The event that starts first; of equal starts the first row. n > 0. */
static nsc_event first_of(const struct world *world, const nsc_event set[], uint32_t n)
{
    const nsc_time *start = nsc_trace_events(world->trace)->start;
    nsc_event first = set[0];

    for (uint32_t i = 1; i < n; i++)
        if (start[set[i]] < start[first] || (start[set[i]] == start[first] && set[i] < first))
            first = set[i];
    return first;
}

static void check_selection(const struct world *world, const struct nsc_selection *selection)
{
    uint32_t n_groups = 0;
    const struct nsc_pivot_group *groups = nsc_selection_groups(selection, &n_groups);
    uint32_t n_rows = nsc_trace_events(world->trace)->n;
    nsc_event all[MAX_ROWS];
    uint32_t n = 0;
    uint32_t grouped = 0;

    for (nsc_event row = 0; row < n_rows; row++)
        if (is_taken(world, row))
            all[n++] = row;
    check_figures(world, nsc_selection_all(selection), all, n);
    assert_int_equal(nsc_selection_has_quantiles(selection), !world->query.sums_only || !n);
    for (uint32_t g = 0; g < n_groups; g++) {
        nsc_event set[MAX_ROWS];
        uint32_t in = 0;

        for (uint32_t i = 0; i < n; i++)
            if (is_together(world, all[i], groups[g].like))
                set[in++] = all[i];
        check_figures(world, &groups[g].figures, set, in);
        assert_true(g == 0 || groups[g - 1].figures.inside >= groups[g].figures.inside);
        if (world->query.pivot != NSC_PIVOT_NVTX)
            assert_int_equal(groups[g].like, first_of(world, set, in));
        grouped += in;
    }
    assert_int_equal(grouped, n);
}

TEST(figures_equal_those_of_a_scan)
{
    struct world *world = calloc(1, sizeof *world);

    world->dice = dice_new(77);
    for (int i = 0; i < 800; i++) {
        struct nsc_selection *selection = NULL;

        roll_world(world);
        world->query.sums_only = i % 4 == 0 && world->query.pivot != NSC_PIVOT_NVTX;
        selection = nsc_selection_new(&world->query);
        nsc_selection_run(selection, world->mask);
        check_selection(world, selection);
        nsc_selection_free(selection);
        nsc_trace_free(world->trace);
    }
    free(world);
}
