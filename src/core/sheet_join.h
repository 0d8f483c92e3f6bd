/*
 * Joins the same sheets, asked of several exports in turn, with a first column that says of which.
 */
#ifndef NSC_CORE_SHEET_JOIN_H
#define NSC_CORE_SHEET_JOIN_H

#include "core/sheet.h"

/*
 * One sheet for each key and its columns, in the order in which they are met, the rows of each part
 * in turn.
 * Its window spans those of the parts; what is left out adds up; a note that all parts of the sheet
 * have stands once, any other behind the label of its part. labels: raw, one a part. out is
 * initialised; the parts are not changed.
 */
void nsc_sheets_join(struct nsc_sheets *out, const struct nsc_sheets parts[],
                     const struct nsc_text labels[], uint32_t n);

#endif
