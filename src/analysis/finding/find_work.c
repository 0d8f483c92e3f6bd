/*
 * Names the kernel that takes most of the summed kernel time.
 *
 * A share is not a fault, so the finding is information. CUDA graphs recorded whole count in the
 * denominator: a small kernel between large graphs has a small share. Shares are by name over all
 * devices, so that a kernel run by every GPU counts once.
 */
#include "analysis/base/device_ops.h"
#include "analysis/base/field_sets.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/kernel_work.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/die.h"
#include "core/sum.h"

#include <math.h>

/* Adds up each name over the devices; the one with most time, the first of equal ones. Its slowest is NSC_NONE if
 * there is none. */
static struct nsc_kernel_share find_top(uint32_t *n_devices, const struct nsc_kernel_work *work,
                                        const struct nsc_trace *trace)
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
    }
    for (uint32_t i = 0; i < work->n; i++)
        if (sums[work->at[i].name].work > top.work)
            top = sums[work->at[i].name];
    *n_devices = top.slowest == NSC_NONE ? 0 : seen[top.name];
    free(seen);
    free(sums);
    return top;
}

#define NAME_BYTES 200

static struct nsc_text name_of(const struct nsc_trace *trace, const struct nsc_kernel_share *kernel)
{
    struct nsc_text name = nsc_trace_string(trace, nsc_trace_names(trace)->brief[kernel->name]);

    name.n = name.n > NAME_BYTES ? NAME_BYTES : name.n;
    return name;
}

/* Summed durations of the graphs recorded whole, over all devices. */
static nsc_time graph_work(const struct nsc_scope *scope)
{
    nsc_time sum = 0;
    struct nsc_breakdown time;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);)
        sum = nsc_sum(sum, time.graph_work);
    return sum;
}

/* The next step. A collective waits for its last rank, and Nsight Compute runs only one rank, so it
 * gets other advice. */
static const char *next_of(const struct nsc_trace *trace, const struct nsc_kernel_share *top)
{
    if (nsc_trace_names(trace)->flags[top->name] & NSC_NAME_COMM)
        return "Its time is transfer and waiting for other ranks: see nsyscope ranks FILE... of "
               "all "
               "ranks. Nsight Compute replays a kernel alone, so it cannot measure a collective.";
    return "Profile this kernel with Nsight Compute (nsyscope ncu-plan FILE); timing alone cannot "
           "tell whether compute, memory or latency bounds it.";
}

static void report_top(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_kernel_work *work)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_time graphs = graph_work(scope);
    nsc_time all = nsc_sum(work->work, graphs);
    const char *of = graphs > 0 ? "time of kernels and graphs" : "kernel time";
    uint32_t n_devices;
    struct nsc_kernel_share top = find_top(&n_devices, work, scope->trace);
    double share = nsc_percent(top.work, all);
    struct nsc_text name;
    struct nsc_finding *finding;

    if (share < NSC_LIMIT_LARGE)
        return;
    name = name_of(scope->trace, &top);
    finding = nsc_findings_add(
        out, "top-kernel", NSC_SEVERITY_INFO, "%s takes %.1f %% of the summed %s: %.*s",
        share > 50 ? "One kernel" : "The longest kernel", share, of, (int)name.n, name.bytes);
    nsc_finding_place(
        finding, top.device, top.work,
        (struct nsc_window){events->start[top.slowest], nsc_event_touch_end(events, top.slowest)});
    finding->event = top.slowest;
    nsc_finding_evidence(finding, "%.1f %% of the summed %s (%s, work and not wall time)", share,
                         of, nsc_show_ns(finding, top.work).text);
    nsc_finding_evidence(finding, "%u %s on %u %s, mean %s", top.count,
                         top.count == 1 ? "launch" : "launches", n_devices,
                         n_devices == 1 ? "GPU" : "GPUs",
                         nsc_show_ns(finding, top.work / top.count).text);
    nsc_finding_next(finding, "%s", next_of(scope->trace, &top));
}

/* ---- work that leaves most of a GPU unused ---- */

static const struct {
    enum nsc_op_kind kind;
    const char *rule, *what, *next;
} moves[] = {
    {NSC_OP_KIND_MEMSET, "memsets", "sets memory",
     "Set memory once, or only the part that is read before it is written (zeros, "
     "zero_grad(set_to_none=True)); let kernels write instead of adding to zeros."},
    {NSC_OP_KIND_DTOD, "device-copies", "copies its own memory",
     "Avoid the copies: work in place, swap pointers, or let the kernel that reads or writes the "
     "data do them; else copy on another stream, beside kernels that need none of it."},
    {NSC_OP_KIND_PEER, "device-copies", "copies between GPUs",
     "Copy on another stream, beside kernels that do not need the data: the inner part while the "
     "edges are exchanged; or let kernels read the other GPU's memory."}};

