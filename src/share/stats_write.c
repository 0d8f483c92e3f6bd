/*
 * Writes a report row by row in one of the formats.
 */
#include "share/stats_write.h"

#include "core/json_write.h"
#include "core/text.h"
#include "share/stats_number.h"

#include <assert.h>
#include <string.h>

#define PIECE (1u << 16) /* bytes after which text is handed on */
#define WIDE  100        /* cells: longer texts stand out of their column, and pad no others */

static const struct {
    const char *name, *suffix;
} formats[NSC_N_STATS_FORMATS] = {
    [NSC_STATS_AS_COLUMN] = {"column", "txt"},  [NSC_STATS_AS_TABLE] = {"table", "txt"},
    [NSC_STATS_AS_CSV] = {"csv", "csv"},        [NSC_STATS_AS_TSV] = {"tsv", "tsv"},
    [NSC_STATS_AS_JSON] = {"json", "json"},     [NSC_STATS_AS_HDOC] = {"hdoc", "html"},
    [NSC_STATS_AS_HTABLE] = {"htable", "html"},
};

bool nsc_stats_format_parse(struct nsc_stats_style *style, const char *text)
{
    size_t n = strcspn(text, ":");

    for (int i = 0; i < NSC_N_STATS_FORMATS; i++) {
        if (strlen(formats[i].name) != n || memcmp(formats[i].name, text, n) != 0)
            continue;
        style->format = (enum nsc_stats_format)i;
        style->no_header = strcmp(text + n, ":nohdr") == 0;
        return text[n] == '\0' || style->no_header;
    }
    return false;
}

bool nsc_stats_time_parse(enum nsc_stats_time *out, const char *text)
{
    static const struct {
        const char *name;
        enum nsc_stats_time time;
    } words[] = {
        {"nsec", NSC_STATS_NSEC}, {"ns", NSC_STATS_NSEC}, {"nanoseconds", NSC_STATS_NSEC},
        {"usec", NSC_STATS_USEC}, {"us", NSC_STATS_USEC}, {"microseconds", NSC_STATS_USEC},
        {"msec", NSC_STATS_MSEC}, {"ms", NSC_STATS_MSEC}, {"milliseconds", NSC_STATS_MSEC},
        {"sec", NSC_STATS_SEC},   {"s", NSC_STATS_SEC},   {"seconds", NSC_STATS_SEC},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, text) != 0)
            continue;
        *out = words[i].time;
        return true;
    }
    return false;
}

const char *nsc_stats_suffix(enum nsc_stats_format format)
{
    return formats[format].suffix;
}

/* ---- a cell ---- */

static void put_html(struct nsc_buf *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] == '<')
            nsc_buf_puts(out, "&lt;");
        else if (bytes[i] == '>')
            nsc_buf_puts(out, "&gt;");
        else if (bytes[i] == '&')
            nsc_buf_puts(out, "&amp;");
        else if (bytes[i] == '"')
            nsc_buf_puts(out, "&quot;");
        else
            nsc_buf_putc(out, bytes[i]);
}

static void put_json_text(struct nsc_buf *out, const struct nsc_buf *value)
{
    struct nsc_json json;

    nsc_json_init(&json, out, false);
    nsc_json_text(&json, NULL, nsc_text_of_buf(value));
}

/* Texts stay raw. */
static bool keeps_bytes(const struct nsc_stats_writer *writer)
{
    return writer->style.format == NSC_STATS_AS_JSON || /* whose writer makes texts safe */
           (!writer->style.safe &&
            (writer->style.format == NSC_STATS_AS_CSV || writer->style.format == NSC_STATS_AS_TSV));
}

/* The text of a cell in writer->cell: numbers formatted, texts raw or made safe. */
static void set_cell(struct nsc_stats_writer *writer, const struct nsc_stats_cell *cell,
                     uint32_t column)
{
    bool commas = nsc_stats_writer_measures(writer);
    uint8_t unit = writer->report->columns[column].unit;

    nsc_buf_clear(&writer->cell);
    if (cell->form == NSC_STATS_INT || cell->form == NSC_STATS_REAL)
        /* An id is no amount. */
        nsc_stats_put_number(&writer->cell, cell, unit, writer->style.time,
                             commas && unit != NSC_STATS_TEXT);
    else if (cell->form != NSC_STATS_STRING)
        nsc_buf_puts(&writer->cell, "");
    else if (keeps_bytes(writer))
        nsc_buf_add(&writer->cell, cell->text.bytes, cell->text.n);
    else
        nsc_text_clean(&writer->cell, cell->text, writer->style.ascii);
}

static void put_csv(struct nsc_stats_writer *writer, bool first)
{
    const struct nsc_buf *cell = &writer->cell;
    bool quote =
        cell->n && (memchr(cell->bytes, ',', cell->n) || memchr(cell->bytes, '"', cell->n) ||
                    memchr(cell->bytes, '\n', cell->n) || memchr(cell->bytes, '\r', cell->n));

    if (!first)
        nsc_buf_putc(&writer->text, ',');
    if (!quote) {
        nsc_buf_add(&writer->text, cell->bytes, cell->n);
        return;
    }
    nsc_buf_putc(&writer->text, '"');
    for (size_t i = 0; i < cell->n; i++) {
        if (cell->bytes[i] == '"')
            nsc_buf_putc(&writer->text, '"');
        nsc_buf_putc(&writer->text, cell->bytes[i]);
    }
    nsc_buf_putc(&writer->text, '"');
}

