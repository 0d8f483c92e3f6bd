/* Writes clean text, elements and the head of a page as HTML. */
#include "share/markup.h"

#include "core/text.h"

void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (bytes[i]) {
        case '&':
            nsc_buf_puts(out, "&amp;");
            break;
        case '<':
            nsc_buf_puts(out, "&lt;");
            break;
        case '>':
            nsc_buf_puts(out, "&gt;");
            break;
        case '"':
            nsc_buf_puts(out, "&quot;");
            break;
        case '\'':
            nsc_buf_puts(out, "&#39;");
            break;
        default:
            nsc_buf_putc(out, bytes[i]);
        }
    }
}

void nsc_markup_text(struct nsc_buf *out, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    nsc_markup_add(out, clean.bytes, clean.n);
    nsc_buf_fini(&clean);
}

void nsc_markup_element(struct nsc_buf *out, const char *open, struct nsc_text text,
                        const char *close)
{
    nsc_buf_puts(out, open);
    nsc_markup_text(out, text);
    nsc_buf_puts(out, close);
}

static struct nsc_markup_column column_of(const struct nsc_sheet *sheet,
                                          const struct nsc_markup_table *table, uint32_t c)
{
    return table->columns
               ? table->columns[c]
               : (struct nsc_markup_column){nsc_text_from(sheet->columns[c].title), c, NULL};
}

static void add_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                     const struct nsc_markup_column *column)
{
    struct nsc_buf cell = NSC_BUF_INIT(SIZE_MAX);

    if (column->show)
        column->show(&cell, sheet, row, column);
    else
        nsc_sheet_show(&cell, sheet, row, column->column, false);
    nsc_markup_text(out, nsc_text_of_buf(&cell));
    nsc_buf_fini(&cell);
}

void nsc_markup_sheet(struct nsc_buf *out, const struct nsc_sheet *sheet,
                      const struct nsc_markup_table *table)
{
    uint32_t n = table->columns ? table->n_columns : sheet->n_columns;

    nsc_buf_puts(out, "<div class=\"w\" tabindex=\"0\"><table>");
    if (table->caption)
        nsc_markup_element(out, "<caption>", nsc_text_from(table->caption), "</caption>");
    for (uint32_t row = 0; row <= table->n_rows; row++) { /* the first has the headings */
        nsc_buf_puts(out, "\n<tr>");
        for (uint32_t c = 0; c < n; c++) {
            struct nsc_markup_column column = column_of(sheet, table, c);
            const char *class = sheet->columns[column.column].kind == NSC_SHEET_TEXT ||
                                        sheet->columns[column.column].kind == NSC_SHEET_YES
                                    ? ""
                                    : " class=\"n\"";

            nsc_buf_printf(out, row ? "<td%s>" : "<th scope=\"col\"%s>", class);
            if (row)
                add_cell(out, sheet, row - 1, &column);
            else
                nsc_markup_text(out, column.heading);
            nsc_buf_puts(out, row ? "</td>" : "</th>");
        }
        nsc_buf_puts(out, "</tr>");
    }
    nsc_buf_puts(out, "\n</table></div>\n");
}

void nsc_markup_page(struct nsc_buf *out, const char *title, const char *style)
{
    nsc_buf_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n");
    nsc_markup_element(out, "<title>", nsc_text_from(title), "</title>\n<style>");
    nsc_buf_puts(out, style);
}
