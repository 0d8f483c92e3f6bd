/* Unit tests of the filter bar: the typed filter applies to the whole screen. */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/roll_input.h"
#include "view/app/prompt.h"
#include "view/scene/move.h"

#include <string.h>

static uint64_t kept(const struct nsc_test_world *world)
{
    return nsc_summary_count(world->app->scene->summary);
}

static uint64_t all(const struct nsc_test_world *world)
{
    return nsc_trace_events(world->trace)->n;
}

TEST_OF_WORLD(what_is_typed_is_previewed)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "gemm");
    assert_int_equal(kept(world), 40);
    assert_non_null(strstr(nsc_test_row(world, 0), "filter: gemm"));
    assert_non_null(strstr(nsc_test_row(world, 0), "40 of"));
    assert_non_null(strstr(nsc_test_row(world, -2), "filter: gemm"));
    nsc_test_press(world, "Backspace Backspace Backspace Backspace");
    assert_int_equal(kept(world), all(world));
    nsc_test_type(world, "nccl");
    nsc_test_press(world, "Enter");
    assert_int_equal(kept(world), 10);
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    nsc_test_press(world, "/");
    nsc_test_type(world, "nothing");
    nsc_test_press(world, "Enter");
    assert_string_equal(world->app->message,
                        "No event passes the filter.  /: change it, Backspace: clear it.");
}

TEST_OF_WORLD(escape_brings_back_what_was)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "kind:nvtx");
    nsc_test_press(world, "Enter /");
    assert_non_null(strstr(nsc_test_row(world, -2), "filter: kind:nvtx"));
    nsc_test_press(world, "Backspace"); /* the space before a further term */
    nsc_test_type(world, ",kernel");
    assert_int_equal(kept(world), 15 + 90);
    nsc_test_press(world, "Esc");
    assert_int_equal(kept(world), 15);
    assert_string_equal(world->app->filter.text, "kind:nvtx");
}

/* The keys go back to the pane, which shows what is kept. */
TEST_OF_WORLD(a_pane_with_the_focus_asks_for_it_too)
{
    static const struct {
        const char *keys;
        uint32_t pane;
        enum nsc_key_scope scope;
    } panes[] = {{"Enter Ctrl-W", NSC_PANE_DETAILS, NSC_KEY_SCOPE_DETAILS},
                 {"V z", NSC_PANE_EVENTS, NSC_KEY_SCOPE_DETAILS},
                 {"O", NSC_PANE_OVERLAP, NSC_KEY_SCOPE_DETAILS},
                 {"t", NSC_PANE_TREE, NSC_KEY_SCOPE_TREE},
                 {"i", NSC_PANE_INFO, NSC_KEY_SCOPE_DETAILS}};
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
        nsc_test_press(world, panes[i].keys);
        assert_int_equal(world->app->pane, panes[i].pane);
        nsc_test_press(world, "/");
        assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_PROMPT);
        nsc_test_type(world, "gemm");
        nsc_test_press(world, "Enter");
        assert_int_equal(kept(world), 40);
        assert_int_equal(nsc_app_scope(world->app), panes[i].scope);
        nsc_test_press(world, "/ Ctrl-U Enter q q");
        assert_int_equal(kept(world), all(world));
        assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    }
}

/* In the help, which covers what a filter would change, the key finds words of the help. */
TEST_OF_WORLD(the_help_asks_for_no_filter)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "s Ctrl-W h /");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NARROW);
    nsc_test_press(world, "g e m m Enter");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_HELP);
    assert_int_equal(kept(world), all(world));
}

/* What is typed behind a page of the help stays, whatever is looked for there; the prompt of the help
 * stands below it, and closes with it. */
TEST_OF_WORLD(the_help_keeps_the_prompt_behind_it)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/ g e m m F1 /");
    nsc_test_type(world, "zoom");
    assert_non_null(strstr(nsc_test_row(world, -2), "lines with: zoom"));
    nsc_test_press(world, "Enter h");
    assert_false(world->app->help);
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_FILTER);
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FILTER].text, "gemm");
    nsc_test_press(world, "Esc h / F1");
    assert_false(world->app->help);
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NONE);
}

