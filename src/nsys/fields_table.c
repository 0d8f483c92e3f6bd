/*
 * Reads all rows of a table without events, in the order of row ids.
 */
#include "nsys/fields_data.h"
#include "nsys/source.h"

#include <stdlib.h>
#include <string.h>

/* Finds a real table of that name (any case), or its stand-in, with row ids. *name is the export's
 * spelling; free it with free(). */
static bool find_table(struct nsc_scan_table *out, char **name, const struct nsc_capture *capture,
                       const char *wanted)
{
    static const char *const sql =
        "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND "
        "name = ?1 COLLATE NOCASE";
    int id = nsc_table_find(wanted);
    sqlite3_stmt *statement = NULL;

    *name = NULL;
    *out = (struct nsc_scan_table){.rowid = "rowid", .utf8 = capture->source->utf8};
    if (id >= 0 && capture->schema.tables[id].usable) {
        wanted = capture->schema.tables[id].name;
        out->rowid = capture->schema.tables[id].scan.rowid;
    }
    if (sqlite3_prepare_v2(capture->source->db, sql, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, wanted, -1, SQLITE_STATIC);
        if (nsc_source_step(statement) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(statement, 0);
            size_t n = text ? strlen(text) : 0;

            *name = nsc_xmalloc(n + 1);
            memcpy(*name, n ? text : "", n + 1);
            out->name = *name;
            out->root = (uint32_t)sqlite3_column_int64(statement, 1);
        }
    }
    sqlite3_finalize(statement);
    return *name != NULL;
}

struct gathered {
    NSC_VEC(int64_t) value;
    NSC_VEC(bool) set;
};

struct taking {
    struct nsc_fetch *fetch;
    struct gathered gathered[NSC_FIELDS_COLUMNS];
    uint32_t only; /* reads only rows in which this column of the scan is not NULL; NSC_NONE: all */
};

static void take_row(struct taking *taking, const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_fetch *fetch = taking->fetch;

    for (uint32_t c = 0; c < fetch->n; c++) {
        uint8_t type = fetch->fields->columns[fetch->column[c]].type;
        struct nsc_fetch_cell cell = {batch->type[i][c], batch->value[c][i], {"", 0}};
        int64_t value = 0;
        bool is_set;

        if ((cell.type == NSC_CELL_TEXT && fetch->scan[c].wants_text) ||
            (cell.type == NSC_CELL_BLOB && fetch->scan[c].wants_blob))
            cell.text = (struct nsc_text){batch->text[c][i].bytes, batch->text[c][i].n};
        if (type == NSC_FIELD_TEXT || type == NSC_FIELD_BYTES)
            is_set = (type == NSC_FIELD_BYTES || cell.type == NSC_CELL_TEXT) &&
                     nsc_fetch_text(&value, fetch, &cell);
        else
            is_set = nsc_fetch_number(&value, &cell, type);
        *NSC_VEC_ADD(&taking->gathered[c].value) = value;
        *NSC_VEC_ADD(&taking->gathered[c].set) = is_set;
    }
    fetch->fields->n++;
}

static bool take_batch(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct taking *taking = context;

    (void)worker;
    (void)task;
    for (uint32_t i = 0; i < batch->n; i++) {
        if (taking->fetch->fields->n == NSC_NONE)
            return false;
        if (taking->only == NSC_NONE || batch->type[i][taking->only] != NSC_CELL_NULL)
            take_row(taking, batch, i);
    }
    return true;
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

/* Finds the column that selects the rows. False if the table lacks it: then no row counts. */
static bool find_only(uint32_t *out, const struct nsc_fetch *fetch,
                      const struct nsc_fields_query *query)
{
    *out = NSC_NONE;
    for (uint32_t c = 0; c < fetch->n && query->only; c++)
        if (strcmp(query->asks[fetch->column[c]].name, query->only) == 0)
            *out = c;
    return !query->only || *out != NSC_NONE;
}

static enum nsc_status read_rows(struct nsc_fetch *fetch, const struct nsc_fields_query *query,
                                 struct nsc_error *error)
{
    struct taking taking = {.fetch = fetch};
    const struct nsc_scan scan = {fetch->table, fetch->scan,     fetch->n, take_batch,
                                  &taking,      query->progress, NULL,     NULL};
    enum nsc_scan_result result = NSC_SCAN_DONE;
    enum nsc_status status = NSC_OK;

    if (find_only(&taking.only, fetch, query) && fetch->n)
        result = nsc_scan_sqlite(fetch->capture->source, &scan, 0, error);
    if (result == NSC_SCAN_FAILED)
        status = error->status != NSC_OK ? error->status : NSC_EDAMAGED;
    else if (result != NSC_SCAN_DONE)
        status = nsc_fail(error, NSC_ECANCELLED, "cancelled");
    else if (!store(fetch, taking.gathered))
        status = nsc_fail(error, NSC_ENOMEM, "not enough memory for the columns of a table");
    for (uint32_t c = 0; c < fetch->n; c++) {
        NSC_VEC_FINI(&taking.gathered[c].value);
        NSC_VEC_FINI(&taking.gathered[c].set);
    }
    return status;
}

/* Reads StringIds for a column of string ids, unless a load has. */
static enum nsc_status read_strings(struct nsc_capture *capture,
                                    const struct nsc_fields_query *query, struct nsc_error *error)
{
    bool wanted = false;
    struct nsc_pool *pool = NULL;
    enum nsc_status status = NSC_OK;

    for (uint32_t c = 0; c < query->n_asks; c++)
        wanted = wanted || query->asks[c].type == NSC_FIELD_STRING;
    if (!wanted || capture->strings.n)
        return NSC_OK;
    pool = nsc_pool_new(capture->threads);
    nsc_strings_fini(&capture->strings);
    status = nsc_strings_read(&capture->strings, capture->source, &capture->schema, pool,
                              capture->no_pages, error);
    nsc_pool_free(pool);
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
    status = read_strings(capture, query, error);
    if (status == NSC_OK)
        status = read_rows(&fetch, query, error);
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
