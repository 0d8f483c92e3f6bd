/*
 * Measures collectives: how long each operation takes, how much of it compute hides, and how ranks
 * differ.
 *
 * Reads communication kernels. In an export without any it searches NVTX ranges, then API calls,
 * that name a collective. An operation is one of the words below, else the name itself. Compute is
 * the union of all other kernels of the same device; for ranges and calls, of all devices. A rank
 * is N of "rank=N" or "rank:N" in the text, else the process.
 */
#include "nsyscope/cover.h"

#include "analysis/base/activity.h"
#include "analysis/base/quantile.h"
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"
#include "analysis/job/late.h"
#include "analysis/names/collective.h"
#include "core/sum.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct op {
    nsc_event event;
    nsc_str name;  /* of texts: the operation */
    uint64_t rank; /* from the text, else the pid + RANK_OF_PID */
    uint32_t pid;
    uint32_t device; /* of a kernel; NSC_NONE */
};

#define RANK_OF_PID ((uint64_t)1 << 32)

struct collectives {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    NSC_VEC(struct op) ops;
    const char *source;
    bool of_kernels;
    uint8_t *may_be; /* by name; see may_be_op */
};

/* ---- which ---- */

/* Whether an event may be an op: a communication kernel, or a range or call that names a collective.
 * The name alone decides: no word has a digit, and digits are all that a name leaves out. */
static bool may_be_op(const struct collectives *all, nsc_event event)
{
    enum { UNKNOWN, NO, YES };
    const struct nsc_trace *trace = all->report->query->scope.trace;
    const struct nsc_names *names = nsc_trace_names(trace);
    nsc_name name = all->events->name[event];

    if (all->of_kernels)
        return all->events->kind[event] == NSC_KIND_KERNEL && names->flags[name] & NSC_NAME_COMM;
    if (all->may_be[name] == UNKNOWN) {
        struct nsc_text text = nsc_trace_string(trace, names->brief[name]);

        all->may_be[name] = nsc_nccl_word(text) || nsc_nccl_named(text) ? YES : NO;
    }
    return all->may_be[name] == YES && nsc_event_duration(all->events, event) > 0;
}

/* Adds the event, unless its text names no collective and it is no kernel. */
static void add_op(struct collectives *all, uint32_t track, nsc_event event)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text =
        nsc_trace_event_text(all->report->query->scope.trace, event, true, scratch);
    const char *word = nsc_nccl_word(text);
    struct op op = {.event = event,
                    .pid = nsc_hotspots_pid(all->report, track),
                    .device = all->of_kernels
                                  ? nsc_trace_group_of(all->report->query->scope.trace, track)
                                  : NSC_NONE};

    if (!all->of_kernels && !word && !nsc_nccl_named(text))
        return;
    if (!nsc_nccl_rank(&op.rank, text))
        op.rank = RANK_OF_PID + op.pid;
    op.name = nsc_texts_add(&all->report->texts, word ? nsc_text_from(word) : text);
    *NSC_VEC_ADD(&all->ops) = op;
}

static void find_ops(struct collectives *all)
{
    static const struct {
        const char *source;
        uint32_t tracks;
    } sources[] = {{"kernels", NSC_TRACK_BIT(NSC_TRACK_STREAM)},
                   {"NVTX ranges", NSC_RANGE_TRACKS},
                   {"API calls", NSC_TRACK_BIT(NSC_TRACK_API)}};
    const struct nsc_scope *scope = &all->report->query->scope;

    all->may_be = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    for (size_t i = 0; i < NSC_COUNT_OF(sources) && all->ops.n == 0; i++) {
        all->source = sources[i].source;
        all->of_kernels = i == 0;
        for (struct nsc_scope_cursor at = nsc_scope_open(scope, sources[i].tracks);
             nsc_scope_next(&at);)
            if (may_be_op(all, at.row))
                add_op(all, at.track, at.row);
    }
    free(all->may_be);
}

/* ---- how much compute hides ---- */

static bool is_compute(const void *context, nsc_event event)
{
    const struct nsc_scope *scope = context;
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    return events->kind[event] == NSC_KIND_KERNEL &&
           !(nsc_trace_names(scope->trace)->flags[events->name[event]] & NSC_NAME_COMM) &&
           nsc_scope_has(scope, event);
}

/* The compute beside an op: that of its device, for ranges and calls that of all. The ops of a device
 * follow each other. */
struct hiding {
    uint32_t device;           /* NSC_NONE: all */
    struct nsc_cover *compute; /* NULL: not built yet */
};

