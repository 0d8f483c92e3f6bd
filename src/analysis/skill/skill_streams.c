/*
 * Skills about streams: how many work at once, how dense each is.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/stream_use.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

/* ---- stream_concurrency ---- */

struct stream_use_row {
    int64_t gpu, stream;
    uint32_t pid;
    struct nsc_stream_use of;
    nsc_time mean, span;
};

const struct nsc_sheet_column nsc_skill_stream_concurrency_columns[] = {
    NSC_COL_ID(stream_use_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(stream_use_row, pid, "pid", "Process"),
    NSC_COL_ID(stream_use_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(stream_use_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_COUNT(stream_use_row, of.comm_kernels, "comm_kernels", "Comm kernels"),
    NSC_COL_NS(stream_use_row, of.work, "work_ns", "Kernel time"),
    NSC_COL_NS(stream_use_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(stream_use_row, of.busy, "busy_ns", "Busy"),
    NSC_COL_SHARE(stream_use_row, of.busy, span, "busy_share", "Busy share",
                  "the GPU's span of kernels"),
    {0},
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
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, stream_concurrency);
    struct nsc_stream_uses uses;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_time span;

        nsc_stream_uses_build(&uses, scope, d, INT64_MAX);
        span = span_of(&uses, scope);
        for (uint32_t i = 0; i < uses.n; i++) {
            const struct nsc_stream_use *use = &uses.at[i];

            NSC_ADD_ROW(sheet, stream_use_row, .gpu = tracks[d].gpu, .pid = tracks[use->track].pid,
                        .stream = tracks[use->track].stream, .of = *use,
                        .mean = use->work / use->kernels, .span = span);
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

struct launch_pattern_row {
    int64_t gpu, stream;
    uint32_t pid;
    struct nsc_stream_use of;
    nsc_time span, mean_pause, longest_at;
    double rate; /* kernels a ms */
};

const struct nsc_sheet_column nsc_skill_kernel_launch_pattern_columns[] = {
    NSC_COL_ID(launch_pattern_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(launch_pattern_row, pid, "pid", "Process"),
    NSC_COL_ID(launch_pattern_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(launch_pattern_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_NS(launch_pattern_row, span, "span_ns", "Span"),
    NSC_COL_NUMBER(launch_pattern_row, rate, "rate_per_ms", "Kernels/ms", 1),
    NSC_COL_SHARE(launch_pattern_row, of.busy, span, "busy_share", "Busy", "the stream's span"),
    NSC_COL_COUNT(launch_pattern_row, of.pauses, "pauses", "Pauses"),
    NSC_COL_NS(launch_pattern_row, mean_pause, "mean_pause_ns", "Mean pause"),
    NSC_COL_NS(launch_pattern_row, of.longest_pause, "longest_pause_ns", "Longest"),
    NSC_COL_INSTANT(launch_pattern_row, longest_at, "longest_pause_at_ns", "At"),
    NSC_COL_COUNT(launch_pattern_row, of.stalls, "stalls", "Stalls"),
    {0},
};

static void add_pattern(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                        const struct nsc_stream_use *use)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    nsc_time span = nsc_span(use->span.t0, use->span.t1);

    NSC_ADD_ROW(sheet, launch_pattern_row, .gpu = tracks[device].gpu, .pid = tracks[use->track].pid,
                .stream = tracks[use->track].stream, .of = *use, .span = span,
                .rate = (double)use->kernels / ((double)span / 1e6),
                .mean_pause = use->pauses ? use->paused / use->pauses : 0,
                .longest_at = nsc_known(use->pauses > 0, use->longest_pause_at));
}

void nsc_skill_kernel_launch_pattern(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    nsc_time stall = question->params[NSC_PARAM_MIN].integer;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, kernel_launch_pattern);
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
