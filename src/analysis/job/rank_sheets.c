/* Fills the sheets of a job's ranks. */
#include "analysis/job/rank_sheets.h"

#include "core/sum.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PID(process)    ((uint32_t)((process)&0xffffff))
#define EXPORT(process) ((uint32_t)((process) >> 40))

struct rank_name {
    int64_t number;
    struct nsc_text capture;
    uint32_t pid;
    int64_t gpu;
};

// NOLINTBEGIN(bugprone-macro-parentheses): a member's name cannot stand in parentheses
#define RANK_COLUMNS(row, field)                              \
    NSC_COL_ID(row, field.number, "rank", "Rank"),            \
        NSC_COL_TEXT(row, field.capture, "export", "Export"), \
        NSC_COL_ID(row, field.pid, "pid", "Process"), NSC_COL_ID(row, field.gpu, "gpu", "GPU")
// NOLINTEND(bugprone-macro-parentheses)

static struct rank_name name_rank(const struct nsc_rank_collectives *collectives, uint32_t rank_no)
{
    const struct nsc_job_rank *rank = &collectives->ranks.at[rank_no];

    return (struct rank_name){
        rank->number, nsc_strpool_text(&collectives->ops->pool, rank->place.label), rank->place.pid,
        nsc_known(rank->place.gpu != NSC_RANK_NO_GPU, rank->place.gpu)};
}

static struct nsc_text op_text(const struct nsc_rank_collectives *collectives, nsc_str name)
{
    return nsc_strpool_text(&collectives->ops->pool, name);
}

/* ---- late ---- */

struct late_row {
    struct rank_name name;
    struct nsc_text kernel, members;
    uint32_t last, instances;
    double chance; /* %, expected */
    nsc_time kept, span;
    const char *cause;
    nsc_time excess;
    bool is_root;
};

static const struct nsc_sheet_column late_columns[] = {
    RANK_COLUMNS(late_row, name),
    NSC_COL_TEXT(late_row, kernel, "kernel", "Late in"),
    NSC_COL_TEXT(late_row, members, "ranks", "of ranks"),
    NSC_COL_COUNT(late_row, last, "last", "Late"),
    NSC_COL_COUNT(late_row, instances, "instances", "Instances"),
    NSC_COL_SHARE(late_row, last, instances, "last_pct", "of them", "instances"),
    NSC_COL_PERCENT(late_row, chance, "chance_pct", "By chance", "instances"),
    NSC_COL_NS(late_row, kept, "kept_ns", "Kept others"),
    NSC_COL_SHARE(late_row, kept, span, "kept_pct", "of the time",
                  "the time from the first to the last instance"),
    NSC_COL_TEXT(late_row, cause, "cause", "Because of its"),
    NSC_COL_NS(late_row, excess, "cause_ns", "more"),
    NSC_COL_YES(late_row, is_root, "root", "Not kept itself"),
};

static const char *const cause_words[] = {[NSC_LATE_UNKNOWN] = NULL,
                                          [NSC_LATE_COMPUTE] = "compute",
                                          [NSC_LATE_COPIES] = "copies",
                                          [NSC_LATE_COLLECTIVE] = "other collectives",
                                          [NSC_LATE_CPU] = "CPU (its GPU had no work)"};

static const char *cause_word(const struct nsc_rank_collectives *collectives,
                              const struct nsc_late_rank *late)
{
    bool has_gpu = collectives->ranks.at[late->rank].place.gpu != NSC_RANK_NO_GPU;

    return late->cause == NSC_LATE_CPU && !has_gpu ? "CPU" : cause_words[late->cause];
}

/* "rank 3 (late in 98 of 100; the others wait for 14.0 % of the time; because of its compute)". */
static void put_late(struct nsc_buf *out, const struct nsc_rank_collectives *collectives,
                     const struct nsc_late_rank *late)
{
    nsc_buf_printf(out,
                   "rank %" PRId64 " (late in %" PRIu32 " of %" PRIu32
                   "; the others wait for it for %.1f %% of the time",
                   collectives->ranks.at[late->rank].number, late->last, late->instances,
                   nsc_percent(late->kept, late->span));
    if (late->cause != NSC_LATE_UNKNOWN)
        nsc_buf_printf(out, "; because of its %s", cause_word(collectives, late));
    nsc_buf_puts(out, ")");
}

