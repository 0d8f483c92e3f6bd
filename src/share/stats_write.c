/*
 * Writes a stats report row by row in one of the formats.
 */
#include "share/stats_write.h"

#include "core/json_write.h"
#include "core/text.h"
#include "share/csv.h"
#include "share/markup.h"
#include "share/stats_number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define PIECE (1u << 16) /* bytes of text per flush */
#define WIDE  100        /* cells: longer texts exceed their column without widening it */

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
    struct nsc_text name = {text, (uint32_t)strcspn(text, ":")};
    unsigned i = NSC_TEXT_AMONG(name, formats);

    if (i == NSC_N_STATS_FORMATS)
        return false;
    style->format = (enum nsc_stats_format)i;
    style->no_header = strcmp(text + name.n, ":nohdr") == 0;
    return text[name.n] == '\0' || style->no_header;
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
    unsigned i = NSC_TEXT_AMONG(nsc_text_from(text), words);

    if (i < sizeof words / sizeof *words)
        *out = words[i].time;
    return i < sizeof words / sizeof *words;
}

const char *nsc_stats_suffix(enum nsc_stats_format format)
{
    return formats[format].suffix;
}

/* ---- a cell ---- */

/* Whether texts stay raw. */
static bool keeps_bytes(const struct nsc_stats_writer *writer)
{
    return writer->style.format == NSC_STATS_AS_JSON || /* the JSON writer cleans texts itself */
           (!writer->style.safe &&
            (writer->style.format == NSC_STATS_AS_CSV || writer->style.format == NSC_STATS_AS_TSV));
}

/* A cell as text, before the format's quotes or padding. */
struct piece {
    const char *bytes; /* points into the report's text, or writer->cell */
    size_t n;
    bool plain;     /* one byte takes one cell of the screen */
    bool is_number; /* and needs no quotes */
};

static void set_number(struct piece *piece, struct nsc_stats_writer *writer,
                       const struct nsc_stats_cell *cell, uint32_t column)
{
    uint8_t unit = writer->report->columns[column].unit;
    /* Ids have no commas. */
    bool commas = nsc_stats_writer_measures(writer) && unit != NSC_STATS_TEXT;

    piece->plain = piece->is_number = true;
    writer->is_at_least |=
        cell->form == NSC_STATS_INT && cell->integer == INT64_MAX && unit == NSC_STATS_TIME;
    nsc_buf_clear(&writer->cell);
    nsc_stats_put_number(&writer->cell, cell, unit, writer->style.time, commas);
    piece->bytes = writer->cell.bytes;
    piece->n = writer->cell.n;
}

/* A nested name begins with two dashes per level ("----forward"), as in nsys. It is harmless unless
 * it contains characters with which a formula could call a program or a page. */
static bool is_formula(const struct nsc_stats_writer *writer, struct nsc_text text)
{
    bool is_nested = text.n > 2 && memcmp(text.bytes, "--", 2) == 0;

    if (writer->style.format != NSC_STATS_AS_CSV && writer->style.format != NSC_STATS_AS_TSV)
        return false;
    if (!is_nested)
        return nsc_csv_is_formula(text);
    for (uint32_t i = 2; i < text.n; i++)
        if (text.bytes[i] == '!' || (text.bytes[i] == '"' && text.bytes[i - 1] == '('))
            return true;
    return false;
}

static void set_text(struct piece *piece, struct nsc_stats_writer *writer, struct nsc_text text)
{
    bool is_unsafe = !writer->style.raw && is_formula(writer, text);

    piece->bytes = text.bytes;
    piece->n = text.n;
    piece->plain = piece->is_number = false;
    if (keeps_bytes(writer) && !is_unsafe)
        return;
    piece->plain = nsc_text_plain(text) == text.n;
    if (piece->plain && !is_unsafe)
        return;
    nsc_buf_clear(&writer->cell);
    if (is_unsafe)
        nsc_buf_putc(&writer->cell, '\'');
    if (keeps_bytes(writer))
        nsc_buf_add(&writer->cell, text.bytes, text.n);
    else
        nsc_text_clean(&writer->cell, text, writer->style.ascii);
    piece->bytes = writer->cell.bytes;
    piece->n = nsc_text_of_buf(&writer->cell).n;
}

