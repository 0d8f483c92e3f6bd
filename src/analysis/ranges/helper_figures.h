/*
 * The figures of the ops lent to a range (helper_launches.h), or to a range of its track that starts inside
 * it.
 *
 * Callers add them to those of its own thread's ops. Immutable once built; about 29 bytes a lent
 * op. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_HELPER_FIGURES_H
#define NSC_ANALYSIS_HELPER_FIGURES_H

#include "analysis/ranges/helper_launches.h"

struct nsc_helper_place {
    nsc_event range, op;
    uint32_t lane; /* of the range */
};

struct nsc_helper_figures {
    const struct nsc_trace *trace;
    struct nsc_helper_place *places; /* by track, start and lane of the range */
    uint32_t n;
    struct nsc_launches *ops; /* ops in the order of places, with sums; NULL: none */
};

/* Builds them for the ops that mask selects; NULL: all. False if out of memory. */
bool nsc_helper_figures_build(struct nsc_helper_figures *out, const struct nsc_trace *trace,
                              const struct nsc_helper_launches *lends, const uint64_t *mask);
/* The same for the ops of the launches, lent to any range. */
bool nsc_helper_figures_find(struct nsc_helper_figures *out, const struct nsc_trace *trace,
                             const struct nsc_launches *launches);
void nsc_helper_figures_fini(struct nsc_helper_figures *figures);

/* Add the ops lent to a range, to a run of siblings from first to last, or to all ranges of a
 * track. figures may be NULL: none. O(log). */
void nsc_helper_figures_add(struct nsc_gpu_figures *out, const struct nsc_helper_figures *figures,
                            nsc_event range);
void nsc_helper_figures_add_run(struct nsc_gpu_figures *out,
                                const struct nsc_helper_figures *figures, nsc_event first,
                                nsc_event last);
void nsc_helper_figures_add_track(struct nsc_gpu_figures *out,
                                  const struct nsc_helper_figures *figures, uint32_t track);

#endif
