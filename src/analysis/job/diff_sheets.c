/*
 * A comparison of two recordings, as sheets.
 */
#include "analysis/job/diff.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

static void add_double_ns(struct nsc_sheet *sheet, double ns)
{
    nsc_sheet_add_int(sheet, (int64_t)llround(ns));
}

static void add_change(struct nsc_sheet *sheet, double before, double after)
{
    nsc_sheet_add_number(sheet, 100 * (after - before) / before); /* unknown where before is 0 */
}

/* ---- verdict ---- */

static const struct nsc_sheet_column verdict_columns[] = {
    {"verdict", "Verdict", NULL, NSC_SHEET_TEXT, 0},
    {"change_pct", "Change", "A's median iteration", NSC_SHEET_PERCENT, 0},
    {"noise_pct", "Noise", "A's median iteration", NSC_SHEET_PERCENT, 0},
    {"gate_pct", "Gate", "A's median iteration", NSC_SHEET_PERCENT, 0},
    {"confidence_pct", "Confidence", "a comparison without any mismatch", NSC_SHEET_PERCENT, 0},
};

static void note_iterations(struct nsc_sheet *sheet, char side, const struct nsc_recording *run)
{
    if (run->n_found)
        nsc_sheet_note(sheet, "%c: %u iterations by NVTX range %s%s.", side, run->n, run->label,
                       run->n_found > run->n ? ", the first left out as warm-up" : "");
    else
        nsc_sheet_note(sheet,
                       "%c: no iterations; the whole window counts as one. Name them with "
                       "--iterations TEXT.",
                       side);
}

static void fill_verdict(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    nsc_sheet_add_puts(sheet, nsc_diff_word(diff->verdict));
    nsc_sheet_add_number(sheet, diff->change);
    nsc_sheet_add_number(sheet, diff->noise);
    nsc_sheet_add_number(sheet, diff->gate);
    nsc_sheet_add_number(sheet, 100 * diff->confidence);
    note_iterations(sheet, 'A', diff->a);
    note_iterations(sheet, 'B', diff->b);
    nsc_sheet_note(sheet, "Noise: twice the standard error of the medians' difference by their "
                          "absolute deviations, at least 2 %%. Below half confidence there is no "
                          "verdict.");
}

/* ---- comparability ---- */

static const struct nsc_sheet_column check_columns[] = {
    {"check", "Check", NULL, NSC_SHEET_TEXT, 0},
    {"a", "A", NULL, NSC_SHEET_TEXT, 0},
    {"b", "B", NULL, NSC_SHEET_TEXT, 0},
    {"confidence_pct", "Allows", "full confidence", NSC_SHEET_PERCENT, 0},
};

static void add_fact(struct nsc_sheet *sheet, const struct nsc_recording *run,
                     enum nsc_diff_check check)
{
    struct nsc_buf text = NSC_BUF_INIT(4096);

    switch (check) {
    case NSC_DIFF_VERSION:
        nsc_sheet_add_text(sheet, nsc_strpool_text(&run->texts, run->version));
        break;
    case NSC_DIFF_DEVICES:
        nsc_sheet_add_text(sheet, nsc_strpool_text(&run->texts, run->devices));
        break;
    case NSC_DIFF_PROCESSES:
        nsc_buf_printf(&text, "%u", run->n_processes);
        break;
    case NSC_DIFF_ITERATIONS:
        nsc_buf_printf(&text, run->n_found ? "%u x %s" : "none", run->n, run->label);
        break;
    case NSC_DIFF_LAUNCHES:
        nsc_buf_printf(&text, "%.1f", run->metrics[NSC_RECORDING_KERNELS].median);
        break;
    default:
        nsc_buf_printf(&text, "%zu", run->kernels.list.n);
        break;
    }
    if (check > NSC_DIFF_DEVICES)
        nsc_sheet_add_puts(sheet, text.bytes);
    nsc_buf_fini(&text);
}

