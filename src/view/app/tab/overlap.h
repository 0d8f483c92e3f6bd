/*
 * The overlap pane, and steps between events that belong together. Private to this room.
 */
#ifndef NSC_VIEW_APP_TAB_OVERLAP_H
#define NSC_VIEW_APP_TAB_OVERLAP_H

#include "view/app/state.h"

/* found: the iterations, taken over. */
void nsc_explore_loaded(struct nsc_app *app, struct nsc_iterations *found);
void nsc_explore_fini(struct nsc_app *app);
void nsc_app_overlap_update(struct nsc_app *app);

/* ---- events of one name, and linked ones ---- */

bool nsc_app_same_step(struct nsc_app *app, bool forward);
bool nsc_app_same_longest(struct nsc_app *app);
/* Fits the selected event, its launch or the work it launched, and the work it waited for, with a
 * margin of a tenth on both sides. */
bool nsc_app_fit_links(struct nsc_app *app);

#endif
