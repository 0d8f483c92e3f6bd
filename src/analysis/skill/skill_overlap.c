/*
 * Skills about what runs at once on a device: the parts of its span, the matrix of classes, its
 * bubbles, and what bounds it.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/work_times.h"
#include "analysis/skill/skills.h"
#include "core/sum.h"

/* ---- overlap_breakdown ---- */

const struct nsc_sheet_column nsc_skill_overlap_breakdown_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"span_ns", "Span", NULL, NSC_SHEET_NS, 0},
    {"compute_only_ns", "Compute only", NULL, NSC_SHEET_NS, 0},
    {"comm_only_ns", "Comm only", NULL, NSC_SHEET_NS, 0},
    {"both_ns", "Both", NULL, NSC_SHEET_NS, 0},
    {"copies_only_ns", "Copies only", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"overlap_share", "Overlapped", "communication (union)", NSC_SHEET_PERCENT, 0},
    {"idle_share", "Idle share", "span", NSC_SHEET_PERCENT, 0},
    {"compute_kernels", "Compute kernels", NULL, NSC_SHEET_COUNT, 0},
    {"comm_kernels", "Comm kernels", NULL, NSC_SHEET_COUNT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column stream_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_ID, 0},
    {"compute_kernels", "Compute kernels", NULL, NSC_SHEET_COUNT, 0},
    {"compute_ns", "Compute work", NULL, NSC_SHEET_NS, 0},
    {"comm_kernels", "Comm kernels", NULL, NSC_SHEET_COUNT, 0},
    {"comm_ns", "Comm work", NULL, NSC_SHEET_NS, 0},
    {"serialised", "Serialised", NULL, NSC_SHEET_YES, 0},
    {NULL, NULL, NULL, 0, 0},
};

enum { SERIAL_PERCENT = 5 }; /* of both kinds of work on one stream: they cannot overlap there */

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

    nsc_device_cell(sheet, scope->trace, times->device);
    nsc_sheet_add_int(sheet, span);
    nsc_sheet_add_int(sheet, parts.compute_only);
    nsc_sheet_add_int(sheet, parts.comm_only);
    nsc_sheet_add_int(sheet, parts.both);
    nsc_sheet_add_int(sheet, parts.copies_only);
    nsc_sheet_add_int(sheet, parts.idle);
    nsc_sheet_add_share(sheet, parts.both, times->comm);
    nsc_sheet_add_share(sheet, parts.idle, span);
    nsc_sheet_add_int(sheet, times->of[NSC_OP_KIND_COMPUTE].count);
    nsc_sheet_add_int(sheet, count_comm(times));
}

/* Only streams that carry communication: the others say nothing here. */
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

        if (use->comm_kernels == 0)
            continue;
        nsc_device_cell(sheet, scope->trace, device);
        nsc_sheet_add_int(sheet, tracks[use->track].stream);
        nsc_sheet_add_int(sheet, use->kernels - use->comm_kernels);
        nsc_sheet_add_int(sheet, own);
        nsc_sheet_add_int(sheet, use->comm_kernels);
        nsc_sheet_add_int(sheet, use->comm_work);
        nsc_sheet_add_int(sheet, own > 0 && nsc_percent(own, compute) >= SERIAL_PERCENT &&
                                     nsc_percent(use->comm_work, comm) >= SERIAL_PERCENT);
    }
    nsc_stream_uses_fini(&uses);
}

void nsc_skill_overlap_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet;
    struct nsc_sheet *streams;
    struct nsc_work_times times;

    (void)nsc_question_sheet(out, question, "overlap_breakdown",
                             nsc_skill_overlap_breakdown_columns);
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
    nsc_sheet_note(
        sheet, "Comm only is communication with no compute kernel at once; copies may "
               "run beside it. Serialised: compute and communication share the stream. CUDA graphs "
               "recorded as graphs count as compute kernels.");
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "There are no kernels in the window.");
}

/* ---- kernel_overlap_matrix ---- */

const struct nsc_sheet_column nsc_skill_kernel_overlap_matrix_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"work", "Work", NULL, NSC_SHEET_TEXT, 0},
    {"with", "With", NULL, NSC_SHEET_TEXT, 0},
    {"both_ns", "At once", NULL, NSC_SHEET_NS, 0},
    {"work_share", "Of work", "the work's own union", NSC_SHEET_PERCENT, 0},
    {"with_share", "Of with", "the other work's union", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* Each pair once, and only those that are ever at once. */
static void add_matrix(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_work_times *times)
{
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++) {
        for (unsigned b = a; b < NSC_N_OP_KINDS; b++) {
            nsc_time both = nsc_work_times_both(times, (enum nsc_op_kind)a, (enum nsc_op_kind)b);

            if (both == 0)
                continue;
            nsc_device_cell(sheet, scope->trace, times->device);
            nsc_sheet_add_puts(sheet, nsc_op_kind_word((enum nsc_op_kind)a));
            nsc_sheet_add_puts(sheet, nsc_op_kind_word((enum nsc_op_kind)b));
            nsc_sheet_add_int(sheet, both);
            nsc_sheet_add_share(sheet, both, times->either[a][a]);
            nsc_sheet_add_share(sheet, both, times->either[b][b]);
        }
    }
}

