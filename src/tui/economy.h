/*
 * Frames for slow links: fewer hues, no edges inside cells, fewer letters, and when to draw so.
 */
#ifndef NSC_TUI_ECONOMY_H
#define NSC_TUI_ECONOMY_H

#include "view/kit/grid.h"

#define NSC_ECONOMY_SLOW_MS  250 /* a frame that takes longer to send makes the link a slow one */
#define NSC_ECONOMY_QUICK_MS 40  /* frames sent within this speak for a quick one */
#define NSC_ECONOMY_QUICK_N  40  /* so many of them in a row */
#define NSC_ECONOMY_FRAME_MS 100 /* between two frames on a slow link */

struct nsc_economy {
    bool always; /* the user wants it */
    bool slow;   /* the link is slow */
    bool waits;  /* a frame is being sent, since: */
    uint64_t since;
    unsigned quick; /* frames in a row */
};

static inline bool nsc_economy_is_on(const struct nsc_economy *economy)
{
    return economy->always || economy->slow;
}

/* Frames that were queued at now, and whether the link has taken everything by now. Each says
 * whether slow changed. */
void nsc_economy_queue(struct nsc_economy *economy, uint64_t now);
bool nsc_economy_watch(struct nsc_economy *economy, uint64_t now, bool drained);

/* Makes what the grid shows of its window of time cheap to send; nothing that is there vanishes. */
void nsc_economy_apply(struct nsc_grid *grid);

#endif
