/* Unit tests of the help and of the hints: they describe the effects of the keys. */
#include "core/text.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "view/kit/help.h"
#include "view/kit/words.h"

#include <string.h>

enum { ROWS = 124, COLS = 130, SCREEN_BYTES = ROWS * (COLS * 4 + 1) + 1 };

static char screen[SCREEN_BYTES];

static void screen_read(const struct nsc_grid *grid)
{
    size_t n = 0;

    for (uint32_t i = 0; i < grid->rows * grid->cols; i++) {
        memcpy(screen + n, grid->cells[i].text, grid->cells[i].n);
        n += grid->cells[i].n;
        if (i % grid->cols == grid->cols - 1)
            screen[n++] = '\n';
    }
    screen[n] = '\0';
}

static int help_of(struct nsc_rect rect, const struct nsc_keymap *keymap, enum nsc_key_scope scope,
                   int top)
{
    struct nsc_grid grid;
    const struct nsc_help help = {keymap, scope, "", NULL, false};
    int max_top = 0;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, ROWS, COLS);
    max_top = nsc_help_draw(&grid, rect, &help, top);
    screen_read(&grid);
    nsc_grid_fini(&grid);
    assert_int_equal(max_top, nsc_help_draw(NULL, rect, &help, 0));
    return max_top;
}

TEST(help_has_every_action_of_the_focus)
{
    struct nsc_keymap keymap;
    struct nsc_rect rect = {0, 0, ROWS, COLS};

    nsc_keymap_init(&keymap);
    assert_int_equal(help_of(rect, &keymap, NSC_KEY_SCOPE_TIMELINE, 0), 0);
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_key_scope scope = nsc_actions[i].scope;
        bool is_here = strstr(screen, nsc_actions[i].help) != NULL;

        if (scope == NSC_KEY_SCOPE_TIMELINE || scope == NSC_KEY_SCOPE_GLOBAL)
            assert_true(is_here);
        if (scope == NSC_KEY_SCOPE_PROMPT || scope == NSC_KEY_SCOPE_PAGE)
            assert_false(is_here);
    }
    assert_non_null(strstr(screen, "Shift+Left PgUp"));
    for (unsigned i = 0; i < NSC_N_COMMAND_LINES; i++)
        assert_non_null(strstr(screen, nsc_command_lines[i].help));
}

TEST(help_begins_with_the_pane_and_finds_words)
{
    struct nsc_keymap keymap;
    struct nsc_grid grid;
    struct nsc_help help = {&keymap, NSC_KEY_SCOPE_BOOKMARKS, "", NULL, false};

    nsc_keymap_init(&keymap);
    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, ROWS, COLS);
    (void)nsc_help_draw(&grid, (struct nsc_rect){0, 0, 12, 60}, &help, 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, nsc_actions[NSC_ACTION_BOOKMARK_REMOVE].help));
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_PAN_LEFT].help));
    help.needle = "QUARTER";
    (void)nsc_help_draw(&grid, (struct nsc_rect){0, 0, ROWS, COLS}, &help, 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, nsc_actions[NSC_ACTION_PAN_LEFT_FAR].help));
    help.needle = "and line"; /* a heading: with all its lines */
    (void)nsc_help_draw(&grid, (struct nsc_rect){0, 0, ROWS, COLS}, &help, 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, ":goto"));
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_PAN_LEFT_FAR].help));
    help.is_legend = true;
    help.needle = "";
    (void)nsc_help_draw(&grid, (struct nsc_rect){0, 0, ROWS, COLS}, &help, 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, "Colours and signs"));
    assert_non_null(strstr(screen, "copies to, from and on the device"));
    /* One page, even on the smallest usual screen. */
    assert_int_equal(nsc_help_draw(&grid, (struct nsc_rect){0, 0, 22, 80}, &help, 0), 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, "idle: the profiler"));
    assert_non_null(strstr(screen, "from a launch to what it launched"));
    help.needle = "no such words";
    (void)nsc_help_draw(&grid, (struct nsc_rect){0, 0, ROWS, COLS}, &help, 0);
    screen_read(&grid);
    assert_non_null(strstr(screen, "Nothing is found"));
    nsc_grid_fini(&grid);
}

