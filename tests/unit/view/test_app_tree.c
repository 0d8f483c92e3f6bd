/* Unit tests of the tree in the application: requests of its keys to other parts. */
#include "support/app_world.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/roll_input.h"
#include "view/app/prompt.h"
#include "view/model/tree.h"

#include <stdio.h>
#include <string.h>

static int begin(void **state)
{
    static struct nsc_test_world world;

    nsc_test_world_init(&world, NULL);
    nsc_test_press(&world, "t");
    while (world.effects.set & NSC_EFFECT_WORK)
        world.effects = nsc_app_input(world.app, &(struct nsc_input){.type = NSC_INPUT_TICK});
    *state = &world;
    return 0;
}

static int end(void **state)
{
    nsc_test_world_fini(*state);
    return 0;
}

static uint32_t selected_lines(const struct nsc_tree *tree)
{
    uint32_t n = 0;

    for (size_t i = 0; i < tree->lines.n; i++)
        n += tree->lines.at[i].is_selected;
    return n;
}

TEST_WITH(shift_selects_what_lies_between, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_tree *tree = world->app->tree;
    struct nsc_window one;
    struct nsc_window all;

    nsc_test_press(world, "0 Down Down");
    assert_true(nsc_tree_span(tree, &one));
    assert_int_equal(selected_lines(tree), 0);
    nsc_test_press(world, "Shift+Down Shift+Down Shift+Down");
    assert_int_equal(selected_lines(tree), 4);
    assert_true(nsc_tree_span(tree, &all));
    assert_true(all.t0 <= one.t0 && all.t1 >= one.t1);
    assert_non_null(strstr(nsc_test_row(world, -1), "Selected"));
    nsc_test_press(world, "Shift+Up");
    assert_int_equal(selected_lines(tree), 3);
    nsc_test_press(world, "Down");
    assert_int_equal(selected_lines(tree), 0);
    nsc_test_press(world, "g Shift+Down");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

TEST_WITH(a_bookmark_is_of_the_selection, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_bookmark *b = NULL;
    struct nsc_window span;

    nsc_test_press(world, "0 Down Down Shift+Down");
    assert_true(nsc_tree_span(world->app->tree, &span));
    nsc_test_press(world, "S Esc S Ctrl-U");
    nsc_test_type(world, "two");
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
    assert_int_equal(nsc_bookmarks_live(&world->app->bookmarks.list), 1);
    b = &world->app->bookmarks.list.at[0];
    assert_string_equal(nsc_bookmark_text(b, NSC_BOOKMARK_NAME), "two");
    assert_true(b->has_range && b->range.t0 == span.t0 && b->range.t1 == span.t1);
    assert_true(b->has_track);
    nsc_test_press(world, "p");
    assert_int_equal(world->app->pane, NSC_PANE_BOOKMARKS);
    nsc_test_press(world, "q q B Enter"); /* one made on the timeline is of no span */
    assert_int_equal(nsc_bookmarks_live(&world->app->bookmarks.list), 2);
    assert_true(!world->app->bookmarks.list.at[0].has_range ||
                !world->app->bookmarks.list.at[1].has_range);
}

TEST_WITH(a_time_is_gone_to, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event event = NSC_NONE;
    nsc_event now = NSC_NONE;
    char text[64];

    nsc_test_press(world, "0 End");
    for (nsc_event i = 0; i < events->n && event == NSC_NONE; i++)
        if (events->kind[i] == NSC_KIND_NVTX_RANGE)
            event = i;
    snprintf(text, sizeof text, "%lldns", (long long)events->start[event]);
    nsc_test_press(world, "Home Down G");
    nsc_test_type(world, text);
    nsc_test_press(world, "Enter");
    now = nsc_tree_event(world->app->tree);
    assert_true(now != NSC_NONE && events->start[now] <= events->start[event] &&
                nsc_event_end(events, now) > events->start[event]);
    nsc_test_press(world, "G");
    nsc_test_type(world, "soon");
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    assert_int_equal(nsc_tree_event(world->app->tree), now);
}

TEST_WITH(a_trim_is_a_term_of_the_filter, begin, end)
{
    struct nsc_test_world *world = *state;

    assert_true(nsc_app_filter_set(world->app, nsc_text_from("dur>1ns")));
    nsc_test_press(world, "T");
    nsc_test_type(world, "1ms..3ms");
    nsc_test_press(world, "Enter");
    assert_string_equal(world->app->filter.text, "dur>1ns time:1ms..3ms");
    nsc_test_press(world, "T");
    nsc_test_type(world, "3ms..1ms");
    nsc_test_press(world, "Enter");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_FILTER);
    nsc_test_press(world, "Esc T Ctrl-W Enter");
    assert_string_equal(world->app->filter.text, "dur>1ns");
}

