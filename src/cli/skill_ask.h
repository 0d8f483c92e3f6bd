/*
 * Asks skills about a loaded export, with the columns beside its index.
 */
#ifndef NSC_CLI_SKILL_ASK_H
#define NSC_CLI_SKILL_ASK_H

#include "analysis/skill/skill.h"
#include "cli/scope_options.h"

/* Adds the sheets of n skills to out. questions hold the parameters; the function fills in the
 * scope and the rest. NSC_ENOMEM, NSC_EIO: columns could not be read; notes name damaged ones. */
NSC_NODISCARD enum nsc_status nsc_skills_ask(struct nsc_sheets *out, struct nsc_asked *asked,
                                             const struct nsc_skill *const skills[],
                                             const struct nsc_question questions[], unsigned n,
                                             struct nsc_error *error);

#endif
