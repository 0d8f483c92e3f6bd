/*
 * Rows that a frame only moves sideways: the terminal is told to shift them, and curses to believe
 * that it has.
 */
#ifndef NSC_TUI_SHIFT_H
#define NSC_TUI_SHIFT_H

#include "core/buf.h"
#include "view/kit/grid.h"

/* The terminal's strings; borrowed from curses. ready: it has all that shifting takes. */
struct nsc_shift {
    const char *address, *down, *insert, *erase;
    bool ready;
};

/* Of the current curses screen. */
void nsc_shift_init(struct nsc_shift *shift);
/* By how many columns, to the left when positive, a window of n columns moves; 0: not at all, or
 * not so. */
int nsc_shift_measure(struct nsc_window from, struct nsc_window to, uint32_t n);

/* What was drawn last and where the terminal's cursor is. */
struct nsc_shift_frame {
    const struct nsc_cell *shown; /* grid->rows * grid->cols */
    int by;                       /* of nsc_shift_measure() */
    int cursor_row, cursor_col;
};

/*
 * Appends what shifts those rows of the screen whose remainder is less to send then, and shifts
 * them in what curses takes for the screen; the caller draws the grid through curses afterwards.
 * Attributes must be off, as curses leaves them.
 */
void nsc_shift_rows(struct nsc_buf *out, const struct nsc_shift *shift,
                    const struct nsc_shift_frame *frame, const struct nsc_grid *grid);

#endif
