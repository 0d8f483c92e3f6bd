/*
 * Unit tests of the application on several exports: headers that fold, jumps into folded ones,
 * copying, rows named in files.
 */
#include "core/bits.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/model/track_id.h"
#include "view/scene/move.h"

#include <string.h>

static const char *const files[] = {"a b.sqlite", "c.sqlite"};

static int setup(void **state)
{
    struct nsc_test_world *world = nsc_xcalloc(1, sizeof *world);
    struct nsc_app_options options = {
        .file = files[0], .files = files, .n_files = 2, .align = "start"};

    nsc_test_world_open(world, &options,
                        "*4 1ms kernel 0:7 1ms 1.5ms gemm #1\n"
                        "*4 1ms api 111 0.5ms 0.6ms launch #1\n"
                        "export\n"
                        "*4 1ms kernel 0:7 2ms 2.5ms gemm #1\n"
                        "*4 1ms api 111 1.5ms 1.6ms launch #1\n",
                        40, 120);
    nsc_scene_set(world->app->edit, NSC_SCENE_IDLE_ROW, 0);
    nsc_scene_set(world->app->edit, NSC_SCENE_STREAM_ROWS, 1); /* not by the spare lines */
    nsc_scene_set(world->app->edit, NSC_SCENE_OTHER_ROWS, 1);
    *state = world;
    return 0;
}

static const struct nsc_track *track_at(const struct nsc_test_world *world, size_t line)
{
    return nsc_trace_track(world->trace, world->app->scene->lines.at[line].track);
}

TEST_WITH(all_folds_into_one_line_an_export, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    assert_int_equal(world->app->scene->lines.n, 10);
    nsc_test_step(world, "(");
    assert_int_equal(world->app->scene->lines.n, 2);
    assert_int_equal(track_at(world, 0)->kind, NSC_TRACK_CAPTURE);
    assert_int_equal(track_at(world, 1)->capture_no, 1);
    assert_int_equal(world->app->scene->line, 0);
    nsc_test_step(world, ")");
    assert_int_equal(world->app->scene->lines.n, 10);
}

TEST_WITH(a_question_about_the_schema_is_of_the_export_of_the_row, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_press(world, "( Down");
    nsc_test_command(world, "schema");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "schema");
    assert_int_equal(request.capture_no, 1);
}

/* The question that only several exports answer is two keys away. */
TEST_WITH(ranks_are_compared_first, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_press(world, "A Enter");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "ranks");
}

TEST_WITH(a_jump_opens_what_it_lies_under, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    nsc_event last = nsc_trace_events(world->trace)->n - 1;

    nsc_test_step(world, "(");
    nsc_scene_jump(world->app->edit, last);
    assert_int_equal(world->app->scene->selected, last);
    assert_int_equal(track_at(world, world->app->scene->line)->capture_no, 1);
    assert_int_equal(world->app->scene->lines.at[world->app->scene->line].kind, NSC_LINE_LANE);
    assert_int_equal(track_at(world, 0)->kind, NSC_TRACK_CAPTURE);
    assert_true(nsc_bits_get(world->app->scene->folds, 0)); /* the other one stays folded */
}

TEST_WITH(folding_stays_with_its_header, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    uint32_t header = nsc_trace_captures(world->trace, NULL)[1].first_track;
    size_t line = nsc_rows_find_track(&world->app->scene->lines, world->trace, header);

    assert_true(nsc_scene_fold(world->app->edit, line));
    assert_int_equal(world->app->scene->lines.n, 6);
    assert_int_equal(nsc_rows_find_track(&world->app->scene->lines, world->trace, header + 2), 5);
    assert_int_equal(nsc_rows_find_track(&world->app->scene->lines, world->trace, header + 1), 5);
    assert_int_equal(world->app->scene->line, 5);
}

TEST_WITH(the_command_names_all_files, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    uint32_t device = nsc_trace_captures(world->trace, NULL)[1].first_track + 1;

    nsc_scene_set_line(world->app->edit,
                       nsc_rows_find_track(&world->app->scene->lines, world->trace, device));
    nsc_scene_select(world->app->edit, NSC_NONE);
    nsc_test_step(world, "y");
    assert_true(world->effects.set & NSC_EFFECT_COPY);
    assert_non_null(strstr(world->effects.text.bytes,
                           "nsyscope bins 'a b.sqlite' c.sqlite --align start --device 0 "));
    assert_non_null(strstr(world->effects.text.bytes, " --filter rank:1"));
}

/* The rows of a query: one with a start of 5. */
static void answer_query(struct nsc_test_world *world, bool of_trace)
{
    struct nsc_input input = {.type = NSC_INPUT_QUERY, .of_trace = of_trace};

    nsc_test_press(world, "( Down");
    nsc_test_command(world, "sql SELECT 5 AS start");
    input.relation = nsc_relation_begin((const char *const[]){"start"}, 1);
    nsc_relation_add_int(input.relation, 5);
    nsc_relation_end(input.relation);
    world->effects = nsc_app_input(world->app, &input);
}

TEST_WITH(the_times_of_a_query_are_those_of_the_trace_or_of_one_export, setup,
          nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_trace_info *exports = nsc_trace_captures(world->trace, NULL);
    struct nsc_window at;

    ((struct nsc_trace_info *)(uintptr_t)exports)[1].offset = 7;
    answer_query(world, true);
    assert_true(nsc_app_sql_time(world->app, 0, &at));
    assert_int_equal(at.t0, 5);
    nsc_test_press(world, "y y y");
    assert_non_null(strstr(world->effects.text.bytes,
                           "nsyscope sql 'a b.sqlite' c.sqlite --align start 'SELECT 5"));
    answer_query(world, false);
    assert_true(nsc_app_sql_time(world->app, 0, &at));
    assert_int_equal(at.t0, 12);
    nsc_test_press(world, "y y y");
    assert_non_null(strstr(world->effects.text.bytes, "nsyscope sql --raw c.sqlite 'SELECT 5"));
}

TEST_WITH(a_row_is_named_with_its_export, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    uint32_t n = 0;

    (void)nsc_trace_tracks(world->trace, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_track_id id = nsc_track_id(world->trace, i, 0);

        assert_int_equal(id.process >> 40, i / 5);
        assert_int_equal(nsc_track_id_find(world->trace, &id), i);
    }
}

TEST_MAIN
{
#undef TEST

    return nsc_test_run(NULL, NULL);
}
