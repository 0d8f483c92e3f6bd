/*
 * Measures which streams of a device run at the same time in a window, and for how long. Works in
 * steps, so that the screen never waits for a window of millions of rows.
 *
 * A plain value of the caller between begin and end. Every figure is the length of a union inside
 * the window.
 */
#ifndef NSC_ANALYSIS_OVERLAP_H
#define NSC_ANALYSIS_OVERLAP_H

#include "nsyscope/cover.h"

#include "index/lane_merge.h"

#define NSC_OVERLAP_STREAMS 12 /* the busiest of a device */

struct nsc_overlap {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;   /* the rows that count */
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
    uint64_t rows, rows_done;
    bool done; /* all figures are final */

    struct nsc_lane_merge merge;
    struct nsc_overlap_lane { /* ascending by lane */
        uint32_t lane, stream;
        nsc_event first, end;
    } * lanes;
    uint32_t n_lanes;
    nsc_time reach[NSC_OVERLAP_STREAMS]; /* end of the covered time of each stream so far */
};

/* Chooses the streams and counts their rows; measures nothing yet. group: an NSC_TRACK_DEVICE.
 * Borrows the summary until the end. */
void nsc_overlap_begin(struct nsc_overlap *overlap, const struct nsc_trace *trace,
                       const struct nsc_summary *summary, uint32_t group, struct nsc_window window);
/* Measures at most `rows` more rows; true once all are done. */
bool nsc_overlap_step(struct nsc_overlap *overlap, uint64_t rows);
/* Frees the memory for measuring and keeps the figures. Safe for a zeroed value. */
void nsc_overlap_end(struct nsc_overlap *overlap);

#endif
