/* Finds the row of table_use.def for a table, and the tables of an export that no view reads. */
#include "nsys/jobs/table_use.h"

#include "nsys/tables/capture_data.h"
#include "nsys/tables/schema.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct nsc_table_use uses[] = {
#define NSC_TABLE_USE(name, holds, reader, area) {name, holds, reader, NSC_AREA_##area},
#include "nsys/jobs/table_use.def"
#undef NSC_TABLE_USE
};

const char *nsc_table_area_word(enum nsc_table_area area)
{
    static const char *const words[NSC_N_AREAS] = {
        [NSC_AREA_GPU] = "on the GPU",
        [NSC_AREA_HOST] = "on the host",
        [NSC_AREA_NVTX] = "NVTX",
        [NSC_AREA_COUNTERS] = "counters",
        [NSC_AREA_NAMES] = "names",
        [NSC_AREA_TARGET] = "the machine",
        [NSC_AREA_CAPTURE] = "the capture",
        [NSC_AREA_ENUMS] = "names of numbers",
        [NSC_AREA_GRAPHICS] = "graphics, video and Windows",
        [NSC_AREA_DERIVED] = "left by other tools",
        [NSC_AREA_OTHER] = "unknown to nsyscope",
    };

    return words[area];
}

/* NOLINTNEXTLINE(misc-no-recursion): one level per star of our own patterns */
bool nsc_name_fits(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    size_t head = star ? (size_t)(star - pattern) : strlen(pattern);

    if (strncasecmp(pattern, name, head) != 0)
        return false;
    if (!star)
        return name[head] == '\0';
    for (name += head; !nsc_name_fits(star + 1, name); name++)
        if (!*name)
            return false;
    return true;
}

const struct nsc_table_use *nsc_table_use_find(const char *name)
{
    static const struct nsc_table_use unknown = {"", "", "", NSC_AREA_OTHER};

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (nsc_name_fits(uses[i].name, name))
            return &uses[i];
    return &unknown;
}

/* Whether the known tables include this one, readable or not. */
static bool is_known(const struct nsc_schema *schema, const char *name)
{
    for (int id = 0; id < NSC_N_TABLES; id++)
        if (schema->tables[id].present && strcasecmp(schema->tables[id].name, name) == 0)
            return true;
    return nsc_table_find(name) < 0 && nsc_table_use_find(name)->reader[0];
}

/* Counts rows by their ids; 0 for a table without row ids. *rc: SQLITE_OK, or SQLite's error. */
static uint64_t count_rows(sqlite3 *db, const char *name, int *rc)
{
    struct nsc_scan_table table = {.name = name, .rowid = "rowid"};
    int64_t lo = 0;
    int64_t hi = 0;
    uint64_t n = nsc_schema_rowids(db, &table, &lo, &hi, rc) ? (uint64_t)hi - (uint64_t)lo + 1 : 0;

    if (*rc == SQLITE_ERROR)
        *rc = SQLITE_OK;
    return n;
}

/* Returns SQLITE_OK, or SQLite's error. */
static int list_unread(struct nsc_unread_tables *tables, const struct nsc_capture *capture)
{
    sqlite3 *db = capture->source->db;
    sqlite3_stmt *row = NULL;
    int rc = nsc_source_prepare(&row, db,
                                "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage "
                                "> 0 ORDER BY name");

    while (rc == SQLITE_OK && (rc = nsc_source_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        uint64_t rows = 0;

        rc = SQLITE_OK;
        if (name && strncasecmp(name, "sqlite_", 7) != 0 && !is_known(&capture->schema, name))
            rows = count_rows(db, name, &rc);
        if (rows > 0)
            *NSC_VEC_ADD(&tables->list) = (struct nsc_unread_table){
                nsc_xcopy(name, strlen(name)), rows, nsc_table_use_find(name)->holds};
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

void nsc_unread_tables_init(struct nsc_unread_tables *tables, struct nsc_capture *capture,
                            struct nsc_error *trouble)
{
    int rc;

    *tables = (struct nsc_unread_tables){0};
    rc = list_unread(tables, capture);
    if (nsc_source_can_retry(rc)) {
        nsc_unread_tables_fini(tables);
        rc = list_unread(tables, capture);
    }
    if (rc != SQLITE_OK)
        nsc_source_fail(capture->source, rc, "cannot count rows of", trouble);
}

void nsc_unread_tables_fini(struct nsc_unread_tables *tables)
{
    for (size_t i = 0; i < tables->list.n; i++)
        free(tables->list.at[i].name);
    NSC_VEC_FINI(&tables->list);
}