/* Says why nobody is named: what the rank that cost most did. */
static void note_nobody(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    static const char *const doubts[] = {
        [NSC_DOUBT_TRIFLE] = "too little to matter",
        [NSC_DOUBT_ONCE] = "but one wait is most of it, which may be an accident",
        [NSC_DOUBT_CHANCE] = "but by chance one of these ranks may be late as often",
        [NSC_DOUBT_STAGES] = "but stages of a pipeline wait for each other by design",
    };
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    if (collectives->list.n == 0) {
        nsc_buf_puts(&line, "No rank can be called late: no collective of two ranks was matched.");
    } else if (collectives->doubted.kept == 0) {
        nsc_buf_puts(&line, "No rank is named: they come together, as far as the clocks tell.");
    } else {
        nsc_buf_puts(&line, "No rank is named. The costliest is ");
        put_late(&line, collectives, &collectives->doubted);
        nsc_buf_printf(&line, ", %s.", doubts[collectives->doubted.doubt]);
    }
    nsc_sheet_note(sheet, "%.*s", (int)line.n, line.bytes);
    nsc_buf_fini(&line);
}

static void note_verdict(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < collectives->late.n; i++) {
        const struct nsc_late_rank *late = &collectives->late.at[i];
        bool is_told = !late->is_root;

        for (size_t k = 0; k < i && !is_told; k++)
            is_told = collectives->late.at[k].rank == late->rank;
        if (is_told)
            continue;
        nsc_buf_puts(&line, line.n ? ", " : "Late: ");
        put_late(&line, collectives, late);
    }
    if (line.n)
        nsc_sheet_note(sheet, "%.*s.", (int)line.n, line.bytes);
    else
        note_nobody(sheet, collectives);
    nsc_buf_fini(&line);
}

void nsc_late_sheet(struct nsc_sheets *out, const struct nsc_rank_collectives *collectives)
{
    struct nsc_sheet *sheet = nsc_sheets_add(out, "late", "Late ranks", late_columns,
                                             sizeof late_columns / sizeof *late_columns);

    note_verdict(sheet, collectives);
    for (size_t i = 0; i < collectives->late.n; i++) {
        const struct nsc_late_rank *late = &collectives->late.at[i];
        const struct nsc_rank_collective *collective = &collectives->list.at[late->collective];

        NSC_ADD_ROW(sheet, late_row, .name = name_rank(collectives, late->rank),
                    .kernel = op_text(collectives, collective->name),
                    .members = nsc_strpool_text(&collectives->texts, collective->members),
                    .last = late->last, .instances = late->instances, .chance = 100 * late->chance,
                    .kept = late->kept, .span = late->span, .cause = cause_word(collectives, late),
                    .excess = nsc_known(late->cause != NSC_LATE_UNKNOWN, late->excess),
                    .is_root = late->is_root);
    }
    nsc_sheet_note(
        sheet,
        "A rank is late if it comes late more often, or causes more lateness, than by chance "
        "(binomial test, level %g over the ranks of a group), and costs %g %% of the time; or if "
        "it costs %d %% in several waits. The rank with the longest kernels waits.",
        NSC_SHARE(LATE_LEVEL), 100 * (NSC_LIMIT_LATE_SPAN / 1000.0), NSC_LIMIT_LATE_LARGE);
}

/* ---- clocks ---- */

struct clock_row {
    struct nsc_text capture;
    struct nsc_clock of;
    nsc_time offset, correction, p05, p95; /* correction, p05 and p95 may be not known */
    double drift;
};

static const struct nsc_sheet_column clock_columns[] = {
    NSC_COL_TEXT(clock_row, capture, "export", "Export"),
    NSC_COL_NS(clock_row, offset, "offset_ns", "Put at"),
    NSC_COL_COUNT(clock_row, of.ends, "ends", "Ends compared"),
    NSC_COL_NS(clock_row, correction, "correction_ns", "Clock ahead"),
    NSC_COL_NUMBER(clock_row, drift, "drift_ppm", "Drift ppm", 3),
    NSC_COL_NS(clock_row, p05, "residual_p05_ns", "Residual p05"),
    NSC_COL_NS(clock_row, p95, "residual_p95_ns", "Residual p95"),
};

