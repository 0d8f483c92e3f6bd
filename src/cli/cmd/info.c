/*
 * nsyscope info: prints the contents of each export, missing tables and skipped rows, as text or
 * sheets.
 */

#include "cli/cmd/info_devices.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/pages.h"
#include "core/text.h"
#include "core/units.h"
#include "nsys/jobs/job_load.h"
#include "nsys/jobs/table_use.h"
#include "view/model/alignment.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* One export. */
struct subject {
    const struct nsc_trace *trace;
    struct nsc_capture *capture;
    const struct nsc_trace_info *info;
    const struct nsc_table_status *tables;
    uint32_t n_tables;
    bool ascii;
    struct nsc_error *trouble; /* the first error; status NSC_OK: none */
};

static struct subject subject_of(const struct nsc_trace *trace, struct nsc_job *job, uint32_t i,
                                 struct nsc_error *trouble)
{
    struct subject subject = {.trace = trace,
                              .capture = nsc_job_capture(job, i),
                              .info = &nsc_trace_captures(trace, NULL)[i],
                              .ascii = nsc_output_is_ascii(),
                              .trouble = trouble};

    subject.tables = nsc_capture_tables(subject.capture, &subject.n_tables);
    return subject;
}

static const char *status_of(const struct nsc_table_status *table)
{
    static const char *const words[] = {[NSC_TABLE_ABSENT] = "absent",
                                        [NSC_TABLE_LOADED] = "ok",
                                        [NSC_TABLE_IGNORED] = "ignored",
                                        [NSC_TABLE_EXCLUDED] = "excluded"};

    /* The note of an ignored table is its whole status: "ignored: view". */
    if (table->status == NSC_TABLE_IGNORED && table->note[0])
        return table->note;
    return words[table->status];
}

