/*
 * Says whether the host bounds a GPU, by the thresholds that TensorRT-LLM publishes: the whole GPU of a program
 * that runs it, the phases of any program.
 *
 * Four figures of the window have thresholds: idle time, time of launch calls, host preparation
 * that the GPU waits for with its share of all preparation (device/host_times.h), and utilisation.
 * A GPU is host-bound if two cross
 * their thresholds and the CPU is late for at least half of the idle time.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/host_times.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/framework.h"
#include "core/sum.h"

#include <stdio.h>

struct host_figures { /* percent */
    double idle, launch, prepared, exposed_of_prepared, busy;
};

static struct host_figures figures_of(const struct nsc_host_times *of)
{
    return (struct host_figures){
        .idle = nsc_percent(of->idle, of->whole),
        .launch = nsc_percent(of->launch, of->whole),
        .prepared = nsc_percent(of->exposed, of->whole),
        .exposed_of_prepared = nsc_percent(of->exposed, of->prepared),
        .busy = nsc_percent(of->busy, of->whole),
    };
}

static int count_signals(const struct host_figures *of)
{
    return (of->idle > NSC_LIMIT_HOST_IDLE) + (of->launch > NSC_LIMIT_HOST_LAUNCH) +
           (of->prepared > NSC_LIMIT_HOST_PREPARED &&
            of->exposed_of_prepared > NSC_LIMIT_HOST_EXPOSED) +
           (of->busy < NSC_LIMIT_HOST_BUSY);
}

static bool is_host_bound(const struct nsc_host_times *times)
{
    struct host_figures of = figures_of(times);

    return count_signals(&of) >= NSC_LIMIT_HOST_SIGNALS &&
           nsc_percent(times->late, times->idle) >= NSC_LIMIT_LATE_OF_IDLE;
}

/* Advises to launch less often only if many launches, or launch overhead, take much of the late
 * time. A few long calls, or a wait that takes more, get no such advice. */
static void advise(struct nsc_finding *finding, const struct nsc_scope *scope,
                   const struct nsc_host_times *times, uint32_t device)
{
    nsc_time calls = nsc_later(0, times->launch - times->long_launch);
    bool is_many = nsc_percent(calls, times->whole) > NSC_LIMIT_HOST_LAUNCH;

    finding->key = "host-bound";
    finding->ns = times->late;
    finding->track = device;
    nsc_finding_under(finding, "gpu-idle", device);
    if ((is_many && nsc_percent(calls, times->late) >= NSC_LIMIT_LAUNCH_OF_LATE) ||
        times->overhead > times->late / 2)
        nsc_finding_next(finding, "%s. Check with: nsyscope skill run bound FILE.",
                         nsc_finding_launch_advice(scope, device));
    else
        nsc_finding_next(finding,
                         "Prepare the next step while the GPU works: %s. Check with: nsyscope "
                         "skill run idle FILE.",
                         is_many ? "other causes than launching take most of the late time"
                         : nsc_percent(times->launch, times->whole) > NSC_LIMIT_HOST_LAUNCH
                             ? "a few launch calls take long, the others little"
                             : "the launches themselves take little");
}

/* of: "by TensorRT-LLM's thresholds" or "in the phase ...". */
static struct nsc_finding *report(struct nsc_findings *out, const struct nsc_scope *scope,
                                  uint32_t device, const char *of,
                                  const struct nsc_host_times *times, double share)
{
    struct host_figures figures = figures_of(times);
    struct nsc_finding *finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_CPU_LATE, share, "GPU %lld is host-bound %s: %d of 4 signals",
        (long long)nsc_trace_track(scope->trace, device)->gpu, of, count_signals(&figures));

    nsc_finding_evidence(finding,
                         "of the window: idle %.1f %% (threshold > %d), launch calls %.1f %% (> "
                         "%d), utilisation %.1f %% (< %d)",
                         figures.idle, NSC_LIMIT_HOST_IDLE, figures.launch, NSC_LIMIT_HOST_LAUNCH,
                         figures.busy, NSC_LIMIT_HOST_BUSY);
    nsc_finding_evidence(finding,
                         "preparation that the GPU waits for: %.1f %% of the window (> %d), %.1f "
                         "%% of all preparation (> %d)",
                         figures.prepared, NSC_LIMIT_HOST_PREPARED, figures.exposed_of_prepared,
                         NSC_LIMIT_HOST_EXPOSED);
    advise(finding, scope, times, device);
    return finding;
}

/* Reports phases that are host-bound while the GPU as a whole is not. Late time was measured on
 * some spans only and is scaled to all. */
static void report_phases(struct nsc_findings *out, const struct nsc_scope *scope, nsc_time whole,
                          const struct nsc_job_phases *job, uint32_t device,
                          const struct nsc_field_sets *fields)
{
    struct nsc_phase_times of_phase[NSC_PHASES_MOST];
    const struct nsc_process_phases *phases =
        nsc_phase_times_build(of_phase, job, scope, device, fields);

    if (!phases)
        return;
    for (uint32_t i = 0; i < phases->n; i++) {
        const struct nsc_host_times *host = &of_phase[i].host;
        double late = (double)host->late * phases->count[i] / (of_phase[i].n ? of_phase[i].n : 1);
        double share = whole > 0 ? 100 * late / (double)whole : 0;
        char of[128];

        if (!is_host_bound(host) || share < nsc_thresholds[NSC_THRESHOLD_CPU_LATE].low)
            continue;
        (void)snprintf(of, sizeof of, "in the phase %s", phases->name[i]);
        report(out, scope, device, of, host, share)->ns = (nsc_time)late;
    }
}

void nsc_find_host(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_job_phases phases;
    struct nsc_breakdown time;
    struct nsc_host_times times;
    bool is_whole = nsc_trace_is_tensorrt_llm(scope->trace);

    (void)nsc_job_phases_find(&phases, scope);
    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        if (is_whole && nsc_host_times_build(&times, scope, d) && is_host_bound(&times))
            (void)report(out, scope, d, "by TensorRT-LLM's thresholds", &times,
                         nsc_percent(times.late, times.whole));
        else
            report_phases(out, scope, time.whole, &phases, d, fields);
    }
    nsc_job_phases_fini(&phases);
}
