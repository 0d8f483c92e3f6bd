/*
 * The gaps of a device, and the ops around each.
 *
 * Gaps come from a cover of the device's work, and ops from a cursor per lane, so the lanes are not
 * merged: O(gaps * lanes). An op here has a length and belongs to the scope. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_GAP_OPS_H
#define NSC_ANALYSIS_GAP_OPS_H

#include "nsyscope/cover.h"

#include "analysis/base/device_ops.h"
#include "core/vec.h"

/* The last op of a lane with some property among the rows before `end`; NSC_NONE: none. */
struct nsc_gap_last {
    nsc_event op, end;
};

struct nsc_gap_lane { /* of the device's streams */
    uint32_t number, stream;
    nsc_event end;                      /* of the lane */
    nsc_event row;                      /* the first that starts after the gap */
    nsc_time start;                     /* of row; INT64_MAX: no row is left */
    nsc_event ahead;                    /* the first that may be `next` */
    struct nsc_gap_last any, with_call; /* from the first row of the window on */
};

struct nsc_gap_ops {
    const struct nsc_scope *scope;
    struct nsc_window window; /* of the device */
    const struct nsc_cover *busy;
    struct nsc_cover *owned;
    uint32_t interval, n_intervals; /* of busy; the one that ends the next gap */
    nsc_time t;                     /* the next gap is not before it */
    NSC_VEC(struct nsc_gap_lane) lanes;
    /* Of the gap: */
    nsc_time start, end;
    nsc_event last; /* the op with the latest end before it; ties: that starts last; NSC_NONE */
    uint32_t last_stream; /* track of last */
    nsc_event
        after; /* the op that starts at its end, in the window; ties: the least row; NSC_NONE */
    nsc_event next; /* after, or if that is none or a migration: the first op from its end on, also
                      * after the window, that is no migration; NSC_NONE */
    uint32_t next_stream; /* track of next */
};

/* False if the scope has no op of the device: then there are no gaps. */
bool nsc_gap_ops_init(struct nsc_gap_ops *ops, const struct nsc_scope *scope, uint32_t device);
void nsc_gap_ops_fini(struct nsc_gap_ops *ops);
/* Moves to the next gap; false after the last. */
bool nsc_gap_ops_next(struct nsc_gap_ops *ops);
/* The call that launched the last op with a known call before the gap; NSC_NONE. */
nsc_event nsc_gap_ops_last_call(struct nsc_gap_ops *ops);
/* Whether an op is a migration of unified memory. */
bool nsc_gap_ops_is_migration(struct nsc_gap_ops *ops, nsc_event op);

#endif
