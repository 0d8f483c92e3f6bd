/* Runs both readers; the plain sqlite3_step loop is the truth. */
#include "support/scan_rows.h"

#include "core/die.h"
#include "core/strpool.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void add_line(struct scan_lines *lines, const char *format, ...) NSC_PRINTF(2, 3);

static void add_line(struct scan_lines *lines, const char *format, ...)
{
    va_list arguments;
    int n = 0;

    if (lines->capacity - lines->n < 256) {
        lines->capacity = lines->capacity * 2 + 4096;
        lines->bytes = nsc_xrealloc(lines->bytes, lines->capacity, 1);
    }
    va_start(arguments, format);
    n = vsnprintf(lines->bytes + lines->n, 256, format, arguments);
    va_end(arguments);
    lines->n += n > 255 ? 255 : (size_t)n;
}

static void add_cell(struct scan_lines *lines, enum nsc_cell_type type, int64_t value,
                     const struct nsc_cell_text *text)
{
    if (type == NSC_CELL_NULL)
        add_line(lines, " null");
    else if (type == NSC_CELL_INT)
        add_line(lines, " %" PRId64, value);
    else if (type == NSC_CELL_REAL)
        add_line(lines, " real:%" PRIx64, (uint64_t)value);
    else if (type == NSC_CELL_BLOB)
        add_line(lines, " blob");
    else if (!text)
        add_line(lines, " text");
    else
        add_line(lines, " text:%" PRIu64 ":%u:%" PRIx64, text->full_n, text->n,
                 nsc_hash_bytes(text->bytes, text->n));
}

static void read_header(struct nsc_source *source)
{
    uint8_t header[100] = {0};

    fstat(source->fd, &source->stat);
    if (pread(source->fd, header, sizeof header, 0) < (ssize_t)sizeof header)
        return;
    source->page_size = (uint32_t)header[16] << 8 | header[17];
    if (source->page_size == 1)
        source->page_size = 65536;
    source->usable_size = source->page_size - header[20];
    if (source->page_size)
        source->pages = (uint64_t)source->stat.st_size / source->page_size;
    source->utf8 = header[59] == 1;
    source->pages_ok = true;
}

