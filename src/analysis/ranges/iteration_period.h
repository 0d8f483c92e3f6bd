/*
 * Finds the period of a sequence of launches or ranges: where each repetition of the whole begins.
 *
 * The sequence is a list of symbols (numbers), one for each name. In a training step
 *     embed (norm attention mlp) x 32 head loss update
 * "norm" occurs 32 times per step, "embed" once. A symbol is an anchor if the stretches between its
 * occurrences have the same contents, in any order. The most frequent anchor is the finest. If
 * every m-th of its stretches contains something else (the head after 32 layers, the optimizer
 * after 4 micro-batches), a rarer anchor marks the iteration.
 */
#ifndef NSC_ANALYSIS_ITERATION_PERIOD_H
#define NSC_ANALYSIS_ITERATION_PERIOD_H

#include "nsyscope/trace.h"

/* Traits of a symbol. */
enum {
    NSC_TRAIT_PART = 1,      /* named like a part of a step: layer, block, micro-batch, chunk */
    NSC_TRAIT_UPDATE = 2,    /* named like the end of a step: optimizer, adam */
    NSC_TRAIT_STEP = 4,      /* named like a step; for launches: a copy of input to the device */
    NSC_TRAIT_ASIDE = 8,     /* named like an occasional activity: evaluation, checkpoint, log */
    NSC_TRAIT_EXCHANGE = 16, /* a copy between host and device: steps have one, layers do not */
    NSC_TRAIT_GRAPH = 32,    /* a CUDA graph */
    NSC_TRAIT_BORDER = 128,  /* of ranges: work between them; it ends iterations but begins none */
    NSC_TRAIT_REBUILD = 128  /* of launches, and begins none either: named like the rebuilding of a
                              * list of neighbours or of a grid */
};

struct nsc_sequence {
    const uint32_t *symbol; /* n of them, each below n_symbols */
    uint32_t n, n_symbols;
    const uint8_t *traits;           /* by symbol */
    const nsc_event *op;             /* the op of each symbol; NULL: not known */
    const struct nsc_events *events; /* events of op */
    const uint32_t *waits;     /* number of host waits before each of them, n + 1; NULL: not used */
    bool of_launches;          /* launches: one kernel over and over is not a period, but one range
                            * is */
    struct nsc_progress *stop; /* then the period is wrong; NULL: nothing stops it */
};

/* The key of most, by majority vote in two passes over the same keys. */
struct nsc_majority {
    uint64_t key;
    uint32_t votes, same;
};

static inline void nsc_majority_add(struct nsc_majority *most, uint64_t key, int pass)
{
    if (pass > 0) {
        most->same += key == most->key;
        return;
    }
    most->key = most->votes == 0 ? key : most->key;
    most->votes = key == most->key ? most->votes + 1 : most->votes - 1;
}

struct nsc_period {
    uint32_t n;      /* 0: none */
    uint32_t *start; /* places in the sequence, ascending */
    uint32_t length; /* symbols in the usual repetition */
    double steady;   /* share of the repetitions that are similar to the usual one */
};

/* The caller frees start. False if there is no period. O(n log n) at most. */
bool nsc_period_find(struct nsc_period *out, const struct nsc_sequence *sequence);
/* Moves the starts from the anchor to the beginning of the iterations: symbols that precede most
 * anchors belong to the iteration that follows. */
void nsc_period_shift(struct nsc_period *period, const struct nsc_sequence *of);
/* A pseudo-random number; the sums of two stretches are equal if they contain the same symbols. */
uint64_t nsc_symbol_hash(uint64_t symbol);

#endif
