/* Unit tests of the bottom panes and the range: focus, lists, counts, and copying. */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/pane/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
    struct nsc_test_world *world = calloc(1, sizeof *world);
    struct nsc_app_options options = {.file = "it's.sqlite"};

    nsc_test_world_open(world, &options, nsc_test_trace_sample, 40, 120);
    nsc_test_work(world);
    *state = world;
    return 0;
}

TEST_WITH(one_key_moves_the_focus, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    nsc_test_press(world, "Ctrl-W");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_DETAILS);
    nsc_test_press(world, "Ctrl-W");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    nsc_test_press(world, "F7 Esc");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    assert_true(world->app->pane_open);
    nsc_test_press(world, "z");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_DETAILS);
    nsc_test_press(world, "Ctrl-W");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    assert_false(world->app->pane_full);
}

TEST_WITH(a_range_follows_the_cursor, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_time from = app->scene->cursor;

    nsc_test_press(world, "v Tab Tab");
    assert_true(app->scene->has_range);
    assert_int_equal(app->scene->range.t0, from);
    assert_int_equal(app->scene->range.t1, app->scene->cursor);
    nsc_test_press(world, "v Tab");
    assert_true(app->scene->range.t1 < app->scene->cursor);
    nsc_test_press(world, "Esc");
    assert_false(app->scene->has_range);
    nsc_test_press(world, "v Shift+Tab Shift+Tab Esc Tab");
    assert_false(app->scene->has_range);
}

TEST_WITH(ends_and_events_make_a_range, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time start = app->scene->cursor;

    nsc_test_press(world, "[");
    assert_int_equal(app->scene->range.t0, start);
    assert_int_equal(app->scene->range.t1, app->scene->viewport.extent.t1);
    nsc_test_press(world, "Tab Tab ]");
    assert_int_equal(app->scene->range.t0, start);
    assert_int_equal(app->scene->range.t1, app->scene->cursor);
    nsc_test_press(world, "r");
    assert_int_equal(app->scene->range.t0, events->start[app->scene->selected]);
    assert_int_equal(app->scene->range.t1, nsc_event_end(events, app->scene->selected));
    nsc_test_press(world, "Esc");
    nsc_scene_set_line(app->edit, 0); /* a header */
    nsc_scene_settle(app->edit);
    nsc_test_press(world, "r");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

static bool copied_is(const struct nsc_test_world *world, const char *text)
{
    return world->effects.set & NSC_EFFECT_COPY && world->effects.text.n == strlen(text) &&
           memcmp(world->effects.text.bytes, text, strlen(text)) == 0;
}

static uint32_t groups_of(const struct nsc_test_world *world)
{
    uint32_t n = 0;

    (void)nsc_selection_groups(world->app->panes.selection.made, &n);
    return n;
}

static const struct nsc_figures *figures_of(const struct nsc_test_world *world)
{
    return nsc_selection_all(world->app->panes.selection.made);
}

TEST_WITH(statistics_are_of_the_row_or_of_all_devices, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "s");
    assert_int_equal(world->app->pane, NSC_PANE_SELECTION);
    assert_int_equal(figures_of(world)->count, 80);
    assert_int_equal(groups_of(world), 2);
    nsc_test_press(world, "r");
    assert_int_equal(figures_of(world)->count, 1);
    nsc_test_press(world, "Esc Esc s a");
    assert_int_equal(figures_of(world)->count, 95);
    assert_int_equal(groups_of(world), 4);
    nsc_test_press(world, "Right");
    assert_int_equal(groups_of(world), 3);
    nsc_test_press(world, "Right");
    assert_int_equal(groups_of(world), 3);
    nsc_test_press(world, "Right");
    assert_int_equal(groups_of(world), 1);
    nsc_test_press(world, "Right Left Left Left Left End");
    assert_int_equal(world->app->panes.selection.table.list.cursor, 3);
    nsc_test_press(world, "Down");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_press(world, "s"); /* back to what was shown before */
    assert_int_equal(world->app->pane, NSC_PANE_SUMMARY);
    assert_false(world->app->panes.focus);
}

/* Its groups are a table: a text narrows them, a click on a title sorts them, and y copies; the total stays. */
TEST_WITH(groups_are_narrowed_sorted_and_copied, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_table *table = &app->panes.selection.table;
    struct nsc_input click = {.type = NSC_INPUT_MOUSE,
                              .mouse = {.action = NSC_MOUSE_PRESS, .button = 1, .col = 2}};

    nsc_test_press(world, "s a");
    assert_int_equal(table->list.n, 4);
    click.mouse.row = app->scene->layout.pane.row + 1;
    (void)nsc_app_input(app, &click);
    assert_int_equal(table->sorted, 0);
    assert_non_null(strstr(nsc_test_row(world, click.mouse.row + 1), " all "));
    nsc_test_press(world, "y");
    assert_true(copied_is(world, "copy"));
    nsc_test_press(world, "/");
    nsc_test_type(world, "GEMM");
    nsc_test_press(world, "Enter");
    assert_int_equal(table->list.n, 1);
    assert_non_null(strstr(nsc_test_row(world, click.mouse.row + 1), " all "));
    nsc_test_press(world, "y");
    assert_true(copied_is(world, "gemm_bf16"));
    nsc_test_press(world, "Esc");
    assert_int_equal(table->list.n, 4);
}

#ifdef NSC_SMALL /* else a selection of so few rows is measured at once */

