/*
 * The longest questions of findings about GPUs, asked before the sources that need their answers.
 *
 * They are tasks for the threads of a pool. Without them the answers are the same, but a source
 * would compute all of its own on one thread, while others wait for it. Answers go to the scope's
 * store. Findings ask little about a healthy device, so little is asked about it here.
 */
#ifndef NSC_ANALYSIS_AHEAD_H
#define NSC_ANALYSIS_AHEAD_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "core/vec.h"

struct nsc_ahead {
    const struct nsc_scope *scope;       /* with a store */
    const struct nsc_field_sets *fields; /* may be NULL */
    NSC_VEC(uint32_t) devices;
    uint32_t n; /* tasks */
};

void nsc_ahead_init(struct nsc_ahead *ahead, const struct nsc_scope *scope,
                    const struct nsc_field_sets *fields);
/* Runs task i < n. Task 0 takes longest. Several threads may run tasks at once. */
void nsc_ahead_ask(const struct nsc_ahead *ahead, uint32_t i);
void nsc_ahead_fini(struct nsc_ahead *ahead);

/* Single answers for the store: the work of ranges, and that of kernels. */
void nsc_ahead_ranges(const struct nsc_scope *scope);
void nsc_ahead_kernels(const struct nsc_scope *scope);

#endif
