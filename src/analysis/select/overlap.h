/*
 * Measures which streams of a device run at the same time in a window, and for how long. Every figure
 * is the length of a union inside the window.
 */
#ifndef NSC_ANALYSIS_OVERLAP_H
#define NSC_ANALYSIS_OVERLAP_H

#include "nsyscope/cover.h"
#include "nsyscope/trace.h"

#define NSC_OVERLAP_STREAMS 12 /* the busiest of a device */

struct nsc_overlap {
    uint32_t group;                      /* the device's track */
    struct nsc_window window;            /* the measured window */
    uint32_t n;                          /* streams in track[] */
    uint32_t n_working;                  /* streams of the device with ops in the window */
    uint32_t track[NSC_OVERLAP_STREAMS]; /* busiest first, by an estimate before measuring */
    nsc_time together[NSC_OVERLAP_STREAMS][NSC_OVERLAP_STREAMS]; /* symmetric; [i][i] is the busy
                                                                  * time of i */
    nsc_time graph;      /* summed time of CUDA graphs recorded as one row, on these streams */
    uint32_t n_graphs;   /* their number */
    uint32_t last_graph; /* one of these graphs; NSC_NONE without any */
};

struct nsc_progress;

/* group: an NSC_TRACK_DEVICE. summary: the rows that count. progress may be NULL; once it is cancelled, the
 * figures are too small. */
struct nsc_overlap nsc_overlap_measure(const struct nsc_trace *trace,
                                       const struct nsc_summary *summary, uint32_t group,
                                       struct nsc_window window, struct nsc_progress *progress);

#endif
