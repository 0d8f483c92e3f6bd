/* Adds up reports. */
#include "analysis/job/merge.h"

#include "core/chars.h"
#include "core/sum.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *sheet, *name, *second, *count, *time, *part;
} tables[NSC_N_MERGE_TABLES] = {
#define NSC_MERGE_TABLE(id, key, title, name, second, count, time, part) \
    {key, name, second, count, time, part},
#include "analysis/job/merge.def"
};

struct adding {
    struct nsc_merge *merge;
    const struct nsc_json_tree *tree;
    uint32_t sheets; /* node of the array */
    char label[NSC_MERGE_LABEL];
};

void nsc_merge_init(struct nsc_merge *merge)
{
    memset(merge, 0, sizeof *merge);
    for (unsigned i = 0; i < NSC_N_MERGE_TABLES; i++)
        nsc_strpool_init(&merge->tables[i].names);
    nsc_strpool_init(&merge->findings.names);
    nsc_rank_ops_init(&merge->ops);
}

void nsc_merge_fini(struct nsc_merge *merge)
{
    for (unsigned i = 0; i < NSC_N_MERGE_TABLES; i++) {
        nsc_strpool_fini(&merge->tables[i].names);
        NSC_VEC_FINI(&merge->tables[i].list);
    }
    nsc_strpool_fini(&merge->findings.names);
    NSC_VEC_FINI(&merge->findings.list);
    nsc_rank_ops_fini(&merge->ops);
}

/* ---- reading a report ---- */

static bool is_text(const struct nsc_json_tree *tree, uint32_t node, const char *word)
{
    struct nsc_text text;

    return nsc_json_get_text(&text, tree, node) && nsc_text_is(text, word);
}

/* The rows of a sheet; NSC_NONE if the report lacks it. */
static uint32_t rows_of(const struct adding *adding, const char *sheet)
{
    const struct nsc_json_tree *tree = adding->tree;

    NSC_JSON_EACH (at, tree, adding->sheets)
        if (is_text(tree, nsc_json_find(tree, at, "key"), sheet))
            return nsc_json_find(tree, at, "rows");
    return NSC_NONE;
}

/* 0 for a value that is missing, negative or not an integer. */
static int64_t int_of(const struct nsc_json_tree *tree, uint32_t row, const char *column)
{
    int64_t value = 0;

    if (!column[0] || !nsc_json_get_int(&value, tree, nsc_json_find(tree, row, column)))
        return 0;
    return value < 0 ? 0 : value;
}

/* ---- groups ---- */

static void copy_label(char out[NSC_MERGE_LABEL], const char *label)
{
    size_t n = strlen(label);
    size_t skip = n < NSC_MERGE_LABEL ? 0 : n - NSC_MERGE_LABEL + 1;

    memcpy(out, label + skip, n - skip + 1);
}

static void add_name(struct nsc_buf *out, const struct nsc_json_tree *tree, uint32_t row,
                     const char *column)
{
    uint32_t node = nsc_json_find(tree, row, column);
    struct nsc_text text;
    int64_t value = 0;

    if (nsc_json_get_text(&text, tree, node))
        nsc_buf_add(out, text.bytes, text.n);
    else if (nsc_json_get_int(&value, tree, node))
        nsc_buf_printf(out, "%" PRId64, value);
}

static struct nsc_merge_group *find_group(struct nsc_merge_groups *groups, const char *name,
                                          size_t n)
{
    static const char other[] = "(other)";
    nsc_str id = nsc_strpool_find(&groups->names, name, n);
    bool is_rest = id == NSC_NONE && groups->list.n >= NSC_MERGE_NAMES;

    if (is_rest) {
        groups->left_over++;
        name = other;
        n = sizeof other - 1;
    }
    id = nsc_strpool_add(&groups->names, name, n);
    while (groups->list.n <= id) {
        nsc_str next = (nsc_str)groups->list.n;

        *NSC_VEC_ADD(&groups->list) = (struct nsc_merge_group){.name = next};
    }
    groups->list.at[id].is_rest |= is_rest;
    return &groups->list.at[id];
}

static void add_rank(struct nsc_merge_group *group, const char *label, int64_t time)
{
    if (group->ranks == 0 || time < group->least) {
        group->least = time;
        copy_label(group->least_rank, label);
    }
    if (group->ranks == 0 || time > group->most) {
        group->most = time;
        copy_label(group->most_rank, label);
    }
    group->ranks++;
}

/* The added rows of a name on one rank: a kernel has a row for each device, as has a finding. */
struct report_total {
    int64_t count, time, part;
};

struct report_totals {
    struct nsc_strpool names;
    NSC_VEC(struct report_total) list; /* by name */
};

static struct report_total *total_of(struct report_totals *totals, const struct nsc_buf *name)
{
    nsc_str id = nsc_strpool_add(&totals->names, name->bytes, name->n);

