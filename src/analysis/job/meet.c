/* Finds which series of collectives meet, and fits the clocks of their ranks. */
#include "analysis/job/meet.h"

#include "analysis/base/limit.h"
#include "analysis/job/meet_rest.h"
#include "analysis/names/collective.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 96, FEW = 12 };

static nsc_time start_of(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series,
                         uint32_t k)
{
    return fleet->start.at[series->first + k / series->every];
}

static nsc_time last_of(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series,
                        uint32_t k)
{
    return (nsc_time)fleet->lasts.at[series->first + k / series->every];
}

/* The number of collectives, kept or not, that are surely there. */
static uint32_t length_of(const struct nsc_fleet_series *series)
{
    return series->n ? (series->n - 1) * series->every + 1 : 0;
}

/* ---- clocks ---- */

static double middle(double values[], uint32_t n)
{
    qsort(values, n, sizeof *values, nsc_double_compare);
    return values[n / 2];
}

/* The line through the differences of n ends: the medians in the first and the last third give it, if they are farther apart
 * than the ends scatter. Leaves the differences from it in apart. */
static struct nsc_clock line_of(double apart[], const double at[], uint32_t n, nsc_time origin)
{
    uint32_t third = n / 3 - (n / 3 % 2 == 0); /* odd: the median of a line is its middle */
    double some[SAMPLES];
    double offset, drift = 0;
    double scatter;

    memcpy(some, apart, n * sizeof *some);
    offset = middle(some, n);
    for (uint32_t i = 0; i < n; i++)
        some[i] = fabs(apart[i] - offset);
    (void)middle(some, n);
    scatter = some[n * 3 / 4];
    if (n >= 9 && at[n - 1] > at[0]) {
        double early, late;

        memcpy(some, apart, third * sizeof *some);
        early = middle(some, third);
        memcpy(some, apart + n - third, third * sizeof *some);
        late = middle(some, third);
        drift = (late - early) / (at[n - 1 - third / 2] - at[third / 2]);
        if (fabs(drift) > NSC_LIMIT_CLOCK_DRIFT / 1e6 || fabs(late - early) <= scatter)
            drift = 0;
        else
            offset = early - drift * at[third / 2];
    }
    for (uint32_t i = 0; i < n; i++)
        apart[i] -= offset + drift * at[i];
    return (struct nsc_clock){.from = origin,
                              .to = nsc_difference(origin, (nsc_time)llround(offset)),
                              .slope = 1 - drift};
}

/* Fits b's ends to a's. Ranks of one export have one clock. */
static bool fit(struct nsc_clock *out, const struct nsc_fleet *fleet,
                const struct nsc_fleet_series *a, const struct nsc_fleet_series *b,
                uint32_t samples)
{
    uint32_t every = a->every > b->every ? a->every : b->every;
    uint32_t length = length_of(a) < length_of(b) ? length_of(a) : length_of(b);
    uint32_t all = length ? (length - 1) / every + 1 : 0;
    uint32_t n = all < samples ? all : samples;
    nsc_time origin = n ? start_of(fleet, b, 0) : 0;
    double apart[SAMPLES], at[SAMPLES];

    if (n == 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)((uint64_t)i * all / n) * every;
        nsc_time end = nsc_sum(start_of(fleet, b, k), last_of(fleet, b, k));

        at[i] = (double)nsc_difference(end, origin);
        apart[i] =
            (double)nsc_difference(end, nsc_sum(start_of(fleet, a, k), last_of(fleet, a, k)));
    }
    if (fleet->ranks.at[a->rank].export_no == fleet->ranks.at[b->rank].export_no)
        *out = (struct nsc_clock){.slope = 1};
    else
        *out = line_of(apart, at, n, origin);
    for (uint32_t i = 0; i < n; i++)
        apart[i] = fabs(apart[i]);
    qsort(apart, n, sizeof *apart, nsc_double_compare);
    out->residual = (nsc_time)fmin(apart[(n - 1) * 3 / 4], 9e18);
    return true;
}

