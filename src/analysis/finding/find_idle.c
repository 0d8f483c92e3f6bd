/*
 * Finds GPUs that are idle, and whether the CPU is why.
 *
 * The CPU is the bottleneck where at least half of the idle time is CPU-late. Else the work was
 * queued already: waits, streams and other ranks are where to look. Thresholds: threshold.def.
 */
#include "analysis/device/idle.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/label.h"
#include "core/sum.h"
#include "core/units.h"

#define RANGES_TOLD 3

static int64_t gpu_of(const struct nsc_scope *scope, uint32_t device)
{
    return nsc_trace_track(scope->trace, device)->gpu;
}

static void show_longest(struct nsc_finding *finding, const struct nsc_idle *idle)
{
    finding->track = idle->device;
    if (idle->n_longest == 0)
        return;
    finding->event = idle->longest[0].of.next;
    finding->has_window = true;
    finding->window = (struct nsc_window){idle->longest[0].of.start, idle->longest[0].of.end};
}

static const char *next_of_idle(const struct nsc_idle *idle)
{
    nsc_time late = nsc_idle_late(idle);

    if (idle->part[NSC_GAP_UNKNOWN] > idle->idle / 2)
        return "The launches of the work after the gaps are not in the export: record the CUDA API "
               "(--trace=cuda) for the whole time.";
    if (late >= idle->idle - late)
        return "The CPU comes late: see what it does before the launches.";
    return "The work was launched already: look at dependencies between streams, at waits and at "
           "other ranks.";
}

static void report_idle(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    nsc_time whole = nsc_window_length(idle->window);
    double share = nsc_percent(idle->idle, whole);
    char text[3][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_IDLE, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_IDLE, share, "GPU %lld is idle for %.1f %% of %s",
        (long long)gpu_of(scope, idle->device), share, nsc_finding_window_words(scope));
    finding->ns = idle->idle;
    show_longest(finding, idle);
    nsc_units_duration(text[0], idle->idle, out->ascii);
    nsc_units_duration(text[1], whole, out->ascii);
    nsc_units_duration(text[2], nsc_span(idle->longest[0].of.start, idle->longest[0].of.end),
                       out->ascii);
    nsc_finding_evidence(finding, "%s of %s in %u gaps, the longest %s, %u of 1 ms or more",
                         text[0], text[1], idle->n_gaps, text[2], idle->sizes[NSC_IDLE_SIZES - 1]);
    nsc_finding_evidence(finding,
                         "of the idle time: %.1f %% CPU late, %.1f %% queued, %.1f %% "
                         "unknown",
                         nsc_percent(nsc_idle_late(idle), idle->idle),
                         nsc_percent(nsc_idle_queued(idle), idle->idle),
                         nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle));
    nsc_finding_next(finding, "%s", next_of_idle(idle));
}

/* ---- the CPU ---- */

/* What the CPU does for more than half of the late time; the last one if nothing else does. */
static const struct late_kind {
    const char *word, *next;
} late_kinds[] = {
    {"synchronisation",
     "Remove synchronizing calls and blocking copies between launches (.item(), .cpu(), prints); "
     "copy asynchronously from pinned memory."},
    {"input pipeline",
     "The launching thread waits for other threads: give the input pipeline more workers or "
     "prefetch."},
    {"other CUDA calls",
     "See which calls: allocating, freeing and loading modules belong before the loop (a caching "
     "allocator, a warm-up)."},
    {"CPU work between launches",
     "Shorten the work between launches, or launch less often: CUDA graphs, larger batches, fused "
     "kernels; profile the CPU in the ranges named here."},
};

