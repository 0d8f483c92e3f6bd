/*
 * Writes a screen as SVG: cells of a fixed size, backgrounds and block glyphs as rectangles, the
 * rest as text.
 *
 * The size of a cell differs between fonts. So glyphs that must join without gaps are drawn, and
 * every word has its own position.
 */
#include "share/markup.h"
#include "share/screen_paint.h"

#include <string.h>

/*
 * Sizes are integers, in eighths of a pixel, to avoid rounding and a locale's decimal comma. FONT
 * is the size at which nearly every monospace font is one cell wide.
 */
enum {
    CELL_W = 9,
    CELL_H = 18,
    FONT = 15,
    BASELINE = 13,
    EIGHTHS = 8,
    W = CELL_W * EIGHTHS,
    H = CELL_H * EIGHTHS
};

/* A rectangle inside a cell: x0, x1, y0, y1 in eighths of the cell. */
struct block {
    const char *glyph;
    uint8_t x0, x1, y0, y1;
    uint8_t percent; /* opacity */
};

static const struct block blocks[] = {
    {"█", 0, 8, 0, 8, 100}, {"▉", 0, 7, 0, 8, 100}, {"▊", 0, 6, 0, 8, 100}, {"▋", 0, 5, 0, 8, 100},
    {"▌", 0, 4, 0, 8, 100}, {"▍", 0, 3, 0, 8, 100}, {"▎", 0, 2, 0, 8, 100}, {"▏", 0, 1, 0, 8, 100},
    {"▐", 4, 8, 0, 8, 100}, {"▕", 7, 8, 0, 8, 100}, {"▁", 0, 8, 7, 8, 100}, {"▂", 0, 8, 6, 8, 100},
    {"▃", 0, 8, 5, 8, 100}, {"▄", 0, 8, 4, 8, 100}, {"▅", 0, 8, 3, 8, 100}, {"▆", 0, 8, 2, 8, 100},
    {"▇", 0, 8, 1, 8, 100}, {"▔", 0, 8, 0, 1, 100}, {"▀", 0, 8, 0, 4, 100}, {"░", 0, 8, 0, 8, 25},
    {"▒", 0, 8, 0, 8, 50},  {"▓", 0, 8, 0, 8, 75},
};

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

/* Lines from the centre of a cell to its edges. */
static const struct {
    const char *glyph;
    uint8_t arms;
    uint8_t weight; /* units thick */
} lines[] = {
    {"─", LEFT | RIGHT, 1},
    {"━", LEFT | RIGHT, 3},
    {"│", UP | DOWN, 1},
    {"┃", UP | DOWN, 3},
    {"┌", DOWN | RIGHT, 1},
    {"┐", DOWN | LEFT, 1},
    {"└", UP | RIGHT, 1},
    {"┘", UP | LEFT, 1},
    {"├", UP | DOWN | RIGHT, 1},
    {"┤", UP | DOWN | LEFT, 1},
    {"┬", LEFT | RIGHT | DOWN, 1},
    {"┴", LEFT | RIGHT | UP, 1},
    {"┼", UP | DOWN | LEFT | RIGHT, 1},
    {"╷", DOWN, 1},
    {"╵", UP, 1},
    {"╴", LEFT, 1},
    {"╶", RIGHT, 1},
};

/* In eighths of a pixel. */
struct box {
    unsigned x, y, w, h;
};

struct svg {
    struct nsc_buf *out;
    const struct nsc_grid *grid;
    const struct nsc_theme *theme;
    struct nsc_paint_cell paper;
};

static bool cell_is(const struct nsc_cell *cell, const char *glyph)
{
    return strlen(glyph) == cell->n && memcmp(glyph, cell->text, cell->n) == 0;
}

static bool cell_is_space(const struct nsc_cell *cell)
{
    return cell->n == 0 || cell_is(cell, " ");
}

static const struct block *block_find(const struct nsc_cell *cell)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && cell->n == 3; i++)
        if (cell_is(cell, blocks[i].glyph))
            return &blocks[i];
    return NULL;
}

static int line_find(const struct nsc_cell *cell)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines && cell->n == 3; i++)
        if (cell_is(cell, lines[i].glyph))
            return (int)i;
    return -1;
}

static bool cell_is_drawn(const struct nsc_cell *cell)
{
    return block_find(cell) || line_find(cell) >= 0;
}

static const struct nsc_cell *cell_at(const struct svg *svg, uint32_t row, uint32_t col)
{
    return svg->grid->cells + (size_t)row * svg->grid->cols + col;
}

static struct nsc_paint_cell paint_at(const struct svg *svg, uint32_t row, uint32_t col)
{
    return nsc_paint_cell(svg->theme, cell_at(svg, row, col));
}

static void rect_write(const struct svg *svg, struct box box, uint32_t color, unsigned percent)
{
    nsc_buf_printf(svg->out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%06x\"",
                   box.x, box.y, box.w, box.h, (unsigned)color);
    if (percent < 100)
        nsc_buf_printf(svg->out, " fill-opacity=\"0.%02u\"", percent);
    nsc_buf_puts(svg->out, "/>\n");
}

static void backgrounds_write(const struct svg *svg, uint32_t row)
{
    uint32_t col = 0;

    while (col < svg->grid->cols) {
        uint32_t from = col;
        uint32_t bg = paint_at(svg, row, col).bg;
        struct box box = {from * W, row * H, 0, H};

        while (col < svg->grid->cols && paint_at(svg, row, col).bg == bg)
            col++;
        box.w = (col - from) * W;
        if (bg != svg->paper.bg)
            rect_write(svg, box, bg, 100);
    }
}

