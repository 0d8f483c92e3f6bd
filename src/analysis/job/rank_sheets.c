/*
 * Prints a job's ranks into sheets.
 */
#include "analysis/job/rank_sheets.h"

#include "analysis/names/folded_name.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PID(process)    ((uint32_t)((process)&0xffffff))
#define EXPORT(process) ((uint32_t)((process) >> 40))

static struct nsc_text export_label(const struct nsc_trace *trace, uint32_t capture_no)
{
    const struct nsc_trace_info *exports = nsc_trace_captures(trace, NULL);

    return nsc_trace_string(trace, exports[capture_no].label);
}

/* ---- clocks ---- */

static const struct nsc_sheet_column clock_columns[] = {
    {"export", "Export", NULL, NSC_SHEET_TEXT, 0},
    {"offset_ns", "Put at", NULL, NSC_SHEET_NS, 0},
    {"ends", "Ends compared", NULL, NSC_SHEET_COUNT, 0},
    {"correction_ns", "Clock ahead", NULL, NSC_SHEET_NS, 0},
    {"residual_p05_ns", "Residual p05", NULL, NSC_SHEET_NS, 0},
    {"residual_p95_ns", "Residual p95", NULL, NSC_SHEET_NS, 0},
};

static void fill_clocks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(collectives->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_clock *clock = &collectives->clocks[i];

        nsc_sheet_add_text(sheet, export_label(collectives->trace, i));
        nsc_sheet_add_int(sheet, exports[i].offset);
        nsc_sheet_add_int(sheet, clock->ends);
        for (int c = 0; clock->ends == 0 && c < 3; c++)
            nsc_sheet_add_unknown(sheet);
        if (clock->ends == 0)
            continue;
        nsc_sheet_add_int(sheet, clock->correction);
        nsc_sheet_add_int(sheet, clock->p05);
        nsc_sheet_add_int(sheet, clock->p95);
    }
    nsc_sheet_note(sheet, "Participants of a collective end together: the median of what an "
                          "export's ends are apart from the middle is its clock's error and is "
                          "taken out before starts are compared; the residual is what is left.");
}

/* ---- ranks ---- */

static const struct nsc_sheet_column rank_columns[] = {
    {"export", "Export", NULL, NSC_SHEET_TEXT, 0},
    {"pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"matched", "Collectives", NULL, NSC_SHEET_COUNT, 0},
    {"last", "Came last", NULL, NSC_SHEET_COUNT, 0},
    {"last_pct", "of them", "the rank's matched collectives", NSC_SHEET_PERCENT, 0},
    {"kept_ns", "Kept others", NULL, NSC_SHEET_NS, 0},
    {"waited_ns", "Waited", NULL, NSC_SHEET_NS, 0},
    {"transfer_ns", "Transfer", NULL, NSC_SHEET_NS, 0},
    {"waited_pct", "Waiting", "the rank's time in matched collectives", NSC_SHEET_PERCENT, 0},
};

static void add_rank(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                     const struct nsc_job_rank *rank)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    nsc_sheet_add_text(sheet, export_label(trace, rank->capture_no));
    nsc_sheet_add_int(sheet, PID(rank->process));
    nsc_sheet_add_int(sheet, tracks[rank->track].gpu);
}

static void fill_ranks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->ranks.n; i++) {
        const struct nsc_job_rank *rank = &collectives->ranks.at[i];

        add_rank(sheet, collectives->trace, rank);
        nsc_sheet_add_int(sheet, rank->matched);
        nsc_sheet_add_int(sheet, rank->last);
        nsc_sheet_add_share(sheet, rank->last, rank->matched);
        nsc_sheet_add_int(sheet, rank->kept);
        nsc_sheet_add_int(sheet, rank->waited);
        nsc_sheet_add_int(sheet, rank->transfer);
        nsc_sheet_add_number(sheet, 100.0 * (double)rank->waited /
                                        ((double)rank->waited + (double)rank->transfer));
    }
    nsc_sheet_note(sheet, "Transfer: the shortest participant of each collective. Waited: what the "
                          "rank's own kernel took longer. Kept others: by how much it was later "
                          "than the last but one, where it came last.");
}

