/*
 * The terminal as we know it: what each of its cells shows, its cursor and its pen.
 *
 * Every function appends the bytes that change the terminal and changes the picture of it alike.
 * Only what terminfo describes is sent. curses' own screens are not used: they count cells, not
 * bytes.
 */
#ifndef NSC_TUI_DISPLAY_H
#define NSC_TUI_DISPLAY_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "view/kit/grid.h"

/* What one cell of the terminal shows. Inks that look the same are equal byte by byte: a blank has
 * no attributes and no colour of letters unless they are visible on it. */
struct nsc_ink {
    char text[NSC_CLUSTER_BYTES]; /* bytes past n are 0 */
    uint8_t n, width;             /* 0 and 0: the right half of a wide cell */
    uint8_t attrs;                /* NSC_STYLE_* */
    uint8_t zero;                 /* 0 */
    int fg, bg;                   /* colour numbers, -1: the terminal's own */
};

/* The strings of the terminal's description, borrowed from it. NULL: it has none. */
struct nsc_display_strings {
    const char *clear, *move, *off, *bold, *dim, *underline, *reverse, *fg, *bg;
    const char *erase_end, *erase, *insert, *remove;
    const char *margins, *scroll_up, *scroll_down, *hide, *show;
};

struct nsc_display {
    struct nsc_display_strings strings;
    int colors;
    uint8_t attrs;       /* those that the terminal has, NSC_STYLE_* */
    uint8_t plain_attrs; /* of them, those that only uncoloured text may have */
    bool steps;          /* it understands the common short moves */
    bool erases_colored; /* erased cells get the background of the pen */
    bool keeps_corner;   /* a character in the last cell does not scroll the screen */
    int rows, cols;
    struct nsc_ink *shown; /* rows * cols, row by row */
    int row, col;          /* the cursor; row -1: unknown */
    struct nsc_ink pen;    /* its colours and attributes */
    bool visible;          /* the cursor */
};

/* Reads the description of a terminal. One display exists at a time. NSC_EINVAL: there is none. */
NSC_NODISCARD enum nsc_status nsc_display_init(struct nsc_display *display, const char *type,
                                               struct nsc_error *error);
void nsc_display_fini(struct nsc_display *display);
/* Sets the size. What the terminal shows is unknown until the next clear. */
void nsc_display_resize(struct nsc_display *display, int rows, int cols);

void nsc_display_clear(struct nsc_buf *out, struct nsc_display *display);
/* Sends the changes from what is shown to `inks`, as many as shown. */
void nsc_display_write(struct nsc_buf *out, struct nsc_display *display,
                       const struct nsc_ink *inks);
/* Ends a frame: the plain pen, and the cursor at a cell; row -1 hides it. */
void nsc_display_end(struct nsc_buf *out, struct nsc_display *display, int row, int col);

/* The pen must be plain for both. Vacated cells become plain blanks. */
/* Shifts the end of a row from col on by so many columns, positive to the left. */
void nsc_display_shift(struct nsc_buf *out, struct nsc_display *display, int row, int col, int by);
/* Scrolls the rows [top, end) by so many rows, positive up. */
void nsc_display_scroll(struct nsc_buf *out, struct nsc_display *display, int top, int end, int by);

static inline bool nsc_display_can_shift(const struct nsc_display *display)
{
    return display->strings.insert && display->strings.remove;
}

static inline bool nsc_display_can_scroll(const struct nsc_display *display)
{
    return display->strings.margins && display->strings.scroll_up && display->strings.scroll_down;
}

/* ---- rows that only moved ---- */

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