static void fill_checks(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    static const char *const names[NSC_N_DIFF_CHECKS] = {"nsys version",         "GPUs",
                                                         "processes on GPUs",    "iterations",
                                                         "kernels an iteration", "kernel names"};

    for (int pass = 0; pass < 2; pass++) /* mismatches first */
        for (unsigned i = 0; i < NSC_N_DIFF_CHECKS; i++) {
            if ((diff->factor[i] < 1) != (pass == 0))
                continue;
            nsc_sheet_add_puts(sheet, names[i]);
            add_fact(sheet, diff->a, (enum nsc_diff_check)i);
            add_fact(sheet, diff->b, (enum nsc_diff_check)i);
            nsc_sheet_add_number(sheet, 100 * diff->factor[i]);
        }
    nsc_sheet_note(sheet,
                   "Kernel names: allowed by the share of kernel time whose names both have.");
}

/* ---- iterations ---- */

static const struct nsc_sheet_column iteration_columns[] = {
    {"metric", "An iteration", NULL, NSC_SHEET_TEXT, 0},
    {"a_median_ns", "A median", NULL, NSC_SHEET_NS, 0},
    {"b_median_ns", "B median", NULL, NSC_SHEET_NS, 0},
    {"change_ns", "Change", NULL, NSC_SHEET_NS, 0},
    {"change_pct", "Change %", "A's median", NSC_SHEET_PERCENT, 0},
    {"a_min_ns", "A min", NULL, NSC_SHEET_NS, 0},
    {"a_max_ns", "A max", NULL, NSC_SHEET_NS, 0},
    {"b_min_ns", "B min", NULL, NSC_SHEET_NS, 0},
    {"b_max_ns", "B max", NULL, NSC_SHEET_NS, 0},
};

static void fill_iterations(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    for (unsigned m = 0; m < NSC_RECORDING_KERNELS; m++) {
        const struct nsc_recording_spread *a = &diff->a->metrics[m];
        const struct nsc_recording_spread *b = &diff->b->metrics[m];

        nsc_sheet_add_puts(sheet, nsc_recording_metric_title((enum nsc_recording_metric)m));
        add_double_ns(sheet, a->median);
        add_double_ns(sheet, b->median);
        add_double_ns(sheet, b->median - a->median);
        add_change(sheet, a->median, b->median);
        add_double_ns(sheet, a->least);
        add_double_ns(sheet, a->most);
        add_double_ns(sheet, b->least);
        add_double_ns(sheet, b->most);
    }
    nsc_sheet_note(sheet, "Means over the GPUs that work, then medians over iterations: compute, "
                          "exposed communication, other work and idle add up to an iteration, "
                          "their medians nearly so.");
}

/* ---- groups ---- */

static const struct nsc_sheet_column group_columns[] = {
    {"name", "Name", NULL, NSC_SHEET_TEXT, 0},
    {"class", "Is", NULL, NSC_SHEET_TEXT, 0},
    {"a_ns", "A an iteration", NULL, NSC_SHEET_NS, 0},
    {"b_ns", "B an iteration", NULL, NSC_SHEET_NS, 0},
    {"change_ns", "Change", NULL, NSC_SHEET_NS, 0},
    {"change_pct", "Change %", "A's time an iteration", NSC_SHEET_PERCENT, 0},
    {"a_calls", "A calls", NULL, NSC_SHEET_NUMBER, 1},
    {"b_calls", "B calls", NULL, NSC_SHEET_NUMBER, 1},
    {"a_mean_ns", "A mean", NULL, NSC_SHEET_NS, 0},
    {"b_mean_ns", "B mean", NULL, NSC_SHEET_NS, 0},
};

/* One name on both sides; NULL: not there. */
struct pair {
    struct nsc_text name;
    const struct nsc_recording_group *a, *b;
    double before, after; /* ns an iteration */
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a;
    const struct pair *y = b;
    double dx = fabs(x->after - x->before);
    double dy = fabs(y->after - y->before);

    if (dx > dy || dx < dy)
        return dx > dy ? -1 : 1;
    return nsc_text_compare(x->name, y->name);
}

static const char *class_of(const struct pair *pair)
{
    double change = pair->before > 0 ? (pair->after - pair->before) / pair->before : 0;

    if (!pair->a || !pair->b)
        return pair->a ? "deleted" : "added";
    if (fabs(change) * 100 < NSC_DIFF_NOISE)
        return "unchanged";
    return change > 0 ? "increased" : "decreased";
}

