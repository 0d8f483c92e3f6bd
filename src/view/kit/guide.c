/* Draws guides: Markdown with wrapped lines, and colours for headings and code. */
#include "view/kit/guide.h"

#include "core/text.h"
#include "view/kit/grid.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLS = 100, FRAME = 2, NUMBER = 3 /* "03-" */ };

const char *nsc_guide_topic(const struct nsc_guide_file *guide)
{
    return guide->name + NUMBER;
}

struct nsc_text nsc_guide_title(const struct nsc_guide_file *guide)
{
    const char *title = guide->text + 2;

    return (struct nsc_text){title, (uint32_t)strcspn(title, "\n")};
}

const struct nsc_guide_file *nsc_page_find(const char *name)
{
    for (unsigned i = 0; name && i < nsc_n_page_files; i++)
        if (strcmp(nsc_page_files[i].name, name) == 0)
            return &nsc_page_files[i];
    return NULL;
}

const struct nsc_guide_file *nsc_guide_find(struct nsc_text topic)
{
    for (unsigned i = 0; topic.n > 0 && i < nsc_n_guide_files; i++) {
        const struct nsc_guide_file *guide = &nsc_guide_files[i];
        bool is_number = (topic.n == 1 && topic.bytes[0] == guide->name[1]) ||
                         (topic.n == 2 && memcmp(topic.bytes, guide->name, 2) == 0);

        if (is_number || nsc_text_is(topic, guide->name) ||
            nsc_text_is(topic, nsc_guide_topic(guide)))
            return guide;
    }
    for (unsigned i = 0; topic.n > 2 && i < nsc_n_guide_files; i++)
        if (nsc_text_contains_folded(nsc_guide_title(&nsc_guide_files[i]), topic))
            return &nsc_guide_files[i];
    return NULL;
}

/* ---- drawing ---- */

struct drawing {
    struct nsc_grid *grid;
    struct nsc_rect inner;
    int top, line; /* lines scrolled off; current line */
    bool code;     /* inside a fenced block */
};

static void put_line(struct drawing *drawing, enum nsc_role role, struct nsc_text text)
{
    int row = drawing->line - drawing->top;

    drawing->line++;
    if (drawing->grid && row >= 0 && row < drawing->inner.rows)
        nsc_grid_text(drawing->grid, drawing->inner.row + row, drawing->inner.col,
                      drawing->inner.cols, role, text);
}

/* The bytes of text that go on one line: up to the last blank that fits, or all that fit. */
static uint32_t fitting(struct nsc_text text, int cols)
{
    uint32_t most = (uint32_t)cols;

    if (text.n <= most)
        return text.n;
    for (uint32_t i = most; i > most / 2; i--)
        if (text.bytes[i] == ' ')
            return i;
    return most;
}

/* Wraps a paragraph. Guides are ASCII. */
static void put_paragraph(struct drawing *drawing, enum nsc_role role, struct nsc_text text)
{
    do {
        uint32_t n = fitting(text, drawing->inner.cols);

        put_line(drawing, role, (struct nsc_text){text.bytes, n});
        text = (struct nsc_text){text.bytes + n, text.n - n};
        while (text.n && text.bytes[0] == ' ')
            text = (struct nsc_text){text.bytes + 1, text.n - 1};
    } while (text.n);
}

enum { FIRST_CELL_COLS = 26, CELL_BYTES = 512 };

/* Copies a cell without the marks of code and the blanks and bars at its ends. */
static struct nsc_text cell_clean(char out[CELL_BYTES], struct nsc_text cell)
{
    uint32_t n = 0;

    while (cell.n && (cell.bytes[0] == ' ' || cell.bytes[0] == '|'))
        cell = (struct nsc_text){cell.bytes + 1, cell.n - 1};
    while (cell.n && (cell.bytes[cell.n - 1] == ' ' || cell.bytes[cell.n - 1] == '|'))
        cell.n--;
    for (uint32_t i = 0; i < cell.n && n < CELL_BYTES; i++)
        if (cell.bytes[i] != '`')
            out[n++] = cell.bytes[i];
    return (struct nsc_text){out, n};
}

