/*
 * Findings on the screen. Private to this room.
 *
 * They cover the whole trace and need a pass over all events: the application asks for them with
 * NSC_EFFECT_FINDINGS when they are first wanted, and NSC_INPUT_FINDINGS brings them.
 */
#ifndef NSC_VIEW_APP_FINDINGS_H
#define NSC_VIEW_APP_FINDINGS_H

#include "view/app/state.h"

void nsc_app_findings_fini(struct nsc_app *app);
/* Each returns false if there was nothing to do. */
bool nsc_app_findings_open(struct nsc_app *app);
bool nsc_app_finding_step(struct nsc_app *app, bool forward);
void nsc_app_findings_input(struct nsc_app *app, const struct nsc_input *input);
/* After each input: sets the effects that are due. */
void nsc_app_findings_update(struct nsc_app *app, const struct nsc_input *input,
                             struct nsc_effects *effects);

bool nsc_app_findings_list_update(struct nsc_app *app, bool tick);
bool nsc_app_findings_act(struct nsc_app *app, enum nsc_action action);
struct nsc_list *nsc_app_findings_list(struct nsc_app *app);

#endif
