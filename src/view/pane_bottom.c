/*
 * The bottom of the screen: the names of the panes on a line, and the one that is shown.
 */
#include "view/app_state.h"

#include <string.h>

/* Panes to come find their place here: a name and a function each. */
const struct nsc_pane nsc_panes[NSC_N_PANES] = {
    [NSC_PANE_DETAILS] = {"Details", nsc_pane_details_draw},
    [NSC_PANE_TREE] = {"Tree", nsc_pane_tree_draw},
    [NSC_PANE_OVERLAP] = {"Overlap", nsc_pane_overlap_draw},
    [NSC_PANE_INFO] = {"Info", nsc_pane_info_draw},
};

enum { TABS_COL = 2, TABS_GAP = 3 };

int nsc_pane_tab_at(const struct nsc_app *app, int col)
{
    int at = app->layout.tabs.col + TABS_COL;

    for (int i = 0; i < NSC_N_PANES; i++) {
        int end = at + (int)strlen(nsc_panes[i].name);

        if (col >= at && col < end)
            return i;
        at = end + TABS_GAP;
    }
    return -1;
}

static void tabs_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->layout.tabs;
    int col = rect.col + TABS_COL;
    int end = rect.col + rect.cols;

    nsc_grid_fill(grid, rect, NSC_ROLE_BORDER, "─");
    nsc_grid_put(grid, rect.row, col - 1, NSC_ROLE_BORDER, 0, " ");
    for (uint32_t i = 0; i < NSC_N_PANES; i++) {
        if (i)
            col = nsc_grid_puts(grid, rect.row, col, end - col, NSC_ROLE_BORDER, " │ ");
        col = nsc_grid_puts(grid, rect.row, col, end - col,
                            i == app->pane ? NSC_ROLE_TAB_ACTIVE : NSC_ROLE_TAB, nsc_panes[i].name);
    }
    nsc_grid_put(grid, rect.row, col, NSC_ROLE_BORDER, 0, " ");
}

void nsc_pane_bottom_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->layout.pane;

    if (!app->layout.tabs.rows)
        return;
    tabs_draw(app, grid);
    rect.col++;
    rect.cols -= 2;
    nsc_panes[app->pane].draw(app, grid, rect);
}
