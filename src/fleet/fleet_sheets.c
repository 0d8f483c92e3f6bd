/* Fills the sheets of a job of sketches. */
#include "fleet/fleet_sheets.h"

#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"

#include <inttypes.h>

static const struct nsc_meeting *meeting_of(const struct nsc_verdicts *of, uint32_t meeting)
{
    return &of->meetings->list.at[meeting];
}

static void put_ns(struct nsc_buf *out, nsc_time ns)
{
    nsc_buf_printf(out, "%.1f ms", (double)ns / 1e6);
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

    nsc_buf_puts(out, out->n ? " " : "");
    nsc_verdict_who(out, of, verdict);
    nsc_buf_puts(out, ": ");
    nsc_verdict_when(out, of, verdict);
    nsc_buf_puts(out, "; kept others ");
    put_ns(out, verdict->kept);
    nsc_buf_puts(out, "; without it the job would take at most ");
    put_ns(out, verdict->ceiling);
    nsc_buf_printf(out, " (%.1f %%) less", nsc_percent(verdict->ceiling, span));
    if (verdict->cause) {
        nsc_buf_puts(out, "; because of its ");
        put_cause(out, of, verdict);
    }
    nsc_buf_puts(out, ".");
}

static void put_nobody(struct nsc_buf *out, const struct nsc_verdicts *of)
{
    const struct nsc_meeting *meeting;

    if (of->meetings->list.n == 0) {
        nsc_buf_puts(out, "Nothing can be said: no collectives of two ranks were matched.");
        return;
    }
    nsc_buf_puts(out, "No rank is shown to hold the others up by this test");
    if (of->doubted.kept > 0) {
        meeting = meeting_of(of, of->doubted.meeting);
        nsc_buf_printf(out, "; rank %" PRId64 " kept others ",
                       of->meetings->fleet->ranks.at[meeting->ranks[of->doubted.member]].number);
        put_ns(out, of->doubted.kept);
        nsc_buf_printf(out, " (%.2f %% of the time), the most of all",
                       nsc_percent(of->doubted.kept, meeting->span));
    }
    nsc_buf_puts(out, ".");
}

/* The verdict in a sentence for each root, or that nobody is shown to hold the others up. */
static void put_all(struct nsc_buf *out, const struct nsc_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->list.n; i++)
        if (verdicts->list.at[i].is_root)
            put_verdict(out, verdicts, &verdicts->list.at[i]);
    if (verdicts->list.n == 0)
        put_nobody(out, verdicts);
}

/* ---- verdicts ---- */

struct verdict_row {
    struct nsc_text who, when, cause;
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
    put_cause(&cause, of, verdict);
    NSC_ADD_ROW(sheet, verdict_row, .who = nsc_text_of_buf(&who),
                .first = ranks[meeting->ranks[verdict->members[0]]].number,
                .last = ranks[meeting->ranks[verdict->members[verdict->n_members - 1]]].number,
                .ranks = verdict->n_members, .of = meeting->n_ranks, .when = nsc_text_of_buf(&when),
                .late_steps = verdict->late_steps, .steps = verdict->steps, .kept = verdict->kept,
                .ceiling = verdict->ceiling, .span = meeting->span,
                .cause = nsc_text_of_buf(&cause),
                .excess = nsc_known(verdict->cause, verdict->excess), .is_root = verdict->is_root);
    nsc_buf_fini(&who);
    nsc_buf_fini(&when);
    nsc_buf_fini(&cause);
}

static void fill_verdicts(struct nsc_sheet *sheet, const struct nsc_verdicts *verdicts)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    put_all(&line, verdicts);
    nsc_sheet_note(sheet, "%s", line.bytes);
    for (size_t i = 0; i < verdicts->list.n; i++)
        add_verdict(sheet, verdicts, &verdicts->list.at[i]);
    nsc_sheet_note(sheet, "A ceiling is no forecast: something else may keep the job then. Sends, "
                          "broadcasts and reductions to one rank are not judged.");
    nsc_buf_fini(&line);
}

/* ---- meetings ---- */

struct meeting_row {
    struct nsc_text kernel;
    uint32_t ranks, n;
    int64_t first, last;
    nsc_time span, transfer, waited, residual;
    double drift;
};

static const struct nsc_sheet_column meeting_columns[] = {
    NSC_COL_TEXT(meeting_row, kernel, "kernel", "First collective"),
    NSC_COL_COUNT(meeting_row, ranks, "ranks", "Ranks"),
    NSC_COL_ID(meeting_row, first, "first_rank", "First rank"),
    NSC_COL_ID(meeting_row, last, "last_rank", "Last rank"),
    NSC_COL_COUNT(meeting_row, n, "instances", "Compared"),
    NSC_COL_NS(meeting_row, span, "span_ns", "Time"),
    NSC_COL_NS(meeting_row, transfer, "transfer_ns", "Shortest, added"),
    NSC_COL_NS(meeting_row, waited, "waited_ns", "Waited by all"),
    NSC_COL_NS(meeting_row, residual, "residual_p90_ns", "Worst clock residual"),
    NSC_COL_NUMBER(meeting_row, drift, "drift_ppm", "Greatest drift ppm", 3),
};

static void fill_meetings(struct nsc_sheet *sheet, const struct nsc_meetings *of, uint32_t limit)
{
    const struct nsc_fleet *fleet = of->fleet;

    for (size_t i = 0; i < of->list.n; i++) {
        const struct nsc_meeting *meeting = &of->list.at[i];
        nsc_time residual = 0;
        double drift = 0;

        if (limit && i >= limit) {
            sheet->n_left_out = of->list.n - i;
            break;
        }
        for (uint32_t m = 0; m < meeting->n_ranks; m++) {
            residual = nsc_later(residual, meeting->clocks[m].residual);
            if (meeting->clocks[m].drift * meeting->clocks[m].drift > drift * drift)
                drift = meeting->clocks[m].drift;
        }
        NSC_ADD_ROW(sheet, meeting_row,
                    .kernel = nsc_fleet_text(fleet, fleet->series.at[meeting->series.at[0]].name),
                    .ranks = meeting->n_ranks, .first = fleet->ranks.at[meeting->ranks[0]].number,
                    .last = fleet->ranks.at[meeting->ranks[meeting->n_ranks - 1]].number,
                    .n = meeting->n, .span = meeting->span, .transfer = meeting->transfer,
                    .waited = meeting->waited, .residual = residual, .drift = 1e6 * drift);
    }
}

void nsc_fleet_sheets(struct nsc_sheets *out, const struct nsc_fleet *fleet, uint32_t limit)
{
    struct nsc_meetings meetings;
    struct nsc_verdicts verdicts;

    nsc_meetings_build(&meetings, fleet);
    nsc_verdicts_find(&verdicts, &meetings);
    fill_verdicts(nsc_sheets_add(out, "verdict", "Who holds the others up", verdict_columns,
                                 sizeof verdict_columns / sizeof *verdict_columns),
                  &verdicts);
    fill_meetings(nsc_sheets_add(out, "meetings", "Ranks that meet in collectives", meeting_columns,
                                 sizeof meeting_columns / sizeof *meeting_columns),
                  &meetings, limit);
    nsc_verdicts_fini(&verdicts);
    nsc_meetings_fini(&meetings);
}
