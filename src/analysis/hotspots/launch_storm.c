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
    struct nsc_window span;
    nsc_time window;
    struct nsc_binned_times *times; /* n of them; owned */
};

#define PIDS 10 /* most processes that are listed */

struct storms {
    const struct nsc_hotspots *report;
    struct storm all, of[PIDS];
    uint64_t pids[PIDS]; /* of the processes, by summed kernel time */
    size_t n;
};

static const nsc_time limits[3] = {5000, 10000, 20000};
static const double quantiles[3] = {0.5, 0.9, 0.99};

/* The storm of a stream's process if that is listed, else the one of all kernels. */
static struct storm *storm_of(struct storms *storms, const struct nsc_hotspots_stream *stream)
{
    for (size_t i = 0; i < storms->n; i++)
        if (storms->pids[i] == nsc_hotspots_pid(storms->report, stream->track))
            return &storms->of[i];
    return &storms->all;
}

/* Adds the kernels of a stream. A process counts only those longer than 0 ns; the others are added
 * to all at once. */
static void add_stream(struct storms *storms, const struct nsc_hotspots_stream *stream)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(storms->report, stream->track);
    struct storm *storm = storm_of(storms, stream);

    for (nsc_event event; (event = nsc_kernel_walk_next(&walk)) != NSC_NONE;) {
        nsc_time ns = nsc_event_duration(walk.events, event);
        struct storm *to = ns == 0 ? &storms->all : storm;

        storm->span.t0 = nsc_earlier(storm->span.t0, walk.events->start[event]);
        storm->span.t1 = nsc_later(storm->span.t1, nsc_event_end(walk.events, event));
        nsc_binned_times_add(to->times, ns);
        for (unsigned k = 0; k < 3; k++)
            to->under[k] += ns < limits[k];
    }
}

static void merge_storm(struct storm *to, const struct storm *from)
{
    nsc_binned_times_merge(to->times, from->times);
    for (unsigned k = 0; k < 3; k++)
        to->under[k] += from->under[k];
    to->is_on_gpu = to->is_on_gpu || from->is_on_gpu;
    to->span.t0 = nsc_earlier(to->span.t0, from->span.t0);
    to->span.t1 = nsc_later(to->span.t1, from->span.t1);
}

static void keep_stream(struct storms *storms, const struct nsc_hotspots_stream *stream)
{
    struct nsc_kernel_walk walk = nsc_kernel_walk(storms->report, stream->track);
    struct storm *storm = storm_of(storms, stream);

    for (nsc_event event; (event = nsc_kernel_walk_next(&walk)) != NSC_NONE;) {
        nsc_time ns = nsc_event_duration(walk.events, event);

        nsc_binned_times_keep(storms->all.times, ns);
        if (storm != &storms->all)
            nsc_binned_times_keep(storm->times, ns);
    }
}

static struct storm empty_storm(void)
{
    return (struct storm){.span = {INT64_MAX, INT64_MIN},
                          .times = nsc_xcalloc(1, sizeof(struct nsc_binned_times))};
}

static void end_storm(struct storm *storm)
{
    storm->n = storm->times->n;
    storm->window = nsc_later(1, nsc_span(storm->span.t0, storm->span.t1));
    nsc_binned_times_choose(storm->times, quantiles, NSC_COUNT_OF(quantiles));
}

/* Measures all kernels and those of the listed processes. */
static void measure(struct storms *storms, const bool *is_stormy)
{
    const struct nsc_hotspots *report = storms->report;

    storms->all = empty_storm();
    for (size_t i = 0; i < storms->n; i++)
        storms->of[i] = empty_storm();
    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[k];
        uint32_t gpu = nsc_trace_group_of(report->query->scope.trace, stream->track);

        if (is_stormy[gpu])
            storm_of(storms, stream)->is_on_gpu = true;
        add_stream(storms, stream);
    }
    for (size_t i = 0; i < storms->n; i++) {
        merge_storm(&storms->all, &storms->of[i]);
        end_storm(&storms->of[i]);
    }
    end_storm(&storms->all);
    for (size_t k = 0; k < report->kernels.streams.n; k++)
        keep_stream(storms, &report->kernels.streams.at[k]);
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

/* Lists the processes with the most kernel time; returns how many there are. */
static size_t list_pids(struct storms *storms)
{
    struct nsc_tally pids = nsc_hotspots_pid_tally(storms->report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);
    size_t n = pids.rows.n;

    storms->n = n < PIDS ? n : PIDS;
    for (size_t i = 0; i < storms->n; i++)
        storms->pids[i] = pids.rows.at[order[i]].key[0];
    free(order);
    nsc_tally_fini(&pids);
    return n;
}

/* The most launches a second first. */
static void add_by_pid(struct nsc_hotspots *report, struct storms *storms, size_t n_pids)
{
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "storm_by_pid", "Launches by process", columns);
    bool done[PIDS] = {false};

    (void)nsc_hotspots_limit(sheet, n_pids, PIDS);
    for (size_t i = 0; i < storms->n; i++) {
        struct nsc_hotspots_storm storm;
        size_t next = storms->n;

        for (size_t k = 0; k < storms->n; k++)
            if (!done[k] &&
                (next == storms->n || rate_of(&storms->of[k]) > rate_of(&storms->of[next])))
                next = k;
        storm = describe(&storms->of[next], storms->pids[next], true);
        done[next] = true;
        NSC_SHEET_ADD_ROW(sheet, &storm);
        free_times(&storms->of[next]);
    }
}

void nsc_hotspots_launch_storm(struct nsc_hotspots *report)
{
    struct nsc_sheet *sheet = nsc_hotspots_sheet(report, "launch_storm", "Launches of kernels",
                                                 columns + 1, NSC_COUNT_OF(columns) - 1);
    struct storms storms = {.report = report};
    size_t n_pids = list_pids(&storms);
    uint32_t n_tracks = 0;
    bool *is_stormy;

    (void)nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    is_stormy = nsc_xcalloc((size_t)n_tracks + 1, sizeof *is_stormy);
    add_by_gpu(report, is_stormy);
    measure(&storms, is_stormy);
    report->figures.storm = describe(&storms.all, UINT64_MAX, false);
    NSC_SHEET_ADD_ROW(sheet, &report->figures.storm);
    if (storms.all.n == 0)
        nsc_sheet_note(sheet, "no kernels");
    add_by_pid(report, &storms, n_pids);
    free(is_stormy);
    nsc_duration_bins_sheet(&report->sheets, "kernel_durations", "Durations of kernels",
                            &storms.all.times->bins);
    free_times(&storms.all);
}
