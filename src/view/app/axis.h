/*
 * The axis, its mark, and iterations. Private to this room.
 */
#ifndef NSC_VIEW_APP_AXIS_H
#define NSC_VIEW_APP_AXIS_H

#include "view/app/state.h"

bool nsc_app_axis_next(struct nsc_app *app);
/* False if the trace does not have this origin. */
bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis);
/* Sets the mark at the cursor, or removes it if it is already there. */
bool nsc_app_mark(struct nsc_app *app);

/* ---- iterations ---- */

/* Uses the ranges whose name contains a text as iterations; detects them if the text is empty.
 * False, without any change, if there are none. */
bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name);
bool nsc_app_iteration_step(struct nsc_app *app, bool forward);
/* The time from the first to the last GPU work, if that is less than a third of the recording; else
 * the whole recording. */
struct nsc_window nsc_app_first_window(const struct nsc_app *app);
/* Shows that window. Moves the cursor to the first event of its row in the first iteration after the warm-up that is
 * not slow; without iterations, to the first event of its row. */
void nsc_app_go_start(struct nsc_app *app);

#endif
