/*
 * Unit tests of the application: the effects of keys, the mouse and answers on its state, and its
 * requests.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app/setting.h"
#include "view/app/state.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

#include <stdlib.h>
#include <string.h>

static void mouse(struct nsc_test_world *world, enum nsc_mouse_action action, int row, int col)
{
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};

    input.mouse.action = action;
    input.mouse.button = 1;
    input.mouse.row = row;
    input.mouse.col = col;
    nsc_test_send(world, input);
}

static int setup(void **state)
{
    struct nsc_test_world *world = calloc(1, sizeof *world);

    nsc_test_world_open(world, NULL, nsc_test_trace_sample, 24, 80);
    *state = world;
    return 0;
}

static uint8_t kind_of(const struct nsc_test_world *world, nsc_event event)
{
    return nsc_trace_events(world->trace)->kind[event];
}

TEST(loading_can_be_cancelled)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, NULL, 24, 80);
    nsc_test_step(&world, "+");
    assert_true(world.effects.set & NSC_EFFECT_BELL);
    assert_string_equal(world.app->message, ""); /* it will do something soon */
    nsc_test_step(&world, "Esc");
    assert_true(world.effects.set & NSC_EFFECT_CANCEL_LOAD);
    assert_false(world.effects.set & NSC_EFFECT_QUIT);
    nsc_test_step(&world, "q");
    assert_true(world.effects.set & NSC_EFFECT_QUIT);
    nsc_test_world_fini(&world);
}

TEST(rows_are_set_before_there_are_any)
{
    struct nsc_test_world world;

    nsc_test_world_open(&world, NULL, NULL, 24, 80);
    nsc_scene_set(world.app->edit, NSC_SCENE_STREAM_ROWS, 2);
    nsc_scene_set(world.app->edit, NSC_SCENE_NVTX_DEPTH, 1);
    nsc_test_world_load(&world, nsc_test_trace_sample);
    assert_int_equal(world.app->scene->arrangement.stream_height, 2);
    nsc_test_world_fini(&world);
}

TEST_WITH(an_event_is_selected_at_first, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    assert_int_equal(kind_of(world, world->app->scene->selected), NSC_KIND_KERNEL);
    assert_true(world->effects.set & NSC_EFFECT_DETAILS);
    assert_int_equal(world->effects.event, world->app->scene->selected);
}

TEST_WITH(tab_goes_from_event_to_event, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    nsc_event before = NSC_NONE;

    nsc_test_step(world, "Tab");
    before = world->app->scene->selected;
    nsc_test_step(world, "Tab");
    assert_int_equal(world->app->scene->selected, before + 1);
    assert_true(world->effects.set & NSC_EFFECT_DETAILS);
    nsc_test_step(world, "Shift+Tab");
    nsc_test_step(world, "Shift+Tab");
    assert_int_equal(world->app->scene->selected, before - 1);
    nsc_test_step(world, "Home");
    nsc_test_step(world, "Shift+Tab");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    assert_string_equal(world->app->message, "No earlier event on this row.");
}

TEST_WITH(a_key_that_does_nothing_says_why, setup, nsc_test_world_teardown)
{
    static const char *const cases[][2] = {
        {"0", "The whole trace is shown."},
        {"-", "The whole trace is shown."},
        {"u", "There is nothing to undo."},
        {"!", "! does nothing here.  h lists the keys."},
        {"Alt-x", "Alt-x does nothing here.  h lists the keys."},
        {"U", "There is nothing to redo."},
        {"`", "There is no previous position yet."},
    };
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nsc_test_step(world, cases[i][0]);
        assert_string_equal(world->app->message, cases[i][1]);
    }
    nsc_test_step(world, "'");
    nsc_test_step(world, "e");
    assert_string_equal(world->app->message, "There are no bookmarks yet.");
    nsc_test_press(world, "Y o"); /* the help of the pane lists it */
    assert_string_equal(world->app->message, "There is nothing to choose here.");
    nsc_test_press(world, "h D"); /* a box has its keys on its last line */
    assert_string_equal(world->app->message, "");
}

/* Each key that changes how the timeline is shown: u takes it back, U makes it again. */
TEST_WITH(what_the_timeline_shows_is_undone, setup, nsc_test_world_teardown)
{
    static const struct {
        const char *key;
        enum nsc_scene_option option;
    } keys[] = {{"L", NSC_SCENE_LOGICAL}, {"T", NSC_SCENE_TICKS},   {"d", NSC_SCENE_DEMANGLED},
                {"X", NSC_SCENE_DIM},     {"P", NSC_SCENE_PROJECT}, {"a", NSC_SCENE_AXIS}};
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct nsc_window window = nsc_viewport_window(&world->app->scene->viewport);
        uint32_t before = nsc_scene_get(world->app->edit, keys[i].option);
        uint32_t after;

        nsc_test_press(world, keys[i].key);
        after = nsc_scene_get(world->app->edit, keys[i].option);
        assert_int_not_equal(after, before);
        nsc_test_press(world, "+ u u");
        assert_int_equal(nsc_scene_get(world->app->edit, keys[i].option), before);
        nsc_test_press(world, "U");
        assert_int_equal(nsc_scene_get(world->app->edit, keys[i].option), after);
        assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t1, window.t1);
    }
    nsc_test_press(world, "u u u u u u");
    assert_true(world->app->scene->logical == 0);
    nsc_test_press(world, "u");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

