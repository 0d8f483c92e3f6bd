/* Asks loaded exports by SQL: the tables of their trace (query/query.h). */
#ifndef NSC_CLI_SQL_ASK_H
#define NSC_CLI_SQL_ASK_H

#include "cli/field_reader.h"
#include "cli/scope_options.h"
#include "core/relation.h"
#include "query/query.h"

/* Whether a statement is one about the trace; *error says why not, *column where. */
bool nsc_sql_is_of_trace(const char *sql, int *column, struct nsc_error *error);
/* Asks the exports of a loaded job one after the other; borrows it. */
struct nsc_loaded_ranks {
    struct nsc_rank_asker base;
    const struct nsc_loaded_scope *loaded;
};
struct nsc_loaded_ranks nsc_loaded_ranks(const struct nsc_loaded_scope *loaded);
/* A damaged table is a note of the sheet; after other failures there is no answer. */
NSC_NODISCARD enum nsc_status nsc_sql_readers_check(const struct nsc_field_readers *readers,
                                                    struct nsc_sheet *sheet,
                                                    struct nsc_error *error);
struct nsc_sql_ask {
    const struct nsc_loaded_scope *loaded; /* of a whole job */
    const char *sql;
    struct nsc_query_limits limits;
};
/* Runs a statement; reads columns beside the index, and notes the scope's notes. */
NSC_NODISCARD enum nsc_status nsc_sql_ask_scope(struct nsc_relation **out,
                                                const struct nsc_sql_ask *ask, int *column,
                                                struct nsc_error *error);

#endif
