/*
 * Saves the view to a session state, and restores it.
 */
#include "core/die.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/bookmark.h"

#include <string.h>

static const char *const axes[NSC_N_AXES] = {
    [NSC_AXIS_ABSOLUTE] = "absolute",   [NSC_AXIS_WINDOW] = "window", [NSC_AXIS_MARK] = "mark",
    [NSC_AXIS_ITERATION] = "iteration", [NSC_AXIS_UTC] = "utc",
};

/* ---- told ---- */

static char *copy(const char *text)
{
    return nsc_xcopy(text, strlen(text));
}

bool nsc_app_state(const struct nsc_app *app, struct nsc_session_state *out)
{
    const char *pane = app->pane_open ? app->kinds[app->pane].name : "none";

    *out = (struct nsc_session_state){0};
    if (!app->scene->trace)
        return false;
    out->has_window = true;
    out->window = nsc_viewport_window(&app->scene->viewport);
    out->cursor = app->scene->cursor;
    out->has_row = nsc_scene_row_id(app->scene, &out->row);
    nsc_session_rows_put(out, app->scene->trace, &app->scene->arrangement, app->scene->folds);
    out->filter = copy(app->filter.text);
    out->settings[NSC_SESSION_AXIS] = copy(axes[app->scene->axis]);
    out->settings[NSC_SESSION_PANE] = copy(pane);
    return true;
}

/* ---- brought back ---- */

/* Keeps a pane that the user has already opened. */
static void restore_pane(struct nsc_app *app, const char *name)
{
    if (app->pane != NSC_PANE_SUMMARY || !app->pane_open || app->pane_full)
        return;
    if (strcmp(name, "none") == 0)
        nsc_app_pane_close(app);
    for (uint32_t i = 0; i < NSC_PANE_INFO; i++) /* Info is only shown over the whole screen */
        if (strcmp(app->kinds[i].name, name) == 0 && i != app->pane)
            nsc_app_pane_show(app, i, false);
}

void nsc_app_restore(struct nsc_app *app, const struct nsc_session_state *state)
{
    const char *axis = state->settings[NSC_SESSION_AXIS];

    if (!state->modified)
        return;
    nsc_scene_restore(app->edit, state);
    /* A filter on the command line takes precedence over the saved one. */
    if (!app->filter.text[0] && state->filter && state->filter[0])
        (void)nsc_app_filter_set(app, nsc_text_from(state->filter));
    for (uint32_t i = 0; i < NSC_N_AXES; i++)
        if (axis && strcmp(axes[i], axis) == 0)
            nsc_scene_set(app->edit, NSC_SCENE_AXIS, i);
    if (state->settings[NSC_SESSION_PANE])
        restore_pane(app, state->settings[NSC_SESSION_PANE]);
    nsc_scene_settle(app->edit);
    nsc_app_summary_begin(app);
}
