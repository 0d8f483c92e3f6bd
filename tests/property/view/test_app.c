/*
 * Property test of the application: any stream of inputs leaves a valid state, a fully written
 * grid, and draws the same twice.
 * promises: E16
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "support/screen_trace.h"
#include "view/app/app.h"

#include <stdlib.h>
#include <string.h>

static void check_drawn_twice(const struct nsc_app *app, struct nsc_grid *one, struct nsc_grid *two)
{
    nsc_app_draw(app, one);
    nsc_app_draw(app, two);
    assert_int_equal(one->cursor_row, two->cursor_row);
    assert_int_equal(one->cursor_col, two->cursor_col);
    for (uint32_t i = 0; i < one->rows * one->cols; i++) {
        assert_int_equal(one->cells[i].n, two->cells[i].n);
        assert_memory_equal(one->cells[i].text, two->cells[i].text, one->cells[i].n);
        assert_int_equal(one->cells[i].role, two->cells[i].role);
        assert_int_equal(one->cells[i].shade, two->cells[i].shade);
    }
}

static void play(struct dice *dice, const char *text, bool ascii)
{
    static const char *const files[] = {"property.sqlite", "empty.sqlite", "c.sqlite"};
    struct nsc_app_options options = {.file = files[0], .files = files, .n_files = 1};
    struct nsc_test_world world;
    struct nsc_grid again;

    options.ascii = ascii;
    for (const char *export = strstr(text, "export\n"); export;
         export = strstr(export + 1, "export\n"))
        options.n_files++;
    nsc_grid_init(&again, ascii);
    nsc_test_world_open(&world, &options, text, 30, 100);
    if (strstr(text, "sample"))
        nsc_test_press(&world, "$"); /* their flame graph */
    for (int i = 0; i < 200; i++) {
        uint64_t roll = dice_next(dice);
        uint8_t bytes[3] = {(uint8_t)roll, (uint8_t)(roll >> 8), (uint8_t)(roll >> 16)};

        nsc_test_send(&world, nsc_test_input_of(bytes));
        nsc_test_app_check(world.app, &world.grid);
        if (i % 20 == 0)
            check_drawn_twice(world.app, &world.grid, &again);
    }
    nsc_test_world_fini(&world);
    nsc_grid_fini(&again);
}

TEST(any_inputs_leave_a_valid_state)
{
    static const char *const texts[] = {
        nsc_test_trace_sample,
        "kernel 0:1 5 5 instant",
        "",
        "nvtx 1 -10s 10s a range \xff\x1b[31m",
        "*9 1ms kernel 0:7 1ms 1.5ms gemm #1\n*9 1ms api 1 0.5ms 1ms launch #1\nexport\nexport\n"
        "*9 1ms kernel 0:7 2ms 2.5ms gemm #1\n*9 1ms nvtx 1 0.5ms 1ms step\nos 2 0 3ms poll\n",
        "*30 100us sample 1 0 0 main;step;read\n*9 310us sample 2 0 0 main;[lib.so]\n"
        "sample 2 1ms 1ms \n"};
    struct dice dice = dice_new(20240904);

    for (int i = 0; i < 48; i++)
        play(&dice, texts[i % 6], i % 3 == 0);
}
