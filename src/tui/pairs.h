/*
 * Creates curses colour pairs when they are first needed and remembers them.
 */
#ifndef NSC_TUI_PAIRS_H
#define NSC_TUI_PAIRS_H

#include "tui/color.h"

#define NSC_PAIRS_SLOTS 4096u /* power of two; at most half are used */

struct nsc_pairs {
    enum nsc_color_mode mode;
    bool bright;  /* true with sixteen colours, false with eight */
    int n, limit; /* pairs made, and the limit */
    struct {
        int fg, bg, pair; /* pair 0: free */
    } slots[NSC_PAIRS_SLOTS];
};

/* Starts colour on the current curses screen. mode: the result of nsc_color_choose(). */
void nsc_pairs_init(struct nsc_pairs *pairs, enum nsc_color_mode mode);
/* The pair of two colour numbers; pair 0, the terminal's default, when the table is full. */
int nsc_pairs_find(struct nsc_pairs *pairs, int fg, int bg);

#endif