/* "2026-01-01 00:00:00 UTC" */
static void format_utc(char out[40], int64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm tm;

    if (!gmtime_r(&seconds, &tm) || strftime(out, 40, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
        strcpy(out, "-");
}

/* ---- text ---- */

static void add_text(struct nsc_buf *out, const struct subject *subject, const char *label,
                     struct nsc_text text)
{
    if (text.n == 0)
        return;
    nsc_buf_printf(out, "  %-10s ", label);
    nsc_text_clip(out, text, 200, subject->ascii);
    nsc_buf_putc(out, '\n');
}

/* Prints the facts about the whole trace. */
static void print_whole(struct nsc_buf *out, const struct subject *subject)
{
    struct nsc_window extent = nsc_trace_extent(subject->trace);
    char a[NSC_UNITS_SPAN_BYTES];
    char b[NSC_UNITS_BYTES];

    nsc_buf_printf(out, "  %-10s %s\n", "time", nsc_units_window(a, extent, subject->ascii));
    nsc_buf_printf(out, "  %-10s %s\n", "events",
                   nsc_units_count(a, nsc_trace_events(subject->trace)->n));
    nsc_buf_printf(out, "  %-10s %s now, %s at most\n", "memory",
                   nsc_units_bytes(a, nsc_trace_bytes(subject->trace)),
                   nsc_units_bytes(b, nsc_memory_peak()));
}

static void print_head(struct nsc_buf *out, const struct subject *subject)
{
    const struct nsc_trace_info *info = subject->info;
    char a[NSC_UNITS_BYTES];
    char c[40];

    add_text(out, subject, "file", nsc_text_from(nsc_capture_path(subject->capture)));
    nsc_buf_printf(out, "  %-10s %s\n", "size", nsc_units_bytes(a, info->file_bytes));
    add_text(out, subject, "nsys", nsc_trace_string(subject->trace, info->version));
    add_text(out, subject, "schema", nsc_trace_string(subject->trace, info->schema));
    if (info->utc_start) {
        format_utc(c, info->utc_start);
        nsc_buf_printf(out, "  %-10s %s\n", "started", c);
    }
}

/* Prints what distinguishes one export of several. */
static void print_place(struct nsc_buf *out, const struct subject *subject)
{
    char a[NSC_UNITS_BYTES];

    add_text(out, subject, "host", nsc_trace_string(subject->trace, subject->info->host));
    nsc_buf_printf(out, "  %-10s %s%s\n", "offset", subject->info->offset > 0 ? "+" : "",
                   nsc_units_duration(a, subject->info->offset, subject->ascii));
    nsc_buf_printf(out, "  %-10s %s\n", "events", nsc_units_count(a, subject->info->n_events));
}

static void print_skips(struct nsc_buf *out, const struct nsc_table_status *table)
{
    char n[NSC_UNITS_BYTES];

    for (unsigned i = 0; i < NSC_N_SKIPS; i++) {
        if (table->skipped[i] == 0)
            continue;
        nsc_buf_printf(out, "%44s %s: %s\n", nsc_units_count(n, table->skipped[i]),
                       nsc_skip_is_damage((enum nsc_skip)i) ? "skipped" : "no events",
                       nsc_skip_word((enum nsc_skip)i));
    }
    if (table->missing_names)
        nsc_buf_printf(out, "%44s names missing from StringIds\n",
                       nsc_units_count(n, table->missing_names));
    if (table->trimmed)
        nsc_buf_printf(out, "%44s left out by --trim, --gpu, --pid\n",
                       nsc_units_count(n, table->trimmed));
}

static void print_tables(struct nsc_buf *out, const struct subject *subject)
{
    char rows[NSC_UNITS_BYTES];
    char events[NSC_UNITS_BYTES];

    nsc_buf_printf(out, "\n%-36s %14s %14s\n", "Table", "rows", "events");
    for (uint32_t i = 0; i < subject->n_tables; i++) {
        const struct nsc_table_status *table = &subject->tables[i];
        const char *word;

        if (table->status == NSC_TABLE_ABSENT)
            continue;
        word = table->status == NSC_TABLE_LOADED ? table->note : status_of(table);
        nsc_buf_printf(out, "%-36.40s %14s %14s%s%s%s%s\n", table->name,
                       nsc_units_count(rows, table->rows), nsc_units_count(events, table->events),
                       word[0] ? "  " : "", word, table->fallback[0] ? "  read by SQLite: " : "",
                       table->fallback);
        print_skips(out, table);
    }
}

static void print_unread(struct nsc_buf *out, const struct subject *subject)
{
    struct nsc_unread_tables tables;
    char rows[NSC_UNITS_BYTES];

    nsc_unread_tables_init(&tables, subject->capture, subject->trouble);
    if (tables.list.n)
        nsc_buf_puts(out, "\nNot read by nsyscope (the sql command reads every table)\n");
    for (size_t i = 0; i < tables.list.n; i++) {
        const struct nsc_unread_table *table = &tables.list.at[i];
        size_t at = out->n;

        nsc_text_clip(out, nsc_text_from(table->name), 40, subject->ascii);
        nsc_buf_printf(out, "%*s %14s  %s\n", out->n - at < 36 ? (int)(36 - (out->n - at)) : 0, "",
                       nsc_units_count(rows, table->rows), table->holds);
    }
    nsc_unread_tables_fini(&tables);
}

bool nsc_info_lacks(const struct nsc_table_status tables[], uint32_t n, uint32_t i)
{
    if (tables[i].status != NSC_TABLE_ABSENT)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (k != i && strcmp(tables[k].feature, tables[i].feature) == 0 &&
            (k < i || tables[k].status != NSC_TABLE_ABSENT))
            return false;
    return true;
}

/* tables: of one export or of all; title says which. */
static void print_absent(struct nsc_buf *out, const struct nsc_table_status tables[], uint32_t n,
                         const char *title)
{
    nsc_buf_puts(out, title);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_table_status *table = &tables[i];

        if (nsc_info_lacks(tables, n, i))
            nsc_buf_printf(out, "  %-32s %s\n", table->feature, table->note);
    }
}

static void print_export(struct nsc_buf *out, const struct subject *subject, bool alone)
{
    uint32_t n = 0;
    const char *const *warnings = nsc_capture_warnings(subject->capture, &n);

    if (!alone) {
        nsc_buf_putc(out, '\n');
        nsc_text_clean(out, nsc_trace_string(subject->trace, subject->info->label), subject->ascii);
        nsc_buf_putc(out, '\n');
    }
    print_head(out, subject);
    if (alone)
        print_whole(out, subject);
    else
        print_place(out, subject);
    nsc_info_devices(out, NULL, subject->trace, subject->capture, subject->info, subject->trouble);
    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_puts(out, "  warning    ");
        nsc_text_clean(out, nsc_text_from(warnings[i]), subject->ascii);
        nsc_buf_putc(out, '\n');
    }
    print_tables(out, subject);
    print_unread(out, subject);
}

static void print_text(struct nsc_buf *out, const struct nsc_trace *trace, struct nsc_job *job,
                       struct nsc_error *trouble)
{
    struct subject first = subject_of(trace, job, 0, trouble);
    const struct nsc_table_status *tables = first.tables;
    uint32_t n_tables = first.n_tables;
    uint32_t n = nsc_job_count(job);

    if (n > 1) {
        nsc_buf_printf(out, "  %-10s %" PRIu32 "\n  %-10s ", "exports", n, "aligned by");
        nsc_alignment_put(out, trace, first.ascii);
        nsc_buf_putc(out, '\n');
        print_whole(out, &first);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct subject subject = subject_of(trace, job, i, trouble);

        print_export(out, &subject, n == 1);
    }
    if (n > 1)
        tables = nsc_job_tables(job, &n_tables);
    print_absent(out, tables, n_tables,
                 n > 1 ? "\nNot in any of these exports\n" : "\nNot in this export\n");
}

