/*
 * The findings as a list, with the evidence of the one at its cursor.
 */
#ifndef NSC_VIEW_PANE_FINDINGS_H
#define NSC_VIEW_PANE_FINDINGS_H

#include "analysis/finding/finding_list.h"
#include "core/units.h"
#include "view/kit/list.h"
#include "view/scene/scene.h"

struct nsc_pane_findings {
    struct nsc_findings found;
    struct nsc_list list;
    bool asked, made;
    bool wanted;          /* requested by the user, not only for the summary: title and overview
                           * show them */
    bool due;             /* must be requested: NSC_EFFECT_FINDINGS */
    bool visited;         /* the user visited the one at the cursor */
    int step;             /* when they arrive: 1 goes to the first, -1 to the last */
    uint64_t done, total; /* numbers of questions */
};

/* Number of findings assessed; 0 before the search. */
size_t nsc_findings_assessed(const struct nsc_pane_findings *findings);
/* "A " or "B ": the recording that a finding is about, if two are compared; else "". */
void nsc_pane_findings_side(const struct nsc_scene *scene, const struct nsc_finding *finding,
                            char out[NSC_UNITS_BYTES]);
/* Marks of them on the overview. */
void nsc_pane_findings_mark(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                            struct nsc_grid *grid);
/* Whether the evidence is beside the list instead of above it. */
bool nsc_pane_findings_is_wide(const struct nsc_scene *scene);
int nsc_pane_findings_draw(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                           bool focus, struct nsc_grid *grid, struct nsc_rect rect);

#endif
