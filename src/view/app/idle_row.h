/*
 * The idle rows: what each device waits for. Private to this room.
 */
#ifndef NSC_VIEW_APP_IDLE_ROW_H
#define NSC_VIEW_APP_IDLE_ROW_H

#include "view/app/state.h"

/* Finds the causes of all devices; runs on any thread. */
void nsc_idle_row_run(struct nsc_idle_row *out, const struct nsc_trace *trace);
void nsc_idle_row_fini(struct nsc_idle_row *row);
/* Shows the result. */
void nsc_idle_row_take(struct nsc_app *app, struct nsc_app_build *done);
void nsc_idle_row_drop(struct nsc_app *app);
/* After each input: starts a build if needed. */
void nsc_idle_row_update(struct nsc_app *app);

#endif
