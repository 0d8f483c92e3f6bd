/*
 * Busy, idle, compute and exposed communication of a window, by measures of covers and lanes.
 */
#include "analysis/activity.h"

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers, struct nsc_window w)
{
    struct nsc_activity activity = {.window = nsc_window_length(w)};

    if (covers) {
        activity.busy = measure(covers->busy, w);
        activity.compute = measure(covers->work[NSC_WORK_COMPUTE], w);
        activity.comm = measure(covers->work[NSC_WORK_COMM], w);
        activity.overlap = measure(covers->overlap, w);
        activity.exposed = activity.comm - measure(covers->hidden, w);
    }
    activity.idle = activity.window - activity.busy;
    return activity;
}

nsc_time nsc_track_busy(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        uint32_t track, struct nsc_window w)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *at = &nsc_trace_tracks(trace, &n_tracks)[track];
    uint32_t n_lanes = at->kind == NSC_TRACK_NVTX && at->n_lanes > 1 ? 1 : at->n_lanes;
    nsc_time window = nsc_window_length(w);
    nsc_time busy = 0;

    for (uint32_t k = 0; k < n_lanes && busy < window; k++) {
        nsc_time more = nsc_lane_measure(trace, summary, at->first_lane + k, w).busy;

        busy = more > window - busy ? window : busy + more;
    }
    return busy;
}
