/* Builds a report: asks all questions, and finds problems in parallel. */
#include "analysis/hotspots/hotspots.h"

#include "analysis/base/shared.h"
#include "analysis/hotspots/parts.h"
#include "analysis/ranges/process_ranges.h"
#include "analysis/skill/skill.h"
#include "core/progress.h"
#include "core/sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- shared by the questions ---- */

struct nsc_sheet *nsc_hotspots_sheet(struct nsc_hotspots *report, const char *key,
                                     const char *title, const struct nsc_sheet_column columns[],
                                     uint32_t n_columns)
{
    struct nsc_sheet *sheet = nsc_sheets_add(&report->sheets, key, title, columns, n_columns);

    sheet->has_window = true;
    sheet->window = report->query->scope.window;
    return sheet;
}

size_t nsc_hotspots_limit(struct nsc_sheet *sheet, size_t n, size_t most)
{
    sheet->n_left_out = n > most ? n - most : 0;
    return n > most ? most : n;
}

uint32_t nsc_hotspots_pid(const struct nsc_hotspots *report, uint32_t track)
{
    return nsc_trace_track(report->query->scope.trace, track)->pid;
}

struct nsc_tally nsc_hotspots_pid_tally(const struct nsc_hotspots *report)
{
    struct nsc_tally pids = {0};

    for (size_t k = 0; k < report->kernels.streams.n; k++) {
        const struct nsc_hotspots_stream *stream = &report->kernels.streams.at[k];
        uint32_t group = nsc_tally_group(&pids, nsc_hotspots_pid(report, stream->track), 0);
        struct nsc_tally_row *row = &pids.rows.at[group];

        row->count += stream->n;
        row->total = nsc_sum(row->total, stream->total);
    }
    return pids;
}

struct nsc_tally_line nsc_tally_line(struct nsc_hotspots *report, const struct nsc_tally_row *row,
                                     unsigned text)
{
    struct nsc_tally_line line = {.of = *row,
                                  .mean = nsc_tally_mean(row),
                                  .share = nsc_percent(row->total, report->kernels.total)};

    if (text < 2) {
        line.name = nsc_texts_at(&report->texts, (nsc_str)row->key[text]);
        line.pid = row->key[1 - text];
    }
    return line;
}

void nsc_hotspots_lines(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                        const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text)
{
    const size_t most = NSC_HOTSPOTS_ROWS;
    size_t n = tally->rows.n < most ? tally->rows.n : most;
    uint32_t *groups = nsc_tally_sort(tally, order, text, &report->texts);

    for (size_t i = 0; i < n; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &tally->rows.at[groups[i]], text);

        NSC_SHEET_ADD_ROW(sheet, &line);
    }
    sheet->n_left_out += tally->rows.n - n;
    free(groups);
}

void nsc_hotspots_text_lines(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                             const struct nsc_text_totals *totals)
{
    struct nsc_tally top = nsc_text_totals_top(totals, NSC_HOTSPOTS_ROWS);

    sheet->n_left_out += totals->n_texts - top.rows.n;
    nsc_hotspots_lines(report, sheet, &top, NSC_TALLY_TOTAL, 0);
    nsc_tally_fini(&top);
}

/* Reads the ends only if needed: a range can be open only if it ends with the trace, and only in
 * the last row of a lane. */
const struct nsc_fields *nsc_hotspots_range_ends(const struct nsc_hotspots *report)
{
    const struct nsc_trace *trace = report->query->scope.trace;
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t l = 0; l < n; l++)
        if ((NSC_RANGE_TRACKS & NSC_TRACK_BIT(tracks[lanes[l].track].kind)) && lanes[l].n > 0 &&
            nsc_event_end(nsc_trace_events(trace), lanes[l].first + lanes[l].n - 1) >= report->end)
            return nsc_field_set(report->query->fields, NSC_FIELDS_LAST_RANGES);
    return NULL;
}

bool nsc_hotspots_stays_open(const struct nsc_hotspots *report, nsc_event range)
{
    return nsc_nvtx_is_open(nsc_field_set(report->query->fields, NSC_FIELDS_LAST_RANGES), range);
}

