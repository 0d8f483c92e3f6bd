/* Unit tests of the command line: effects of commands, refusals, and completion. */
#include "core/text.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "view/app/prompt.h"
#include "view/app/setting.h"
#include "view/kit/help.h"
#include "view/kit/theme.h"
#include "view/kit/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_refused(const struct nsc_test_world *world)
{
    return world->effects.set & NSC_EFFECT_REFUSED;
}

/* What is typed, and Tab so many times. */
static const char *completed(struct nsc_test_world *world, const char *typed, int tabs)
{
    nsc_test_press(world, ": Ctrl-U");
    nsc_test_type(world, typed);
    while (tabs--)
        nsc_test_press(world, "Tab");
    return world->app->prompt.lines[NSC_PROMPT_COMMAND].text;
}

TEST(a_line_is_a_name_and_arguments)
{
    struct nsc_text arguments;
    struct nsc_text name =
        nsc_command_line_split(nsc_text_from("  find  void gemm<1>  "), &arguments);

    assert_int_equal(nsc_command_line_find(name), NSC_COMMAND_LINE_FIND);
    assert_int_equal(arguments.n, 12);
    assert_memory_equal(arguments.bytes, "void gemm<1>", 12);
    name = nsc_command_line_split(nsc_text_from(""), &arguments);
    assert_int_equal(name.n, 0);
    assert_int_equal(nsc_command_line_find(name), NSC_N_COMMAND_LINES);
}

TEST(names_are_unique)
{
    for (unsigned i = 0; i < NSC_N_COMMAND_LINES; i++)
        assert_int_equal(nsc_command_line_find(nsc_text_from(nsc_command_lines[i].name)), i);
    for (unsigned i = 0; i < NSC_N_SETTINGS; i++)
        assert_int_equal(nsc_setting_find(nsc_text_from(nsc_settings[i].name)), i);
}

TEST_OF_WORLD(an_action_goes_by_its_name)
{
    struct nsc_test_world *world = *state;
    struct nsc_window before = nsc_viewport_window(&world->app->scene->viewport);
    struct nsc_window after;

    nsc_test_command(world, "zoom-in");
    after = nsc_viewport_window(&world->app->scene->viewport);
    assert_false(is_refused(world));
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NONE);
    assert_true(nsc_window_length(after) < nsc_window_length(before));
    nsc_test_command(world, "undo-view");
    assert_int_equal(nsc_viewport_window(&world->app->scene->viewport).t1, before.t1);
}

/* The command's prompt closes before the command opens another. */
TEST_OF_WORLD(an_action_may_open_a_prompt)
{
    struct nsc_test_world *world = *state;

    nsc_test_command(world, "filter-duration");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_FILTER);
}

TEST_OF_WORLD(what_is_wrong_is_told)
{
    struct nsc_test_world *world = *state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"zomm-in", "zomm-in: no such command; the nearest: zoom-in, zoom-out, zoom-all"},
        {"qqqq", "qqqq: no such command; Tab completes its name"},
        {"zoom-in 3", "zoom-in takes no arguments"},
        {"quit now", "quit takes no arguments"},
        {"tree-sort", "tree-sort: not for what has the focus now"},
        {"accept", "accept: not for what has the focus now"},
        {"command", "command: not for what has the focus now"},
        {"goto", "goto: give seconds, or a time with a unit (155.3, 20ms)"},
        {"goto soon", "goto: give seconds, or a time with a unit (155.3, 20ms)"},
        {"set colour red", "set colour: no such option; the nearest: colours"},
        {"set ticks 1", "set ticks: give a number from 2 to 20"},
        {"set ticks=1", "set ticks: give a number from 2 to 20"},
        {"set ticks many", "set ticks: give a number from 2 to 20"},
        {"set demangled maybe", "set demangled: give one of off on"},
        {"set axis mark", "set axis mark: there is no mark yet; mark sets one at the cursor"},
        {"help me", "help me: no such command or topic"},
        {"iterations nothing of the kind", "iterations: no NVTX range has such a name"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nsc_test_command(world, cases[i].line);
        assert_string_equal(world->app->message, cases[i].says);
        assert_true(is_refused(world));
        assert_false(world->effects.set & NSC_EFFECT_QUIT);
    }
    nsc_test_command(world, "filter gpu:x");
    assert_true(is_refused(world));
    assert_non_null(strstr(world->app->message, "column 5"));
    nsc_test_command(world, "goto 1h");
    assert_non_null(strstr(world->app->message, "goto: the trace goes from 0"));
}

