/*
 * Unit tests of exploring: the overlap pane; iterations, the mark and the axis;
 * events of one name.
 */
#include "index/trace_data.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/theme.h"
#include "view/model/bars.h"
#include "view/pane/lines.h"
#include "view/scene/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
    struct nsc_test_world *world = calloc(1, sizeof *world);

    nsc_test_world_open(world, NULL, nsc_test_trace_sample, 40, 100);
    *state = world;
    return 0;
}

/* ---- the overlap pane ---- */

TEST_WITH(overlap_is_measured_while_it_is_shown, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_overlap *overlap = &world->app->explore.overlap;

    nsc_test_work(world); /* the summary's */
    nsc_test_step(world, "O");
    assert_true(world->app->pane_open && world->app->pane == NSC_PANE_OVERLAP);
    nsc_test_work(world);
    assert_true(world->app->explore.has_overlap);
    assert_int_equal(overlap->n, 3);
    assert_int_equal(overlap->together[0][0], 40 * 215000);
    nsc_test_step(world, "+");
    nsc_test_work(world);
    assert_true(world->app->explore.has_overlap);
    assert_int_equal(overlap->window.t0, nsc_viewport_window(&world->app->scene->viewport).t0);
    assert_true(overlap->together[0][0] < 40 * 215000);
    nsc_test_step(world, "O");
    assert_false(world->app->pane_open && world->app->pane == NSC_PANE_OVERLAP);
    nsc_test_step(world, "-");
    assert_false(world->effects.set & NSC_EFFECT_WORK);
}

TEST_WITH(overlap_is_of_the_device_of_the_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_test_world two = {0};

    assert_int_equal(nsc_scene_device(world->app->scene), 0);
    nsc_test_world_open(&two, NULL,
                        "kernel 0:7 0 10us a\nkernel 1:7 0 10us b\nos 111 0 10us poll\n", 40, 100);
    nsc_scene_set_line(two.app->edit, 0);
    assert_int_equal(nsc_scene_device(two.app->scene), 0);
    nsc_scene_go_to_row(two.app->edit, 2, NSC_NONE);
    assert_int_equal(nsc_scene_device(two.app->scene), 2);
    nsc_scene_set_line(two.app->edit, two.app->scene->lines.n - 1);
    assert_int_equal(nsc_scene_device(two.app->scene), 0);
    nsc_test_world_fini(&two);
}

TEST(without_a_device_there_is_nothing_to_measure)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "os 111 0 10us poll\n", 40, 100);
    assert_int_equal(nsc_scene_device(world.app->scene), NSC_NONE);
    nsc_test_step(&world, "O");
    assert_false(world.effects.set & NSC_EFFECT_WORK);
    nsc_test_world_fini(&world);
}

/* ---- iterations ---- */

TEST_WITH(iterations_are_walked, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_window w;

    assert_int_equal(app->explore.iterations.n, 5);
    assert_int_equal(app->scene->layout.strip.rows, 1);
    nsc_test_step(world, "}");
    w = nsc_viewport_window(&app->scene->viewport);
    assert_int_equal(w.t1 - w.t0, 2000000);
    assert_int_equal(nsc_scene_cursor_col(app->scene), 0);
    assert_non_null(strstr(app->message, "n 5, median 2.00 ms, min 1.99 ms"));
    nsc_test_step(world, "{");
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0, w.t0 - 2000000);
    for (int i = 0; i < 5; i++)
        nsc_test_step(world, "{");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    assert_string_equal(app->message, "No earlier iteration.");
    assert_int_equal(nsc_iterations_at(&app->explore.iterations, app->scene->cursor), 0);
    for (int i = 0; i < 5; i++)
        nsc_test_step(world, "}");
    assert_string_equal(app->message, "No later iteration.");
    assert_int_equal(nsc_iterations_at(&app->explore.iterations, app->scene->cursor), 4);
    nsc_test_step(world, "u");
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0, 6000000);
}