static void block_write(const struct svg *svg, uint32_t row, uint32_t col, uint32_t n)
{
    const struct block *block = block_find(cell_at(svg, row, col));
    struct box box = {col * W + block->x0 * (unsigned)CELL_W,
                      row * H + block->y0 * (unsigned)CELL_H,
                      (n - 1) * W + (unsigned)(block->x1 - block->x0) * CELL_W,
                      (unsigned)(block->y1 - block->y0) * CELL_H};

    rect_write(svg, box, paint_at(svg, row, col).fg, block->percent);
}

static void line_write(const struct svg *svg, uint32_t row, uint32_t col, uint32_t n)
{
    int line = line_find(cell_at(svg, row, col));
    uint8_t arms = lines[line].arms;
    unsigned weight = lines[line].weight * (unsigned)EIGHTHS;
    unsigned x = col * W;
    unsigned y = row * H;
    unsigned mx = x + (W - weight) / 2;
    unsigned my = y + (H - weight) / 2;
    uint32_t color = paint_at(svg, row, col).fg;

    if (arms & (LEFT | RIGHT)) {
        unsigned from = arms & LEFT ? x : mx;
        unsigned to = arms & RIGHT ? x + n * W : mx + weight;

        rect_write(svg, (struct box){from, my, to - from, weight}, color, 100);
    }
    if (arms & (UP | DOWN)) {
        unsigned from = arms & UP ? y : my;
        unsigned to = arms & DOWN ? y + H : my + weight;

        rect_write(svg, (struct box){mx, from, weight, to - from}, color, 100);
    }
}

/* Whether a glyph reaches from edge to edge, so that equal neighbours merge into one rectangle. */
static bool cell_spans(const struct nsc_cell *cell)
{
    const struct block *block = block_find(cell);

    return (block && block->x0 == 0 && block->x1 == EIGHTHS) || cell_is(cell, "─") ||
           cell_is(cell, "━");
}

static uint32_t run_length(const struct svg *svg, uint32_t row, uint32_t col)
{
    const struct nsc_cell *first = cell_at(svg, row, col);
    struct nsc_paint_cell paint = paint_at(svg, row, col);
    uint32_t n = 1;

    while (cell_spans(first) && col + n < svg->grid->cols &&
           cell_at(svg, row, col + n)->n == first->n &&
           !memcmp(cell_at(svg, row, col + n)->text, first->text, first->n) &&
           nsc_paint_is_same(paint_at(svg, row, col + n), paint))
        n++;
    return n;
}

static void glyphs_write(const struct svg *svg, uint32_t row)
{
    for (uint32_t col = 0; col < svg->grid->cols;) {
        const struct nsc_cell *cell = cell_at(svg, row, col);
        uint32_t n = 1;

        if (cell_is_drawn(cell)) {
            n = run_length(svg, row, col);
            if (block_find(cell))
                block_write(svg, row, col, n);
            else
                line_write(svg, row, col, n);
        }
        col += n;
    }
}

/* Whether the cell has a plain letter of the expected width: neighbours then form one text. */
static bool cell_is_letter(const struct nsc_cell *cell)
{
    return cell->n == 1 && cell->text[0] > ' ';
}

static uint32_t text_write(const struct svg *svg, uint32_t row, uint32_t col)
{
    struct nsc_paint_cell paint = paint_at(svg, row, col);
    const struct nsc_cell *cell = cell_at(svg, row, col);
    uint32_t n = 1;

    nsc_buf_printf(svg->out, "<text x=\"%u\" y=\"%u\" fill=\"#%06x\"%s%s>",
                   (unsigned)(col * CELL_W), (unsigned)(row * CELL_H + BASELINE),
                   (unsigned)paint.fg, paint.bold ? " font-weight=\"bold\"" : "",
                   paint.underline ? " text-decoration=\"underline\"" : "");
    nsc_markup_add(svg->out, cell->text, cell->n);
    while (cell_is_letter(cell) && col + n < svg->grid->cols &&
           cell_is_letter(cell_at(svg, row, col + n)) &&
           nsc_paint_is_same(paint_at(svg, row, col + n), paint)) {
        nsc_markup_add(svg->out, cell_at(svg, row, col + n)->text, 1);
        n++;
    }
    nsc_buf_puts(svg->out, "</text>\n");
    return n;
}

static void texts_write(const struct svg *svg, uint32_t row)
{
    for (uint32_t col = 0; col < svg->grid->cols;) {
        const struct nsc_cell *cell = cell_at(svg, row, col);

        col += cell_is_space(cell) || cell_is_drawn(cell) ? 1 : text_write(svg, row, col);
    }
}

void nsc_screen_svg_write(struct nsc_buf *out, const struct nsc_grid *grid,
                          const struct nsc_theme *theme)
{
    struct svg svg = {out, grid, theme, nsc_paint_paper(theme)};
    unsigned width = grid->cols * CELL_W;
    unsigned height = grid->rows * CELL_H;

    nsc_buf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
        "viewBox=\"0 0 %u %u\" font-size=\"%d\" font-family=\"'DejaVu Sans Mono', Menlo, "
        "Consolas, monospace\">\n<rect width=\"%u\" height=\"%u\" fill=\"#%06x\"/>\n",
        width, height, width, height, FONT, width, height, (unsigned)svg.paper.bg);
    nsc_buf_puts(out, "<g shape-rendering=\"crispEdges\" transform=\"scale(0.125)\">\n");
    for (uint32_t row = 0; row < grid->rows; row++) {
        backgrounds_write(&svg, row);
        glyphs_write(&svg, row);
    }
    nsc_buf_puts(out, "</g>\n<g>\n");
    for (uint32_t row = 0; row < grid->rows; row++)
        texts_write(&svg, row);
    nsc_buf_puts(out, "</g>\n</svg>\n");
}
