/* Matches collectives by common ends. */
#include "analysis/job/meet_rest.h"

#include "analysis/base/limit.h"
#include "analysis/names/collective.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

enum { MOST = 1 << 19 /* collectives; more are left alone */ };

struct loose { /* a collective without partners */
    uint32_t like;
    nsc_str name;
    int64_t comm;
    nsc_time end;
    uint32_t series, k;
};

struct cluster {   /* collectives that end together */
    uint64_t hash; /* of their ranks */
    size_t first;
    uint32_t n;
};

struct rest {
    struct nsc_meetings *out;
    NSC_VEC(struct loose) loose;
    NSC_VEC(struct cluster) clusters;
    uint32_t *n;  /* by series: its loose collectives */
    size_t *seen; /* by rank: the last cluster that it is in, + 1 */
};

/* ---- clocks of exports ---- */

static struct nsc_clock inverse(const struct nsc_clock *of)
{
    return (struct nsc_clock){of->to, of->from, 1 / of->slope, of->residual};
}

/* First one, then the other. */
static struct nsc_clock chain(const struct nsc_clock *first, const struct nsc_clock *then)
{
    return (struct nsc_clock){first->from, nsc_clock_at(then, first->to),
                              first->slope * then->slope,
                              nsc_later(first->residual, then->residual)};
}

/* Puts all exports that are on one clock with `other` on that of `export_no`, by a clock that puts the one on the other. */
static void join(struct nsc_meetings *out, uint32_t export_no, uint32_t other,
                 const struct nsc_clock *clock)
{
    struct nsc_clock back = inverse(&out->clocks[other].of);
    struct nsc_clock onto = chain(&back, clock);
    uint32_t from = out->clocks[other].like;

    onto = chain(&onto, &out->clocks[export_no].of);
    for (size_t e = 0; e < out->fleet->exports.n; e++)
        if (out->clocks[e].like == from) {
            out->clocks[e].of = chain(&out->clocks[e].of, &onto);
            out->clocks[e].like = out->clocks[export_no].like;
        }
}

static void find_clocks(struct nsc_meetings *out)
{
    out->clocks = nsc_xcalloc(out->fleet->exports.n + 1, sizeof *out->clocks);
    for (uint32_t e = 0; e < out->fleet->exports.n; e++)
        out->clocks[e] = (struct nsc_export_clock){.like = e, .of.slope = 1};
    for (size_t i = 0; i < out->list.n; i++) {
        const struct nsc_meeting *meeting = &out->list.at[i];
        uint32_t first = out->fleet->ranks.at[meeting->ranks[0]].export_no;

        for (uint32_t m = 0; m < meeting->n_ranks; m++) {
            uint32_t e = out->fleet->ranks.at[meeting->ranks[m]].export_no;
            struct nsc_clock back = inverse(&meeting->clocks[m]);

            out->clocks[e].ends += meeting->n;
            if (out->clocks[e].like == out->clocks[first].like)
                continue;
            if (out->clocks[e].like < out->clocks[first].like)
                join(out, e, first, &back);
            else
                join(out, first, e, &meeting->clocks[m]);
        }
    }
}

/* ---- which end together ---- */

static bool is_meeting(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series)
{
    enum nsc_collective kind = nsc_collective_of(nsc_fleet_text(fleet, series->name));

    return kind != NSC_COLLECTIVE_BROADCAST && kind != NSC_COLLECTIVE_REDUCE;
}

static void gather(struct rest *rest)
{
    const struct nsc_fleet *fleet = rest->out->fleet;

    for (uint32_t s = 0; s < rest->out->n_series; s++) {
        const struct nsc_fleet_series *series = &fleet->series.at[s];
        const struct nsc_export_clock *clock =
            &rest->out->clocks[fleet->ranks.at[series->rank].export_no];

        for (uint32_t i = 0; i < series->n && is_meeting(fleet, series); i++) {
            nsc_time start = fleet->start.at[series->first + i];

            if (rest->out->is_matched[series->first + i] || rest->loose.n > MOST)
                continue;
            rest->n[s]++;
            *NSC_VEC_ADD(&rest->loose) =
                (struct loose){clock->like,
                               series->name,
                               series->comm,
                               nsc_sum(nsc_clock_at(&clock->of, start),
                                       (nsc_time)fleet->lasts.at[series->first + i]),
                               s,
                               i};
        }
    }
}

NSC_COMPARE(compare_kinds, struct loose, NSC_LEAST(like) || NSC_LEAST(name) || NSC_LEAST(comm))

NSC_COMPARE(compare_loose, struct loose,
            NSC_BY(compare_kinds(x, y)) || NSC_LEAST(end) || NSC_LEAST(series))

static uint32_t rank_of(const struct rest *rest, size_t at)
{
    return rest->out->fleet->series.at[rest->loose.at[at].series].rank;
}

/* How far apart ends of a rank may be on the common clock. */
static nsc_time reach_of(const struct rest *rest, size_t at)
{
    uint32_t export_no = rest->out->fleet->ranks.at[rank_of(rest, at)].export_no;

    return nsc_later(1000 * NSC_LIMIT_RANK_TOGETHER,
                     nsc_product(3, rest->out->clocks[export_no].of.residual));
}

