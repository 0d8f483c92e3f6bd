/*
 * Chooses how many colours the terminal gets, and the nearest one to each colour of the theme.
 */
#ifndef NSC_TUI_COLOR_H
#define NSC_TUI_COLOR_H

#include "nsyscope/types.h"

#include "view/kit/theme.h"

#include <stdint.h>

enum nsc_color_mode { NSC_COLOR_AUTO, NSC_COLOR_TRUE, NSC_COLOR_256, NSC_COLOR_16, NSC_COLOR_MONO };

/* The environment and the terminal's description. They decide the mode if the user sets none. */
struct nsc_color_facts {
    const char *no_color;  /* $NO_COLOR or NULL */
    const char *colorterm; /* $COLORTERM or NULL */
    int colors;            /* from the terminal's description; below 8 counts as none */
    bool direct;           /* it has a description with direct colour */
};

/* Never returns AUTO or more colours than the terminal has. A mode set by the user wins over
 * NO_COLOR. */
enum nsc_color_mode nsc_color_choose(enum nsc_color_mode wanted,
                                     const struct nsc_color_facts *facts);

/*
 * Maps a theme's colour to a colour number: -1 for the terminal's default, else below 2^24, 256 or
 * 16; below 8 when bright is false.
 */
int nsc_color_index(uint32_t rgb, enum nsc_color_mode mode, bool bright);

/* A style in colours of the terminal. */
struct nsc_paint {
    int fg, bg;    /* colour numbers, -1: the terminal's own */
    uint8_t attrs; /* NSC_STYLE_* */
};

/*
 * Maps both colours of a style; different colours of a theme stay different. In MONO a background
 * other than paper (that of ordinary text) becomes reverse video, so that bars drawn as blanks stay
 * visible.
 */
struct nsc_paint nsc_color_paint(struct nsc_style style, uint32_t paper, enum nsc_color_mode mode,
                                 bool bright);

/* ---- the background ---- */

#define NSC_BACKDROP_QUESTION \
    "\x1b]11;?\a" /* OSC 11; a terminal that does not know it stays silent */

struct nsc_backdrop {
    bool known;
    uint32_t color; /* 0xRRGGBB */
};

/* The terminal's answer without its frame: "11;rgb:RRRR/GGGG/BBBB". False for any other text. */
bool nsc_backdrop_read(uint32_t *out, struct nsc_text answer);
/* Reads $COLORFGBG ("15;0", may be NULL): black if the last number is a dark colour, white if it is
 * a light one. */
struct nsc_backdrop nsc_backdrop_of(const char *colorfgbg);

#endif
