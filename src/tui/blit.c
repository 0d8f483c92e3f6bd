/*
 * Draws grids through curses into memory.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tui/blit.h"

#include "core/die.h"
#include "tui/color.h"
#include "tui/rewrite.h"
#include "tui/shift.h"
#include "tui/terminfo.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

enum { MAX_MARKS = 4, GAP = 8, SCROLLED = 3 };

struct nsc_blit {
    const struct nsc_theme *theme;
    bool modern;
    enum nsc_color_mode most; /* upper limit of colours, fixed when the screen was made */
    SCREEN *screen;
    FILE *in, *out; /* the "terminal" of curses: no input, output to memory */
    struct nsc_pairs pairs;
    struct nsc_cell *shown; /* the last frame */
    uint32_t rows, cols;
    uint64_t *hashes; /* of the rows of the last frame and of this one; 0: all cells are alike */
    bool forgotten;
    cchar_t *line; /* one row in curses' cells */
    struct nsc_shift shift;
    struct nsc_rewrite rewrite;
    struct nsc_window window; /* time window of the last frame; it starts at column window_col */
    int window_col;
    int cursor_row, cursor_col; /* cursor position in curses' view */
};

/* ---- output of curses ---- */

static bool take_output(struct nsc_buf *out, int fd)
{
    off_t n = lseek(fd, 0, SEEK_CUR);
    char bytes[4096];
    off_t at = 0;

    while (out && at < n) {
        ssize_t got = pread(fd, bytes, sizeof bytes, at);

        if (got <= 0)
            return false;
        nsc_buf_add(out, bytes, (size_t)got);
        at += got;
    }
    return n >= 0 && lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0;
}

/* ---- open and close ---- */

static bool open_streams(struct nsc_blit *blit)
{
    int fd = memfd_create("nsyscope-screen", MFD_CLOEXEC);

    blit->out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!blit->out && fd >= 0)
        close(fd);
    blit->in = fopen("/dev/null", "re");
    return blit->in && blit->out;
}

enum nsc_status nsc_blit_new(struct nsc_blit **out, const struct nsc_blit_options *options,
                             struct nsc_error *error)
{
    struct nsc_blit *blit = nsc_xcalloc(1, sizeof *blit);

    blit->theme = options->theme;
    blit->modern = options->modern;
    /* The grid sets the size: ignore $LINES and the terminal. */
    use_env(FALSE);
    use_tioctl(TRUE); /* otherwise curses refuses descriptions without a size */
    if (open_streams(blit))
        blit->screen = newterm(options->type, blit->out, blit->in);
    if (!blit->screen) {
        enum nsc_status status = nsc_terminfo_check_files(error);

        nsc_blit_free(blit);
        if (status != NSC_OK)
            return status;
        return nsc_fail(error, NSC_EINVAL, "cannot draw on the terminal %s (TERM)", options->type);
    }
    nsc_pairs_init(&blit->pairs, options->color);
    blit->most = blit->pairs.mode;
    nsc_shift_init(&blit->shift);
    nsc_rewrite_init(&blit->rewrite);
    blit->window_col = -1;
    typeahead(-1);
    leaveok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    *out = blit;
    return NSC_OK;
}

void nsc_blit_free(struct nsc_blit *blit)
{
    if (!blit)
        return;
    if (blit->screen) {
        endwin();
        delscreen(blit->screen);
    }
    if (blit->out)
        fclose(blit->out);
    if (blit->in)
        fclose(blit->in);
    nsc_rewrite_fini(&blit->rewrite);
    free(blit->shown);
    free(blit->hashes);
    free(blit->line);
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

    if (color != NSC_COLOR_MONO && (color < most || most == NSC_COLOR_TRUE))
        color = most;
    if (most == NSC_COLOR_MONO)
        color = most;
    if (color != blit->pairs.mode)
        nsc_blit_clear(blit);
    blit->pairs.mode = color;
}

/* ---- cells ---- */

