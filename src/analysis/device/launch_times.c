/* Measures launches of a device, in one pass over its kernels. Nearly all values take at most 4 bytes. */
#include "analysis/device/launch_times.h"

#include "analysis/base/device_rows.h"
#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "analysis/names/call_class.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { COUNTED = 16, BIN = 4, HALF_BITS = 2, HALVES = 8 };
#define MOST_LONGER 24
#else
enum { COUNTED = 1 << 17, BIN = 256, HALF_BITS = 16, HALVES = 1 << 16 };
#define MOST_LONGER UINT32_MAX
#endif

struct values {               /* in ns */
    uint32_t *counts;         /* how often each value in [0, COUNTED) occurs */
    NSC_VEC(uint32_t) longer; /* the values in [COUNTED, MOST_LONGER] */
    NSC_VEC(nsc_time) others; /* the values outside */
    /* from count_values() on: */
    uint64_t n_counted, n_before; /* counted values; negative ones */
    uint32_t bins[COUNTED / BIN]; /* sums of BIN counts each */
    uint32_t *uppers, *lowers;    /* longer values by upper half; those of one upper half by lower
                                   * half */
    uint32_t upper;               /* the one; HALVES: none */
};

struct kernel {
    nsc_time start, end;
    nsc_event event, call; /* call is NSC_NONE if not known */
    bool is_first;         /* first op launched by the call */
    nsc_time call_start, call_end;
};

struct pass {
    struct nsc_launch_times *out;
    const struct nsc_scope *scope;
    struct nsc_call_classes classes;
    struct values durations, totals, delays, api;
};

/* Counts a kernel, and adds its values. */
typedef void measure_kernel(struct pass *pass, const struct kernel *kernel);

/* ---- values ---- */

static void init_values(struct values *values)
{
    *values = (struct values){.counts = nsc_xcalloc(COUNTED, sizeof *values->counts)};
}

static void fini_values(struct values *values)
{
    free(values->counts);
    free(values->uppers);
    free(values->lowers);
    NSC_VEC_FINI(&values->longer);
    NSC_VEC_FINI(&values->others);
}

static inline void add_value(struct values *values, nsc_time value)
{
    if (value >= 0 && value < COUNTED)
        values->counts[value]++;
    else if (value >= 0 && value <= MOST_LONGER)
        *NSC_VEC_ADD(&values->longer) = (uint32_t)value;
    else
        *NSC_VEC_ADD(&values->others) = value;
}

static void count_values(struct values *values)
{
    for (uint32_t i = 0; i < COUNTED / BIN; i++) {
        for (uint32_t k = 0; k < BIN; k++)
            values->bins[i] += values->counts[i * BIN + k];
        values->n_counted += values->bins[i];
    }
    values->uppers = nsc_xcalloc(HALVES, sizeof *values->uppers);
    values->lowers = nsc_xcalloc(HALVES, sizeof *values->lowers);
    values->upper = HALVES;
    for (size_t i = 0; i < values->longer.n; i++)
        values->uppers[values->longer.at[i] >> HALF_BITS]++;
    for (size_t i = 0; i < values->others.n; i++)
        values->n_before += values->others.at[i] < 0;
}

static uint64_t number_of(const struct values *values)
{
    return values->n_counted + values->longer.n + values->others.n;
}

static void count_lowers(struct values *values, uint32_t upper)
{
    memset(values->lowers, 0, HALVES * sizeof *values->lowers);
    for (size_t i = 0; i < values->longer.n; i++)
        if (values->longer.at[i] >> HALF_BITS == upper)
            values->lowers[values->longer.at[i] & ((1u << HALF_BITS) - 1)]++;
    values->upper = upper;
}

/* The longer value at place k of the sorted ones: finds its upper half, then its lower one. */
static uint32_t select_longer(struct values *values, uint64_t k)
{
    uint32_t upper = 0;
    uint32_t lower = 0;

    for (; values->uppers[upper] <= k; upper++)
        k -= values->uppers[upper];
    if (values->upper != upper)
        count_lowers(values, upper);
    for (; values->lowers[lower] <= k; lower++)
        k -= values->lowers[lower];
    return upper << HALF_BITS | lower;
}

/* The value at place k of the sorted values, which are counted. */
static nsc_time value_at(struct values *values, uint64_t k)
{
    uint64_t before = values->n_before;
    uint64_t n_longer = values->longer.n;
    uint32_t bin = 0;
    uint32_t value;

    if (k < before)
        return nsc_select(values->others.at, values->others.n, k);
    if (k >= before + values->n_counted + n_longer)
        return nsc_select(values->others.at, values->others.n, k - values->n_counted - n_longer);
    if (k >= before + values->n_counted)
        return select_longer(values, k - before - values->n_counted);
    for (; before + values->bins[bin] <= k; bin++)
        before += values->bins[bin];
    for (value = bin * BIN; before + values->counts[value] <= k; value++)
        before += values->counts[value];
    return value;
}

