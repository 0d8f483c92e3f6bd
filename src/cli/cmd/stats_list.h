/*
 * The list of reports and rules, as a document and as words.
 */
#ifndef NSC_CLI_STATS_LIST_H
#define NSC_CLI_STATS_LIST_H

#include "core/buf.h"

#include <stdbool.h>

/* Appends the whole document. */
void nsc_stats_document(struct nsc_buf *out);

/* Appends the names of all reports, or all rules, with spaces between. */
void nsc_stats_words(struct nsc_buf *out, bool is_rule);

#endif
