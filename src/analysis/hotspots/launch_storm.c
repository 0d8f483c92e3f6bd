/*
 * Counts kernel launches a second and measures how short kernels are, over all, by process and by
 * GPU.
 *
 * A storm is that of the finding launch-storm: very many calls a second launch work on a GPU, which
 * still starves. A process has a storm if a GPU on which it runs kernels has one; likewise the
 * whole.
 */
#include "analysis/base/histogram.h"
#include "analysis/base/quantile.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/launch_times.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"

#include <math.h>

struct storm {
    uint64_t n, under[3]; /* 5, 10, 20 µs */
    bool is_on_gpu;       /* on a GPU with a storm */
    nsc_time window;
    struct nsc_binned_times *times; /* n of them; owned */
};

static const nsc_time limits[3] = {5000, 10000, 20000};
static const double quantiles[3] = {0.5, 0.9, 0.99};

/* Adds the kernels of a stream. */
static void add_stream(struct storm *storm, struct nsc_window *span,
                       const struct nsc_hotspots *report, const struct nsc_hotspots_stream *stream,
                       bool has_pid)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(report, stream->track);

    for (nsc_event event; (event = nsc_kernel_walk_next(&walk)) != NSC_NONE;) {
        nsc_time ns = nsc_event_duration(walk.events, event);

        span->t0 = nsc_earlier(span->t0, walk.events->start[event]);
        span->t1 = nsc_later(span->t1, nsc_event_end(walk.events, event));
        if (has_pid && ns == 0) /* for a process, only kernels longer than 0 ns count */
            continue;
        nsc_binned_times_add(storm->times, ns);
        for (unsigned k = 0; k < 3; k++)
            storm->under[k] += ns < limits[k];
    }
}

static void keep_stream(struct storm *storm, const struct nsc_hotspots *report, uint32_t track)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(report, track);

    for (nsc_event event; (event = nsc_kernel_walk_next(&walk)) != NSC_NONE;)
        nsc_binned_times_keep(storm->times, nsc_event_duration(walk.events, event));
}

static bool is_of(const struct nsc_hotspots *report, const struct nsc_hotspots_stream *stream,
                  uint64_t pid)
{
    return pid == UINT64_MAX || nsc_hotspots_pid(report, stream->track) == pid;
}

/* Measures all kernels (pid UINT64_MAX) or those of a process. */
static struct storm measure(const struct nsc_hotspots *report, const bool *is_stormy, uint64_t pid)
{
    const struct nsc_trace *trace = report->query->scope.trace;
    struct storm storm = {.times = nsc_xcalloc(1, sizeof *storm.times)};
    struct nsc_window span = {INT64_MAX, INT64_MIN};

    for (size_t i = 0; i < report->kernels.streams.n; i++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[i];

        if (!is_of(report, stream, pid))
            continue;
        storm.is_on_gpu = storm.is_on_gpu || is_stormy[nsc_trace_group_of(trace, stream->track)];
        add_stream(&storm, &span, report, stream, pid != UINT64_MAX);
    }
    nsc_binned_times_choose(storm.times, quantiles, NSC_COUNT_OF(quantiles));
    for (size_t i = 0; i < report->kernels.streams.n; i++)
        if (is_of(report, &report->kernels.streams.at[i], pid))
            keep_stream(&storm, report, report->kernels.streams.at[i].track);
    storm.n = storm.times->n;
    storm.window = nsc_later(1, nsc_span(span.t0, span.t1));
    return storm;
}

static void free_times(struct storm *storm)
{
    nsc_binned_times_fini(storm->times);
    free(storm->times);
}

static double rate_of(const struct storm *storm)
{
    return storm->n ? (double)storm->n / ((double)storm->window / 1e9) : 0;
}

/* Percentiles of a process are elements (nearest rank); those of all kernels are interpolated. */
static double quantile_us(const struct storm *storm, double q, bool nearest)
{
    if (nearest)
        return (double)nsc_binned_times_nearest(storm->times, q) / 1e3;
    return nsc_binned_times_linear(storm->times, q) / 1e3;
}

static struct nsc_hotspots_storm describe(const struct storm *storm, uint64_t pid, bool nearest)
{
    struct nsc_hotspots_storm out = {
        .pid = pid, .n = storm->n, .window = storm->n ? storm->window : 0, .rate = rate_of(storm)};

    for (unsigned k = 0; k < 3; k++) {
        out.quantile_us[k] = storm->n ? quantile_us(storm, quantiles[k], nearest) : (double)NAN;
        out.under[k] = storm->under[k];
        out.under_share[k] = 100.0 * (double)storm->under[k] / (double)(storm->n ? storm->n : 1);
    }
    out.window_s = (double)out.window / 1e9;
    out.is_storm = storm->n && storm->is_on_gpu;
    return out;
}

