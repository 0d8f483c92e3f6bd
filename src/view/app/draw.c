/* Draws the application: panes and boxes, from the lowest to the topmost. */
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/help.h"

int nsc_app_help_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    int below = app->prompt.open == NSC_PROMPT_NARROW ? 2 : 1; /* its own prompt stays visible */
    struct nsc_rect rect = {1, 0, (int)app->scene->rows - 1 - below, (int)app->scene->cols};
    const struct nsc_help help = {app->keymap, nsc_app_scope_behind(app),
                                  app->prompt.lines[NSC_PROMPT_NARROW].text, NULL, app->legend};

    return app->guide ? nsc_guide_draw(grid, rect, app->guide, app->help_top)
                      : nsc_help_draw(grid, rect, &help, app->help_top);
}

void nsc_app_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    grid->ascii = app->scene->ascii;
    nsc_grid_resize(grid, app->scene->rows, app->scene->cols);
    grid->cursor_row = grid->cursor_col = -1;
    if (app->scene->layout.too_small) {
        nsc_grid_puts(grid, app->scene->layout.note.row, app->scene->layout.note.col,
                      app->scene->layout.note.cols, NSC_ROLE_WARNING, "nsyscope needs 40x10");
        return;
    }
    nsc_app_title_draw(app, grid);
    if (!app->scene->trace) {
        nsc_app_loading_draw(app, grid);
    } else {
        nsc_pane_overview_draw(app->scene, app->search.pick.summary, app->search.ticks, grid);
        if (app->scene->layout.overview.rows) {
            if (app->findings.wanted)
                nsc_pane_findings_mark(app->scene, &app->findings, grid);
            nsc_pane_bookmarks_mark(app->scene, &app->bookmarks, grid);
        }
        nsc_pane_overview_window_draw(app->scene, grid);
        nsc_pane_ruler_draw(app->scene, &app->explore, app->keymap, grid);
        nsc_pane_iterations_draw(app->scene, &app->explore, grid);
        nsc_pane_timeline_draw(app->scene, app->search.pick.summary, grid);
        nsc_pane_links_draw(app->scene, &app->details, grid);
        nsc_pane_timeline_mark(app->scene, &app->explore, grid);
        nsc_app_bottom_draw(app, grid);
    }
    nsc_app_status_draw(app, grid);
    if (nsc_app_has_box(app))
        grid->cursor_row = grid->cursor_col = -1; /* hide the cursor under the box */
    nsc_app_config_draw(app, grid);
    nsc_app_menu_draw(app, grid);
    nsc_app_prompt_draw(app, grid);
    if (app->help)
        (void)nsc_app_help_draw(app, grid);
}
