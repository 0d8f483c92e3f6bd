/* Skill "graphs": how the CUDA graphs of each GPU are recorded, and their time. */
#include "analysis/device/graphs.h"
#include "analysis/skill/skill.h"

struct graphs_row {
    int64_t gpu;
    const char *level;
    struct nsc_graph_use of;
};

const struct nsc_sheet_column nsc_skill_graphs_columns[] = {
    NSC_COL_ID(graphs_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(graphs_row, level, "level", "Recorded"),
    NSC_COL_COUNT(graphs_row, of.n_whole, "graphs", "Graphs"),
    NSC_COL_NS(graphs_row, of.whole_work, "graph_work_ns", "Graphs summed"),
    NSC_COL_NS(graphs_row, of.whole_busy, "graph_busy_ns", "Graphs busy"),
    NSC_COL_SHARE(graphs_row, of.whole_busy, of.busy, "graph_share", "Graphs of busy", "busy"),
    NSC_COL_COUNT(graphs_row, of.n_nodes, "nodes", "Nodes"),
    NSC_COL_COUNT(graphs_row, of.n_calls, "calls", "Launches"),
    NSC_COL_NS(graphs_row, of.node_work, "node_work_ns", "Nodes summed"),
    NSC_COL_NS(graphs_row, of.node_busy, "node_busy_ns", "Nodes busy"),
    NSC_COL_SHARE(graphs_row, of.node_busy, of.busy, "node_share", "Nodes of busy", "busy"),
    {0},
};

static const char *level_word(const struct nsc_graph_use *use)
{
    if (use->n_whole > 0)
        return use->n_nodes > 0 ? "whole and by node" : "whole";
    return use->n_nodes > 0 ? "by node" : "no graphs";
}

void nsc_skill_graphs(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, graphs);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_graph_use use;

        if (nsc_graph_use_build(&use, scope, d))
            NSC_ADD_ROW(sheet, graphs_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .level = level_word(&use), .of = use);
    }
    nsc_sheet_note(sheet, "A graph recorded as a whole is one op and counts as compute; the export "
                          "does not hold the kernels inside it. Nodes: ops launched by a call that "
                          "launches a graph. Recording nodes adds overhead.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}
