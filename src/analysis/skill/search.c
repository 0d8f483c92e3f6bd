/*
 * The skills that find events by name, or by a range around them: use the filter's matching, and
 * list by time.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/names/label.h"
#include "analysis/ranges/launches.h"
#include "analysis/select/filter.h"
#include "analysis/select/listing.h"
#include "analysis/skill/skill.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct search_row {
    const char *kind;
    int64_t gpu, stream, tid;
    uint32_t pid;
    nsc_time start, duration;
    struct nsc_kept_text path, name;
};

const struct nsc_sheet_column nsc_skill_search_columns[] = {
    NSC_COL_TEXT(search_row, kind, "kind", "Kind"),
    NSC_COL_ID(search_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(search_row, stream, "stream", "Stream"),
    NSC_COL_ID(search_row, pid, "pid", "Process"),
    NSC_COL_ID(search_row, tid, "tid", "Thread"),
    NSC_COL_INSTANT(search_row, start, "start_ns", "Start"),
    NSC_COL_NS(search_row, duration, "duration_ns", "Duration"),
    NSC_COL_TEXT(search_row, path, "path", "Ranges around it"),
    NSC_COL_TEXT(search_row, name, "name", "Name"),
    {0},
};

enum { PATH_SHOWN = 64 };

const char *nsc_search_kinds(const char *type)
{
    static const char *const types[][2] = {
        {"kernel", "kind:kernel"},   {"hierarchy", "kind:kernel"},
        {"nvtx", "kind:nvtx,mark"},  {"api", "kind:api"},
        {"call", "kind:api,os,mpi"}, {"gpu", "kind:kernel,graph,copy,memset"}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

/* "kind:kernel name:"gemm" nvtx:"forward"" */
static void write_filter(struct nsc_buf *out, const struct nsc_question *question)
{
    const struct nsc_param_value *name = &question->params[NSC_PARAM_NAME];
    const struct nsc_param_value *parent = &question->params[NSC_PARAM_PARENT];
    const struct nsc_param_value *type = &question->params[NSC_PARAM_TYPE];

    nsc_buf_puts(out, type->is_set ? nsc_search_kinds(type->text) : "kind:kernel,nvtx,mark");
    if (name->is_set) {
        nsc_buf_puts(out, " name:");
        nsc_filter_quote(out, nsc_text_from(name->text));
    }
    if (parent->is_set) {
        nsc_buf_puts(out, " nvtx:");
        nsc_filter_quote(out, nsc_text_from(parent->text));
    }
}

/* The matching rows of the scope; NULL, with a note, if a text is too long. The caller frees it. */
static uint64_t *find_rows(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t words = nsc_bits_words(nsc_trace_events(scope->trace)->n);
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_filter *filter = NULL;
    struct nsc_error error = {0};
    uint64_t *rows = NULL;

    write_filter(&line, question);
    if (nsc_filter_parse(&filter, nsc_text_of_buf(&line), &error) != NSC_OK)
        nsc_sheet_note(sheet, "%s", error.text);
    else
        rows = nsc_filter_apply(filter, scope->trace, NULL, scope->stop);
    for (size_t i = 0; rows && scope->mask && i < words; i++)
        rows[i] &= scope->mask[i];
    nsc_filter_free(filter);
    nsc_buf_fini(&line);
    return rows;
}

/* "step 3 > forward > layer 1", raw. */
static struct nsc_kept_text keep_path(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                      const struct nsc_path *path)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0; i < path->n && i < PATH_SHOWN; i++) {
        struct nsc_text name = nsc_trace_event_text(trace, path->rows[i], false, scratch);

        nsc_buf_puts(&text, i ? " > " : "");
        nsc_buf_add(&text, name.bytes, name.n);
    }
    return nsc_sheet_keep_buf(sheet, &text);
}

static void add_found(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                      struct nsc_path_memo *memo, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t lane = nsc_trace_lane_of(trace, event);
    const struct nsc_track *track =
        nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[lane].track);
    const struct nsc_path path =
        nsc_path_memo_find(memo, event, lane, nsc_event_launch(trace, event));
    bool is_gpu = nsc_kind_is_gpu(events->kind[event]);

    NSC_ADD_ROW(sheet, search_row, .kind = nsc_kind_label((enum nsc_kind)events->kind[event]),
                .gpu = nsc_known(is_gpu, track->device), .stream = nsc_known(is_gpu, track->stream),
                .pid = track->pid, .tid = nsc_known(!is_gpu, track->tid),
                .start = events->start[event], .duration = nsc_event_duration(events, event),
                .path = keep_path(sheet, trace, &path),
                .name = nsc_label_event(sheet, trace, event));
}

static void list_rows(struct nsc_sheet *sheet, const struct nsc_question *question,
                      const struct nsc_summary *summary)
{
    const struct nsc_scope *scope = question->scope;
    uint32_t n_lanes = 0;
    uint32_t *lanes;
    struct nsc_path_memo *memo = nsc_path_memo_new(scope->trace);
    struct nsc_listing listing;
    nsc_event *found;
    size_t n;

    (void)nsc_trace_lanes(scope->trace, &n_lanes);
    lanes = nsc_sort_numbers(n_lanes);
    nsc_listing_init(&listing, scope->trace, summary, scope->window, lanes, n_lanes);
    free(lanes);
    n = nsc_scope_is_stopped(scope) ? 0 : nsc_question_limit(question, sheet, listing.n);
    found = nsc_xmalloc(n * sizeof *found + 1);
    n = nsc_listing_at(&listing, 0, (uint32_t)n, found);
    for (size_t i = 0; i < n && !nsc_scope_is_stopped(scope); i++)
        add_found(sheet, scope->trace, memo, found[i]);
    nsc_path_memo_free(memo);
    free(found);
    nsc_listing_fini(&listing);
}

