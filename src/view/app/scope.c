/*
 * Which pane or box has the focus, and the scope of its keys.
 */
#include "view/app/panes.h"
#include "view/app/state.h"

bool nsc_app_pane_has_focus(const struct nsc_app *app)
{
    return app->pane_open &&
           (app->panes.focus || (app->pane_full && !app->scene->layout.timeline.rows));
}

enum nsc_key_scope nsc_app_scope_behind(const struct nsc_app *app)
{
    if (!app->scene->trace)
        return NSC_KEY_SCOPE_LOADING;
    if (app->menu.open)
        return NSC_KEY_SCOPE_MENU;
    if (app->config.open)
        return NSC_KEY_SCOPE_CONFIG;
    if (app->export.open)
        return NSC_KEY_SCOPE_EXPORT;
    return nsc_app_pane_has_focus(app) ? app->kinds[app->pane].scope : NSC_KEY_SCOPE_TIMELINE;
}

enum nsc_key_scope nsc_app_scope(const struct nsc_app *app)
{
    if (app->help && app->prompt.open != NSC_PROMPT_NARROW)
        return NSC_KEY_SCOPE_HELP;
    return app->prompt.open != NSC_PROMPT_NONE ? NSC_KEY_SCOPE_PROMPT : nsc_app_scope_behind(app);
}

bool nsc_app_has_box(const struct nsc_app *app)
{
    return app->help || app->config.open || app->menu.open || app->export.open;
}