/* Quantiles that are not measured have no columns. */
TEST_WITH(without_quantiles_no_column_is_empty, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_table *table = &world->app->panes.selection.table;
    char line[80];

    nsc_test_press(world, "s");
    assert_int_equal(table->hidden, 0);
    (void)snprintf(line, sizeof line, "*%u 10us kernel 0:7 0us 5us gemm\n",
                   NSC_SELECTION_QUANTILES + 1);
    nsc_test_world_load(world, line);
    nsc_test_press(world, "Y s");
    assert_int_equal(table->list.n, 1);
    assert_int_not_equal(table->hidden, 0);
    nsc_test_press(world, "+ +");
    assert_int_equal(table->hidden, 0);
}

/* Reports the build of the statistics, as another thread does. */
static void build_statistics(struct nsc_test_world *world)
{
    nsc_app_build_run(world->app, NSC_BUILDS_SELECTION);
    world->effects = nsc_app_input(
        world->app, &(struct nsc_input){.type = NSC_INPUT_BUILT, .slot = NSC_BUILDS_SELECTION});
}

TEST_WITH(statistics_of_an_earlier_question_are_dropped, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_pane_selection *selection = &world->app->panes.selection;

    world->app->builds_apart = true;
    nsc_test_press(world, "s");
    assert_int_equal(world->effects.builds, 1u << NSC_BUILDS_SELECTION);
    assert_null(selection->made);
    nsc_test_press(world, "Right"); /* another grouping, while the first one is measured */
    assert_int_equal(world->effects.builds, 0);
    build_statistics(world);
    assert_null(selection->made);
    assert_int_equal(world->effects.builds, 1u << NSC_BUILDS_SELECTION);
    build_statistics(world);
    assert_int_equal(world->effects.builds, 0);
    assert_int_equal(figures_of(world)->count, 80);
    nsc_test_press(world, "Left");
    assert_null(selection->made);
    build_statistics(world);
    assert_int_equal(groups_of(world), 2);
    world->app->builds_apart = false;
}

#endif

TEST_WITH(statistics_follow_the_filter, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "s Esc");
    assert_true(nsc_app_filter_set(world->app, nsc_text_from("name:flash")));
    nsc_test_press(world, "Tab");
    assert_int_equal(figures_of(world)->count, 40);
    assert_int_equal(groups_of(world), 1);
}

TEST_WITH(the_table_and_the_timeline_go_together, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_pane_events *events = &app->panes.events;
    size_t line = app->scene->line;
    nsc_event event = NSC_NONE;

    nsc_test_press(world, "V Esc");
    assert_int_equal(events->listing.n, 80);
    assert_int_equal(nsc_listing_find(&events->listing, app->scene->selected),
                     events->table.list.cursor);
    event = app->scene->selected;
    nsc_test_press(world, "Tab");
    assert_int_equal(app->scene->selected, event + 1);
    assert_int_equal(nsc_listing_find(&events->listing, event + 1), events->table.list.cursor);
    nsc_test_press(world, "Ctrl-W Home");
    assert_int_equal(events->table.list.cursor, 0);
    assert_int_equal(nsc_listing_find(&events->listing, app->scene->selected), 0);
    nsc_test_press(world, "Enter");
    assert_int_equal(app->scene->cursor,
                     nsc_trace_events(world->trace)->start[app->scene->selected]);
    assert_int_equal(app->scene->line, line);
    nsc_test_press(world, "o");
    assert_int_equal(events->listing.order, NSC_LISTING_DURATION);
    assert_int_equal(nsc_listing_find(&events->listing, app->scene->selected),
                     events->table.list.cursor);
}

TEST_WITH(enter_zooms_to_the_event_of_the_list, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_time whole = nsc_window_length(nsc_viewport_window(&app->scene->viewport));
    uint32_t n = 0;

    nsc_test_press(world, "V Down Down");
    n = app->panes.events.listing.n;
    assert_int_equal(nsc_window_length(nsc_viewport_window(&app->scene->viewport)), whole);
    nsc_test_press(world, "Enter");
    assert_true(nsc_window_length(nsc_viewport_window(&app->scene->viewport)) < whole / 4);
    assert_int_equal(app->panes.events.listing.n, n); /* the list stays */
    nsc_test_press(world, "u");
    assert_int_equal(nsc_window_length(nsc_viewport_window(&app->scene->viewport)), whole);
}

/* Each pane with a list tells the key that narrows it. */
TEST_WITH(lists_tell_how_to_filter_them, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    static const char *const panes[] = {"s", "V", "F", "A", "'"};

    for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
        nsc_test_press(world, panes[i]);
        assert_non_null(strstr(nsc_test_row(world, -1), "/ filter"));
        nsc_test_press(world, "Esc");
    }
}

/* Keys for an event act on that of the line, also before the line was moved. */
TEST_WITH(keys_act_on_the_event_of_the_line, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "Home Tab Tab Tab s *");
    assert_string_equal(app->filter.text, "name=\"flash_fwd_kernel\"");
    nsc_test_press(world, "Backspace Esc $ y");
    assert_true(copied_is(world, "iteration"));
    nsc_test_press(world, "t Home *");
    assert_string_equal(app->filter.text, "");
    assert_string_equal(app->message, "This line is no event of the timeline.");
}

/* A row without an event in the window says so. */
TEST_WITH(an_empty_list_of_a_window_says_so, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_world_load(world, "kernel 0:7 0 1us a\nkernel 0:7 90us 91us b\n");
    nsc_test_command(world, "goto 45us");
    nsc_test_press(world, "+ + + + V");
    assert_int_equal(app->panes.events.listing.n, 0);
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.pane.row + 2),
                           "This row has no event in the window."));
}

