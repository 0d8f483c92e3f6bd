/* Fills the sheet of stages by rank. */
#include "analysis/job/rank_sheets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PID(process)    ((uint32_t)((process)&0xffffff))
#define EXPORT(process) ((uint32_t)((process) >> 40))

enum { STAGE_COLUMNS = 5, TEXT_BYTES = 32 };

struct job_stage_row {
    struct nsc_text stage;
    uint32_t n_ranks, slowest_pid;
    nsc_time median, spread;
    nsc_time of_rank[NSC_RANK_COLUMNS]; /* or not known */
};

static const struct nsc_sheet_column stage_columns[STAGE_COLUMNS] = {
    NSC_COL_TEXT(job_stage_row, stage, "stage", "NVTX range"),
    NSC_COL_COUNT(job_stage_row, n_ranks, "ranks", "Ranks"),
    NSC_COL_NS(job_stage_row, median, "median_ns", "Median"),
    NSC_COL_ID(job_stage_row, slowest_pid, "slowest_pid", "Slowest"),
    NSC_COL_SHARE(job_stage_row, spread, median, "spread_pct", "Spread", "the median"),
};

/* Makes a column for each rank: "pid_111_ns", with the export's number if there are several. */
static void make_columns(struct nsc_rank_columns *out, const struct nsc_rank_stages *stages)
{
    uint32_t n_ranks = (uint32_t)stages->process.n;
    uint32_t n = n_ranks < NSC_RANK_COLUMNS ? n_ranks : NSC_RANK_COLUMNS;

    out->n = STAGE_COLUMNS + n;
    out->columns = nsc_xcalloc(out->n, sizeof *out->columns);
    out->texts = nsc_xcalloc((size_t)n * 2 + 1, TEXT_BYTES);
    memcpy(out->columns, stage_columns, sizeof stage_columns);
    for (uint32_t i = 0; i < n; i++) {
        char *key = out->texts + (size_t)i * 2 * TEXT_BYTES;
        char *title = key + TEXT_BYTES;
        uint32_t pid = PID(stages->process.at[i]);
        uint32_t capture_no = EXPORT(stages->process.at[i]);

        if (stages->n_exports > 1) {
            (void)snprintf(key, TEXT_BYTES, "export_%" PRIu32 "_pid_%" PRIu32 "_ns", capture_no,
                           pid);
            (void)snprintf(title, TEXT_BYTES, "%" PRIu32 "/%" PRIu32, capture_no, pid);
        } else {
            (void)snprintf(key, TEXT_BYTES, "pid_%" PRIu32 "_ns", pid);
            (void)snprintf(title, TEXT_BYTES, "%" PRIu32, pid);
        }
        out->columns[STAGE_COLUMNS + i] =
            (struct nsc_sheet_column)NSC_COL_NS(job_stage_row, of_rank[0], key, title);
        out->columns[STAGE_COLUMNS + i].at += (uint16_t)(i * sizeof(nsc_time));
    }
}

static void fill_stages(struct nsc_sheet *sheet, const struct nsc_rank_stages *stages,
                        uint32_t limit)
{
    uint32_t shown = limit && limit < stages->n ? limit : stages->n;

    for (uint32_t i = 0; i < shown; i++) {
        const struct nsc_rank_stage *stage = &stages->list[i];

        struct job_stage_row row = {.stage = nsc_strpool_text(&stages->pool, stage->name),
                                    .n_ranks = stage->n_ranks,
                                    .slowest_pid = PID(stages->process.at[stage->slowest]),
                                    .median = stage->median};

        row.spread = stage->of_rank[stage->slowest] - stage->of_rank[stage->fastest];
        for (uint32_t r = 0; r + STAGE_COLUMNS < sheet->n_columns; r++)
            row.of_rank[r] = nsc_known(stage->of_rank[r] >= 0, stage->of_rank[r]);
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    sheet->n_left_out = stages->n - shown;
    nsc_sheet_note(sheet,
                   "Median wall time of the range on each process; ranges of the %d outermost "
                   "depths. Spread: the slowest rank minus the fastest.",
                   NSC_STAGE_DEPTHS);
    if (stages->process.n > NSC_RANK_COLUMNS)
        nsc_sheet_note(sheet, "Of %zu ranks the first %d have a column.", stages->process.n,
                       NSC_RANK_COLUMNS);
}

void nsc_stage_sheet(struct nsc_sheets *out, struct nsc_rank_columns *columns,
                     const struct nsc_rank_stages *stages, uint32_t limit)
{
    make_columns(columns, stages);
    fill_stages(nsc_sheets_add(out, "stages", "Stages by rank", columns->columns, columns->n),
                stages, limit);
}

void nsc_rank_columns_fini(struct nsc_rank_columns *columns)
{
    free(columns->columns);
    free(columns->texts);
    memset(columns, 0, sizeof *columns);
}
