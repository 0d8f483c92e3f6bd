/*
 * Skills about what runs at once on a device: the parts of its span, the matrix of classes, its
 * bubbles, and what bounds it.
 */
#include "analysis/base/device_ops.h"
#include "analysis/base/limit.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/work_times.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

/* ---- overlap_breakdown ---- */

struct parts_row {
    int64_t gpu;
    struct nsc_work_parts of;
    nsc_time span, comm, active;
    uint32_t compute_kernels, comm_kernels;
};

const struct nsc_sheet_column nsc_skill_overlap_breakdown_columns[] = {
    NSC_COL_ID(parts_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(parts_row, span, "span_ns", "Span"),
    NSC_COL_NS(parts_row, of.compute_only, "compute_only_ns", "Compute only"),
    NSC_COL_NS(parts_row, of.comm_only, "comm_only_ns", "Comm only"),
    NSC_COL_NS(parts_row, of.both, "both_ns", "Both"),
    NSC_COL_NS(parts_row, of.copies_only, "copies_only_ns", "Copies only"),
    NSC_COL_NS(parts_row, of.idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(parts_row, of.both, comm, "overlap_share", "Overlapped", "communication (union)"),
    NSC_COL_SHARE(parts_row, of.idle, span, "idle_share", "Idle share", "span"),
    NSC_COL_COUNT(parts_row, compute_kernels, "compute_kernels", "Compute kernels"),
    NSC_COL_COUNT(parts_row, comm_kernels, "comm_kernels", "Comm kernels"),
    {0},
};

struct comm_stream_row {
    int64_t gpu, stream;
    struct nsc_stream_use of;
    uint32_t compute_kernels;
    nsc_time compute;
    bool serialised;
};

static const struct nsc_sheet_column stream_columns[] = {
    NSC_COL_ID(comm_stream_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(comm_stream_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(comm_stream_row, compute_kernels, "compute_kernels", "Compute kernels"),
    NSC_COL_NS(comm_stream_row, compute, "compute_ns", "Compute work"),
    NSC_COL_COUNT(comm_stream_row, of.comm_kernels, "comm_kernels", "Comm kernels"),
    NSC_COL_NS(comm_stream_row, of.comm_work, "comm_ns", "Comm work"),
    NSC_COL_YES(comm_stream_row, serialised, "serialised", "Serialised"),
    {0},
};

static uint32_t count_comm(const struct nsc_work_times *times)
{
    uint32_t n = 0;

    for (unsigned i = NSC_OP_KIND_COMM; i < NSC_OP_KIND_HTOD; i++)
        n += times->of[i].count;
    return n;
}

static void add_parts(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                      const struct nsc_work_times *times)
{
    struct nsc_work_parts parts = nsc_work_times_parts(times, scope);
    nsc_time span = nsc_span(parts.span.t0, parts.span.t1);

    NSC_ADD_ROW(sheet, parts_row, .gpu = nsc_trace_track(scope->trace, times->device)->gpu,
                .of = parts, .span = span, .comm = times->comm, .active = span - parts.idle,
                .compute_kernels = times->of[NSC_OP_KIND_COMPUTE].count,
                .comm_kernels = count_comm(times));
}

/* Adds only streams that carry communication. */
static void add_streams(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_stream_uses uses;
    nsc_time compute = 0;
    nsc_time comm = 0;

    nsc_stream_uses_build(&uses, scope, device, INT64_MAX);
    for (uint32_t i = 0; i < uses.n; i++) {
        compute = nsc_sum(compute, uses.at[i].work - uses.at[i].comm_work);
        comm = nsc_sum(comm, uses.at[i].comm_work);
    }
    for (uint32_t i = 0; i < uses.n; i++) {
        const struct nsc_stream_use *use = &uses.at[i];
        nsc_time own = use->work - use->comm_work;

        if (use->comm_kernels > 0)
            NSC_ADD_ROW(sheet, comm_stream_row, .gpu = tracks[device].gpu,
                        .stream = tracks[use->track].stream, .of = *use,
                        .compute_kernels = use->kernels - use->comm_kernels, .compute = own,
                        .serialised = own > 0 &&
                                      nsc_percent(own, compute) >= NSC_LIMIT_ONE_STREAM &&
                                      nsc_percent(use->comm_work, comm) >= NSC_LIMIT_ONE_STREAM);
    }
    nsc_stream_uses_fini(&uses);
}

void nsc_skill_overlap_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet;
    struct nsc_sheet *streams;
    struct nsc_work_times times;

    (void)NSC_SKILL_SHEET(out, question, overlap_breakdown);
    streams = nsc_question_more(out, question, "comm_streams", "Streams that carry communication",
                                stream_columns);
    sheet = &out->list.at[out->list.n - 2];
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (!times.has_kernels)
            continue;
        add_parts(sheet, scope, &times);
        add_streams(streams, scope, d);
    }
    nsc_sheet_note(sheet, scope->has_window
                              ? "Span is the window. The five parts add up to it."
                              : "Span is from the first kernel to the last of the GPU. The five "
                                "parts add up to it.");
    nsc_sheet_note(sheet, "Comm only: communication while no compute kernel runs; copies may run "
                          "at the same time. Serialised: compute and communication share the "
                          "stream. CUDA graphs recorded as a whole count as compute kernels.");
    nsc_sheet_note_empty(sheet, "There are no kernels in the window.");
}

/* ---- pipeline_bubble_metrics ---- */

const struct nsc_sheet_column nsc_skill_pipeline_bubble_metrics_columns[] = {
    NSC_COL_ID(parts_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(parts_row, span, "span_ns", "Span"),
    NSC_COL_NS(parts_row, active, "active_ns", "Active"),
    NSC_COL_NS(parts_row, of.idle, "bubble_ns", "Bubble"),
    NSC_COL_SHARE(parts_row, of.idle, span, "bubble_share", "Bubble share", "span"),
    {0},
};

void nsc_skill_pipeline_bubble_metrics(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, pipeline_bubble_metrics);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.has_kernels)
            add_parts(sheet, scope, &times);
    }
    nsc_sheet_note(
        sheet, nsc_sheet_rows(sheet)
                   ? "Active: the union of kernels, copies and memsets. Span: the window, or from "
                     "the first kernel to the last. For the causes of bubbles see skill idle."
                   : "There are no kernels in the window.");
}

