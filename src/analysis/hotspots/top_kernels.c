/*
 * Finds the kernels that take the summed kernel time, over all and by process, and the short
 * kernels launched most often.
 */
#include "analysis/base/quantile.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"

#include <math.h>

#define TINY_NS   5000 /* the longest duration of a tiny kernel */
#define TINY_ROWS 10
#define PIDS      10 /* that are looked into */
#define PID_ROWS  10 /* kernels of each */

#define OF_ALL  "summed duration of all kernels"
#define NO_TEXT 2 /* no key of a tally's row is a text */

/* The kernels of one text on one stream. */
struct kernel_sum {
    nsc_str text;
    const struct nsc_track *track; /* of the stream */
    uint64_t n, n_tiny;
    nsc_time total, total_tiny;
    struct nsc_tally_extremes extremes;
};

/* All tables come from these sums; only percentiles need the kernels again. */
struct top_kernels {
    struct nsc_hotspots *report;
    struct nsc_tally groups;         /* (text, stream) */
    NSC_VEC(struct kernel_sum) sums; /* by group */
};

/* The number of the sum of a kernel. */
static uint32_t number_of(struct top_kernels *top, nsc_event kernel, uint32_t track)
{
    nsc_str text = nsc_texts_of(&top->report->texts, kernel);
    uint32_t number = nsc_tally_group(&top->groups, text, track);

    if (number == top->sums.n)
        *NSC_VEC_ADD(&top->sums) =
            (struct kernel_sum){.text = text,
                                .track = nsc_trace_track(top->report->query->scope.trace, track),
                                .extremes = {INT64_MAX, INT64_MIN}};
    return number;
}

static void sum_stream(struct top_kernels *top, uint32_t track)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(top->report, track);

    for (nsc_event kernel; (kernel = nsc_kernel_walk_next(&walk)) != NSC_NONE;) {
        nsc_time ns = nsc_event_duration(walk.events, kernel);
        uint32_t number = number_of(top, kernel, track);
        struct kernel_sum *sum = &top->sums.at[number];

        sum->n++;
        sum->total = nsc_sum(sum->total, ns);
        sum->extremes.shortest = nsc_earlier(sum->extremes.shortest, ns);
        sum->extremes.longest = nsc_later(sum->extremes.longest, ns);
        sum->n_tiny += ns <= TINY_NS;
        sum->total_tiny = nsc_sum(sum->total_tiny, ns <= TINY_NS ? ns : 0);
    }
}

/* Adds to a group; returns its number. */
static uint32_t join_sum(struct nsc_tally *tally, uint64_t other, const struct kernel_sum *sum,
                         bool tiny)
{
    uint32_t group = nsc_tally_group(tally, sum->text, other);
    struct nsc_tally_row *row = &tally->rows.at[group];

    row->count += tiny ? sum->n_tiny : sum->n;
    row->total = nsc_sum(row->total, tiny ? sum->total_tiny : sum->total);
    if (tally->has_extremes) {
        struct nsc_tally_extremes *extremes = &tally->extremes.at[group];

        extremes->shortest = nsc_earlier(extremes->shortest, sum->extremes.shortest);
        extremes->longest = nsc_later(extremes->longest, sum->extremes.longest);
    }
    return group;
}

/* ---- by name and device ---- */

/* The kernels of each group: those of group g are rows[first[g], first[g + 1]). */
struct by_group {
    nsc_event *rows; /* NULL: percentiles are not asked for */
    size_t *first;
    nsc_time *times; /* room for those of the largest group */
};

/* group: by sum. */
static struct by_group place_kernels(struct top_kernels *top, const struct nsc_tally *tally,
                                     const uint32_t group[])
{
    const struct nsc_hotspots_kernels *kernels = &top->report->kernels;
    size_t n_groups = tally->rows.n, most = 0;
    struct by_group out = {nsc_xmalloc((kernels->n + 1) * sizeof *out.rows),
                           nsc_xcalloc(n_groups + 2, sizeof *out.first), NULL};

    for (size_t g = 0; g < n_groups; g++) { /* one entry extra: filling moves each to its end */
        out.first[g + 2] = out.first[g + 1] + tally->rows.at[g].count;
        most = tally->rows.at[g].count > most ? tally->rows.at[g].count : most;
    }
    out.times = nsc_xmalloc((most + 1) * sizeof *out.times);
    for (size_t k = 0; k < kernels->streams.n; k++) {
        uint32_t track = kernels->streams.at[k].track;
        struct nsc_kernel_walk walk = nsc_kernel_walk(top->report, track);

        for (nsc_event kernel; (kernel = nsc_kernel_walk_next(&walk)) != NSC_NONE;)
            out.rows[out.first[group[number_of(top, kernel, track)] + 1]++] = kernel;
    }
    return out;
}

