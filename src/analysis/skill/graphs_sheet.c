/*
 * Skill "graphs": how each GPU's CUDA graphs are recorded and what they take.
 */
#include "analysis/device/graphs.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_graphs_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"level", "Recorded", NULL, NSC_SHEET_TEXT, 0},
    {"graphs", "Graphs", NULL, NSC_SHEET_COUNT, 0},
    {"graph_work_ns", "Summed", NULL, NSC_SHEET_NS, 0},
    {"graph_busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"graph_share", "of busy", "busy", NSC_SHEET_PERCENT, 0},
    {"nodes", "Nodes", NULL, NSC_SHEET_COUNT, 0},
    {"calls", "Launches", NULL, NSC_SHEET_COUNT, 0},
    {"node_work_ns", "Summed", NULL, NSC_SHEET_NS, 0},
    {"node_busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"node_share", "of busy", "busy", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
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
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "graphs", nsc_skill_graphs_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_graph_use use;

        if (!nsc_graph_use_build(&use, scope, d))
            continue;
        nsc_device_cell(sheet, scope->trace, d);
        nsc_sheet_add_puts(sheet, level_word(&use));
        nsc_sheet_add_int(sheet, use.n_whole);
        nsc_sheet_add_int(sheet, use.whole_work);
        nsc_sheet_add_int(sheet, use.whole_busy);
        nsc_sheet_add_share(sheet, use.whole_busy, use.busy);
        nsc_sheet_add_int(sheet, use.n_nodes);
        nsc_sheet_add_int(sheet, use.n_calls);
        nsc_sheet_add_int(sheet, use.node_work);
        nsc_sheet_add_int(sheet, use.node_busy);
        nsc_sheet_add_share(sheet, use.node_busy, use.busy);
    }
    nsc_sheet_note(sheet,
                   "A graph recorded whole is one op that counts as compute; what runs in it "
                   "is not in the export. Nodes: ops launched by a call that launches a "
                   "graph; recording them costs time of its own.");
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}