static nsc_time hidden_of(struct hiding *hiding, const struct collectives *all, const struct op *op)
{
    const struct nsc_scope *scope = &all->report->query->scope;

    if (!hiding->compute || hiding->device != op->device) {
        nsc_cover_free(hiding->compute);
        hiding->device = op->device;
        hiding->compute = op->device == NSC_NONE
                              ? nsc_scope_cover_streams(scope, is_compute)
                              : nsc_device_cover_of(scope->trace, op->device, is_compute, scope);
    }
    return nsc_cover_measure(
        hiding->compute,
        (struct nsc_window){all->events->start[op->event], nsc_event_end(all->events, op->event)});
}

/* ---- by operation ---- */

struct op_row {
    struct nsc_tally_line of;
    nsc_time overlap;
    double overlap_share;
    const char *straggler;
};

static void name_rank(char out[32], uint64_t rank)
{
    if (rank >= RANK_OF_PID)
        snprintf(out, 32, "pid:%" PRIu64, rank - RANK_OF_PID);
    else
        snprintf(out, 32, "rank:%" PRIu64, rank);
}

static void add_by_op(struct collectives *all, const struct nsc_tally *by_op,
                      const struct nsc_tally *hidden, const struct nsc_verdicts *late)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(op_row, of.name, "op"),
        NSC_COLUMN_COUNT(op_row, of.of.count, "count"),
        NSC_COLUMN_MS(op_row, of.of.total, "total_time_ms"),
        NSC_COLUMN_US(op_row, of.mean, "avg_duration_us"),
        NSC_COLUMN_US(op_row, of.extremes.longest, "max_duration_us"),
        NSC_COLUMN_MS(op_row, overlap, "compute_overlap_ms"),
        NSC_COLUMN_PCT(op_row, overlap_share, "compute_overlap_pct",
                       "summed duration of the operation"),
        NSC_COLUMN_TEXT(op_row, straggler, "straggler"),
        NSC_COLUMN_NS(op_row, of.of.total, "total_time_ns"),
        NSC_COLUMN_NS(op_row, overlap, "compute_overlap_ns"),
    };
    struct nsc_hotspots *report = all->report;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, "nccl_ops", "Collectives", columns);
    uint32_t *order = nsc_tally_sort(by_op, NSC_TALLY_TOTAL, 0, &report->texts);
    size_t n = nsc_hotspots_limit(sheet, by_op->rows.n, NSC_HOTSPOTS_ROWS);
    struct nsc_buf straggler = NSC_BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < n; i++) {
        struct op_row row = {.of = nsc_tally_line(report, &by_op->rows.at[order[i]], 0),
                             .overlap = hidden->rows.at[order[i]].total};

        row.of.extremes = by_op->extremes.at[order[i]];
        nsc_verdicts_stragglers(&straggler, late, row.of.name);
        row.straggler = straggler.bytes;
        row.overlap_share = nsc_percent(row.overlap, row.of.of.total);
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    if (all->ops.n)
        nsc_sheet_note(sheet, "from %s", all->source);
    else
        nsc_sheet_note(sheet, "no communication kernel, range or call in this trace");
    nsc_buf_fini(&straggler);
    free(order);
}

/* ---- for a merge ---- */

struct ops_row {
    struct nsc_rank_place place;
    struct nsc_collective_series of;
    struct nsc_text kernel;
    int64_t comm;
    struct nsc_kept_text ops;
};

/* Adds the ops of each series, so that a merge can compare ranks (analysis/job/rank_ops.h). */
static void add_ops(struct nsc_hotspots *report, const struct nsc_rank_ops *ops)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(ops_row, place.pid, "pid"),   NSC_COLUMN_ID(ops_row, place.gpu, "gpu"),
        NSC_COLUMN_TEXT(ops_row, kernel, "kernel"), NSC_COLUMN_ID(ops_row, of.stream, "stream"),
        NSC_COLUMN_COUNT(ops_row, of.n, "count"),   NSC_COLUMN_ID(ops_row, comm, "communicator"),
        NSC_COLUMN_TEXT(ops_row, ops, "ops"),
    };
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, "collective_ops",
                                                 "Collectives one by one, for a merge", columns);
    size_t n = nsc_hotspots_limit(sheet, ops->all_series.n, NSC_RANK_TEXT_STRANDS);

    for (size_t i = 0; i < n; i++) {
        const struct nsc_collective_series *series = &ops->all_series.at[i];
        struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

        nsc_rank_ops_format(&text, ops, series);
        NSC_ADD_ROW(sheet, ops_row, .place = ops->ranks.at[series->rank], .of = *series,
                    .comm = nsc_known(series->comm != 0, series->comm),
                    .kernel = nsc_strpool_text(&ops->pool, series->name),
                    .ops = nsc_sheet_keep_buf(sheet, &text));
    }
}

/* ---- by rank and process ---- */

