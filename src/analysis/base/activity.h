/*
 * Measures the activity of a device in a window, by covers: the trace's, or new ones for a scope
 * with a mask.
 */
#ifndef NSC_ANALYSIS_ACTIVITY_H
#define NSC_ANALYSIS_ACTIVITY_H

#include "nsyscope/cover.h"

#include "analysis/base/scope.h"

/* ns of the window, each the length of a union over all streams. busy + idle is the window. */
struct nsc_activity {
    nsc_time window;
    nsc_time busy, idle;
    nsc_time compute;
    nsc_time comm;
    nsc_time overlap;   /* compute and communication at once */
    nsc_time exposed;   /* communication while nothing else runs */
    nsc_time copy_only; /* busy, but neither with compute nor with communication */
};

/* covers: NULL for a group without any, which counts as all idle. */
struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers,
                                        struct nsc_window w);

/* The same for windows that ascend and do not overlap, in O(1) each if they lie close together. */
struct nsc_activity_walk {
    struct nsc_cover_cursor busy, compute, comm, overlap, hidden;
};
void nsc_activity_walk_init(struct nsc_activity_walk *walk, const struct nsc_device_covers *covers);
struct nsc_activity nsc_activity_walk_next(struct nsc_activity_walk *walk, struct nsc_window w);

struct nsc_scope_covers {
    struct nsc_device_covers of; /* for nsc_device_activity() */
    bool is_owned;               /* else borrowed from the trace */
};

/* Builds the covers over the whole trace, not only the scope's window. False if out of memory. */
bool nsc_scope_covers_build(struct nsc_scope_covers *out, const struct nsc_scope *scope,
                            uint32_t device);
void nsc_scope_covers_fini(struct nsc_scope_covers *covers);

/* All work of a device that the mask selects, over the whole trace: the trace's cover if there is no
 * mask, else *owned (which may be NULL), for nsc_cover_free. NULL: no work. */
const struct nsc_cover *nsc_scope_cover_busy(struct nsc_cover **owned,
                                             const struct nsc_scope *scope, uint32_t device);

/* The union of the events of a device's streams for which keep(context, event) is true, over the
 * whole trace; the caller owns it. */
struct nsc_cover *nsc_device_cover_of(const struct nsc_trace *trace, uint32_t device,
                                      bool (*keep)(const void *context, nsc_event event),
                                      const void *context);
/* The same of the streams of all devices, with the scope as context. */
struct nsc_cover *nsc_scope_cover_streams(const struct nsc_scope *scope,
                                          bool (*keep)(const void *context, nsc_event event));

#endif
