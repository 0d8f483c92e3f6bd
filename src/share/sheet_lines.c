/* Formats a sheet as an aligned table or as a Markdown table. */
#include "core/die.h"
#include "core/text.h"
#include "core/units.h"
#include "share/sheet_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP        2  /* spaces between two columns; one in a plain table */
#define LEAST_TEXT 12 /* least width of a text column in a table that is too wide */

/* ---- cells of a plain table ---- */

static void print_number(struct nsc_buf *out, const struct nsc_sheet_column *column, double number)
{
    nsc_buf_printf(out, "%.2f", number);
    if (out->n && out->bytes[out->n - 1] == '0')
        out->bytes[--out->n] = '\0';
    if (nsc_text_ends(nsc_text_from(column->key), "_pct"))
        nsc_buf_putc(out, '%');
}

static void show_plain(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    const struct nsc_sheet_column *column = &sheet->columns[c];
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

    if (!cell->is_set)
        nsc_buf_puts(out, "None");
    else if (column->kind == NSC_SHEET_TEXT)
        nsc_text_clean(out, nsc_sheet_text(sheet, cell), false);
    else if (column->kind == NSC_SHEET_NUMBER || column->kind == NSC_SHEET_PERCENT)
        print_number(out, column, cell->number);
    else
        nsc_buf_printf(out, "%" PRId64, cell->integer);
}

/* ---- cells of the others ---- */

static bool is_right(const struct nsc_sheet_column *column)
{
    return column->kind != NSC_SHEET_TEXT && column->kind != NSC_SHEET_YES;
}

/* Appends a title or a note; with ascii, a unit in it gets the sign of the cells: "< 10 us". */
static void show_words(struct nsc_buf *out, const char *text, bool ascii)
{
    const char *micro = NULL;

    for (; ascii && (micro = strstr(text, nsc_units_micro(false))); text = micro) {
        nsc_text_clean(out, (struct nsc_text){text, (uint32_t)(micro - text)}, ascii);
        nsc_buf_puts(out, nsc_units_micro(true));
        micro += strlen(nsc_units_micro(false));
    }
    nsc_text_clean(out, nsc_text_from(text), ascii);
}

/* ---- the table ---- */

struct grid {
    const struct nsc_sheet *sheet;
    const struct nsc_sheet_style *style;
    struct nsc_buf cell; /* scratch */
    size_t *width;       /* width of each column, in cells */
    bool is_plain;       /* all columns are left-justified and whole */
};

static struct nsc_text shown(struct grid *grid, uint32_t row, uint32_t column)
{
    nsc_buf_clear(&grid->cell);
    if (grid->is_plain)
        show_plain(&grid->cell, grid->sheet, row, column);
    else
        nsc_sheet_show(&grid->cell, grid->sheet, row, column, grid->style->ascii);
    return nsc_text_of_buf(&grid->cell);
}

static struct nsc_text title_of(struct grid *grid, uint32_t column)
{
    nsc_buf_clear(&grid->cell);
    if (grid->is_plain)
        nsc_buf_puts(&grid->cell, grid->sheet->columns[column].title);
    else
        show_words(&grid->cell, grid->sheet->columns[column].title, grid->style->ascii);
    return nsc_text_of_buf(&grid->cell);
}

static void measure_columns(struct grid *grid)
{
    uint32_t n = nsc_sheet_rows(grid->sheet);

    for (uint32_t c = 0; c < grid->sheet->n_columns; c++) {
        size_t widest = nsc_text_width(title_of(grid, c), grid->style->ascii);

        for (uint32_t r = 0; r < n; r++) {
            size_t width = nsc_text_width(shown(grid, r, c), grid->style->ascii);

            widest = width > widest ? width : widest;
        }
        grid->width[c] = widest;
    }
}

/* Narrows the widest text columns until the table fits or none can shrink further. */
static void fit_width(struct grid *grid)
{
    const struct nsc_sheet *sheet = grid->sheet;
    size_t total = (size_t)(sheet->n_columns - 1) * GAP;

    for (uint32_t c = 0; c < sheet->n_columns; c++)
        total += grid->width[c];
    while (grid->style->width && total > grid->style->width) {
        uint32_t widest = NSC_NONE;

        for (uint32_t c = 0; c < sheet->n_columns; c++)
            if (sheet->columns[c].kind == NSC_SHEET_TEXT && grid->width[c] > LEAST_TEXT &&
                (widest == NSC_NONE || grid->width[c] > grid->width[widest]))
                widest = c;
        if (widest == NSC_NONE)
            return;
        grid->width[widest]--;
        total--;
    }
}

