/*
 * Finds the kernel that takes most of the summed kernel time: a quarter is medium, a half is high.
 *
 * Shares are by name over all devices: one by device would split a kernel that every GPU runs into
 * as many parts as there are GPUs.
 */
#include "analysis/device/kernel_work.h"
#include "analysis/finding/finding_sources.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/units.h"

#define MEDIUM_PERCENT 25.0
#define HIGH_PERCENT   50.0

/* Adds up each name over the devices; returns the greatest, of equals the one met first. */
static struct nsc_kernel_share find_top(const struct nsc_kernel_work *work,
                                        const struct nsc_trace *trace, uint32_t *devices)
{
    uint32_t n = nsc_trace_names(trace)->n;
    struct nsc_kernel_share *sums = nsc_xcalloc((size_t)n + 1, sizeof *sums);
    uint32_t *seen = nsc_xcalloc((size_t)n + 1, sizeof *seen);
    struct nsc_kernel_share top = {.slowest = NSC_NONE};

    for (uint32_t i = 0; i < work->n; i++) {
        struct nsc_kernel_share *sum = &sums[work->at[i].name];
        nsc_time before = sum->work;
        uint32_t count = sum->count;

        if (sum->count == 0 || work->at[i].longest > sum->longest)
            *sum = work->at[i];
        sum->work = nsc_sum(before, work->at[i].work);
        sum->count = count + work->at[i].count;
        seen[work->at[i].name]++;
        if (top.slowest == NSC_NONE || sum->work > top.work || sum->name == top.name) {
            top = *sum;
            *devices = seen[sum->name];
        }
    }
    free(seen);
    free(sums);
    return top;
}

static void report_top(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_kernel_work *work)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    uint32_t devices = 0;
    struct nsc_kernel_share top = find_top(work, scope->trace, &devices);
    double share = nsc_percent(top.work, work->work);
    struct nsc_text name = nsc_trace_string(scope->trace, names->brief[top.name]);
    char sum[NSC_UNITS_BYTES];
    char mean[NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (share < MEDIUM_PERCENT)
        return;
    finding = nsc_findings_add(
        out, "top-kernel", share >= HIGH_PERCENT ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
        share >= HIGH_PERCENT ? "One kernel takes most of the summed kernel time: %.*s"
                              : "One kernel takes a large share of the summed kernel time: %.*s",
        (int)(name.n > 200 ? 200 : name.n), name.bytes);
    nsc_units_duration(sum, top.work, out->ascii);
    nsc_units_duration(mean, top.work / top.count, out->ascii);
    finding->ns = top.work;
    finding->event = top.slowest;
    finding->track = top.device;
    finding->has_window = true;
    finding->window =
        (struct nsc_window){events->start[top.slowest], nsc_event_touch_end(events, top.slowest)};
    nsc_finding_evidence(finding, "%.1f %% of the summed kernel time (%s, work and not wall time)",
                         share, sum);
    nsc_finding_evidence(finding, "%u launches on %u %s, mean %s", top.count, devices,
                         devices == 1 ? "GPU" : "GPUs", mean);
    nsc_finding_next(finding, "Profile this kernel with Nsight Compute; timing alone cannot tell "
                              "whether compute, memory or latency bounds it.");
}

void nsc_find_work(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_kernel_work work;

    (void)fields;
    nsc_kernel_work_build(&work, scope);
    if (work.count > 0 && work.work > 0)
        report_top(out, scope, &work);
    else
        nsc_findings_add_unassessed(out, "top-kernel", "Kernel shares", "%s",
                                    "there are no kernels in the window");
    nsc_kernel_work_fini(&work);
}