/* Decodes one code point; core/text made the bytes, so they are valid UTF-8. */
static uint32_t next_code_point(const struct nsc_cell *cell, size_t *at)
{
    unsigned char lead = (unsigned char)cell->text[(*at)++];
    unsigned more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    uint32_t code = more ? lead & (0x3fu >> more) : lead;

    while (more-- && *at < cell->n)
        code = code << 6 | ((unsigned char)cell->text[(*at)++] & 0x3f);
    return code;
}

/*
 * Reads a cell's characters. False if the C library and the grid disagree about their width: curses
 * follows the library, so the row would shift.
 */
static bool read_cell(wchar_t out[MAX_MARKS + 2], const struct nsc_cell *cell)
{
    size_t at = 0;
    size_t n = 0;

    while (at < cell->n && n <= MAX_MARKS) {
        out[n] = (wchar_t)next_code_point(cell, &at);
        if (wcwidth(out[n]) != (n ? 0 : cell->width) || out[n] < 0x20)
            return false;
        n++;
    }
    out[n] = 0;
    return n > 0 && at == cell->n;
}

static attr_t attrs_of(uint8_t attrs)
{
    return (attrs & NSC_STYLE_BOLD ? A_BOLD : 0) | (attrs & NSC_STYLE_DIM ? A_DIM : 0) |
           (attrs & NSC_STYLE_UNDERLINE ? A_UNDERLINE : 0) |
           (attrs & NSC_STYLE_REVERSE ? A_REVERSE : 0);
}

struct brush {
    uint8_t role, shade;
    bool set, in_gap;
    attr_t attrs;
    uint32_t bg; /* of the theme */
    int pair;
};

static void set_brush(struct brush *brush, struct nsc_blit *blit, const struct nsc_cell *cell)
{
    uint32_t paper = blit->theme->roles[NSC_ROLE_TEXT].bg;
    struct nsc_paint paint;
    struct nsc_style style;

    if (brush->set && brush->role == cell->role && brush->shade == cell->shade)
        return;
    style = nsc_theme_style(blit->theme, cell->role, cell->shade);
    paint = nsc_color_paint(style, paper, blit->pairs.mode, blit->pairs.bright);
    brush->role = cell->role;
    brush->shade = cell->shade;
    brush->set = true;
    brush->bg = style.bg;
    brush->attrs = attrs_of(paint.attrs);
    brush->pair = nsc_pairs_find(&blit->pairs, paint.fg, paint.bg);
}

static bool is_space(const struct nsc_cell *cell)
{
    return cell->n == 1 && cell->text[0] == ' ';
}

/*
 * Whether a gap between bars is so short that it keeps the invisible letter colour of the cell
 * before: switching to the usual colour and back would cost more bytes than the blanks. Longer gaps
 * are erased, which needs the plain colours.
 */
static bool gap_is_short(const struct nsc_blit *blit, const struct nsc_cell *cells, uint32_t col)
{
    uint32_t end = col;

    while (end < blit->cols && is_space(&cells[end]) && end - col <= GAP)
        end++;
    return end < blit->cols && end - col <= GAP;
}

/* Whether a blank looks the same in the brush that draws the cell before it. */
static bool keeps_brush(struct nsc_blit *blit, const struct brush *brush,
                        const struct nsc_cell *cells, uint32_t col)
{
    struct nsc_style style;

    if (!brush->set || col == 0 || !is_space(&cells[col]) || brush->attrs & ~A_BOLD ||
        cells[col].role != NSC_ROLE_TEXT)
        return false;
    style = nsc_theme_style(blit->theme, NSC_ROLE_TEXT, cells[col].shade);
    return style.bg == brush->bg && !style.attrs &&
           (is_space(&cells[col - 1]) ? brush->in_gap : gap_is_short(blit, cells, col));
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
    uint32_t end = col;
    bool has_letters = false;

    if (blit->pairs.mode == NSC_COLOR_MONO)
        return col;
    while (end < blit->cols && is_full(&cells[end]) && is_alike(&cells[end], first))
        end++;
    has_letters =
        (col > 0 && nsc_cell_is_on_bar(&cells[col - 1]) && is_alike(&cells[col - 1], first)) ||
        (end < blit->cols && nsc_cell_is_on_bar(&cells[end]) && is_alike(&cells[end], first));
    return end > col && (has_letters || end - col >= NSC_BLIT_LONG_BAR) ? end : col;
}

