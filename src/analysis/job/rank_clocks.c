/* Fits lines to differences of end times, and joins the clocks of exports by the best lines. */
#include "analysis/job/rank_clocks.h"

#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 256, /* pairs of ends for fitting a line, spread over all */
    TRIES = 20,    /* points through which lines are tried */
    STRANDS = 12   /* compares the longest series of an export, at most this many */
};

struct points {
    uint32_t n;
    double at[SAMPLES], distance[SAMPLES]; /* ns: first export's ends from the origin; second's ends
                                            * minus the first's */
};

struct line {
    double ahead, drift;
    uint32_t near; /* points within NSC_RANK_INLIER */
    double error;  /* of those, mean, ns */
    double score;  /* sum over those points: 1 on the line, 0 at NSC_RANK_INLIER */
};

/* Two exports whose clocks match. */
struct joint {
    uint32_t a, b; /* exports */
    struct line line;
    double cost; /* smaller is better */
};

struct joining {
    struct nsc_rank_clocks *out;
    const struct nsc_rank_ops *ops;
    NSC_VEC(struct joint) joints;
};

/* ---- lines ---- */

/* The i-th of `of` places spread over n >= of. Their distances differ, because kernels of several
 * communicators may alternate on a stream: with a fixed distance all places could be of one. */
static uint32_t spread(uint32_t i, uint32_t n, uint32_t of)
{
    return (uint32_t)((uint64_t)i * n / of) + i % (n / of);
}

static void sample(struct points *out, const struct joining *joining,
                   const struct nsc_collective_series *a, const struct nsc_collective_series *b)
{
    const struct nsc_rank_op *ops = joining->ops->ops.at;

    out->n = a->n < SAMPLES ? a->n : SAMPLES;
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t k = spread(i, a->n, out->n);
        nsc_time end = ops[a->first + k].end;

        out->at[i] = (double)nsc_difference(end, joining->out->origin);
        out->distance[i] = (double)nsc_difference(ops[b->first + k].end, end);
    }
}

static double distance_from(const struct line *line, const struct points *points, uint32_t i)
{
    return fabs(points->distance[i] - line->ahead - line->drift * points->at[i]);
}

static void rate(struct line *line, const struct points *points)
{
    line->near = 0;
    line->error = line->score = 0;
    for (uint32_t i = 0; i < points->n; i++) {
        double distance = distance_from(line, points, i);

        if (distance <= NSC_RANK_INLIER) {
            line->near++;
            line->error += distance;
            line->score += 1 - distance / NSC_RANK_INLIER;
        }
    }
    line->error = line->near ? line->error / line->near : NSC_RANK_INLIER;
}

/* Keeps the line with the higher score: few ends on a line beat many near it, because other
 * communicators end nearby. */
static void keep_better(struct line *best, struct line line, const struct points *points)
{
    rate(&line, points);
    if (line.score > best->score * 1.01)
        *best = line;
}

/* Tries lines through single points without drift, then through pairs of points. */
static struct line try_lines(const struct points *points)
{
    struct line best = {.error = NSC_RANK_INLIER};
    uint32_t tries = points->n < TRIES ? points->n : TRIES;

    for (uint32_t i = 0; i < tries; i++)
        keep_better(&best, (struct line){.ahead = points->distance[spread(i, points->n, tries)]},
                    points);
    for (uint32_t i = 0; i < tries; i++)
        for (uint32_t k = i + 1; k < tries; k++) {
            uint32_t a = spread(i, points->n, tries);
            uint32_t b = spread(k, points->n, tries);
            double drift =
                (points->distance[b] - points->distance[a]) / (points->at[b] - points->at[a]);

            if (fabs(drift) <= (NSC_LIMIT_CLOCK_DRIFT / 1e6)) /* not NaN */
                keep_better(&best,
                            (struct line){.ahead = points->distance[a] - drift * points->at[a],
                                          .drift = drift},
                            points);
        }
    return best;
}

static double median_distance(const struct line *line, const struct points *points)
{
    double near[SAMPLES];
    uint32_t n = 0;

    for (uint32_t i = 0; i < points->n; i++)
        if (distance_from(line, points, i) <= NSC_RANK_INLIER)
            near[n++] = points->distance[i];
    qsort(near, n, sizeof *near, nsc_double_compare);
    return n ? near[(n - 1) / 2] : 0;
}

