/* Adds sheets of a device's time: the breakdown of the window, and exposed communication. */
#include "analysis/base/limit.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/stream_use.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

struct breakdown_row {
    int64_t gpu;
    struct nsc_breakdown of;
    nsc_time non_compute, compute_alone;
};

const struct nsc_sheet_column nsc_skill_breakdown_columns[] = {
    NSC_COL_ID(breakdown_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(breakdown_row, of.whole, "window_ns", "Window"),
    NSC_COL_NS(breakdown_row, of.idle, "idle_ns", "Idle"),
    NSC_COL_NS(breakdown_row, of.compute, "compute_ns", "Compute"),
    NSC_COL_NS(breakdown_row, non_compute, "non_compute_ns", "Busy, no compute"),
    NSC_COL_SHARE(breakdown_row, of.idle, of.whole, "idle_share", "Idle %", "window"),
    NSC_COL_SHARE(breakdown_row, of.compute, of.whole, "compute_share", "Compute %", "window"),
    NSC_COL_SHARE(breakdown_row, non_compute, of.whole, "non_compute_share", "No compute",
                  "window"),
    NSC_COL_NS(breakdown_row, of.comm, "comm_ns", "Communication"),
    NSC_COL_NS(breakdown_row, of.memory, "memory_ns", "Copies, memsets"),
    NSC_COL_COUNT(breakdown_row, of.n_graphs, "graphs", "Graphs"),
    NSC_COL_NS(breakdown_row, compute_alone, "compute_alone_ns", "Compute alone"),
    NSC_COL_NS(breakdown_row, of.overlap, "both_ns", "With comm"),
    NSC_COL_NS(breakdown_row, of.comm_alone, "comm_alone_ns", "Comm alone"),
    NSC_COL_NS(breakdown_row, of.memory_alone, "copies_alone_ns", "Copies alone"),
    NSC_COL_COUNT(breakdown_row, of.n_kernels, "kernels", "Kernels"),
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
    NSC_COL_SHARE(exposed_row, of.exposed, of.whole, "exposed_share", "Exposed %", "window"),
    NSC_COL_SHARE(exposed_row, of.overlap, of.comm, "overlap_hta", "Overlap (HTA)",
                  "communication union, under compute"),
    NSC_COL_SHARE(exposed_row, hidden, of.comm, "overlap_megatron", "Overlap (Megatron)",
                  "communication union, under any other op"),
    NSC_COL_NS(exposed_row, absent.part[NSC_ABSENT_COMM], "blocking_ns", "Blocking"),
    {0},
};

struct comm_stream_row {
    int64_t gpu, stream;
    struct nsc_stream_use of;
    uint32_t compute_kernels;
    nsc_time compute;
    bool serialised;
};

static const struct nsc_sheet_column stream_columns[] = {
    NSC_COL_ID(comm_stream_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(comm_stream_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(comm_stream_row, compute_kernels, "compute_kernels", "Compute kernels"),
    NSC_COL_NS(comm_stream_row, compute, "compute_ns", "Compute work"),
    NSC_COL_COUNT(comm_stream_row, of.comm_kernels, "comm_kernels", "Comm kernels"),
    NSC_COL_NS(comm_stream_row, of.comm_work, "comm_ns", "Comm work"),
    NSC_COL_YES(comm_stream_row, serialised, "serialised", "Serialised"),
    {0},
};

/* Adds the streams with communication. */
static void add_streams(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_stream_uses uses;
    nsc_time compute = 0;
    nsc_time comm = 0;

    nsc_stream_uses_build(&uses, scope, device, NSC_STREAM_STALL_NS);
    for (uint32_t i = 0; i < uses.n; i++) {
        compute = nsc_sum(compute, uses.at[i].work - uses.at[i].comm_work);
        comm = nsc_sum(comm, uses.at[i].comm_work);
    }
    for (uint32_t i = 0; i < uses.n; i++) {
        const struct nsc_stream_use *use = &uses.at[i];
        nsc_time own = use->work - use->comm_work;

        if (use->comm_kernels > 0)
            NSC_ADD_ROW(sheet, comm_stream_row, .gpu = tracks[device].gpu,
                        .stream = tracks[use->track].stream, .of = *use,
                        .compute_kernels = use->kernels - use->comm_kernels, .compute = own,
                        .serialised = own > 0 && nsc_percent(own, compute) >= NSC_LIMIT_SLIGHT &&
                                      nsc_percent(use->comm_work, comm) >= NSC_LIMIT_SLIGHT);
    }
    nsc_stream_uses_fini(&uses);
}

void nsc_skill_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, breakdown);
    bool has_graphs = false;
    struct nsc_breakdown of;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&of, scope, &d);) {
        NSC_ADD_ROW(sheet, breakdown_row, .gpu = nsc_trace_track(scope->trace, d)->gpu, .of = of,
                    .non_compute = of.busy - of.compute, .compute_alone = of.compute - of.overlap);
        has_graphs = has_graphs || of.n_graphs > 0;
    }
    nsc_sheet_note(
        sheet,
        "Idle, compute and busy without compute add up to the window. Compute may run with "
        "communication. Busy without compute is communication alone (copies may run as well) plus "
        "copies alone. Communication and copies as a whole may overlap compute and each other.");
    if (has_graphs)
        nsc_sheet_note(sheet, "A CUDA graph recorded as a whole counts as compute: the export does "
                              "not hold the kernels inside it.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}

void nsc_skill_exposed(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheet;
    struct nsc_depends *depends;
    struct nsc_breakdown of;

    (void)NSC_SKILL_SHEET(out, question, exposed);
    (void)nsc_question_more(out, question, "comm_streams", "Streams that carry communication",
                            stream_columns);
    sheet = &out->list.at[first];
    depends = nsc_depends_ask(scope, question->fields);
    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&of, scope, &d);) {
        struct nsc_absent absent;

        if (of.n_comm == 0)
            continue;
        nsc_absent_build(&absent, scope, depends, d);
        NSC_ADD_ROW(sheet, exposed_row, .gpu = nsc_trace_track(scope->trace, d)->gpu, .of = of,
                    .hidden = of.comm - of.exposed, .absent = absent);
        add_streams(&out->list.at[first + 1], scope, d);
    }
    nsc_depends_free(depends);
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_sheet_note(sheet, "There are no communication kernels in the window.");
        return;
    }
    nsc_sheet_note(sheet,
                   "Exposed: communication while nothing else runs on the GPU. Hiding it saves at "
                   "most this much. Exposed communication need not block anything.");
    nsc_sheet_note(
        sheet,
        "Blocking: the next compute kernel waits for communication, by the order of its stream, by "
        "CUDA events or because its host waits. The skill dependencies lists the other causes.");
    nsc_sheet_note(sheet, "Summed adds durations, so it is not wall time. Communication kernels "
                          "are recognized by name.");
    nsc_sheet_note(&out->list.at[first + 1],
                   "Serialised: compute and communication share the stream, "
                   "so they cannot overlap there.");
}
