/*
 * Sends changes of the screen in few bytes: each pen once a frame, and the shortest move to each
 * cell.
 */
#include "tui/display.h"

#include "core/die.h"
#include "tui/terminfo.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

enum {
    STEP_ROWS = 4, /* most line feeds, and */
    STEP_BACK = 4, /* most steps back that a move takes */
    STEP_BYTES = 32,
    ADDRESS_COST = 6, /* least bytes of an address */
    BRIDGE_COST = 4,  /* bytes of a move within a row */
    ERASED_FROM = 10, /* blanks from which on erasing them and moving on pays */
    ENDS_FROM = 4     /* the same at the end of a row */
};

static const struct nsc_ink plain_blank = {{' '}, 1, 1, 0, 0, -1, -1};
static const uint8_t on_blanks = NSC_STYLE_UNDERLINE | NSC_STYLE_REVERSE;

/* ---- the description ---- */

static bool has(const char *capability, const char *sequence)
{
    const char *string = nsc_terminfo_string(capability);

    return string && !strcmp(string, sequence);
}

static void read_strings(struct nsc_display_strings *strings)
{
    const char *off = nsc_terminfo_string("sgr0");

    *strings = (struct nsc_display_strings){
        .clear = nsc_terminfo_string("clear"),
        .move = nsc_terminfo_string("cup"),
        .off = off && strstr(off, "\x1b[") ? "\x1b[m" : off, /* we use no other character set */
        .bold = nsc_terminfo_string("bold"),
        .dim = nsc_terminfo_string("dim"),
        .underline = nsc_terminfo_string("smul"),
        .reverse = nsc_terminfo_string("rev"),
        .fg = nsc_terminfo_string("setaf"),
        .bg = nsc_terminfo_string("setab"),
        .erase_end = nsc_terminfo_string("el"),
        .erase = nsc_terminfo_string("ech"),
        .insert = nsc_terminfo_string("ich"),
        .remove = nsc_terminfo_string("dch"),
        .margins = nsc_terminfo_string("csr"),
        .scroll_up = nsc_terminfo_string("ind"),
        .scroll_down = nsc_terminfo_string("ri"),
        .hide = nsc_terminfo_string("civis"),
        .show = nsc_terminfo_string("cnorm"),
    };
}

/* Attributes that take a cell of their own (xmc) are not used. ncv: bit 1 is underline, 2 reverse,
 * 4 dim, 5 bold. */
static void read_attrs(struct nsc_display *display)
{
    const struct nsc_display_strings *strings = &display->strings;
    int plain = no_color_video > 0 ? no_color_video : 0;

    if (!strings->off || magic_cookie_glitch > 0)
        return;
    display->attrs =
        (uint8_t)((strings->bold ? NSC_STYLE_BOLD : 0) | (strings->dim ? NSC_STYLE_DIM : 0) |
                  (strings->underline ? NSC_STYLE_UNDERLINE : 0) |
                  (strings->reverse ? NSC_STYLE_REVERSE : 0));
    display->plain_attrs =
        (uint8_t)((plain & 2 ? NSC_STYLE_UNDERLINE : 0) | (plain & 4 ? NSC_STYLE_REVERSE : 0) |
                  (plain & 16 ? NSC_STYLE_DIM : 0) | (plain & 32 ? NSC_STYLE_BOLD : 0));
}

enum nsc_status nsc_display_init(struct nsc_display *display, const char *type,
                                 struct nsc_error *error)
{
    memset(display, 0, sizeof *display);
    if (!nsc_terminfo_load(type))
        return nsc_fail(error, NSC_EINVAL, "cannot draw on the terminal %s (TERM)", type);
    read_strings(&display->strings);
    read_attrs(display);
    if (display->strings.fg && display->strings.bg && display->strings.off && max_colors > 0)
        display->colors = max_colors;
    display->steps = has("cuf", "\x1b[%p1%dC") && has("hpa", "\x1b[%i%p1%dG") &&
                     has("cud1", "\n") && has("cub1", "\b");
    display->erases_colored = back_color_erase;
    display->keeps_corner = eat_newline_glitch || !auto_right_margin;
    return NSC_OK;
}

void nsc_display_fini(struct nsc_display *display)
{
    free(display->shown);
    nsc_terminfo_forget();
}

