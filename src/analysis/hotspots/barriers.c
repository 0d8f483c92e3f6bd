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

#include <stdlib.h>
#include <string.h>

#define LAUNCH_GAP 50000 /* ns */
#define ROWS       50

enum barrier { BLOCKING_MEMCPY, SYNC_API, HOST_WAIT, CPU_LAUNCHER_GAP }; /* those of CUDA first */

static const char *const words[] = {"blocking_memcpy", "sync_api", "host_wait", "cpu_launcher_gap"};

struct launch_run { /* launch calls of one process, in order of occurrence */
    uint64_t pid;
    uint32_t first; /* of launches */
    uint32_t n;
};

struct barriers {
    struct nsc_hotspots *report;
    struct nsc_call_classes classes;
    struct nsc_tally tally; /* (text, enum barrier) */
    NSC_VEC(nsc_event) launches;
    NSC_VEC(struct launch_run) runs;
};

static void add_launch(struct barriers *barriers, uint32_t pid, nsc_event event)
{
    uint32_t at = (uint32_t)barriers->launches.n;

    if (barriers->runs.n == 0 || barriers->runs.at[barriers->runs.n - 1].pid != pid)
        *NSC_VEC_ADD(&barriers->runs) = (struct launch_run){pid, at, 0};
    barriers->runs.at[barriers->runs.n - 1].n++;
    *NSC_VEC_ADD(&barriers->launches) = event;
}

static void add_call(void *context, uint32_t track, nsc_event event)
{
    struct barriers *barriers = context;
    const struct nsc_events *events = nsc_trace_events(barriers->report->query->scope.trace);
    nsc_time ns = nsc_event_duration(events, event);
    enum nsc_call_class class = nsc_call_class_of(&barriers->classes, event);

    if (ns <= 0)
        return;
    if (class == NSC_CALL_LAUNCH || class == NSC_CALL_GRAPH)
        add_launch(barriers, nsc_hotspots_pid(barriers->report, track), event);
    if (class != NSC_CALL_SYNC && class != NSC_CALL_QUERY && class != NSC_CALL_BLOCKING_COPY &&
        class != NSC_CALL_OS_WAIT)
        return;
    nsc_tally_add(&barriers->tally, nsc_texts_of(&barriers->report->texts, event),
                  class == NSC_CALL_SYNC || class == NSC_CALL_QUERY ? SYNC_API
                  : class == NSC_CALL_BLOCKING_COPY                 ? BLOCKING_MEMCPY
                                                                    : HOST_WAIT,
                  ns);
}

static nsc_time start_of(const void *context, uint32_t row)
{
    const struct nsc_events *events = context;

    return events->start[row];
}

/* Adds the gaps of one process. */
static void add_gaps_of(struct barriers *barriers, const nsc_event launches[], uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(barriers->report->query->scope.trace);
    nsc_time reach = events->start[launches[0]];

    for (uint32_t i = 0; i < n; i++) {
        nsc_time gap = nsc_span(reach, events->start[launches[i]]);

        if (gap >= LAUNCH_GAP)
            nsc_tally_add(&barriers->tally, 0, CPU_LAUNCHER_GAP, gap);
        reach = nsc_later(reach, nsc_event_end(events, launches[i]));
    }
}

static int compare_runs(const void *a, const void *b)
{
    const struct launch_run *x = a, *y = b;

    return nsc_u64_compare(&x->pid, &y->pid);
}

static void add_launch_gaps(struct barriers *barriers)
{
    const struct nsc_events *events = nsc_trace_events(barriers->report->query->scope.trace);
    struct launch_run *runs = barriers->runs.at;
    size_t n_runs = barriers->runs.n;
    uint32_t *own = nsc_xmalloc((2 * barriers->launches.n + 1) * sizeof *own);

    if (n_runs)
        qsort(runs, n_runs, sizeof *runs, compare_runs);
    for (size_t first = 0, end = 0; first < n_runs; first = end) {
        uint32_t n = 0;

        for (; end < n_runs && runs[end].pid == runs[first].pid; end++) {
            memcpy(own + n, barriers->launches.at + runs[end].first, runs[end].n * sizeof *own);
            n += runs[end].n;
        }
        nsc_sort_by_time(own, own + barriers->launches.n, n, start_of, events);
        add_gaps_of(barriers, own, n);
    }
    free(own);
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

        barrier.of.extremes = barriers.tally.extremes.at[order[i]];
        if (is_gap)
            barrier.of.name = nsc_text_from("between launch calls of a process");
        NSC_SHEET_ADD_ROW(sheet, &barrier);
        if (report->figures.barrier.of.count == 0 && row->key[1] <= SYNC_API)
            report->figures.barrier = barrier.of;
    }
    nsc_sheet_note(sheet, "waits of several threads are added; cpu_launcher_gap: %d us or more",
                   LAUNCH_GAP / 1000);
    free(order);
    NSC_VEC_FINI(&barriers.launches);
    NSC_VEC_FINI(&barriers.runs);
    nsc_call_classes_fini(&barriers.classes);
    nsc_tally_fini(&barriers.tally);
}