nsc_time nsc_clock_at(const struct nsc_clock *clock, nsc_time t)
{
    nsc_time since = nsc_difference(t, clock->from);

    if (clock->slope != 1)
        since = nsc_difference(since, (nsc_time)llround((1 - clock->slope) * (double)since));
    return nsc_sum(clock->to, since);
}

static nsc_time limit_of(const struct nsc_fleet_series *series)
{
    return nsc_earlier(1000 * NSC_LIMIT_RANK_APART,
                       series->typical / 50 + 1000 * NSC_LIMIT_RANK_APART_SHORT);
}

/* ---- which series meet ---- */

static int compare_series(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_fleet_series *x = (const struct nsc_fleet_series *)context + a;
    const struct nsc_fleet_series *y = (const struct nsc_fleet_series *)context + b;
    int order = 0;

    (void)(NSC_LEAST(name) || NSC_LEAST(comm) || NSC_LEAST(ordinal) || NSC_LEAST(rank));
    return order;
}

/* Whether all ranks of a collective wait for all; those in MPI_Wait wait perhaps for a message. */
static bool all_wait(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series)
{
    struct nsc_text name = nsc_fleet_text(fleet, series->name);
    enum nsc_collective kind = nsc_collective_of(name);

    return series->n > 0 && kind != NSC_COLLECTIVE_SENDRECV && kind != NSC_COLLECTIVE_BROADCAST &&
           kind != NSC_COLLECTIVE_REDUCE && !nsc_text_begins(name, "MPI_Wait");
}

static bool has_ranks(const struct nsc_meeting *meeting, const struct nsc_fleet *fleet,
                      const uint32_t series[], uint32_t n)
{
    for (uint32_t m = 0; m < n && meeting->n_ranks == n; m++)
        if (meeting->ranks[m] != fleet->series.at[series[m]].rank)
            return false;
    return meeting->n_ranks == n;
}

void nsc_meetings_add(struct nsc_meetings *out, const uint32_t series[],
                      const struct nsc_clock clocks[], uint32_t n)
{
    struct nsc_meeting *meeting = NULL;
    bool is_sends = !all_wait(out->fleet, &out->fleet->series.at[series[0]]);

    for (size_t i = 0; i < out->list.n && !meeting; i++)
        if (out->list.at[i].is_sends == is_sends &&
            has_ranks(&out->list.at[i], out->fleet, series, n))
            meeting = &out->list.at[i];
    if (!meeting) {
        meeting = NSC_VEC_ADD(&out->list);
        *meeting = (struct nsc_meeting){.n_ranks = n, .is_sends = is_sends};
        meeting->ranks = nsc_xcalloc(n, sizeof *meeting->ranks);
        meeting->clocks = nsc_xcalloc(n, sizeof *meeting->clocks);
        for (uint32_t m = 0; m < n; m++) {
            meeting->ranks[m] = out->fleet->series.at[series[m]].rank;
            meeting->clocks[m] = clocks[m];
        }
    }
    for (uint32_t m = 0; m < n; m++) {
        *NSC_VEC_ADD(&meeting->series) = series[m];
        meeting->apart = nsc_later(
            meeting->apart, nsc_later(1000 * NSC_LIMIT_RANK_TOGETHER,
                                      nsc_product(NSC_LIMIT_RANK_FARTHER, clocks[m].residual)));
    }
}

