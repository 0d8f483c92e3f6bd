/* Draws a box: an empty area with a border and a title, and choices in it. */
#include "view/kit/grid.h"
#include "view/kit/list.h"

#include <stdio.h>

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

void nsc_choice_draw(struct nsc_grid *grid, struct nsc_rect line, const struct nsc_choice *choice,
                     bool current)
{
    enum nsc_role role = nsc_list_line(grid, line, current, false);
    int col = line.col + 1 + choice->name_cols;
    int help = col + choice->value_cols + 1;
    char text[160];

    (void)snprintf(text, sizeof text, current ? "< %s >" : "  %s", choice->value);
    nsc_grid_puts(grid, line.row, line.col + 1, choice->name_cols - 1, role, choice->name);
    nsc_grid_puts(grid, line.row, col, choice->value_cols, current ? role : NSC_ROLE_KEY, text);
    nsc_grid_puts(grid, line.row, help, line.col + line.cols - help - 1,
                  current ? role : NSC_ROLE_DIM, choice->help);
}
