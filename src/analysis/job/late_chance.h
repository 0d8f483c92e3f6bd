/* Whether chance gives a rank, or several, so much lateness. */
#ifndef NSC_ANALYSIS_LATE_CHANCE_H
#define NSC_ANALYSIS_LATE_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over the steps, for k of the members, whichever they are. */
struct nsc_late_chance {
    double mean, variance; /* of what is theirs */
    double latest;         /* the lateness of the latest member */
    double longest;        /* the most that can be theirs in one step */
    double n;              /* steps in which some member is late */
    double log_ways;       /* to choose k members, of each to choose one */
};

/* late: by member, then step; more than cap counts as cap. */
struct nsc_late_chance nsc_late_chance_measure(const float late[], float cap, uint32_t n,
                                               uint32_t steps, uint32_t k);
/* Whether chance hardly gives them so much lateness, in the first of n_tests of any k: by the bounds of late.h. */
bool nsc_late_chance_is_unlikely(const struct nsc_late_chance *chance, double kept, double n_tests);

#endif
