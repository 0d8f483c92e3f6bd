/*
 * A device's time as sheets: the breakdown that adds up to the window, and communication exposed.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_breakdown_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"window_ns", "Window", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"compute_ns", "Compute", NULL, NSC_SHEET_NS, 0},
    {"non_compute_ns", "Busy, no compute", NULL, NSC_SHEET_NS, 0},
    {"idle_share", "Idle", "window", NSC_SHEET_PERCENT, 0},
    {"compute_share", "Compute", "window", NSC_SHEET_PERCENT, 0},
    {"non_compute_share", "No compute", "window", NSC_SHEET_PERCENT, 0},
    {"comm_ns", "Communication", NULL, NSC_SHEET_NS, 0},
    {"memory_ns", "Copies, memsets", NULL, NSC_SHEET_NS, 0},
    {"graphs", "Graphs", NULL, NSC_SHEET_COUNT, 0},
    {NULL, NULL, NULL, 0, 0},
};

const struct nsc_sheet_column nsc_skill_exposed_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"work_ns", "Summed", NULL, NSC_SHEET_NS, 0},
    {"comm_ns", "Union", NULL, NSC_SHEET_NS, 0},
    {"exposed_ns", "Exposed", NULL, NSC_SHEET_NS, 0},
    {"exposed_share", "Exposed", "window", NSC_SHEET_PERCENT, 0},
    {"overlap_hta", "Overlap (HTA)", "communication union, under compute", NSC_SHEET_PERCENT, 0},
    {"overlap_megatron", "Overlap (Megatron)", "communication union, under any other op",
     NSC_SHEET_PERCENT, 0},
    {"blocking_ns", "Blocking", NULL, NSC_SHEET_NS, 0},
    {"blocking_stream_ns", "Blocking by stream order", NULL, NSC_SHEET_NS, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_breakdown(struct nsc_sheet *sheet, const struct nsc_breakdown *of)
{
    nsc_sheet_add_int(sheet, of->whole);
    nsc_sheet_add_int(sheet, of->idle);
    nsc_sheet_add_int(sheet, of->compute);
    nsc_sheet_add_int(sheet, of->busy - of->compute);
    nsc_sheet_add_share(sheet, of->idle, of->whole);
    nsc_sheet_add_share(sheet, of->compute, of->whole);
    nsc_sheet_add_share(sheet, of->busy - of->compute, of->whole);
    nsc_sheet_add_int(sheet, of->comm);
    nsc_sheet_add_int(sheet, of->memory);
    nsc_sheet_add_int(sheet, of->n_graphs);
}

void nsc_skill_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "breakdown", nsc_skill_breakdown_columns);
    bool has_graphs = false;

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_breakdown of;

        if (!nsc_breakdown_build(&of, scope, d))
            continue;
        nsc_device_cell(sheet, scope->trace, d);
        add_breakdown(sheet, &of);
        has_graphs = has_graphs || of.n_graphs > 0;
    }
    nsc_sheet_note(sheet,
                   "Idle, compute and busy without compute add up to the window. Compute has "
                   "communication under it; communication and copies are unions of their "
                   "own and may overlap everything.");
    if (has_graphs)
        nsc_sheet_note(sheet, "CUDA graphs recorded as graphs count as compute: what runs inside "
                              "them is not in the export.");
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}

static void add_exposed(struct nsc_sheet *sheet, const struct nsc_breakdown *of,
                        const struct nsc_absent *absent)
{
    nsc_sheet_add_int(sheet, of->n_comm);
    nsc_sheet_add_int(sheet, of->comm_work);
    nsc_sheet_add_int(sheet, of->comm);
    nsc_sheet_add_int(sheet, of->exposed);
    nsc_sheet_add_share(sheet, of->exposed, of->whole);
    nsc_sheet_add_share(sheet, of->overlap, of->comm);
    nsc_sheet_add_share(sheet, of->comm - of->exposed, of->comm);
    nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, absent->part[NSC_ABSENT_COMM]);
}

void nsc_skill_exposed(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "exposed", nsc_skill_exposed_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_breakdown of;
        struct nsc_absent absent;

        if (!nsc_breakdown_build(&of, scope, d) || of.n_comm == 0)
            continue;
        nsc_absent_build(&absent, scope, d);
        nsc_device_cell(sheet, scope->trace, d);
        add_exposed(sheet, &of, &absent);
    }
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_sheet_note(sheet, "There are no communication kernels in the window.");
        return;
    }
    nsc_sheet_note(sheet, "Exposed is communication while nothing else runs on the GPU: an upper "
                          "bound of what overlapping could win. Exposed is not blocking.");
    nsc_sheet_note(sheet, "Blocking is not known: the dependencies that CUDA events make between "
                          "streams are not resolved. By stream order: the next compute kernel was "
                          "launched and had to wait for communication on its own stream; at least "
                          "this much blocks.");
    nsc_sheet_note(sheet, "Summed is work, not wall time. Communication is told by kernel names.");
}
