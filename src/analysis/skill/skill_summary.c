/*
 * The skill that sums up each GPU in a line.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/work_times.h"
#include "analysis/names/brief_names.h"
#include "analysis/skill/skills.h"
#include "core/sum.h"

#include <stdlib.h>

const struct nsc_sheet_column nsc_skill_gpu_summary_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"name", "Device", NULL, NSC_SHEET_TEXT, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"streams", "Streams", NULL, NSC_SHEET_COUNT, 0},
    {"span_ns", "Span", NULL, NSC_SHEET_NS, 0},
    {"kernel_busy_ns", "Kernels run", NULL, NSC_SHEET_NS, 0},
    {"kernel_busy_share", "Share", "span", NSC_SHEET_PERCENT, 0},
    {"no_kernel_ns", "No kernel", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"kernel_work_ns", "Kernel time", NULL, NSC_SHEET_NS, 0},
    {"comm_share", "Comm", "summed kernel time", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column top_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"share", "Share", "summed kernel time of the GPU", NSC_SHEET_PERCENT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"count", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"avg_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* ---- a line a GPU ---- */

static nsc_time sum_work(const struct nsc_work_times *times, unsigned first, unsigned end)
{
    nsc_time sum = 0;

    for (unsigned i = first; i < end; i++)
        sum = nsc_sum(sum, times->of[i].work);
    return sum;
}

static uint32_t count_kernels(const struct nsc_work_times *times)
{
    uint32_t n = 0;

    for (unsigned i = NSC_OP_KIND_COMPUTE; i < NSC_OP_KIND_HTOD; i++)
        n += times->of[i].count;
    return n;
}

static uint32_t count_streams(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_stream_uses uses;
    uint32_t n;

    nsc_stream_uses_build(&uses, scope, device, INT64_MAX);
    n = uses.n;
    nsc_stream_uses_fini(&uses);
    return n;
}

static void add_device(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_work_times *times)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_work_parts parts = nsc_work_times_parts(times, scope);
    nsc_time span = nsc_span(parts.span.t0, parts.span.t1);

    nsc_device_cell(sheet, scope->trace, times->device);
    nsc_sheet_add_text(sheet, nsc_trace_string(scope->trace, tracks[times->device].label));
    nsc_sheet_add_int(sheet, count_kernels(times));
    nsc_sheet_add_int(sheet, count_streams(scope, times->device));
    nsc_sheet_add_int(sheet, span);
    nsc_sheet_add_int(sheet, times->kernels);
    nsc_sheet_add_share(sheet, times->kernels, span);
    nsc_sheet_add_int(sheet, span - times->kernels);
    nsc_sheet_add_int(sheet, parts.idle);
    nsc_sheet_add_int(sheet, sum_work(times, NSC_OP_KIND_COMPUTE, NSC_OP_KIND_HTOD));
    nsc_sheet_add_share(sheet, sum_work(times, NSC_OP_KIND_COMM, NSC_OP_KIND_HTOD),
                        sum_work(times, NSC_OP_KIND_COMPUTE, NSC_OP_KIND_HTOD));
}

/* ---- its kernels by short name ---- */

struct top {
    nsc_name name;
    uint32_t device, count;
    nsc_time work;
};

static int compare_tops(const void *a, const void *b)
{
    const struct top *x = a;
    const struct top *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static int compare_names(const void *a, const void *b)
{
    const struct top *x = a;
    const struct top *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Kernels of one short name are one; returns how many there are. */
static size_t unite(struct top *tops, const struct nsc_kernel_work *work, const nsc_name *first)
{
    size_t n = 0;

    for (uint32_t i = 0; i < work->n; i++)
        tops[i] = (struct top){first[work->at[i].name], work->at[i].device, work->at[i].count,
                               work->at[i].work};
    if (work->n > 1)
        qsort(tops, work->n, sizeof *tops, compare_names);
    for (uint32_t i = 0; i < work->n; i++) {
        if (n > 0 && compare_names(&tops[n - 1], &tops[i]) == 0) {
            tops[n - 1].count += tops[i].count;
            tops[n - 1].work = nsc_sum(tops[n - 1].work, tops[i].work);
        } else {
            tops[n++] = tops[i];
        }
    }
    return n;
}

static nsc_time device_work(const struct top *tops, size_t n, uint32_t device)
{
    nsc_time sum = 0;

    for (size_t i = 0; i < n; i++)
        if (tops[i].device == device)
            sum = nsc_sum(sum, tops[i].work);
    return sum;
}

static void add_tops(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    size_t limit = (size_t)question->params[NSC_PARAM_LIMIT].integer;
    nsc_name *first = nsc_names_by_brief(trace);
    struct nsc_kernel_work work;
    struct top *tops;
    size_t n;
    size_t shown = 0;
    nsc_time all = 0;

    nsc_kernel_work_build(&work, question->scope);
    tops = nsc_xcalloc((size_t)work.n + 1, sizeof *tops);
    n = unite(tops, &work, first);
    if (n > 1)
        qsort(tops, n, sizeof *tops, compare_tops);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || tops[i].device != tops[i - 1].device) {
            shown = 0;
            all = device_work(tops, n, tops[i].device);
        }
        if (limit > 0 && shown++ >= limit) {
            sheet->n_left_out++;
            continue;
        }
        nsc_device_cell(sheet, trace, tops[i].device);
        nsc_sheet_add_share(sheet, tops[i].work, all);
        nsc_sheet_add_int(sheet, tops[i].work);
        nsc_sheet_add_int(sheet, tops[i].count);
        nsc_sheet_add_int(sheet, tops[i].work / tops[i].count);
        nsc_sheet_add_text(sheet,
                           nsc_trace_string(trace, nsc_trace_names(trace)->brief[tops[i].name]));
    }
    free(tops);
    free(first);
    nsc_kernel_work_fini(&work);
}

void nsc_skill_gpu_summary(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "gpu_summary", nsc_skill_gpu_summary_columns);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.has_kernels)
            add_device(sheet, scope, &times);
    }
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "Span is the window, or from the first kernel to the last. No kernel: "
                         "copies may run; idle: nothing does. Kernel time is work added over "
                         "streams, not wall time. CUDA graphs recorded as graphs count as "
                         "kernels."
                       : "There are no kernels in the window.");
    sheet = nsc_question_more(out, question, "top_kernels_by_gpu",
                              "Kernels of each GPU by short name", top_columns);
    add_tops(sheet, question);
}
