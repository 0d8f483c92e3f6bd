/*
 * Skills: questions with names, each answered by sheets; one table of them (skill.def).
 *
 * A skill is asked of a scope and of columns of the export that the index does not hold (fields;
 * NULL: none were read), with parameters. It never fails: what cannot be answered is a sheet
 * without rows whose notes say why. Sheets are the caller's. The first sheet has the columns that
 * the table names.
 */
#ifndef NSC_ANALYSIS_SKILL_H
#define NSC_ANALYSIS_SKILL_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "core/sheet.h"

struct nsc_field_sets;

enum nsc_param {
#define NSC_SKILL_PARAM(id, name, type, help) NSC_PARAM_##id,
#include "analysis/skill/skill_param.def"
#undef NSC_SKILL_PARAM
    NSC_N_PARAMS
};

enum nsc_param_type {
    NSC_PARAM_TYPE_COUNT,    /* whole, from 0 */
    NSC_PARAM_TYPE_DURATION, /* ns, from 0 */
    NSC_PARAM_TYPE_NUMBER,   /* a double, finite */
    NSC_PARAM_TYPE_SWITCH,   /* "on" is 1, "off" 0 */
    NSC_PARAM_TYPE_TEXT
};

struct nsc_param_value {
    bool is_set;
    int64_t integer;  /* COUNT, DURATION, SWITCH */
    double number;    /* NUMBER */
    const char *text; /* TEXT: borrowed from what was parsed */
};

struct nsc_question {
    const struct nsc_scope *scope;
    const struct nsc_field_sets *fields; /* NULL: none */
    struct nsc_param_value params[NSC_N_PARAMS];
    bool indent; /* texts of trees stand behind two spaces a level, for people */
};

/* What a skill is asked of where the scope has neither a window nor a filter. */
enum nsc_skill_window { NSC_SKILL_STEADY, NSC_SKILL_WHOLE, NSC_SKILL_OWN };

struct nsc_skill {
    const char *name;                       /* "top_kernels" */
    const char *category;                   /* "kernels" */
    enum nsc_skill_window window;           /* where the user asks of none */
    const char *question;                   /* "Which kernels take the summed kernel time?" */
    const char *words;                      /* what leads to it; see skill.def */
    const char *params;                     /* "limit=15 min=1ms" */
    const struct nsc_sheet_column *columns; /* of the first sheet, up to a key that is NULL */
    void (*run)(struct nsc_sheets *out, const struct nsc_question *question);
};

const struct nsc_skill *nsc_skills(uint32_t *n);
/*
 * Asks a skill. Those about what a GPU does with its time are asked of the steady state, if the scope has
 * one (finding/steady.h), and say what their window is; those that count all of the recording say so too.
 */
void nsc_skill_run(struct nsc_sheets *out, const struct nsc_skill *skill,
                   const struct nsc_question *question);
/* NULL when there is none of that name ("-" stands for "_"); names of skill_alias.def are found
 * too. */
const struct nsc_skill *nsc_skill_find(const char *name);

/* Another name of the skill, by number from 0; NULL after the last. */
const char *nsc_skill_alias(const struct nsc_skill *skill, uint32_t i);

/* ---- parameters ---- */

const char *nsc_param_name(enum nsc_param param);
const char *nsc_param_help(enum nsc_param param);

/* A question with the default values of the skill's row. */
struct nsc_question nsc_question_of(const struct nsc_skill *skill, const struct nsc_scope *scope,
                                    const struct nsc_field_sets *fields);
/* Sets a parameter from "limit=20". NSC_EINVAL: the skill has no such parameter, or the value is
 * invalid. text is borrowed. */
NSC_NODISCARD enum nsc_status nsc_question_set(struct nsc_question *question,
                                               const struct nsc_skill *skill, const char *text,
                                               struct nsc_error *error);

/* Columns of a table ended by a NULL key. */
uint32_t nsc_columns_count(const struct nsc_sheet_column columns[]);
/* The skill's own first sheet: its name, its question, its columns, the question's window. */
struct nsc_sheet *nsc_question_sheet(struct nsc_sheets *out, const struct nsc_question *question,
                                     const char *name, const struct nsc_sheet_column columns[]);
/* A further sheet with the question's window. */
struct nsc_sheet *nsc_question_more(struct nsc_sheets *out, const struct nsc_question *question,
                                    const char *key, const char *title,
                                    const struct nsc_sheet_column columns[]);
/* Adds the period of an iteration beside the median of its kind, and the part of the GPUs' time that
 * differs most; nothing when there is no such iteration. */
void nsc_iteration_compare_add(struct nsc_sheets *out, const struct nsc_question *question,
                               uint32_t iteration);
/* A column of the row of a GPU in TARGET_INFO_GPU; 0: not known. */
int64_t nsc_question_gpu(const struct nsc_question *question, int64_t gpu,
                         enum nsc_gpu_field field);
/* How many of n rows the limit allows; counts the rest in sheet->n_left_out. */
size_t nsc_question_limit(const struct nsc_question *question, struct nsc_sheet *sheet, size_t n);

/* ---- the functions and columns behind the rows of skill.def ---- */

#define NSC_SKILL(stem, category, window, asks, words, params)                          \
    void nsc_skill_##stem(struct nsc_sheets *out, const struct nsc_question *question); \
    extern const struct nsc_sheet_column nsc_skill_##stem##_columns[];
#include "analysis/skill/skill.def"
#undef NSC_SKILL

/* The first sheet of a skill, from its name in skill.def. */
#define NSC_SKILL_SHEET(out, question, stem) \
    nsc_question_sheet(out, question, #stem, nsc_skill_##stem##_columns)

#endif
