/* Unit tests of arranging rows: pinning, hiding, moving, heights, and undoing these. */
#include "core/buf.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <string.h>

static uint32_t track_at(const struct nsc_app *app, size_t line)
{
    return app->scene->lines.at[line].track;
}

/* Too low for all rows. */
static void shrink(struct nsc_app *app)
{
    struct nsc_input input = {.type = NSC_INPUT_RESIZE, .rows = 12, .cols = 120};

    (void)nsc_app_input(app, &input);
}

static int setup(void **state)
{
    struct nsc_test_world *world = NULL;
    int status = nsc_test_world_setup(state);

    world = *state;
    nsc_scene_set(world->app->edit, NSC_SCENE_IDLE_ROW, 0);
    nsc_scene_set(world->app->edit, NSC_SCENE_STREAM_ROWS, 1); /* not by the spare lines */
    nsc_scene_set(world->app->edit, NSC_SCENE_OTHER_ROWS, 1);
    nsc_scene_set(world->app->edit, NSC_SCENE_PROJECT, NSC_PROJECT_OFF);
    return status;
}

static bool rang(const struct nsc_test_world *world)
{
    return world->effects.set & NSC_EFFECT_BELL;
}

TEST_WITH(a_pinned_row_stays_on_top, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t from = app->scene->line;
    uint32_t track = track_at(app, from);

    shrink(app);
    nsc_test_press(world, "p");
    assert_int_equal(app->scene->lines.n_pinned, 1);
    assert_int_equal(track_at(app, 0), track);
    assert_int_equal(app->scene->line, 0);
    assert_int_equal(nsc_test_row(world, app->scene->layout.timeline.row)[1], 'p');
    for (int i = 0; i < 60; i++)
        nsc_test_press(world, "Down");
    assert_int_equal(app->scene->line, app->scene->lines.n - 1);
    assert_true(app->scene->top > 1);
    assert_int_equal(nsc_scene_line_at(app->scene, 0), 0);
    assert_int_equal(nsc_test_row(world, app->scene->layout.timeline.row)[1], 'p');
    for (int i = 0; i < 60; i++)
        nsc_test_press(world, "Up");
    nsc_test_press(world, "p");
    assert_int_equal(app->scene->lines.n_pinned, 0);
    assert_int_equal(app->scene->line, from);
}

TEST_WITH(undo_scrolls_back, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t top = 0;

    shrink(app);
    nsc_test_press(world, "Down Down");
    top = app->scene->top;
    nsc_test_press(world, "p u");
    assert_int_equal(app->scene->lines.n_pinned, 0);
    assert_int_equal(app->scene->top, top);
    nsc_test_press(world, "U");
    assert_int_equal(app->scene->lines.n_pinned, 1);
}

/* However many are pinned, half of the screen scrolls. */
TEST_WITH(pins_leave_room, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    shrink(app);
    for (int i = 0; i < 7; i++) {
        nsc_test_press(world, "p");
        nsc_scene_set_line(app->edit, app->scene->lines.n -
                                          3); /* not a header, which stays in its place too */
    }
    assert_true(app->scene->lines.n_pinned > nsc_scene_pinned(app->scene));
    assert_int_equal(nsc_scene_pinned(app->scene), app->scene->layout.timeline.rows / 2);
    for (size_t line = 0; line < app->scene->lines.n; line++) {
        nsc_scene_set_line(app->edit, line);
        assert_true(nsc_scene_row_of(app->scene, app->scene->line) >= 0);
        assert_int_equal(
            nsc_scene_line_at(app->scene, nsc_scene_row_of(app->scene, app->scene->line)),
            app->scene->line);
    }
}

