/* Fills the sheet of Nsight Compute's rules by kernel. */
#include "analysis/base/totals.h"
#include "analysis/ncu/ncu_kernels.h"
#include "core/vec.h"

#include <math.h>

struct rule_row {
    struct nsc_text kernel, range, rule, section, type, kind, text;
    uint64_t calls;
    double speedup;
};

static const struct nsc_sheet_column columns[] = {
    NSC_COL_TEXT(rule_row, kernel, "kernel", "Kernel"),
    NSC_COL_TEXT(rule_row, range, "range", "NVTX range"),
    NSC_COL_TEXT(rule_row, rule, "rule", "Rule"),
    NSC_COL_TEXT(rule_row, type, "type", "Type"),
    NSC_COL_PERCENT(rule_row, speedup, "speedup_pct", "Speed-up", "estimated by ncu"),
    NSC_COL_TEXT(rule_row, kind, "speedup_of", "of"),
    NSC_COL_COUNT(rule_row, calls, "calls", "Launches"),
    NSC_COL_TEXT(rule_row, section, "section", "Section"),
    NSC_COL_TEXT(rule_row, text, "text", "What it says"),
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* A rule of a kernel, summed over its launches. */
struct group {
    const struct nsc_ncu_rule *rule; /* the first */
    uint64_t calls, n_speedups;
    double speedup; /* sum over the launches that have one */
};

static const struct nsc_ncu_launch *launch_of(const struct nsc_ncu *ncu,
                                              const struct nsc_ncu_rule *rule)
{
    return &ncu->launches.at[rule->launch];
}

struct groups {
    NSC_VEC(struct group) list;
};

static void group_rules(struct groups *out, const struct nsc_ncu *ncu)
{
    struct nsc_totals totals = nsc_totals_new(6, 0);

    for (size_t i = 0; i < ncu->rules.n; i++) {
        const struct nsc_ncu_rule *rule = &ncu->rules.at[i];
        const struct nsc_ncu_launch *launch = launch_of(ncu, rule);
        const int64_t keys[] = {rule->name,     rule->section, rule->kind,
                                launch->kernel, launch->range, launch->device};
        uint32_t at = nsc_totals_find(&totals, keys);
        struct group *group;

        if (at == out->list.n)
            *NSC_VEC_ADD(&out->list) = (struct group){.rule = rule};
        group = &out->list.at[at];
        group->calls += launch->calls;
        if (isnan(rule->speedup))
            continue;
        group->n_speedups++;
        group->speedup += rule->speedup;
    }
    nsc_totals_fini(&totals);
}

static double speedup_of(const struct group *group)
{
    return group->n_speedups ? group->speedup / (double)group->n_speedups : -1;
}

/* Orders the greatest speed-up first, then as in the page. */
NSC_COMPARE(compare_groups, struct group,
            NSC_BY(NSC_ORDER(speedup_of(y), speedup_of(x))) || NSC_LEAST(rule))

void nsc_ncu_rules_sheet(struct nsc_sheets *out, const struct nsc_ncu *ncu)
{
    const struct nsc_strpool *texts = &ncu->texts;
    struct nsc_sheet *sheet;
    struct groups groups = {0};

    if (ncu->rules.n == 0)
        return;
    group_rules(&groups, ncu);
    NSC_VEC_SORT(&groups.list, compare_groups);
    sheet = nsc_sheets_add(out, "rules", "What ncu advises", columns, N_COLUMNS);
    for (size_t i = 0; i < groups.list.n; i++) {
        const struct group *group = &groups.list.at[i];
        const struct nsc_ncu_rule *rule = group->rule;
        const struct nsc_ncu_launch *launch = launch_of(ncu, rule);

        NSC_ADD_ROW(sheet, rule_row, .kernel = nsc_strpool_text(texts, launch->kernel),
                    .range = nsc_strpool_text(texts, launch->range),
                    .rule = nsc_strpool_text(texts, rule->name),
                    .section = nsc_strpool_text(texts, rule->section),
                    .type = nsc_strpool_text(texts, rule->type),
                    .kind = nsc_strpool_text(texts, rule->kind),
                    .text = nsc_strpool_text(texts, rule->text), .calls = group->calls,
                    .speedup = group->n_speedups ? speedup_of(group) : (double)NAN);
    }
    nsc_sheet_note(
        sheet,
        "global: share of the kernel's time; local: share of the time of the rule's hardware unit. "
        "Speed-ups of one kernel overlap, so do not add them. Means over launches.");
    NSC_VEC_FINI(&groups.list);
}
