/*
 * Paints grids as inks, and has the display send what differs.
 */
#include "tui/blit.h"

#include "core/die.h"
#include "tui/display.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { LONG_BAR = 8 }; /* columns from which on blanks on a bar's colour pay */

struct nsc_blit {
    const struct nsc_theme *theme;
    bool modern;
    enum nsc_color_mode mode, most; /* most: upper limit of colours, fixed at the start */
    struct nsc_display display;
    struct nsc_cell *cells;   /* of the last frame */
    struct nsc_ink *inks;     /* that they become */
    bool forgotten;           /* what the terminal shows is unknown */
    struct nsc_window window; /* time window of the last frame; it starts at column window_col */
    int window_col;
    int cursor_row, cursor_col; /* of the last frame; -1: hidden */
};

/* ---- open and close ---- */

enum nsc_status nsc_blit_new(struct nsc_blit **out, const struct nsc_blit_options *options,
                             struct nsc_error *error)
{
    struct nsc_blit *blit = nsc_xcalloc(1, sizeof *blit);
    enum nsc_status status = nsc_display_init(&blit->display, options->type, error);

    if (status) {
        nsc_blit_free(blit);
        return status;
    }
    blit->theme = options->theme;
    blit->modern = options->modern;
    blit->most = blit->display.colors ? options->color : NSC_COLOR_MONO;
    blit->mode = blit->most;
    blit->window_col = -1;
    *out = blit;
    return NSC_OK;
}

void nsc_blit_free(struct nsc_blit *blit)
{
    if (!blit)
        return;
    nsc_display_fini(&blit->display);
    free(blit->cells);
    free(blit->inks);
    free(blit);
}

void nsc_blit_clear(struct nsc_blit *blit)
{
    blit->forgotten = true;
}

/* A direct-colour description takes no palette numbers. */
void nsc_blit_color(struct nsc_blit *blit, enum nsc_color_mode color)
{
    enum nsc_color_mode most = blit->most;

    if (most == NSC_COLOR_MONO ||
        (color != NSC_COLOR_MONO && (color < most || most == NSC_COLOR_TRUE)))
        color = most;
    if (color != blit->mode)
        nsc_blit_clear(blit);
    blit->mode = color;
}

/* ---- cells ---- */

/* False if the C library, and so perhaps the terminal, disagrees with the grid about the width. It
 * knows only bytes where no locale is installed. */
static bool can_draw(const struct nsc_cell *cell)
{
    mbstate_t state = {0};
    size_t at = 0;

    while (at < cell->n && MB_CUR_MAX > 1) {
        wchar_t c = 0;
        size_t n = mbrtowc(&c, cell->text + at, cell->n - at, &state);

        if (!n || n > cell->n || c < 0x20 || wcwidth(c) != (at ? 0 : cell->width))
            return false;
        at += n;
    }
    return true;
}

/* An ink without text, in the colours and attributes that the terminal has. */
static struct nsc_ink style_ink(const struct nsc_blit *blit, uint8_t role, uint8_t shade)
{
    const struct nsc_display *display = &blit->display;
    struct nsc_paint paint =
        nsc_color_paint(nsc_theme_style(blit->theme, role, shade),
                        blit->theme->roles[NSC_ROLE_TEXT].bg, blit->mode, display->colors >= 16);
    bool colored = paint.fg >= 0 || paint.bg >= 0;

    paint.attrs &= display->attrs & (uint8_t) ~(colored ? display->plain_attrs : 0);
    return (struct nsc_ink){.attrs = paint.attrs, .fg = paint.fg, .bg = paint.bg};
}

/* A blank shows no letter, so equal blanks get equal inks. */
static void set_text(struct nsc_ink *ink, const char *text, uint8_t n, uint8_t width)
{
    memcpy(ink->text, text, n);
    ink->n = n;
    ink->width = width;
    if (n == 1 && text[0] == ' ' && !(ink->attrs & (NSC_STYLE_UNDERLINE | NSC_STYLE_REVERSE))) {
        ink->attrs = 0;
        ink->fg = -1;
    }
}

static bool is_full(const struct nsc_cell *cell)
{
    return cell->n == 3 && !memcmp(cell->text, "█", 3) && !nsc_cell_is_on_bar(cell);
}

static bool is_alike(const struct nsc_cell *cell, const struct nsc_cell *other)
{
    return nsc_cell_role(cell) == nsc_cell_role(other) && cell->shade == other->shade;
}

/*
 * The end of the full blocks from col on that are sent as blanks on the bar's colour, one byte each
 * instead of three. This pays in long bars, and in bars whose letters already have that background.
 * col: none.
 */
static uint32_t full_end(const struct nsc_blit *blit, const struct nsc_cell *cells, uint32_t col)
{
    const struct nsc_cell *first = &cells[col];
    uint32_t cols = (uint32_t)blit->display.cols;
    uint32_t end = col;
    bool has_letters = false;

    if (blit->mode == NSC_COLOR_MONO)
        return col;
    while (end < cols && is_full(&cells[end]) && is_alike(&cells[end], first))
        end++;
    has_letters =
        (col > 0 && nsc_cell_is_on_bar(&cells[col - 1]) && is_alike(&cells[col - 1], first)) ||
        (end < cols && nsc_cell_is_on_bar(&cells[end]) && is_alike(&cells[end], first));
    return end > col && (has_letters || end - col >= LONG_BAR) ? end : col;
}

