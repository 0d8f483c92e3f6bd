/*
 * Measures the time from the end of the launching call to the start of the kernel: sum, spread and
 * the worst.
 *
 * The latency of a kernel that starts before its call returns is 0. A long latency need not be a
 * fault: work that is queued behind other work waits.
 */
#include "analysis/base/histogram.h"
#include "analysis/base/longest.h"
#include "analysis/base/quantile.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"

#include <math.h>

#define WORST    100
#define BINS_MIN 8
#define BINS_MAX 30

struct latency {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    NSC_VEC(nsc_time) ns;    /* of each kernel; changes its order */
    nsc_time total, longest; /* longest: 0 without any */
    struct nsc_longest worst;
    struct nsc_duration_bins bins;
};

static uint32_t track_of(const struct latency *latency, nsc_event kernel)
{
    const struct nsc_trace *trace = latency->report->query->scope.trace;

    return nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, kernel)].track;
}

struct latency_row {
    size_t count, without;
    double mean, p50, p95, p99, longest; /* ns; NAN without any */
    nsc_time total;
};

/* NAN if there are no latencies. */
static double quantile(struct latency *latency, double at)
{
    return latency->ns.n ? nsc_quantile_linear(latency->ns.at, latency->ns.n, at) : (double)NAN;
}

static void add_summary(struct latency *latency)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_COUNT(latency_row, count, "count"),
        NSC_COLUMN_COUNT(latency_row, without, "without_call"),
        NSC_COLUMN_US(latency_row, mean, "mean_us"),
        NSC_COLUMN_US(latency_row, p50, "p50_us"),
        NSC_COLUMN_US(latency_row, p95, "p95_us"),
        NSC_COLUMN_US(latency_row, p99, "p99_us"),
        NSC_COLUMN_US(latency_row, longest, "max_us"),
        NSC_COLUMN_NS(latency_row, total, "total_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(latency->report, "launch_latency", "From launch to start", columns);

    NSC_ADD_ROW(
        sheet, latency_row, .count = latency->ns.n,
        .without = latency->report->kernels.n - latency->ns.n,
        .mean = (double)latency->total / (double)latency->ns.n, .p50 = quantile(latency, 0.5),
        .p95 = quantile(latency, 0.95), .p99 = quantile(latency, 0.99),
        .longest = latency->ns.n ? (double)latency->longest : (double)NAN, .total = latency->total);
    nsc_sheet_note(sheet, "from the end of the launch call to the start of the kernel, 0 if the "
                          "kernel starts earlier; a long wait behind other work does no harm");
}

static size_t root_of(size_t n)
{
    size_t root = 0;

    while ((root + 1) * (root + 1) <= n && root < BINS_MAX)
        root++;
    return root;
}

struct latency_bin_row {
    double from, to; /* ns */
    uint64_t count;
};

/* The first bin that ends after ns, else the last one. The quotient may be off by rounding. */
static size_t bin_of(double ns, double width, size_t n_bins)
{
    size_t bin = width > 0 ? (size_t)(ns / width) : 0;

    bin = bin < n_bins ? bin : n_bins - 1;
    while (bin > 0 && ns < width * (double)bin)
        bin--;
    while (bin + 1 < n_bins && ns >= width * (double)(bin + 1))
        bin++;
    return bin;
}

/* Equal bins from 0 to the longest latency. */
struct equal_bins {
    size_t n;
    double width; /* ns */
    uint64_t count[BINS_MAX];
};

static struct equal_bins equal_bins(const struct latency *latency)
{
    size_t n = root_of(latency->ns.n);
    struct equal_bins bins = {.n = n < BINS_MIN ? BINS_MIN : n > BINS_MAX ? BINS_MAX : n};

    bins.width = (double)latency->longest / (double)bins.n;
    for (size_t i = 0; i < latency->ns.n; i++)
        bins.count[bin_of((double)latency->ns.at[i], bins.width, bins.n)]++;
    return bins;
}

