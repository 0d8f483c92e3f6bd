/*
 * Counts and measures the events of some lanes in a window, by name, track, NVTX range or process.
 *
 * Owned by the caller; borrows the trace until it has run, on any thread. An event
 * belongs to the window if it touches it. inside and covered measure the part in the window; total,
 * min, median, p95 and max are of whole durations.
 */
#ifndef NSC_ANALYSIS_SELECTION_H
#define NSC_ANALYSIS_SELECTION_H

#include "nsyscope/trace.h"

#include "analysis/base/totals.h"

#ifdef NSC_SMALL
#define NSC_SELECTION_QUANTILES 2000u
#else
#define NSC_SELECTION_QUANTILES (1u << 24) /* with more events, median and p95 are left out */
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
    const uint32_t *lanes; /* needed for the call only */
    uint32_t n_lanes;
    struct nsc_window window;
    enum nsc_pivot pivot;
    bool brief;     /* names with equal short texts are one group */
    bool sums_only; /* leaves out covered, median and p95, which take most of the time; not for
                     * NSC_PIVOT_NVTX */
};

struct nsc_figures {
    uint32_t count;
    nsc_time inside;  /* summed ns in the window; saturating */
    nsc_time covered; /* ns of the window in which at least one event runs */
    nsc_time total;   /* summed whole durations; saturating */
    nsc_time min, max;
    nsc_time median, p95; /* nearest rank; see nsc_selection_has_quantiles */
};

struct nsc_pivot_group {
    /* One event that represents the group. NVTX: one of the ranges, NSC_NONE without any. */
    nsc_event like;
    struct nsc_figures figures;
};

struct nsc_selection;

/* Reads nothing yet. */
struct nsc_selection *nsc_selection_new(const struct nsc_selection_query *query);
void nsc_selection_free(struct nsc_selection *selection); /* NULL is fine */
/* Rows in the window, counted or not. */
uint32_t nsc_selection_rows(const struct nsc_selection *selection);
/* Runs once, for the rows of mask (NULL: all). Ends early, with wrong figures, after a cancel. */
void nsc_selection_run(struct nsc_selection *selection, const uint64_t *mask);
/* From any thread. */
void nsc_selection_cancel(struct nsc_selection *selection);

/* After it has run. Order of groups: the greatest inside first, then count, then the first
 * event. */
const struct nsc_figures *nsc_selection_all(const struct nsc_selection *selection);
const struct nsc_pivot_group *nsc_selection_groups(const struct nsc_selection *selection,
                                                   uint32_t *n);
bool nsc_selection_has_quantiles(const struct nsc_selection *selection);

/* ---- pivot.c ---- */

#ifdef NSC_SMALL
enum { NSC_PIVOT_NEARBY = 8, NSC_PIVOT_LANES = 4 };
#else
enum { NSC_PIVOT_NEARBY = 4096, NSC_PIVOT_LANES = 64 };
#endif

/* Numbers the groups of events in the order in which they occur. */
struct nsc_pivoting {
    const struct nsc_trace *trace;
    enum nsc_pivot pivot;
    bool brief;
    uint32_t *known;                 /* group + 1 of a name or track; 0: none yet */
    struct nsc_totals groups;        /* by text, track or process */
    uint32_t lanes[NSC_PIVOT_LANES]; /* found last, by place of the row */
    struct nsc_path_memo *paths;     /* NSC_PIVOT_NVTX only */
};

void nsc_pivoting_init(struct nsc_pivoting *pivoting, const struct nsc_selection_query *query);
void nsc_pivoting_fini(struct nsc_pivoting *pivoting);
/* The group of an event; *like represents it (see struct nsc_pivot_group). */
uint32_t nsc_pivoting_find(struct nsc_pivoting *pivoting, nsc_event event, nsc_event *like);

#endif
