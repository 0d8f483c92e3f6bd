/* Fills the sheets of late ranks: verdicts, collectives, clocks, ranks. */
#include "fleet/late_sheets.h"

#include "analysis/base/limit.h"
#include "core/sum.h"
#include "core/units.h"
#include "core/vec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct nsc_meeting *meeting_of(const struct nsc_verdicts *of, uint32_t meeting)
{
    return &of->meetings->list.at[meeting];
}

static void put_ns(struct nsc_buf *out, nsc_time ns)
{
    char text[NSC_UNITS_BYTES];

    nsc_buf_puts(out, nsc_units_duration(text, ns, false));
}

static void put_cause(struct nsc_buf *out, const struct nsc_verdicts *of,
                      const struct nsc_verdict *verdict)
{
    struct nsc_text why = nsc_fleet_text(of->meetings->fleet, verdict->why);

    nsc_buf_puts(out, verdict->cause ? verdict->cause : "");
    if (why.n)
        nsc_buf_printf(out, " (%.*s)", (int)why.n, why.bytes);
}

static void put_verdict(struct nsc_buf *out, const struct nsc_verdicts *of,
                        const struct nsc_verdict *verdict)
{
    nsc_time span = meeting_of(of, verdict->meeting)->span;

    nsc_buf_puts(out, out->n ? " " : "Late: ");
    nsc_verdict_who(out, of, verdict);
    nsc_buf_puts(out, ": ");
    nsc_verdict_when(out, of, verdict);
    nsc_buf_puts(out, "; kept others ");
    put_ns(out, verdict->kept);
    nsc_buf_printf(out, " (%.1f %% of the time)", nsc_percent(verdict->kept, span));
    nsc_buf_puts(out, "; without it the job would take at most ");
    put_ns(out, verdict->ceiling);
    nsc_buf_printf(out, " (%.1f %%) less", nsc_percent(verdict->ceiling, span));
    if (verdict->cause) {
        nsc_buf_puts(out, "; because of its ");
        put_cause(out, of, verdict);
    }
    nsc_buf_puts(out, ".");
}

/* Says that nobody is shown to hold the others up, and what the costliest rank did that is not named; beside verdicts,
 * only an accident, or what costs more. */
static void put_rest(struct nsc_buf *out, const struct nsc_verdicts *of)
{
    const struct nsc_doubted *doubted = &of->doubted;
    const struct nsc_meeting *meeting;

    if (of->list.n > 0 && !doubted->is_accident && !doubted->is_seen)
        return;
    nsc_buf_puts(out, of->list.n > 0 ? " Besides,"
                      : of->meetings->list.n > 0
                          ? "No rank is shown to hold the others up by this test"
                          : "Nothing can be said: no collectives of two ranks were matched");
    if (doubted->kept > 0) {
        meeting = meeting_of(of, doubted->meeting);
        nsc_buf_printf(out, "%s rank %" PRId64 " kept others ", of->list.n > 0 ? "" : ";",
                       of->meetings->fleet->ranks.at[meeting->ranks[doubted->member]].number);
        put_ns(out, doubted->kept);
        nsc_buf_printf(out, " (%.2f %% of the time)%s", nsc_percent(doubted->kept, meeting->span),
                       of->list.n == 0    ? ", the most of all"
                       : doubted->is_seen ? ", more than any rank that is named"
                                          : "");
        if (doubted->steps)
            nsc_buf_printf(out, ", most of it in %u step%s, too few to tell from chance",
                           doubted->steps, doubted->steps > 1 ? "s" : "");
    }
    nsc_buf_puts(out, ".");
}

void nsc_verdict_sentence(struct nsc_buf *out, const struct nsc_verdicts *of, size_t i)
{
    if (i < of->list.n)
        put_verdict(out, of, &of->list.at[i]);
    else
        put_rest(out, of);
}

/* ---- verdicts ---- */

struct verdict_row {
    struct nsc_kept_text who, when, cause;
    int64_t first, last;
    uint32_t ranks, of, late_steps, steps;
    nsc_time kept, ceiling, span, excess;
    bool is_root;
};