TEST_OF_WORLD(goto_puts_the_cursor)
{
    struct nsc_test_world *world = *state;
    nsc_time t = nsc_window_cut(world->app->scene->viewport.extent, 1, 3);
    char line[64];

    nsc_test_press(world, "+ + + +");
    (void)snprintf(line, sizeof line, "goto %lldns", (long long)t);
    nsc_test_command(world, line);
    assert_int_equal(world->app->scene->cursor, t);
    assert_true(nsc_viewport_col(&world->app->scene->viewport, t) >= 0);
    assert_true(nsc_viewport_col(&world->app->scene->viewport, t) <
                (int)world->app->scene->viewport.cols);
}

TEST_OF_WORLD(filter_and_find_are_those_of_the_keys)
{
    struct nsc_test_world *world = *state;

    nsc_test_command(world, "filter kind:kernel");
    assert_string_equal(world->app->filter.text, "kind:kernel");
    assert_int_equal(nsc_summary_count(world->app->scene->summary), 90);
    nsc_test_command(world, "find nccl");
    assert_int_equal(nsc_summary_count(world->app->search.pick.summary), 10);
    assert_int_not_equal(world->app->scene->selected, NSC_NONE);
    nsc_test_command(world, "filter");
    assert_false(nsc_scene_is_filtered(world->app->scene));
    nsc_test_command(world, "find");
    assert_false(nsc_app_is_searching(world->app));
    nsc_test_press(world, "/ Up");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_FILTER].text, "kind:kernel");
}

TEST_OF_WORLD(settings_are_set_and_told)
{
    struct nsc_test_world *world = *state;
    static const char *const lines[][2] = {
        {"ticks", "20"},     {"min-duration", "5us"}, {"demangled", "on"},  {"axis", "relative"},
        {"nvtx-depth", "1"}, {"logical", "on"},       {"filter-dim", "off"}};
    char text[NSC_SETTING_BYTES];
    char line[128];

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        (void)snprintf(line, sizeof line, "set %s %s", lines[i][0], lines[i][1]);
        nsc_test_command(world, line);
        assert_false(is_refused(world));
        nsc_app_setting_text(world->app, nsc_setting_find(nsc_text_from(lines[i][0])), text);
        assert_string_equal(text, lines[i][1]);
    }
    assert_string_equal(world->app->filter.text, "dur>5us");
    nsc_test_command(world, "set ticks=4");
    assert_int_equal(world->app->scene->ticks, 4);
    nsc_test_command(world, "set ticks = 5");
    assert_int_equal(world->app->scene->ticks, 5);
    nsc_test_command(world, "set");
    assert_true(world->app->config.open);
    nsc_test_press(world, "Esc");
    nsc_test_command(world, "set ticks");
    assert_string_equal(world->app->message,
                        "ticks is 5 (2 to 20): ticks of the axis in 160 columns");
}

/* Every setting steps through all its values and ends, or wraps around. */
TEST_OF_WORLD(settings_step)
{
    struct nsc_test_world *world = *state;
    char first[NSC_SETTING_BYTES];
    char last[NSC_SETTING_BYTES];

    for (unsigned i = 0; i < NSC_N_SETTINGS; i++) {
        enum nsc_setting setting = (enum nsc_setting)i;
        int steps = 0;

        nsc_app_setting_text(world->app, setting, first);
        while (steps < 40 && nsc_app_setting_step(world->app, setting, true))
            steps++;
        assert_true(steps >= 1);
        assert_true(nsc_app_setting_step(world->app, setting, false));
        while (steps < 80 && nsc_app_setting_step(world->app, setting, false))
            steps++;
        nsc_app_setting_text(world->app, setting, last);
        if (nsc_settings[setting].kind == NSC_SETTING_IS_NUMBER)
            assert_int_equal(strtol(last, NULL, 10),
                             strtol(nsc_settings[setting].values, NULL, 10));
        if (nsc_settings[setting].kind == NSC_SETTING_IS_TIME)
            assert_string_equal(last, first);
    }
}

