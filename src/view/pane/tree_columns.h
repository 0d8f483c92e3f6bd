/*
 * The columns of the tree pane. The first has the names, which the pane draws.
 */
#ifndef NSC_VIEW_PANE_TREE_COLUMNS_H
#define NSC_VIEW_PANE_TREE_COLUMNS_H

#include "view/model/tree.h"
#include "view/pane/table.h"

/* Begins a sheet with a row for each line of the tree, and says how a table shows its columns. */
void nsc_tree_columns_fill(struct nsc_table *table, struct nsc_sheet *sheet,
                           const struct nsc_tree *tree);

/* The event of a line of instances; NSC_NONE: it is a root. */
static inline nsc_event nsc_tree_line_event(const struct nsc_tree *tree,
                                            const struct nsc_tree_line *line)
{
    return nsc_instance_event(&tree->walk.all, line->at);
}

#endif
