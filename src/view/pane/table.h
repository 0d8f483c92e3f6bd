/*
 * A sheet as an interactive table: columns of constant width, sorting by a column, and the chosen
 * value for the clipboard.
 *
 * The sheet is borrowed. The owner calls nsc_table_fini.
 */
#ifndef NSC_VIEW_PANE_TABLE_H
#define NSC_VIEW_PANE_TABLE_H

#include "core/sheet.h"
#include "view/kit/grid.h"
#include "view/kit/list.h"

#define NSC_TABLE_GAP 2 /* cells between two columns */

struct nsc_table {
    const struct nsc_sheet *sheet; /* NULL: none */
    bool ascii;
    uint16_t *widths; /* cells of each column; owned */
    uint16_t *wanted; /* cells to show every value whole; owned */
    uint32_t column;  /* chosen column */
    uint32_t label;   /* always visible, before the others */
    uint32_t left;    /* first visible one of the others */
    uint32_t sorted;  /* sorted by this column; NSC_NONE: original order */
    bool descending;
    bool has_total; /* the last row stands above the others */
    uint16_t least; /* cells that a text keeps; 0: as usual */
    bool
        is_list; /* of things: keys choose its order, and the line at the cursor is marked without the
                   * focus, too */
    struct nsc_list list; /* its items are rows; the text is in a cell */
};

/* Shows a sheet from its first row, in its own order; NULL: none. */
void nsc_table_set(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii);
/* Shows a sheet of the same columns, borrowed, in its place: order, text and cursor stay. */
void nsc_table_renew(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii);
void nsc_table_fini(struct nsc_table *table);

/* Fits the list to height lines and the chosen column into cols cells. */
void nsc_table_fit(struct nsc_table *table, int height, int cols);
/* Chooses the next or previous column; false at the last one. A list is sorted by it instead, and after
 * the last one in its original order. */
bool nsc_table_step(struct nsc_table *table, bool next);
/* Sorts by the chosen column; repeated, reverses the order. */
bool nsc_table_sort(struct nsc_table *table);
/* Lists the rows with the text of its list, in their order. */
void nsc_table_list(struct nsc_table *table);
/* A click on the titles, col cells from the left edge: sorts by that column. */
void nsc_table_click(struct nsc_table *table, int col);

/* The row of the sheet at the cursor; NSC_NONE if there is none. */
uint32_t nsc_table_row(const struct nsc_table *table);
/*
 * The time of a row in ns, [start, end). The first column of instants is the start; the next one,
 * or else the first column of durations, gives the end. False if the row has no time.
 */
bool nsc_table_time(const struct nsc_sheet *sheet, uint32_t row, struct nsc_window *out);
/* Appends the chosen value, or the row at the cursor with tabs between values. */
bool nsc_table_copy(const struct nsc_table *table, struct nsc_buf *out, bool row);

/* Draws the titles on the first line of rect, and the rows below. */
void nsc_table_draw(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                    struct nsc_rect rect);

#endif