/* A filter that leaves no event of the row is told, and there is no hidden event to copy. */
TEST_WITH(an_empty_list_of_events_says_why, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "V / k i n d : m p i Enter");
    assert_int_equal(app->panes.events.listing.n, 0);
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.pane.row + 2),
                           "The filter leaves no event here."));
    nsc_test_press(world, "y");
    assert_false(world->effects.set & NSC_EFFECT_COPY);
    assert_string_equal(app->message, "There is nothing to copy here.");
    nsc_test_press(world, "Backspace y");
    assert_true(world->effects.set & NSC_EFFECT_COPY);
}

/* y copies nothing that a box hides. */
TEST_WITH(a_box_has_nothing_to_copy, setup, nsc_test_world_teardown)
{
    static const char *const boxes[] = {"C", "F10", "h"};
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        nsc_test_press(world, boxes[i]);
        nsc_test_press(world, "y");
        assert_false(world->effects.set & NSC_EFFECT_COPY);
        nsc_test_press(world, boxes[i]);
        nsc_test_press(world, "y");
        assert_true(world->effects.set & NSC_EFFECT_COPY);
    }
}

/* Figures of a row are of what the filter keeps. */
TEST_WITH(details_of_a_row_follow_the_filter, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    int top = 0;

    nsc_test_command(world, "filter kind:mpi");
    nsc_test_press(world, "Down Enter");
    top = world->app->scene->layout.pane.row;
    assert_non_null(strstr(nsc_test_row(world, top), "events 0 "));
    assert_non_null(strstr(nsc_test_row(world, top + 1), "The filter leaves no event of the row."));
}

/* Clicks on a title above the events. */
static void click_title(struct nsc_test_world *world, const char *title)
{
    struct nsc_rect pane = world->app->scene->layout.pane;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE,
                              .mouse = {.action = NSC_MOUSE_PRESS, .button = 1}};
    const char *text = NULL, *at = NULL, *mark = NULL;

    input.mouse.row = pane.row + world->app->kinds[NSC_PANE_EVENTS].head - 1;
    text = nsc_test_row(world, input.mouse.row);
    at = strstr(text, title);
    mark = strstr(text, "↑") ? strstr(text, "↑") : strstr(text, "↓");
    assert_non_null(at);
    input.mouse.col = (int)(at - text);
    if (mark && mark < at)
        input.mouse.col -= (int)strlen("↑") - 1;
    nsc_test_give(world, &input);
}

TEST_WITH(titles_order_the_events, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_pane_events *events = &world->app->panes.events;

    nsc_test_press(world, "V");
    click_title(world, "duration");
    nsc_test_press(world, "Down");
    assert_int_equal(events->listing.order, NSC_LISTING_DURATION);
    click_title(world, "name");
    nsc_test_press(world, "Down");
    assert_int_equal(events->listing.order, NSC_LISTING_NAME);
    click_title(world, "start");
    nsc_test_press(world, "Down");
    assert_int_equal(events->listing.order, NSC_LISTING_TIME);
}

TEST_WITH(a_list_with_the_focus_stays, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_pane_events *events = &world->app->panes.events;
    uint32_t n = 0;

    nsc_test_press(world, "Up Up Up Up Up Up V");
    n = events->listing.n;
    assert_true(n > 80);
    nsc_test_press(world, "End Enter Up Enter");
    assert_int_equal(events->listing.n, n);
    nsc_test_press(world, "Ctrl-W");
    assert_int_not_equal(events->listing.n, n);
}

TEST_WITH(a_bin_lists_its_events, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_details none = {0};
    struct nsc_input input = {.type = NSC_INPUT_DETAILS, .details = &none};

    nsc_test_world_load(world, "*10 100us kernel 0:7 0 10us gemm\n"
                               "*7 100us kernel 0:9 20us 40us gemm\n"
                               "*3 100us kernel 0:7 40us 99us gemm\n"
                               "*30 10us kernel 0:21 2us 3us other\n");
    input.event = world->effects.event;
    nsc_test_give(world, &input);
    assert_true(app->details.facts.has_rank);
    assert_int_equal(app->details.facts.rank.count, 20);
    nsc_test_press(world, "Enter Ctrl-W Right Right Enter");
    assert_int_equal(app->pane, NSC_PANE_EVENTS);
    assert_true(app->panes.events.like != NSC_NONE);
    assert_int_equal(app->panes.events.listing.n, 7);
    nsc_test_press(world, "Esc");
    assert_int_equal(app->panes.events.like, NSC_NONE);
    assert_int_equal(app->panes.events.listing.n, 13);
    assert_int_equal(nsc_app_scope(app), NSC_KEY_SCOPE_DETAILS);
}

TEST_WITH(copying_goes_from_name_to_row_to_command, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "Home y");
    assert_true(copied_is(world, "flash_fwd_kernel"));
    nsc_test_press(world, "y");
    assert_true(copied_is(world, "20000\t120000\tkernel\tflash_fwd_kernel\tS7 compute\tGPU 0"));
    nsc_test_press(world, "y");
    assert_true(strncmp(world->effects.text.bytes, "nsyscope bins 'it'\\''s.sqlite' --lane ", 38) ==
                0);
    nsc_test_press(world, "y");
    assert_true(copied_is(world, "flash_fwd_kernel"));
    nsc_test_press(world, "Tab y");
    assert_true(copied_is(world, "gemm_bf16"));
    nsc_test_press(world, "Esc");
    assert_false(world->effects.set & NSC_EFFECT_COPY);
}

