/* The columns of the tree pane: the cells of a line. Private to tree.c. */
#ifndef NSC_VIEW_PANE_TREE_COLUMNS_H
#define NSC_VIEW_PANE_TREE_COLUMNS_H

#include "view/model/tree.h"
#include "view/scene/scene.h"

enum { NSC_TREE_BAR_COLS = 8, NSC_TREE_CELL_BYTES = 64 };

/* A cell of a column; empty text shows nothing. */
struct nsc_tree_cell {
    char text[NSC_TREE_CELL_BYTES];
    nsc_time part, whole; /* for bars */
};

struct nsc_tree_column {
    const char *title;
    int width;
    int rank;  /* the highest ranks are dropped first if there is no room */
    bool time; /* hidden with the times */
    bool bar;
    int sort; /* enum nsc_tree_sort, or -1 */
    void (*fill)(const struct nsc_scene *scene, const struct nsc_tree *tree,
                 const struct nsc_tree_line *line, struct nsc_tree_cell *cell);
    int figure; /* without a function: a figure of the merged paths */
};

/* The columns of the visible face. */
const struct nsc_tree_column *nsc_tree_columns(const struct nsc_tree *tree, int *n);
void nsc_tree_fill(const struct nsc_tree_column *column, const struct nsc_scene *scene,
                   const struct nsc_tree *tree, const struct nsc_tree_line *line,
                   struct nsc_tree_cell *cell);
/* The event of a line of instances; NSC_NONE for a root. */
nsc_event nsc_tree_line_event(const struct nsc_tree *tree, const struct nsc_tree_line *line);

#endif
