/*
 * Counts kernel launches a second and measures how short kernels are, over all, by process and by
 * GPU.
 *
 * A storm is that of the finding small-launches: many calls launch work on a GPU, which still starves. A process has a storm if a GPU on which it runs kernels has one; likewise the
 * whole.
 */
#include "analysis/base/histogram.h"
#include "analysis/base/quantile.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/launch_times.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"
#include "core/vec.h"

#include <math.h>

enum { PIDS = 10, N_LIMITS = 3, N_QUANTILE = 3 }; /* PIDS: most processes that are listed */
#define ALL_PIDS UINT64_MAX

static const nsc_time limits[N_LIMITS] = {5000, 10000, 20000};
static const double quantiles[N_QUANTILE] = {0.5, 0.9, 0.99};

struct storm_row {
    uint64_t pid; /* UINT64_MAX: all */
    uint64_t n;   /* launches */
    nsc_time window;
    double window_s, rate;          /* rate: launches a second */
    double quantile_us[N_QUANTILE]; /* NAN if there are none */
    uint64_t under[N_LIMITS];
    double under_share[N_LIMITS]; /* % */
    bool is_storm;
};

/* The kernels of a process, or all. */
struct storm {
    uint64_t pid;
    nsc_time *times; /* their durations; quantiles change the order */
    size_t n;
    struct nsc_window span;
    bool is_on_gpu; /* on a GPU with a storm */
};

/* A process counts only kernels longer than 0 ns. */
static void add_stream(struct storm *storm, const struct nsc_hotspots *report, uint32_t track)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(report, track);

    for (nsc_event event; (event = nsc_kernel_walk_next(&walk)) != NSC_NONE;) {
        nsc_time ns = nsc_event_duration(walk.events, event);

        storm->span.t0 = nsc_earlier(storm->span.t0, walk.events->start[event]);
        storm->span.t1 = nsc_later(storm->span.t1, nsc_event_end(walk.events, event));
        if (ns > 0 || storm->pid == ALL_PIDS)
            storm->times[storm->n++] = ns;
    }
}

/* Percentiles of a process are elements (nearest rank); those of all kernels are interpolated. NAN
 * without kernels. */
static double quantile_us(struct storm *storm, double q)
{
    if (storm->n == 0)
        return (double)NAN;
    if (storm->pid == ALL_PIDS)
        return nsc_quantile_linear(storm->times, storm->n, q) / 1e3;
    return (double)nsc_quantile_nearest(storm->times, storm->n, q) / 1e3;
}

static struct storm_row describe(struct storm *storm)
{
    struct storm_row out = {.pid = storm->pid, .n = storm->n};

    if (out.n > 0) {
        out.window = nsc_later(1, nsc_span(storm->span.t0, storm->span.t1));
        out.window_s = (double)out.window / 1e9;
        out.rate = (double)out.n / out.window_s;
        out.is_storm = storm->is_on_gpu;
    }
    for (size_t i = 0; i < storm->n; i++)
        for (unsigned k = 0; k < N_LIMITS; k++)
            out.under[k] += storm->times[i] < limits[k];
    for (unsigned k = 0; k < N_LIMITS; k++)
        out.under_share[k] = 100.0 * (double)out.under[k] / (double)(out.n ? out.n : 1);
    for (unsigned k = 0; k < N_QUANTILE; k++)
        out.quantile_us[k] = quantile_us(storm, quantiles[k]);
    return out;
}

/* The kernels of a process, or all. times: room for all kernels; gets their durations in any order. */
static struct storm_row measure(const struct nsc_hotspots *report, uint64_t pid,
                                const bool *is_stormy, nsc_time times[])
{
    struct storm storm = {.pid = pid, .times = times, .span = {INT64_MAX, INT64_MIN}};

    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        uint32_t track = report->kernels.streams.at[k].track;

        if (pid != ALL_PIDS && nsc_hotspots_pid(report, track) != pid)
            continue;
        if (is_stormy[nsc_trace_group_of(report->query->scope.trace, track)])
            storm.is_on_gpu = true;
        add_stream(&storm, report, track);
    }
    return describe(&storm);
}