TEST(iterations_have_a_number_and_a_rank)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "*3 1ms nvtx 111 0 900us iteration %d\nnvtx 111 3ms 4.9ms iteration 3\n"
                        "nvtx 111 5ms 5.9ms iteration 4\nnvtx 111 6ms 6.9ms iteration 5\n"
                        "*7 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                        "*7 1ms kernel 0:7 200us 800us k #1\n",
                        30, 100);
    nsc_test_press(&world, "I");
    assert_string_equal(world.app->message,
                        "iteration 3: 2.00 ms, 1st of 6 by length   n, N: next, previous");
    nsc_test_press(&world, "n n n n");
    assert_non_null(strstr(world.app->message, ", 5th of 6 by length"));
    nsc_test_world_fini(&world);
}

/* Two ranks: iteration 3 is the slowest of GPU 0, iteration 1 that of GPU 1. */
TEST(iterations_are_those_of_the_gpu_of_the_cursor)
{
    struct nsc_test_world world = {0};
    struct nsc_iterations here;
    uint32_t device;

    nsc_test_world_open(&world, NULL,
                        "*3 1ms nvtx 111 0 900us step %d\nnvtx 111 3ms 4.9ms step 3\n"
                        "nvtx 111 5ms 5.9ms step 4\nnvtx 111 6ms 6.9ms step 5\n"
                        "*7 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                        "*7 1ms kernel 0:7 200us 800us k #1\n"
                        "export\n"
                        "nvtx 111 0 900us step 0\nnvtx 111 1ms 2.8ms step 1\n"
                        "nvtx 111 3ms 3.9ms step 2\nnvtx 111 4ms 4.9ms step 3\n"
                        "nvtx 111 5ms 5.9ms step 4\nnvtx 111 6ms 6.9ms step 5\n"
                        "*7 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                        "*7 1ms kernel 1:7 200us 800us k #1\n",
                        40, 120);
    assert_int_equal(world.app->explore.iterations.n_lines, 2);
    nsc_test_press(&world, "I");
    assert_non_null(strstr(world.app->message, "iteration 3: 2.00 ms, 1st of 6 of this GPU by"));
    assert_non_null(strstr(nsc_test_row(&world, 3), "3 of 0…5"));
    nsc_test_press(&world, "n");
    assert_non_null(strstr(world.app->message, ", 2nd of 6 of this GPU by"));
    device = nsc_scene_device(world.app->scene);
    while (nsc_scene_device(world.app->scene) == device)
        nsc_test_press(&world, "Down");
    nsc_test_press(&world, "n"); /* the list of GPU 0 is not that of GPU 1 */
    assert_non_null(strstr(world.app->message, "iteration 1: 2.00 ms, 1st of 6 of this GPU by"));
    here = nsc_iterations_here(world.app->scene, &world.app->explore);
    assert_int_equal(nsc_iterations_window(&here, 1).t1, 3000000);
    assert_non_null(strstr(nsc_test_row(&world, 3), "1 of 0…5"));
    nsc_test_press(&world, "}");
    assert_non_null(strstr(world.app->message, "iteration 2: 1.00 ms;"));
    nsc_test_world_fini(&world);
}

/* The fourth step is long: it is iteration 3, as in every answer, whatever number its range has. */
TEST(an_iteration_has_one_number_and_its_name)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "nvtx 111 0 900us Step 0 to 9\nnvtx 111 1ms 1.9ms Step 10 to 19\n"
                        "nvtx 111 2ms 2.9ms Step 20 to 29\nnvtx 111 3ms 4.9ms Step 30 to 39\n"
                        "nvtx 111 5ms 5.9ms Step 40 to 49\nnvtx 111 6ms 6.9ms Step 50 to 59\n"
                        "*7 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                        "*7 1ms kernel 0:7 200us 800us k #1\n",
                        30, 100);
    nsc_test_press(&world, "I");
    assert_string_equal(
        world.app->message,
        "iteration 3, Step 30 to 39: 2.00 ms, 1st of 6 by length   n, N: next, previous");
    nsc_test_press(&world, "}");
    assert_non_null(strstr(world.app->message, "iteration 4, Step 40 to 49: 1.00 ms; n 6"));
    nsc_test_world_fini(&world);
}

