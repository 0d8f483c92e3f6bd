/*
 * The steady state as the scope of questions about the time of GPUs: one window for the findings and
 * for the skills that tell what a GPU does with its time.
 *
 * It is that of nsc_steady_state(): from the first iteration after the warm-up to the end of the last
 * one; of a GPU whose processes have not all of these iterations in the recording, from their first to
 * their last one. It is taken if the scope has neither a window nor a filter, does not ask for all (is_whole), and
 * enough iterations are found with enough confidence that launch most of the GPU's work; set-up before
 * the loop and ranges that come once behind it do not count (threshold.def). Otherwise the window of a
 * GPU is from its first to its last work.
 */
#ifndef NSC_ANALYSIS_STEADY_H
#define NSC_ANALYSIS_STEADY_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/finding/finding_list.h"

struct nsc_steady {
    struct nsc_scope scope; /* the narrowed one, if is_narrow */
    bool is_narrow, has_store;
    struct nsc_window *of_devices; /* owned; scope.of_devices */
    char words[NSC_STEADY_WORDS];  /* the window as a sentence */
};

/* Looks for the steady state and sets scope->steady and the words of both scopes. The steady state must
 * not move until it is closed, which frees what it owns. */
void nsc_steady_open(struct nsc_steady *out, struct nsc_scope *scope);
/* Opens a store of answers for the steady state (inside that of the scope, if it had one), filled with those of all findings, or of all findings
 * and skills. */
void nsc_steady_share(struct nsc_steady *steady, const struct nsc_field_sets *fields, bool for_all);
void nsc_steady_close(struct nsc_steady *steady, struct nsc_scope *scope);

#endif