#define OF_KERNELS "the kernels"
static const struct nsc_sheet_column columns[] = {
    NSC_COLUMN_ID(storm_row, pid, "pid"), /* only by process */
    NSC_COLUMN_COUNT(storm_row, n, "total_launches"),
    NSC_COLUMN_NS(storm_row, window, "window_ns"),
    NSC_COLUMN_NUMBER(storm_row, window_s, "window_s", 9),
    NSC_COLUMN_NUMBER(storm_row, rate, "launches_per_s", 6),
    NSC_COLUMN_NUMBER(storm_row, quantile_us[0], "p50_kernel_us", 6),
    NSC_COLUMN_NUMBER(storm_row, quantile_us[1], "p90_kernel_us", 6),
    NSC_COLUMN_NUMBER(storm_row, quantile_us[2], "p99_kernel_us", 6),
    NSC_COLUMN_PCT(storm_row, under_share[0], "pct_under_5us", OF_KERNELS),
    NSC_COLUMN_PCT(storm_row, under_share[1], "pct_under_10us", OF_KERNELS),
    NSC_COLUMN_PCT(storm_row, under_share[2], "pct_under_20us", OF_KERNELS),
    NSC_COLUMN_YES(storm_row, is_storm, "is_launch_storm"),
    NSC_COLUMN_COUNT(storm_row, under[0], "under_5us"),
    NSC_COLUMN_COUNT(storm_row, under[1], "under_10us"),
    NSC_COLUMN_COUNT(storm_row, under[2], "under_20us"),
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

        if (!nsc_launch_times_build(&gpu.times, scope, d) || gpu.times.n == 0 ||
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

NSC_COMPARE(compare_rates, struct storm_row, NSC_MOST(rate) || NSC_LEAST(pid))

/* The processes with the most kernel time, the most launches a second first. */
static void add_by_pid(struct nsc_hotspots *report, const bool *is_stormy, nsc_time times[])
{
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "storm_by_pid", "Launches by process", columns);
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);
    size_t n = nsc_hotspots_limit(sheet, pids.rows.n, PIDS);
    struct storm_row storms[PIDS];

    for (size_t i = 0; i < n; i++)
        storms[i] = measure(report, pids.rows.at[order[i]].key[0], is_stormy, times);
    qsort(storms, n, sizeof *storms, compare_rates);
    for (size_t i = 0; i < n; i++)
        NSC_SHEET_ADD_ROW(sheet, &storms[i]);
    free(order);
    nsc_tally_fini(&pids);
}

void nsc_hotspots_launch_storm(struct nsc_hotspots *report)
{
    struct nsc_sheet *sheet = nsc_hotspots_sheet(report, "launch_storm", "Launches of kernels",
                                                 columns + 1, NSC_COUNT_OF(columns) - 1);
    struct nsc_duration_bins bins = {0};
    nsc_time *times = nsc_xmalloc((report->kernels.n + 1) * sizeof *times);
    uint32_t n_tracks = 0;
    struct storm_row all;
    bool *is_stormy;

    (void)nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    is_stormy = nsc_xcalloc((size_t)n_tracks + 1, sizeof *is_stormy);
    add_by_gpu(report, is_stormy);
    all = measure(report, ALL_PIDS, is_stormy, times);
    for (size_t i = 0; i < all.n; i++)
        nsc_duration_bins_add(&bins, times[i]);
    NSC_SHEET_ADD_ROW(sheet, &all);
    if (all.n == 0)
        nsc_sheet_note(sheet, "no kernels");
    add_by_pid(report, is_stormy, times);
    free(is_stormy);
    free(times);
    nsc_duration_bins_sheet(&report->sheets, "kernel_durations", "Durations of kernels", &bins);
}