/* The filter leaves out the row of a range that the tree keeps for the work in it. */
TEST_WITH(a_range_without_a_row_leaves_no_old_selection, begin, end)
{
    struct nsc_test_world *world = *state;
    const struct nsc_scene *scene = world->app->scene;
    nsc_event range = NSC_NONE;

    nsc_test_press(world, "z");
    nsc_scene_set(world->app->edit, NSC_SCENE_DIM, false);
    assert_true(nsc_app_filter_set(world->app, nsc_text_from("name:gemm")));
    nsc_test_work(world);
    nsc_test_press(world, "0 End");
    assert_true(scene->selected != NSC_NONE);
    nsc_test_press(world, "Home Down");
    range = nsc_tree_event(world->app->tree);
    assert_true(range != NSC_NONE);
    assert_int_equal(nsc_trace_events(world->trace)->kind[range], NSC_KIND_NVTX_RANGE);
    nsc_test_app_check(world->app, &world->grid);
}

TEST_WITH(linear_is_a_list_of_everything, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_tree *tree = world->app->tree;

    nsc_test_press(world, "C v Down");
    assert_true(tree->walk.linear && tree->lines.n > 5);
    for (size_t i = 0; i < tree->lines.n; i++)
        assert_int_equal(tree->lines.at[i].depth, 0);
    nsc_test_press(world, "v");
    assert_false(tree->walk.linear);
    nsc_test_press(world, "g v"); /* from merged paths to instances in order of time */
    assert_true(tree->walk.linear && !tree->merged_face);
}

static void mouse(struct nsc_test_world *world, enum nsc_mouse_action action, int line)
{
    struct nsc_rect pane = world->app->scene->layout.pane;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE, .mouse = {.action = action, .button = 1}};

    input.mouse.row = pane.row + 2 + line;
    input.mouse.col = pane.col + 5;
    nsc_test_give(world, &input);
}

TEST_WITH(the_tree_takes_the_mouse, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_tree *tree = world->app->tree;
    struct nsc_instance top;
    bool was_open;

    nsc_test_press(world, "0 Home");
    mouse(world, NSC_MOUSE_PRESS, 2);
    assert_true(tree->lines.at[2].is_cursor);
    top = tree->lines.at[0].at;
    was_open = tree->lines.at[0].is_open;
    mouse(world, NSC_MOUSE_WHEEL_DOWN, 2);
    assert_false(nsc_instance_is_same(tree->lines.at[0].at, top));
    mouse(world, NSC_MOUSE_WHEEL_UP, 2);
    assert_true(nsc_instance_is_same(tree->lines.at[0].at, top));
    mouse(world, NSC_MOUSE_DOUBLE, 0);
    assert_true(tree->lines.at[0].is_cursor);
    assert_int_not_equal(tree->lines.at[0].is_open, was_open);
    mouse(world, NSC_MOUSE_DOUBLE, (int)tree->lines.n); /* below the last line */
    assert_int_not_equal(tree->lines.at[0].is_open, was_open);
}

TEST_WITH(reload_begins_anew, begin, end)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "0 End R");
    while (world->effects.set & NSC_EFFECT_WORK)
        world->effects = nsc_app_input(world->app, &(struct nsc_input){.type = NSC_INPUT_TICK});
    assert_non_null(world->app->tree);
    assert_int_equal(world->app->tree->walk.cursor.root, 0);
    assert_int_equal(world->app->tree->walk.cursor.range, NSC_NONE);
    nsc_test_press(world, "x");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_FORM);
    nsc_test_press(world, "Esc");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TREE);
}

/* ---- built apart: in other builds only traces of millions of events are ---- */

static bool shows(struct nsc_test_world *world, const char *text)
{
    for (int row = 0; row < 24; row++)
        if (strstr(nsc_test_row(world, row), text))
            return true;
    return false;
}

#ifdef NSC_SMALL

static int begin_apart(void **state)
{
    static struct nsc_test_world world;
    struct nsc_app_options options = {.file = "test.sqlite", .builds_apart = true};

    nsc_test_world_init(&world, &options);
    *state = &world;
    return 0;
}