static void set_piece(struct piece *piece, struct nsc_stats_writer *writer,
                      const struct nsc_stats_cell *cell, uint32_t column)
{
    if (cell->form == NSC_STATS_INT || cell->form == NSC_STATS_REAL)
        set_number(piece, writer, cell, column);
    else
        set_text(piece, writer,
                 cell->form == NSC_STATS_STRING ? cell->text : (struct nsc_text){"", 0});
}

static size_t width_of(const struct nsc_stats_writer *writer, const struct piece *piece)
{
    return piece->plain ? piece->n
                        : nsc_text_width((struct nsc_text){piece->bytes, (uint32_t)piece->n},
                                         writer->style.ascii);
}

static void put_csv(struct nsc_stats_writer *writer, const struct piece *piece, bool first)
{
    if (!first)
        nsc_buf_putc(&writer->text, ',');
    if (piece->is_number)
        nsc_buf_add(&writer->text, piece->bytes, piece->n);
    else
        nsc_csv_quote(&writer->text, "", (struct nsc_text){piece->bytes, (uint32_t)piece->n});
}

/* TSV has no quotes: a character that would end a field becomes a space. */
static void put_tsv(struct nsc_stats_writer *writer, const struct piece *piece, bool first)
{
    if (!first)
        nsc_buf_putc(&writer->text, '\t');
    for (size_t i = 0; i < piece->n; i++) {
        char c = piece->bytes[i];

        nsc_buf_putc(&writer->text, c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
    }
}

static bool is_right(const struct nsc_stats_writer *writer, uint32_t column)
{
    return writer->report->columns[column].unit != NSC_STATS_TEXT;
}

static void put_aligned(struct nsc_stats_writer *writer, const struct piece *piece, uint32_t column)
{
    bool table = writer->style.format == NSC_STATS_AS_TABLE;
    bool is_last = column + 1 == writer->n_columns;
    size_t before = table && column ? 3 : table || column ? 2 : 1, cells = width_of(writer, piece);
    size_t pad = writer->width[column] > cells ? writer->width[column] - cells : 0;
    size_t left = is_right(writer, column) ? pad : 0, right = is_last && !table ? 0 : pad - left;
    char *at = nsc_buf_reserve(&writer->text, before + left + piece->n + right);

    if (!at)
        return;
    memcpy(at, table ? (column ? " | " : "| ") : "  ", before);
    memset(at + before, ' ', left);
    if (piece->n)
        memcpy(at + before + left, piece->bytes, piece->n);
    memset(at + before + left + piece->n, ' ', right);
    if (table && is_last)
        nsc_buf_puts(&writer->text, " |");
}

static void put_json(struct nsc_stats_writer *writer, const struct piece *piece, bool is_number,
                     uint32_t column)
{
    struct nsc_buf title = NSC_BUF_INIT(256);

    nsc_stats_put_title(&title, &writer->report->columns[column], writer->style.time);
    nsc_buf_puts(&writer->text, column ? "," : "{");
    nsc_json_string(&writer->text, nsc_text_of_buf(&title));
    nsc_buf_putc(&writer->text, ':');
    if (is_number)
        nsc_buf_add(&writer->text, piece->bytes, piece->n);
    else
        nsc_json_string(&writer->text, (struct nsc_text){piece->bytes, (uint32_t)piece->n});
    if (column + 1 == writer->n_columns)
        nsc_buf_putc(&writer->text, '}');
    nsc_buf_fini(&title);
}

static void put_cell(struct nsc_stats_writer *writer, const struct nsc_stats_cell *cell,
                     uint32_t column, const char *tag)
{
    struct piece piece;

    set_piece(&piece, writer, cell, column);
    switch (writer->style.format) {
    case NSC_STATS_AS_CSV:
        put_csv(writer, &piece, column == 0);
        break;
    case NSC_STATS_AS_TSV:
        put_tsv(writer, &piece, column == 0);
        break;
    case NSC_STATS_AS_JSON:
        put_json(writer, &piece, cell->form == NSC_STATS_INT || cell->form == NSC_STATS_REAL,
                 column);
        break;
    case NSC_STATS_AS_HDOC:
    case NSC_STATS_AS_HTABLE:
        nsc_buf_printf(&writer->text, "<%s%s>", tag,
                       is_right(writer, column) ? " style=\"text-align:right\"" : "");
        nsc_markup_add(&writer->text, piece.bytes, piece.n);
        nsc_buf_printf(&writer->text, "</%s>", tag);
        break;
    default:
        put_aligned(writer, &piece, column);
    }
}

/* ---- measuring ---- */

static void widen(struct nsc_stats_extent *extent, const struct nsc_stats_cell *cell)
{
    if (cell->form == NSC_STATS_INT) {
        extent->least = cell->integer < extent->least ? cell->integer : extent->least;
        extent->most = cell->integer > extent->most ? cell->integer : extent->most;
    } else if (cell->form == NSC_STATS_REAL) {
        extent->lowest = cell->real < extent->lowest ? cell->real : extent->lowest;
        extent->highest = cell->real > extent->highest ? cell->real : extent->highest;
    }
}

/* Most rows need no measuring, because their numbers lie between measured ones. */
static void measure_row(struct nsc_stats_writer *writer, const struct nsc_stats_cell cells[])
{
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        struct piece piece;
        size_t wide;

        if (nsc_stats_is_measured(&writer->extent[c], &cells[c]))
            continue;
        widen(&writer->extent[c], &cells[c]);
        set_piece(&piece, writer, &cells[c], c);
        wide = width_of(writer, &piece);
        wide = wide > WIDE && cells[c].form == NSC_STATS_STRING ? WIDE : wide;
        if (wide > writer->width[c])
            writer->width[c] = (uint32_t)wide;
    }
}

