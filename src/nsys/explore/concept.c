/*
 * Gives columns their meaning: rows of concept.def first, then the forms of detail.def.
 */
#include "nsys/explore/concept.h"

#include "nsys/jobs/table_use.h"

#include <stdio.h>

static const struct {
    const char *key, *name, *meaning;
} concepts[NSC_N_CONCEPTS] = {
    {"", "", ""},
#define NSC_CONCEPT(id, key, name, meaning) {key, name, meaning},
#include "nsys/explore/concept.def"
};

struct rule {
    const char *table, *column;
    struct nsc_column_meaning meaning;
};

static const struct rule rules[] = {
#define NSC_CONCEPT_COLUMN(table, column, concept, to_table, to_column) \
    {table, column, {NSC_CONCEPT_##concept, to_table, to_column}},
#include "nsys/explore/concept.def"
/* What the forms of detail.def mean. */
#define FORM_TIME(labels)       CLOCK, "", ""
#define FORM_STRING(labels)     STRING, "StringIds", "id"
#define FORM_THREAD(labels)     THREAD, "ThreadNames", "globalTid"
#define FORM_PROCESS(labels)    PROCESS, "PROCESSES", "globalPid"
#define FORM_LABEL(labels)      ENUM, labels, "id"
#define FORM_SYNC(labels)       ENUM, labels, "id"
#define FORM_DOMAIN(labels)     DOMAIN, "", ""
#define FORM_EVENT_KIND(labels) ENUM, "", ""
#define FORM_BYTES(labels)      NONE, "", ""
#define FORM_COLOR(labels)      NONE, "", ""
#define FORM_CATEGORY(labels)   NONE, "", ""
#define FORM_UNSIGNED(labels)   NONE, "", ""
#define FORM_ADDRESS(labels)    NONE, "", ""
#define MEANING(concept, table, column)      \
    {                                        \
        NSC_CONCEPT_##concept, table, column \
    }
#define RULE(column, ...)                {"*", column, MEANING(__VA_ARGS__)},
#define NSC_DETAIL(column, form, labels) RULE(column, FORM_##form(labels))
#include "nsys/tables/detail.def"
};

struct nsc_column_meaning nsc_column_meaning(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (nsc_name_fits(rules[i].table, table) && nsc_name_fits(rules[i].column, column))
            return rules[i].meaning;
    return (struct nsc_column_meaning){NSC_CONCEPT_NONE, "", ""};
}

/* ---- sheets ---- */

struct column_row {
    const char *table, *column, *type, *concept, *refers, *since;
    bool needed, is_key;
};

struct nsc_sheet *nsc_columns_sheet(struct nsc_sheets *out, bool with_versions)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(column_row, table, "table", "Table"),
        NSC_COL_TEXT(column_row, column, "column", "Column"),
        NSC_COL_TEXT(column_row, type, "type", "Type"),
        NSC_COL_YES(column_row, needed, "not_null", "Never NULL"),
        NSC_COL_YES(column_row, is_key, "is_key", "Key"),
        NSC_COL_TEXT(column_row, concept, "concept", "Concept"),
        NSC_COL_TEXT(column_row, refers, "refers", "Refers to"),
        NSC_COL_TEXT(column_row, since, "since", "Since"),
    };

    return nsc_sheets_add(out, "columns", "Columns", columns, with_versions ? 8 : 7);
}

struct reference_row {
    const char *from_table, *from_column, *concept, *to_table, *to_column;
};

struct nsc_sheet *nsc_references_sheet(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(reference_row, from_table, "from_table", "From table"),
        NSC_COL_TEXT(reference_row, from_column, "from_column", "Column"),
        NSC_COL_TEXT(reference_row, concept, "concept", "Concept"),
        NSC_COL_TEXT(reference_row, to_table, "to_table", "To table"),
        NSC_COL_TEXT(reference_row, to_column, "to_column", "Column"),
    };

    return nsc_sheets_add(out, "references", "References", columns, 5);
}

void nsc_columns_add(struct nsc_sheet *columns, struct nsc_sheet *references,
                     const struct nsc_explored_column *column,
                     bool (*has_table)(const void *context, const char *name), const void *context)
{
    struct nsc_column_meaning meaning = nsc_column_meaning(column->table, column->column);
    char refers[160] = "";

    if (meaning.to_table[0] && has_table(context, meaning.to_table)) {
        (void)snprintf(refers, sizeof refers, "%s.%s", meaning.to_table, meaning.to_column);
        NSC_ADD_ROW(references, reference_row, .from_table = column->table,
                    .from_column = column->column, .concept = concepts[meaning.concept].key,
                    .to_table = meaning.to_table, .to_column = meaning.to_column);
    }
    NSC_ADD_ROW(columns, column_row, .table = column->table, .column = column->column,
                .type = column->type, .needed = column->needed, .is_key = column->is_key,
                .concept = concepts[meaning.concept].key, .refers = refers, .since = column->since);
}

struct concept_row {
    const char *key, *name, *meaning;
};

void nsc_concepts_sheet(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(concept_row, key, "concept", "Concept"),
        NSC_COL_TEXT(concept_row, name, "name", "Name"),
        NSC_COL_TEXT(concept_row, meaning, "meaning", "Meaning"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "concepts", "Concepts", columns, 3);

    for (int i = 1; i < NSC_N_CONCEPTS; i++)
        NSC_ADD_ROW(sheet, concept_row, .key = concepts[i].key, .name = concepts[i].name,
                    .meaning = concepts[i].meaning);
}
