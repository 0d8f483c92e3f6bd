/* Groups series whose kernels end together. */
#include "analysis/job/rank_grouping.h"
#include "analysis/names/collective.h"
#include "core/sort.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 256, /* compares this many ends of two series, spread over all */
#ifdef NSC_SMALL
    COMPARED = 24
#else
    COMPARED = 256 /* of the series of a name, in order of their first end, those that come next */
#endif
};

/* ---- edges ---- */

static nsc_time apart_at(const struct nsc_rank_grouping *grouping, uint32_t a, uint32_t b)
{
    nsc_time d = nsc_difference(grouping->end[a], grouping->end[b]);

    return d == INT64_MIN ? INT64_MAX : d < 0 ? -d : d;
}

/* Measures how far the ends are apart; false if far. */
static bool measure(struct nsc_rank_edge *edge, const struct nsc_rank_grouping *grouping,
                    nsc_time limit)
{
    const struct nsc_collective_series *a = &grouping->ops->all_series.at[edge->a];
    const struct nsc_collective_series *b = &grouping->ops->all_series.at[edge->b];
    uint32_t from = edge->skip < 0 ? (uint32_t)-edge->skip : 0;
    uint32_t to = a->n;
    uint32_t n, far = 0;
    nsc_time apart[SAMPLES];

    if ((int64_t)to + edge->skip > b->n)
        to = (uint32_t)((int64_t)b->n - edge->skip);
    if (to <= from)
        return false;
    n = to - from < SAMPLES ? to - from : SAMPLES;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = from + (uint32_t)((uint64_t)i * (to - from) / n);

        apart[i] = apart_at(grouping, a->first + k, b->first + (uint32_t)((int64_t)k + edge->skip));
        far += apart[i] > limit;
        if (i == 31 && far == 32)
            return false;
    }
    qsort(apart, n, sizeof *apart, nsc_time_compare);
    edge->apart = apart[(n - 1) * 9 / 10];
    edge->nearest = apart[(n - 1) / 10];
    edge->is_mixed = (far * NSC_LIMIT_RANK_MIXED > n && far > 1) ||
                     (edge->apart > 1000 * NSC_LIMIT_RANK_TOGETHER &&
                      edge->apart / NSC_LIMIT_RANK_FARTHER >
                          nsc_later(apart[(n - 1) / 2], NSC_RANK_NEAR / NSC_LIMIT_RANK_FARTHER));
    return edge->nearest <= limit;
}

/* The median duration of a series, from samples. */
static nsc_time typical(const struct nsc_rank_grouping *grouping,
                        const struct nsc_collective_series *series)
{
    nsc_time times[33];
    uint32_t n = series->n < 33 ? series->n : 33;

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_rank_op *op =
            &grouping->ops->ops.at[series->first + (uint32_t)((uint64_t)i * series->n / n)];

        times[i] = nsc_span(op->start, op->end);
    }
    qsort(times, n, sizeof *times, nsc_time_compare);
    return times[(n - 1) / 2];
}

/* The allowed distance of ends; larger for roots of a broadcast and senders of a reduction, which
 * may end early. */
static nsc_time limit_of(const struct nsc_rank_grouping *grouping,
                         const struct nsc_collective_series *series)
{
    enum nsc_collective of =
        nsc_collective_of(nsc_strpool_text(&grouping->ops->pool, series->name));
    bool is_one_sided = of == NSC_COLLECTIVE_BROADCAST || of == NSC_COLLECTIVE_REDUCE;
    nsc_time limit =
        typical(grouping, series) / (is_one_sided ? 5 : 50) + 1000 * NSC_LIMIT_RANK_APART_SHORT;

    return limit < 1000 * NSC_LIMIT_RANK_APART * (is_one_sided ? 5 : 1)
               ? limit
               : 1000 * NSC_LIMIT_RANK_APART * (is_one_sided ? 5 : 1);
}

/* Finds the best skip between series of different length: one may lack its beginning or its end.
 * False unless that skip is clearly better than the others. */