/* Forms the meetings of n series of one name and communicator; takes them one leader after the other. */
static void form(struct nsc_meetings *out, uint32_t series[], uint32_t n)
{
    const struct nsc_fleet *fleet = out->fleet;
    struct nsc_clock *clocks = nsc_xcalloc(n, sizeof *clocks);
    uint32_t *members = nsc_xcalloc(n, sizeof *members);

    while (n > 0) {
        const struct nsc_fleet_series *leader = &fleet->series.at[series[0]];
        nsc_time limit = limit_of(leader);
        nsc_time nearest = INT64_MAX;
        uint32_t n_members = 0;
        uint32_t left = 0;

        for (uint32_t i = 1; i < n && leader->comm == 0; i++)
            if (fit(&clocks[i], fleet, leader, &fleet->series.at[series[i]], FEW))
                nearest = nsc_earlier(nearest, clocks[i].residual);
        limit = nsc_earlier(limit, nsc_later(1000 * NSC_LIMIT_RANK_TOGETHER,
                                             nsc_product(NSC_LIMIT_RANK_FARTHER, nearest)));
        for (uint32_t i = 0; i < n; i++) {
            bool meets = leader->comm != 0 || i == 0 || clocks[i].residual <= limit;

            meets = meets &&
                    fit(&clocks[n_members], fleet, leader, &fleet->series.at[series[i]], SAMPLES);
            if (meets) {
                members[n_members++] = series[i];
            } else {
                series[left++] = series[i];
            }
        }
        if (n_members > 1)
            nsc_meetings_add(out, members, clocks, n_members);
        n = n_members ? left : 0;
    }
    free(clocks);
    free(members);
}

static bool is_same(const struct nsc_fleet *fleet, uint32_t a, uint32_t b)
{
    const struct nsc_fleet_series *x = &fleet->series.at[a];
    const struct nsc_fleet_series *y = &fleet->series.at[b];

    return x->name == y->name && x->comm == y->comm && x->ordinal == y->ordinal;
}

/* Marks the collectives of a meeting. */
static void mark(struct nsc_meetings *out, uint32_t i)
{
    struct nsc_meeting *meeting = &out->list.at[i];
    struct nsc_meet_walk walk;

    nsc_meet_walk_init(&walk, out, i);
    for (; nsc_meet_walk_next(&walk); meeting->n++)
        for (uint32_t m = 0; m < meeting->n_ranks; m++) {
            const struct nsc_fleet_series *series =
                &out->fleet->series.at[meeting->series.at[walk.name + m]];

            out->is_matched[series->first + (walk.k - walk.every) / series->every] = 1;
        }
    nsc_meet_walk_fini(&walk);
}

static void measure(struct nsc_meetings *out, uint32_t i)
{
    struct nsc_meeting *meeting = &out->list.at[i];
    struct nsc_meet_walk walk;
    nsc_time first = INT64_MAX;
    nsc_time last = INT64_MIN;

    meeting->n = 0;
    nsc_meet_walk_init(&walk, out, i);
    while (nsc_meet_walk_next(&walk)) {
        meeting->n++;
        first = nsc_earlier(first, walk.arrival[0]);
        last = nsc_later(last, walk.end);
        for (uint32_t m = 0; m < meeting->n_ranks; m++) {
            struct nsc_late_figures *figures = &out->ranks[meeting->ranks[m]];

            figures->matched++;
            figures->waited = nsc_sum(figures->waited, nsc_span(walk.shortest, walk.last[m]));
            figures->transfer = nsc_sum(figures->transfer, walk.shortest);
        }
    }
    meeting->span = meeting->n ? nsc_span(first, last) : 0;
    nsc_meet_walk_fini(&walk);
}

void nsc_meetings_build(struct nsc_meetings *out, struct nsc_fleet *fleet)
{
    uint32_t n = 0;
    uint32_t *order = nsc_xcalloc(fleet->series.n + 1, sizeof *order);

    *out = (struct nsc_meetings){.fleet = fleet, .n_series = (uint32_t)fleet->series.n};
    out->is_matched = nsc_xcalloc(fleet->start.n + 1, 1);
    out->ranks = nsc_xcalloc(fleet->ranks.n + 1, sizeof *out->ranks);
    for (uint32_t i = 0; i < fleet->series.n; i++)
        if (all_wait(fleet, &fleet->series.at[i]))
            order[n++] = i;
    nsc_sort_by(order, n, compare_series, fleet->series.at);
    for (uint32_t first = 0, end = 0; first < n; first = end) {
        while (end < n && is_same(fleet, order[first], order[end]))
            end++;
        form(out, order + first, end - first);
    }
    for (uint32_t i = 0; i < out->list.n; i++)
        mark(out, i);
    nsc_meet_rest(out);
    for (uint32_t i = 0; i < out->list.n; i++)
        measure(out, i);
    free(order);
}

