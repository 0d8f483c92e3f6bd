/* Asks loaded exports by SQL: the tables of their trace (query/query.h). */
#ifndef NSC_CLI_SQL_ASK_H
#define NSC_CLI_SQL_ASK_H

#include "cli/scope_options.h"
#include "core/relation.h"

struct nsc_trace_query;

/* Whether a statement is one about the trace; *error says why not. */
bool nsc_sql_is_of_trace(const char *sql, struct nsc_error *error);
/*
 * Runs a statement on a loaded scope; reads columns beside the index from its exports. The notes of
 * the scope go to the sheet. Free *out with nsc_relation_free.
 */
NSC_NODISCARD enum nsc_status nsc_sql_ask_scope(struct nsc_relation **out,
                                                const struct nsc_loaded_scope *loaded,
                                                const char *sql, struct nsc_error *error);
/* Loads the files with the scope of the options, and does the same. */
NSC_NODISCARD enum nsc_status nsc_sql_ask_files(struct nsc_relation **out, struct nsc_files files,
                                                const struct nsc_options *options, const char *sql,
                                                struct nsc_error *error);

#endif
