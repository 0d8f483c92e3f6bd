/*
 * Measures what the host waits for: blocking copies, synchronizing calls, waits of the OS, and gaps
 * between launches.
 *
 * A gap is the time of a process from the end of all its launch calls so far to the start of the
 * next one, if that is at least 50 µs.
 */
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"
#include "analysis/names/call_class.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/lane_merge.h"

#include <stdlib.h>

#define LAUNCH_GAP 50000 /* ns */
#define ROWS       50

enum barrier { BLOCKING_MEMCPY, SYNC_API, HOST_WAIT, CPU_LAUNCHER_GAP }; /* those of CUDA first */

static const char *const words[] = {"blocking_memcpy", "sync_api", "host_wait", "cpu_launcher_gap"};

struct barriers {
    struct nsc_hotspots *report;
    struct nsc_call_classes classes;
    struct nsc_tally tally; /* (text, enum barrier) */
};

#define CALLS (NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_OSRT))

static bool is_calls(const struct nsc_track *track)
{
    return CALLS & NSC_TRACK_BIT(track->kind);
}

static void add_call(struct barriers *barriers, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(barriers->report->query->scope.trace);
    nsc_time ns = nsc_event_duration(events, event);
    enum nsc_call_class class = nsc_call_class_of(&barriers->classes, event);

    if (ns <= 0 || (class != NSC_CALL_SYNC && class != NSC_CALL_QUERY &&
                    class != NSC_CALL_BLOCKING_COPY && class != NSC_CALL_OS_WAIT))
        return;
    nsc_tally_add(&barriers->tally, nsc_texts_of(&barriers->report->texts, event),
                  class == NSC_CALL_SYNC || class == NSC_CALL_QUERY ? SYNC_API
                  : class == NSC_CALL_BLOCKING_COPY                 ? BLOCKING_MEMCPY
                                                                    : HOST_WAIT,
                  ns);
}

static bool is_launch(const void *context, nsc_event event)
{
    const struct barriers *barriers = context;
    const struct nsc_scope *scope = &barriers->report->query->scope;
    enum nsc_call_class class = nsc_call_class_of(&barriers->classes, event);

    return (class == NSC_CALL_LAUNCH || class == NSC_CALL_GRAPH) &&
           nsc_event_duration(nsc_trace_events(scope->trace), event) > 0 &&
           nsc_scope_has(scope, event);
}

/* Adds the gaps between the launches of lanes, all of one process. */
static void add_gaps_of(struct barriers *barriers, const uint32_t lanes[], uint32_t n)
{
    const struct nsc_trace *trace = barriers->report->query->scope.trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_lane_merge merge;
    nsc_time reach = INT64_MAX;

    nsc_lane_merge_init(&merge, trace, lanes, n);
    nsc_lane_merge_set_filter(&merge, is_launch, barriers);
    for (nsc_event event; (event = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        nsc_time gap = nsc_span(reach, events->start[event]);

        if (gap >= LAUNCH_GAP)
            nsc_tally_add(&barriers->tally, 0, CPU_LAUNCHER_GAP, gap);
        reach = reach == INT64_MAX ? nsc_event_end(events, event)
                                   : nsc_later(reach, nsc_event_end(events, event));
    }
    nsc_lane_merge_fini(&merge);
}

static uint32_t pid_of(const struct nsc_trace *trace, uint32_t lane)
{
    return nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[lane].track)->pid;
}

static int compare_pids(const void *trace, uint32_t a, uint32_t b)
{
    uint32_t x = pid_of(trace, a), y = pid_of(trace, b);

    return x < y ? -1 : x > y;
}

static void add_launch_gaps(struct barriers *barriers)
{
    const struct nsc_trace *trace = barriers->report->query->scope.trace;
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    NSC_VEC(uint32_t) list = {0};

    for (uint32_t l = 0; l < n; l++)
        if (is_calls(nsc_trace_track(trace, lanes[l].track)))
            *NSC_VEC_ADD(&list) = l;
    nsc_sort_by(list.at, (uint32_t)list.n, compare_pids, trace);
    for (uint32_t first = 0, end = 0; first < list.n; first = end) {
        for (end = first; end < list.n && compare_pids(trace, list.at[first], list.at[end]) == 0;)
            end++;
        add_gaps_of(barriers, list.at + first, end - first);
    }
    NSC_VEC_FINI(&list);
}

struct barrier_row {
    const char *kind;
    struct nsc_tally_line of;
};

void nsc_hotspots_barriers(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(barrier_row, kind, "barrier_kind"),
        NSC_COLUMN_TEXT(barrier_row, of.name, "api_name"),
        NSC_COLUMN_MS(barrier_row, of.of.total, "total_time_ms"),
        NSC_COLUMN_COUNT(barrier_row, of.of.count, "count"),
        NSC_COLUMN_US(barrier_row, of.mean, "avg_duration_us"),
        NSC_COLUMN_US(barrier_row, of.extremes.longest, "max_duration_us"),
        NSC_COLUMN_NS(barrier_row, of.of.total, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "barriers", "What the host waits in", columns);
    struct barriers barriers = {.report = report, .tally = {.has_extremes = true}};
    uint32_t *order;
    size_t n;

    nsc_call_classes_build(&barriers.classes, report->query->scope.trace);
    for (struct nsc_scope_cursor at = nsc_scope_open(&report->query->scope, CALLS);
         nsc_scope_next(&at);)
        add_call(&barriers, at.row);
    add_launch_gaps(&barriers);
    order = nsc_tally_sort(&barriers.tally, NSC_TALLY_TOTAL, 0, &report->texts);
    n = nsc_hotspots_limit(sheet, barriers.tally.rows.n, ROWS);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &barriers.tally.rows.at[order[i]];
        bool is_gap = row->key[1] == CPU_LAUNCHER_GAP;
        struct barrier_row barrier = {words[row->key[1]],
                                      nsc_tally_line(report, row, is_gap ? 2 : 0)};

        barrier.of.extremes = barriers.tally.extremes.at[order[i]];
        if (is_gap)
            barrier.of.name = nsc_text_from("between launch calls of a process");
        NSC_SHEET_ADD_ROW(sheet, &barrier);
    }
    nsc_sheet_note(sheet, "waits of several threads are added; cpu_launcher_gap: %d us or more",
                   LAUNCH_GAP / 1000);
    free(order);
    nsc_call_classes_fini(&barriers.classes);
    nsc_tally_fini(&barriers.tally);
}
