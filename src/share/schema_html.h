/*
 * The schema explorer as one HTML page: no network, no script.
 */
#ifndef NSC_SHARE_SCHEMA_HTML_H
#define NSC_SHARE_SCHEMA_HTML_H

#include "core/sheet.h"

/* sheets: those of nsys/explore; the columns of a table follow each other, in the order of the
 * tables. title: raw. */
void nsc_schema_html(struct nsc_buf *out, const struct nsc_sheets *sheets, const char *title);

#endif
