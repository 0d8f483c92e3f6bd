/*
 * Judges iterations by their periods: their kind (by their launches: iteration_sketch.c), the end
 * of the warm-up, slow ones, and changes of level (iteration_shift.c).
 */
#include "analysis/base/quantile.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

struct judging {
    struct nsc_iterations *of;
    const struct nsc_iteration_search *search;
    nsc_time *list;      /* scratch: n values */
    nsc_time over, upto; /* consider periods above over, up to upto */
};

static bool is_asked(const struct judging *judging, uint32_t i, uint8_t kind)
{
    const struct nsc_iteration *it = &judging->of->at[i];

    return it->kind == kind && it->period > judging->over && it->period <= judging->upto;
}

/* ---- kinds by length ---- */

/* How often consecutive iterations of a kind cross a length. */
static uint32_t crossings(const struct nsc_iterations *of, uint8_t kind, nsc_time middle)
{
    uint32_t n = 0;
    int side = -1;

    for (uint32_t i = 0; i < of->n; i++) {
        int now = of->at[i].period > middle;

        if (of->at[i].kind != kind)
            continue;
        n += side >= 0 && side != now;
        side = now;
    }
    return n;
}

/* Splits a kind in two if two lengths alternate. Levels that last for some iterations, or a few
 * long ones in a row, are not kinds. */
static bool split_by_length(struct judging *judging, uint8_t kind)
{
    struct nsc_iterations *of = judging->of;
    uint32_t n = 0, turns;
    nsc_time middle;
    uint32_t shorter = 0;

    for (uint32_t i = of->n / NSC_LIMIT_WARM_UP_MOST; i < of->n; i++)
        if (of->at[i].kind == kind)
            judging->list[n++] = of->at[i].period;
    if (n < 2 * NSC_LIMIT_ITERATIONS || of->n_kinds == NSC_LIMIT_KINDS)
        return false;
    qsort(judging->list, n, sizeof *judging->list, nsc_time_compare);
    middle = nsc_iterations_find_border(of, judging->search, kind, judging->list, n);
    while (shorter < n && judging->list[shorter] <= middle)
        shorter++;
    turns = crossings(of, kind, middle);
    if (middle == 0 || turns < 3 + n / 10 || turns < n / NSC_LIMIT_FEW)
        return false;
    for (uint32_t i = 0; i < of->n; i++)
        if (of->at[i].kind == kind && (of->at[i].period > middle) == (2 * shorter >= n))
            of->at[i].kind = (uint8_t)of->n_kinds;
    of->n_kinds++;
    return true;
}

/* Splits a kind in two if some iterations launch far more than all others, and the work of these launches
 * makes them longer: a prefill before a token, twice as many micro-batches. */
static bool split_by_number(struct judging *judging, uint8_t kind)
{
    struct nsc_iterations *of = judging->of;
    uint32_t n = 0;
    nsc_time border;

    for (uint32_t i = 0; i < of->n; i++)
        if (of->at[i].kind == kind)
            judging->list[n++] = of->at[i].ops;
    if (n < 2 * NSC_LIMIT_ITERATIONS || of->n_kinds == NSC_LIMIT_KINDS)
        return false;
    qsort(judging->list, n, sizeof *judging->list, nsc_time_compare);
    border = nsc_iterations_find_number(of, judging->search, kind, judging->list, n);
    if (border == 0)
        return false;
    for (uint32_t i = 0; i < of->n; i++)
        if (of->at[i].kind == kind && of->at[i].ops > border)
            of->at[i].kind = (uint8_t)of->n_kinds;
    of->n_kinds++;
    return true;
}

/* Numbers the kinds by frequency. */
static void number_kinds(struct nsc_iterations *of)
{
    uint32_t n[NSC_LIMIT_KINDS] = {0};
    uint8_t to[NSC_LIMIT_KINDS] = {0};
    uint8_t used = 0;

    for (uint32_t i = 0; i < of->n; i++)
        n[of->at[i].kind]++;
    for (unsigned round = 0; round < NSC_LIMIT_KINDS; round++) {
        unsigned best = 0;

        for (unsigned k = 1; k < NSC_LIMIT_KINDS; k++)
            best = n[k] > n[best] ? k : best;
        if (n[best] == 0)
            break;
        to[best] = used++;
        n[best] = 0;
    }
    for (uint32_t i = 0; i < of->n; i++)
        of->at[i].kind = to[of->at[i].kind];
    of->n_kinds = used;
}

/* ---- warm-up and level ---- */

