/*
 * Writes the changed cells of a frame pen by pen, the most used one first.
 *
 * A pen takes eleven bytes, and a move back to a row two to eight, so each pen is taken once a frame.
 * Cells between those of a pen that a later pen draws are passed over by blanks where these take
 * less than a move. Rows that become mostly blank are erased first. Adds each row to curscr, curses'
 * picture of the terminal, so that curses finds nothing to send.
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

enum { ERASE_COST = 8, MOVE_COST = 4, ADDRESS_COST = 9 }; /* bytes, about */
enum { ERASED_WITHIN = 12 };                              /* blanks from which on erasing pays */
enum { GLYPH_BYTES = 4 };

static const attr_t on_blanks = A_UNDERLINE | A_REVERSE; /* attributes that blanks show */
static const struct nsc_rewrite_pen off = {0, -1, -1};

struct nsc_rewrite_glyph {
    char bytes[GLYPH_BYTES];
    uint8_t n;
    bool changed; /* and not written yet */
    uint16_t use; /* number of its pen; of a blank: that with nothing but the background */
    int next;     /* in the chain of its pen; -1: none */
};

/* The end of a row that is erased before the row is written. */
struct nsc_rewrite_erasure {
    bool waits;
    int from;
    struct nsc_rewrite_glyph blank;
};

/* A frame on its way out. */
struct way {
    struct nsc_buf *out;
    struct nsc_rewrite *rewrite;
    struct nsc_rewrite_spot at;
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
    free(rewrite->glyphs);
    free(rewrite->erasures);
    free(rewrite->picture);
}

void nsc_rewrite_resize(struct nsc_rewrite *rewrite, int rows, int cols)
{
    rewrite->rows = rows;
    rewrite->cols = cols;
    free(rewrite->glyphs);
    free(rewrite->erasures);
    rewrite->glyphs = nsc_xcalloc((size_t)rows * (size_t)cols, sizeof *rewrite->glyphs);
    rewrite->erasures = nsc_xcalloc((size_t)rows, sizeof *rewrite->erasures);
    rewrite->picture = nsc_xrealloc(rewrite->picture, (size_t)cols + 1,
                                    sizeof *rewrite->picture); /* and its end */
}

/* ---- cells ---- */

static struct nsc_rewrite_glyph *row_at(const struct nsc_rewrite *rewrite, int row)
{
    return rewrite->glyphs + (size_t)row * (size_t)rewrite->cols;
}

static const struct nsc_rewrite_pen *pen_of(const struct nsc_rewrite *rewrite,
                                            const struct nsc_rewrite_glyph *glyph)
{
    return &rewrite->uses[glyph->use].pen;
}

static bool is_same_pen(const struct nsc_rewrite_pen *a, const struct nsc_rewrite_pen *b)
{
    return a->attrs == b->attrs && a->fg == b->fg && a->bg == b->bg;
}

/* The number of a pen; -1: there are too many. */
static int use_of(struct nsc_rewrite *rewrite, const struct nsc_rewrite_pen *pen)
{
    for (int i = 0; i < rewrite->n; i++)
        if (is_same_pen(&rewrite->uses[i].pen, pen))
            return i;
    if (rewrite->n == NSC_REWRITE_PENS)
        return -1;
    rewrite->uses[rewrite->n] = (struct nsc_rewrite_use){*pen, 0, -1, -1};
    return rewrite->n++;
}

/* A blank looks the same with any colour of letters. */
static bool is_blank(const struct nsc_rewrite *rewrite, const struct nsc_rewrite_glyph *glyph)
{
    return glyph->n == 1 && glyph->bytes[0] == ' ' && !(pen_of(rewrite, glyph)->attrs & on_blanks);
}