/* The command that is copied prints what has the focus; where none does, none is offered. */
TEST_WITH(the_copied_command_prints_what_has_the_focus, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    static const struct {
        const char *keys, *command;
    } panes[] = {
        {"V y y y",
         "nsyscope sql 'it'\\''s.sqlite' \"SELECT start, dur, label, group_label, "
         "track_label, kind_label FROM event WHERE id BETWEEN 0 AND 79 ORDER BY start, id\""},
        {"V Right y y y",
         "nsyscope sql 'it'\\''s.sqlite' \"SELECT start, dur, label, group_label, "
         "track_label, kind_label FROM event WHERE id BETWEEN 0 AND 79 ORDER BY dur DESC, "
         "start, id\""},
        {"s y y y", "flash_fwd_kernel"},
        {"$ y y y", "iteration"},
        {"t y y y", "nsyscope tree 'it'\\''s.sqlite' --instances"},
        {"t g y y y", "nsyscope tree 'it'\\''s.sqlite'"},
        {"' y", "nsyscope bookmarks 'it'\\''s.sqlite' list"},
        {"i y y y", "nsyscope info 'it'\\''s.sqlite'"},
    };

    nsc_test_press(world, "Home");
    for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
        nsc_test_press(world, panes[i].keys);
        assert_true(copied_is(world, panes[i].command));
        nsc_test_press(world, "Esc Esc Esc");
    }
}

TEST_WITH(groups_are_copied_from_their_list, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "s y");
    assert_true(copied_is(world, "flash_fwd_kernel"));
    nsc_test_press(world, "y");
    assert_true(copied_is(world, "flash_fwd_kernel\t4.80 ms\t40\t55.8 %\t4.80 ms\t120 µs\t120 "
                                 "µs\t120 µs\t120 µs\t48.0 %\t120 µs"));
}

/* Keys that a pane does not bind reach the timeline, and keys of panes work in all panes. */
TEST_WITH(no_pane_stops_the_keys_of_others, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    static const struct {
        const char *keys;
        uint32_t pane;
    } ways[] = {{"F s", NSC_PANE_SELECTION}, {"F V", NSC_PANE_EVENTS},  {"i F", NSC_PANE_FINDINGS},
                {"t s", NSC_PANE_SELECTION}, {"' O", NSC_PANE_OVERLAP}, {"V t", NSC_PANE_TREE},
                {"s '", NSC_PANE_BOOKMARKS}, {"O i", NSC_PANE_INFO},    {"t $", NSC_PANE_FLAME},
                {"$ s", NSC_PANE_SELECTION}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        nsc_test_press(world, ways[i].keys);
        assert_int_equal(app->pane, ways[i].pane);
        assert_true(nsc_app_pane_has_focus(app));
        nsc_test_press(world, "Esc Esc");
        assert_false(nsc_app_pane_has_focus(app));
    }
    nsc_test_press(world, "F +");
    assert_false(nsc_viewport_is_whole(&app->scene->viewport));
    assert_true(nsc_app_pane_has_focus(app));
}

/* The summary is shown first, then the details; its lines lead to their subjects. */
TEST_WITH(the_summary_leads_to_what_it_lists, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event event = NSC_NONE;

    assert_int_equal(app->pane, NSC_PANE_SUMMARY);
    nsc_test_press(world, "Tab");
    assert_int_equal(app->pane, NSC_PANE_DETAILS);
    nsc_test_press(world, "Y");
    assert_int_equal(app->summary.items[0].line, NSC_SUMMARY_GPU);
    for (size_t i = 0; app->summary.items[app->summary.list.cursor].line != NSC_SUMMARY_KERNEL; i++)
        nsc_test_press(world, "Down");
    nsc_test_press(world, "Enter"); /* the longest event of the name that takes most */
    event = app->scene->selected;
    for (nsc_event i = 0; i < events->n; i++)
        if (events->name[i] == events->name[event] && events->kind[i] == events->kind[event])
            assert_true(nsc_event_duration(events, i) <= nsc_event_duration(events, event));
    nsc_test_press(world, "Y");
    assert_int_equal(app->pane, NSC_PANE_DETAILS);
    nsc_test_press(world, "0 Z");
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0,
                     nsc_pane_summary_span(world->trace, nsc_scene_device(app->scene)).t0);
}

/* ---- the flame graph ---- */

static const struct nsc_flame_frame *flame_cursor(const struct nsc_test_world *world)
{
    const struct nsc_flame_view *view = &world->app->flame;

    assert_true(view->made && view->cursor < view->made->n);
    return &view->made->frames[view->cursor];
}

static bool flame_is_empty(const struct nsc_test_world *world)
{
    return world->app->flame.made && !world->app->flame.made->n;
}

TEST_WITH(the_flame_graph_is_walked, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_flame_view *view = &world->app->flame;
    uint32_t first = 0;
    uint32_t from = 0;
    uint32_t to = 0;

    nsc_test_press(world, "$");
    assert_int_equal(world->app->pane, NSC_PANE_FLAME);
    assert_int_equal(flame_cursor(world)->depth, 0);
    nsc_test_press(world, "Up"); /* nothing is around it */
    assert_int_equal(view->cursor, 0);
    nsc_test_press(world, "Down");
    first = view->cursor;
    assert_int_equal(flame_cursor(world)->parent, 0);
    nsc_test_press(world, "Right");
    assert_int_equal(flame_cursor(world)->depth, 1);
    assert_true(view->cursor > first);
    nsc_test_press(world, "Left");
    assert_int_equal(view->cursor, first);
    nsc_test_press(world, "Enter");
    assert_int_equal(view->zoom, first);
    assert_true(nsc_flame_view_span(view, first, 80, &from, &to));
    assert_int_equal(from, 0);
    assert_int_equal(to, 640);
    nsc_test_press(world, "Right"); /* the rest of the level is not shown */
    assert_int_equal(view->cursor, first);
    nsc_test_press(world, "Up"); /* out of what is zoomed */
    assert_int_equal(view->zoom, 0);
    nsc_test_press(world, "Esc");
    assert_int_equal(view->zoom, NSC_NONE);
    assert_int_equal(world->app->pane, NSC_PANE_FLAME);
    nsc_test_press(world, "$");
    assert_int_not_equal(world->app->pane, NSC_PANE_FLAME);
}