bool scan_file_open(struct scan_file *out, const char *path)
{
    char uri[512];

    memset(out, 0, sizeof *out);
    snprintf(uri, sizeof uri, "file:%s?immutable=1", path);
    out->source.fd = open(path, O_RDONLY | O_CLOEXEC);
    if (out->source.fd < 0)
        return false;
    read_header(&out->source);
    if (sqlite3_open_v2(uri, &out->source.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
            SQLITE_OK &&
        sqlite3_exec(out->source.db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) ==
            SQLITE_OK)
        return true;
    scan_file_close(out);
    return false;
}

void scan_file_close(struct scan_file *file)
{
    sqlite3_close(file->source.db);
    close(file->source.fd);
}

static sqlite3_stmt *prepare(struct scan_file *file, const char *format, const char *name)
{
    char *sql = sqlite3_mprintf(format, name);
    sqlite3_stmt *statement = NULL;

    sqlite3_prepare_v2(file->source.db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
}

static void find_columns(struct scan_subject *out, sqlite3_stmt *info, bool texts)
{
    size_t used = 0;
    unsigned n_keys = 0;
    int key = -1;

    while (sqlite3_step(info) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(info, 1);
        const char *type = (const char *)sqlite3_column_text(info, 2);
        struct nsc_scan_column *column = &out->columns[out->n_columns];

        out->table.n_columns++;
        n_keys += sqlite3_column_int(info, 5) > 0;
        if (out->n_columns == NSC_SCAN_COLUMNS || !name || used + strlen(name) + 1 > 8192)
            continue;
        column->name = strcpy(out->names + used, name);
        used += strlen(name) + 1;
        column->ordinal = (int)out->table.n_columns - 1;
        column->wants_text = texts;
        if (sqlite3_column_int(info, 5) > 0 && type && strcasecmp(type, "INTEGER") == 0)
            key = (int)out->n_columns;
        out->n_columns++;
    }
    if (n_keys == 1 && key >= 0)
        out->columns[key].is_rowid = true;
}

static const char *find_rowid(const struct scan_subject *subject)
{
    static const char *const alias[] = {"rowid", "_rowid_", "oid"};

    for (size_t i = 0; i < 3; i++) {
        bool taken = false;

        for (uint32_t c = 0; c < subject->n_columns; c++)
            taken |= strcasecmp(subject->columns[c].name, alias[i]) == 0;
        if (!taken)
            return alias[i];
    }
    return NULL;
}

/* Detects INTEGER PRIMARY KEY DESC, which looks like the row id but is not: only SQLite's name for
 * the row id shows it. */
static void confirm_key(struct scan_subject *out, struct scan_file *file)
{
    char *sql = sqlite3_mprintf("SELECT %s FROM main.\"%w\"", out->table.rowid, out->table.name);
    sqlite3_stmt *statement = NULL;
    const char *name = NULL;

    sqlite3_prepare_v2(file->source.db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    name = statement ? sqlite3_column_name(statement, 0) : NULL;
    for (uint32_t c = 0; c < out->n_columns; c++)
        if (out->columns[c].is_rowid && (!name || strcasecmp(name, out->columns[c].name) != 0))
            out->columns[c].ordinal = -1;
    sqlite3_finalize(statement);
}

bool scan_subject_find(struct scan_subject *out, struct scan_file *file, const char *table,
                       bool texts)
{
    sqlite3_stmt *statement =
        prepare(file, "SELECT rootpage FROM sqlite_schema WHERE type='table' AND name=%Q", table);

    memset(out, 0, sizeof *out);
    if (strcmp(table, "sqlite_schema") == 0)
        out->table.root = 1;
    else if (statement && sqlite3_step(statement) == SQLITE_ROW)
        out->table.root = (uint32_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    out->names = nsc_xmalloc(8192 + strlen(table) + 1);
    out->table.name = strcpy(out->names + 8192, table);
    out->table.utf8 = file->source.utf8;
    statement = prepare(file, "PRAGMA table_info(%Q)", table);
    if (statement)
        find_columns(out, statement, texts);
    sqlite3_finalize(statement);
    out->table.rowid = find_rowid(out);
    if (out->table.rowid)
        confirm_key(out, file);
    if (out->table.root && out->n_columns && out->table.rowid)
        return true;
    scan_subject_free(out);
    return false;
}

void scan_subject_free(struct scan_subject *subject)
{
    free(subject->names);
    subject->names = NULL;
}

static sqlite3_stmt *select_rows(struct scan_file *file, const struct scan_subject *subject)
{
    char *sql = sqlite3_mprintf("SELECT %s", subject->table.rowid);
    char *whole = NULL;
    sqlite3_stmt *statement = NULL;

    for (uint32_t c = 0; c < subject->n_columns; c++) {
        char *longer = sqlite3_mprintf("%s,\"%w\"", sql, subject->columns[c].name);

        sqlite3_free(sql);
        sql = longer;
    }
    whole = sqlite3_mprintf("%s FROM main.\"%w\" NOT INDEXED", sql, subject->table.name);
    sqlite3_prepare_v2(file->source.db, whole, -1, &statement, NULL);
    sqlite3_free(whole);
    sqlite3_free(sql);
    return statement;
}

static void add_step_cell(struct scan_lines *lines, sqlite3_stmt *statement, int c, bool wants_text)
{
    struct nsc_cell_text text = {"", 0, 0};
    double real = 0;
    int64_t value = 0;

    switch (sqlite3_column_type(statement, c)) {
    case SQLITE_INTEGER:
        add_cell(lines, NSC_CELL_INT, sqlite3_column_int64(statement, c), NULL);
        break;
    case SQLITE_FLOAT:
        real = sqlite3_column_double(statement, c);
        memcpy(&value, &real, sizeof value);
        add_cell(lines, NSC_CELL_REAL, value, NULL);
        break;
    case SQLITE_TEXT:
        if (wants_text) {
            text.bytes = (const char *)sqlite3_column_text(statement, c);
            text.full_n = (uint64_t)sqlite3_column_bytes(statement, c);
            text.n =
                (uint32_t)(text.full_n < NSC_SCAN_TEXT_LIMIT ? text.full_n : NSC_SCAN_TEXT_LIMIT);
        }
        add_cell(lines, NSC_CELL_TEXT, 0, wants_text ? &text : NULL);
        break;
    case SQLITE_BLOB:
        add_cell(lines, NSC_CELL_BLOB, 0, NULL);
        break;
    default:
        add_cell(lines, NSC_CELL_NULL, 0, NULL);
    }
}

void scan_rows_step(struct scan_outcome *out, struct scan_file *file,
                    const struct scan_subject *subject)
{
    sqlite3_stmt *statement = select_rows(file, subject);
    int code = statement ? SQLITE_ROW : SQLITE_ERROR;

    memset(out, 0, sizeof *out);
    while (code == SQLITE_ROW && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        add_line(&out->lines, "%" PRId64 ":", (int64_t)sqlite3_column_int64(statement, 0));
        for (uint32_t c = 0; c < subject->n_columns; c++)
            add_step_cell(&out->lines, statement, (int)c + 1, subject->columns[c].wants_text);
        add_line(&out->lines, "\n");
        out->n_rows++;
    }
    out->result = code == SQLITE_DONE ? NSC_SCAN_DONE : NSC_SCAN_FAILED;
    snprintf(out->reason, sizeof out->reason, "%s", sqlite3_errmsg(file->source.db));
    sqlite3_finalize(statement);
}

/* Lines per task, with room for a task per page, so that no worker has to grow it. */
struct page_sink {
    const struct scan_subject *subject;
    struct scan_lines *task;
    uint32_t n_tasks;
    _Atomic uint64_t n_rows;
};

static bool sink_lines(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct page_sink *sink = context;
    struct scan_lines *lines = &sink->task[task - 7];

    (void)worker;
    if (task < 7 || task - 7 >= sink->n_tasks || batch->n == 0 || batch->n > NSC_SCAN_ROWS)
        abort();
    sink->n_rows += batch->n;
    for (uint32_t i = 0; i < batch->n; i++) {
        add_line(lines, "%" PRId64 ":", batch->rowid[i]);
        for (uint32_t c = 0; c < sink->subject->n_columns; c++)
            add_cell(lines, batch->type[i][c], batch->value[c][i],
                     sink->subject->columns[c].wants_text ? &batch->text[c][i] : NULL);
        add_line(lines, "\n");
    }
    return true;
}

void scan_rows_pages(struct scan_outcome *out, struct scan_file *file,
                     const struct scan_subject *subject, unsigned threads)
{
    struct page_sink sink = {.subject = subject, .n_tasks = (uint32_t)file->source.pages + 1};
    struct nsc_scan scan = {
        &subject->table, subject->columns, subject->n_columns, sink_lines, &sink, NULL, NULL, NULL};
    struct nsc_pool *pool = nsc_pool_new(threads);

    memset(out, 0, sizeof *out);
    sink.task = nsc_xcalloc(sink.n_tasks, sizeof *sink.task);
    out->result = nsc_scan_pages(&file->source, pool, &scan, 7, &out->n_tasks, out->reason);
    out->n_rows = sink.n_rows;
    for (uint32_t i = 0; i < sink.n_tasks; i++) {
        if (sink.task[i].n) {
            out->lines.bytes = nsc_xrealloc(out->lines.bytes, out->lines.n + sink.task[i].n, 1);
            memcpy(out->lines.bytes + out->lines.n, sink.task[i].bytes, sink.task[i].n);
            out->lines.n += sink.task[i].n;
        }
        free(sink.task[i].bytes);
    }
    free(sink.task);
    nsc_pool_free(pool);
}

void scan_outcome_fini(struct scan_outcome *outcome)
{
    free(outcome->lines.bytes);
    outcome->lines.bytes = NULL;
}

static void print_line(const char *who, const struct scan_lines *lines, size_t at)
{
    size_t n = 0;

    while (at + n < lines->n && lines->bytes[at + n] != '\n')
        n++;
    fprintf(stderr, "%s: %.*s\n", who, (int)n, lines->bytes ? lines->bytes + at : "");
}

bool scan_rows_agree(const struct scan_outcome *pages, const struct scan_outcome *step)
{
    size_t line = 0;
    size_t i = 0;

    if (step->result != NSC_SCAN_DONE || pages->result == NSC_SCAN_FALLBACK)
        return true;
    if (pages->result == NSC_SCAN_DONE && pages->n_rows == step->n_rows &&
        pages->lines.n == step->lines.n &&
        (step->lines.n == 0 || memcmp(pages->lines.bytes, step->lines.bytes, step->lines.n) == 0))
        return true;
    for (; i < pages->lines.n && i < step->lines.n; i++) {
        if (pages->lines.bytes[i] != step->lines.bytes[i])
            break;
        if (pages->lines.bytes[i] == '\n')
            line = i + 1;
    }
    fprintf(stderr, "result %d, rows %" PRIu64 " and %" PRIu64 "\n", (int)pages->result,
            pages->n_rows, step->n_rows);
    print_line("pages", &pages->lines, line);
    print_line("step ", &step->lines, line);
    return false;
}