static size_t nvtx_lines(const struct nsc_app *app)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);
    size_t n = 0;

    for (size_t i = 0; i < app->scene->lines.n; i++)
        n += tracks[app->scene->lines.at[i].track].kind == NSC_TRACK_NVTX;
    return n;
}

TEST_OF_WORLD(nvtx_levels_are_cut)
{
    struct nsc_test_world *world = *state;
    size_t all = nvtx_lines(world->app);

    assert_true(all > 1);
    nsc_test_command(world, "set nvtx-depth 1");
    assert_int_equal(nvtx_lines(world->app), 1);
    nsc_test_command(world, "set nvtx-depth 0");
    assert_int_equal(nvtx_lines(world->app), 0);
    nsc_test_command(world, "set nvtx-depth all");
    assert_int_equal(nvtx_lines(world->app), all);
}

TEST_OF_WORLD(the_panel_changes_settings)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "C");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_CONFIG);
    nsc_test_press(world, "Right Right Left");
    assert_int_equal(world->app->scene->ticks, 14);
    nsc_test_press(world, "Down Right");
    assert_int_equal(world->app->scene->arrangement.stream_height, 2);
    nsc_test_press(world, "Down Down Right");
    assert_int_equal(world->app->scene->lines.nvtx_cut, 1);
    nsc_test_press(world, "j j j Right Right");
    assert_string_equal(world->app->filter.text, "dur>2us");
    nsc_test_press(world, "Left Left");
    assert_false(nsc_scene_is_filtered(world->app->scene));
    nsc_test_press(world, "Left");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_press(world, "k k k k k k k");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_press(world, "q");
    assert_false(world->effects.set & NSC_EFFECT_QUIT);
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    nsc_test_press(world, "C C");
    assert_false(world->app->config.open);
    nsc_test_press(world, "C : Esc Esc");
    assert_false(world->app->config.open);
}

TEST_OF_WORLD(settings_are_saved_by_others)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "C Right w");
    assert_true(world->effects.set & NSC_EFFECT_SETTINGS);
    assert_string_equal(
        world->effects.text.bytes,
        "ticks = 14\nstream-rows = 1\nother-rows = 1\nnvtx-depth = all\nnvtx-on-gpu = few\n"
        "idle-row = on\ndemangled = off\naxis = absolute\nlogical = off\ntheme = default\n"
        "colours = auto\nglyphs = unicode\nmouse = on\nempty-rows = hide\nfilter-dim = on\n");
}

static void click(struct nsc_test_world *world, int row, int col)
{
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};

    input.mouse.action = NSC_MOUSE_PRESS;
    input.mouse.button = 1;
    input.mouse.row = row;
    input.mouse.col = col;
    (void)nsc_app_input(world->app, &input);
}

TEST_OF_WORLD(the_mouse_changes_settings)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    int row = 0;
    int col = 0;

    nsc_test_press(world, "C");
    while (!strstr(nsc_test_row(world, row), " ticks "))
        row++;
    while (world->grid.cells[row * 120 + col].text[0] != '<')
        col++;
    click(world, row, col + 5);
    assert_int_equal(app->scene->ticks, 14);
    click(world, row, col);
    click(world, row, col);
    assert_int_equal(app->scene->ticks, 12);
    click(world, row + 2, col);
    assert_int_equal(app->config.list.cursor, NSC_SETTING_OTHER_ROWS);
    assert_int_equal(app->scene->ticks, 12);
    click(world, 0, 0);
    assert_false(app->config.open);
}

static bool is_on_screen(struct nsc_test_world *world, const char *text)
{
    for (uint32_t row = 0; row < world->app->scene->rows; row++)
        if (strstr(nsc_test_row(world, (int)row), text))
            return true;
    return false;
}

