/*
 * Idle time as sheets: devices, causes, the longest gaps, and the ranges in which the CPU was late.
 */
#include "analysis/device/idle.h"
#include "analysis/names/label.h"
#include "analysis/skill/skills.h"
#include "core/sum.h"

#define RANGES_SHOWN 20u

enum { DEVICES, CAUSES, GAPS, RANGES }; /* sheets, in order */

const struct nsc_sheet_column nsc_skill_idle_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"window_ns", "Window", NULL, NSC_SHEET_NS, 0},
    {"busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"idle_share", "Idle share", "window", NSC_SHEET_PERCENT, 0},
    {"gaps", "Gaps", NULL, NSC_SHEET_COUNT, 0},
    {"longest_ns", "Longest", NULL, NSC_SHEET_NS, 0},
    {"gaps_below_10us", "< 10 us", NULL, NSC_SHEET_COUNT, 0},
    {"gaps_below_100us", "< 100 us", NULL, NSC_SHEET_COUNT, 0},
    {"gaps_below_1ms", "< 1 ms", NULL, NSC_SHEET_COUNT, 0},
    {"gaps_from_1ms", ">= 1 ms", NULL, NSC_SHEET_COUNT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column cause_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"cause", "Cause", NULL, NSC_SHEET_TEXT, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"idle_share", "Share of idle", "idle", NSC_SHEET_PERCENT, 0},
    {"window_share", "Share of window", "window", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column gap_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"start_ns", "From", NULL, NSC_SHEET_INSTANT, 0},
    {"gap_ns", "Length", NULL, NSC_SHEET_NS, 0},
    {"late_ns", "CPU late", NULL, NSC_SHEET_NS, 0},
    {"queued_ns", "Queued", NULL, NSC_SHEET_NS, 0},
    {"unknown_ns", "Unknown", NULL, NSC_SHEET_NS, 0},
    {"next", "Next op", NULL, NSC_SHEET_TEXT, 0},
    {"range", "NVTX at launch", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column range_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"late_ns", "CPU-late idle", NULL, NSC_SHEET_NS, 0},
    {"late_share", "Share", "CPU-late idle", NSC_SHEET_PERCENT, 0},
    {"gaps", "Gaps", NULL, NSC_SHEET_COUNT, 0},
    {"range", "NVTX range", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_device(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_idle *idle)
{
    const struct nsc_gap *longest = idle->longest;

    nsc_device_cell(sheet, scope->trace, idle->device);
    nsc_sheet_add_int(sheet, nsc_window_length(idle->window));
    nsc_sheet_add_int(sheet, idle->busy);
    nsc_sheet_add_int(sheet, idle->idle);
    nsc_sheet_add_share(sheet, idle->idle, nsc_window_length(idle->window));
    nsc_sheet_add_int(sheet, idle->n_gaps);
    nsc_sheet_add_int(sheet, idle->n_longest > 0 ? nsc_span(longest->start, longest->end) : 0);
    for (int i = 0; i < NSC_IDLE_SIZES; i++)
        nsc_sheet_add_int(sheet, idle->sizes[i]);
}

static void add_causes(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_idle *idle)
{
    for (int i = 0; i < NSC_N_GAP_PARTS; i++) {
        nsc_device_cell(sheet, scope->trace, idle->device);
        nsc_sheet_add_puts(sheet, nsc_gap_part_word((enum nsc_gap_part)i));
        nsc_sheet_add_int(sheet, idle->part[i]);
        nsc_sheet_add_share(sheet, idle->part[i], idle->idle);
        nsc_sheet_add_share(sheet, idle->part[i], nsc_window_length(idle->window));
    }
}

static void add_gaps(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                     const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_longest; i++) {
        const struct nsc_gap *gap = &idle->longest[i];

        nsc_device_cell(sheet, scope->trace, idle->device);
        nsc_sheet_add_int(sheet, gap->start);
        nsc_sheet_add_int(sheet, nsc_span(gap->start, gap->end));
        nsc_sheet_add_int(sheet, nsc_gap_late(gap));
        nsc_sheet_add_int(sheet, gap->part[NSC_GAP_QUEUED]);
        nsc_sheet_add_int(sheet, gap->part[NSC_GAP_UNKNOWN]);
        nsc_label_event(sheet, scope->trace, gap->next);
        nsc_label_event(sheet, scope->trace, gap->range);
    }
    sheet->n_left_out += idle->n_gaps - idle->n_longest;
}

static void add_ranges(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_ranges && i < RANGES_SHOWN; i++) {
        nsc_device_cell(sheet, scope->trace, idle->device);
        nsc_sheet_add_int(sheet, idle->ranges[i].late);
        nsc_sheet_add_share(sheet, idle->ranges[i].late, nsc_idle_late(idle));
        nsc_sheet_add_int(sheet, idle->ranges[i].gaps);
        nsc_label_range(sheet, scope->trace, idle->ranges[i].like);
    }
    sheet->n_left_out += idle->n_ranges > RANGES_SHOWN ? idle->n_ranges - RANGES_SHOWN : 0;
}

static void add_notes(struct nsc_sheet sheets[])
{
    nsc_sheet_note(&sheets[DEVICES],
                   "Idle is the window less the union of all kernels, graphs, copies and memsets; "
                   "without a window asked for it goes from the first op of the GPU to its last.");
    if (nsc_sheet_rows(&sheets[DEVICES]) == 0)
        nsc_sheet_note(&sheets[DEVICES], "No GPU has work in the window.");
    nsc_sheet_note(&sheets[CAUSES],
                   "A gap is laid to the first op after it: the CPU was late until the call that "
                   "launched it began, then it was queued. Unknown: no call of it is recorded, or "
                   "nothing follows in the window.");
    nsc_sheet_note(&sheets[RANGES], "The innermost push/pop range of the launching thread when the "
                                    "launch came; # stands for a number.");
}

void nsc_skill_idle(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)nsc_question_sheet(out, question, "idle", nsc_skill_idle_columns);
    (void)nsc_question_more(out, question, "idle_causes", "What the gaps wait for", cause_columns);
    (void)nsc_question_more(out, question, "gaps", "The longest gaps", gap_columns);
    (void)nsc_question_more(out, question, "idle_ranges", "Ranges in which the CPU was late",
                            range_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_idle idle;

        if (!nsc_idle_build(&idle, scope, d))
            continue;
        add_device(&sheets[DEVICES], scope, &idle);
        add_causes(&sheets[CAUSES], scope, &idle);
        add_gaps(&sheets[GAPS], scope, &idle);
        add_ranges(&sheets[RANGES], scope, &idle);
        nsc_idle_fini(&idle);
    }
    add_notes(sheets);
}