/* Fits the line by least squares to the points near it. */
static struct line smooth(const struct line *line, const struct points *points)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;

    for (uint32_t i = 0; i < points->n; i++) {
        if (distance_from(line, points, i) > NSC_RANK_INLIER)
            continue;
        n++;
        x += points->at[i];
        y += points->distance[i];
    }
    for (uint32_t i = 0; n > 0 && i < points->n; i++) {
        double dx = points->at[i] - x / n;

        if (distance_from(line, points, i) > NSC_RANK_INLIER)
            continue;
        xx += dx * dx;
        xy += dx * (points->distance[i] - y / n);
    }
    if (n == 0 || xx == 0 || fabs(xy / xx) > (NSC_LIMIT_CLOCK_DRIFT / 1e6))
        return *line;
    return (struct line){.ahead = y / n - xy / xx * (x / n), .drift = xy / xx};
}

static struct line fit(const struct points *points)
{
    struct line best = try_lines(points);

    if (best.drift == 0)
        keep_better(&best, (struct line){.ahead = median_distance(&best, points)}, points);
    for (int round = 0; round < 2; round++)
        keep_better(&best, smooth(&best, points), points);
    return best;
}

/* ---- pairs of exports ---- */

/* Whether enough pairs lie near the line to join the clocks by it. Few pairs are no proof for free
 * clocks, unless the clocks agree already. */
static bool is_fit(const struct line *line, const struct points *points)
{
    double share = points->n ? (double)line->near / points->n : 0;

    if (points->n < NSC_LIMIT_CLOCK_PAIRS)
        return share == 1 && line->drift == 0 && fabs(line->ahead) <= NSC_RANK_INLIER;
    return share >= NSC_SHARE(CLOCK_MOST) ||
           (line->near >= NSC_LIMIT_CLOCK_NEAR && share >= NSC_SHARE(CLOCK_SHARE));
}

/* The best line between two exports; near is 0 if there is none. */
static void try_strands(struct joining *joining, struct joint *best,
                        const struct nsc_collective_series *a,
                        const struct nsc_collective_series *b)
{
    struct points points;
    struct line line;
    double cost = 0;

    if (!nsc_collective_series_may_meet(a, b) || a->n != b->n)
        return;
    sample(&points, joining, a, b);
    line = fit(&points);
    if (!is_fit(&line, &points))
        return;
    /* least error first, then the largest share of pairs near the line */
    cost = (line.error < 500 ? 500 : line.error) * points.n / line.near +
           100000.0 / (line.near * line.near);
    if (best->line.near == 0 || cost < best->cost)
        *best = (struct joint){best->a, best->b, line, cost};
}

static uint32_t export_of(const struct nsc_rank_ops *ops,
                          const struct nsc_collective_series *series)
{
    return ops->ranks.at[series->rank].export_no;
}

/* The longest series of an export. */
static uint32_t choose_strands(const struct nsc_collective_series *out[STRANDS],
                               const struct nsc_rank_ops *ops, uint32_t export_no)
{
    uint32_t n = 0;

    for (size_t i = 0; i < ops->all_series.n; i++) {
        const struct nsc_collective_series *series = &ops->all_series.at[i];
        uint32_t at = n;

        if (export_of(ops, series) != export_no)
            continue;
        while (at > 0 && out[at - 1]->n < series->n)
            at--;
        if (at >= STRANDS)
            continue;
        n += n < STRANDS;
        memmove(&out[at + 1], &out[at], (n - at - 1) * sizeof(*out));
        out[at] = series;
    }
    return n;
}

static void fit_exports(struct joining *joining, uint32_t a, uint32_t b)
{
    const struct nsc_collective_series *of_a[STRANDS];
    const struct nsc_collective_series *of_b[STRANDS];
    uint32_t n_a = choose_strands(of_a, joining->ops, a);
    uint32_t n_b = choose_strands(of_b, joining->ops, b);
    struct joint best = {.a = a, .b = b};

    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = 0; k < n_b; k++)
            try_strands(joining, &best, of_a[i], of_b[k]);
    if (best.line.near)
        *NSC_VEC_ADD(&joining->joints) = best;
}

