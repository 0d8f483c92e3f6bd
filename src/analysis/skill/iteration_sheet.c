/*
 * Adds sheets of iterations: the spread of each figure, each iteration, and one compared with the
 * usual one.
 */
#include "analysis/base/quantile.h"
#include "analysis/ranges/iteration_stats.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct iteration_figure_row {
    const char *figure;
    uint32_t n;
    struct nsc_iteration_spread of;
    nsc_time mean, deviation;
    double cv;
    nsc_time a_gpu, duration; /* medians; a_gpu: of one GPU; or unknown */
};

const struct nsc_sheet_column nsc_skill_iteration_stats_columns[] = {
    NSC_COL_TEXT(iteration_figure_row, figure, "figure", "Figure"),
    NSC_COL_COUNT(iteration_figure_row, n, "n", "Iterations"),
    NSC_COL_NS(iteration_figure_row, of.median, "median_ns", "Median"),
    NSC_COL_NS(iteration_figure_row, of.min, "min_ns", "Min"),
    NSC_COL_NS(iteration_figure_row, of.max, "max_ns", "Max"),
    NSC_COL_NS(iteration_figure_row, mean, "mean_ns", "Mean"),
    NSC_COL_NS(iteration_figure_row, deviation, "sd_ns", "Std. dev."),
    NSC_COL_NUMBER(iteration_figure_row, cv, "cv", "CV", 3),
    NSC_COL_NS(iteration_figure_row, of.p95, "p95_ns", "p95"),
    NSC_COL_NS(iteration_figure_row, of.mad, "mad_ns", "MAD"),
    NSC_COL_SHARE(iteration_figure_row, a_gpu, duration, "median_share", "Of period",
                  "median period, times GPUs"),
    {0},
};

struct iteration_row {
    uint32_t number;
    nsc_time start, of[NSC_N_ITERATION_FIGURES];
    const char *mark;
};

static const struct nsc_sheet_column row_columns[] = {
    NSC_COL_ID(iteration_row, number, "iteration", "Iteration"),
    NSC_COL_INSTANT(iteration_row, start, "start_ns", "From"),
    NSC_COL_NS(iteration_row, of[NSC_ITERATION_DURATION], "duration_ns", "Period"),
    NSC_COL_NS(iteration_row, of[1], "busy_ns", "Busy"),
    NSC_COL_NS(iteration_row, of[2], "idle_ns", "Idle"),
    NSC_COL_NS(iteration_row, of[3], "compute_ns", "Compute"),
    NSC_COL_NS(iteration_row, of[4], "comm_ns", "Comm."),
    NSC_COL_NS(iteration_row, of[5], "overlap_ns", "Overlap"),
    NSC_COL_NS(iteration_row, of[6], "exposed_ns", "Exposed"),
    NSC_COL_TEXT(iteration_row, mark, "mark", "Mark"),
    {0},
};

struct trend_row {
    const char *trend;
    nsc_time before, after;
    int64_t at; /* first iteration on another level; NSC_UNKNOWN: none */
    uint32_t n, slow;
    int64_t recurs, slowest, warm_up; /* NSC_UNKNOWN: none */
};

static const struct nsc_sheet_column trend_columns[] = {
    NSC_COL_TEXT(trend_row, trend, "trend", "Over time"),
    NSC_COL_NS(trend_row, before, "before_ns", "Period before"),
    NSC_COL_NS(trend_row, after, "after_ns", "Period after"),
    NSC_COL_ID(trend_row, at, "at", "From iteration"),
    NSC_COL_COUNT(trend_row, n, "n", "Iterations"),
    NSC_COL_COUNT(trend_row, slow, "slow", "Slow"),
    NSC_COL_ID(trend_row, recurs, "recurs", "One in"),
    NSC_COL_ID(trend_row, slowest, "slowest", "Slowest"),
    NSC_COL_ID(trend_row, warm_up, "warm_up", "Warm-up before"),
    {0},
};

