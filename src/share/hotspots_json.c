/*
 * Writes the hotspot report as JSON: every sheet whole, so that the reports of many traces can be
 * merged.
 */
#include "share/hotspots_write.h"
#include "share/sheet_write.h"

static void add_trace(struct nsc_json *json, const struct nsc_hotspots *report,
                      const struct nsc_hotspots_about *about)
{
    const struct nsc_trace *trace = report->query->scope.trace;
    const struct nsc_trace_info *info = nsc_trace_info(trace);

    nsc_json_open(json, "trace", '{');
    nsc_json_text(json, "path", about->trace);
    nsc_json_uint(json, "bytes", info->file_bytes);
    nsc_json_text(json, "exporter", nsc_trace_string(trace, info->version));
    nsc_json_int(json, "duration_ns", info->duration);
    nsc_json_int(json, "utc_start_ns", info->utc_start);
    nsc_json_uint(json, "events", nsc_trace_events(trace)->n);
    nsc_json_close(json, '}');
}

static void add_scope(struct nsc_json *json, const struct nsc_hotspots *report,
                      const struct nsc_hotspots_about *about)
{
    const struct nsc_hotspots_query *query = report->query;

    nsc_json_open(json, "scope", '{');
    nsc_json_int(json, "start_ns", query->scope.window.t0);
    nsc_json_int(json, "end_ns", query->scope.window.t1);
    nsc_json_bool(json, "is_whole_trace", !query->scope.has_window && !query->scope.mask);
    if (about->filter)
        nsc_json_puts(json, "filter", about->filter);
    else
        nsc_json_null(json, "filter");
    nsc_json_close(json, '}');
    nsc_json_open(json, "options", '{');
    nsc_json_uint(json, "kernel_limit", query->kernel_limit);
    nsc_json_bool(json, "kernel_percentiles", query->percentiles);
    nsc_json_bool(json, "nvtx_kernel_map", query->map_nvtx);
    nsc_json_number(json, "nvtx_coverage_warn_threshold", query->warn_below, 6);
    nsc_json_bool(json, "phase_map", query->phases != NULL);
    nsc_json_close(json, '}');
}

static void add_finding(struct nsc_json *json, const struct nsc_finding *finding)
{
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", finding->key);
    nsc_json_puts(json, "severity", nsc_severity_word(finding->severity));
    nsc_json_puts(json, "title", finding->title);
    nsc_json_int(json, "ns", finding->ns);
    nsc_json_list(json, "evidence", finding->evidence.at, finding->evidence.n);
    if (finding->next)
        nsc_json_puts(json, "next", finding->next);
    else
        nsc_json_null(json, "next");
    nsc_json_close(json, '}');
}

void nsc_hotspots_write_json(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about)
{
    struct nsc_json json;

    nsc_json_init(&json, out, true);
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "format", NSC_HOTSPOTS_FORMAT);
    nsc_json_puts(&json, "generated_at", about->generated_at);
    nsc_json_open(&json, "tool", '{');
    nsc_json_puts(&json, "name", "nsyscope");
    nsc_json_puts(&json, "version", about->version);
    nsc_json_close(&json, '}');
    add_trace(&json, report, about);
    add_scope(&json, report, about);
    nsc_json_list(&json, "warnings", report->warnings.at, report->warnings.n);
    nsc_json_open(&json, "findings", '[');
    for (size_t i = 0; i < report->findings.list.n; i++)
        add_finding(&json, &report->findings.list.at[i]);
    nsc_json_close(&json, ']');
    nsc_json_open(&json, "sheets", '[');
    for (size_t i = 0; i < report->sheets.list.n; i++)
        nsc_sheet_write_json(&json, &report->sheets.list.at[i]);
    nsc_json_close(&json, ']');
    if (about->counters)
        nsc_json_open(&json, "counters", '[');
    for (size_t i = 0; about->counters && i < about->counters->list.n; i++)
        nsc_sheet_write_json(&json, &about->counters->list.at[i]);
    if (about->counters)
        nsc_json_close(&json, ']');
    nsc_json_close(&json, '}');
    nsc_buf_putc(out, '\n');
}