/* ---- rows ---- */

static void flush(struct nsc_stats_writer *writer)
{
    if (!writer->failed && (writer->text.n || writer->text.overflow))
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

    if (writer->is_measuring) {
        measure_row(writer, cells);
        return true;
    }
    if (writer->style.format == NSC_STATS_AS_JSON)
        nsc_buf_puts(&writer->text, writer->rows ? ",\n" : "\n");
    if (is_html(writer))
        nsc_buf_puts(&writer->text, "<tr>");
    for (uint32_t c = 0; c < writer->n_columns; c++)
        put_cell(writer, &cells[c], c, "td");
    writer->rows++;
    if (is_html(writer))
        nsc_buf_puts(&writer->text, "</tr>\n");
    else if (writer->style.format != NSC_STATS_AS_JSON)
        nsc_buf_putc(&writer->text, '\n');
    if (writer->text.n >= PIECE)
        flush(writer);
    return !writer->failed;
}

/* All rows are measured: requests them again, to write them. */
static bool wants_again(void *context)
{
    struct nsc_stats_writer *writer = context;

    if (!writer->is_measuring)
        return false;
    nsc_stats_writer_begin(writer);
    return true;
}

static struct nsc_text title_of(struct nsc_stats_writer *writer, uint32_t column)
{
    nsc_buf_clear(&writer->title);
    nsc_stats_put_title(&writer->title, &writer->report->columns[column], writer->style.time);
    return nsc_text_of_buf(&writer->title);
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
                                        .cell = NSC_BUF_INIT(SIZE_MAX),
                                        .title = NSC_BUF_INIT(256),
                                        .n_columns = nsc_stats_columns(report),
                                        .is_measuring = true};
    assert(writer->n_columns <= sizeof writer->width / sizeof *writer->width);
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        writer->width[c] = style->no_header ? 1 : title_of(writer, c).n;
        writer->extent[c] =
            (struct nsc_stats_extent){INT64_MAX, INT64_MIN, (double)INFINITY, -(double)INFINITY};
    }
}

void nsc_stats_writer_fini(struct nsc_stats_writer *writer)
{
    nsc_buf_fini(&writer->text);
    nsc_buf_fini(&writer->cell);
    nsc_buf_fini(&writer->title);
}

bool nsc_stats_writer_measures(const struct nsc_stats_writer *writer)
{
    return writer->style.format == NSC_STATS_AS_COLUMN ||
           writer->style.format == NSC_STATS_AS_TABLE;
}

struct nsc_stats_sink nsc_stats_writer_sink(struct nsc_stats_writer *writer)
{
    return (struct nsc_stats_sink){take_row, writer, wants_again};
}

/* ---- before and behind ---- */

/* Appends a line of dashes: " ---  ---", "+-----+-----+". */
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
    for (uint32_t c = 0; c < writer->n_columns; c++) {
        struct nsc_stats_cell title = {.form = NSC_STATS_STRING, .text = title_of(writer, c)};

        put_cell(writer, &title, c, "th");
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
