/* Fills the sheets of the job's report. */
#include "analysis/job/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *key, *title;
} tables[NSC_N_MERGE_TABLES] = {
#define NSC_MERGE_TABLE(id, key, title, name, second, count, time, part) {key, title},
#include "analysis/job/merge.def"
};

static const struct {
    const char *title, *unit;
} figures[NSC_N_MERGE_FIGURES] = {
#define NSC_MERGE_FIGURE(id, title, unit) {title, unit},
#include "analysis/job/merge_figure.def"
};

/* ---- the job ---- */

struct job_row {
    const char *title, *unit, *least_rank, *most_rank;
    uint64_t ranks;
    double mean, least, median, p95, most;
};

static const struct nsc_sheet_column job_columns[] = {
    NSC_COL_TEXT(job_row, title, "figure", "Of a rank"),
    NSC_COL_TEXT(job_row, unit, "unit", "Unit"),
    NSC_COL_COUNT(job_row, ranks, "ranks", "Ranks"),
    NSC_COL_NUMBER(job_row, mean, "mean", "Mean", 3),
    NSC_COL_NUMBER(job_row, least, "min", "Least", 3),
    NSC_COL_TEXT(job_row, least_rank, "min_rank", "of"),
    NSC_COL_NUMBER(job_row, median, "median", "Median", 3),
    NSC_COL_NUMBER(job_row, p95, "p95", "p95", 3),
    NSC_COL_NUMBER(job_row, most, "max", "Most", 3),
    NSC_COL_TEXT(job_row, most_rank, "max_rank", "of"),
};

/* The value that a share `part` of the ranks does not exceed, within half a bin, clamped to least
 * and most. */
static double quantile(const struct nsc_merge_spread *spread, double part)
{
    uint64_t wanted = (uint64_t)ceil(part * (double)spread->ranks);
    uint64_t seen = spread->zeros;
    double value = 0;

    for (uint32_t i = 0; i < NSC_MERGE_BINS && seen < wanted; i++) {
        seen += spread->bins[i];
        value = exp2((i + 0.5) / 64 - 20);
    }
    return value < spread->least ? spread->least : value > spread->most ? spread->most : value;
}

static void fill_job(struct nsc_sheet *sheet, const struct nsc_merge *merge)
{
    for (unsigned i = 0; i < NSC_N_MERGE_FIGURES; i++) {
        const struct nsc_merge_spread *spread = &merge->figures[i];

        if (spread->ranks > 0)
            NSC_ADD_ROW(sheet, job_row, .title = figures[i].title, .unit = figures[i].unit,
                        .ranks = spread->ranks, .mean = spread->sum / (double)spread->ranks,
                        .least = spread->least, .least_rank = spread->least_rank,
                        .median = quantile(spread, 0.5), .p95 = quantile(spread, 0.95),
                        .most = spread->most, .most_rank = spread->most_rank);
    }
    nsc_sheet_note(sheet,
                   "%" PRIu64 " report%s. Mean, least and most are exact; median and p95 within 1 "
                   "%%. Each report has its own window.",
                   merge->ranks, merge->ranks == 1 ? "" : "s");
}

/* ---- groups ---- */

struct merged_row {
    struct nsc_text name;
    int64_t ranks, count; /* ranks and the figures by rank: unknown for "(other)" */
    nsc_time total, part, mean, rank_mean, least, most;
    const char *least_rank, *most_rank;
};

#define GROUP_COLUMNS                                                \
    NSC_COL_COUNT(merged_row, ranks, "ranks", "Ranks"),              \
        NSC_COL_COUNT(merged_row, count, "count", "Count"),          \
        NSC_COL_NS(merged_row, total, "total_ns", "Total"),          \
        NSC_COL_NS(merged_row, mean, "mean_ns", "Mean"),             \
        NSC_COL_NS(merged_row, rank_mean, "rank_mean_ns", "A rank"), \
        NSC_COL_NS(merged_row, least, "rank_min_ns", "Least"),       \
        NSC_COL_TEXT(merged_row, least_rank, "rank_min", "of"),      \
        NSC_COL_NS(merged_row, most, "rank_max_ns", "Most"),         \
        NSC_COL_TEXT(merged_row, most_rank, "rank_max", "of")

static const struct nsc_sheet_column group_columns[] = {
    NSC_COL_TEXT(merged_row, name, "name", "Name"), GROUP_COLUMNS};

/* columns of communication: how much of it overlaps compute */
static const struct nsc_sheet_column hidden_columns[] = {
    NSC_COL_TEXT(merged_row, name, "name", "Name"),
    NSC_COL_SHARE(merged_row, part, total, "hidden_pct", "Beside compute", "the total"),
    GROUP_COLUMNS};

NSC_COMPARE(compare_groups, struct nsc_merge_group *const,
            NSC_BY(NSC_ORDER((*y)->time, (*x)->time)) ||
                NSC_BY(NSC_ORDER((*y)->ranks, (*x)->ranks)) ||
                NSC_BY(NSC_ORDER((*x)->name, (*y)->name)))

/* Orders the groups that any rank has, the most time first. */
static size_t order_groups(const struct nsc_merge_group **order,
                           const struct nsc_merge_groups *groups)
{
    size_t n = 0;

    for (size_t i = 0; i < groups->list.n; i++)
        if (groups->list.at[i].ranks)
            order[n++] = &groups->list.at[i];
    qsort(order, n, sizeof *order, compare_groups);
    return n;
}

