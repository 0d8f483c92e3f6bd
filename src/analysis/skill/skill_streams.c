/*
 * Skills about streams: how many work at once, how dense each is.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/stream_use.h"
#include "analysis/skill/skills.h"
#include "core/sum.h"

/* ---- stream_concurrency ---- */

const struct nsc_sheet_column nsc_skill_stream_concurrency_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_ID, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"comm_kernels", "Comm kernels", NULL, NSC_SHEET_COUNT, 0},
    {"work_ns", "Kernel time", NULL, NSC_SHEET_NS, 0},
    {"avg_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"busy_share", "Busy share", "the GPU's span of kernels", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

/* From the first kernel of the device to the last. */
static nsc_time span_of(const struct nsc_stream_uses *uses, const struct nsc_scope *scope)
{
    struct nsc_window span = scope->window;

    if (scope->has_window)
        return nsc_span(span.t0, span.t1);
    for (uint32_t i = 0; i < uses->n; i++) {
        span.t0 = i ? nsc_earlier(span.t0, uses->at[i].span.t0) : uses->at[i].span.t0;
        span.t1 = i ? nsc_later(span.t1, uses->at[i].span.t1) : uses->at[i].span.t1;
    }
    return nsc_span(span.t0, span.t1);
}

void nsc_skill_stream_concurrency(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "stream_concurrency",
                                                 nsc_skill_stream_concurrency_columns);
    struct nsc_stream_uses uses;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_time span;

        nsc_stream_uses_build(&uses, scope, d, INT64_MAX);
        span = span_of(&uses, scope);
        for (uint32_t i = 0; i < uses.n; i++) {
            const struct nsc_stream_use *use = &uses.at[i];

            nsc_device_cell(sheet, scope->trace, d);
            nsc_sheet_add_int(sheet, tracks[use->track].pid);
            nsc_sheet_add_int(sheet, tracks[use->track].stream);
            nsc_sheet_add_int(sheet, use->kernels);
            nsc_sheet_add_int(sheet, use->comm_kernels);
            nsc_sheet_add_int(sheet, use->work);
            nsc_sheet_add_int(sheet, use->work / use->kernels);
            nsc_sheet_add_int(sheet, use->busy);
            nsc_sheet_add_share(sheet, use->busy, span);
        }
        nsc_stream_uses_fini(&uses);
    }
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "Each stream by itself: shares of several streams of one GPU add up "
                         "to more than 100 %% where they run at once."
                       : "There are no kernels in the window.");
}

/* ---- kernel_launch_pattern ---- */

const struct nsc_sheet_column nsc_skill_kernel_launch_pattern_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_ID, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"span_ns", "Span", NULL, NSC_SHEET_NS, 0},
    {"rate_per_ms", "Kernels/ms", NULL, NSC_SHEET_NUMBER, 1},
    {"busy_share", "Busy", "the stream's span", NSC_SHEET_PERCENT, 0},
    {"pauses", "Pauses", NULL, NSC_SHEET_COUNT, 0},
    {"mean_pause_ns", "Mean pause", NULL, NSC_SHEET_NS, 0},
    {"longest_pause_ns", "Longest", NULL, NSC_SHEET_NS, 0},
    {"longest_pause_at_ns", "At", NULL, NSC_SHEET_INSTANT, 0},
    {"stalls", "Stalls", NULL, NSC_SHEET_COUNT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_pattern(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                        const struct nsc_stream_use *use)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    nsc_time span = nsc_span(use->span.t0, use->span.t1);

    nsc_device_cell(sheet, scope->trace, device);
    nsc_sheet_add_int(sheet, tracks[use->track].pid);
    nsc_sheet_add_int(sheet, tracks[use->track].stream);
    nsc_sheet_add_int(sheet, use->kernels);
    nsc_sheet_add_int(sheet, span);
    nsc_sheet_add_number(sheet, (double)use->kernels / ((double)span / 1e6));
    nsc_sheet_add_share(sheet, use->busy, span);
    nsc_sheet_add_int(sheet, use->pauses);
    nsc_sheet_add_int(sheet, use->pauses ? use->paused / use->pauses : 0);
    nsc_sheet_add_int(sheet, use->longest_pause);
    if (use->pauses)
        nsc_sheet_add_int(sheet, use->longest_pause_at);
    else
        nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, use->stalls);
}

void nsc_skill_kernel_launch_pattern(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    nsc_time stall = question->params[NSC_PARAM_MIN].integer;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "kernel_launch_pattern",
                                                 nsc_skill_kernel_launch_pattern_columns);
    struct nsc_stream_uses uses;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_stream_uses_build(&uses, scope, d, stall);
        for (uint32_t i = 0; i < uses.n; i++)
            add_pattern(sheet, scope, d, &uses.at[i]);
        nsc_stream_uses_fini(&uses);
    }
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "There are no kernels in the window.");
    else
        nsc_sheet_note(sheet,
                       "A pause is a time without a kernel on the stream between two of them; a "
                       "stall is a pause longer than %.6g ms (-p min=). Copies may run in it, and "
                       "other streams.",
                       (double)stall / 1e6);
}
