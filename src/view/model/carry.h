/*
 * From the early trace to the whole one: tracks have other numbers there, and what people folded,
 * hid, pinned and moved stays.
 */
#ifndef NSC_VIEW_MODEL_CARRY_H
#define NSC_VIEW_MODEL_CARRY_H

#include "view/model/arrangement.h"

/* The number of each early track in the whole trace; NSC_NONE for one that is gone. The caller
 * frees it, as all that is returned here. */
uint32_t *nsc_carry_map(const struct nsc_trace *early, const struct nsc_trace *whole);
/* A bit for each track of the whole trace that the early one has too. */
uint64_t *nsc_carry_known(const struct nsc_trace *early, const struct nsc_trace *whole,
                          const uint32_t map[]);
/* New rows are folded as they would be at first. */
uint64_t *nsc_carry_folds(const uint64_t *before, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[]);
/* The order of moved rows, as ranks of the tracks of the whole trace. */
uint32_t *nsc_carry_ranks(const struct nsc_arrangement *arrangement, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[]);
/* Hidden, pinned and tall rows stay so; the order is the natural one again. */
void nsc_carry_arrangement(struct nsc_arrangement *now, const struct nsc_trace *whole,
                           const uint32_t map[]);

#endif
