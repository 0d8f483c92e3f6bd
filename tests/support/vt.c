/* A terminal for tests: the part of xterm that drawing uses. */
#include "support/vt.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { MAX_PARAMS = 16, ON_BLANKS = 1 << 4 | 1 << 7 | 1 << 9 }; /* underlined, reversed, struck */

static struct vt_cell *cell_at(struct vt *vt, int row, int col)
{
    return &vt->cells[row * vt->cols + col];
}

static int clamp(int value, int end)
{
    return value < 0 ? 0 : value >= end ? end - 1 : value;
}

static struct vt_cell erased(const struct vt *vt)
{
    struct vt_cell cell = {.text = " ", .fg = -1, .bg = vt->pen.bg};

    return cell;
}

static void erase(struct vt *vt, int row, int from, int to)
{
    for (int c = from; c < to && c < vt->cols; c++)
        *cell_at(vt, row, c) = erased(vt);
}

void vt_init(struct vt *vt, int rows, int cols)
{
    memset(vt, 0, sizeof *vt);
    vt->rows = vt->end = rows;
    vt->cols = cols;
    vt->pen.fg = vt->pen.bg = -1;
    vt->saved.pen = vt->pen;
    vt->cells = nsc_xcalloc((size_t)rows * (size_t)cols, sizeof *vt->cells);
    for (int r = 0; r < rows; r++)
        erase(vt, r, 0, cols);
}

void vt_fini(struct vt *vt)
{
    free(vt->cells);
    free(vt->rest);
}

void vt_resize(struct vt *vt, int rows, int cols)
{
    struct vt old = *vt;

    vt_init(vt, rows, cols);
    for (int r = 0; r < rows && r < old.rows; r++)
        memcpy(cell_at(vt, r, 0), cell_at(&old, r, 0),
               (size_t)(cols < old.cols ? cols : old.cols) * sizeof *vt->cells);
    free(old.cells);
    vt->pen = old.pen;
    vt->rest = old.rest;
    vt->n_rest = old.n_rest;
    vt->row = clamp(old.row, rows);
    vt->col = clamp(old.col, cols);
}

char *vt_row_text(const struct vt *vt, int row)
{
    char *text = nsc_xmalloc((size_t)vt->cols * sizeof vt->cells->text + 1);
    size_t n = 0;

    for (int c = 0; c < vt->cols; c++) {
        const char *cell = vt->cells[row * vt->cols + c].text;

        memcpy(text + n, cell, strlen(cell));
        n += strlen(cell);
    }
    text[n] = '\0';
    return text;
}

bool vt_cell_equals(const struct vt_cell *a, const struct vt_cell *b)
{
    bool is_plain = !strcmp(a->text, " ") && !(a->attrs & ON_BLANKS);

    return !strcmp(a->text, b->text) && a->bg == b->bg &&
           (is_plain ? !(b->attrs & ON_BLANKS) : a->attrs == b->attrs && a->fg == b->fg);
}

static void go(struct vt *vt, int row, int col)
{
    vt->row = clamp(row, vt->rows);
    vt->col = clamp(col, vt->cols);
    vt->wraps = false;
}

/* Moves the rows [from, vt->end) up, or down if by is negative. */
static void scroll(struct vt *vt, int from, int by)
{
    int n = vt->end - from;
    int gone = by < 0 ? -by : by;
    size_t row = (size_t)vt->cols * sizeof *vt->cells;

    if (n <= 0)
        return;
    gone = gone < n ? gone : n;
    memmove(cell_at(vt, from + (by < 0 ? gone : 0), 0), cell_at(vt, from + (by < 0 ? 0 : gone), 0),
            (size_t)(n - gone) * row);
    for (int r = 0; r < gone; r++)
        erase(vt, by < 0 ? from + r : vt->end - 1 - r, 0, vt->cols);
}

static void line_feed(struct vt *vt)
{
    if (vt->row + 1 == vt->end)
        scroll(vt, vt->top, 1);
    else
        go(vt, vt->row + 1, vt->col);
}

static void set_margins(struct vt *vt, int first, int last)
{
    vt->top = clamp(first - 1, vt->rows);
    vt->end = last > first && last <= vt->rows ? last : vt->rows;
    go(vt, 0, 0);
}

void vt_print(const struct vt *vt, FILE *file)
{
    for (int r = 0; r < vt->rows; r++) {
        char *row = vt_row_text(vt, r);
        size_t n = strlen(row);

        while (n && row[n - 1] == ' ')
            n--;
        fprintf(file, "%.*s\n", (int)n, row);
        free(row);
    }
}

