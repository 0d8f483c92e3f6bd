/* Merges the ops of the other devices as far as an interval needs them. */
#include "analysis/device/other_gpus.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

void nsc_other_gpus_init(struct nsc_other_gpus *out, const struct nsc_trace *trace, uint32_t device)
{
    uint32_t n_lanes;
    uint32_t n_tracks;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    *out = (struct nsc_other_gpus){.trace = trace};
    out->lanes = nsc_xcalloc((size_t)n_lanes + 1, sizeof *out->lanes);
    for (uint32_t t = 0; t < n_tracks; t++) {
        const struct nsc_track *track = &tracks[t];

        if (track->kind != NSC_TRACK_STREAM || (t >= device && t < nsc_group_end(tracks, device)))
            continue;
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            const struct nsc_lane *lane = &lanes[track->first_lane + k];

            out->lanes[out->n++] = (struct nsc_other_lane){
                lane->first, {lane->first, lane->first + lane->n}, track->process};
        }
    }
}

void nsc_other_gpus_fini(struct nsc_other_gpus *of)
{
    free(of->lanes);
}

/* The next op of a lane that ends after t and has a length; false if there is none. */
static bool find_op(const struct nsc_other_gpus *of, struct nsc_other_lane *lane, nsc_time t,
                    struct nsc_window *op)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);

    while (lane->rows.first < lane->rows.end && (events->duration[lane->rows.first] == 0 ||
                                                 nsc_event_end(events, lane->rows.first) <= t))
        lane->rows.first++;
    if (lane->rows.first >= lane->rows.end)
        return false;
    *op = (struct nsc_window){events->start[lane->rows.first],
                              nsc_event_end(events, lane->rows.first)};
    return true;
}

bool nsc_other_gpus_busy(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1,
                         struct nsc_window *stretch)
{
    struct nsc_window op;
    bool is_longer = true;

    *stretch = (struct nsc_window){t1, t1};
    for (uint32_t i = 0; i < of->n; i++)
        if (of->lanes[i].process == process && find_op(of, &of->lanes[i], t0, &op))
            stretch->t0 = nsc_earlier(stretch->t0, nsc_later(op.t0, t0));
    if (stretch->t0 >= t1)
        return false;
    stretch->t1 = stretch->t0;
    while (is_longer && stretch->t1 < t1) {
        is_longer = false;
        for (uint32_t i = 0; i < of->n; i++) {
            if (of->lanes[i].process != process || !find_op(of, &of->lanes[i], stretch->t1, &op) ||
                op.t0 > stretch->t1)
                continue;
            stretch->t1 = op.t1;
            is_longer = true;
        }
    }
    stretch->t1 = nsc_earlier(stretch->t1, t1);
    return true;
}

bool nsc_other_gpus_ended(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);
    struct nsc_window op;

    for (uint32_t i = 0; i < of->n; i++) {
        struct nsc_other_lane *lane = &of->lanes[i];
        nsc_event row;

        if (lane->process != process)
            continue;
        (void)find_op(of, lane, t1, &op);
        row = lane->rows.first;
        while (row > lane->first && (events->duration[row - 1] == 0 || /* read ahead */
                                     nsc_event_end(events, row - 1) > t1))
            row--;
        if (row > lane->first && nsc_event_end(events, row - 1) > t0)
            return true;
    }
    return false;
}
