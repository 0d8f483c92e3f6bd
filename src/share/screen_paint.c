/*
 * Computes the colours that a terminal would show for a style.
 */
#include "share/screen_paint.h"

#include "view/kit/theme.h"

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

void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (bytes[i]) {
        case '&':
            nsc_buf_puts(out, "&amp;");
            break;
        case '<':
            nsc_buf_puts(out, "&lt;");
            break;
        case '>':
            nsc_buf_puts(out, "&gt;");
            break;
        case '"':
            nsc_buf_puts(out, "&quot;");
            break;
        case '\'':
            nsc_buf_puts(out, "&#39;");
            break;
        default:
            nsc_buf_putc(out, bytes[i]);
        }
    }
}

void nsc_markup_text(struct nsc_buf *out, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    nsc_markup_add(out, clean.bytes, clean.n);
    nsc_buf_fini(&clean);
}
