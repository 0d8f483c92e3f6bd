/* Reads one row column by column, so that an overlong cell fails alone. */
#include "nsys/tables/cells.h"

#include "nsys/pages/source.h"

#include <stdlib.h>
#include <string.h>

static sqlite3_stmt *prepare_cell(sqlite3 *db, const struct nsc_schema_table *table,
                                  const char *column, int64_t rowid)
{
    char *sql = sqlite3_mprintf("SELECT \"%w\" FROM \"%w\" WHERE %s = ?1", column, table->name,
                                table->scan.rowid);
    sqlite3_stmt *statement = NULL;

    if (sql && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK)
        sqlite3_bind_int64(statement, 1, rowid);
    sqlite3_free(sql);
    return statement;
}

static void take_cell(struct nsc_row_cell *cell, sqlite3_stmt *row)
{
    const void *text;

    switch (sqlite3_column_type(row, 0)) {
    case SQLITE_INTEGER:
        cell->type = NSC_CELL_INT;
        cell->value = sqlite3_column_int64(row, 0);
        break;
    case SQLITE_FLOAT:
        cell->type = NSC_CELL_REAL;
        cell->real = sqlite3_column_double(row, 0);
        break;
    case SQLITE_TEXT:
        cell->type = NSC_CELL_TEXT;
        text = sqlite3_column_text(row, 0);
        cell->full_n = text ? (uint64_t)sqlite3_column_bytes(row, 0) : 0;
        cell->n = cell->full_n < NSC_CELL_TEXT_LIMIT ? (uint32_t)cell->full_n : NSC_CELL_TEXT_LIMIT;
        cell->text = nsc_xcopy(text, cell->n);
        break;
    case SQLITE_BLOB:
        cell->type = NSC_CELL_BLOB;
        text = sqlite3_column_blob(row, 0);
        cell->full_n = text ? (uint64_t)sqlite3_column_bytes(row, 0) : 0;
        cell->n = cell->full_n < NSC_CELL_TEXT_LIMIT ? (uint32_t)cell->full_n : NSC_CELL_TEXT_LIMIT;
        cell->text = nsc_xcopy(cell->n ? text : "", cell->n);
        break;
    default:
        cell->type = NSC_CELL_NULL;
    }
}

/* Reads one cell. SQLITE_DONE if there is no such row. */
static int add_cell(struct nsc_cells *cells, sqlite3 *db, const struct nsc_schema_table *table,
                    const char *name, int64_t rowid)
{
    sqlite3_stmt *statement = prepare_cell(db, table, name, rowid);
    struct nsc_row_cell *cell;
    int rc = statement ? nsc_source_step(statement) : sqlite3_errcode(db);

    if (rc == SQLITE_ROW || (rc & 0xff) == SQLITE_TOOBIG) {
        cell = NSC_VEC_ADD(&cells->at);
        *cell = (struct nsc_row_cell){.name = nsc_xcopy(name, strlen(name)), .type = NSC_CELL_BLOB};
        if (rc == SQLITE_ROW)
            take_cell(cell, statement);
        rc = SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    return rc;
}

static sqlite3_stmt *list_columns(sqlite3 *db, const char *table)
{
    char *sql = sqlite3_mprintf("PRAGMA table_xinfo(\"%w\")", table);
    sqlite3_stmt *statement = NULL;

    if (sql)
        (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
}

enum nsc_status nsc_cells_read(struct nsc_cells *cells, struct nsc_capture *capture,
                               enum nsc_table_id id, int64_t rowid, struct nsc_error *error)
{
    const struct nsc_schema_table *table = &capture->schema.tables[id];
    sqlite3 *db = capture->source->db;
    sqlite3_stmt *columns;
    int rc = SQLITE_ROW;

    memset(cells, 0, sizeof *cells);
    cells->table = id;
    if (!table->usable)
        return nsc_fail(error, NSC_ENODATA, "the export has no table %s", nsc_table_defs[id].name);
    columns = list_columns(db, table->name);
    while (columns && rc == SQLITE_ROW && nsc_source_step(columns) == SQLITE_ROW)
        /* Skips generated columns: computing one can take any time. */
        if (sqlite3_column_int(columns, 6) == 0)
            rc = add_cell(cells, db, table, (const char *)sqlite3_column_text(columns, 1), rowid);
    sqlite3_finalize(columns);
    if (rc == SQLITE_ROW)
        return NSC_OK;
    nsc_cells_fini(cells);
    if (rc == SQLITE_DONE)
        return nsc_fail(error, NSC_ENODATA, "%s has no row %lld (any more)", table->name,
                        (long long)rowid);
    return nsc_source_fail(capture->source, rc, "cannot read", error);
}

void nsc_cells_fini(struct nsc_cells *cells)
{
    size_t i;

    for (i = 0; i < cells->at.n; i++) {
        free(cells->at.at[i].name);
        free(cells->at.at[i].text);
    }
    NSC_VEC_FINI(&cells->at);
}

bool nsc_cells_int(const struct nsc_cells *cells, const char *name, int64_t *out)
{
    size_t i;

    for (i = 0; i < cells->at.n; i++) {
        if (strcmp(cells->at.at[i].name, name) != 0)
            continue;
        *out = cells->at.at[i].value;
        return cells->at.at[i].type == NSC_CELL_INT;
    }
    return false;
}