/* Reports memsets, or copies within the GPU or between GPUs, that take time of their own: the most of it. */
static void report_moves(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                         const struct nsc_breakdown *time)
{
    nsc_time alone = time->memory_alone - time->transfer_exposed;
    struct nsc_device_ops ops;
    struct nsc_device_op op;
    struct nsc_finding *finding;
    nsc_time sums[NSC_N_OP_KINDS] = {0}, ns;
    size_t top = 0;

    if (nsc_percent(alone, time->whole) < nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low)
        return;
    nsc_device_ops_init(&ops, scope, device);
    while (nsc_device_ops_next(&ops, &op))
        sums[op.kind] = nsc_sum(sums[op.kind], nsc_span(op.start, op.end));
    nsc_device_ops_fini(&ops);
    for (size_t i = 1; i < sizeof moves / sizeof *moves; i++)
        top = sums[moves[i].kind] > sums[moves[top].kind] ? i : top;
    ns = nsc_earlier(sums[moves[top].kind], alone);
    if (nsc_percent(ns, time->whole) < nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low)
        return;
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_GPU_TIME, moves[top].rule, nsc_percent(ns, time->whole),
        "GPU %lld only %s for %.1f %% of %s", (long long)nsc_trace_track(scope->trace, device)->gpu,
        moves[top].what, nsc_percent(ns, time->whole), nsc_finding_window_words(out, scope));
    nsc_finding_place(finding, device, ns, time->window);
    nsc_finding_evidence(finding, "%s, of them %s while no kernel runs",
                         nsc_show_ns(finding, sums[moves[top].kind]).text,
                         nsc_show_ns(finding, ns).text);
    nsc_finding_next(finding, "%s", moves[top].next);
}

/* Reports the kernel of a device that takes most time if its grid has fewer blocks than the GPU has
 * multiprocessors, and too few kernels run at once to fill them. Some exports say one block for every
 * kernel; then another kernel has no more. */
static void report_grid(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields, const struct nsc_kernel_work *work,
                        const struct nsc_breakdown *time, uint32_t device)
{
    const struct nsc_track *track = nsc_trace_track(scope->trace, device);
    nsc_time beside = time->kernel_work - (time->compute + time->comm - time->overlap);
    const struct nsc_kernel_share *top = &work->at[work->first[device]];
    const struct nsc_fields *kernels;
    struct nsc_finding *finding;
    double blocks, most = 0, share;
    int64_t sms;

    share = nsc_percent(top->work - nsc_earlier(top->work, beside), time->whole);
    if (share < NSC_LIMIT_LARGE || nsc_trace_events(scope->trace)->n > NSC_GRIDS_MOST ||
        nsc_trace_names(scope->trace)->flags[top->name] & NSC_NAME_COMM ||
        (sms = nsc_field_of_gpu(fields, track->gpu, NSC_GPU_SMS)) == 0 ||
        !(kernels = nsc_field_set(fields, NSC_FIELDS_KERNELS)))
        return;
    blocks = nsc_kernel_blocks(kernels, top->slowest);
    for (uint32_t i = work->first[device]; i != NSC_NONE; i = work->at[i].next)
        most = fmax(most, nsc_kernel_blocks(kernels, work->at[i].slowest));
    if (blocks < 1 || blocks > (double)sms / 2 || most < (double)sms)
        return;
    share *= 1 - blocks / (double)sms;
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_GPU_TIME, "small-grid", share,
        "%.80s leaves most of GPU %lld unused: a grid of %.0f blocks for %lld SMs",
        nsc_show(name_of(scope->trace, top)).text, (long long)track->gpu, blocks, (long long)sms);
    nsc_finding_place(finding, device, (nsc_time)(share / 100 * (double)time->whole), time->window);
    finding->event = top->slowest;
    nsc_finding_evidence(finding, "it takes %s in %u launches, and little runs beside it",
                         nsc_show_ns(finding, top->work).text, top->count);
    nsc_finding_next(
        finding, "Divide its work into more blocks, batch several problems into one launch, or run "
                 "independent launches on several streams.");
}

static void report_unused(struct nsc_findings *out, const struct nsc_scope *scope,
                          const struct nsc_field_sets *fields, const struct nsc_kernel_work *work)
{
    struct nsc_breakdown time;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        report_moves(out, scope, d, &time);
        if (work->n > 0 && work->first[d] != NSC_NONE)
            report_grid(out, scope, fields, work, &time, d);
    }
}

void nsc_find_work(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_kernel_work work;

    nsc_kernel_work_build(&work, scope);
    report_unused(out, scope, fields, &work);
    if (work.count > 0 && work.work > 0)
        report_top(out, scope, &work);
    else
        nsc_findings_add_unassessed(out, "top-kernel", "Kernel shares", "%s",
                                    "there are no kernels in the window");
    nsc_kernel_work_fini(&work);
}
