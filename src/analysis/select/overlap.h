/*
 * Which streams of a device run at the same time in a window, and for how long: measured in steps,
 * so that nobody waits for a window of millions of rows.
 *
 * A plain value of the caller's between begin and end. Every figure is the length of a union inside
 * the window.
 */
#ifndef NSC_ANALYSIS_OVERLAP_H
#define NSC_ANALYSIS_OVERLAP_H

#include "nsyscope/cover.h"

#include "index/lane_merge.h"

#define NSC_OVERLAP_STREAMS 12 /* the busiest of a device */

struct nsc_overlap {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;   /* which rows count */
    uint32_t group;                      /* the device's track */
    struct nsc_window window;            /* what is measured */
    uint32_t n;                          /* streams in track[] */
    uint32_t n_working;                  /* streams of the device that do anything in the window */
    uint32_t track[NSC_OVERLAP_STREAMS]; /* busiest first, as far as that is known before */
    nsc_time together[NSC_OVERLAP_STREAMS][NSC_OVERLAP_STREAMS]; /* symmetric; [i][i]: i is busy */
    nsc_time graph;      /* work of CUDA graphs recorded as graphs on these streams, added up */
    uint32_t n_graphs;   /* how many of them */
    uint32_t last_graph; /* one of them, NSC_NONE without any */
    uint64_t rows, rows_done;
    bool done; /* all figures are final */

    struct nsc_lane_merge merge;
    struct nsc_overlap_lane { /* ascending by lane */
        uint32_t lane, stream;
        nsc_event first, end;
    } * lanes;
    uint32_t n_lanes;
    nsc_time reach[NSC_OVERLAP_STREAMS]; /* how far the rows of each go so far */
};

/* Chooses the streams and counts their rows; measures nothing yet. group: an NSC_TRACK_DEVICE. The
 * summary is borrowed until the end. */
void nsc_overlap_begin(struct nsc_overlap *overlap, const struct nsc_trace *trace,
                       const struct nsc_summary *summary, uint32_t group, struct nsc_window window);
/* Measures at most so many rows more; true when all are done. */
bool nsc_overlap_step(struct nsc_overlap *overlap, uint64_t rows);
/* Frees what measuring needs; the figures stay. Fine on a zeroed value. */
void nsc_overlap_end(struct nsc_overlap *overlap);

#endif