/* Returns how many cells of curses are in blit->line: fewer than columns with wide characters. */
static int draw_row(struct nsc_blit *blit, struct brush *brush, uint32_t row,
                    const struct nsc_cell *cells)
{
    int n = 0;
    uint32_t until = 0; /* cells up to here are blanks in place of blocks */

    for (uint32_t col = 0; col < blit->cols; col++) {
        struct nsc_cell blank = {
            {' '}, 1, 1, (uint8_t)(cells[col].role | NSC_CELL_ON_BAR), cells[col].shade};
        const struct nsc_cell *cell = &cells[col];
        wchar_t text[MAX_MARKS + 2];
        bool fits = cell->width < 2 || col + 1 < blit->cols;

        if (col >= until)
            until = full_end(blit, cells, col);
        if (col < until)
            cell = &blank;
        brush->in_gap = keeps_brush(blit, brush, cells, col);
        if (!brush->in_gap)
            set_brush(brush, blit, cell);
        if (!fits || !cell->n || !read_cell(text, cell))
            wcscpy(text, fits && cell->n ? L"?" : L" ");
        setcchar(&blit->line[n++], text, brush->attrs, 0, &brush->pair);
        /* Curses writes both halves of a wide character at once. */
        if (fits && cell->width == 2 && text[0] != L'?')
            col++;
    }
    mvwadd_wchnstr(stdscr, (int)row, 0, blit->line, n);
    return n;
}

/* ---- frames ---- */

static void set_size(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    size_t n = (size_t)grid->rows * grid->cols;

    if (blit->shown && blit->rows == grid->rows && blit->cols == grid->cols)
        return;
    blit->rows = grid->rows;
    blit->cols = grid->cols;
    blit->shown = nsc_xrealloc(blit->shown, n, sizeof *blit->shown);
    blit->hashes = nsc_xrealloc(blit->hashes, 2u * grid->rows, sizeof *blit->hashes);
    blit->line = nsc_xrealloc(blit->line, grid->cols, sizeof *blit->line);
    nsc_rewrite_resize(&blit->rewrite, (int)grid->rows, (int)grid->cols);
    resize_term((int)grid->rows, (int)grid->cols);
    blit->forgotten = true;
}

static bool row_changes(const struct nsc_blit *blit, const struct nsc_grid *grid, uint32_t row)
{
    size_t at = (size_t)row * grid->cols;

    return blit->forgotten ||
           memcmp(&blit->shown[at], &grid->cells[at], grid->cols * sizeof *grid->cells) != 0;
}

static uint64_t hash_row(const struct nsc_cell *cells, uint32_t n)
{
    uint64_t hash = 1;
    bool is_plain = true;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t words[sizeof *cells / sizeof(uint64_t)];

        memcpy(words, &cells[i], sizeof words);
        is_plain = is_plain && !memcmp(&cells[i], cells, sizeof *cells);
        hash = (hash ^ words[0]) * 0x9e3779b97f4a7c15u;
        hash = (hash ^ hash >> 29 ^ words[1]) * 0xbf58476d1ce4e5b9u;
    }
    return is_plain ? 0 : hash | 1;
}

