/*
 * Keeps the covers of devices up to date with the filter, a slice after each input. Private to this
 * room.
 */
#ifndef NSC_VIEW_APP_COVERS_H
#define NSC_VIEW_APP_COVERS_H

#include "view/app/state.h"

void nsc_app_covers_fini(struct nsc_app *app);
/* After each input: does a slice of the work. */
void nsc_app_covers_update(struct nsc_app *app, const struct nsc_input *input,
                           struct nsc_effects *effects);

#endif
