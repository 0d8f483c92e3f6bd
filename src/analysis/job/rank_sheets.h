/*
 * A job rank by rank, as sheets: clocks, ranks, collectives, stages.
 */
#ifndef NSC_ANALYSIS_RANK_SHEETS_H
#define NSC_ANALYSIS_RANK_SHEETS_H

#include "analysis/job/rank_collectives.h"
#include "analysis/job/rank_stages.h"
#include "core/sheet.h"

#define NSC_RANK_COLUMNS 64 /* ranks that get a column of their own in the matrix of stages */

/* The columns of the matrix: they depend on the ranks, and are borrowed by its sheet. */
struct nsc_rank_columns {
    struct nsc_sheet_column *columns;
    char *texts;
    uint32_t n;
};

/*
 * The sheets "clocks", "ranks", "collectives", "unmatched" (where there are any) and "stages", the
 * latter of at most limit rows (0: all). columns must outlive the sheets; free it with fini.
 */
void nsc_rank_sheets(struct nsc_sheets *out, struct nsc_rank_columns *columns,
                     const struct nsc_rank_collectives *collectives,
                     const struct nsc_rank_stages *stages, uint32_t limit);
void nsc_rank_columns_fini(struct nsc_rank_columns *columns);

#endif
