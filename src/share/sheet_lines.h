/*
 * Sheets for people to read: an aligned table, and Markdown.
 */
#ifndef NSC_SHARE_SHEET_LINES_H
#define NSC_SHARE_SHEET_LINES_H

#include "share/sheet_write.h"

/* before: the sheet printed above, NULL for the first; its window is not repeated. */
void nsc_sheet_write_table(struct nsc_buf *out, const struct nsc_sheet *sheet,
                           const struct nsc_sheet *before, const struct nsc_sheet_style *style);
void nsc_sheet_write_md(struct nsc_buf *out, const struct nsc_sheet *sheet,
                        const struct nsc_sheet *before, const struct nsc_sheet_style *style);
/* Appends text on one line, with Markdown's special characters escaped. */
void nsc_md_text(struct nsc_buf *out, struct nsc_text text);

#endif
