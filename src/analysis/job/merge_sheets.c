/*
 * The job's report, as sheets.
 */
#include "analysis/job/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *key, *title;
} tables[NSC_N_MERGE_TABLES] = {
#define NSC_MERGE_TABLE(id, key, title, name, second, count, time, part) {key, title},
#include "analysis/job/merge.def"
#undef NSC_MERGE_TABLE
};

static const struct {
    const char *title, *unit;
} figures[NSC_N_MERGE_FIGURES] = {
#define NSC_MERGE_FIGURE(id, title, unit) {title, unit},
#include "analysis/job/merge_figure.def"
#undef NSC_MERGE_FIGURE
};

/* ---- the job ---- */

static const struct nsc_sheet_column job_columns[] = {
    {"figure", "Of a rank", NULL, NSC_SHEET_TEXT, 0}, {"unit", "Unit", NULL, NSC_SHEET_TEXT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},     {"mean", "Mean", NULL, NSC_SHEET_NUMBER, 3},
    {"min", "Least", NULL, NSC_SHEET_NUMBER, 3},      {"min_rank", "of", NULL, NSC_SHEET_TEXT, 0},
    {"median", "Median", NULL, NSC_SHEET_NUMBER, 3},  {"p95", "p95", NULL, NSC_SHEET_NUMBER, 3},
    {"max", "Most", NULL, NSC_SHEET_NUMBER, 3},       {"max_rank", "of", NULL, NSC_SHEET_TEXT, 0},
};

/* The value below or at which so much of the ranks lies, to half a bin, kept inside what is
 * known. */
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

        if (spread->ranks == 0)
            continue;
        nsc_sheet_add_puts(sheet, figures[i].title);
        nsc_sheet_add_puts(sheet, figures[i].unit);
        nsc_sheet_add_int(sheet, (int64_t)spread->ranks);
        nsc_sheet_add_number(sheet, spread->sum / (double)spread->ranks);
        nsc_sheet_add_number(sheet, spread->least);
        nsc_sheet_add_puts(sheet, spread->least_rank);
        nsc_sheet_add_number(sheet, quantile(spread, 0.5));
        nsc_sheet_add_number(sheet, quantile(spread, 0.95));
        nsc_sheet_add_number(sheet, spread->most);
        nsc_sheet_add_puts(sheet, spread->most_rank);
    }
    nsc_sheet_note(sheet,
                   "%" PRIu64 " report%s. Mean, least and most are exact; median and p95 "
                   "within 1 %%. Each report has a window of its own.",
                   merge->ranks, merge->ranks == 1 ? "" : "s");
}

/* ---- groups ---- */