/* "step" has no number of its own, and the 7 of "step7" is in each name. */
TEST(iterations_of_one_name_are_told_by_their_number)
{
    static const char *const names[] = {"step", "step7"};

    for (size_t i = 0; i < 2; i++) {
        struct nsc_test_world world = {0};
        char trace[256];

        (void)snprintf(trace, sizeof trace,
                       "*6 1ms nvtx 111 0 900us %s\n"
                       "*6 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                       "*6 1ms kernel 0:7 200us 800us k #1\n",
                       names[i]);
        nsc_test_world_open(&world, NULL, trace, 30, 100);
        nsc_test_press(&world, "}");
        assert_memory_equal(world.app->message, "iteration 1: ", 13);
        nsc_test_world_fini(&world);
    }
}

/* The first of 20 takes five times as long: the longest of the others is not the longest of all. */
TEST(iterations_without_warm_up_are_told_as_such)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "nvtx 111 0 4900us step\n*19 1ms nvtx 111 5ms 5900us step\n"
                        "*24 1ms api 111 100us 110us cudaLaunchKernel #1\n"
                        "*24 1ms kernel 0:7 200us 800us k #1\n",
                        30, 120);
    nsc_test_press(&world, "}");
    assert_non_null(strstr(world.app->message, "n 20, 1 warm-up; others: median 1.00 ms"));
    nsc_test_world_fini(&world);
}

TEST_WITH(iterations_can_be_named, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    assert_true(nsc_app_set_iterations(world->app, nsc_text_from("backward")));
    assert_int_equal(world->app->explore.iterations.n, 5);
    assert_string_equal(world->app->explore.iterations.label, "backward");
    assert_false(nsc_app_set_iterations(world->app, nsc_text_from("epoch")));
    assert_string_equal(world->app->explore.iterations.label, "backward");
    assert_true(nsc_app_set_iterations(world->app, nsc_text_from("")));
    assert_string_equal(world->app->explore.iterations.label, "iteration");
}

TEST_WITH(iterations_of_the_loader_are_used, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_iterations found = {.why = "None was looked for."};

    assert_int_equal(world->app->explore.iterations.n, 5);
    nsc_test_send(
        world,
        (struct nsc_input){.type = NSC_INPUT_LOADED, .trace = world->trace, .iterations = &found});
    assert_int_equal(world->app->explore.iterations.n, 0);
    assert_string_equal(world->app->explore.iterations.why, "None was looked for.");
    assert_null(found.why); /* taken over */
}

struct verdict_row {
    const char *verdict, *name;
    double change, noise;
    nsc_time so_far;
};

