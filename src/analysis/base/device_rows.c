/* Walks the lanes of a device in turn. */
#include "analysis/base/device_rows.h"

#include "core/vec.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { TURN = 3 };
#else
enum { TURN = 512 }; /* rows of a lane before the next lane's turn */
#endif

void nsc_device_rows_walk(const struct nsc_scope *scope, uint32_t device,
                          void (*pass)(void *context, const struct nsc_scope *own, nsc_event first,
                                       nsc_event end),
                          void *context)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_scope own = nsc_device_scope(scope, device);
    NSC_VEC(struct nsc_row_range) lanes = {0};
    size_t left;

    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            struct nsc_row_range *rows = NSC_VEC_ADD(&lanes);

            nsc_scope_rows(&own, tracks[t].first_lane + k, &rows->first, &rows->end);
        }
    do {
        left = 0;
        for (size_t i = 0; i < lanes.n; i++) {
            struct nsc_row_range *rows = &lanes.at[i];
            nsc_event end = rows->end - rows->first < TURN ? rows->end : rows->first + TURN;

            pass(context, &own, rows->first, end);
            rows->first = end;
            left += rows->end - end;
        }
    } while (left > 0);
    NSC_VEC_FINI(&lanes);
}
