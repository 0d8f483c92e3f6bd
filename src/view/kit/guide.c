/* Draws guides: Markdown with wrapped lines, and colours for headings and code. */
#include "core/text.h"
#include "view/kit/grid.h"
#include "view/kit/help.h"

#include <string.h>

enum { MOST_COLS = 100, FRAME = 2, NUMBER = 3 /* "03-" */, LINE_BYTES = 1024 };

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

/* A line without the marks of Markdown: guides are ASCII. */
struct plain {
    char bytes[LINE_BYTES];
    bool is_code[LINE_BYTES];
    uint32_t n;
};

/* Finds "[words](target)" at the start of text. Returns its length, and sets n to that of the words;
 * returns 0 if something else is there. */
static uint32_t find_link(struct nsc_text text, uint32_t *n)
{
    const char *middle = text.bytes[0] == '[' ? memchr(text.bytes, ']', text.n) : NULL;
    uint32_t at = middle ? (uint32_t)(middle - text.bytes) : 0;
    const char *end =
        at && at + 1 < text.n && middle[1] == '(' ? memchr(middle, ')', text.n - at) : NULL;

    *n = at ? at - 1 : 0;
    return end ? (uint32_t)(end - text.bytes) + 1 : 0;
}

/* Leaves out the marks of code and bold, and of links all but their words. */
static void plain_add(struct plain *out, struct nsc_text text)
{
    uint32_t words_end = 0, link_end = 0; /* of the link at i */
    bool is_code = false;

    for (uint32_t i = 0; i < text.n && out->n < LINE_BYTES; i++) {
        struct nsc_text rest = {text.bytes + i, text.n - i};
        uint32_t n, link = is_code ? 0 : find_link(rest, &n);

        if (link > 0) {
            words_end = i + 1 + n;
            link_end = i + link;
        } else if (words_end && i == words_end) {
            i = link_end - 1;
        } else if (rest.bytes[0] == '`') {
            is_code = !is_code;
        } else if (!is_code && nsc_text_begins(rest, "**")) {
            i++;
        } else {
            out->is_code[out->n] = is_code;
            out->bytes[out->n++] = rest.bytes[0];
        }
    }
}

/* Draws bytes [from, to) of a line, code in its own colour. */
static void put_line(struct drawing *drawing, const struct plain *plain, enum nsc_role role,
                     uint32_t from, uint32_t to)
{
    int row = drawing->line - drawing->top;
    uint32_t end;

    drawing->line++;
    if (!drawing->grid || row < 0 || row >= drawing->inner.rows)
        return;
    for (uint32_t i = from; i < to; i = end) {
        int col = (int)(i - from);

        for (end = i + 1; end < to && plain->is_code[end] == plain->is_code[i]; end++)
            ;
        nsc_grid_text(drawing->grid, drawing->inner.row + row, drawing->inner.col + col,
                      drawing->inner.cols - col, plain->is_code[i] ? NSC_ROLE_KEY : role,
                      (struct nsc_text){plain->bytes + i, end - i});
    }
}

/* The end of the line that begins at from: the last blank that fits, or all that fit. */
static uint32_t line_end(const struct plain *plain, uint32_t from, int cols)
{
    uint32_t most = from + (uint32_t)cols;

    if (plain->n <= most)
        return plain->n;
    for (uint32_t i = most; i > from + (uint32_t)cols / 2; i--)
        if (plain->bytes[i] == ' ')
            return i;
    return most;
}

static void put_wrapped(struct drawing *drawing, enum nsc_role role, const struct plain *plain)
{
    uint32_t from = 0;

    do {
        uint32_t end = line_end(plain, from, drawing->inner.cols);

        put_line(drawing, plain, role, from, end);
        for (from = end; from < plain->n && plain->bytes[from] == ' '; from++)
            ;
    } while (from < plain->n);
}

static void put_paragraph(struct drawing *drawing, enum nsc_role role, struct nsc_text text)
{
    struct plain plain = {.n = 0};

    plain_add(&plain, text);
    put_wrapped(drawing, role, &plain);
}

enum { FIRST_CELL_COLS = 26 };

/* A cell without the blanks and bars at its ends. */
static struct nsc_text cell_trim(struct nsc_text cell)
{
    while (cell.n && (cell.bytes[0] == ' ' || cell.bytes[0] == '|'))
        cell = (struct nsc_text){cell.bytes + 1, cell.n - 1};
    while (cell.n && (cell.bytes[cell.n - 1] == ' ' || cell.bytes[cell.n - 1] == '|'))
        cell.n--;
    return cell;
}

/* Draws "| a | b |": a in its own column, b after it, wrapped. */
static void put_cells(struct drawing *drawing, struct nsc_text text)
{
    struct nsc_text inner = {text.bytes + 1, text.n - 1};
    const char *bar = inner.n ? memchr(inner.bytes, '|', inner.n) : NULL;
    uint32_t first = bar ? (uint32_t)(bar - inner.bytes) : inner.n;
    struct drawing left = *drawing, right = *drawing;
    struct plain plain = {.n = 0};

    if (inner.n > 3 && memcmp(inner.bytes, " ---", 4) == 0)
        return;
    plain_add(&plain, cell_trim((struct nsc_text){inner.bytes, first}));
    memset(plain.is_code, true, sizeof plain.is_code);
    left.inner.cols = FIRST_CELL_COLS - 1;
    put_line(&left, &plain, NSC_ROLE_KEY, 0, plain.n);
    right.inner.col += FIRST_CELL_COLS;
    right.inner.cols -= FIRST_CELL_COLS;
    put_paragraph(&right, NSC_ROLE_TEXT,
                  cell_trim((struct nsc_text){inner.bytes + first, inner.n - first}));
    drawing->line = right.line;
}

static void put_text(struct drawing *drawing, struct nsc_text text)
{
    if (nsc_text_begins(text, "```")) {
        drawing->code = !drawing->code;
    } else if (drawing->code) {
        put_paragraph(drawing, NSC_ROLE_KEY, text);
    } else if (nsc_text_begins(text, "#")) {
        while (nsc_text_begins(text, "#") || nsc_text_begins(text, " "))
            text = (struct nsc_text){text.bytes + 1, text.n - 1};
        put_paragraph(drawing, NSC_ROLE_GROUP, text);
    } else if (nsc_text_begins(text, "|")) {
        put_cells(drawing, text);
    } else if (!nsc_text_begins(text, "<!--") && !nsc_text_begins(text, "![")) {
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