    while (totals->list.n <= id)
        *NSC_VEC_ADD(&totals->list) = (struct report_total){0};
    return &totals->list.at[id];
}

static void add_row(struct report_totals *totals, const struct adding *adding, unsigned table,
                    uint32_t row)
{
    const struct nsc_json_tree *tree = adding->tree;
    struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);
    struct report_total *total;

    add_name(&name, tree, row, tables[table].name);
    if (tables[table].second[0]) {
        nsc_buf_putc(&name, ' ');
        add_name(&name, tree, row, tables[table].second);
    }
    if (name.n == 0)
        nsc_buf_puts(&name, "(empty)");
    total = total_of(totals, &name);
    nsc_buf_fini(&name);
    total->count = nsc_sum(total->count, int_of(tree, row, tables[table].count));
    total->time = nsc_sum(total->time, int_of(tree, row, tables[table].time));
    total->part = nsc_sum(total->part, int_of(tree, row, tables[table].part));
}

/* Adds a report's totals to the groups of all, and frees them. */
static void take_totals(struct nsc_merge_groups *groups, struct report_totals *totals,
                        const char *label)
{
    for (size_t i = 1; i < totals->list.n; i++) { /* 0 is "" */
        const struct report_total *total = &totals->list.at[i];
        struct nsc_text name = nsc_strpool_text(&totals->names, (nsc_str)i);
        struct nsc_merge_group *group = find_group(groups, name.bytes, name.n);

        group->count += (uint64_t)total->count;
        group->time = nsc_sum(group->time, total->time);
        group->part = nsc_sum(group->part, total->part);
        add_rank(group, label, total->time);
    }
    nsc_strpool_fini(&totals->names);
    NSC_VEC_FINI(&totals->list);
}

static void add_table(struct adding *adding, unsigned table)
{
    const struct nsc_json_tree *tree = adding->tree;
    uint32_t rows = rows_of(adding, tables[table].sheet);
    struct report_totals totals = {0};

    nsc_strpool_init(&totals.names);
    NSC_JSON_EACH (row, tree, rows)
        add_row(&totals, adding, table, row);
    take_totals(&adding->merge->tables[table], &totals, adding->label);
}

/* ---- figures ---- */

struct report_column {
    int64_t sum, most;
};

/* A column of a sheet in the rows of this work; NULL: in all. */
static struct report_column column_of(const struct adding *adding, const char *sheet,
                                      const char *name, const char *work)
{
    const struct nsc_json_tree *tree = adding->tree;
    uint32_t rows = rows_of(adding, sheet);
    struct report_column of = {0};

    NSC_JSON_EACH (row, tree, rows) {
        int64_t value = int_of(tree, row, name);

        if (work && !is_text(tree, nsc_json_find(tree, row, "work"), work))
            continue;
        of.sum = nsc_sum(of.sum, value);
        of.most = value > of.most ? value : of.most;
    }
    return of;
}

static int64_t sum_of(const struct adding *adding, const char *sheet, const char *name)
{
    return column_of(adding, sheet, name, NULL).sum;
}

static uint32_t bin_of(double value)
{
    double bin = floor((log2(value) + 20) * 64);

    return bin < 0 ? 0 : bin >= NSC_MERGE_BINS ? NSC_MERGE_BINS - 1 : (uint32_t)bin;
}

static void add_figure(struct adding *adding, enum nsc_merge_figure figure, double value)
{
    struct nsc_merge_spread *spread = &adding->merge->figures[figure];

    if (!isfinite(value) || value < 0)
        return; /* the rank does not know it */
    if (spread->ranks == 0 || value < spread->least) {
        spread->least = value;
        copy_label(spread->least_rank, adding->label);
    }
    if (spread->ranks == 0 || value > spread->most) {
        spread->most = value;
        copy_label(spread->most_rank, adding->label);
    }
    spread->ranks++;
    spread->sum += value;
    if (value > 0)
        spread->bins[bin_of(value)]++;
    else
        spread->zeros++;
}

static double share(int64_t part, int64_t whole)
{
    return 100.0 * (double)part / (double)whole; /* NaN: not known */
}

