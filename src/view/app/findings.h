/*
 * Findings on the screen: what was found, and gone to one after the other. Private to this
 * room.
 *
 * They are of the whole trace. Looking for them takes a pass over all events: the application asks
 * with NSC_EFFECT_FINDINGS once they are wanted and hears with NSC_INPUT_FINDINGS.
 */
#ifndef NSC_VIEW_APP_FINDINGS_H
#define NSC_VIEW_APP_FINDINGS_H

#include "view/app/state.h"

void nsc_app_findings_fini(struct nsc_app *app);
/* Each says with false that there was nothing to do. */
bool nsc_app_findings_open(struct nsc_app *app);
bool nsc_app_finding_step(struct nsc_app *app, bool forward);
void nsc_app_findings_input(struct nsc_app *app, const struct nsc_input *input);
/* After each input: what is to be asked for. */
void nsc_app_findings_update(struct nsc_app *app, const struct nsc_input *input,
                             struct nsc_effects *effects);

bool nsc_app_findings_list_update(struct nsc_app *app, bool tick);
bool nsc_app_findings_act(struct nsc_app *app, enum nsc_action action);
struct nsc_list *nsc_app_findings_list(struct nsc_app *app);

#endif