NSC_COMPARE(compare_by_rank, struct loose, NSC_LEAST(series))

static void cluster(struct rest *rest)
{
    for (size_t first = 0, end = 0; first < rest->loose.n; first = end) {
        struct cluster found = {.first = first, .hash = 1469598103934665603u};

        for (end = first; end < rest->loose.n; end++) {
            if (compare_kinds(&rest->loose.at[first], &rest->loose.at[end]) != 0 ||
                nsc_span(rest->loose.at[first].end, rest->loose.at[end].end) >
                    reach_of(rest, end) ||
                rest->seen[rank_of(rest, end)] == first + 1)
                break;
            rest->seen[rank_of(rest, end)] = first + 1;
        }
        found.n = (uint32_t)(end - first);
        if (found.n < 2)
            continue;
        qsort(rest->loose.at + first, found.n, sizeof *rest->loose.at, compare_by_rank);
        for (size_t i = first; i < end; i++)
            found.hash = (found.hash ^ (rank_of(rest, i) + 1)) * 1099511628211u;
        found.hash = (found.hash ^ rest->loose.at[first].name) * 1099511628211u;
        *NSC_VEC_ADD(&rest->clusters) = found;
    }
}

/* ---- the same ranks ---- */

NSC_COMPARE(compare_clusters, struct cluster, NSC_LEAST(hash) || NSC_LEAST(first))

/* Adds the n clusters of the same ranks from `from` on as a meeting. */
static void add_meeting(struct rest *rest, size_t from, size_t n)
{
    struct nsc_meetings *out = rest->out;
    struct nsc_fleet *fleet = out->fleet;
    uint32_t n_ranks = rest->clusters.at[from].n;
    uint32_t *series = nsc_xcalloc(n_ranks, sizeof *series);
    struct nsc_clock *clocks = nsc_xcalloc(n_ranks, sizeof *clocks);

    for (uint32_t m = 0; m < n_ranks; m++) {
        size_t any = rest->clusters.at[from].first + m;
        struct nsc_fleet_series copy = fleet->series.at[rest->loose.at[any].series];
        const struct nsc_clock *own = &out->clocks[fleet->ranks.at[copy.rank].export_no].of;

        copy.first = fleet->start.n;
        copy.every = 1;
        for (size_t i = from; i < from + n; i++) {
            const struct loose *loose = &rest->loose.at[rest->clusters.at[i].first + m];
            size_t at = fleet->series.at[loose->series].first + loose->k;
            nsc_time start = fleet->start.at[at];
            float last = fleet->lasts.at[at];
            uint8_t beside = fleet->beside.at[at];

            out->is_matched[at] = 1;
            *NSC_VEC_ADD(&fleet->start) = start;
            *NSC_VEC_ADD(&fleet->lasts) = last;
            *NSC_VEC_ADD(&fleet->beside) = beside;
        }
        clocks[m] = *own;
        if (m > 0) {
            struct nsc_clock back = inverse(&clocks[0]);

            clocks[m] = chain(own, &back);
        }
        series[m] = (uint32_t)fleet->series.n;
        nsc_fleet_add_series(fleet, copy, UINT32_MAX);
    }
    clocks[0] = (struct nsc_clock){.slope = 1};
    nsc_meetings_add(out, series, clocks, n_ranks);
    free(series);
    free(clocks);
}

/* Whether the same ranks meet in n clusters not only by chance. */
static bool is_enough(const struct rest *rest, const struct cluster *of, size_t n)
{
    for (uint32_t m = 0; m < of->n; m++)
        if (n * NSC_LIMIT_RANK_CHANCE < rest->n[rest->loose.at[of->first + m].series])
            return false;
    return n >= (size_t)NSC_LIMIT_FEW;
}

static void add_meetings(struct rest *rest)
{
    for (size_t from = 0, end = 0; from < rest->clusters.n; from = end) {
        const struct cluster *of = &rest->clusters.at[from];

        while (end < rest->clusters.n && rest->clusters.at[end].hash == of->hash &&
               rest->clusters.at[end].n == of->n)
            end++;
        if (is_enough(rest, of, end - from))
            add_meeting(rest, from, end - from);
    }
}

void nsc_meet_rest(struct nsc_meetings *meetings)
{
    struct rest rest = {.out = meetings};

    rest.n = nsc_xcalloc((size_t)meetings->n_series + 1, sizeof *rest.n);
    find_clocks(meetings);
    gather(&rest);
    rest.loose.n = rest.loose.n > MOST ? 0 : rest.loose.n;
    NSC_VEC_SORT(&rest.loose, compare_loose);
    rest.seen = nsc_xcalloc(meetings->fleet->ranks.n + 1, sizeof *rest.seen);
    cluster(&rest);
    NSC_VEC_SORT(&rest.clusters, compare_clusters);
    add_meetings(&rest);
    NSC_VEC_FINI(&rest.loose);
    NSC_VEC_FINI(&rest.clusters);
    free(rest.n);
    free(rest.seen);
}
