/*
 * Idle time as sheets: devices, causes, the longest gaps, and the ranges in which the CPU was late.
 */
#include "analysis/device/idle.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

#define RANGES_SHOWN 20u

enum { DEVICES, CAUSES, GAPS, RANGES }; /* sheets, in order */

struct idle_row {
    int64_t gpu;
    nsc_time window, longest;
    struct nsc_idle of;
};

const struct nsc_sheet_column nsc_skill_idle_columns[] = {
    NSC_COL_ID(idle_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(idle_row, window, "window_ns", "Window"),
    NSC_COL_NS(idle_row, of.busy, "busy_ns", "Busy"),
    NSC_COL_NS(idle_row, of.idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(idle_row, of.idle, window, "idle_share", "Idle share", "window"),
    NSC_COL_COUNT(idle_row, of.n_gaps, "gaps", "Gaps"),
    NSC_COL_NS(idle_row, longest, "longest_ns", "Longest"),
    NSC_COL_COUNT(idle_row, of.sizes[0], "gaps_below_10us", "< 10 us"),
    NSC_COL_COUNT(idle_row, of.sizes[1], "gaps_below_100us", "< 100 us"),
    NSC_COL_COUNT(idle_row, of.sizes[2], "gaps_below_1ms", "< 1 ms"),
    NSC_COL_COUNT(idle_row, of.sizes[3], "gaps_from_1ms", ">= 1 ms"),
    {0},
};

struct cause_row {
    int64_t gpu;
    const char *cause;
    nsc_time idle, all_idle, window;
};

static const struct nsc_sheet_column cause_columns[] = {
    NSC_COL_ID(cause_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(cause_row, cause, "cause", "Cause"),
    NSC_COL_NS(cause_row, idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(cause_row, idle, all_idle, "idle_share", "Share of idle", "idle"),
    NSC_COL_SHARE(cause_row, idle, window, "window_share", "Share of window", "window"),
    {0},
};

struct gap_row {
    int64_t gpu;
    struct nsc_gap of;
    nsc_time length, late;
    struct nsc_kept_text next, range;
};

static const struct nsc_sheet_column gap_columns[] = {
    NSC_COL_ID(gap_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(gap_row, of.start, "start_ns", "From"),
    NSC_COL_NS(gap_row, length, "gap_ns", "Length"),
    NSC_COL_NS(gap_row, late, "late_ns", "CPU late"),
    NSC_COL_NS(gap_row, of.part[NSC_GAP_QUEUED], "queued_ns", "Queued"),
    NSC_COL_NS(gap_row, of.part[NSC_GAP_UNKNOWN], "unknown_ns", "Unknown"),
    NSC_COL_TEXT(gap_row, next, "next", "Next op"),
    NSC_COL_TEXT(gap_row, range, "range", "NVTX at launch"),
    {0},
};

struct late_range_row {
    int64_t gpu;
    struct nsc_idle_range of;
    nsc_time all_late;
    struct nsc_kept_text range;
};

static const struct nsc_sheet_column range_columns[] = {
    NSC_COL_ID(late_range_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(late_range_row, of.late, "late_ns", "CPU-late idle"),
    NSC_COL_SHARE(late_range_row, of.late, all_late, "late_share", "Share", "CPU-late idle"),
    NSC_COL_COUNT(late_range_row, of.gaps, "gaps", "Gaps"),
    NSC_COL_TEXT(late_range_row, range, "range", "NVTX range"),
    {0},
};

static void add_causes(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_idle *idle)
{
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        NSC_ADD_ROW(sheet, cause_row, .gpu = gpu, .cause = nsc_gap_part_word((enum nsc_gap_part)i),
                    .idle = idle->part[i], .all_idle = idle->idle,
                    .window = nsc_window_length(idle->window));
}

static void add_gaps(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                     const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_longest; i++) {
        const struct nsc_gap *gap = &idle->longest[i];

        NSC_ADD_ROW(sheet, gap_row, .gpu = gpu, .of = *gap,
                    .length = nsc_span(gap->start, gap->end), .late = nsc_gap_late(gap),
                    .next = nsc_label_event(sheet, trace, gap->next),
                    .range = nsc_label_event(sheet, trace, gap->range));
    }
    sheet->n_left_out += idle->n_gaps - idle->n_longest;
}

static void add_ranges(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                       const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_ranges && i < RANGES_SHOWN; i++)
        NSC_ADD_ROW(sheet, late_range_row, .gpu = gpu, .of = idle->ranges[i],
                    .all_late = nsc_idle_late(idle),
                    .range = nsc_label_range(sheet, trace, idle->ranges[i].like));
    sheet->n_left_out += idle->n_ranges > RANGES_SHOWN ? idle->n_ranges - RANGES_SHOWN : 0;
}

static void add_notes(struct nsc_sheet sheets[])
{
    nsc_sheet_note(&sheets[DEVICES],
                   "Idle: the window minus the union of all kernels, graphs, copies and memsets. "
                   "Without a chosen window it reaches from the first op of the GPU to its last.");
    nsc_sheet_note_empty(&sheets[DEVICES], "No GPU has work in the window.");
    nsc_sheet_note(&sheets[CAUSES],
                   "Each gap is attributed to the first op after it: the CPU was late until the "
                   "call that launched the op began; from then on the op was queued. Unknown: no "
                   "launching call is recorded, or no op follows in the window.");
    nsc_sheet_note(&sheets[RANGES], "The innermost push/pop range of the launching thread at the "
                                    "launch; # stands for a number.");
}

void nsc_skill_idle(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)NSC_SKILL_SHEET(out, question, idle);
    (void)nsc_question_more(out, question, "idle_causes", "What the gaps wait for", cause_columns);
    (void)nsc_question_more(out, question, "gaps", "The longest gaps", gap_columns);
    (void)nsc_question_more(out, question, "idle_ranges", "Ranges in which the CPU was late",
                            range_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        int64_t gpu = nsc_trace_track(scope->trace, d)->gpu;
        struct nsc_idle idle;

        if (!nsc_idle_build(&idle, scope, d))
            continue;
        NSC_ADD_ROW(&sheets[DEVICES], idle_row, .gpu = gpu,
                    .window = nsc_window_length(idle.window), .of = idle,
                    .longest = idle.n_longest > 0
                                   ? nsc_span(idle.longest[0].start, idle.longest[0].end)
                                   : 0);
        add_causes(&sheets[CAUSES], gpu, &idle);
        add_gaps(&sheets[GAPS], scope->trace, gpu, &idle);
        add_ranges(&sheets[RANGES], scope->trace, gpu, &idle);
        nsc_idle_fini(&idle);
    }
    add_notes(sheets);
}
