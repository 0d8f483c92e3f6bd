/* Skills about streams: how busy each is, and the causes of its gaps. */
#include "analysis/base/device_ops.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/stream_waits.h"
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

/* From the first to the last kernel of the device. */
static nsc_time span_of(const struct nsc_stream_uses *uses, const struct nsc_scope *scope)
{
    struct nsc_window span = scope->has_window || uses->n == 0 ? scope->window : uses->at[0].span;

    for (uint32_t i = 0; !scope->has_window && i < uses->n; i++)
        nsc_window_join(&span, uses->at[i].span);
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

        nsc_stream_uses_build(&uses, scope, d, NSC_STREAM_STALL_NS);
        span = span_of(&uses, scope);
        for (uint32_t i = 0; i < uses.n; i++) {
            const struct nsc_stream_use *use = &uses.at[i];

            NSC_ADD_ROW(sheet, stream_use_row, .gpu = tracks[d].gpu, .pid = tracks[use->track].pid,
                        .stream = tracks[use->track].stream, .of = *use,
                        .mean = use->work / use->kernels, .span = span);
        }
        nsc_stream_uses_fini(&uses);
    }
    nsc_sheet_note(sheet, nsc_sheet_rows(sheet)
                              ? "Each stream counts on its own: the shares of several streams of a "
                                "GPU may add up to more than 100 %%."
                              : "There are no kernels in the window.");
}

/* ---- stream_waits ---- */

struct stream_waits_row {
    int64_t gpu;
    struct nsc_text stream;
    struct nsc_stream_wait_sums of;
};

const struct nsc_sheet_column nsc_skill_stream_waits_columns[] = {
    NSC_COL_ID(stream_waits_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(stream_waits_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(stream_waits_row, of.ops, "ops", "Ops"),
    NSC_COL_COUNT(stream_waits_row, of.gaps, "gaps", "Gaps"),
    NSC_COL_NS(stream_waits_row, of.wait[0], "host_wait_ns", "Host wait"),
    NSC_COL_NS(stream_waits_row, of.wait[1], "kernel_wait_ns", "Kernel wait"),
    NSC_COL_NS(stream_waits_row, of.wait[2], "other_ns", "Other"),
    NSC_COL_NS(stream_waits_row, of.wait[3], "unknown_ns", "Unknown"),
    {0},
};

void nsc_skill_stream_waits(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, stream_waits);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_stream_waits streams;

        nsc_stream_waits_build(&streams, scope, d);
        for (uint32_t i = 0; i < streams.n; i++)
            NSC_ADD_ROW(
                sheet, stream_waits_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                .stream = nsc_trace_string(
                    scope->trace, nsc_trace_track(scope->trace, streams.at[i].stream)->label),
                .of = streams.at[i]);
        nsc_stream_waits_fini(&streams);
    }
    nsc_sheet_note(sheet,
                   "As in HTA: host wait if the next op was launched after the gap began, kernel "
                   "wait if the gap is below %d ns, else other. A gap of a stream is not idle time "
                   "of the GPU: another stream may run.",
                   NSC_LIMIT_STREAM_WAIT);
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}
