/*
 * The NVTX range that a call was made in: of the closed ranges of its thread that last and hold it
 * from start to end, the one that starts last (the report's definition B8).
 *
 * All domains, push/pop and start/end ranges alike. Calls are asked in ascending order of their
 * row, so each range is passed once a lane of calls.
 */
#ifndef NSC_ANALYSIS_NVTX_LAUNCHES_H
#define NSC_ANALYSIS_NVTX_LAUNCHES_H

#include "analysis/hotspots/hotspots.h"

struct nsc_nvtx_cursor { /* of a lane of ranges */
    nsc_event next, first, end;
};

struct nsc_nvtx_launches {
    const struct nsc_hotspots *report;
    const struct nsc_events *events;
    uint32_t lane; /* of the calls that are asked of now; NSC_NONE at first */
    NSC_VEC(struct nsc_nvtx_cursor) cursors;
};

void nsc_nvtx_launches_init(struct nsc_nvtx_launches *at, const struct nsc_hotspots *report);
void nsc_nvtx_launches_fini(struct nsc_nvtx_launches *at);
/* NSC_NONE when no range holds it; call must not be before the one asked last. */
nsc_event nsc_nvtx_launches_step(struct nsc_nvtx_launches *at, nsc_event call);

#endif
