/*
 * Property tests of two compared recordings: after any keys, the event under the cursor is at the
 * cursor in its own recording's time, paired iterations begin in the same column, and the row of
 * differences equals a loop over every ns.
 */
#include "analysis/base/device_ops.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "support/screen_trace.h"
#include "view/scene/compare.h"
#include "view/scene/look.h"

#include <string.h>

static const char *const files[] = {"a.sqlite", "b.sqlite"};

/* Steps of 1 ms in A; of 1.2 ms in B, which has fewer and begins later. */
static const char steps[] = "*12 1ms nvtx 1 1ms 1.9ms step %d\n"
                            "*12 1ms api 1 1.01ms 1.02ms launch #1\n"
                            "*12 1ms kernel 0:7 1.1ms 1.6ms gemm #1\n"
                            "*12 1ms kernel 0:9 1.5ms 1.7ms ncclAllReduce\n"
                            "export\n"
                            "*9 1.2ms nvtx 1 31ms 31.9ms step %d\n"
                            "*9 1.2ms api 1 31.01ms 31.02ms launch #1\n"
                            "*9 1.2ms kernel 0:7 31.2ms 31.9ms gemm #1\n"
                            "*9 1.2ms htod 0:8 31.1ms 31.3ms copy\n"
                            "*9 1.2ms kernel 1:7 31.2ms 31.9ms gemm\n";
/* No iterations in either, and no GPU in B. */
static const char plain[] = "kernel 0:7 1ms 2ms a\nos 1 0 3ms poll\n"
                            "export\n"
                            "os 1 5ms 6ms poll\napi 2 5ms 7ms call\n";

static void open_world(struct nsc_test_world *world, const char *text, uint32_t rows)
{
    struct nsc_app_options options = {
        .file = files[0], .files = files, .n_files = 2, .align = "start", .compare = true};

    nsc_test_world_open(world, &options, text, rows, 100);
    nsc_test_work(world);
}

/* ---- any keys ---- */

static const char *const keys[] = {
    "Left", "Right", "Shift+Left", "Shift+Right", "Up",        "Down",      "Down",  "Tab",
    "+",    "+",     "-",          "0",           "f",         "u",         "U",     "`",
    "Home", "End",   "Space",      "<",           ">",         "g",         "l",     "}",
    "{",    "r",     "Esc",        "Enter",       "m 2 Enter", "I",         "b",     "n",
    "S",    "D",     "L",          "p",           "R",         "(",         ")",     "N",
    "v",    "M",     "H",          "Alt-Left",    "Alt-Right", "/ g Enter", "x Esc", "J",
};

static void check(const struct nsc_scene *scene, const struct nsc_app *app)
{
    const struct nsc_iteration_pairs *pairs = &app->compare.pairs;
    uint32_t side = scene->compare.side;
    uint32_t near = nsc_iteration_pairs_at(pairs, side, scene->cursor);
    struct nsc_scene copy;
    const struct nsc_scene *far = nsc_compare_side(scene, !side, &copy);
    nsc_time starts[2];

    if (scene->line < scene->lines.n && scene->lines.at[scene->line].kind != NSC_LINE_QUERY)
        assert_int_equal(
            nsc_trace_track(scene->trace, scene->lines.at[scene->line].track)->capture_no, side);
    if (scene->selected != NSC_NONE)
        assert_int_equal(nsc_trace_capture_of(scene->trace, scene->selected), side);
    if (near == NSC_NONE)
        return;
    starts[0] = nsc_iterations_window(pairs->of[side], near).t0;
    starts[1] = nsc_iterations_window(pairs->of[!side], pairs->partner[side][near]).t0;
    assert_int_equal(nsc_viewport_col(&scene->viewport, starts[0]),
                     nsc_viewport_col(&far->viewport, starts[1]));
    assert_int_equal(app->explore.iterations.at == pairs->of[side]->at, true);
}

TEST(any_keys_keep_the_halves_together)
{
    static const char *const texts[] = {steps, plain};
    struct dice dice = dice_new(20240906);

    for (size_t i = 0; i < 16; i++) {
        struct nsc_test_world world;

        open_world(&world, texts[i % 4 == 3], 16 + 8 * (uint32_t)(i % 3));
        assert_true(world.app->scene->compare.on);
        for (int k = 0; k < 150; k++) {
            nsc_test_press(&world, keys[dice_below(&dice, sizeof keys / sizeof *keys)]);
            nsc_test_app_check(world.app, &world.grid);
            check(world.app->scene, world.app);
        }
        nsc_test_world_fini(&world);
    }
}