/* What the caller's thread does. */
static void build_slot(struct nsc_test_world *world, enum nsc_build_slot slot)
{
    assert_true(world->effects.set & NSC_EFFECT_BUILD);
    nsc_app_build_run(world->app, slot);
    world->effects =
        nsc_app_input(world->app, &(struct nsc_input){.type = NSC_INPUT_BUILT, .slot = slot});
}

static void build(struct nsc_test_world *world)
{
    build_slot(world, NSC_BUILDS_TREE);
}

TEST_WITH(a_large_tree_is_made_beside, begin_apart, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "t");
    assert_null(app->tree);
    assert_true(shows(world, "Making the tree"));
    nsc_test_press(world, "Down");
    assert_false(world->effects.set & NSC_EFFECT_BUILD); /* asked once */
    world->effects.set = NSC_EFFECT_BUILD;
    build(world);
    assert_non_null(app->tree);
    assert_true(app->tree->lines.n > 0);
    nsc_test_press(world, "g");
    assert_true(shows(world, "Merging equal paths"));
    nsc_test_press(world, "0"); /* not touched meanwhile */
    world->effects.set = NSC_EFFECT_BUILD;
    build(world);
    assert_true(app->tree->merged_face && app->tree->merged.calls);
    assert_true(nsc_app_filter_set(app, nsc_text_from("kind:kernel")));
    world->effects.set = NSC_EFFECT_BUILD;
    build_slot(world, NSC_BUILDS_PICK);
    nsc_test_press(world, "Down");
    assert_int_equal(app->builds[NSC_BUILDS_TREE].what, NSC_BUILD_FILTER);
    world->effects.set = NSC_EFFECT_BUILD; /* ticks came behind it */
    build(world);
    assert_string_equal(app->tree_filter, "kind:kernel");
    nsc_test_press(world, "Down");
    assert_false(world->effects.set & NSC_EFFECT_BUILD);
}

/* The projection is built at the same time as the tree: neither waits for the other. */
TEST_WITH(the_tree_does_not_wait_for_the_projection, begin_apart, end)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "t");
    build(world);
    nsc_test_press(world, "q P");
    assert_true(world->app->builds[NSC_BUILDS_PROJECTION].runs);
    nsc_test_press(world, "t R");
    assert_null(world->app->tree);
    build(world);
    assert_non_null(world->app->tree);
    world->effects.set = NSC_EFFECT_BUILD;
    build_slot(world, NSC_BUILDS_PROJECTION);
    assert_non_null(world->app->scene->lines.projection);
}

/* The previous window's flame graph stays until the new one is ready. */
TEST_WITH(the_flame_graph_is_made_beside, begin_apart, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_flame_view *view = &world->app->flame;
    nsc_time whole = 0;

    nsc_test_press(world, "$");
    assert_null(view->made);
    assert_true(shows(world, "being made"));
    nsc_test_press(world, "+"); /* the window moves on meanwhile */
    world->effects.set = NSC_EFFECT_BUILD;
    build_slot(world, NSC_BUILDS_FLAME);
    whole = view->made->whole;
    assert_true(world->effects.set & NSC_EFFECT_BUILD); /* of the new window */
    build_slot(world, NSC_BUILDS_FLAME);
    assert_true(view->made->whole < whole);
    assert_false(shows(world, "being made"));
    nsc_test_press(world, "o"); /* freed with the application while it is made */
    nsc_app_build_run(world->app, NSC_BUILDS_FLAME);
}

TEST_WITH(what_keys_do_to_many_paths_is_done_beside, begin_apart, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    enum nsc_tree_sort sort = NSC_TREE_BY_TIME;

    nsc_test_press(world, "t");
    build(world);
    nsc_test_press(world, "g");
    build(world);
    assert_true(app->tree->merged.calls->n >= 2);
    sort = app->tree->sort;
    nsc_test_press(world, "o");
    assert_true(shows(world, "Putting the paths in order"));
    assert_int_equal(app->tree->sort, sort);
    build(world);
    assert_int_not_equal(app->tree->sort, sort);
    assert_false(shows(world, "Putting the paths in order"));
    nsc_test_press(world, "a");
    nsc_test_press(world, "Esc"); /* leaves the tree, gives nothing up */
    assert_int_equal(nsc_app_scope(app), NSC_KEY_SCOPE_TIMELINE);
    world->effects.set = NSC_EFFECT_BUILD;
    build(world);
    assert_true(app->tree->exact && app->tree->merged_face);
    assert_string_equal(app->tree_filter, "");
}