/* The summary of two recordings asks what changed; another question is not refused meanwhile. */
TEST(summary_of_compared_recordings_says_the_verdict)
{
    static const struct nsc_sheet_column verdict[] = {
        NSC_COL_TEXT(verdict_row, verdict, "verdict", "Verdict"),
        NSC_COL_PERCENT(verdict_row, change, "change_pct", "Change", "A"),
        NSC_COL_PERCENT(verdict_row, noise, "noise_pct", "Noise", "A"),
    };
    static const struct nsc_sheet_column fall[] = {
        NSC_COL_NS(verdict_row, so_far, "change_ns", "Change"),
        NSC_COL_TEXT(verdict_row, verdict, "class", "Is"),
        NSC_COL_TEXT(verdict_row, name, "name", "What"),
        NSC_COL_NS(verdict_row, so_far, "so_far_ns", "So far"),
    };
    static const char *const files[] = {"a.sqlite", "b.sqlite"};
    struct nsc_app_options options = {
        .file = files[0], .files = files, .n_files = 2, .align = "start", .compare = true};
    struct nsc_sheets sheets = {0};
    struct nsc_answer_request request;
    struct nsc_test_world world;
    struct nsc_sheet *sheet;

    nsc_test_world_open(&world, &options,
                        "kernel 0:7 1ms 2ms differ\nexport\nkernel 0:7 1ms 2ms a\n", 40, 100);
    nsc_test_work(&world);
    assert_true(nsc_app_answer_request(world.app, &request));
    assert_string_equal(request.line, NSC_DIFF_QUESTION);
    assert_int_equal(world.app->pane, NSC_PANE_SUMMARY);
    sheet = nsc_sheets_add(&sheets, "verdict", "", verdict, 3);
    NSC_ADD_ROW(sheet, verdict_row, .verdict = "regression", .change = 11.25, .noise = 2);
    sheet = nsc_sheets_add(&sheets, "waterfall", "", fall, 4);
    NSC_ADD_ROW(sheet, verdict_row, .name = "A's mean period", .so_far = 3000);
    NSC_ADD_ROW(sheet, verdict_row, .verdict = "compute", .name = "gemm", .so_far = 400);
    NSC_ADD_ROW(sheet, verdict_row, .verdict = "rest", .name = "not explained", .so_far = 0);
    NSC_ADD_ROW(sheet, verdict_row, .name = "B's mean period", .so_far = 3400);
    nsc_test_give(&world, &(struct nsc_input){.type = NSC_INPUT_ANSWER, .sheets = &sheets});
    nsc_sheets_fini(&sheets);
    assert_int_equal(world.app->summary.n_changes, 2);
    assert_string_equal(
        world.app->summary.changes[0],
        "regression 11.2 %: A's mean period 3.00 µs, B's mean period 3.40 µs; noise 2.0 %");
    assert_string_equal(world.app->summary.changes[1], "+400 ns  compute  gemm");
    assert_int_equal(world.app->summary.items[0].line, NSC_SUMMARY_CHANGE);
    nsc_test_press(&world, "Y Home Enter"); /* the line opens the whole answer */
    assert_int_equal(world.app->pane, NSC_PANE_ANSWERS);
    assert_string_equal(nsc_app_answer_sheet(world.app)->key, "waterfall");
    nsc_test_world_fini(&world);
}

/* B lies elsewhere on the clock; the axis of the comparison is A's. */
TEST(a_comparison_never_says_that_the_work_is_little)
{
    static const char *const files[] = {"a.sqlite", "b.sqlite"};
    struct nsc_app_options options = {
        .file = files[0], .files = files, .n_files = 2, .align = "start", .compare = true};
    struct nsc_test_world world;

    nsc_test_world_open(&world, &options,
                        "*3 1ms nvtx 1 1ms 1.9ms step %d\n*3 1ms kernel 0:7 1.1ms 1.8ms a\nexport\n"
                        "*3 2ms nvtx 1 9ms 10.9ms step %d\n*3 2ms kernel 0:7 9.1ms 10.8ms a\n",
                        40, 100);
    assert_null(strstr(world.app->message, "works within"));
    nsc_test_world_fini(&world);
}

TEST(iterations_of_compared_recordings_are_used)
{
    struct nsc_answer_request request;
    static const char *const files[] = {"a.sqlite", "b.sqlite"};
    const struct nsc_app_options options = {
        .file = files[0], .files = files, .n_files = 2, .align = "start", .compare = true};
    struct nsc_test_world world = {0};
    struct nsc_iterations found[2] = {{.why = "None in A."}, {.why = "None in B."}};

    nsc_test_world_open(&world, &options,
                        "kernel 0:7 1ms 2ms differ\nexport\nkernel 0:7 1ms 2ms a\n", 40, 100);
    nsc_test_send(&world, (struct nsc_input){
                              .type = NSC_INPUT_LOADED, .trace = world.trace, .iterations = found});
    assert_string_equal(world.app->compare.iterations[0].why, "None in A.");
    assert_string_equal(world.app->compare.iterations[1].why, "None in B.");
    nsc_test_command(&world, "diff");
    assert_true(nsc_app_answer_request(world.app, &request));
    assert_string_equal(request.line, "diff");
    assert_null(found[1].why); /* taken over */
    nsc_test_world_fini(&world);
}