/* As nsc_quantile, of values that are counted; 0 if there are none. */
static nsc_time quantile_of(struct values *values, uint32_t q)
{
    uint64_t n = number_of(values);
    uint64_t k = n > 0 ? (n - 1) * q / 1000 : 0;
    uint32_t rest = n > 0 ? (uint32_t)((n - 1) * q % 1000) : 0;
    nsc_time low = n > 0 ? value_at(values, k) : 0;

    return rest ? nsc_quantile_between(low, value_at(values, k + 1), rest) : low;
}

/* Adds the counted values of a bin that has some. */
static void add_bin(struct nsc_launch_figures *to, const struct values *values, uint32_t bin)
{
    for (uint32_t i = bin * BIN; i < (bin + 1) * BIN; i++) {
        to->sum += (nsc_time)i * values->counts[i];
        to->max = values->counts[i] > 0 ? i : to->max;
    }
}

/* The figures of values that are counted. */
static struct nsc_launch_figures figures_of(struct values *values)
{
    struct nsc_launch_figures figures = {.n = number_of(values)};

    for (uint32_t i = 0; i < COUNTED / BIN; i++)
        if (values->bins[i] > 0)
            add_bin(&figures, values, i);
    for (size_t i = 0; i < values->longer.n; i++) {
        figures.sum = nsc_sum(figures.sum, values->longer.at[i]);
        figures.max = nsc_later(figures.max, values->longer.at[i]);
    }
    for (size_t i = 0; i < values->others.n; i++) {
        figures.sum = nsc_sum(figures.sum, values->others.at[i]);
        figures.max = nsc_later(figures.max, values->others.at[i]);
    }
    figures.median = quantile_of(values, 500);
    figures.p95 = quantile_of(values, 950);
    return figures;
}

/* Keeps queue times only: delays that are not negative. */
static void drop_negative(struct values *values)
{
    size_t n = 0;

    for (size_t i = 0; i < values->others.n; i++)
        if (values->others.at[i] >= 0)
            values->others.at[n++] = values->others.at[i];
    values->others.n = n;
    values->n_before = 0;
}

/* ---- the kernels ---- */

/* Passes rows of a lane, which touch the window. */
static inline void pass_rows(struct pass *pass, nsc_event row, nsc_event end,
                             measure_kernel *measure)
{
    const struct nsc_events *events = nsc_trace_events(pass->scope->trace);

    for (; row < end; row++) {
        struct kernel kernel = {.event = row, .call = events->link[row]};

        if (events->kind[row] != NSC_KIND_KERNEL || !nsc_scope_selects(pass->scope, row))
            continue;
        kernel.start = events->start[row];
        kernel.end = nsc_event_end(events, row);
        if (kernel.call != NSC_NONE) {
            kernel.call_start = events->start[kernel.call];
            kernel.call_end = nsc_event_end(events, kernel.call);
            kernel.is_first = events->link[kernel.call] == row;
        }
        measure(pass, &kernel);
    }
}

/* ---- the measures ---- */

static inline void count_work(struct nsc_launch_times *out, const struct kernel *kernel)
{
    nsc_time duration = nsc_span(kernel->start, kernel->end);

    out->n++;
    out->below_5us += duration < 5000;
    out->below_10us += duration < 10000;
    out->below_20us += duration < 20000;
    if (kernel->call == NSC_NONE)
        return;
    out->known++;
    if (duration < nsc_span(kernel->call_start, kernel->call_end)) {
        out->is_short++;
        out->short_work = nsc_sum(out->short_work, duration);
    }
}

/* Adds the part of a call inside the window. A call counts once, with its first op, to which the
 * export links it. */
static inline void add_inside(struct pass *pass, const struct kernel *kernel)
{
    struct nsc_launch_times *out = pass->out;

    if (kernel->is_first)
        out->api_inside =
            nsc_sum(out->api_inside, nsc_span(nsc_later(kernel->call_start, out->window.t0),
                                              nsc_earlier(kernel->call_end, out->window.t1)));
}