/* ---- for programs: sheets ---- */

enum info_sheet { EXPORTS, DEVICES, TABLES };

struct export_row {
    uint32_t number;
    struct nsc_trace_info of;
    struct nsc_text label, host, file, version, schema, why;
    struct nsc_window extent;
    const char *aligned;
    uint64_t bytes, peak;
    bool changed;
};

struct table_row {
    uint32_t number;
    const char *name, *status, *holds, *note, *reader, *fallback;
    struct nsc_table_status of;
};

struct lane_row {
    uint32_t lane, depth;
    uint64_t events;
    struct nsc_text label;
    struct nsc_track track;
};

static void add_lanes_sheet(struct nsc_sheets *out, const struct nsc_trace *trace)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(lane_row, lane, "lane", "Lane"),
        NSC_COL_TEXT(lane_row, label, "track", "Track"),
        NSC_COL_COUNT(lane_row, events, "events", "Events"),
        NSC_COL_ID(lane_row, track.capture_no, "export", "Export"),
        NSC_COL_ID(lane_row, depth, "depth", "Depth"),
        NSC_COL_ID(lane_row, track.pid, "pid", "Process"),
        NSC_COL_ID(lane_row, track.tid, "tid", "Thread"),
        NSC_COL_ID(lane_row, track.device, "device", "Device"),
        NSC_COL_ID(lane_row, track.context, "context", "Context"),
        NSC_COL_ID(lane_row, track.stream, "stream", "Stream"),
    };
    struct nsc_sheet *sheet = NSC_SHEETS_ADD(out, "lanes", "Lanes", columns);
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_track *track = nsc_trace_track(trace, lanes[i].track);

        NSC_ADD_ROW(sheet, lane_row, .lane = i, .depth = i - track->first_lane,
                    .events = lanes[i].n, .track = *track,
                    .label = nsc_trace_string(trace, track->label));
    }
}

static void add_tables(struct nsc_sheet *sheet, const struct subject *subject, uint32_t number)
{
    struct nsc_unread_tables unread;

    for (uint32_t i = 0; i < subject->n_tables; i++) {
        const struct nsc_table_status *table = &subject->tables[i];

        if (table->status != NSC_TABLE_ABSENT ||
            nsc_info_lacks(subject->tables, subject->n_tables, i))
            NSC_ADD_ROW(sheet, table_row, .number = number, .name = table->name,
                        .status = status_of(table), .holds = table->feature, .note = table->note,
                        .reader = table->by_pages ? "pages" : "sqlite", .fallback = table->fallback,
                        .of = *table);
    }
    nsc_unread_tables_init(&unread, subject->capture, subject->trouble);
    for (size_t i = 0; i < unread.list.n; i++)
        NSC_ADD_ROW(sheet, table_row, .number = number, .name = unread.list.at[i].name,
                    .status = "unread", .holds = unread.list.at[i].holds,
                    .of = {.rows = unread.list.at[i].rows});
    nsc_unread_tables_fini(&unread);
}

static void add_export(struct nsc_sheet *sheet, const struct subject *subject,
                       const struct nsc_job *job, uint32_t number)
{
    const struct nsc_trace *trace = subject->trace;
    const struct nsc_trace_info *info = subject->info;
    struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);
    uint32_t n = 0;
    const char *const *warnings = nsc_capture_warnings(subject->capture, &n);

    nsc_alignment_put_word(&word, trace, false);
    NSC_ADD_ROW(sheet, export_row, .number = number, .of = *info,
                .label = nsc_trace_string(trace, info->label),
                .host = nsc_trace_string(trace, info->host),
                .file = nsc_text_from(nsc_capture_path(subject->capture)),
                .version = nsc_trace_string(trace, info->version),
                .schema = nsc_trace_string(trace, info->schema),
                .why = nsc_trace_string(trace, nsc_trace_alignment(trace)->why),
                .extent = nsc_trace_extent(trace), .aligned = word.n ? word.bytes : "",
                .changed = nsc_job_has_changed(job), .bytes = nsc_trace_bytes(trace),
                .peak = nsc_memory_peak());
    for (uint32_t i = 0; i < n; i++)
        nsc_sheet_note(sheet, "%s", warnings[i]);
    nsc_buf_fini(&word);
}

