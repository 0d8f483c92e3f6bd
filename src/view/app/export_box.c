/*
 * The box that chooses format and extent of an export.
 */
#include "core/units.h"
#include "view/app/export.h"
#include "view/app/state.h"
#include "view/kit/box.h"

#include <stdio.h>

enum { FRAME = 2, BOX_COLS = 72, NAME_COLS = 10, VALUE_COLS = 16, TEXT_BYTES = 160 };

static void choice_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect line,
                        const char *name, const char *value, const char *help)
{
    bool current = line.row == app->scene->layout.status.row - 4 + (int)app->export.line;
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;
    int col = line.col + 1 + NAME_COLS;
    char text[TEXT_BYTES];

    (void)snprintf(text, sizeof text, current ? "< %s >" : "  %s", value);
    nsc_grid_fill(grid, line, role, " ");
    nsc_grid_puts(grid, line.row, line.col + 1, NAME_COLS - 1, role, name);
    nsc_grid_puts(grid, line.row, col, VALUE_COLS, current ? role : NSC_ROLE_KEY, text);
    col += VALUE_COLS + 1;
    nsc_grid_puts(grid, line.row, col, line.col + line.cols - col - 1,
                  current ? role : NSC_ROLE_DIM, help);
}

/* "61.2 ms, 12 345 events that the filter keeps" */
static void what_text(const struct nsc_app *app, char out[TEXT_BYTES])
{
    enum nsc_export_what what = app->export.what;
    struct nsc_window w = what == NSC_EXPORT_VIEW    ? nsc_viewport_window(&app->scene->viewport)
                          : what == NSC_EXPORT_RANGE ? app->scene->range
                                                     : app->scene->viewport.extent;
    char length[NSC_UNITS_BYTES];
    char count[NSC_UNITS_BYTES];

    nsc_units_duration(length, nsc_window_length(w), app->scene->ascii);
    nsc_units_count(count, nsc_app_export_count(app, what));
    (void)snprintf(out, TEXT_BYTES, "%s, %s events%s", length, count,
                   nsc_scene_is_filtered(app->scene) ? " of the filter" : "");
}

void nsc_app_export_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    int cols = BOX_COLS < (int)app->scene->cols ? BOX_COLS : (int)app->scene->cols;
    struct nsc_rect box = {app->scene->layout.status.row - 5, ((int)app->scene->cols - cols) / 2,
                           2 + FRAME + 1, cols};
    struct nsc_rect line = {box.row + 1, box.col + 1, 1, cols - FRAME};
    char text[TEXT_BYTES];

    if (!app->export.open || box.row < 1)
        return;
    nsc_box_draw(grid, box, " Export ");
    choice_draw(app, grid, line, "format", nsc_dump_format_name(app->export.format),
                nsc_dump_format_help(app->export.format));
    line.row++;
    what_text(app, text);
    choice_draw(app, grid, line, "what", nsc_export_what_name(app->export.what), text);
    line.row++;
    nsc_grid_puts(grid, line.row, line.col + 1, line.cols - 2, NSC_ROLE_DIM,
                  "Enter asks for the name of the file and writes it.");
}