static bool find_skip(struct nsc_rank_edge *best, const struct nsc_rank_grouping *grouping,
                      nsc_time limit)
{
    const struct nsc_collective_series *a = &grouping->ops->all_series.at[best->a];
    const struct nsc_collective_series *b = &grouping->ops->all_series.at[best->b];
    int64_t longer = (int64_t)b->n - (int64_t)a->n;
    int64_t least = longer < 0 ? longer : 0;
    int64_t most = longer < 0 ? 0 : longer;
    nsc_time second = INT64_MAX;
    bool is_found = false;

    if (most - least > NSC_LIMIT_RANK_SKIPPED || a->n < NSC_LIMIT_RANK_SKIPPING ||
        b->n < NSC_LIMIT_RANK_SKIPPING)
        return false;
    for (int64_t skip = least; skip <= most; skip++) {
        struct nsc_rank_edge edge = {.a = best->a, .b = best->b, .skip = (int32_t)skip};

        if (!measure(&edge, grouping, limit))
            continue;
        if (!is_found || edge.apart < best->apart) {
            second = is_found ? best->apart : second;
            *best = edge;
            is_found = true;
        } else if (edge.apart < second) {
            second = edge.apart;
        }
    }
    return is_found && best->apart <= limit && second / 4 >= best->apart;
}

static void add_edge(struct nsc_rank_grouping *grouping, uint32_t a, uint32_t b)
{
    const struct nsc_collective_series *of_a = &grouping->ops->all_series.at[a];
    const struct nsc_collective_series *of_b = &grouping->ops->all_series.at[b];
    nsc_time limit = grouping->limit[a];
    struct nsc_rank_edge edge = {.a = a, .b = b};

    bool is_known = of_a->comm != 0 && of_a->comm == of_b->comm;

    if (of_a->n == of_b->n ? !measure(&edge, grouping, limit) && !is_known
                           : !find_skip(&edge, grouping, limit))
        return;
    if (is_known) /* the communicator is known: k-th kernels match wherever they end */
        edge = (struct nsc_rank_edge){.a = a, .b = b, .skip = edge.skip};
    if (edge.apart > limit || edge.is_mixed) {
        if (edge.nearest <= NSC_RANK_NEAR)
            *NSC_VEC_ADD(&grouping->mixed) = edge;
        return;
    }
    *NSC_VEC_ADD(&grouping->edges) = edge;
    grouping->nearest[a] = nsc_earlier(grouping->nearest[a], edge.apart);
    grouping->nearest[b] = nsc_earlier(grouping->nearest[b], edge.apart);
}

static int compare_series(const void *a, const void *b)
{
    const struct nsc_rank_edge *x = a;
    const struct nsc_rank_edge *y = b;

    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static int compare_edges(const void *a, const void *b)
{
    const struct nsc_rank_edge *x = a;
    const struct nsc_rank_edge *y = b;

    if (x->apart != y->apart)
        return x->apart < y->apart ? -1 : 1;
    return compare_series(a, b);
}

static bool may_be_edge(const struct nsc_rank_ops *ops, const struct nsc_rank_clocks *clocks,
                        uint32_t a, uint32_t b)
{
    const struct nsc_collective_series *all_series = ops->all_series.at;

    return nsc_collective_series_may_meet(&all_series[a], &all_series[b]) &&
           all_series[a].rank != all_series[b].rank &&
           nsc_rank_clocks_are_joined(clocks, ops->ranks.at[all_series[a].rank].export_no,
                                      ops->ranks.at[all_series[b].rank].export_no);
}

/* By name, then by first end. */
static int compare_firsts(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_rank_grouping *grouping = context;
    const struct nsc_collective_series *x = &grouping->ops->all_series.at[a];
    const struct nsc_collective_series *y = &grouping->ops->all_series.at[b];

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return nsc_time_compare(&grouping->end[x->first], &grouping->end[y->first]);
}

static void find_edges(struct nsc_rank_grouping *grouping, const struct nsc_rank_clocks *clocks)
{
    const struct nsc_rank_ops *ops = grouping->ops;
    const struct nsc_collective_series *all_series = ops->all_series.at;
    uint32_t n = (uint32_t)ops->all_series.n;
    uint32_t *order = nsc_xmalloc(((size_t)n + 1) * sizeof *order);

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    nsc_sort_by(order, n, compare_firsts, grouping);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n && all_series[order[k]].name == all_series[order[i]].name;
             k++) {
            uint32_t a = order[i] < order[k] ? order[i] : order[k];
            uint32_t b = order[i] < order[k] ? order[k] : order[i];

            if (k - i > COMPARED) {
                grouping->out->compared = COMPARED;
                break;
            }
            if (may_be_edge(ops, clocks, a, b))
                add_edge(grouping, a, b);
        }
    free(order);
    NSC_VEC_SORT(&grouping->edges, compare_edges);
    NSC_VEC_SORT(&grouping->mixed, compare_series);
}

