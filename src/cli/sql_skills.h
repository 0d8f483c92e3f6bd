/*
 * Skills that are queries: the built-in schema_inspect, and the .sql files in nsyscope/skills of
 * the user's config folder.
 *
 * A file begins with optional comment lines:
 *
 *     -- name: long_copies
 *     -- question: Which copies take longest?
 *     -- words: copy* slow
 *     -- columns: start, end, bytes
 *
 * and contains one SELECT (see docs/SKILLS.md). An invalid file is skipped, with a warning on
 * stderr.
 */
#ifndef NSC_CLI_SQL_SKILLS_H
#define NSC_CLI_SQL_SKILLS_H

#include "cli/options.h"
#include "core/arena.h"
#include "core/relation.h"
#include "core/vec.h"

struct nsc_sql_skill {
    const char *name, *question, *words, *columns; /* columns: from the header; "" without one */
    const char *sql;
    const char *category; /* "utility", or "yours" */
};

struct nsc_sql_skills {
    struct nsc_arena arena;
    NSC_VEC(struct nsc_sql_skill) list; /* built-in first, then by file name */
};

void nsc_sql_skills_init(struct nsc_sql_skills *skills);
void nsc_sql_skills_fini(struct nsc_sql_skills *skills);

/* Whether the query is one of the trace, to which filter and window apply (cli/sql_ask.h). */
bool nsc_sql_skill_is_of_trace(const struct nsc_sql_skill *skill);
/* Names the sheet after the skill. */
void nsc_sql_skill_set_title(struct nsc_relation *rows, const struct nsc_sql_skill *skill);
/* Runs a query of the export's own tables on a file. *out's sheet has the skill's name and question,
 * and a note that it covers the whole export. Free with nsc_relation_free. */
NSC_NODISCARD enum nsc_status nsc_sql_skill_run(struct nsc_relation **out,
                                                const struct nsc_sql_skill *skill, const char *file,
                                                const struct nsc_options *options,
                                                const struct nsc_capture *loaded,
                                                struct nsc_error *error);

#endif