static const struct nsc_sheet_column verdict_columns[] = {
    NSC_COL_TEXT(verdict_row, who, "who", "Who"),
    NSC_COL_ID(verdict_row, first, "first_rank", "First rank"),
    NSC_COL_ID(verdict_row, last, "last_rank", "Last rank"),
    NSC_COL_COUNT(verdict_row, ranks, "ranks", "Ranks"),
    NSC_COL_COUNT(verdict_row, of, "of_ranks", "of"),
    NSC_COL_TEXT(verdict_row, when, "when", "When"),
    NSC_COL_COUNT(verdict_row, late_steps, "late_steps", "Late steps"),
    NSC_COL_COUNT(verdict_row, steps, "steps", "Steps"),
    NSC_COL_NS(verdict_row, kept, "kept_ns", "Kept others"),
    NSC_COL_NS(verdict_row, ceiling, "ceiling_ns", "At most saved"),
    NSC_COL_SHARE(verdict_row, ceiling, span, "ceiling_pct", "of the time",
                  "the time from the first arrival to the last end"),
    NSC_COL_TEXT(verdict_row, cause, "cause", "Because of its"),
    NSC_COL_NS(verdict_row, excess, "cause_ns", "more"),
    NSC_COL_YES(verdict_row, is_root, "root", "Not kept itself"),
};

static void add_verdict(struct nsc_sheet *sheet, const struct nsc_verdicts *of,
                        const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *meeting = meeting_of(of, verdict->meeting);
    const struct nsc_fleet_rank *ranks = of->meetings->fleet->ranks.at;
    struct nsc_buf who = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf when = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf cause = NSC_BUF_INIT(SIZE_MAX);

    nsc_verdict_who(&who, of, verdict);
    nsc_verdict_when(&when, of, verdict);
    nsc_buf_puts(&when, verdict->is_seen ? ", seen, not proven" : "");
    put_cause(&cause, of, verdict);
    NSC_ADD_ROW(sheet, verdict_row, .who = nsc_sheet_keep_buf(sheet, &who),
                .first = ranks[meeting->ranks[verdict->members[0]]].number,
                .last = ranks[meeting->ranks[verdict->members[verdict->n_members - 1]]].number,
                .ranks = verdict->n_members, .of = meeting->n_ranks,
                .when = nsc_sheet_keep_buf(sheet, &when), .late_steps = verdict->late_steps,
                .steps = verdict->steps, .kept = verdict->kept, .ceiling = verdict->ceiling,
                .span = meeting->span, .cause = nsc_sheet_keep_buf(sheet, &cause),
                .excess = nsc_known(verdict->cause, verdict->excess), .is_root = verdict->is_root);
}

static void fill_verdicts(struct nsc_sheet *sheet, const struct nsc_verdicts *verdicts)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_doubted of = verdicts->doubted;
    struct nsc_verdict seen = {.meeting = of.meeting, .members = &of.member, .n_members = 1};

    seen.is_seen = seen.is_root = true;
    seen.steps = seen.seen = of.of;
    seen.late_steps = of.steps;
    seen.kept = of.kept;
    seen.ceiling = NSC_UNKNOWN;
    for (size_t i = 0; i < verdicts->list.n; i++) {
        if (verdicts->list.at[i].is_root)
            put_verdict(&line, verdicts, &verdicts->list.at[i]);
        add_verdict(sheet, verdicts, &verdicts->list.at[i]);
    }
    if (of.is_seen)
        add_verdict(sheet, verdicts, &seen);
    put_rest(&line, verdicts);
    nsc_sheet_note(sheet, "%s", line.bytes);
    nsc_sheet_note(sheet, "A ceiling is no forecast: something else may keep the job then. "
                          "Broadcasts and reductions to one rank are not judged.");
    nsc_buf_fini(&line);
}

/* ---- late ranks ---- */

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

