/*
 * A list as columns: which of them fit, their titles, and its lines.
 *
 * A pane describes its columns in a static table and fills one cell at a time; only visible rows
 * are asked for.
 */
#ifndef NSC_VIEW_KIT_COLUMNS_H
#define NSC_VIEW_KIT_COLUMNS_H

#include "core/units.h"
#include "view/kit/list.h"
#include "view/kit/page.h"

enum { NSC_COLUMNS_MOST = 64, NSC_LIST_BAR_COLS = 8 };

struct nsc_list_column {
    const char *title;
    const char *mark; /* beside the title of the column that the list is sorted by; NULL: none */
    int width;        /* cells, with the gap; 0: shares what the others leave */
    int gap;          /* cells left free at its right edge */
    bool is_left;
    bool is_chosen; /* keys act on it */
    bool has_roles; /* its cells keep their roles on the line of the cursor */
    int rank;       /* 0: always shown; else columns of lower ranks are placed first */
    int least;      /* shown if it leaves so many cells to each column of width 0 */
};

/* Columns placed on the screen, without their gaps; width 0: not shown. */
struct nsc_columns {
    const struct nsc_list_column *of; /* borrowed */
    uint32_t n;
    struct nsc_rect line; /* row 0 */
    int col[NSC_COLUMNS_MOST], width[NSC_COLUMNS_MOST];
};

/* hidden: columns not to show, a bit each. A column of rank 0 has width 0, or all have rank 0. */
void nsc_columns_fit(struct nsc_columns *out, const struct nsc_list_column of[], uint32_t n,
                     uint32_t hidden, struct nsc_rect rect);
void nsc_columns_titles(const struct nsc_columns *columns, struct nsc_grid *grid, int row);

struct nsc_list_cell {
    uint32_t column;
    struct nsc_page page; /* the cell, for text at its left edge */
    enum nsc_role role;
    char text[NSC_UNITS_BYTES]; /* drawn at the right edge unless empty */
};

/* Draws the share that part is of whole, in the last cells of its column. */
void nsc_list_bar(const struct nsc_list_cell *cell, enum nsc_role role, uint8_t shade,
                  nsc_time part, nsc_time whole);

struct nsc_list_source {
    const struct nsc_columns *columns;
    void (*fill)(const void *context, size_t item, struct nsc_list_cell *cell);
    const void *context;
    bool ascii;
};

/* Draws an item on a row of the screen. */
void nsc_list_put(const struct nsc_list_source *source, struct nsc_grid *grid, int row, size_t item,
                  enum nsc_role role, bool is_current);
/* Draws the visible items from a row of the screen on. marks: marks the line of the cursor; focus:
 * the terminal's cursor goes there. */
void nsc_list_draw(const struct nsc_list *list, const struct nsc_list_source *source, bool marks,
                   bool focus, struct nsc_grid *grid, int row);

#endif
