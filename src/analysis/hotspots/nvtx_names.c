/*
 * Sums NVTX ranges by name, lists the longest ranges, and sums phases of their wall time.
 *
 * Counts closed push/pop and start/end ranges longer than 0 ns; nested ranges count too.
 */
#include "analysis/base/longest.h"
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"

#define INSTANCES 50

struct ranges {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    struct nsc_tally names; /* (text, 0) */
    struct nsc_longest longest;
    nsc_event batch[NSC_TEXTS_AHEAD]; /* ranges that are not added yet */
    uint64_t pid;                     /* of all of them */
    uint32_t n_batch;
};

static void add_batch(struct ranges *ranges)
{
    nsc_str texts[NSC_TEXTS_AHEAD];

    if (ranges->n_batch == 0)
        return;
    nsc_texts_of_many(texts, &ranges->report->texts, ranges->batch, ranges->n_batch);
    for (uint32_t i = 0; i < ranges->n_batch; i++)
        (void)nsc_tally_add(&ranges->report->ranges, ranges->pid, texts[i],
                            nsc_event_duration(ranges->events, ranges->batch[i]));
    ranges->n_batch = 0;
}

static void add_range(void *context, uint32_t track, nsc_event event)
{
    struct ranges *ranges = context;
    uint64_t pid = nsc_hotspots_pid(ranges->report, track);

    if (nsc_event_duration(ranges->events, event) <= 0 ||
        nsc_hotspots_is_open(ranges->report, event, nsc_event_end(ranges->events, event)))
        return;
    if (ranges->n_batch == NSC_TEXTS_AHEAD || pid != ranges->pid)
        add_batch(ranges);
    ranges->pid = pid;
    ranges->batch[ranges->n_batch++] = event;
    nsc_longest_add(&ranges->longest, event, nsc_event_duration(ranges->events, event));
}

static void add_names(struct ranges *ranges)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(nsc_tally_line, name, "range_name"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "count"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
    };
    struct nsc_hotspots *report = ranges->report;
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "nvtx_ranges", "NVTX ranges by name", columns);

    (void)nsc_hotspots_lines(report, sheet, &ranges->names, NSC_TALLY_TOTAL, 0, NSC_HOTSPOTS_ROWS,
                             NULL);
    report->figures.n_range_names = ranges->names.rows.n;
    nsc_sheet_note(sheet, "nested ranges are added too, so the sum exceeds wall time");
    if (report->texts.is_folded)
        nsc_sheet_note(sheet,
                       "more than %u texts: further texts that differ only in numbers share a row",
                       NSC_TEXTS_MAX);
}

struct range_row {
    struct nsc_text name;
    nsc_time start, end, length;
    uint32_t pid, tid;
};

static void add_instances(struct ranges *ranges)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(range_row, name, "range_name"),
        NSC_COLUMN_INSTANT(range_row, start, "start_ns"),
        NSC_COLUMN_INSTANT(range_row, end, "end_ns"),
        NSC_COLUMN_MS(range_row, length, "dur_ms"),
        NSC_COLUMN_ID(range_row, pid, "pid"),
        NSC_COLUMN_ID(range_row, tid, "tid"),
        NSC_COLUMN_NS(range_row, length, "dur_ns"),
    };
    const struct nsc_trace *trace = ranges->report->query->scope.trace;
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(ranges->report, "nvtx_instances", "Longest NVTX ranges", columns);

    nsc_longest_end(&ranges->longest);
    for (size_t i = 0; i < ranges->longest.kept.n; i++) {
        nsc_event event = ranges->longest.kept.at[i].event;
        struct nsc_texts *texts = &ranges->report->texts;
        const struct nsc_track *track = nsc_trace_track(
            trace, nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, event)].track);

        NSC_ADD_ROW(
            sheet, range_row, .name = nsc_texts_at(texts, nsc_texts_of(texts, event)),
            .start = ranges->events->start[event], .end = nsc_event_end(ranges->events, event),
            .length = ranges->longest.kept.at[i].length, .pid = track->pid, .tid = track->tid);
    }
}

void nsc_hotspots_nvtx_ranges(struct nsc_hotspots *report)
{
    struct ranges ranges = {.report = report,
                            .events = nsc_trace_events(report->query->scope.trace),
                            .names = {.find = NSC_TALLY_BY_FIRST},
                            .longest = nsc_longest_new(INSTANCES)};

    report->ranges.find = NSC_TALLY_BY_SECOND;
    nsc_scope_walk(&report->query->scope, NSC_RANGE_TRACKS, add_range, &ranges);
    add_batch(&ranges);
    nsc_tally_merge(&ranges.names, &report->ranges, 1);
    add_names(&ranges);
    add_instances(&ranges);
    if (report->query->phases)
        nsc_hotspots_wall_phases(report, &ranges.names);
    nsc_tally_fini(&ranges.names);
    nsc_longest_fini(&ranges.longest);
}
