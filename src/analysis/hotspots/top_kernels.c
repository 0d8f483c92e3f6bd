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

static uint64_t device_of(const struct nsc_hotspots *report,
                          const struct nsc_hotspots_stream *stream)
{
    return (uint64_t)nsc_trace_track(report->query->scope.trace, stream->track)->device;
}

static nsc_time duration_of(const struct nsc_hotspots *report, size_t i)
{
    return nsc_event_duration(nsc_trace_events(report->query->scope.trace),
                              report->kernels.event[i]);
}

/* ---- by name and device ---- */

static const double quantiles[2] = {0.5, 0.9};

/* The durations of each group, as nsc_quantiles_select leaves them: those of group g are
 * times[first[g], first[g + 1]). */
struct by_group {
    nsc_time *times;
    size_t *first;
};

static struct by_group place_durations(const struct nsc_hotspots *report,
                                       const struct nsc_tally *tally, const uint32_t *group)
{
    size_t n = report->kernels.n, n_groups = tally->rows.n;
    struct by_group out = {nsc_xmalloc((n + 1) * sizeof *out.times),
                           nsc_xcalloc(n_groups + 2, sizeof *out.first)};

    for (size_t g = 0; g < n_groups; g++) /* one entry extra: filling moves each to its end */
        out.first[g + 2] = out.first[g + 1] + tally->rows.at[g].count;
    for (size_t i = 0; i < n; i++)
        out.times[out.first[group[i] + 1]++] = duration_of(report, i);
    for (size_t g = 0; g < n_groups; g++)
        nsc_quantiles_select(out.times + out.first[g], out.first[g + 1] - out.first[g], quantiles,
                             2);
    return out;
}

static void add_percentiles(struct nsc_tally_line *line, const struct by_group *placed,
                            uint32_t group)
{
    const nsc_time *times = placed->times ? placed->times + placed->first[group] : NULL;
    size_t n = times ? placed->first[group + 1] - placed->first[group] : 0;

    line->p50 = n > 0 ? nsc_quantile_linear(times, n, quantiles[0]) : (double)NAN;
    line->p90 = n > 0 ? nsc_quantile_linear(times, n, quantiles[1]) : (double)NAN;
}

static void add_kernels(struct nsc_hotspots *report)
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
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "kernels", "Kernels by summed time", columns);
    uint32_t *group = nsc_xmalloc((report->kernels.n + 1) * sizeof *group);
    struct nsc_tally tally = {.find = NSC_TALLY_BY_FIRST, .has_extremes = true};
    struct by_group placed = {0};
    uint32_t *order;
    size_t n;

    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[k];

        for (size_t i = stream->first; i < stream->end; i++)
            group[i] = nsc_tally_add(&tally, report->kernels.text[i], device_of(report, stream),
                                     duration_of(report, i));
    }
    if (report->query->percentiles)
        placed = place_durations(report, &tally, group);
    order = nsc_tally_sort(&tally, NSC_TALLY_TOTAL, 0, &report->texts);
    n = nsc_hotspots_limit(sheet, tally.rows.n,
                           report->query->kernel_limit > NSC_HOTSPOTS_ROWS
                               ? report->query->kernel_limit
                               : NSC_HOTSPOTS_ROWS);
    for (size_t i = 0; i < n; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &tally.rows.at[order[i]], 0);

        line.extremes = tally.extremes.at[order[i]];
        add_percentiles(&line, &placed, order[i]);
        NSC_SHEET_ADD_ROW(sheet, &line);
        if (i == 0)
            report->figures.kernel = line;
    }
    free(order);
    free(group);
    free(placed.times);
    free(placed.first);
    nsc_tally_fini(&tally);
}

/* ---- tiny ones ---- */

/* The tiny kernels of a process, or of all (pid UINT64_MAX), by count. */
static void add_tiny(struct nsc_hotspots *report, struct nsc_sheet *sheet, uint64_t pid)
{
    bool is_all = pid == UINT64_MAX;
    struct nsc_tally tally = {.find = NSC_TALLY_BY_FIRST};

    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[k];

        if (!is_all && nsc_hotspots_pid(report, stream->track) != pid)
            continue;
        for (size_t i = stream->first; i < stream->end; i++)
            if (duration_of(report, i) <= TINY_NS)
                nsc_tally_add(&tally, report->kernels.text[i], is_all ? 0 : pid,
                              duration_of(report, i));
    }
    (void)nsc_hotspots_lines(report, sheet, &tally, NSC_TALLY_COUNT, 0, TINY_ROWS, NULL);
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

static void add_pid_kernel_rows(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                                const struct nsc_tally_row *pid)
{
    struct nsc_tally tally = {.find = NSC_TALLY_BY_FIRST};
    uint32_t *order;

    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[k];
        bool is_of = nsc_hotspots_pid(report, stream->track) == pid->key[0];

        for (size_t i = stream->first; is_of && i < stream->end; i++)
            nsc_tally_add(&tally, report->kernels.text[i], device_of(report, stream),
                          duration_of(report, i));
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

static void add_kernels_by_pid(struct nsc_hotspots *report, const struct nsc_tally *pids,
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
        NSC_HOTSPOTS_SHEET(report, "kernels_by_pid", "Kernels by process", columns);
    bool *done = nsc_xcalloc(n + 1, sizeof *done);

    for (size_t i = 0; i < n; i++) { /* takes pids in ascending order: the least remaining one */
        size_t next = n;

        for (size_t k = 0; k < n; k++)
            if (!done[k] &&
                (next == n || pids->rows.at[order[k]].key[0] < pids->rows.at[order[next]].key[0]))
                next = k;
        done[next] = true;
        add_pid_kernel_rows(report, sheet, &pids->rows.at[order[next]]);
    }
    free(done);
}

void nsc_hotspots_top_kernels(struct nsc_hotspots *report)
{
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);
    size_t n = pids.rows.n < PIDS ? pids.rows.n : PIDS;
    struct nsc_sheet *sheet;

    add_kernels(report);
    sheet = nsc_hotspots_sheet(report, "tiny_kernels", "Tiny kernels by count", tiny_columns + 1,
                               NSC_COUNT_OF(tiny_columns) - 1);
    add_tiny(report, sheet, UINT64_MAX);
    nsc_sheet_note(sheet, "tiny: at most %d ns", TINY_NS);
    add_pids(report, &pids, order, n);
    add_kernels_by_pid(report, &pids, order, n);
    sheet = NSC_HOTSPOTS_SHEET(report, "tiny_by_pid", "Tiny kernels by process", tiny_columns);
    for (size_t i = 0; i < n; i++)
        add_tiny(report, sheet, pids.rows.at[order[i]].key[0]);
    free(report->kernels.text);
    report->kernels.text = NULL;
    free(order);
    nsc_tally_fini(&pids);
}
