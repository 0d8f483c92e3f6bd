/*
 * Finds the period of a sequence of launches or ranges: where each repetition of the whole begins.
 *
 * The sequence is a list of numbers, one for each name. In a training step
 *     embed (norm attention mlp) x 32 head loss update
 * "norm" recurs 32 times as often as the step, and "embed" once. A number is an anchor if what lies
 * between its occurrences is always the same, whatever its order. The anchor that recurs most often
 * is the finest. Where every m-th of its stretches has something else in it (the head after 32
 * layers, the optimizer after 4 micro-batches), a rarer anchor marks the iteration.
 */
#ifndef NSC_ANALYSIS_ITERATION_PERIOD_H
#define NSC_ANALYSIS_ITERATION_PERIOD_H

#include "nsyscope/trace.h"

/* What a symbol is, besides its number. */
enum {
    NSC_TRAIT_PART = 1,      /* named like a part of a step: layer, block, micro-batch, chunk */
    NSC_TRAIT_UPDATE = 2,    /* named like the end of a step: optimizer, adam */
    NSC_TRAIT_STEP = 4,      /* named like a step; of launches: a copy to the device, its input */
    NSC_TRAIT_ASIDE = 8,     /* named like what happens now and then: evaluation, checkpoint, log */
    NSC_TRAIT_EXCHANGE = 16, /* a copy between host and device: steps have one, layers none */
    NSC_TRAIT_GRAPH = 32,    /* a CUDA graph */
    NSC_TRAIT_BORDER = 128   /* work between ranges: it ends iterations but begins none */
};

struct nsc_sequence {
    const uint32_t *symbol; /* n of them, each below n_symbols */
    uint32_t n, n_symbols;
    const uint8_t *traits;           /* by symbol */
    const nsc_event *op;             /* what each of the n is on the GPU; NULL: not known */
    const struct nsc_events *events; /* of op */
    const uint32_t *waits; /* of the host before each of them, n + 1; NULL: they tell nothing */
    bool of_launches;      /* a single kernel over and over is no period; a single range is */
};

struct nsc_period {
    uint32_t n;      /* 0: none */
    uint32_t *start; /* places in the sequence, ascending */
    uint32_t length; /* of the usual repetition */
    double steady;   /* share of the repetitions that are like the usual ones */
};

/* The caller frees start. False if there is no period. O(n log n) at most. */
bool nsc_period_find(struct nsc_period *out, const struct nsc_sequence *sequence);
/* Moves the starts, which stand at an anchor, to where the iterations begin: what stands before most
 * of them alike belongs to the iteration behind it. */
void nsc_period_shift(struct nsc_period *period, const struct nsc_sequence *of);
/* A number that looks random; the sums of two stretches are equal when they hold the same symbols. */
uint64_t nsc_symbol_hash(uint32_t symbol);

#endif