TEST(without_iterations_there_is_no_strip)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "os 111 0 10us poll\n", 40, 100);
    assert_int_equal(world.app->scene->layout.strip.rows, 0);
    nsc_test_step(&world, "}");
    assert_true(world.effects.set & NSC_EFFECT_BELL);
    nsc_test_world_fini(&world);
}

/* A label that is cut keeps the number that differs, once, and not the total behind it. */
TEST(a_cut_label_keeps_what_differs)
{
    struct nsc_test_world world = {0};
    bool said = false;

    nsc_test_world_open(&world, NULL,
                        "nvtx 1 0 10ms rank 3 of 4\nnvtx 1 20ms 30ms of_rank 12 of 72\n"
                        "nvtx 1 90ms 100ms a\n",
                        40, 100);
    for (int row = 0; row < 40; row++) {
        const char *text = nsc_test_row(&world, row);

        said = said || (strstr(text, " rank 3 ") && strstr(text, " of_…12 "));
    }
    assert_true(said);
    nsc_test_world_fini(&world);
}

/* ---- the mark and the axis ---- */

TEST_WITH(a_mark_is_measured_from, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    char text[NSC_AXIS_BYTES];

    nsc_axis_mark_text(app->scene, &app->explore, text);
    assert_string_equal(text, "");
    nsc_scene_set_cursor(app->edit, 2000000);
    nsc_test_step(world, "M");
    nsc_scene_set_cursor(app->edit, 3200000);
    nsc_axis_mark_text(app->scene, &app->explore, text);
    assert_string_equal(text, "mark +1.20 ms, 833 /s");
    nsc_scene_set_cursor(app->edit, 1000000);
    nsc_axis_mark_text(app->scene, &app->explore, text);
    assert_string_equal(text, "mark -1.00 ms, 1 k/s");
    nsc_scene_set_cursor(app->edit, 2000000);
    nsc_axis_mark_text(app->scene, &app->explore, text);
    assert_string_equal(text, "mark +0 ns");
    nsc_test_step(world, "M");
    assert_false(app->explore.has_mark);
}

static void axis_is(const struct nsc_test_world *world, const char *label, nsc_time t,
                    const char *tick)
{
    char text[NSC_AXIS_BYTES];
    char shown[NSC_UNITS_BYTES + 1];

    nsc_axis_label(world->app->scene, &world->app->explore, text);
    assert_string_equal(text, label);
    nsc_axis_tick(world->app->scene, &world->app->explore, shown, t, 1000000);
    assert_string_equal(shown, tick);
}

TEST_WITH(the_axis_counts_from_what_is_known, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    axis_is(world, "time", 5000000, "0.005 s");
    nsc_test_step(world, "a");
    axis_is(world, "time from the left", 5000000, "+0.005 s");
    nsc_test_step(world, "a");
    nsc_scene_set_cursor(world->app->edit, 4500000);
    axis_is(world, "in iteration 2", 5000000, "+0.001 s");
    axis_is(world, "in iteration 2", 3000000, "-0.001 s");
    nsc_test_step(world, "a");
    axis_is(world, "time", 5000000, "0.005 s");
    nsc_test_step(world, "M");
    nsc_test_step(world, "a");
    nsc_test_step(world, "a");
    axis_is(world, "time from the mark", world->app->explore.mark + 1000000, "+0.001 s");
    nsc_test_step(world, "M");
    axis_is(world, "time", 5000000, "0.005 s");
}

TEST_WITH(the_time_of_day_is_utc, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_trace *trace = world->trace;
    nsc_time start = 1714564799 * (nsc_time)1000000000 + 998000000; /* 2024-05-01 11:59:59.998 */

    trace->captures[0].utc_start = start;
    nsc_scene_set(world->app->edit, NSC_SCENE_AXIS, NSC_AXIS_UTC);
    axis_is(world, "UTC 2024-05-01", 5000000, "12:00:00.003");
    axis_is(world, "UTC 2024-05-01", -86400000000000 + 5000000, "12:00:00.003");
    trace->captures[0].utc_start = 0;
    axis_is(world, "time", 5000000, "0.005 s");
}

