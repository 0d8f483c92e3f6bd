/*
 * Final colours of cells for files that are no terminal, and the text of markup. Private to
 * screen*.c.
 */
#ifndef NSC_SHARE_SCREEN_PAINT_H
#define NSC_SHARE_SCREEN_PAINT_H

#include "core/buf.h"
#include "view/kit/theme.h"

/* Two real colours: nothing is left to the terminal, reverse and dim are worked in. */
struct nsc_paint_cell {
    uint32_t fg, bg;
    bool bold, underline;
};

/* What an empty screen looks like. */
struct nsc_paint_cell nsc_paint_paper(const struct nsc_theme *theme);
struct nsc_paint_cell nsc_paint_cell(const struct nsc_theme *theme, const struct nsc_cell *cell);
bool nsc_paint_is_same(struct nsc_paint_cell a, struct nsc_paint_cell b);

/* Clean text inside of XML or HTML: the characters with a meaning there become entities. */
void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n);

void nsc_screen_svg_write(struct nsc_buf *out, const struct nsc_grid *grid,
                          const struct nsc_theme *theme);
void nsc_screen_html_write(struct nsc_buf *out, const struct nsc_grid *grid,
                           const struct nsc_theme *theme);

#endif