TEST_WITH(a_row_is_hidden_and_shown_again, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t n = app->scene->lines.n;

    nsc_test_press(world, "H");
    assert_int_equal(app->scene->lines.n, n - 1);
    assert_int_equal(app->scene->lines.n_hidden, 1);
    assert_non_null(strstr(nsc_test_row(world, 0), "1 row hidden"));
    nsc_test_command(world, "rows");
    assert_int_equal(app->scene->lines.n, n);
    assert_null(strstr(nsc_test_row(world, 0), "hidden"));
    nsc_test_press(world, "Home Up Up Up Up H"); /* the device */
    assert_true(app->scene->lines.n < n - 2);
    nsc_test_command(world, "rows");
    assert_int_equal(app->scene->lines.n, n);
}

/* What the rows show, as one number. */
static uint64_t rows_shown(const struct nsc_app *app)
{
    uint64_t sum = app->scene->lines.n_pinned;

    for (size_t i = 0; i < app->scene->lines.n; i++)
        sum = sum * 31 + app->scene->lines.at[i].track * 7u + app->scene->lines.at[i].parts;
    return sum;
}

TEST_WITH(every_change_of_rows_is_undone, setup, nsc_test_world_teardown)
{
    static const char *const keys[] = {"R", "H", "(", ")", "J", "Space", "p"};
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    uint64_t before[8] = {rows_shown(app)};

    for (size_t i = 0; i < 7; i++) {
        nsc_test_press(world, keys[i]);
        before[i + 1] = rows_shown(app);
        assert_true(before[i + 1] != before[i]);
    }
    for (size_t i = 7; i-- > 0;) {
        nsc_test_press(world, "u");
        assert_int_equal(rows_shown(app), before[i]);
    }
    nsc_test_press(world, "u");
    assert_string_equal(app->message, "There is nothing to undo.");
    for (size_t i = 1; i <= 7; i++) {
        nsc_test_press(world, "U");
        assert_int_equal(rows_shown(app), before[i]);
    }
    for (int i = 0; i < 200; i++) /* more than the history holds */
        nsc_test_press(world, i % 2 ? ")" : "(");
    nsc_test_command(world, "rows NVTX");
    assert_true(app->scene->lines.n_hidden > 0);
    nsc_test_press(world, "u");
    assert_int_equal(app->scene->lines.n_hidden, 1); /* of H */
    nsc_test_press(world, "u u (");                  /* drops what was undone */
    assert_false(nsc_scene_redo(app->edit));
}

TEST_WITH(pans_are_undone_together, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_window closer;

    nsc_test_press(world, "+ + +");
    closer = nsc_viewport_window(&app->scene->viewport);
    nsc_test_press(world, "PgUp Alt-Left Alt-Left u");
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0, closer.t0);
    nsc_test_press(world, "u");
    assert_true(nsc_viewport_window(&app->scene->viewport).t0 < closer.t0);
}

TEST_WITH(rows_are_chosen_by_label, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t n = app->scene->lines.n;

    nsc_test_command(world, "rows /^s7 /");
    assert_int_equal(app->scene->lines.n - app->scene->lines.n_pinned,
                     3); /* the device, its overlap, S7 */
    assert_non_null(strstr(nsc_test_row(world, 0), "rows hidden"));
    assert_non_null(strstr(nsc_test_row(world, -1), "1 label matches it"));
    nsc_test_command(world, "rows /nothing here/");
    assert_true(world->effects.set & NSC_EFFECT_REFUSED);
    assert_int_equal(app->scene->lines.n, 3);
    nsc_test_command(world, "rows /(/");
    assert_non_null(strstr(nsc_test_row(world, -1), "no regular expression"));
    nsc_test_command(world, "rows ^thread");
    assert_true(app->scene->lines.n > 0 && app->scene->lines.n < n);
    nsc_test_command(world, "rows");
    assert_int_equal(app->scene->lines.n, n);
}

/* Following a link to a row that is hidden shows it. */
TEST_WITH(a_jump_shows_its_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_event event = app->scene->selected;

    nsc_test_press(world, "H");
    nsc_scene_jump(app->edit, event);
    assert_int_equal(app->scene->lines.n_hidden, 0);
    assert_int_equal(app->scene->selected, event);
    assert_int_equal(nsc_scene_lane(app->scene, app->scene->line),
                     nsc_trace_lane_of(app->scene->trace, event));
}

