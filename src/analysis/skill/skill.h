/*
 * Skills: named questions, each answered by sheets; skill.def lists those in C, and
 * query/answer_file.h reads those in SQL.
 *
 * A skill takes a scope, parameters, and columns of the export that are not in the index (fields;
 * NULL: none were read). It never fails: if it cannot answer, its sheet has no rows, and a note
 * says why. The caller owns the sheets. The first sheet has the columns that the table names.
 */
#ifndef NSC_ANALYSIS_SKILL_H
#define NSC_ANALYSIS_SKILL_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/ranges/iterations.h"
#include "core/sheet.h"

struct nsc_answer;
struct nsc_capture;
struct nsc_error;

enum nsc_param {
#define NSC_SKILL_PARAM(id, name, type, help) NSC_PARAM_##id,
#include "analysis/skill/skill_param.def"
#undef NSC_SKILL_PARAM
    NSC_N_PARAMS
};

enum nsc_param_type {
    NSC_PARAM_TYPE_COUNT,    /* integer, at least 0 */
    NSC_PARAM_TYPE_DURATION, /* ns, at least 0 */
    NSC_PARAM_TYPE_NUMBER,   /* finite double */
    NSC_PARAM_TYPE_SWITCH,   /* "on" is 1, "off" 0 */
    NSC_PARAM_TYPE_TEXT
};

struct nsc_param_row {
    const char *name, *help;
    enum nsc_param_type type;
};

struct nsc_param_value {
    bool is_set;
    int64_t integer;  /* COUNT, DURATION, SWITCH */
    double number;    /* NUMBER */
    const char *text; /* for TEXT: borrowed from the parsed text */
};

#define NSC_SKILL_OWN_PARAMS 8

struct nsc_question;

/* Asks a question of each export of a scope alone. */
struct nsc_rank_asker {
    /* Joins the answers, with a column for the rank. The question has its parameters; its scope is
     * replaced. of_events: about the time that the events have, not the steady state. */
    enum nsc_status (*ask)(const struct nsc_rank_asker *asker, struct nsc_sheets *out,
                           const struct nsc_question *question, bool of_events,
                           struct nsc_error *error);
};

struct nsc_question {
    const struct nsc_skill *skill;
    const struct nsc_scope *scope;
    const struct nsc_field_sets *fields; /* NULL: none */
    const struct nsc_field_sets *const
        *each;                          /* the same by export, for files; NULL: fields alone */
    const struct nsc_rank_asker *ranks; /* for files that name a skill's table; NULL: one export */
    const struct nsc_capture *capture;  /* for queries of its own tables; NULL: refuses them */
    struct nsc_error *error;            /* gets the error of a query; NULL: it becomes a note */
    struct nsc_param_value params[NSC_N_PARAMS + NSC_SKILL_OWN_PARAMS]; /* then the skill's own */
    bool indent; /* for people: texts of trees are indented, two spaces a level */
};

/* The window of a skill if the scope has neither a window nor a filter. */
enum nsc_skill_window { NSC_SKILL_STEADY, NSC_SKILL_WHOLE, NSC_SKILL_OWN };

struct nsc_skill {
    const char *name;                       /* "top_kernels" */
    const char *category;                   /* "kernels" */
    enum nsc_skill_window window;           /* default window */
    const char *question;                   /* "Which kernels take the summed kernel time?" */
    const char *words;                      /* words that find it; see skill.def */
    const char *params;                     /* "limit=15 min=1ms" */
    const struct nsc_sheet_column *columns; /* columns of the first sheet, ended by a NULL key */
    void (*run)(struct nsc_sheets *out, const struct nsc_question *question);

    /* Of skills that are files (query/answer_file.h): */
    const struct nsc_answer *answer; /* NULL: a row of skill.def */
    const struct nsc_param_row *own; /* parameters, at most NSC_SKILL_OWN_PARAMS */
    uint32_t n_own;
    const char *const *aliases; /* ended by NULL; beside those of skill_alias.def; NULL: none */
    const char *needs;          /* "GPU work": without such events there is no answer; NULL: none */
    enum nsc_kind first_need, last_need;
};

/* Those of skill.def. */
const struct nsc_skill *nsc_skills(uint32_t *n);
/*
 * Runs the skill of a question. Skills about the time of GPUs use the steady state, if the scope has
 * one (finding/steady.h); others use the whole recording. Notes say which.
 */