/* ---- events of one name ---- */

TEST_WITH(events_of_one_name_are_walked, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event first = app->scene->selected;

    nsc_test_step(world, "g");
    assert_int_equal(events->name[app->scene->selected], events->name[first]);
    assert_true(events->start[app->scene->selected] > events->start[first]);
    nsc_test_step(world, "G");
    assert_int_equal(app->scene->selected, first);
    nsc_test_step(world, "l");
    assert_int_equal(events->name[app->scene->selected], events->name[first]);
    nsc_test_step(world, "l");
    assert_string_equal(app->message, "This is the longest event of its name.");
    nsc_test_step(world, "Home");
    nsc_test_step(world, "G");
    assert_string_equal(app->message, "No earlier event of this name.");
    nsc_scene_set_line(app->edit, 0);
    nsc_scene_settle(app->edit);
    nsc_test_step(world, "g");
    assert_string_equal(app->message, "No event is selected.");
}

/* ---- projected ranges ---- */

static bool is_on_screen(struct nsc_test_world *world, const char *text)
{
    for (int row = 0; row < (int)world->app->scene->rows; row++)
        if (strstr(nsc_test_row(world, row), text))
            return true;
    return false;
}

/* The key shows all rows, then none, then a few again. */
TEST_WITH(ranges_are_projected_and_hidden_again, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t few = app->scene->lines.n;
    uint32_t lane = nsc_scene_lane(app->scene, app->scene->line);

    assert_non_null(app->explore.projection);
    assert_int_equal(app->scene->lines.at[3].kind, NSC_LINE_PROJECTED);
    assert_int_equal(nsc_projection_of(app->scene, &app->scene->lines.at[3])->depth, 0);
    assert_true(nsc_derived_busy(app->scene, &app->scene->lines.at[3]) > 0);
    nsc_test_step(world, "P");
    assert_int_equal(app->scene->lines.project, NSC_PROJECT_ALL);
    assert_true(app->scene->lines.n >= few);
    nsc_test_step(world, "P");
    assert_true(app->scene->lines.n < few);
    assert_int_not_equal(app->scene->lines.at[3].kind, NSC_LINE_PROJECTED);
    assert_int_equal(nsc_scene_lane(app->scene, app->scene->line), lane);
    nsc_test_step(world, "P");
    assert_int_equal(app->scene->lines.n, few);
    nsc_scene_set_line(app->edit, 3);
    nsc_scene_set_cursor(app->edit, app->explore.projection->derived->events.start[0] + 1);
    nsc_test_step(world, "Enter");
    assert_true(is_on_screen(world, "its GPU work from"));
    nsc_test_step(world, "H");
    assert_true(app->scene->lines.n < few);
}

/* A projected range is the range: keys act on it, and its place is that of its work. */
TEST_WITH(projected_ranges_are_events, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_scene *scene = app->scene;
    const struct nsc_events *rows = &app->explore.projection->derived->events;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint8_t kind = NSC_KIND_UNKNOWN;
    nsc_event range = NSC_NONE;

    nsc_scene_set_line(app->edit, 3);
    nsc_scene_set_cursor(app->edit, rows->start[0] + 1);
    nsc_test_step(world, "r");
    range = scene->selected;
    assert_int_equal(range, rows->source[0]);
    assert_true(nsc_kind_is_nvtx(events->kind[range]));
    assert_int_equal(scene->range.t0, rows->start[0]);
    assert_int_equal(scene->range.t1, nsc_event_end(rows, 0));
    nsc_test_press(world, "Esc f");
    assert_true(nsc_viewport_window(&scene->viewport).t0 <= rows->start[0]);
    assert_false(nsc_viewport_is_whole(&scene->viewport));
    nsc_test_press(world, "0 Tab");
    assert_int_equal(scene->cursor, rows->start[1]);
    assert_int_equal(scene->selected, rows->source[1]);
    nsc_test_press(world, "Shift+Tab");
    assert_int_equal(scene->selected, range);
    nsc_test_press(world, ">");
    kind = events->kind[scene->selected];
    assert_true(scene->selected != range && !nsc_kind_is_nvtx(kind));
    nsc_scene_set_line(app->edit, 3);
    nsc_scene_set_cursor(app->edit, rows->start[0] + 1);
    nsc_test_press(world, "&"); /* the range and its work */
    assert_int_equal(scene->selected, range);
    assert_int_equal(scene->range.t0, events->start[range]);
    assert_int_equal(scene->range.t1, nsc_event_end(rows, 0));
    nsc_test_press(world, "w");
    assert_int_equal(nsc_tree_event(app->tree), range);
    nsc_test_press(world, "q *");
    assert_true(app->filter.text[0] != '\0');
}

