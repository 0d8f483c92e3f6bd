/*
 * Carries folded, pinned, hidden, moved and tall rows from the early trace to the whole one, where
 * tracks have other numbers, and from one session to the next.
 */
#ifndef NSC_VIEW_MODEL_CARRY_H
#define NSC_VIEW_MODEL_CARRY_H

#include "view/model/arrangement.h"
#include "view/model/bookmark.h"

/* The number of each early track in the whole trace; NSC_NONE if it is gone. The caller frees it. */
uint32_t *nsc_carry_map(const struct nsc_trace *early, const struct nsc_trace *whole);
/*
 * Carries hidden, pinned, tall and folded rows over; new rows get the default, and the order is the
 * natural one. Returns one bit per track of the whole trace, set if the early one has it; the caller
 * frees it.
 */
uint64_t *nsc_carry_rows(struct nsc_arrangement *now, uint64_t **folds,
                         const struct nsc_trace *whole, const uint32_t map[]);

/* Adds which rows are folded, pinned, hidden, moved and tall to an empty state. */
void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds);
/* Leaves tracks whose bit is set in known as they are. NULL: no bit is set. */
void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds);

#endif