static void fill_clocks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->ops->exports.n; i++) {
        const struct nsc_rank_export *export = &collectives->ops->exports.at[i];
        const struct nsc_clock *clock = &collectives->clocks[i];
        bool is_known = clock->ends > 0;

        NSC_ADD_ROW(sheet, clock_row, .capture = op_text(collectives, export->label), .of = *clock,
                    .offset = export->offset, .correction = nsc_known(is_known, clock->correction),
                    .drift = is_known ? clock->drift : (double)NAN,
                    .p05 = nsc_known(is_known, clock->p05), .p95 = nsc_known(is_known, clock->p95));
    }
    nsc_sheet_note(sheet,
                   "Participants of a collective end at the same time. A line is fitted through "
                   "the differences between their ends and those of the first export. Offset: the "
                   "line's value at the first collective. Drift: its slope. Both are subtracted "
                   "before starts are compared. Residual: the difference that remains.");
}

/* ---- ranks ---- */

struct rank_row {
    struct rank_name name;
    struct nsc_job_rank of;
    double waiting; /* % of waited and transfer */
};

static const struct nsc_sheet_column rank_columns[] = {
    RANK_COLUMNS(rank_row, name),
    NSC_COL_COUNT(rank_row, of.matched, "matched", "Collectives"),
    NSC_COL_COUNT(rank_row, of.last, "last", "Came late"),
    NSC_COL_SHARE(rank_row, of.last, of.matched, "last_pct", "of them",
                  "the rank's matched collectives"),
    NSC_COL_NS(rank_row, of.kept, "kept_ns", "Kept others"),
    NSC_COL_NS(rank_row, of.waited, "waited_ns", "Waited"),
    NSC_COL_NS(rank_row, of.transfer, "transfer_ns", "Transfer"),
    NSC_COL_PERCENT(rank_row, waiting, "waited_pct", "Waiting",
                    "the rank's time in matched collectives"),
};

static void fill_ranks(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (uint32_t i = 0; i < collectives->ranks.n; i++) {
        const struct nsc_job_rank *rank = &collectives->ranks.at[i];

        NSC_ADD_ROW(sheet, rank_row, .name = name_rank(collectives, i), .of = *rank,
                    .waiting = 100.0 * (double)rank->waited /
                               ((double)rank->waited + (double)rank->transfer));
    }
    nsc_sheet_note(sheet,
                   "Transfer: the duration of the shortest participant of each collective. "
                   "Waited: the time by which the rank's own kernel took longer. Kept "
                   "others: if the rank came late, the time since the median of the others.");
}

/* ---- collectives ---- */

struct job_collective_row {
    struct nsc_text kernel, members;
    const char *parallel;
    struct nsc_rank_collective of;
    nsc_time worst_at;
    struct nsc_kept_text late;
};

static const struct nsc_sheet_column collective_columns[] = {
    NSC_COL_TEXT(job_collective_row, kernel, "kernel", "Kernel"),
    NSC_COL_TEXT(job_collective_row, members, "members", "of ranks"),
    NSC_COL_TEXT(job_collective_row, parallel, "parallel", "Serves"),
    NSC_COL_COUNT(job_collective_row, of.n_ranks, "ranks", "Ranks"),
    NSC_COL_COUNT(job_collective_row, of.instances, "instances", "Instances"),
    NSC_COL_NS(job_collective_row, of.transfer, "transfer_ns", "Transfer"),
    NSC_COL_NS(job_collective_row, of.waited, "waited_ns", "Waited"),
    NSC_COL_NS(job_collective_row, of.worst_wait, "worst_ns", "Worst wait"),
    NSC_COL_INSTANT(job_collective_row, worst_at, "worst_at_ns", "at"),
    NSC_COL_COUNT(job_collective_row, of.decided, "uneven", "Starts apart"),
    NSC_COL_TEXT(job_collective_row, late, "usually_last", "Usually late"),
};

/* "rank 3 (98 %)"; nothing if no rank is late. */
static struct nsc_kept_text name_late(struct nsc_sheet *sheet,
                                      const struct nsc_rank_collectives *collectives,
                                      uint32_t collective)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_kept_text kept = {0};

    for (size_t i = 0; i < collectives->late.n; i++) {
        const struct nsc_late_rank *late = &collectives->late.at[i];

        if (late->collective == collective)
            nsc_buf_printf(&text, "%srank %" PRId64 " (%.0f %%)", text.n ? ", " : "",
                           collectives->ranks.at[late->rank].number,
                           100.0 * late->last / late->instances);
    }
    if (text.n)
        kept = nsc_sheet_keep(sheet, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
    return kept;
}