TEST_OF_WORLD(errors_stand_under_their_column)
{
    struct nsc_test_world *world = *state;
    const char *row = NULL;

    nsc_test_press(world, "/");
    nsc_test_type(world, "gemm gpu:x");
    row = nsc_test_row(world, -1);
    assert_int_equal(strcspn(row, "^"), strlen(" filter: gemm gpu:"));
    assert_non_null(strstr(row, "^ a whole number is wanted"));
    assert_int_equal(kept(world), 40); /* of "gemm": a key filters nothing without its value */
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_PROMPT);
    nsc_test_press(world, "Backspace 0 Enter");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    assert_int_equal(kept(world), 40);
}

TEST_OF_WORLD(the_minimum_duration_is_a_term)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "kind:kernel dur>1us");
    nsc_test_press(world, "Enter m");
    assert_non_null(strstr(nsc_test_row(world, -2), "filter: kind:kernel dur>1us"));
    nsc_test_type(world, "1x"); /* replaces the value */
    assert_non_null(strstr(nsc_test_row(world, -2), "filter: kind:kernel dur>1x"));
    assert_non_null(strchr(nsc_test_row(world, -1), '^'));
    nsc_test_press(world, "Backspace 0 0 u s Enter");
    assert_string_equal(world->app->filter.text, "kind:kernel dur>100us");
    assert_int_equal(kept(world), 50);
    nsc_test_press(world, "m Ctrl-W Enter");
    assert_string_equal(world->app->filter.text, "kind:kernel");
    nsc_test_press(world, "m Enter"); /* a key without a value is no term */
    assert_string_equal(world->app->filter.text, "kind:kernel");
}

TEST_OF_WORLD(the_name_of_the_event)
{
    struct nsc_test_world *world = *state;
    char scratch[NSC_NAME_BYTES];
    struct nsc_text name =
        nsc_trace_event_text(world->trace, world->app->scene->selected, true, scratch);

    assert_memory_equal(name.bytes, "flash_fwd_kernel", name.n);
    nsc_test_press(world, "/");
    nsc_test_type(world, "gpu:0 name:flash");
    nsc_test_press(world, "Enter *");
    assert_string_equal(world->app->filter.text, "gpu:0 name=\"flash_fwd_kernel\"");
    assert_int_equal(kept(world), 40);
    nsc_test_press(world, "n"); /* walks a list, and leaves the filter alone */
    assert_int_equal(kept(world), 40);
    nsc_test_press(world, "Backspace");
    assert_int_equal(kept(world), all(world));
    nsc_test_press(world, "u");
    assert_int_equal(kept(world), 40);
    nsc_test_press(world, "U");
    assert_int_equal(kept(world), all(world));
    nsc_test_press(world, "/ Up Enter"); /* the last one is remembered */
    assert_int_equal(kept(world), 40);
}

/* The cursor goes to the nearest event kept by the filter. */
TEST_OF_WORLD(a_filter_moves_the_cursor_to_a_match)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "kind:nvtx");
    nsc_test_press(world, "Enter");
    assert_true(nsc_summary_has(world->app->scene->summary, world->app->scene->selected));
    nsc_test_press(world, "*");
    assert_string_equal(world->app->filter.text, "kind:nvtx name=\"iteration\"");
}

TEST_OF_WORLD(steps_go_to_what_is_kept)
{
    struct nsc_test_world *world = *state;
    nsc_event before = NSC_NONE;

    nsc_test_press(world, "/");
    nsc_test_type(world, "gemm");
    nsc_test_press(world, "Enter Tab");
    before = world->app->scene->selected;
    assert_true(nsc_summary_has(world->app->scene->summary, before));
    nsc_test_press(world, "Tab");
    assert_int_equal(world->app->scene->selected, before + 2);
}

