/*
 * Finds the path of ranges that takes most of the work, and questions that a recording cannot
 * answer.
 *
 * A path that takes most of the work is information, not a fault: the range of a training step
 * should hold all of it. Thresholds: threshold.def.
 */
#include "analysis/device/kernel_metrics.h"
#include "analysis/device/quality.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/loss.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/framework.h"
#include "analysis/names/label.h"
#include "analysis/ranges/process_ranges.h"
#include "analysis/ranges/range_work.h"
#include "core/sum.h"
#include "core/units.h"

/* ---- ranges ---- */

static void report_range(struct nsc_findings *out, const struct nsc_scope *scope,
                         const struct nsc_range_work *work)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t top = 0;
    nsc_event slowest;
    double share;
    char name[NSC_NAME_BYTES];
    uint32_t n;
    struct nsc_finding *finding;

    for (uint32_t i = 1; i < work->tree->n; i++)
        if (work->at[i].own.work > work->at[top].own.work)
            top = i;
    share = nsc_percent(work->at[top].own.work, work->work);
    if (share < NSC_LIMIT_TOP_RANGE)
        return;
    slowest = work->tree->slowest[top];
    n = nsc_label_pattern(name, scope->trace, slowest, work->tree->mixed[top]);
    finding = nsc_findings_add(out, "nvtx-dominates", NSC_SEVERITY_INFO,
                               "One NVTX range takes most of the GPU's work: %.*s",
                               (int)(n > 200 ? 200 : n), name);
    nsc_finding_place(
        finding, NSC_NONE, work->at[top].own.work,
        (struct nsc_window){events->start[slowest], nsc_event_touch_end(events, slowest)});
    finding->event = slowest;
    nsc_finding_evidence(finding,
                         "%.1f %% of the summed GPU work (work, not wall time) is launched with it "
                         "as the innermost range: %u instances, %u ops",
                         share, work->tree->calls[top], work->at[top].own.ops);
    nsc_finding_next(finding,
                     "Look at the kernels of this range first: filter by it, or add ranges "
                     "inside it to split it.");
}

/* Whether the calling thread is not the main one of its process and has no NVTX ranges. Autograd's
 * threads are like that. */
static bool is_by_helper(const struct nsc_trace *trace, nsc_event call)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t at = nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, call)].track;

    if (tracks[at].tid == tracks[at].pid)
        return false;
    at = nsc_trace_group_of(trace, at);
    for (uint32_t t = at; t < nsc_group_end(tracks, at); t++)
        if (tracks[t].kind == NSC_TRACK_NVTX)
            return false;
    return true;
}

/* The summed time of ops with a known launch; by_helper: only of those that helper threads without
 * ranges launch. */
static nsc_time known_work(const struct nsc_scope *scope, bool by_helper)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_time sum = 0;

    for (struct nsc_scope_cursor at =
             nsc_scope_open_devices(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);) {
        nsc_event call = events->link[at.row];

        if (call != NSC_NONE && (!by_helper || is_by_helper(scope->trace, call)))
            sum = nsc_sum(sum, nsc_event_duration(events, at.row));
    }
    return sum;
}

/* Reports how much of the work with a known launch was launched outside of all ranges of its
 * thread. */
static void report_coverage(struct nsc_findings *out, const struct nsc_scope *scope,
                            const struct nsc_range_work *work)
{
    struct nsc_finding *finding;
    nsc_time covered = work->work - work->none.own.work;
    nsc_time known;
    double share;

    /* Work with a known launch is at most all work. */
    if (nsc_percent(covered, work->work) >= NSC_LIMIT_COVERAGE)
        return;
    known = known_work(scope, false);
    share = nsc_percent(covered, known);
    if (known == 0 || share >= NSC_LIMIT_COVERAGE)
        return;
    finding = nsc_findings_add(out, "nvtx-coverage", NSC_SEVERITY_INFO,
                               "Much of the GPU's work is under no NVTX range");
    nsc_finding_evidence(finding,
                         "%.1f %% of the summed GPU work with a known launch is launched inside a "
                         "range of its own thread, or for one of the main thread",
                         share);
    if (nsc_trace_is_pytorch(scope->trace) && known_work(scope, true) >= (known - covered) / 2)
        nsc_finding_next(finding, "Work of autograd threads has no ranges unless they are emitted "
                                  "there (torch.autograd.profiler.emit_nvtx).");
    else
        nsc_finding_next(finding,
                         "Add ranges around the calls that launch the rest: nsyscope skill "
                         "run nvtx_kernel_map FILE lists them.");
}

void nsc_find_range(struct nsc_findings *out, const struct nsc_scope *scope,
                    const struct nsc_field_sets *fields)
{
    struct nsc_range_work work;

    (void)fields;
    if (!nsc_range_work_build(&work, scope, NSC_PATHS_BY_DIGITS))
        return;
    if (work.tree->n > 0 && work.work > 0) {
        report_range(out, scope, &work);
        report_coverage(out, scope, &work);
    }
    nsc_range_work_fini(&work);
}

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

    if (scope->has_window || last == INT64_MIN || share < NSC_LIMIT_OPEN_END)
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
                               "The profiler lost events: %.1f %% of launch calls have no work",
                               loss.share);
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
    if (of.kernels > 0 &&
        nsc_percent((nsc_time)of.known_kernels, (nsc_time)of.kernels) < NSC_LIMIT_KNOWN_LAUNCHES) {
        finding = nsc_findings_add(out, "unknown-launches", NSC_SEVERITY_INFO,
                                   "The launches of many kernels are not recorded");
        nsc_finding_evidence(finding, "%.1f %% of the kernels have the call that launched them",
                             nsc_percent((nsc_time)of.known_kernels, (nsc_time)of.kernels));
        nsc_finding_next(finding, "Start the capture before the work is launched, and trace the "
                                  "CUDA API.");
    }
    if (of.kernels > 0) {
        report_loss(out, scope, fields);
        report_end(out, scope, fields);
        report_kernels(out, scope);
    }
}
