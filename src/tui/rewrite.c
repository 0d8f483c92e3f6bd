/*
 * Writes the changed cells of a row from left to right or pen by pen, whichever takes fewer bytes.
 *
 * Adds each row to curscr, curses' picture of the terminal, so that curses finds nothing to send.
 */
#include "tui/rewrite.h"

#include "core/die.h"
#include "tui/terminfo.h"

#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <wchar.h>

enum { ERASED = 4, ERASED_WITHIN = 12 }; /* blanks from which on erasing pays */
enum { NEAR = 4, MAX_ROW = 1 << 20, MAX_FRAME = 1 << 26 };

static const attr_t on_blanks = A_UNDERLINE | A_REVERSE; /* attributes that blanks show */
static const struct nsc_rewrite_pen off = {0, -1, -1};
static const struct nsc_rewrite_spot start = {.row = -2, .col = 0, .pen = {0, -1, -1}};

struct nsc_rewrite_glyph {
    char bytes[MB_LEN_MAX];
    uint8_t n;
    bool changed;
    struct nsc_rewrite_pen pen;
};

/* A part of a row on its way out. */
struct way {
    struct nsc_buf *out;
    struct nsc_rewrite_glyph *glyphs;
    int from, end; /* columns */
    int row, cols;
    struct nsc_rewrite_spot at;
    bool erases; /* the terminal erases within a row */
    int pens;    /* that were taken */
};

/* ---- the terminal ---- */

static bool has(const char *capability, const char *sequence)
{
    const char *string = nsc_terminfo_string(capability);

    return string && !strcmp(string, sequence);
}

/* Whether the sequence of a colour can be joined with others. */
static bool sets_color(const char *capability)
{
    const char *string = nsc_terminfo_string(capability);

    return string && !strncmp(string, "\x1b[", 2) && string[strlen(string) - 1] == 'm';
}

void nsc_rewrite_init(struct nsc_rewrite *rewrite)
{
    rewrite->ways[0] = rewrite->ways[1] = (struct nsc_buf)NSC_BUF_INIT(MAX_ROW);
    for (int i = 0; i < 2; i++)
        rewrite->parts[i] = (struct nsc_rewrite_part){.out = NSC_BUF_INIT(MAX_FRAME), .at = start};
    rewrite->erases = has("ech", "\x1b[%p1%dX");
    rewrite->ready = has("cup", "\x1b[%i%p1%d;%p2%dH") && has("cuf", "\x1b[%p1%dC") &&
                     has("hpa", "\x1b[%i%p1%dG") && has("el", "\x1b[K") && has("cud1", "\n") &&
                     has("cub1", "\b") && has("bold", "\x1b[1m") && has("dim", "\x1b[2m") &&
                     has("smul", "\x1b[4m") && has("rev", "\x1b[7m") && has("op", "\x1b[39;49m") &&
                     sets_color("setaf") && sets_color("setab") && eat_newline_glitch &&
                     no_color_video <= 0;
}

void nsc_rewrite_fini(struct nsc_rewrite *rewrite)
{
    for (int i = 0; i < 2; i++) {
        nsc_buf_fini(&rewrite->ways[i]);
        nsc_buf_fini(&rewrite->parts[i].out);
    }
    free(rewrite->row);
    free(rewrite->picture);
}

void nsc_rewrite_resize(struct nsc_rewrite *rewrite, int cols)
{
    rewrite->cols = cols;
    rewrite->row = nsc_xrealloc(rewrite->row, (size_t)cols, sizeof *rewrite->row);
    rewrite->picture = nsc_xrealloc(rewrite->picture, (size_t)cols + 1,
                                    sizeof *rewrite->picture); /* and its end */
}

/* ---- cells ---- */

/* A blank looks the same with any colour of letters. */
static bool is_blank(const struct nsc_rewrite_glyph *glyph)
{
    return glyph->n == 1 && glyph->bytes[0] == ' ' && !(glyph->pen.attrs & on_blanks);
}

