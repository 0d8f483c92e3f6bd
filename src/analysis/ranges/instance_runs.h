/*
 * Runs in the tree of ranges: siblings in a row that are alike, so that one line can show them.
 *
 * Ops are alike if their brief name and kind are, ranges if their whole text is. A run ends where a
 * shown sibling of another kind or name stands between. Roots have no runs.
 */
#ifndef NSC_ANALYSIS_INSTANCE_RUNS_H
#define NSC_ANALYSIS_INSTANCE_RUNS_H

#include "analysis/ranges/instances.h"

struct nsc_instance_run {
    struct nsc_instance first, last;
    uint32_t n; /* shown places; 1 for a place that is like none beside it */
};

/* A run of at least two ranges, by row. */
struct nsc_range_run {
    nsc_event first, last;
    uint32_t n; /* shown rows */
};

struct nsc_instance_runs {
    NSC_VEC(struct nsc_range_run) list; /* ascending */
    struct nsc_launches **inside; /* by root; one that takes no work: the ops launched inside its
                                   * ranges, because others lie between them; NULL: none */
    uint32_t n_roots;
};

/* Finds the runs of ranges, given the roots, launches and keep of all. The owner puts them in
 * all->runs and calls fini. False if out of memory; then there is nothing to free. */
bool nsc_instance_runs_build(struct nsc_instance_runs *out, const struct nsc_instances *all);
void nsc_instance_runs_fini(struct nsc_instance_runs *runs);

/* The run of a shown place. O(log runs) for ranges, O(run / 64) for ops. */
struct nsc_instance_run nsc_instance_run(const struct nsc_instances *all, struct nsc_instance at);
/* How many places of a run come before one of them. O(run / 64) for ranges under a filter. */
uint32_t nsc_instance_run_index(const struct nsc_instances *all, const struct nsc_instance_run *run,
                                struct nsc_instance at);
/* The figures of the ops of a run: its own, or those launched in its ranges or lent to them. Of a root
 * that takes no work those of its ranges. */
struct nsc_gpu_figures nsc_instance_run_figures(const struct nsc_instances *all,
                                                const struct nsc_instance_run *run);
/* The summed durations of a run, saturating. O(log rows); O(run) for ranges under a filter. */
nsc_time nsc_instance_run_total(const struct nsc_instances *all,
                                const struct nsc_instance_run *run);

#endif