static const struct late_kind *kind_of_late(const struct nsc_idle *idle)
{
    nsc_time half = nsc_idle_late(idle) / 2;
    nsc_time sync = nsc_sum(idle->part[NSC_GAP_SYNC], idle->part[NSC_GAP_COPY]);
    nsc_time waits = nsc_sum(idle->part[NSC_GAP_LOCK], idle->part[NSC_GAP_EVENTS]);
    nsc_time cuda = nsc_sum(idle->part[NSC_GAP_MEMORY], idle->part[NSC_GAP_CUDA]);

    if (nsc_sum(sync, idle->part[NSC_GAP_DRAINED]) > half)
        return &late_kinds[0];
    if (nsc_sum(nsc_sum(waits, idle->part[NSC_GAP_SLEEP]), idle->part[NSC_GAP_FILE]) > half)
        return &late_kinds[1];
    return &late_kinds[nsc_sum(cuda, idle->part[NSC_GAP_LONG_LAUNCH]) > half ? 2 : 3];
}

static void tell_ranges(struct nsc_finding *finding, const struct nsc_findings *out,
                        const struct nsc_scope *scope, const struct nsc_idle *idle)
{
    char name[NSC_NAME_BYTES];
    char time[NSC_UNITS_BYTES];

    for (uint32_t i = 0; i < idle->n_ranges && i < RANGES_TOLD; i++) {
        uint32_t n = 0;

        if (idle->ranges[i].like == NSC_NONE)
            continue;
        n = nsc_label_pattern(name, scope->trace, idle->ranges[i].like);
        nsc_units_duration(time, idle->ranges[i].late, out->ascii);
        nsc_finding_evidence(finding, "%s before launches in the range %.*s", time,
                             (int)(n > 120 ? 120 : n), name);
    }
}

static void tell_parts(struct nsc_finding *finding, const struct nsc_findings *out,
                       const struct nsc_idle *idle)
{
    nsc_time late = nsc_idle_late(idle);

    for (int i = 0; i < NSC_GAP_LATE; i++) {
        char time[NSC_UNITS_BYTES];

        nsc_units_duration(time, idle->part[i], out->ascii);
        if (idle->part[i] > 0)
            nsc_finding_evidence(finding, "CPU late, %s: %s, %.1f %% of CPU-late time",
                                 nsc_gap_part_word((enum nsc_gap_part)i), time,
                                 nsc_percent(idle->part[i], late));
    }
}

static void report_late(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    nsc_time whole = nsc_window_length(idle->window);
    nsc_time late = nsc_idle_late(idle);
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_IDLE, nsc_percent(idle->idle, whole)) >=
        NSC_SEVERITY_INFO)
        return;
    if (nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle) > NSC_LIMIT_UNKNOWN_OF_IDLE) {
        finding = nsc_findings_add_unassessed(
            out, "cpu-bottleneck", "Whether the CPU is late",
            "the launch of what follows is not recorded for %.1f %% of the idle time of GPU %lld",
            nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle),
            (long long)gpu_of(scope, idle->device));
        finding->track = idle->device;
        return;
    }
    if (nsc_percent(late, idle->idle) < NSC_LIMIT_LATE_OF_IDLE)
        return;
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_CPU_LATE, nsc_percent(late, whole), "The CPU keeps GPU %lld waiting: %s",
        (long long)gpu_of(scope, idle->device), kind_of_late(idle)->word);
    finding->ns = late;
    nsc_finding_under(finding, "gpu-idle", idle->device);
    show_longest(finding, idle);
    nsc_finding_evidence(finding, "CPU late for %.1f %% of the idle time, %.1f %% of the window",
                         nsc_percent(late, idle->idle), nsc_percent(late, whole));
    tell_parts(finding, out, idle);
    tell_ranges(finding, out, scope, idle);
    nsc_finding_next(finding, "%s", kind_of_late(idle)->next);
}

void nsc_find_idle(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    bool is_any = false;

    (void)fields;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_idle idle;

        if (!nsc_idle_build(&idle, scope, d))
            continue;
        is_any = true;
        report_idle(out, scope, &idle);
        report_late(out, scope, &idle);
        nsc_idle_fini(&idle);
    }
    if (is_any)
        return;
    (void)nsc_findings_add_unassessed(out, "gpu-idle", "Idle time of the GPU", "%s",
                                      "there is no GPU work in the window");
    (void)nsc_findings_add_unassessed(out, "cpu-bottleneck", "Whether the CPU is late", "%s",
                                      "there is no GPU work in the window");
}