/* False for a cell that is left to curses. */
static bool read_glyph(struct nsc_rewrite_glyph *out, const cchar_t *cell)
{
    wchar_t text[CCHARW_MAX + 1] = {0};
    mbstate_t state = {0};
    attr_t attrs = 0;
    short unused = 0;
    int pair = 0;
    size_t n = 0;

    if (getcchar(cell, text, &attrs, &unused, &pair) == ERR || !text[0] || text[1] ||
        wcwidth(text[0]) != 1)
        return false;
    n = wcrtomb(out->bytes, text[0], &state);
    attrs &= A_ATTRIBUTES & ~A_COLOR;
    if (n == (size_t)-1 || attrs & ~(attr_t)(A_BOLD | A_DIM | A_UNDERLINE | A_REVERSE))
        return false;
    out->n = (uint8_t)n;
    out->pen = off;
    out->pen.attrs = attrs;
    if (pair && extended_pair_content(pair, &out->pen.fg, &out->pen.bg) == ERR)
        return false;
    if (is_blank(out))
        out->pen = (struct nsc_rewrite_pen){0, -1, out->pen.bg};
    return true;
}

/* Whether a glyph drawn with the pen looks right: a blank shows no letter. */
static bool pen_fits(const struct nsc_rewrite_pen *pen, const struct nsc_rewrite_glyph *glyph)
{
    if (pen->bg != glyph->pen.bg)
        return false;
    if (is_blank(glyph))
        return !(pen->attrs & on_blanks);
    return pen->attrs == glyph->pen.attrs && pen->fg == glyph->pen.fg;
}

static bool same_look(const struct nsc_rewrite_glyph *a, const struct nsc_rewrite_glyph *b)
{
    return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n) && pen_fits(&a->pen, b);
}

/* False if a cell is left to curses. Most cells are like the one before, or stay as they are. */
static bool read_row(struct nsc_rewrite *rewrite, const cchar_t *was, const cchar_t *now)
{
    for (int col = 0; col < rewrite->cols; col++) {
        struct nsc_rewrite_glyph *glyph = &rewrite->row[col];
        struct nsc_rewrite_glyph old;

        if (col && !memcmp(&now[col], &now[col - 1], sizeof *now))
            *glyph = glyph[-1];
        else if (!read_glyph(glyph, &now[col]))
            return false;
        glyph->changed = memcmp(&was[col], &now[col], sizeof *now) != 0;
        if (glyph->changed && !read_glyph(&old, &was[col]))
            return false;
        glyph->changed = glyph->changed && !same_look(&old, glyph);
    }
    return true;
}

/* ---- sequences ---- */

/* `next` is what comes before the parameter: '[' or ';'. */
static void add_param(struct nsc_buf *out, char *next, const char *param, size_t n)
{
    nsc_buf_putc(out, *next);
    nsc_buf_add(out, param, n);
    *next = ';';
}

static void add_color(struct nsc_buf *out, char *next, bool back, int color)
{
    const char *sequence = NULL;

    if (color < 0) {
        add_param(out, next, back ? "49" : "39", 2);
        return;
    }
    sequence = tiparm(back ? set_a_background : set_a_foreground, color);
    add_param(out, next, sequence + 2, strlen(sequence) - 3);
}

/* Takes the pen of a glyph, in one sequence. An empty first parameter turns everything off. */
static void take_pen(struct way *way, const struct nsc_rewrite_glyph *glyph)
{
    static const struct {
        attr_t attr;
        char param;
    } attrs[] = {{A_BOLD, '1'}, {A_DIM, '2'}, {A_UNDERLINE, '4'}, {A_REVERSE, '7'}};
    struct nsc_rewrite_pen want = glyph->pen;
    attr_t keeps = is_blank(glyph) ? way->at.pen.attrs & ~on_blanks : want.attrs;
    char next = '[';

    if (pen_fits(&way->at.pen, glyph))
        return;
    nsc_buf_putc(way->out, '\x1b');
    if (way->at.pen.attrs & ~keeps || (!want.attrs && want.fg < 0 && want.bg < 0)) {
        way->at.pen = off;
        add_param(way->out, &next, "", 0);
    } else if (is_blank(glyph)) {
        want = (struct nsc_rewrite_pen){way->at.pen.attrs, way->at.pen.fg, want.bg};
    }
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
        if (attrs[i].attr & want.attrs & ~way->at.pen.attrs)
            add_param(way->out, &next, &attrs[i].param, 1);
    if (want.fg != way->at.pen.fg)
        add_color(way->out, &next, false, want.fg);
    if (want.bg != way->at.pen.bg)
        add_color(way->out, &next, true, want.bg);
    way->at.pen = want;
    way->pens++;
    nsc_buf_putc(way->out, 'm');
}

