/*
 * Writes a screen to a file: a grid in a theme's colours, as plain text, ANSI, SVG or HTML.
 *
 * The grid has clean text, so the output has only the control characters of its format. The caller
 * owns the buffer and checks its overflow.
 */
#ifndef NSC_SHARE_SCREEN_H
#define NSC_SHARE_SCREEN_H

#include "core/buf.h"
#include "view/kit/theme.h"

enum nsc_screen_format {
    NSC_SCREEN_TEXT, /* one line per row, without trailing blanks */
    NSC_SCREEN_ANSI, /* 24-bit colours */
    NSC_SCREEN_ANSI256,
    NSC_SCREEN_SVG,
    NSC_SCREEN_HTML,
    NSC_N_SCREEN_FORMATS
};

/* Finds "text", "ansi", "ansi256", "svg" or "html"; NSC_N_SCREEN_FORMATS for any other name. */
enum nsc_screen_format nsc_screen_format_find(struct nsc_text name);

/* The format for the ending of a file name: .svg, .html, .htm, .ansi, .txt or .text. */
enum nsc_screen_format nsc_screen_format_of_file(const char *path);

void nsc_screen_write(struct nsc_buf *out, const struct nsc_grid *grid,
                      const struct nsc_theme *theme, enum nsc_screen_format format);

#endif
