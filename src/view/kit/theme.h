/*
 * Themes: the colours and attributes of each role, read from an INI text.
 *
 * A theme is a plain value. Parsing never fails: an invalid line causes a warning, and the role
 * keeps the default theme's colours. Colours are 24-bit or "default" (the terminal's own); the tui
 * maps them to the terminal's colours.
 */
#ifndef NSC_VIEW_KIT_THEME_H
#define NSC_VIEW_KIT_THEME_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "view/kit/grid.h"

#define NSC_THEME_HUES    16 /* steps of a gradient; hues of names */
#define NSC_COLOR_DEFAULT UINT32_MAX
/* Replace the terminal's own colours where there is no terminal, or its colours are not known. */
#define NSC_THEME_FG 0xd6dbe5u
#define NSC_THEME_BG 0x14171du

enum { NSC_STYLE_BOLD = 1, NSC_STYLE_DIM = 2, NSC_STYLE_UNDERLINE = 4, NSC_STYLE_REVERSE = 8 };

struct nsc_style {
    uint32_t fg, bg; /* 0xRRGGBB or NSC_COLOR_DEFAULT */
    uint8_t attrs;   /* NSC_STYLE_* */
    bool letters;    /* of a cell: the role is used for words */
};

struct nsc_theme {
    bool nvtx_export; /* NVTX ranges get the export's colour, if it has one, instead of a hue by
                       * name */
    struct nsc_style roles[NSC_N_ROLES];
    bool own_bg[NSC_N_ROLES];       /* the theme sets a background, which stays on every surface */
    bool has_gradient[NSC_N_ROLES]; /* [gradients] has the role: shade selects the fg */
    uint32_t gradient[NSC_N_ROLES][NSC_THEME_HUES]; /* NSC_THEME_HUES interpolated steps */
};

/* The texts of themes/NAME.theme, compiled in. */
struct nsc_theme_file {
    const char *name, *text;
};
extern const struct nsc_theme_file nsc_theme_files[];
extern const unsigned nsc_n_theme_files;
extern const char nsc_theme_default[]; /* the theme named default */

/*
 * Parses the default theme, then text over it. Reads the palette first, so a theme may consist of a
 * palette only. Calls warning (may be NULL) for invalid lines.
 *
 *   [palette]    name = #rrggbb
 *   [roles]      role = FG [BG] [bold] [dim] [underline] [reverse]
 *                colours: #rrggbb, a name, or "default"
 *   [gradients]  role = COLOUR...    1 to 16 stops; "none" drops the default theme's
 *   [options]    nvtx-color = name | export    which hue NVTX ranges get
 *
 * A role without FG has that of "text"; one without BG has that of its surface, or of "text".
 * Giving a role colours drops the default theme's gradient for it.
 */
void nsc_theme_parse(struct nsc_theme *theme, struct nsc_text text,
                     void (*warning)(void *context, unsigned line, const char *what),
                     void *context);
/* Replaces the terminal's own colours by NSC_THEME_FG and NSC_THEME_BG. */
void nsc_theme_cover(struct nsc_theme *theme);
/*
 * Colours and attributes of a cell, from its role (with or without NSC_CELL_ON_BAR) and shade. On a
 * bar, the bar's colour is the background, and the letters have the fg or bg of the role INK,
 * whichever contrasts more. Bars in the terminal's own colour use reverse video instead.
 */
struct nsc_style nsc_theme_style(const struct nsc_theme *theme, uint8_t role, uint8_t shade);

/* ---- arithmetic of 24-bit colours ---- */

/* "#rgb" or "#rrggbb". */
bool nsc_color_parse(uint32_t *out, struct nsc_text text);
/* The colour at part / whole of the way from a to b, mixed approximately in linear light. */
uint32_t nsc_color_mix(uint32_t a, uint32_t b, unsigned part, unsigned whole);
/* Relative luminance: 0 black .. 1 white. */
double nsc_color_luminance(uint32_t color);
/* 1 (the same) .. 21 (black on white), as WCAG defines it. */
double nsc_color_contrast(uint32_t a, uint32_t b);
/* The nearest fixed colour of the 256-colour palette: 16..255. Users may redefine the first 16. */
uint8_t nsc_color_256(uint32_t color);
/* The colour of a palette number >= 16. */
uint32_t nsc_color_of_256(uint8_t number);

#endif
