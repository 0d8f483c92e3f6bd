/* Documents generated from the tables of the source (nsyscope docs). */
#ifndef NSC_CLI_DOCUMENTS_H
#define NSC_CLI_DOCUMENTS_H

#include "core/buf.h"

#include <stdbool.h>

/* The reports of nsys stats and the rules of nsys analyze. */
void nsc_stats_document(struct nsc_buf *out);
/* Appends the names of all reports, or all rules, separated by spaces. */
void nsc_stats_words(struct nsc_buf *out, bool is_rule);

/* The schema of every known version as HTML. */
void nsc_schema_document(struct nsc_buf *out);

/* The tables of the trace in SQL. */
void nsc_query_document(struct nsc_buf *out);

/* The table of skills. */
void nsc_skill_document(struct nsc_buf *out);

#endif
