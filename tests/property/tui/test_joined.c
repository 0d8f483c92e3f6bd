/*
 * Property test of names with joining characters: drawn over bars, in tables, the tree, the flame
 * graph and prompts, at any width, the terminal shows every other cell in its place.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "support/vt.h"
#include "tui/blit.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { WORLDS = 5, FRAMES = 25, TEXT_BYTES = 1 << 14, NAME_BYTES = 160 };

/* Conjoining jamo, marks, emoji families, skin tones, flags, keycaps, right-to-left, wide and Indic
 * letters, with plain ones between them. */
static const char *const parts[] = {
    "\u1112\u1161\u11ab",
    "\u1100\u1161",
    "\uac00\u11a8",
    "e\u0301\u0323",
    "o\u0308",
    "👩\u200d👩\u200d👧",
    "👩🏽\u200d🚀",
    "👍🏿",
    "🇰🇷",
    "🇩🇪🇫🇷",
    "1\ufe0f\u20e3",
    "❤\ufe0f",
    "שלום",
    "مرحبا",
    "\u202eevil",
    "漢字",
    "नमस्ते",
    "ก\u0e33",
    "gemm",
    "layer 3",
    "_",
    "\u200b",
    "\u0600\u0661",
    "x",
    "AllReduce",
};

static void name_roll(struct dice *dice, char out[NAME_BYTES])
{
    size_t n = 0;
    uint64_t want = 1 + dice_below(dice, 8);

    for (uint64_t i = 0; i < want; i++)
        n += (size_t)snprintf(out + n, NAME_BYTES - n, "%s",
                              parts[dice_below(dice, sizeof parts / sizeof *parts)]);
}

/* Nested ranges, the kernels they launch, and calls, all with such names. */
static void text_roll(struct dice *dice, char out[TEXT_BYTES])
{
    static const char *const rows[] = {
        "*6 1ms nvtx 111 0 900us ",       "*6 1ms nvtx 111 50us 700us ",
        "*6 1ms nvtx 111 100us 400us ",   "*6 1ms kernel 0:7 120us 500us ",
        "*6 1ms kernel 0:7 510us 600us ", "*3 2ms htod 0:13 0 200us ",
        "*6 1ms api 111 110us 118us ",    "*6 1ms os 112 20us 300us "};
    char name[NAME_BYTES];
    size_t n = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        name_roll(dice, name);
        n += (size_t)snprintf(out + n, TEXT_BYTES - n, "%s%s%s\n", rows[i], name,
                              i == 3 || i == 6 ? " #1" : "");
    }
}

/* A cell with one plain character: its place on the terminal is certain. */
static bool is_plain(const struct nsc_cell *cell)
{
    return cell->width == 1 && cell->n == 1;
}

/* Every cluster fills its declared cells, and right halves follow their left ones. */
static void grid_check(struct nsc_grid *grid)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t col = 0; col < grid->cols; col++) {
            const struct nsc_cell *cell = nsc_grid_at(grid, row, col);
            struct nsc_text text = {cell->text, cell->n};

            assert_true(cell->width <= 2 && col + cell->width <= grid->cols);
            if (cell->width)
                assert_int_equal(nsc_text_width(text, false), cell->width);
            else
                assert_int_equal(nsc_grid_at(grid, row, col - 1)->width, 2);
            if (cell->width == 2)
                assert_int_equal(nsc_grid_at(grid, row, ++col)->width, 0);
        }
}

static void vt_check(const struct vt *vt, struct nsc_grid *grid, const char *keys)
{
    assert_int_equal(vt->unknown, 0);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t col = 0; col < grid->cols; col++) {
            const struct nsc_cell *cell = nsc_grid_at(grid, row, col);
            const char *seen = vt->cells[row * grid->cols + col].text;

            if (is_plain(cell) &&
                (seen[0] ? seen[0] != cell->text[0] || seen[1] != '\0' : cell->text[0] != ' '))
                fail_msg("%s: row %u col %u of %ux%u shows '%s', not '%c'", keys, row, col,
                         grid->rows, grid->cols, seen, cell->text[0]);
        }
}

static void frame_check(struct nsc_test_world *world, const char *keys)
{
    struct nsc_theme theme;
    struct nsc_blit_options options = {"xterm-256color", &theme, NSC_COLOR_256, false};
    struct nsc_buf bytes = NSC_BUF_INIT(1u << 22);
    struct nsc_blit *blit = NULL;
    struct vt vt;

    nsc_app_draw(world->app, &world->grid);
    grid_check(&world->grid);
    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    assert_int_equal(nsc_blit_new(&blit, &options, NULL), NSC_OK);
    assert_int_equal(nsc_blit_draw(&bytes, blit, &world->grid, NULL), NSC_OK);
    vt_init(&vt, (int)world->grid.rows, (int)world->grid.cols);
    vt_feed(&vt, bytes.bytes, bytes.n);
    vt_check(&vt, &world->grid, keys);
    vt_fini(&vt);
    nsc_blit_free(blit);
    nsc_buf_fini(&bytes);
}

/* The characters of a name, one key each. */
static void name_type(struct nsc_test_world *world, const char *name)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};
    mbstate_t shift = {0};
    wchar_t c = 0;
    size_t n = 0;

    for (; (n = mbrtowc(&c, name, strlen(name) + 1, &shift)) > 0 && n < (size_t)-2; name += n) {
        input.key = (nsc_key)c;
        nsc_test_give(world, &input);
    }
}

static void play(struct dice *dice)
{
    static const char *const keys[] = {"Tab",   "+",    "-", "Down", "Right", "t", "g",
                                       "$",     "Esc",  "s", "V",    "i",     "d", "z",
                                       "Enter", "Down", "P", "L",    "R",     "Y", "Up"};
    struct nsc_test_world world;
    char text[TEXT_BYTES];
    char name[NAME_BYTES];

    text_roll(dice, text);
    nsc_test_world_open(&world, NULL, text, 24, 80);
    for (int i = 0; i < FRAMES; i++) {
        struct nsc_input size = {.type = NSC_INPUT_RESIZE,
                                 .rows = 10 + (uint32_t)dice_below(dice, 30),
                                 .cols = 40 + (uint32_t)dice_below(dice, 120)};
        const char *key = keys[dice_below(dice, sizeof keys / sizeof *keys)];

        nsc_test_give(&world, &size);
        nsc_test_press(&world, key);
        frame_check(&world, key);
        if (dice_below(dice, 4))
            continue;
        nsc_test_press(&world, "Esc Esc \\");
        name_roll(dice, name);
        name_type(&world, name);
        frame_check(&world, name);
        nsc_test_press(&world, "Esc Esc");
    }
    nsc_test_world_fini(&world);
}

TEST(names_that_join_break_no_cell)
{
    struct dice dice = dice_new(0xe301);

    for (int i = 0; i < WORLDS; i++)
        play(&dice);
}

TEST_MAIN
{
    setlocale(LC_ALL, "C.UTF-8");
    return nsc_test_run(NULL, NULL);
}
