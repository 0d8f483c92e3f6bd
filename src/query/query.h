/*
 * The trace as tables in SQL: events and answers of analysis/ in one schema, whatever the version
 * of the export.
 *
 * A connection shows one scope: its filter, its window, all its exports. Its tables only read, and
 * a statement passes the gate of nsys/jobs/query.h. SQL shapes, C computes (docs/adr/0022): what
 * groups or relates millions of events is a table function behind which a question of analysis/
 * works. docs/SQL.md explains the schema.
 *
 * One thread uses a connection at a time; several connections may show one trace.
 */
#ifndef NSC_QUERY_QUERY_H
#define NSC_QUERY_QUERY_H

#include "nsyscope/status.h"

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/skill/skill.h"
#include "core/relation.h"
#include "nsys/jobs/query.h"

struct nsc_trace_query;

/* What the tables show; everything is borrowed until close. What stops the scope cancels statements. */
struct nsc_trace_query_ground {
    const struct nsc_scope *scope;
    const struct nsc_field_sets *const *fields; /* columns beside the index, by export; NULL: none
                                                 * is known */
    const struct nsc_rank_asker *ranks; /* fills the tables of skills if the exports are several */
};

/* Opens a connection whose tables have no rows yet. is_inner: for an answer of the program, without
 * tables of answers, so that none asks another. NSC_ENOMEM. */
NSC_NODISCARD enum nsc_status nsc_trace_query_open(struct nsc_trace_query **out, bool is_inner,
                                                   struct nsc_error *error);
void nsc_trace_query_close(struct nsc_trace_query *query); /* NULL is fine */

/* Shows a scope; once for a connection, before run. */
void nsc_trace_query_show(struct nsc_trace_query *query,
                          const struct nsc_trace_query_ground *ground);
/* Gives values to the parameters of the statements that follow; borrowed. Other parameters are then
 * errors. */
void nsc_trace_query_bind(struct nsc_trace_query *query, const struct nsc_query_bound bound[],
                          uint32_t n);
/* Runs one statement. out NULL: only checks that it is one about these tables; that needs no trace, so
 * that a mistake is reported before an export is read. Errors as nsc_query_run; NSC_EINVAL also for
 * an invalid argument of a table. */
NSC_NODISCARD enum nsc_status nsc_trace_query_run(struct nsc_relation **out,
                                                  struct nsc_trace_query *query, const char *sql,
                                                  struct nsc_query_limits limits, int *column,
                                                  struct nsc_error *error);

/*
 * Runs a statement that a check refused as one on an export's own tables, which may have what it
 * names. refused: the error of that, which is returned if the export has no such table either.
 */
NSC_NODISCARD enum nsc_status nsc_trace_query_run_raw(struct nsc_relation **out,
                                                      const struct nsc_query_ask *ask,
                                                      const struct nsc_error *refused, int *column,
                                                      struct nsc_error *error);

/* The names of tables, columns and functions, separated by spaces. */
extern const char nsc_trace_query_words[];
/* Adds what there is: a sheet of tables, of their columns, and of functions. */
void nsc_trace_query_sheets(struct nsc_sheets *out);

#endif