void nsc_display_resize(struct nsc_display *display, int rows, int cols)
{
    display->rows = rows;
    display->cols = cols;
    display->shown =
        nsc_xrealloc(display->shown, (size_t)rows * (size_t)cols, sizeof *display->shown);
}

/* ---- bytes ---- */

/* Leaves out padding marks as "$<5>", which only hardware terminals need. */
static void send(struct nsc_buf *out, const char *string)
{
    while (string) {
        const char *mark = strstr(string, "$<");

        nsc_buf_add(out, string, mark ? (size_t)(mark - string) : strlen(string));
        string = mark ? strchr(mark, '>') : NULL;
        string += string != NULL;
    }
}

/* Sends a part of a pen; joins it with the part before if both are sequences that end in m. */
static void send_pen(struct nsc_buf *out, size_t begin, const char *string)
{
    bool joins = out->n > begin && out->bytes[out->n - 1] == 'm' && !strncmp(string, "\x1b[", 2) &&
                 string[strlen(string) - 1] == 'm';

    if (joins) {
        out->bytes[out->n - 1] = ';';
        string += 2;
    }
    send(out, string);
}

/* ---- the pen ---- */

static bool is_same(const struct nsc_ink *a, const struct nsc_ink *b)
{
    return !memcmp(a, b, sizeof *a);
}

/* Whether the ink is a blank that shows nothing but a background. */
static bool is_blank(const struct nsc_ink *ink)
{
    return ink->n == 1 && ink->text[0] == ' ' && !(ink->attrs & on_blanks);
}

/* Whether the ink looks right when written with the pen as it is. */
static bool pen_fits(const struct nsc_ink *pen, const struct nsc_ink *ink)
{
    if (is_blank(ink))
        return pen->bg == ink->bg && !(pen->attrs & on_blanks);
    return pen->attrs == ink->attrs && pen->fg == ink->fg && pen->bg == ink->bg;
}

static void add_attrs(struct nsc_buf *out, size_t begin, const struct nsc_display *display,
                      uint8_t attrs)
{
    const struct nsc_display_strings *strings = &display->strings;

    if (attrs & NSC_STYLE_BOLD)
        send_pen(out, begin, strings->bold);
    if (attrs & NSC_STYLE_DIM)
        send_pen(out, begin, strings->dim);
    if (attrs & NSC_STYLE_UNDERLINE)
        send_pen(out, begin, strings->underline);
    if (attrs & NSC_STYLE_REVERSE)
        send_pen(out, begin, strings->reverse);
}

/* Takes the pen for an ink; a blank keeps the colour of letters. Attributes and colours go only all
 * at once. */
static void take_pen(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *ink)
{
    struct nsc_ink *pen = &display->pen;
    bool keeps = is_blank(ink);
    uint8_t attrs = keeps ? pen->attrs & (uint8_t)~on_blanks : ink->attrs;
    int fg = keeps ? pen->fg : ink->fg;
    size_t begin = out->n;

    if ((pen->attrs & ~attrs) || (pen->fg >= 0 && fg < 0) || (pen->bg >= 0 && ink->bg < 0)) {
        send_pen(out, begin, display->strings.off);
        *pen = plain_blank;
        attrs = ink->attrs;
        fg = ink->fg;
    }
    add_attrs(out, begin, display, attrs & (uint8_t)~pen->attrs);
    if (fg != pen->fg)
        send_pen(out, begin, tiparm(display->strings.fg, fg));
    if (ink->bg != pen->bg)
        send_pen(out, begin, tiparm(display->strings.bg, ink->bg));
    pen->attrs = attrs;
    pen->fg = fg;
    pen->bg = ink->bg;
}

/* ---- moves ---- */

/* A move by line feeds and steps within the row; 0 bytes if there is none. */
static size_t find_steps(char out[STEP_BYTES], const struct nsc_display *display, int row, int col)
{
    int down = row - display->row;
    int by = col - display->col;
    size_t n = 0;

    if (!display->steps || display->row < 0 || down < 0 || down > STEP_ROWS)
        return 0;
    for (; down > 0; down--)
        out[n++] = '\n';
    if (by < 0 && by >= -STEP_BACK) {
        for (; by < 0; by++)
            out[n++] = '\b';
    } else if (by == 1) {
        n += (size_t)snprintf(out + n, STEP_BYTES - n, "\x1b[C");
    } else if (by) {
        n += (size_t)snprintf(out + n, STEP_BYTES - n, "\x1b[%d%c", by > 0 ? by : col + 1,
                              by > 0 ? 'C' : 'G');
    }
    return n;
}