/* A filter that leaves no frame is cleared by the key that leads back; a folded frame has one name of
 * several. */
TEST_WITH(an_empty_flame_graph_leads_back, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    int line = 0;

    nsc_test_world_load(world, "*2 10us nvtx 5 0 8us layer %d\n*2 10us api 5 1us 2us launch #1\n"
                               "*2 10us kernel 0:7 3us 5us gemm #1\n");
    nsc_test_press(world, "$ Down Up *"); /* "layer #" */
    assert_non_null(strstr(world->app->message, "stands for several names"));
    assert_string_equal(world->app->filter.text, "");
    nsc_test_press(world, ": f i l t e r Space d u r > 1 s Enter");
    assert_true(flame_is_empty(world));
    line = world->app->scene->layout.pane.row + 1;
    assert_non_null(strstr(nsc_test_row(world, line), "Backspace: clear the filter"));
    assert_null(strstr(nsc_test_row(world, line), "the whole trace"));
    nsc_test_press(world, "Backspace");
    assert_int_equal(world->app->filter.text[0], '\0');
    assert_false(flame_is_empty(world));
}

/* The frame of a range is filtered to its work. */
TEST_WITH(a_frame_is_filtered_to_the_work_of_its_range, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_world_load(world, "*2 10us nvtx 5 0 8us forward\n*2 10us api 5 1us 2us launch #1\n"
                               "*2 10us kernel 0:7 3us 5us gemm #1\nkernel 0:7 60us 61us other\n");
    nsc_test_press(world, "$ Down Up *");
    assert_string_equal(world->app->filter.text, "nvtx:\"forward\"");
    assert_false(flame_is_empty(world));
    assert_int_equal(flame_cursor(world)->count, 2);
    nsc_test_press(world, "Down *"); /* a name may be in other frames, too */
    assert_string_equal(world->app->message, "The filter keeps this name in all frames.");
}

/* Kernels of one short name are frames of their own. */
TEST_WITH(a_frame_is_filtered_by_its_full_name, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_world_load(world, "kernel 0:7 3us 5us void run<float>(int)\n"
                               "kernel 0:7 6us 7us void run<double>(int)\n");
    nsc_test_press(world, "$ *");
    assert_string_equal(world->app->filter.text, "name=\"void run<float>(int)\"");
    assert_int_equal(flame_cursor(world)->count, 1);
    assert_non_null(
        strstr(nsc_test_row(world, world->app->scene->layout.pane.row + 1), "run<float>(int)"));
}

/* Cursor and zoom stay on the frames with the same path when the window moves. */
TEST_WITH(the_flame_graph_follows_the_window, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_flame_view *view = &world->app->flame;
    nsc_name name = 0;
    nsc_time whole = 0;

    nsc_test_press(world, "$ Down Down Enter");
    name = flame_cursor(world)->name;
    whole = view->made->whole;
    nsc_test_press(world, "+ +");
    assert_true(view->made->whole < whole);
    assert_int_equal(flame_cursor(world)->name, name);
    assert_int_equal(view->zoom, view->cursor);
    nsc_test_press(world, "o");
    assert_int_equal(view->made_by, NSC_FLAME_CPU);
    nsc_test_press(world, "w");
    assert_int_equal(world->app->scene->selected, flame_cursor(world)->slowest);
}

TEST_WITH(the_flame_graph_takes_the_mouse, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_flame_view *view = &world->app->flame;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE,
                              .mouse = {.action = NSC_MOUSE_PRESS, .button = 1}};

    nsc_test_press(world, "$ Down Down");
    input.mouse.row = world->app->scene->layout.pane.row + NSC_PANE_FLAME_HEAD;
    input.mouse.col = 10;
    nsc_test_give(world, &input);
    assert_int_equal(view->cursor, 0);
    input.mouse.action = NSC_MOUSE_DOUBLE;
    input.mouse.row++;
    nsc_test_give(world, &input);
    assert_int_equal(flame_cursor(world)->depth, 1);
    assert_int_equal(view->zoom, view->cursor);
    input.mouse.row = world->app->scene->layout.pane.row; /* the head is no frame */
    nsc_test_give(world, &input);
    assert_int_equal(flame_cursor(world)->depth, 1);
}

static bool pane_shows(struct nsc_test_world *world, const char *text)
{
    struct nsc_rect pane = world->app->scene->layout.pane;
    bool found = false;

    for (int row = pane.row; row < pane.row + pane.rows; row++)
        found |= strstr(nsc_test_row(world, row), text) != NULL;
    return found;
}

/* The tables of a guide wrap their cells, and show no marks of code. */
TEST(cells_of_guides_are_whole)
{
    struct nsc_test_world world = {0};
    bool wraps = false;

    nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 40, 60);
    nsc_test_press(&world, "/ F1");
    for (int row = 2; row < 38; row++) {
        const char *text = nsc_test_row(&world, row);

        wraps |= strstr(text, "overhead  ") != NULL && strstr(text, "kind:") == NULL;
        if (strstr(text, "gpu:0"))
            assert_non_null(strstr(text, "gpu:0 stream:7,21"));
    }
    assert_true(wraps);
    nsc_test_world_fini(&world);
}