/* The row with the cursor and the separating line are visible at any height. */
TEST(both_halves_are_seen)
{
    for (uint32_t rows = 18; rows < 40; rows++) {
        struct nsc_test_world world;
        const struct nsc_scene *scene;

        open_world(&world, steps, rows);
        scene = world.app->scene;
        assert_true(nsc_scene_row_of(scene, scene->line) >= 0);
        assert_true(nsc_scene_row_of(scene, scene->compare.first) >= 0);
        assert_true(nsc_compare_is_between(scene, scene->compare.first));
        for (int row = 0; row < scene->layout.timeline.rows; row++) {
            size_t line = nsc_scene_line_at(scene, row);

            assert_true(line >= scene->lines.n || nsc_scene_row_of(scene, line) == row);
        }
        nsc_test_world_fini(&world);
    }
}

/* ---- every ns by itself ---- */

/* What a GPU does at t: 0 compute, 1 exposed communication, 2 copies, 3 nothing. */
static int way_of(const struct nsc_trace *trace, uint32_t device, nsc_time t)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    const struct nsc_events *events = nsc_trace_events(trace);
    bool runs[3] = {false, false, false};

    for (uint32_t i = device; i < tracks[device].skip; i++)
        for (uint32_t k = 0; tracks[i].kind == NSC_TRACK_STREAM && k < tracks[i].n_lanes; k++) {
            const struct nsc_lane *lane = &lanes[tracks[i].first_lane + k];

            for (nsc_event e = lane->first; e < lane->first + lane->n; e++) {
                enum nsc_op_kind kind = NSC_OP_KIND_COMPUTE;

                if (events->start[e] > t || nsc_event_end(events, e) <= t)
                    continue;
                (void)nsc_op_kind_of(trace, e, &kind);
                runs[kind == NSC_OP_KIND_COMPUTE ? 0 : kind < NSC_OP_KIND_HTOD ? 1 : 2] = true;
            }
        }
    return runs[0] ? 0 : runs[2] ? 2 : runs[1] ? 1 : 3;
}

struct ways {
    nsc_time of[4];
};

static struct ways ways_of(const struct nsc_trace *trace, uint32_t device, struct nsc_window w,
                           uint32_t c, uint32_t cols, nsc_time lag)
{
    struct ways ways = {{0}};

    for (nsc_time t = nsc_window_cut(w, c, cols); t < nsc_window_cut(w, c + 1, cols); t++)
        ways.of[way_of(trace, device, t + lag)]++;
    return ways;
}

/* times in ns: one GPU each, and a second in B without a partner */
static nsc_time outside_of(const struct ways one[], const struct ways other[], uint32_t c,
                           uint32_t cols)
{
    nsc_time sum = 0;

    for (int i = 0; i < 4; i++) {
        nsc_time at = one[c].of[i];
        nsc_time low = other[c].of[i];
        nsc_time high = low;

        for (uint32_t k = c ? c - 1 : 0; k <= c + 1 && k < cols; k++) {
            low = other[k].of[i] < low ? other[k].of[i] : low;
            high = other[k].of[i] > high ? other[k].of[i] : high;
        }
        sum += at < low ? low - at : at > high ? at - high : 0;
    }
    return sum;
}

TEST(the_row_between_equals_a_loop_over_every_ns)
{
    /* times in ns: a GPU each, and two in B, of which the second has no partner */
    static const char text[] = "*6 100 kernel 0:7 10 55 gemm\n*6 100 kernel 0:9 40 80 ncclSend\n"
                               "export\n"
                               "*5 110 kernel 0:7 1010 1040 gemm\n*5 110 htod 0:8 1035 1070 copy\n"
                               "*5 90 kernel 1:7 1000 1040 gemm\n";
    struct nsc_test_world world;
    const struct nsc_scene *scene;
    enum { COLS = 20 };
    uint32_t cols = COLS;
    struct ways ways[2][COLS];
    uint32_t gpu[2];

    open_world(&world, text, 30);
    scene = world.app->scene;
    gpu[0] = nsc_device_next(scene->trace, NSC_NONE);
    gpu[1] = nsc_device_next(scene->trace, gpu[0]);
    for (nsc_time lag = 900; lag < 1100; lag += 37) {
        struct nsc_window w = nsc_viewport_window(&scene->viewport);

        nsc_scene_set_lag(world.app->edit, lag);
        w = nsc_viewport_window(&scene->viewport);
        nsc_compare_bins(scene, cols);
        for (uint32_t c = 0; c < cols; c++) {
            ways[0][c] = ways_of(scene->trace, gpu[0], w, c, cols, 0);
            ways[1][c] = ways_of(scene->trace, gpu[1], w, c, cols, lag);
        }
        for (uint32_t c = 0; c < cols; c++) {
            nsc_time length = nsc_window_cut(w, c + 1, cols) - nsc_window_cut(w, c, cols);
            nsc_time a = outside_of(ways[0], ways[1], c, cols);
            nsc_time b = outside_of(ways[1], ways[0], c, cols);

            assert_int_equal(scene->times[c], length > 0 ? (a > b ? a : b) * 1000 / 2 / length : 0);
        }
    }
    nsc_test_world_fini(&world);
}

