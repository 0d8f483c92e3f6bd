/*
 * Random inputs on several exports keep the invariants of nsc_test_app_check: the selected event is
 * at the cursor and drawn there, the window contains the cursor, zooming in keeps the event.
 *
 * NSC_LONG=1 makes a million inputs, else a few hundred per export. NSC_SEED replays a seed.
 * Exports are those of tests/support/reference.h; without them, hand-made traces are used.
 */
#include "nsyscope/open.h"

#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/reference.h"
#include "support/roll_input.h"
#include "support/screen_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_INPUTS = 250, LONG_INPUTS = 200000, RESTART = 2000 };

/* Exports of several kinds: two GPUs with ranges, CPU samples, deep ranges, processes, metrics. */
static const char *const exports[] = {
    "nsysai-h100_2gpu_1s.sqlite", "own-cpu-sampling.sqlite", "own-nvtx-deep.sqlite",
    "own-mpi-combined.sqlite",    "pith_small.sqlite",
};

enum { N_EXPORTS = sizeof exports / sizeof *exports };

static uint32_t inputs_of(void)
{
    const char *is_long = getenv("NSC_LONG");

    return is_long && *is_long ? LONG_INPUTS : SHORT_INPUTS;
}

/* Keys are much more frequent than mouse events and new sizes; a small screen does not last
 * long. */
static struct nsc_input roll(struct dice *dice)
{
    uint8_t bytes[3];

    for (int i = 0; i < 3; i++)
        bytes[i] = (uint8_t)dice_below(dice, 256);
    if (bytes[0] >= 240 && dice_below(dice, 8))
        bytes[0] = (uint8_t)(bytes[0] / 2);
    return nsc_test_input_of(bytes);
}

/* After zooming in about the cursor, the window has changed and the event has not. */
static void check_zoom(struct nsc_test_world *world)
{
    const struct nsc_scene *scene = world->app->scene;
    nsc_event event = NSC_NONE;

    nsc_test_work(world); /* a search that is still due goes to its hit */
    event = scene->selected;
    if (!scene->trace || event == NSC_NONE || nsc_app_scope(world->app) != NSC_KEY_SCOPE_TIMELINE ||
        scene->logical || scene->layout.too_small)
        return;
    nsc_test_press(world, "+");
    nsc_test_app_check(world->app, &world->grid);
    if (world->app->scene->selected != event) {
        fail_msg("zooming in went from event %u to %u", event, world->app->scene->selected);
    }
}

/* The world takes the trace over. */
static void world_begin(struct nsc_test_world *world, struct nsc_trace *trace)
{
    struct nsc_trace *sample = NULL;

    nsc_test_world_init(world, NULL);
    sample = world->trace;
    world->trace = trace;
    nsc_test_give(world, &(struct nsc_input){.type = NSC_INPUT_LOADED, .trace = trace});
    nsc_trace_free(sample);
}

static void play(struct nsc_trace *(*load)(size_t i), size_t i, struct dice *dice, uint32_t n)
{
    for (uint32_t done = 0; done < n; done += RESTART) {
        struct nsc_test_world world;

        world_begin(&world, load(i));
        for (uint32_t k = 0; k < RESTART && done + k < n; k++) {
            struct nsc_input input = roll(dice);

            nsc_test_send(&world, input);
            nsc_test_app_check(world.app, &world.grid);
            if (k % 16 == 0)
                check_zoom(&world);
        }
        nsc_test_world_fini(&world);
    }
}

static struct nsc_trace *load_export(size_t i)
{
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", nsc_test_exports(), exports[i]);
    if (nsc_capture_open(&capture, path, NULL, &error) == NSC_OK &&
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s", error.text);
    nsc_capture_close(capture);
    return trace;
}

static struct nsc_trace *load_hand(size_t i)
{
    static const char *const texts[] = {
        nsc_test_trace_sample, "kernel 0:1 5 5 instant", "nvtx 1 -10s 10s a range",
        "*900 10us kernel 0:7 1us 9us gemm #1\n*900 10us api 1 0 1us launch #1\n"
        "*9 1ms nvtx 1 0 0.9ms step\n*50 170us htod 0:9 3us 4us copy\nos 2 0 3ms poll\n",
        "kernel 0:7 0 1 a\nkernel 0:7 1 1 b\nkernel 0:7 1 3 c\nkernel 0:7 5 6 d"};

    return nsc_test_trace_parse(texts[i % (sizeof texts / sizeof *texts)]);
}

TEST(any_inputs_keep_the_cursor_on_its_event)
{
    for (size_t i = 0; i < N_EXPORTS; i++) {
        struct dice dice = dice_new(20261123 + i);

        if (nsc_test_exports())
            play(load_export, i, &dice, inputs_of());
        else
            play(load_hand, i, &dice, inputs_of());
    }
}
