/* Asks loaded exports by SQL: the tables of their trace (query/query.h). */
#ifndef NSC_CLI_SQL_ASK_H
#define NSC_CLI_SQL_ASK_H

#include "cli/field_reader.h"
#include "cli/scope_options.h"
#include "core/relation.h"

/* Whether a statement is one about the trace; *error says why not. */
bool nsc_sql_is_of_trace(const char *sql, struct nsc_error *error);
/* A reader for each export of the trace; a scope of one export of a job has that one alone. */
void nsc_sql_readers_open(struct nsc_field_readers *readers, const struct nsc_loaded_scope *loaded);
/* A damaged table is a note of the sheet; after other failures there is no answer. */
NSC_NODISCARD enum nsc_status nsc_sql_readers_check(const struct nsc_field_readers *readers,
                                                    struct nsc_sheet *sheet,
                                                    struct nsc_error *error);
/*
 * Loads the files with the scope of the options, and runs a statement; reads columns beside the
 * index from each. The notes of the scope go to the sheet. Free *out with nsc_relation_free.
 */
NSC_NODISCARD enum nsc_status nsc_sql_ask_files(struct nsc_relation **out, struct nsc_files files,
                                                const struct nsc_options *options, const char *sql,
                                                struct nsc_error *error);

#endif
