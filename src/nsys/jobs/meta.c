/*
 * Facts of an export besides events: version and times, names of processes, threads, GPUs, streams
 * and metrics, and the profiler's warnings.
 */
#include "core/json.h"
#include "core/text.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdio.h>
#include <string.h>

/* The results of these small tables. */
struct meta {
    struct nsc_capture *capture;
    struct nsc_table_load *load;
    uint64_t vm; /* hardware and VM part of a process key, as in the export's other ids */
    bool has_vm;
    bool is_mistyped;       /* the row has a text, a real or a blob in place of an integer */
    enum nsc_status status; /* the first failure ends it */
    struct nsc_error *error;
};

static struct nsc_text text_at(sqlite3_stmt *row, int i)
{
    struct nsc_text text = {(const char *)sqlite3_column_text(row, i), 0};

    if (!text.bytes)
        text.bytes = "";
    else
        text.n = (uint32_t)sqlite3_column_bytes(row, i);
    return text;
}

static bool int_at(struct meta *meta, sqlite3_stmt *row, int i, int64_t *out)
{
    int type = sqlite3_column_type(row, i);

    meta->is_mistyped |= type != SQLITE_INTEGER && type != SQLITE_NULL;
    if (type != SQLITE_INTEGER)
        return false;
    *out = sqlite3_column_int64(row, i);
    return true;
}

static char *select_columns(const struct nsc_schema_table *table, const struct nsc_table_def *def)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);

    for (int i = 0; i < NSC_TABLE_COLUMNS && def->columns[i].name; i++) {
        int at = table->at[def->columns[i].slot];

        sqlite3_str_appendall(sql, i ? ", " : "SELECT ");
        if (at >= 0 && table->columns[at].name == def->columns[i].name)
            sqlite3_str_appendf(sql, "\"%w\"", def->columns[i].name);
        else
            sqlite3_str_appendall(sql, "NULL");
    }
    sqlite3_str_appendf(sql, ", %s", table->scan.rowid);
    sqlite3_str_appendf(sql, " FROM \"%w\" NOT INDEXED", table->name);
    return sqlite3_str_finish(sql);
}

/* Steps through all rows; their last column is an id that must ascend. Returns SQLITE_DONE, or the
 * error. */
static int try_rows(sqlite3_stmt *statement)
{
    int column = sqlite3_column_count(statement) - 1;
    bool any = false;
    int64_t last = 0;
    int rc;

    while ((rc = nsc_source_step(statement)) == SQLITE_ROW) {
        int64_t rowid = sqlite3_column_int64(statement, column);

        if (any && rowid <= last)
            rc = SQLITE_CORRUPT;
        if (rc != SQLITE_ROW)
            break;
        last = rowid;
        any = true;
    }
    sqlite3_reset(statement);
    return rc;
}

/* Calls row for every row of the table; for none if the table cannot be read to its end. Columns
 * come in the order of table.def, NULL for a missing one. */