/* Lists the periods of a kind over [first, end). */
static uint32_t list_periods(struct judging *judging, uint8_t kind, uint32_t first, uint32_t end)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        if (is_asked(judging, i, kind))
            judging->list[n++] = judging->of->at[i].period;
    return n;
}

/* The median period of a kind over [first, end). */
static nsc_time median_between(struct judging *judging, uint8_t kind, uint32_t first, uint32_t end)
{
    return nsc_median(judging->list, list_periods(judging, kind, first, end));
}

/* Their median distance from the median. */
static nsc_time mad_between(struct judging *judging, uint8_t kind, uint32_t first, uint32_t end,
                            nsc_time median)
{
    return nsc_median_distance(judging->list, list_periods(judging, kind, first, end), median);
}

/* The usual period of the most frequent kind at iteration i. */
static nsc_time usual_at(const struct nsc_iterations *of, uint32_t i, nsc_time median)
{
    if (of->swings > 0)
        return nsc_iterations_level(of, i);
    return of->drift != 0 ? of->level_before + (nsc_time)(of->drift * i) : median;
}

/* Three near ones in a row end the warm-up. If there are none in time, the first near one does: if
 * every third is slow, there are never three. */
static void find_warm_up(struct judging *judging)
{
    struct nsc_iterations *of = judging->of;
    uint32_t end = of->shift ? of->shift : of->n;
    nsc_time median[NSC_LIMIT_KINDS];
    nsc_time mad[NSC_LIMIT_KINDS];
    uint32_t most = of->n / NSC_LIMIT_WARM_UP_MOST;
    uint32_t settled = 0;
    uint32_t far = 0; /* first iterations that are not near */
    uint32_t i = 0;

    for (uint32_t k = 0; k < of->n_kinds; k++) {
        uint32_t begin = end / 2;

        median[k] = median_between(judging, (uint8_t)k, begin, end);
        if (median[k] == 0) { /* the kind is over before */
            begin = 0;
            median[k] = median_between(judging, (uint8_t)k, begin, end);
        }
        mad[k] = mad_between(judging, (uint8_t)k, begin, end, median[k]);
    }
    for (; i < of->n && settled < NSC_LIMIT_ITERATIONS; i++) {
        const struct nsc_iteration *it = &of->at[i];
        nsc_time usual = it->kind == 0 ? usual_at(of, i, median[0]) : median[it->kind];
        nsc_time off = nsc_span(usual, it->period) + nsc_span(it->period, usual);
        double near = NSC_SHARE(MATTERS) * (double)median[it->kind];
        double mads = NSC_LIMIT_DEVIATIONS * (double)mad[it->kind];

        settled = (double)off <= (near > mads ? near : mads) ? settled + 1 : 0;
        far += settled == 0 && far == i;
    }
    of->warm_up = settled == NSC_LIMIT_ITERATIONS ? i - settled : of->n;
    if (of->warm_up > most)
        of->warm_up = far < most ? far : most;
    for (i = 0; i < of->warm_up; i++)
        of->at[i].warm_up = true;
}

/* The mean distance, in ns, of the periods of the most frequent kind, starting at first, from the
 * line, or from the level on their side of the change. Each distance counts at most the difference
 * of the levels. */
static double distance(const struct nsc_iterations *of, uint32_t first, const double line[2])
{
    double most = fabs((double)of->level_after - (double)of->level_before);
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t i = first; i < of->n; i++) {
        nsc_time level = i < of->shift ? of->level_before : of->level_after;

        if (of->at[i].kind != 0)
            continue;
        sum += fmin(
            most, fabs((double)of->at[i].period - (line ? line[0] + line[1] * i : (double)level)));
        n++;
    }
    return n > 0 ? sum / n : 0;
}

/* Whether the level from first to end is stable: its halves differ by a small part of the
 * change. */
static bool holds_level(struct judging *judging, uint32_t first, uint32_t end)
{
    const struct nsc_iterations *of = judging->of;
    uint32_t middle = first + (end - first) / 2;
    double before = (double)median_between(judging, 0, first, middle);
    double after = (double)median_between(judging, 0, middle, end);

    return fabs(after - before) <=
           NSC_SHARE(MOST) * fabs((double)of->level_after - (double)of->level_before);
}

/* Keeps a change of level if both levels are stable and fit better than the line through the
 * medians of the first and the last third. Reports a drift if the line fits much better, otherwise
 * neither. */
