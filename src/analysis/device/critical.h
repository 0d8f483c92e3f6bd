/*
 * The critical path of a window of a device: what had to be shorter for its last op to end earlier.
 *
 * Looking back from the op of the device that starts in or before the window and ends last: it is ready when it is issued
 * and the ops that it waits for have ended (device/depend.h); the later of both is on the path. If it
 * is an op, the same is asked of that op. If it is the launch, the path goes back along the thread:
 * through the call, and through the host's work to the end of the op that the last synchronizing call
 * or blocking copy before the call waited for (of a copy its own, else the last op of the process that
 * ends inside the wait), and so on, until the window begins. The steps fill the window. The owner
 * calls fini.
 */
#ifndef NSC_ANALYSIS_CRITICAL_H
#define NSC_ANALYSIS_CRITICAL_H

#include "analysis/device/depend.h"

enum nsc_critical_kind {
    NSC_CRITICAL_COMPUTE,
    NSC_CRITICAL_COMM,
    NSC_CRITICAL_COPY,    /* and memsets */
    NSC_CRITICAL_LAUNCH,  /* the launch call, and from its return to the start of the op */
    NSC_CRITICAL_HOST,    /* the launching thread between a wait and the launch */
    NSC_CRITICAL_DELAY,   /* ready, and not started yet */
    NSC_CRITICAL_UNKNOWN, /* no call is known */
    NSC_N_CRITICAL_KINDS
};

const char *nsc_critical_word(enum nsc_critical_kind kind);

struct nsc_critical_step {
    nsc_time start, end;
    uint8_t kind;
    nsc_event event; /* the op, the launch call; of HOST the wait before it, NSC_NONE: none */
};

struct nsc_critical {
    struct nsc_window window;
    nsc_time part[NSC_N_CRITICAL_KINDS]; /* add up to the window */
    uint32_t n, capacity;
    struct nsc_critical_step *steps; /* by time */
};

/* False, and nothing to free, if the device has no op in the window. */
bool nsc_critical_build(struct nsc_critical *out, const struct nsc_depends *depends,
                        uint32_t device, struct nsc_window window);
void nsc_critical_fini(struct nsc_critical *critical);

#endif
