/* Finds whether the recording can be trusted, and questions that it cannot answer. Thresholds: threshold.def. */
#include "analysis/base/loss.h"
#include "analysis/device/kernel_metrics.h"
#include "analysis/device/quality.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/process_ranges.h"
#include "core/sum.h"
#include "core/units.h"

/* ---- the recording ---- */

/* The kernel with the most samples of GPU counters that show its bound; NULL if none has any. */
static const struct nsc_kernel_metric *find_bound(const struct nsc_kernel_metrics *metrics)
{
    for (uint32_t i = 0; i < metrics->n; i++)
        if (metrics->at[i].samples >= NSC_METRIC_SAMPLES &&
            nsc_kernel_metric_dram(&metrics->at[i]) >= 0)
            return &metrics->at[i];
    return NULL;
}

static void tell_kernels(struct nsc_findings *out, const struct nsc_scope *scope,
                         const struct nsc_kernel_metrics *metrics,
                         const struct nsc_kernel_metric *first)
{
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    struct nsc_text name = nsc_trace_string(scope->trace, names->brief[first->name]);
    struct nsc_finding *finding = nsc_findings_add(
        out, "kernel-bound", NSC_SEVERITY_INFO, "By the GPU's counters, %.80s is bound by %s",
        nsc_show(name).text, nsc_kernel_metric_verdict(first));

    finding->track = first->device;
    for (uint32_t i = 0; i < metrics->n && i < 3; i++) {
        const struct nsc_kernel_metric *of = &metrics->at[i];

        if (of->samples < NSC_METRIC_SAMPLES || nsc_kernel_metric_dram(of) < 0)
            continue;
        name = nsc_trace_string(scope->trace, names->brief[of->name]);
        nsc_finding_evidence(finding, "%.80s: %s; DRAM %.0f %%, issuing %.0f %%, %u samples",
                             nsc_show(name).text, nsc_kernel_metric_verdict(of),
                             nsc_kernel_metric_dram(of),
                             nsc_kernel_metric_mean(of, NSC_COUNTER_SM_ISSUE), of->samples);
    }
    nsc_finding_next(finding, "All kernels: nsyscope skill run kernel_metrics FILE. ncu measures a "
                              "kernel itself (nsyscope ncu-plan).");
}

/* Reports the bound of kernels, from samples of GPU counters taken while they ran. */
static void report_kernels(struct nsc_findings *out, const struct nsc_scope *scope)
{
    struct nsc_kernel_metrics metrics;
    const struct nsc_kernel_metric *first;

    nsc_kernel_metrics_build(&metrics, scope);
    first = find_bound(&metrics);
    if (first)
        tell_kernels(out, scope, &metrics, first);
    else
        (void)nsc_findings_add_unassessed(
            out, "kernel-bound", "Whether kernels are bound by memory, compute or latency", "%s",
            metrics.has_counters
                ? "timing cannot tell, and too few samples of the GPU's counters lie within one "
                  "kernel's run; use Nsight Compute (nsyscope ncu-plan)"
                : "timing cannot tell; use Nsight Compute (nsyscope ncu-plan)");
    nsc_kernel_metrics_fini(&metrics);
}

/* ---- the end of the recording ---- */

static nsc_time last_work(const struct nsc_scope *scope)
{
    nsc_time last = INT64_MIN;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_window window;

        if (nsc_device_window(&window, scope, d))
            last = nsc_later(last, window.t1);
    }
    return last;
}

/* The innermost range of any thread that never ended; NSC_NONE: none. It is the last of its lane.
 * Reads the ends only if some range reaches the end. */
static nsc_event find_open(const struct nsc_scope *scope, const struct nsc_field_sets *fields)
{
    const struct nsc_trace *trace = scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    nsc_event open = NSC_NONE;

    for (uint32_t i = 0; i < n; i++) {
        nsc_event row = lanes[i].first + lanes[i].n - 1;

        if (lanes[i].n > 0 && events->kind[row] == NSC_KIND_NVTX_RANGE &&
            nsc_event_end(events, row) >= scope->window.t1 &&
            (open == NSC_NONE || events->start[row] > events->start[open]) &&
            nsc_nvtx_is_open(nsc_field_set(fields, NSC_FIELDS_LAST_RANGES), row))
            open = row;
    }
    return open;
}

/* Says that a recording ends without GPU work, in a range that never ended: the program hung, or the
 * recording stopped there. The steady state ends before. */
static void report_end(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields)
{
    nsc_time last = last_work(scope);
    nsc_time ns = nsc_span(last, scope->window.t1);
    double share = nsc_percent(ns, nsc_window_length(scope->window));
    nsc_event open;
    char text[NSC_UNITS_BYTES];
    char scratch[NSC_NAME_BYTES];
    struct nsc_text name;
    struct nsc_finding *finding;

    if (scope->has_window || last == INT64_MIN ||
        share < nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low)
        return;
    open = find_open(scope, fields);
    if (open == NSC_NONE)
        return;
    nsc_units_duration(text, ns, out->ascii);
    name = nsc_trace_event_text(scope->trace, open, false, scratch);
    finding = nsc_findings_add(
        out, "open-end", NSC_SEVERITY_INFO,
        "The recording ends with %s without GPU work, in a range that never ended: %.80s", text,
        nsc_show(name).text);
    nsc_finding_place(finding, NSC_NONE, ns, (struct nsc_window){last, scope->window.t1});
    finding->event = open;
    nsc_finding_evidence(finding, "%.1f %% of the recording", share);
    nsc_finding_next(finding, "If the program hung, see what its threads do there: nsyscope skill "
                              "run idle FILE --whole. If the recording was stopped, all is well.");
}

static void report_loss(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields)
{
    struct nsc_loss loss;
    struct nsc_finding *finding;

    if (!nsc_loss_find(&loss, scope, fields))
        return;
    finding = nsc_findings_add(out, "lost-events", NSC_SEVERITY_HIGH,
                               "The profiler lost events: %s", loss.seen);
    nsc_finding_evidence(finding, "the profiler says: %s", nsc_show(loss.said).text);
    nsc_finding_next(finding,
                     "Record a shorter time. Idle time, copies, communication and launches "
                     "are not judged: the lost work may run there.");
}

void nsc_find_quality(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields)
{
    struct nsc_quality of;
    struct nsc_finding *finding;

    nsc_quality_build(&of, scope, fields, NULL);
    if (of.errors > 0) {
        finding =
            nsc_findings_add(out, "profiler-errors", NSC_SEVERITY_INFO,
                             "The profiler reports errors: %llu", (unsigned long long)of.errors);
        nsc_finding_next(finding, "Read them (nsyscope skill run quality FILE): events may be "
                                  "missing.");
    }
    if (of.kernels > 0) {
        report_loss(out, scope, fields);
        report_end(out, scope, fields);
        report_kernels(out, scope);
    }
}
