/*
 * The menu of what is under the pointer or the cursor: the actions that action.def offers for it.
 * Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_MENU_H
#define NSC_VIEW_APP_MENU_H

#include "view/kit/action.h"
#include "view/kit/grid.h"
#include "view/kit/list.h"

struct nsc_input;
struct nsc_effects;
struct nsc_app;

#define NSC_MENU_ITEMS 64

struct nsc_app_menu {
    bool open;
    char things[8]; /* what it is about, as the letters of action.def; the first ones come first */
    enum nsc_action items[NSC_MENU_ITEMS];
    int row, col; /* where it was asked for */
    struct nsc_list list;
};

/* For what has the cursor now, shown at a place of the screen. False: there is nothing to do. */
bool nsc_app_menu_open_at(struct nsc_app *app, int row, int col);
/* At the cursor. */
bool nsc_app_menu_open(struct nsc_app *app);
void nsc_app_menu_close(struct nsc_app *app);
/* What a key of its scope does. */
void nsc_app_menu_action(struct nsc_app *app, enum nsc_action action, struct nsc_effects *effects);
/* While it is open all of the mouse is its own. */
void nsc_app_menu_mouse(struct nsc_app *app, const struct nsc_input *input,
                        struct nsc_effects *effects);
void nsc_app_menu_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
