/*
 * Concurrency and utilization of devices as sheets.
 */
#include "analysis/device/concurrency.h"
#include "analysis/device/utilization.h"
#include "analysis/skill/skills.h"
#include "core/sum.h"

const struct nsc_sheet_column nsc_skill_concurrency_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"mean", "Mean ops", NULL, NSC_SHEET_NUMBER, 2},
    {"mean_of_busy", "Mean while busy", NULL, NSC_SHEET_NUMBER, 2},
    {"most", "Most", NULL, NSC_SHEET_COUNT, 0},
    {"none_share", "None", "window", NSC_SHEET_PERCENT, 0},
    {"one_share", "1 op", "window", NSC_SHEET_PERCENT, 0},
    {"two_share", "2 ops", "window", NSC_SHEET_PERCENT, 0},
    {"three_share", "3 ops", "window", NSC_SHEET_PERCENT, 0},
    {"four_share", "4 or more", "window", NSC_SHEET_PERCENT, 0},
    {"streams_share", "2 streams or more", "busy", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

void nsc_skill_concurrency(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "concurrency", nsc_skill_concurrency_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_concurrency of;

        if (!nsc_concurrency_build(&of, scope, d))
            continue;
        nsc_device_cell(sheet, scope->trace, d);
        nsc_sheet_add_number(sheet, of.mean);
        nsc_sheet_add_number(sheet, of.mean_of_busy);
        nsc_sheet_add_int(sheet, of.most);
        for (int i = 0; i < NSC_LEVELS; i++)
            nsc_sheet_add_share(sheet, of.level[i], nsc_window_length(of.window));
        nsc_sheet_add_share(sheet, of.streams, of.busy);
    }
    nsc_sheet_note(sheet, "Ops at once on the GPU, weighted by time: kernels, graphs, copies and "
                          "memsets of all streams. A graph recorded as a graph is one op.");
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}

const struct nsc_sheet_column nsc_skill_utilization_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"start_ns", "From", NULL, NSC_SHEET_INSTANT, 0},
    {"chunk_ns", "Length", NULL, NSC_SHEET_NS, 0},
    {"busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"busy_share", "Busy (union)", "chunk", NSC_SHEET_PERCENT, 0},
    {"nsys_share", "As nsys (sum)", "chunk", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_chunk(struct nsc_sheet *sheet, const struct nsc_utilization *of, uint32_t i)
{
    nsc_time c0 = nsc_window_cut(of->window, i, NSC_UTILIZATION_CHUNKS);
    nsc_time c1 = nsc_window_cut(of->window, i + 1, NSC_UTILIZATION_CHUNKS);

    nsc_sheet_add_int(sheet, c0);
    nsc_sheet_add_int(sheet, nsc_span(c0, c1));
    nsc_sheet_add_int(sheet, of->busy[i]);
    nsc_sheet_add_share(sheet, of->busy[i], nsc_span(c0, c1));
    nsc_sheet_add_share(sheet, of->sum[i], nsc_span(c0, c1));
}

void nsc_skill_utilization(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "utilization", nsc_skill_utilization_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_utilization of;

        if (!nsc_utilization_build(&of, scope, d))
            continue;
        for (uint32_t i = 0; i < NSC_UTILIZATION_CHUNKS; i++) {
            nsc_device_cell(sheet, scope->trace, d);
            add_chunk(sheet, &of, i);
        }
    }
    nsc_sheet_note(sheet,
                   "%d equal chunks of the window of each GPU. nsys adds all ops up, so that "
                   "its share exceeds 100 %% where ops run at once.",
                   NSC_UTILIZATION_CHUNKS);
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}