/* Fields of tsv have no quotes: what would end one becomes a space. */
static void put_tsv(struct nsc_stats_writer *writer, bool first)
{
    if (!first)
        nsc_buf_putc(&writer->text, '\t');
    for (size_t i = 0; i < writer->cell.n; i++) {
        char c = writer->cell.bytes[i];

        nsc_buf_putc(&writer->text, c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
    }
}

static void put_padded(struct nsc_stats_writer *writer, uint32_t column, bool right)
{
    struct nsc_text text = nsc_text_of_buf(&writer->cell);
    size_t cells = nsc_text_width(text, writer->style.ascii);
    size_t pad = writer->width[column] > cells ? writer->width[column] - cells : 0;
    bool is_last = column + 1 == writer->n_columns && writer->style.format == NSC_STATS_AS_COLUMN;

    for (size_t i = 0; right && i < pad; i++)
        nsc_buf_putc(&writer->text, ' ');
    nsc_buf_add(&writer->text, text.bytes, text.n);
    for (size_t i = 0; !right && !is_last && i < pad; i++)
        nsc_buf_putc(&writer->text, ' ');
}

static bool is_right(const struct nsc_stats_writer *writer, uint32_t column)
{
    return writer->report->columns[column].unit != NSC_STATS_TEXT;
}

static void put_aligned(struct nsc_stats_writer *writer, uint32_t column)
{
    bool table = writer->style.format == NSC_STATS_AS_TABLE;

    nsc_buf_puts(&writer->text, table ? (column ? " | " : "| ") : (column ? "  " : " "));
    put_padded(writer, column, is_right(writer, column));
    if (table && column + 1 == writer->n_columns)
        nsc_buf_puts(&writer->text, " |");
}

static void put_json(struct nsc_stats_writer *writer, const struct nsc_stats_cell *cell,
                     uint32_t column)
{
    struct nsc_buf title = NSC_BUF_INIT(256);

    nsc_stats_put_title(&title, &writer->report->columns[column], writer->style.time);
    nsc_buf_puts(&writer->text, column ? "," : "{");
    put_json_text(&writer->text, &title);
    nsc_buf_putc(&writer->text, ':');
    if (cell->form == NSC_STATS_INT || cell->form == NSC_STATS_REAL)
        nsc_buf_add(&writer->text, writer->cell.bytes, writer->cell.n);
    else
        put_json_text(&writer->text, &writer->cell);
    if (column + 1 == writer->n_columns)
        nsc_buf_putc(&writer->text, '}');
    nsc_buf_fini(&title);
}

static void put_cell(struct nsc_stats_writer *writer, const struct nsc_stats_cell *cell,
                     uint32_t column, const char *tag)
{
    switch (writer->style.format) {
    case NSC_STATS_AS_CSV:
        put_csv(writer, column == 0);
        break;
    case NSC_STATS_AS_TSV:
        put_tsv(writer, column == 0);
        break;
    case NSC_STATS_AS_JSON:
        put_json(writer, cell, column);
        break;
    case NSC_STATS_AS_HDOC:
    case NSC_STATS_AS_HTABLE:
        nsc_buf_printf(&writer->text, "<%s%s>", tag,
                       is_right(writer, column) ? " style=\"text-align:right\"" : "");
        put_html(&writer->text, writer->cell.bytes, writer->cell.n);
        nsc_buf_printf(&writer->text, "</%s>", tag);
        break;
    default:
        put_aligned(writer, column);
    }
}

/* ---- rows ---- */

static void flush(struct nsc_stats_writer *writer)
{
    if (!writer->failed && writer->text.n)
        writer->failed = !writer->flush(writer->context, &writer->text);
    nsc_buf_clear(&writer->text);
}

static bool is_html(const struct nsc_stats_writer *writer)
{
    return writer->style.format == NSC_STATS_AS_HDOC || writer->style.format == NSC_STATS_AS_HTABLE;
}

static bool take_row(void *context, const struct nsc_stats_cell cells[])
{
    struct nsc_stats_writer *writer = context;

    if (!writer->is_measuring && writer->style.format == NSC_STATS_AS_JSON)
        nsc_buf_puts(&writer->text, writer->rows ? ",\n" : "\n");
    if (!writer->is_measuring && is_html(writer))
        nsc_buf_puts(&writer->text, "<tr>");
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        set_cell(writer, &cells[c], c);
        if (writer->is_measuring) {
            struct nsc_text text = nsc_text_of_buf(&writer->cell);
            size_t wide = nsc_text_width(text, writer->style.ascii);

            wide = wide > WIDE && cells[c].form == NSC_STATS_STRING ? WIDE : wide;
            if (wide > writer->width[c])
                writer->width[c] = (uint32_t)wide;
        } else {
            put_cell(writer, &cells[c], c, "td");
        }
    }
    writer->rows++;
    if (writer->is_measuring)
        return true;
    if (is_html(writer))
        nsc_buf_puts(&writer->text, "</tr>\n");
    else if (writer->style.format != NSC_STATS_AS_JSON)
        nsc_buf_putc(&writer->text, '\n');
    if (writer->text.n >= PIECE)
        flush(writer);
    return !writer->failed;
}

