/*
 * The menu of what is under the pointer or the cursor: the actions that action.def offers for it.
 * Private to this room.
 */
#ifndef NSC_VIEW_APP_MENU_H
#define NSC_VIEW_APP_MENU_H

#include "view/app/state.h"

/* For what has the cursor now, shown at a place of the screen. False: there is nothing to do. */
bool nsc_app_menu_open_at(struct nsc_app *app, int row, int col);
/* At the cursor. */
bool nsc_app_menu_open(struct nsc_app *app);
void nsc_app_menu_close(struct nsc_app *app);
/* What a key of its scope does; returns the action that was chosen, which the caller does. */
enum nsc_action nsc_app_menu_action(struct nsc_app *app, enum nsc_action action,
                                    struct nsc_effects *effects);
/* While it is open all of the mouse is its own. */
enum nsc_action nsc_app_menu_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_menu_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
