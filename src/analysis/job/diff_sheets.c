/* Fills the sheets that compare two recordings. */
#include "analysis/job/diff.h"
#include "analysis/job/waterfall.h"
#include "analysis/names/kernel_name.h"
#include "core/buf.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static nsc_time whole_ns(double ns)
{
    return (nsc_time)llround(ns);
}

static double change_pct(double before, double after)
{
    return 100 * (after - before) / before; /* NAN or infinite, so not known, if before is 0 */
}

/* ---- verdict ---- */

struct verdict_row {
    const char *verdict;
    struct nsc_diff of;
    double confidence; /* % */
};

#define VERDICT_COLUMNS(mean, median)                                                        \
    {                                                                                        \
        NSC_COL_TEXT(verdict_row, verdict, "verdict", "Verdict"),                            \
            NSC_COL_PERCENT(verdict_row, of.change, "change_pct", "Change", mean),           \
            NSC_COL_PERCENT(verdict_row, of.noise, "noise_pct", "Noise", mean),              \
            NSC_COL_PERCENT(verdict_row, of.gate, "gate_pct", "Gate", mean),                 \
            NSC_COL_PERCENT(verdict_row, confidence, "confidence_pct", "Confidence",         \
                            "a comparison without any mismatch"),                            \
            NSC_COL_PERCENT(verdict_row, of.of_median, "median_change_pct", "Of the median", \
                            median),                                                         \
    }

/* By whether iterations are compared. */
static const struct nsc_sheet_column verdict_columns[][6] = {
    VERDICT_COLUMNS("A's time in names that both run equally often",
                    "A's median time in those names"),
    VERDICT_COLUMNS("A's mean period", "A's median period"),
};

static void note_iterations(struct nsc_sheet *sheet, char side, const struct nsc_recording *run)
{
    if (run->n_found == 0) {
        nsc_sheet_note(sheet, "%c: no iterations. Name them with --iterations TEXT.", side);
        return;
    }
    nsc_sheet_note(sheet, "%c: %u iterations of %s, %u of them warm-up; period measured on the %s.",
                   side, run->n_found, run->label, run->n_found - run->n,
                   run->on_gpu ? "GPU, because the host runs ahead" : "host");
    if (run->n_cut > 0)
        nsc_sheet_note(sheet,
                       "%c: %u %s cut short (less than half of the median) and %s not count.", side,
                       run->n_cut, run->n_cut == 1 ? "iteration is" : "iterations are",
                       run->n_cut == 1 ? "does" : "do");
}

static void note_basis(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    bool of_kernels = diff->a->has_work || diff->b->has_work;

    if (diff->a->n_found == 0 && diff->b->n_found == 0)
        nsc_sheet_note(sheet,
                       "Compared: the time of the %s that both run equally often, %.0f %% of all.",
                       of_kernels ? "kernels" : "ranges", 100 * diff->shared);
    else if (diff->by_kind)
        nsc_sheet_note(sheet,
                       "Compared: each of the %u kinds of iterations with the same kind, weighted "
                       "by how often both have it.",
                       diff->a->n_kinds);
    else
        nsc_sheet_note(sheet, "Compared: the mean period, from the start of an iteration to the "
                              "next start; rare long iterations count.");
}

static void fill_verdict(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    NSC_ADD_ROW(sheet, verdict_row, .verdict = nsc_diff_word(diff->verdict), .of = *diff,
                .confidence = 100 * diff->confidence);
    if (diff->why)
        nsc_sheet_note(sheet, "%s", diff->why);
    note_basis(sheet, diff);
    note_iterations(sheet, 'A', diff->a);
    note_iterations(sheet, 'B', diff->b);
    nsc_sheet_note(sheet,
                   "Noise: twice the standard error of the difference, from the median absolute "
                   "deviations; at least 2 %%. Below 50 %% confidence there is no verdict.");
}

/* ---- comparability ---- */

struct check_row {
    const char *check;
    struct nsc_kept_text a, b;
    double confidence; /* % */
};

static const struct nsc_sheet_column check_columns[] = {
    NSC_COL_TEXT(check_row, check, "check", "Check"),
    NSC_COL_TEXT(check_row, a, "a", "A"),
    NSC_COL_TEXT(check_row, b, "b", "B"),
    NSC_COL_PERCENT(check_row, confidence, "confidence_pct", "Allows", "full confidence"),
};

static void put_blocks(struct nsc_buf *out, const struct nsc_recording *run)
{
    double blocks = 0;

    for (size_t i = 0; i < run->kernels.list.n; i++)
        blocks += (double)run->kernels.list.at[i].blocks;
    nsc_buf_printf(out, blocks > 0 ? "%.0f" : "not known", blocks / (double)run->kernel_count);
}