/* ---- largest_share ---- */

struct class_row {
    int64_t gpu;
    const char *class;
    nsc_time span, top, part[4]; /* compute, communication, copies, idle */
    double margin;
};

const struct nsc_sheet_column nsc_skill_largest_share_columns[] = {
    NSC_COL_ID(class_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(class_row, class, "class", "Class"),
    NSC_COL_SHARE(class_row, top, span, "share", "Share", "span, the greatest part"),
    NSC_COL_PERCENT(class_row, margin, "margin", "Margin", "span, over the next part"),
    NSC_COL_NS(class_row, span, "span_ns", "Span"),
    NSC_COL_NS(class_row, part[0], "compute_ns", "Compute"),
    NSC_COL_NS(class_row, part[1], "comm_ns", "Comm alone"),
    NSC_COL_NS(class_row, part[2], "copies_ns", "Copies alone"),
    NSC_COL_NS(class_row, part[3], "idle_ns", "Idle"),
    {0},
};

/* A class needs half of the span and a margin; a span below NSC_LIMIT_SHARE_WINDOW decides nothing. */
static void add_bound(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                      const struct nsc_work_times *times)
{
    static const char *const classes[] = {"GPU-bound", "communication-bound", "copy-bound",
                                          "idle-bound"};
    struct nsc_work_parts parts = nsc_work_times_parts(times, scope);
    nsc_time span = nsc_span(parts.span.t0, parts.span.t1);
    const nsc_time of[4] = {parts.compute_only + parts.both, parts.comm_only, parts.copies_only,
                            parts.idle};
    unsigned top = 0;
    nsc_time next = 0;
    double margin;
    bool is_mixed;

    for (unsigned i = 1; i < 4; i++)
        top = of[i] > of[top] ? i : top;
    for (unsigned i = 0; i < 4; i++)
        next = i != top && of[i] > next ? of[i] : next;
    margin = nsc_percent(of[top] - next, span);
    is_mixed = span < 1000 * NSC_LIMIT_SHARE_WINDOW ||
               nsc_percent(of[top], span) < NSC_LIMIT_SHARE_MOST || margin < NSC_LIMIT_SHARE_MARGIN;
    NSC_ADD_ROW(sheet, class_row, .gpu = nsc_trace_track(scope->trace, times->device)->gpu,
                .class = is_mixed ? "mixed" : classes[top], .span = span, .top = of[top],
                .margin = margin, .part = {of[0], of[1], of[2], of[3]});
}

void nsc_skill_largest_share(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, largest_share);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.has_kernels)
            add_bound(sheet, scope, &times);
    }
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "A class takes at least half of the span and 15 points more than the next "
                         "one. Idle-bound does not mean that the CPU is the cause: see skill idle."
                       : "There are no kernels in the window.");
}