/* Beside it, or below the list on a narrow screen; the longest value is shown whole, too. */
TEST_OF_WORLD(the_help_of_the_chosen_setting_is_whole)
{
    static const uint32_t widths[] = {40, 60, 77, 78, 120};
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 14, .cols = widths[i]};

        nsc_test_give(world, &size);
        nsc_test_press(world, "C");
        for (int s = 0; s < NSC_N_SETTINGS; s++) {
            assert_int_equal(world->app->config.list.cursor, s);
            assert_true(is_on_screen(world, nsc_settings[s].name));
            if (!is_on_screen(world, nsc_settings[s].help))
                fail_msg("%s: its help is cut at %u columns", nsc_settings[s].name, widths[i]);
            nsc_test_press(world, "Down");
        }
        nsc_test_press(world, "Esc");
        nsc_app_theme_ask(world->app, nsc_text_from("high-contrast"));
        nsc_test_give(world, &(struct nsc_input){.type = NSC_INPUT_THEME});
        nsc_test_command(world, "set");
        while (world->app->config.list.cursor != NSC_SETTING_THEME)
            nsc_test_press(world,
                           world->app->config.list.cursor > NSC_SETTING_THEME ? "Up" : "Down");
        assert_true(is_on_screen(world, "< high-contrast >"));
        while (world->app->config.list.cursor)
            nsc_test_press(world, "Up");
        nsc_test_press(world, "Esc");
    }
}

TEST_OF_WORLD(what_the_terminal_does_is_asked_for)
{
    struct nsc_test_world *world = *state;
    struct nsc_input answer = {.type = NSC_INPUT_THEME};
    char now[NSC_SETTING_BYTES];

    nsc_test_command(world, "set mouse off");
    assert_true(world->effects.set & NSC_EFFECT_TERMINAL);
    assert_false(world->effects.mouse);
    nsc_test_command(world, "set colours mono");
    assert_true(world->effects.set & NSC_EFFECT_TERMINAL);
    assert_int_equal(world->effects.color, 4);
    nsc_test_press(world, "Down");
    assert_false(world->effects.set & NSC_EFFECT_TERMINAL);
    nsc_test_command(world, "set theme light");
    assert_true(world->effects.set & NSC_EFFECT_THEME);
    assert_int_equal(world->effects.text.n, 5);
    nsc_app_setting_text(world->app, NSC_SETTING_THEME, now);
    assert_string_equal(now, "default"); /* until it is there */
    (void)nsc_app_input(world->app, &answer);
    nsc_app_setting_text(world->app, NSC_SETTING_THEME, now);
    assert_string_equal(now, "light");
    nsc_test_command(world, "theme ./mine.theme");
    (void)nsc_app_input(world->app, &answer);
    nsc_app_setting_text(world->app, NSC_SETTING_THEME, now);
    assert_string_equal(now, "./mine.theme");
    assert_true(nsc_app_setting_step(world->app, NSC_SETTING_THEME, true));
}

TEST_OF_WORLD(every_theme_can_be_chosen)
{
    struct nsc_text words = nsc_text_from(nsc_settings[NSC_SETTING_THEME].values);
    unsigned n = 0;

    for (struct nsc_text word = nsc_word_next(&words); word.n; word = nsc_word_next(&words), n++) {
        bool found = false;

        for (unsigned i = 0; i < nsc_n_theme_files; i++)
            found |= nsc_text_is(word, nsc_theme_files[i].name);
        assert_true(found);
    }
    assert_int_equal(n, nsc_n_theme_files);
}

TEST_OF_WORLD(glyphs_change_at_once)
{
    struct nsc_test_world *world = *state;
    struct nsc_test_world poor;
    struct nsc_app_options options = {.file = "test.sqlite", .ascii_only = true};

    assert_non_null(strstr(nsc_test_row(world, 2), "╷"));
    nsc_test_command(world, "set glyphs ascii");
    assert_null(strstr(nsc_test_row(world, 2), "╷"));
    nsc_test_command(world, "set glyphs unicode");
    assert_non_null(strstr(nsc_test_row(world, 2), "╷"));
    nsc_test_world_init(&poor, &options);
    nsc_test_command(&poor, "set glyphs unicode");
    assert_true(poor.app->scene->ascii);
    assert_null(strstr(nsc_test_row(&poor, 2), "╷"));
    nsc_test_world_fini(&poor);
}

/* Lines that do not fit scroll with the cursor. */
TEST_OF_WORLD(the_panel_scrolls)
{
    struct nsc_test_world *world = *state;
    struct nsc_input input = {.type = NSC_INPUT_RESIZE, .rows = 10, .cols = 120};

    (void)nsc_app_input(world->app, &input);
    nsc_test_press(world,
                   "C Down Down Down Down Down Down Down Down Down Down Down Down Down Down Down");
    assert_non_null(strstr(nsc_test_row(world, 6), "filter-dim    < on >"));
    assert_null(strstr(nsc_test_row(world, 3), "ticks"));
}