#define OF_KERNELS "the kernels"
static const struct nsc_sheet_column columns[] = {
    NSC_COLUMN_ID(nsc_hotspots_storm, pid, "pid"), /* only by process */
    NSC_COLUMN_COUNT(nsc_hotspots_storm, n, "total_launches"),
    NSC_COLUMN_NS(nsc_hotspots_storm, window, "window_ns"),
    NSC_COLUMN_NUMBER(nsc_hotspots_storm, window_s, "window_s", 9),
    NSC_COLUMN_NUMBER(nsc_hotspots_storm, rate, "launches_per_s", 6),
    NSC_COLUMN_NUMBER(nsc_hotspots_storm, quantile_us[0], "p50_kernel_us", 6),
    NSC_COLUMN_NUMBER(nsc_hotspots_storm, quantile_us[1], "p90_kernel_us", 6),
    NSC_COLUMN_NUMBER(nsc_hotspots_storm, quantile_us[2], "p99_kernel_us", 6),
    NSC_COLUMN_PCT(nsc_hotspots_storm, under_share[0], "pct_under_5us", OF_KERNELS),
    NSC_COLUMN_PCT(nsc_hotspots_storm, under_share[1], "pct_under_10us", OF_KERNELS),
    NSC_COLUMN_PCT(nsc_hotspots_storm, under_share[2], "pct_under_20us", OF_KERNELS),
    NSC_COLUMN_YES(nsc_hotspots_storm, is_storm, "is_launch_storm"),
    NSC_COLUMN_COUNT(nsc_hotspots_storm, under[0], "under_5us"),
    NSC_COLUMN_COUNT(nsc_hotspots_storm, under[1], "under_10us"),
    NSC_COLUMN_COUNT(nsc_hotspots_storm, under[2], "under_20us"),
};

/* ---- by GPU ---- */

struct gpu_storm {
    int64_t device;
    struct nsc_launch_times times;
    double rate, median_us, starved, idle; /* calls/s; us; % of the kernels with a call; % */
    bool is_storm;
};

/* Adds the launches of each GPU as rows; sets is_stormy by track. */
static void add_by_gpu(struct nsc_hotspots *report, bool *is_stormy)
{
    static const struct nsc_sheet_column of_gpu[] = {
        NSC_COLUMN_ID(gpu_storm, device, "device_id"),
        NSC_COLUMN_COUNT(gpu_storm, times.n, "kernels"),
        NSC_COLUMN_COUNT(gpu_storm, times.api.n, "launch_calls"),
        NSC_COLUMN_NUMBER(gpu_storm, rate, "calls_per_s", 6),
        NSC_COLUMN_NUMBER(gpu_storm, median_us, "p50_kernel_us", 6),
        NSC_COLUMN_PCT(gpu_storm, starved, "starved_pct", "the kernels with a known call"),
        NSC_COLUMN_PCT(gpu_storm, idle, "idle_pct", "the window of the GPU"),
        NSC_COLUMN_YES(gpu_storm, is_storm, "is_launch_storm"),
    };
    const struct nsc_scope *scope = &report->query->scope;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, "storm_by_gpu", "Launches by GPU", of_gpu);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct gpu_storm gpu = {.device = nsc_trace_track(scope->trace, d)->gpu};
        struct nsc_breakdown time;

        if (!nsc_launch_counts_build(&gpu.times, scope, d) || gpu.times.n == 0 ||
            !nsc_breakdown_build(&time, scope, d))
            continue;
        gpu.rate = (double)gpu.times.api.n * 1e9 /
                   (double)nsc_later(1, nsc_window_length(gpu.times.window));
        gpu.median_us = (double)gpu.times.duration.median / 1e3;
        gpu.starved = gpu.times.known
                          ? nsc_percent((nsc_time)gpu.times.starved, (nsc_time)gpu.times.known)
                          : (double)NAN;
        gpu.idle = nsc_percent(time.idle, time.whole);
        gpu.is_storm = is_stormy[d] = nsc_finding_is_storm(&gpu.times, gpu.idle);
        NSC_SHEET_ADD_ROW(sheet, &gpu);
    }
    nsc_sheet_note(
        sheet, "calls that launch work, a graph launch counts as one; starved: begun less than 10 "
               "us after the call; idle: share of the time from the GPU's first work to its last, "
               "copies included; a storm needs many calls, starved kernels and an idle GPU");
}

static void add_by_pid(struct nsc_hotspots *report, const bool *is_stormy)
{
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "storm_by_pid", "Launches by process", columns);
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);
    size_t n = nsc_hotspots_limit(sheet, pids.rows.n, 10);
    struct storm *storms = nsc_xcalloc(n + 1, sizeof *storms);
    bool *done = nsc_xcalloc(n + 1, sizeof *done);

    for (size_t i = 0; i < n; i++)
        storms[i] = measure(report, is_stormy, pids.rows.at[order[i]].key[0]);
    for (size_t i = 0; i < n; i++) { /* the most launches a second first */
        size_t next = n;

        for (size_t k = 0; k < n; k++)
            if (!done[k] && (next == n || rate_of(&storms[k]) > rate_of(&storms[next])))
                next = k;
        struct nsc_hotspots_storm storm =
            describe(&storms[next], pids.rows.at[order[next]].key[0], true);

        done[next] = true;
        NSC_SHEET_ADD_ROW(sheet, &storm);
        free_times(&storms[next]);
    }
    free(done);
    free(storms);
    free(order);
    nsc_tally_fini(&pids);
}

void nsc_hotspots_launch_storm(struct nsc_hotspots *report)
{
    struct nsc_sheet *sheet = nsc_hotspots_sheet(report, "launch_storm", "Launches of kernels",
                                                 columns + 1, NSC_COUNT_OF(columns) - 1);
    struct storm storm;
    uint32_t n_tracks = 0;
    bool *is_stormy;

    (void)nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    is_stormy = nsc_xcalloc((size_t)n_tracks + 1, sizeof *is_stormy);
    add_by_gpu(report, is_stormy);
    storm = measure(report, is_stormy, UINT64_MAX);
    report->figures.storm = describe(&storm, UINT64_MAX, false);
    NSC_SHEET_ADD_ROW(sheet, &report->figures.storm);
    if (storm.n == 0)
        nsc_sheet_note(sheet, "no kernels");
    add_by_pid(report, is_stormy);
    free(is_stormy);
    nsc_duration_bins_sheet(&report->sheets, "kernel_durations", "Durations of kernels",
                            &storm.times->bins);
    free_times(&storm);
}
