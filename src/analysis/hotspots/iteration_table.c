/* Shows the iterations in one row: their number, how they were found, and their durations. */
#include "analysis/hotspots/parts.h"
#include "analysis/ranges/iteration_stats.h"
#include "core/text.h"

struct iterations_row {
    uint32_t n, counted, slow;
    const char *found_by;
    struct nsc_text name;
    nsc_time median, mean, shortest, longest;
    double confidence; /* % */
};

static const struct nsc_sheet_column columns[] = {
    NSC_COLUMN_COUNT(iterations_row, n, "iterations"),
    NSC_COLUMN_TEXT(iterations_row, found_by, "found_by"),
    NSC_COLUMN_TEXT(iterations_row, name, "name"),
    NSC_COLUMN_COUNT(iterations_row, counted, "after_warm_up"),
    NSC_COLUMN_MS(iterations_row, median, "median_ms"),
    NSC_COLUMN_MS(iterations_row, mean, "mean_ms"),
    NSC_COLUMN_MS(iterations_row, shortest, "min_ms"),
    NSC_COLUMN_MS(iterations_row, longest, "max_ms"),
    NSC_COLUMN_COUNT(iterations_row, slow, "slow"),
    NSC_COLUMN_PCT(iterations_row, confidence, "confidence_pct", "certainty"),
};

void nsc_hotspots_iterations(struct nsc_hotspots *report)
{
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "iterations", "Iterations, from start to start", columns);
    struct nsc_iteration_stats stats;
    const struct nsc_iteration_spread *period = &stats.spread[NSC_ITERATION_DURATION];

    if (nsc_iteration_stats_build(&stats, &report->query->scope, (struct nsc_text){"", 0}) &&
        stats.n_counted > 0)
        NSC_ADD_ROW(sheet, iterations_row, .n = stats.n,
                    .found_by = nsc_iterations_by_word(stats.iterations.by),
                    .name = nsc_text_from(stats.iterations.label), .counted = stats.n_counted,
                    .median = period->median, .mean = (nsc_time)period->mean,
                    .shortest = period->min, .longest = period->max, .slow = stats.n_slow,
                    .confidence = 100 * stats.iterations.confidence);
    else if (stats.iterations.why)
        nsc_sheet_note(sheet, "%s", stats.iterations.why);
    nsc_iteration_stats_fini(&stats);
}
