/*
 * Unit tests of bookmarks in the application: saving, visiting, removing, and restoring the view.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "view/app/panes.h"

#include <stdio.h>
#include <string.h>

static const struct nsc_bookmarks *list_of(const struct nsc_test_world *world)
{
    return &world->app->bookmarks.list;
}

static void save_here(struct nsc_test_world *world, const char *name)
{
    nsc_test_press(world, "B Ctrl-U");
    nsc_test_type(world, name);
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
}

/* What a caller does that saves. */
static void stamp(struct nsc_test_world *world, uint64_t random)
{
    struct nsc_bookmarks copy = {0};
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &copy};

    nsc_app_bookmarks_copy(world->app, &copy, 1000, random);
    (void)nsc_app_input(world->app, &input);
    assert_int_equal(copy.n, 0);
}

TEST_OF_WORLD(a_bookmark_holds_what_is_there)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_bookmark *b;

    nsc_test_press(world, "+ Tab B");
    assert_string_equal(app->prompt.lines[NSC_PROMPT_BOOKMARK].text,
                        nsc_trace_event_text(app->scene->trace, app->scene->selected, true,
                                             (char[NSC_NAME_BYTES]){0})
                            .bytes);
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    b = &list_of(world)->at[0];
    assert_true(b->has_event && b->has_track && b->has_zoom && !b->has_range);
    assert_int_equal(b->time, nsc_trace_events(app->scene->trace)->start[app->scene->selected]);
    assert_int_equal(b->zoom.t0, nsc_viewport_window(&app->scene->viewport).t0);
    assert_true(nsc_bookmark_text(b, NSC_BOOKMARK_PATH)[0]);
    assert_non_null(strstr(nsc_test_row(world, 0), "⚑1"));
    assert_non_null(strstr(nsc_test_row(world, 1), "⚑"));
    nsc_test_press(world, "B Esc");
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    assert_false(world->effects.set & NSC_EFFECT_SAVE);
}

/* The row of this label, with nothing selected. */
static void go_to_label(struct nsc_test_world *world, const char *label)
{
    struct nsc_app *app = world->app;
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);
    uint32_t line = 0;

    while (line < app->scene->lines.n &&
           !nsc_text_is(
               nsc_trace_string(app->scene->trace, tracks[app->scene->lines.at[line].track].label),
               label))
        line++;
    assert_true(line < app->scene->lines.n);
    nsc_scene_set_line(app->edit, line);
    nsc_scene_select(app->edit, NSC_NONE);
}

/* The view's own separator is not spelled out as text of a file is. */
TEST(a_row_is_offered_as_it_is_drawn)
{
    static const char *const wanted[] = {"bookmark: process 111 · thread 111",
                                         "bookmark: process 111 . thread 111"};

    for (int ascii = 0; ascii < 2; ascii++) {
        struct nsc_app_options options = {.file = "test.sqlite", .ascii = ascii};
        struct nsc_test_world world;

        nsc_test_world_init(&world, &options);
        nsc_test_press(&world, "[ Tab ] Esc");
        assert_non_null(strstr(nsc_bookmark_text(&list_of(&world)->at[0], NSC_BOOKMARK_NAME),
                               ascii ? " us" : " µs"));
        go_to_label(&world, "process 111 · thread 111");
        nsc_test_press(&world, "B");
        assert_non_null(strstr(nsc_test_row(&world, -2), wanted[ascii]));
        nsc_test_press(&world, "Enter '");
        for (int row = 0; row < 24; row++)
            assert_null(strstr(nsc_test_row(&world, row), "\\u{"));
        nsc_test_world_fini(&world);
    }
}

TEST_OF_WORLD(what_was_removed_comes_back)
{
    struct nsc_test_world *world = *state;
    char names[3][8];

    for (int i = 0; i < 3; i++) {
        nsc_test_press(world, i ? "Tab" : "Home");
        (void)snprintf(names[i], sizeof names[i], "mark %d", i);
        save_here(world, names[i]);
    }
    stamp(world, 1);
    nsc_test_press(world, "'");
    nsc_test_press(world, "u");
    assert_non_null(strstr(world->app->message, "No bookmark was removed"));
    nsc_test_press(world, "Home x x");
    assert_non_null(strstr(world->app->message, "u brings it back: mark 1"));
    stamp(world, 2);
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    nsc_test_press(world, "u");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
    nsc_test_press(world, "u");
    stamp(world, 3);
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(nsc_bookmark_text(&list_of(world)->at[i], NSC_BOOKMARK_NAME), names[i]);
        assert_true(list_of(world)->at[i].id != 0 && list_of(world)->at[i].has_track);
    }
    assert_int_equal(list_of(world)->n, 5); /* the marks of the old ones stay */
    for (int i = 0; i < NSC_APP_REMOVED + 2; i++) {
        nsc_test_press(world, "Esc");
        save_here(world, "more");
        assert_true(nsc_app_bookmark_remove(world->app));
    }
    assert_int_equal(world->app->bookmarks.n_removed, NSC_APP_REMOVED);
}