static struct rank_name name_rank(const struct nsc_fleet *fleet, uint32_t rank_no)
{
    const struct nsc_fleet_rank *rank = &fleet->ranks.at[rank_no];

    return (struct rank_name){rank->number, nsc_fleet_text(fleet, rank->label), rank->pid,
                              nsc_known(rank->gpu != NSC_RANK_NO_GPU, rank->gpu)};
}

/* "0-3 6": the numbers of the ranks of a meeting. */
static struct nsc_kept_text name_members(struct nsc_sheet *sheet, const struct nsc_fleet *fleet,
                                         const struct nsc_meeting *meeting)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    for (uint32_t from = 0, to = 0; from < meeting->n_ranks; from = to) {
        int64_t first = fleet->ranks.at[meeting->ranks[from]].number;

        for (to = from + 1; to < meeting->n_ranks && fleet->ranks.at[meeting->ranks[to]].number ==
                                                         first + (int64_t)(to - from);)
            to++;
        nsc_buf_printf(&text, "%s%" PRId64, from ? " " : "", first);
        if (to - from > 1)
            nsc_buf_printf(&text, "%s%" PRId64, to - from > 2 ? "-" : " ", first + (to - from) - 1);
    }
    return nsc_sheet_keep_buf(sheet, &text);
}

struct late_row {
    struct rank_name name;
    struct nsc_text kernel;
    struct nsc_kept_text members;
    uint32_t last, instances;
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
    NSC_COL_NS(late_row, kept, "kept_ns", "Kept others"),
    NSC_COL_SHARE(late_row, kept, span, "kept_pct", "of the time",
                  "the time from the first arrival to the last end"),
    NSC_COL_TEXT(late_row, cause, "cause", "Because of its"),
    NSC_COL_NS(late_row, excess, "cause_ns", "more"),
    NSC_COL_YES(late_row, is_root, "root", "Not kept itself"),
};

static struct nsc_text kernel_of(const struct nsc_fleet *fleet, const struct nsc_meeting *meeting,
                                 size_t at)
{
    return nsc_fleet_text(fleet, fleet->series.at[meeting->series.at[at]].name);
}

/* The cause in the words of a rank: a host is its CPU. */
static const char *word_of(const struct nsc_verdict *verdict, int64_t gpu)
{
    if (!verdict->cause || strcmp(verdict->cause, "host") != 0)
        return verdict->cause;
    return gpu == NSC_RANK_NO_GPU ? "CPU" : "CPU (its GPU had no work)";
}

static void fill_late(struct nsc_sheet *sheet, const struct nsc_verdicts *of, uint32_t limit)
{
    const struct nsc_fleet *fleet = of->meetings->fleet;

    for (size_t i = 0; i < of->list.n; i++)
        for (uint32_t m = 0; m < of->list.at[i].n_members; m++) {
            const struct nsc_verdict *verdict = &of->list.at[i];
            const struct nsc_meeting *meeting = meeting_of(of, verdict->meeting);

            if (limit && nsc_sheet_rows(sheet) >= limit) {
                sheet->n_left_out++;
                continue;
            }
            NSC_ADD_ROW(
                sheet, late_row, .name = name_rank(fleet, meeting->ranks[verdict->members[m]]),
                .kernel = kernel_of(fleet, meeting, 0),
                .members = name_members(sheet, fleet, meeting), .last = verdict->late_by[m],
                .instances = meeting->n, .kept = verdict->kept_by[m], .span = meeting->span,
                .cause = word_of(verdict, fleet->ranks.at[meeting->ranks[verdict->members[m]]].gpu),
                .excess = nsc_known(verdict->cause, verdict->excess), .is_root = verdict->is_root);
        }
    nsc_sheet_note(
        sheet,
        "A rank is late if it causes more lateness than by chance (level %g over all "
        "ranks), and costs %g %% of the time; or if it costs %d %% in several steps. The "
        "rank with the longest kernels waits.",
        NSC_SHARE(LATE_LEVEL), 100 * (NSC_LIMIT_LATE_SPAN / 1000.0), NSC_LIMIT_LARGE);
}

