/*
 * nsyscope info: prints the contents of each export, missing tables and skipped rows, as text or
 * JSON.
 */

#include "cli/cmd/info_devices.h"
#include "cli/commands.h"
#include "core/json_write.h"
#include "core/pages.h"
#include "core/text.h"
#include "core/units.h"
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
                     nsc_str id)
{
    struct nsc_text text = nsc_trace_string(subject->trace, id);

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
    char a[NSC_UNITS_BYTES];
    char b[NSC_UNITS_BYTES];

    nsc_units_instant(a, extent.t0);
    nsc_units_instant(b, extent.t1);
    nsc_buf_printf(out, "  %-10s %s to %s", "time", a, b);
    nsc_units_duration(a, nsc_window_length(extent), subject->ascii);
    nsc_buf_printf(out, " (%s)\n", a);
    nsc_units_count(a, nsc_trace_events(subject->trace)->n);
    nsc_buf_printf(out, "  %-10s %s\n", "events", a);
    nsc_units_bytes(a, nsc_trace_bytes(subject->trace));
    nsc_units_bytes(b, nsc_memory_peak());
    nsc_buf_printf(out, "  %-10s %s now, %s at most\n", "memory", a, b);
}

static void print_head(struct nsc_buf *out, const struct subject *subject)
{
    const struct nsc_trace_info *info = subject->info;
    char a[NSC_UNITS_BYTES];
    char c[40];

    add_text(out, subject, "file", info->path);
    nsc_units_bytes(a, info->file_bytes);
    nsc_buf_printf(out, "  %-10s %s\n", "size", a);
    add_text(out, subject, "nsys", info->version);
    add_text(out, subject, "schema", info->schema);
    if (info->utc_start) {
        format_utc(c, info->utc_start);
        nsc_buf_printf(out, "  %-10s %s\n", "started", c);
    }
}

/* Prints what distinguishes one export of several. */
static void print_place(struct nsc_buf *out, const struct subject *subject)
{
    char a[NSC_UNITS_BYTES];

    add_text(out, subject, "host", subject->info->host);
    nsc_units_duration(a, subject->info->offset, subject->ascii);
    nsc_buf_printf(out, "  %-10s %s%s\n", "offset", subject->info->offset > 0 ? "+" : "", a);
    nsc_units_count(a, subject->info->n_events);
    nsc_buf_printf(out, "  %-10s %s\n", "events", a);
}