TEST_OF_WORLD(bookmarks_are_written)
{
    struct nsc_test_world *world = *state;

    nsc_test_command(world, "bookmarks write marks.json");
    assert_true(is_refused(world)); /* there is none */
    nsc_test_press(world, "B Enter");
    nsc_test_command(world, "bookmarks write my marks.json");
    assert_true(world->effects.set & NSC_EFFECT_SHARE);
    assert_int_equal(world->effects.text.n, strlen("my marks.json"));
    nsc_test_command(world, "bookmarks write");
    assert_true(is_refused(world));
    nsc_test_command(world, "bookmarks read marks.json");
    assert_true(is_refused(world));
    nsc_test_command(world, "bookmarks");
    assert_int_equal(world->app->pane, NSC_PANE_BOOKMARKS);
}

TEST_OF_WORLD(keys_are_given_and_taken)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    nsc_test_command(world, "map Ctrl-G 7 zoom-in");
    nsc_test_press(world, "7");
    assert_false(nsc_viewport_is_whole(&app->scene->viewport));
    nsc_test_press(world, "0 Ctrl-G");
    assert_false(nsc_viewport_is_whole(&app->scene->viewport));
    assert_string_equal(completed(world, "map 7 fil", 1), "map 7 filter");
    assert_string_equal(completed(world, "unmap tr", 1), "unmap tree");
    nsc_test_press(world, "Esc");
    nsc_test_command(world, "map 0 pin");
    assert_non_null(strstr(nsc_test_row(world, -1), "zoom-all has no key any more"));
    nsc_test_press(world, "0");
    assert_int_equal(app->scene->lines.n_pinned, 1);
    nsc_test_command(world, "map 7");
    assert_non_null(strstr(nsc_test_row(world, -1), "7 is zoom-in (timeline)"));
    nsc_test_command(world, "unmap 7 Ctrl-G");
    nsc_test_press(world, "7");
    assert_true(world->effects.set & NSC_EFFECT_BELL);
    nsc_test_command(world, "unmap tree E");
    assert_int_equal(nsc_keymap_find(app->keymap, NSC_KEY_SCOPE_TREE, 'E'),
                     NSC_ACTION_PREV_FINDING); /* of the timeline */
}

TEST_OF_WORLD(wrong_maps_change_nothing)
{
    static const char *const wrong[] = {"map",
                                        "map nothing",
                                        "map x nothing",
                                        "map pin",
                                        "map Nokey pin",
                                        "map 1 2 3 4 5 6 7 pin",
                                        "map 1 2 3 4 5 6 pin",
                                        "unmap",
                                        "unmap 9",
                                        "unmap tree",
                                        "unmap tree Nokey",
                                        "unmap config p"};
    struct nsc_test_world *world = *state;
    struct nsc_keymap before = *world->app->keymap;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        nsc_test_command(world, wrong[i]);
        assert_true(is_refused(world));
    }
    assert_memory_equal(&before, world->app->keymap, sizeof before);
}

TEST_OF_WORLD(tab_completes)
{
    struct nsc_test_world *world = *state;

    assert_string_equal(completed(world, "got", 1), "goto");
    assert_string_equal(completed(world, "answer top_k", 1), "answer top_kernels");
    assert_string_equal(completed(world, "answer search ty", 1), "answer search type");
    assert_string_equal(completed(world, "answer search name=x lim", 1),
                        "answer search name=x limit=200");
    assert_string_equal(completed(world, "zoom-", 1), "zoom-in");
    assert_string_equal(completed(world, "zoom-", 2), "zoom-out");
    assert_string_equal(completed(world, "fil", 1), "filter");
    assert_string_equal(completed(world, "fil", 2), "filter-dim");
    assert_string_equal(completed(world, "set ti", 1), "set ticks");
    assert_string_equal(completed(world, "set axis r", 1), "set axis relative");
    assert_string_equal(completed(world, "help go", 1), "help goto");
    assert_string_equal(completed(world, "export csv r", 1), "export csv range");
    assert_string_equal(completed(world, "filter kind:k", 1), "filter kind:kernel");
    assert_string_equal(completed(world, "goto 1", 1), "goto 1");
    assert_string_equal(completed(world, "tree-s", 1), "tree-s");
}

