/*
 * Reads all rows of a table without events, in the order of row ids.
 */
#include "nsys/fields_data.h"
#include "nsys/source.h"

#include <stdlib.h>
#include <string.h>

/* Finds a real table of that name (any case), or what stands in for it, with row ids. *name is the
 * export's spelling; free it with free(). */
static bool find_table(struct nsc_scan_table *out, char **name, const struct nsc_capture *capture,
                       const char *wanted)
{
    static const char *const sql =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND "
        "name = ?1 COLLATE NOCASE";
    int id = nsc_table_find(wanted);
    sqlite3_stmt *statement = NULL;

    if (id >= 0 && capture->schema.tables[id].usable)
        wanted = capture->schema.tables[id].name;
    *name = NULL;
    *out = (struct nsc_scan_table){.rowid = "rowid"};
    if (sqlite3_prepare_v2(capture->source->db, sql, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, wanted, -1, SQLITE_STATIC);
        if (nsc_source_step(statement) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(statement, 0);
            size_t n = text ? strlen(text) : 0;

            *name = nsc_xmalloc(n + 1);
            memcpy(*name, n ? text : "", n + 1);
            out->name = *name;
        }
    }
    sqlite3_finalize(statement);
    return *name != NULL;
}

static char *make_sql(const struct nsc_fetch *fetch)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);

    for (uint32_t c = 0; c < fetch->n; c++)
        sqlite3_str_appendf(sql, "%s\"%w\"", c ? ", " : "SELECT ", fetch->scan[c].name);
    sqlite3_str_appendf(sql, " FROM \"%w\" NOT INDEXED", fetch->table->name);
    return sqlite3_str_finish(sql);
}

static struct nsc_fetch_cell cell_at(sqlite3_stmt *row, int c)
{
    struct nsc_fetch_cell cell = {NSC_CELL_NULL, 0, {"", 0}};
    double real;

    switch (sqlite3_column_type(row, c)) {
    case SQLITE_INTEGER:
        cell.type = NSC_CELL_INT;
        cell.value = sqlite3_column_int64(row, c);
        break;
    case SQLITE_FLOAT:
        cell.type = NSC_CELL_REAL;
        real = sqlite3_column_double(row, c);
        memcpy(&cell.value, &real, sizeof real);
        break;
    case SQLITE_TEXT:
        cell.type = NSC_CELL_TEXT;
        cell.text.bytes = (const char *)sqlite3_column_text(row, c);
        cell.text.n = cell.text.bytes ? (uint32_t)sqlite3_column_bytes(row, c) : 0;
        if (!cell.text.bytes)
            cell.text.bytes = "";
        if (cell.text.n > NSC_SCAN_TEXT_LIMIT)
            cell.text.n = NSC_SCAN_TEXT_LIMIT;
        break;
    default:
        break;
    }
    return cell;
}

struct gathered {
    NSC_VEC(int64_t) value;
    NSC_VEC(bool) set;
};

static void take_row(struct nsc_fetch *fetch, struct gathered gathered[], sqlite3_stmt *row)
{
    for (uint32_t c = 0; c < fetch->n; c++) {
        uint8_t type = fetch->fields->columns[fetch->column[c]].type;
        struct nsc_fetch_cell cell = cell_at(row, (int)c);
        int64_t value = 0;
        bool is_set = type == NSC_FIELD_TEXT ? nsc_fetch_text(&value, fetch, &cell)
                                             : nsc_fetch_number(&value, &cell, type);

        *NSC_VEC_ADD(&gathered[c].value) = value;
        *NSC_VEC_ADD(&gathered[c].set) = is_set;
    }
    fetch->fields->n++;
}

static int step_rows(struct nsc_fetch *fetch, struct gathered gathered[],
                     struct nsc_progress *progress)
{
    char *sql = make_sql(fetch);
    sqlite3_stmt *row = NULL;
    int rc =
        sql ? sqlite3_prepare_v2(fetch->capture->source->db, sql, -1, &row, NULL) : SQLITE_NOMEM;

    sqlite3_free(sql);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = nsc_source_step(row);
        if (rc == SQLITE_ROW)
            take_row(fetch, gathered, row);
        if (nsc_progress_is_cancelled(progress) || fetch->fields->n == NSC_NONE)
            rc = SQLITE_INTERRUPT;
    }
    sqlite3_finalize(row);
    return rc;
}

static bool store(struct nsc_fetch *fetch, struct gathered gathered[])
{
    uint32_t n = fetch->fields->n;

    if (!nsc_fetch_columns(fetch, n))
        return false;
    for (uint32_t c = 0; c < fetch->n; c++) {
        struct nsc_field *column = &fetch->fields->columns[fetch->column[c]];

        if (n)
            memcpy((void *)(uintptr_t)column->value, gathered[c].value.at, column->value_bytes);
        for (uint32_t row = 0; row < n; row++)
            if (gathered[c].set.at[row])
                nsc_bits_set((uint64_t *)(uintptr_t)column->set, row);
    }
    nsc_fetch_end(fetch);
    return true;
}

static enum nsc_status read_rows(struct nsc_fetch *fetch, struct nsc_progress *progress,
                                 struct nsc_error *error)
{
    struct gathered gathered[NSC_FIELDS_COLUMNS] = {0};
    int rc = fetch->n ? step_rows(fetch, gathered, progress) : SQLITE_DONE;
    enum nsc_status status = NSC_OK;

    if (rc == SQLITE_INTERRUPT)
        status = nsc_fail(error, NSC_ECANCELLED, "cancelled");
    else if (rc != SQLITE_DONE)
        status = nsc_source_fail(fetch->capture->source, rc, "cannot read a table of", error);
    else if (!store(fetch, gathered))
        status = nsc_fail(error, NSC_ENOMEM, "not enough memory for the columns of a table");
    for (uint32_t c = 0; c < fetch->n; c++) {
        NSC_VEC_FINI(&gathered[c].value);
        NSC_VEC_FINI(&gathered[c].set);
    }
    return status;
}

static enum nsc_status read_held(struct nsc_fields **out, struct nsc_capture *capture,
                                 const struct nsc_fields_query *query, struct nsc_error *error)
{
    struct nsc_fetch fetch = {.capture = capture};
    struct nsc_scan_table table;
    enum nsc_status status;
    char *name;
    bool found = find_table(&table, &name, capture, query->table);

    *out = nsc_fetch_init_scan(&fetch, query, found ? &table : NULL);
    status = read_rows(&fetch, query->progress, error);
    nsc_fetch_fini(&fetch);
    free(name);
    if (status != NSC_OK) {
        nsc_fields_free(*out);
        *out = NULL;
    }
    return status;
}

enum nsc_status nsc_fields_read_table(struct nsc_fields **out, struct nsc_capture *capture,
                                      const struct nsc_fields_query *query, struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    sqlite3_stmt *held = NULL;
    int rc = nsc_source_begin_read(&held, capture->source->db);
    enum nsc_status status;

    *out = NULL;
    if (rc == SQLITE_OK)
        status = read_held(out, capture, query, &own);
    else
        status = nsc_source_fail(capture->source, rc, "cannot read a table of", &own);
    sqlite3_finalize(held);
    status = nsc_source_check(capture->source, status, &own);
    if (status == NSC_OK)
        return NSC_OK;
    nsc_fields_free(*out);
    *out = NULL;
    return nsc_fail(error, status, "%s", own.text);
}