static int compare_joints(const void *a, const void *b)
{
    const struct joint *x = a;
    const struct joint *y = b;

    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* ---- joining ---- */

/*
 * Composes clocks. a's clock: t_a = t + A + B (t - origin) for the common t; the joint: t_b - t_a =
 * line of t_a. Stores the correction as a function of an export's own time, (A + B (t_a - origin))
 * / (1 + B).
 */
static struct nsc_rank_clock compose(struct nsc_rank_clock a, const struct line *line)
{
    double drift = a.drift / (1 - a.drift);
    double ahead = a.ahead / (1 - a.drift);
    double all_ahead = ahead + line->ahead + line->drift * ahead;
    double all_drift = drift + line->drift + line->drift * drift;

    return (struct nsc_rank_clock){all_ahead / (1 + all_drift), all_drift / (1 + all_drift), 0};
}

static struct line turn(const struct line *line)
{
    return (struct line){.ahead = -line->ahead / (1 + line->drift),
                         .drift = -line->drift / (1 + line->drift)};
}

/* Joins the parts by the best joints, as a spanning tree. Marks the joints used by near > 0. */
static void choose_joints(struct joining *joining)
{
    struct nsc_rank_clock *of = joining->out->of;

    for (size_t i = 0; i < joining->joints.n; i++) {
        struct joint *joint = &joining->joints.at[i];
        uint32_t from =
            of[joint->a].part > of[joint->b].part ? of[joint->a].part : of[joint->b].part;
        uint32_t to = of[joint->a].part > of[joint->b].part ? of[joint->b].part : of[joint->a].part;

        if (from == to)
            joint->line.near = 0;
        for (uint32_t k = 0; k < joining->out->n; k++)
            of[k].part = of[k].part == from ? to : of[k].part;
    }
}

/* Sets the clocks along the tree, from the first export of each part. */
static void set_clocks(struct joining *joining)
{
    struct nsc_rank_clocks *out = joining->out;
    bool *is_set = nsc_xcalloc(out->n + 1, sizeof *is_set);
    bool more = true;

    for (uint32_t i = 0; i < out->n; i++)
        is_set[i] = out->of[i].part == i;
    while (more) {
        more = false;
        for (size_t i = 0; i < joining->joints.n; i++) {
            const struct joint *joint = &joining->joints.at[i];
            bool turned = is_set[joint->b];
            uint32_t from = turned ? joint->b : joint->a;
            uint32_t to = turned ? joint->a : joint->b;
            struct line line = turned ? turn(&joint->line) : joint->line;
            uint32_t part = out->of[to].part;

            if (joint->line.near == 0 || !is_set[from] || is_set[to])
                continue;
            out->of[to] = compose(out->of[from], &line);
            out->of[to].part = part;
            is_set[to] = more = true;
        }
    }
    free(is_set);
}

/* Whether two exports are compared: all pairs if there are few exports, else those at a distance of
 * a power of two. */
static bool are_compared(uint32_t n, uint32_t a, uint32_t b)
{
    uint32_t apart = b - a;

    return n <= 16 || (apart & (apart - 1)) == 0;
}

void nsc_rank_clocks_build(struct nsc_rank_clocks *out, const struct nsc_rank_ops *ops)
{
    struct joining joining = {.out = out, .ops = ops};

    *out = (struct nsc_rank_clocks){.n = (uint32_t)ops->exports.n};
    out->of = nsc_xcalloc(out->n + 1, sizeof *out->of);
    for (uint32_t i = 0; i < out->n; i++)
        out->of[i].part = i;
    for (size_t i = 0; i < ops->ops.n; i++)
        if (i == 0 || ops->ops.at[i].end < out->origin)
            out->origin = ops->ops.at[i].end;
    for (uint32_t a = 0; a < out->n; a++)
        for (uint32_t b = a + 1; b < out->n; b++)
            if (are_compared(out->n, a, b))
                fit_exports(&joining, a, b);
    NSC_VEC_SORT(&joining.joints, compare_joints);
    choose_joints(&joining);
    set_clocks(&joining);
    NSC_VEC_FINI(&joining.joints);
}

void nsc_rank_clocks_fini(struct nsc_rank_clocks *clocks)
{
    free(clocks->of);
    memset(clocks, 0, sizeof *clocks);
}

nsc_time nsc_rank_clock_ahead(const struct nsc_rank_clocks *clocks, uint32_t export_no, nsc_time t)
{
    const struct nsc_rank_clock *clock = &clocks->of[export_no];
    double at = (double)nsc_difference(t, clocks->origin);
    double ahead = clock->ahead + clock->drift * at;

    /* a file may hold any times */
    return ahead < -9e18 ? INT64_MIN : ahead > 9e18 ? INT64_MAX : (nsc_time)llround(ahead);
}