NSC_COMPARE(compare_numbers, uint32_t, NSC_BY(NSC_ORDER(*x, *y)))

bool nsc_meeting_has(const struct nsc_meeting *meeting, uint32_t rank)
{
    return bsearch(&rank, meeting->ranks, meeting->n_ranks, sizeof rank, compare_numbers) != NULL;
}

/* ---- the walk ---- */

void nsc_meet_walk_init(struct nsc_meet_walk *walk, const struct nsc_meetings *of, uint32_t meeting)
{
    *walk = (struct nsc_meet_walk){.of = of, .meeting = &of->list.at[meeting]};
    walk->end_name = walk->meeting->series.n;
    walk->arrival = nsc_xcalloc(walk->meeting->n_ranks, sizeof *walk->arrival);
    walk->last = nsc_xcalloc(walk->meeting->n_ranks, sizeof *walk->last);
}

void nsc_meet_walk_fini(struct nsc_meet_walk *walk)
{
    free(walk->arrival);
    free(walk->last);
}

static const struct nsc_fleet_series *series_of(const struct nsc_meet_walk *walk, uint32_t m)
{
    return &walk->of->fleet->series.at[walk->meeting->series.at[walk->name + m]];
}

/* The collectives that all members have, or 0. Sets the step. */
static uint32_t shared_length(struct nsc_meet_walk *walk)
{
    uint32_t length = UINT32_MAX;

    walk->every = 1;
    for (uint32_t m = 0; m < walk->meeting->n_ranks; m++) {
        const struct nsc_fleet_series *series = series_of(walk, m);

        length = length_of(series) < length ? length_of(series) : length;
        walk->every = series->every > walk->every ? series->every : walk->every;
    }
    return length;
}

/* Whether the ranks of the next collective end together. */
static bool read_instance(struct nsc_meet_walk *walk)
{
    const struct nsc_fleet *fleet = walk->of->fleet;
    nsc_time first = INT64_MAX;
    nsc_time last = INT64_MIN;
    uint32_t beside = 0;

    walk->release = INT64_MIN;
    walk->shortest = INT64_MAX;
    for (uint32_t m = 0; m < walk->meeting->n_ranks; m++) {
        const struct nsc_fleet_series *series = series_of(walk, m);
        nsc_time end;

        walk->arrival[m] =
            nsc_clock_at(&walk->meeting->clocks[m], start_of(fleet, series, walk->k));
        walk->last[m] = last_of(fleet, series, walk->k);
        beside += fleet->beside.at[series->first + walk->k / series->every];
        walk->release = nsc_later(walk->release, walk->arrival[m]);
        walk->shortest = nsc_earlier(walk->shortest, walk->last[m]);
        end = nsc_sum(walk->arrival[m], walk->last[m]);
        walk->end = m == 0 ? end : walk->end;
        first = nsc_earlier(first, end);
        last = nsc_later(last, end);
    }
    walk->is_beside = 2 * beside >= walk->meeting->n_ranks;
    return nsc_span(first, last) <= walk->meeting->apart;
}

bool nsc_meet_walk_next(struct nsc_meet_walk *walk)
{
    while (walk->name < walk->end_name) {
        uint32_t length = shared_length(walk);

        for (; walk->k < length;) {
            bool is_one = read_instance(walk);

            walk->k += walk->every;
            if (is_one)
                return true;
        }
        walk->k = 0;
        walk->name += walk->meeting->n_ranks;
    }
    return false;
}

void nsc_meetings_fini(struct nsc_meetings *meetings)
{
    for (size_t i = 0; i < meetings->list.n; i++) {
        free(meetings->list.at[i].ranks);
        free(meetings->list.at[i].clocks);
        NSC_VEC_FINI(&meetings->list.at[i].series);
    }
    NSC_VEC_FINI(&meetings->list);
    free(meetings->clocks);
    free(meetings->is_matched);
    free(meetings->ranks);
}
