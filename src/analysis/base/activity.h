/*
 * What a device does in a window: the figures of its label.
 */
#ifndef NSC_ANALYSIS_ACTIVITY_H
#define NSC_ANALYSIS_ACTIVITY_H

#include "nsyscope/cover.h"

/* In ns of the window, each the length of a union over all streams. busy + idle is the window. */
struct nsc_activity {
    nsc_time window;
    nsc_time busy, idle;
    nsc_time compute;
    nsc_time comm;
    nsc_time overlap;   /* compute and communication at once */
    nsc_time exposed;   /* communication while nothing else runs */
    nsc_time copy_only; /* busy, but neither with compute nor with communication */
};

/* covers NULL (the group has none): all idle. */
struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers,
                                        struct nsc_window w);

#endif
