/*
 * Writes a screen as an HTML page: one pre element, a class for each style, no external resources,
 * no script.
 */
#include "core/vec.h"
#include "share/markup.h"
#include "share/screen_paint.h"

struct styles {
    NSC_VEC(struct nsc_paint_cell) all;
};

/* The number of a style; adds it if it is new. hint: its probable number. */
static size_t style_number(struct styles *styles, struct nsc_paint_cell paint, size_t hint)
{
    if (hint < styles->all.n && nsc_paint_is_same(styles->all.at[hint], paint))
        return hint;
    for (size_t i = 0; i < styles->all.n; i++)
        if (nsc_paint_is_same(styles->all.at[i], paint))
            return i;
    *NSC_VEC_ADD(&styles->all) = paint;
    return styles->all.n - 1;
}

/* Fits the columns into the width of the window: a letter is at most 0.605 em wide. Letters below 9 px scroll instead. */
static void size_write(struct nsc_buf *out, uint32_t cols)
{
    double margins = 2, letter = 0.605;

    nsc_buf_printf(out, "pre{overflow-x:auto;font-size:clamp(9px,98vw/%.1f,16px)}\n",
                   (cols + margins) * letter);
}

static void rules_write(struct nsc_buf *out, const struct styles *styles)
{
    struct nsc_paint_cell paper = styles->all.at[0];

    nsc_buf_printf(out,
                   "body{margin:0;background:#%06x}\n"
                   "pre{margin:0;padding:1ch;color:#%06x;background:#%06x;line-height:1.2;"
                   "font-family:ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace}\n",
                   (unsigned)paper.bg, (unsigned)paper.fg, (unsigned)paper.bg);
    for (size_t i = 1; i < styles->all.n; i++) {
        struct nsc_paint_cell style = styles->all.at[i];

        nsc_buf_printf(out, ".s%zu{color:#%06x", i, (unsigned)style.fg);
        if (style.bg != paper.bg)
            nsc_buf_printf(out, ";background:#%06x", (unsigned)style.bg);
        nsc_buf_puts(out, style.bold ? ";font-weight:bold" : "");
        nsc_buf_puts(out, style.underline ? ";text-decoration:underline" : "");
        nsc_buf_puts(out, "}\n");
    }
}

static void row_write(struct nsc_buf *out, const struct nsc_cell *cells, uint32_t cols,
                      const struct nsc_theme *theme, struct styles *styles)
{
    size_t at = 0;

    for (uint32_t col = 0; col < cols; col++) {
        size_t style = style_number(styles, nsc_paint_cell(theme, &cells[col]), at);

        if (style != at && at)
            nsc_buf_puts(out, "</span>");
        if (style != at && style)
            nsc_buf_printf(out, "<span class=\"s%zu\">", style);
        at = style;
        nsc_markup_add(out, cells[col].text, cells[col].n);
    }
    nsc_buf_puts(out, at ? "</span>\n" : "\n");
}

void nsc_screen_html_write(struct nsc_buf *out, const struct nsc_grid *grid,
                           const struct nsc_theme *theme)
{
    struct styles styles = {{0}};
    size_t n = (size_t)grid->rows * grid->cols;
    size_t at = style_number(&styles, nsc_paint_paper(theme), 0);

    for (size_t i = 0; i < n; i++)
        at = style_number(&styles, nsc_paint_cell(theme, &grid->cells[i]), at);
    nsc_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'\">\n"
                      "<title>nsyscope</title>\n<style>\n");
    rules_write(out, &styles);
    size_write(out, grid->cols);
    nsc_buf_puts(out, "</style>\n</head>\n<body>\n<pre>\n");
    for (uint32_t row = 0; row < grid->rows; row++)
        row_write(out, grid->cells + (size_t)row * grid->cols, grid->cols, theme, &styles);
    nsc_buf_puts(out, "</pre>\n</body>\n</html>\n");
    NSC_VEC_FINI(&styles.all);
}