/* The same work less than a column later is no difference; more work is one. */
TEST(work_a_column_later_is_no_difference)
{
    static const char *const text[] = {
        "kernel 0:7 0 10 gemm\n*4 100 kernel 0:7 100 150 gemm\nkernel 0:7 990 1000 gemm\nexport\n"
        "kernel 0:7 0 10 gemm\n*4 100 kernel 0:7 108 158 gemm\nkernel 0:7 990 1000 gemm\n",
        "kernel 0:7 0 10 gemm\n*4 100 kernel 0:7 100 150 gemm\nkernel 0:7 990 1000 gemm\nexport\n"
        "kernel 0:7 0 10 gemm\n*4 100 kernel 0:7 100 180 gemm\nkernel 0:7 990 1000 gemm\n"};

    for (int more = 0; more < 2; more++) {
        struct nsc_test_world world;
        nsc_time sum = 0;

        open_world(&world, text[more], 30);
        nsc_compare_bins(world.app->scene, 100);
        for (int c = 0; c < 100; c++)
            sum += world.app->scene->times[c];
        if (more)
            assert_true(sum > 0);
        else
            assert_int_equal(sum, 0);
        nsc_test_world_fini(&world);
    }
}

/* ---- pairs ---- */

/* The n-th of its class, by counting. */
static uint32_t number_of(const struct nsc_iterations *all, uint32_t i, bool by_kind)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < i; k++)
        n += all->at[k].warm_up == all->at[i].warm_up &&
             (!by_kind || all->at[i].warm_up || all->at[k].kind == all->at[i].kind);
    return n;
}

static void roll_iterations(struct nsc_iterations *out, struct nsc_iteration at[],
                            struct dice *dice, uint32_t n_kinds)
{
    uint32_t warm_up = (uint32_t)dice_below(dice, 3);

    *out = (struct nsc_iterations){.n = 8 + (uint32_t)dice_below(dice, 20), .at = at};
    out->n_kinds = n_kinds;
    for (uint32_t i = 0; i < out->n; i++) {
        at[i] = (struct nsc_iteration){.kind = (uint8_t)(i % n_kinds), .warm_up = i < warm_up};
        at[i].ops = 10 * (1u + at[i].kind * 4);
        at[i].window = (struct nsc_window){i * 10, i * 10 + 10};
    }
}

TEST(pairs_are_the_nth_with_the_nth)
{
    struct dice dice = dice_new(20240907);

    for (int round = 0; round < 200; round++) {
        struct nsc_iteration at[2][32];
        struct nsc_iterations all[2];
        struct nsc_iteration_pairs pairs;
        uint32_t n_kinds[2] = {1 + (uint32_t)dice_below(&dice, 2),
                               1 + (uint32_t)dice_below(&dice, 2)};
        uint32_t n = 0;

        for (int side = 0; side < 2; side++)
            roll_iterations(&all[side], at[side], &dice, n_kinds[side]);
        nsc_iteration_pairs_build(&pairs, &all[0], &all[1]);
        assert_int_equal(pairs.by_kind, n_kinds[0] == 2 && n_kinds[1] == 2);
        for (uint32_t i = 0; i < all[0].n; i++) {
            uint32_t found = NSC_NONE;

            for (uint32_t k = 0; k < all[1].n; k++)
                if (at[0][i].warm_up == at[1][k].warm_up &&
                    (!pairs.by_kind || at[0][i].warm_up || at[0][i].kind == at[1][k].kind) &&
                    number_of(&all[0], i, pairs.by_kind) == number_of(&all[1], k, pairs.by_kind))
                    found = k;
            assert_int_equal(pairs.partner[0][i], found);
            n += found != NSC_NONE;
            assert_true(found == NSC_NONE || pairs.partner[1][found] == i);
        }
        assert_int_equal(pairs.n, n);
        nsc_iteration_pairs_fini(&pairs);
    }
}
