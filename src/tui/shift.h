/*
 * Shifts rows that a frame only moves sideways, on the terminal and in curses' picture of it.
 */
#ifndef NSC_TUI_SHIFT_H
#define NSC_TUI_SHIFT_H

#include "core/buf.h"
#include "view/kit/grid.h"

/* The terminal's strings, borrowed from curses. ready: the terminal has every string needed. */
struct nsc_shift {
    const char *address, *down, *insert, *erase;
    const char *down_one, *erase_one; /* shorter ones; NULL: none */
    bool ready;
};

/* Reads the strings of the current curses screen. */
void nsc_shift_init(struct nsc_shift *shift);
/* Columns by which a window of n columns moves, positive to the left; 0 if no shift turns one
 * window into the other. */
int nsc_shift_measure(struct nsc_window from, struct nsc_window to, uint32_t n);

/* The screen's content, and the position of the terminal's cursor. */
struct nsc_shift_frame {
    const struct nsc_cell *shown; /* grid->rows * grid->cols */
    int by;                       /* result of nsc_shift_measure() */
    int cursor_row, cursor_col;
};

/*
 * Shifts the rows that cost less to shift than to rewrite, on the terminal (appending the bytes)
 * and in curses' picture. The caller then draws the grid through curses. Attributes must be off, as
 * curses leaves them.
 */
void nsc_shift_rows(struct nsc_buf *out, const struct nsc_shift *shift,
                    const struct nsc_shift_frame *frame, const struct nsc_grid *grid);

#endif
