/*
 * Matches point-to-point kernels pair by pair, by their ends.
 */
#include "analysis/job/rank_grouping.h"
#include "analysis/names/collective.h"
#include "core/sum.h"

#include <string.h>

struct pair {
    nsc_str name;
    uint32_t rank[2], op[2]; /* by rank */
};

struct pairing {
    const struct nsc_rank_grouping *grouping;
    NSC_VEC(struct nsc_rank_ending) left; /* ops */
    NSC_VEC(struct pair) pairs;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a;
    const struct pair *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (x->rank[i] != y->rank[i])
            return x->rank[i] < y->rank[i] ? -1 : 1;
    return x->op[0] < y->op[0] ? -1 : x->op[0] > y->op[0];
}

static uint32_t strand_of(const struct nsc_rank_ops *ops, uint32_t op)
{
    uint32_t low = 0;
    uint32_t high = (uint32_t)ops->all_series.n;

    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;

        *(ops->all_series.at[middle].first <= op ? &low : &high) = middle;
    }
    return low;
}

static void list_left(struct pairing *pairing)
{
    const struct nsc_rank_ops *ops = pairing->grouping->ops;

    for (size_t s = 0; s < ops->all_series.n; s++) {
        const struct nsc_collective_series *series = &ops->all_series.at[s];

        if (nsc_collective_of(nsc_strpool_text(&ops->pool, series->name)) !=
            NSC_COLLECTIVE_SENDRECV)
            continue;
        for (uint32_t op = series->first; op < series->first + series->n; op++)
            if (!pairing->grouping->out->is_matched[op])
                *NSC_VEC_ADD(&pairing->left) =
                    (struct nsc_rank_ending){pairing->grouping->end[op], op};
    }
    NSC_VEC_SORT(&pairing->left, nsc_rank_ending_compare);
}

/* Pairs neighbours in the order of ends, if they are one sender and one receiver. */
static void pair_left(struct pairing *pairing, const struct nsc_rank_clocks *clocks)
{
    const struct nsc_rank_ops *ops = pairing->grouping->ops;

    for (size_t i = 0; i + 1 < pairing->left.n; i++) {
        const struct nsc_rank_ending *at = &pairing->left.at[i];
        const struct nsc_collective_series *a = &ops->all_series.at[strand_of(ops, at[0].of)];
        const struct nsc_collective_series *b = &ops->all_series.at[strand_of(ops, at[1].of)];
        bool turned = a->rank > b->rank;

        if (a->rank == b->rank || a->name != b->name ||
            nsc_span(at[0].end, at[1].end) > 2 * NSC_RANK_NEAR ||
            !nsc_rank_clocks_are_joined(clocks, ops->ranks.at[a->rank].export_no,
                                        ops->ranks.at[b->rank].export_no))
            continue;
        *NSC_VEC_ADD(&pairing->pairs) =
            (struct pair){a->name,
                          {turned ? b->rank : a->rank, turned ? a->rank : b->rank},
                          {at[turned].of, at[!turned].of}};
        i++;
    }
    NSC_VEC_SORT(&pairing->pairs, compare_pairs);
}

static void put_pairs(struct nsc_rank_grouping *grouping, const struct pair pairs[], uint32_t n)
{
    uint32_t all_series[2] = {strand_of(grouping->ops, pairs[0].op[0]),
                              strand_of(grouping->ops, pairs[0].op[1])};
    struct nsc_rank_group *group = nsc_rank_grouping_add(grouping, all_series, 2, n);

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t m = 0; m < 2; m++)
            nsc_rank_grouping_put(grouping, group, i, m, pairs[i].op[m]);
}

/* Whether enough of the remaining kernels of a rank have partners. */
static bool is_paired(const struct pairing *pairing, uint32_t rank)
{
    uint64_t all = 0;
    uint64_t paired = 0;

    for (size_t i = 0; i < pairing->left.n; i++)
        all += pairing->grouping->ops->all_series
                   .at[strand_of(pairing->grouping->ops, pairing->left.at[i].of)]
                   .rank == rank;
    for (size_t i = 0; i < pairing->pairs.n; i++)
        paired += pairing->pairs.at[i].rank[0] == rank || pairing->pairs.at[i].rank[1] == rank;
    return paired * 100 >= all * NSC_LIMIT_RANK_PAIRED;
}

void nsc_rank_grouping_match(struct nsc_rank_grouping *grouping,
                             const struct nsc_rank_clocks *clocks)
{
    struct pairing pairing = {.grouping = grouping};

    list_left(&pairing);
    pair_left(&pairing, clocks);
    for (size_t from = 0, to = 0; from < pairing.pairs.n; from = to) {
        const struct pair *first = &pairing.pairs.at[from];

        while (to < pairing.pairs.n && pairing.pairs.at[to].name == first->name &&
               memcmp(pairing.pairs.at[to].rank, first->rank, sizeof first->rank) == 0)
            to++;
        if (to - from >= NSC_LIMIT_RANK_PAIRS && is_paired(&pairing, first->rank[0]) &&
            is_paired(&pairing, first->rank[1]))
            put_pairs(grouping, first, (uint32_t)(to - from));
    }
    NSC_VEC_FINI(&pairing.left);
    NSC_VEC_FINI(&pairing.pairs);
}