/* ---- collectives ---- */

struct job_collective_row {
    struct nsc_text kernel;
    struct nsc_kept_text members;
    const char *parallel;
    uint32_t n_ranks, instances;
    nsc_time transfer, waited, worst_wait, worst_at;
    nsc_time residual;
    struct nsc_kept_text late;
};

static const struct nsc_sheet_column collective_columns[] = {
    NSC_COL_TEXT(job_collective_row, kernel, "kernel", "Kernel"),
    NSC_COL_TEXT(job_collective_row, members, "members", "of ranks"),
    NSC_COL_TEXT(job_collective_row, parallel, "parallel", "Serves"),
    NSC_COL_COUNT(job_collective_row, n_ranks, "ranks", "Ranks"),
    NSC_COL_COUNT(job_collective_row, instances, "instances", "Instances"),
    NSC_COL_NS(job_collective_row, transfer, "transfer_ns", "Transfer"),
    NSC_COL_NS(job_collective_row, waited, "waited_ns", "Waited"),
    NSC_COL_NS(job_collective_row, worst_wait, "worst_ns", "Worst wait"),
    NSC_COL_INSTANT(job_collective_row, worst_at, "worst_at_ns", "at"),
    NSC_COL_NS(job_collective_row, residual, "residual_p75_ns", "Worst clock residual"),
    NSC_COL_TEXT(job_collective_row, late, "usually_last", "Usually late"),
};

/* "rank 3 (98 %)"; nothing if no rank is late. */
static struct nsc_kept_text name_late(struct nsc_sheet *sheet, const struct nsc_verdicts *of,
                                      uint32_t meeting_no)
{
    const struct nsc_meeting *meeting = meeting_of(of, meeting_no);
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < of->list.n; i++) {
        const struct nsc_verdict *verdict = &of->list.at[i];

        for (uint32_t m = 0; m < verdict->n_members && verdict->meeting == meeting_no; m++)
            nsc_buf_printf(
                &text, "%srank %" PRId64 " (%.0f %%)", text.n ? ", " : "",
                of->meetings->fleet->ranks.at[meeting->ranks[verdict->members[m]]].number,
                100.0 * verdict->late_by[m] / meeting->n);
    }
    return text.n ? nsc_sheet_keep_buf(sheet, &text) : (struct nsc_kept_text){0};
}

/* The only parallelism in which the members have different places. */
static enum nsc_parallel find_axis(const struct nsc_fleet *fleet, const struct nsc_meeting *meeting)
{
    enum nsc_parallel found = NSC_PARALLEL_UNKNOWN;

    for (unsigned p = 1; p < NSC_N_PARALLELS; p++) {
        bool differ = false;

        for (uint32_t m = 1; m < meeting->n_ranks; m++)
            differ = differ || fleet->ranks.at[meeting->ranks[m]].mesh[p] !=
                                   fleet->ranks.at[meeting->ranks[0]].mesh[p];
        if (differ && found != NSC_PARALLEL_UNKNOWN)
            return NSC_PARALLEL_UNKNOWN;
        found = differ ? (enum nsc_parallel)p : found;
    }
    return found;
}

enum nsc_parallel nsc_meeting_parallel(const struct nsc_fleet *fleet,
                                       const struct nsc_meeting *meeting, size_t at)
{
    const struct nsc_fleet_series *first = &fleet->series.at[meeting->series.at[at]];
    bool is_silent = true;
    bool is_one = true;

    for (uint32_t m = 0; m < meeting->n_ranks; m++) {
        const struct nsc_fleet_series *series = &fleet->series.at[meeting->series.at[at + m]];

        is_silent = is_silent && series->is_silent;
        is_one = is_one && series->parallel == first->parallel;
    }
    if (is_silent)
        return find_axis(fleet, meeting);
    return is_one ? first->parallel : NSC_PARALLEL_UNKNOWN;
}

