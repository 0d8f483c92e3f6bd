/*
 * Finds the anchors of an export in time.
 */
#include "nsys/jobs/anchor.h"

#include "core/sort.h"
#include "core/text.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_MARK = 34, TYPE_PUSH_POP = 59, TYPE_START_END = 60 }; /* of NVTX_EVENTS */

/* ---- small tables ---- */

struct small {
    const struct nsc_capture *capture;
    int rc; /* of the first failed read; SQLITE_OK: none */
};

/* NULL: there is none, or it cannot be read. */
static sqlite3_stmt *first_row(struct small *small, const char *sql)
{
    sqlite3_stmt *row = NULL;
    int rc = nsc_source_prepare(&row, small->capture->source->db, "%s", sql);

    if (rc == SQLITE_OK)
        rc = nsc_source_step(row);
    if (rc == SQLITE_ROW)
        return row;
    sqlite3_finalize(row);
    if (small->rc == SQLITE_OK && nsc_source_can_retry(rc))
        small->rc = rc;
    return NULL;
}

static int64_t number_of(struct small *small, enum nsc_table_id table, const char *sql)
{
    sqlite3_stmt *row = small->capture->schema.tables[table].usable ? first_row(small, sql) : NULL;
    int64_t number = 0;

    if (sqlite3_column_type(row, 0) == SQLITE_INTEGER)
        number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return number;
}

/* Queries only a real table: a view could run anything. */
static void read_host(struct nsc_anchor *anchor, struct small *small)
{
    sqlite3_stmt *row = first_row(small, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND "
                                         "name = 'TARGET_INFO_SYSTEM_ENV' AND rootpage > 0");
    const unsigned char *host = NULL;

    sqlite3_finalize(row);
    if (!row)
        return;
    row = first_row(small, "SELECT value FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname'");
    host = row ? sqlite3_column_text(row, 0) : NULL;
    if (host)
        (void)snprintf(anchor->host, sizeof anchor->host, "%s", (const char *)host);
    sqlite3_finalize(row);
}

/* Returns SQLITE_OK, or SQLite's error. */
static int read_small(struct nsc_anchor *anchor, const struct nsc_capture *capture)
{
    struct small small = {capture, SQLITE_OK};

    *anchor = (struct nsc_anchor){.path = capture->source->path};
    anchor->utc = number_of(&small, NSC_TABLE_SESSION,
                            "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 1");
    anchor->duration =
        number_of(&small, NSC_TABLE_ANALYSIS, "SELECT duration FROM ANALYSIS_DETAILS LIMIT 1");
    read_host(anchor, &small);
    return small.rc;
}

enum nsc_status nsc_anchor_init(struct nsc_anchor *anchor, const struct nsc_capture *capture,
                                struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    int rc = read_small(anchor, capture);

    if (rc != SQLITE_OK) /* a read that failed once may succeed */
        rc = read_small(anchor, capture);
    if (rc == SQLITE_OK || nsc_source_fail(capture->source, rc, "cannot read", &own) != NSC_EIO)
        return NSC_OK;
    return nsc_fail(error, NSC_EIO, "%s", own.text);
}

void nsc_anchor_fini(struct nsc_anchor *anchor)
{
    NSC_VEC_FINI(&anchor->instances);
}

/* ---- scans ---- */

/* Columns of one table, by their slots; -1: the table lacks the column. */
struct table {
    const struct nsc_schema_table *schema;
    struct nsc_scan_column columns[NSC_TABLE_COLUMNS];
    uint32_t n;
    int at[NSC_N_SLOTS];
};

struct gathered {
    bool any;
    nsc_time first;
    NSC_VEC(nsc_time) instances;
};

/* The results of all workers. */
struct search {
    struct table table;
    struct nsc_text name;
    NSC_VEC(int64_t) ids; /* ids of strings that equal the name */
    struct gathered by_worker[NSC_SOURCE_WORKERS];
};

