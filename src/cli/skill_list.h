/* All skills, built-in ones and queries, as one list. */
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
    struct nsc_route_entry *entries; /* owned: the table's skills, then the queries */
    uint32_t n;
};

void nsc_skill_list_init(struct nsc_skill_list *list);
void nsc_skill_list_fini(struct nsc_skill_list *list);
/* The index of the skill with this name; NSC_NONE if there is none, with the nearest name in *error
 * (NSC_EINVAL). */
uint32_t nsc_skill_list_find(const struct nsc_skill_list *list, const char *name,
                             struct nsc_error *error);

/*
 * Asks skill i with its defaults and adds its sheets to out. kept holds data borrowed by a query's
 * sheet; free it after printing. A failed query gives a sheet with the error.
 */
struct nsc_kept_relations {
    NSC_VEC(struct nsc_relation *) list;
};
struct nsc_skill_asking {
    struct nsc_sheets *out;
    struct nsc_kept_relations *kept;
    const struct nsc_loaded_scope *loaded;
    const struct nsc_field_sets *fields;
    const struct nsc_options *options;
};
void nsc_skill_list_ask(const struct nsc_skill_asking *asking, const struct nsc_skill_list *list,
                        uint32_t i);
/* Frees the kept data; call it after freeing out. */
void nsc_kept_relations_fini(struct nsc_kept_relations *kept);

/* Asks n skills about a loaded export, with the columns beside its index, and adds their sheets to out. questions hold the parameters; the function fills in the
 * scope and the rest. NSC_ENOMEM, NSC_EIO: columns could not be read; notes name damaged ones. */
NSC_NODISCARD enum nsc_status nsc_skills_ask(struct nsc_sheets *out,
                                             struct nsc_loaded_scope *loaded,
                                             const struct nsc_skill *const skills[],
                                             const struct nsc_question questions[], unsigned n,
                                             struct nsc_error *error);

#endif
