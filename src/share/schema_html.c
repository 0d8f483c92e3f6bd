/*
 * Writes the schema page. CSS alone highlights a concept: when its radio button is checked, all
 * columns and references of its class stand out.
 */
#include "core/sheet.h"
#include "core/text.h"
#include "core/units.h"
#include "share/markup.h"
#include "share/schema_view.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:78em;padding:0 1em}"
    "h2{margin:2em 0 .4em;border-bottom:1px solid #8884}h3{margin:1.6em 0 .2em}"
    "p{margin:.3em 0}.dim{opacity:.7}ul{columns:21em;font-size:13px}"
    ".w{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:.5em 0}"
    "th,td{padding:.15em .7em;border-bottom:1px solid #8883;text-align:left;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px;background:#8882;padding:.5em}"
    "body>input{position:absolute;opacity:0}label{display:inline-block;padding:0 .5em;margin:.1em;"
    "border:1px solid #8886}input:checked+label{background:#fd08}"
    "input:focus-visible+label{outline:2px solid}h1,h3,li{overflow-wrap:anywhere}"
    "svg text{font:12px system-ui,sans-serif;fill:currentColor}"
    "svg path{fill:none;stroke:#888;stroke-opacity:.45}svg a{color:inherit}";

/* ---- a sheet as a table ---- */

static void add_sheet(struct nsc_buf *out, const struct nsc_sheet *sheet)
{
    nsc_markup_sheet(out, sheet, &(struct nsc_markup_table){.n_rows = nsc_sheet_rows(sheet)});
    for (size_t i = 0; i < sheet->notes.n; i++)
        nsc_markup_element(out, "<p class=\"dim\">", nsc_text_from(sheet->notes.at[i]), "</p>\n");
}

/* ---- concepts ---- */

static void add_head(struct nsc_buf *out, const struct nsc_sheet *concepts, const char *title)
{
    nsc_markup_page(out, title, style);
    for (uint32_t i = 0; i < nsc_sheet_rows(concepts); i++) {
        struct nsc_text key = nsc_sheet_find_text(concepts, i, "concept");

        nsc_buf_printf(out,
                       "\n#c-%.*s:checked~main .%.*s{background:#fd08;stroke:#e80;"
                       "stroke-opacity:1;stroke-width:2}",
                       (int)key.n, key.bytes, (int)key.n, key.bytes);
    }
    nsc_buf_puts(out, "</style></head><body>\n");
    nsc_markup_element(out, "<h1>", nsc_text_from(title), "</h1>\n<p>Highlight:</p>\n");
    nsc_buf_puts(out, "<input type=\"radio\" name=\"c\" id=\"c-none\" checked>"
                      "<label for=\"c-none\">nothing</label>\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(concepts); i++) {
        struct nsc_text key = nsc_sheet_find_text(concepts, i, "concept");

        nsc_buf_printf(out, "<input type=\"radio\" name=\"c\" id=\"c-%.*s\"><label for=\"c-%.*s\">",
                       (int)key.n, key.bytes, (int)key.n, key.bytes);
        nsc_markup_element(out, "", nsc_sheet_find_text(concepts, i, "name"), "</label>\n");
    }
    nsc_buf_puts(out, "<main>\n");
}

/* ---- tables ---- */

/* The number of the table with this name; NSC_NONE: none. */
static uint32_t find_table(const struct nsc_sheet *tables, struct nsc_text name)
{
    for (uint32_t i = 0; i < nsc_sheet_rows(tables); i++)
        if (nsc_text_equal(nsc_sheet_find_text(tables, i, "table"), name))
            return i;
    return NSC_NONE;
}

static void add_link(struct nsc_buf *out, const struct nsc_sheet *tables, struct nsc_text table,
                     struct nsc_text shown)
{
    uint32_t number = find_table(tables, table);

    if (number != NSC_NONE)
        nsc_buf_printf(out, "<a href=\"#t%u\">", (unsigned)number);
    nsc_markup_text(out, shown);
    if (number != NSC_NONE)
        nsc_buf_puts(out, "</a>");
}

