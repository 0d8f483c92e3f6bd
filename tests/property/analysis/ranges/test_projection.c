/*
 * Property tests of projected ranges: each is the span of the work that its thread launched inside
 * it on the device, and none is missing, in one export or two.
 */
#include "nsyscope/cover.h"

#include "analysis/ranges/projection.h"
#include "analysis/ranges/tree_gpu.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

enum { MAX_ROWS = 150 };

static uint32_t roll(struct dice *dice, struct nsc_test_row rows[])
{
    uint64_t exports = 1 + dice_below(dice, 2);
    bool is_backward = dice_below(dice, 4) == 0; /* streams run late calls first */
    uint32_t n = 0;

    for (uint64_t k = dice_below(dice, 40); k > 0; k--) { /* calls and what they launch */
        nsc_time t = (nsc_time)dice_below(dice, 200);
        uint32_t tid = 1 + (uint32_t)dice_below(dice, 2);
        uint32_t capture_no = (uint32_t)dice_below(dice, exports);

        rows[n] = (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                        .process = 1,
                                        .tid = tid,
                                        .start = t,
                                        .end = t + (nsc_time)dice_below(dice, 4),
                                        .name = "launch",
                                        .correlation = n + 1,
                                        .capture_no = capture_no};
        n++;
        rows[n] = (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                        .process = 1,
                                        .context = 1,
                                        .device = (int64_t)dice_below(dice, 2),
                                        .stream = (int64_t)dice_below(dice, 2),
                                        .name = "k",
                                        .start = (is_backward ? 200 - t : t) +
                                                 (nsc_time)dice_below(dice, 60),
                                        .correlation = dice_below(dice, 8) ? n : 0,
                                        .capture_no = capture_no};
        rows[n].end = rows[n].start + (nsc_time)dice_below(dice, 9) +
                      (dice_below(dice, 30) ? 0 : (nsc_time)NSC_LONG);
        n++;
    }
    for (uint64_t k = dice_below(dice, 50); k > 0; k--) {
        nsc_time t = (nsc_time)dice_below(dice, 200);

        rows[n++] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                          .process = 1,
                                          .tid = 1 + (uint32_t)dice_below(dice, 2),
                                          .domain = (int64_t)dice_below(dice, 2),
                                          .start = t,
                                          .end = t + (nsc_time)dice_below(dice, 80),
                                          .name = "r",
                                          .capture_no = (uint32_t)dice_below(dice, exports)};
    }
    return n;
}

/* The span of the work of a device launched inside a range; false when there is none. */
static bool span_of(const struct nsc_trace *trace, nsc_event range, uint32_t device,
                    struct nsc_window *out)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    const struct nsc_track *own = &tracks[lanes[nsc_trace_lane_of(trace, range)].track];

    *out = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (nsc_event op = 0; op < events->n; op++) {
        nsc_event call = events->link[op];
        uint32_t track = lanes[nsc_trace_lane_of(trace, op)].track;
        uint32_t thread = 0;

        if (!nsc_kind_is_gpu(events->kind[op]) || call == NSC_NONE ||
            nsc_trace_group_of(trace, track) != device)
            continue;
        thread = lanes[nsc_trace_lane_of(trace, call)].track;
        if (tracks[thread].tid != own->tid || tracks[thread].process != own->process ||
            events->start[call] < events->start[range] ||
            events->start[call] >= nsc_event_touch_end(events, range))
            continue;
        out->t0 = events->start[op] < out->t0 ? events->start[op] : out->t0;
        out->t1 = nsc_event_end(events, op) > out->t1 ? nsc_event_end(events, op) : out->t1;
    }
    return out->t0 <= out->t1;
}

/* Rows of a line: at the right times, disjoint in a lane, with the right depth. */
static uint32_t check_line(const struct nsc_trace *trace, const struct nsc_trace *derived,
                           const struct nsc_projection_line *line)
{
    const struct nsc_events *events = nsc_trace_events(derived);
    const struct nsc_lane *lanes = nsc_trace_lanes(derived, NULL);
    const struct nsc_track *track = nsc_trace_track(trace, line->track);
    uint32_t n = 0;

    for (uint32_t k = line->first_lane; k < line->first_lane + line->n_lanes; k++) {
        assert_true(lanes[k].n > 0);
        for (nsc_event row = lanes[k].first; row < lanes[k].first + lanes[k].n; row++) {
            struct nsc_window w;

            assert_true(span_of(trace, events->source[row], line->device, &w));
            assert_int_equal(events->start[row], w.t0);
            assert_int_equal(nsc_event_end(events, row), w.t1);
            assert_int_equal(nsc_trace_lane_of(trace, events->source[row]),
                             track->first_lane + line->depth);
            assert_true(row == lanes[k].first ||
                        nsc_event_end(events, row - 1) <= events->start[row]);
            n++;
        }
    }
    return n;
}