static void print_skips(struct nsc_buf *out, const struct nsc_table_status *table)
{
    char n[NSC_UNITS_BYTES];

    for (unsigned i = 0; i < NSC_N_SKIPS; i++) {
        if (table->skipped[i] == 0)
            continue;
        nsc_units_count(n, table->skipped[i]);
        nsc_buf_printf(out, "%44s %s: %s\n", n,
                       nsc_skip_is_damage((enum nsc_skip)i) ? "skipped" : "no events",
                       nsc_skip_word((enum nsc_skip)i));
    }
    if (table->missing_names) {
        nsc_units_count(n, table->missing_names);
        nsc_buf_printf(out, "%44s names missing from StringIds\n", n);
    }
    if (table->trimmed) {
        nsc_units_count(n, table->trimmed);
        nsc_buf_printf(out, "%44s left out by --trim, --gpu, --pid\n", n);
    }
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
        nsc_units_count(rows, table->rows);
        nsc_units_count(events, table->events);
        word = table->status == NSC_TABLE_LOADED ? table->note : status_of(table);
        nsc_buf_printf(out, "%-36.40s %14s %14s%s%s%s%s\n", table->name, rows, events,
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
        nsc_units_count(rows, table->rows);
        nsc_buf_printf(out, "%*s %14s  %s\n", out->n - at < 36 ? (int)(36 - (out->n - at)) : 0, "",
                       rows, table->holds);
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

static void print_lanes(struct nsc_buf *out, const struct subject *subject)
{
    uint32_t n = 0, n_tracks = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(subject->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(subject->trace, &n_tracks);
    char count[NSC_UNITS_BYTES];

    nsc_buf_printf(out, "\n%8s %14s  track\n", "lane", "events");
    for (uint32_t i = 0; i < n_tracks; i++) {
        if (nsc_track_is_header(tracks[i].kind)) {
            nsc_buf_printf(out, "%8s %14s  ", "", "");
            nsc_text_clip(out, nsc_trace_string(subject->trace, tracks[i].label), 100,
                          subject->ascii);
            nsc_buf_putc(out, '\n');
        }
        for (uint32_t l = tracks[i].first_lane; l < tracks[i].first_lane + tracks[i].n_lanes; l++) {
            nsc_units_count(count, lanes[l].n);
            nsc_buf_printf(out, "%8" PRIu32 " %14s    ", l, count);
            nsc_text_clip(out, nsc_trace_string(subject->trace, tracks[i].label), 100,
                          subject->ascii);
            nsc_buf_putc(out, '\n');
        }
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
    nsc_info_print_devices(out, subject->trace, subject->capture, subject->info, subject->ascii,
                           subject->trouble);
    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_puts(out, "  warning    ");
        nsc_text_clean(out, nsc_text_from(warnings[i]), subject->ascii);
        nsc_buf_putc(out, '\n');
    }
    print_tables(out, subject);
    print_unread(out, subject);
}

static void print_text(struct nsc_buf *out, const struct nsc_trace *trace, struct nsc_job *job,
                       bool lanes, struct nsc_error *trouble)
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
    if (lanes)
        print_lanes(out, &first);
}

/* ---- JSON: the shape is described in docs/json/info.schema.json ---- */

static void write_table(struct nsc_json *json, const struct nsc_table_status *table)
{
    static const char *const kinds[NSC_N_SKIPS] = {"type", "overflow", "negative", "duplicate",
                                                   "kind"};

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "name", table->name);
    nsc_json_puts(json, "status", status_of(table));
    nsc_json_puts(json, "note", table->note);
    nsc_json_uint(json, "rows", table->rows);
    nsc_json_uint(json, "events", table->events);
    nsc_json_open(json, "skipped", '{');
    for (unsigned i = 0; i < NSC_N_SKIPS; i++)
        nsc_json_uint(json, kinds[i], table->skipped[i]);
    nsc_json_uint(json, "missing_name", table->missing_names);
    nsc_json_close(json, '}');
    nsc_json_uint(json, "trimmed", table->trimmed);
    nsc_json_puts(json, "reader", table->by_pages ? "pages" : "sqlite");
    nsc_json_puts(json, "fallback", table->fallback);
    nsc_json_close(json, '}');
}

static void write_tables(struct nsc_json *json, const struct subject *subject)
{
    nsc_json_open(json, "tables", '[');
    for (uint32_t i = 0; i < subject->n_tables; i++)
        if (subject->tables[i].status != NSC_TABLE_ABSENT)
            write_table(json, &subject->tables[i]);
    nsc_json_close(json, ']');
    nsc_json_open(json, "absent", '[');
    for (uint32_t i = 0; i < subject->n_tables; i++) {
        if (!nsc_info_lacks(subject->tables, subject->n_tables, i))
            continue;
        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "name", subject->tables[i].name);
        nsc_json_puts(json, "feature", subject->tables[i].feature);
        nsc_json_puts(json, "note", subject->tables[i].note);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void write_unread(struct nsc_json *json, const struct subject *subject)
{
    struct nsc_unread_tables tables;

    nsc_unread_tables_init(&tables, subject->capture, subject->trouble);
    nsc_json_open(json, "unread", '[');
    for (size_t i = 0; i < tables.list.n; i++) {
        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "name", tables.list.at[i].name);
        nsc_json_uint(json, "rows", tables.list.at[i].rows);
        nsc_json_puts(json, "holds", tables.list.at[i].holds);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
    nsc_unread_tables_fini(&tables);
}

static void write_lanes(struct nsc_json *json, const struct subject *subject)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(subject->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(subject->trace, NULL);

    nsc_json_open(json, "lanes", '[');
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_track *track = &tracks[lanes[i].track];

        nsc_json_open(json, NULL, '{');
        nsc_json_uint(json, "lane", i);
        nsc_json_text(json, "track", nsc_trace_string(subject->trace, track->label));
        if (track->depth > 1)
            nsc_json_uint(json, "export", track->capture_no);
        nsc_json_uint(json, "depth", i - track->first_lane);
        nsc_json_uint(json, "events", lanes[i].n);
        nsc_json_uint(json, "pid", track->pid);
        nsc_json_uint(json, "tid", track->tid);
        nsc_json_int(json, "device", track->device);
        nsc_json_int(json, "context", track->context);
        nsc_json_int(json, "stream", track->stream);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void write_warnings(struct nsc_json *json, const struct subject *subject)
{
    uint32_t n = 0;
    const char *const *warnings = nsc_capture_warnings(subject->capture, &n);

    nsc_json_open(json, "warnings", '[');
    for (uint32_t i = 0; i < n; i++)
        nsc_json_puts(json, NULL, warnings[i]);
    nsc_json_close(json, ']');
}

static void write_head(struct nsc_json *json, const struct subject *subject)
{
    const struct nsc_trace *trace = subject->trace;

    nsc_json_text(json, "file", nsc_trace_string(trace, subject->info->path));
    nsc_json_uint(json, "file_bytes", subject->info->file_bytes);
    nsc_json_text(json, "nsys_version", nsc_trace_string(trace, subject->info->version));
    nsc_json_text(json, "schema_version", nsc_trace_string(trace, subject->info->schema));
    nsc_json_int(json, "utc_start_ns", subject->info->utc_start);
    nsc_json_int(json, "duration_ns", subject->info->duration);
    nsc_info_write_devices(json, trace, subject->capture, subject->info, subject->trouble);
}

static void write_extent(struct nsc_json *json, const struct nsc_trace *trace)
{
    struct nsc_window extent = nsc_trace_extent(trace);

    nsc_json_int(json, "start_ns", extent.t0);
    nsc_json_int(json, "end_ns", extent.t1);
    nsc_json_uint(json, "events", nsc_trace_events(trace)->n);
}

static void write_alignment(struct nsc_json *json, const struct subject *subject)
{
    const struct nsc_alignment *alignment = nsc_trace_alignment(subject->trace);
    struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);

    nsc_alignment_put_word(&word, subject->trace, false);
    nsc_json_open(json, "alignment", '{');
    nsc_json_puts(json, "by", word.n ? word.bytes : "");
    nsc_json_text(json, "why", nsc_trace_string(subject->trace, alignment->why));
    nsc_json_uint(json, "instances", alignment->instances);
    nsc_json_int(json, "residual_ns", alignment->residual);
    nsc_json_close(json, '}');
    nsc_buf_fini(&word);
}

static void write_exports(struct nsc_json *json, const struct nsc_trace *trace, struct nsc_job *job,
                          struct nsc_error *trouble)
{
    nsc_json_open(json, "exports", '[');
    for (uint32_t i = 0; i < nsc_job_count(job); i++) {
        struct subject subject = subject_of(trace, job, i, trouble);

        nsc_json_open(json, NULL, '{');
        nsc_json_text(json, "label", nsc_trace_string(trace, subject.info->label));
        nsc_json_text(json, "host", nsc_trace_string(trace, subject.info->host));
        nsc_json_int(json, "offset_ns", subject.info->offset);
        nsc_json_uint(json, "events", subject.info->n_events);
        write_head(json, &subject);
        write_tables(json, &subject);
        write_unread(json, &subject);
        write_warnings(json, &subject);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void print_json(struct nsc_buf *out, const struct nsc_trace *trace, struct nsc_job *job,
                       bool lanes, struct nsc_error *trouble)
{
    struct subject first = subject_of(trace, job, 0, trouble);
    bool alone = nsc_job_count(job) == 1;
    struct nsc_json json;

    nsc_json_init(&json, out, true);
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "format", alone ? "nsyscope-info-1" : "nsyscope-info-several-1");
    if (alone)
        write_head(&json, &first);
    else
        write_alignment(&json, &first);
    write_extent(&json, trace);
    if (alone) {
        write_tables(&json, &first);
        write_unread(&json, &first);
    } else
        write_exports(&json, trace, job, trouble);
    if (lanes)
        write_lanes(&json, &first);
    if (alone)
        write_warnings(&json, &first);
    nsc_json_bool(&json, "changed", nsc_job_has_changed(job));
    nsc_json_uint(&json, "trace_bytes", nsc_trace_bytes(trace));
    nsc_json_uint(&json, "peak_bytes", nsc_memory_peak());
    nsc_json_close(&json, '}');
}

enum nsc_status nsc_cmd_info(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    struct nsc_error trouble = {0};
    struct nsc_trace *trace = NULL;
    struct nsc_job *job = NULL;

    if (nsc_load_operands(&trace, &job, options, error) != NSC_OK)
        return error->status;
    if (options->set[NSC_OPTION_JSON])
        print_json(&out, trace, job, options->set[NSC_OPTION_LANES], &trouble);
    else
        print_text(&out, trace, job, options->set[NSC_OPTION_LANES], &trouble);
    if (nsc_print(&out, error) == NSC_OK)
        *error = trouble;
    nsc_buf_fini(&out);
    nsc_trace_free(trace);
    nsc_job_close(job);
    return error->status;
}
