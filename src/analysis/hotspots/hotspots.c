/* Builds a report: asks all questions, and finds problems in parallel. */
#include "analysis/hotspots/hotspots.h"

#include "analysis/base/shared.h"
#include "analysis/device/sweep.h"
#include "analysis/hotspots/parts.h"
#include "analysis/ranges/process_ranges.h"
#include "analysis/skill/skill.h"
#include "core/progress.h"
#include "core/sum.h"

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
    const struct nsc_events *events = nsc_trace_events(report->query->scope.trace);
    struct nsc_tally pids = {0};

    for (size_t i = 0; i < report->kernels.n; i++)
        nsc_tally_add(&pids, nsc_hotspots_pid(report, report->kernels.track[i]), 0,
                      nsc_event_duration(events, report->kernels.event[i]));
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

/* NOLINTNEXTLINE(readability-function-size): seven parameters, each of another kind */
nsc_time nsc_hotspots_lines(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                            const struct nsc_tally *tally, enum nsc_tally_order order,
                            unsigned text, size_t most, struct nsc_tally_line *top)
{
    size_t n = tally->rows.n < most ? tally->rows.n : most;
    uint32_t *groups = nsc_tally_top(tally, order, text, &report->texts,
                                     order == NSC_TALLY_OTHER_TOTAL ? SIZE_MAX : n);
    nsc_time total = 0;

    for (size_t i = 0; i < n; i++) {
        struct nsc_tally_line line = nsc_tally_line(report, &tally->rows.at[groups[i]], text);

        NSC_SHEET_ADD_ROW(sheet, &line);
        total = nsc_sum(total, line.of.total);
        if (top && i == 0)
            *top = line;
    }
    sheet->n_left_out += tally->rows.n - n;
    free(groups);
    return total;
}

static bool ends_with_trace(const struct nsc_trace *trace, nsc_event range)
{
    return nsc_event_end(nsc_trace_events(trace), range) >= nsc_trace_extent(trace).t1;
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
            ends_with_trace(trace, lanes[l].first + lanes[l].n - 1))
            return nsc_field_set(report->query->fields, NSC_FIELDS_RANGES);
    return NULL;
}

bool nsc_hotspots_is_open(const struct nsc_hotspots *report, nsc_event range)
{
    return ends_with_trace(report->query->scope.trace, range) &&
           nsc_nvtx_is_open(nsc_field_set(report->query->fields, NSC_FIELDS_RANGES), range);
}

/* ---- kernels ---- */

struct gathering {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    size_t capacity;
};

static void add_kernel(void *context, uint32_t track, nsc_event event)
{
    struct gathering *gathering = context;
    struct nsc_hotspots_kernels *kernels = &gathering->report->kernels;

    if (gathering->events->kind[event] != NSC_KIND_KERNEL)
        return;
    if (kernels->n == gathering->capacity) {
        size_t room = gathering->capacity ? gathering->capacity * 2 : 1024;

        kernels->event = nsc_xrealloc(kernels->event, room, sizeof *kernels->event);
        kernels->text = nsc_xrealloc(kernels->text, room, sizeof *kernels->text);
        kernels->track = nsc_xrealloc(kernels->track, room, sizeof *kernels->track);
        gathering->capacity = room;
    }
    kernels->event[kernels->n] = event;
    kernels->text[kernels->n] = nsc_texts_of(&gathering->report->texts, event);
    kernels->track[kernels->n++] = track;
    kernels->total = nsc_sum(kernels->total, nsc_event_duration(gathering->events, event));
}

/* Adds "mfu" if NVTX ranges give the shapes of the matrices. */
static void add_mfu(struct nsc_hotspots *report)
{
    struct nsc_question question =
        nsc_question_of(nsc_skill_find("mfu"), &report->query->scope, report->query->fields);

    nsc_skill_mfu(&report->sheets, &question);
}

/* Asks one by one, because later questions read figures of earlier ones. */
static void ask_questions(void *context, unsigned worker, uint32_t i)
{
    static void (*const questions[])(struct nsc_hotspots * report) = {
        nsc_hotspots_top_kernels,    nsc_hotspots_launch_storm,   nsc_hotspots_sync_calls,
        nsc_hotspots_gpu_idle,       nsc_hotspots_nvtx_ranges,    nsc_hotspots_nvtx_kernels,
        nsc_hotspots_pids,           nsc_hotspots_barriers,       nsc_hotspots_nccl,
        nsc_hotspots_launch_latency, nsc_hotspots_stream_overlap, nsc_hotspots_nvlink,
        nsc_hotspots_largest_times,  nsc_hotspots_iterations,     add_mfu,
        nsc_hotspots_find_warnings};
    struct nsc_hotspots *out = context;

    (void)worker;
    (void)i;
    nsc_progress_set_rows(out->query->progress, NSC_COUNT_OF(questions));
    for (uint32_t k = 0; k < NSC_COUNT_OF(questions); k++) {
        questions[k](out);
        nsc_progress_add(out->query->progress, 1, 0);
    }
}

void nsc_hotspots_build(struct nsc_hotspots *out, const struct nsc_hotspots_query *query)
{
    struct gathering gathering = {out, nsc_trace_events(query->scope.trace), 0};
    struct nsc_finding_others others = {1, ask_questions, out};
    struct nsc_hotspots_query *own = nsc_xmalloc(sizeof *own);

    memset(out, 0, sizeof *out);
    *own = *query;
    nsc_shared_open(&own->scope);
    out->query = own;
    nsc_texts_init(&out->texts, query->scope.trace);
    nsc_scope_walk(&query->scope, NSC_TRACK_BIT(NSC_TRACK_STREAM), add_kernel, &gathering);
    nsc_device_share(&own->scope, query->fields, false);
    out->own = own;
    out->findings.ascii = true;
    (void)nsc_findings_run_with(&out->findings, &own->scope, query->fields, &others, NULL);
}

void nsc_hotspots_fini(struct nsc_hotspots *report)
{
    for (size_t i = 0; i < report->warnings.n; i++)
        free(report->warnings.at[i]);
    NSC_VEC_FINI(&report->warnings);
    NSC_VEC_FINI(&report->figures.idle);
    nsc_findings_fini(&report->findings);
    nsc_sheets_fini(&report->sheets);
    free(report->kernels.event);
    free(report->kernels.text);
    free(report->kernels.track);
    nsc_tally_fini(&report->ranges);
    nsc_texts_fini(&report->texts);
    nsc_shared_close(&report->own->scope);
    free(report->own);
}