/* False for a cell that is left to curses. */
static bool read_glyph(struct nsc_rewrite *rewrite, struct nsc_rewrite_glyph *out,
                       const cchar_t *cell)
{
    wchar_t text[CCHARW_MAX + 1] = {0};
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    struct nsc_rewrite_pen pen = off;
    short unused = 0;
    int pair = 0;
    int use = 0;
    size_t n = 0;

    if (getcchar(cell, text, &pen.attrs, &unused, &pair) == ERR || !text[0] || text[1] ||
        wcwidth(text[0]) != 1)
        return false;
    n = wcrtomb(bytes, text[0], &state);
    pen.attrs &= A_ATTRIBUTES & ~A_COLOR;
    if (n > GLYPH_BYTES || pen.attrs & ~(attr_t)(A_BOLD | A_DIM | A_UNDERLINE | A_REVERSE))
        return false;
    if (pair && extended_pair_content(pair, &pen.fg, &pen.bg) == ERR)
        return false;
    if (text[0] == L' ' && !(pen.attrs & on_blanks))
        pen = (struct nsc_rewrite_pen){0, -1, pen.bg};
    use = use_of(rewrite, &pen);
    if (use < 0)
        return false;
    *out = (struct nsc_rewrite_glyph){.n = (uint8_t)n, .use = (uint16_t)use, .next = -1};
    memcpy(out->bytes, bytes, n);
    return true;
}

/* Whether a glyph drawn with the pen looks right: a blank shows no letter. */
static bool pen_fits(const struct nsc_rewrite_pen *pen, const struct nsc_rewrite *rewrite,
                     const struct nsc_rewrite_glyph *glyph)
{
    if (is_blank(rewrite, glyph))
        return pen->bg == pen_of(rewrite, glyph)->bg && !(pen->attrs & on_blanks);
    return is_same_pen(pen, pen_of(rewrite, glyph));
}

static bool is_same_look(const struct nsc_rewrite_glyph *a, const struct nsc_rewrite_glyph *b)
{
    return a->use == b->use && a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}