static void add_gap(struct nsc_buf *out, const struct grid *grid)
{
    nsc_buf_puts(out, grid->is_plain ? " " : "  ");
}

static void add_spaces(struct nsc_buf *out, size_t n)
{
    while (n--)
        nsc_buf_putc(out, ' ');
}

/* Adds no spaces after the last column, except in a plain table. */
static void add_cell(struct nsc_buf *out, struct grid *grid, uint32_t column, struct nsc_text text)
{
    bool ends = column + 1 == grid->sheet->n_columns && !grid->is_plain;
    bool right = !grid->is_plain && is_right(&grid->sheet->columns[column]);
    size_t width = grid->width[column];
    size_t needed = nsc_text_width(text, grid->style->ascii);
    size_t used = needed < width ? needed : width;

    if (column > 0)
        add_gap(out, grid);
    if (right)
        add_spaces(out, width - used);
    used = nsc_text_clip_middle(out, text, width, grid->style->ascii);
    if (!right && !ends)
        add_spaces(out, width - used);
}

static void add_heading(struct nsc_buf *out, struct grid *grid)
{
    for (uint32_t c = 0; c < grid->sheet->n_columns; c++)
        add_cell(out, grid, c, title_of(grid, c));
    nsc_buf_putc(out, '\n');
    for (uint32_t c = 0; c < grid->sheet->n_columns; c++) {
        if (c > 0)
            add_gap(out, grid);
        for (size_t i = 0; i < grid->width[c]; i++)
            nsc_buf_putc(out, '-');
    }
    nsc_buf_putc(out, '\n');
}

static void add_rows(struct nsc_buf *out, struct grid *grid)
{
    add_heading(out, grid);
    for (uint32_t r = 0; r < nsc_sheet_rows(grid->sheet); r++) {
        for (uint32_t c = 0; c < grid->sheet->n_columns; c++)
            add_cell(out, grid, c, shown(grid, r, c));
        nsc_buf_putc(out, '\n');
    }
}

static bool has_same_window(const struct nsc_sheet *sheet, const struct nsc_sheet *before)
{
    return before && before->has_window && before->window.t0 == sheet->window.t0 &&
           before->window.t1 == sheet->window.t1;
}

/* The lines below the rows. */
struct remarks {
    struct nsc_buf *out;
    const struct nsc_sheet_style *style;
    const char *prefix; /* before each line */
    struct nsc_buf line;
};

void nsc_words_wrap(struct nsc_buf *out, const char *prefix, struct nsc_text text,
                    const struct nsc_sheet_style *style)
{
    size_t lead = strlen(prefix), used = lead;

    nsc_buf_puts(out, prefix);
    while (text.n) {
        const char *blank = memchr(text.bytes, ' ', text.n);
        struct nsc_text word = {text.bytes, blank ? (uint32_t)(blank - text.bytes) : text.n};
        size_t cells = nsc_text_width(word, style->ascii);

        if (used > lead && style->wrap && used + 1 + cells > style->wrap) {
            nsc_buf_putc(out, '\n');
            add_spaces(out, lead);
            used = lead;
        } else if (used > lead) {
            nsc_buf_putc(out, ' ');
            used++;
        }
        nsc_buf_add(out, word.bytes, word.n);
        used += cells;
        text.bytes += word.n + (blank != NULL);
        text.n -= word.n + (blank != NULL);
    }
    nsc_buf_putc(out, '\n');
}

static void end_remark(struct remarks *remarks)
{
    nsc_words_wrap(remarks->out, remarks->prefix, nsc_text_of_buf(&remarks->line), remarks->style);
    nsc_buf_clear(&remarks->line);
}

/* Whether to name a denominator: once, if a row uses it and the title does not say it. */
static bool says_of(const struct nsc_sheet *sheet, uint32_t column)
{
    const struct nsc_sheet_column *own = &sheet->columns[column];

    if (!own->of || nsc_sheet_rows(sheet) == 0 ||
        (strncmp(own->title, "of ", 3) == 0 && strcmp(own->title + 3, own->of) == 0))
        return false;
    for (uint32_t c = 0; c < column; c++)
        if (sheet->columns[c].of && strcmp(sheet->columns[c].of, own->of) == 0 &&
            strcmp(sheet->columns[c].title, own->title) == 0)
            return false;
    return true;
}

static void add_window(struct remarks *remarks, struct nsc_window window)
{
    char text[NSC_UNITS_SPAN_BYTES];

    nsc_buf_printf(&remarks->line, "Window: %s.",
                   nsc_units_window(text, window, remarks->style->ascii));
    end_remark(remarks);
}