TEST_OF_WORLD(bookmarks_are_gone_through_in_a_ring)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    nsc_event first;
    struct nsc_window w;

    nsc_test_press(world, ".");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_press(world, "Home + +");
    first = app->scene->selected;
    w = nsc_viewport_window(&app->scene->viewport);
    save_here(world, "one");
    nsc_test_press(world, "Tab Tab");
    save_here(world, "two");
    nsc_test_press(world, "0 Down End");
    save_here(world, "three");
    nsc_test_press(world, ".");
    assert_string_equal(app->message, "one");
    assert_int_equal(app->scene->selected, first);
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t0, w.t0);
    assert_int_equal(nsc_viewport_window(&app->scene->viewport).t1, w.t1);
    nsc_test_press(world, ".");
    assert_string_equal(app->message, "two");
    nsc_test_press(world, ", ,");
    assert_string_equal(app->message, "three");
}

TEST_OF_WORLD(a_row_without_events_gives_its_name)
{
    struct nsc_test_world *world = *state;

    while (world->app->scene->line)
        nsc_test_press(world, "Up");
    assert_true(world->app->scene->selected == NSC_NONE);
    nsc_test_press(world, "B Enter");
    assert_string_equal(nsc_bookmark_text(&list_of(world)->at[0], NSC_BOOKMARK_NAME), "GPU 0");
}

/* Typing replaces the offered name; after a cursor key, the name is edited. */
TEST_OF_WORLD(a_name_is_offered_and_typed_over)
{
    struct nsc_test_world *world = *state;

    while (world->app->scene->line)
        nsc_test_press(world, "Up");
    nsc_test_press(world, "B s l o w Enter");
    assert_string_equal(nsc_bookmark_text(&list_of(world)->at[0], NSC_BOOKMARK_NAME), "slow");
    nsc_test_press(world, "B End x Enter");
    assert_string_equal(nsc_bookmark_text(&list_of(world)->at[1], NSC_BOOKMARK_NAME), "GPU 0x");
    nsc_test_press(world, "' c r e d Left x");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FORM].text, "rexd");
    nsc_test_press(world, "Esc e Z");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FORM].text, "Z");
    nsc_test_press(world, "Esc w");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FORM].text, "bookmarks.html");
    nsc_test_press(world, "Ctrl-U x y Enter");
    assert_true(world->effects.set & NSC_EFFECT_SESSION);
}

TEST_OF_WORLD(the_pane_jumps_and_removes)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_press(world, "Home");
    save_here(world, "one");
    nsc_test_press(world, "End");
    save_here(world, "two");
    stamp(world, 7);
    nsc_test_press(world, "'");
    assert_int_equal(nsc_app_scope(app), NSC_KEY_SCOPE_BOOKMARKS);
    nsc_test_press(world, "1");
    assert_string_equal(app->message, "one");
    assert_int_equal(app->bookmarks.table.list.cursor, 0);
    nsc_test_press(world, "9");
    assert_string_equal(app->message, "There is no bookmark of that number.");
    nsc_test_press(world, "Down Enter");
    assert_string_equal(app->message, "two");
    nsc_test_press(world, "Home x");
    assert_string_equal(app->message, "Removed, u brings it back: one");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    assert_int_equal(list_of(world)->n, 2); /* the mark of what was removed */
    assert_string_equal(nsc_bookmark_text(&list_of(world)->at[0], NSC_BOOKMARK_NAME), "two");
    nsc_test_press(world, "Delete");
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 0);
    nsc_test_press(world, "Delete");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
}

/* As those of an export of which only a part is shown. */
TEST_OF_WORLD(bookmarks_outside_are_gone_through_too)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    static const nsc_time times[] = {INT64_MIN, -5, INT64_MAX - 1, INT64_MAX};
    static const char *const names[] = {"a", "b", "c", "d"};
    struct nsc_bookmarks list = {0};
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &list};

    for (unsigned i = 0; i < 4; i++) {
        struct nsc_bookmark b = nsc_bookmark_new(times[i]);

        nsc_bookmark_set_text(&b, NSC_BOOKMARK_NAME, nsc_text_from(names[i]));
        b.id = i + 1;
        (void)nsc_bookmarks_add(&list, &b);
    }
    nsc_test_press(world, "+");
    (void)nsc_app_input(app, &input);
    nsc_test_press(world, ", ,");
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(app->message, names[i % 4]);
        assert_true(nsc_viewport_col(&app->scene->viewport, app->scene->cursor) >= 0);
        assert_true(nsc_viewport_col(&app->scene->viewport, app->scene->cursor) <
                    (int)app->scene->viewport.cols);
        nsc_test_press(world, ".");
    }
}

/* What comes back from saving is what is there already. */
TEST_OF_WORLD(saving_doubles_nothing)
{
    struct nsc_test_world *world = *state;

    save_here(world, "one");
    save_here(world, "two");
    stamp(world, 7);
    stamp(world, 8);
    assert_int_equal(list_of(world)->n, 2);
}