/* False if a cell is left to curses. Most cells are like the one before, or stay as they are. */
static bool read_row(struct nsc_rewrite *rewrite, struct nsc_rewrite_glyph *row, const cchar_t *was,
                     const cchar_t *now)
{
    for (int col = 0; col < rewrite->cols; col++) {
        struct nsc_rewrite_glyph old;
        bool differs = memcmp(&was[col], &now[col], sizeof *now) != 0;

        if (col && !memcmp(&now[col], &now[col - 1], sizeof *now))
            row[col] = row[col - 1];
        else if (!read_glyph(rewrite, &row[col], &now[col]))
            return false;
        if (differs && !read_glyph(rewrite, &old, &was[col]))
            return false;
        row[col].changed = differs && !is_same_look(&old, &row[col]);
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
    struct nsc_rewrite_pen want = *pen_of(way->rewrite, glyph);
    bool blank = is_blank(way->rewrite, glyph);
    attr_t keeps = blank ? way->at.pen.attrs & ~on_blanks : want.attrs;
    char next = '[';

    if (pen_fits(&way->at.pen, way->rewrite, glyph))
        return;
    nsc_buf_putc(way->out, '\x1b');
    if (way->at.pen.attrs & ~keeps || (!want.attrs && want.fg < 0 && want.bg < 0)) {
        way->at.pen = off;
        add_param(way->out, &next, "", 0);
    } else if (blank) {
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
    nsc_buf_putc(way->out, 'm');
}

/* ---- moves ---- */

static void add_address(struct nsc_buf *out, int row, int col)
{
    nsc_buf_puts(out, "\x1b[");
    nsc_buf_int(out, row + 1);
    nsc_buf_putc(out, ';');
    nsc_buf_int(out, col + 1);
    nsc_buf_putc(out, 'H');
}

static int digits_of(int n)
{
    return n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
}

/* Whether single steps back take fewer bytes than an address within the row. After the last column the
 * terminal waits there, so a step back would lead too far. */
static bool steps_back(const struct way *way, int col)
{
    int by = way->at.col - col;

    return by > 0 && by < 3 + digits_of(col + 1) && way->at.col < way->rewrite->cols;
}

/* Bytes of a move within the row. */
static int cost_to(const struct way *way, int col)
{
    int by = col - way->at.col;

    if (by < 0)
        return steps_back(way, col) ? -by : 3 + digits_of(col + 1);
    return by == 0 ? 0 : by == 1 ? 3 : 3 + digits_of(by);
}

static void move_within(struct way *way, int col)
{
    int by = col - way->at.col;

    if (steps_back(way, col)) {
        for (; way->at.col > col; way->at.col--)
            nsc_buf_putc(way->out, '\b');
    } else if (by) {
        nsc_buf_puts(way->out, "\x1b[");
        if (by != 1)
            nsc_buf_int(way->out, by > 0 ? by : col + 1);
        nsc_buf_putc(way->out, by > 0 ? 'C' : 'G');
    }
    way->at.col = col;
}

/* Moves down line by line where that takes less than an address. */
static void move_to(struct way *way, int row, int col)
{
    int down = row - way->at.row;
    bool is_near = way->at.row >= 0 && down > 0 && way->at.col < way->rewrite->cols &&
                   down + cost_to(way, col) < ADDRESS_COST;

    if (down && !is_near) {
        add_address(way->out, row, col);
        way->at.row = row;
        way->at.col = col;
        return;
    }
    for (; way->at.row < row; way->at.row++)
        nsc_buf_putc(way->out, '\n');
    move_within(way, col);
}

/* Whether cells up to col take no more bytes than a move over them: those that the pen draws, and
 * blanks in place of those that a later pen draws. */
static bool can_bridge(const struct way *way, const struct nsc_rewrite_glyph *row, int col)
{
    int most = cost_to(way, col);
    int bytes = 0;

    for (int c = way->at.col; c < col && bytes <= most; c++) {
        if (pen_fits(&way->at.pen, way->rewrite, &row[c]))
            bytes += row[c].n;
        else if (row[c].changed)
            bytes++;
        else
            return false;
    }
    return bytes <= most;
}

static void put_glyph(struct way *way, struct nsc_rewrite_glyph *glyph)
{
    nsc_buf_add(way->out, glyph->bytes, glyph->n);
    glyph->changed = false;
    way->at.col++;
}

static void bridge(struct way *way, struct nsc_rewrite_glyph *row, int col)
{
    while (way->at.col < col) {
        struct nsc_rewrite_glyph *glyph = &row[way->at.col];

        if (pen_fits(&way->at.pen, way->rewrite, glyph)) {
            put_glyph(way, glyph);
        } else {
            nsc_buf_putc(way->out, ' ');
            way->at.col++;
        }
    }
}

/* ---- a frame that is read ---- */

/* Bytes of a row, added from its end on. */
struct cost {
    int bytes;
    int gap; /* bytes of the glyphs that stay, back to the one that is written */
};

static void cost_add(struct cost *cost, bool writes, int n)
{
    if (writes) {
        cost->bytes += n + (cost->gap < MOVE_COST ? cost->gap : MOVE_COST);
        cost->gap = 0;
    } else {
        cost->gap += n;
    }
}

/* Erases the end of a row where that saves most. */
static void choose_erasure(struct nsc_rewrite *rewrite, int row)
{
    struct nsc_rewrite_glyph *glyphs = row_at(rewrite, row);
    struct nsc_rewrite_erasure *erasure = &rewrite->erasures[row];
    struct cost kept = {0};
    struct cost erased = {0};
    int most = ERASE_COST;
    int blank = rewrite->cols - 1;

    while (blank >= 0 && !is_blank(rewrite, &glyphs[blank]))
        blank--;
    if (blank < 0 || (pen_of(rewrite, &glyphs[blank])->bg >= 0 && !back_color_erase))
        return;
    for (int col = rewrite->cols - 1; col >= 0; col--) {
        cost_add(&kept, glyphs[col].changed, glyphs[col].n);
        cost_add(&erased, !is_same_look(&glyphs[col], &glyphs[blank]), glyphs[col].n);
        if (!glyphs[col].changed || kept.bytes - erased.bytes <= most)
            continue;
        most = kept.bytes - erased.bytes;
        *erasure = (struct nsc_rewrite_erasure){true, col, glyphs[blank]};
    }
    for (int col = erasure->from; erasure->waits && col < rewrite->cols; col++)
        glyphs[col].changed = !is_same_look(&glyphs[col], &erasure->blank);
}

/* Compares a row with curses' picture of it, and puts it there. False if it is left to curses. */
static bool picture_change(struct nsc_rewrite *rewrite, int row, const cchar_t *cells)
{
    bool is_ours = false;
    int y = 0;
    int x = 0;

    getyx(curscr, y, x);
    is_ours = mvwin_wchnstr(curscr, row, 0, rewrite->picture, rewrite->cols) != ERR &&
              read_row(rewrite, row_at(rewrite, row), rewrite->picture, cells);
    if (is_ours)
        mvwadd_wchnstr(curscr, row, 0, cells, rewrite->cols);
    wmove(curscr, y, x);
    return is_ours;
}

void nsc_rewrite_row(struct nsc_rewrite *rewrite, int row, const cchar_t *cells)
{
    struct nsc_rewrite_glyph *glyphs = row_at(rewrite, row);

    if (!picture_change(rewrite, row, cells)) {
        for (int col = 0; col < rewrite->cols; col++)
            glyphs[col].changed = false;
        return;
    }
    choose_erasure(rewrite, row);
    for (int col = 0; col < rewrite->cols; col++)
        rewrite->uses[glyphs[col].use].cells +=
            glyphs[col].changed && !is_blank(rewrite, &glyphs[col]);
}

/* ---- a frame that is written ---- */

/* The number of columns from a blank to the last changed one of the blanks like it. */
static int blanks_at(const struct way *way, const struct nsc_rewrite_glyph *row, int col)
{
    int n = 0;

    if (!is_blank(way->rewrite, &row[col]))
        return 0;
    for (int c = col; c < way->rewrite->cols && is_same_look(&row[c], &row[col]); c++)
        if (row[c].changed)
            n = c + 1 - col;
    return n;
}

static void erase_end(struct way *way, int row)
{
    struct nsc_rewrite_erasure *erasure = &way->rewrite->erasures[row];

    if (!erasure->waits)
        return;
    erasure->waits = false;
    move_to(way, row, erasure->from);
    take_pen(way, &erasure->blank);
    nsc_buf_puts(way->out, "\x1b[K");
}

/* Writes a changed glyph, or erases blanks. */
static void write_glyph(struct way *way, int row, int col)
{
    struct nsc_rewrite_glyph *glyphs = row_at(way->rewrite, row);
    int blanks = 0;

    erase_end(way, row);
    if (way->at.row == row && way->at.col < col && can_bridge(way, glyphs, col))
        bridge(way, glyphs, col);
    move_to(way, row, col);
    take_pen(way, &glyphs[col]);
    if (way->rewrite->erases && (way->at.pen.bg < 0 || back_color_erase))
        blanks = blanks_at(way, glyphs, col);
    if (blanks < ERASED_WITHIN) {
        put_glyph(way, &glyphs[col]);
        return;
    }
    nsc_buf_puts(way->out, "\x1b[");
    nsc_buf_int(way->out, blanks);
    nsc_buf_putc(way->out, 'X');
    for (int c = col; c < col + blanks; c++)
        glyphs[c].changed = false;
}

/* Numbers of pens, the most used one first. */
static void sort_uses(const struct nsc_rewrite *rewrite, int order[NSC_REWRITE_PENS])
{
    for (int i = 0; i < rewrite->n; i++) {
        int at = i;

        for (; at > 0 && rewrite->uses[order[at - 1]].cells < rewrite->uses[i].cells; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Chains the changed glyphs of each pen; blanks join the most used pen that draws them. */
static void chain_glyphs(struct nsc_rewrite *rewrite, const int order[NSC_REWRITE_PENS])
{
    for (int i = 0; i < rewrite->rows * rewrite->cols; i++) {
        struct nsc_rewrite_glyph *glyph = &rewrite->glyphs[i];
        struct nsc_rewrite_use *use = NULL;
        int k = 0;

        if (!glyph->changed)
            continue;
        while (!pen_fits(&rewrite->uses[order[k]].pen, rewrite, glyph))
            k++;
        use = &rewrite->uses[order[k]];
        if (use->first < 0)
            use->first = i;
        else
            rewrite->glyphs[use->last].next = i;
        use->last = i;
        glyph->next = -1;
    }
}

void nsc_rewrite_end(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row, int col)
{
    struct way way = {.out = out, .rewrite = rewrite, .at = {-2, 0, off}};
    int order[NSC_REWRITE_PENS];
    size_t before = out->n;

    sort_uses(rewrite, order);
    chain_glyphs(rewrite, order);
    for (int k = 0; k < rewrite->n; k++)
        for (int i = rewrite->uses[order[k]].first; i >= 0; i = rewrite->glyphs[i].next)
            if (rewrite->glyphs[i].changed)
                write_glyph(&way, i / rewrite->cols, i % rewrite->cols);
    for (int r = 0; r < rewrite->rows; r++)
        erase_end(&way, r);
    rewrite->n = 0;
    if (out->n == before)
        return;
    if (!is_same_pen(&way.at.pen, &off))
        nsc_buf_puts(out, "\x1b[m");
    add_address(out, row, col);
}