static nsc_time median_of_op(const struct nsc_tally *by_rank, uint64_t op)
{
    nsc_time *totals = nsc_xmalloc((by_rank->rows.n + 1) * sizeof *totals);
    size_t n = 0;
    double median;

    for (size_t i = 0; i < by_rank->rows.n; i++)
        if (by_rank->rows.at[i].key[0] == op)
            totals[n++] = by_rank->rows.at[i].total;
    median = n ? nsc_quantile_linear(totals, n, 0.5) : 0;
    free(totals);
    return median < (double)INT64_MAX ? (nsc_time)median : INT64_MAX;
}

struct skew_row {
    struct nsc_tally_line of;
    const char *rank;
    nsc_time median;
    double skew; /* % */
};

static void add_skew(struct collectives *all, const struct nsc_tally *by_rank)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(skew_row, of.name, "op"),
        NSC_COLUMN_TEXT(skew_row, rank, "rank"),
        NSC_COLUMN_COUNT(skew_row, of.of.count, "count"),
        NSC_COLUMN_MS(skew_row, of.of.total, "total_time_ms"),
        NSC_COLUMN_MS(skew_row, median, "median_total_ms"),
        NSC_COLUMN_PCT(skew_row, skew, "skew_pct", "median of the ranks' totals"),
        NSC_COLUMN_NS(skew_row, of.of.total, "total_time_ns"),
    };
    struct nsc_hotspots *report = all->report;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(
        report, "nccl_rank_skew", "Collectives: ranks against their median", columns);
    uint32_t *order = nsc_tally_sort(by_rank, NSC_TALLY_TOTAL, 0, &report->texts);
    size_t n = nsc_hotspots_limit(sheet, by_rank->rows.n, NSC_HOTSPOTS_ROWS);

    for (size_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &by_rank->rows.at[order[i]];
        nsc_time median = median_of_op(by_rank, row->key[0]);
        double above = (double)row->total - (double)median;
        char name[32];

        name_rank(name, row->key[1]);
        NSC_ADD_ROW(sheet, skew_row, .of = nsc_tally_line(report, row, 0), .rank = name,
                    .median = median,
                    .skew = median > 0 ? 100.0 * above / (double)median : (double)NAN);
    }
    nsc_sheet_note(sheet,
                   "a rank that waits long in a collective is not late: the other ranks are");
    free(order);
}

static void add_by_pid(struct collectives *all, const struct nsc_tally *by_pid)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(nsc_tally_line, pid, "pid"),
        NSC_COLUMN_TEXT(nsc_tally_line, name, "op"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "count"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(all->report, "nccl_by_pid", "Collectives by process", columns);

    nsc_hotspots_lines(all->report, sheet, by_pid, NSC_TALLY_OTHER_TOTAL, 1);
}

void nsc_hotspots_nccl(struct nsc_hotspots *report)
{
    struct collectives all = {.report = report,
                              .events = nsc_trace_events(report->query->scope.trace)};
    struct nsc_tally by_op = {.has_extremes = true}, hidden = {0}, by_rank = {0}, by_pid = {0};
    struct hiding hiding = {0};
    struct nsc_rank_ops rank_ops;
    struct nsc_fleet fleet;
    struct nsc_judged judged;

    find_ops(&all);
    for (size_t i = 0; i < all.ops.n; i++) {
        const struct op *op = &all.ops.at[i];
        nsc_time ns = nsc_event_duration(all.events, op->event);

        nsc_tally_add(&by_op, op->name, 0, ns);
        nsc_tally_add(&hidden, op->name, 0, hidden_of(&hiding, &all, op));
        nsc_tally_add(&by_rank, op->name, op->rank, ns);
        nsc_tally_add(&by_pid, op->pid, op->name, ns);
    }
    nsc_rank_ops_init(&rank_ops);
    nsc_rank_ops_add(&rank_ops, &report->query->scope, report->query->fields, NULL);
    nsc_fleet_init(&fleet);
    nsc_fleet_add_ops(&fleet, &rank_ops);
    nsc_judge(&judged, &fleet);
    add_by_op(&all, &by_op, &hidden, &judged.verdicts);
    add_ops(report, &rank_ops);
    nsc_judged_fini(&judged);
    nsc_fleet_fini(&fleet);
    nsc_rank_ops_fini(&rank_ops);
    add_skew(&all, &by_rank);
    add_by_pid(&all, &by_pid);
    nsc_cover_free(hiding.compute);
    NSC_VEC_FINI(&all.ops);
    nsc_tally_fini(&by_op);
    nsc_tally_fini(&hidden);
    nsc_tally_fini(&by_rank);
    nsc_tally_fini(&by_pid);
}
