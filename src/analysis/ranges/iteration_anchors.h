/*
 * The anchors of a sequence: symbols between whose occurrences the contents repeat
 * (iteration_period.h). Only for the files named iteration*.c.
 */
#ifndef NSC_ANALYSIS_ITERATION_ANCHORS_H
#define NSC_ANALYSIS_ITERATION_ANCHORS_H

#include "analysis/ranges/iteration_period.h"

struct nsc_stretches { /* stretches of the same content */
    uint64_t sum;
    uint32_t n, length;
    uint32_t example; /* index of its first token */
};

struct nsc_period_anchor {
    uint32_t symbol, n, first; /* first: index of its first occurrence */
    struct nsc_stretches usual, other;
    bool loose; /* stretches are similar, not equal */
};

struct nsc_period_anchors {
    const struct nsc_sequence *of;
    uint64_t *sum;   /* sum of the random numbers before each of the places */
    uint32_t *place; /* places sorted by symbol */
    uint32_t *begin; /* first index in place of each symbol; n_symbols + 1 entries */
    uint32_t *count; /* scratch for histograms, all 0 between uses */
    struct nsc_period_anchor *at;
    uint32_t n, n_loose;
};

/* The most frequent anchors come first; ties: the one that occurs first. The owner calls fini. */
void nsc_period_anchors_build(struct nsc_period_anchors *out, const struct nsc_sequence *sequence);
void nsc_period_anchors_fini(struct nsc_period_anchors *anchors);

/* The sum of the random numbers between places i and i + 1 of a symbol. at: its places. */
uint64_t nsc_stretch_sum(const struct nsc_period_anchors *f, const uint32_t at[], uint32_t i);
/* The traits of all n symbols that start at `at`. */
uint8_t nsc_stretch_traits(const struct nsc_period_anchors *f, uint32_t at, uint32_t n);
/* The common part of two stretches, as a share of the longer one. */
double nsc_stretch_common(struct nsc_period_anchors *f, uint32_t a, uint32_t a_n, uint32_t b,
                          uint32_t b_n);

#endif