static void add_figures(struct adding *adding)
{
    static const char overlap[] = "stream_overlap", communication[] = "communication";
    struct report_column window = column_of(adding, "gpu_idle", "window_ns", NULL);
    int64_t launches = sum_of(adding, "launch_latency", "count");
    int64_t busy = column_of(adding, overlap, "busy_ns", communication).sum;
    int64_t hidden = column_of(adding, overlap, "overlap_ns", communication).sum;

    add_figure(adding, NSC_FIGURE_WINDOW, (double)window.most / 1e6);
    add_figure(adding, NSC_FIGURE_KERNELS,
               (double)sum_of(adding, "pids", "total_kernel_time_ns") / 1e6);
    add_figure(adding, NSC_FIGURE_IDLE,
               share(window.sum - sum_of(adding, "gpu_idle", "all_work_busy_ns"), window.sum));
    add_figure(adding, NSC_FIGURE_COMM, (double)busy / 1e6);
    add_figure(adding, NSC_FIGURE_EXPOSED, (double)(busy - hidden) / 1e6);
    add_figure(adding, NSC_FIGURE_SYNC,
               (double)sum_of(adding, "sync_calls", "total_time_ns") / 1e6);
    add_figure(adding, NSC_FIGURE_LATENCY,
               (double)sum_of(adding, "launch_latency", "total_ns") / (double)launches / 1e6);
    add_figure(adding, NSC_FIGURE_COVERAGE,
               share(sum_of(adding, "nvtx_coverage", "mapped_kernel_time_ns"),
                     sum_of(adding, "nvtx_coverage", "total_kernel_time_ns")));
}

/* ---- findings ---- */

/* Appends a title without its numbers, which differ from rank to rank, and without the other GPUs: the rule
 * and the place are left. Numbers in names stay: "GPU # is idle in layer_3". */
static void fold_title(struct nsc_buf *out, struct nsc_text title)
{
    bool begins = true;

    for (uint32_t i = 0; i < title.n && title.bytes[i] != ';'; i++) {
        uint32_t end = i;

        while (begins && end < title.n &&
               (nsc_is_digit(title.bytes[end]) || (end > i && title.bytes[end] == '.')))
            end++;
        begins = title.bytes[i] == ' ';
        if (end > i && (end == title.n || strchr(" ,:)", title.bytes[end]))) {
            nsc_buf_putc(out, '#');
            i = end - 1;
        } else {
            nsc_buf_putc(out, title.bytes[i]);
        }
    }
}

static void add_findings(struct adding *adding)
{
    const struct nsc_json_tree *tree = adding->tree;
    uint32_t list = nsc_json_find(tree, 0, "findings");
    struct report_totals totals = {0};

    nsc_strpool_init(&totals.names);
    NSC_JSON_EACH (at, tree, list) {
        uint32_t severity = nsc_json_find(tree, at, "severity");
        struct report_total *total;
        struct nsc_buf folded = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_text title;

        if (!nsc_json_get_text(&title, tree, nsc_json_find(tree, at, "title")) || title.n == 0 ||
            (!is_text(tree, severity, "high") && !is_text(tree, severity, "medium")))
            continue;
        fold_title(&folded, title);
        total = total_of(&totals, &folded);
        nsc_buf_fini(&folded);
        total->time = nsc_sum(total->time, int_of(tree, at, "ns"));
        total->count |= is_text(tree, severity, "high");
    }
    take_totals(&adding->merge->findings, &totals, adding->label);
}

/* ---- collectives ---- */

static void add_collectives(struct adding *adding)
{
    const struct nsc_json_tree *tree = adding->tree;
    uint32_t rows = rows_of(adding, "collective_ops");
    uint32_t n = 0;

    (void)nsc_rank_ops_add_export(&adding->merge->ops, adding->label);
    NSC_JSON_EACH (row, tree, rows) {
        struct nsc_rank_place place = {.pid = (uint32_t)int_of(tree, row, "pid"),
                                       .gpu = int_of(tree, row, "gpu")};
        struct nsc_text name;
        struct nsc_text ops;

        if (n < NSC_RANK_TEXT_STRANDS &&
            nsc_json_get_text(&name, tree, nsc_json_find(tree, row, "kernel")) &&
            nsc_json_get_text(&ops, tree, nsc_json_find(tree, row, "ops")))
            n += nsc_rank_ops_parse(&adding->merge->ops, &place, name,
                                    int_of(tree, row, "communicator"), int_of(tree, row, "stream"),
                                    ops);
    }
}

enum nsc_status nsc_merge_add(struct nsc_merge *merge, const struct nsc_json_tree *report,
                              const char *label, struct nsc_error *error)
{
    struct adding adding = {
        .merge = merge, .tree = report, .sheets = nsc_json_find(report, 0, "sheets")};

    bool is_sketch = is_text(report, nsc_json_find(report, 0, "format"), "nsyscope-sketch-1");

    if (!(is_sketch || is_text(report, nsc_json_find(report, 0, "format"), "nsyscope-report-1")) ||
        !nsc_json_is(report, adding.sheets, NSC_JSON_ARRAY))
        return nsc_fail(error, NSC_EFORMAT,
                        "%s: no report of nsyscope's; make it by nsyscope report --json FILE",
                        label);
    copy_label(adding.label, label);
    for (unsigned table = 0; table < NSC_N_MERGE_TABLES; table++)
        add_table(&adding, table);
    add_figures(&adding);
    add_findings(&adding);
    if (!is_sketch)
        add_collectives(&adding);
    merge->ranks++;
    return NSC_OK;
}
