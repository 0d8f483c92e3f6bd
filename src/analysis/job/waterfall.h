/*
 * Explains the change from the mean period of A to that of B by each class of time.
 *
 * A part is a class of time with a name (recording_parts.h), matched by name. Its mean in each
 * recording is in ns of an iteration, averaged over the devices that work. If kinds of iterations
 * are compared, it is weighted over the kinds as in nsc_diff. The means of all parts add up to the
 * mean period, so their changes add up to its change; rest is the remainder (rounding in doubles,
 * far below a ns). If neither has iterations, the whole recordings replace an iteration. A plain
 * value; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_WATERFALL_H
#define NSC_ANALYSIS_WATERFALL_H

#include "analysis/job/diff.h"

struct nsc_fall {
    enum nsc_part_class class;
    struct nsc_text name; /* borrowed from a recording */
    double before, after; /* ns of an iteration */
};

struct nsc_waterfall {
    double before, after;          /* the mean periods */
    double rest;                   /* remainder of the difference, in no part */
    NSC_VEC(struct nsc_fall) list; /* the greatest change first, then by class and name */
};

/* False, and nothing to free, if only one of the recordings has iterations. */
bool nsc_waterfall_build(struct nsc_waterfall *out, const struct nsc_diff *diff);
void nsc_waterfall_fini(struct nsc_waterfall *waterfall);
/* Adds the sheet "waterfall": limit parts (0: all), the others merged. Its changes, in whole ns,
 * add up to the difference between the first and the last row. */
void nsc_waterfall_sheet(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit);

#endif
