/*
 * From the mean period of A to that of B: what each class of time contributes.
 *
 * A part is a class of time with a name (recording_parts.h), matched by its name. It has in each
 * recording a mean: ns of an iteration, over the devices that work; where kinds of iterations are
 * compared with each other, over the kinds as nsc_diff weighs them. The means of all parts add up
 * to the mean period, so the changes of all parts add up to its change; rest is what is left of it
 * (rounding in doubles, far below a ns). Without iterations in either, the whole recordings take
 * the place of an iteration. A plain value; the owner calls fini.
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
    double rest;                   /* of their difference: what no part has */
    NSC_VEC(struct nsc_fall) list; /* the greatest change first, then by class and name */
};

/* False, and nothing to free, if only one of the recordings has iterations. */
bool nsc_waterfall_build(struct nsc_waterfall *out, const struct nsc_diff *diff);
void nsc_waterfall_fini(struct nsc_waterfall *waterfall);
/* The sheet "waterfall": limit parts (0: all), the others together. Its changes, in whole ns, add up
 * to the difference between the first and the last row. */
void nsc_waterfall_sheet(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit);

#endif