/* A guide shows code and links as words, without the marks of Markdown. */
TEST(guides_show_no_marks)
{
    struct nsc_test_world world = {0};
    bool has_link = false;

    nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 40, 60);
    nsc_test_press(&world, ": h e l p Space 0 2 Enter");
    for (int page = 0; page < 12; page++) {
        for (int row = 2; row < 38; row++) {
            const char *text = nsc_test_row(&world, row);

            assert_null(strchr(text, '`'));
            assert_null(strstr(text, "]("));
            assert_null(strstr(text, "**"));
            has_link |= strstr(text, "SCHEMA says which") != NULL;
        }
        nsc_test_press(&world, "PgDn");
    }
    assert_true(has_link);
    nsc_test_world_fini(&world);
}

/* A name that holds the typed text comes before names that hold its letters apart: the filter would
 * not match those. */
TEST(names_that_the_filter_matches_are_offered_first)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "*9 10us kernel 0:7 0 5us GetEventModule\nkernel 0:9 0 5us ampere_sgemm\n",
                        40, 100);
    nsc_test_press(&world, "/ g e m");
    nsc_test_work(&world);
    assert_true(world.app->prompt.offers.n >= 2);
    assert_string_equal(world.app->prompt.offers.items[0].text, "name:ampere_sgemm");
    nsc_test_world_fini(&world);
}

/* A held event is compared by times, or by a share where times would be 0.00. */
TEST(a_held_event_is_compared)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "kernel 0:7 0 10ms a\nkernel 0:7 11ms 16ms b\nkernel 0:7 20ms 20.001ms c\n",
                        40, 120);
    nsc_test_press(&world, "D c Tab");
    assert_true(pane_shows(&world, "5.00 ms less (50.0 % of the held one)"));
    nsc_test_press(&world, "Tab");
    assert_true(pane_shows(&world, "10.0 ms less (<0.1 % of the held one)"));
    nsc_test_world_fini(&world);
}

/* Every cause of a gap is read whole. */
TEST(causes_of_a_gap_go_on_in_the_next_line)
{
    struct nsc_test_world world = {0};

    (void)state;
    nsc_test_world_open(&world, NULL,
                        "*2 10ms kernel 0:7 1ms 2ms gemm #1\n"
                        "api 111 1ms 2.5ms cudaLaunchKernel #1\n"
                        "os 111 3ms 5ms poll\napi 111 6ms 7ms cudaMalloc\n"
                        "api 111 9ms 10.9ms cudaLaunchKernel #2\n",
                        50, 60);
    nsc_test_work(&world);
    nsc_test_press(&world, "b");
    assert_true(pane_shows(&world, "the whole GPU is idle for 9.00 ms"));
    assert_true(pane_shows(&world, "CPU late: CPU work 3.50 ms"));
    assert_true(pane_shows(&world, "CPU late: allocating or freeing 1.00 ms"));
    nsc_test_world_fini(&world);
}

/* The pane gets the rows that the timeline does not need. */
TEST_WITH(the_pane_takes_the_rows_that_are_left, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_scene *scene = world->app->scene;
    int rows = scene->layout.pane.rows;
    int folded = 0;

    assert_true((int)scene->lines.n >= scene->layout.timeline.rows);
    nsc_test_press(world, "(");
    folded = scene->layout.timeline.rows;
    assert_int_equal(folded, scene->lines.n);
    assert_true(scene->layout.pane.rows > rows);
    rows = scene->layout.pane.rows;
    assert_int_equal(nsc_scene_row_of(scene, scene->lines.n - 1), scene->lines.n - 1);
    nsc_test_press(world, ")");
    assert_true(scene->layout.pane.rows < rows);
    assert_true(scene->layout.timeline.rows > folded);
}

/* The cursor starts at the slowest kernel: D shows its details all the same. */
TEST(a_walk_shows_details_where_the_cursor_was)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "kernel 0:7 0 10us k\n", 30, 100);
    assert_int_equal(world.app->pane, NSC_PANE_SUMMARY);
    nsc_test_press(&world, "D");
    assert_int_equal(world.app->pane, NSC_PANE_DETAILS);
    nsc_test_world_fini(&world);
}

TEST(walks_tell_that_there_is_no_gpu)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "nvtx 1 0 10us a\n", 30, 100);
    for (const char *key = "DbS"; *key; key++) {
        nsc_test_press(&world, (char[]){*key, '\0'});
        assert_string_equal(world.app->message, "No GPU work in this export.");
    }
    nsc_test_world_fini(&world);
}

/* The slowest kernel stays in the details: Enter gives them the focus, Esc takes it back. */
TEST_WITH(enter_keeps_what_a_walk_shows, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "D Enter");
    assert_int_equal(app->pane, NSC_PANE_DETAILS);
    assert_true(app->scene->layout.pane.rows > 0);
    assert_true(app->panes.focus);
    nsc_test_press(world, "Esc");
    assert_false(app->panes.focus);
    assert_true(app->scene->layout.pane.rows > 0);
}

/* A short label of a GPU keeps the model. */
TEST(gpus_are_told_apart_by_their_model)
{
    static const char *const labels[][2] = {{"GPU 0 NVIDIA GeForce RTX 3090", "GPU 0 RTX 3090"},
                                            {"GPU 1 Tesla V100-SXM2", "GPU 1 V100-SXM2"},
                                            {"GPU 2 NVIDIA", "GPU 2 NVIDIA"}};
    char out[NSC_LINES_LABEL];

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        assert_string_equal(nsc_lines_without_maker(nsc_text_from(labels[i][0]), out).bytes,
                            labels[i][1]);
}