static void tell_drift(struct judging *judging)
{
    struct nsc_iterations *of = judging->of;
    uint32_t first = of->n / NSC_LIMIT_WARM_UP_MOST;
    uint32_t third;
    double line[2], early, by_line, by_levels;

    first = first < of->shift / 2 ? first : of->shift / 2;
    third = (of->n - first) / 3;
    early = (double)median_between(judging, 0, first, first + third);
    line[1] = ((double)median_between(judging, 0, of->n - third, of->n) - early) /
              (of->n - third - first);
    line[0] = early - line[1] * (first + (third - 1) / 2.0);
    by_line = distance(of, first, line);
    by_levels = distance(of, first, NULL);
    if (by_levels <= by_line && holds_level(judging, first, of->shift) &&
        holds_level(judging, of->shift, of->n))
        return;
    of->shift = 0;
    if (by_line > NSC_SHARE(DRIFT_FITS) * by_levels)
        return;
    of->drift = line[1];
    of->level_before = (nsc_time)line[0];
    of->level_after = (nsc_time)(line[0] + line[1] * (of->n - 1));
}

static void find_shift(struct judging *judging)
{
    struct nsc_iterations *of = judging->of;
    nsc_time level[2];

    of->shift = nsc_iterations_find_shift(of, level);
    if (of->shift == 0)
        return;
    of->level_before = level[0];
    of->level_after = level[1];
    tell_drift(judging);
}

/* ---- two levels in turn ---- */

/* Finds two alternating levels of the most frequent kind, each lasting for several iterations, as
 * when clocks are throttled again and again. */
static void find_swings(struct judging *judging)
{
    struct nsc_iterations *of = judging->of;
    uint32_t n = 0, border = 0, turns;
    nsc_time middle;

    if (of->shift > 0 || of->drift != 0)
        return;
    for (uint32_t i = of->n / NSC_LIMIT_WARM_UP_MOST; i < of->n; i++)
        if (of->at[i].kind == 0)
            judging->list[n++] = of->at[i].period;
    qsort(judging->list, n, sizeof *judging->list, nsc_time_compare);
    middle = nsc_iterations_find_step(judging->list, n, 1 + NSC_SHARE(SLIGHT));
    turns = crossings(of, 0, middle);
    if (middle == 0 || turns < 2 || n < NSC_LIMIT_FEW * (turns + 1))
        return;
    while (judging->list[border] <= middle)
        border++;
    of->level_before = nsc_median(judging->list, border);
    of->level_after = nsc_median(judging->list + border, n - border);
    of->swings = turns;
}

/* ---- slow ones ---- */

static nsc_time limit_of(nsc_time median, nsc_time mad)
{
    nsc_time share = (nsc_time)(NSC_SHARE(SLIGHT) * (double)median);

    return nsc_sum(median, nsc_later(share, nsc_product(NSC_LIMIT_DEVIATIONS, mad)));
}

/* For how long the work of an iteration of a kind usually runs beside the next iteration. */
static nsc_time overhang_of(struct judging *judging, uint8_t kind)
{
    const struct nsc_iterations *of = judging->of;
    uint32_t n = 0;

    for (uint32_t i = of->warm_up; i + 1 < of->n; i++)
        if (is_asked(judging, i, kind))
            judging->list[n++] =
                nsc_span(of->at[i].window.t1, nsc_later(of->at[i].window.t1, of->at[i].gpu.t1));
    return nsc_median(judging->list, n);
}

/* The length of iteration i, without the time in which it waits for the work of one of another kind, as
 * a token waits for the prefill. The last one ends with its last work, which on the GPU includes the
 * overhang. If the host runs ahead, that is the work of several iterations, so only its ranges
 * count; without ranges, the time of its own work. */
static nsc_time length_of(const struct nsc_iterations *of, uint32_t i, nsc_time overhang)
{
    const struct nsc_iteration *it = &of->at[i];

    if (i + 1 < of->n && i > 0 && !of->on_gpu && of->at[i - 1].kind != it->kind)
        return it->period - nsc_span(it->window.t0, of->at[i - 1].gpu.t1);
    if (i + 1 < of->n || of->on_gpu)
        return it->period - (i + 1 < of->n ? 0 : overhang);
    if (it->in_ranges > 0)
        return it->in_ranges;
    return it->gpu.t0 < it->gpu.t1 ? nsc_earlier(it->period, it->gpu.t1 - it->gpu.t0) : it->period;
}

/* Marks the slow ones of a kind on one level. Requests to a server have no usual length and are
 * never slow. */
