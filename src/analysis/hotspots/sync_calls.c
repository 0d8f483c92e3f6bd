/*
 * Sums the CUDA API calls that wait, by name, over all and by process: calls whose names contain
 * "wait", "synchronize" or "cudaEventQuery".
 */
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"
#include "analysis/names/call_class.h"
#include "core/sum.h"

#define LIMIT 200

struct waiting {
    struct nsc_hotspots *report;
    struct nsc_call_classes classes;
    struct nsc_tally all, by_pid; /* (text, 0), (pid, text) */
};

static void add_call(struct waiting *waiting, uint32_t track, nsc_event event)
{
    enum nsc_call_class class = nsc_call_class_of(&waiting->classes, event);
    nsc_time ns;
    nsc_str text;

    if (class != NSC_CALL_SYNC && class != NSC_CALL_QUERY)
        return;
    ns = nsc_event_duration(nsc_trace_events(waiting->report->query->scope.trace), event);
    text = nsc_texts_of(&waiting->report->texts, event);
    nsc_tally_add(&waiting->all, text, 0, ns);
    nsc_tally_add(&waiting->by_pid, nsc_hotspots_pid(waiting->report, track), text, ns);
}

static void add_sheets(struct waiting *waiting)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(nsc_tally_line, pid, "pid"), /* only by process */
        NSC_COLUMN_TEXT(nsc_tally_line, name, "api_name"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "call_count"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_duration_us"),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_time_ns"),
    };
    struct nsc_hotspots *report = waiting->report;
    struct nsc_sheet *sheet =
        nsc_hotspots_sheet(report, "sync_calls", "Calls that wait for the GPU", columns + 1,
                           NSC_COUNT_OF(columns) - 1);
    nsc_time total = 0;

    report->figures.sync_total = (double)nsc_hotspots_lines(
        report, sheet, &waiting->all, NSC_TALLY_TOTAL, 0, LIMIT, &report->figures.sync);
    for (size_t i = 0; i < waiting->all.rows.n; i++)
        total = nsc_sum(total, waiting->all.rows.at[i].total);
    nsc_sheet_note(sheet, "total of all calls: %.6f ms; calls of several threads are added",
                   (double)total / 1e6);
    sheet = NSC_HOTSPOTS_SHEET(report, "sync_by_pid", "Calls that wait, by process", columns);
    (void)nsc_hotspots_lines(report, sheet, &waiting->by_pid, NSC_TALLY_TOTAL, 1, LIMIT, NULL);
}

void nsc_hotspots_sync_calls(struct nsc_hotspots *report)
{
    struct waiting waiting = {.report = report};

    nsc_call_classes_build(&waiting.classes, report->query->scope.trace);
    for (struct nsc_scope_cursor at =
             nsc_scope_open(&report->query->scope, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at);)
        add_call(&waiting, at.track, at.row);
    add_sheets(&waiting);
    nsc_call_classes_fini(&waiting.classes);
    nsc_tally_fini(&waiting.all);
    nsc_tally_fini(&waiting.by_pid);
}
