/* Measures launches of a device, in one walk over its kernels. */
#include "analysis/device/launch_times.h"

#include "analysis/base/correlate.h"
#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "analysis/names/call_class.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

struct values { /* in ns; quantiles change their order */
    nsc_time *at;
    size_t n, capacity;
};

struct kernel {
    nsc_time start, duration;
    nsc_name name;
    nsc_event call; /* NSC_NONE if not known, and then the rest is not set */
    bool is_first;  /* first op launched by the call */
    nsc_time call_start, api;
    nsc_time delay; /* from the end of the call to start; negative if the kernel begins first */
};

struct pass {
    struct nsc_launch_times *out;
    const struct nsc_scope *scope;
    struct nsc_call_classes classes;
    struct values durations, totals, delays, api;
    struct nsc_launch_detail *detail;
    nsc_time late_ns;
};

/* ---- values ---- */

/* 0 if there are none. */
static nsc_time quantile_of(struct values *values, uint32_t q)
{
    return values->n ? nsc_quantile(values->at, values->n, q) : 0;
}

static struct nsc_launch_figures figures_of(struct values *values)
{
    struct nsc_launch_figures figures = {.n = values->n};

    for (size_t i = 0; i < values->n; i++) {
        figures.sum = nsc_sum(figures.sum, values->at[i]);
        figures.max = nsc_later(figures.max, values->at[i]);
    }
    figures.median = quantile_of(values, 500);
    figures.p95 = quantile_of(values, 950);
    return figures;
}

/* Keeps queue times only: delays that are not negative. */
static void drop_negative(struct values *values)
{
    size_t n = 0;

    for (size_t i = 0; i < values->n; i++)
        if (values->at[i] >= 0)
            values->at[n++] = values->at[i];
    values->n = n;
}

/* ---- sums ---- */

void nsc_launch_table_init(struct nsc_launch_table *table, uint32_t keys)
{
    *table = (struct nsc_launch_table){0};
    nsc_sparse_init(&table->slot, keys, sizeof(uint32_t));
}

void nsc_launch_table_fini(struct nsc_launch_table *table)
{
    free(table->at);
    nsc_sparse_fini(&table->slot);
    *table = (struct nsc_launch_table){0};
}

void nsc_launch_table_add(struct nsc_launch_table *table, uint32_t key,
                          const struct nsc_launch_sums *of)
{
    uint32_t *slot = nsc_sparse_at(&table->slot, key);
    struct nsc_launch_sums *to;

    if (*slot == 0) {
        *NSC_VEC_ADD(table) = (struct nsc_launch_sums){.key = key};
        *slot = (uint32_t)table->n;
    }
    to = &table->at[*slot - 1];
    to->kernels += of->kernels;
    to->calls += of->calls;
    to->queued += of->queued;
    to->late += of->late;
    to->kernel = nsc_sum(to->kernel, of->kernel);
    to->api = nsc_sum(to->api, of->api);
    to->api_max = nsc_later(to->api_max, of->api_max);
    to->queue = nsc_sum(to->queue, of->queue);
    to->queue_max = nsc_later(to->queue_max, of->queue_max);
}

/* ---- the kernels ---- */

static inline void count_work(struct nsc_launch_times *out, const struct kernel *kernel)
{
    out->n++;
    out->below_5us += kernel->duration < 5000;
    out->below_10us += kernel->duration < 10000;
    out->below_20us += kernel->duration < 20000;
    if (kernel->call == NSC_NONE)
        return;
    out->known++;
    if (kernel->duration < kernel->api) {
        out->is_short++;
        out->short_work = nsc_sum(out->short_work, kernel->duration);
    }
}

/* A call counts once, with its first op, to which the export links it. */
static inline void count_launch(struct pass *pass, const struct kernel *kernel)
{
    struct nsc_launch_times *out = pass->out;

    out->starved += kernel->delay < NSC_STARVED_NS;
    out->replayed += nsc_call_class_of(&pass->classes, kernel->call) == NSC_CALL_GRAPH;
}

/* Totals, delays and calls. */
static inline void measure_times(struct pass *pass, const struct kernel *kernel)
{
    *NSC_VEC_ADD(&pass->totals) =
        nsc_span(kernel->call_start,
                 nsc_later(kernel->call_start + kernel->api, kernel->start + kernel->duration));
    *NSC_VEC_ADD(&pass->delays) = kernel->delay;
    if (kernel->is_first)
        *NSC_VEC_ADD(&pass->api) = kernel->api;
}