static void add_list(struct nsc_buf *out, const struct nsc_sheet *tables)
{
    struct nsc_text area = {"", 0};

    nsc_buf_puts(out, "<h2 id=\"tables\">Tables</h2>\n");
    for (uint32_t i = 0; i < nsc_sheet_rows(tables); i++) {
        struct nsc_text name = nsc_sheet_find_text(tables, i, "table");

        if (!nsc_text_equal(area, nsc_sheet_find_text(tables, i, "area"))) {
            area = nsc_sheet_find_text(tables, i, "area");
            nsc_buf_puts(out, i ? "</ul>\n" : "");
            nsc_markup_element(out, "<h3>", area, "</h3>\n<ul>\n");
        }
        nsc_buf_puts(out, "<li>");
        add_link(out, tables, name, name);
        nsc_buf_puts(out, "</li>\n");
    }
    nsc_buf_puts(out, nsc_sheet_rows(tables) ? "</ul>\n" : "");
}

/* "Rows: 12 345. From 0.1 s to 2.3 s. In place of: ..." */
static void add_facts(struct nsc_buf *out, const struct nsc_sheet *tables, uint32_t i)
{
    static const char *const facts[][2] = {{"In place of", "stands_for"},
                                           {"First seen", "first_seen"},
                                           {"Last seen", "last_seen"},
                                           {"Read by", "read_by"}};
    const struct nsc_sheet_cell *rows = nsc_sheet_find(tables, i, "rows");
    const struct nsc_sheet_cell *from = nsc_sheet_find(tables, i, "from_ns");
    const struct nsc_sheet_cell *to = nsc_sheet_find(tables, i, "to_ns");
    char text[NSC_UNITS_SPAN_BYTES];

    nsc_markup_element(out, "<p>", nsc_sheet_find_text(tables, i, "holds"),
                       "</p>\n<p class=\"dim\">");
    if (rows && rows->is_set)
        nsc_buf_printf(out, "Rows: %s. ", nsc_units_count(text, (uint64_t)rows->integer));
    if (from && to && from->is_set && to->is_set)
        nsc_buf_printf(out, "From %s. ",
                       nsc_units_span(text, (struct nsc_window){from->integer, to->integer}));
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        struct nsc_text value = nsc_sheet_find_text(tables, i, facts[k][1]);

        if (!value.n)
            continue;
        nsc_buf_printf(out, "%s: ", facts[k][0]);
        nsc_markup_element(out, "", value, ". ");
    }
    nsc_buf_puts(out, "</p>\n");
}

/* "ThreadNames" for "ThreadNames.globalTid" */
static struct nsc_text table_of(struct nsc_text refers)
{
    const char *dot = memchr(refers.bytes, '.', refers.n);

    return (struct nsc_text){refers.bytes, dot ? (uint32_t)(dot - refers.bytes) : refers.n};
}

static void add_column(struct nsc_buf *out, const struct nsc_sheets *sheets, uint32_t row)
{
    const struct nsc_sheet *columns = nsc_sheets_find(sheets, "columns");
    const struct nsc_sheet *tables = nsc_sheets_find(sheets, "tables");
    struct nsc_text concept = nsc_sheet_find_text(columns, row, "concept");
    struct nsc_text refers = nsc_sheet_find_text(columns, row, "refers");

    nsc_buf_printf(out, "<tr class=\"%.*s\">", (int)concept.n, concept.bytes);
    nsc_markup_element(out, "<td>", nsc_sheet_find_text(columns, row, "column"), "</td>");
    nsc_markup_element(out, "<td>", nsc_sheet_find_text(columns, row, "type"), "");
    nsc_buf_puts(out, nsc_sheet_find_bool(columns, row, "not_null") ? ", never NULL" : "");
    nsc_buf_puts(out, nsc_sheet_find_bool(columns, row, "is_key") ? ", key" : "");
    nsc_markup_element(out, "</td><td>", concept, "</td><td>");
    if (refers.n)
        add_link(out, tables, table_of(refers), refers);
    nsc_markup_element(out, "</td><td>", nsc_sheet_find_text(columns, row, "since"),
                       "</td></tr>\n");
}

