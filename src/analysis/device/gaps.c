/*
 * Gaps, each attributed to the call that launched the op after it.
 */
#include "analysis/device/gaps.h"

#include "analysis/base/correlate.h"
#include "core/sum.h"

_Static_assert((int)NSC_GAP_IN_SYNC == (int)NSC_HOST_SYNC &&
                   (int)NSC_GAP_IN_COPY == (int)NSC_HOST_BLOCKING_COPY &&
                   (int)NSC_GAP_IN_CUDA == (int)NSC_HOST_CUDA &&
                   (int)NSC_GAP_IN_OS_WAIT == (int)NSC_HOST_OS_WAIT &&
                   (int)NSC_GAP_IN_UNTRACED == (int)NSC_HOST_UNTRACED,
               "the late parts of a gap are the states of the host");

const char *nsc_gap_part_word(enum nsc_gap_part part)
{
    static const char *const words[NSC_N_GAP_PARTS] = {
        "CPU late: in a synchronizing call", "CPU late: in a blocking copy",
        "CPU late: in another CUDA call",    "CPU late: in an OS wait",
        "CPU late: in no traced call",       "queued: the GPU's side waits",
        "unknown: no launch is known"};

    return words[part];
}

static void explain_gap(struct nsc_gap *gap, struct nsc_host_walk *host)
{
    const struct nsc_events *events = nsc_trace_events(host->trace);
    nsc_time launch;

    if (gap->next != NSC_NONE)
        gap->call = nsc_event_launch(host->trace, gap->next);
    if (gap->call == NSC_NONE) {
        gap->part[NSC_GAP_UNKNOWN] = nsc_span(gap->start, gap->end);
        return;
    }
    launch = nsc_earlier(events->start[gap->call], gap->end);
    if (launch > gap->start) {
        nsc_host_walk_add(host, gap->call, gap->start, launch, gap->part);
        gap->range = nsc_host_walk_range(host, gap->call, launch);
    }
    gap->part[NSC_GAP_QUEUED] = nsc_span(nsc_later(launch, gap->start), gap->end);
}

struct nsc_gap nsc_gap_of(const struct nsc_sweep *sweep, struct nsc_host_walk *host)
{
    struct nsc_gap gap = {.start = sweep->t0,
                          .end = sweep->t1,
                          .next = sweep->next,
                          .call = NSC_NONE,
                          .range = NSC_NONE};

    explain_gap(&gap, host);
    return gap;
}