/* n and N visit the list used last, whichever pane has the focus. */
TEST(the_largest_part_is_not_cut)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "kernel 0:7 0 10us k\nhtod 0:8 10us 990us copy\n", 24, 80);
    assert_true(pane_shows(&world, "copies 99.0 %"));
    nsc_test_world_fini(&world);
}

/* A summary with few lines leaves the rows to the timeline. */
TEST(a_short_summary_is_not_tall)
{
    struct nsc_test_world world = {0};
    struct nsc_buf text = NSC_BUF_INIT(4096);

    for (int i = 0; i < 40; i++)
        nsc_buf_printf(&text, "nvtx %d 0 10us a\n", 100 + i);
    nsc_test_world_open(&world, NULL, text.bytes, 40, 100);
    nsc_test_give(&world, &(struct nsc_input){.type = NSC_INPUT_TICK});
    assert_true(world.app->summary.list.n <= 2);
    assert_true(world.app->scene->layout.pane.rows <= 2 + NSC_PANE_SUMMARY_FINDINGS);
    assert_true(pane_shows(&world, "findings: problems"));
    nsc_test_world_fini(&world);
    nsc_buf_fini(&text);
}

/* A small summary lists fewer kernels, at least three, and says how many lines are below. */
TEST(a_small_summary_shows_what_is_below_the_kernels)
{
    static const char kernels[] =
        "kernel 0:7 0 10us a\nkernel 0:8 10us 20us b\nkernel 0:9 20us 30us c\n"
        "kernel 0:10 30us 40us d\nkernel 0:11 40us 50us e\nkernel 0:12 50us 60us f\n"
        "kernel 0:13 60us 70us g\nkernel 0:14 70us 80us h\n"
        "*9 1us api 111 0 500ns call\n*9 1us os 112 0 500ns call\n";
    static const struct {
        uint32_t rows;
        const char *shown, *left_out;
        bool more;
    } sizes[] = {{40, "1 x  h", "1 x  i", false},
                 {24, "slowest kernel", "1 x  h", false},
                 {18, "1 x  c", "1 x  d", true}};
    struct nsc_input tick = {.type = NSC_INPUT_TICK};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct nsc_test_world world = {0};
        const char *tabs = NULL;

        nsc_test_world_open(&world, NULL, kernels, sizes[i].rows, 80);
        for (int k = 0; k < 9; k++)
            nsc_test_give(&world, &tick);
        tabs = nsc_test_row(&world, world.app->scene->layout.tabs.row);
        assert_int_equal(strstr(tabs, " more") != NULL, sizes[i].more);
        assert_true(pane_shows(&world, sizes[i].shown));
        assert_false(pane_shows(&world, sizes[i].left_out));
        nsc_test_world_fini(&world);
    }
}

/* A small pane shows the held event and the difference too. */
TEST_WITH(the_held_event_is_seen, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "D c");
    assert_false(pane_shows(world, "held "));
    nsc_test_press(world, "n");
    assert_true(pane_shows(world, "held "));
    assert_true(pane_shows(world, "held: the one at the cursor takes"));
    nsc_test_press(world, "N c");
    assert_false(pane_shows(world, "held "));
}

/* n and N go through the list used last, whichever pane has the focus. */
TEST_WITH(the_list_used_last_is_walked, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_time longest = 0;

    nsc_test_press(world, "n");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_press(world, "b");
    assert_true(app->walk.n > 1);
    assert_int_equal(app->scene->range.t0, app->walk.places[0].window.t0);
    longest = nsc_window_length(app->scene->range);
    assert_int_equal(app->scene->selected, NSC_NONE);
    assert_true(app->details.facts.gap.is_idle);
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.pane.row),
                           "the whole GPU is idle for")); /* a small pane shows the cause */
    nsc_test_press(world, "F n");
    assert_true(nsc_window_length(app->scene->range) <= longest);
    assert_int_equal(app->walk.at, 1);
    nsc_test_press(world, "N");
    assert_int_equal(nsc_window_length(app->scene->range), longest);
    assert_int_equal(app->pane, NSC_PANE_FINDINGS); /* a step leaves the pane alone */
    nsc_test_press(world, "D");
    assert_int_equal(app->pane, NSC_PANE_DETAILS); /* a new list shows what is there */
    assert_false(app->panes.focus);
    assert_int_equal(app->scene->selected, app->walk.places[0].event);
    assert_false(app->scene->has_range); /* that of the gap is gone */
    nsc_test_press(world, "r D");
    assert_true(app->scene->has_range); /* the user's own stays */
    nsc_test_press(world, "0");
    assert_true(app->scene->has_range);
    nsc_test_press(world, "b");
    assert_non_null(strstr(nsc_test_row(world, 0), "answers: range "));
    nsc_test_press(world, "0");
    assert_false(app->scene->has_range); /* that of a walk ends with its picture */
    nsc_test_press(world, "u");
    assert_int_equal(app->scene->range.t0, app->walk.places[0].window.t0);
    assert_true(app->scene->has_range);
    nsc_test_press(world, "S");
    assert_true(strstr(app->message, "exposed communication 1 of ") != NULL);
}