static void add_changes(struct nsc_buf *out, const struct nsc_sheet *changes, struct nsc_text table)
{
    for (uint32_t i = 0; changes && i < nsc_sheet_rows(changes); i++) {
        if (!nsc_text_equal(nsc_sheet_find_text(changes, i, "table"), table))
            continue;
        nsc_markup_element(out, "<p class=\"dim\">", nsc_sheet_find_text(changes, i, "version"),
                           ": ");
        nsc_markup_element(out, "", nsc_sheet_find_text(changes, i, "change"), "</p>\n");
    }
}

static void add_tables(struct nsc_buf *out, const struct nsc_sheets *sheets)
{
    const struct nsc_sheet *tables = nsc_sheets_find(sheets, "tables");
    const struct nsc_sheet *columns = nsc_sheets_find(sheets, "columns");
    uint32_t row = 0;

    for (uint32_t i = 0; i < nsc_sheet_rows(tables); i++) {
        struct nsc_text name = nsc_sheet_find_text(tables, i, "table");

        nsc_buf_printf(out, "<section id=\"t%u\">", (unsigned)i);
        nsc_markup_element(out, "<h3>", name, "</h3>\n");
        add_facts(out, tables, i);
        nsc_buf_puts(out,
                     "<div class=\"w\" tabindex=\"0\"><table>\n<tr><th scope=\"col\">Column</th>"
                     "<th scope=\"col\">Type</th><th scope=\"col\">Concept</th>"
                     "<th scope=\"col\">Refers to</th><th scope=\"col\">Since</th></tr>\n");
        for (; row < nsc_sheet_rows(columns) &&
               nsc_text_equal(nsc_sheet_find_text(columns, row, "table"), name);
             row++)
            add_column(out, sheets, row);
        nsc_buf_puts(out, "</table></div>\n");
        add_changes(out, nsc_sheets_find(sheets, "changes"), name);
        nsc_buf_puts(out, "</section>\n");
    }
}

/* ---- references, drawn ---- */

enum { STEP = 18, LEFT = 330, RIGHT = 560, WIDTH = 900 };

/* Names of one side, with the row in which each first appears. */
struct side {
    NSC_VEC(uint32_t) rows;
};

static uint32_t side_place(struct side *side, const struct nsc_sheet *sheet, const char *key,
                           uint32_t row)
{
    struct nsc_text name = nsc_sheet_find_text(sheet, row, key);

    for (size_t i = 0; i < side->rows.n; i++)
        if (nsc_text_equal(nsc_sheet_find_text(sheet, side->rows.at[i], key), name))
            return (uint32_t)i;
    *NSC_VEC_ADD(&side->rows) = row;
    return (uint32_t)side->rows.n - 1;
}

static void add_side(struct nsc_buf *out, const struct nsc_sheets *sheets, const struct side *side,
                     const char *key, bool is_left)
{
    const struct nsc_sheet *references = nsc_sheets_find(sheets, "references");

    for (size_t i = 0; i < side->rows.n; i++) {
        struct nsc_text name = nsc_sheet_find_text(references, side->rows.at[i], key);

        nsc_buf_printf(out, "<text x=\"%d\" y=\"%zu\"%s>", is_left ? LEFT - 6 : RIGHT + 6,
                       i * STEP + 17, is_left ? " text-anchor=\"end\"" : "");
        add_link(out, nsc_sheets_find(sheets, "tables"), name, name);
        nsc_buf_puts(out, "</text>\n");
    }
}

