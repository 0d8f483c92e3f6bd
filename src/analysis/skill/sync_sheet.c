/*
 * The cost of synchronizing calls as sheets.
 */
#include "analysis/device/sync_cost.h"
#include "analysis/names/label.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_sync_columns[] = {
    {"thread", "Thread", NULL, NSC_SHEET_TEXT, 0},
    {"call", "Call", NULL, NSC_SHEET_TEXT, 0},
    {"count", "Calls", NULL, NSC_SHEET_COUNT, 0},
    {"time_ns", "Time", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "GPU idle", NULL, NSC_SHEET_NS, 0},
    {"idle_share", "of its time", "time in the call", NSC_SHEET_PERCENT, 0},
    {"process_share", "of idle", "idle time of the process's GPUs", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_cost(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                     const struct nsc_sync_cost *cost, bool is_thread)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t group = nsc_trace_group_of(trace, cost->track);

    nsc_sheet_add_text(sheet, nsc_trace_string(trace, tracks[group].label));
    if (is_thread)
        nsc_sheet_add_puts(sheet, "(all of the thread)");
    else
        nsc_label_event(sheet, trace, cost->longest);
    nsc_sheet_add_int(sheet, cost->count);
    nsc_sheet_add_int(sheet, cost->time);
    nsc_sheet_add_int(sheet, cost->idle);
    nsc_sheet_add_share(sheet, cost->idle, cost->time);
    nsc_sheet_add_share(sheet, cost->idle, cost->process_idle);
}

void nsc_skill_sync(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "sync", nsc_skill_sync_columns);
    struct nsc_sync_costs costs;

    nsc_sync_costs_build(&costs, scope);
    for (uint32_t i = 0; i < costs.n_threads; i++)
        add_cost(sheet, scope->trace, &costs.threads[i], true);
    for (uint32_t i = 0; i < costs.n; i++)
        add_cost(sheet, scope->trace, &costs.at[i], false);
    nsc_sheet_note(sheet,
                   "GPU idle: the part of the calls in which no GPU works for their process; "
                   "waiting while it works costs nothing. Threads wait at the same time: do "
                   "not add them up.");
    if (costs.n == 0)
        nsc_sheet_note(sheet, "No process with GPU work has synchronizing calls in the window.");
    nsc_sync_costs_fini(&costs);
}
