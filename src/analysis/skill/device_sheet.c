/* Adds sheets of what runs at once on devices, and how busy they are along the window. */
#include "analysis/device/device_times.h"
#include "analysis/device/utilization.h"
#include "analysis/device/work_times.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

struct concurrency_row {
    int64_t gpu;
    struct nsc_concurrency of;
    nsc_time window;
};

const struct nsc_sheet_column nsc_skill_concurrency_columns[] = {
    NSC_COL_ID(concurrency_row, gpu, "gpu", "GPU"),
    NSC_COL_NUMBER(concurrency_row, of.mean, "mean", "Mean ops", 2),
    NSC_COL_NUMBER(concurrency_row, of.mean_of_busy, "mean_of_busy", "Mean while busy", 2),
    NSC_COL_COUNT(concurrency_row, of.most, "most", "Most"),
    NSC_COL_SHARE(concurrency_row, of.level[0], window, "none_share", "None", "window"),
    NSC_COL_SHARE(concurrency_row, of.level[1], window, "one_share", "1 op", "window"),
    NSC_COL_SHARE(concurrency_row, of.level[2], window, "two_share", "2 ops", "window"),
    NSC_COL_SHARE(concurrency_row, of.level[3], window, "three_share", "3 ops", "window"),
    NSC_COL_SHARE(concurrency_row, of.level[4], window, "four_share", "4 or more", "window"),
    NSC_COL_SHARE(concurrency_row, of.streams, of.busy, "streams_share", "2 streams or more",
                  "busy"),
    {0},
};

void nsc_skill_concurrency(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, concurrency);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_concurrency of;

        if (nsc_concurrency_build(&of, scope, d))
            NSC_ADD_ROW(sheet, concurrency_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .of = of, .window = nsc_window_length(of.window));
    }
    nsc_sheet_note(sheet,
                   "Counts the ops that run at once on the GPU, weighted by time: kernels, graphs, "
                   "copies and memsets of all streams. A graph recorded as a whole is one op.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}

struct utilization_row {
    int64_t gpu;
    nsc_time start, length, busy, sum;
};

const struct nsc_sheet_column nsc_skill_utilization_columns[] = {
    NSC_COL_ID(utilization_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(utilization_row, start, "start_ns", "From"),
    NSC_COL_NS(utilization_row, length, "chunk_ns", "Length"),
    NSC_COL_NS(utilization_row, busy, "busy_ns", "Busy"),
    NSC_COL_SHARE(utilization_row, busy, length, "busy_share", "Busy (union)", "chunk"),
    NSC_COL_SHARE(utilization_row, sum, length, "nsys_share", "As nsys (sum)", "chunk"),
    {0},
};

void nsc_skill_utilization(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, utilization);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_utilization of;

        if (!nsc_utilization_build(&of, scope, d))
            continue;
        for (uint32_t i = 0; i < NSC_UTILIZATION_CHUNKS; i++) {
            nsc_time start = nsc_window_cut(of.window, i, NSC_UTILIZATION_CHUNKS);
            nsc_time end = nsc_window_cut(of.window, i + 1, NSC_UTILIZATION_CHUNKS);

            NSC_ADD_ROW(sheet, utilization_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .start = start, .length = nsc_span(start, end), .busy = of.busy[i],
                        .sum = of.sum[i]);
        }
    }
    nsc_sheet_note(sheet,
                   "The window of each GPU is cut into %d equal chunks. nsys adds all ops, so its "
                   "share exceeds 100 %% where ops run at once.",
                   NSC_UTILIZATION_CHUNKS);
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}

/* ---- kernel_overlap_matrix ---- */

struct overlap_pair_row {
    int64_t gpu;
    const char *work, *with;
    nsc_time both, work_union, with_union;
};

const struct nsc_sheet_column nsc_skill_kernel_overlap_matrix_columns[] = {
    NSC_COL_ID(overlap_pair_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(overlap_pair_row, work, "work", "Work"),
    NSC_COL_TEXT(overlap_pair_row, with, "with", "With"),
    NSC_COL_NS(overlap_pair_row, both, "both_ns", "At once"),
    NSC_COL_SHARE(overlap_pair_row, both, work_union, "work_share", "Of work",
                  "the work's own union"),
    NSC_COL_SHARE(overlap_pair_row, both, with_union, "with_share", "Of with",
                  "the other work's union"),
    {0},
};

/* Adds each pair that ever runs at once, one time. */
static void add_matrix(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_work_times *times)
{
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++) {
        for (unsigned b = a; b < NSC_N_OP_KINDS; b++) {
            nsc_time both = times->both[a][b];

            if (both > 0)
                NSC_ADD_ROW(sheet, overlap_pair_row,
                            .gpu = nsc_trace_track(scope->trace, times->device)->gpu,
                            .work = nsc_op_kind_word((enum nsc_op_kind)a),
                            .with = nsc_op_kind_word((enum nsc_op_kind)b), .both = both,
                            .work_union = times->both[a][a], .with_union = times->both[b][b]);
        }
    }
}

void nsc_skill_kernel_overlap_matrix(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, kernel_overlap_matrix);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        add_matrix(sheet, scope, &times);
    }
    nsc_sheet_note(
        sheet,
        nsc_sheet_rows(sheet)
            ? "Times are unions over all streams of the GPU. A row that pairs a kind of work with "
              "itself shows how long it runs. Pairs that are not listed never run at once."
            : "There is no GPU work in the window.");
}