/* ---- kernels ---- */

static void sum_streams(struct nsc_hotspots *report)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, &n);

    for (uint32_t t = 0; t < n; t++) {
        struct nsc_hotspots_stream sum = {t, 0, 0};
        struct nsc_kernel_walk walk;
        nsc_event kernel;

        if (tracks[t].kind != NSC_TRACK_STREAM)
            continue;
        walk = nsc_kernel_walk(report, t);
        while ((kernel = nsc_kernel_walk_next(&walk)) != NSC_NONE) {
            sum.n++;
            sum.total = nsc_sum(sum.total, nsc_event_duration(walk.events, kernel));
        }
        if (sum.n == 0)
            continue;
        *NSC_VEC_ADD(&report->kernels.streams) = sum;
        report->kernels.n += sum.n;
        report->kernels.total = nsc_sum(report->kernels.total, sum.total);
    }
}

const struct nsc_sheet_cell *nsc_hotspots_find(const struct nsc_hotspots *report, const char *sheet,
                                               uint32_t row, const char *column)
{
    static const struct nsc_sheet_cell none;
    const struct nsc_sheet *of = nsc_sheets_find(&report->sheets, sheet);

    return of && row < nsc_sheet_rows(of) ? nsc_sheet_find(of, row, column) : &none;
}

uint32_t nsc_hotspots_greatest(const struct nsc_hotspots *report, const char *sheet,
                               const char *column)
{
    const struct nsc_sheet *of = nsc_sheets_find(&report->sheets, sheet);
    uint32_t best = 0;

    for (uint32_t row = 1; of && row < nsc_sheet_rows(of); row++)
        if (nsc_sheet_find(of, row, column)->number > nsc_sheet_find(of, best, column)->number)
            best = row;
    return best;
}

/* ---- tables that are files ---- */

static void ask_tables(struct nsc_hotspots *report, const char *name, const char *const params[])
{
    const struct nsc_hotspots_query *query = report->query;

    if (query->ask)
        query->ask(&report->sheets, query->tables, name, &query->scope, params);
}

/* "kernels", "tiny_kernels", "pids", "kernels_by_pid", "tiny_by_pid". */
static void ask_kernels(struct nsc_hotspots *report)
{
    uint32_t most = report->query->kernel_limit;
    char limit[32];
    const char *const params[] = {
        limit, report->query->percentiles ? "percentiles=on" : "percentiles=off", NULL};

    (void)snprintf(limit, sizeof limit, "limit=%" PRIu32,
                   most > NSC_HOTSPOTS_ROWS ? most : NSC_HOTSPOTS_ROWS);
    ask_tables(report, "kernels", params);
}

/* Adds "mfu" if NVTX ranges give the shapes of the matrices. */
static void add_mfu(struct nsc_hotspots *report)
{
    struct nsc_question question =
        nsc_question_of(nsc_skill_find("mfu"), &report->query->scope, report->query->fields);

    nsc_skill_mfu(&report->sheets, &question);
}

/*
 * The questions, in the order of their sheets. Each part has a thread, and a report of its own (an
 * aside) with its own numbers of texts. The sheets of all asides join the report's. The last part
 * reads the sheets of all others.
 */
enum part { WITH_TEXTS, COLLECTIVES, FEW_TEXTS, LAST };
static const struct report_question {
    void (*ask)(struct nsc_hotspots *report);
    const char *table; /* if the question is a file */
    enum part part;
} questions[] = {
    {nsc_hotspots_find_kernel_ranges, NULL, FEW_TEXTS},
    {ask_kernels, NULL, WITH_TEXTS},
    {nsc_hotspots_launch_storm, NULL, FEW_TEXTS},
    {NULL, "sync_calls", FEW_TEXTS}, /* and "sync_by_pid" */
    {nsc_hotspots_gpu_idle, NULL, FEW_TEXTS},
    {nsc_hotspots_nvtx_ranges, NULL, WITH_TEXTS},
    {nsc_hotspots_nvtx_kernels, NULL, WITH_TEXTS},
    {NULL, "pid_quality", FEW_TEXTS},
    {nsc_hotspots_barriers, NULL, FEW_TEXTS},
    {nsc_hotspots_nccl, NULL, COLLECTIVES},
    {nsc_hotspots_launch_latency, NULL, FEW_TEXTS},
    {nsc_hotspots_stream_overlap, NULL, FEW_TEXTS},
    {nsc_hotspots_nvlink, NULL, FEW_TEXTS},
    {nsc_hotspots_largest_times, NULL, LAST},
    {nsc_hotspots_iterations, NULL, LAST},
    {add_mfu, NULL, LAST},
    {nsc_hotspots_find_warnings, NULL, LAST},
};

