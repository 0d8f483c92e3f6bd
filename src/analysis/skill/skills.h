/*
 * What stands behind the rows of skill.def: a function and its columns each.
 */
#ifndef NSC_ANALYSIS_SKILLS_H
#define NSC_ANALYSIS_SKILLS_H

#include "analysis/skill/skill.h"

#define NSC_SKILL(stem, category, asks, words, params)                                  \
    void nsc_skill_##stem(struct nsc_sheets *out, const struct nsc_question *question); \
    extern const struct nsc_sheet_column nsc_skill_##stem##_columns[];
#include "analysis/skill/skill.def"
#undef NSC_SKILL

/* The first sheet of a skill, from its name in skill.def. */
#define NSC_SKILL_SHEET(out, question, stem) \
    nsc_question_sheet(out, question, #stem, nsc_skill_##stem##_columns)

#endif
