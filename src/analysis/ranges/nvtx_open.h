/*
 * Whether an NVTX range was ever closed: the index ends open ranges with the trace, the export's
 * own end column tells them apart.
 */
#ifndef NSC_ANALYSIS_NVTX_OPEN_H
#define NSC_ANALYSIS_NVTX_OPEN_H

#include "index/fields.h"

/* nvtx: the column "end" of NVTX_EVENTS as column 0; NULL: nothing is known to be open. */
static inline bool nsc_nvtx_is_open(const struct nsc_fields *nvtx, nsc_event event)
{
    int64_t end;
    uint32_t row = nvtx ? nsc_fields_find(nvtx, event) : NSC_NONE;

    return row != NSC_NONE && nsc_fields_has(nvtx, 0) && !nsc_fields_int(&end, nvtx, 0, row);
}

#endif