struct asking {
    struct nsc_hotspots *report;
    struct nsc_hotspots asides[LAST];    /* by part; the first is not used */
    size_t end[NSC_COUNT_OF(questions)]; /* of the question's sheets, in the list of its part */
};

static void ask_part(void *context, unsigned worker, uint32_t part)
{
    struct asking *asking = context;
    struct nsc_hotspots *to =
        part == WITH_TEXTS || part == LAST ? asking->report : &asking->asides[part];

    (void)worker;
    for (uint32_t k = 0; k < NSC_COUNT_OF(questions); k++) {
        if (questions[k].part != part)
            continue;
        if (questions[k].table)
            ask_tables(to, questions[k].table, NULL);
        else
            questions[k].ask(to);
        asking->end[k] = to->sheets.list.n;
        nsc_progress_add(asking->report->query->progress, 1, 0);
    }
}

/* Moves the sheets of all parts to the report, in the order of the questions. */
static void join_asides(struct asking *asking)
{
    struct nsc_hotspots *report = asking->report;
    struct nsc_sheets from[LAST] = {report->sheets, asking->asides[COLLECTIVES].sheets,
                                    asking->asides[FEW_TEXTS].sheets};
    size_t next[LAST] = {0};

    report->sheets = (struct nsc_sheets){0};
    for (uint32_t k = 0; k < NSC_COUNT_OF(questions) && questions[k].part != LAST; k++)
        for (size_t *at = &next[questions[k].part]; *at < asking->end[k]; ++*at)
            *NSC_VEC_ADD(&report->sheets.list) = from[questions[k].part].list.at[*at];
    for (uint32_t part = 0; part < LAST; part++)
        free(from[part].list.at);
    report->asides[0] = asking->asides[COLLECTIVES].texts;
    report->asides[1] = asking->asides[FEW_TEXTS].texts;
}

void nsc_hotspots_build(struct nsc_hotspots *out, const struct nsc_hotspots_query *query)
{
    struct asking asking = {.report = out};
    struct nsc_finding_others others = {LAST, ask_part, &asking};
    struct nsc_hotspots_query *own = nsc_xmalloc(sizeof *own);

    memset(out, 0, sizeof *out);
    *own = *query;
    nsc_shared_open(&own->scope);
    out->query = own;
    out->end = nsc_trace_extent(query->scope.trace).t1;
    nsc_texts_init(&out->texts, query->scope.trace);
    sum_streams(out);
    nsc_progress_set_rows(query->progress, NSC_COUNT_OF(questions));
    out->own = own;
    out->findings.ascii = true;
    for (uint32_t part = COLLECTIVES; part < LAST; part++) {
        asking.asides[part] = *out;
        nsc_texts_init(&asking.asides[part].texts, query->scope.trace);
    }
    (void)nsc_findings_run_with(&out->findings, &own->scope, query->fields, &others, NULL);
    join_asides(&asking);
    ask_part(&asking, 0, LAST);
}

void nsc_hotspots_fini(struct nsc_hotspots *report)
{
    NSC_VEC_FINI_EACH(&report->warnings, nsc_vec_free_text);
    nsc_findings_fini(&report->findings);
    nsc_sheets_fini(&report->sheets);
    NSC_VEC_FINI(&report->kernels.streams);
    nsc_text_sums_fini(&report->ranges);
    nsc_texts_fini(&report->texts);
    nsc_texts_fini(&report->asides[0]);
    nsc_texts_fini(&report->asides[1]);
    nsc_shared_close(&report->own->scope);
    free(report->own);
}