/* A value that the panel changes is undone like a key, but for those of the terminal. */
TEST_WITH(settings_of_the_panel_are_undone, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    for (unsigned i = 0; i < NSC_N_SETTINGS; i++) {
        char before[NSC_SETTING_BYTES], after[NSC_SETTING_BYTES];

        if (i == NSC_SETTING_THEME || i == NSC_SETTING_COLORS || i == NSC_SETTING_MOUSE)
            continue;
        nsc_app_setting_text(app, i, before);
        nsc_test_press(world, "C");
        app->config.list.cursor = i;
        nsc_test_press(world, "Right Esc");
        nsc_app_setting_text(app, i, after);
        assert_string_not_equal(after, before);
        nsc_test_press(world, "u");
        nsc_app_setting_text(app, i, after);
        assert_string_equal(after, before);
    }
}

/* Whatever was undone before it. */
TEST_WITH(a_filter_is_undone_after_another_undo, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "+ u / n c c l Enter");
    assert_string_equal(world->app->filter.text, "nccl");
    nsc_test_press(world, "u");
    assert_string_equal(world->app->filter.text, "");
}

TEST_WITH(zooming_is_undone_and_redone, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_window whole = nsc_viewport_window(&world->app->scene->viewport);
    struct nsc_window closer;

    nsc_test_step(world, "+");
    nsc_test_step(world, "+");
    closer = nsc_viewport_window(&world->app->scene->viewport);
    assert_true(closer.t1 - closer.t0 < whole.t1 - whole.t0);
    nsc_test_step(world, "u");
    nsc_test_step(world, "u");
    assert_true(nsc_viewport_is_whole(&world->app->scene->viewport));
    nsc_test_step(world, "u");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_step(world, "U");
    nsc_test_step(world, "U");
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t0, closer.t0);
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t1, closer.t1);
}

/* The arrows move the cursor, and the window near its edges; panning moves the window alone. */
TEST_WITH(panning_keeps_the_time_of_the_cursor, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    nsc_time before = world->app->scene->cursor;
    nsc_time left = 0;

    nsc_test_step(world, "Right");
    assert_true(nsc_viewport_is_whole(&world->app->scene->viewport));
    assert_true(world->app->scene->cursor > before);
    nsc_test_step(world, "+");
    nsc_test_step(world, "+");
    before = world->app->scene->cursor;
    left = nsc_viewport_window(&world->app->scene->viewport).t0;
    nsc_test_step(world, "Alt-Right");
    assert_int_equal(world->app->scene->cursor, before);
    assert_true(nsc_viewport_window(&world->app->scene->viewport).t0 > left);
    nsc_test_step(world, "Alt-Left");
    assert_int_equal(world->app->scene->cursor, before);
    for (int i = 0; i < 200; i++)
        nsc_test_step(world, "Right");
    assert_true(world->app->scene->cursor > before);
    assert_true(nsc_viewport_window(&world->app->scene->viewport).t0 > left);
}

TEST_WITH(links_lead_to_the_launch_and_back, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    nsc_event kernel = world->app->scene->selected;

    nsc_test_step(world, "<");
    assert_int_equal(kind_of(world, world->app->scene->selected), NSC_KIND_API_RUNTIME);
    assert_int_equal(world->app->scene->cursor,
                     nsc_trace_events(world->trace)->start[world->app->scene->selected]);
    assert_int_equal(nsc_scene_lane(world->app->scene, world->app->scene->line),
                     nsc_trace_lane_of(world->trace, world->app->scene->selected));
    nsc_test_step(world, "<");
    assert_int_equal(kind_of(world, world->app->scene->selected), NSC_KIND_NVTX_RANGE);
    nsc_test_step(world, "`");
    nsc_test_step(world, "`");
    nsc_scene_jump(world->app->edit, kernel);
    nsc_test_step(world, "<");
    nsc_test_step(world, ">");
    assert_int_equal(world->app->scene->selected, kernel);
}

