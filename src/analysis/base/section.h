/*
 * Quantiles and counts of any section of a list of times, in O(log) of the greatest difference: for
 * callers that ask about many sections of one list.
 *
 * A wavelet matrix: level by level, from the highest bit, values with a 0 move ahead of those with
 * a 1. About 0.2 bytes a value and bit. Immutable once built; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_SECTION_H
#define NSC_ANALYSIS_SECTION_H

#include "nsyscope/types.h"

struct nsc_section_level {
    uint64_t *bits; /* one bit of each value */
    uint32_t *ones; /* by word of bits: the ones before it */
    uint32_t zeros;
};

struct nsc_sections {
    uint32_t n, n_levels;
    nsc_time least; /* values are kept as differences from it */
    struct nsc_section_level levels[64];
};

/* The values are at least 0; they are copied. */
void nsc_sections_build(struct nsc_sections *out, const nsc_time values[], uint32_t n);
void nsc_sections_fini(struct nsc_sections *sections);
/* The number of values in [first, end) that are at most a limit. */
uint32_t nsc_sections_count(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                            nsc_time limit);
/* The median as nsc_quantile has it; 0 for an empty section. */
nsc_time nsc_sections_median(const struct nsc_sections *sections, uint32_t first, uint32_t end);
/* The median distance from a value of at least 0; 0 for an empty section. O(log) twice. */
nsc_time nsc_sections_mad(const struct nsc_sections *sections, uint32_t first, uint32_t end,
                          nsc_time from);

#endif