static void measure_name(struct job_collective_row *row, struct nsc_meet_walk *walk)
{
    row->worst_at = NSC_UNKNOWN;
    while (nsc_meet_walk_next(walk)) {
        row->instances++;
        row->transfer = nsc_sum(row->transfer, walk->shortest);
        for (uint32_t m = 0; m < walk->meeting->n_ranks; m++) {
            nsc_time wait = nsc_span(walk->shortest, walk->last[m]);

            row->waited = nsc_sum(row->waited, wait);
            if (wait > row->worst_wait || row->worst_at == NSC_UNKNOWN) {
                row->worst_wait = wait;
                row->worst_at = walk->arrival[m];
            }
        }
    }
}

NSC_COMPARE(compare_waits, struct job_collective_row,
            NSC_MOST(waited) || NSC_LEAST(members.at) || NSC_MOST(instances))

static void fill_collectives(struct nsc_sheet *sheet, const struct nsc_verdicts *of, uint32_t limit)
{
    const struct nsc_fleet *fleet = of->meetings->fleet;
    NSC_VEC(struct job_collective_row) rows = {0};

    for (uint32_t i = 0; i < of->meetings->list.n; i++) {
        const struct nsc_meeting *meeting = meeting_of(of, i);
        struct nsc_kept_text members = name_members(sheet, fleet, meeting);
        struct nsc_kept_text late = name_late(sheet, of, i);

        for (size_t at = 0; at < meeting->series.n; at += meeting->n_ranks) {
            struct job_collective_row row = {
                .kernel = kernel_of(fleet, meeting, at),
                .members = members,
                .late = late,
                .n_ranks = meeting->n_ranks,
                .parallel = nsc_parallel_word(nsc_meeting_parallel(fleet, meeting, at))};
            struct nsc_meet_walk walk;

            nsc_meet_walk_init(&walk, of->meetings, i);
            walk.name = at;
            walk.end_name = at + meeting->n_ranks;
            measure_name(&row, &walk);
            nsc_meet_walk_fini(&walk);
            for (uint32_t m = 0; m < meeting->n_ranks; m++)
                row.residual = nsc_later(row.residual, meeting->clocks[m].residual);
            if (row.instances)
                *NSC_VEC_ADD(&rows) = row;
        }
    }
    NSC_VEC_SORT(&rows, compare_waits);
    for (size_t i = 0; i < rows.n && (!limit || i < limit); i++)
        NSC_SHEET_ADD_ROW(sheet, &rows.at[i]);
    sheet->n_left_out = rows.n - nsc_sheet_rows(sheet);
    nsc_sheet_note(
        sheet,
        "The k-th kernel of a name on a stream is matched with the k-th on another rank if "
        "such kernels end at the same time; the rest one by one. Waited is summed over all "
        "ranks, so it can exceed wall time. Serves: tensor, data, pipeline, expert or context "
        "parallelism, if ranges around the launches or the labels of the ranks name it.");
    NSC_VEC_FINI(&rows);
}

/* ---- clocks ---- */

struct clock_row {
    struct nsc_text capture;
    uint32_t ends;
    nsc_time offset, correction, residual; /* the latter two may be not known */
    double drift;
};

static const struct nsc_sheet_column clock_columns[] = {
    NSC_COL_TEXT(clock_row, capture, "export", "Export"),
    NSC_COL_NS(clock_row, offset, "offset_ns", "Put at"),
    NSC_COL_COUNT(clock_row, ends, "ends", "Ends compared"),
    NSC_COL_NS(clock_row, correction, "correction_ns", "Clock ahead"),
    NSC_COL_NUMBER(clock_row, drift, "drift_ppm", "Drift ppm", 3),
    NSC_COL_NS(clock_row, residual, "residual_p75_ns", "Residual p75"),
};

