/*
 * Asks skills of a loaded export, with the columns beside its index.
 */
#ifndef NSC_CLI_SKILL_ASK_H
#define NSC_CLI_SKILL_ASK_H

#include "analysis/skill/skill.h"
#include "cli/scope_options.h"

/* Adds the sheets of each of n skills to out; questions hold their parameters, the scope and the
 * rest is filled in. Columns that cannot be read are noted. */
void nsc_skills_ask(struct nsc_sheets *out, struct nsc_asked *asked,
                    const struct nsc_skill *const skills[], const struct nsc_question questions[],
                    unsigned n);

#endif
