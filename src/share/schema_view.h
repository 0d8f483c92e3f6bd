/*
 * The schema explorer for people: as text, and as one HTML page.
 */
#ifndef NSC_SHARE_SCHEMA_VIEW_H
#define NSC_SHARE_SCHEMA_VIEW_H

#include "core/sheet.h"
#include "share/sheet_write.h"

/* One HTML page: no network, no script. sheets: those of nsys/explore; the columns of a table follow each other, in the order of the
 * tables. title: raw. */
void nsc_schema_html(struct nsc_buf *out, const struct nsc_sheets *sheets, const char *title);

/* Text. sheets: as nsc_schema_html takes them. The style's format must be TABLE. */
void nsc_schema_text(struct nsc_buf *out, const struct nsc_sheets *sheets,
                     const struct nsc_sheet_style *style);

#endif