TEST_WITH(what_is_given_up_is_thrown_away, begin_apart, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "t");
    nsc_app_build_run(app, NSC_BUILDS_TREE);
    nsc_test_press(world, "Esc");
    assert_int_equal(app->pane, NSC_PANE_SUMMARY);
    world->effects = nsc_app_input(app, &(struct nsc_input){.type = NSC_INPUT_BUILT});
    assert_null(app->tree);
    assert_false(world->effects.set & NSC_EFFECT_BUILD);
    nsc_test_press(world, "Esc"); /* nobody asked for the projection */
    assert_false(app->builds[NSC_BUILDS_PROJECTION].given_up);
    nsc_test_press(world, "P Esc");
    assert_true(app->builds[NSC_BUILDS_PROJECTION].given_up);
    world->effects.set = NSC_EFFECT_BUILD;
    build_slot(world, NSC_BUILDS_PROJECTION);
    assert_null(app->scene->lines.projection);
    nsc_test_press(world, "P");
    build_slot(world, NSC_BUILDS_PROJECTION);
    assert_non_null(app->scene->lines.projection);
    nsc_test_press(world, "t"); /* freed with the application while it is made */
    nsc_app_build_run(app, NSC_BUILDS_TREE);
}

TEST_WITH(the_event_is_shown_once_the_tree_is_there, begin_apart, end)
{
    struct nsc_test_world *world = *state;
    nsc_event event = NSC_NONE;

    for (int i = 0; i < 12 && world->app->scene->selected == NSC_NONE; i++)
        nsc_test_press(world, "Down Tab");
    event = world->app->scene->selected;
    assert_int_not_equal(event, NSC_NONE);
    nsc_test_press(world, "w");
    build(world);
    assert_int_equal(nsc_tree_event(world->app->tree), event);
}

#endif

/* Roots of one thread differ in their domain only, so a narrow screen keeps it. */
TEST(roots_show_their_domain)
{
    struct nsc_test_row rows[] = {
        {.kind = NSC_KIND_NVTX_RANGE, .process = 111, .tid = 111, .end = 90, .name = "step"},
        {.kind = NSC_KIND_NVTX_RANGE,
         .process = 111,
         .tid = 111,
         .domain = 7,
         .start = 10,
         .end = 80,
         .name = "inner"},
        {.kind = NSC_KIND_API_RUNTIME,
         .process = 111,
         .tid = 111,
         .start = 20,
         .end = 30,
         .name = "cudaLaunchKernel",
         .correlation = 1},
        {.kind = NSC_KIND_KERNEL,
         .process = 111,
         .stream = 7,
         .start = 40,
         .end = 60,
         .name = "gemm",
         .correlation = 1}};
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, NULL, 24, 48);
    world.trace = nsc_test_trace_build(rows, sizeof rows / sizeof *rows);
    nsc_test_send(&world, (struct nsc_input){.type = NSC_INPUT_LOADED, .trace = world.trace});
    nsc_test_press(&world, "t");
    assert_true(shows(&world, "NVTX domain 7"));
    nsc_test_world_fini(&world);
}

TEST(without_ranges_no_filter_is_to_blame)
{
    struct nsc_test_world world = {0};

    nsc_test_world_init(&world, NULL);
    nsc_test_world_load(&world, "kernel 0:7 5us 9us gemm\n");
    nsc_test_press(&world, "t +");
    nsc_test_work(&world);
    assert_string_equal(world.app->filter.text, "dur>1us");
    assert_true(shows(&world, "The export has no NVTX push/pop ranges."));
    nsc_test_world_load(&world, "nvtx 1 5us 9us step\n");
    nsc_test_command(&world, "filter name:gemm");
    nsc_test_work(&world);
    nsc_test_press(&world, "g");
    assert_true(shows(&world, "The filter leaves nothing."));
    nsc_test_world_fini(&world);
}

/* Lines of the tree move the timeline's cursor, and the tree opens where that is. */
TEST_OF_WORLD(the_tree_and_the_timeline_have_one_cursor)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_event event = NSC_NONE;

    nsc_test_press(world, "t Home Down Down");
    event = nsc_tree_event(app->tree);
    assert_int_not_equal(event, NSC_NONE);
    assert_int_equal(app->scene->selected, event);
    nsc_test_press(world, "q");
    assert_int_equal(app->scene->selected, event);
    nsc_test_press(world, "t Home q Tab");
    assert_int_not_equal(app->scene->selected, event);
    event = app->scene->selected;
    nsc_test_press(world, "t");
    assert_int_equal(nsc_tree_event(app->tree), event);
    nsc_test_press(world, "*");
    assert_non_null(strstr(app->filter.text, "name"));
}