TEST_OF_WORLD(ranks_are_among_what_is_kept)
{
    struct nsc_test_world *world = *state;

    assert_int_equal(world->app->details.facts.rank.count, 40);
    nsc_test_press(world, "/");
    nsc_test_type(world, "time:0s..4ms");
    nsc_test_press(world, "Enter");
    if (nsc_summary_has(world->app->scene->summary, world->app->scene->selected))
        assert_int_equal(world->app->details.facts.rank.count, 16);
    else
        assert_int_equal(world->app->details.facts.rank.count, 40);
}

TEST_OF_WORLD(old_lines_are_searched)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "gemm");
    nsc_test_press(world, "Enter / Ctrl-U");
    nsc_test_type(world, "kind:nvtx");
    nsc_test_press(world, "Enter / Ctrl-U g e Ctrl-R");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FILTER].text, "gemm");
    assert_int_equal(kept(world), 40);
    nsc_test_press(world, "Ctrl-R");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

TEST(words_are_completed)
{
    static const struct nsc_filter_preset presets[] = {{"comm", "kind:kernel name:nccl"},
                                                       {"none", "zzz"}};
    struct nsc_app_options options = {.file = "x", .presets = presets, .n_presets = 2};
    struct nsc_test_world world;
    const char *text = NULL;

    nsc_test_world_init(&world, &options);
    text = world.app->prompt.lines[NSC_PROMPT_FILTER].text;
    nsc_test_press(&world, "/ c o Tab");
    assert_string_equal(text, "kind:kernel name:nccl");
    assert_int_equal(kept(&world), 10);
    nsc_test_press(&world, "Tab"); /* then names that hold the letters */
    assert_string_equal(text, "name:copy");
    nsc_test_press(&world, "Shift+Tab Up");
    assert_string_equal(text, "co");
    nsc_test_press(&world, "Ctrl-U n a Tab");
    assert_string_equal(text, "name:");
    nsc_test_press(&world, "Tab Tab");
    assert_string_equal(text, "name~");
    nsc_test_press(&world, "Ctrl-U");
    nsc_test_type(&world, "gemm kind:copy,ker");
    nsc_test_press(&world, "Tab");
    assert_string_equal(text, "gemm kind:copy,kernel");
    nsc_test_press(&world, "Ctrl-U q q Tab");
    assert_true(world.effects.set & NSC_EFFECT_BELL);
    nsc_test_world_fini(&world);
}

TEST(a_first_filter_is_given)
{
    struct nsc_app_options options = {.file = "x", .filter = "name:poll"};
    struct nsc_test_world world;

    nsc_test_world_init(&world, &options);
    assert_int_equal(kept(&world), 20);
    nsc_test_world_fini(&world);
    options.filter = "gpu:";
    nsc_test_world_init(&world, &options);
    assert_int_equal(kept(&world), all(&world));
    assert_string_equal(world.app->filter.text, "");
    nsc_test_world_fini(&world);
}

static bool shows_role(struct nsc_test_world *world, enum nsc_role role)
{
    for (uint32_t i = 0; i < world->grid.rows * world->grid.cols; i++)
        if (nsc_cell_role(&world->grid.cells[i]) == role)
            return true;
    return false;
}

TEST_OF_WORLD(what_is_left_out_is_dimmed_or_hidden)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    nsc_test_type(world, "zzz");
    nsc_test_press(world, "Enter");
    (void)nsc_test_row(world, 0);
    assert_true(shows_role(world, NSC_ROLE_DIMMED));
    nsc_test_press(world, "X");
    (void)nsc_test_row(world, 0);
    assert_false(shows_role(world, NSC_ROLE_DIMMED));
}

/* ---- made beside the screen: in other builds only of large traces ---- */

#ifdef NSC_SMALL

