/*
 * Text as HTML or XML, and the head of a page that loads nothing.
 */
#ifndef NSC_SHARE_MARKUP_H
#define NSC_SHARE_MARKUP_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/sheet.h"

/* Appends clean text; special characters become entities. */
void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n);
/* The same for raw text, which it cleans. */
void nsc_markup_text(struct nsc_buf *out, struct nsc_text text);
/* Raw text between two pieces of markup, such as "<b>" and "</b>". */
void nsc_markup_element(struct nsc_buf *out, const char *open, struct nsc_text text,
                        const char *close);
/* A column of a table: its heading, the column of the sheet, and how its cells are shown; NULL: as in tables for people. */
struct nsc_markup_column {
    struct nsc_text heading;
    uint32_t column;
    void (*show)(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                 const struct nsc_markup_column *column);
};
/* The first rows of a sheet as a table. columns NULL: all. */
struct nsc_markup_table {
    const char *caption; /* NULL: none */
    const struct nsc_markup_column *columns;
    uint32_t n_columns, n_rows;
};
void nsc_markup_sheet(struct nsc_buf *out, const struct nsc_sheet *sheet,
                      const struct nsc_markup_table *table);
/* The begin of a page, up to and with its style; <style> and <head> are left open. */
void nsc_markup_page(struct nsc_buf *out, const char *title, const char *style);

#endif
