/* Adds sheets of the cost of synchronizing calls. */
#include "analysis/device/sync_cost.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/text.h"

struct sync_row {
    struct nsc_text thread;
    struct nsc_kept_text call;
    struct nsc_sync_cost of;
};

const struct nsc_sheet_column nsc_skill_sync_columns[] = {
    NSC_COL_TEXT(sync_row, thread, "thread", "Thread"),
    NSC_COL_TEXT(sync_row, call, "call", "Call"),
    NSC_COL_COUNT(sync_row, of.count, "count", "Calls"),
    NSC_COL_NS(sync_row, of.time, "time_ns", "Time"),
    NSC_COL_NS(sync_row, of.idle, "idle_ns", "GPU idle"),
    NSC_COL_SHARE(sync_row, of.idle, of.time, "idle_share", "of its time", "time in the call"),
    NSC_COL_SHARE(sync_row, of.idle, of.process_idle, "process_share", "of idle",
                  "idle time of the process's GPUs"),
    {0},
};

static void add_cost(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                     const struct nsc_sync_cost *cost, bool is_thread)
{
    uint32_t group = nsc_trace_group_of(trace, cost->track);

    NSC_ADD_ROW(sheet, sync_row,
                .thread = nsc_trace_string(trace, nsc_trace_track(trace, group)->label),
                .call = is_thread ? nsc_sheet_keep(sheet, nsc_text_from("(all of the thread)"))
                                  : nsc_label_event(sheet, trace, cost->longest),
                .of = *cost);
}

void nsc_skill_sync(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, sync);
    struct nsc_sync_costs costs;

    nsc_sync_costs_build(&costs, scope);
    for (uint32_t i = 0; i < costs.threads.n; i++)
        add_cost(sheet, scope->trace, &costs.threads.at[i], true);
    for (uint32_t i = 0; i < costs.n; i++)
        add_cost(sheet, scope->trace, &costs.at[i], false);
    nsc_sheet_note(
        sheet, "GPU idle: the part of the calls in which no GPU of the process works; a wait while "
               "a GPU works costs nothing. Threads wait at the same time, so do not add them.");
    nsc_sheet_note(sheet, scope->has_window
                              ? "Calls and idle time are clipped to the window."
                              : "Idle time is that from the first GPU work of the process to its "
                                "last. Calls before and after it count with their whole time.");
    if (costs.n == 0)
        nsc_sheet_note(sheet, "No process with GPU work has synchronizing calls in the window.");
    nsc_sync_costs_fini(&costs);
}
