/* Unit tests of exporting from the screen: choices, requests, messages and cancelling. */
#include "support/app_world.h"
#include "support/cm.h"
#include "view/app/prompt.h"

#include <stdio.h>
#include <string.h>

static int begin(void **state)
{
    static struct nsc_test_world world;

    nsc_test_world_init(&world, NULL);
    *state = &world;
    return 0;
}

static int end(void **state)
{
    nsc_test_world_fini(*state);
    return 0;
}

static bool asks(const struct nsc_test_world *world)
{
    return world->effects.set & NSC_EFFECT_EXPORT;
}

static void tell(struct nsc_test_world *world, struct nsc_input input)
{
    input.type = NSC_INPUT_EXPORT;
    world->effects = nsc_app_input(world->app, &input);
}

TEST_WITH(the_form_asks_for_a_name, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_export_request request;

    nsc_test_press(world, "x");
    assert_non_null(strstr(nsc_test_row(world, -6), "< chrome >"));
    nsc_test_press(world, "Right Right Down Right");
    assert_non_null(strstr(nsc_test_row(world, -5), "< all >"));
    assert_non_null(strstr(nsc_test_row(world, -4), ".speedscope.json"));
    assert_false(asks(world));
    nsc_test_press(world, "Down o u t . j s o n Enter"); /* the first character replaces the name */
    assert_true(asks(world));
    assert_true(nsc_app_export_request(world->app, &request));
    assert_int_equal(request.format, NSC_DUMP_SPEEDSCOPE);
    assert_true(request.window.t0 == INT64_MIN && request.window.t1 == INT64_MAX);
    assert_string_equal(request.path, "out.json");
    assert_null(request.mask);
    assert_false(request.replace);
}

TEST_WITH(the_form_shows_whole_names, begin, end)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "x");
    for (int f = 0; f < NSC_N_DUMP_FORMATS; f++) {
        char shown[64];

        (void)snprintf(shown, sizeof shown, "< %s > ", nsc_dump_formats[f].name);
        assert_non_null(strstr(nsc_test_row(world, -6), shown));
        assert_non_null(strstr(nsc_test_row(world, -6), nsc_dump_formats[f].help));
        nsc_test_press(world, "Right");
    }
}

TEST_WITH(the_range_is_offered_when_there_is_one, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_export_request request;

    nsc_test_press(world, "x Down Right");
    assert_int_equal(world->app->export.what, NSC_EXPORT_ALL);
    nsc_test_press(world, "Esc v Right Right Right v x Down Left");
    assert_int_equal(world->app->export.what, NSC_EXPORT_RANGE);
    assert_true(nsc_app_export_request(world->app, &request));
    assert_true(request.window.t0 == world->app->scene->range.t0 &&
                request.window.t1 == world->app->scene->range.t1);
}

TEST_WITH(a_file_that_is_there_is_asked_about, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_export_request request;

    nsc_test_command(world, "export csv all out.csv");
    assert_true(asks(world));
    tell(world, (struct nsc_input){.exported = NSC_EXPORTED_EXISTS});
    assert_non_null(strstr(nsc_test_row(world, -2), "it exists, Enter replaces it: out.csv"));
    nsc_test_press(world, "Enter");
    assert_true(asks(world) && nsc_app_export_request(world->app, &request) && request.replace);
    tell(world, (struct nsc_input){.exported = NSC_EXPORTED_EXISTS});
    nsc_test_press(world, "End 2 Enter");
    assert_true(asks(world) && nsc_app_export_request(world->app, &request) && !request.replace);
    assert_string_equal(request.path, "out.csv2");
    tell(world, (struct nsc_input){.exported = NSC_EXPORTED_EXISTS});
    nsc_test_press(world, "Esc");
    assert_false(asks(world) || world->app->export.running);
}

TEST_WITH(progress_is_told_and_escape_cancels, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_input part = {.progress = {.rows = 34, .rows_total = 100}, .now = 5000};

    nsc_test_command(world, "export ndjson view out");
    tell(world, part);
    assert_non_null(strstr(nsc_test_row(world, -1), "Exporting out: 34 %"));
    part.now = 6000;
    tell(world, part);
    assert_non_null(strstr(nsc_test_row(world, -1), "about 2 s left.  Esc cancels."));
    nsc_test_press(world, "x");
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NONE);
    nsc_test_press(world, "Esc");
    assert_true(world->effects.set & NSC_EFFECT_CANCEL_EXPORT);
    tell(world, (struct nsc_input){.exported = NSC_EXPORTED_FAILED, .text = "Cancelled."});
    assert_non_null(strstr(nsc_test_row(world, -1), "Cancelled."));
    nsc_test_press(world, "Esc");
    assert_false(world->effects.set & NSC_EFFECT_CANCEL_EXPORT);
}

TEST_WITH(wrong_words_are_refused, begin, end)
{
    static const char *const lines[] = {"export excel all x", "export csv", "export csv range x",
                                        "export csv all"};
    struct nsc_test_world *world = *state;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        nsc_test_command(world, lines[i]);
        assert_false(asks(world));
        assert_true(world->effects.set & NSC_EFFECT_REFUSED);
    }
    nsc_test_press(world, "x Up Ctrl-U Enter");
    assert_false(asks(world));
    assert_non_null(strstr(nsc_test_row(world, -1), "give the name of a file"));
}

/* What was typed stays when the file cannot be written. */
TEST_WITH(an_error_leaves_the_form_open, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_input failed = {.exported = NSC_EXPORTED_FAILED, .text = "there is no folder /no"};

    nsc_test_press(world, "x Right Up Ctrl-U");
    nsc_test_type(world, "/no/a.json");
    nsc_test_press(world, "Enter");
    assert_true(asks(world));
    tell(world, failed);
    assert_non_null(strstr(nsc_test_row(world, -2), "/no/a.json"));
    assert_non_null(strstr(nsc_test_row(world, -1), "^ there is no folder /no"));
    nsc_test_press(world, "Ctrl-U o u t Enter");
    assert_true(asks(world));
    assert_string_equal(world->app->export.path, "out");
    nsc_test_press(world, "Esc"); /* a cancelled one does not ask again */
    failed.text = "Cancelled.";
    tell(world, failed);
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NONE);
    nsc_test_command(world, "export csv all out.csv");
    tell(world, failed);
    assert_int_equal(world->app->prompt.open, NSC_PROMPT_NONE);
}

TEST_WITH(the_form_tells_its_arrows, begin, end)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "x");
    assert_non_null(strstr(nsc_test_row(world, -1), "↑ ↓ line  ← → change"));
    nsc_test_press(world, "Up");
    assert_null(strstr(nsc_test_row(world, -1), "change"));
}

TEST_WITH(the_filter_goes_with_it, begin, end)
{
    struct nsc_test_world *world = *state;
    struct nsc_export_request request;

    assert_true(nsc_app_filter_set(world->app, (struct nsc_text){"kind:kernel", 11}));
    assert_true(nsc_app_export_request(world->app, &request));
    assert_non_null(request.mask);
    assert_string_equal(request.filter, "kind:kernel");
}

/* A range is what the user wants to export. */
TEST_OF_WORLD(the_range_is_exported_if_there_is_one)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "x");
    assert_int_equal(world->app->export.what, NSC_EXPORT_VIEW);
    nsc_test_press(world, "Esc v Right Right Right v x");
    assert_int_equal(world->app->export.what, NSC_EXPORT_RANGE);
    nsc_test_press(world, "Esc Esc x");
    assert_int_equal(world->app->export.what, NSC_EXPORT_VIEW);
}