/* A key, with nothing done after it. */
static void key_alone(struct nsc_test_world *world, nsc_key key)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY, .key = key};

    world->effects = nsc_app_input(world->app, &input);
}

static void set_alone(struct nsc_test_world *world, const char *filter)
{
    struct nsc_input input = {.type = NSC_INPUT_COMMAND, .text = filter};

    world->app->builds_apart = true;
    world->effects = nsc_app_input(world->app, &input);
    assert_true(nsc_app_filter_is_waiting(world->app));
}

/* What other threads do, and what follows. */
static void build(struct nsc_test_world *world, enum nsc_build_slot slot)
{
    struct nsc_input built = {.type = NSC_INPUT_BUILT, .slot = slot};

    while (world->app->builds[slot].runs) {
        nsc_app_build_run(world->app, slot);
        nsc_test_give(world, &built);
    }
}

static void work(struct nsc_test_world *world)
{
    build(world, NSC_BUILDS_PICK);
    assert_false(nsc_app_filter_is_waiting(world->app));
    build(world, NSC_BUILDS_HITS);
}

TEST_OF_WORLD(keys_go_on_while_a_filter_is_made)
{
    struct nsc_test_world *world = *state;
    struct nsc_export_request request;

    set_alone(world, "filter nvtx:a");
    assert_int_equal(kept(world), all(world));
    assert_non_null(strstr(nsc_test_row(world, 0), "filter: nvtx:a"));
    assert_non_null(strstr(nsc_test_row(world, 0), "● filtering, "));
    key_alone(world, '+');
    assert_false(nsc_viewport_is_whole(&world->app->scene->viewport));
    assert_true(nsc_app_filter_is_waiting(world->app));
    assert_true(nsc_app_export_request(world->app, &request)); /* of what is shown */
    assert_null(request.mask);
    assert_string_equal(request.filter, "");
    work(world);
    assert_true(kept(world) > 0 && kept(world) < all(world));
    assert_null(strstr(nsc_test_row(world, 0), "filtering"));
    assert_true(nsc_app_export_request(world->app, &request));
    assert_ptr_equal(request.mask, world->app->filter.pick.mask);
    assert_string_equal(request.filter, "nvtx:a");
}

TEST_OF_WORLD(a_filter_that_is_made_can_be_given_up)
{
    struct nsc_test_world *world = *state;

    set_alone(world, "filter name:gemm");
    work(world);
    set_alone(world, "filter nvtx:a");
    key_alone(world, NSC_KEY_ESCAPE);
    assert_false(nsc_app_filter_is_waiting(world->app));
    assert_string_equal(world->app->filter.text, "name:gemm");
    assert_string_equal(world->app->message, "Given up: the filter is what it was.");
    assert_int_equal(kept(world), 40);
    set_alone(world, "filter nvtx:a");
    set_alone(world, "filter name:nccl"); /* instead */
    work(world);
    assert_int_equal(kept(world), 10);
    set_alone(world, "filter nvtx:a");
    key_alone(world, NSC_KEY_BACKSPACE); /* clears it */
    assert_false(nsc_app_filter_is_waiting(world->app));
    assert_int_equal(kept(world), all(world));
}

TEST_OF_WORLD(what_follows_a_filter_waits_for_it)
{
    struct nsc_test_world *world = *state;
    uint64_t hits = 0;

    nsc_test_press(world, "\\ e Enter");
    hits = nsc_summary_count(world->app->search.pick.summary);
    set_alone(world, "filter name:gemm nvtx:a");
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), hits);
    work(world);
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), kept(world));
    assert_true(kept(world) < hits);
    set_alone(world, "filter nvtx:nothing");
    assert_null(strstr(world->app->message, "No event passes"));
    work(world);
    assert_string_equal(world->app->message,
                        "No event passes the filter.  /: change it, Backspace: clear it.");
}