/* A device has at most three lines until the user wants all; the last one counts the others. */
TEST(a_filter_reaches_projected_ranges)
{
    static const char text[] = "nvtx 111 0 100us a\nnvtx 111 1us 91us b\n"
                               "api 111 5us 7us cudaLaunchKernel #1\nkernel 0:7 50us 60us k #1\n";
    struct nsc_test_world world = {0};
    const struct nsc_rows *lines = NULL;
    const struct nsc_line *line = NULL;

    nsc_test_world_open(&world, NULL, text, 40, 100);
    lines = &world.app->scene->lines;
    line = &lines->at[2];
    assert_int_equal(lines->at[2].kind, NSC_LINE_PROJECTED);
    assert_int_equal(lines->at[3].kind, NSC_LINE_PROJECTED);
    assert_int_equal(nsc_derived_busy(world.app->scene, line), 10000);
    nsc_test_press(&world, "/ k i n d : n v t x Space b Enter");
    line = &lines->at[2];
    assert_int_equal(nsc_projection_of(world.app->scene, line)->depth, 0);
    assert_int_equal(nsc_derived_busy(world.app->scene, line), 0);
    assert_int_equal(nsc_derived_busy(world.app->scene, line + 1), 10000);
    nsc_test_press(&world, "X");
    assert_int_equal(lines->at[2].kind, NSC_LINE_PROJECTED);
    assert_int_equal(nsc_projection_of(world.app->scene, &lines->at[2])->depth, 1);
    assert_int_not_equal(lines->at[3].kind, NSC_LINE_PROJECTED);
    nsc_test_press(&world, "Backspace");
    assert_int_equal(nsc_derived_busy(world.app->scene, &lines->at[2]), 10000);
    nsc_test_world_fini(&world);
}

TEST(projected_ranges_are_filtered)
{
    static const char text[] = "*20 200us nvtx 111 0 100us a\n*20 200us nvtx 111 1us 91us b\n"
                               "*20 200us api 111 5us 7us cudaLaunchKernel #1\n"
                               "*20 200us kernel 0:7 50us 60us k #1\n";
    struct nsc_test_world world = {0};
    const struct nsc_rows *lines = NULL;

    nsc_test_world_open(&world, NULL, text, 40, 100);
    nsc_test_work(&world);
    lines = &world.app->scene->lines;
    nsc_test_press(&world, "/ k i n d : n v t x Space a Enter");
    assert_non_null(lines->projected);
    assert_int_equal(nsc_summary_count(lines->projected), 20);
    (void)nsc_app_filter_set(world.app, nsc_text_from("kind:nvtx b time:0..1ms"));
    nsc_test_send(&world, (struct nsc_input){.type = NSC_INPUT_TICK});
    nsc_test_work(&world);
    assert_int_equal(nsc_summary_count(lines->projected), 5);
    nsc_test_press(&world, "Backspace");
    assert_null(lines->projected);
    nsc_test_world_fini(&world);
}

