/*
 * Writes a screen as plain text or with ANSI colours, and finds a format by name.
 */
#include "share/screen.h"

#include "core/text.h"
#include "share/screen_paint.h"

#include <string.h>
#include <strings.h>

static const char *const formats[NSC_N_SCREEN_FORMATS] = {
    [NSC_SCREEN_TEXT] = "text", [NSC_SCREEN_ANSI] = "ansi", [NSC_SCREEN_ANSI256] = "ansi256",
    [NSC_SCREEN_SVG] = "svg",   [NSC_SCREEN_HTML] = "html",
};

enum nsc_screen_format nsc_screen_format_find(struct nsc_text name)
{
    return (enum nsc_screen_format)nsc_text_among(name, formats, sizeof *formats,
                                                  NSC_N_SCREEN_FORMATS);
}

enum nsc_screen_format nsc_screen_format_of_file(const char *path)
{
    static const struct {
        const char *ending;
        enum nsc_screen_format format;
    } endings[] = {
        {".svg", NSC_SCREEN_SVG},   {".html", NSC_SCREEN_HTML}, {".htm", NSC_SCREEN_HTML},
        {".ansi", NSC_SCREEN_ANSI}, {".txt", NSC_SCREEN_TEXT},  {".text", NSC_SCREEN_TEXT},
    };
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0)
            return endings[i].format;
    return NSC_N_SCREEN_FORMATS;
}

static const struct nsc_cell *row_cells(const struct nsc_grid *grid, uint32_t row)
{
    return grid->cells + (size_t)row * grid->cols;
}

static void text_write(struct nsc_buf *out, const struct nsc_grid *grid)
{
    for (uint32_t row = 0; row < grid->rows; row++) {
        const struct nsc_cell *cells = row_cells(grid, row);
        uint32_t end = grid->cols;

        while (end && cells[end - 1].n == 1 && cells[end - 1].text[0] == ' ')
            end--;
        for (uint32_t col = 0; col < end; col++)
            nsc_buf_add(out, cells[col].text, cells[col].n);
        nsc_buf_putc(out, '\n');
    }
}

static void sgr_color(struct nsc_buf *out, unsigned code, uint32_t color, bool is_256)
{
    if (color == NSC_COLOR_DEFAULT)
        return;
    if (is_256)
        nsc_buf_printf(out, ";%u;5;%u", code, (unsigned)nsc_color_256(color));
    else
        nsc_buf_printf(out, ";%u;2;%u;%u;%u", code, (unsigned)(color >> 16 & 0xff),
                       (unsigned)(color >> 8 & 0xff), (unsigned)(color & 0xff));
}

/* Resets before each change, so that each part of the text is independent. */
static void sgr_write(struct nsc_buf *out, struct nsc_style style, bool is_256)
{
    nsc_buf_puts(out, "\x1b[0");
    if (style.attrs & NSC_STYLE_BOLD)
        nsc_buf_puts(out, ";1");
    if (style.attrs & NSC_STYLE_DIM)
        nsc_buf_puts(out, ";2");
    if (style.attrs & NSC_STYLE_UNDERLINE)
        nsc_buf_puts(out, ";4");
    if (style.attrs & NSC_STYLE_REVERSE)
        nsc_buf_puts(out, ";7");
    sgr_color(out, 38, style.fg, is_256);
    sgr_color(out, 48, style.bg, is_256);
    nsc_buf_putc(out, 'm');
}

static bool style_is_same(struct nsc_style a, struct nsc_style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static void ansi_write(struct nsc_buf *out, const struct nsc_grid *grid,
                       const struct nsc_theme *theme, bool is_256)
{
    static const struct nsc_style none = {NSC_COLOR_DEFAULT, NSC_COLOR_DEFAULT, 0, false};

    for (uint32_t row = 0; row < grid->rows; row++) {
        const struct nsc_cell *cells = row_cells(grid, row);
        struct nsc_style at = none;

        for (uint32_t col = 0; col < grid->cols; col++) {
            struct nsc_style style = nsc_theme_style(theme, cells[col].role, cells[col].shade);

            if (!style_is_same(style, at))
                sgr_write(out, style, is_256);
            at = style;
            nsc_buf_add(out, cells[col].text, cells[col].n);
        }
        nsc_buf_puts(out, style_is_same(at, none) ? "\n" : "\x1b[0m\n");
    }
}

void nsc_screen_write(struct nsc_buf *out, const struct nsc_grid *grid,
                      const struct nsc_theme *theme, enum nsc_screen_format format)
{
    switch (format) {
    case NSC_SCREEN_TEXT:
        text_write(out, grid);
        break;
    case NSC_SCREEN_ANSI:
        ansi_write(out, grid, theme, false);
        break;
    case NSC_SCREEN_ANSI256:
        ansi_write(out, grid, theme, true);
        break;
    case NSC_SCREEN_SVG:
        nsc_screen_svg_write(out, grid, theme);
        break;
    case NSC_SCREEN_HTML:
        nsc_screen_html_write(out, grid, theme);
        break;
    case NSC_N_SCREEN_FORMATS:
        break;
    }
}
