/*
 * Iterations as sheets: the spread of each figure, and each iteration.
 */
#include "analysis/ranges/iteration_stats.h"
#include "analysis/skill/skills.h"
#include "core/text.h"

const struct nsc_sheet_column nsc_skill_iteration_stats_columns[] = {
    {"figure", "Figure", NULL, NSC_SHEET_TEXT, 0},
    {"n", "Iterations", NULL, NSC_SHEET_COUNT, 0},
    {"median_ns", "Median", NULL, NSC_SHEET_NS, 0},
    {"min_ns", "Min", NULL, NSC_SHEET_NS, 0},
    {"max_ns", "Max", NULL, NSC_SHEET_NS, 0},
    {"mean_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"sd_ns", "Std. dev.", NULL, NSC_SHEET_NS, 0},
    {"cv", "CV", NULL, NSC_SHEET_NUMBER, 3},
    {"p95_ns", "p95", NULL, NSC_SHEET_NS, 0},
    {"mad_ns", "MAD", NULL, NSC_SHEET_NS, 0},
    {"median_share", "Of duration", "median duration, times GPUs", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column row_columns[] = {
    {"iteration", "Iteration", NULL, NSC_SHEET_ID, 0},
    {"start_ns", "From", NULL, NSC_SHEET_INSTANT, 0},
    {"duration_ns", "Duration", NULL, NSC_SHEET_NS, 0},
    {"busy_ns", "Busy", NULL, NSC_SHEET_NS, 0},
    {"idle_ns", "Idle", NULL, NSC_SHEET_NS, 0},
    {"compute_ns", "Compute", NULL, NSC_SHEET_NS, 0},
    {"comm_ns", "Comm.", NULL, NSC_SHEET_NS, 0},
    {"overlap_ns", "Overlap", NULL, NSC_SHEET_NS, 0},
    {"exposed_ns", "Exposed", NULL, NSC_SHEET_NS, 0},
    {"mark", "Mark", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_figure(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats,
                       enum nsc_iteration_figure figure)
{
    const struct nsc_iteration_spread *spread = &stats->spread[figure];
    nsc_time whole = stats->spread[NSC_ITERATION_DURATION].median;

    nsc_sheet_add_puts(sheet, nsc_iteration_figure_word(figure));
    nsc_sheet_add_int(sheet, stats->n_counted);
    nsc_sheet_add_int(sheet, spread->median);
    nsc_sheet_add_int(sheet, spread->min);
    nsc_sheet_add_int(sheet, spread->max);
    nsc_sheet_add_int(sheet, (nsc_time)spread->mean);
    nsc_sheet_add_int(sheet, (nsc_time)spread->deviation);
    if (spread->mean > 0)
        nsc_sheet_add_number(sheet, spread->deviation / spread->mean);
    else
        nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, spread->p95);
    nsc_sheet_add_int(sheet, spread->mad);
    if (figure == NSC_ITERATION_DURATION || stats->n_devices == 0)
        nsc_sheet_add_unknown(sheet);
    else
        nsc_sheet_add_share(sheet, spread->median / stats->n_devices, whole);
}

static void add_rows(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                     const struct nsc_iteration_stats *stats)
{
    for (uint32_t i = 0; i < stats->n; i++) {
        nsc_sheet_add_int(sheet, stats->first + i);
        nsc_sheet_add_int(
            sheet, nsc_iterations_window(&stats->iterations, scope->trace, stats->first + i).t0);
        for (size_t k = 0; k < NSC_N_ITERATION_FIGURES; k++)
            nsc_sheet_add_int(sheet, stats->values[(size_t)i * NSC_N_ITERATION_FIGURES + k]);
        nsc_sheet_add_puts(sheet, nsc_iteration_is_warm_up(stats, i) ? "warm-up"
                                  : nsc_iteration_is_slow(stats, i)  ? "slow"
                                                                     : "");
    }
}

static void add_notes(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats)
{
    if (stats->iterations.n == 0) {
        nsc_sheet_note(sheet, "No NVTX range recurs like an iteration; name one with "
                              "-p marker=NAME.");
        return;
    }
    if (stats->n == 0)
        nsc_sheet_note(sheet, "No iteration lies inside the window.");
    nsc_sheet_note(sheet,
                   "An iteration is a range \"%s\" of the CPU: GPU work that is queued may "
                   "run in the next one. GPU figures are unions, added over %u GPUs.",
                   stats->iterations.label, stats->n_devices);
    if (stats->iterations.other_n > 0)
        nsc_sheet_note(sheet, "Another range would do as well: \"%s\" (%u).",
                       stats->iterations.other, stats->iterations.other_n);
    if (stats->n_counted < stats->n)
        nsc_sheet_note(sheet, "The first iteration is warm-up and not in the statistics.");
    nsc_sheet_note(sheet, "Slow: longer than median + 3 MAD; %u are.", stats->n_slow);
}

void nsc_skill_iteration_stats(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_param_value *marker = &question->params[NSC_PARAM_MARKER];
    size_t first = out->list.n;
    struct nsc_iteration_stats stats;
    struct nsc_sheet *sheets;
    bool is_fine = nsc_iteration_stats_build(&stats, question->scope,
                                             marker->is_set ? nsc_text_from(marker->text)
                                                            : (struct nsc_text){"", 0});

    (void)nsc_question_sheet(out, question, "iteration_stats", nsc_skill_iteration_stats_columns);
    (void)nsc_question_more(out, question, "iterations", "Each iteration", row_columns);
    sheets = &out->list.at[first];
    for (int i = 0; i < NSC_N_ITERATION_FIGURES && is_fine && stats.n_counted > 0; i++)
        add_figure(&sheets[0], &stats, (enum nsc_iteration_figure)i);
    if (is_fine)
        add_rows(&sheets[1], question->scope, &stats);
    else
        nsc_sheet_note(&sheets[0], "There is too little memory for this question.");
    add_notes(&sheets[0], &stats);
    nsc_iteration_stats_fini(&stats);
}
