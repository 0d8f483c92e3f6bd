/*
 * The events of some lanes in a window, counted and measured in groups: by name, track, NVTX range
 * or process.
 *
 * Made in slices, so that whoever waits for it can do something else in between. Owned by the
 * caller; the trace and the summary are borrowed until the last step. An event belongs to the
 * window when it touches it. inside and covered count what lies in the window; total, min, median,
 * p95 and max are of whole durations.
 */
#ifndef NSC_ANALYSIS_SELECTION_H
#define NSC_ANALYSIS_SELECTION_H

#include "nsyscope/summary.h"

#ifdef NSC_SMALL
#define NSC_SELECTION_QUANTILES 2000u
#else
#define NSC_SELECTION_QUANTILES (1u << 24) /* events: beyond, median and p95 are left out */
#endif

enum nsc_pivot {
    NSC_PIVOT_NAME,
    NSC_PIVOT_TRACK,
    NSC_PIVOT_NVTX, /* the innermost push/pop range around the event, or around its launch */
    NSC_PIVOT_PROCESS,
    NSC_N_PIVOTS
};

struct nsc_selection_query {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* which rows count */
    const uint32_t *lanes;             /* needed for the call only */
    uint32_t n_lanes;
    struct nsc_window window;
    enum nsc_pivot pivot;
    bool brief; /* names that are equal in short are one group */
};

struct nsc_figures {
    uint32_t count;
    nsc_time inside;  /* ns of the window, added; saturating */
    nsc_time covered; /* ns of the window in which at least one of them is */
    nsc_time total;   /* whole durations, added; saturating */
    nsc_time min, max;
    nsc_time median, p95; /* nearest rank; see nsc_selection_has_quantiles */
};

struct nsc_pivot_group {
    /* Stands for the group: one of its events; NVTX: one of the ranges, NSC_NONE without any. */
    nsc_event like;
    struct nsc_figures figures;
};

struct nsc_selection;

/* Looks nothing at yet. */
struct nsc_selection *nsc_selection_new(const struct nsc_selection_query *query);
void nsc_selection_free(struct nsc_selection *selection); /* NULL is fine */
/* Goes on, for about so many rows; false when all is done. */
bool nsc_selection_step(struct nsc_selection *selection, uint32_t rows);
bool nsc_selection_is_done(const struct nsc_selection *selection);
/* How far it is, in thousandths. */
uint32_t nsc_selection_permille(const struct nsc_selection *selection);

/* Of a selection that is done. Groups: the greatest inside first, then count, then the first. */
const struct nsc_figures *nsc_selection_all(const struct nsc_selection *selection);
const struct nsc_pivot_group *nsc_selection_groups(const struct nsc_selection *selection,
                                                   uint32_t *n);
bool nsc_selection_has_quantiles(const struct nsc_selection *selection);

#endif