static double an_iteration(const struct nsc_recording_group *group, const struct nsc_recording *run)
{
    return group ? (double)group->total / run->n : 0;
}

static size_t pair_up(struct pair *pairs, const struct nsc_diff *diff,
                      const struct nsc_recording_groups *a, const struct nsc_recording_groups *b)
{
    uint32_t *of_a = nsc_diff_match(diff->a, a, diff->b, b);
    uint32_t *of_b = nsc_diff_match(diff->b, b, diff->a, a);
    size_t n = 0;

    for (size_t i = 0; i < a->list.n; i++)
        pairs[n++] = (struct pair){
            .name = nsc_strpool_text(&diff->a->texts, a->list.at[i].name),
            .a = &a->list.at[i],
            .b = of_a[i] == NSC_NONE ? NULL : &b->list.at[of_a[i]],
        };
    for (size_t i = 0; i < b->list.n; i++)
        if (of_b[i] == NSC_NONE)
            pairs[n++] = (struct pair){
                .name = nsc_strpool_text(&diff->b->texts, b->list.at[i].name),
                .b = &b->list.at[i],
            };
    for (size_t i = 0; i < n; i++) {
        pairs[i].before = an_iteration(pairs[i].a, diff->a);
        pairs[i].after = an_iteration(pairs[i].b, diff->b);
    }
    free(of_a);
    free(of_b);
    return n;
}

static void add_number_of(struct nsc_sheet *sheet, const struct nsc_recording_group *group,
                          const struct nsc_recording *run)
{
    nsc_sheet_add_number(sheet, group ? (double)group->count / run->n : 0);
}

static void add_mean(struct nsc_sheet *sheet, const struct nsc_recording_group *group)
{
    if (group)
        nsc_sheet_add_int(sheet, group->total / (nsc_time)group->count);
    else
        nsc_sheet_add_unknown(sheet);
}

static void fill_groups(struct nsc_sheet *sheet, const struct nsc_diff *diff,
                        const struct nsc_recording_groups *a, const struct nsc_recording_groups *b,
                        uint32_t limit)
{
    struct pair *pairs = nsc_xcalloc(a->list.n + b->list.n + 1, sizeof *pairs);
    size_t n = pair_up(pairs, diff, a, b);
    size_t shown = limit && limit < n ? limit : n;

    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < shown; i++) {
        nsc_sheet_add_text(sheet, pairs[i].name);
        nsc_sheet_add_puts(sheet, class_of(&pairs[i]));
        add_double_ns(sheet, pairs[i].before);
        add_double_ns(sheet, pairs[i].after);
        add_double_ns(sheet, pairs[i].after - pairs[i].before);
        add_change(sheet, pairs[i].before, pairs[i].after);
        add_number_of(sheet, pairs[i].a, diff->a);
        add_number_of(sheet, pairs[i].b, diff->b);
        add_mean(sheet, pairs[i].a);
        add_mean(sheet, pairs[i].b);
    }
    sheet->n_left_out = n - shown;
    nsc_sheet_note(sheet, "Whole durations, added up and divided by the iterations: work, not wall "
                          "time. The greatest change first; less than 2 %% is unchanged.");
    free(pairs);
}

void nsc_diff_sheets(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit)
{
    const struct nsc_recording *a = diff->a;
    const struct nsc_recording *b = diff->b;

    fill_verdict(nsc_sheets_add(out, "verdict", "B against A", verdict_columns, 5), diff);
    fill_checks(nsc_sheets_add(out, "comparability", "Can they be compared?", check_columns, 4),
                diff);
    fill_iterations(
        nsc_sheets_add(out, "iterations", "Where an iteration goes", iteration_columns, 9), diff);
    fill_groups(nsc_sheets_add(out, "kernels", "Kernels, by change", group_columns, 10), diff,
                &a->kernels, &b->kernels, limit);
    fill_groups(nsc_sheets_add(out, "ranges", "NVTX push/pop ranges, by change", group_columns, 10),
                diff, &a->ranges, &b->ranges, limit);
}