void vt_print_ink(const struct vt *vt, FILE *file)
{
    for (int i = 0; i < vt->rows * vt->cols; i++) {
        const struct vt_cell *cell = &vt->cells[i];
        bool blank = !strcmp(cell->text, " ");

        fprintf(file, "%s/%d/%d/%u%c", cell->text, blank ? -1 : cell->fg, cell->bg,
                blank ? cell->attrs & ON_BLANKS : cell->attrs, (i + 1) % vt->cols ? ' ' : '\n');
    }
}

/* ---- text ---- */

static void write_char(struct vt *vt, const char *bytes, int width)
{
    struct vt_cell *cell = NULL;

    if (vt->wraps) {
        line_feed(vt);
        go(vt, vt->row, 0);
    }
    cell = cell_at(vt, vt->row, vt->col);
    *cell = vt->pen;
    strcpy(cell->text, bytes);
    strcpy(vt->last, bytes);
    if (width == 2 && vt->col + 1 < vt->cols) {
        cell[1] = vt->pen;
        cell[1].text[0] = '\0';
    }
    vt->wraps = vt->col + width >= vt->cols;
    vt->col = clamp(vt->col + width, vt->cols);
}

static void write_mark(struct vt *vt, const char *bytes)
{
    int col = vt->wraps || !vt->col ? vt->col : vt->col - 1;
    struct vt_cell *cell = NULL;

    while (col > 0 && !cell_at(vt, vt->row, col)->text[0])
        col--;
    cell = cell_at(vt, vt->row, col);
    if (strlen(cell->text) + strlen(bytes) < sizeof cell->text)
        strcat(cell->text, bytes);
}

/* The feeders return how many bytes they took: 0 while the end of a character or sequence is
 * missing. */
static size_t feed_char(struct vt *vt, const unsigned char *bytes, size_t n)
{
    unsigned more = bytes[0] < 0xc0 ? 0 : bytes[0] < 0xe0 ? 1 : bytes[0] < 0xf0 ? 2 : 3;
    wchar_t code = (wchar_t)(more ? bytes[0] & (0x3fu >> more) : bytes[0]);
    char text[5] = {(char)bytes[0]};
    int width = 0;

    if (n <= more)
        return 0;
    for (unsigned i = 1; i <= more; i++) {
        text[i] = (char)bytes[i];
        code = (wchar_t)((unsigned)code << 6 | (bytes[i] & 0x3fu));
    }
    width = wcwidth(code);
    if (width > 0)
        write_char(vt, text, width);
    else
        write_mark(vt, text);
    return more + 1;
}

/* ---- sequences ---- */

static int color_of(const int *params, int n, int *i)
{
    if (*i + 2 < n && params[*i + 1] == 5) {
        *i += 2;
        return params[*i];
    }
    *i = n;
    return -2;
}

static void set_pen(struct vt *vt, const int *params, int n)
{
    for (int i = 0; i < n; i++) {
        int p = params[i];

        if (p == 0) {
            vt->pen.fg = vt->pen.bg = -1;
            vt->pen.attrs = 0;
        } else if (p < 10) {
            vt->pen.attrs |= 1u << p;
        } else if (p < 20) {
            continue; /* a font */
        } else if (p < 30) {
            vt->pen.attrs &= p == 22 ? ~6u : ~(1u << (p - 20));
        } else if (p == 38) {
            vt->pen.fg = color_of(params, n, &i);
        } else if (p == 48) {
            vt->pen.bg = color_of(params, n, &i);
        } else if (p < 40) {
            vt->pen.fg = p == 39 ? -1 : p - 30;
        } else if (p < 50) {
            vt->pen.bg = p == 49 ? -1 : p - 40;
        } else if (p >= 90 && p < 98) {
            vt->pen.fg = p - 82;
        } else if (p >= 100 && p < 108) {
            vt->pen.bg = p - 92;
        }
    }
}

static void shift_row(struct vt *vt, int by, bool insert)
{
    struct vt_cell *row = cell_at(vt, vt->row, 0);
    int left = vt->cols - vt->col;

    by = by < left ? by : left;
    if (insert)
        memmove(row + vt->col + by, row + vt->col, (size_t)(left - by) * sizeof *row);
    else
        memmove(row + vt->col, row + vt->col + by, (size_t)(left - by) * sizeof *row);
    erase(vt, vt->row, insert ? vt->col : vt->cols - by, insert ? vt->col + by : vt->cols);
}

static void erase_screen(struct vt *vt, int what)
{
    for (int r = what == 2 ? 0 : vt->row + 1; r < vt->rows; r++)
        erase(vt, r, 0, vt->cols);
    if (what != 2)
        erase(vt, vt->row, vt->col, vt->cols);
}

static void erase_line(struct vt *vt, int what)
{
    erase(vt, vt->row, what ? 0 : vt->col, what == 1 ? vt->col + 1 : vt->cols);
}

