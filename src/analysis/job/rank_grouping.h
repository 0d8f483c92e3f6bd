/* Shared by the files that match groups (rank_groups.h). */
#ifndef NSC_ANALYSIS_RANK_GROUPING_H
#define NSC_ANALYSIS_RANK_GROUPING_H

#include "analysis/base/limit.h"
#include "analysis/job/rank_groups.h"

#define NSC_RANK_NEAR (1000 * NSC_LIMIT_RANK_NEAR) /* ns */

/* The distance between the ends of two series. */
struct nsc_rank_edge {
    uint32_t a, b;    /* series */
    int32_t skip;     /* a's kernel k matches b's k + skip */
    nsc_time apart;   /* ns: 90th percentile */
    nsc_time nearest; /* ns: 10th percentile, for series that mix communicators */
    bool is_mixed;    /* some ends are far apart, at least 1 in 50 */
};

struct nsc_rank_grouping {
    struct nsc_rank_groups *out;
    const struct nsc_rank_ops *ops;
    nsc_time *end;     /* of each op, corrected */
    uint32_t *group;   /* by series: a series of its group */
    int32_t *skip;     /* by series: kernel p + skip is the group's p-th */
    uint32_t *next;    /* by series: another of its group, in a ring */
    nsc_time *nearest; /* by series: the least `apart` of its edges */
    nsc_time *limit;   /* by series: ends that are farther apart do not meet */
    NSC_VEC(struct nsc_rank_edge) edges, mixed;
};

/* A kernel by its end. */
struct nsc_rank_ending {
    nsc_time end;
    uint32_t of; /* series or op */
};
int nsc_rank_ending_compare(const void *a, const void *b);
int nsc_rank_series_compare(const void *a, const void *b); /* uint32_t, ascending */

/* Adds a group of the ranks of series, with room for n instances. Borrowed until the next call. */
struct nsc_rank_group *nsc_rank_grouping_add(struct nsc_rank_grouping *grouping,
                                             const uint32_t all_series[], uint32_t n_ranks,
                                             uint32_t n);
/* Puts an op into instance i of a group, for its member m. */
void nsc_rank_grouping_put(struct nsc_rank_grouping *grouping, struct nsc_rank_group *group,
                           uint32_t i, uint32_t m, uint32_t op);
/* The series of a group, ordered by rank. Free them with free(). */
uint32_t *nsc_rank_grouping_members(const struct nsc_rank_grouping *grouping, uint32_t group,
                                    uint32_t *n);
/* Joins the groups of the edge's series if they have no rank in common. */
void nsc_rank_grouping_join(struct nsc_rank_grouping *grouping, const struct nsc_rank_edge *edge);

/* Splits series that mix communicators, kernel by kernel (rank_split.c). */
void nsc_rank_grouping_split(struct nsc_rank_grouping *grouping);
/* Matches the remaining point-to-point kernels by their ends (rank_pairs.c). */
void nsc_rank_grouping_match(struct nsc_rank_grouping *grouping,
                             const struct nsc_rank_clocks *clocks);

#endif