static struct nsc_kept_text keep_fact(struct nsc_sheet *sheet, const struct nsc_recording *run,
                                      enum nsc_diff_check check)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    switch (check) {
    case NSC_DIFF_VERSION:
        return nsc_sheet_keep(sheet, nsc_strpool_text(&run->texts, run->version));
    case NSC_DIFF_DEVICES:
        return nsc_sheet_keep(sheet, nsc_strpool_text(&run->texts, run->devices));
    case NSC_DIFF_PROCESSES:
        nsc_buf_printf(&text, "%u", run->n_processes);
        break;
    case NSC_DIFF_ITERATIONS:
        nsc_buf_printf(&text, run->n_found ? "%u x %s" : "none", run->n, run->label);
        break;
    case NSC_DIFF_LAUNCHES:
        nsc_buf_printf(&text, "%.1f", run->metrics[NSC_RECORDING_KERNELS].median);
        break;
    case NSC_DIFF_GRIDS:
        put_blocks(&text, run);
        break;
    default:
        nsc_buf_printf(&text, "%zu", run->kernels.list.n);
        break;
    }
    return nsc_sheet_keep_buf(sheet, &text);
}

static void fill_checks(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    static const char *const names[NSC_N_DIFF_CHECKS] = {
        "nsys version",         "GPUs",         "processes on GPUs", "iterations",
        "kernels an iteration", "kernel names", "blocks a kernel"};

    for (int pass = 0; pass < 2; pass++) /* mismatches first */
        for (unsigned i = 0; i < NSC_N_DIFF_CHECKS; i++) {
            enum nsc_diff_check check = (enum nsc_diff_check)i;

            if ((diff->factor[i] < 1) == (pass == 0))
                NSC_ADD_ROW(
                    sheet, check_row, .check = names[i], .a = keep_fact(sheet, diff->a, check),
                    .b = keep_fact(sheet, diff->b, check), .confidence = 100 * diff->factor[i]);
        }
    nsc_sheet_note(
        sheet,
        "Kernel names: the share of kernel time in kernels whose names occur in both. Blocks a "
        "kernel: the share of these, by time or by name, whose grids have as many blocks.");
}

/* ---- iterations ---- */

struct diff_iteration_row {
    const char *metric;
    nsc_time a_mean, b_mean, change, a_median, b_median, a_least, a_most, b_least, b_most;
    double change_pct;
};

static const struct nsc_sheet_column iteration_columns[] = {
    NSC_COL_TEXT(diff_iteration_row, metric, "metric", "An iteration"),
    NSC_COL_NS(diff_iteration_row, a_mean, "a_mean_ns", "A mean"),
    NSC_COL_NS(diff_iteration_row, b_mean, "b_mean_ns", "B mean"),
    NSC_COL_NS(diff_iteration_row, change, "change_ns", "Change"),
    NSC_COL_PERCENT(diff_iteration_row, change_pct, "change_pct", "Change %", "A's mean"),
    NSC_COL_NS(diff_iteration_row, a_median, "a_median_ns", "A median"),
    NSC_COL_NS(diff_iteration_row, b_median, "b_median_ns", "B median"),
    NSC_COL_NS(diff_iteration_row, a_least, "a_min_ns", "A min"),
    NSC_COL_NS(diff_iteration_row, a_most, "a_max_ns", "A max"),
    NSC_COL_NS(diff_iteration_row, b_least, "b_min_ns", "B min"),
    NSC_COL_NS(diff_iteration_row, b_most, "b_max_ns", "B max"),
};

static void fill_iterations(struct nsc_sheet *sheet, const struct nsc_diff *diff)
{
    for (unsigned m = 0; m < NSC_RECORDING_KERNELS; m++) {
        const struct nsc_recording_spread *a = &diff->a->metrics[m];
        const struct nsc_recording_spread *b = &diff->b->metrics[m];

        NSC_ADD_ROW(sheet, diff_iteration_row,
                    .metric = nsc_recording_metric_title((enum nsc_recording_metric)m),
                    .a_mean = whole_ns(a->mean), .b_mean = whole_ns(b->mean),
                    .change = whole_ns(b->mean - a->mean),
                    .change_pct = change_pct(a->mean, b->mean), .a_median = whole_ns(a->median),
                    .b_median = whole_ns(b->median), .a_least = whole_ns(a->least),
                    .a_most = whole_ns(a->most), .b_least = whole_ns(b->least),
                    .b_most = whole_ns(b->most));
    }
    nsc_sheet_note(sheet, "Means over the iterations and the GPUs with work. Compute, exposed "
                          "communication, other work and idle add up to an iteration's window.");
}

/* ---- groups ---- */

struct pair_row {
    struct nsc_kept_text brief;
    struct nsc_text name;
    const char *class;
    nsc_time before, after, change, a_mean, b_mean; /* means: or not known */
    double change_pct, a_calls, b_calls;
};

