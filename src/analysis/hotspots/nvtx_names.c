/*
 * Sums NVTX ranges by name, lists the longest ranges, and sums phases of their wall time.
 *
 * Counts closed push/pop and start/end ranges longer than 0 ns; nested ranges count too.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/longest.h"
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"

#define INSTANCES 50

struct ranges {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    struct nsc_text_totals names;
    struct nsc_longest longest;
};

static void add_range(struct ranges *ranges, uint32_t track, nsc_event event)
{
    struct nsc_hotspots *report = ranges->report;
    nsc_time duration = nsc_event_duration(ranges->events, event);

    if (duration <= 0 || nsc_hotspots_is_open(report, event, nsc_event_end(ranges->events, event)))
        return;
    nsc_text_sums_begin(&report->ranges, nsc_hotspots_pid(report, track));
    nsc_text_sums_add(&report->ranges, nsc_texts_of(&report->texts, event), duration);
    nsc_longest_add(&ranges->longest, event, duration);
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

    nsc_hotspots_text_lines(report, sheet, &ranges->names);
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
        const struct nsc_track *track = nsc_trace_track(trace, nsc_event_track(trace, event));
        struct nsc_texts *texts = &ranges->report->texts;

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
                            .longest = nsc_longest_new(INSTANCES)};

    for (struct nsc_scope_cursor at = nsc_scope_open(&report->query->scope, NSC_RANGE_TRACKS);
         nsc_scope_next(&at);)
        add_range(&ranges, at.track, at.row);
    nsc_text_sums_end(&report->ranges);
    ranges.names = nsc_text_sums_totals(&report->ranges, report->texts.all.n);
    add_names(&ranges);
    add_instances(&ranges);
    if (report->query->phases)
        nsc_hotspots_wall_phases(report, &ranges.names);
    nsc_longest_fini(&ranges.longest);
    free(ranges.names.at);
}