static const struct nsc_sheet_column group_columns[] = {
    {"name", "Name", NULL, NSC_SHEET_TEXT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},
    {"count", "Count", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"mean_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"rank_mean_ns", "A rank", NULL, NSC_SHEET_NS, 0},
    {"rank_min_ns", "Least", NULL, NSC_SHEET_NS, 0},
    {"rank_min", "of", NULL, NSC_SHEET_TEXT, 0},
    {"rank_max_ns", "Most", NULL, NSC_SHEET_NS, 0},
    {"rank_max", "of", NULL, NSC_SHEET_TEXT, 0},
};

/* Of communication: how much of it runs beside compute. */
static const struct nsc_sheet_column hidden_columns[] = {
    {"name", "Name", NULL, NSC_SHEET_TEXT, 0},
    {"hidden_pct", "Beside compute", "the total", NSC_SHEET_PERCENT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},
    {"count", "Count", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"mean_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"rank_mean_ns", "A rank", NULL, NSC_SHEET_NS, 0},
    {"rank_min_ns", "Least", NULL, NSC_SHEET_NS, 0},
    {"rank_min", "of", NULL, NSC_SHEET_TEXT, 0},
    {"rank_max_ns", "Most", NULL, NSC_SHEET_NS, 0},
    {"rank_max", "of", NULL, NSC_SHEET_TEXT, 0},
};

static int compare_groups(const void *a, const void *b)
{
    const struct nsc_merge_group *x = *(const struct nsc_merge_group *const *)a;
    const struct nsc_merge_group *y = *(const struct nsc_merge_group *const *)b;

    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    if (x->ranks != y->ranks)
        return x->ranks > y->ranks ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Those that any rank has, the most time first. */
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

static void add_ranks(struct nsc_sheet *sheet, const struct nsc_merge_group *group)
{
    nsc_sheet_add_int(sheet, group->time / (int64_t)group->ranks);
    nsc_sheet_add_int(sheet, group->least);
    nsc_sheet_add_puts(sheet, group->least_rank);
    nsc_sheet_add_int(sheet, group->most);
    nsc_sheet_add_puts(sheet, group->most_rank);
}

static void add_group(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups,
                      const struct nsc_merge_group *group, bool has_part)
{
    nsc_sheet_add_text(sheet, nsc_strpool_text(&groups->names, group->name));
    if (has_part)
        nsc_sheet_add_share(sheet, group->part, group->time);
    if (group->is_rest)
        nsc_sheet_add_unknown(sheet);
    else
        nsc_sheet_add_int(sheet, (int64_t)group->ranks);
    nsc_sheet_add_int(sheet, (int64_t)group->count);
    nsc_sheet_add_int(sheet, group->time);
    if (group->count)
        nsc_sheet_add_int(sheet, group->time / (int64_t)group->count);
    else
        nsc_sheet_add_unknown(sheet);
    for (int i = 0; group->is_rest && i < 5; i++)
        nsc_sheet_add_unknown(sheet);
    if (!group->is_rest)
        add_ranks(sheet, group);
}

static void fill_groups(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups,
                        bool has_part, uint32_t limit)
{
    const struct nsc_merge_group **order = nsc_xcalloc(groups->list.n + 1, sizeof(void *));
    size_t n = order_groups(order, groups);
    size_t shown = limit && limit < n ? limit : n;

    for (size_t i = 0; i < shown; i++)
        add_group(sheet, groups, order[i], has_part);
    sheet->n_left_out = n - shown;
    if (groups->left_over)
        nsc_sheet_note(sheet,
                       "%" PRIu64 " rows of further names went to (other): %u names are "
                       "kept.",
                       groups->left_over, NSC_MERGE_NAMES);
    nsc_sheet_note(sheet, "Least and most: of the ranks that have it.");
    free(order);
}

/* ---- bins ---- */

static const struct nsc_sheet_column bin_columns[] = {
    {"from_ns", "From", NULL, NSC_SHEET_NS, 0},
    {"count", "Count", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
};

static int64_t edge_of(const struct nsc_merge_groups *groups, const struct nsc_merge_group *group)
{
    struct nsc_text text = nsc_strpool_text(&groups->names, group->name);

    return text.n && text.bytes[0] >= '0' && text.bytes[0] <= '9' ? strtoll(text.bytes, NULL, 10)
                                                                  : -1;
}

struct edge {
    int64_t from;
    const struct nsc_merge_group *group;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a;
    const struct edge *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

/* Bins of fixed edges, in order of them; all are shown. */
static void fill_bins(struct nsc_sheet *sheet, const struct nsc_merge_groups *groups)
{
    struct edge *edges = nsc_xcalloc(groups->list.n + 1, sizeof *edges);
    size_t n = 0;

    for (size_t i = 0; i < groups->list.n; i++)
        if (groups->list.at[i].ranks)
            edges[n++] = (struct edge){edge_of(groups, &groups->list.at[i]), &groups->list.at[i]};
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n; i++) {
        if (edges[i].from < 0)
            nsc_sheet_add_unknown(sheet);
        else
            nsc_sheet_add_int(sheet, edges[i].from);
        nsc_sheet_add_int(sheet, (int64_t)edges[i].group->count);
        nsc_sheet_add_int(sheet, edges[i].group->time);
    }
    free(edges);
}

/* ---- findings ---- */

static const struct nsc_sheet_column finding_columns[] = {
    {"finding", "Finding", NULL, NSC_SHEET_TEXT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},
    {"ranks_pct", "of all", "the reports", NSC_SHEET_PERCENT, 0},
    {"high", "High", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Stands for", NULL, NSC_SHEET_NS, 0},
    {"worst_ns", "Worst", NULL, NSC_SHEET_NS, 0},
    {"worst_rank", "of", NULL, NSC_SHEET_TEXT, 0},
};

static void fill_findings(struct nsc_sheet *sheet, const struct nsc_merge *merge)
{
    const struct nsc_merge_groups *groups = &merge->findings;
    const struct nsc_merge_group **order = nsc_xcalloc(groups->list.n + 1, sizeof(void *));
    size_t n = order_groups(order, groups);

    for (size_t i = 0; i < n; i++) {
        nsc_sheet_add_text(sheet, nsc_strpool_text(&groups->names, order[i]->name));
        nsc_sheet_add_int(sheet, (int64_t)order[i]->ranks);
        nsc_sheet_add_share(sheet, (nsc_time)order[i]->ranks, (nsc_time)merge->ranks);
        nsc_sheet_add_int(sheet, (int64_t)order[i]->count);
        nsc_sheet_add_int(sheet, order[i]->time);
        nsc_sheet_add_int(sheet, order[i]->most);
        nsc_sheet_add_puts(sheet, order[i]->most_rank);
    }
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
                        &merge->tables[i], i == NSC_MERGE_NCCL, limit);
    }
}
