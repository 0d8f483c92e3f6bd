/*
 * The covers of devices that follow the filter: those of the trace without one, else made of the
 * rows that it keeps, a slice at a time. Private to this room.
 */
#ifndef NSC_VIEW_APP_COVERS_H
#define NSC_VIEW_APP_COVERS_H

#include "view/app/state.h"

void nsc_app_covers_fini(struct nsc_app *app);
/* After each input: a slice of what is left to do. */
void nsc_app_covers_update(struct nsc_app *app, const struct nsc_input *input,
                           struct nsc_effects *effects);

#endif