static void add_percentiles(struct nsc_tally_line *line, const struct by_group *placed,
                            const struct nsc_events *events, uint32_t group)
{
    const nsc_event *rows = placed->rows ? placed->rows + placed->first[group] : NULL;
    size_t n = rows ? placed->first[group + 1] - placed->first[group] : 0;

    for (size_t i = 0; i < n; i++)
        placed->times[i] = nsc_event_duration(events, rows[i]);
    line->p50 = n > 0 ? nsc_quantile_linear(placed->times, n, 0.5) : (double)NAN;
    line->p90 = n > 0 ? nsc_quantile_linear(placed->times, n, 0.9) : (double)NAN;
}

static void add_kernels(struct top_kernels *top)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(nsc_tally_line, name, "kernel_name"),
        NSC_COLUMN_ID(nsc_tally_line, of.key[1], "device_id"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "call_count"),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
        NSC_COLUMN_US(nsc_tally_line, extremes.shortest, "min_duration_us"),
        NSC_COLUMN_US(nsc_tally_line, extremes.longest, "max_duration_us"),
        NSC_COLUMN_US(nsc_tally_line, p50, "p50_duration_us"),
        NSC_COLUMN_US(nsc_tally_line, p90, "p90_duration_us"),
        NSC_COLUMN_PCT(nsc_tally_line, share, "pct_total_kernel_time", OF_ALL),
    };
    struct nsc_hotspots *report = top->report;
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "kernels", "Kernels by summed time", columns);
    uint32_t *group = nsc_xmalloc((top->sums.n + 1) * sizeof *group);
    struct nsc_tally tally = {.has_extremes = true};
    struct by_group placed = {0};
    uint32_t *order;
    size_t n;

    for (size_t i = 0; i < top->sums.n; i++)
        group[i] =
            join_sum(&tally, (uint64_t)top->sums.at[i].track->device, &top->sums.at[i], false);
    if (report->query->percentiles)
        placed = place_kernels(top, &tally, group);
    order = nsc_tally_sort(&tally, NSC_TALLY_TOTAL, 0, &report->texts);
    n = nsc_hotspots_limit(sheet, tally.rows.n,
                           report->query->kernel_limit > NSC_HOTSPOTS_ROWS
                               ? report->query->kernel_limit
                               : NSC_HOTSPOTS_ROWS);
    for (size_t i = 0; i < n; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &tally.rows.at[order[i]], 0);

        line.extremes = tally.extremes.at[order[i]];
        add_percentiles(&line, &placed, nsc_trace_events(report->query->scope.trace), order[i]);
        NSC_SHEET_ADD_ROW(sheet, &line);
        if (i == 0)
            report->figures.kernel = line;
    }
    free(order);
    free(group);
    free(placed.rows);
    free(placed.first);
    free(placed.times);
    nsc_tally_fini(&tally);
}

/* ---- tiny ones ---- */

/* The tiny kernels of a process, or of all (pid UINT64_MAX), by count. */
static void add_tiny(struct top_kernels *top, struct nsc_sheet *sheet, uint64_t pid)
{
    bool is_all = pid == UINT64_MAX;
    struct nsc_tally tally = {0};

    for (size_t i = 0; i < top->sums.n; i++) {
        const struct kernel_sum *sum = &top->sums.at[i];

        if (sum->n_tiny > 0 && (is_all || sum->track->pid == pid))
            (void)join_sum(&tally, is_all ? 0 : pid, sum, true);
    }
    (void)nsc_hotspots_lines(top->report, sheet, &tally, NSC_TALLY_COUNT, 0, TINY_ROWS, NULL);
    nsc_tally_fini(&tally);
}

static const struct nsc_sheet_column tiny_columns[] = {
    NSC_COLUMN_ID(nsc_tally_line, pid, "pid"), /* only by process */
    NSC_COLUMN_TEXT(nsc_tally_line, name, "kernel_name"),
    NSC_COLUMN_COUNT(nsc_tally_line, of.count, "call_count"),
    NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
    NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
};

/* ---- by process ---- */