static void paint_row(const struct nsc_blit *blit, struct nsc_ink *inks,
                      const struct nsc_cell *cells)
{
    uint32_t cols = (uint32_t)blit->display.cols;
    uint32_t until = 0; /* cells up to here are blanks in place of blocks */
    struct nsc_ink style = {0};
    int styled = -1; /* role and shade of the style */

    for (uint32_t col = 0; col < cols; col++) {
        const struct nsc_cell *cell = &cells[col];
        uint8_t role = cell->role;
        bool fits = cell->width < 2 || col + 1 < cols;

        if (col >= until)
            until = full_end(blit, cells, col);
        if (col < until)
            role |= NSC_CELL_ON_BAR;
        if (styled != (role << 8 | cell->shade))
            style = style_ink(blit, role, cell->shade);
        styled = role << 8 | cell->shade;
        inks[col] = style;
        if (col < until || !fits || !cell->n)
            set_text(&inks[col], " ", 1, 1);
        else if (!can_draw(cell))
            set_text(&inks[col], "?", 1, 1);
        else
            set_text(&inks[col], cell->text, cell->n, cell->width);
        if (inks[col].width == 2)
            inks[++col] = style;
    }
}

/* ---- frames ---- */

static void set_size(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    size_t n = (size_t)grid->rows * grid->cols;

    if (blit->display.rows == (int)grid->rows && blit->display.cols == (int)grid->cols)
        return;
    blit->cells = nsc_xrealloc(blit->cells, n, sizeof *blit->cells);
    blit->inks = nsc_xrealloc(blit->inks, n, sizeof *blit->inks);
    nsc_display_resize(&blit->display, (int)grid->rows, (int)grid->cols);
    blit->forgotten = true;
}

/* Paints the rows whose cells changed. True if there are any. */
static bool paint(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    bool changed = false;

    for (uint32_t row = 0; row < grid->rows; row++) {
        size_t at = (size_t)row * grid->cols;
        size_t bytes = grid->cols * sizeof *grid->cells;

        if (!blit->forgotten && !memcmp(&blit->cells[at], &grid->cells[at], bytes))
            continue;
        paint_row(blit, &blit->inks[at], &grid->cells[at]);
        memcpy(&blit->cells[at], &grid->cells[at], bytes);
        changed = true;
    }
    return changed;
}

/* Moves rows that only moved before the rest is written. */
static void move_rows(struct nsc_buf *out, struct nsc_blit *blit, const struct nsc_grid *grid)
{
    int col = grid->window_col;
    int by = 0;

    if (nsc_display_can_shift(&blit->display) && col >= 0 && col == blit->window_col &&
        (uint32_t)col < grid->cols)
        by = nsc_shift_measure(blit->window, grid->window, grid->cols - (uint32_t)col);
    if (by)
        nsc_shift_rows(out, &blit->display, blit->inks, col, by);
    else if (nsc_display_can_scroll(&blit->display))
        nsc_shift_scroll(out, &blit->display, blit->inks);
}

/* False if the cursor stays where it is. */
static bool place_cursor(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    bool visible = grid->cursor_row >= 0 && grid->cursor_col >= 0 &&
                   (uint32_t)grid->cursor_row < grid->rows &&
                   (uint32_t)grid->cursor_col < grid->cols;
    int row = visible ? grid->cursor_row : -1;
    int col = visible ? grid->cursor_col : -1;
    bool moves = row != blit->cursor_row || col != blit->cursor_col;

    blit->cursor_row = row;
    blit->cursor_col = col;
    return moves;
}

enum nsc_status nsc_blit_draw(struct nsc_buf *out, struct nsc_blit *blit,
                              const struct nsc_grid *grid, struct nsc_error *error)
{
    bool changed = false;

    if (!grid->rows || !grid->cols)
        return NSC_OK;
    set_size(blit, grid);
    changed = paint(blit, grid);
    changed = place_cursor(blit, grid) || changed;
    if (changed && blit->modern)
        nsc_buf_puts(out, "\x1b[?2026h");
    if (blit->forgotten)
        nsc_display_clear(out, &blit->display);
    else if (changed)
        move_rows(out, blit, grid);
    if (changed) {
        nsc_display_write(out, &blit->display, blit->inks);
        nsc_display_end(out, &blit->display, blit->cursor_row, blit->cursor_col);
    }
    if (changed && blit->modern)
        nsc_buf_puts(out, "\x1b[?2026l");
    blit->window = grid->window;
    blit->window_col = grid->window_col;
    blit->forgotten = false;
    return out->overflow ? nsc_fail(error, NSC_EIO, "a frame is too large to keep in memory")
                         : NSC_OK;
}
