/* Prints the schema as text for people: one block per table, then queries with their rows. */
#include "core/sheet.h"
#include "core/text.h"
#include "core/units.h"
#include "share/schema_view.h"

#include <inttypes.h>
#include <string.h>

enum { WORDS_COLS = 98 };

struct writing {
    struct nsc_buf *out;
    const struct nsc_sheets *sheets;
    const struct nsc_sheet_style *style;
};

static void add_text(const struct writing *w, struct nsc_text text)
{
    nsc_text_clean(w->out, text, w->style->ascii);
}

/* Adds a text and at least two blanks, up to a width in cells. */
static void add_padded(const struct writing *w, struct nsc_text text, int cells)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);
    int n;

    nsc_text_clean(&clean, text, w->style->ascii);
    n = (int)nsc_text_width(nsc_text_of_buf(&clean), w->style->ascii);
    nsc_buf_add(w->out, clean.bytes, clean.n);
    nsc_buf_printf(w->out, "%*s", n + 2 <= cells ? cells - n : 2, "");
    nsc_buf_fini(&clean);
}

/* Ends a line without the blanks of its padding. */
static void end_line(const struct writing *w)
{
    while (w->out->n && w->out->bytes[w->out->n - 1] == ' ')
        w->out->n--;
    nsc_buf_putc(w->out, '\n');
}

/* Adds "  read by: stream rows", unless there is nothing to say. */
static void add_fact(const struct writing *w, const struct nsc_sheet *sheet, uint32_t row,
                     const char *label, const char *key)
{
    struct nsc_text value = nsc_sheet_find_text(sheet, row, key);

    if (!value.n)
        return;
    nsc_buf_printf(w->out, "  %s", label);
    add_text(w, value);
    nsc_buf_putc(w->out, '\n');
}

/* "CUPTI_ACTIVITY_KIND_KERNEL  on the GPU, 33 rows, 3.08 s to 4.05 s" */
static void add_head(const struct writing *w, const struct nsc_sheet *tables, uint32_t i)
{
    const struct nsc_sheet_cell *rows = nsc_sheet_find(tables, i, "rows");
    const struct nsc_sheet_cell *from = nsc_sheet_find(tables, i, "from_ns");
    const struct nsc_sheet_cell *to = nsc_sheet_find(tables, i, "to_ns");
    struct nsc_text first = nsc_sheet_find_text(tables, i, "first_seen");
    char text[NSC_UNITS_SPAN_BYTES];

    nsc_buf_putc(w->out, '\n');
    add_padded(w, nsc_sheet_find_text(tables, i, "table"), 0);
    add_text(w, nsc_sheet_find_text(tables, i, "area"));
    if (rows && rows->is_set)
        nsc_buf_printf(w->out, ", %s rows", nsc_units_count(text, (uint64_t)rows->integer));
    if (from && to && from->is_set && to->is_set)
        nsc_buf_printf(w->out, ", %s",
                       nsc_units_span(text, (struct nsc_window){from->integer, to->integer}));
    if (first.n) {
        nsc_buf_puts(w->out, ", seen in ");
        add_text(w, first);
        nsc_buf_puts(w->out, " to ");
        add_text(w, nsc_sheet_find_text(tables, i, "last_seen"));
    }
    nsc_buf_putc(w->out, '\n');
    add_fact(w, tables, i, "", "holds");
    add_fact(w, tables, i, "read by: ", "read_by");
    add_fact(w, tables, i, "in place of: ", "stands_for");
}

/* "    shortName  INTEGER, never NULL  string -> StringIds.id" */
static void add_column(const struct writing *w, const struct nsc_sheet *columns, uint32_t row)
{
    struct nsc_text refers = nsc_sheet_find_text(columns, row, "refers");
    struct nsc_text since = nsc_sheet_find_text(columns, row, "since");
    struct nsc_buf type = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_puts(w->out, "    ");
    add_padded(w, nsc_sheet_find_text(columns, row, "column"), 30);
    nsc_text_clean(&type, nsc_sheet_find_text(columns, row, "type"), w->style->ascii);
    nsc_buf_puts(&type, nsc_sheet_find_bool(columns, row, "not_null") ? ", never NULL" : "");
    nsc_buf_puts(&type, nsc_sheet_find_bool(columns, row, "is_key") ? ", key" : "");
    add_padded(w, nsc_text_of_buf(&type), 27);
    nsc_buf_fini(&type);
    if (since.n)
        add_padded(w, since, 11);
    add_text(w, nsc_sheet_find_text(columns, row, "concept"));
    if (refers.n) {
        nsc_buf_puts(w->out, w->style->ascii ? " -> " : " → ");
        add_text(w, refers);
    }
    end_line(w);
}

/* "  name    what it says" */
static void add_pair(const struct writing *w, struct nsc_text name, int cells, struct nsc_text says)
{
    nsc_buf_puts(w->out, "  ");
    add_padded(w, name, cells);
    add_text(w, says);
    nsc_buf_putc(w->out, '\n');
}