/* Whether some changed rows that follow each other come from other rows, in the same distance. */
static bool rows_move(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    const uint64_t *was = blit->hashes;
    uint64_t *now = blit->hashes + grid->rows;
    int rows = (int)grid->rows;

    for (int row = 0; row < rows; row++)
        now[row] = row_changes(blit, grid, (uint32_t)row)
                       ? hash_row(&grid->cells[(size_t)row * grid->cols], grid->cols)
                       : 0;
    for (int by = 1 - rows; by < rows; by++)
        for (int row = 0, n = 0; row < rows; row++) {
            bool moves = row + by >= 0 && row + by < rows && now[row] && now[row] == was[row + by];

            n = moves ? n + 1 : 0;
            if (n == SCROLLED)
                return true;
        }
    return false;
}

static void draw_rows(struct nsc_blit *blit, const struct nsc_grid *grid)
{
    struct brush brush = {0};
    bool rewrites = !blit->forgotten && blit->rewrite.ready && !rows_move(blit, grid);

    for (uint32_t row = 0; row < grid->rows; row++) {
        const struct nsc_cell *cells = &grid->cells[(size_t)row * grid->cols];
        struct nsc_cell *shown = &blit->shown[(size_t)row * grid->cols];

        if (!row_changes(blit, grid, row))
            continue;
        if (draw_row(blit, &brush, row, cells) == (int)grid->cols && rewrites)
            nsc_rewrite_row(&blit->rewrite, (int)row, blit->line);
        memcpy(shown, cells, grid->cols * sizeof *cells);
        blit->hashes[row] = hash_row(cells, grid->cols);
    }
}

static void place_cursor(const struct nsc_grid *grid)
{
    bool visible = grid->cursor_row >= 0 && grid->cursor_col >= 0 &&
                   (uint32_t)grid->cursor_row < grid->rows &&
                   (uint32_t)grid->cursor_col < grid->cols;

    curs_set(visible);
    if (visible)
        wmove(stdscr, grid->cursor_row, grid->cursor_col);
}

/* Drops the pending bytes, which were meant for an outdated screen, except those that clear it. */
static bool forget(struct nsc_blit *blit)
{
    doupdate();
    clearok(curscr, TRUE);
    blit->forgotten = false;
    return take_output(NULL, fileno(blit->out));
}

/* Shifts rows that only moved on the terminal, before curses computes the difference. */
static void shift_rows(struct nsc_buf *out, struct nsc_blit *blit, const struct nsc_grid *grid)
{
    struct nsc_shift_frame frame = {blit->shown, 0, blit->cursor_row, blit->cursor_col};
    int col = grid->window_col;

    if (blit->shift.ready && !blit->forgotten && col >= 0 && col == blit->window_col &&
        (uint32_t)col < grid->cols)
        frame.by = nsc_shift_measure(blit->window, grid->window, grid->cols - (uint32_t)col);
    if (frame.by)
        nsc_shift_rows(out, &blit->shift, &frame, grid);
    blit->window = grid->window;
    blit->window_col = col;
}

enum nsc_status nsc_blit_draw(struct nsc_buf *out, struct nsc_blit *blit,
                              const struct nsc_grid *grid, struct nsc_error *error)
{
    size_t before = out->n;
    bool ok = true;

    if (!grid->rows || !grid->cols)
        return NSC_OK;
    set_size(blit, grid);
    if (blit->modern)
        nsc_buf_puts(out, "\x1b[?2026h");
    shift_rows(out, blit, grid);
    draw_rows(blit, grid);
    nsc_rewrite_end(out, &blit->rewrite, blit->cursor_row, blit->cursor_col);
    if (blit->forgotten)
        ok = forget(blit);
    place_cursor(grid);
    wnoutrefresh(stdscr);
    doupdate();
    getyx(stdscr, blit->cursor_row, blit->cursor_col);
    ok = take_output(out, fileno(blit->out)) && ok && !out->overflow;
    if (out->n == before + (blit->modern ? 8 : 0))
        out->n = before; /* nothing changed: send nothing */
    else if (blit->modern)
        nsc_buf_puts(out, "\x1b[?2026l");
    return ok ? NSC_OK
              : nsc_fail(error, NSC_EIO, "cannot keep a frame in memory: %s", strerror(errno));
}
