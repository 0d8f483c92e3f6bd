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

static void add_evidence(struct nsc_finding *finding, const struct host_figures *of)
{
    nsc_finding_evidence(finding, "idle: %.2f of the window (threshold > %.2f)", of->idle / 100,
                         NSC_LIMIT_HOST_IDLE / 100.0);
    nsc_finding_evidence(finding, "launch calls: %.2f of the window (> %.2f)", of->launch / 100,
                         NSC_LIMIT_HOST_LAUNCH / 100.0);
    nsc_finding_evidence(finding,
                         "preparation that the GPU waits for: %.2f of the window (> %.2f), %.2f of "
                         "all preparation (> %.2f)",
                         of->prepared / 100, NSC_LIMIT_HOST_PREPARED / 100.0,
                         of->exposed_of_prepared / 100, NSC_LIMIT_HOST_EXPOSED / 100.0);
    nsc_finding_evidence(finding, "utilisation: %.2f of the window (< %.2f)", of->busy / 100,
                         NSC_LIMIT_HOST_BUSY / 100.0);
}

static bool is_host_bound(const struct nsc_host_times *times)
{
    struct host_figures of = figures_of(times);

    return count_signals(&of) >= NSC_LIMIT_HOST_SIGNALS &&
           nsc_percent(times->late, times->idle) >= NSC_LIMIT_LATE_OF_IDLE;
}

/* Adds the verdict of each phase as evidence. */
static void tell_phases(struct nsc_finding *finding, const struct nsc_process_phases *phases,
                        const struct nsc_phase_times times[])
{
    for (uint32_t i = 0; i < phases->n; i++) {
        struct host_figures of = figures_of(&times[i].host);

        if (times[i].n > 0)
            nsc_finding_evidence(
                finding,
                "phase %s: %s, %d of 4 signals: idle %.2f, launch calls %.2f, preparation %.2f and "
                "%.2f, utilisation %.2f; %s",
                phases->name[i], is_host_bound(&times[i].host) ? "host-bound" : "not host-bound",
                count_signals(&of), of.idle / 100, of.launch / 100, of.prepared / 100,
                of.exposed_of_prepared / 100, of.busy / 100, nsc_bound_verdict(&times[i].bound));
    }
}

/* Advises to launch less often only if many launches, or launch overhead, take much of the late
 * time. A few long calls, or a wait that takes more, get no such advice. */
static void advise(struct nsc_finding *finding, const struct nsc_scope *scope, nsc_time late,
                   const struct nsc_host_times *times, uint32_t device)
{
    nsc_time calls = nsc_later(0, times->launch - times->long_launch);
    bool is_many = nsc_percent(calls, times->whole) > NSC_LIMIT_HOST_LAUNCH;
    double launch = nsc_percent(times->launch, times->whole);

    finding->key = "host-bound";
    finding->ns = late;
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
                         : launch > NSC_LIMIT_HOST_LAUNCH
                             ? "a few launch calls take long, the others little"
                             : "the launches themselves take little");
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_host_times *times, const struct nsc_job_phases *job,
                   uint32_t device, const struct nsc_field_sets *fields)
{
    struct nsc_phase_times of_phase[NSC_PHASES_MOST];
    struct host_figures of = figures_of(times);
    const struct nsc_process_phases *phases =
        nsc_phase_times_build(of_phase, job, scope, device, fields);
    struct nsc_finding *finding;

    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_CPU_LATE, nsc_percent(times->late, times->whole),
        "GPU %lld is host-bound by TensorRT-LLM's thresholds: %d of 4 "
        "signals",
        (long long)nsc_trace_track(scope->trace, device)->gpu, count_signals(&of));
    add_evidence(finding, &of);
    if (phases)
        tell_phases(finding, phases, of_phase);
    advise(finding, scope, times->late, times, device);
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
        struct host_figures of = figures_of(host);
        double late = (double)host->late * phases->count[i] / (of_phase[i].n ? of_phase[i].n : 1);
        double share = whole > 0 ? 100 * late / (double)whole : 0;
        struct nsc_finding *finding;

        if (!is_host_bound(host) || share < nsc_thresholds[NSC_THRESHOLD_CPU_LATE].low)
            continue;
        finding = nsc_findings_add_share(out, NSC_THRESHOLD_CPU_LATE, share,
                                         "GPU %lld is host-bound in the phase %s: %d of 4 signals",
                                         (long long)nsc_trace_track(scope->trace, device)->gpu,
                                         phases->name[i], count_signals(&of));
        add_evidence(finding, &of);
        tell_phases(finding, phases, of_phase);
        advise(finding, scope, (nsc_time)late, host, device);
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
            report(out, scope, &times, &phases, d, fields);
        else
            report_phases(out, scope, time.whole, &phases, d, fields);
    }
    nsc_job_phases_fini(&phases);
}
