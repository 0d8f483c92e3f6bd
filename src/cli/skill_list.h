/*
 * All skills that can be asked, those of the table and those that are a query, as one list.
 */
#ifndef NSC_CLI_SKILL_LIST_H
#define NSC_CLI_SKILL_LIST_H

#include "analysis/skill/route.h"
#include "analysis/skill/skill.h"
#include "cli/scope_options.h"
#include "cli/sql_skills.h"

struct nsc_skill_list {
    struct nsc_sql_skills sql;
    const struct nsc_skill *skills; /* the table */
    uint32_t n_skills;
    struct nsc_route_entry *entries; /* owned: the table's, then the queries' */
    uint32_t n;
};

void nsc_skill_list_init(struct nsc_skill_list *list);
void nsc_skill_list_fini(struct nsc_skill_list *list);
/* The number of a skill of that name; NSC_NONE, and *error (NSC_EINVAL) with the nearest. */
uint32_t nsc_skill_list_find(const struct nsc_skill_list *list, const char *name,
                             struct nsc_error *error);

/*
 * Asks number i with its defaults and adds its sheets to out. What a query's sheet borrows goes to
 * kept, to be freed with nsc_relation_free after printing; a query that fails is a sheet that says
 * so.
 */
struct nsc_kept_relations {
    NSC_VEC(struct nsc_relation *) list;
};
struct nsc_skill_asking {
    struct nsc_sheets *out;
    struct nsc_kept_relations *kept;
    const struct nsc_asked *asked;
    const struct nsc_field_sets *fields;
    const struct nsc_options *options;
};
void nsc_skill_list_ask(const struct nsc_skill_asking *asking, const struct nsc_skill_list *list,
                        uint32_t i);
/* Frees what asking kept; out first. */
void nsc_kept_relations_fini(struct nsc_kept_relations *kept);

#endif