static inline void count_launch(struct pass *pass, const struct kernel *kernel)
{
    struct nsc_launch_times *out = pass->out;

    out->starved += nsc_span(kernel->call_end, kernel->start) < NSC_STARVED_NS;
    out->replayed += nsc_call_class_of(&pass->classes, kernel->call) == NSC_CALL_GRAPH;
    if (!kernel->is_first)
        return;
    out->api.n++;
    out->api.sum = nsc_sum(out->api.sum, nsc_span(kernel->call_start, kernel->call_end));
    add_inside(pass, kernel);
}

/* Counts only, and the durations. */
static inline void measure_counts(struct pass *pass, const struct kernel *kernel)
{
    add_value(&pass->durations, nsc_span(kernel->start, kernel->end));
    count_work(pass->out, kernel);
    if (kernel->call != NSC_NONE)
        count_launch(pass, kernel);
}

/* Also totals, delays (negative for a kernel that begins before its call ends) and calls. */
static inline void measure_times(struct pass *pass, const struct kernel *kernel)
{
    measure_counts(pass, kernel);
    if (kernel->call == NSC_NONE)
        return;
    add_value(&pass->totals,
              nsc_span(kernel->call_start, nsc_later(kernel->call_end, kernel->end)));
    add_value(&pass->delays, nsc_span(kernel->call_end, kernel->start) -
                                 nsc_span(kernel->start, kernel->call_end));
    if (kernel->is_first)
        add_value(&pass->api, nsc_span(kernel->call_start, kernel->call_end));
}

/* ---- a pass ---- */

static void pass_counts(void *context, const struct nsc_scope *own, nsc_event row, nsc_event end)
{
    (void)own;
    pass_rows(context, row, end, measure_counts);
}

static void pass_times(void *context, const struct nsc_scope *own, nsc_event row, nsc_event end)
{
    (void)own;
    pass_rows(context, row, end, measure_times);
}

static void pass_inside(void *context, const struct nsc_scope *own, nsc_event row, nsc_event end)
{
    (void)own;
    pass_rows(context, row, end, add_inside);
}

static void begin(struct pass *pass, struct nsc_launch_times *out, const struct nsc_scope *scope)
{
    *pass = (struct pass){.out = out, .scope = scope};
    nsc_call_classes_build(&pass->classes, scope->trace);
    init_values(&pass->durations);
}

static void end(struct pass *pass)
{
    count_values(&pass->durations);
    pass->out->duration = figures_of(&pass->durations);
    fini_values(&pass->durations);
    nsc_call_classes_fini(&pass->classes);
}

static bool build_launch_counts(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launch_times *out = value;
    struct pass pass;

    *out = (struct nsc_launch_times){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    begin(&pass, out, scope);
    nsc_device_rows_walk(scope, device, pass_counts, &pass);
    end(&pass);
    return true;
}

static bool build_launch_times(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launch_times *out = value;
    struct pass pass;

    *out = (struct nsc_launch_times){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    begin(&pass, out, scope);
    init_values(&pass.totals);
    init_values(&pass.delays);
    init_values(&pass.api);
    nsc_device_rows_walk(scope, device, pass_times, &pass);
    end(&pass);
    count_values(&pass.totals);
    count_values(&pass.delays);
    count_values(&pass.api);
    out->total = figures_of(&pass.totals);
    out->delay_median = quantile_of(&pass.delays, 500);
    drop_negative(&pass.delays);
    out->queue = figures_of(&pass.delays);
    out->api = figures_of(&pass.api);
    fini_values(&pass.totals);
    fini_values(&pass.delays);
    fini_values(&pass.api);
    return true;
}

static const struct nsc_shared_kind launch_times_kind = {sizeof(struct nsc_launch_times),
                                                         build_launch_times, NULL};
static const struct nsc_shared_kind launch_counts_kind = {sizeof(struct nsc_launch_times),
                                                          build_launch_counts, NULL};

bool nsc_launch_times_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    return nsc_shared_ask(out, NULL, &launch_times_kind, scope, device);
}

bool nsc_launch_counts_build(struct nsc_launch_times *out, const struct nsc_scope *scope,
                             uint32_t device)
{
    bool result;

    return nsc_shared_peek(out, &result, &launch_times_kind, scope, device)
               ? result
               : nsc_shared_ask(out, NULL, &launch_counts_kind, scope, device);
}

nsc_time nsc_launch_inside(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launch_times times = {0};
    struct pass pass = {.out = &times, .scope = scope};
    bool has_work = false;

    if (nsc_shared_peek(&times, &has_work, &launch_times_kind, scope, device) ||
        nsc_shared_peek(&times, &has_work, &launch_counts_kind, scope, device))
        return times.api_inside;
    if (nsc_device_window(&times.window, scope, device))
        nsc_device_rows_walk(scope, device, pass_inside, &pass);
    return times.api_inside;
}
