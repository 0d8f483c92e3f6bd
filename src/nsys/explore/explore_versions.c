/*
 * The known versions: tables, columns and changes of schema_history.def.
 */
#include "nsys/explore/concept.h"
#include "nsys/explore/explore.h"
#include "nsys/jobs/table_use.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *version, *schema;
} versions[] = {
#define NSC_SCHEMA_VERSION(version, schema) {version, schema},
#include "nsys/explore/schema_version.def"
#undef NSC_SCHEMA_VERSION
};

static const struct table {
    const char *name, *first, *last, *columns;
} tables[] = {
#define NSC_SCHEMA_TABLE(name, first, last, columns) {name, first, last, columns},
#include "nsys/explore/schema_history.def"
};

static const struct {
    const char *name, *version, *change;
} changes[] = {
#define NSC_SCHEMA_CHANGE(name, version, change) {name, version, change},
#include "nsys/explore/schema_history.def"
};

enum {
    N_VERSIONS = sizeof versions / sizeof *versions,
    N_TABLES = sizeof tables / sizeof *tables,
    N_CHANGES = sizeof changes / sizeof *changes
};

/* ---- versions and changes ---- */

struct version_row {
    const char *version, *schema, *tables;
    int64_t n_changes;
};

static void add_version(struct nsc_sheet *sheet, unsigned i)
{
    struct nsc_buf first = NSC_BUF_INIT(1u << 16);
    int64_t n = 0;

    for (unsigned t = 0; t < N_TABLES && i > 0; t++)
        if (strcmp(tables[t].first, versions[i].version) == 0)
            nsc_buf_printf(&first, "%s%s", first.n ? " " : "", tables[t].name);
    for (unsigned c = 0; c < N_CHANGES; c++)
        n += strcmp(changes[c].version, versions[i].version) == 0;
    NSC_ADD_ROW(sheet, version_row, .version = versions[i].version, .schema = versions[i].schema,
                .n_changes = n, .tables = first.n ? first.bytes : "");
    nsc_buf_fini(&first);
}

static void add_versions(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(version_row, version, "version", "nsys"),
        NSC_COL_TEXT(version_row, schema, "schema", "Schema"),
        NSC_COL_COUNT(version_row, n_changes, "changed_tables", "Changed tables"),
        NSC_COL_TEXT(version_row, tables, "new_tables", "Tables first seen"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "versions", "Versions", columns, 4);

    for (unsigned i = 0; i < N_VERSIONS; i++)
        add_version(sheet, i);
    nsc_sheet_note(sheet, "\"~\": the export does not say its version; it is guessed from paths in "
                          "its strings. nsys writes a table only where it has rows, so that a "
                          "table may be older, or live longer, than was seen.");
}

struct change_row {
    const char *version, *table, *change;
};

static void add_changes(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(change_row, version, "version", "nsys"),
        NSC_COL_TEXT(change_row, table, "table", "Table"),
        NSC_COL_TEXT(change_row, change, "change", "Columns"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "changes", "What changed when", columns, 3);

    for (unsigned i = 0; i < N_VERSIONS; i++)
        for (unsigned c = 0; c < N_CHANGES; c++)
            if (strcmp(changes[c].version, versions[i].version) == 0)
                NSC_ADD_ROW(sheet, change_row, .version = changes[c].version,
                            .table = changes[c].name, .change = changes[c].change);
    nsc_sheet_note(sheet, "+ came, - went, ~ changed its type or may be NULL now.");
}

/* ---- tables ---- */

struct table_row {
    const char *table, *area, *first, *last, *holds, *reader;
};

