/*
 * Says whether the host bounds a GPU by the thresholds that TensorRT-LLM publishes, beside ours.
 *
 * Of the window: idle time; time of launch calls; preparation of the host that the GPU waits for, and
 * its share of all preparation (the time in which the thread that waits most does not wait);
 * utilisation; communication. Two of idle, launches, preparation and utilisation have to cross their
 * thresholds, and the CPU has to be late for half of the idle time.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/idle.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/sync_cost.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/sum.h"
#include "core/units.h"

#define LEAST_SIGNALS 2

struct host_figures { /* percent */
    double idle, launch, prepared, exposed_of_prepared, busy, comm;
};

/* The longest time that a thread of the process waits in synchronizing calls. */
static nsc_time longest_wait(const struct nsc_scope *scope)
{
    struct nsc_sync_costs costs;
    nsc_time most = 0;

    nsc_sync_costs_build(&costs, scope);
    for (uint32_t i = 0; i < costs.n_threads; i++)
        most = nsc_later(most, costs.threads[i].time);
    nsc_sync_costs_fini(&costs);
    return most;
}

static struct host_figures measure(const struct nsc_scope *scope, const struct nsc_breakdown *time,
                                   const struct nsc_idle *idle, uint32_t device)
{
    nsc_time waits = nsc_sum(idle->part[NSC_GAP_SYNC], idle->part[NSC_GAP_EVENTS]);
    nsc_time exposed = nsc_later(0, nsc_idle_late(idle) - waits - idle->part[NSC_GAP_OVERHEAD]);
    nsc_time prepared = nsc_later(exposed, time->whole - longest_wait(scope));
    struct nsc_launch_times launches = {0};

    (void)nsc_launch_times_build(&launches, scope, device);
    return (struct host_figures){
        .idle = nsc_percent(time->idle, time->whole),
        .launch = nsc_percent(launches.api.sum, time->whole),
        .prepared = nsc_percent(exposed, time->whole),
        .exposed_of_prepared = nsc_percent(exposed, prepared),
        .busy = nsc_percent(time->busy, time->whole),
        .comm = nsc_percent(time->comm, time->whole),
    };
}

static int count_signals(const struct host_figures *of)
{
    return (of->idle > NSC_LIMIT_HOST_IDLE) + (of->launch > NSC_LIMIT_HOST_LAUNCH) +
           (of->prepared > NSC_LIMIT_HOST_PREPARED &&
            of->exposed_of_prepared > NSC_LIMIT_HOST_EXPOSED) +
           (of->busy < NSC_LIMIT_HOST_BUSY);
}

static void tell(struct nsc_finding *finding, const struct host_figures *of)
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
    nsc_finding_evidence(finding, "communication: %.2f of the window (> %.2f is another matter)",
                         of->comm / 100, NSC_LIMIT_HOST_COMM / 100.0);
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_breakdown *time, const struct nsc_idle *idle, uint32_t device)
{
    struct host_figures of = measure(scope, time, idle, device);
    int signals = count_signals(&of);
    nsc_time late = nsc_idle_late(idle) - idle->part[NSC_GAP_EVENTS] - idle->part[NSC_GAP_OVERHEAD];
    struct nsc_finding *finding;

    if (signals < LEAST_SIGNALS || nsc_percent(late, idle->idle) < NSC_LIMIT_LATE_OF_IDLE)
        return;
    finding =
        nsc_findings_add_share(out, NSC_THRESHOLD_CPU_LATE, nsc_percent(late, time->whole),
                               "GPU %lld is host-bound by TensorRT-LLM's thresholds: %d of 4 "
                               "signals",
                               (long long)nsc_trace_track(scope->trace, device)->gpu, signals);
    finding->key = "host-bound";
    finding->ns = late;
    finding->track = device;
    nsc_finding_under(finding, "gpu-idle", device);
    tell(finding, &of);
    if (of.launch > NSC_LIMIT_HOST_LAUNCH)
        nsc_finding_next(finding, "%s. Check with: nsyscope skill run bound FILE.",
                         nsc_finding_launch_advice(scope, device));
    else
        nsc_finding_next(finding,
                         "Prepare the next step while the GPU works: the launches themselves "
                         "take little. Check with: nsyscope skill run idle FILE.");
}

void nsc_find_host(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    (void)fields;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_breakdown time;
        struct nsc_idle idle;

        if (!nsc_breakdown_build(&time, scope, d) || !nsc_idle_build(&idle, scope, d))
            continue;
        report(out, scope, &time, &idle, d);
        nsc_idle_fini(&idle);
    }
}
