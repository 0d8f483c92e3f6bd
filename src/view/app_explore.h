/*
 * What the application keeps for exploring: the overlap pane's figures, iterations, the mark, the
 * meaning of the time axis. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_EXPLORE_H
#define NSC_VIEW_APP_EXPLORE_H

#include "analysis/overlap.h"
#include "view/app.h"

struct nsc_explore {
    struct nsc_overlap overlap;
    bool has_overlap; /* begun, perhaps not done */
};

void nsc_explore_loaded(struct nsc_app *app);
void nsc_explore_fini(struct nsc_app *app);
/* After every input: measures a slice of what the overlap pane shows. */
void nsc_explore_update(struct nsc_app *app, struct nsc_effects *effects);

/* The device the overlap pane tells of: that of the row with the cursor, else the first; NSC_NONE
 * when there is none. */
uint32_t nsc_explore_device(const struct nsc_app *app);
bool nsc_explore_overlap_is_shown(const struct nsc_app *app);

#endif
