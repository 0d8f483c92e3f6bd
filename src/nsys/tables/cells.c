/* Reads one row column by column, so that an overlong cell fails alone. */
#include "nsys/tables/cells.h"

#include "nsys/pages/source.h"

#include <stdlib.h>
#include <string.h>

/* Stores the bytes of a text or blob. */
static void take_bytes(struct nsc_row_cell *cell, uint8_t type, const void *bytes, int n)
{
    cell->type = type;
    cell->full_n = bytes ? (uint64_t)n : 0;
    cell->n = cell->full_n < NSC_CELL_TEXT_LIMIT ? (uint32_t)cell->full_n : NSC_CELL_TEXT_LIMIT;
    cell->text = nsc_xcopy(cell->n ? bytes : "", cell->n);
}

static void take_cell(struct nsc_row_cell *cell, sqlite3_stmt *row)
{
    const void *bytes;

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
        bytes = sqlite3_column_text(row, 0);
        take_bytes(cell, NSC_CELL_TEXT, bytes, sqlite3_column_bytes(row, 0));
        break;
    case SQLITE_BLOB:
        bytes = sqlite3_column_blob(row, 0);
        take_bytes(cell, NSC_CELL_BLOB, bytes, sqlite3_column_bytes(row, 0));
        break;
    default:
        cell->type = NSC_CELL_NULL;
    }
}

/* Reads one cell. SQLITE_DONE if there is no such row. */
static int add_cell(struct nsc_cells *cells, sqlite3 *db, const struct nsc_schema_table *table,
                    const char *name, int64_t rowid)
{
    sqlite3_stmt *statement = NULL;
    struct nsc_row_cell *cell;
    int rc = nsc_source_prepare(&statement, db, "SELECT \"%w\" FROM \"%w\" WHERE %s = %lld", name,
                                table->name, table->scan.rowid, (long long)rowid);

    if (rc == SQLITE_OK)
        rc = nsc_source_step(statement);
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
    (void)nsc_source_prepare(&columns, db, "PRAGMA table_xinfo(\"%w\")", table->name);
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
    for (size_t i = 0; i < cells->at.n; i++) {
        free(cells->at.at[i].name);
        free(cells->at.at[i].text);
    }
    NSC_VEC_FINI(&cells->at);
}

bool nsc_cells_int(const struct nsc_cells *cells, const char *name, int64_t *out)
{
    for (size_t i = 0; i < cells->at.n; i++) {
        if (strcmp(cells->at.at[i].name, name) != 0)
            continue;
        *out = cells->at.at[i].value;
        return cells->at.at[i].type == NSC_CELL_INT;
    }
    return false;
}