/* ---- groups of whole series ---- */

/* Whether a group has another series of the rank of series i. The series of a rank follow each
 * other. */
static bool has_rank_of(const struct nsc_rank_grouping *grouping, uint32_t group, uint32_t i)
{
    const struct nsc_collective_series *all_series = grouping->ops->all_series.at;
    uint32_t k = i;

    while (k > 0 && all_series[k - 1].rank == all_series[i].rank)
        k--;
    for (; k < grouping->ops->all_series.n && all_series[k].rank == all_series[i].rank; k++)
        if (grouping->group[k] == group)
            return true;
    return false;
}

void nsc_rank_grouping_join(struct nsc_rank_grouping *grouping, const struct nsc_rank_edge *edge)
{
    uint32_t to = grouping->group[edge->a];
    uint32_t i = edge->b;
    uint32_t after = grouping->next[edge->a];
    /* a's p-th kernel of the group is its p + skip; b's is that plus the edge's skip */
    int32_t moved = grouping->skip[edge->a] + edge->skip - grouping->skip[edge->b];

    if (grouping->group[i] == to)
        return;
    do {
        if (has_rank_of(grouping, to, i))
            return;
        i = grouping->next[i];
    } while (i != edge->b);
    do {
        grouping->group[i] = to;
        grouping->skip[i] += moved;
        i = grouping->next[i];
    } while (i != edge->b);
    grouping->next[edge->a] = grouping->next[edge->b];
    grouping->next[edge->b] = after;
}

/* Joins the nearest series first. A series does not join one that is much farther than its
 * nearest. */
static void join_edges(struct nsc_rank_grouping *grouping)
{
    for (size_t i = 0; i < grouping->edges.n; i++) {
        const struct nsc_rank_edge *edge = &grouping->edges.at[i];
        nsc_time near = nsc_earlier(grouping->nearest[edge->a], grouping->nearest[edge->b]);

        if (edge->apart > 1000 * NSC_LIMIT_RANK_TOGETHER &&
            edge->apart / NSC_LIMIT_RANK_FARTHER > near)
            continue;
        nsc_rank_grouping_join(grouping, edge);
    }
}

uint32_t *nsc_rank_grouping_members(const struct nsc_rank_grouping *grouping, uint32_t group,
                                    uint32_t *n)
{
    NSC_VEC(uint32_t) members = {0};
    uint32_t i = group;

    do {
        *NSC_VEC_ADD(&members) = i;
        i = grouping->next[i];
    } while (i != group);
    NSC_VEC_SORT(&members, nsc_rank_series_compare);
    *n = (uint32_t)members.n;
    return members.at;
}

struct nsc_rank_group *nsc_rank_grouping_add(struct nsc_rank_grouping *grouping,
                                             const uint32_t all_series[], uint32_t n_ranks,
                                             uint32_t n)
{
    struct nsc_rank_group *group = NSC_VEC_ADD(&grouping->out->list);

    *group =
        (struct nsc_rank_group){.name = grouping->ops->all_series.at[all_series[0]].name,
                                .n_ranks = n_ranks,
                                .n = n,
                                .ranks = nsc_xcalloc(n_ranks, sizeof *group->ranks),
                                .ops = nsc_xcalloc((size_t)n * n_ranks + 1, sizeof *group->ops)};
    for (uint32_t m = 0; m < n_ranks; m++)
        group->ranks[m] = grouping->ops->all_series.at[all_series[m]].rank;
    return group;
}

void nsc_rank_grouping_put(struct nsc_rank_grouping *grouping, struct nsc_rank_group *group,
                           uint32_t i, uint32_t m, uint32_t op)
{
    group->ops[(size_t)i * group->n_ranks + m] = op;
    grouping->out->is_matched[op] = 1;
}

