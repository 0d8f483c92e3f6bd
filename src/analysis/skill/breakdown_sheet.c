/*
 * A device's time as sheets: the breakdown that adds up to the window, and communication exposed.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/skill/skill.h"

struct breakdown_row {
    int64_t gpu;
    struct nsc_breakdown of;
    nsc_time non_compute;
};

const struct nsc_sheet_column nsc_skill_breakdown_columns[] = {
    NSC_COL_ID(breakdown_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(breakdown_row, of.whole, "window_ns", "Window"),
    NSC_COL_NS(breakdown_row, of.idle, "idle_ns", "Idle"),
    NSC_COL_NS(breakdown_row, of.compute, "compute_ns", "Compute"),
    NSC_COL_NS(breakdown_row, non_compute, "non_compute_ns", "Busy, no compute"),
    NSC_COL_SHARE(breakdown_row, of.idle, of.whole, "idle_share", "Idle", "window"),
    NSC_COL_SHARE(breakdown_row, of.compute, of.whole, "compute_share", "Compute", "window"),
    NSC_COL_SHARE(breakdown_row, non_compute, of.whole, "non_compute_share", "No compute",
                  "window"),
    NSC_COL_NS(breakdown_row, of.comm, "comm_ns", "Communication"),
    NSC_COL_NS(breakdown_row, of.memory, "memory_ns", "Copies, memsets"),
    NSC_COL_COUNT(breakdown_row, of.n_graphs, "graphs", "Graphs"),
    NSC_COL_NS(breakdown_row, of.comm_alone, "comm_alone_ns", "Comm alone"),
    NSC_COL_NS(breakdown_row, of.memory_alone, "copies_alone_ns", "Copies alone"),
    {0},
};

struct exposed_row {
    int64_t gpu;
    struct nsc_breakdown of;
    nsc_time hidden;
    struct nsc_absent absent;
};

const struct nsc_sheet_column nsc_skill_exposed_columns[] = {
    NSC_COL_ID(exposed_row, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(exposed_row, of.n_comm, "kernels", "Kernels"),
    NSC_COL_NS(exposed_row, of.comm_work, "work_ns", "Summed"),
    NSC_COL_NS(exposed_row, of.comm, "comm_ns", "Union"),
    NSC_COL_NS(exposed_row, of.exposed, "exposed_ns", "Exposed"),
    NSC_COL_SHARE(exposed_row, of.exposed, of.whole, "exposed_share", "Exposed", "window"),
    NSC_COL_SHARE(exposed_row, of.overlap, of.comm, "overlap_hta", "Overlap (HTA)",
                  "communication union, under compute"),
    NSC_COL_SHARE(exposed_row, hidden, of.comm, "overlap_megatron", "Overlap (Megatron)",
                  "communication union, under any other op"),
    NSC_COL_NS(exposed_row, absent.part[NSC_ABSENT_COMM], "blocking_ns", "Blocking"),
    {0},
};

void nsc_skill_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, breakdown);
    bool has_graphs = false;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_breakdown of;

        if (!nsc_breakdown_build(&of, scope, d))
            continue;
        NSC_ADD_ROW(sheet, breakdown_row, .gpu = nsc_trace_track(scope->trace, d)->gpu, .of = of,
                    .non_compute = of.busy - of.compute);
        has_graphs = has_graphs || of.n_graphs > 0;
    }
    nsc_sheet_note(sheet,
                   "Idle, compute and busy without compute add up to the window; the last is "
                   "communication alone and copies alone. Communication and copies as a whole may "
                   "overlap compute and each other.");
    if (has_graphs)
        nsc_sheet_note(sheet, "A CUDA graph recorded as a whole counts as compute: the export does "
                              "not hold the kernels inside it.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}

void nsc_skill_exposed(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, exposed);
    struct nsc_depends depends;

    nsc_depends_build(&depends, scope->trace, question->fields);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_breakdown of;
        struct nsc_absent absent;

        if (!nsc_breakdown_build(&of, scope, d) || of.n_comm == 0)
            continue;
        nsc_absent_build(&absent, scope, &depends, d);
        NSC_ADD_ROW(sheet, exposed_row, .gpu = nsc_trace_track(scope->trace, d)->gpu, .of = of,
                    .hidden = of.comm - of.exposed, .absent = absent);
    }
    nsc_depends_fini(&depends);
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_sheet_note(sheet, "There are no communication kernels in the window.");
        return;
    }
    nsc_sheet_note(sheet,
                   "Exposed: communication while nothing else runs on the GPU. Hiding it saves at "
                   "most this much. Exposed communication need not block anything.");
    nsc_sheet_note(sheet, "Blocking: the next compute kernel waits for communication, by the order "
                          "of its stream, by CUDA events or because its host waits; skill "
                          "dependencies has the other causes.");
    nsc_sheet_note(sheet, "Summed adds durations, so it is not wall time. Communication kernels "
                          "are recognized by name.");
}