static void fill_collectives(struct nsc_sheet *sheet,
                             const struct nsc_rank_collectives *collectives)
{
    for (uint32_t i = 0; i < collectives->list.n; i++) {
        const struct nsc_rank_collective *collective = &collectives->list.at[i];

        NSC_ADD_ROW(sheet, job_collective_row, .kernel = op_text(collectives, collective->name),
                    .members = nsc_strpool_text(&collectives->texts, collective->members),
                    .parallel = nsc_parallel_word(collective->parallel), .of = *collective,
                    .worst_at = collective->worst_at, .late = name_late(sheet, collectives, i));
    }
    nsc_sheet_note(
        sheet, "The k-th kernel of a name on a stream is matched with the k-th on another rank if "
               "such kernels end at the same time. Waited is summed over all ranks, so it can "
               "exceed wall time. Starts apart: instances whose starts differ by more than the "
               "clocks' residual. Serves: tensor, data, pipeline, expert or context parallelism, "
               "if ranges around the launches or the labels of the ranks name it.");
    if (collectives->groups.compared)
        nsc_sheet_note(sheet,
                       "Very many streams have kernels of one name: each was compared with "
                       "the %u that ended next before it and after it.",
                       collectives->groups.compared);
}

struct unmatched_row {
    struct rank_name rank;
    struct nsc_text kernel;
    uint32_t instances;
};

static const struct nsc_sheet_column unmatched_columns[] = {
    RANK_COLUMNS(unmatched_row, rank),
    NSC_COL_TEXT(unmatched_row, kernel, "kernel", "Kernel"),
    NSC_COL_COUNT(unmatched_row, instances, "instances", "Instances"),
};

static void fill_unmatched(struct nsc_sheet *sheet, const struct nsc_rank_collectives *collectives)
{
    for (size_t i = 0; i < collectives->unmatched.n; i++) {
        const struct nsc_unmatched *unmatched = &collectives->unmatched.at[i];

        NSC_ADD_ROW(sheet, unmatched_row, .rank = name_rank(collectives, unmatched->rank),
                    .kernel = op_text(collectives, unmatched->name), .instances = unmatched->n);
    }
    nsc_sheet_note(sheet, "No kernels of this name on another rank end at the same time: that "
                          "rank's recording is not among these exports, or began at another time.");
}

/* ---- stages ---- */

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

void nsc_rank_sheets(struct nsc_sheets *out, struct nsc_rank_columns *columns,
                     const struct nsc_rank_collectives *collectives,
                     const struct nsc_rank_stages *stages, uint32_t limit)
{
    nsc_late_sheet(out, collectives);
    fill_clocks(nsc_sheets_add(out, "clocks", "Clocks", clock_columns, 7), collectives);
    fill_ranks(nsc_sheets_add(out, "ranks", "Ranks", rank_columns, 11), collectives);
    fill_collectives(
        nsc_sheets_add(out, "collectives", "Collectives, by waiting", collective_columns, 10),
        collectives);
    if (collectives->unmatched.n)
        fill_unmatched(nsc_sheets_add(out, "unmatched", "Communication without partners",
                                      unmatched_columns, 6),
                       collectives);
    if (!columns)
        return;
    make_columns(columns, stages);
    fill_stages(nsc_sheets_add(out, "stages", "Stages by rank", columns->columns, columns->n),
                stages, limit);
}

void nsc_ranks_of_trace(struct nsc_sheets *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields)
{
    struct nsc_rank_collectives collectives;
    struct nsc_rank_ops ops;

    nsc_rank_ops_init(&ops);
    nsc_rank_ops_add(&ops, scope, fields, NULL);
    nsc_rank_collectives_build(&collectives, &ops);
    nsc_rank_sheets(out, NULL, &collectives, NULL, 0);
    nsc_rank_collectives_fini(&collectives);
    nsc_rank_ops_fini(&ops);
}

void nsc_rank_columns_fini(struct nsc_rank_columns *columns)
{
    free(columns->columns);
    free(columns->texts);
    memset(columns, 0, sizeof *columns);
}
