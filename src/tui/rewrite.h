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

struct nsc_rewrite {
    bool ready; /* the terminal understands the sequences that are written */
    bool moved; /* something was written in this frame */
    int cols;
    struct nsc_rewrite_glyph *row; /* as it shall be */
    cchar_t *picture;              /* a row of curses' picture, and an end */
    struct nsc_buf ways[2];        /* a row written in two ways */
    struct nsc_rewrite_pen pen;    /* of the terminal */
};

/* Reads the description of the current curses screen. */
void nsc_rewrite_init(struct nsc_rewrite *rewrite);
void nsc_rewrite_fini(struct nsc_rewrite *rewrite);
/* Sets the number of columns; needed before the first row. */
void nsc_rewrite_resize(struct nsc_rewrite *rewrite, int cols);
/*
 * Appends the bytes that turn a row into `cells`, one per column. Leaves rows with wide characters,
 * marks or unusual attributes to curses. At the first row of a frame attributes must be off, as
 * curses leaves them.
 */
void nsc_rewrite_row(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row,
                     const cchar_t *cells);
/* Ends a frame: attributes off, and the cursor where curses believes it. */
void nsc_rewrite_end(struct nsc_buf *out, struct nsc_rewrite *rewrite, int row, int col);

#endif
