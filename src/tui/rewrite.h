/*
 * Rewrites rows of the terminal in few bytes, ahead of curses and in curses' picture of the screen.
 *
 * Curses counts cells. But a block takes three bytes and a colour eleven, so curses sends unchanged
 * cells that cost more than a move over them, and the same colour many times in a row.
 */
#ifndef NSC_TUI_REWRITE_H
#define NSC_TUI_REWRITE_H

#include "core/buf.h"

#include <curses.h>

struct nsc_rewrite_pen {
    attr_t attrs;
    int fg, bg; /* -1: the terminal's own */
};

/* What the terminal has after the bytes so far. */
struct nsc_rewrite_spot {
    int row, col; /* of the cursor; row -2: unknown; col may be the width */
    struct nsc_rewrite_pen pen;
};

struct nsc_rewrite {
    bool ready;  /* the terminal understands the sequences that are written */
    bool erases; /* also within a row */
    int cols;
    struct nsc_rewrite_glyph *row; /* as it shall be */
    cchar_t *picture;              /* a row of curses' picture, and an end */
    struct nsc_buf ways[2];        /* a row written in two ways */
    /* Of this frame: the left columns of all rows, then the rest of them. Labels share a pen. */
    struct nsc_rewrite_part {
        struct nsc_buf out;
        struct nsc_rewrite_spot at;
    } parts[2];
};

/* Reads the description of the current curses screen. */
void nsc_rewrite_init(struct nsc_rewrite *rewrite);
void nsc_rewrite_fini(struct nsc_rewrite *rewrite);
/* Sets the number of columns; needed before the first row. */
void nsc_rewrite_resize(struct nsc_rewrite *rewrite, int cols);
/*
 * Turns a row into `cells`, one per column. Leaves rows with wide characters, marks or unusual
 * attributes to curses. Labels end at column `split`; 0 or less: there are none. At the first row
 * of a frame attributes must be off, as curses leaves them.
 */
void nsc_rewrite_row(struct nsc_rewrite *rewrite, int row, const cchar_t *cells, int split);
/* Ends a frame: appends its bytes, attributes off and the cursor where curses believes it. */
void nsc_rewrite_end(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row, int col);

#endif
