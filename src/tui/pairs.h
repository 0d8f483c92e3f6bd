/*
 * Curses colour pairs for the cells of a theme: made when first needed, remembered by what they
 * show.
 */
#ifndef NSC_TUI_PAIRS_H
#define NSC_TUI_PAIRS_H

#include "tui/color.h"

#define NSC_PAIRS_SLOTS 4096u /* power of two; at most half are used */

struct nsc_pairs {
    enum nsc_color_mode mode;
    bool bright;  /* the terminal has sixteen colours, not eight */
    int n, limit; /* pairs made, and the most there may be */
    struct {
        int fg, bg, pair; /* pair 0: free */
    } slots[NSC_PAIRS_SLOTS];
};

/* Starts colour on the current curses screen; mode is what nsc_color_choose() gave. */
void nsc_pairs_init(struct nsc_pairs *pairs, enum nsc_color_mode mode);
/* The pair for two colour numbers; 0, the terminal's own colours, when no more can be made. */
int nsc_pairs_find(struct nsc_pairs *pairs, int fg, int bg);

#endif
