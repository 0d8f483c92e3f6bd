/*
 * The terminal's colours: how many there are to use, and which of them comes closest to a colour of
 * the theme.
 */
#ifndef NSC_TUI_COLOR_H
#define NSC_TUI_COLOR_H

#include "view/kit/theme.h"

#include <stdint.h>

enum nsc_color_mode { NSC_COLOR_AUTO, NSC_COLOR_TRUE, NSC_COLOR_256, NSC_COLOR_16, NSC_COLOR_MONO };

/* What decides when the user said nothing: the environment, and the terminal's own description. */
struct nsc_color_facts {
    const char *no_color;  /* $NO_COLOR or NULL */
    const char *colorterm; /* $COLORTERM or NULL */
    int colors;            /* of the terminal's description; below 8: none to speak of */
    bool direct;           /* it has a description with direct colour */
};

/* Never AUTO, and never more than the facts allow. A mode the user named wins over NO_COLOR. */
enum nsc_color_mode nsc_color_choose(enum nsc_color_mode wanted,
                                     const struct nsc_color_facts *facts);

/*
 * The colour number for a theme's colour: -1 for the terminal's own, else below 2^24, 256, 16 or,
 * with bright false, 8.
 */
int nsc_color_index(uint32_t rgb, enum nsc_color_mode mode, bool bright);

/* A style as the terminal can show it. */
struct nsc_paint {
    int fg, bg;    /* colour numbers, -1: the terminal's own */
    uint8_t attrs; /* NSC_STYLE_* */
};

/*
 * Maps both colours of a style; when they differ in the theme they differ here. In MONO a
 * background other than paper (the background of ordinary text) becomes reverse video, so that bars
 * drawn as blanks stay visible.
 */
struct nsc_paint nsc_color_paint(struct nsc_style style, uint32_t paper, enum nsc_color_mode mode,
                                 bool bright);

#endif