/* The longest of the slow iterations; NSC_UNKNOWN: none is slow. */
static int64_t slowest_of(const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;
    int64_t slowest = NSC_UNKNOWN;

    for (uint32_t i = stats->first; i < stats->first + stats->n; i++)
        if (all->at[i].slow &&
            (slowest == NSC_UNKNOWN || all->at[i].period > all->at[slowest].period))
            slowest = i;
    return slowest;
}

/* Adds the trend of the most frequent kind's iterations, as the findings report it, and the number
 * of slow ones. */
static void add_trend(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;
    bool is_known = all->shift > 0 || all->drift != 0;
    const char *trend = "neither a drift nor a change of level is certain";

    if (all->shift > 0)
        trend = all->level_after > all->level_before ? "the level rises at one place"
                                                     : "the level falls at one place";
    else if (all->drift != 0)
        trend = all->drift > 0 ? "they take longer and longer" : "they take less and less time";
    NSC_ADD_ROW(sheet, trend_row, .trend = trend, .before = nsc_known(is_known, all->level_before),
                .after = nsc_known(is_known, all->level_after),
                .at = nsc_known(all->shift > 0, all->shift), .n = stats->n_counted,
                .slow = stats->n_slow,
                .recurs = nsc_known(all->recurs > 0 && stats->n_slow > 0, all->recurs),
                .slowest = slowest_of(stats),
                .warm_up = nsc_known(stats->n > stats->n_counted, stats->n - stats->n_counted));
}

static void add_figure(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats,
                       enum nsc_iteration_figure figure)
{
    const struct nsc_iteration_spread *spread = &stats->spread[figure];
    bool has_share = figure != NSC_ITERATION_DURATION && stats->n_devices > 0;

    NSC_ADD_ROW(sheet, iteration_figure_row, .figure = nsc_iteration_figure_word(figure),
                .n = stats->n_counted, .of = *spread, .mean = (nsc_time)spread->mean,
                .deviation = (nsc_time)spread->deviation,
                .cv = spread->mean > 0 ? spread->deviation / spread->mean : (double)NAN,
                .a_gpu = has_share ? spread->median / stats->n_devices : NSC_UNKNOWN,
                .duration = stats->spread[NSC_ITERATION_DURATION].median);
}

