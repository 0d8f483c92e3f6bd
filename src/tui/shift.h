/*
 * Finds rows that only moved, sideways or up and down, and moves them on the terminal.
 */
#ifndef NSC_TUI_SHIFT_H
#define NSC_TUI_SHIFT_H

#include "tui/display.h"

/* Columns by which a window of n columns moves, positive to the left; 0 if no shift turns one
 * window into the other. */
int nsc_shift_measure(struct nsc_window from, struct nsc_window to, uint32_t n);
/* Shifts the rows that cost less to shift by so many columns than to rewrite, from col on. */
void nsc_shift_rows(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks,
                    int col, int by);
/* Scrolls consecutive rows that moved by one distance, where at least three rows less are left to
 * write. */
void nsc_shift_scroll(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks);

#endif
