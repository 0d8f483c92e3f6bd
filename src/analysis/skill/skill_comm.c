/* The skill about communication kernels: their time by collective. */
#include "analysis/base/device_ops.h"
#include "analysis/device/work_times.h"
#include "analysis/skill/skill.h"
#include "core/sort.h"
#include "core/sum.h"

#include <stdlib.h>

struct collective_row {
    int64_t gpu;
    const char *class;
    struct nsc_op_kind_sum of;
    nsc_time all, mean, busy, hidden;
};

const struct nsc_sheet_column nsc_skill_nccl_breakdown_columns[] = {
    NSC_COL_ID(collective_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(collective_row, class, "collective", "Collective"),
    NSC_COL_COUNT(collective_row, of.count, "count", "Kernels"),
    NSC_COL_NS(collective_row, of.work, "total_ns", "Total"),
    NSC_COL_SHARE(collective_row, of.work, all, "share", "Share",
                  "summed communication time of the GPU"),
    NSC_COL_NS(collective_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(collective_row, of.min, "min_ns", "Min"),
    NSC_COL_NS(collective_row, of.max, "max_ns", "Max"),
    NSC_COL_NS(collective_row, busy, "busy_ns", "Union"),
    NSC_COL_NS(collective_row, hidden, "hidden_ns", "Under compute"),
    NSC_COL_SHARE(collective_row, hidden, busy, "hidden_share", "Hidden",
                  "union of the collective"),
    {0},
};

static void add_collective(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                           const struct nsc_work_times *times, enum nsc_op_kind class, nsc_time all)
{
    const struct nsc_op_kind_sum *of = &times->of[class];

    NSC_ADD_ROW(sheet, collective_row, .gpu = nsc_trace_track(scope->trace, times->device)->gpu,
                .class = nsc_op_kind_word(class), .of = *of, .all = all,
                .mean = of->work / of->count, .busy = times->both[class][class],
                .hidden = times->both[class][NSC_OP_KIND_COMPUTE]);
}

static nsc_time work_of(const void *sums, uint32_t class)
{
    return ~((const struct nsc_op_kind_sum *)sums)[class].work; /* descends as the work ascends */
}

/* Adds collectives by total, the greatest first; ties keep the order of the enum. */
static void add_collectives(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                            const struct nsc_work_times *times)
{
    uint32_t *order = nsc_sort_numbers(NSC_OP_KIND_HTOD);
    nsc_time all = 0;

    nsc_sort_by_time(order, NSC_OP_KIND_HTOD, work_of, times->of);
    for (unsigned i = NSC_OP_KIND_COMM; i < NSC_OP_KIND_HTOD; i++)
        all = nsc_sum(all, times->of[i].work);
    for (unsigned i = 0; i < NSC_OP_KIND_HTOD; i++)
        if (order[i] >= NSC_OP_KIND_COMM && times->of[order[i]].count > 0)
            add_collective(sheet, scope, times, (enum nsc_op_kind)order[i], all);
    free(order);
}

void nsc_skill_nccl_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nccl_breakdown);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        add_collectives(sheet, scope, &times);
    }
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "The window has no communication kernels: NCCL exchanged nothing, or "
                              "it was not recorded.");
    else
        nsc_sheet_note(sheet, "Communication kernels are recognized by name. The duration of a "
                              "kernel includes its wait for other ranks.");
}