static void add_rows(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats)
{
    for (uint32_t i = 0; i < stats->n; i++) {
        struct iteration_row row = {.number = stats->first + i, .mark = ""};

        row.start = nsc_iterations_window(&stats->iterations, row.number).t0;
        memcpy(row.of, stats->values + (size_t)i * NSC_N_ITERATION_FIGURES, sizeof row.of);
        if (nsc_iteration_is_warm_up(stats, i))
            row.mark = "warm-up";
        else if (nsc_iteration_is_slow(stats, i))
            row.mark = "slow";
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
}

static void add_notes(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;

    if (all->n == 0) {
        nsc_sheet_note(sheet, "%s", all->why);
        return;
    }
    if (stats->n == 0)
        nsc_sheet_note(sheet, "No iteration lies inside the window.");
    nsc_sheet_note(sheet,
                   "Iterations by the %s: %s. A period lasts from start to start%s; GPU figures "
                   "are unions inside it, summed over %u GPUs.",
                   nsc_iterations_by_word(all->by), all->label,
                   all->on_gpu ? ", measured on the GPU because the host runs ahead" : "",
                   stats->n_devices);
    if (stats->n_counted < stats->n && all->warm_up == 1)
        nsc_sheet_note(sheet, "The first iteration is warm-up: the statistics leave it out.");
    else if (stats->n_counted < stats->n)
        nsc_sheet_note(sheet, "The first %u are warm-up: the statistics leave them out.",
                       all->warm_up);
    nsc_sheet_note(sheet, "%u of %u iterations are slow.", stats->n_slow, stats->n_counted);
}

struct kind_row {
    uint32_t kind;
    struct nsc_iteration_kind of;
    nsc_time mean, above;
    int64_t every;
};

static const struct nsc_sheet_column kind_columns[] = {
    NSC_COL_ID(kind_row, kind, "kind", "Kind"),
    NSC_COL_COUNT(kind_row, of.n, "iterations", "Iterations"),
    NSC_COL_NS(kind_row, of.median, "median_ns", "Median period"),
    NSC_COL_NS(kind_row, mean, "mean_ns", "Mean period"),
    NSC_COL_NS(kind_row, above, "slow_above_ns", "Slow above"),
    NSC_COL_ID(kind_row, every, "every", "One in"),
    {0},
};

/* The distance of the iterations of a kind if each comes as long after the one before; NSC_UNKNOWN. */
static int64_t distance_of(const struct nsc_iterations *all, uint32_t kind)
{
    uint32_t before = NSC_NONE;
    uint32_t distance = 0;

    for (uint32_t i = all->warm_up; i < all->n; i++) {
        if (all->at[i].kind != kind)
            continue;
        if (distance > 0 && i - before != distance)
            return NSC_UNKNOWN;
        distance = before == NSC_NONE ? 0 : i - before;
        before = i;
    }
    return nsc_known(distance > 0, distance);
}

static void add_kinds(struct nsc_sheets *out, const struct nsc_question *question,
                      const struct nsc_iterations *all)
{
    struct nsc_sheet *sheet;

    if (all->n_kinds < 2)
        return;
    sheet =
        nsc_question_more(out, question, "iteration_kinds", "Kinds of iterations", kind_columns);
    for (uint32_t k = 0; k < all->n_kinds; k++)
        NSC_ADD_ROW(sheet, kind_row, .kind = k, .of = all->kinds[k],
                    .mean = (nsc_time)all->kinds[k].mean,
                    .above = nsc_known(all->kinds[k].above < INT64_MAX, all->kinds[k].above),
                    .every = distance_of(all, k));
    nsc_sheet_note(sheet, "Iterations of different kinds launch different work, or alternate "
                          "between two lengths. Warm-up does not count.");
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

    (void)NSC_SKILL_SHEET(out, question, iteration_stats);
    (void)nsc_question_more(out, question, "iteration_trend", "How the period changes over time",
                            trend_columns);
    (void)nsc_question_more(out, question, "iterations", "Each iteration", row_columns);
    sheets = &out->list.at[first];
    for (int i = 0; i < NSC_N_ITERATION_FIGURES && is_fine && stats.n_counted > 0; i++)
        add_figure(&sheets[0], &stats, (enum nsc_iteration_figure)i);
    if (is_fine && stats.n_counted > 0)
        add_trend(&sheets[1], &stats);
    if (is_fine)
        add_rows(&sheets[2], &stats);
    else
        nsc_sheet_note(&sheets[0], "There is too little memory for this question.");
    add_notes(&sheets[0], &stats);
    add_kinds(out, question, &stats.iterations);
    if (stats.iterations.n == 0)
        nsc_question_refuse_marker(question);
    nsc_iteration_stats_fini(&stats);
}

/* ---- the iteration beside the usual one of its kind ---- */

struct compare_row {
    uint32_t iteration;
    nsc_time period, median;
    const char *verdict, *part;
    nsc_time part_time, part_median;
    nsc_time before; /* period of the iteration before, if only that one is slow */
};

static const struct nsc_sheet_column compare_columns[] = {
    NSC_COL_ID(compare_row, iteration, "iteration", "Iteration"),
    NSC_COL_NS(compare_row, period, "duration_ns", "Period"),
    NSC_COL_NS(compare_row, median, "median_ns", "Median of its kind"),
    NSC_COL_TEXT(compare_row, verdict, "verdict", "Verdict"),
    NSC_COL_TEXT(compare_row, part, "part", "Differs most"),
    NSC_COL_NS(compare_row, part_time, "part_ns", "Of it here"),
    NSC_COL_NS(compare_row, part_median, "part_median_ns", "Of it usually"),
    NSC_COL_NS(compare_row, before, "before_ns", "Slow one before"),
    {0},
};

enum { COMPARE_LEAST = 100 }; /* differences below this fraction of the period are ignored */

/* The median over the iterations of the kind, without warm-up and without the compared one. */
static nsc_time part_median(const struct nsc_iteration_stats *stats, uint32_t except, unsigned part,
                            nsc_time *scratch)
{
    const struct nsc_iteration *at = stats->iterations.at + stats->first;
    uint32_t n = 0;

    for (uint32_t i = 0; i < stats->n; i++)
        if (i != except && !at[i].warm_up && at[i].kind == at[except].kind)
            scratch[n++] = nsc_iteration_part(stats, i, part);
    return n > 0 ? nsc_quantile(scratch, n, 500) : NSC_UNKNOWN;
}

static const char *verdict_of(const struct nsc_iterations *all, const struct nsc_iteration *it)
{
    return it->warm_up                               ? "part of the warm-up"
           : it->slow                                ? "slow"
           : all->kinds[it->kind].above == INT64_MAX ? "one of too few or too uneven to call slow"
                                                     : "not slow";
}

static void add_compare(struct nsc_sheet *sheet, const struct nsc_iteration_stats *stats,
                        uint32_t i)
{
    const struct nsc_iteration *it = &stats->iterations.at[stats->first + i];
    nsc_time *scratch = nsc_xcalloc((size_t)stats->n + 1, sizeof *scratch);
    struct compare_row row = {.iteration = stats->first + i,
                              .period = it->period,
                              .median = stats->iterations.kinds[it->kind].median,
                              .verdict = verdict_of(&stats->iterations, it),
                              .part_time = NSC_UNKNOWN,
                              .part_median = NSC_UNKNOWN,
                              .before = NSC_UNKNOWN};
    nsc_time most = row.median / COMPARE_LEAST;

    if (!it->slow && i > 0 && it[-1].slow)
        row.before = it[-1].period;
    for (unsigned k = 0; k < NSC_N_ITERATION_PARTS && stats->n_devices > 0; k++) {
        nsc_time usual = part_median(stats, i, k, scratch);
        nsc_time here = nsc_iteration_part(stats, i, k);

        if (usual == NSC_UNKNOWN || llabs(here - usual) <= most)
            continue;
        most = llabs(here - usual);
        row.part = nsc_iteration_part_word(k);
        row.part_time = here;
        row.part_median = usual;
    }
    NSC_SHEET_ADD_ROW(sheet, &row);
    free(scratch);
}

void nsc_iteration_compare_add(struct nsc_sheets *out, const struct nsc_question *question,
                               uint32_t iteration)
{
    const struct nsc_param_value *marker = &question->params[NSC_PARAM_MARKER];
    struct nsc_scope scope = *question->scope;
    struct nsc_iteration_stats stats;
    struct nsc_sheet *sheet;

    scope.has_window = false;
    scope.window = nsc_trace_extent(scope.trace);
    if (nsc_iteration_stats_build(
            &stats, &scope, nsc_text_from(marker->is_set && marker->text ? marker->text : "")) &&
        iteration >= stats.first && iteration - stats.first < stats.n) {
        sheet = nsc_question_more(out, question, "iteration_compare", "Beside the usual one",
                                  compare_columns);
        add_compare(sheet, &stats, iteration - stats.first);
        nsc_sheet_note(sheet,
                       "Parts of the period are summed over %u GPU%s, and compared with the median "
                       "of the other iterations of the same kind, without warm-up.",
                       stats.n_devices, stats.n_devices == 1 ? "" : "s");
    }
    nsc_iteration_stats_fini(&stats);
}
