/*
 * Graphs on a device, and the skill that tells of them.
 */
#include "analysis/graphs.h"

#include "analysis/call_class.h"
#include "analysis/skills.h"
#include "core/sum.h"

struct reach {
    nsc_time busy, whole, node;
};

static void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static void add_op(struct nsc_graph_use *out, struct reach *reach, const struct nsc_trace *trace,
                   const struct nsc_call_classes *classes, const struct nsc_device_op *op)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = events->link[op->event];
    nsc_time duration = nsc_event_duration(events, op->event);

    cover(&out->busy, &reach->busy, op);
    if (events->kind[op->event] == NSC_KIND_GRAPH) {
        out->n_whole++;
        out->whole_work = nsc_sum(out->whole_work, duration);
        cover(&out->whole_busy, &reach->whole, op);
    } else if (call != NSC_NONE && nsc_call_class_of(classes, call) == NSC_CALL_GRAPH) {
        out->n_nodes++;
        out->n_calls += events->link[call] == op->event;
        out->node_work = nsc_sum(out->node_work, duration);
        cover(&out->node_busy, &reach->node, op);
    }
}

bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device)
{
    struct reach reach;
    struct nsc_call_classes classes;
    struct nsc_device_work work;
    struct nsc_device_op op;

    *out = (struct nsc_graph_use){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    reach = (struct reach){out->window.t0, out->window.t0, out->window.t0};
    nsc_call_classes_build(&classes, scope->trace);
    nsc_device_work_init(&work, scope, device);
    while (nsc_device_work_next(&work, &op))
        add_op(out, &reach, scope->trace, &classes, &op);
    nsc_device_work_fini(&work);
    nsc_call_classes_fini(&classes);
    return true;
}

/* ---- the skill ---- */

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
