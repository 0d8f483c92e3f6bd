/*
 * docs/REPORTS.md.
 */
#ifndef NSC_CLI_STATS_LIST_H
#define NSC_CLI_STATS_LIST_H

#include "core/buf.h"

/* Appends the whole document. */
void nsc_stats_document(struct nsc_buf *out);

#endif
