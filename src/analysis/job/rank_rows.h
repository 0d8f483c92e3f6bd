/*
 * The iterations of each rank as columns: their starts, and the parts of their time.
 *
 * Long recordings have more iterations than NSC_RANK_ROWS; then a row holds several. Without iterations one row holds
 * the whole scope. Ranks of one device and the same iterations share their rows, and its time is
 * read once for all of them: with a sweep for each of 10,000 processes, a sketch took minutes. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANK_ROWS_H
#define NSC_ANALYSIS_RANK_ROWS_H

#include "analysis/job/rank_ops.h"
#include "analysis/job/recording_parts.h"
#include "analysis/ranges/iterations.h"

#define NSC_RANK_ROWS   1024
#define NSC_RANK_CAUSES 6 /* of idle time with columns of their own, the largest */

struct nsc_row_part {
    enum nsc_part_class class;
    nsc_str cause; /* of idle time, in the pool of the caller; 0: all of the class */
    nsc_time total;
    nsc_time *ns; /* by row; owned */
};

struct nsc_rank_rows {
    uint32_t n, each; /* each: iterations a row */
    nsc_time *start;
    nsc_time end;                       /* of the last row */
    NSC_VEC(struct nsc_row_part) parts; /* the classes, then the causes */
};

struct nsc_all_rank_rows {
    NSC_VEC(struct nsc_rank_rows) at;
    uint32_t *of; /* by rank: its rows, a place in at */
};

/* texts: receives the causes. */
void nsc_rank_rows_build(struct nsc_all_rank_rows *out, struct nsc_strpool *texts,
                         const struct nsc_scope *scope, const struct nsc_iterations *iterations,
                         const struct nsc_rank_ops *ops);
void nsc_rank_rows_fini(struct nsc_all_rank_rows *rows);

#endif
