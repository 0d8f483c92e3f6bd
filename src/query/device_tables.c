/* gap(least), time_bin(n) and sweep: what each GPU does with its time. */
#include "analysis/base/activity.h"
#include "analysis/base/device_ops.h"
#include "analysis/device/gaps.h"
#include "query/query_data.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_BINS = 1000000 };

enum nsc_status nsc_query_read_number(int64_t *out, const char *text, const char *name,
                                      int64_t least, int64_t most, struct nsc_error *error)
{
    char *end = NULL;

    if (!text)
        return NSC_OK;
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (errno || end == text || *end || *out < least || *out > most)
        return nsc_fail(error, NSC_EINVAL, "%s: a whole number from %lld to %lld, not %.40s", name,
                        (long long)least, (long long)most, text);
    return NSC_OK;
}

static int64_t event_id(nsc_event event)
{
    return nsc_known(event != NSC_NONE, event);
}

/* ---- gaps ---- */

struct gap_table_row {
    struct nsc_kept_text rank;
    int64_t gpu, start, end, dur, next, call, drained, range, late, queued, waits, unknown;
    const char *side, *cause;
};

const struct nsc_sheet_column nsc_query_gap_columns[] = {
    NSC_COL_TEXT(gap_table_row, rank, "rank", "Label of the export; NULL for a single one"),
    NSC_COL_ID(gap_table_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(gap_table_row, start, "start", "Start"),
    NSC_COL_INSTANT(gap_table_row, end, "end", "End"),
    NSC_COL_NS(gap_table_row, dur, "dur", "Length"),
    NSC_COL_ID(gap_table_row, next, "next", "Id of the first op after it (table op)"),
    NSC_COL_ID(gap_table_row, call, "call", "Id of the call that launched that op (table call)"),
    NSC_COL_ID(gap_table_row, drained, "drained", "Id of the wait that drained the queue"),
    NSC_COL_ID(gap_table_row, range, "range",
               "Id of the NVTX range with most of the time in which the CPU was late"),
    NSC_COL_NS(gap_table_row, late, "late", "In which the CPU was late"),
    NSC_COL_NS(gap_table_row, queued, "queued", "In which the op was issued and did not start"),
    NSC_COL_NS(gap_table_row, waits, "waits",
               "In which the host waited for another GPU, or only that one had work"),
    NSC_COL_NS(gap_table_row, unknown, "unknown", "For unknown reasons"),
    NSC_COL_TEXT(gap_table_row, side, "side", "CPU late, queued, host waits, done or unknown"),
    NSC_COL_TEXT(gap_table_row, cause, "cause", "What takes most of it"),
    {0},
};

static void put_gap(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t device,
                    const struct nsc_gap *gap)
{
    int most = 0;

    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        most = gap->part[i] > gap->part[most] ? i : most;
    NSC_ADD_ROW(sheet, gap_table_row, .rank = nsc_rank_label(sheet, trace, device),
                .gpu = nsc_trace_track(trace, device)->gpu, .start = gap->start, .end = gap->end,
                .dur = nsc_span(gap->start, gap->end), .next = event_id(gap->next),
                .call = event_id(gap->call), .drained = event_id(gap->drained),
                .range = event_id(gap->range), .late = nsc_gap_late(gap),
                .queued = nsc_gap_queued(gap),
                .waits = gap->part[NSC_GAP_OTHER_GPU] + gap->part[NSC_GAP_ENDED],
                .unknown = gap->part[NSC_GAP_UNKNOWN] + gap->part[NSC_GAP_UNRECORDED],
                .side = nsc_gap_side_word((enum nsc_gap_part)most),
                .cause = nsc_gap_part_word((enum nsc_gap_part)most));
}

enum nsc_status nsc_query_gap(struct nsc_sheets *out, struct nsc_trace_query *query,
                              const char *const arguments[], struct nsc_error *error)
{
    const struct nsc_trace *trace = query->trace;
    struct nsc_sheet *sheet = NSC_QUERY_SHEET(out, gap);
    int64_t least = 0;
    enum nsc_status status =
        nsc_query_read_number(&least, arguments[0], "least", 0, INT64_MAX, error);

    for (uint32_t d = NSC_NONE; status == NSC_OK && (d = nsc_device_next(trace, d)) != NSC_NONE;) {
        struct nsc_gap_walk walk;
        struct nsc_gap gap;

        if (nsc_gap_walk_init(&walk, query->ground.scope, d))
            while (nsc_gap_walk_next(&walk, &gap))
                if (nsc_span(gap.start, gap.end) >= least)
                    put_gap(sheet, trace, d, &gap);
        nsc_gap_walk_fini(&walk);
    }
    return status;
}

/* ---- bins ---- */

struct bin_table_row {
    struct nsc_kept_text rank;
    int64_t gpu, bin, start, end;
    struct nsc_activity of;
};

const struct nsc_sheet_column nsc_query_time_bin_columns[] = {
    NSC_COL_TEXT(bin_table_row, rank, "rank", "Label of the export; NULL for a single one"),
    NSC_COL_ID(bin_table_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(bin_table_row, bin, "bin", "Number of the bin, from 0"),
    NSC_COL_INSTANT(bin_table_row, start, "start", "Start"),
    NSC_COL_INSTANT(bin_table_row, end, "end", "End"),
    NSC_COL_NS(bin_table_row, of.window, "dur", "Length"),
    NSC_COL_NS(bin_table_row, of.busy, "busy", "In which at least one op runs"),
    NSC_COL_NS(bin_table_row, of.idle, "idle", "In which none runs"),
    NSC_COL_NS(bin_table_row, of.compute, "compute", "In which compute runs"),
    NSC_COL_NS(bin_table_row, of.comm, "comm", "In which communication runs"),
    NSC_COL_NS(bin_table_row, of.overlap, "overlap", "In which both run"),
    NSC_COL_NS(bin_table_row, of.exposed, "exposed",
               "In which communication and nothing else runs"),
    NSC_COL_NS(bin_table_row, of.copy_only, "copy_only", "In which only copies or memsets run"),
    {0},
};

static enum nsc_status put_bins(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                                uint32_t device, uint32_t n, struct nsc_error *error)
{
    struct nsc_activity_walk walk;
    struct nsc_scope_covers covers;

    if (nsc_sheet_rows(sheet) + n > MOST_BINS)
        return nsc_fail(error, NSC_EINVAL, "time_bin: at most %d bins of all GPUs", MOST_BINS);
    if (!nsc_scope_covers_build(&covers, scope, device))
        return nsc_fail(error, NSC_ENOMEM, "no memory for the work of a GPU");
    nsc_activity_walk_init(&walk, &covers.of);
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_window w = {nsc_window_cut(scope->window, i, n),
                               nsc_window_cut(scope->window, i + 1, n)};

        if (w.t0 < w.t1)
            NSC_ADD_ROW(sheet, bin_table_row, .rank = nsc_rank_label(sheet, scope->trace, device),
                        .gpu = nsc_trace_track(scope->trace, device)->gpu, .bin = i, .start = w.t0,
                        .end = w.t1, .of = nsc_activity_walk_next(&walk, w));
    }
    nsc_scope_covers_fini(&covers);
    return NSC_OK;
}

enum nsc_status nsc_query_time_bin(struct nsc_sheets *out, struct nsc_trace_query *query,
                                   const char *const arguments[], struct nsc_error *error)
{
    const struct nsc_trace *trace = query->trace;
    struct nsc_sheet *sheet = NSC_QUERY_SHEET(out, time_bin);
    int64_t n = 100;
    enum nsc_status status = nsc_query_read_number(&n, arguments[0], "n", 1, MOST_BINS, error);

    for (uint32_t d = NSC_NONE; status == NSC_OK && !nsc_scope_is_stopped(&query->scope) &&
                                (d = nsc_device_next(trace, d)) != NSC_NONE;)
        status = put_bins(sheet, query->ground.scope, d, (uint32_t)n, error);
    return status;
}

/* ---- stretches ---- */

enum nsc_status nsc_query_sweep(struct nsc_sheets *out, struct nsc_trace_query *query,
                                const char *const arguments[], struct nsc_error *error)
{
    (void)arguments;
    (void)error;
    nsc_sweep_sheet(out, query->ground.scope);
    return NSC_OK;
}
