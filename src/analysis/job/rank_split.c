/* Splits series that mix communicators, kernel by kernel, by common ends. */
#include "analysis/job/rank_grouping.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

/* A set of series of a family whose kernels ended together. */
struct subset {
    uint32_t *all_series; /* owned, ascending */
    uint32_t n, count;
    uint32_t room; /* most instances of the group */
    size_t group;  /* of the result, or SIZE_MAX */
};

struct family {
    struct nsc_rank_grouping *grouping;
    uint32_t *members;
    uint32_t n, instances;
    struct nsc_rank_ending *endings;
    NSC_VEC(struct subset) subsets;
};

static struct subset *find_subset(struct family *family, const uint32_t all_series[], uint32_t n)
{
    struct subset *subset = NULL;

    for (size_t i = 0; i < family->subsets.n; i++) {
        subset = &family->subsets.at[i];
        if (subset->n == n && memcmp(subset->all_series, all_series, n * sizeof *all_series) == 0)
            return subset;
    }
    subset = NSC_VEC_ADD(&family->subsets);
    *subset = (struct subset){
        .all_series = nsc_xcalloc(n, sizeof *all_series), .n = n, .group = SIZE_MAX};
    memcpy(subset->all_series, all_series, n * sizeof *all_series);
    return subset;
}

/* Whether all series of part are among those of whole. */
static bool is_part(const struct subset *part, const struct subset *whole)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < whole->n && found < part->n; i++)
        found += whole->all_series[i] == part->all_series[found];
    return found == part->n && part->n < whole->n;
}

static void put_kernels(struct family *family, const struct subset *subset, uint32_t k)
{
    struct nsc_rank_grouping *grouping = family->grouping;
    struct nsc_rank_group *group = &grouping->out->list.at[subset->group];

    if (group->n == subset->room)
        return;
    for (uint32_t m = 0; m < subset->n; m++)
        nsc_rank_grouping_put(grouping, group, group->n, m,
                              grouping->ops->all_series.at[subset->all_series[m]].first + k);
    group->n++;
}

/* Puts kernels that end together into their group. If they are several groups that ended together
 * by chance, puts each into its own, unless that is ambiguous. */
static void put_subset(struct family *family, const struct subset *subset, uint32_t k)
{
    uint32_t covered = 0;

    if (subset->group != SIZE_MAX) {
        put_kernels(family, subset, k);
        return;
    }
    for (size_t i = 0; i < family->subsets.n; i++)
        if (family->subsets.at[i].group != SIZE_MAX && is_part(&family->subsets.at[i], subset))
            covered += family->subsets.at[i].n;
    for (size_t i = 0; i < family->subsets.n && covered == subset->n; i++)
        if (family->subsets.at[i].group != SIZE_MAX && is_part(&family->subsets.at[i], subset))
            put_kernels(family, &family->subsets.at[i], k);
}

/* Splits the k-th kernels by common ends; counts the sets, or puts them into their groups. */
static void split_instance(struct family *family, uint32_t k, bool is_counting)
{
    const struct nsc_rank_grouping *grouping = family->grouping;
    uint32_t *together = nsc_xcalloc(family->n, sizeof *together);

    for (uint32_t m = 0; m < family->n; m++)
        family->endings[m] = (struct nsc_rank_ending){
            grouping->end[grouping->ops->all_series.at[family->members[m]].first + k],
            family->members[m]};
    qsort(family->endings, family->n, sizeof *family->endings, nsc_rank_ending_compare);
    for (uint32_t from = 0, to = 0; from < family->n; from = to) {
        struct subset *subset = NULL;

        for (; to < family->n && (to == from || nsc_span(family->endings[to - 1].end,
                                                         family->endings[to].end) <= NSC_RANK_NEAR);
             to++)
            together[to - from] = family->endings[to].of;
        if (to - from < 2)
            continue;
        qsort(together, to - from, sizeof *together, nsc_rank_series_compare);
        subset = find_subset(family, together, to - from);
        if (is_counting)
            subset->count++;
        else
            put_subset(family, subset, k);
    }
    free(together);
}

/* Whether the set consists of groups that are far more frequent, so that they ended together by
 * chance. */
static bool is_chance(const struct family *family, const struct subset *subset)
{
    uint32_t covered = 0;

    for (size_t i = 0; i < family->subsets.n; i++) {
        const struct subset *part = &family->subsets.at[i];

        if (is_part(part, subset) && subset->count < part->count / NSC_LIMIT_RANK_CHANCE)
            covered += part->n;
    }
    return covered >= subset->n;
}

static void choose_subsets(struct family *family)
{
    for (size_t i = 0; i < family->subsets.n; i++) {
        struct subset *subset = &family->subsets.at[i];

        if (subset->count < NSC_LIMIT_RANK_SPLIT ||
            subset->count < family->instances / NSC_LIMIT_RANK_MIXED || is_chance(family, subset))
            continue;
        subset->group = family->grouping->out->list.n;
        subset->room = family->instances;
        nsc_rank_grouping_add(family->grouping, subset->all_series, subset->n, family->instances)
            ->n = 0;
    }
}

static void split_family(struct family *family)
{
    for (uint32_t k = 0; k < family->instances; k++)
        split_instance(family, k, true);
    choose_subsets(family);
    for (uint32_t k = 0; k < family->instances; k++)
        split_instance(family, k, false);
    for (size_t i = 0; i < family->subsets.n; i++)
        free(family->subsets.at[i].all_series);
    NSC_VEC_FINI(&family->subsets);
}

static bool is_left(const struct nsc_rank_grouping *grouping, uint32_t series)
{
    const struct nsc_collective_series *of = &grouping->ops->all_series.at[series];

    return !grouping->out->is_matched[of->first + of->n / 2];
}

/* Joins the remaining series by edges whose ends are sometimes together, and splits the result. */
void nsc_rank_grouping_split(struct nsc_rank_grouping *grouping)
{
    for (size_t i = 0; i < grouping->mixed.n; i++) {
        const struct nsc_rank_edge *edge = &grouping->mixed.at[i];

        if (edge->skip == 0 && is_left(grouping, edge->a) && is_left(grouping, edge->b))
            nsc_rank_grouping_join(grouping, edge);
    }
    for (uint32_t i = 0; i < grouping->ops->all_series.n; i++) {
        struct family family = {.grouping = grouping};

        if (grouping->group[i] != i || grouping->next[i] == i || !is_left(grouping, i))
            continue;
        family.members = nsc_rank_grouping_members(grouping, i, &family.n);
        family.instances = grouping->ops->all_series.at[i].n;
        family.endings = nsc_xcalloc(family.n, sizeof *family.endings);
        split_family(&family);
        free(family.endings);
        free(family.members);
    }
}
