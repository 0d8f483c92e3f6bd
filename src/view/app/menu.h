/*
 * The menu of what is under the pointer or the cursor: the actions that action.def offers for it.
 * Private to this room.
 */
#ifndef NSC_VIEW_APP_MENU_H
#define NSC_VIEW_APP_MENU_H

#include "view/app/state.h"

/* Opens the menu of what has the cursor, at a place of the screen. False if it would be empty. */
bool nsc_app_menu_open_at(struct nsc_app *app, int row, int col);
/* At the cursor. */
bool nsc_app_menu_open(struct nsc_app *app);
void nsc_app_menu_close(struct nsc_app *app);
/* Runs an action of its scope. Returns the chosen action, which the caller runs. */
enum nsc_action nsc_app_menu_action(struct nsc_app *app, enum nsc_action action,
                                    struct nsc_effects *effects);
/* Takes all mouse input while it is open. Returns the chosen action, which the caller runs. */
enum nsc_action nsc_app_menu_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_menu_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
