/*
 * Exporting from the screen. Private to this room.
 *
 * The application writes no file: it sends NSC_EFFECT_EXPORT, and NSC_INPUT_EXPORT reports progress
 * and result.
 */
#ifndef NSC_VIEW_APP_EXPORT_H
#define NSC_VIEW_APP_EXPORT_H

#include "view/app/state.h"

extern const struct nsc_prompt_kind nsc_prompt_export;
extern const struct nsc_prompt_kind nsc_prompt_overwrite;

/* Opens or closes the box. False, with a message, while an export runs. */
bool nsc_app_export_open(struct nsc_app *app);
/* Runs an action of its scope. False if it had no effect. */
bool nsc_app_export_action(struct nsc_app *app, enum nsc_action action);
/* ":export FORMAT [view|range|all] FILE"; opens the box without arguments. */
NSC_NODISCARD enum nsc_status nsc_app_export_command(struct nsc_app *app, struct nsc_text arguments,
                                                     struct nsc_error *error);
void nsc_app_export_complete(struct nsc_app *app, struct nsc_text before, struct nsc_text stem);
/* Cancels the running export. False if none runs. */
bool nsc_app_export_cancel(struct nsc_app *app);
void nsc_app_export_input(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_export_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
