/* Measures iterations by the covers of their process's GPUs. */
#include "analysis/ranges/iteration_stats.h"

#include "analysis/base/activity.h"
#include "analysis/base/device_ops.h"
#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

const char *nsc_iteration_figure_word(enum nsc_iteration_figure figure)
{
    static const char *const words[NSC_N_ITERATION_FIGURES] = {"period",
                                                               "GPU busy",
                                                               "GPU idle",
                                                               "compute",
                                                               "communication",
                                                               "compute and communication at once",
                                                               "exposed communication"};

    return words[figure];
}

/* Iterations ascend and do not overlap, so those inside the window are consecutive. */
static void choose_rows(struct nsc_iteration_stats *out, const struct nsc_scope *scope)
{
    out->n = out->iterations.n;
    if (!scope->has_window)
        return;
    while (out->n > 0 && nsc_iterations_window(&out->iterations, out->first).t0 < scope->window.t0)
        out->first++, out->n--;
    while (out->n > 0 &&
           nsc_iterations_window(&out->iterations, out->first + out->n - 1).t1 > scope->window.t1)
        out->n--;
}

/* Whether a process with iterations works on the device. */
static bool is_used(const struct nsc_iteration_stats *out, const struct nsc_trace *trace,
                    uint32_t device)
{
    for (uint32_t l = 0; l < out->iterations.n_lines; l++)
        if (nsc_process_works_on(trace, device,
                                 nsc_trace_track(trace, out->iterations.lines[l].track)->process))
            return true;
    return false;
}

static void add_activity(nsc_time row[], const struct nsc_activity *activity, int sign)
{
    row[NSC_ITERATION_BUSY] = nsc_sum(row[NSC_ITERATION_BUSY], sign * activity->busy);
    row[NSC_ITERATION_IDLE] = nsc_sum(row[NSC_ITERATION_IDLE], sign * activity->idle);
    row[NSC_ITERATION_COMPUTE] = nsc_sum(row[NSC_ITERATION_COMPUTE], sign * activity->compute);
    row[NSC_ITERATION_COMM] = nsc_sum(row[NSC_ITERATION_COMM], sign * activity->comm);
    row[NSC_ITERATION_OVERLAP] = nsc_sum(row[NSC_ITERATION_OVERLAP], sign * activity->overlap);
    row[NSC_ITERATION_EXPOSED] = nsc_sum(row[NSC_ITERATION_EXPOSED], sign * activity->exposed);
}

static void measure_device(struct nsc_iteration_stats *out, const struct nsc_device_covers *covers)
{
    const struct nsc_iterations *all = &out->iterations;
    struct nsc_activity_walk walk;

    nsc_activity_walk_init(&walk, covers);
    for (uint32_t i = 0; i < out->n; i++) {
        struct nsc_activity activity =
            nsc_activity_walk_next(&walk, nsc_iterations_window(all, out->first + i));

        add_activity(&out->values[(size_t)i * NSC_N_ITERATION_FIGURES], &activity, 1);
    }
    for (uint32_t k = 0; k < all->n_interludes; k++) {
        const struct nsc_interlude *aside = &all->interludes[k];
        struct nsc_window w = nsc_iterations_window(all, aside->after);
        struct nsc_activity activity;

        w.t0 = nsc_later(w.t0, aside->taken.t0);
        w.t1 = nsc_earlier(w.t1, aside->taken.t1);
        if (aside->after < out->first || aside->after - out->first >= out->n || w.t0 >= w.t1)
            continue;
        activity = nsc_device_activity(covers, w);
        add_activity(&out->values[(size_t)(aside->after - out->first) * NSC_N_ITERATION_FIGURES],
                     &activity, -1);
    }
}

static bool measure_devices(struct nsc_iteration_stats *out, const struct nsc_scope *scope)
{
    bool is_fine = true;

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE && is_fine;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_scope_covers covers;

        if (!is_used(out, scope->trace, d))
            continue;
        is_fine = nsc_scope_covers_build(&covers, scope, d);
        if (is_fine)
            measure_device(out, &covers.of);
        out->n_devices++;
        nsc_scope_covers_fini(&covers);
    }
    for (uint32_t i = 0; i < out->n; i++)
        out->values[(size_t)i * NSC_N_ITERATION_FIGURES + NSC_ITERATION_DURATION] =
            out->iterations.at[out->first + i].period;
    return is_fine;
}

/* Extremes, means and deviations of all figures over the rows that count. One pass, because the
 * divisions of different figures need not wait for each other. */