static void add_pids(struct nsc_hotspots *report, const struct nsc_tally *pids,
                     const uint32_t *order, size_t n)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(nsc_tally_line, of.key[0], "pid"),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_kernel_time_ns"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_kernel_time_ms"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "kernel_count"),
        NSC_COLUMN_PCT(nsc_tally_line, share, "pct_of_total_kernel_time", OF_ALL),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "pids", "Processes by summed kernel time", columns);

    (void)nsc_hotspots_limit(sheet, pids->rows.n, n);
    for (size_t i = 0; i < n; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &pids->rows.at[order[i]], NO_TEXT);

        NSC_SHEET_ADD_ROW(sheet, &line);
    }
}

static void add_pid_kernel_rows(struct top_kernels *top, struct nsc_sheet *sheet,
                                const struct nsc_tally_row *pid)
{
    struct nsc_hotspots *report = top->report;
    struct nsc_tally tally = {0};
    uint32_t *order;

    for (size_t i = 0; i < top->sums.n; i++) {
        const struct kernel_sum *sum = &top->sums.at[i];

        if (sum->track->pid == pid->key[0])
            (void)join_sum(&tally, (uint64_t)sum->track->device, sum, false);
    }
    order = nsc_tally_sort(&tally, NSC_TALLY_TOTAL, 0, &report->texts);
    sheet->n_left_out += tally.rows.n > PID_ROWS ? tally.rows.n - PID_ROWS : 0;
    for (size_t i = 0; i < tally.rows.n && i < PID_ROWS; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &tally.rows.at[order[i]], 0);

        line.pid = pid->key[0];
        line.pid_total = pid->total;
        line.pid_share = nsc_percent(pid->total, report->kernels.total);
        line.of_pid = nsc_percent(line.of.total, pid->total);
        NSC_SHEET_ADD_ROW(sheet, &line);
    }
    free(order);
    nsc_tally_fini(&tally);
}

static void add_kernels_by_pid(struct top_kernels *top, const struct nsc_tally *pids,
                               const uint32_t *order, size_t n)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(nsc_tally_line, pid, "pid"),
        NSC_COLUMN_MS(nsc_tally_line, pid_total, "pid_total_kernel_time_ms"),
        NSC_COLUMN_PCT(nsc_tally_line, pid_share, "pid_pct_of_total_kernel_time", OF_ALL),
        NSC_COLUMN_TEXT(nsc_tally_line, name, "kernel_name"),
        NSC_COLUMN_ID(nsc_tally_line, of.key[1], "device_id"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "call_count"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
        NSC_COLUMN_PCT(nsc_tally_line, of_pid, "pct_of_pid_kernel_time",
                       "summed duration of the process's kernels"),
        NSC_COLUMN_PCT(nsc_tally_line, share, "pct_of_total_kernel_time", OF_ALL),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(top->report, "kernels_by_pid", "Kernels by process", columns);
    bool *done = nsc_xcalloc(n + 1, sizeof *done);

    for (size_t i = 0; i < n; i++) { /* takes pids in ascending order: the least remaining one */
        size_t next = n;

        for (size_t k = 0; k < n; k++)
            if (!done[k] &&
                (next == n || pids->rows.at[order[k]].key[0] < pids->rows.at[order[next]].key[0]))
                next = k;
        done[next] = true;
        add_pid_kernel_rows(top, sheet, &pids->rows.at[order[next]]);
    }
    free(done);
}

void nsc_hotspots_top_kernels(struct nsc_hotspots *report)
{
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);
    size_t n = pids.rows.n < PIDS ? pids.rows.n : PIDS;
    struct top_kernels top = {.report = report};
    struct nsc_sheet *sheet;

    for (size_t k = 0; k < report->kernels.streams.n; k++)
        sum_stream(&top, report->kernels.streams.at[k].track);
    add_kernels(&top);
    sheet = nsc_hotspots_sheet(report, "tiny_kernels", "Tiny kernels by count", tiny_columns + 1,
                               NSC_COUNT_OF(tiny_columns) - 1);
    add_tiny(&top, sheet, UINT64_MAX);
    nsc_sheet_note(sheet, "tiny: at most %d ns", TINY_NS);
    add_pids(report, &pids, order, n);
    add_kernels_by_pid(&top, &pids, order, n);
    sheet = NSC_HOTSPOTS_SHEET(report, "tiny_by_pid", "Tiny kernels by process", tiny_columns);
    for (size_t i = 0; i < n; i++)
        add_tiny(&top, sheet, pids.rows.at[order[i]].key[0]);
    nsc_tally_fini(&top.groups);
    NSC_VEC_FINI(&top.sums);
    free(order);
    nsc_tally_fini(&pids);
}
