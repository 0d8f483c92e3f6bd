/*
 * Every stored column of every table of events of every export of a folder, read as fields, equals
 * plain SQL.
 */
#include "nsys/tables/fields.h"
#include "support/cm.h"
#include "support/reference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 64 /* columns of a table that are looked at */

static uint64_t n_cells;

static sqlite3_stmt *prepare(sqlite3 *db, char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_free(sql);
    return statement;
}

static uint32_t list_columns(char names[NAMES][64], sqlite3 *db, const char *table)
{
    sqlite3_stmt *info = prepare(db, sqlite3_mprintf("PRAGMA table_info(\"%w\")", table));
    uint32_t n = 0;

    while (n < NAMES && sqlite3_step(info) == SQLITE_ROW)
        snprintf(names[n++], sizeof names[0], "%s", (const char *)sqlite3_column_text(info, 1));
    sqlite3_finalize(info);
    return n;
}

/* One row: each column, read as integer and, if requested, as text. */
static void compare_row(const struct nsc_fields *ints, const struct nsc_fields *texts, uint32_t row,
                        sqlite3_stmt *truth)
{
    for (uint32_t c = 0; c < ints->n_columns; c++) {
        int type = sqlite3_column_type(truth, (int)c + 1);
        int64_t value;
        bool is_int = nsc_fields_int(&value, ints, c, row);
        struct nsc_text text = nsc_fields_text(texts, c, row);

        n_cells++;
        if (is_int != (type == SQLITE_INTEGER) ||
            (is_int && value != sqlite3_column_int64(truth, (int)c + 1)))
            fail_msg("%s: row %lld: %lld", ints->columns[c].name,
                     (long long)sqlite3_column_int64(truth, 0), (long long)value);
        if (type == SQLITE_TEXT) {
            assert_int_equal(text.n, sqlite3_column_bytes(truth, (int)c + 1));
            if (text.n)
                assert_memory_equal(text.bytes, sqlite3_column_text(truth, (int)c + 1), text.n);
        } else {
            assert_int_equal(text.n, 0);
        }
    }
}

struct subject {
    sqlite3 *db;
    struct nsc_capture *capture;
    struct nsc_trace *trace;
};

static struct nsc_fields *read_fields(struct subject *subject, enum nsc_kind kind,
                                      const struct nsc_field_ask asks[], uint32_t n)
{
    struct nsc_fields_query query = {.kind = kind, .asks = asks, .n_asks = n};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_fields *fields;

    if (nsc_fields_read(&fields, subject->capture, subject->trace, &query, &error) != NSC_OK)
        fail_msg("%s", error.text);
    return fields;
}

static sqlite3_stmt *select_columns(sqlite3 *db, const char *table,
                                    const struct nsc_field_ask asks[], uint32_t n)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendall(sql, "SELECT rowid");
    for (uint32_t c = 0; c < n; c++)
        sqlite3_str_appendf(sql, ", \"%w\"", asks[c].name);
    sqlite3_str_appendf(sql, " FROM \"%w\" ORDER BY rowid", table);
    return prepare(db, sqlite3_str_finish(sql));
}

static nsc_event *events_by_source(const struct nsc_trace *trace, const struct nsc_fields *fields,
                                   uint32_t *n)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event *at;

    *n = 0;
    for (uint32_t i = 0; i < fields->n; i++)
        if (events->source[fields->event[i]] >= *n)
            *n = events->source[fields->event[i]] + 1;
    at = malloc(((size_t)*n + 1) * sizeof *at);
    assert_non_null(at);
    for (uint32_t i = 0; i < *n; i++)
        at[i] = NSC_NONE;
    for (uint32_t i = 0; i < fields->n; i++)
        at[events->source[fields->event[i]]] = fields->event[i];
    return at;
}

static void compare_columns(struct subject *subject, enum nsc_kind kind,
                            struct nsc_field_ask asks[], uint32_t n)
{
    const char *table = nsc_kind_table(kind);
    struct nsc_fields *ints = read_fields(subject, kind, asks, n), *texts;
    sqlite3_stmt *truth = select_columns(subject->db, table, asks, n);
    uint32_t n_sources, met = 0;
    nsc_event *event = events_by_source(subject->trace, ints, &n_sources);

    for (uint32_t c = 0; c < n; c++) {
        assert_true(nsc_fields_has(ints, c));
        asks[c].type = NSC_FIELD_TEXT;
    }
    texts = read_fields(subject, kind, asks, n);
    while (sqlite3_step(truth) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(truth, 0);

        if (id < 0 || id >= n_sources || event[id] == NSC_NONE)
            continue;
        compare_row(ints, texts, nsc_fields_find(ints, event[id]), truth);
        met++;
    }
    assert_int_equal(met, ints->n);
    sqlite3_finalize(truth);
    free(event);
    nsc_fields_free(ints);
    nsc_fields_free(texts);
}

static void compare_table(struct subject *subject, enum nsc_kind kind)
{
    char names[NAMES][64];
    uint32_t n = list_columns(names, subject->db, nsc_kind_table(kind));

    for (uint32_t first = 0; first < n; first += NSC_FIELDS_COLUMNS) {
        struct nsc_field_ask asks[NSC_FIELDS_COLUMNS];
        uint32_t c;

        for (c = 0; c < NSC_FIELDS_COLUMNS && first + c < n; c++)
            asks[c] = (struct nsc_field_ask){names[first + c], NSC_FIELD_INT};
        compare_columns(subject, kind, asks, c);
    }
}

static void check_export(const char *path)
{
    struct subject subject;
    struct nsc_error error = {NSC_OK, ""};

    if (nsc_capture_open(&subject.capture, path, NULL, &error) != NSC_OK ||
        nsc_capture_load(&subject.trace, subject.capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    assert_int_equal(sqlite3_open_v2(path, &subject.db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    for (int k = 1; k < NSC_N_KINDS; k++)
        if (strcmp(nsc_kind_table((enum nsc_kind)k), nsc_kind_table((enum nsc_kind)(k - 1))) != 0)
            compare_table(&subject, (enum nsc_kind)k);
    sqlite3_close(subject.db);
    nsc_trace_free(subject.trace);
    nsc_capture_close(subject.capture);
}

TEST(test_all)
{
    (void)nsc_test_each_export(check_export);
    printf("%llu cells\n", (unsigned long long)n_cells);
    assert_true(n_cells > 0);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
