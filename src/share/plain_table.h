/*
 * A sheet as a plain table for scripts: header, dashes, rows; every cell left-justified to its
 * column with one space between, the last one padded too.
 *
 * Numbers are bare digits. A NUMBER whose key ends in _pct is rounded to two decimals, keeps at
 * least one, and gets its sign: "58.4%". Unknown values print as None. Texts pass core/text.
 */
#ifndef NSC_SHARE_PLAIN_TABLE_H
#define NSC_SHARE_PLAIN_TABLE_H

#include "core/sheet.h"

void nsc_plain_table_write(struct nsc_buf *out, const struct nsc_sheet *sheet);

#endif
