/*
 * Finds GPUs that starve on small launches.
 *
 * A GPU starves if many calls launch short kernels, most kernels begin as soon as their call
 * returns, and the GPU is idle. Tiny kernels from a deep queue or on a busy GPU do not count. A graph launch counts as one call, however many
 * kernels the graph holds. Thresholds: threshold.def.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/graphs.h"
#include "analysis/device/launch_times.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/framework.h"
#include "core/sum.h"
#include "core/units.h"

static double rate_of(const struct nsc_launch_times *times)
{
    return (double)times->api.n * 1e9 / (double)nsc_window_length(times->window);
}

static bool is_starving(const struct nsc_launch_times *times)
{
    return times->api.n >= NSC_LIMIT_LAUNCHES &&
           times->below_10us >= times->n - times->below_10us && times->known > 0 &&
           nsc_percent((nsc_time)times->starved, (nsc_time)times->known) >= NSC_LIMIT_MOST;
}

bool nsc_finding_is_storm(const struct nsc_launch_times *times, double idle_percent)
{
    return is_starving(times) && rate_of(times) >= NSC_LIMIT_STORM_RATE &&
           nsc_threshold_severity(NSC_THRESHOLD_GPU_TIME, idle_percent) < NSC_SEVERITY_INFO;
}

static void tell_launches(struct nsc_finding *finding, const struct nsc_launch_times *times)
{
    nsc_time n = (nsc_time)times->n;
    const char *us = nsc_units_micro(finding->ascii);

    nsc_finding_evidence(
        finding, "%llu kernels, median %s; %llu calls launched them, %.0f a second",
        (unsigned long long)times->n, nsc_show_ns(finding, times->duration.median).text,
        (unsigned long long)times->api.n, rate_of(times));
    nsc_finding_evidence(finding, "%.1f %% below 10 %s",
                         nsc_percent((nsc_time)times->below_10us, n), us);
    if (times->known > 0)
        nsc_finding_evidence(finding,
                             "%.1f %% of the %.1f %% with a known launch began less than 10 %s "
                             "after their call",
                             nsc_percent((nsc_time)times->starved, (nsc_time)times->known),
                             nsc_percent((nsc_time)times->known, n), us);
}

const char *nsc_finding_launch_advice(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_graph_use graphs = {0};
    struct nsc_launch_times times = {0};
    uint64_t of_graphs;

    (void)nsc_graph_use_build(&graphs, scope, device);
    (void)nsc_launch_times_build(&times, scope, device);
    of_graphs = (uint64_t)graphs.n_calls + graphs.n_whole;
    if (of_graphs > 0 &&
        (of_graphs * 2 >= times.api.n + graphs.n_whole ||
         nsc_percent(nsc_sum(graphs.whole_busy, graphs.node_busy), graphs.busy) >= NSC_LIMIT_MOST))
        return "Launch less often: CUDA graphs are in use, so put the launches between them into "
               "the graphs too, more work into each, or larger batches";
    return nsc_trace_is_pytorch(scope->trace)
               ? "Launch less often: CUDA graphs, torch.compile or fused kernels, larger batches"
               : "Launch less often: CUDA graphs, fused kernels, larger batches";
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                   const struct nsc_launch_times *times, const struct nsc_breakdown *time)
{
    long long gpu = (long long)nsc_trace_track(scope->trace, device)->gpu;
    double share = nsc_percent(time->idle, time->whole);
    struct nsc_finding *finding;

    if (!is_starving(times))
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_GPU_TIME, "small-launches", share,
                                     "GPU %lld starves on small launches, %.0f a second", gpu,
                                     rate_of(times));
    tell_launches(finding, times);
    nsc_finding_place(finding, device, time->idle, times->window);
    nsc_finding_next(finding, "%s. Check with: nsyscope skill run launch FILE.",
                     nsc_finding_launch_advice(scope, device));
    nsc_finding_under(finding, "gpu-idle", device);
}

/* Whether the call that launched some kernel is known. Most often it is that of the first one. */
static bool knows_launches(const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL && events->link[at.row] != NSC_NONE)
            return true;
    return false;
}

void nsc_find_launch(struct nsc_findings *out, const struct nsc_scope *scope,
                     const struct nsc_field_sets *fields)
{
    uint64_t kernels = 0;
    struct nsc_launch_times times;
    struct nsc_breakdown time;

    (void)fields;
    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        kernels += time.n_kernels - time.n_graphs;
        if (nsc_percent(time.idle, time.whole) >= nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low &&
            nsc_launch_times_build(&times, scope, d))
            report(out, scope, d, &times, &time);
    }
    if (kernels == 0)
        (void)nsc_findings_add_unassessed(out, "small-launches", "Launches", "%s",
                                          "there are no kernels in the window");
    else if (!knows_launches(scope))
        (void)nsc_findings_add_unassessed(out, "small-launches",
                                          "Whether the GPU starves on launches", "%s",
                                          "the export has no launch call for any kernel");
}