static void mark_slow(struct judging *judging, uint8_t kind, uint32_t first, uint32_t end)
{
    struct nsc_iterations *of = judging->of;
    nsc_time median = median_between(judging, kind, first, end);
    nsc_time mad = mad_between(judging, kind, first, end, median);
    nsc_time above = limit_of(median, mad);
    nsc_time overhang = overhang_of(judging, kind);
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        n += is_asked(judging, i, kind);
    if (n < NSC_LIMIT_MANY || (double)mad > NSC_SHARE(FIFTH) * (double)median)
        return;
    of->kinds[kind].above = above;
    for (uint32_t i = first; i < end; i++)
        if (is_asked(judging, i, kind) && !of->at[i].sized && length_of(of, i, overhang) > above) {
            of->at[i].slow = true;
            of->n_slow++;
        }
}

/* Finds the slow ones of a kind on each of its levels. */
static void find_slow(struct judging *judging, uint8_t kind)
{
    struct nsc_iterations *of = judging->of;
    uint32_t first = of->warm_up;

    of->kinds[kind].above = INT64_MAX;
    if (kind == 0 && of->shift > 0) {
        mark_slow(judging, kind, of->shift, of->n);
        mark_slow(judging, kind, first, of->shift);
    } else if (kind == 0 && of->swings > 0) {
        judging->upto = nsc_iterations_middle(of);
        mark_slow(judging, kind, first, of->n);
        judging->over = judging->upto;
        judging->upto = INT64_MAX;
        mark_slow(judging, kind, first, of->n);
        judging->over = INT64_MIN;
    } else {
        mark_slow(judging, kind, first, of->n);
    }
}

/* ---- the whole ---- */

/* Averages from start to start. The last iteration ends with its work instead, so it counts only if
 * there are few. */
static void average(struct nsc_iterations *of)
{
    uint32_t end = of->n - of->warm_up > NSC_LIMIT_ITERATIONS ? of->n - 1 : of->n;
    double total[NSC_LIMIT_KINDS] = {0};
    uint32_t n[NSC_LIMIT_KINDS] = {0};
    double all = 0;

    for (uint32_t i = of->warm_up; i < end; i++) {
        total[of->at[i].kind] += (double)of->at[i].period;
        n[of->at[i].kind]++;
        all += (double)of->at[i].period;
    }
    of->mean = end > of->warm_up ? all / (end - of->warm_up) : 0;
    for (uint32_t k = 0; k < of->n_kinds; k++)
        of->kinds[k].mean = n[k] > 0 ? total[k] / n[k] : (double)of->kinds[k].median;
}

static void sum_up(struct judging *judging)
{
    struct nsc_iterations *of = judging->of;
    uint32_t n = 0;

    for (uint32_t k = 0; k < of->n_kinds; k++)
        of->kinds[k].median = median_between(judging, (uint8_t)k, of->warm_up, of->n);
    of->shortest = INT64_MAX;
    for (uint32_t i = of->warm_up; i < of->n; i++) {
        const struct nsc_iteration *it = &of->at[i];

        of->kinds[it->kind].n++;
        of->shortest = nsc_earlier(of->shortest, it->period);
        of->longest = nsc_later(of->longest, it->period);
        judging->list[n++] = it->period;
    }
    of->median = nsc_median(judging->list, n);
    average(of);
}

static void copy_to_lines(struct nsc_iterations *of)
{
    for (uint32_t l = 0; l < of->n_lines; l++)
        for (uint32_t i = 0; i < of->lines[l].n; i++) {
            const struct nsc_iteration *from = &of->at[of->lines[l].first + i];

            of->lines[l].at[i].kind = from->kind;
            of->lines[l].at[i].warm_up = from->warm_up;
            of->lines[l].at[i].slow = from->slow;
        }
}

void nsc_iterations_judge(struct nsc_iterations *iterations,
                          const struct nsc_iteration_search *search)
{
    struct judging judging = {iterations, search, NULL, INT64_MIN, INT64_MAX};

    bool has_sizes = nsc_iterations_split_by_launches(judging.of, judging.search);

    judging.list = nsc_xcalloc((size_t)iterations->n + 1, sizeof *judging.list);
    for (uint8_t k = 0; k < iterations->n_kinds && k < NSC_LIMIT_KINDS; k++)
        while (split_by_number(&judging, k) || split_by_length(&judging, k))
            continue;
    number_kinds(iterations);
    if (!has_sizes) {
        find_shift(&judging);
        find_swings(&judging);
    }
    find_warm_up(&judging);
    for (uint32_t k = 0; k < iterations->n_kinds; k++)
        find_slow(&judging, (uint8_t)k);
    sum_up(&judging);
    copy_to_lines(iterations);
    free(judging.list);
}