static void choose_columns(struct table *out, const struct nsc_schema_table *schema,
                           const enum nsc_slot slots[], uint32_t n)
{
    *out = (struct table){.schema = schema};
    for (int i = 0; i < NSC_N_SLOTS; i++)
        out->at[i] = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (schema->at[slots[i]] < 0)
            continue;
        out->at[slots[i]] = (int)out->n;
        out->columns[out->n++] = schema->columns[schema->at[slots[i]]];
    }
}

static bool int_at(const struct table *table, const struct nsc_batch *batch, enum nsc_slot slot,
                   uint32_t i, int64_t *out)
{
    int at = table->at[slot];

    if (at < 0 || batch->type[i][at] != NSC_CELL_INT)
        return false;
    *out = batch->value[at][i];
    return true;
}

/* The start of a row that a load would keep. False for a row that ends before it starts. */
static bool start_at(const struct table *table, const struct nsc_batch *batch, uint32_t i,
                     nsc_time *out)
{
    nsc_time end = 0;

    return int_at(table, batch, NSC_SLOT_START, i, out) &&
           (!int_at(table, batch, NSC_SLOT_END, i, &end) || end >= *out);
}

static bool take_first(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct search *search = context;
    struct gathered *own = &search->by_worker[worker];
    nsc_time start = 0;

    (void)task;
    for (uint32_t i = 0; i < batch->n; i++) {
        if (!start_at(&search->table, batch, i, &start) || (own->any && own->first <= start))
            continue;
        own->any = true;
        own->first = start;
    }
    return true;
}

static bool is_named(const struct search *search, const struct nsc_batch *batch, uint32_t i)
{
    int at = search->table.at[NSC_SLOT_TEXT];
    int64_t id = 0;

    if (at >= 0 && batch->type[i][at] == NSC_CELL_TEXT)
        return batch->text[at][i].n == search->name.n &&
               batch->text[at][i].full_n == search->name.n &&
               memcmp(batch->text[at][i].bytes, search->name.bytes, search->name.n) == 0;
    if (!int_at(&search->table, batch, NSC_SLOT_NAME, i, &id))
        return false;
    for (size_t k = 0; k < search->ids.n; k++)
        if (search->ids.at[k] == id)
            return true;
    return false;
}

static bool take_instances(void *context, unsigned worker, uint32_t task,
                           const struct nsc_batch *batch)
{
    struct search *search = context;
    nsc_time start = 0;
    int64_t type = 0;

    (void)task;
    for (uint32_t i = 0; i < batch->n; i++)
        if (int_at(&search->table, batch, NSC_SLOT_EVENT_TYPE, i, &type) &&
            (type == TYPE_PUSH_POP || type == TYPE_START_END || type == TYPE_MARK) &&
            is_named(search, batch, i) && start_at(&search->table, batch, i, &start))
            *NSC_VEC_ADD(&search->by_worker[worker].instances) = start;
    return true;
}

static void clear_gathered(void *context)
{
    struct search *search = context;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        search->by_worker[w].any = false;
        NSC_VEC_CLEAR(&search->by_worker[w].instances);
    }
}

static enum nsc_status
scan_table(struct search *search, struct nsc_capture *capture, struct nsc_anchor_scan by,
           bool (*sink)(void *, unsigned, uint32_t, const struct nsc_batch *),
           struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""}, *failure = error ? error : &own;
    struct nsc_scan scan = {&search->table.schema->scan,
                            search->table.columns,
                            search->table.n,
                            sink,
                            search,
                            by.progress,
                            NULL,
                            NULL};
    enum nsc_scan_result result =
        nsc_scan_table(capture->source, by.pool, &scan, capture->no_pages, clear_gathered, failure);

    if (result == NSC_SCAN_FAILED)
        return failure->status != NSC_OK ? failure->status : NSC_EDAMAGED;
    if (nsc_progress_is_cancelled(by.progress))
        return nsc_fail(error, NSC_ECANCELLED, "cancelled");
    return NSC_OK;
}

