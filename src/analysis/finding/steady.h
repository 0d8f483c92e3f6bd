/*
 * The steady state as a scope: one window for all findings and skills about the time of GPUs.
 *
 * The steady state is that of nsc_steady_state(): from the first iteration after the warm-up to the
 * end of the last one. A GPU whose processes lack some of these iterations in the recording has a
 * window from their first to their last one. The steady state is used if the scope has neither a
 * window nor a filter and does not ask for the whole recording (is_whole), and if enough iterations
 * with enough confidence launch most of the GPU's work. Set-up before the loop and ranges that
 * occur once after it do not count (threshold.def). Otherwise the window of a GPU goes from its
 * first to its last work.
 */
#ifndef NSC_ANALYSIS_STEADY_H
#define NSC_ANALYSIS_STEADY_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/finding/finding_list.h"

struct nsc_steady {
    struct nsc_scope scope; /* the narrowed scope, valid if is_narrow */
    bool is_narrow, has_store;
    struct nsc_window *of_devices; /* owned; scope.of_devices */
    char words[NSC_STEADY_WORDS];  /* the window as a sentence */
};

/* Finds the steady state and sets scope->steady and the words of both scopes. *out must not move
 * until it is closed; closing frees it. */
void nsc_steady_open(struct nsc_steady *out, struct nsc_scope *scope);
/* The same, and opens a store of answers for the steady state, inside that of the scope. Fills both
 * with what many skills and findings need, on all cores; fields may be NULL. */
void nsc_steady_share(struct nsc_steady *out, struct nsc_scope *scope,
                      const struct nsc_field_sets *fields);
void nsc_steady_close(struct nsc_steady *steady, struct nsc_scope *scope);

#endif
