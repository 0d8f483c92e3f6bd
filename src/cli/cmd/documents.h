/* Documents generated from the tables of the source (nsyscope docs). */
#ifndef NSC_CLI_DOCUMENTS_H
#define NSC_CLI_DOCUMENTS_H

#include "core/buf.h"
#include "view/kit/help.h"

#include <stdbool.h>

/* The texts of src/cli/man, in order: before and after what comes from tables. */
extern const struct nsc_guide_file nsc_man_files[];
extern const unsigned nsc_n_man_files;
/* The skill for coding agents: docs/agents/nsyscope. */
extern const struct nsc_guide_file nsc_agent_files[];
extern const unsigned nsc_n_agent_files;

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
