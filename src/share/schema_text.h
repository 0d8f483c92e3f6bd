/*
 * The schema explorer as text for people.
 */
#ifndef NSC_SHARE_SCHEMA_TEXT_H
#define NSC_SHARE_SCHEMA_TEXT_H

#include "share/sheet_write.h"

/* sheets: those of nsys/explore, as nsc_schema_html takes them. The style's format must be TABLE. */
void nsc_schema_text(struct nsc_buf *out, const struct nsc_sheets *sheets,
                     const struct nsc_sheet_style *style);

#endif
