/* The columns of the tree pane: the cells of a line. Private to tree.c. */
#ifndef NSC_VIEW_PANE_TREE_COLUMNS_H
#define NSC_VIEW_PANE_TREE_COLUMNS_H

#include "view/kit/columns.h"
#include "view/model/tree.h"

struct nsc_tree_column {
    const char *title;
    int width;
    int rank;   /* the highest ranks are dropped first if there is no room */
    bool time;  /* hidden without times */
    bool start; /* shown with start times */
    bool bar;   /* draws instead of filling in text */
    int sort;   /* enum nsc_tree_sort, or -1 */
    int figure; /* of its face */
};

/* The columns of the visible face. */
const struct nsc_tree_column *nsc_tree_columns(const struct nsc_tree *tree, uint32_t *n);
/* Fills in the text of a cell, or draws its bar. */
void nsc_tree_fill(const struct nsc_tree_column *column, const struct nsc_tree *tree,
                   const struct nsc_tree_line *line, struct nsc_list_cell *cell);
/* The event of a line of instances; NSC_NONE for a root. */
nsc_event nsc_tree_line_event(const struct nsc_tree *tree, const struct nsc_tree_line *line);

#endif