TEST_WITH(rows_and_groups_move, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t line = app->scene->line;
    uint32_t track = track_at(app, line);
    uint32_t next = track_at(app, line + 1);

    nsc_test_press(world, "J");
    assert_int_equal(track_at(app, line), next);
    assert_int_equal(track_at(app, line + 1), track);
    assert_int_equal(app->scene->line, line + 1);
    nsc_test_press(world, "Alt-Up");
    assert_int_equal(track_at(app, line), track);
    nsc_test_press(world, "K");
    assert_true(rang(world));
    /* The header moves with all that it holds. */
    nsc_test_press(world, "Up Up J");
    assert_int_equal(app->scene->lines.at[0].kind, NSC_LINE_GROUP);
    assert_int_not_equal(track_at(app, 0), 0);
    assert_int_equal(app->scene->lines.at[app->scene->line].track, 0);
    nsc_test_press(world, "K");
    assert_int_equal(app->scene->line, 0);
}

TEST_WITH(a_row_grows_by_steps, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t n = app->scene->lines.n;

    nsc_test_press(world, "R R");
    assert_int_equal(app->scene->lines.at[app->scene->line].parts, 3);
    assert_int_equal(app->scene->lines.n, n + 2);
    nsc_test_press(world, "Down");
    assert_int_equal(app->scene->lines.at[app->scene->line].part, 0);
    nsc_test_press(world, "Up R R R");
    assert_int_equal(app->scene->lines.at[app->scene->line].parts, 6);
    nsc_test_press(world, "R");
    assert_int_equal(app->scene->lines.n, n);
}

TEST_WITH(the_stream_with_the_cursor_is_taller, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t n = app->scene->lines.n;
    uint32_t track = track_at(app, app->scene->line);

    nsc_test_command(world, "set stream-rows 3");
    assert_int_equal(app->scene->lines.n, n + 2);
    nsc_test_press(world, "Down");
    assert_int_equal(app->scene->lines.n, n + 2);
    assert_int_not_equal(track_at(app, app->scene->line), track);
    assert_int_equal(app->scene->lines.at[app->scene->line].parts, 3);
    nsc_test_command(world, "set other-rows 2");
    assert_true(app->scene->lines.n > n + 2);
    nsc_test_command(world, "set other-rows 7");
    assert_true(world->effects.set & NSC_EFFECT_REFUSED);
}

TEST_WITH(pins_are_restored, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_test_world again;
    struct nsc_session_state left;
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .state = &left};

    nsc_test_press(world, "p Down Down Down p");
    assert_true(nsc_app_state(world->app, &left));
    left.modified = 1;
    nsc_test_world_init(&again, NULL);
    (void)nsc_app_input(again.app, &input);
    nsc_scene_set(again.app->edit, NSC_SCENE_IDLE_ROW, 0);
    nsc_scene_set(again.app->edit, NSC_SCENE_STREAM_ROWS, 1);
    nsc_scene_set(again.app->edit, NSC_SCENE_OTHER_ROWS, 1);
    nsc_scene_set(again.app->edit, NSC_SCENE_PROJECT, NSC_PROJECT_OFF);
    assert_int_equal(again.app->scene->lines.n_pinned, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(track_at(again.app, i), track_at(world->app, i));
    nsc_session_state_fini(&left);
    nsc_test_world_fini(&again);
}

/* The labels of all lines, and how tall their rows are. */
static void rows_print(const struct nsc_app *app, char out[4096])
{
    int n = 0;

    for (size_t i = 0; i < app->scene->lines.n; i++) {
        struct nsc_text label = nsc_trace_string(
            app->scene->trace,
            nsc_trace_track(app->scene->trace, app->scene->lines.at[i].track)->label);

        n += snprintf(out + n, 4096 - (size_t)n, "%.*s %u/%u\n", (int)label.n, label.bytes,
                      app->scene->lines.at[i].part, app->scene->lines.at[i].parts);
        assert_true(n < 4096);
    }
}