/* A device has three lines at most until all are asked for; the last counts those left out. */
TEST(few_ranges_are_projected_at_first)
{
    static const char text[] = "nvtx 111 0 100us a\nnvtx 111 1us 91us b\nnvtx 111 2us 82us c\n"
                               "nvtx 111 3us 73us d\nnvtx 111 4us 64us e\n"
                               "api 111 5us 7us cudaLaunchKernel #1\nkernel 0:7 50us 60us k #1\n";
    struct nsc_test_world world = {0};
    const struct nsc_rows *lines = NULL;
    size_t n[2] = {0, 0};
    uint32_t more = 0;

    nsc_test_world_open(&world, NULL, text, 40, 100);
    lines = &world.app->scene->lines;
    for (int all = 0; all < 2; all++) {
        for (size_t i = 0; i < lines->n; i++)
            if (lines->at[i].kind == NSC_LINE_PROJECTED) {
                n[all]++;
                more = all ? more : lines->at[i].more;
            }
        nsc_test_step(&world, "P");
    }
    assert_int_equal(n[0], 3);
    assert_int_equal(more, 2);
    assert_int_equal(n[1], 5);
    nsc_test_world_fini(&world);
}

/* On a device's row, Details shows the cause of the gap at the cursor. */

/* On the row of a device Details tells what the gap at the cursor waited for. */
TEST_OF_WORLD(the_idle_row_tells_causes)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_work(world);
    assert_int_equal(app->explore.idle.n, 1);
    assert_int_equal(app->scene->n_idle, 1);
    assert_int_equal(app->scene->lines.at[2].kind, NSC_LINE_IDLE);
    nsc_scene_set_line(app->edit, 2);
    nsc_scene_set_cursor(app->edit, 4 * 250000 + 142000); /* between flash and gemm */
    nsc_test_press(world, "Enter");
    assert_int_equal(app->scene->selected, NSC_NONE);
    assert_true(app->details.facts.gap.is_known);
    assert_true(
        app->details.facts.gap.is_idle ==
        (nsc_cover_measure(nsc_trace_device_covers(world->trace, 0)->busy,
                           (struct nsc_window){app->scene->cursor, app->scene->cursor + 1}) == 0));
    nsc_test_press(world, ": s e t Space i d l e - r o w Space o f f Enter");
    assert_int_not_equal(app->scene->lines.at[2].kind, NSC_LINE_IDLE);
}

TEST(without_ranges_nothing_is_projected)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "kernel 0:7 0 10us a\n", 40, 100);
    nsc_test_step(&world, "P");
    nsc_test_work(&world);
    assert_string_equal(world.app->message,
                        "No range launched work on a device: nothing to project.");
    nsc_test_world_fini(&world);
}

/* ---- colours of the export ---- */

static unsigned hue_of(uint32_t argb)
{
    uint8_t shade = 0;

    assert_true(nsc_bars_export_shade(&shade, argb));
    return shade / 16;
}

TEST(colours_become_the_nearest_hue)
{
    uint8_t shade = 7;

    assert_int_equal(hue_of(0xffff0000), 0);
    assert_int_equal(hue_of(0xff00ff00), 5);
    assert_int_equal(hue_of(0xff0000ff), 11);
    assert_int_equal(hue_of(0x00ffff00), 3);
    assert_int_equal(hue_of(0xffff00ff), 13);
    assert_int_equal(hue_of(0xffff0004), 0);
    assert_false(nsc_bars_export_shade(&shade, 0xff808080));
    assert_int_equal(shade, 7);
}

TEST(a_theme_says_which_colours)
{
    struct nsc_theme theme;

    nsc_theme_parse(&theme, nsc_text_from(""), NULL, NULL);
    assert_true(theme.nvtx_export);
    nsc_theme_parse(&theme, nsc_text_from("[options]\nnvtx-color = name\n"), NULL, NULL);
    assert_false(theme.nvtx_export);
    nsc_theme_parse(&theme, nsc_text_from("[options]\nnvtx-color = rainbow\n"), NULL, NULL);
    assert_true(theme.nvtx_export);
}
