/* Skills about the host: waits by NVTX range. */
#include "analysis/base/path_memo.h"
#include "analysis/base/sync_calls.h"
#include "analysis/base/totals.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>

struct parent {
    nsc_name name; /* the first name that folds to it */
    uint32_t depth, calls;
    nsc_time total, longest;
    nsc_event call;
};

struct parents {
    struct nsc_totals groups; /* by name */
    NSC_VEC(struct parent) list;
    nsc_time all;
    uint64_t outside; /* waits outside of ranges */
};

struct parent_row {
    struct parent of;
    nsc_time all;
    struct nsc_text call, range;
};

const struct nsc_sheet_column nsc_skill_host_sync_parent_ranges_columns[] = {
    NSC_COL_COUNT(parent_row, of.depth, "depth", "Depth"),
    NSC_COL_COUNT(parent_row, of.calls, "calls", "Waits"),
    NSC_COL_NS(parent_row, of.total, "sync_ns", "Waited"),
    NSC_COL_SHARE(parent_row, of.total, all, "share", "Share", "all waits of the window"),
    NSC_COL_NS(parent_row, of.longest, "longest_ns", "Longest"),
    NSC_COL_TEXT(parent_row, call, "longest_call", "Longest wait"),
    NSC_COL_TEXT(parent_row, range, "range", "NVTX range"),
    {0},
};

/* Attributes a wait to the ranges around it, once per folded name. */
static void credit(struct parents *parents, const struct nsc_trace *trace, const nsc_name *fold,
                   struct nsc_path_memo *memo, nsc_event call)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time duration = nsc_event_duration(events, call);
    struct nsc_path path = nsc_path_memo_find(memo, call, nsc_trace_lane_of(trace, call), NSC_NONE);

    parents->all = nsc_sum(parents->all, duration);
    parents->outside += path.n == 0;
    for (uint32_t i = 0; i < path.n; i++) {
        nsc_name name = fold[events->name[path.rows[i]]];
        struct parent *to;
        uint32_t group;
        bool again = false;

        for (uint32_t k = 0; k < i; k++)
            again |= fold[events->name[path.rows[k]]] == name;
        if (again)
            continue;
        group = nsc_totals_find(&parents->groups, &(int64_t){name});
        if (group == parents->list.n)
            *NSC_VEC_ADD(&parents->list) = (struct parent){.name = name, .depth = i, .call = call};
        to = &parents->list.at[group];
        to->depth = i < to->depth ? i : to->depth;
        to->calls++;
        to->total = nsc_sum(to->total, duration);
        to->call = duration > to->longest ? call : to->call;
        to->longest = nsc_later(to->longest, duration);
    }
}

static void gather_parents(struct parents *parents, const struct nsc_scope *scope)
{
    struct nsc_sync_calls calls;

    nsc_sync_calls_build(&calls, scope);
    if (calls.list.n > 0) { /* both read the whole trace */
        struct nsc_path_memo *memo = nsc_path_memo_new(scope->trace);
        nsc_name *fold = nsc_names_by_fold(scope->trace);

        for (size_t i = 0; i < calls.list.n; i++)
            if (nsc_scope_has(scope, calls.list.at[i]))
                credit(parents, scope->trace, fold, memo, calls.list.at[i]);
        nsc_path_memo_free(memo);
        free(fold);
    }
    nsc_sync_calls_fini(&calls);
}

NSC_COMPARE(compare_parents, struct parent, NSC_MOST(total) || NSC_LEAST(depth) || NSC_LEAST(name))

static void add_parent(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                       const struct parents *parents, const struct parent *of)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_buf name = NSC_BUF_INIT(NSC_NAME_BYTES);

    nsc_name_fold(&name, trace, of->name);
    NSC_ADD_ROW(sheet, parent_row, .of = *of, .all = parents->all,
                .call = nsc_trace_event_text(trace, of->call, true, scratch),
                .range = nsc_text_of_buf(&name));
    nsc_buf_fini(&name);
}

void nsc_skill_host_sync_parent_ranges(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, host_sync_parent_ranges);
    struct parents parents = {.groups = nsc_totals_new(1, 0)};
    size_t shown;

    gather_parents(&parents, question->scope);
    NSC_VEC_SORT(&parents.list, compare_parents);
    shown = nsc_question_limit(question, sheet, parents.list.n);
    for (size_t i = 0; i < shown; i++)
        add_parent(sheet, question->scope->trace, &parents, &parents.list.at[i]);
    if (parents.list.n == 0)
        nsc_sheet_note(sheet, "No synchronizing call of the window lies in an NVTX range.");
    else
        nsc_sheet_note(
            sheet,
            "Each synchronizing CUDA call is attributed to every range around it on its thread "
            "(\"#\": any number), so nested ranges count the same wait. %llu waits are outside of "
            "all ranges. A wait costs nothing while the GPU is busy: see skill sync.",
            (unsigned long long)parents.outside);
    NSC_VEC_FINI(&parents.list);
    nsc_totals_fini(&parents.groups);
}
