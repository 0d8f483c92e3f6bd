/*
 * CSV fields by RFC 4180, safe to open in a spreadsheet.
 *
 * A text field that a spreadsheet would take for a formula (it begins with = + - @ TAB CR NUL, also
 * behind spaces) gets a leading apostrophe; numbers never do. Text is raw and is made valid UTF-8
 * here.
 */
#ifndef NSC_SHARE_CSV_H
#define NSC_SHARE_CSV_H

#include "nsyscope/types.h"

#include "core/buf.h"

/* Each adds one field, with a comma before it unless first. */
void nsc_csv_text(struct nsc_buf *out, bool first, struct nsc_text value);
void nsc_csv_int(struct nsc_buf *out, bool first, int64_t value);
void nsc_csv_end(struct nsc_buf *out); /* the line's end: CR LF is not used, LF is */

#endif
