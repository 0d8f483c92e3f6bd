/* Converts cells of any table to columns of struct nsc_fields. */
#include "nsys/tables/fields_data.h"

#include "core/pages.h"
#include "nsys/pages/source.h"
#include "nsys/tables/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct nsc_fields *nsc_fetch_init_scan(struct nsc_fetch *fetch,
                                       const struct nsc_fields_query *query,
                                       const struct nsc_scan_table *table)
{
    struct nsc_fields *fields = nsc_xcalloc(1, sizeof *fields);

    assert(query->n_asks <= NSC_FIELDS_COLUMNS);
    nsc_strpool_init(&fields->texts);
    fields->n_columns = query->n_asks;
    fetch->fields = fields;
    fetch->table = table;
    pthread_mutex_init(&fetch->lock, NULL);
    for (uint32_t c = 0; c < query->n_asks; c++) {
        struct nsc_field *column = &fields->columns[c];

        column->name = query->asks[c].name;
        column->type = (uint8_t)query->asks[c].type;
        if (table && strcmp(column->name, "rowid") == 0)
            fetch->scan[fetch->n] = (struct nsc_scan_column){
                .name = nsc_xcopy(table->rowid, strlen(table->rowid)), .is_rowid = true};
        else if (!table || !nsc_column_find(&fetch->scan[fetch->n], fetch->capture->source->db,
                                            table, column->name))
            continue;
        column->is_there = true;
        fetch->scan[fetch->n].wants_blob = column->type == NSC_FIELD_BYTES;
        fetch->scan[fetch->n].wants_text =
            column->type == NSC_FIELD_TEXT || column->type == NSC_FIELD_BYTES;
        fetch->column[fetch->n++] = c;
    }
    return fields;
}

struct nsc_fields *nsc_fetch_init(struct nsc_fetch *fetch, const struct nsc_fields_query *query,
                                  const struct nsc_schema_table *table)
{
    return nsc_fetch_init_scan(fetch, query, table && table->usable ? &table->scan : NULL);
}

bool nsc_fetch_columns(struct nsc_fetch *fetch, uint32_t n)
{
    for (uint32_t c = 0; c < fetch->n; c++) {
        struct nsc_field *column = &fetch->fields->columns[fetch->column[c]];

        column->value_bytes = (size_t)n * sizeof *column->value;
        column->set_bytes = nsc_bits_words(n) * sizeof *column->set;
        column->value = nsc_pages_new(column->value_bytes);
        column->set = nsc_pages_new(column->set_bytes);
        if (n && (!column->value || !column->set))
            return false;
    }
    return true;
}

/* The number in an INT, REAL or STRING cell (STRING: the id). False: not set. */
static bool read_number(int64_t *out, uint8_t cell, int64_t value, uint8_t type)
{
    double real = (double)value;

    if (cell != NSC_CELL_INT && (type != NSC_FIELD_REAL || cell != NSC_CELL_REAL))
        return false;
    *out = value;
    if (type == NSC_FIELD_REAL && cell == NSC_CELL_INT)
        memcpy(out, &real, sizeof real);
    return true;
}

bool nsc_fetch_cell(int64_t *out, struct nsc_fetch *fetch, const struct nsc_batch *batch,
                    uint32_t c, uint32_t i, bool has_bytes)
{
    uint8_t type = fetch->fields->columns[fetch->column[c]].type;
    uint8_t cell = batch->type[i][c];

    *out = 0;
    if (type != NSC_FIELD_TEXT && type != NSC_FIELD_BYTES)
        return read_number(out, cell, batch->value[c][i], type);
    if (cell != NSC_CELL_TEXT && (type != NSC_FIELD_BYTES || cell != NSC_CELL_BLOB || !has_bytes))
        return false;
    pthread_mutex_lock(&fetch->lock);
    *out = nsc_strpool_add(&fetch->fields->texts, batch->text[c][i].bytes, batch->text[c][i].n);
    pthread_mutex_unlock(&fetch->lock);
    return true;
}

/* Turns the string ids of a column into texts. Neighbours often have the same id. */
static void name_ids(struct nsc_fetch *fetch, struct nsc_field *column)
{
    struct nsc_fields *fields = fetch->fields;
    int64_t *value = (int64_t *)(uintptr_t)column->value;
    uint64_t *set = (uint64_t *)(uintptr_t)column->set;
    struct nsc_namemap names = {NULL, 0, 0};

    for (uint32_t row = 0; row < fields->n; row++) {
        struct nsc_named *named;
        struct nsc_text text;

        if (!nsc_bits_get(set, row))
            continue;
        named = nsc_namemap_find(&names, NSC_NAME_PLAIN, value[row], 0);
        if (!named->known) {
            named->missing = !nsc_strings_find(&fetch->capture->strings, value[row], &text);
            if (!named->missing)
                named->number = nsc_strpool_add(&fields->texts, text.bytes, text.n);
            named->known = true;
        }
        value[row] = named->missing ? 0 : (int64_t)named->number;
        if (named->missing)
            nsc_bits_unset(set, row);
    }
    nsc_namemap_fini(&names);
}

void nsc_fetch_end(struct nsc_fetch *fetch)
{
    for (uint32_t c = 0; c < fetch->n; c++) {
        struct nsc_field *column = &fetch->fields->columns[fetch->column[c]];

        if (column->type == NSC_FIELD_STRING)
            name_ids(fetch, column);
    }
    nsc_strpool_end(&fetch->fields->texts);
}

void nsc_fetch_fini(struct nsc_fetch *fetch)
{
    for (uint32_t c = 0; c < fetch->n; c++)
        free((void *)(uintptr_t)fetch->scan[c].name);
    pthread_mutex_destroy(&fetch->lock);
}

enum nsc_status nsc_fetch_held(struct nsc_fields **out, struct nsc_capture *capture,
                               enum nsc_status (*read)(struct nsc_fields **out, void *context,
                                                       struct nsc_error *error),
                               void *context, struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    sqlite3_stmt *held = NULL;
    int rc = nsc_source_begin_read(&held, capture->source->db);
    enum nsc_status status;

    *out = NULL;
    if (rc == SQLITE_OK)
        status = read(out, context, &own);
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