/* ---- collectives ---- */

static const struct nsc_sheet_column collective_columns[] = {
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},
    {"instances", "Instances", NULL, NSC_SHEET_COUNT, 0},
    {"transfer_ns", "Transfer", NULL, NSC_SHEET_NS, 0},
    {"waited_ns", "Waited", NULL, NSC_SHEET_NS, 0},
    {"worst_ns", "Worst wait", NULL, NSC_SHEET_NS, 0},
    {"worst_at_ns", "at", NULL, NSC_SHEET_INSTANT, 0},
    {"usually_last_export", "Usually last", NULL, NSC_SHEET_TEXT, 0},
    {"usually_last_pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"usually_last_gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"usually_last_pct", "of them", "instances", NSC_SHEET_PERCENT, 0},
};

static void fill_collectives(struct nsc_sheet *sheet,
                             const struct nsc_rank_collectives *collectives)
{
    const struct nsc_trace *trace = collectives->trace;

    for (size_t i = 0; i < collectives->list.n; i++) {
        const struct nsc_rank_collective *collective = &collectives->list.at[i];

        nsc_sheet_add_text(sheet, nsc_trace_string(trace, collective->name));
        nsc_sheet_add_int(sheet, collective->n_ranks);
        nsc_sheet_add_int(sheet, collective->instances);
        nsc_sheet_add_int(sheet, collective->transfer);
        nsc_sheet_add_int(sheet, collective->waited);
        nsc_sheet_add_int(sheet, collective->worst_wait);
        nsc_sheet_add_int(sheet, nsc_trace_events(trace)->start[collective->worst]);
        add_rank(sheet, trace, &collectives->ranks.at[collective->usually_last]);
        nsc_sheet_add_share(sheet, collective->last, collective->instances);
    }
    nsc_sheet_note(sheet, "Matched by name and order among ranks that have as many and overlap. "
                          "Waited is of all ranks, added up: more than wall time.");
}

static const struct nsc_sheet_column unmatched_columns[] = {
    {"export", "Export", NULL, NSC_SHEET_TEXT, 0},
    {"pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {"instances", "Instances", NULL, NSC_SHEET_COUNT, 0},
};

static void fill_unmatched(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->unmatched.n; i++) {
        const struct nsc_unmatched *unmatched = &collectives->unmatched.at[i];

        add_rank(sheet, collectives->trace, &collectives->ranks.at[unmatched->rank]);
        nsc_sheet_add_text(sheet, nsc_trace_string(collectives->trace, unmatched->name));
        nsc_sheet_add_int(sheet, unmatched->n);
    }
    nsc_sheet_note(sheet, "No other rank has as many of them at the same times: its recording is "
                          "not among these exports, began at another time, or the clocks are too "
                          "far apart (try --align).");
}

/* ---- stages ---- */

enum { STAGE_COLUMNS = 5, TEXT_BYTES = 32 };

static const struct nsc_sheet_column stage_columns[STAGE_COLUMNS] = {
    {"stage", "NVTX range", NULL, NSC_SHEET_TEXT, 0},
    {"ranks", "Ranks", NULL, NSC_SHEET_COUNT, 0},
    {"median_ns", "Median", NULL, NSC_SHEET_NS, 0},
    {"slowest_pid", "Slowest", NULL, NSC_SHEET_ID, 0},
    {"spread_pct", "Spread", "the median", NSC_SHEET_PERCENT, 0},
};