static void add_lines(struct nsc_buf *out, const struct nsc_sheet *references, struct side *left,
                      struct side *right)
{
    for (uint32_t row = 0; row < nsc_sheet_rows(references); row++) {
        uint32_t from = side_place(left, references, "from_table", row) * STEP + 13;
        uint32_t to = side_place(right, references, "to_table", row) * STEP + 13;
        struct nsc_text concept = nsc_sheet_find_text(references, row, "concept");

        nsc_buf_printf(out, "<path class=\"%.*s\" d=\"M%d %u C%d %u %d %u %d %u\"><title>",
                       (int)concept.n, concept.bytes, LEFT, (unsigned)from, LEFT + 90,
                       (unsigned)from, RIGHT - 90, (unsigned)to, RIGHT, (unsigned)to);
        nsc_markup_element(out, "", nsc_sheet_find_text(references, row, "from_table"), ".");
        nsc_markup_element(out, "", nsc_sheet_find_text(references, row, "from_column"),
                           " refers to ");
        nsc_markup_element(out, "", nsc_sheet_find_text(references, row, "to_table"), ".");
        nsc_markup_element(out, "", nsc_sheet_find_text(references, row, "to_column"),
                           "</title></path>\n");
    }
}

static void add_references(struct nsc_buf *out, const struct nsc_sheets *sheets)
{
    const struct nsc_sheet *references = nsc_sheets_find(sheets, "references");
    struct nsc_buf lines = NSC_BUF_INIT(SIZE_MAX);
    struct side left = {0};
    struct side right = {0};
    size_t most;

    add_lines(&lines, references, &left, &right);
    most = left.rows.n > right.rows.n ? left.rows.n : right.rows.n;
    nsc_buf_printf(out,
                   "<h2 id=\"references\">References</h2>\n<p class=\"dim\">Columns of the tables "
                   "on the left refer to rows of those on the right.</p>\n<div class=\"w\" "
                   "tabindex=\"0\"><svg role=\"img\" aria-label=\"references between tables\" "
                   "width=\"%d\" height=\"%zu\">\n",
                   WIDTH, most * STEP + 12);
    nsc_buf_add(out, lines.bytes, lines.n);
    add_side(out, sheets, &left, "from_table", true);
    add_side(out, sheets, &right, "to_table", false);
    nsc_buf_puts(out, "</svg></div>\n");
    NSC_VEC_FINI(&left.rows);
    NSC_VEC_FINI(&right.rows);
    nsc_buf_fini(&lines);
}

/* ---- queries ---- */

static void add_queries(struct nsc_buf *out, const struct nsc_sheets *sheets)
{
    const struct nsc_sheet *queries = nsc_sheets_find(sheets, "queries");
    uint32_t row = 0;

    if (!queries)
        return;
    nsc_buf_puts(out,
                 "<h2 id=\"queries\">Queries to begin with</h2>\n<p class=\"dim\">nsyscope sql "
                 "FILE \"QUERY\" runs them, and ; on the screen.</p>\n");
    for (size_t i = 0; i < sheets->list.n; i++) {
        if (strncmp(sheets->list.at[i].key, "query_", 6) != 0)
            continue;
        nsc_markup_element(out, "<h3>", nsc_sheet_find_text(queries, row, "title"), "</h3>\n");
        nsc_markup_element(out, "<pre>", nsc_sheet_find_text(queries, row, "sql"), "</pre>\n");
        add_sheet(out, &sheets->list.at[i]);
        row++;
    }
}

void nsc_schema_html(struct nsc_buf *out, const struct nsc_sheets *sheets, const char *title)
{
    const struct nsc_sheet *concepts = nsc_sheets_find(sheets, "concepts");
    const struct nsc_sheet *versions = nsc_sheets_find(sheets, "versions");

    add_head(out, concepts, title);
    nsc_buf_puts(out, "<h2 id=\"concepts\">Concepts</h2>\n");
    add_sheet(out, concepts);
    if (versions) {
        nsc_buf_puts(out, "<h2 id=\"versions\">Versions</h2>\n");
        add_sheet(out, versions);
    }
    add_list(out, nsc_sheets_find(sheets, "tables"));
    add_references(out, sheets);
    add_queries(out, sheets);
    nsc_buf_puts(out, "<h2>Columns</h2>\n");
    add_tables(out, sheets);
    nsc_buf_puts(out, "</main></body></html>\n");
}