/* Enter runs the best offer; Up returns to the typed line. */
TEST_OF_WORLD(a_line_is_found_by_some_of_its_letters)
{
    struct nsc_test_world *world = *state;

    (void)completed(world, "slo kern", 0);
    assert_non_null(strstr(nsc_test_row(world, -3), "slow-kernels"));
    nsc_test_press(world, "Enter");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_TIMELINE);
    assert_non_null(strstr(world->app->message, "kernel 1 of"));
    (void)completed(world, "bubles", 0);
    nsc_test_press(world, "Down");
    assert_string_equal(completed(world, "answer-", 0), "answer-");
    (void)completed(world, "empty-r", 1);
    assert_string_equal(nsc_app_prompt_text(world->app).bytes, "set empty-rows");
    nsc_test_press(world, "Up");
    assert_string_equal(nsc_app_prompt_text(world->app).bytes, "empty-r");
    (void)completed(world, "gembf", 0);
    nsc_test_press(world, "Enter");
    assert_non_null(strstr(world->app->message, "hit 1 of 40"));
}

TEST_OF_WORLD(help_shows_the_rules_of_the_prompt)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, ": F1");
    assert_string_equal(world->app->guide->name, "COMMANDS");
    nsc_test_press(world, "Esc");
    assert_int_equal(nsc_app_scope(world->app), NSC_KEY_SCOPE_PROMPT);
    nsc_test_press(world, "Esc / F1");
    assert_string_equal(world->app->guide->name, "FILTERS");
    assert_non_null(strstr(nsc_test_row(world, 9), "gemm"));
    nsc_test_press(world, "Esc Esc \\ F1");
    assert_null(world->app->guide);
}

/* The application does not read files: it requests the theme and gets the result. */
TEST_OF_WORLD(a_theme_is_asked_for)
{
    struct nsc_test_world *world = *state;
    struct nsc_input input = {.type = NSC_INPUT_THEME, .export_colors = true};

    assert_string_equal(completed(world, "theme l", 1), "theme light");
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_THEME);
    assert_true(world->effects.set & NSC_EFFECT_REPAINT);
    assert_int_equal(world->effects.text.n, 5);
    assert_memory_equal(world->effects.text.bytes, "light", 5);
    (void)nsc_app_input(world->app, &input);
    assert_true(world->app->scene->export_colors);
    nsc_test_command(world, "theme");
    assert_true(is_refused(world));
    assert_false(world->effects.set & NSC_EFFECT_THEME);
}

TEST_OF_WORLD(help_tells_of_a_command)
{
    struct nsc_test_world *world = *state;

    nsc_test_command(world, "help goto");
    assert_non_null(strstr(world->app->message, "goto TIME: puts the cursor at a time"));
    nsc_test_command(world, "help zoom-in");
    assert_string_equal(world->app->message, "zoom-in (+ =): zoom in about the cursor");
    nsc_test_command(world, "help");
    assert_true(world->app->help);
}

TEST_OF_WORLD(lines_are_remembered)
{
    struct nsc_test_world *world = *state;

    nsc_test_command(world, "zomm-in");
    nsc_test_press(world, ": Up");
    assert_string_equal(world->app->prompt.lines[NSC_PROMPT_COMMAND].text, "zomm-in");
}

TEST_OF_WORLD(quit_quits)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "i");
    nsc_test_command(world, "q");
    assert_true(world->effects.set & NSC_EFFECT_QUIT);
}

TEST_OF_WORLD(a_command_comes_from_outside)
{
    struct nsc_test_world *world = *state;
    struct nsc_input input = {.type = NSC_INPUT_COMMAND, .text = "set ticks 7"};
    struct nsc_effects effects = nsc_app_input(world->app, &input);

    assert_int_equal(world->app->scene->ticks, 7);
    assert_false(effects.set & NSC_EFFECT_REFUSED);
    input.text = "set ticks 70";
    effects = nsc_app_input(world->app, &input);
    assert_true(effects.set & NSC_EFFECT_REFUSED);
    assert_memory_equal(effects.text.bytes, "set ticks: give", 15);
}