static uint32_t count_projected(const struct nsc_trace *trace, uint32_t depths)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t count = 0;

    for (nsc_event range = 0; range < events->n; range++)
        for (uint32_t d = 0; d < n; d = nsc_group_end(tracks, d)) {
            const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
            uint32_t lane = nsc_trace_lane_of(trace, range);
            struct nsc_window w;

            count += events->kind[range] == NSC_KIND_NVTX_RANGE &&
                     tracks[d].kind == NSC_TRACK_DEVICE &&
                     lane - tracks[lanes[lane].track].first_lane < depths &&
                     span_of(trace, range, d, &w);
        }
    return count;
}

TEST(projections_equal_spans)
{
    struct dice dice = dice_new(61);

    for (int i = 0; i < 600; i++) {
        struct nsc_test_row rows[MAX_ROWS];
        struct nsc_trace *trace = nsc_test_trace_build(rows, roll(&dice, rows));
        struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);
        uint32_t depths = 1 + (uint32_t)dice_below(&dice, NSC_PROJECTION_SHOWN);
        struct nsc_projection *projection =
            nsc_projection_build(trace, launches, depths, NULL, NULL);
        uint32_t n = 0;

        assert_non_null(projection);
        for (uint32_t k = 0; k < projection->n; k++)
            n += check_line(trace, projection->derived, &projection->lines[k]);
        assert_int_equal(n, nsc_trace_events(projection->derived)->n);
        assert_int_equal(n, count_projected(trace, depths));
        nsc_projection_free(projection);
        nsc_launches_free(launches);
        nsc_trace_free(trace);
    }
}

/* ---- the idle time of merged ranges ---- */

/* The idle time, inside a range, of the GPU it launches to first, computed naively. */
static nsc_time idle_of(const struct nsc_trace *trace, const struct nsc_launches *launches,
                        nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window w = {events->start[row], nsc_event_end(events, row)};
    struct nsc_positions in = nsc_launches_inside(launches, row);
    const struct nsc_cover *busy;
    uint32_t lane;

    if (in.first == in.end || w.t1 <= w.t0)
        return 0;
    lane = nsc_trace_lane_of(trace, nsc_launches_op(launches, in.first));
    busy = nsc_trace_device_covers(
               trace, nsc_trace_group_of(trace, nsc_trace_lanes(trace, NULL)[lane].track))
               ->busy;
    return busy ? nsc_window_length(w) - nsc_cover_measure(busy, w) : 0; /* NULL: instants alone */
}

TEST(idle_is_that_of_each_call)
{
    struct dice dice = dice_new(62);
    uint32_t n_idle = 0;

    for (int i = 0; i < 600; i++) {
        struct nsc_test_row rows[MAX_ROWS];
        struct nsc_trace *trace = nsc_test_trace_build(rows, roll(&dice, rows));
        struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);
        struct nsc_calltree *tree = nsc_calltree_build(trace, NULL, NSC_PATHS_BY_NAME);
        nsc_time idle[MAX_ROWS] = {0};
        struct nsc_tree_gpu gpu;
        struct nsc_helper_launches lends;

        nsc_helper_launches_build(&lends, trace, launches);
        nsc_tree_gpu_build(&gpu, tree, trace, launches, &lends, NULL);
        nsc_helper_launches_fini(&lends);
        nsc_tree_gpu_add_idle(&gpu, tree, trace, launches);
        for (uint32_t k = 0; k < tree->n_rows; k++)
            if (tree->node_of[k] != NSC_NONE)
                idle[tree->node_of[k]] += idle_of(trace, launches, tree->first_row + k);
        for (uint32_t k = 0; k < tree->n; k++) {
            assert_int_equal(gpu.idle[k], idle[k]);
            n_idle += idle[k] > 0;
        }
        nsc_tree_gpu_fini(&gpu);
        nsc_calltree_free(tree);
        nsc_launches_free(launches);
        nsc_trace_free(trace);
    }
    assert_true(n_idle > 100);
}
