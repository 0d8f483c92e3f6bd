/*
 * Prints a job's ranks into sheets.
 */
#include "analysis/job/rank_sheets.h"

#include "analysis/names/label.h"
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

struct clock_row {
    struct nsc_text capture;
    struct nsc_clock of;
    nsc_time offset, correction, p05, p95; /* the latter three: or not known */
};

static const struct nsc_sheet_column clock_columns[] = {
    NSC_COL_TEXT(clock_row, capture, "export", "Export"),
    NSC_COL_NS(clock_row, offset, "offset_ns", "Put at"),
    NSC_COL_COUNT(clock_row, of.ends, "ends", "Ends compared"),
    NSC_COL_NS(clock_row, correction, "correction_ns", "Clock ahead"),
    NSC_COL_NS(clock_row, p05, "residual_p05_ns", "Residual p05"),
    NSC_COL_NS(clock_row, p95, "residual_p95_ns", "Residual p95"),
};

static void fill_clocks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(collectives->trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_clock *clock = &collectives->clocks[i];

        bool is_known = clock->ends > 0;

        NSC_ADD_ROW(sheet, clock_row, .capture = export_label(collectives->trace, i), .of = *clock,
                    .offset = exports[i].offset,
                    .correction = nsc_known(is_known, clock->correction),
                    .p05 = nsc_known(is_known, clock->p05), .p95 = nsc_known(is_known, clock->p95));
    }
    nsc_sheet_note(sheet, "Participants of a collective end together. The clock error of an export "
                          "is the median distance of its ends from the middle; it is subtracted "
                          "before starts are compared. The residual is what remains.");
}

/* ---- ranks ---- */

struct rank_name {
    struct nsc_text capture;
    uint32_t pid;
    int64_t gpu;
};

struct rank_row {
    struct rank_name name;
    struct nsc_job_rank of;
    double waiting; /* % of waited and transfer */
};

static const struct nsc_sheet_column rank_columns[] = {
    NSC_COL_TEXT(rank_row, name.capture, "export", "Export"),
    NSC_COL_ID(rank_row, name.pid, "pid", "Process"),
    NSC_COL_ID(rank_row, name.gpu, "gpu", "GPU"),
    NSC_COL_COUNT(rank_row, of.matched, "matched", "Collectives"),
    NSC_COL_COUNT(rank_row, of.last, "last", "Came last"),
    NSC_COL_SHARE(rank_row, of.last, of.matched, "last_pct", "of them",
                  "the rank's matched collectives"),
    NSC_COL_NS(rank_row, of.kept, "kept_ns", "Kept others"),
    NSC_COL_NS(rank_row, of.waited, "waited_ns", "Waited"),
    NSC_COL_NS(rank_row, of.transfer, "transfer_ns", "Transfer"),
    NSC_COL_PERCENT(rank_row, waiting, "waited_pct", "Waiting",
                    "the rank's time in matched collectives"),
};

static struct rank_name name_rank(const struct nsc_trace *trace, const struct nsc_job_rank *rank)
{
    return (struct rank_name){export_label(trace, rank->capture_no), PID(rank->process),
                              nsc_trace_track(trace, rank->track)->gpu};
}

static void fill_ranks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->ranks.n; i++) {
        const struct nsc_job_rank *rank = &collectives->ranks.at[i];

        NSC_ADD_ROW(sheet, rank_row, .name = name_rank(collectives->trace, rank), .of = *rank,
                    .waiting = 100.0 * (double)rank->waited /
                               ((double)rank->waited + (double)rank->transfer));
    }
    nsc_sheet_note(sheet, "Transfer: the duration of the shortest participant of each collective. "
                          "Waited: how much longer the rank's own kernel took. Kept others: how "
                          "much later than the second to last it came, where it came last.");
}

/* ---- collectives ---- */

struct job_collective_row {
    struct nsc_text kernel;
    struct nsc_rank_collective of;
    nsc_time worst_at;
    struct rank_name last;
};