static void each_row(struct meta *meta, enum nsc_table_id id,
                     void (*row)(struct meta *meta, sqlite3_stmt *statement))
{
    const struct nsc_schema_table *table = &meta->capture->schema.tables[id];
    struct nsc_table_status *report = &meta->capture->reports[id];
    const struct nsc_scan scan = {
        .table = &table->scan, .progress = meta->load->progress, .odd = &report->odd};
    sqlite3 *db = meta->capture->source->db;
    sqlite3_stmt *statement = NULL;
    char what[96];
    char *sql;
    int rc;

    if (!table->usable || meta->status != NSC_OK)
        return;
    if (!nsc_scan_check(meta->capture->source, &scan, meta->error)) {
        meta->status = NSC_EDAMAGED;
        return;
    }
    sql = select_columns(table, &nsc_table_defs[id]);
    rc = sql ? sqlite3_prepare_v2(db, sql, -1, &statement, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    if (rc == SQLITE_OK)
        rc = try_rows(statement);
    if (rc != SQLITE_DONE && statement) /* a read that failed once may succeed */
        rc = try_rows(statement);
    while (rc == SQLITE_DONE && !nsc_progress_is_cancelled(meta->load->progress) &&
           (rc = nsc_source_step(statement)) == SQLITE_ROW) {
        report->rows++;
        meta->is_mistyped = false;
        row(meta, statement);
        report->skipped[NSC_SKIP_TYPE] += meta->is_mistyped;
        rc = SQLITE_DONE;
    }
    sqlite3_finalize(statement);
    if (rc == SQLITE_DONE)
        return;
    sqlite3_snprintf(sizeof what, what, "cannot read table %.64s of", nsc_table_defs[id].name);
    meta->status = nsc_source_fail(meta->capture->source, rc, what, meta->error);
}

/* ---- the export itself ---- */

static void read_export_fact(struct meta *meta, sqlite3_stmt *row)
{
    struct nsc_trace_info *info = nsc_builder_info(meta->load->builder);
    const char *name = (const char *)sqlite3_column_text(row, 0);
    struct nsc_text value = text_at(row, 1);
    int year = 0, month = 0;

    if (name && strcmp(name, "EXPORT_PRODUCT_VERSION") == 0) {
        info->version = nsc_builder_string(meta->load->builder, value);
        if (value.n && sscanf(value.bytes, "%4d.%2d", &year, &month) == 2)
            meta->capture->sync_types = year > 2026 || (year == 2026 && month >= 2);
    } else if (name && strcmp(name, "EXPORT_SCHEMA_VERSION") == 0) {
        info->schema = nsc_builder_string(meta->load->builder, value);
    }
}

static void read_session(struct meta *meta, sqlite3_stmt *row)
{
    (void)int_at(meta, row, 0, &nsc_builder_info(meta->load->builder)->utc_start);
}

static void read_analysis(struct meta *meta, sqlite3_stmt *row)
{
    (void)int_at(meta, row, 0, &nsc_builder_info(meta->load->builder)->duration);
}

/* Severity: 1 information, 2 warning, 3 error, 4 verbose. */
static void read_diagnostic(struct meta *meta, sqlite3_stmt *row)
{
    struct nsc_text text = text_at(row, 1);
    int64_t severity;

    if (int_at(meta, row, 0, &severity) && (severity == 2 || severity == 3) && text.n)
        nsc_capture_warn(meta->capture, "profiler: %.*s", (int)(text.n < 300 ? text.n : 300),
                         text.bytes);
}

/* ---- processes and threads ---- */

static void note_vm(struct meta *meta, int64_t id)
{
    if (!meta->has_vm)
        meta->vm = (uint64_t)id >> 24 & ~(uint64_t)0xffffff;
    meta->has_vm = true;
}

static void read_process(struct meta *meta, sqlite3_stmt *row)
{
    int64_t id;

    if (!int_at(meta, row, 0, &id))
        return;
    note_vm(meta, id);
    nsc_builder_process(meta->load->builder, (uint64_t)id >> 24, text_at(row, 1));
}

static void read_thread(struct meta *meta, sqlite3_stmt *row)
{
    struct nsc_text text;
    int64_t id, name;

    if (!int_at(meta, row, 0, &id) || !int_at(meta, row, 1, &name))
        return;
    note_vm(meta, id);
    if (nsc_strings_find(meta->load->strings, name, &text))
        nsc_builder_thread(meta->load->builder, (uint64_t)id >> 24,
                           (uint32_t)((uint64_t)id & 0xffffff), text);
}

/* ---- GPUs and streams ---- */

static void read_gpu(struct meta *meta, sqlite3_stmt *row)
{
    struct nsc_text name = text_at(row, 2);
    int64_t id;

    if (name.n && (int_at(meta, row, 0, &id) || int_at(meta, row, 1, &id)))
        nsc_builder_device(meta->load->builder, id, name);
}

/* Adds a device. Its table has a bare process id; the rest of the key is the same as in the
 * export's other processes. */
static void read_device(struct meta *meta, sqlite3_stmt *row)
{
    int64_t gpu, device, pid;

    if (int_at(meta, row, 0, &gpu) && int_at(meta, row, 1, &device) && int_at(meta, row, 2, &pid))
        nsc_builder_device_map(meta->load->builder, meta->vm | ((uint64_t)pid & 0xffffff), device,
                               gpu);
}

struct stream_row {
    uint64_t process;
    int64_t context, stream;
};

static bool stream_at(struct stream_row *out, struct meta *meta, sqlite3_stmt *row)
{
    int64_t hardware, vm, pid;

    if (!int_at(meta, row, 0, &out->stream) || !int_at(meta, row, 1, &hardware) ||
        !int_at(meta, row, 2, &vm) || !int_at(meta, row, 3, &pid) ||
        !int_at(meta, row, 4, &out->context))
        return false;
    out->process = ((uint64_t)hardware & 0xff) << 32 | ((uint64_t)vm & 0xff) << 24 |
                   ((uint64_t)pid & 0xffffff);
    return true;
}

/* Reads a stream. Priorities are signed 32-bit numbers, exported as unsigned ones. Lower is more
 * urgent; 0 is the default. */
static void read_stream(struct meta *meta, sqlite3_stmt *row)
{
    struct stream_row stream;
    int64_t priority;
    char text[48];

    if (!stream_at(&stream, meta, row) || !int_at(meta, row, 5, &priority) || priority == 0)
        return;
    if (priority > INT32_MAX && priority <= UINT32_MAX)
        priority -= (int64_t)UINT32_MAX + 1;
    snprintf(text, sizeof text, "priority %lld", (long long)priority);
    nsc_builder_stream(meta->load->builder, stream.process, stream.context, stream.stream,
                       nsc_text_from(text));
}

static void read_default_stream(struct meta *meta, sqlite3_stmt *row)
{
    struct stream_row stream;

    if (stream_at(&stream, meta, row))
        nsc_builder_stream(meta->load->builder, stream.process, stream.context, stream.stream,
                           nsc_text_from("default"));
}

static void add_metric(struct meta *meta, int64_t type, int64_t number, struct nsc_text name)
{
    uint32_t n = name.n < NSC_NAME_BYTES ? name.n : NSC_NAME_BYTES;

    *NSC_VEC_ADD(&meta->load->metrics) =
        (struct nsc_metric){type, number, nsc_xcopy(name.bytes, n), n};
}

static void read_metric_name(struct meta *meta, sqlite3_stmt *row)
{
    int64_t type, metric;

    if (int_at(meta, row, 0, &type) && int_at(meta, row, 1, &metric))
        add_metric(meta, type, metric, text_at(row, 2));
}

/* ---- generic events ---- */

/* Adds the name of a source, or of a type: a string id, before 2024.5 "Name" of a JSON text. A type
 * without one has the name of its source. */
static void add_generic(struct meta *meta, sqlite3_stmt *row, int64_t number)
{
    struct nsc_json_tree tree = {0};
    struct nsc_text name = {"", 0};
    int64_t id, string, source = 0;

    if (!int_at(meta, row, 0, &id))
        return;
    if (int_at(meta, row, 1, &string))
        (void)nsc_strings_find(meta->load->strings, string, &name);
    else if (nsc_json_parse(&tree, text_at(row, 2), NULL) == NSC_OK)
        name = nsc_json_member_text(&tree, 0, "Name");
    if (number == NSC_METRIC_TYPE && !name.n && int_at(meta, row, 3, &source))
        for (size_t i = 0; i < meta->load->metrics.n; i++) {
            const struct nsc_metric *known = &meta->load->metrics.at[i];

            if (known->type == source && known->metric == NSC_METRIC_SOURCE)
                name = (struct nsc_text){known->name, known->n};
        }
    add_metric(meta, id, number, name);
    nsc_json_fini(&tree);
}

static void read_generic_source(struct meta *meta, sqlite3_stmt *row)
{
    add_generic(meta, row, NSC_METRIC_SOURCE);
}

static void read_generic_type(struct meta *meta, sqlite3_stmt *row)
{
    add_generic(meta, row, NSC_METRIC_TYPE);
}

enum nsc_status nsc_meta_read(struct nsc_capture *capture, struct nsc_table_load *load,
                              struct nsc_error *error)
{
    struct meta meta = {.capture = capture, .load = load, .vm = (uint64_t)1 << 24, .error = error};
    struct nsc_trace_info *info = nsc_builder_info(load->builder);

    info->path = nsc_builder_string(load->builder, nsc_text_from(capture->source->path));
    info->file_bytes = (uint64_t)capture->source->stat.st_size;
    info->words = nsc_builder_string(load->builder, nsc_text_from(capture->words));
    each_row(&meta, NSC_TABLE_META_EXPORT, read_export_fact);
    each_row(&meta, NSC_TABLE_EXPORT_META, read_export_fact);
    each_row(&meta, NSC_TABLE_SESSION, read_session);
    each_row(&meta, NSC_TABLE_ANALYSIS, read_analysis);
    each_row(&meta, NSC_TABLE_DIAGNOSTIC, read_diagnostic);
    each_row(&meta, NSC_TABLE_PROCESSES, read_process);
    each_row(&meta, NSC_TABLE_THREAD_NAMES, read_thread);
    each_row(&meta, NSC_TABLE_TARGET_GPU, read_gpu);
    each_row(&meta, NSC_TABLE_TARGET_DEVICE, read_device);
    each_row(&meta, NSC_TABLE_TARGET_STREAM, read_stream);
    each_row(&meta, NSC_TABLE_TARGET_NULL_STREAM, read_default_stream);
    each_row(&meta, NSC_TABLE_TARGET_CONTEXT, read_default_stream);
    each_row(&meta, NSC_TABLE_TARGET_METRICS, read_metric_name);
    each_row(&meta, NSC_TABLE_GENERIC_SOURCES, read_generic_source);
    each_row(&meta, NSC_TABLE_GENERIC_TYPES, read_generic_type);
    load->sync_types = capture->sync_types;
    return meta.status;
}