static void sum_figures(struct nsc_iteration_stats *out, const nsc_time rows[])
{
    double squares[NSC_N_ITERATION_FIGURES] = {0};

    for (size_t k = 0; k < NSC_N_ITERATION_FIGURES; k++)
        out->spread[k] = (struct nsc_iteration_spread){.min = INT64_MAX};
    for (uint32_t i = 0; i < out->n_counted; i++, rows += NSC_N_ITERATION_FIGURES)
        for (size_t k = 0; k < NSC_N_ITERATION_FIGURES; k++) {
            struct nsc_iteration_spread *spread = &out->spread[k];
            double off = (double)rows[k] - spread->mean;

            spread->min = nsc_earlier(spread->min, rows[k]);
            spread->max = nsc_later(spread->max, rows[k]);
            spread->mean += off / (i + 1);
            squares[k] += off * ((double)rows[k] - spread->mean);
        }
    for (size_t k = 0; k < NSC_N_ITERATION_FIGURES; k++)
        out->spread[k].deviation = out->n_counted > 1 ? sqrt(squares[k] / (out->n_counted - 1)) : 0;
}

/* list: the values of the rows that count */
static void find_quantiles(struct nsc_iteration_spread *spread, nsc_time list[], uint32_t n)
{
    static const uint32_t q[] = {500, 950};
    nsc_time found[2];

    nsc_quantiles(found, list, n, q, 2);
    spread->median = found[0];
    spread->p95 = found[1];
    spread->mad = nsc_median_distance(list, n, spread->median);
}

static void spread_figures(struct nsc_iteration_stats *out)
{
    const nsc_time *rows =
        out->values + (size_t)(out->n - out->n_counted) * NSC_N_ITERATION_FIGURES;
    nsc_time *list = nsc_xmalloc(((size_t)out->n + 1) * sizeof *list);

    if (out->n_counted > 0)
        sum_figures(out, rows);
    for (size_t k = 0; k < NSC_N_ITERATION_FIGURES && out->n_counted > 0; k++) {
        for (uint32_t i = 0; i < out->n_counted; i++)
            list[i] = rows[(size_t)i * NSC_N_ITERATION_FIGURES + k];
        find_quantiles(&out->spread[k], list, out->n_counted);
    }
    free(list);
}

/* The iterations are found. */
static bool measure(struct nsc_iteration_stats *out, const struct nsc_scope *scope)
{
    choose_rows(out, scope);
    for (uint32_t i = 0; i < out->n; i++) {
        out->n_counted += !nsc_iteration_is_warm_up(out, i);
        out->n_slow += nsc_iteration_is_slow(out, i);
    }
    out->values = nsc_xcalloc(((size_t)out->n + 1) * NSC_N_ITERATION_FIGURES, sizeof *out->values);
    if (!measure_devices(out, scope))
        return false;
    spread_figures(out);
    return true;
}

static bool build(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_iteration_stats *out = value;

    (void)device;
    *out = (struct nsc_iteration_stats){0};
    return !nsc_iterations_ask(&out->iterations, scope) || measure(out, scope);
}

static void fini_stats(void *value)
{
    struct nsc_iteration_stats *stats = value;

    nsc_iterations_fini(&stats->iterations);
    free(stats->values);
}

bool nsc_iteration_stats_build(struct nsc_iteration_stats *out, const struct nsc_scope *scope,
                               struct nsc_text marker)
{
    static const struct nsc_shared_kind kind = {sizeof *out, build, fini_stats};

    if (marker.n == 0)
        return nsc_shared_ask(out, &out->is_kept, &kind, scope, 0);
    *out = (struct nsc_iteration_stats){0};
    return !nsc_iterations_named(&out->iterations, scope, marker) || measure(out, scope);
}

void nsc_iteration_stats_fini(struct nsc_iteration_stats *stats)
{
    if (!stats->is_kept)
        fini_stats(stats);
    *stats = (struct nsc_iteration_stats){0};
}

bool nsc_iteration_is_warm_up(const struct nsc_iteration_stats *stats, uint32_t i)
{
    return stats->iterations.at[stats->first + i].warm_up;
}

bool nsc_iteration_is_slow(const struct nsc_iteration_stats *stats, uint32_t i)
{
    return stats->iterations.at[stats->first + i].slow;
}

nsc_time nsc_iteration_idle(const struct nsc_iteration_stats *stats, uint32_t i)
{
    return stats->values[(size_t)i * NSC_N_ITERATION_FIGURES + NSC_ITERATION_IDLE];
}

nsc_time nsc_iteration_part(const struct nsc_iteration_stats *stats, uint32_t i, unsigned part)
{
    const nsc_time *values = &stats->values[(size_t)i * NSC_N_ITERATION_FIGURES];

    switch (part) {
    case NSC_ITERATION_PART_IDLE:
        return values[NSC_ITERATION_IDLE];
    case NSC_ITERATION_PART_COMPUTE:
        return values[NSC_ITERATION_COMPUTE];
    case 2:
        return values[NSC_ITERATION_EXPOSED];
    default:
        return values[NSC_ITERATION_BUSY] - values[NSC_ITERATION_COMPUTE] -
               values[NSC_ITERATION_EXPOSED];
    }
}

const char *nsc_iteration_part_word(unsigned part)
{
    static const char *const words[NSC_N_ITERATION_PARTS] = {
        "idle time", "compute", "exposed communication", "copies and communication beside them"};

    return words[part];
}
