/* A terminal for tests: shows the screen after the bytes sent to it. */
#ifndef NSC_TESTS_VT_H
#define NSC_TESTS_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct vt_cell {
    char text[20]; /* a character and its marks; "" in the right half of a wide one */
    int fg, bg;    /* -1: the terminal's own */
    unsigned attrs;
};

struct vt {
    int rows, cols, row, col;
    int top, end; /* the rows that scroll: [top, end) */
    bool wraps;   /* the last column is filled: the next character goes to the next line */
    struct vt_cell pen;
    struct {
        int row, col;
        struct vt_cell pen;
    } saved;
    struct vt_cell *cells;
    char last[8];     /* the last character, for repeating it */
    unsigned unknown; /* sequences it has no idea of */
    char *rest;       /* the start of an incomplete sequence */
    size_t n_rest;
};

void vt_init(struct vt *vt, int rows, int cols);
void vt_fini(struct vt *vt);
/* Keeps the upper left part that fits. */
void vt_resize(struct vt *vt, int rows, int cols);
/* Bytes may come in any pieces. */
void vt_feed(struct vt *vt, const char *bytes, size_t n);
/* The text of a row as UTF-8, which the caller frees. */
char *vt_row_text(const struct vt *vt, int row);
/* The text of the screen, one line per row, without trailing blanks. */
void vt_print(const struct vt *vt, FILE *file);
/* The characters with their colours and attributes, without attributes that are invisible on a
 * blank. */
void vt_print_ink(const struct vt *vt, FILE *file);
/* Treats erased and written blanks as equal, whatever a blank does not show. */
bool vt_cell_equals(const struct vt_cell *a, const struct vt_cell *b);

#endif
