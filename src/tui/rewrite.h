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

#define NSC_REWRITE_PENS 256

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
    int rows, cols;
    cchar_t *picture;                 /* a row of curses' picture, and an end */
    struct nsc_rewrite_glyph *glyphs; /* rows * cols, of the frame; of other rows: none changed */
    struct nsc_rewrite_erasure *erasures; /* by row */
    struct nsc_rewrite_use {
        struct nsc_rewrite_pen pen;
        int cells;            /* that it draws; blanks do not count */
        int first, last;      /* of the chain of changed glyphs */
    } uses[NSC_REWRITE_PENS]; /* the pens of the frame */
    int n;
};

/* Reads the description of the current curses screen. */
void nsc_rewrite_init(struct nsc_rewrite *rewrite);
void nsc_rewrite_fini(struct nsc_rewrite *rewrite);
/* Sets the size; needed before the first row. */
void nsc_rewrite_resize(struct nsc_rewrite *rewrite, int rows, int cols);
/*
 * Adds a row of a frame that shall have `cells`, one per column, also to curses' picture. Leaves
 * rows with wide characters, marks or unusual attributes to curses.
 */
void nsc_rewrite_row(struct nsc_rewrite *rewrite, int row, const cchar_t *cells);
/*
 * Ends a frame: appends the bytes of its rows, attributes off and the cursor where curses believes
 * it. Attributes must be off before, as curses leaves them.
 */
void nsc_rewrite_end(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row, int col);

#endif