void nsc_skill_kernel_overlap_matrix(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "kernel_overlap_matrix",
                                                 nsc_skill_kernel_overlap_matrix_columns);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        add_matrix(sheet, scope, &times);
    }
    nsc_sheet_note(sheet, nsc_sheet_rows(sheet)
                              ? "Each is the union over all streams of the GPU; the row of a work "
                                "with itself is how long it runs. Pairs that are not listed never "
                                "run at once."
                              : "There is no GPU work in the window.");
}

/* ---- pipeline_bubble_metrics ---- */

const struct nsc_sheet_column nsc_skill_pipeline_bubble_metrics_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"span_ns", "Span", NULL, NSC_SHEET_NS, 0},
    {"active_ns", "Active", NULL, NSC_SHEET_NS, 0},
    {"bubble_ns", "Bubble", NULL, NSC_SHEET_NS, 0},
    {"bubble_share", "Bubble share", "span", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

void nsc_skill_pipeline_bubble_metrics(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "pipeline_bubble_metrics",
                                                 nsc_skill_pipeline_bubble_metrics_columns);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_work_parts parts;
        nsc_time span;

        nsc_work_times_build(&times, scope, d);
        if (!times.has_kernels)
            continue;
        parts = nsc_work_times_parts(&times, scope);
        span = nsc_span(parts.span.t0, parts.span.t1);
        nsc_device_cell(sheet, scope->trace, d);
        nsc_sheet_add_int(sheet, span);
        nsc_sheet_add_int(sheet, span - parts.idle);
        nsc_sheet_add_int(sheet, parts.idle);
        nsc_sheet_add_share(sheet, parts.idle, span);
    }
    nsc_sheet_note(sheet, nsc_sheet_rows(sheet)
                              ? "Active is the union of kernels, copies and memsets; span is the "
                                "window, or from the first kernel to the last. Whom the bubbles "
                                "wait for: skill idle."
                              : "There are no kernels in the window.");
}

/* ---- critical_path ---- */

const struct nsc_sheet_column nsc_skill_critical_path_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"class", "Class", NULL, NSC_SHEET_TEXT, 0},
    {"share", "Share", "span, the greatest part", NSC_SHEET_PERCENT, 0},
    {"margin", "Margin", "span, over the next part", NSC_SHEET_PERCENT, 0},
    {"span_ns", "Span", NULL, NSC_SHEET_NS, 0},
    {"compute_ns", "Compute", NULL, NSC_SHEET_NS, 0},
    {"comm_ns", "Comm alone", NULL, NSC_SHEET_NS, 0},
    {"copies_ns", "Copies alone", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* A class needs half of the span and a margin; a span too short says nothing (PEER 1.7.6). */
#define CLASS_LEAST  1000000 /* ns */
#define CLASS_SHARE  50.0    /* % */
#define CLASS_MARGIN 15.0    /* % */

static void add_bound(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                      const struct nsc_work_times *times)
{
    static const char *const classes[] = {"compute-bound", "communication-bound", "copy-bound",
                                          "idle-bound"};
    struct nsc_work_parts parts = nsc_work_times_parts(times, scope);
    nsc_time span = nsc_span(parts.span.t0, parts.span.t1);
    const nsc_time of[] = {parts.compute_only + parts.both, parts.comm_only, parts.copies_only,
                           parts.idle};
    unsigned top = 0;
    nsc_time next = 0;
    double margin;

    for (unsigned i = 1; i < 4; i++)
        top = of[i] > of[top] ? i : top;
    for (unsigned i = 0; i < 4; i++)
        next = i != top && of[i] > next ? of[i] : next;
    margin = nsc_percent(of[top] - next, span);
    nsc_device_cell(sheet, scope->trace, times->device);
    nsc_sheet_add_puts(sheet, span < CLASS_LEAST || nsc_percent(of[top], span) < CLASS_SHARE ||
                                      margin < CLASS_MARGIN
                                  ? "mixed"
                                  : classes[top]);
    nsc_sheet_add_share(sheet, of[top], span);
    nsc_sheet_add_number(sheet, margin);
    nsc_sheet_add_int(sheet, span);
    for (unsigned i = 0; i < 4; i++)
        nsc_sheet_add_int(sheet, of[i]);
}

void nsc_skill_critical_path(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "critical_path", nsc_skill_critical_path_columns);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.has_kernels)
            add_bound(sheet, scope, &times);
    }
    nsc_sheet_note(sheet, nsc_sheet_rows(sheet)
                              ? "A class has half of the span and 15 points more than the next; "
                                "idle-bound does not yet say that the CPU is to blame: skill idle "
                                "does."
                              : "There are no kernels in the window.");
}
