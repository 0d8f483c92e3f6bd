/*
 * CSV fields as in RFC 4180, safe to open in a spreadsheet.
 *
 * A text field that a spreadsheet would run as a formula (it begins with = + - @ TAB CR NUL,
 * possibly after spaces) gets a leading apostrophe, unless it is for programs (--raw-csv); numbers
 * never do. A line ends with LF, not CR LF. Callers pass raw text; these functions make it valid UTF-8.
 */
#ifndef NSC_SHARE_CSV_H
#define NSC_SHARE_CSV_H

#include "nsyscope/types.h"

#include "core/buf.h"

/* Adds one field, preceded by a comma unless it is the first of its line. is_raw: without the apostrophe. */
void nsc_csv_text(struct nsc_buf *out, bool first, struct nsc_text value, bool is_raw);
/* Adds `before` and a text as it is, in quotes if it needs them. */
void nsc_csv_quote(struct nsc_buf *out, const char *before, struct nsc_text text);
/* Whether a spreadsheet would regard the text as a formula. */
bool nsc_csv_is_formula(struct nsc_text text);

#endif