static void move_to(struct nsc_buf *out, struct nsc_display *display, int row, int col)
{
    char steps[STEP_BYTES];
    size_t n = 0;

    if (display->row == row && display->col == col)
        return;
    n = find_steps(steps, display, row, col);
    if (n && n <= ADDRESS_COST)
        nsc_buf_add(out, steps, n);
    else
        send(out, tiparm(display->strings.move, row, col));
    display->row = row;
    display->col = col;
}

/* ---- cells ---- */

static struct nsc_ink *shown_at(const struct nsc_display *display, int row, int col)
{
    return &display->shown[(size_t)row * (size_t)display->cols + (size_t)col];
}

/* Writes an ink at the cursor. After the last column the cursor waits there, or is a row below. */
static void put_ink(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *ink)
{
    struct nsc_ink *shown = shown_at(display, display->row, display->col);

    nsc_buf_add(out, ink->text, ink->n);
    *shown = *ink;
    if (ink->width == 2)
        shown[1] = (struct nsc_ink){.fg = ink->fg, .bg = ink->bg, .attrs = ink->attrs};
    display->col += ink->width;
    if (display->col >= display->cols)
        display->row = -1;
}

/* What is written on the way over a cell: its ink if the pen fits, a blank if the cell changes
 * later, else nothing. */
static const struct nsc_ink *bridge_of(const struct nsc_display *display,
                                       const struct nsc_ink *shown, const struct nsc_ink *ink,
                                       struct nsc_ink *blank)
{
    if (ink->width != 1 || shown->width != 1)
        return NULL;
    if (pen_fits(&display->pen, ink))
        return ink;
    if (is_same(shown, ink) || display->pen.attrs & on_blanks)
        return NULL;
    *blank = plain_blank;
    blank->bg = display->pen.bg;
    return blank;
}

/* Writes the cells up to col where they take no more bytes than a move over them. */
static void bridge(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks,
                   int row, int col)
{
    const struct nsc_ink *over[BRIDGE_COST];
    struct nsc_ink blanks[BRIDGE_COST];
    int n = col - display->col;
    int bytes = 0;

    if (display->row != row || n <= 0 || n > BRIDGE_COST)
        return;
    for (int i = 0; i < n; i++) {
        over[i] = bridge_of(display, shown_at(display, row, display->col + i),
                            &inks[display->col + i], &blanks[i]);
        bytes += over[i] ? over[i]->n : BRIDGE_COST + 1;
    }
    for (int i = 0; i < n && bytes <= BRIDGE_COST; i++)
        put_ink(out, display, over[i]);
}

/* Erases the blanks from the cursor on where that takes fewer bytes than to write them. */
static bool erase_blanks(struct nsc_buf *out, struct nsc_display *display,
                         const struct nsc_ink *inks)
{
    struct nsc_ink *shown = shown_at(display, display->row, 0);
    const struct nsc_ink *blank = &inks[display->col];
    int end = display->col;
    int last = end; /* after the last blank that is not shown yet */

    if (!is_blank(blank) || (blank->bg >= 0 && !display->erases_colored))
        return false;
    for (; end < display->cols && is_same(&inks[end], blank); end++)
        if (!is_same(&shown[end], blank))
            last = end + 1;
    if (end == display->cols && last - display->col >= ENDS_FROM && display->strings.erase_end)
        send(out, display->strings.erase_end);
    else if (last - display->col >= ERASED_FROM && display->strings.erase)
        send(out, tiparm(display->strings.erase, last - display->col));
    else
        return false;
    for (int col = display->col; col < last; col++)
        shown[col] = *blank;
    return true;
}

/* inks: of the row. */
static void write_cell(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks,
                       int row, int col)
{
    if (row == display->rows - 1 && col == display->cols - 1 && !display->keeps_corner) {
        *shown_at(display, row, col) = inks[col];
        return;
    }
    bridge(out, display, inks, row, col);
    move_to(out, display, row, col);
    if (!erase_blanks(out, display, inks))
        put_ink(out, display, &inks[col]);
}

