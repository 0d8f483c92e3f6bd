/*
 * Property tests of terminal output: after any sequence of frames the terminal shows what a repaint
 * would show, and frames that pan are sent as shifted rows.
 */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/roll_input.h"
#include "support/vt.h"
#include "tui/blit.h"
#include "tui/display.h"

#include <locale.h>
#include <string.h>

enum {
    ROWS = 12,
    COLS = 60,
    LABELS = 9,
    PATTERNED = 3,
    FRAMES = 60,
    WALKS = 8,
    WORLD = 400,
    PRESSES = 300
};

static const char *const glyphs[] = {"█", "▌", "▁", " ", " ", "│", "x"};

/* Rows of a world wider than the screen, of which the frame shows a window. */
struct world {
    struct {
        const char *glyph;
        uint8_t shade;
        enum nsc_role role; /* any: of all colours and attributes */
        bool wide;
    } cells[ROWS][WORLD];
    int at;
    int end; /* of row 9: blanks follow */
};

static void world_roll(struct world *world, struct dice *dice)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < WORLD; c++) {
            world->cells[r][c].glyph = glyphs[dice_below(dice, sizeof glyphs / sizeof *glyphs)];
            world->cells[r][c].shade = (uint8_t)(dice_below(dice, 16) * 16);
            world->cells[r][c].role = (enum nsc_role)dice_below(dice, NSC_N_ROLES);
            world->cells[r][c].wide = r == 3 && dice_below(dice, 20) == 0;
        }
    world->at = WORLD / 2;
    world->end = COLS;
}

static void world_draw(const struct world *world, struct nsc_grid *grid, struct dice *dice)
{
    static const char *const labels[] = {"stream", "漢字", "e\u0301x"};

    nsc_grid_resize(grid, ROWS, COLS);
    for (int r = 0; r < ROWS; r++) {
        nsc_grid_puts(grid, r, 0, LABELS, NSC_ROLE_LABEL, labels[dice_below(dice, 40) ? r % 3 : 0]);
        for (int c = LABELS; c < (r == 9 ? world->end : COLS); c++) {
            int at = world->at + c - LABELS;

            if (world->cells[r][at].wide && c + 1 < COLS)
                nsc_grid_puts(grid, r, c++, 2, NSC_ROLE_TEXT, "漢");
            else
                nsc_grid_put(grid, r, c,
                             r == 5   ? NSC_ROLE_RANGE
                             : r == 6 ? world->cells[r][at].role
                                      : NSC_ROLE_KERNEL,
                             world->cells[r][at].shade, world->cells[r][at].glyph);
        }
    }
    for (int r = 0; r < ROWS; r++) /* the cursor stays where it is on the screen */
        nsc_grid_put(grid, r, COLS / 2, NSC_ROLE_CURSOR, 0, "│");
    grid->window_col = LABELS;
    grid->window = (struct nsc_window){world->at * 1000, (world->at + COLS - LABELS) * 1000};
}

/* A repaint starts anew, so most frames follow others. */
static void frame_check(struct vt *vt, struct nsc_blit *blit, const struct nsc_grid *grid,
                        bool repaint)
{
    struct nsc_buf bytes = NSC_BUF_INIT(1u << 20);
    struct vt fresh;

    assert_int_equal(nsc_blit_draw(&bytes, blit, grid, NULL), NSC_OK);
    vt_feed(vt, bytes.bytes, bytes.n);
    nsc_buf_clear(&bytes);
    if (!repaint) {
        nsc_buf_fini(&bytes);
        return;
    }
    nsc_blit_clear(blit);
    assert_int_equal(nsc_blit_draw(&bytes, blit, grid, NULL), NSC_OK);
    vt_init(&fresh, vt->rows, vt->cols);
    vt_feed(&fresh, bytes.bytes, bytes.n);
    assert_int_equal(vt->unknown + fresh.unknown, 0);
    for (int i = 0; i < vt->rows * vt->cols; i++)
        if (!vt_cell_equals(&vt->cells[i], &fresh.cells[i]))
            fail_msg("row %d col %d: '%s' %d %d, a repaint shows '%s' %d %d", i / vt->cols,
                     i % vt->cols, vt->cells[i].text, vt->cells[i].fg, vt->cells[i].bg,
                     fresh.cells[i].text, fresh.cells[i].fg, fresh.cells[i].bg);
    vt_feed(vt, bytes.bytes, bytes.n); /* the picture is that of the repaint */
    vt_fini(&fresh);
    nsc_buf_fini(&bytes);
}

