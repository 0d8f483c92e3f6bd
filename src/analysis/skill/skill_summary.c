/* The skill that describes each GPU in a line. */
#include "analysis/base/device_ops.h"
#include "analysis/base/tally.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/work_times.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

#include <stdlib.h>

struct gpu_summary_row {
    int64_t gpu;
    struct nsc_text name;
    uint32_t kernels, streams;
    nsc_time span, busy, no_kernel, idle, window, work, comm;
};

const struct nsc_sheet_column nsc_skill_gpu_summary_columns[] = {
    NSC_COL_ID(gpu_summary_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(gpu_summary_row, name, "name", "Device"),
    NSC_COL_COUNT(gpu_summary_row, kernels, "kernels", "Kernels"),
    NSC_COL_COUNT(gpu_summary_row, streams, "streams", "Streams"),
    NSC_COL_NS(gpu_summary_row, span, "span_ns", "Span"),
    NSC_COL_NS(gpu_summary_row, busy, "kernel_busy_ns", "Kernels run"),
    NSC_COL_SHARE(gpu_summary_row, busy, span, "kernel_busy_share", "Share", "span"),
    NSC_COL_NS(gpu_summary_row, no_kernel, "no_kernel_ns", "No kernel"),
    NSC_COL_NS(gpu_summary_row, idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(gpu_summary_row, idle, window, "idle_share", "of window", "window"),
    NSC_COL_NS(gpu_summary_row, work, "kernel_work_ns", "Kernel time"),
    NSC_COL_SHARE(gpu_summary_row, comm, work, "comm_share", "Comm", "summed kernel time"),
    {0},
};

/* ---- a line a GPU ---- */

static struct nsc_op_kind_sum sum_kinds(const struct nsc_work_times *times, unsigned first)
{
    struct nsc_op_kind_sum sum = {0};

    for (unsigned i = first; i < NSC_OP_KIND_HTOD; i++) {
        sum.count += times->of[i].count;
        sum.work = nsc_sum(sum.work, times->of[i].work);
    }
    return sum;
}

static uint32_t count_streams(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_stream_uses uses;
    uint32_t n;

    nsc_stream_uses_build(&uses, scope, device, NSC_STREAM_STALL_NS);
    n = uses.n;
    nsc_stream_uses_fini(&uses);
    return n;
}

static void add_device(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_work_times *times)
{
    const struct nsc_track *track = nsc_trace_track(scope->trace, times->device);
    struct nsc_window whole = scope->has_window ? scope->window : times->span;
    struct nsc_breakdown time = {0};
    const struct nsc_op_kind_sum kernels = sum_kinds(times, NSC_OP_KIND_COMPUTE);
    nsc_time span = nsc_window_length(whole);

    (void)nsc_breakdown_build(&time, scope->steady ? scope->steady : scope, times->device);
    NSC_ADD_ROW(sheet, gpu_summary_row, .gpu = track->gpu,
                .name = nsc_trace_string(scope->trace, track->label), .kernels = kernels.count,
                .streams = count_streams(scope, times->device), .span = span,
                .busy = times->kernels, .no_kernel = span - times->kernels, .idle = time.idle,
                .window = time.whole, .work = kernels.work,
                .comm = sum_kinds(times, NSC_OP_KIND_COMM).work);
}

/* ---- its kernels by short name ---- */

struct top_row {
    int64_t gpu;
    struct nsc_tally_row of;
    nsc_time all, mean;
    struct nsc_text kernel;
};

static const struct nsc_sheet_column top_columns[] = {
    NSC_COL_ID(top_row, gpu, "gpu", "GPU"),
    NSC_COL_SHARE(top_row, of.total, all, "share", "Share", "summed kernel time of the GPU"),
    NSC_COL_NS(top_row, of.total, "total_ns", "Total"),
    NSC_COL_COUNT(top_row, of.count, "count", "Kernels"),
    NSC_COL_NS(top_row, mean, "avg_ns", "Mean"),
    NSC_COL_TEXT(top_row, kernel, "kernel", "Kernel"),
    {0},
};

static void add_tops(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    size_t limit = (size_t)question->params[NSC_PARAM_LIMIT].integer;
    nsc_name *first = nsc_names_by_brief(trace);
    struct nsc_tally tops = {0}, devices = {0}; /* (name, device); (device, 0) */
    struct nsc_kernel_work work;
    uint32_t *order;
    size_t shown = 0;

    nsc_kernel_work_build(&work, question->scope);
    for (uint32_t i = 0; i < work.n; i++) {
        uint32_t group = nsc_tally_group(&tops, first[work.at[i].name], work.at[i].device);
        struct nsc_tally_row *to = &tops.rows.at[group];

        to->count += work.at[i].count;
        to->total = nsc_sum(to->total, work.at[i].work);
    }
    nsc_tally_merge(&devices, &tops, 1);
    order = nsc_tally_sort(&tops, NSC_TALLY_OTHER_TOTAL, 0, NULL);
    for (size_t i = 0; i < tops.rows.n; i++) {
        const struct nsc_tally_row *top = &tops.rows.at[order[i]];
        uint32_t device = nsc_tally_group(&devices, top->key[1], 0);

        shown = i > 0 && tops.rows.at[order[i - 1]].key[1] == top->key[1] ? shown + 1 : 0;
        if (limit > 0 && shown >= limit)
            sheet->n_left_out++;
        else
            NSC_ADD_ROW(sheet, top_row, .gpu = nsc_trace_track(trace, (uint32_t)top->key[1])->gpu,
                        .of = *top, .all = devices.rows.at[device].total,
                        .mean = top->total / (nsc_time)top->count,
                        .kernel =
                            nsc_trace_string(trace, nsc_trace_names(trace)->brief[top->key[0]]));
    }
    free(order);
    free(first);
    nsc_tally_fini(&tops);
    nsc_tally_fini(&devices);
    nsc_kernel_work_fini(&work);
}

void nsc_skill_gpu_summary(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, gpu_summary);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.has_kernels)
            add_device(sheet, scope, &times);
    }
    nsc_sheet_note(
        sheet, nsc_sheet_rows(sheet)
                   ? "Span: the window, or the time from the first kernel to the last. No kernel: "
                     "no kernel runs, but copies may. Idle: nothing runs, in the window of the "
                     "skills idle and bound. Kernel time adds durations over streams, so it is not "
                     "wall time. CUDA graphs recorded as a whole count as kernels."
                   : "There are no kernels in the window.");
    if (scope->words)
        nsc_sheet_note(sheet, "Idle: %s", scope->steady ? scope->steady->words : scope->words);
    sheet = nsc_question_more(out, question, "top_kernels_by_gpu",
                              "Kernels of each GPU by short name", top_columns);
    add_tops(sheet, question);
}