static void put_whole(struct nsc_rank_grouping *grouping, const uint32_t members[], uint32_t n)
{
    const struct nsc_collective_series *all_series = grouping->ops->all_series.at;
    struct nsc_rank_group *group = NULL;
    int64_t from = INT64_MIN;
    int64_t to = INT64_MAX;

    for (uint32_t m = 0; m < n; m++) {
        int64_t skip = grouping->skip[members[m]];

        from = -skip > from ? -skip : from;
        to = (int64_t)all_series[members[m]].n - skip < to
                 ? (int64_t)all_series[members[m]].n - skip
                 : to;
    }
    if (to <= from)
        return;
    group = nsc_rank_grouping_add(grouping, members, n, (uint32_t)(to - from));
    for (uint32_t i = 0; i < group->n; i++)
        for (uint32_t m = 0; m < n; m++)
            nsc_rank_grouping_put(
                grouping, group, i, m,
                (uint32_t)(all_series[members[m]].first + from + i + grouping->skip[members[m]]));
}

static void put_groups(struct nsc_rank_grouping *grouping)
{
    for (uint32_t i = 0; i < grouping->ops->all_series.n; i++) {
        uint32_t n = 0;
        uint32_t *members = NULL;

        if (grouping->group[i] != i || grouping->next[i] == i)
            continue;
        members = nsc_rank_grouping_members(grouping, i, &n);
        put_whole(grouping, members, n);
        free(members);
    }
}

/* ---- all ---- */

int nsc_rank_series_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

int nsc_rank_ending_compare(const void *a, const void *b)
{
    const struct nsc_rank_ending *x = a;
    const struct nsc_rank_ending *y = b;

    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

void nsc_rank_groups_build(struct nsc_rank_groups *out, const struct nsc_rank_ops *ops,
                           const struct nsc_rank_clocks *clocks)
{
    struct nsc_rank_grouping grouping = {.out = out, .ops = ops};
    size_t n = ops->all_series.n;

    memset(out, 0, sizeof *out);
    out->is_matched = nsc_xcalloc(ops->ops.n + 1, sizeof *out->is_matched);
    grouping.end = nsc_xcalloc(ops->ops.n + 1, sizeof *grouping.end);
    grouping.group = nsc_xcalloc(n + 1, sizeof *grouping.group);
    grouping.skip = nsc_xcalloc(n + 1, sizeof *grouping.skip);
    grouping.next = nsc_xcalloc(n + 1, sizeof *grouping.next);
    grouping.nearest = nsc_xcalloc(n + 1, sizeof *grouping.nearest);
    grouping.limit = nsc_xcalloc(n + 1, sizeof *grouping.limit);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_collective_series *series = &ops->all_series.at[i];

        grouping.group[i] = grouping.next[i] = i;
        grouping.limit[i] = limit_of(&grouping, series);
        grouping.nearest[i] = INT64_MAX;
        for (uint32_t k = series->first; k < series->first + series->n; k++)
            grouping.end[k] =
                nsc_difference(ops->ops.at[k].end,
                               nsc_rank_clock_ahead(clocks, ops->ranks.at[series->rank].export_no,
                                                    ops->ops.at[k].end));
    }
    find_edges(&grouping, clocks);
    join_edges(&grouping);
    put_groups(&grouping);
    nsc_rank_grouping_split(&grouping);
    nsc_rank_grouping_match(&grouping, clocks);
    NSC_VEC_FINI(&grouping.edges);
    NSC_VEC_FINI(&grouping.mixed);
    free(grouping.end);
    free(grouping.group);
    free(grouping.skip);
    free(grouping.next);
    free(grouping.nearest);
    free(grouping.limit);
}

void nsc_rank_groups_fini(struct nsc_rank_groups *groups)
{
    for (size_t i = 0; i < groups->list.n; i++) {
        free(groups->list.at[i].ranks);
        free(groups->list.at[i].ops);
    }
    NSC_VEC_FINI(&groups->list);
    free(groups->is_matched);
    memset(groups, 0, sizeof *groups);
}
