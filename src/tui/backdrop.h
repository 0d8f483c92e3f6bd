/* The background colour of the terminal, from the environment or the terminal's answer. */
#ifndef NSC_TUI_BACKDROP_H
#define NSC_TUI_BACKDROP_H

#include "nsyscope/types.h"

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