TEST_WITH(fit_goes_outwards, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_window w;
    const struct nsc_events *events = nsc_trace_events(world->trace);

    nsc_test_step(world, "f");
    w = nsc_viewport_window(&world->app->scene->viewport);
    assert_true(w.t0 <= events->start[world->app->scene->selected]);
    assert_true(w.t1 >= nsc_event_end(events, world->app->scene->selected));
    assert_true(w.t1 - w.t0 <= 2 * nsc_event_duration(events, world->app->scene->selected));
    nsc_test_step(world, "f");
    assert_true(nsc_viewport_is_whole(&world->app->scene->viewport));
}

/* Zooming continues around the fitted event, wherever the cursor was before. */
TEST_WITH(fit_takes_the_cursor_along, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_events *events = nsc_trace_events(world->app->scene->trace);
    nsc_event event = world->app->scene->selected;

    assert_true(event != NSC_NONE);
    nsc_scene_set_cursor(world->app->edit, world->app->scene->viewport.extent.t0);
    nsc_test_step(world, "f");
    assert_int_equal(world->app->scene->cursor, events->start[event]);
    nsc_test_step(world, "u");
    nsc_scene_set_cursor(world->app->edit, world->app->scene->viewport.extent.t1 - 1);
    nsc_scene_fit_again(world->app->edit);
    nsc_test_step(world, "f");
    assert_int_equal(world->app->scene->cursor,
                     events->start[event] + nsc_event_duration(events, event) - 1);
}

TEST_WITH(a_drag_selects_a_range, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_rect rect = world->app->scene->layout.timeline;

    mouse(world, NSC_MOUSE_PRESS, rect.row, rect.col + 10);
    mouse(world, NSC_MOUSE_DRAG, rect.row, rect.col + 30);
    mouse(world, NSC_MOUSE_RELEASE, rect.row, rect.col + 30);
    assert_true(world->app->scene->has_range);
    assert_int_equal(nsc_viewport_col(&world->app->scene->viewport, world->app->scene->range.t0),
                     10);
    assert_int_equal(nsc_viewport_col(&world->app->scene->viewport, world->app->scene->range.t1),
                     30);
    nsc_test_step(world, "Esc");
    assert_false(world->app->scene->has_range);
}

TEST_WITH(a_click_selects_and_a_header_folds, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_rect labels = world->app->scene->layout.labels;
    size_t lines = world->app->scene->lines.n;

    mouse(world, NSC_MOUSE_PRESS, labels.row, labels.col + 1);
    assert_true(world->app->scene->lines.n < lines);
    nsc_test_step(world, "Space");
    assert_int_equal(world->app->scene->lines.n, lines);
    nsc_test_step(world, "Down");
    nsc_test_step(world, "Down");
    assert_int_equal(world->app->scene->line, 2);
}

TEST_WITH(the_wheel_zooms_at_the_pointer, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_rect rect = world->app->scene->layout.timeline;
    nsc_time at = nsc_viewport_time(&world->app->scene->viewport, 7);

    mouse(world, NSC_MOUSE_WHEEL_UP, rect.row, rect.col + 7);
    assert_int_equal(nsc_viewport_col(&world->app->scene->viewport, at), 7);
    assert_false(nsc_viewport_is_whole(&world->app->scene->viewport));
}

TEST_WITH(details_are_copied, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    char value[] = "value";
    struct nsc_detail field = {"field", value};
    struct nsc_details details = {1, &field};

    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_DETAILS,
                                            .event = world->app->scene->selected,
                                            .details = &details});
    value[0] = 'X';
    assert_string_equal(world->app->details.row.at[0].value, "value");
    assert_int_equal(world->app->details.row_of, world->app->scene->selected);
    /* An answer that comes too late is not taken. */
    nsc_test_step(world, "Tab");
    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_DETAILS,
                                            .event = world->app->scene->selected - 1,
                                            .details = &details});
    assert_int_not_equal(world->app->details.row_of, world->app->scene->selected);
}

/* The details show the op that a kernel waited for; a key goes there. */
TEST_WITH(what_an_event_waited_for_is_a_key_away, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_event before = app->scene->selected;
    struct nsc_details none = {0, NULL};

    nsc_test_press(world, "Tab W");
    assert_int_not_equal(app->scene->selected, before);
    assert_string_equal(app->message, "No GPU work that it waited for is known.");
    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_DETAILS,
                                            .event = app->scene->selected,
                                            .details = &none,
                                            .has_waited = true,
                                            .waited = before});
    assert_int_equal(nsc_pane_details_waited(app->scene, &app->details), before);
    nsc_test_press(world, "W");
    assert_int_equal(app->scene->selected, before);
    assert_int_equal(nsc_pane_details_waited(app->scene, &app->details), NSC_NONE);
}

