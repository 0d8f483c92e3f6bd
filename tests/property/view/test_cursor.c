/*
 * Property test of the cursor: after any keys of the timeline the selected event is the one at the
 * cursor (checked by nsc_test_app_check), and zooming in keeps it.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "support/screen_trace.h"
#include "view/scene/look.h"

#include <string.h>

/* Keys that move the cursor, the window and the rows, a blank after each. */
static const char *const keys[] = {
    "Left",      "Right",      "Shift+Left", "Shift+Right", "Up",       "Down",      "Tab",
    "Shift+Tab", "+",          "+",          "-",           "0",        "f",         "u",
    "U",         "`",          "Home",       "End",         "Space",    "<",         ">",
    "g",         "l",          "}",          "{",           "r",        "Esc",       "Enter",
    "m 2 Enter", "m 0 Enter",  "L",          "X",           "p",        "R",         "(",
    ")",         "V Down Esc", "v",          "P",           "Alt-Left", "Alt-Right", "c",
};

static nsc_time length_of(const struct nsc_scene *scene)
{
    return nsc_window_length(nsc_viewport_window(&scene->viewport));
}

/* A pan moves the cursor only inside its column, and only into an event drawn there. The columns
 * begin elsewhere after a pan, so a column may draw another event. */
static void check_pan(const struct nsc_scene *before, const struct nsc_scene *after)
{
    if (after->cursor == before->cursor)
        return;
    assert_int_not_equal(after->selected, before->selected);
    assert_int_not_equal(after->selected, NSC_NONE);
    assert_int_equal(nsc_viewport_col(&after->viewport, after->cursor),
                     nsc_viewport_col(&after->viewport, before->cursor));
}

/* Zooming in keeps the selected event; panning keeps the cursor's column while the window contains
 * the cursor. */
static void check_step(const struct nsc_scene *before, const struct nsc_scene *after,
                       const char *key)
{
    struct nsc_window w = nsc_viewport_window(&after->viewport);

    if (before->logical)
        return;
    if (strcmp(key, "+") == 0) {
        assert_int_equal(after->selected, before->selected);
        assert_int_equal(after->cursor, before->cursor);
    }
    if (strncmp(key, "Alt-", 4) == 0 && before->cursor >= w.t0 && before->cursor < w.t1 &&
        w.t0 != nsc_viewport_window(&before->viewport).t0)
        check_pan(before, after);
    assert_true(length_of(after) > 0);
}

static void play(struct nsc_test_world *world, struct dice *dice, int n)
{
    for (int i = 0; i < n; i++) {
        const char *key = keys[dice_below(dice, sizeof keys / sizeof *keys)];
        struct nsc_scene before = *world->app->scene;

        nsc_test_press(world, key);
        nsc_test_app_check(world->app, &world->grid);
        check_step(&before, world->app->scene, key);
    }
}

TEST(the_selected_event_is_at_the_cursor)
{
    static const char *const texts[] = {
        nsc_test_trace_sample, "kernel 0:1 5 5 instant", "nvtx 1 -10s 10s a range",
        "*900 10us kernel 0:7 1us 9us gemm #1\n*900 10us api 1 0 1us launch #1\n"
        "*9 1ms nvtx 1 0 0.9ms step\n*50 170us htod 0:9 3us 4us copy\nos 2 0 3ms poll\n",
        "kernel 0:7 0 1 a\nkernel 0:7 1 1 b\nkernel 0:7 1 3 c\nkernel 0:7 5 6 d"};
    struct dice dice = dice_new(20240905);

    for (size_t i = 0; i < 20; i++) {
        struct nsc_test_world world;
        struct nsc_trace *sample = NULL;

        nsc_test_world_init(&world, NULL);
        sample = world.trace;
        world.trace = nsc_test_trace_parse(texts[i % 5]);
        nsc_test_give(&world, &(struct nsc_input){.type = NSC_INPUT_LOADED, .trace = world.trace});
        nsc_trace_free(sample);
        play(&world, &dice, 150);
        nsc_test_world_fini(&world);
    }
}

/* An event that stays on the screen during zooming stays selected. */
TEST_OF_WORLD(zooming_never_leaves_the_event)
{
    struct nsc_test_world *world = *state;
    const struct nsc_scene *scene = world->app->scene;
    nsc_event event = NSC_NONE;

    nsc_test_press(world, "Tab Tab Down");
    event = scene->selected;
    assert_int_not_equal(event, NSC_NONE);
    nsc_test_press(world, "+ + + + + + + +");
    assert_int_equal(scene->selected, event);
    nsc_test_press(world, "Esc + + + + + + + + +");
    assert_int_equal(scene->selected, event);
    nsc_test_press(world, "Enter");
    assert_int_equal(world->app->details.facts.event, event);
}
