/*
 * Declares and fills the tables of a synthetic export, with the names and types of a 2026 export.
 */
#include "nsys/generate/generate_tables.h"

#include "core/text.h"
#include "core/vec.h"
#include "nsys/generate/new_export.h"
#include "nsys/pages/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct table {
    const char *name, *columns;
    bool is_written;
} declarations[] = {
#define NSC_WRITTEN(id, name, columns) {name, columns, true},
#define NSC_DECLARED(name, columns)    {name, columns, false},
#include "nsys/generate/generate_table.def"
};

/* The rows that are always the same. */
static const char facts[] =
    "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA_VERSION','3.24.14'),"
    "('EXPORT_SCHEMA_VERSION_MAJOR','3'),('EXPORT_SCHEMA_VERSION_MINOR','24'),"
    "('EXPORT_SCHEMA_VERSION_MICRO','14'),('EXPORT_PRODUCT_VERSION','2026.1.1.204'),"
    "('EXPORT_PLATFORM','synthetic');"
    "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES(0,'UNKNOWN','Unknown'),(1,'HTOD','Host-to-Device'),"
    "(2,'DTOH','Device-to-Host'),(8,'DTOD','Device-to-Device'),(10,'PTOP','Peer-to-Peer');"
    "INSERT INTO ENUM_CUDA_MEM_KIND VALUES(0,'PAGEABLE','Pageable'),(1,'PINNED','Pinned'),"
    "(2,'DEVICE','Device');"
    "INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES(34,'NvtxMark','NvtxMark'),"
    "(59,'NvtxPushPopRange','NvtxPushPopRange'),(60,'NvtxStartEndRange','NvtxStartEndRange'),"
    "(75,'NvtxDomainCreate','NvtxDomainCreate');";

struct nsc_writer {
    struct nsc_new_export out;
    sqlite3_stmt *insert[NSC_N_WRITES];
    int text[NSC_N_WRITES];  /* which parameter of each is a text; 0: none */
    NSC_VEC(char *) strings; /* index is the id */
    uint32_t taken;          /* NSC_WRITE_BIT of the tables being written */
};

/* Appends "name INTEGER NOT NULL". */
static void declare(struct nsc_buf *out, struct nsc_text name, struct nsc_text type)
{
    static const char *const words[] = {"INTEGER", "TEXT", "REAL"};
    unsigned word = type.bytes[0] == 't' ? 1 : type.bytes[0] == 'r' ? 2 : 0;

    nsc_buf_printf(out, "%s%.*s %s%s%s", out->bytes[out->n - 1] == '(' ? "" : ", ", (int)name.n,
                   name.bytes, words[word], memchr(type.bytes, '!', type.n) ? " NOT NULL" : "",
                   memchr(type.bytes, '+', type.n) ? " PRIMARY KEY" : "");
}

/* Makes a table, and the statement that inserts the values of its written columns: that of this number. */
static void add_table(struct nsc_writer *writer, const struct table *table, unsigned number)
{
    struct nsc_buf declared = NSC_BUF_INIT(1u << 16);
    struct nsc_buf names = NSC_BUF_INIT(1u << 16);
    struct nsc_buf marks = NSC_BUF_INIT(1u << 16);
    struct nsc_text rest = nsc_text_from(table->columns);

    nsc_buf_printf(&declared, "CREATE TABLE %s (", table->name);
    while (rest.n) {
        struct nsc_text type = nsc_text_split(&rest, ' ');
        struct nsc_text name = nsc_text_split(&type, ':');
        bool is_written = name.bytes[0] == '*';

        name.bytes += is_written;
        name.n -= is_written;
        declare(&declared, name, type);
        if (!is_written)
            continue;
        nsc_buf_printf(&names, "%s%.*s", names.n ? "," : "", (int)name.n, name.bytes);
        nsc_buf_puts(&marks, marks.n ? ",?" : "?");
        if (type.bytes[0] == 't')
            writer->text[number] = (int)(marks.n + 1) / 2;
    }
    nsc_buf_puts(&declared, ")");
    nsc_new_export_run(&writer->out, declared.bytes);
    if (table->is_written && writer->out.rc == SQLITE_OK)
        nsc_new_export_note(&writer->out,
                            nsc_source_prepare(&writer->insert[number], writer->out.db,
                                               "INSERT INTO %s(%s) VALUES(%s)", table->name,
                                               names.bytes, marks.bytes));
    nsc_buf_fini(&declared);
    nsc_buf_fini(&names);
    nsc_buf_fini(&marks);
}

