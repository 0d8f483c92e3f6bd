/*
 * The rows of a session: which are folded, pinned, hidden, moved and tall.
 */
#ifndef NSC_VIEW_MODEL_SESSION_ROWS_H
#define NSC_VIEW_MODEL_SESSION_ROWS_H

#include "view/model/arrangement.h"
#include "view/model/bookmark.h"

void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds);
/* Leaves tracks whose bit is set in known as they are. NULL: no bit is set. */
void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds);

#endif