/* Adds the window (unless the previous sheet named the same), the denominators, and the sheet's
 * notes. */
static void add_remarks(struct nsc_buf *out, const struct nsc_sheet *sheet,
                        const struct nsc_sheet *before, const char *prefix,
                        const struct nsc_sheet_style *style)
{
    struct remarks remarks = {out, style, prefix, NSC_BUF_INIT(SIZE_MAX)};

    if (sheet->has_window && !has_same_window(sheet, before))
        add_window(&remarks, sheet->window);
    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        if (!says_of(sheet, c))
            continue;
        show_words(&remarks.line, sheet->columns[c].title, style->ascii);
        nsc_buf_printf(&remarks.line, ": of %s.", sheet->columns[c].of);
        end_remark(&remarks);
    }
    if (sheet->n_left_out) {
        nsc_buf_printf(&remarks.line, "%" PRIu64 " more rows are left out.", sheet->n_left_out);
        end_remark(&remarks);
    }
    for (size_t i = 0; i < sheet->notes.n; i++) {
        if (style->format == NSC_SHEET_AS_MD)
            nsc_md_text(&remarks.line, nsc_text_from(sheet->notes.at[i]));
        else
            show_words(&remarks.line, sheet->notes.at[i], style->ascii);
        end_remark(&remarks);
    }
    nsc_buf_fini(&remarks.line);
}

void nsc_sheet_write_table(struct nsc_buf *out, const struct nsc_sheet *sheet,
                           const struct nsc_sheet *before, const struct nsc_sheet_style *style)
{
    struct grid grid = {sheet, style, NSC_BUF_INIT(SIZE_MAX),
                        nsc_xcalloc(sheet->n_columns, sizeof(size_t)), false};

    nsc_text_clean(out, nsc_text_from(sheet->title), style->ascii);
    nsc_buf_putc(out, '\n');
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_buf_puts(out, "  nothing found\n");
    } else {
        measure_columns(&grid);
        fit_width(&grid);
        add_rows(out, &grid);
    }
    add_remarks(out, sheet, before, "  ", style);
    free(grid.width);
    nsc_buf_fini(&grid.cell);
}

void nsc_plain_table_write(struct nsc_buf *out, const struct nsc_sheet *sheet)
{
    static const struct nsc_sheet_style style = {.ascii = false};
    struct grid grid = {sheet, &style, NSC_BUF_INIT(SIZE_MAX),
                        nsc_xcalloc((size_t)sheet->n_columns + 1, sizeof(size_t)), true};

    measure_columns(&grid);
    add_rows(out, &grid);
    free(grid.width);
    nsc_buf_fini(&grid.cell);
}

/* ---- Markdown ---- */

void nsc_md_text(struct nsc_buf *out, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    for (size_t i = 0; i < clean.n; i++) {
        if (strchr("\\`*_{}[]<>#|~&$", clean.bytes[i]))
            nsc_buf_putc(out, '\\');
        nsc_buf_putc(out, clean.bytes[i]);
    }
    nsc_buf_fini(&clean);
}

static void add_md_heading(struct nsc_buf *out, struct grid *grid)
{
    const struct nsc_sheet *sheet = grid->sheet;

    for (uint32_t c = 0; c < sheet->n_columns; c++) {
        nsc_buf_puts(out, "| ");
        nsc_md_text(out, title_of(grid, c));
        nsc_buf_putc(out, ' ');
    }
    nsc_buf_puts(out, "|\n");
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        nsc_buf_puts(out, is_right(&sheet->columns[c]) ? "| ---: " : "| --- ");
    nsc_buf_puts(out, "|\n");
}

void nsc_sheet_write_md(struct nsc_buf *out, const struct nsc_sheet *sheet,
                        const struct nsc_sheet *before, const struct nsc_sheet_style *style)
{
    uint32_t n = nsc_sheet_rows(sheet);
    struct grid grid = {sheet, style, NSC_BUF_INIT(SIZE_MAX), NULL, false};

    nsc_buf_puts(out, "## ");
    nsc_md_text(out, nsc_text_from(sheet->title));
    nsc_buf_puts(out, "\n\n");
    if (n == 0)
        nsc_buf_puts(out, "_Nothing found._\n");
    else
        add_md_heading(out, &grid);
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < sheet->n_columns; c++) {
            nsc_buf_puts(out, "| ");
            nsc_md_text(out, shown(&grid, r, c));
            nsc_buf_putc(out, ' ');
        }
        nsc_buf_puts(out, "|\n");
    }
    nsc_buf_putc(out, '\n');
    add_remarks(out, sheet, before, "- ", style);
    nsc_buf_fini(&grid.cell);
}