enum nsc_status nsc_writer_open(struct nsc_writer **out, const char *path, bool force,
                                struct nsc_error *error)
{
    struct nsc_writer *writer = nsc_xcalloc(1, sizeof *writer);
    enum nsc_status status = nsc_new_export_open(&writer->out, path, force, error);

    *out = NULL;
    if (status != NSC_OK) {
        free(writer);
        return status;
    }
    writer->taken = NSC_WRITE_ALL;
    for (unsigned i = 0, n = 0; i < sizeof declarations / sizeof *declarations; i++) {
        add_table(writer, &declarations[i], n);
        n += declarations[i].is_written;
    }
    nsc_new_export_run(&writer->out, facts);
    if (writer->out.rc != SQLITE_OK)
        return nsc_writer_close(writer, false, error);
    *out = writer;
    return NSC_OK;
}

enum nsc_status nsc_writer_close(struct nsc_writer *writer, bool keep, struct nsc_error *error)
{
    enum nsc_status status;

    for (unsigned i = 0; i < NSC_N_WRITES; i++)
        sqlite3_finalize(writer->insert[i]);
    status = nsc_new_export_close(&writer->out, keep, error);
    NSC_VEC_FINI_EACH(&writer->strings, nsc_vec_free_text);
    free(writer);
    return status;
}

void nsc_writer_end(struct nsc_writer *writer, int64_t end)
{
    long long duration = end + 1000000;
    char sql[600];

    snprintf(sql, sizeof sql,
             "INSERT INTO ANALYSIS_DETAILS VALUES(0,%lld,0,%lld);"
             "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1767225600000000000,"
             "'2026-01-01 00:00:00','2026-01-01 00:00:00');"
             "INSERT INTO META_DATA_CAPTURE VALUES('COMMAND_LINE','nsyscope generate');"
             "INSERT INTO TARGET_INFO_GPU_METRICS SELECT DISTINCT typeId, 1, 'GPU metrics', "
             "metricId, 'SMs Active [Throughput %%]' FROM GPU_METRICS;",
             duration, duration);
    nsc_new_export_run(&writer->out, sql);
}

void nsc_writer_take(struct nsc_writer *writer, uint32_t tables)
{
    writer->taken = tables;
}

bool nsc_writer_takes(const struct nsc_writer *writer, enum nsc_writer_table table)
{
    return (writer->taken & NSC_WRITE_BIT(table)) != 0;
}

bool nsc_writer_has_failed(const struct nsc_writer *writer)
{
    return writer->out.rc != SQLITE_OK;
}

static void insert(struct nsc_writer *writer, enum nsc_writer_table table, const int64_t *values,
                   const char *text)
{
    sqlite3_stmt *statement = writer->insert[table];
    int n = sqlite3_bind_parameter_count(statement);
    int rc = SQLITE_OK;

    for (int at = 1; at <= n && rc == SQLITE_OK; at++) {
        if (at == writer->text[table]) /* NULL for no text */
            rc = sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
        else if (*values == NSC_WRITE_NULL)
            rc = sqlite3_bind_null(statement, at);
        else
            rc = sqlite3_bind_int64(statement, at, *values);
        values += at != writer->text[table];
    }
    nsc_new_export_note(&writer->out, rc);
    nsc_new_export_note(&writer->out, sqlite3_step(statement));
    nsc_new_export_note(&writer->out, sqlite3_reset(statement));
}

int64_t nsc_writer_string(struct nsc_writer *writer, const char *text)
{
    int64_t id = 0;

    for (size_t i = 0; i < writer->strings.n; i++)
        if (strcmp(writer->strings.at[i], text) == 0)
            return (int64_t)i;
    id = (int64_t)writer->strings.n;
    *NSC_VEC_ADD(&writer->strings) = nsc_xcopy(text, strlen(text));
    insert(writer, NSC_WRITE_STRING, &id, text);
    return id;
}

void nsc_writer_add(struct nsc_writer *writer, enum nsc_writer_table table, const int64_t *values,
                    const char *text)
{
    if (nsc_writer_takes(writer, table))
        insert(writer, table, values, text);
}
