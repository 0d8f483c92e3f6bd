/*
 * Measures launches of a device. One pass over its kernels fills at most two lists of values, to
 * bound memory.
 */
#include "analysis/device/launch_times.h"

#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "analysis/names/call_class.h"
#include "core/sum.h"
#include "core/vec.h"

#ifdef NSC_SMALL
enum { TURN = 3 };
#else
enum { TURN = 512 }; /* rows of a lane before the next lane's turn */
#endif

struct values {
    NSC_VEC(nsc_time) list;
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
    struct values values, more;
    /* Counts a kernel, and adds its values to the lists. */
    void (*measure)(struct pass *pass, const struct kernel *kernel);
};

/* Passes the next rows of a lane; returns the row after them. */
static nsc_event pass_rows(struct pass *pass, nsc_event row, nsc_event end)
{
    const struct nsc_events *events = nsc_trace_events(pass->scope->trace);

    for (; row < end; row++) {
        struct kernel kernel = {.event = row, .call = events->link[row]};

        if (events->kind[row] != NSC_KIND_KERNEL || !nsc_scope_has_row(pass->scope, events, row))
            continue;
        kernel.start = events->start[row];
        kernel.end = nsc_event_end(events, row);
        if (kernel.call != NSC_NONE) {
            kernel.call_start = events->start[kernel.call];
            kernel.call_end = nsc_event_end(events, kernel.call);
            kernel.is_first = events->link[kernel.call] == row;
        }
        pass->measure(pass, &kernel);
    }
    return end;
}

/* Passes the kernels of a device, some rows of each lane in turn: kernels that run at about the same
 * time have calls close together, which stay in the cache. */
static void pass_device(struct pass *pass, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(pass->scope->trace, NULL);
    NSC_VEC(struct nsc_row_range) lanes = {0};
    size_t left;

    NSC_VEC_CLEAR(&pass->values.list);
    NSC_VEC_CLEAR(&pass->more.list);
    for (uint32_t t = device; t < tracks[device].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            struct nsc_row_range *rows = NSC_VEC_ADD(&lanes);

            nsc_scope_rows(pass->scope, tracks[t].first_lane + k, &rows->first, &rows->end);
        }
    do {
        left = 0;
        for (size_t i = 0; i < lanes.n; i++) {
            struct nsc_row_range *rows = &lanes.at[i];
            nsc_event end = rows->end - rows->first < TURN ? rows->end : rows->first + TURN;

            rows->first = pass_rows(pass, rows->first, end);
            left += rows->end - rows->first;
        }
    } while (left > 0);
    NSC_VEC_FINI(&lanes);
}

static void add_value(struct values *values, nsc_time value)
{
    *NSC_VEC_ADD(&values->list) = value;
}

static struct nsc_launch_figures figures_of(struct values *values)
{
    static const uint32_t places[] = {500, 950};
    struct nsc_launch_figures figures = {.n = values->list.n};
    nsc_time found[2];

    for (size_t i = 0; i < values->list.n; i++) {
        figures.sum = nsc_sum(figures.sum, values->list.at[i]);
        figures.max = nsc_later(figures.max, values->list.at[i]);
    }
    if (figures.n > 0) {
        nsc_quantiles(found, values->list.at, values->list.n, places, 2);
        figures.median = found[0];
        figures.p95 = found[1];
    }
    return figures;
}

/* Keeps queue times only: delays that are not negative. */
static void drop_negative(struct values *values)
{
    size_t n = 0;

    for (size_t i = 0; i < values->list.n; i++)
        if (values->list.at[i] >= 0)
            values->list.at[n++] = values->list.at[i];
    values->list.n = n;
}

/* ---- the measures ---- */

static void count_work(struct nsc_launch_times *out, const struct kernel *kernel)
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

/* A call counts once, with its first op, to which the export links it. */
static void count_launch(struct pass *pass, const struct kernel *kernel)
{
    struct nsc_launch_times *out = pass->out;
    struct nsc_window window = out->window;

    out->starved += nsc_span(kernel->call_end, kernel->start) < NSC_STARVED_NS;
    out->replayed += nsc_call_class_of(&pass->classes, kernel->call) == NSC_CALL_GRAPH;
    if (!kernel->is_first)
        return;
    out->api.n++;
    out->api.sum = nsc_sum(out->api.sum, nsc_span(kernel->call_start, kernel->call_end));
    out->api_inside = nsc_sum(out->api_inside, nsc_span(nsc_later(kernel->call_start, window.t0),
                                                        nsc_earlier(kernel->call_end, window.t1)));
}

/* Counts only, and the durations. */
static void measure_counts(struct pass *pass, const struct kernel *kernel)
{
    add_value(&pass->values, nsc_span(kernel->start, kernel->end));
    count_work(pass->out, kernel);
    if (kernel->call != NSC_NONE)
        count_launch(pass, kernel);
}

/* Measures durations, and totals of kernels with a known call. */
static void measure_work(struct pass *pass, const struct kernel *kernel)
{
    add_value(&pass->values, nsc_span(kernel->start, kernel->end));
    count_work(pass->out, kernel);
    if (kernel->call != NSC_NONE)
        add_value(&pass->more,
                  nsc_span(kernel->call_start, nsc_later(kernel->call_end, kernel->end)));
}

/* Measures delays (negative for a kernel that begins before its call ends) and calls. */
static void measure_launch(struct pass *pass, const struct kernel *kernel)
{
    if (kernel->call == NSC_NONE)
        return;
    count_launch(pass, kernel);
    add_value(&pass->values, nsc_span(kernel->call_end, kernel->start) -
                                 nsc_span(kernel->start, kernel->call_end));
    if (kernel->is_first)
        add_value(&pass->more, nsc_span(kernel->call_start, kernel->call_end));
}

static void measure_delays(struct pass *pass, uint32_t device)
{
    struct nsc_launch_times *out = pass->out;

    out->total = figures_of(&pass->more);
    pass->measure = measure_launch;
    pass_device(pass, device);
    if (pass->values.list.n > 0)
        out->delay_median = nsc_quantile(pass->values.list.at, pass->values.list.n, 500);
    drop_negative(&pass->values);
    out->queue = figures_of(&pass->values);
    out->api = figures_of(&pass->more);
}

static bool build(struct nsc_launch_times *out, const struct nsc_scope *scope, uint32_t device,
                  bool only_counts)
{
    struct pass pass = {.out = out, .scope = scope};

    *out = (struct nsc_launch_times){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    nsc_call_classes_build(&pass.classes, scope->trace);
    pass.measure = only_counts ? measure_counts : measure_work;
    pass_device(&pass, device);
    out->duration = figures_of(&pass.values);
    if (!only_counts)
        measure_delays(&pass, device);
    NSC_VEC_FINI(&pass.values.list);
    NSC_VEC_FINI(&pass.more.list);
    nsc_call_classes_fini(&pass.classes);
    return true;
}

static bool build_launch_times(void *out, const struct nsc_scope *scope, uint32_t device)
{
    return build(out, scope, device, false);
}

static bool build_launch_counts(void *out, const struct nsc_scope *scope, uint32_t device)
{
    return build(out, scope, device, true);
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
