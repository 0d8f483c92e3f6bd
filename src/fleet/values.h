/*
 * What each rank of a job spends in each iteration, and for whom it waits: the figures of the job's screen.
 *
 * A column is as many iterations as the longest row of a sketch adds up. Rows that add up fewer are summed. Waiting and
 * lateness are those of the collectives that the sketches keep, in the iteration of their first member. The owner calls fini.
 */
#ifndef NSC_FLEET_VALUES_H
#define NSC_FLEET_VALUES_H

#include "nsyscope/status.h"

#include "analysis/job/meet.h"

enum nsc_job_value {
    NSC_JOB_LATE,    /* later than the median of the others: what it costs them */
    NSC_JOB_WAITING, /* in collectives, until the last rank arrives */
    NSC_JOB_DURATION,
    NSC_JOB_EXPOSED,
    NSC_JOB_IDLE,
    NSC_JOB_COMPUTE,
    NSC_N_JOB_VALUES
};

struct nsc_job_meet { /* a collective */
    uint32_t meeting, column;
    uint32_t last;   /* the rank that came last */
    nsc_time waited; /* by all together */
};

struct nsc_job_values {
    const struct nsc_fleet *fleet;
    uint32_t n_ranks, n_columns, of_a_column;
    float *at[NSC_N_JOB_VALUES];   /* ns by rank, then column; -1: none */
    nsc_time *late;                /* by rank, summed */
    uint32_t of_a_group, n_groups; /* ranks that follow each other */
    float *waits;                  /* ns by group that waits, then group that came last; -1: none */
    NSC_VEC(struct nsc_job_meet) meets; /* by column, those in which ranks waited most first */
};

#define NSC_JOB_GROUPS 64         /* most */
#define NSC_JOB_CELLS  (1u << 25) /* most ranks times columns */

/* NSC_ENODATA: no rank, or more than NSC_JOB_CELLS. */
NSC_NODISCARD enum nsc_status nsc_job_values_build(struct nsc_job_values *out,
                                                   const struct nsc_meetings *meetings,
                                                   struct nsc_error *error);
/* The time of the rank's export from the beginning of a column to that of the next, or the end of the last. */
struct nsc_window nsc_job_column_window(const struct nsc_job_values *values, uint32_t rank,
                                        uint32_t column);
/* The collective of a column in which the ranks waited most and this one took part; NULL: none. */
const struct nsc_job_meet *nsc_job_worst_meet(const struct nsc_job_values *values,
                                              const struct nsc_meetings *meetings, uint32_t rank,
                                              uint32_t column);
void nsc_job_values_fini(struct nsc_job_values *values);

#endif