/* Draws "| a | b |": a in its own column, b after it, wrapped. */
static void put_cells(struct drawing *drawing, struct nsc_text text)
{
    struct nsc_text inner = {text.bytes + 1, text.n - 1};
    const char *bar = inner.n ? memchr(inner.bytes, '|', inner.n) : NULL;
    uint32_t first = bar ? (uint32_t)(bar - inner.bytes) : inner.n;
    char first_cell[CELL_BYTES];
    char rest_cell[CELL_BYTES];
    int row = drawing->line - drawing->top;
    struct drawing column = *drawing;

    if (inner.n > 3 && memcmp(inner.bytes, " ---", 4) == 0)
        return;
    if (drawing->grid && row >= 0 && row < drawing->inner.rows)
        nsc_grid_text(drawing->grid, drawing->inner.row + row, drawing->inner.col,
                      FIRST_CELL_COLS - 1, NSC_ROLE_KEY,
                      cell_clean(first_cell, (struct nsc_text){inner.bytes, first}));
    column.inner.col += FIRST_CELL_COLS;
    column.inner.cols -= FIRST_CELL_COLS;
    put_paragraph(&column, NSC_ROLE_TEXT,
                  cell_clean(rest_cell, (struct nsc_text){inner.bytes + first, inner.n - first}));
    drawing->line = column.line;
}

static bool begins(struct nsc_text text, const char *with)
{
    size_t n = strlen(with);

    return text.n >= n && memcmp(text.bytes, with, n) == 0;
}

static void put_text(struct drawing *drawing, struct nsc_text text)
{
    if (begins(text, "```")) {
        drawing->code = !drawing->code;
    } else if (drawing->code) {
        put_paragraph(drawing, NSC_ROLE_KEY, text);
    } else if (begins(text, "#")) {
        while (begins(text, "#") || begins(text, " "))
            text = (struct nsc_text){text.bytes + 1, text.n - 1};
        put_line(drawing, NSC_ROLE_GROUP, text);
    } else if (begins(text, "|")) {
        put_cells(drawing, text);
    } else if (!begins(text, "<!--") && !begins(text, "![")) {
        put_paragraph(drawing, NSC_ROLE_TEXT, text);
    }
}

static void put_guide(struct drawing *drawing, const struct nsc_guide_file *guide)
{
    for (const char *at = guide->text; *at;) {
        struct nsc_text text = {at, (uint32_t)strcspn(at, "\n")};

        put_text(drawing, text);
        at += text.n + (at[text.n] == '\n');
    }
}

int nsc_guide_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_guide_file *guide,
                   int top)
{
    struct nsc_rect box = rect;
    struct drawing drawing = {.top = top};
    int most;

    if (box.cols > MOST_COLS + FRAME) {
        box.col += (box.cols - MOST_COLS - FRAME) / 2;
        box.cols = MOST_COLS + FRAME;
    }
    drawing.inner =
        (struct nsc_rect){box.row + 1, box.col + 2, box.rows - FRAME, box.cols - 2 * FRAME};
    if (drawing.inner.rows <= 0 || drawing.inner.cols < FIRST_CELL_COLS + 4)
        return 0;
    put_guide(&drawing, guide);
    most = drawing.line > drawing.inner.rows ? drawing.line - drawing.inner.rows : 0;
    if (!grid)
        return most;
    nsc_box_draw(grid, box, " Guide ");
    drawing = (struct drawing){grid, drawing.inner, top < most ? top : most, 0, false};
    put_guide(&drawing, guide);
    if (most > 0)
        nsc_grid_puts_right(grid, box.row + box.rows - 1, box.col + 2, box.cols - 4, NSC_ROLE_DIM,
                            " ↑ ↓ scroll, q closes ");
    return most;
}
