/* Draws a box: an empty area with a border and a title. */
#include "view/kit/grid.h"

void nsc_box_draw(struct nsc_grid *grid, struct nsc_rect box, const char *title)
{
    struct nsc_rect edge = {box.row, box.col, 1, box.cols};
    int bottom = box.row + box.rows - 1;
    int right = box.col + box.cols - 1;

    nsc_grid_fill(grid, box, NSC_ROLE_TEXT, " ");
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "─");
    edge.row = bottom;
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "─");
    edge = (struct nsc_rect){box.row, box.col, box.rows, 1};
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "│");
    edge.col = right;
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "│");
    nsc_grid_put(grid, box.row, box.col, NSC_ROLE_BORDER, 0, "┌");
    nsc_grid_put(grid, box.row, right, NSC_ROLE_BORDER, 0, "┐");
    nsc_grid_put(grid, bottom, box.col, NSC_ROLE_BORDER, 0, "└");
    nsc_grid_put(grid, bottom, right, NSC_ROLE_BORDER, 0, "┘");
    nsc_grid_puts(grid, box.row, box.col + 2, box.cols - 4, NSC_ROLE_TAB_ACTIVE, title);
}