static void world_move(struct world *world, struct dice *dice)
{
    static const int steps[] = {1, -1, 1, -1, 13, -13, 50, -50, 0, 2};
    int at = world->at + steps[dice_below(dice, sizeof steps / sizeof *steps)];

    if (at >= 0 && at + COLS < WORLD)
        world->at = at;
    world->end = LABELS + (int)dice_below(dice, COLS - LABELS + 1);
    if (!dice_below(dice, 12))
        world_roll(world, dice);
}

static void walk(const char *type, const struct nsc_theme *theme, struct dice *dice)
{
    static struct world world;
    struct nsc_blit_options options = {type, theme, NSC_COLOR_256, false};
    struct nsc_blit *blit = NULL;
    struct nsc_grid grid;
    struct vt vt;

    assert_int_equal(nsc_blit_new(&blit, &options, NULL), NSC_OK);
    nsc_grid_init(&grid, false);
    vt_init(&vt, ROWS, COLS);
    world_roll(&world, dice);
    for (int i = 0; i < FRAMES; i++) {
        world_draw(&world, &grid, dice);
        frame_check(&vt, blit, &grid, !dice_below(dice, 4));
        world_move(&world, dice);
    }
    vt_fini(&vt);
    nsc_grid_fini(&grid);
    nsc_blit_free(blit);
}