static const struct nsc_sheet_column export_columns[] = {
    NSC_COL_ID(export_row, number, "export", "Export"),
    NSC_COL_TEXT(export_row, label, "label", "Label"),
    NSC_COL_TEXT(export_row, host, "host", "Host"),
    NSC_COL_TEXT(export_row, file, "file", "File"),
    NSC_COL_BYTES(export_row, of.file_bytes, "file_bytes", "Size"),
    NSC_COL_TEXT(export_row, version, "nsys_version", "nsys"),
    NSC_COL_TEXT(export_row, schema, "schema_version", "Schema"),
    NSC_COL_INSTANT(export_row, of.utc_start, "utc_start_ns", "Started"),
    NSC_COL_NS(export_row, of.duration, "duration_ns", "Lasts"),
    NSC_COL_NS(export_row, of.offset, "offset_ns", "Offset"),
    NSC_COL_COUNT(export_row, of.n_events, "events", "Events"),
    NSC_COL_INSTANT(export_row, extent.t0, "start_ns", "All from"),
    NSC_COL_INSTANT(export_row, extent.t1, "end_ns", "All to"),
    NSC_COL_TEXT(export_row, aligned, "aligned_by", "Aligned by"),
    NSC_COL_TEXT(export_row, why, "why", "Why"),
    NSC_COL_YES(export_row, changed, "changed", "Changed"),
    NSC_COL_BYTES(export_row, bytes, "trace_bytes", "Memory"),
    NSC_COL_BYTES(export_row, peak, "peak_bytes", "At most"),
};
static const struct nsc_sheet_column table_columns[] = {
    NSC_COL_ID(table_row, number, "export", "Export"),
    NSC_COL_TEXT(table_row, name, "name", "Table"),
    NSC_COL_TEXT(table_row, status, "status", "Status"),
    NSC_COL_TEXT(table_row, note, "note", "Note"),
    NSC_COL_COUNT(table_row, of.rows, "rows", "Rows"),
    NSC_COL_COUNT(table_row, of.events, "events", "Events"),
    NSC_COL_COUNT(table_row, of.skipped[NSC_SKIP_TYPE], "skipped_type", "Wrong type"),
    NSC_COL_COUNT(table_row, of.skipped[NSC_SKIP_OVERFLOW], "skipped_overflow", "Overflow"),
    NSC_COL_COUNT(table_row, of.skipped[NSC_SKIP_NEGATIVE], "skipped_negative", "Negative"),
    NSC_COL_COUNT(table_row, of.skipped[NSC_SKIP_DUPLICATE], "skipped_duplicate", "Twice"),
    NSC_COL_COUNT(table_row, of.skipped[NSC_SKIP_KIND], "skipped_kind", "No events"),
    NSC_COL_COUNT(table_row, of.missing_names, "missing_names", "Names missing"),
    NSC_COL_COUNT(table_row, of.trimmed, "trimmed", "Left out"),
    NSC_COL_TEXT(table_row, reader, "reader", "Reader"),
    NSC_COL_TEXT(table_row, fallback, "fallback", "Why"),
    NSC_COL_TEXT(table_row, holds, "holds", "What it holds"),
};

static void make_sheets(struct nsc_sheets *out, const struct nsc_trace *trace, struct nsc_job *job,
                        struct nsc_error *trouble)
{
    NSC_SHEETS_ADD(out, "exports", "Exports", export_columns);
    nsc_info_devices_sheet(out);
    NSC_SHEETS_ADD(out, "tables", "Tables", table_columns);
    for (uint32_t i = 0; i < nsc_job_count(job); i++) {
        struct subject subject = subject_of(trace, job, i, trouble);

        add_export(&out->list.at[EXPORTS], &subject, job, i);
        nsc_info_devices(NULL, &out->list.at[DEVICES], trace, subject.capture, subject.info,
                         trouble);
        add_tables(&out->list.at[TABLES], &subject, i);
    }
}

enum nsc_status nsc_cmd_info(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    struct nsc_sheets sheets = {0};
    struct nsc_error trouble = {0};
    struct nsc_options rest = *options;
    struct nsc_trace *trace = NULL;
    struct nsc_job *job = NULL;

    if (nsc_open_and_load(&trace, &job, nsc_options_files(options), options, error) != NSC_OK)
        return error->status;
    if (options->format == NSC_SHEET_AS_TABLE)
        print_text(&out, trace, job, &trouble);
    else
        make_sheets(&sheets, trace, job, &trouble);
    if (options->set[NSC_OPTION_LANES])
        add_lanes_sheet(&sheets, trace);
    if (out.n && sheets.list.n)
        rest.max_bytes = (rest.max_bytes + 1) / 2;
    if (nsc_put(&rest, &out, error) == NSC_OK &&
        (!sheets.list.n || nsc_sheets_print(&sheets, &rest, "nsyscope.info", error) == NSC_OK))
        *error = trouble;
    nsc_sheets_fini(&sheets);
    nsc_trace_free(trace);
    nsc_job_close(job);
    return error->status;
}