TEST_WITH(the_arrangement_is_restored, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_test_world again;
    struct nsc_session_state left;
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .state = &left};
    char natural[4096];
    char wanted[4096];
    char got[4096];

    rows_print(world->app, natural);
    nsc_test_press(world, "J R R Down Down Down Down H Up Up J");
    rows_print(world->app, wanted);
    assert_string_not_equal(natural, wanted);
    assert_true(nsc_app_state(world->app, &left));
    left.modified = 1;
    nsc_test_world_init(&again, NULL);
    (void)nsc_app_input(again.app, &input);
    nsc_scene_set(again.app->edit, NSC_SCENE_IDLE_ROW, 0);
    nsc_scene_set(again.app->edit, NSC_SCENE_PROJECT, NSC_PROJECT_OFF);
    rows_print(again.app, got);
    assert_string_equal(got, wanted);
    assert_int_equal(again.app->scene->lines.n_hidden, world->app->scene->lines.n_hidden);
    nsc_session_state_fini(&left);
    nsc_test_world_fini(&again);
}

enum { STREAMS = 804, BUSIEST = 5 };

/* A kernel on each of many streams, and a thread that launches them. */
static void load_streams(struct nsc_test_world *world)
{
    struct nsc_buf text = NSC_BUF_INIT(1 << 20);

    for (int i = 0; i < STREAMS; i++)
        nsc_buf_printf(&text, "kernel 0:%d %dus %dus gemm\n", 100 + i, 10 * i,
                       10 * i + 5 + (i % 100 == 7));
    nsc_buf_puts(&text, "*804 10us api 1 0us 2us cudaLaunchKernel\n");
    nsc_test_world_load(world, text.bytes);
    nsc_buf_fini(&text);
}

/* The line of the rest; n if there is none. */
static size_t rest_at(const struct nsc_app *app)
{
    size_t line = 0;

    while (line < app->scene->lines.n && app->scene->lines.at[line].kind != NSC_LINE_REST)
        line++;
    return line;
}

/* Streams of less than 1 % are one row, but for the five busiest. Enter opens it. */
TEST_WITH(many_streams_are_one_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t rest = 0;

    load_streams(world);
    rest = rest_at(app);
    assert_int_equal(app->scene->top,
                     0); /* the GPU's header, then the streams: the first has the cursor */
    assert_int_equal(app->scene->line, 1);
    assert_int_equal(rest, 1 + BUSIEST);
    assert_int_equal(app->scene->lines.at[rest].index, STREAMS - BUSIEST);
    assert_int_equal(app->scene->lines.n, rest + 3); /* the thread and its calls */
    for (size_t line = 1; line < rest; line++)
        assert_int_equal(nsc_trace_track(app->scene->trace, track_at(app, line))->stream % 100, 7);
    assert_non_null(
        strstr(nsc_test_row(world, app->scene->layout.timeline.row + (int)rest), "799 streams"));
    nsc_scene_set_line(app->edit, rest);
    nsc_test_press(world, "Enter");
    assert_int_equal(rest_at(app), app->scene->lines.n);
    assert_int_equal(app->scene->lines.n, 1 + STREAMS + 2);
    nsc_test_press(world, "u");
    assert_int_equal(rest_at(app), rest);
    nsc_test_press(world, "( )");
    assert_int_equal(app->scene->lines.n, 1 + STREAMS + 2);
    nsc_test_press(world, "( Space");
    assert_int_equal(rest_at(app), rest);
}

/* Streams that work at once add up to more than all of the time, which is no share. */
TEST_WITH(streams_at_once_have_no_share, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_buf text = NSC_BUF_INIT(1 << 20);
    const char *row = NULL;

    for (int i = 0; i < STREAMS; i++)
        nsc_buf_printf(&text, "kernel 0:%d %dus 1ms gemm\n", 100 + i, i);
    nsc_test_world_load(world, text.bytes);
    nsc_buf_fini(&text);
    row = nsc_test_row(world, world->app->scene->layout.timeline.row + (int)rest_at(world->app));
    assert_non_null(strstr(row, "▸ 799 streams"));
    assert_null(strchr(row, '%'));
}

