/*
 * Unit tests of exploring: the overlap pane measures in slices what it shows.
 */
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/app_state.h"

#include <stdlib.h>

struct world {
    struct nsc_app *app;
    struct nsc_trace *trace;
    struct nsc_effects effects;
};

static void send(struct world *world, struct nsc_input input)
{
    world->effects = nsc_app_input(world->app, &input);
}

static void press(struct world *world, const char *key)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    assert_true(nsc_key_parse(&input.key, nsc_text_from(key)));
    send(world, input);
}

static void work(struct world *world)
{
    while (world->effects.set & NSC_EFFECT_WORK)
        send(world, (struct nsc_input){.type = NSC_INPUT_TICK});
}

static void open_world(struct world *world, const char *text)
{
    struct nsc_app_options options = {.file = "test.sqlite"};

    world->app = nsc_app_new(&options);
    world->trace = nsc_test_trace_parse(text);
    send(world, (struct nsc_input){.type = NSC_INPUT_RESIZE, .rows = 40, .cols = 100});
    send(world, (struct nsc_input){.type = NSC_INPUT_LOADED, .trace = world->trace});
}

static int setup(void **state)
{
    struct world *world = calloc(1, sizeof *world);

    open_world(world, nsc_test_trace_sample);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;

    nsc_app_free(world->app);
    nsc_trace_free(world->trace);
    free(world);
    return 0;
}

/* ---- the overlap pane
 * ----------------------------------------------------------------------------------------------
 */

static void overlap_is_measured_while_it_is_shown(void **state)
{
    struct world *world = *state;
    const struct nsc_overlap *overlap = &world->app->explore.overlap;

    assert_false(world->effects.set & NSC_EFFECT_WORK);
    press(world, "O");
    assert_true(nsc_explore_overlap_is_shown(world->app));
    work(world);
    assert_true(overlap->done);
    assert_int_equal(overlap->n, 3);
    assert_int_equal(overlap->together[0][0], 40 * 215000);
    press(world, "+");
    work(world);
    assert_true(overlap->done);
    assert_int_equal(overlap->window.t0, nsc_viewport_window(&world->app->viewport).t0);
    assert_true(overlap->together[0][0] < 40 * 215000);
    press(world, "O");
    assert_false(nsc_explore_overlap_is_shown(world->app));
    press(world, "-");
    assert_false(world->effects.set & NSC_EFFECT_WORK);
}

static void overlap_is_of_the_device_of_the_row(void **state)
{
    struct world *world = *state;
    struct world two = {0};

    assert_int_equal(nsc_explore_device(world->app), 0);
    open_world(&two, "kernel 0:7 0 10us a\nkernel 1:7 0 10us b\nos 111 0 10us poll\n");
    nsc_app_set_line(two.app, 0);
    assert_int_equal(nsc_explore_device(two.app), 0);
    nsc_app_set_line(two.app, 2);
    assert_int_equal(nsc_explore_device(two.app), 2);
    nsc_app_set_line(two.app, two.app->lines.n - 1);
    assert_int_equal(nsc_explore_device(two.app), 0);
    nsc_app_free(two.app);
    nsc_trace_free(two.trace);
}

static void without_a_device_there_is_nothing_to_measure(void **state)
{
    struct world world = {0};

    (void)state;
    open_world(&world, "os 111 0 10us poll\n");
    assert_int_equal(nsc_explore_device(world.app), NSC_NONE);
    press(&world, "O");
    assert_false(world.effects.set & NSC_EFFECT_WORK);
    nsc_app_free(world.app);
    nsc_trace_free(world.trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(overlap_is_measured_while_it_is_shown, setup, teardown),
        cmocka_unit_test_setup_teardown(overlap_is_of_the_device_of_the_row, setup, teardown),
        cmocka_unit_test(without_a_device_there_is_nothing_to_measure),
    };

    return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
