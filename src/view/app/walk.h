/*
 * The walk list: one pair of keys visits the places of the list used last, from anywhere. Private
 * to this room.
 */
#ifndef NSC_VIEW_APP_WALK_H
#define NSC_VIEW_APP_WALK_H

#include "view/app/state.h"

/* Goes to the next or previous place of the list used last, and names it. */
bool nsc_app_walk_step(struct nsc_app *app, bool forward);
/* Shows a window with a margin of a tenth on both sides, makes it the range, and moves the cursor
 * into it. */
void nsc_app_show_place(struct nsc_app *app, struct nsc_window w);
/* Drops the range if the last place set it. False if it did not. */
bool nsc_app_walk_drop_range(struct nsc_app *app);
/* Each lists places by size and goes to the greatest one. */
bool nsc_app_walk_gaps(struct nsc_app *app);       /* idle gaps of the cursor's GPU */
bool nsc_app_walk_exposed(struct nsc_app *app);    /* exposed communication of all GPUs */
bool nsc_app_walk_iterations(struct nsc_app *app); /* iterations */
bool nsc_app_walk_kernels(struct nsc_app *app);    /* kernels of all GPUs */

/* Goes to an instant, or makes a span the range; n and N then visit a list. */
void nsc_app_show_span(struct nsc_app *app, struct nsc_window at, enum nsc_walk list);

#endif