static int64_t stream_of(const struct nsc_app *app, nsc_event event)
{
    uint32_t lane = nsc_trace_lane_of(app->scene->trace, event);

    return nsc_trace_track(app->scene->trace, nsc_trace_lanes(app->scene->trace, NULL)[lane].track)
        ->stream;
}

/* A jump to an event of the rest shows its stream. So does a filter for streams that it keeps. */
TEST_WITH(a_row_leaves_the_rest, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_event event = 0;

    load_streams(world);
    while (stream_of(app, event) != 150)
        event++;
    nsc_scene_jump(app->edit, event);
    nsc_scene_settle(app->edit);
    assert_int_equal(app->scene->selected, event);
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, STREAMS - BUSIEST - 1);
    nsc_test_command(world, "filter stream:200,201,202");
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, STREAMS - BUSIEST - 4);
}

/* The first picture is the GPU's work: threads that are silent in it are one row, however few. */
TEST_WITH(threads_silent_in_the_first_picture_are_one_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_world_load(world, "kernel 0:7 90ms 91ms gemm\nkernel 0:7 99ms 100ms gemm\n"
                               "api 1 90ms 90.1ms cudaLaunchKernel\nos 5 1ms 95ms poll\n"
                               "os 2 1ms 2ms poll\nos 3 1ms 2ms poll\nos 4 1ms 2ms poll\n");
    assert_int_equal(nsc_window_length(nsc_viewport_window(&app->scene->viewport)), 10000000);
    assert_int_not_equal(rest_at(app), app->scene->lines.n);
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, 3);
    nsc_test_press(world, "0"); /* no row jumps */
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, 3);
    nsc_test_press(world, "%");
    assert_int_equal(rest_at(app), app->scene->lines.n);
    nsc_test_press(world, "u");
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, 3);
}

/* So are the rows of an open thread that are silent in it. */
TEST_WITH(rows_silent_in_the_first_picture_are_one_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t rest = 0;

    nsc_test_world_load(world, "kernel 0:7 90ms 91ms gemm\nkernel 0:7 99ms 100ms gemm\n"
                               "api 1 90ms 90.1ms cudaLaunchKernel\nos 1 1ms 2ms poll\n"
                               "nvtx 1 3ms 4ms start\nnvtx 1 3.1ms 3.2ms inner\n");
    rest = rest_at(app);
    assert_int_equal(app->scene->lines.n, rest + 1);
    assert_int_equal(app->scene->lines.at[rest].index, 2);
    assert_int_equal(app->scene->lines.at[rest - 1].kind, NSC_LINE_LANE);
    assert_non_null(
        strstr(nsc_test_row(world, app->scene->layout.timeline.row + (int)rest), "   ▸ 2 rows"));
    nsc_scene_set_line(app->edit, rest);
    nsc_test_press(world, "Space");
    assert_int_equal(app->scene->lines.n, rest + 3);
}

/* Without a GPU the screen has room for fifteen threads of little work, with one for five. */
TEST_WITH(threads_without_a_gpu_fill_the_screen, setup, nsc_test_world_teardown)
{
    enum { THREADS = 200, ALONE = 15 };
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_buf text = NSC_BUF_INIT(1 << 16);

    for (int i = 1; i <= THREADS; i++)
        nsc_buf_printf(&text, "os %d 1ms 2ms poll\n", i);
    nsc_test_world_load(world, text.bytes);
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, THREADS - 1 - ALONE);
    nsc_buf_puts(&text, "kernel 0:7 1ms 2ms gemm\n");
    nsc_test_world_load(world, text.bytes);
    assert_int_equal(app->scene->lines.at[rest_at(app)].index, THREADS - BUSIEST);
    nsc_buf_fini(&text);
}