/* The sums of one kernel. */
static inline struct nsc_launch_sums sums_of(const struct kernel *kernel, nsc_time late_ns)
{
    struct nsc_launch_sums sums = {.kernels = 1, .kernel = kernel->duration};

    if (kernel->is_first) {
        sums.calls = 1;
        sums.api = sums.api_max = kernel->api;
    }
    if (kernel->delay >= 0) {
        sums.queued = 1;
        sums.queue = sums.queue_max = kernel->delay;
        sums.late = kernel->delay > late_ns;
    }
    return sums;
}

static inline void measure_kernel(struct pass *pass, const struct kernel *kernel)
{
    struct nsc_launch_sums sums;

    *NSC_VEC_ADD(&pass->durations) = kernel->duration;
    count_work(pass->out, kernel);
    if (kernel->call == NSC_NONE)
        return;
    count_launch(pass, kernel);
    measure_times(pass, kernel);
    sums = sums_of(kernel, pass->late_ns);
    nsc_launch_table_add(&pass->detail->by_name, kernel->name, &sums);
    nsc_launch_table_add(&pass->detail->by_thread,
                         nsc_event_group(pass->scope->trace, kernel->call), &sums);
}

static void pass_row(struct pass *pass, const struct nsc_events *events, nsc_event row)
{
    struct kernel kernel = {.name = events->name[row],
                            .call = events->link[row],
                            .start = events->start[row],
                            .duration = nsc_event_duration(events, row)};

    if (kernel.call != NSC_NONE) {
        nsc_time call_end = nsc_event_end(events, kernel.call);

        kernel.call_start = events->start[kernel.call];
        kernel.api = nsc_event_duration(events, kernel.call);
        kernel.delay = nsc_difference(kernel.start, call_end);
        kernel.is_first = events->link[kernel.call] == row;
    }
    measure_kernel(pass, &kernel);
}

static void measure_all(struct pass *pass, struct nsc_launch_times *out)
{
    out->duration = figures_of(&pass->durations);
    out->total = figures_of(&pass->totals);
    out->delay_median = quantile_of(&pass->delays, 500);
    drop_negative(&pass->delays);
    out->queue = figures_of(&pass->delays);
    out->api = figures_of(&pass->api);
}

static bool measure(struct nsc_launch_detail *out, const struct nsc_scope *scope, uint32_t device,
                    nsc_time late_ns)
{
    struct pass pass = {.out = &out->times, .scope = scope, .detail = out, .late_ns = late_ns};
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_scope own = nsc_device_scope(scope, device);
    uint32_t n_tracks = 0;

    *out = (struct nsc_launch_detail){0};
    if (!nsc_queue_depths_build(&out->depths, scope, device))
        return false;
    out->times.window = out->depths.window;
    (void)nsc_trace_tracks(scope->trace, &n_tracks);
    nsc_launch_table_init(&out->by_name, nsc_trace_names(scope->trace)->n + 1);
    nsc_launch_table_init(&out->by_thread, n_tracks + 1);
    nsc_call_classes_build(&pass.classes, scope->trace);
    for (struct nsc_scope_cursor at = nsc_scope_open_device(&own, device); nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL)
            pass_row(&pass, events, at.row);
    nsc_call_classes_fini(&pass.classes);
    measure_all(&pass, &out->times);
    NSC_VEC_FINI(&pass.durations);
    NSC_VEC_FINI(&pass.totals);
    NSC_VEC_FINI(&pass.delays);
    NSC_VEC_FINI(&pass.api);
    nsc_sparse_fini(&out->by_name.slot); /* no key is looked up any more */
    nsc_sparse_fini(&out->by_thread.slot);
    return true;
}

static bool build_detail(void *value, const struct nsc_scope *scope, uint32_t device)
{
    return measure(value, scope, device, NSC_DEEP_QUEUE_NS);
}

static void fini_detail(void *value)
{
    struct nsc_launch_detail *detail = value;

    nsc_launch_table_fini(&detail->by_name);
    nsc_launch_table_fini(&detail->by_thread);
    nsc_queue_depths_fini(&detail->depths);
}

static const struct nsc_shared_kind detail_kind = {sizeof(struct nsc_launch_detail), build_detail,
                                                   fini_detail};

bool nsc_launch_detail_build(struct nsc_launch_detail *out, const struct nsc_scope *scope,
                             uint32_t device, nsc_time late_ns)
{
    return late_ns == NSC_DEEP_QUEUE_NS
               ? nsc_shared_ask(out, &out->is_kept, &detail_kind, scope, device)
               : measure(out, scope, device, late_ns);
}

void nsc_launch_detail_fini(struct nsc_launch_detail *detail)
{
    if (!detail->is_kept)
        fini_detail(detail);
}

/* ---- times ---- */

bool nsc_launch_times_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    struct nsc_launch_detail detail;
    bool result = nsc_launch_detail_build(&detail, scope, device, NSC_DEEP_QUEUE_NS);

    *out = detail.times;
    nsc_launch_detail_fini(&detail);
    return result;
}
