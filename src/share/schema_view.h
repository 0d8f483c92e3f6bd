/* The schema for people: as text, and as one HTML page. */
#ifndef NSC_SHARE_SCHEMA_VIEW_H
#define NSC_SHARE_SCHEMA_VIEW_H

#include "core/sheet.h"
#include "share/sheet_write.h"

/* Writes one HTML page without network and script. sheets: from nsys/explore; the columns of each
 * table are consecutive, in the order of the tables. title: raw. */
void nsc_schema_html(struct nsc_buf *out, const struct nsc_sheets *sheets, const char *title);

/* Writes text. sheets: as in nsc_schema_html. The style's format must be TABLE. */
void nsc_schema_text(struct nsc_buf *out, const struct nsc_sheets *sheets,
                     const struct nsc_sheet_style *style);

#endif