TEST_WITH(q_goes_back_before_it_quits, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_step(world, "z");
    assert_int_equal(world->app->scene->layout.timeline.rows, 0);
    nsc_test_step(world, "h");
    nsc_test_step(world, "q");
    assert_false(world->app->help);
    assert_false(world->effects.set & NSC_EFFECT_QUIT);
    nsc_test_step(world, "q");
    assert_true(world->app->scene->layout.timeline.rows > 0);
    assert_false(world->effects.set & NSC_EFFECT_QUIT);
    nsc_test_step(world, "q");
    assert_true(world->effects.set & NSC_EFFECT_QUIT);
}

TEST_WITH(enter_opens_and_closes_the_pane, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_step(world, "Enter"); /* from the summary */
    assert_int_equal(world->app->pane, NSC_PANE_DETAILS);
    nsc_test_step(world, "Enter");
    assert_int_equal(world->app->scene->layout.pane.rows, 0);
    nsc_test_step(world, "Tab");
    assert_false(world->effects.set & NSC_EFFECT_DETAILS);
    nsc_test_step(world, "Enter");
    assert_true(world->app->scene->layout.pane.rows > 0);
    assert_true(world->effects.set & NSC_EFFECT_DETAILS);
}

/* Rows that never were events are no damage. */
TEST_WITH(only_damage_is_skipped, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_table_status tables[2] = {{.name = "OSRT_API", .status = NSC_TABLE_LOADED},
                                         {.name = "NVTX_EVENTS", .status = NSC_TABLE_LOADED}};

    for (int i = 0; i < NSC_N_SKIPS; i++)
        tables[0].skipped[i] = (uint64_t)1 << 4 * i;
    tables[1].skipped[NSC_SKIP_TYPE] = 2;
    tables[0].missing_names = 5;
    tables[1].odd = 7;
    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_LOADED,
                                            .trace = world->trace,
                                            .tables = tables,
                                            .n_tables = 2});
    assert_int_equal(world->app->skipped, 0x111 + 2);
    assert_int_equal(world->app->doubtful, 5 + 7);
}

/* If work takes little of the recording, the first window is that work, and a message says so. */
TEST_OF_WORLD(little_work_is_shown_first)
{
    struct nsc_test_world *world = *state;

    nsc_test_world_load(world, "kernel 0:7 70ms 71ms gemm\nkernel 1:7 99ms 100ms gemm\n"
                               "os 1 0 100ms poll\n");
    assert_non_null(strstr(nsc_test_row(world, -1), "works within 30.0 ms of 100 ms.  0  shows"));
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t0, 70000000);
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t1, 100000000);
    nsc_test_press(world, "0");
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t0, 0);
    nsc_test_press(world, "Z");
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t1, 71000000);
    nsc_test_world_load(world, "kernel 0:7 60ms 100ms gemm\nos 1 0 100ms poll\n");
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t0, 0);
    assert_null(strstr(nsc_test_row(world, -1), "works within"));
}

/* The first click finds the gap, the second shows it. */
TEST_OF_WORLD(a_double_click_shows_the_gap)
{
    struct nsc_test_world *world = *state;
    struct nsc_rect rect;
    struct nsc_window w;

    nsc_test_world_load(world, "kernel 0:7 0us 10us a\nkernel 0:7 60us 100us b\n");
    rect = world->app->scene->layout.timeline;
    for (int i = 0; i < 3; i++)
        nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_MOUSE,
                                                .mouse = {.action = i == 0   ? NSC_MOUSE_PRESS
                                                                    : i == 1 ? NSC_MOUSE_RELEASE
                                                                             : NSC_MOUSE_DOUBLE,
                                                          .button = 1,
                                                          .row = rect.row + 1,
                                                          .col = rect.col + rect.cols / 3}});
    w = nsc_viewport_window(&world->app->scene->viewport);
    assert_int_equal(w.t0, 10000);
    assert_int_equal(w.t1, 60000);
}

/* With a long name and a range, the number of events gives way to the end of the window. */
TEST(the_title_keeps_the_end_of_the_window)
{
    static const char name[] = "a_long_name_of_a_recording_of_many_steps";

    for (size_t skip = 0; skip < sizeof name; skip++) {
        struct nsc_test_world world;
        const char *row = NULL;

        nsc_test_world_init(&world, &(struct nsc_app_options){.file = name + skip});
        nsc_test_send(&world, (struct nsc_input){.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 80});
        nsc_test_press(&world, "b");
        assert_non_null(strstr(nsc_test_row(&world, 0), "answers: "));
        row = strstr(nsc_test_row(&world, 0) + strlen(" nsyscope  "), "  "); /* behind the name */
        assert_non_null(row);
        for (const char *dots = row; (dots = strstr(dots, "…")) != NULL; dots++)
            assert_int_equal(dots[-1], ' '); /* "from … to", not a cut */
        nsc_test_world_fini(&world);
    }
}
