/*
 * Finds GPUs that starve on small launches, and storms of launches.
 *
 * Small launches: 1000 kernels or more, half of them below 10 us or a median below that, half of
 * those with a known launch starved (begun less than 10 us after their call), and the GPU idle for
 * 20 % of its window: medium; high when the launch calls take as long as the kernels or the GPU is
 * idle for 40 %. A deep queue or a busy GPU is no such case. A storm: 50 000 kernels a second with
 * a median of 10 us or less, or 100 000 with 20 us; only from 1000 kernels and 1 ms on, since one
 * short kernel alone makes a rate.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/launch_times.h"
#include "analysis/finding/finding_sources.h"
#include "core/sum.h"
#include "core/units.h"

#define LEAST_KERNELS 1000
#define LEAST_WINDOW  1000000 /* ns */

static double rate_of(const struct nsc_launch_times *times)
{
    return (double)times->n * 1e9 / (double)nsc_window_length(times->window);
}

static bool is_many(const struct nsc_launch_times *times)
{
    return times->n >= LEAST_KERNELS && nsc_window_length(times->window) >= LEAST_WINDOW;
}

static bool is_storm(const struct nsc_launch_times *times)
{
    return is_many(times) && ((rate_of(times) >= 50e3 && times->duration.median <= 10000) ||
                              (rate_of(times) >= 100e3 && times->duration.median <= 20000));
}

static bool is_starving(const struct nsc_launch_times *times, const struct nsc_breakdown *time)
{
    return times->n >= LEAST_KERNELS &&
           (times->duration.median < 10000 || times->below_10us >= times->n - times->below_10us) &&
           times->known > 0 && times->starved >= times->known - times->starved &&
           nsc_percent(time->idle, time->whole) >= 20;
}

static void tell_launches(struct nsc_finding *finding, const struct nsc_findings *out,
                          const struct nsc_launch_times *times, const struct nsc_breakdown *time)
{
    nsc_time n = (nsc_time)times->n;
    const char *us = nsc_units_micro(out->ascii);
    char text[2][NSC_UNITS_BYTES];

    nsc_units_duration(text[0], times->duration.median, out->ascii);
    nsc_finding_evidence(finding, "%llu kernels, %.0f a second, median %s",
                         (unsigned long long)times->n, rate_of(times), text[0]);
    nsc_finding_evidence(finding, "%.1f %% below 5 %s, %.1f %% below 10 %s, %.1f %% below 20 %s",
                         nsc_percent((nsc_time)times->below_5us, n), us,
                         nsc_percent((nsc_time)times->below_10us, n), us,
                         nsc_percent((nsc_time)times->below_20us, n), us);
    if (times->known > 0)
        nsc_finding_evidence(finding,
                             "%.1f %% of those with a known launch began less than 10 %s "
                             "after their call",
                             nsc_percent((nsc_time)times->starved, (nsc_time)times->known), us);
    nsc_units_duration(text[0], times->api.sum, out->ascii);
    nsc_units_duration(text[1], times->duration.sum, out->ascii);
    nsc_finding_evidence(finding, "launch calls add up to %s, kernels to %s", text[0], text[1]);
    nsc_finding_evidence(finding, "GPU idle for %.1f %% of its window",
                         nsc_percent(time->idle, time->whole));
    nsc_finding_evidence(finding,
                         "%llu of the kernels are of CUDA graphs, %u graphs are recorded "
                         "whole",
                         (unsigned long long)times->replayed, time->n_graphs);
}

static void place(struct nsc_finding *finding, const struct nsc_launch_times *times,
                  uint32_t device, nsc_time ns)
{
    finding->ns = ns;
    finding->track = device;
    finding->has_window = true;
    finding->window = times->window;
    nsc_finding_next(finding, "Launch less often: CUDA graphs, torch.compile or fused kernels, "
                              "larger batches.");
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                   const struct nsc_launch_times *times)
{
    long long gpu = (long long)nsc_trace_track(scope->trace, device)->gpu;
    struct nsc_breakdown time;
    struct nsc_finding *finding;

    if (!nsc_breakdown_build(&time, scope, device))
        return;
    if (is_starving(times, &time)) {
        bool is_high =
            times->api.sum >= times->duration.sum || nsc_percent(time.idle, time.whole) >= 40;

        finding = nsc_findings_add(out, "small-launches",
                                   is_high ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                                   "GPU %lld starves on small launches", gpu);
        tell_launches(finding, out, times, &time);
        place(finding, times, device, time.idle);
    }
    if (is_storm(times)) {
        finding = nsc_findings_add(out, "launch-storm", NSC_SEVERITY_HIGH,
                                   "A storm of launches on GPU %lld", gpu);
        tell_launches(finding, out, times, &time);
        place(finding, times, device, time.idle);
    } else if (is_many(times) && rate_of(times) >= 100e3) {
        finding = nsc_findings_add(out, "launch-rate", NSC_SEVERITY_MEDIUM,
                                   "Very many launches on GPU %lld", gpu);
        tell_launches(finding, out, times, &time);
        place(finding, times, device, time.idle);
    }
}

void nsc_find_launch(struct nsc_findings *out, const struct nsc_scope *scope,
                     const struct nsc_field_sets *fields)
{
    uint64_t kernels = 0;
    uint64_t known = 0;

    (void)fields;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_launch_times times;

        if (!nsc_launch_times_build(&times, scope, d) || times.n == 0)
            continue;
        kernels += times.n;
        known += times.known;
        report(out, scope, d, &times);
    }
    if (kernels == 0)
        (void)nsc_findings_add_unassessed(out, "small-launches", "Launches", "%s",
                                          "there are no kernels in the window");
    else if (known == 0)
        (void)nsc_findings_add_unassessed(out, "small-launches",
                                          "Whether the GPU starves on launches", "%s",
                                          "no kernel has the call that launched it in the export");
}
