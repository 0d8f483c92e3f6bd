/*
 * Makes frames smaller and rarer on slow links.
 */
#ifndef NSC_TUI_ECONOMY_H
#define NSC_TUI_ECONOMY_H

#include "view/kit/grid.h"

#define NSC_ECONOMY_SLOW_MS  250 /* a frame that takes longer to send marks the link as slow */
#define NSC_ECONOMY_QUICK_MS 40  /* a frame sent within this time counts as quick */
#define NSC_ECONOMY_QUICK_N  40  /* quick frames in a row that clear the mark */
#define NSC_ECONOMY_FRAME_MS 100 /* shortest time between two frames on a slow link */

struct nsc_economy {
    bool always; /* the user wants it */
    bool slow;   /* the link is slow */
    bool waits;  /* time since which a frame has been on its way */
    uint64_t since;
    unsigned quick; /* frames in a row */
};

static inline bool nsc_economy_is_on(const struct nsc_economy *economy)
{
    return economy->always || economy->slow;
}

/* Record that a frame was queued at `now`, and that the link has taken all of it by `now`. Both
 * return whether `slow` changed. */
void nsc_economy_queue(struct nsc_economy *economy, uint64_t now);
bool nsc_economy_measure(struct nsc_economy *economy, uint64_t now, bool drained);

/* Makes the time window cheap to send: ASCII instead of blocks, and one hue for all names. Letters and
 * other text stay. */
void nsc_economy_apply(struct nsc_grid *grid);

#endif
