/* Shows the stages of a job rank by rank, as a sheet. */
#ifndef NSC_ANALYSIS_RANK_SHEETS_H
#define NSC_ANALYSIS_RANK_SHEETS_H

#include "analysis/base/scope.h"
#include "core/sheet.h"
#include "core/strpool.h"
#include "core/vec.h"

/*
 * The stages of a job rank by rank: how long each NVTX range takes on each process.
 *
 * A stage is the name of a push/pop range ("#" for its numbers) within the four outermost depths of
 * a thread. Its time on a rank is the median of its whole durations there (lower middle). Times are
 * wall time of the CPU thread of the range. The owner calls fini.
 */
#define NSC_STAGE_DEPTHS 4

struct nsc_rank_stage {
    nsc_str name;              /* id in the pool, folded: analysis/names/label.h */
    uint32_t n_ranks;          /* that have it */
    nsc_time total;            /* sum over all instances; saturating */
    nsc_time median;           /* median of the ranks' medians, lower middle */
    uint32_t fastest, slowest; /* ranks */
    nsc_time *of_rank;         /* n_ranks medians, a part of one allocation; -1: the rank has
                                * none */
};

struct nsc_stage_sample {
    nsc_str name;
    uint64_t process; /* export, then process */
    nsc_time duration;
};

struct nsc_rank_stages {
    struct nsc_strpool pool;
    NSC_VEC(uint64_t)
    process;                                  /* keys of the ranks, ascending: export, then
                                               * process */
    NSC_VEC(struct nsc_stage_sample) samples; /* until they are measured */
    uint32_t n_exports, n;
    struct nsc_rank_stage *list; /* the longest in all first */
};

void nsc_rank_stages_init(struct nsc_rank_stages *stages);
/* Adds the exports of a trace; may be called repeatedly. */
void nsc_rank_stages_add(struct nsc_rank_stages *stages, const struct nsc_scope *scope);
/* Fills the list; call it after the last export. */
void nsc_rank_stages_measure(struct nsc_rank_stages *stages);
void nsc_rank_stages_fini(struct nsc_rank_stages *stages);

/* ---- sheets ---- */

#define NSC_RANK_COLUMNS 64 /* ranks with a column of their own in the matrix of stages */

/* The columns of the matrix, one per rank; its sheet borrows them. */
struct nsc_rank_columns {
    struct nsc_sheet_column *columns;
    char *texts;
    uint32_t n;
};

/* Adds "stages" with at most limit rows (0: all). columns must outlive the sheets; free it with fini. */
void nsc_stage_sheet(struct nsc_sheets *out, struct nsc_rank_columns *columns,
                     const struct nsc_rank_stages *stages, uint32_t limit);
void nsc_rank_columns_fini(struct nsc_rank_columns *columns);

#endif