/* ---- what they take, by name ---- */

struct total {
    nsc_event event; /* the first */
    uint32_t count;
    nsc_time work, sum, longest; /* work: GPU time */
};

struct total_row {
    const char *kind;
    struct total of;
    nsc_time work, all, mean;
    struct nsc_kept_text name;
};

const struct nsc_sheet_column nsc_skill_name_totals_columns[] = {
    NSC_COL_TEXT(total_row, kind, "kind", "Kind"),
    NSC_COL_COUNT(total_row, of.count, "count", "Count"),
    NSC_COL_NS(total_row, of.sum, "total_ns", "Total"),
    NSC_COL_NS(total_row, work, "gpu_work_ns", "GPU work"),
    NSC_COL_SHARE(total_row, work, all, "gpu_work_share", "Share", "summed GPU work"),
    NSC_COL_NS(total_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(total_row, of.longest, "max_ns", "Longest"),
    NSC_COL_TEXT(total_row, name, "name", "Name"),
    {0},
};

NSC_COMPARE(compare_totals, struct total, NSC_MOST(work) || NSC_MOST(sum) || NSC_LEAST(event))

/* The GPU work of an op, or of the ops launched in a range of its thread. */
static nsc_time work_of(const struct nsc_launches *launches, const struct nsc_events *events,
                        nsc_event event)
{
    if (nsc_kind_is_gpu(events->kind[event]))
        return nsc_event_duration(events, event);
    return nsc_launches_measure(launches, nsc_launches_inside(launches, event)).work;
}

/* Sums the rows by name without digits, GPU work first, then ranges. Kernels and ranges with equal
 * names stay apart. Returns the GPU work of the scope. */
static nsc_time add_up(struct total *totals, const struct nsc_scope *scope, const uint64_t *rows,
                       const struct nsc_launches *launches)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    size_t n_names = nsc_trace_names(scope->trace)->n;
    nsc_name *brief = nsc_names_by_brief(scope->trace);
    nsc_name *folded = nsc_names_by_fold(scope->trace);
    nsc_time all = 0;

    for (nsc_event i = 0; i < events->n && !nsc_scope_is_stopped(scope); i++) {
        bool is_gpu = nsc_kind_is_gpu(events->kind[i]);
        struct total *to;

        if (!nsc_scope_has_row(scope, events, i))
            continue;
        if (is_gpu)
            all = nsc_sum(all, nsc_event_duration(events, i));
        if (!nsc_bits_get(rows, i) || events->name[i] >= n_names)
            continue;
        to = &totals[is_gpu ? brief[events->name[i]] : n_names + folded[events->name[i]]];
        if (to->count++ == 0)
            to->event = i;
        to->work = nsc_sum(to->work, work_of(launches, events, i));
        to->sum = nsc_sum(to->sum, nsc_event_duration(events, i));
        to->longest = nsc_later(to->longest, nsc_event_duration(events, i));
    }
    free(brief);
    free(folded);
    return all;
}

static void add_total(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                      const struct total *of, nsc_time all)
{
    uint8_t kind = nsc_trace_events(trace)->kind[of->event];
    bool has_work = of->work > 0 || !nsc_kind_is_api(kind); /* most calls launch nothing */

    NSC_ADD_ROW(sheet, total_row, .kind = nsc_kind_label((enum nsc_kind)kind), .of = *of,
                .work = nsc_known(has_work, of->work), .all = all, .mean = of->sum / of->count,
                .name = nsc_kind_is_nvtx(kind) ? nsc_label_range(sheet, trace, of->event, false)
                                               : nsc_label_event(sheet, trace, of->event));
}

static void add_totals(struct nsc_sheet *sheet, const struct nsc_question *question,
                       const uint64_t *rows)
{
    const struct nsc_trace *trace = question->scope->trace;
    size_t n_totals = (size_t)nsc_trace_names(trace)->n * 2;
    struct nsc_launches *launches =
        nsc_launches_build(trace, question->scope->mask, question->scope->stop);
    struct total *totals = nsc_xcalloc(n_totals + 1, sizeof *totals);
    nsc_time all = 0;
    size_t n = 0;

    if (launches && nsc_launches_sum(launches))
        all = add_up(totals, question->scope, rows, launches);
    qsort(totals, n_totals, sizeof *totals, compare_totals);
    for (size_t i = 0; i < n_totals; i++) /* totals without rows may lie between them */
        if (totals[i].count > 0)
            totals[n++] = totals[i];
    n = nsc_question_limit(question, sheet, n);
    for (size_t i = 0; i < n; i++)
        add_total(sheet, trace, &totals[i], all);
    nsc_sheet_note(sheet, "GPU work of a range: work that its thread launches in it. Total, mean "
                          "and longest are durations of the kernels, ranges or calls themselves, "
                          "over all threads and streams. Durations are not clipped to the window.");
    nsc_launches_free(launches);
    free(totals);
}

void nsc_skill_name_totals(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, name_totals);
    uint64_t *rows = find_rows(sheet, question);

    if (rows)
        add_totals(sheet, question, rows);
    nsc_sheet_note_empty(sheet, "No name in the window contains this text.");
    free(rows);
}

void nsc_skill_search(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, search);
    uint64_t *rows = find_rows(sheet, question);
    bool is_found = rows && !nsc_scope_is_stopped(question->scope);
    struct nsc_summary *summary = is_found ? nsc_summary_build(question->scope->trace, rows) : NULL;

    if (summary)
        list_rows(sheet, question, summary);
    if (summary && nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No name in the window contains this text.");
    nsc_summary_free(summary);
    free(rows);
}