TEST(help_shows_the_keys_as_they_are_now)
{
    struct nsc_keymap keymap;
    struct nsc_rect rect = {0, 0, ROWS, COLS};

    nsc_keymap_init(&keymap);
    nsc_keymap_parse(&keymap, nsc_text_from("[timeline]\nzoom-in = Ctrl-Y q\nfit =\n"), NULL, NULL);
    help_of(rect, &keymap, NSC_KEY_SCOPE_TIMELINE, 0);
    assert_non_null(strstr(screen, "Ctrl-Y q"));
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_FIT].help));
    /* q now zooms: it no longer quits here. */
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_QUIT].help));
}

TEST(a_small_screen_scrolls)
{
    struct nsc_keymap keymap;
    struct nsc_rect rect = {2, 5, 12, 70};
    int max_top = 0;

    nsc_keymap_init(&keymap);
    max_top = help_of(rect, &keymap, NSC_KEY_SCOPE_TIMELINE, 0);
    assert_true(max_top > 10);
    assert_non_null(strstr(screen, nsc_actions[NSC_ACTION_PAN_LEFT].help));
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_SUSPEND].help));
    help_of(rect, &keymap, NSC_KEY_SCOPE_TIMELINE, max_top);
    assert_null(strstr(screen, nsc_actions[NSC_ACTION_PAN_LEFT].help));
    assert_non_null(strstr(screen, ":quit"));
    help_of(rect, &keymap, NSC_KEY_SCOPE_TIMELINE, 9999);
    assert_non_null(strstr(screen, ":quit"));
    help_of((struct nsc_rect){0, 0, 1, 1}, &keymap, NSC_KEY_SCOPE_TIMELINE, 0);
}

static int hints_of(int width, const struct nsc_keymap *keymap, enum nsc_key_scope scope)
{
    struct nsc_grid grid;
    int end = 0;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 1, COLS);
    end = nsc_hint_draw(&grid, (struct nsc_rect){0, 0, 1, width}, keymap,
                        &(struct nsc_hint_place){.scope = scope});
    screen_read(&grid);
    nsc_grid_fini(&grid);
    return end;
}

TEST(hints_fit_and_keep_help_and_quit)
{
    struct nsc_keymap keymap;

    nsc_keymap_init(&keymap);
    hints_of(120, &keymap, NSC_KEY_SCOPE_TIMELINE);
    assert_non_null(strstr(screen, "← → move  ↑ ↓ row  + - zoom"));
    for (int width = 14; width <= 120; width++) {
        assert_true(hints_of(width, &keymap, NSC_KEY_SCOPE_TIMELINE) <= width);
        assert_non_null(strstr(screen, "h help  q quit"));
        assert_null(strstr(screen, "…"));
    }
    hints_of(0, &keymap, NSC_KEY_SCOPE_TIMELINE);
    assert_int_equal(strspn(screen, " "), COLS);
}

TEST(hints_follow_the_focus_and_the_keymap)
{
    struct nsc_keymap keymap;

    nsc_keymap_init(&keymap);
    nsc_keymap_parse(&keymap, nsc_text_from("[global]\nhelp = F1\n"), NULL, NULL);
    hints_of(120, &keymap, NSC_KEY_SCOPE_PROMPT);
    assert_non_null(strstr(screen, "Enter take  Esc leave"));
    assert_non_null(strstr(screen, "F1 help"));
    assert_null(strstr(screen, "q quit"));
    hints_of(120, &keymap, NSC_KEY_SCOPE_LOADING);
    assert_non_null(strstr(screen, "Esc cancel"));
}

/* In every state: a key hinted as "back" does not end the program. */
TEST(the_hint_of_quit_is_what_it_does)
{
    static const char *const places[] = {
        "Ctrl-W", "z", "s Ctrl-W", "V z", "'", "t",     "Ctrl-W Ctrl-W", "O Ctrl-W", "F10",
        "C",      "x", "h",        "t h", "i", "z Esc", "F z",           "",         "/ a"};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct nsc_test_world world;
        bool says_back = false;
        bool says_quit = false;

        nsc_test_world_init(&world, NULL);
        nsc_test_press(&world, places[i]);
        (void)nsc_test_row(&world, -1);
        says_back = strstr(world.row, "q back") != NULL;
        says_quit = strstr(world.row, "q quit") != NULL;
        nsc_test_press(&world, "q");
        assert_int_equal(says_quit, (world.effects.set & NSC_EFFECT_QUIT) != 0);
        assert_int_equal(says_back + says_quit,
                         strcmp(places[i], "/ a") != 0 && strcmp(places[i], "x") != 0);
        nsc_test_world_fini(&world);
    }
}
