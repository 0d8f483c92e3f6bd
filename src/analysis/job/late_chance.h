/* Whether chance gives a rank so much lateness. */
#ifndef NSC_ANALYSIS_LATE_CHANCE_H
#define NSC_ANALYSIS_LATE_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over the steps. */
struct nsc_late_chance {
    double mean, variance; /* over the members */
    double latest;         /* the lateness of the latest member */
    double longest;        /* of all */
    double n;              /* steps in which some member is late */
};

/* late: by member, then step. */
struct nsc_late_chance nsc_late_chance_measure(const float late[], uint32_t n, uint32_t steps);
/* Whether chance hardly gives a member so much lateness, in the first of n_tests: by the bounds of late.h. */
bool nsc_late_chance_is_unlikely(const struct nsc_late_chance *chance, double kept, double n_tests);

#endif
