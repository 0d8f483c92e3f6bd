/*
 * Moves the times of a batch of rows onto the axis of a trace.
 */
#ifndef NSC_NSYS_SHIFT_H
#define NSC_NSYS_SHIFT_H

#include "nsys/scan.h"

struct nsc_shifted {
    struct nsc_batch batch; /* the same rows; borrows from the other batch and from this */
    int64_t start[NSC_SCAN_ROWS], end[NSC_SCAN_ROWS];
    bool lost[NSC_SCAN_ROWS]; /* a time of the row would leave 64 bits */
};

/* start, end: columns that hold times, negative for none. offset: ns. Only integers are moved. */
void nsc_shift(struct nsc_shifted *out, const struct nsc_batch *batch, int start, int end,
               nsc_time offset);

#endif
