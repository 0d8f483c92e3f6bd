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
#include "view/kit/page.h"

/* A cell on the screen. */
struct nsc_table_cell {
    uint32_t column;
    struct nsc_page page; /* for text at its left edge */
    enum nsc_role role;   /* of its line */
};

struct nsc_table {
    const struct nsc_sheet *sheet; /* NULL: none */
    bool is_page;   /* the sheet holds the visible rows of a longer list, which its owner orders */
    uint32_t first; /* number of the sheet's first row in that list */
    bool ascii;
    uint16_t *widths; /* cells of each column; owned */
    uint16_t *wanted; /* cells to show every value whole; owned */
    uint32_t hidden;  /* columns that are not shown, a bit each */
    uint32_t bars;    /* shares that are drawn as bars, a bit each */
    uint32_t column;  /* chosen column */
    uint32_t naming;  /* the text that tells rows apart; 0 without texts */
    uint32_t label;   /* always visible, before the others */
    uint32_t left;    /* first visible one of the others */
    uint32_t sorted;  /* sorted by this column; NSC_NONE: original order */
    bool descending;
    bool has_total; /* the last row stands above the others */
    bool is_bare;   /* without titles */
    uint16_t least; /* cells that a text keeps; 0: as usual */
    bool
        is_list; /* of things: keys choose its order, and the line at the cursor is marked without the
                     * focus, too */
    struct nsc_list list; /* its items are rows; the text is in a cell */
    /* For drawing, may be NULL: draws a cell itself, or returns false for its value to be shown; whether a
     * line is marked beside that of the cursor. */
    bool (*draw)(const void *context, uint32_t row, const struct nsc_table_cell *cell);
    bool (*marks)(const void *context, uint32_t row);
    const void *context;
};

/* Shows a sheet from its first row, in its own order; NULL: none. */
void nsc_table_set(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii);
/* Shows a sheet of the same columns, borrowed, in its place: order, text and cursor stay. */
void nsc_table_renew(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii);
/* Shows a page of a longer list, from its top line on; the owner sets table->list. Columns have the widths
 * of their kinds, so that they stay in place while the list scrolls. */
void nsc_table_page(struct nsc_table *table, const struct nsc_sheet *sheet, bool ascii);
void nsc_table_fini(struct nsc_table *table);

/* Fits the list to height lines and the chosen column into cols cells. */
void nsc_table_fit(struct nsc_table *table, int height, int cols);
/* Chooses the next or previous column; false at the last one. A list is sorted by it instead, and after
 * the last one in its original order. */
bool nsc_table_step(struct nsc_table *table, bool next);
/* Sorts by the chosen column; repeated, reverses the order. The owner of a page sorts its list. */
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

/* Draws the share that part is of whole, in the first cells of a column. */
void nsc_table_bar(const struct nsc_table_cell *cell, enum nsc_role role, uint8_t shade,
                   nsc_time part, nsc_time whole);
/* Draws the titles on the first line of rect, and the rows below. */
void nsc_table_draw(const struct nsc_table *table, bool focus, struct nsc_grid *grid,
                    struct nsc_rect rect);

#endif
