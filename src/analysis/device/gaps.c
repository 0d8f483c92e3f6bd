/*
 * Gaps found by how far the ops reach, each laid to the call that launched the op behind it.
 */
#include "analysis/device/gaps.h"

#include "analysis/base/correlate.h"
#include "analysis/device/host_walk.h"
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
        nsc_host_walk_spend(host, gap->call, gap->start, launch, gap->part);
        gap->range = nsc_host_walk_range(host, gap->call, launch);
    }
    gap->part[NSC_GAP_QUEUED] = nsc_span(nsc_later(launch, gap->start), gap->end);
}

struct walk {
    struct nsc_host_walk host;
    void (*each)(void *context, const struct nsc_gap *gap);
    void *context;
};

static void report_gap(struct walk *walk, nsc_time start, nsc_time end, nsc_event next)
{
    struct nsc_gap gap = {
        .start = start, .end = end, .next = next, .call = NSC_NONE, .range = NSC_NONE};

    explain_gap(&gap, &walk->host);
    walk->each(walk->context, &gap);
}

nsc_time nsc_gaps_walk(const struct nsc_scope *scope, uint32_t device,
                       void (*each)(void *context, const struct nsc_gap *gap), void *context)
{
    struct walk walk = {.each = each, .context = context};
    struct nsc_device_ops work;
    struct nsc_device_op op;
    struct nsc_window w;
    nsc_time busy = 0;
    nsc_time reach;

    if (!nsc_device_window(&w, scope, device))
        return 0;
    nsc_host_walk_init(&walk.host, scope->trace);
    nsc_device_ops_init(&work, scope, device);
    reach = w.t0;
    while (nsc_device_ops_next(&work, &op)) {
        if (op.end <= reach || op.start == op.end)
            continue;
        if (op.start > reach)
            report_gap(&walk, reach, op.start, op.event);
        busy = nsc_sum(busy, nsc_extend(&reach, op.start, op.end));
    }
    if (reach < w.t1)
        report_gap(&walk, reach, w.t1, NSC_NONE);
    nsc_device_ops_fini(&work);
    nsc_host_walk_fini(&walk.host);
    return busy;
}