static void add_tables(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(table_row, table, "table", "Table"),
        NSC_COL_TEXT(table_row, area, "area", "Area"),
        NSC_COL_TEXT(table_row, first, "first_seen", "First seen"),
        NSC_COL_TEXT(table_row, last, "last_seen", "Last seen"),
        NSC_COL_TEXT(table_row, reader, "read_by", "Read by"),
        NSC_COL_TEXT(table_row, holds, "holds", "Holds"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "tables", "Tables", columns, 6);

    for (int area = 0; area < NSC_N_AREAS; area++)
        for (unsigned i = 0; i < N_TABLES; i++) {
            const struct nsc_table_use *use = nsc_table_use_find(tables[i].name);

            if ((int)use->area == area)
                NSC_ADD_ROW(sheet, table_row, .table = tables[i].name,
                            .area = nsc_table_area_word(use->area), .first = tables[i].first,
                            .last = tables[i].last, .holds = use->holds, .reader = use->reader);
        }
}

/* ---- columns ---- */

static bool has_table(const void *context, const char *name)
{
    (void)context;
    for (unsigned i = 0; i < N_TABLES; i++)
        if (strcasecmp(tables[i].name, name) == 0)
            return true;
    return false;
}

struct columns {
    struct nsc_sheet *columns, *references;
};

/* "id:int!+key" */
static void add_column(const struct columns *out, const char *table, struct nsc_text word,
                       const char *since)
{
    static const struct {
        const char *brief, *type;
    } types[] = {{"int", "INTEGER"}, {"text", "TEXT"}, {"real", "REAL"}};
    char text[128];
    char *colon;
    struct nsc_explored_column column = {.table = table, .type = "", .since = since};

    (void)snprintf(text, sizeof text, "%.*s", (int)word.n, word.bytes);
    colon = strchr(text, ':');
    column.column = text;
    if (colon) {
        *colon++ = '\0';
        column.needed = strchr(colon, '!') != NULL;
        column.is_key = strstr(colon, "+key") != NULL;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (strncmp(colon, types[i].brief, strlen(types[i].brief)) == 0)
                column.type = types[i].type;
    }
    nsc_columns_add(out->columns, out->references, &column, has_table, NULL);
}

/* Adds the words of a list; with a sign only those that begin with it, without the sign. */
static void add_words(const struct columns *out, const char *table, const char *list, char sign,
                      const char *since)
{
    while (*list) {
        struct nsc_text word = {list, (uint32_t)strcspn(list, " ")};

        list += word.n + (list[word.n] == ' ');
        if (sign && word.bytes[0] != sign)
            continue;
        if (sign)
            word = (struct nsc_text){word.bytes + 1, word.n - 1};
        add_column(out, table, word, since);
    }
}

static void add_table_columns(const struct columns *sheets, const struct table *table)
{
    add_words(sheets, table->name, table->columns, '\0', table->first);
    for (unsigned c = 0; c < N_CHANGES; c++)
        if (strcmp(changes[c].name, table->name) == 0)
            add_words(sheets, table->name, changes[c].change, '+', changes[c].version);
}

/* In the order of the tables. */
static void add_columns(struct nsc_sheets *out)
{
    struct nsc_sheets later = {0};
    struct columns sheets = {nsc_columns_sheet(out, true), nsc_references_sheet(&later)};

    for (int area = 0; area < NSC_N_AREAS; area++)
        for (unsigned i = 0; i < N_TABLES; i++)
            if ((int)nsc_table_use_find(tables[i].name)->area == area)
                add_table_columns(&sheets, &tables[i]);
    *NSC_VEC_ADD(&out->list) = *sheets.references;
    NSC_VEC_FINI(&later.list); /* its sheet has moved */
}

void nsc_explore_versions(struct nsc_explored *out)
{
    *out = (struct nsc_explored){0};
    add_versions(&out->sheets);
    add_tables(&out->sheets);
    nsc_concepts_sheet(&out->sheets);
    add_columns(&out->sheets);
    add_changes(&out->sheets);
}

void nsc_explored_fini(struct nsc_explored *explored)
{
    nsc_sheets_fini(&explored->sheets);
    for (size_t i = 0; i < explored->kept.n; i++)
        nsc_relation_free(explored->kept.at[i]);
    NSC_VEC_FINI(&explored->kept);
}