TEST(test_shows_what_a_repaint_shows)
{
    static const char *const types[] = {"xterm-256color", "tmux-256color", "screen-256color",
                                        "xterm"};
    struct dice dice = dice_new(0x5417);
    struct nsc_theme themes[2];

    nsc_theme_parse(&themes[0], nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_theme_parse(&themes[1], nsc_text_from("[roles]\ntext = #102030 #fbfbf9\n"), NULL, NULL);
    for (int i = 0; i < WALKS; i++)
        walk(types[i % 4], &themes[i / 4], &dice);
}

/* Random keys and clicks in the whole application. */
static void press(const char *type, const struct nsc_theme *theme, struct dice *dice)
{
    struct nsc_blit_options options = {type, theme, NSC_COLOR_256, false};
    struct nsc_blit *blit = NULL;
    struct nsc_test_world world;
    struct vt vt;

    assert_int_equal(nsc_blit_new(&blit, &options, NULL), NSC_OK);
    nsc_test_world_init(&world, NULL);
    vt_init(&vt, (int)world.app->scene->rows, (int)world.app->scene->cols);
    for (int i = 0; i < PRESSES; i++) {
        uint8_t bytes[3] = {(uint8_t)dice_below(dice, 240), (uint8_t)dice_below(dice, 256),
                            (uint8_t)dice_below(dice, 256)};

        nsc_test_send(&world, nsc_test_input_of(bytes));
        nsc_app_draw(world.app, &world.grid);
        frame_check(&vt, blit, &world.grid, !dice_below(dice, 8));
    }
    vt_fini(&vt);
    nsc_test_world_fini(&world);
    nsc_blit_free(blit);
}

TEST(test_keys_show_what_a_repaint_shows)
{
    static const char *const types[] = {"xterm-256color", "tmux-256color", "screen-256color"};
    struct dice dice = dice_new(0x5418);
    struct nsc_theme theme;

    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    for (int i = 0; i < 3; i++)
        press(types[i], &theme, &dice);
}

struct screen {
    struct nsc_theme theme;
    struct nsc_blit *blit;
    struct nsc_grid grid;
};

static void screen_begin(struct screen *screen, const char *type)
{
    struct nsc_blit_options options = {type, &screen->theme, NSC_COLOR_256, false};

    nsc_theme_parse(&screen->theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    assert_int_equal(nsc_blit_new(&screen->blit, &options, NULL), NSC_OK);
    nsc_grid_init(&screen->grid, false);
}

static void screen_end(struct screen *screen)
{
    nsc_grid_fini(&screen->grid);
    nsc_blit_free(screen->blit);
}

static size_t sent(struct screen *screen)
{
    struct nsc_buf bytes = NSC_BUF_INIT(1u << 20);
    size_t n = 0;

    assert_int_equal(nsc_blit_draw(&bytes, screen->blit, &screen->grid, NULL), NSC_OK);
    n = bytes.n;
    nsc_buf_fini(&bytes);
    return n;
}

TEST(test_a_pan_is_a_shift)
{
    static struct world world;
    struct dice dice = dice_new(1);
    struct screen screen;
    size_t repaint = 0;

    screen_begin(&screen, "xterm-256color");
    world_roll(&world, &dice);
    world_draw(&world, &screen.grid, &dice);
    repaint = sent(&screen);
    assert_int_equal(sent(&screen), 0);
    world.at++;
    world_draw(&world, &screen.grid, &dice);
    assert_in_range(sent(&screen), 1, repaint / 4);
    screen_end(&screen);
}

/* The bytes that turn three rows of one pattern into those of another, of so many shades in turn. */
static size_t sent_between(const char *from, const char *to, int shades)
{
    const char *const patterns[] = {from, to};
    struct screen screen;
    size_t n = 0;

    screen_begin(&screen, "screen-256color");
    for (int frame = 0; frame < 2; frame++) {
        nsc_grid_resize(&screen.grid, PATTERNED + 1, COLS);
        for (int i = 0; i < PATTERNED * COLS; i++) {
            char level = patterns[frame][(size_t)(i % COLS) % strlen(patterns[frame])];

            nsc_grid_put(&screen.grid, 1 + i / COLS, i % COLS, NSC_ROLE_KERNEL,
                         (uint8_t)(i % shades * 16),
                         level == ' '   ? " "
                         : level == '1' ? "▁"
                                        : "▃");
        }
        n = sent(&screen);
    }
    screen_end(&screen);
    return n;
}

/* A block takes three bytes, a move over some of them four, a colour eleven. */
TEST(test_counts_bytes)
{
    /* every fourth cell changes: a block and a move each */
    assert_in_range(sent_between("1", "1113", 1), 1, PATTERNED * COLS / 4 * 7 + 60);
    /* each cell changes, in two colours: a block each, a blank that is replaced or a move */
    assert_in_range(sent_between("1", "3", 2), 1, PATTERNED * COLS * 5 + 60);
    assert_in_range(sent_between("1", " ", 1), 1, 45); /* the rows are erased */
    /* five blocks each, and the blanks between them are erased and passed over */
    assert_in_range(sent_between("1", "3           ", 1), 1, PATTERNED * COLS / 12 * 12 + 60);
}

/* After the last column the terminal waits there: a step back from it leads to the one before. Each
 * distance back costs as much as an address at some column. */
TEST(test_a_colour_goes_back_from_the_last_column)
{
    for (int back = 1; back < COLS - 1; back++) {
        struct screen screen;
        struct vt vt;

        screen_begin(&screen, "xterm-256color");
        vt_init(&vt, 2, COLS);
        for (int frame = 0; frame < 2; frame++) {
            nsc_grid_resize(&screen.grid, 2, COLS);
            for (int col = 0; col < COLS; col++)
                nsc_grid_put(&screen.grid, 0, col, NSC_ROLE_KERNEL, (uint8_t)(3 * 16), "x");
            if (frame == 1) {
                nsc_grid_put(&screen.grid, 0, 0, NSC_ROLE_KERNEL, 16, "1");
                nsc_grid_put(&screen.grid, 0, COLS - 1, NSC_ROLE_KERNEL, 16, "1");
                nsc_grid_put(&screen.grid, 0, COLS - 1 - back, NSC_ROLE_KERNEL, 2 * 16, "2");
            }
            frame_check(&vt, screen.blit, &screen.grid, frame == 1);
        }
        vt_fini(&vt);
        screen_end(&screen);
    }
}

TEST(test_rows_that_move_are_scrolled)
{
    struct screen screen;
    size_t n = 0;

    screen_begin(&screen, "tmux-256color");
    for (int frame = 0; frame < 2; frame++) {
        nsc_grid_resize(&screen.grid, ROWS, COLS);
        for (int row = 0; row < ROWS; row++) {
            char text[COLS];

            (void)snprintf(text, sizeof text, "a row with number %d", (row + frame) * 1234567);
            nsc_grid_puts(&screen.grid, row, 0, COLS, NSC_ROLE_TEXT, text);
        }
        n = sent(&screen);
    }
    screen_end(&screen);
    assert_in_range(n, 1, 120);
}

TEST(test_measure)
{
    struct nsc_window w = {1000, 3000};

    assert_int_equal(nsc_shift_measure(w, (struct nsc_window){1010, 3010}, 200), 1);
    assert_int_equal(nsc_shift_measure(w, (struct nsc_window){0, 2001}, 200), -100);
    assert_int_equal(nsc_shift_measure(w, w, 200), 0);
    assert_int_equal(nsc_shift_measure(w, (struct nsc_window){1000, 2000}, 200), 0);
    assert_int_equal(nsc_shift_measure(w, (struct nsc_window){3000, 5000}, 200), 0);
    assert_int_equal(nsc_shift_measure((struct nsc_window){INT64_MIN, INT64_MIN + 2000},
                                       (struct nsc_window){INT64_MAX - 2000, INT64_MAX}, 200),
                     0);
}

TEST_MAIN
{
    setlocale(LC_ALL, "C.UTF-8");
    return nsc_test_run(NULL, NULL);
}