/* Fills the list of cells that change, and returns their number. The right half of a wide cell
 * changes with its left half. */
static size_t list_changes(size_t *out, struct nsc_display *display, const struct nsc_ink *inks)
{
    size_t cells = (size_t)display->rows * (size_t)display->cols;
    size_t n = 0;

    for (size_t i = 0; i < cells; i++) {
        bool is_wide = i + 1 < cells && inks[i].width == 2;

        if (!inks[i].width)
            continue;
        if (!is_same(&display->shown[i], &inks[i]) ||
            (is_wide && !is_same(&display->shown[i + 1], &inks[i + 1])))
            out[n++] = i;
    }
    return n;
}

/* The next pen: of the first cell with letters, as blanks can take many pens. */
static const struct nsc_ink *next_pen(const struct nsc_ink *inks, const size_t *waits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_blank(&inks[waits[i]]))
            return &inks[waits[i]];
    return &inks[waits[0]];
}

void nsc_display_write(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks)
{
    size_t cols = (size_t)display->cols;
    size_t *waits = nsc_xcalloc((size_t)display->rows * cols, sizeof *waits);
    size_t n = list_changes(waits, display, inks);

    while (n) {
        size_t left = 0;

        take_pen(out, display, next_pen(inks, waits, n));
        for (size_t i = 0; i < n; i++) {
            const struct nsc_ink *ink = &inks[waits[i]];

            if (ink->width == 1 && is_same(&display->shown[waits[i]], ink))
                continue; /* written on the way to another cell */
            if (pen_fits(&display->pen, ink))
                write_cell(out, display, &inks[waits[i] / cols * cols], (int)(waits[i] / cols),
                           (int)(waits[i] % cols));
            else
                waits[left++] = waits[i];
        }
        n = left;
    }
    free(waits);
}

/* ---- the whole screen ---- */

static void drop_pen(struct nsc_buf *out, struct nsc_display *display)
{
    if (!is_same(&display->pen, &plain_blank))
        send(out, display->strings.off);
    display->pen = plain_blank;
}

void nsc_display_clear(struct nsc_buf *out, struct nsc_display *display)
{
    send(out, display->strings.off);
    send(out, display->strings.clear);
    send(out, display->strings.hide);
    display->pen = plain_blank;
    display->visible = false;
    display->row = -1;
    for (int i = 0; i < display->rows * display->cols; i++)
        display->shown[i] = plain_blank;
}

void nsc_display_end(struct nsc_buf *out, struct nsc_display *display, int row, int col)
{
    bool visible = row >= 0;

    drop_pen(out, display);
    if (visible)
        move_to(out, display, row, col);
    if (visible != display->visible)
        send(out, visible ? display->strings.show : display->strings.hide);
    display->visible = visible;
}

void nsc_display_shift(struct nsc_buf *out, struct nsc_display *display, int row, int col, int by)
{
    struct nsc_ink *cells = shown_at(display, row, col);
    int n = display->cols - col - abs(by);

    move_to(out, display, row, col);
    send(out, tiparm(by > 0 ? display->strings.remove : display->strings.insert, abs(by)));
    memmove(by > 0 ? cells : cells - by, by > 0 ? cells + by : cells, (size_t)n * sizeof *cells);
    for (int i = 0; i < abs(by); i++)
        cells[by > 0 ? n + i : i] = plain_blank;
}

void nsc_display_scroll(struct nsc_buf *out, struct nsc_display *display, int top, int end, int by)
{
    int n = end - top - abs(by); /* rows that stay */
    size_t row = (size_t)display->cols * sizeof *display->shown;
    struct nsc_ink *vacated = shown_at(display, by > 0 ? top + n : top, 0);

    send(out, tiparm(display->strings.margins, top, end - 1));
    display->row = -1;
    move_to(out, display, by > 0 ? end - 1 : top, 0);
    for (int i = 0; i < abs(by); i++)
        send(out, by > 0 ? display->strings.scroll_up : display->strings.scroll_down);
    send(out, tiparm(display->strings.margins, 0, display->rows - 1));
    display->row = -1;
    memmove(shown_at(display, by > 0 ? top : top - by, 0),
            shown_at(display, by > 0 ? top + by : top, 0), (size_t)n * row);
    for (int i = 0; i < abs(by) * display->cols; i++)
        vacated[i] = plain_blank;
}