#define GROUP_COLUMNS(each)                                                                   \
    {                                                                                         \
        NSC_COL_TEXT(pair_row, brief, "brief", "Name"),                                       \
            NSC_COL_TEXT(pair_row, class, "class", "Is"),                                     \
            NSC_COL_NS(pair_row, before, "a_ns", "A" each),                                   \
            NSC_COL_NS(pair_row, after, "b_ns", "B" each),                                    \
            NSC_COL_NS(pair_row, change, "change_ns", "Change"),                              \
            NSC_COL_PERCENT(pair_row, change_pct, "change_pct", "Change %", "A's time" each), \
            NSC_COL_NUMBER(pair_row, a_calls, "a_calls", "A calls", 1),                       \
            NSC_COL_NUMBER(pair_row, b_calls, "b_calls", "B calls", 1),                       \
            NSC_COL_NS(pair_row, a_mean, "a_mean_ns", "A mean"),                              \
            NSC_COL_NS(pair_row, b_mean, "b_mean_ns", "B mean"),                              \
            NSC_COL_TEXT(pair_row, name, "name", "Whole name"),                               \
    }

/* By whether iterations are compared. */
static const struct nsc_sheet_column group_columns[][11] = {GROUP_COLUMNS(" in all"),
                                                            GROUP_COLUMNS(" an iteration")};

/* One name in both recordings; NULL: missing there. */
struct pair {
    struct nsc_text name;
    const struct nsc_recording_group *a, *b;
    double before, after; /* ns an iteration */
};

NSC_COMPARE(compare_pairs, struct pair,
            NSC_BY(NSC_ORDER(fabs(y->after - y->before), fabs(x->after - x->before))) ||
                NSC_BY(nsc_text_compare(x->name, y->name)))

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

static double calls_of(const struct nsc_recording_group *group, const struct nsc_recording *run)
{
    return group ? (double)group->count / run->n : 0;
}

static nsc_time mean_of(const struct nsc_recording_group *group)
{
    return group ? group->total / (nsc_time)group->count : NSC_UNKNOWN;
}

/* A name without its namespaces. */
static struct nsc_kept_text keep_brief(struct nsc_sheet *sheet, struct nsc_text name)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    nsc_kernel_plain(&text, name);
    return nsc_sheet_keep_buf(sheet, &text);
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
        const struct pair *pair = &pairs[i];

        NSC_ADD_ROW(sheet, pair_row, .brief = keep_brief(sheet, pair->name), .name = pair->name,
                    .class = class_of(pair), .before = whole_ns(pair->before),
                    .after = whole_ns(pair->after), .change = whole_ns(pair->after - pair->before),
                    .change_pct = change_pct(pair->before, pair->after),
                    .a_calls = calls_of(pair->a, diff->a), .b_calls = calls_of(pair->b, diff->b),
                    .a_mean = mean_of(pair->a), .b_mean = mean_of(pair->b));
    }
    sheet->n_left_out = n - shown;
    nsc_sheet_note(
        sheet, "Durations are summed and divided by the number of iterations: work, not wall time. "
               "The greatest change comes first; a change below 2 %% counts as unchanged.");
    free(pairs);
}

void nsc_diff_sheets(struct nsc_sheets *out, const struct nsc_diff *diff, uint32_t limit)
{
    const struct nsc_recording *a = diff->a;
    const struct nsc_recording *b = diff->b;
    bool has_iterations = a->n_found > 0 || b->n_found > 0;
    const struct {
        const char *key, *title;
        const struct nsc_recording_groups *a, *b;
    } groups[] = {{"families", "Kinds of work of kernels, by change", &a->families, &b->families},
                  {"kernels", "Kernels, by change", &a->kernels, &b->kernels},
                  {"ranges", "NVTX push/pop ranges, by change", &a->ranges, &b->ranges}};

    fill_verdict(nsc_sheets_add(out, "verdict", "B against A", verdict_columns[has_iterations], 6),
                 diff);
    nsc_waterfall_sheet(out, diff, limit);
    fill_checks(nsc_sheets_add(out, "comparability", "Can they be compared?", check_columns, 4),
                diff);
    fill_iterations(
        nsc_sheets_add(out, "iterations",
                       has_iterations ? "Where an iteration goes" : "Where the time goes",
                       iteration_columns, 11),
        diff);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        fill_groups(
            nsc_sheets_add(out, groups[i].key, groups[i].title, group_columns[has_iterations], 11),
            diff, groups[i].a, groups[i].b, limit);
}

enum nsc_status nsc_diff_of_trace(struct nsc_sheets *out, const struct nsc_trace *trace,
                                  uint32_t limit, struct nsc_error *error)
{
    struct nsc_recording a;
    struct nsc_recording b;
    struct nsc_diff diff;
    enum nsc_status status = nsc_recording_measure_one(&a, trace, 0, error);

    if (status != NSC_OK)
        return status;
    status = nsc_recording_measure_one(&b, trace, 1, error);
    if (status == NSC_OK) {
        nsc_diff_measure(&diff, &a, &b, (double)NSC_LIMIT_DIFF_GATE, false);
        nsc_diff_sheets(out, &diff, limit);
        nsc_recording_fini(&b);
    }
    nsc_recording_fini(&a);
    return status;
}