static void add_address(struct nsc_buf *out, int row, int col)
{
    nsc_buf_puts(out, "\x1b[");
    nsc_buf_int(out, row + 1);
    nsc_buf_putc(out, ';');
    nsc_buf_int(out, col + 1);
    nsc_buf_putc(out, 'H');
}

/* Moves down to the next row if that is near: a byte for the row, one for each column back. */
static bool move_down(struct way *way, int col)
{
    if (way->at.row + 1 != way->row || way->at.col >= way->cols || way->at.col - col > NEAR)
        return false;
    nsc_buf_putc(way->out, '\n');
    for (; way->at.col > col; way->at.col--)
        nsc_buf_putc(way->out, '\b');
    way->at.row++;
    return true;
}

static void move_to(struct way *way, int col)
{
    int by = 0;

    if (way->at.row != way->row && !move_down(way, col)) {
        add_address(way->out, way->row, col);
        way->at.row = way->row;
        way->at.col = col;
    }
    by = col - way->at.col;
    if (by) {
        nsc_buf_puts(way->out, "\x1b[");
        if (by != 1)
            nsc_buf_int(way->out, by > 0 ? by : col + 1);
        nsc_buf_putc(way->out, by > 0 ? 'C' : 'G');
    }
    way->at.col = col;
}

static void put_glyph(struct way *way)
{
    const struct nsc_rewrite_glyph *glyph = &way->glyphs[way->at.col++];

    nsc_buf_add(way->out, glyph->bytes, glyph->n);
}

/* Whether the glyphs up to col take no more bytes than a move over them. */
static bool can_bridge(const struct way *way, int col)
{
    int bytes = 0;

    for (int c = way->at.col; c < col; c++) {
        if (!pen_fits(&way->at.pen, &way->glyphs[c]))
            return false;
        bytes += way->glyphs[c].n;
    }
    return bytes <= (col - way->at.col < 2 ? 3 : 4);
}

/* The number of columns from a blank to the last changed one of the blanks like it. */
static int blanks_at(const struct way *way, int col)
{
    int n = 0;

    for (int c = col; c < way->end && is_blank(&way->glyphs[c]) &&
                      way->glyphs[c].pen.bg == way->glyphs[col].pen.bg;
         c++)
        if (way->glyphs[c].changed)
            n = c + 1 - col;
    return n;
}

/* Writes a changed glyph, or erases blanks. Returns the number of columns that are done. */
static int write_glyph(struct way *way, int col)
{
    const struct nsc_rewrite_glyph *glyph = &way->glyphs[col];
    int n = way->erases && (glyph->pen.bg < 0 || back_color_erase) ? blanks_at(way, col) : 0;

    if (way->at.row == way->row && way->at.col < col && can_bridge(way, col))
        while (way->at.col < col)
            put_glyph(way);
    move_to(way, col);
    take_pen(way, glyph);
    if (n < ERASED_WITHIN) {
        put_glyph(way);
        return 1;
    }
    nsc_buf_puts(way->out, "\x1b[");
    nsc_buf_int(way->out, n);
    nsc_buf_putc(way->out, 'X');
    return n;
}

/* ---- a row ---- */

static void write_in_order(struct way *way)
{
    for (int col = way->from; col < way->end; col++)
        if (way->glyphs[col].changed)
            col += write_glyph(way, col) - 1;
}

