/*
 * Where on the axis of the first export the others lie, from what each tells of its place in time.
 */
#ifndef NSC_NSYS_ALIGN_H
#define NSC_NSYS_ALIGN_H

#include "nsyscope/job.h"

#include "nsys/anchor.h"

#define NSC_ALIGN_TEXT 256

struct nsc_aligned {
    enum nsc_align by;
    uint32_t instances; /* as in struct nsc_alignment, as the next */
    nsc_time residual;
    char why[NSC_ALIGN_TEXT]; /* why it is not by the time of day, where nothing was asked for */
};

/*
 * What AUTO comes to: UTC when every session tells its start and each begins no later than a
 * minute, or the length of the longest, after those before it have ended; else START, and why says
 * it. Any other is kept.
 */
void nsc_align_choose(struct nsc_aligned *out, enum nsc_align asked,
                      const struct nsc_anchor anchors[], uint32_t n);

/*
 * offsets[i] is what is added to the times of export i; 0 for the first, or where there is nothing
 * to go by (START). out->by is UTC, START or NVTX, and says what of the anchors is looked at.
 *
 * UTC: utc[i] - utc[0]. START: the first work of the first less that of i; first events when not
 * all have work. NVTX: where all have as many instances of the range (sorted by start) the median
 * of their differences, so that a slow instance does not matter; else the difference of the first
 * ones. The residual is the largest distance between the starts of one instance afterwards.
 *
 * NSC_ENODATA: an export lacks what is needed, and is named; NSC_EDAMAGED: beyond 64 bits.
 */
NSC_NODISCARD enum nsc_status nsc_align_offsets(nsc_time offsets[], struct nsc_aligned *out,
                                                const struct nsc_anchor anchors[], uint32_t n,
                                                const char *range, struct nsc_error *error);

#endif
