/*
 * Unit tests of early rows during a load, and of the arrival of the rest: the user's changes are
 * kept.
 */
#include "core/bits.h"
#include "support/app_world.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "view/model/track_id.h"

#include <stdlib.h>
#include <string.h>

static bool is_equal(const struct nsc_track_id *a, const struct nsc_track_id *b)
{
    return a->kind == b->kind && a->pid == b->pid && a->tid == b->tid && a->process == b->process &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->domain == b->domain && a->nth == b->nth && a->lane == b->lane;
}

enum { KERNELS = 300, EXPORTS = 2, ROUNDS = 20, KEYS = 60 };

struct world {
    struct nsc_test_row rows[KERNELS * 3 * EXPORTS + 1];
    uint32_t n;
    struct nsc_trace *early, *whole;
    struct nsc_test_world app; /* its trace stays NULL */
};

/* One export: kernels with calls on each of three streams, and ranges of two domains. */
static void make_rows(struct world *world, uint32_t capture_no)
{
    static const char *const names[] = {"gemm", "softmax", "ncclAllReduce"};

    for (uint32_t i = 0; i < KERNELS; i++) {
        nsc_time t = 1000 + 100 * (nsc_time)i;
        struct nsc_test_row row = {.kind = NSC_KIND_KERNEL,
                                   .process = 1,
                                   .tid = 1 + i % 2,
                                   .context = 1,
                                   .stream = 7 + i % 3,
                                   .start = t,
                                   .end = t + 80,
                                   .name = names[i % 3],
                                   .correlation = i + 1,
                                   .capture_no = capture_no};

        world->rows[world->n++] = row;
        row.kind = NSC_KIND_API_RUNTIME;
        row.start -= 50;
        row.end = row.start + 20;
        world->rows[world->n++] = row;
        row.kind = NSC_KIND_NVTX_RANGE;
        row.domain = i % 2;
        row.start -= 900;
        world->rows[world->n++] = row;
    }
}

static void give(struct world *world, const struct nsc_trace *trace, bool early)
{
    struct nsc_input input = {.type = NSC_INPUT_LOADED, .trace = trace, .early = early};

    nsc_test_give(&world->app, &input);
}

/* idle: the process waits so many ns after the work. */
static int begin(void **state, uint32_t n, nsc_time idle)
{
    struct world *world = calloc(1, sizeof *world);
    struct nsc_app_options options = {.file = "test.sqlite"};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 120};

    for (uint32_t x = 0; x < n; x++)
        make_rows(world, x);
    if (idle)
        world->rows[world->n++] = (struct nsc_test_row){
            .kind = NSC_KIND_OSRT, .process = 1, .tid = 1, .end = idle, .name = "poll"};
    world->whole = nsc_test_trace_build_early(&world->early, world->rows, world->n, true);
    world->app.app = nsc_app_new(&options);
    nsc_grid_init(&world->app.grid, false);
    (void)nsc_app_input(world->app.app, &size);
    give(world, world->early, true);
    nsc_scene_set(world->app.app->edit, NSC_SCENE_STREAM_ROWS, 1); /* not by the spare lines */
    nsc_scene_set(world->app.app->edit, NSC_SCENE_OTHER_ROWS, 1);
    *state = world;
    return 0;
}

static int setup_exports(void **state, uint32_t n)
{
    return begin(state, n, 0);
}

static int setup_idle(void **state)
{
    return begin(state, 1, 10000000);
}

static int setup(void **state)
{
    return setup_exports(state, 1);
}

static int setup_job(void **state)
{
    return setup_exports(state, EXPORTS);
}

static int teardown(void **state)
{
    struct world *world = *state;

    nsc_app_free(world->app.app);
    nsc_grid_fini(&world->app.grid);
    nsc_trace_free(world->early);
    nsc_trace_free(world->whole);
    free(world);
    return 0;
}

static struct nsc_track_id row_of(const struct nsc_app *app, size_t line)
{
    return nsc_track_id(app->scene->trace, app->scene->lines.at[line].track,
                        app->scene->lines.at[line].index);
}

static void the_title_says_that_more_comes(void **state)
{
    struct world *world = *state;
    struct nsc_input input = {.type = NSC_INPUT_PROGRESS};

    input.progress.rows = 43;
    input.progress.rows_total = 100;
    (void)nsc_app_input(world->app.app, &input);
    assert_non_null(strstr(nsc_test_row(&world->app, 0), "loading the rest, 43 %"));
    give(world, world->whole, false);
    assert_null(strstr(nsc_test_row(&world->app, 0), "loading"));
}

static void all_of_it_stays_all_of_it(void **state)
{
    struct world *world = *state;
    struct nsc_app *app = world->app.app;

    assert_true(nsc_viewport_is_whole(&app->scene->viewport));
    give(world, world->whole, false);
    assert_true(nsc_viewport_is_whole(&app->scene->viewport));
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0,
                     nsc_trace_extent(world->whole).t0);
}

