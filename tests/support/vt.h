/*
 * A terminal for tests: what is on its screen after the bytes it was sent.
 */
#ifndef NSC_TESTS_VT_H
#define NSC_TESTS_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vt_cell {
    char text[20]; /* a character and its marks; "" right of a wide one */
    int fg, bg;    /* -1: the terminal's own */
    unsigned attrs;
};

struct vt {
    int rows, cols, row, col;
    bool wraps; /* the last column was written: the next character goes to the next line */
    struct vt_cell pen;
    struct vt_cell *cells;
    char last[8];     /* the last character, which may be repeated */
    unsigned unknown; /* sequences it has no idea of */
};

void vt_init(struct vt *vt, int rows, int cols);
void vt_fini(struct vt *vt);
void vt_feed(struct vt *vt, const char *bytes, size_t n);
/* Erased blanks and written ones look alike. */
bool vt_cell_equals(const struct vt_cell *a, const struct vt_cell *b);

#endif