static void add_histogram(const struct latency *latency)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_US(latency_bin_row, from, "from_us"),
        NSC_COLUMN_US(latency_bin_row, to, "to_us"),
        NSC_COLUMN_COUNT(latency_bin_row, count, "count"),
    };
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(latency->report, "launch_latency_histogram",
                                                 "From launch to start, in equal bins", columns);
    struct equal_bins bins = equal_bins(latency);

    for (size_t b = 0; latency->ns.n > 0 && b < bins.n; b++)
        NSC_ADD_ROW(sheet, latency_bin_row, .from = bins.width * (double)b,
                    .to = bins.width * (double)(b + 1), .count = bins.count[b]);
}

struct latency_kernel_row {
    struct nsc_text name;
    nsc_time ns, start;
    uint32_t pid;
    int64_t device, stream;
};

static void add_worst(const struct latency *latency)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(latency_kernel_row, name, "kernel_name"),
        NSC_COLUMN_US(latency_kernel_row, ns, "latency_us"),
        NSC_COLUMN_ID(latency_kernel_row, pid, "pid"),
        NSC_COLUMN_ID(latency_kernel_row, device, "device_id"),
        NSC_COLUMN_ID(latency_kernel_row, stream, "stream_id"),
        NSC_COLUMN_INSTANT(latency_kernel_row, start, "start_ns"),
        NSC_COLUMN_NS(latency_kernel_row, ns, "latency_ns"),
    };
    struct nsc_hotspots *report = latency->report;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, NULL);
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "launch_latency_worst", "Longest from launch to start", columns);

    (void)nsc_hotspots_limit(sheet, latency->ns.n, latency->worst.kept.n);
    for (size_t i = 0; i < latency->worst.kept.n; i++) {
        nsc_event kernel = latency->worst.kept.at[i].event;
        const struct nsc_track *track = &tracks[track_of(latency, kernel)];

        NSC_ADD_ROW(sheet, latency_kernel_row,
                    .name = nsc_texts_at(&report->texts, nsc_texts_of(&report->texts, kernel)),
                    .ns = latency->worst.kept.at[i].length, .pid = track->pid,
                    .device = track->device, .stream = track->stream,
                    .start = latency->events->start[kernel]);
    }
}

static void add_kernel(struct latency *latency, nsc_event kernel)
{
    const struct nsc_events *events = latency->events;
    nsc_time ns = nsc_span(nsc_event_end(events, events->link[kernel]), events->start[kernel]);

    *NSC_VEC_ADD(&latency->ns) = ns;
    latency->total = nsc_sum(latency->total, ns);
    latency->longest = nsc_later(latency->longest, ns);
    nsc_duration_bins_add(&latency->bins, ns);
    nsc_longest_add(&latency->worst, kernel, ns);
}

/* Adds the kernels of the scope in the order of launches, whose calls stand side by side; those of
 * one stream do not. */
static void add_kernels(struct latency *latency)
{
    const struct nsc_scope *scope = &latency->report->query->scope;
    const struct nsc_launches *launches = nsc_hotspots_launches(latency->report);

    for (uint32_t i = 0, n = nsc_launches_count(launches); i < n; i++) {
        nsc_event op = nsc_launches_op(launches, i);

        if (latency->events->kind[op] == NSC_KIND_KERNEL &&
            nsc_scope_has_row(scope, latency->events, op))
            add_kernel(latency, op);
    }
    nsc_longest_end(&latency->worst);
}

void nsc_hotspots_launch_latency(struct nsc_hotspots *report)
{
    struct latency latency = {.report = report,
                              .events = nsc_trace_events(report->query->scope.trace),
                              .worst = nsc_longest_new(WORST)};

    add_kernels(&latency);
    add_summary(&latency);
    nsc_duration_bins_sheet(&report->sheets, "launch_latency_bins",
                            "From launch to start, in fixed bins", &latency.bins);
    add_histogram(&latency);
    add_worst(&latency);
    NSC_VEC_FINI(&latency.ns);
    nsc_longest_fini(&latency.worst);
}
