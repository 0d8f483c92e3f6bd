/*
 * Computes the colours that a terminal would show for a style.
 */
#include "share/screen_paint.h"

enum { DIM_PART = 45, DIM_WHOLE = 100 };

static uint32_t color_or(uint32_t color, uint32_t fallback)
{
    return color == NSC_COLOR_DEFAULT ? fallback : color;
}

static struct nsc_paint_cell paint_of(struct nsc_style style)
{
    struct nsc_paint_cell paint = {color_or(style.fg, NSC_THEME_FG),
                                   color_or(style.bg, NSC_THEME_BG), style.attrs & NSC_STYLE_BOLD,
                                   style.attrs & NSC_STYLE_UNDERLINE};

    if (style.attrs & NSC_STYLE_REVERSE) {
        uint32_t fg = paint.fg;

        paint.fg = paint.bg;
        paint.bg = fg;
    }
    if (style.attrs & NSC_STYLE_DIM)
        paint.fg = nsc_color_mix(paint.fg, paint.bg, DIM_PART, DIM_WHOLE);
    return paint;
}

struct nsc_paint_cell nsc_paint_paper(const struct nsc_theme *theme)
{
    return paint_of(nsc_theme_style(theme, NSC_ROLE_TEXT, 0));
}

struct nsc_paint_cell nsc_paint_cell(const struct nsc_theme *theme, const struct nsc_cell *cell)
{
    return paint_of(nsc_theme_style(theme, cell->role, cell->shade));
}

bool nsc_paint_is_same(struct nsc_paint_cell a, struct nsc_paint_cell b)
{
    return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.underline == b.underline;
}