/* Goes over the row once for each pen, beginning with the present one. */
static void write_by_pen(struct way *way)
{
    for (int first = way->from; first < way->end;) {
        int next = way->end;

        for (int col = first; col < way->end; col++) {
            if (!way->glyphs[col].changed)
                continue;
            if (pen_fits(&way->at.pen, &way->glyphs[col])) {
                for (int n = write_glyph(way, col); n > 0; n--)
                    way->glyphs[col++].changed = false;
                col--;
            } else if (next == way->end) {
                next = col;
            }
        }
        first = next;
        if (first < way->end)
            take_pen(way, &way->glyphs[first]);
    }
}

/* The first column of the blanks at the end of the row that are erased; the width if none are. */
static int blanks_from(const struct nsc_rewrite *rewrite)
{
    const struct nsc_rewrite_glyph *row = rewrite->row;
    int back = row[rewrite->cols - 1].pen.bg;
    int from = rewrite->cols;
    int changed = 0;

    if (back < 0 || back_color_erase)
        while (from > 0 && is_blank(&row[from - 1]) && row[from - 1].pen.bg == back)
            changed += row[--from].changed;
    if (changed < ERASED)
        return rewrite->cols;
    while (!row[from].changed)
        from++;
    return from;
}

/* Writes columns [from, end) of a row in two ways and keeps the shorter one. */
static void write_part(struct nsc_rewrite *rewrite, bool tail, int row, int from, int end)
{
    struct nsc_rewrite_part *part = &rewrite->parts[tail];
    struct way ways[2];
    int best = 0;

    for (int i = 0; i < 2 && (i == 0 || ways[0].pens > 2); i++) {
        nsc_buf_clear(&rewrite->ways[i]);
        ways[i] = (struct way){.out = &rewrite->ways[i],
                               .glyphs = rewrite->row,
                               .from = from,
                               .end = end,
                               .row = row,
                               .cols = rewrite->cols,
                               .at = part->at,
                               .erases = rewrite->erases};
        if (i == 0)
            write_in_order(&ways[i]);
        else
            write_by_pen(&ways[i]);
        best = rewrite->ways[i].n < rewrite->ways[best].n ? i : best;
    }
    if (tail && end < rewrite->cols) {
        move_to(&ways[best], end);
        take_pen(&ways[best], &rewrite->row[end]);
        nsc_buf_puts(ways[best].out, "\x1b[K");
    }
    nsc_buf_add(&part->out, rewrite->ways[best].bytes, rewrite->ways[best].n);
    part->at = ways[best].at;
}

/* Compares a row with curses' picture of it, and puts it there. False if it is left to curses. */
static bool picture_change(struct nsc_rewrite *rewrite, int row, const cchar_t *cells)
{
    bool is_ours = false;
    int y = 0;
    int x = 0;

    getyx(curscr, y, x);
    is_ours = mvwin_wchnstr(curscr, row, 0, rewrite->picture, rewrite->cols) != ERR &&
              read_row(rewrite, rewrite->picture, cells);
    if (is_ours)
        mvwadd_wchnstr(curscr, row, 0, cells, rewrite->cols);
    wmove(curscr, y, x);
    return is_ours;
}

void nsc_rewrite_row(struct nsc_rewrite *rewrite, int row, const cchar_t *cells, int split)
{
    int end = 0;

    if (!picture_change(rewrite, row, cells))
        return;
    end = blanks_from(rewrite);
    /* A text that crosses the split stays whole. */
    if (split < 1 || split > end || rewrite->row[split - 1].changed)
        split = 0;
    write_part(rewrite, false, row, 0, split);
    write_part(rewrite, true, row, split, end);
}

void nsc_rewrite_end(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row, int col)
{
    if (!rewrite->parts[0].out.n && !rewrite->parts[1].out.n)
        return;
    for (int i = 0; i < 2; i++) {
        struct nsc_rewrite_part *part = &rewrite->parts[i];

        nsc_buf_add(out, part->out.bytes, part->out.n);
        if (part->at.pen.attrs || part->at.pen.fg >= 0 || part->at.pen.bg >= 0)
            nsc_buf_puts(out, "\x1b[m");
        nsc_buf_clear(&part->out);
        part->at = start;
    }
    add_address(out, row, col);
}