static const struct nsc_sheet_column collective_columns[] = {
    NSC_COL_TEXT(job_collective_row, kernel, "kernel", "Kernel"),
    NSC_COL_COUNT(job_collective_row, of.n_ranks, "ranks", "Ranks"),
    NSC_COL_COUNT(job_collective_row, of.instances, "instances", "Instances"),
    NSC_COL_NS(job_collective_row, of.transfer, "transfer_ns", "Transfer"),
    NSC_COL_NS(job_collective_row, of.waited, "waited_ns", "Waited"),
    NSC_COL_NS(job_collective_row, of.worst_wait, "worst_ns", "Worst wait"),
    NSC_COL_INSTANT(job_collective_row, worst_at, "worst_at_ns", "at"),
    NSC_COL_TEXT(job_collective_row, last.capture, "usually_last_export", "Usually last"),
    NSC_COL_ID(job_collective_row, last.pid, "usually_last_pid", "Process"),
    NSC_COL_ID(job_collective_row, last.gpu, "usually_last_gpu", "GPU"),
    NSC_COL_SHARE(job_collective_row, of.last, of.instances, "usually_last_pct", "of them",
                  "instances"),
};

static void fill_collectives(struct nsc_sheet *sheet,
                             const struct nsc_rank_collectives *collectives)
{
    const struct nsc_trace *trace = collectives->trace;

    for (size_t i = 0; i < collectives->list.n; i++) {
        const struct nsc_rank_collective *collective = &collectives->list.at[i];

        NSC_ADD_ROW(sheet, job_collective_row, .kernel = nsc_trace_string(trace, collective->name),
                    .of = *collective,
                    .worst_at = nsc_trace_events(trace)->start[collective->worst],
                    .last = name_rank(trace, &collectives->ranks.at[collective->usually_last]));
    }
    nsc_sheet_note(sheet,
                   "Kernels are matched by name and order among ranks that have equally many and "
                   "overlap. Waited is added over all ranks, so it can exceed wall time.");
}

struct unmatched_row {
    struct rank_name rank;
    struct nsc_text kernel;
    uint32_t instances;
};

static const struct nsc_sheet_column unmatched_columns[] = {
    NSC_COL_TEXT(unmatched_row, rank.capture, "export", "Export"),
    NSC_COL_ID(unmatched_row, rank.pid, "pid", "Process"),
    NSC_COL_ID(unmatched_row, rank.gpu, "gpu", "GPU"),
    NSC_COL_TEXT(unmatched_row, kernel, "kernel", "Kernel"),
    NSC_COL_COUNT(unmatched_row, instances, "instances", "Instances"),
};

static void fill_unmatched(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->unmatched.n; i++) {
        const struct nsc_unmatched *unmatched = &collectives->unmatched.at[i];

        NSC_ADD_ROW(sheet, unmatched_row,
                    .rank = name_rank(collectives->trace, &collectives->ranks.at[unmatched->rank]),
                    .kernel = nsc_trace_string(collectives->trace, unmatched->name),
                    .instances = unmatched->n);
    }
    nsc_sheet_note(
        sheet,
        "No other rank has equally many of them at the same times: its recording is not among "
        "these exports, began at another time, or the clocks are too far apart (try --align).");
}

/* ---- stages ---- */

enum { STAGE_COLUMNS = 5, TEXT_BYTES = 32 };

struct job_stage_row {
    struct nsc_kept_text stage;
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

/* A column for each rank: "pid_111_ns", with the number of the export when there are several. */
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
            (struct nsc_sheet_column)NSC_COL_NS(job_stage_row, of_rank[0], key, title);
        out->columns[STAGE_COLUMNS + i].at += (uint16_t)(i * sizeof(nsc_time));
    }
}

static struct nsc_kept_text keep_stage_name(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                            nsc_name name)
{
    struct nsc_buf folded = NSC_BUF_INIT(NSC_NAME_BYTES + 1);
    struct nsc_kept_text kept;

    nsc_name_fold(&folded, trace, name);
    kept = nsc_sheet_keep(sheet, nsc_text_of_buf(&folded));
    nsc_buf_fini(&folded);
    return kept;
}

static void fill_stages(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                        const struct nsc_rank_stages *stages, uint32_t limit)
{
    uint32_t shown = limit && limit < stages->n ? limit : stages->n;

    for (uint32_t i = 0; i < shown; i++) {
        const struct nsc_rank_stage *stage = &stages->list[i];

        struct job_stage_row row = {.stage = keep_stage_name(sheet, trace, stage->name),
                                    .n_ranks = stage->n_ranks,
                                    .slowest_pid = PID(stages->process[stage->slowest]),
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
