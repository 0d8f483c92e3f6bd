/*
 * Findings on the screen: what was found, and gone to one after the other. Private to app*.c and
 * pane_*.c.
 *
 * They are of the whole trace. Looking for them takes a pass over all events: the application asks
 * with NSC_EFFECT_FINDINGS once they are wanted and hears with NSC_INPUT_FINDINGS.
 */
#ifndef NSC_VIEW_APP_FINDINGS_H
#define NSC_VIEW_APP_FINDINGS_H

#include "analysis/finding/finding_list.h"
#include "view/app/app.h"
#include "view/kit/action.h"
#include "view/kit/list.h"

struct nsc_app_findings {
    struct nsc_findings found;
    struct nsc_list list;
    bool asked, made;
    bool due;             /* to be asked for: NSC_EFFECT_FINDINGS */
    bool visited;         /* the one at the cursor was gone to */
    int step;             /* once they are made: 1 goes to the first, -1 to the last */
    uint64_t done, total; /* questions */
};

void nsc_app_findings_fini(struct nsc_app *app);
/* Those found: without what could not be assessed. 0 before they were looked for. */
size_t nsc_app_findings_assessed(const struct nsc_app *app);
/* Each says with false that there was nothing to do. */
bool nsc_app_findings_open(struct nsc_app *app);
bool nsc_app_finding_next(struct nsc_app *app);
bool nsc_app_finding_prev(struct nsc_app *app);
void nsc_app_findings_input(struct nsc_app *app, const struct nsc_input *input);
/* After each input: what is to be asked for. */
void nsc_app_findings_update(struct nsc_app *app, struct nsc_effects *effects);
/* Marks of them on the overview. */
void nsc_app_findings_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* Whether the evidence stands beside the list, not above it. */
bool nsc_pane_findings_is_wide(const struct nsc_app *app);
bool nsc_pane_findings_update(struct nsc_app *app, bool tick);
int nsc_pane_findings_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_findings_act(struct nsc_app *app, enum nsc_action action);
bool nsc_pane_findings_can_show(const struct nsc_app *app);
struct nsc_list *nsc_pane_findings_list(struct nsc_app *app);

#endif
