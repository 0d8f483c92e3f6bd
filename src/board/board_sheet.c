/* Writes down what the screen of a job shows, and how to fetch the export of a rank. */
#include "board/board.h"
#include "core/argv.h"

#include <inttypes.h>
#include <string.h>

struct cell_row {
    int64_t rank;
    struct nsc_text node;
    uint64_t iteration;
    nsc_time at[NSC_N_JOB_VALUES];
};

static const struct nsc_sheet_column cell_columns[] = {
    NSC_COL_ID(cell_row, rank, "rank", "Rank"),
    NSC_COL_TEXT(cell_row, node, "node", "Node"),
    NSC_COL_COUNT(cell_row, iteration, "iteration", "Iteration"),
    NSC_COL_NS(cell_row, at[NSC_JOB_LATE], "late_ns", "Late"),
    NSC_COL_NS(cell_row, at[NSC_JOB_WAITING], "waiting_ns", "Waiting"),
    NSC_COL_NS(cell_row, at[NSC_JOB_DURATION], "duration_ns", "Duration"),
    NSC_COL_NS(cell_row, at[NSC_JOB_EXPOSED], "exposed_ns", "Exposed"),
    NSC_COL_NS(cell_row, at[NSC_JOB_IDLE], "idle_ns", "Idle"),
    NSC_COL_NS(cell_row, at[NSC_JOB_COMPUTE], "compute_ns", "Compute"),
};

static void add_cell(struct nsc_sheet *sheet, const struct nsc_job_values *values, uint32_t rank,
                     uint32_t column)
{
    const struct nsc_fleet_rank *of = &values->fleet->ranks.at[rank];
    struct cell_row row = {of->number,
                           nsc_fleet_text(values->fleet, of->host),
                           (uint64_t)column * values->of_a_column,
                           {0}};

    for (unsigned value = 0; value < NSC_N_JOB_VALUES; value++) {
        float ns = values->at[value][(size_t)rank * values->n_columns + column];

        row.at[value] = nsc_known(ns >= 0, (nsc_time)ns);
    }
    NSC_SHEET_ADD_ROW(sheet, &row);
}

void nsc_board_sheet(struct nsc_sheets *out, const struct nsc_board *board)
{
    const struct nsc_heat *heat = &board->heat[NSC_BOARD_RANKS];
    uint32_t first = heat->lines.first;
    uint32_t end = board->lines.first[first + heat->lines.shown];
    struct nsc_sheet *sheet = NSC_SHEETS_ADD(out, "cells", "Ranks by iterations", cell_columns);

    for (uint32_t i = board->lines.first[first]; i < end; i++)
        for (uint32_t c = 0; c < heat->cols.shown; c++)
            add_cell(sheet, board->values, board->lines.rank[i], heat->cols.first + c);
}

void nsc_board_fill(struct nsc_buf *out, const char *pattern, int64_t number)
{
    static const char word[] = "{rank}";
    const char *at;

    for (; (at = strstr(pattern, word)); pattern = at + sizeof word - 1)
        nsc_buf_printf(out, "%.*s%" PRId64, (int)(at - pattern), pattern, number);
    nsc_buf_puts(out, pattern);
}

void nsc_board_tell_fetch(struct nsc_board *board, uint32_t rank, const char *file, nsc_time at)
{
    const struct nsc_fleet *fleet = board->values->fleet;
    struct nsc_text host = nsc_fleet_text(fleet, fleet->ranks.at[rank].host);
    struct nsc_text path = nsc_fleet_text(fleet, fleet->ranks.at[rank].path);
    struct nsc_buf *command = &board->command;
    struct nsc_buf from = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_clear(command);
    nsc_buf_printf(&from, "%.*s:%.*s", (int)host.n, host.bytes, (int)path.n, path.bytes);
    nsc_buf_puts(command, "scp -- ");
    nsc_argv_quote(command, from.bytes);
    nsc_buf_printf(command, " . && nsyscope --command 'goto %" PRId64 "ns' -- ", at);
    nsc_argv_quote(command, file);
    nsc_buf_puts(&board->message, "The export is not here; --exports tells where they are. "
                                  "y copies what fetches and opens it:");
    nsc_buf_fini(&from);
}