static void fill_clocks(struct nsc_sheet *sheet, const struct nsc_meetings *of)
{
    for (size_t i = 0; i < of->fleet->exports.n; i++) {
        const struct nsc_rank_export *export = &of->fleet->exports.at[i];
        const struct nsc_export_clock *clock = &of->clocks[i];
        bool is_known = clock->ends > 0 && clock->like == 0;

        NSC_ADD_ROW(sheet, clock_row, .capture = nsc_fleet_text(of->fleet, export->label),
                    .ends = clock->ends, .offset = export->offset,
                    .correction = nsc_known(is_known, nsc_difference(clock->of.from, clock->of.to)),
                    .drift = is_known ? 1e6 * (1 - clock->of.slope) : (double)NAN,
                    .residual = nsc_known(is_known, clock->of.residual));
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
    struct nsc_late_figures of;
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

static void fill_ranks(struct nsc_sheet *sheet, const struct nsc_verdicts *of)
{
    for (uint32_t i = 0; i < of->meetings->fleet->ranks.n; i++) {
        const struct nsc_late_figures *rank = &of->ranks[i];

        NSC_ADD_ROW(sheet, rank_row, .name = name_rank(of->meetings->fleet, i), .of = *rank,
                    .waiting = 100.0 * (double)rank->waited /
                               ((double)rank->waited + (double)rank->transfer));
    }
    nsc_sheet_note(sheet,
                   "Transfer: the duration of the shortest participant of each collective. "
                   "Waited: the time by which the rank's own kernel took longer. Kept "
                   "others: if the rank came late, the time since the median of the others.");
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

static void fill_unmatched(struct nsc_sheets *out, const struct nsc_meetings *of)
{
    struct nsc_sheet *sheet = NULL;
    struct unmatched_row row = {0};

    for (uint32_t s = 0; s < of->n_series; s++) {
        const struct nsc_fleet_series *series = &of->fleet->series.at[s];
        const struct nsc_fleet_series *next = s + 1 < of->n_series ? series + 1 : NULL;

        for (uint32_t i = 0; i < series->n; i++)
            row.instances += !of->is_matched[series->first + i];
        if (row.instances == 0 ||
            (next && next->name == series->name && next->rank == series->rank))
            continue; /* the same on another stream follows */
        if (!sheet)
            sheet = NSC_SHEETS_ADD(out, "unmatched", "Communication without partners",
                                   unmatched_columns);
        row.rank = name_rank(of->fleet, series->rank);
        row.kernel = nsc_fleet_text(of->fleet, series->name);
        NSC_SHEET_ADD_ROW(sheet, &row);
        row.instances = 0;
    }
    if (sheet)
        nsc_sheet_note(sheet, "No kernels of this name on another rank end at the same time: that "
                              "rank's recording is not among these exports, or began at another "
                              "time, or the clocks are not known.");
}

/* ---- all ---- */

void nsc_late_sheets(struct nsc_sheets *out, const struct nsc_judged *judged, uint32_t limit)
{
    fill_verdicts(NSC_SHEETS_ADD(out, "verdict", "Who holds the others up", verdict_columns),
                  &judged->verdicts);
    fill_late(NSC_SHEETS_ADD(out, "late", "Late ranks", late_columns), &judged->verdicts, limit);
    fill_collectives(
        NSC_SHEETS_ADD(out, "collectives", "Collectives, by waiting", collective_columns),
        &judged->verdicts, limit);
}

void nsc_judged_sheets(struct nsc_sheets *out, const struct nsc_judged *judged)
{
    nsc_late_sheets(out, judged, 0);
    fill_clocks(NSC_SHEETS_ADD(out, "clocks", "Clocks", clock_columns), &judged->meetings);
    fill_ranks(NSC_SHEETS_ADD(out, "ranks", "Ranks", rank_columns), &judged->verdicts);
    fill_unmatched(out, &judged->meetings);
}

void nsc_ranks_of_trace(struct nsc_sheets *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields)
{
    struct nsc_fleet fleet;
    struct nsc_judged judged;

    nsc_fleet_init(&fleet);
    nsc_fleet_add(&fleet, scope, fields, NULL);
    nsc_judge(&judged, &fleet);
    nsc_judged_sheets(out, &judged);
    nsc_judged_fini(&judged);
    nsc_fleet_fini(&fleet);
}
