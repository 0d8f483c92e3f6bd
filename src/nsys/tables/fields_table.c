/*
 * Reads all rows of a table without events, in the order of row ids.
 */
#include "nsys/pages/record.h"
#include "nsys/pages/source.h"
#include "nsys/tables/fields_data.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Finds a real table of that name (any case), or its stand-in, with row ids. *name is the export's
 * spelling; free it with free(). */
static bool find_table(struct nsc_scan_table *out, char **name, const struct nsc_capture *capture,
                       const char *wanted)
{
    sqlite3 *db = capture->source->db;
    int id = nsc_table_find(wanted);
    uint8_t forbid[NSC_RECORD_FIELDS];
    sqlite3_stmt *statement = NULL;

    *name = NULL;
    *out = (struct nsc_scan_table){.rowid = "rowid", .utf8 = capture->source->utf8};
    if (id >= 0 && capture->schema.tables[id].usable) {
        wanted = capture->schema.tables[id].name;
        out->rowid = capture->schema.tables[id].scan.rowid;
    }
    if (nsc_source_prepare(&statement, db,
                           "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND "
                           "rootpage > 0 AND name = %Q COLLATE NOCASE",
                           wanted) == SQLITE_OK &&
        nsc_source_step(statement) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);

        *name = nsc_xcopy(text, text ? strlen(text) : 0);
        out->name = *name;
        out->root = (uint32_t)sqlite3_column_int64(statement, 1);
        out->n_columns = nsc_columns_forbid(forbid, NSC_RECORD_FIELDS, db, out);
    }
    sqlite3_finalize(statement);
    return *name != NULL;
}

/* Rows of one task of the scan, which are neighbours in a worker's list. */
struct run {
    uint32_t task;
    unsigned worker;
    size_t first, n;
};

struct gathered { /* the rows that a worker met */
    struct {
        NSC_VEC(int64_t) value;
        NSC_VEC(bool) set;
    } columns[NSC_FIELDS_COLUMNS];
    NSC_VEC(struct run) runs;
    size_t n;
};

struct taking {
    struct nsc_fetch *fetch;
    struct gathered *workers;
    unsigned n_workers;
    uint32_t only; /* reads only rows in which this column of the scan is not NULL; NSC_NONE: all */
    bool is_by_pages;
    atomic_bool has_met_blob; /* in a column of bytes: pages have only its type */
};

static void take_row(struct taking *taking, struct gathered *gathered,
                     const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_fetch *fetch = taking->fetch;

    for (uint32_t c = 0; c < fetch->n; c++) {
        int64_t value;
        bool is_set = nsc_fetch_cell(&value, fetch, batch, c, i, !taking->is_by_pages);

        if (taking->is_by_pages && fetch->scan[c].wants_blob && batch->type[i][c] == NSC_CELL_BLOB)
            taking->has_met_blob = true;
        *NSC_VEC_ADD(&gathered->columns[c].value) = value;
        *NSC_VEC_ADD(&gathered->columns[c].set) = is_set;
    }
    gathered->n++;
}

static bool take_batch(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct taking *taking = context;
    struct gathered *gathered = &taking->workers[worker];
    size_t n = gathered->runs.n;

    if (n == 0 || gathered->runs.at[n - 1].task != task)
        *NSC_VEC_ADD(&gathered->runs) = (struct run){task, worker, gathered->n, 0};
    for (uint32_t i = 0; i < batch->n && !taking->has_met_blob; i++)
        if (taking->only == NSC_NONE || batch->type[i][taking->only] != NSC_CELL_NULL)
            take_row(taking, gathered, batch, i);
    n = gathered->runs.n - 1;
    gathered->runs.at[n].n = gathered->n - gathered->runs.at[n].first;
    return !taking->has_met_blob;
}

/* Undoes a scan by pages: SQLite reads all rows. */
static void forget_rows(void *context)
{
    struct taking *taking = context;

    taking->is_by_pages = false;
    taking->has_met_blob = false;
    for (unsigned w = 0; w < taking->n_workers; w++) {
        struct gathered *gathered = &taking->workers[w];

        for (uint32_t c = 0; c < taking->fetch->n; c++) {
            NSC_VEC_CLEAR(&gathered->columns[c].value);
            NSC_VEC_CLEAR(&gathered->columns[c].set);
        }
        NSC_VEC_CLEAR(&gathered->runs);
        gathered->n = 0;
    }
}

/* ---- rows in order ---- */

NSC_COMPARE(compare_tasks, struct run, NSC_LEAST(task))

