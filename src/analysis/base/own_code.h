/*
 * Which function of the user's own makes a CUDA call.
 *
 * An export recorded with --cudabacktrace or --python-backtrace=cuda has the call stacks of CUDA
 * calls. The user's own function is the innermost frame of his own (own_frame.h). A call has none if
 * all its frames are of others, or if it has no stack. nsys writes the stack
 * to the row of the call, or to a row that wraps it on its thread.
 */
#ifndef NSC_ANALYSIS_OWN_CODE_H
#define NSC_ANALYSIS_OWN_CODE_H

#include "analysis/base/field_sets.h"
#include "core/sparse.h"

#define NSC_OWN_IDLE "(GPU idle)"

struct nsc_stacks;

struct nsc_own_code { /* zero at first; the owner calls fini */
    bool is_read;
    struct nsc_sparse of_call; /* struct nsc_text by event, borrowed from the fields; empty: none */
};

/* The function that makes a call; empty: not known. The first time reads the stacks of all exports.
 * fields: by export, NULL: none; must outlive the result. */
struct nsc_text nsc_own_code_find(struct nsc_own_code *own, const struct nsc_trace *trace,
                                  const struct nsc_field_sets *const fields[], nsc_event call);
/* Adds the calls of an export whose function is known to stacks, each under its function, as its
 * name and as NSC_OWN_IDLE. */
void nsc_own_code_stacks(struct nsc_stacks *stacks, const struct nsc_trace *trace,
                         const struct nsc_field_sets *fields, uint32_t capture_no);
void nsc_own_code_fini(struct nsc_own_code *own);

#endif
