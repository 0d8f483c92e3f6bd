/* Compares NVLink traffic during collectives with that outside, from the samples of GPU metrics. */
#include "nsyscope/cover.h"

#include "analysis/base/activity.h"
#include "analysis/hotspots/parts.h"
#include "core/text.h"

#include <math.h>

#define HINT                                                                         \
    "NVLink counters not found: record with nsys profile --gpu-metrics-devices=all " \
    "(--gpu-metrics-set of the GPU, as nsys profile --gpu-metrics-set=help lists them)"

struct samples { /* of one counter, inside and outside collectives */
    uint64_t n[2];
    double sum[2], squares, most;
};

static bool is_nvlink(struct nsc_text label)
{
    static const char *const words[] = {"nvlink", "nvlrx", "nvltx", NULL};

    return nsc_text_contains_any(label, words);
}

static bool keep_comm(const void *context, nsc_event event)
{
    const struct nsc_scope *scope = context;
    enum nsc_op_class work;

    return nsc_trace_work_of(scope->trace, event, &work) && work == NSC_OP_COMM;
}

static struct samples take_samples(const struct nsc_counter *counter, const struct nsc_cover *comm,
                                   struct nsc_window window)
{
    struct samples samples = {.most = -INFINITY};

    for (uint32_t i = 0; i < counter->n; i++) {
        nsc_time t = counter->time[i];
        double value = (double)counter->value[i];
        uint32_t at = nsc_cover_find(comm, t);
        bool active = at < nsc_cover_count(comm) && nsc_cover_at(comm, at).t0 <= t;

        if (t < window.t0 || t >= window.t1)
            continue;
        samples.n[active]++;
        samples.sum[active] += value;
        samples.squares += value * value;
        samples.most = value > samples.most ? value : samples.most;
    }
    return samples;
}

/* Pearson's correlation of the values with 1 during collectives and 0 outside. */
static double correlation(const struct samples *samples)
{
    double n = (double)(samples->n[0] + samples->n[1]);
    double p = (double)samples->n[1] / n;
    double mean = (samples->sum[0] + samples->sum[1]) / n;
    double variance = samples->squares / n - mean * mean;

    return (samples->sum[1] / n - p * mean) / sqrt(variance * p * (1 - p));
}

static double mean(const struct samples *samples, bool active)
{
    return samples->n[active] ? samples->sum[active] / (double)samples->n[active] : (double)NAN;
}

struct nvlink_row {
    struct nsc_text metric;
    struct samples of;
    uint64_t all;
    double mean[2], correlation, sum; /* correlation: NAN if nothing varies */
};

void nsc_hotspots_nvlink(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(nvlink_row, metric, "metric"),
        NSC_COLUMN_COUNT(nvlink_row, all, "samples"),
        NSC_COLUMN_COUNT(nvlink_row, of.n[1], "samples_in_collectives"),
        NSC_COLUMN_NUMBER(nvlink_row, mean[1], "mean_in_collectives", 3),
        NSC_COLUMN_NUMBER(nvlink_row, mean[0], "mean_outside", 3),
        NSC_COLUMN_NUMBER(nvlink_row, of.most, "max", 3),
        NSC_COLUMN_NUMBER(nvlink_row, correlation, "correlation", 3),
        NSC_COLUMN_NUMBER(nvlink_row, sum, "sum", 3),
    };
    const struct nsc_scope *scope = &report->query->scope;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "nvlink_during_nccl", "NVLink while collectives run", columns);
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(scope->trace, &n);
    struct nsc_cover *comm = NULL; /* built for the first counter of NVLink */

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text label = nsc_trace_string(scope->trace, tracks[counters[i].track].label);
        struct samples of;

        if (!is_nvlink(label))
            continue;
        if (!comm)
            comm = nsc_scope_cover_streams(scope, keep_comm);
        of = take_samples(&counters[i], comm, scope->window);
        if (of.n[0] + of.n[1] > 0)
            NSC_ADD_ROW(sheet, nvlink_row, .metric = label, .of = of, .all = of.n[0] + of.n[1],
                        .mean = {mean(&of, false), mean(&of, true)},
                        .correlation = correlation(&of), .sum = of.sum[0] + of.sum[1]);
    }
    nsc_sheet_note_empty(sheet, HINT);
    nsc_cover_free(comm);
}