static void view_cursor_selection_and_pins_stay(void **state)
{
    struct world *world = *state;
    struct nsc_app *app = world->app.app;
    struct nsc_track_id row;
    struct nsc_track_id pin;
    struct nsc_window w;
    nsc_event selected;
    nsc_time cursor;

    nsc_test_press(&world->app, "p + + Right Tab");
    w = nsc_viewport_window(&app->scene->viewport);
    row = row_of(app, app->scene->line);
    pin = row_of(app, 0);
    selected = app->scene->selected;
    cursor = app->scene->cursor;
    assert_int_equal(app->scene->lines.n_pinned, 1);
    assert_int_not_equal(selected, NSC_NONE);
    give(world, world->whole, false);
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0, w.t0);
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t1, w.t1);
    assert_int_equal(app->scene->selected, selected);
    assert_int_equal(app->scene->cursor, cursor);
    assert_int_equal(app->scene->lines.n_pinned, 1);
    {
        struct nsc_track_id row_now = row_of(app, app->scene->line);
        struct nsc_track_id pin_now = row_of(app, 0);

        assert_true(is_equal(&row, &row_now));
        assert_true(is_equal(&pin, &pin_now));
    }
}

static void the_filter_holds_for_the_rest(void **state)
{
    struct world *world = *state;
    struct nsc_app *app = world->app.app;

    nsc_test_press(&world->app, "/");
    nsc_test_type(&world->app, "name:gemm");
    nsc_test_press(&world->app, "Enter");
    assert_true(nsc_scene_is_filtered(app->scene));
    assert_int_equal(nsc_summary_count(app->scene->summary),
                     2 * KERNELS / 3); /* kernels and calls */
    give(world, world->whole, false);
    assert_true(nsc_scene_is_filtered(app->scene));
    assert_int_equal(nsc_summary_count(app->scene->summary), KERNELS);
}

static void folds_stay_and_new_rows_are_open(void **state)
{
    struct world *world = *state;
    struct nsc_app *app = world->app.app;
    uint32_t n = 0;
    const struct nsc_track *tracks = NULL;

    assert_int_equal(app->scene->lines.at[0].kind, NSC_LINE_GROUP);
    nsc_scene_set_line(app->edit, 0);
    nsc_test_press(&world->app, "Enter");
    assert_true(nsc_bits_get(app->scene->folds, app->scene->lines.at[0].track));
    give(world, world->whole, false);
    tracks = nsc_trace_tracks(world->whole, &n);
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_DEVICE)
            assert_int_equal(nsc_bits_get(app->scene->folds, t), tracks[t].capture_no == 0);
        else if (tracks[t].kind == NSC_TRACK_THREAD)
            assert_false(nsc_bits_get(app->scene->folds, t));
}

/* The first export's rows come first; each has a header when the second arrives. */
static void a_job_begins_with_its_first_export(void **state)
{
    struct world *world = *state;
    struct nsc_app *app = world->app.app;
    uint32_t n = 0;

    (void)nsc_trace_captures(app->scene->trace, &n);
    assert_int_equal(n, 1);
    assert_int_equal(nsc_trace_events(app->scene->trace)->n, 2 * KERNELS);
    give(world, world->whole, false);
    (void)nsc_trace_captures(app->scene->trace, &n);
    assert_int_equal(n, EXPORTS);
    assert_int_equal(nsc_trace_events(app->scene->trace)->n, 3 * KERNELS * EXPORTS);
    assert_int_equal(nsc_trace_tracks(app->scene->trace, &n)[app->scene->lines.at[0].track].kind,
                     NSC_TRACK_CAPTURE);
}

static void what_needs_the_rest_says_so(void **state)
{
    struct world *world = *state;

    nsc_test_press(&world->app, "t");
    assert_non_null(strstr(world->app.app->message, "still being read"));
    nsc_test_press(&world->app, "x");
    assert_non_null(strstr(world->app.app->message, "still being read"));
    nsc_test_command(&world->app, "export csv all out.csv");
    assert_true(world->app.effects.set & NSC_EFFECT_REFUSED);
    assert_false(world->app.effects.set & NSC_EFFECT_EXPORT);
    assert_non_null(strstr(world->app.app->message, "still being read"));
    give(world, world->whole, false);
    nsc_test_press(&world->app, "t");
    assert_null(strstr(world->app.app->message, "still being read"));
}

/* The rest may show that the work takes little of the recording. */
static void little_work_is_pointed_out_with_the_rest(void **state)
{
    struct world *world = *state;

    assert_null(strstr(world->app.app->message, "works within"));
    give(world, world->whole, false);
    assert_non_null(strstr(world->app.app->message, "works within 30.0 µs of 10.0 ms"));
    assert_int_equal(nsc_window_length(nsc_viewport_window(&world->app.app->scene->viewport)),
                     29980);
}

/* A session without a stored view is no reason to show all of the recording. */
static void the_work_is_shown_without_a_stored_view(void **state)
{
    struct world *world = *state;
    const struct nsc_session_state none = {0};
    struct nsc_input session = {.type = NSC_INPUT_BOOKMARKS, .state = &none};

    nsc_test_give(&world->app, &session);
    little_work_is_pointed_out_with_the_rest(state);
}