/* From any row, the lists of kernels and of communication hold those of all GPUs. */
TEST(walks_are_of_all_gpus)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL,
                        "kernel 0:7 0 10us k\nkernel 0:7 15us 20us k\nkernel 1:7 0 40us longer\n"
                        "kernel 1:7 50us 90us ncclDevKernel_AllReduce_Sum_bf16\n",
                        30, 100);
    nsc_test_press(&world, "D");
    assert_non_null(strstr(world.app->message, "kernel 1 of 4 by length: 40.0"));
    nsc_test_press(&world, "Home Up Up Up Up b");
    assert_non_null(strstr(world.app->message, "idle gap 1 of 1 of this GPU by length: 5.00"));
    nsc_test_press(&world, "S");
    assert_non_null(strstr(world.app->message, "exposed communication 1 of 1 by length: 40.0"));
    nsc_test_world_fini(&world);
    nsc_test_world_open(&world, NULL, "*120 20us kernel 0:7 0 10us k\n", 30, 100);
    nsc_test_press(&world, "D");
    assert_non_null(strstr(world.app->message, "kernel 1 of the 100 longest: 10.0"));
    nsc_test_world_fini(&world);
}

TEST_WITH(clicks_give_the_focus, setup, nsc_test_world_teardown)
{
    struct nsc_test_world *world = *state;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};

    nsc_test_press(world, "V");
    input.mouse.action = NSC_MOUSE_PRESS;
    input.mouse.button = 1;
    input.mouse.row = world->app->scene->layout.pane.row + 2;
    input.mouse.col = 10;
    nsc_test_give(world, &input);
    assert_true(world->app->panes.focus);
    assert_int_equal(world->app->panes.events.table.list.cursor,
                     world->app->panes.events.table.list.top);
    input.mouse.row = world->app->scene->layout.timeline.row;
    input.mouse.col = world->app->scene->layout.timeline.col;
    nsc_test_give(world, &input);
    assert_false(world->app->panes.focus);
}

/* At 200 columns the tree stands beside the timeline, and details beside a list: a click is for what
 * is under the pointer. */
TEST(clicks_are_for_what_is_under_them)
{
    struct nsc_test_world world = {0};
    struct nsc_input input = {.type = NSC_INPUT_MOUSE, .mouse = {.button = 1}};
    const struct nsc_layout *layout = NULL;

    nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 40, 200);
    nsc_test_press(&world, "t");
    layout = &world.app->scene->layout;
    assert_int_equal(nsc_app_scope(world.app), NSC_KEY_SCOPE_TREE);
    input.mouse.row = layout->timeline.row + 1;
    input.mouse.col = layout->timeline.col;
    nsc_test_give(&world, &input);
    assert_int_equal(nsc_app_scope(world.app), NSC_KEY_SCOPE_TIMELINE);
    input.mouse.action = NSC_MOUSE_DRAG;
    input.mouse.col += 30;
    nsc_test_give(&world, &input);
    assert_true(world.app->scene->has_range);
    assert_int_equal(world.app->pane, NSC_PANE_TREE);
    assert_true(layout->timeline.rows > 0);
    input.mouse.action = NSC_MOUSE_PRESS;
    input.mouse.row = layout->pane.row + 3;
    input.mouse.col = layout->pane.col + 5;
    nsc_test_give(&world, &input);
    assert_int_equal(nsc_app_scope(world.app), NSC_KEY_SCOPE_TREE);
    nsc_test_press(&world, "q Esc 0 V");
    input.mouse.row = layout->pane.row + world.app->kinds[NSC_PANE_EVENTS].head + 3;
    input.mouse.col = 190;
    nsc_test_give(&world, &input);
    assert_int_equal(world.app->panes.events.table.list.cursor, 0);
    input.mouse.col = 10;
    nsc_test_give(&world, &input);
    assert_int_equal(world.app->panes.events.table.list.cursor, 3);
    nsc_test_world_fini(&world);
}

/* Without GPU work the summary leads to where the CPU's time goes. */
TEST(the_summary_leads_to_the_flame_graph)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "*9 1ms sample 111 0 0 main;step\n", 24, 100);
    nsc_test_press(&world, "Y");
    assert_int_equal(world.app->pane, NSC_PANE_SUMMARY);
    assert_true(pane_shows(&world, "flame graph: where the time goes"));
    nsc_test_press(&world, "Enter");
    assert_int_equal(world.app->pane, NSC_PANE_FLAME);
    assert_true(pane_shows(&world, "9 samples, in the window"));
    nsc_test_world_fini(&world);
}

/* A long message takes the place of the cursor's time, then a second line. */
TEST(long_messages_are_whole)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 24, 60);
    nsc_test_press(&world, "n");
    assert_non_null(strstr(nsc_test_row(&world, -2), "No list yet: D slowest kernels"));
    assert_non_null(strstr(nsc_test_row(&world, -1), "F findings."));
    nsc_test_world_fini(&world);
    nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 24, 100);
    assert_non_null(strstr(nsc_test_row(&world, -1), " s "));
    nsc_test_press(&world, "n");
    assert_non_null(strstr(nsc_test_row(&world, -1), "No list yet: D slowest kernels"));
    assert_non_null(strstr(nsc_test_row(&world, -1), "F findings."));
    nsc_test_world_fini(&world);
}

/* Whatever opens a pane first (its key, Tab, the restored view), the pane says something. */
TEST(no_pane_opens_empty)
{
    for (uint32_t i = 0; i < NSC_N_PANES; i++) {
        struct nsc_test_world world;
        struct nsc_rect pane;
        size_t length = 0;

        nsc_test_world_open(&world, NULL, nsc_test_trace_sample, 40, 120);
        nsc_app_pane_show(world.app, i, false);
        nsc_test_press(&world, "Right");
        pane = world.app->scene->layout.pane;
        for (int row = 0; row < pane.rows; row++) {
            const char *text = nsc_test_row(&world, pane.row + row);

            length += strlen(text + strspn(text, " "));
        }
        if (length == 0)
            fail_msg("pane %s is empty", world.app->kinds[i].name);
        nsc_test_world_fini(&world);
    }
}