static void fini_search(struct search *search)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        NSC_VEC_FINI(&search->by_worker[w].instances);
    NSC_VEC_FINI(&search->ids);
    free(search);
}

/* ---- first events ---- */

static void keep_first(const struct search *search, bool *has, nsc_time *first)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        const struct gathered *own = &search->by_worker[w];

        if (!own->any || (*has && *first <= own->first))
            continue;
        *has = true;
        *first = own->first;
    }
}

/* Whether rows of the table are events of the program: overhead of the profiler and samples of
 * counters are not. */
static bool has_events(const struct nsc_capture *capture, int id)
{
    enum nsc_table_family family = nsc_table_defs[id].family;

    return capture->schema.tables[id].usable && family != NSC_FAMILY_META &&
           family != NSC_FAMILY_OVERHEAD && family != NSC_FAMILY_COUNTERS &&
           family != NSC_FAMILY_GRAPH_EVENTS;
}

enum nsc_status nsc_anchor_find_first(struct nsc_anchor *anchor, struct nsc_capture *capture,
                                      struct nsc_anchor_scan by, struct nsc_error *error)
{
    static const enum nsc_slot slots[] = {NSC_SLOT_START, NSC_SLOT_END};
    struct search *search = nsc_xcalloc(1, sizeof *search);
    enum nsc_status status = NSC_OK;

    for (int id = 0; id < NSC_N_TABLES && status == NSC_OK; id++) {
        if (!has_events(capture, id))
            continue;
        choose_columns(&search->table, &capture->schema.tables[id], slots, 2);
        clear_gathered(search);
        status = scan_table(search, capture, by, take_first, error);
        keep_first(search, &anchor->has_event, &anchor->event);
        if (nsc_table_defs[id].family == NSC_FAMILY_GPU)
            keep_first(search, &anchor->has_work, &anchor->work);
    }
    fini_search(search);
    return status;
}

/* ---- a range ---- */

static void find_ids(struct search *search, const struct nsc_capture *capture)
{
    const struct nsc_schema_table *strings = &capture->schema.tables[NSC_TABLE_STRINGS];
    sqlite3_stmt *row = NULL;

    if (!strings->usable ||
        nsc_source_prepare(&row, capture->source->db, "SELECT id FROM \"%w\" WHERE value = ?1",
                           strings->name) != SQLITE_OK)
        return;
    sqlite3_bind_text(row, 1, search->name.bytes, (int)search->name.n, SQLITE_STATIC);
    while (nsc_source_step(row) == SQLITE_ROW)
        *NSC_VEC_ADD(&search->ids) = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
}

static void keep_instances(struct nsc_anchor *anchor, const struct search *search)
{
    NSC_VEC_CLEAR(&anchor->instances);
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        for (size_t i = 0; i < search->by_worker[w].instances.n; i++)
            *NSC_VEC_ADD(&anchor->instances) = search->by_worker[w].instances.at[i];
    NSC_VEC_SORT(&anchor->instances, nsc_time_compare);
}

enum nsc_status nsc_anchor_find_range(struct nsc_anchor *anchor, struct nsc_capture *capture,
                                      const char *name, struct nsc_anchor_scan by,
                                      struct nsc_error *error)
{
    static const enum nsc_slot slots[] = {NSC_SLOT_START, NSC_SLOT_END, NSC_SLOT_EVENT_TYPE,
                                          NSC_SLOT_TEXT, NSC_SLOT_NAME};
    const struct nsc_schema_table *nvtx = &capture->schema.tables[NSC_TABLE_NVTX];
    struct search *search = NULL;
    enum nsc_status status = NSC_OK;

    if (!nvtx->usable)
        return NSC_OK;
    search = nsc_xcalloc(1, sizeof *search);
    search->name = nsc_text_from(name);
    find_ids(search, capture);
    choose_columns(&search->table, nvtx, slots, sizeof slots / sizeof slots[0]);
    status = scan_table(search, capture, by, take_instances, error);
    if (status == NSC_OK)
        keep_instances(anchor, search);
    fini_search(search);
    return status;
}
