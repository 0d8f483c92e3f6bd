/*
 * The critical path of a device in a window: the work to shorten so that the window ends earlier.
 *
 * The path is followed back from what the device's next compute op after the window waited for; without
 * such an op, from the op with the latest end among those that start before the window's end. An op is ready when it is issued and the ops it waits for have ended
 * (device/depend.h); the later of both is on the path. If that is an op, the path continues with
 * it. If it is the launch, the path goes back along the thread: through the call, then through the
 * host's work to the last synchronizing call or blocking copy before it. The path continues with
 * the op that this call waited for: a copy's own, otherwise the last op of the process that ends
 * inside the wait. The search ends at the window's start. The steps fill the window. The owner
 * calls fini.
 */
#ifndef NSC_ANALYSIS_CRITICAL_H
#define NSC_ANALYSIS_CRITICAL_H

#include "analysis/device/depend.h"

enum nsc_critical_kind {
    NSC_CRITICAL_COMPUTE,
    NSC_CRITICAL_COMM,
    NSC_CRITICAL_COPY,    /* copies and memsets */
    NSC_CRITICAL_LAUNCH,  /* launch call, and the time from its return to the start of the op */
    NSC_CRITICAL_HOST,    /* the launching thread between a wait and the launch */
    NSC_CRITICAL_DELAY,   /* ready, but not started */
    NSC_CRITICAL_UNKNOWN, /* the launch call is not known */
    NSC_N_CRITICAL_KINDS
};

const char *nsc_critical_word(enum nsc_critical_kind kind);

struct nsc_critical_step {
    nsc_time start, end;
    uint8_t kind;
    nsc_event event; /* the op or the launch call; for HOST the wait before it; NSC_NONE: none */
};

struct nsc_critical {
    struct nsc_window window;
    nsc_time part[NSC_N_CRITICAL_KINDS]; /* add up to the window */
    uint32_t n, capacity;
    struct nsc_critical_step *steps; /* ascending in time */
};

/* Of all ops in the window, whatever the window and mask of the scope. False, and nothing to free, if
 * the device has none. */
bool nsc_critical_build(struct nsc_critical *out, const struct nsc_scope *scope,
                        const struct nsc_depends *depends, uint32_t device,
                        struct nsc_window window);
void nsc_critical_fini(struct nsc_critical *critical);

#endif