static void play(struct world *world, struct dice *dice)
{
    for (int i = 0; i < KEYS; i++) {
        uint64_t roll = dice_next(dice);
        uint8_t bytes[3] = {(uint8_t)roll, (uint8_t)(roll >> 8), (uint8_t)(roll >> 16)};
        struct nsc_input input = nsc_test_input_of(bytes);

        (void)nsc_app_input(world->app.app, &input);
        nsc_test_app_check(world->app.app, &world->app.grid);
    }
}

/* Whatever was open or chosen, the rest can arrive. */
static void it_may_arrive_at_any_time(void **state)
{
    struct dice dice = dice_new(77);

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        void *world = NULL;

        (void)setup_exports(&world, 1 + (uint32_t)i % EXPORTS);
        play(world, &dice);
        give(world, ((struct world *)world)->whole, false);
        nsc_test_app_check(((struct world *)world)->app.app, &((struct world *)world)->app.grid);
        play(world, &dice);
        (void)teardown(&world);
    }
}

/* A message of two lines covers the line above the status only if the cursor is not there. */
static void a_long_message_leaves_the_cursor_row(void **state)
{
    struct world *world = *state;
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 11, .cols = 40};

    give(world, world->whole, false);
    (void)nsc_app_input(world->app.app, &size);
    for (int i = 0; i < 12; i++) {
        nsc_test_press(&world->app, "Tab");
        nsc_test_command(&world->app, "set mouse");
        assert_true(strlen(world->app.app->message) > 40);
        nsc_test_app_check(world->app.app, &world->app.grid);
        nsc_test_press(&world->app, "Down");
    }
}

/* Nine iterations, the first long; a kernel of each begins before its end and outlasts it. */
static void make_iterations(struct world *world)
{
    for (uint32_t i = 0; i < 9; i++) {
        nsc_time t = 1000000 * (i ? i + 4 : 0);
        nsc_time end = 1000000 * (i + 5);
        struct nsc_test_row row = {.kind = NSC_KIND_NVTX_RANGE,
                                   .process = 1,
                                   .tid = 1,
                                   .start = t,
                                   .end = end,
                                   .name = "step"};

        world->rows[world->n++] = row;
        row = (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                    .process = 1,
                                    .tid = 1,
                                    .context = 1,
                                    .stream = 7,
                                    .start = end - 200000,
                                    .end = end + 300000,
                                    .name = "gemm",
                                    .correlation = i + 1};
        world->rows[world->n++] = row;
        row.kind = NSC_KIND_API_RUNTIME;
        row.start = end - 900000;
        row.end = end - 890000;
        row.name = "cudaLaunchKernel";
        world->rows[world->n++] = row;
    }
}

/* The cursor begins in the first steady iteration, at work that begins there, also if iterations
 * are known with the rest only. It stays where the user has moved it. */
static void the_start_waits_for_iterations(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        struct world *world = calloc(1, sizeof *world);
        struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 120};
        const struct nsc_scene *scene = NULL;
        nsc_time cursor = 0;

        make_iterations(world);
        world->whole = nsc_test_trace_build_early(&world->early, world->rows, world->n, true);
        world->app.app = nsc_app_new(&(struct nsc_app_options){.file = "test.sqlite"});
        nsc_grid_init(&world->app.grid, false);
        (void)nsc_app_input(world->app.app, &size);
        give(world, world->early, true);
        scene = world->app.app->scene;
        assert_true(scene->cursor < 5000000);
        if (moves)
            nsc_test_press(&world->app, "Tab Tab Tab");
        cursor = scene->cursor;
        give(world, world->whole, false);
        assert_true(world->app.app->explore.iterations.n >= 8);
        if (moves)
            assert_int_equal(scene->cursor, cursor);
        else
            assert_int_equal(nsc_trace_events(world->whole)->start[scene->selected], 5800000);
        state = (void *[]){world};
        (void)teardown(state);
    }
}

#define ALONE(name)  cmocka_unit_test_setup_teardown(name, setup, teardown)
#define IN_JOB(name) cmocka_unit_test_setup_teardown(name, setup_job, teardown)

TEST_MAIN
{
    const struct CMUnitTest tests[] = {
        ALONE(the_title_says_that_more_comes),
        ALONE(all_of_it_stays_all_of_it),
        ALONE(view_cursor_selection_and_pins_stay),
        ALONE(the_filter_holds_for_the_rest),
        ALONE(folds_stay_and_new_rows_are_open),
        ALONE(what_needs_the_rest_says_so),
        IN_JOB(view_cursor_selection_and_pins_stay),
        IN_JOB(folds_stay_and_new_rows_are_open),
        IN_JOB(a_job_begins_with_its_first_export),
        ALONE(a_long_message_leaves_the_cursor_row),
        cmocka_unit_test(it_may_arrive_at_any_time),
        cmocka_unit_test(the_start_waits_for_iterations),
        cmocka_unit_test_setup_teardown(little_work_is_pointed_out_with_the_rest, setup_idle,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_work_is_shown_without_a_stored_view, setup_idle,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