static void control(struct vt *vt, char final, const int *params, int n)
{
    int p = params[0] ? params[0] : 1;
    char repeated[8];

    switch (final) {
    case 'A':
        go(vt, vt->row - p, vt->col);
        break;
    case 'B':
        go(vt, vt->row + p, vt->col);
        break;
    case 'C':
        go(vt, vt->row, vt->col + p);
        break;
    case 'D':
        go(vt, vt->row, vt->col - p);
        break;
    case 'G':
        go(vt, vt->row, p - 1);
        break;
    case 'd':
        go(vt, p - 1, vt->col);
        break;
    case 'H':
        go(vt, p - 1, (n > 1 && params[1] ? params[1] : 1) - 1);
        break;
    case 'J':
        erase_screen(vt, params[0]);
        break;
    case 'K':
        erase_line(vt, params[0]);
        break;
    case 'X':
        erase(vt, vt->row, vt->col, vt->col + p);
        break;
    case 'P':
        shift_row(vt, p, false);
        break;
    case '@':
        shift_row(vt, p, true);
        break;
    case 'L':
        scroll(vt, vt->row, -p);
        break;
    case 'M':
        scroll(vt, vt->row, p);
        break;
    case 'S':
        scroll(vt, vt->top, p);
        break;
    case 'T':
        scroll(vt, vt->top, -p);
        break;
    case 'm':
        set_pen(vt, params, n);
        break;
    case 'b':
        strcpy(repeated, vt->last);
        while (p--)
            write_char(vt, repeated, 1);
        break;
    case 'h':
    case 'l':
    case 't':
        break;
    case 'r':
        set_margins(vt, p, params[1]);
        break;
    default:
        vt->unknown++;
    }
}

static size_t feed_control(struct vt *vt, const unsigned char *bytes, size_t n)
{
    int params[MAX_PARAMS] = {0};
    int count = 1;
    size_t i = 0;

    for (; i < n && bytes[i] >= 0x20 && bytes[i] < 0x40; i++) {
        if (bytes[i] == ';' && count < MAX_PARAMS)
            count++;
        else if (bytes[i] >= '0' && bytes[i] <= '9')
            params[count - 1] = params[count - 1] * 10 + bytes[i] - '0';
    }
    if (i == n)
        return 0;
    control(vt, (char)bytes[i], params, count);
    return i + 1;
}

/* Skips an OSC up to BEL; it does not change the screen. */
static size_t feed_string(const unsigned char *bytes, size_t n)
{
    const unsigned char *end = memchr(bytes, '\a', n);

    return end ? (size_t)(end - bytes) + 1 : 0;
}

/* Saves the cursor and its pen, or restores them. */
static void keep_cursor(struct vt *vt, bool saves)
{
    if (saves) {
        vt->saved.row = vt->row;
        vt->saved.col = vt->col;
        vt->saved.pen = vt->pen;
    } else {
        vt->pen = vt->saved.pen;
        go(vt, vt->saved.row, vt->saved.col);
    }
}

static size_t feed_escape(struct vt *vt, const unsigned char *bytes, size_t n)
{
    size_t more = 0;

    if (n < 2)
        return 0;
    if (bytes[1] == '[' || bytes[1] == ']') {
        more = bytes[1] == '[' ? feed_control(vt, bytes + 2, n - 2) : feed_string(bytes + 2, n - 2);
        return more ? 2 + more : 0;
    }
    if (bytes[1] == '(' || bytes[1] == ')')
        return n > 2 ? 3 : 0;
    if (bytes[1] == 'M' && vt->row == vt->top)
        scroll(vt, vt->top, -1);
    else if (bytes[1] == 'M')
        go(vt, vt->row - 1, vt->col);
    else if (bytes[1] == '7' || bytes[1] == '8')
        keep_cursor(vt, bytes[1] == '7');
    else if (!strchr("=>", bytes[1]))
        vt->unknown++;
    return 2;
}

static size_t feed_one(struct vt *vt, const unsigned char *bytes, size_t n)
{
    if (*bytes == '\x1b')
        return feed_escape(vt, bytes, n);
    if (*bytes >= ' ')
        return feed_char(vt, bytes, n);
    if (*bytes == '\b')
        go(vt, vt->row, vt->col - 1);
    else if (*bytes == '\r')
        go(vt, vt->row, 0);
    else if (*bytes == '\n')
        line_feed(vt);
    return 1;
}

void vt_feed(struct vt *vt, const char *text, size_t n)
{
    size_t total = vt->n_rest + n;
    char *bytes = nsc_xrealloc(vt->rest, total + 1, 1);
    size_t at = 0;
    size_t took = 1;

    if (n > 0)
        memcpy(bytes + vt->n_rest, text, n);
    while (at < total && took) {
        took = feed_one(vt, (const unsigned char *)bytes + at, total - at);
        at += took;
    }
    vt->n_rest = total - at;
    memmove(bytes, bytes + at, vt->n_rest);
    vt->rest = bytes;
}
