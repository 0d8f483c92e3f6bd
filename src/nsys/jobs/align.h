/* Places exports on the axis of the first one, by their anchors. */
#ifndef NSC_NSYS_ALIGN_H
#define NSC_NSYS_ALIGN_H

#include "nsys/jobs/anchor.h"

#define NSC_ALIGN_TEXT 256

struct nsc_aligned {
    enum nsc_align by;
    uint32_t instances; /* instances, why and residual: as in struct nsc_alignment */
    nsc_time residual;
    char why[NSC_ALIGN_TEXT]; /* why AUTO did not choose UTC */
};

/*
 * Resolves AUTO; keeps any other value. Chooses UTC if every recording has a start time and begins
 * at most a minute, or the length of the longest, after the end of those before it; else START,
 * with the reason in why.
 */
void nsc_align_choose(struct nsc_aligned *out, enum nsc_align asked,
                      const struct nsc_anchor anchors[], uint32_t n);

/*
 * offsets[i] is added to the times of export i, in ns; 0 for the first, and for an export without
 * anchor (START). out->by is UTC, START or NVTX and chooses the anchor.
 *
 * UTC: utc[i] - utc[0]. START: the first op of the first export minus that of export i; first
 * events if one export has no ops. NVTX: if all exports have the same number of instances (sorted
 * by start), the median of their differences, so that a slow instance does not matter; else the
 * difference of the first ones. The residual is the largest distance between the starts of one
 * instance after the shift.
 *
 * NSC_ENODATA: an export lacks its anchor; the text names it. NSC_EDAMAGED: more than 64 bits.
 */
NSC_NODISCARD enum nsc_status nsc_align_offsets(nsc_time offsets[], struct nsc_aligned *out,
                                                const struct nsc_anchor anchors[], uint32_t n,
                                                const char *range, struct nsc_error *error);

#endif