static void add_concepts(const struct writing *w)
{
    const struct nsc_sheet *concepts = nsc_sheets_find(w->sheets, "concepts");

    nsc_buf_puts(w->out, "Concepts\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(concepts); i++)
        add_pair(w, nsc_sheet_find_text(concepts, i, "concept"), 13,
                 nsc_sheet_find_text(concepts, i, "meaning"));
    nsc_buf_putc(w->out, '\n');
}

static void add_tables(const struct writing *w)
{
    const struct nsc_sheet *tables = nsc_sheets_find(w->sheets, "tables");
    const struct nsc_sheet *columns = nsc_sheets_find(w->sheets, "columns");
    uint32_t row = 0;

    nsc_buf_puts(w->out, "Tables and columns\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(tables); i++) {
        struct nsc_text name = nsc_sheet_find_text(tables, i, "table");

        add_head(w, tables, i);
        for (; row < nsc_sheet_rows(columns) &&
               nsc_text_equal(nsc_sheet_find_text(columns, row, "table"), name);
             row++)
            add_column(w, columns, row);
    }
    nsc_buf_putc(w->out, '\n');
}

static void add_sheet(const struct writing *w, const struct nsc_sheet *sheet)
{
    nsc_sheet_write(w->out, sheet, w->style);
    nsc_buf_putc(w->out, '\n');
}

static void add_words(const struct writing *w, struct nsc_text text)
{
    const struct nsc_sheet_style style = {.ascii = w->style->ascii, .wrap = WORDS_COLS};
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, w->style->ascii);
    if (text.n)
        nsc_words_wrap(w->out, "      ", nsc_text_of_buf(&clean), &style);
    nsc_buf_fini(&clean);
}

static void add_notes(const struct writing *w, const struct nsc_sheet *sheet)
{
    for (size_t i = 0; i < sheet->notes.n; i++)
        add_words(w, nsc_text_from(sheet->notes.at[i]));
    nsc_buf_putc(w->out, '\n');
}

/* "  2021.5.2    schema 2.7.0    columns of 4 tables changed, 3 tables first seen:", then their names. */
static void add_versions(const struct writing *w, const struct nsc_sheet *versions)
{
    nsc_buf_puts(w->out, "Versions of nsys\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(versions); i++) {
        struct nsc_text tables = nsc_sheet_find_text(versions, i, "new_tables");
        struct nsc_text schema = nsc_sheet_find_text(versions, i, "schema");
        const struct nsc_sheet_cell *changed = nsc_sheet_find(versions, i, "changed_tables");
        struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_puts(w->out, "  ");
        add_padded(w, nsc_sheet_find_text(versions, i, "version"), 12);
        if (schema.n)
            nsc_buf_printf(&line, "schema %.*s", (int)schema.n, schema.bytes);
        if (schema.n || tables.n || (changed && changed->integer))
            add_padded(w, nsc_text_of_buf(&line), 16);
        else if (i)
            add_text(w, nsc_text_from("no changes"));
        nsc_buf_fini(&line);
        if (changed && changed->is_set && changed->integer)
            nsc_buf_printf(w->out, "tables with other columns: %" PRId64, changed->integer);
        if (tables.n)
            nsc_buf_printf(w->out, "%stables first seen:", changed && changed->integer ? "; " : "");
        end_line(w);
        add_words(w, tables);
    }
    add_notes(w, versions);
}

/* "  2021.5.2    CUPTI_ACTIVITY_KIND_KERNEL", then its columns. */
static void add_changes(const struct writing *w, const struct nsc_sheet *changes)
{
    nsc_buf_puts(w->out, "What changed when\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(changes); i++) {
        add_pair(w, nsc_sheet_find_text(changes, i, "version"), 12,
                 nsc_sheet_find_text(changes, i, "table"));
        add_words(w, nsc_sheet_find_text(changes, i, "change"));
    }
    add_notes(w, changes);
}

static void add_queries(const struct writing *w)
{
    const struct nsc_sheet *queries = nsc_sheets_find(w->sheets, "queries");
    uint32_t row = 0;

    for (size_t i = 0; queries && i < w->sheets->list.n; i++) {
        if (strncmp(w->sheets->list.at[i].key, "query_", 6) != 0)
            continue;
        nsc_buf_puts(w->out, "Query: ");
        add_text(w, nsc_sheet_find_text(queries, row++, "sql"));
        nsc_buf_putc(w->out, '\n');
        add_sheet(w, &w->sheets->list.at[i]);
    }
}

void nsc_schema_text(struct nsc_buf *out, const struct nsc_sheets *sheets,
                     const struct nsc_sheet_style *style)
{
    const struct writing w = {out, sheets, style};
    const struct nsc_sheet *changes = nsc_sheets_find(sheets, "changes");
    const struct nsc_sheet *versions = nsc_sheets_find(sheets, "versions");

    if (versions)
        add_versions(&w, versions);
    add_concepts(&w);
    add_tables(&w);
    add_queries(&w);
    if (changes)
        add_changes(&w, changes);
}
