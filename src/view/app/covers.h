/*
 * The covers of devices that follow the filter: those of the trace without one, else made of the
 * rows that it keeps, a slice at a time. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_COVERS_H
#define NSC_VIEW_APP_COVERS_H

#include "index/passes.h"
#include "view/app/app.h"
#include "view/scene/covers.h"

void nsc_app_covers_fini(struct nsc_app *app);
/* After each input: a slice of what is left to do. */
void nsc_app_covers_update(struct nsc_app *app, struct nsc_effects *effects);

#endif
