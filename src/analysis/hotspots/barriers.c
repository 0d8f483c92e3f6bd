/*
 * What the host waits in: blocking copies, synchronizing calls, waits of the OS, and gaps between
 * launches.
 *
 * A gap is the time of a process from the end of all its launch calls so far to the start of the
 * next one, when that is 50 µs or more.
 */
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"
#include "analysis/names/call_class.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <string.h>

#define LAUNCH_GAP 50000 /* ns */
#define ROWS       50

enum barrier { BLOCKING_MEMCPY, SYNC_API, HOST_WAIT, CPU_LAUNCHER_GAP };

static const char *const words[] = {"blocking_memcpy", "sync_api", "host_wait", "cpu_launcher_gap"};

struct launch {
    nsc_time start, end;
    uint32_t pid;
};

struct barriers {
    struct nsc_hotspots *report;
    struct nsc_call_classes classes;
    struct nsc_tally tally; /* (text, enum barrier) */
    NSC_VEC(struct launch) launches;
};

static void add_call(void *context, uint32_t track, nsc_event event)
{
    struct barriers *barriers = context;
    const struct nsc_events *events = nsc_trace_events(barriers->report->query->scope.trace);
    nsc_time ns = nsc_event_duration(events, event);
    enum nsc_call_class class = nsc_call_class_of(&barriers->classes, event);

    if (ns <= 0)
        return;
    if (class == NSC_CALL_LAUNCH || class == NSC_CALL_GRAPH)
        *NSC_VEC_ADD(&barriers->launches) =
            (struct launch){events->start[event], nsc_event_end(events, event),
                            nsc_hotspots_pid(barriers->report, track)};
    if (class != NSC_CALL_SYNC && class != NSC_CALL_BLOCKING_COPY && class != NSC_CALL_OS_WAIT)
        return;
    nsc_tally_add(&barriers->tally, nsc_texts_of(&barriers->report->texts, event),
                  class == NSC_CALL_SYNC            ? SYNC_API
                  : class == NSC_CALL_BLOCKING_COPY ? BLOCKING_MEMCPY
                                                    : HOST_WAIT,
                  ns);
}

/* By pid, then start. */
static void sort_launches(struct barriers *barriers)
{
    size_t n = barriers->launches.n;
    struct launch *launches = barriers->launches.at;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    struct launch *sorted = nsc_xmalloc((n + 1) * sizeof *sorted);

    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){nsc_sort_key(launches[i].start), i};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++)
        pairs[i].key = launches[pairs[i].value].pid;
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = launches[pairs[i].value];
    if (n)
        memcpy(launches, sorted, n * sizeof *sorted);
    free(sorted);
    free(pairs);
}

static void add_launch_gaps(struct barriers *barriers)
{
    nsc_time reach = 0;

    sort_launches(barriers);
    for (size_t i = 0; i < barriers->launches.n; i++) {
        const struct launch *launch = &barriers->launches.at[i];
        bool same = i > 0 && barriers->launches.at[i - 1].pid == launch->pid;

        if (same && nsc_span(reach, launch->start) >= LAUNCH_GAP)
            nsc_tally_add(&barriers->tally, 0, CPU_LAUNCHER_GAP, nsc_span(reach, launch->start));
        reach = same ? nsc_later(reach, launch->end) : launch->end;
    }
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
        NSC_COLUMN_US(barrier_row, of.of.longest, "max_duration_us"),
        NSC_COLUMN_NS(barrier_row, of.of.total, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "barriers", "What the host waits in", columns);
    struct barriers barriers = {.report = report};
    uint32_t *order;
    size_t n;

    nsc_call_classes_build(&barriers.classes, report->query->scope.trace);
    nsc_scope_walk(&report->query->scope,
                   NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_OSRT), add_call,
                   &barriers);
    add_launch_gaps(&barriers);
    order = nsc_tally_sort(&barriers.tally, NSC_TALLY_TOTAL, 0, &report->texts);
    n = nsc_hotspots_limit(sheet, barriers.tally.rows.n, ROWS);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_tally_row *row = &barriers.tally.rows.at[order[i]];
        bool is_gap = row->key[1] == CPU_LAUNCHER_GAP;
        struct barrier_row barrier = {words[row->key[1]],
                                      nsc_tally_line(report, row, is_gap ? 2 : 0)};

        if (is_gap)
            barrier.of.name = nsc_text_from("between launch calls of a process");
        NSC_SHEET_ADD_ROW(sheet, &barrier);
        if (i == 0)
            report->figures.barrier = barrier.of;
    }
    nsc_sheet_note(sheet, "waits of several threads are added; cpu_launcher_gap: %d us or more",
                   LAUNCH_GAP / 1000);
    free(order);
    NSC_VEC_FINI(&barriers.launches);
    nsc_call_classes_fini(&barriers.classes);
    nsc_tally_fini(&barriers.tally);
}
