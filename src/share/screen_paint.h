/*
 * Final colours of cells. Private to screen*.c.
 */
#ifndef NSC_SHARE_SCREEN_PAINT_H
#define NSC_SHARE_SCREEN_PAINT_H

#include "core/buf.h"
#include "view/kit/theme.h"

/* Two final colours: reverse and dim are applied, the terminal's own colours replaced. */
struct nsc_paint_cell {
    uint32_t fg, bg;
    bool bold, underline;
};

/* The colours of an empty screen. */
struct nsc_paint_cell nsc_paint_paper(const struct nsc_theme *theme);
struct nsc_paint_cell nsc_paint_cell(const struct nsc_theme *theme, const struct nsc_cell *cell);
bool nsc_paint_is_same(struct nsc_paint_cell a, struct nsc_paint_cell b);

void nsc_screen_svg_write(struct nsc_buf *out, const struct nsc_grid *grid,
                          const struct nsc_theme *theme);
void nsc_screen_html_write(struct nsc_buf *out, const struct nsc_grid *grid,
                           const struct nsc_theme *theme);

#endif
