/* Attributes samples of GPU counters to the kernels that ran alone while they were taken. */
#include "analysis/device/kernel_metrics.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct attribution {
    struct nsc_kernel_metrics *out;
    const struct nsc_scope *scope;
    const struct nsc_counter *counter[NSC_N_KERNEL_COUNTERS]; /* NULL: not recorded */
    const struct nsc_counter *clock;                          /* one of them, for the sample
                                                               * times */
    uint32_t device;
    uint32_t *of_name; /* index + 1 in out->at */
};

static bool is_counter(struct nsc_text label, enum nsc_kernel_counter counter)
{
    static const char *const names[NSC_N_KERNEL_COUNTERS][2] = {{"sm active", "sms active"},
                                                                {"sm issue", "sm issue"},
                                                                {"tensor active", "tensor pipe"},
                                                                {"dram read", "dram read"},
                                                                {"dram write", "dram write"}};

    return nsc_text_contains_folded(label, nsc_text_from(names[counter][0])) ||
           nsc_text_contains_folded(label, nsc_text_from(names[counter][1]));
}

/* Finds the counters of a device; false if it has none for issuing or memory. */
static bool find_counters(struct attribution *of)
{
    const struct nsc_trace *trace = of->scope->trace;
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(trace, &n);

    of->clock = NULL;
    for (int k = 0; k < NSC_N_KERNEL_COUNTERS; k++) {
        of->counter[k] = NULL;
        for (uint32_t i = 0; i < n && !of->counter[k]; i++)
            if (nsc_trace_group_of(trace, counters[i].track) == of->device && counters[i].n > 2 &&
                counters[i].min >= 0 && counters[i].max <= 100 &&
                is_counter(
                    nsc_trace_string(trace, nsc_trace_track(trace, counters[i].track)->label),
                    (enum nsc_kernel_counter)k))
                of->counter[k] = &counters[i];
        if (k != NSC_COUNTER_SM_ACTIVE && of->counter[k] && !of->clock)
            of->clock = of->counter[k];
    }
    return of->clock != NULL;
}

/* The first sample at t or later; n if there is none. */
static uint32_t first_sample(const struct nsc_counter *counter, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = counter->n;

    NSC_BISECT(low, high, middle, counter->time[middle] < t);
    return low;
}

/* Whether the kernel is the only op of its device that touches the window. */
static bool is_alone(const struct attribution *of, nsc_event kernel, struct nsc_window w)
{
    for (struct nsc_lane_walk at = nsc_device_lanes(of->scope->trace, of->device);
         nsc_lane_walk_next(&at);) {
        struct nsc_row_range rows = nsc_lane_rows(of->scope->trace, at.lane, w);

        if (rows.end > rows.first + 1 || (rows.end > rows.first && rows.first != kernel))
            return false;
    }
    return true;
}

static struct nsc_kernel_metric *metric_of(struct attribution *of, nsc_name name)
{
    struct nsc_kernel_metrics *out = of->out;
    uint32_t *slot = &of->of_name[name];

    if (*slot > 0 && out->at[*slot - 1].device == of->device)
        return &out->at[*slot - 1];
    *NSC_VEC_ADD(out) = (struct nsc_kernel_metric){.device = of->device, .name = name};
    *slot = (uint32_t)out->n;
    return &out->at[out->n - 1];
}

static void add_sample(struct attribution *of, nsc_name name, nsc_time t)
{
    struct nsc_kernel_metric *to = metric_of(of, name);

    to->samples++;
    for (int k = 0; k < NSC_N_KERNEL_COUNTERS; k++) {
        uint32_t at = of->counter[k] ? first_sample(of->counter[k], t) : 0;

        if (!of->counter[k] || at == of->counter[k]->n || of->counter[k]->time[at] != t)
            continue;
        to->n[k]++;
        to->sum[k] += (double)of->counter[k]->value[at];
    }
}

static void attribute_kernel(struct attribution *of, nsc_event kernel)
{
    const struct nsc_events *events = nsc_trace_events(of->scope->trace);
    nsc_time end = nsc_event_end(events, kernel);
    const nsc_time *time = of->clock->time;

    for (uint32_t i = first_sample(of->clock, events->start[kernel]) + 1;
         i + 1 < of->clock->n && time[i + 1] <= end; i++)
        if (is_alone(of, kernel, (struct nsc_window){time[i - 1], time[i + 1]}))
            add_sample(of, events->name[kernel], time[i]);
}

static void attribute_device(struct attribution *of)
{
    const struct nsc_events *events = nsc_trace_events(of->scope->trace);

    for (struct nsc_scope_cursor at = nsc_scope_open_device(of->scope, of->device);
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL)
            attribute_kernel(of, at.row);
}

NSC_COMPARE(compare_metrics, struct nsc_kernel_metric,
            NSC_MOST(samples) || NSC_LEAST(device) || NSC_LEAST(name))

void nsc_kernel_metrics_build(struct nsc_kernel_metrics *out, const struct nsc_scope *scope)
{
    struct attribution of = {.out = out, .scope = scope};

    *out = (struct nsc_kernel_metrics){0};
    of.of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *of.of_name);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        of.device = d;
        if (!find_counters(&of))
            continue;
        out->has_counters = true;
        attribute_device(&of);
    }
    NSC_VEC_SORT(out, compare_metrics);
    free(of.of_name);
}

void nsc_kernel_metrics_fini(struct nsc_kernel_metrics *metrics)
{
    free(metrics->at);
    *metrics = (struct nsc_kernel_metrics){0};
}

double nsc_kernel_metric_mean(const struct nsc_kernel_metric *metric,
                              enum nsc_kernel_counter counter)
{
    return metric->n[counter] > 0 ? metric->sum[counter] / metric->n[counter] : -1;
}

double nsc_kernel_metric_dram(const struct nsc_kernel_metric *metric)
{
    double reads = nsc_kernel_metric_mean(metric, NSC_COUNTER_DRAM_READ);
    double writes = nsc_kernel_metric_mean(metric, NSC_COUNTER_DRAM_WRITE);

    return reads < 0 || writes < 0 ? -1 : reads + writes;
}

const char *nsc_kernel_metric_verdict(const struct nsc_kernel_metric *metric)
{
    double dram = nsc_kernel_metric_dram(metric);
    double issue = nsc_kernel_metric_mean(metric, NSC_COUNTER_SM_ISSUE);
    double tensor = nsc_kernel_metric_mean(metric, NSC_COUNTER_TENSOR);
    double active = nsc_kernel_metric_mean(metric, NSC_COUNTER_SM_ACTIVE);
    double most = issue > tensor ? issue : tensor;

    if (metric->samples < NSC_METRIC_SAMPLES)
        return "too few samples";
    if (dram < 0 || most < 0)
        return "not known";
    if (dram >= NSC_METRIC_BOUND && dram > most)
        return "memory";
    if (most >= NSC_METRIC_BOUND)
        return tensor > issue ? "tensor cores" : "issuing instructions";
    return active >= 0 && active < NSC_METRIC_FEW_SMS ? "few active SMs" : "latency";
}