TEST_OF_WORLD(the_end_of_a_range_saves_it_once)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_window range;

    nsc_test_press(world, "Home [ End ]");
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    assert_true(list_of(world)->at[0].has_range);
    range = app->scene->range;
    nsc_test_press(world, "]");
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    nsc_test_press(world, "Esc ' 1");
    assert_true(app->scene->has_range);
    assert_int_equal(app->scene->range.t0, range.t0);
    assert_int_equal(app->scene->range.t1, range.t1);
}

TEST_OF_WORLD(a_view_is_restored)
{
    struct nsc_test_world *world = *state;
    struct nsc_test_world again;
    struct nsc_session_state left;
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .state = &left};
    char rows[3][4096];

    nsc_test_press(world, "Home + + a Down Down ( / n c c l Enter");
    assert_true(nsc_app_state(world->app, &left));
    for (int i = 0; i < 3; i++)
        memcpy(rows[i], nsc_test_row(world, i), sizeof rows[i]);
    nsc_test_world_init(&again, NULL);
    (void)nsc_app_input(again.app, &input); /* never saved: nothing to restore */
    assert_true(nsc_viewport_is_whole(&again.app->scene->viewport));
    left.modified = 1;
    nsc_test_give(&again, &input);
    for (int i = 0; i < 3; i++)
        assert_string_equal(nsc_test_row(&again, i), rows[i]);
    assert_int_equal(again.app->scene->line, world->app->scene->line);
    assert_int_equal(again.app->scene->lines.n, world->app->scene->lines.n);
    assert_int_equal(again.app->scene->axis, world->app->scene->axis);
    assert_string_equal(again.app->filter.text, "nccl");
    nsc_session_state_fini(&left);
    nsc_test_world_fini(&again);
}

static void edit(struct nsc_test_world *world, const char *key, const char *text)
{
    nsc_test_press(world, key);
    nsc_test_press(world, "Ctrl-U");
    nsc_test_type(world, text);
    nsc_test_press(world, "Enter");
}

TEST_OF_WORLD(name_note_tags_and_colour_are_edited)
{
    struct nsc_test_world *world = *state;
    struct nsc_input narrow = {.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 80};
    const struct nsc_bookmark *b = NULL;
    uint64_t id = 0;

    save_here(world, "first");
    stamp(world, 7);
    id = list_of(world)->at[0].id;
    nsc_test_press(world, "'");
    edit(world, "e", "second");
    assert_true(world->effects.set & NSC_EFFECT_SAVE);
    edit(world, "o", "what it is about");
    edit(world, "T", "slow,gemm");
    edit(world, "c", "blue");
    b = &list_of(world)->at[0];
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    assert_true(b->id == id && b->changed && b->color == 0x3f76d8);
    assert_string_equal(nsc_bookmark_text(b, NSC_BOOKMARK_NAME), "second");
    assert_string_equal(nsc_bookmark_text(b, NSC_BOOKMARK_NOTE), "what it is about");
    nsc_test_give(world, &narrow);
    assert_non_null(strstr(nsc_test_row(world, world->app->scene->layout.pane.row),
                           "1 bookmark   what it is about"));
    assert_string_equal(nsc_bookmark_text(b, NSC_BOOKMARK_TAGS), "slow,gemm");
    edit(world, "o", "what it is about");
    assert_false(world->effects.set & NSC_EFFECT_SAVE); /* nothing changed */
    edit(world, "c", "#12zz");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_FORM); /* it stays open */
    nsc_test_press(world, "Esc");
    edit(world, "c", "");
    assert_int_equal(list_of(world)->at[0].color, -1);
}

TEST_OF_WORLD(an_edit_of_one_that_is_gone_changes_no_other)
{
    struct nsc_test_world *world = *state;
    struct nsc_bookmarks other = {0};
    struct nsc_input input = {.type = NSC_INPUT_BOOKMARKS, .bookmarks = &other};
    uint64_t kept = 0;

    save_here(world, "first");
    nsc_test_press(world, "Right Right Right");
    save_here(world, "second");
    stamp(world, 7);
    nsc_test_press(world, "' Home e");
    kept = list_of(world)->at[1].id;
    nsc_bookmarks_copy(&other, list_of(world));
    nsc_bookmarks_remove(&other, 0);
    nsc_bookmarks_set_stamp(&other, 5000, 99);
    (void)nsc_app_input(world->app, &input);
    nsc_test_type(world, "x");
    nsc_test_press(world, "Enter");
    assert_int_equal(nsc_bookmarks_live(list_of(world)), 1);
    assert_true(list_of(world)->at[0].id == kept);
    assert_null(strchr(nsc_bookmark_text(&list_of(world)->at[0], NSC_BOOKMARK_NAME), 'x'));
}

/* The name of a bookmark in a gap says how long it is. */
TEST(a_bookmark_of_a_gap_is_named_after_it)
{
    struct nsc_test_world world = {0};

    nsc_test_world_open(&world, NULL, "*2 5ms kernel 0:7 0 1ms gemm\n", 24, 100);
    nsc_test_press(&world, "b B Enter");
    assert_int_equal(list_of(&world)->n, 1);
    assert_string_equal(nsc_bookmark_text(&list_of(&world)->at[0], NSC_BOOKMARK_NAME),
                        "idle gap 4.00 ms");
    nsc_test_world_fini(&world);
}