static void set_title(struct nsc_stats_writer *writer, uint32_t column)
{
    nsc_buf_clear(&writer->cell);
    nsc_stats_put_title(&writer->cell, &writer->report->columns[column], writer->style.time);
}

void nsc_stats_writer_init(struct nsc_stats_writer *writer, const struct nsc_stats *report,
                           const struct nsc_stats_style *style,
                           bool (*flush_text)(void *context, struct nsc_buf *text), void *context)
{
    *writer = (struct nsc_stats_writer){.report = report,
                                        .style = *style,
                                        .flush = flush_text,
                                        .context = context,
                                        .text = NSC_BUF_INIT(1u << 30),
                                        .cell = NSC_BUF_INIT(1u << 28),
                                        .n_columns = nsc_stats_columns(report),
                                        .is_measuring = true};
    assert(writer->n_columns <= sizeof writer->width / sizeof *writer->width);
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        set_title(writer, c);
        writer->width[c] = style->no_header ? 1 : (uint32_t)writer->cell.n;
    }
}

void nsc_stats_writer_fini(struct nsc_stats_writer *writer)
{
    nsc_buf_fini(&writer->text);
    nsc_buf_fini(&writer->cell);
}

bool nsc_stats_writer_measures(const struct nsc_stats_writer *writer)
{
    return writer->style.format == NSC_STATS_AS_COLUMN ||
           writer->style.format == NSC_STATS_AS_TABLE;
}

struct nsc_stats_sink nsc_stats_writer_sink(struct nsc_stats_writer *writer)
{
    return (struct nsc_stats_sink){take_row, writer};
}

/* ---- before and behind ---- */

/* A line of dashes: " ---  ---", "+-----+-----+". */
static void put_rule(struct nsc_stats_writer *writer)
{
    bool table = writer->style.format == NSC_STATS_AS_TABLE;

    for (uint32_t c = 0; c < writer->n_columns; c++) {
        nsc_buf_puts(&writer->text, table ? (c ? "-+-" : "+-") : (c ? "  " : " "));
        for (uint32_t i = 0; i < writer->width[c]; i++)
            nsc_buf_putc(&writer->text, '-');
    }
    nsc_buf_puts(&writer->text, table ? "-+\n" : "\n");
}

static void put_titles(struct nsc_stats_writer *writer)
{
    static const struct nsc_stats_cell text = {.form = NSC_STATS_STRING};

    for (uint32_t c = 0; c < writer->n_columns; c++) {
        set_title(writer, c);
        put_cell(writer, &text, c, "th");
    }
    if (!is_html(writer))
        nsc_buf_putc(&writer->text, '\n');
}

void nsc_stats_writer_begin(struct nsc_stats_writer *writer)
{
    bool header = !writer->style.no_header;

    writer->is_measuring = false;
    writer->rows = 0;
    switch (writer->style.format) {
    case NSC_STATS_AS_JSON:
        nsc_buf_putc(&writer->text, '[');
        return;
    case NSC_STATS_AS_HDOC:
        nsc_buf_printf(&writer->text,
                       "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%s</title>"
                       "</head><body>\n<h1>%s (%s)</h1>\n",
                       writer->report->title, writer->report->title, writer->report->name);
        /* fallthrough */
    case NSC_STATS_AS_HTABLE:
        nsc_buf_puts(&writer->text, "<table>\n");
        if (header) {
            nsc_buf_puts(&writer->text, "<tr>");
            put_titles(writer);
            nsc_buf_puts(&writer->text, "</tr>\n");
        }
        return;
    case NSC_STATS_AS_COLUMN:
    case NSC_STATS_AS_TABLE:
        if (header)
            nsc_buf_printf(&writer->text, " ** %s (%s):\n\n", writer->report->title,
                           writer->report->name);
        if (writer->style.format == NSC_STATS_AS_TABLE)
            put_rule(writer);
        if (header)
            put_titles(writer);
        if (header)
            put_rule(writer);
        return;
    default:
        if (header)
            put_titles(writer);
    }
}

bool nsc_stats_writer_end(struct nsc_stats_writer *writer)
{
    if (writer->style.format == NSC_STATS_AS_JSON)
        nsc_buf_puts(&writer->text, writer->rows ? "\n]\n" : "]\n");
    if (writer->style.format == NSC_STATS_AS_TABLE)
        put_rule(writer);
    if (is_html(writer))
        nsc_buf_puts(&writer->text, "</table>\n");
    if (writer->style.format == NSC_STATS_AS_HDOC)
        nsc_buf_puts(&writer->text, "</body></html>\n");
    flush(writer);
    return !writer->failed;
}