void nsc_skill_run(struct nsc_sheets *out, const struct nsc_question *question);
/* Runs the skill with this name and the default values of its parameters. */
void nsc_skill_run_named(struct nsc_sheets *out, const char *name, const struct nsc_scope *scope,
                         const struct nsc_field_sets *fields);
/* NULL if there is none with that name ("-" equals "_"). Finds the names of skill_alias.def,
 * too. */
const struct nsc_skill *nsc_skill_find(const char *name);
/* The same among n skills; of equal names the last. */
const struct nsc_skill *nsc_skill_find_in(const struct nsc_skill among[], uint32_t n,
                                          const char *name);

/* Alias i of the skill, from 0; NULL after the last. */
const char *nsc_skill_alias(const struct nsc_skill *skill, uint32_t i);

/* ---- parameters ---- */

const char *nsc_param_name(enum nsc_param param);
const char *nsc_param_help(enum nsc_param param);

/* What the parameter of "limit=" means. */
const char *nsc_skill_param_help(const struct nsc_skill *skill, const char *text);
/* A question with the default values of the skill's row. */
struct nsc_question nsc_question_of(const struct nsc_skill *skill, const struct nsc_scope *scope,
                                    const struct nsc_field_sets *fields);
/* Sets a parameter from "limit=20". NSC_EINVAL: the skill has no such parameter, or the value is
 * invalid. text is borrowed. */
NSC_NODISCARD enum nsc_status nsc_question_set(struct nsc_question *question, const char *text,
                                               struct nsc_error *error);

/* The kinds, as a term of the filter, of a word of the parameter "type". NULL: it is none. */
const char *nsc_search_kinds(const char *type);

/* The number of columns before the NULL key. */
uint32_t nsc_columns_count(const struct nsc_sheet_column columns[]);
/* Adds the skill's first sheet: its name, question and columns, and the window of the question. */
struct nsc_sheet *nsc_question_sheet(struct nsc_sheets *out, const struct nsc_question *question,
                                     const char *name, const struct nsc_sheet_column columns[]);
/* Adds a further sheet with the question's window. */
struct nsc_sheet *nsc_question_more(struct nsc_sheets *out, const struct nsc_question *question,
                                    const char *key, const char *title,
                                    const struct nsc_sheet_column columns[]);
/* Adds a comparison of an iteration's period with the median of its kind, and the part of the GPU
 * time that differs most. Adds nothing if there is no such iteration. */
void nsc_iteration_compare_add(struct nsc_sheets *out, const struct nsc_question *question,
                               uint32_t iteration);
/* Finds the iterations of the question, by its marker if it has one. False, with out->why, if there
 * are none. */
bool nsc_question_iterations(struct nsc_iterations *out, const struct nsc_question *question);
/* Makes a marker by which there are no iterations an error of the question, NSC_ENODATA, which tells
 * the nearest names. */
void nsc_question_refuse_marker(const struct nsc_question *question);
/* How many of n rows the limit allows; adds the rest to sheet->n_left_out. */
size_t nsc_question_limit(const struct nsc_question *question, struct nsc_sheet *sheet, size_t n);

/* The label of a track's export; none if there is one export. */
struct nsc_kept_text nsc_rank_label(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                    uint32_t track);
/* Adds the time of each GPU, cut where the classes of running work change. */
void nsc_sweep_sheet(struct nsc_sheets *out, const struct nsc_scope *scope);
extern const struct nsc_sheet_column nsc_sweep_columns[];

/* ---- the functions and columns behind the rows of skill.def ---- */

#define NSC_SKILL(stem, category, window, asks, words, params)                          \
    void nsc_skill_##stem(struct nsc_sheets *out, const struct nsc_question *question); \
    extern const struct nsc_sheet_column nsc_skill_##stem##_columns[];
#include "analysis/skill/skill.def"

/* The columns of further sheets that are tables in SQL (query/sheet_table.def), by key. */
extern const struct nsc_sheet_column nsc_cause_columns[], nsc_step_columns[], nsc_phase_columns[];

/* Adds the first sheet of a skill, named as in skill.def. */
#define NSC_SKILL_SHEET(out, question, stem) \
    nsc_question_sheet(out, question, #stem, nsc_skill_##stem##_columns)

#endif