/* A column a rank: "pid_111_ns", with the number of its export where there are several. */
static void make_columns(struct nsc_rank_columns *out, const struct nsc_trace *trace,
                         const struct nsc_rank_stages *stages)
{
    uint32_t n_captures = 0;
    uint32_t n = stages->n_ranks < NSC_RANK_COLUMNS ? stages->n_ranks : NSC_RANK_COLUMNS;

    (void)nsc_trace_captures(trace, &n_captures);
    out->n = STAGE_COLUMNS + n;
    out->columns = nsc_xcalloc(out->n, sizeof *out->columns);
    out->texts = nsc_xcalloc((size_t)n * 2 + 1, TEXT_BYTES);
    memcpy(out->columns, stage_columns, sizeof stage_columns);
    for (uint32_t i = 0; i < n; i++) {
        char *key = out->texts + (size_t)i * 2 * TEXT_BYTES;
        char *title = key + TEXT_BYTES;
        uint32_t pid = PID(stages->process[i]);
        uint32_t capture_no = EXPORT(stages->process[i]);

        if (n_captures > 1) {
            (void)snprintf(key, TEXT_BYTES, "export_%" PRIu32 "_pid_%" PRIu32 "_ns", capture_no,
                           pid);
            (void)snprintf(title, TEXT_BYTES, "%" PRIu32 "/%" PRIu32, capture_no, pid);
        } else {
            (void)snprintf(key, TEXT_BYTES, "pid_%" PRIu32 "_ns", pid);
            (void)snprintf(title, TEXT_BYTES, "%" PRIu32, pid);
        }
        out->columns[STAGE_COLUMNS + i] =
            (struct nsc_sheet_column){key, title, NULL, NSC_SHEET_NS, 0};
    }
}

static void add_stage_name(struct nsc_sheet *sheet, const struct nsc_trace *trace, nsc_name name)
{
    struct nsc_buf folded = NSC_BUF_INIT(NSC_NAME_BYTES + 1);

    nsc_name_fold(&folded, trace, name);
    nsc_sheet_add_text(sheet, nsc_text_of_buf(&folded));
    nsc_buf_fini(&folded);
}

static void fill_stages(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                        const struct nsc_rank_stages *stages, uint32_t limit)
{
    uint32_t shown = limit && limit < stages->n ? limit : stages->n;

    for (uint32_t i = 0; i < shown; i++) {
        const struct nsc_rank_stage *stage = &stages->list[i];

        add_stage_name(sheet, trace, stage->name);
        nsc_sheet_add_int(sheet, stage->n_ranks);
        nsc_sheet_add_int(sheet, stage->median);
        nsc_sheet_add_int(sheet, PID(stages->process[stage->slowest]));
        nsc_sheet_add_share(sheet, stage->of_rank[stage->slowest] - stage->of_rank[stage->fastest],
                            stage->median);
        for (uint32_t r = 0; r + STAGE_COLUMNS < sheet->n_columns; r++) {
            if (stage->of_rank[r] < 0)
                nsc_sheet_add_unknown(sheet);
            else
                nsc_sheet_add_int(sheet, stage->of_rank[r]);
        }
    }
    sheet->n_left_out = stages->n - shown;
    nsc_sheet_note(sheet,
                   "Median wall time of the range on each process; ranges of the %d "
                   "outermost depths. Spread: slowest less fastest rank.",
                   NSC_STAGE_DEPTHS);
    if (stages->n_ranks > NSC_RANK_COLUMNS)
        nsc_sheet_note(sheet, "Of %" PRIu32 " ranks the first %d have a column.", stages->n_ranks,
                       NSC_RANK_COLUMNS);
}

void nsc_rank_sheets(struct nsc_sheets *out, struct nsc_rank_columns *columns,
                     const struct nsc_rank_collectives *collectives,
                     const struct nsc_rank_stages *stages, uint32_t limit)
{
    const struct nsc_trace *trace = collectives->trace;

    make_columns(columns, trace, stages);
    fill_clocks(nsc_sheets_add(out, "clocks", "Clocks", clock_columns, 6), collectives);
    fill_ranks(nsc_sheets_add(out, "ranks", "Ranks", rank_columns, 10), collectives);
    fill_collectives(
        nsc_sheets_add(out, "collectives", "Collectives, by waiting", collective_columns, 11),
        collectives);
    if (collectives->unmatched.n)
        fill_unmatched(nsc_sheets_add(out, "unmatched", "Communication without partners",
                                      unmatched_columns, 5),
                       collectives);
    fill_stages(nsc_sheets_add(out, "stages", "Stages by rank", columns->columns, columns->n),
                trace, stages, limit);
}

void nsc_rank_columns_fini(struct nsc_rank_columns *columns)
{
    free(columns->columns);
    free(columns->texts);
    memset(columns, 0, sizeof *columns);
}