static void add_group(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups,
                      const struct nsc_merge_group *of)
{
    bool has_ranks = !of->is_rest;

    NSC_ADD_ROW(
        sheet, merged_row, .name = nsc_strpool_text(&groups->names, of->name),
        .ranks = nsc_known(has_ranks, (int64_t)of->ranks), .count = (int64_t)of->count,
        .total = of->time, .part = of->part,
        .mean = of->count ? of->time / (int64_t)of->count : NSC_UNKNOWN,
        .rank_mean = has_ranks ? of->time / (int64_t)of->ranks : NSC_UNKNOWN,
        .least = nsc_known(has_ranks, of->least), .least_rank = has_ranks ? of->least_rank : NULL,
        .most = nsc_known(has_ranks, of->most), .most_rank = has_ranks ? of->most_rank : NULL);
}

static void fill_groups(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups,
                        uint32_t limit)
{
    const struct nsc_merge_group **order = nsc_xcalloc(groups->list.n + 1, sizeof(void *));
    size_t n = order_groups(order, groups);
    size_t shown = limit && limit < n ? limit : n;

    for (size_t i = 0; i < shown; i++)
        add_group(sheet, groups, order[i]);
    sheet->n_left_out = n - shown;
    if (groups->left_over)
        nsc_sheet_note(
            sheet, "%" PRIu64 " rows of further names are in (other): the table keeps %u names.",
            groups->left_over, NSC_MERGE_NAMES);
    nsc_sheet_note(sheet, "Least and most: over the ranks with this row.");
    free(order);
}

/* ---- bins ---- */

static int64_t edge_of(const struct nsc_merge_groups *groups, const struct nsc_merge_group *group)
{
    struct nsc_text text = nsc_strpool_text(&groups->names, group->name);

    return text.n && text.bytes[0] >= '0' && text.bytes[0] <= '9' ? strtoll(text.bytes, NULL, 10)
                                                                  : NSC_UNKNOWN;
}

struct edge {
    nsc_time from;
    uint64_t count;
    nsc_time time;
};

static const struct nsc_sheet_column bin_columns[] = {
    NSC_COL_NS(edge, from, "from_ns", "From"),
    NSC_COL_COUNT(edge, count, "count", "Count"),
    NSC_COL_NS(edge, time, "total_ns", "Total"),
};

NSC_COMPARE(compare_edges, struct edge, NSC_LEAST(from))

/* Shows all bins of fixed edges, in ascending order. */
static void fill_bins(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups)
{
    struct edge *edges = nsc_xcalloc(groups->list.n + 1, sizeof *edges);
    size_t n = 0;

    for (size_t i = 0; i < groups->list.n; i++)
        if (groups->list.at[i].ranks)
            edges[n++] = (struct edge){edge_of(groups, &groups->list.at[i]),
                                       groups->list.at[i].count, groups->list.at[i].time};
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n; i++)
        NSC_SHEET_ADD_ROW(sheet, &edges[i]);
    free(edges);
}

/* ---- findings ---- */

struct merged_finding_row {
    struct nsc_text finding;
    uint64_t ranks, all, high;
    nsc_time total, worst;
    const char *worst_rank;
};

static const struct nsc_sheet_column finding_columns[] = {
    NSC_COL_TEXT(merged_finding_row, finding, "finding", "Finding"),
    NSC_COL_COUNT(merged_finding_row, ranks, "ranks", "Ranks"),
    NSC_COL_SHARE(merged_finding_row, ranks, all, "ranks_pct", "of all", "the reports"),
    NSC_COL_COUNT(merged_finding_row, high, "high", "High"),
    NSC_COL_NS(merged_finding_row, total, "total_ns", "Could save"),
    NSC_COL_NS(merged_finding_row, worst, "worst_ns", "Worst"),
    NSC_COL_TEXT(merged_finding_row, worst_rank, "worst_rank", "of"),
};

static void fill_findings(struct nsc_sheet *sheet, const struct nsc_merge *merge)
{
    const struct nsc_merge_groups *groups = &merge->findings;
    const struct nsc_merge_group **order = nsc_xcalloc(groups->list.n + 1, sizeof(void *));
    size_t n = order_groups(order, groups);

    for (size_t i = 0; i < n; i++)
        NSC_ADD_ROW(
            sheet, merged_finding_row, .finding = nsc_strpool_text(&groups->names, order[i]->name),
            .ranks = order[i]->ranks, .all = merge->ranks, .high = order[i]->count,
            .total = order[i]->time, .worst = order[i]->most, .worst_rank = order[i]->most_rank);
    free(order);
}

void nsc_merge_sheets(struct nsc_sheets *out, const struct nsc_merge *merge, uint32_t limit)
{
    fill_job(nsc_sheets_add(out, "job", "The ranks of the job", job_columns, 10), merge);
    fill_findings(nsc_sheets_add(out, "findings", "Findings, medium and high", finding_columns, 7),
                  merge);
    for (unsigned i = 0; i < NSC_N_MERGE_TABLES; i++) {
        if (merge->tables[i].list.n == 0)
            continue;
        if (i == NSC_MERGE_DURATIONS || i == NSC_MERGE_LATENCIES)
            fill_bins(nsc_sheets_add(out, tables[i].key, tables[i].title, bin_columns, 3),
                      &merge->tables[i]);
        else
            fill_groups(nsc_sheets_add(out, tables[i].key, tables[i].title,
                                       i == NSC_MERGE_NCCL ? hidden_columns : group_columns,
                                       i == NSC_MERGE_NCCL ? 11 : 10),
                        &merge->tables[i], limit);
    }
}