/* Puts the rows of a run behind the rows before it. */
static void store_run(struct nsc_fetch *fetch, const struct gathered *from, const struct run *run)
{
    uint32_t n = fetch->fields->n;

    for (uint32_t c = 0; c < fetch->n; c++) {
        struct nsc_field *column = &fetch->fields->columns[fetch->column[c]];

        memcpy((int64_t *)(uintptr_t)column->value + n, &from->columns[c].value.at[run->first],
               run->n * sizeof *column->value);
        for (size_t row = 0; row < run->n; row++)
            if (from->columns[c].set.at[run->first + row])
                nsc_bits_set((uint64_t *)(uintptr_t)column->set, n + (uint32_t)row);
    }
    fetch->fields->n = n + (uint32_t)run->n;
}

static bool store(struct taking *taking)
{
    struct nsc_fetch *fetch = taking->fetch;
    NSC_VEC(struct run) runs = {0};
    uint64_t n = 0;
    bool is_fine;

    for (unsigned w = 0; w < taking->n_workers; w++) {
        n += taking->workers[w].n;
        for (size_t i = 0; i < taking->workers[w].runs.n; i++)
            if (taking->workers[w].runs.at[i].n > 0)
                *NSC_VEC_ADD(&runs) = taking->workers[w].runs.at[i];
    }
    NSC_VEC_SORT(&runs, compare_tasks);
    is_fine = n < NSC_NONE && nsc_fetch_columns(fetch, (uint32_t)n);
    for (size_t i = 0; i < runs.n && is_fine; i++)
        store_run(fetch, &taking->workers[runs.at[i].worker], &runs.at[i]);
    NSC_VEC_FINI(&runs);
    if (is_fine)
        nsc_fetch_end(fetch);
    return is_fine;
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

static enum nsc_scan_result scan(struct taking *taking, struct nsc_pool *pool,
                                 const struct nsc_fields_query *query, struct nsc_error *error)
{
    const struct nsc_fetch *fetch = taking->fetch;
    struct nsc_source *source = fetch->capture->source;
    const struct nsc_scan scan = {fetch->table, fetch->scan,     fetch->n, take_batch,
                                  taking,       query->progress, NULL,     NULL};
    enum nsc_scan_result result =
        nsc_scan_table(source, pool, &scan, fetch->capture->no_pages, forget_rows, error);

    if (result != NSC_SCAN_STOPPED || !taking->has_met_blob)
        return result;
    forget_rows(taking);
    return nsc_scan_sqlite(source, &scan, 0, error);
}

static void fini_workers(struct taking *taking)
{
    for (unsigned w = 0; w < taking->n_workers; w++) {
        for (uint32_t c = 0; c < taking->fetch->n; c++) {
            NSC_VEC_FINI(&taking->workers[w].columns[c].value);
            NSC_VEC_FINI(&taking->workers[w].columns[c].set);
        }
        NSC_VEC_FINI(&taking->workers[w].runs);
    }
    free(taking->workers);
}

static enum nsc_status read_rows(struct nsc_fetch *fetch, const struct nsc_fields_query *query,
                                 struct nsc_error *error)
{
    struct nsc_pool *pool = nsc_pool_new(fetch->capture->threads);
    struct taking taking = {.fetch = fetch, .n_workers = nsc_pool_threads(pool)};
    enum nsc_scan_result result = NSC_SCAN_DONE;
    enum nsc_status status = NSC_OK;

    taking.is_by_pages = true;
    taking.workers = nsc_xcalloc(taking.n_workers, sizeof *taking.workers);
    if (find_only(&taking.only, fetch, query) && fetch->n)
        result = scan(&taking, pool, query, error);
    if (result == NSC_SCAN_FAILED)
        status = error->status != NSC_OK ? error->status : NSC_EDAMAGED;
    else if (result != NSC_SCAN_DONE)
        status = nsc_fail(error, NSC_ECANCELLED, "cancelled");
    else if (!store(&taking))
        status = nsc_fail(error, NSC_ENOMEM, "not enough memory for the columns of a table");
    fini_workers(&taking);
    nsc_pool_free(pool);
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

struct question {
    struct nsc_capture *capture;
    const struct nsc_fields_query *query;
};

static enum nsc_status read_held(struct nsc_fields **out, void *context, struct nsc_error *error)
{
    const struct question *question = context;
    struct nsc_fetch fetch = {.capture = question->capture};
    struct nsc_scan_table table;
    enum nsc_status status;
    char *name;
    bool found = find_table(&table, &name, question->capture, question->query->table);

    *out = nsc_fetch_init_scan(&fetch, question->query, found ? &table : NULL);
    status = read_strings(question->capture, question->query, error);
    if (status == NSC_OK)
        status = read_rows(&fetch, question->query, error);
    nsc_fetch_fini(&fetch);
    free(name);
    return status;
}

enum nsc_status nsc_fields_read_table(struct nsc_fields **out, struct nsc_capture *capture,
                                      const struct nsc_fields_query *query, struct nsc_error *error)
{
    struct question question = {capture, query};

    return nsc_fetch_held(out, capture, read_held, &question, error);
}
