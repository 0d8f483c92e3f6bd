/*
 * Carries folded, pinned, hidden, moved and tall rows from the early trace to the whole one, where
 * tracks have other numbers, and from one session to the next.
 */
#ifndef NSC_VIEW_MODEL_CARRY_H
#define NSC_VIEW_MODEL_CARRY_H

#include "view/model/arrangement.h"
#include "view/model/bookmark.h"

/* The number of each early track in the whole trace; NSC_NONE if it is gone. The caller frees all
 * results of these functions. */
uint32_t *nsc_carry_map(const struct nsc_trace *early, const struct nsc_trace *whole);
/* One bit per track of the whole trace: set if the early one has it. */
uint64_t *nsc_carry_known(const struct nsc_trace *early, const struct nsc_trace *whole,
                          const uint32_t map[]);
/* Folds of the whole trace; new rows get the default. */
uint64_t *nsc_carry_folds(const uint64_t *before, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[]);
/* The order of moved rows, as ranks of the whole trace's tracks. */
uint32_t *nsc_carry_ranks(const struct nsc_arrangement *arrangement, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[]);
/* Keeps hidden, pinned and tall rows; resets the order to the natural one. */
void nsc_carry_arrangement(struct nsc_arrangement *now, const struct nsc_trace *whole,
                           const uint32_t map[]);

/* Saves which rows are folded, pinned, hidden, moved and tall. */
void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds);
/* Leaves tracks whose bit is set in known as they are. NULL: no bit is set. */
void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds);

#endif