TEST_OF_WORLD(a_newer_search_replaces_the_older)
{
    struct nsc_test_world *world = *state;

    world->app->builds_apart = true;
    nsc_test_press(world, "\\ n c c l");
    assert_true(nsc_app_search_is_waiting(world->app));
    assert_int_equal(world->effects.builds, 0); /* the first one still runs */
    nsc_test_press(world, "Enter");
    assert_null(world->app->search.pick.summary);
    build(world, NSC_BUILDS_HITS);
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), 10);
    assert_non_null(strstr(world->app->message, "of 10: nccl"));
}

TEST_OF_WORLD(the_rank_of_an_event_that_was_left_is_dropped)
{
    struct nsc_test_world *world = *state;
    const struct nsc_facts *facts = &world->app->details.facts;
    struct nsc_input built = {.type = NSC_INPUT_BUILT, .slot = NSC_BUILDS_RANK};

    world->app->builds_apart = true;
    nsc_test_press(world, "Tab");
    assert_int_equal(world->effects.builds, 1u << NSC_BUILDS_RANK);
    nsc_test_press(world, "Tab");
    assert_int_equal(world->effects.builds, 0); /* the first one still runs */
    nsc_app_build_run(world->app, NSC_BUILDS_RANK);
    nsc_test_give(world, &built);
    assert_false(facts->has_rank);
    nsc_app_build_run(world->app, NSC_BUILDS_RANK);
    nsc_test_give(world, &built);
    assert_true(facts->has_rank);
    assert_int_equal(facts->event, world->app->scene->selected);
}

#endif

TEST_OF_WORLD(a_set_filter_is_opened_for_a_further_term)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/ g e m m Enter / k i n d : k e r n e l Enter");
    assert_string_equal(world->app->filter.text, "gemm kind:kernel");
    nsc_test_press(world, "/ x Backspace Enter");
    assert_string_equal(world->app->filter.text, "gemm kind:kernel");
    nsc_test_press(world, "/ Esc");
    assert_string_equal(world->app->filter.shown, "gemm kind:kernel");
}

/* While a filter hides events, the hints say how to get them back. */
TEST_OF_WORLD(the_hints_clear_a_filter)
{
    struct nsc_test_world *world = *state;

    assert_null(strstr(nsc_test_row(world, -1), "unfilter"));
    nsc_test_press(world, "/ g e m m Enter");
    assert_non_null(strstr(nsc_test_row(world, -1), "Backspace unfilter"));
    nsc_test_press(world, "Backspace");
    assert_null(strstr(nsc_test_row(world, -1), "unfilter"));
}

/* A filter leaves out rows without a match. An event of such a row, as the tree goes to, only moves
 * the time: no row could show it as selected. */
TEST_OF_WORLD(an_event_whose_row_is_left_out_is_not_selected)
{
    struct nsc_test_world *world = *state;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event range = 0;

    while (events->kind[range] != NSC_KIND_NVTX_RANGE)
        range++;
    range += 2;
    nsc_test_press(world, "X");
    nsc_test_press(world, "/ f l a s h Enter");
    nsc_scene_show_event(world->app->edit, range);
    assert_int_not_equal(world->app->scene->selected, range);
    assert_int_equal(world->app->scene->cursor, events->start[range]);
    nsc_test_press(world, "/ Esc");
    nsc_test_app_check(world->app, &world->grid);
}

/* The letters of a key are no name: what is filtered changes when its value comes, or with Enter. */
TEST_OF_WORLD(the_letters_of_a_key_filter_nothing)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "/");
    for (const char *typed = "stream"; *typed; typed++) {
        nsc_test_type(world, (char[]){*typed, '\0'});
        assert_string_equal(world->app->filter.text, "");
    }
    nsc_test_type(world, ":7");
    assert_string_equal(world->app->filter.text, "stream:7");
    nsc_test_press(world, "Enter /");
    nsc_test_type(world, "gp");
    assert_string_equal(world->app->filter.text, "stream:7");
    nsc_test_press(world, "Enter");
    assert_string_equal(world->app->filter.text, "stream:7 gp");
}
