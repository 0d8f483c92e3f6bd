/*
 * Busy, idle, compute and exposed communication of a window, by measures of covers.
 */
#include "analysis/base/activity.h"

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers, struct nsc_window w)
{
    struct nsc_activity activity = {.window = nsc_window_length(w)};

    if (covers) {
        activity.busy = measure(covers->busy, w);
        activity.compute = measure(covers->work[NSC_OP_COMPUTE], w);
        activity.comm = measure(covers->work[NSC_OP_COMM], w);
        activity.overlap = measure(covers->overlap, w);
        activity.exposed = activity.comm - measure(covers->hidden, w);
        activity.copy_only = activity.busy - (activity.compute + activity.comm - activity.overlap);
    }
    activity.idle = activity.window - activity.busy;
    return activity;
}
