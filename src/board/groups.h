/*
 * The groups of a job's ranks, by parallelism: which ranks are one tensor group, one data group.
 *
 * The ranks of a meeting that are not all of the job are a group. Groups of one parallelism, or where none is named of one size,
 * are a way to split the ranks, if no rank is in two of them. Ranks that send to each other are one group, with those that send to
 * these. The owner calls fini.
 */
#ifndef NSC_BOARD_GROUPS_H
#define NSC_BOARD_GROUPS_H

#include "analysis/job/meet.h"

#define NSC_JOB_SPLITS 8 /* most */

struct nsc_job_split {
    enum nsc_parallel parallel;
    bool is_sends;
    uint32_t size;   /* of its first group */
    uint32_t *group; /* by rank: the first rank of its group; the number of ranks: none */
};

struct nsc_job_splits {
    struct nsc_job_split list[NSC_JOB_SPLITS];
    uint32_t n;
};

void nsc_job_splits_find(struct nsc_job_splits *out, const struct nsc_meetings *meetings);
/* Appends "TP group", "senders", "group of 4". */
void nsc_job_split_word(struct nsc_buf *out, const struct nsc_job_split *split);
void nsc_job_splits_fini(struct nsc_job_splits *splits);

#endif
