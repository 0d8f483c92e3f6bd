/*
 * Finds the skills that answer a question in people's words. Compares the words of the question
 * (letters and digits, "-" inside, any case) with each skill's words, the parts of its name and the
 * words of its own question. A word of the row scores 3, a part of the name 2, a word of its
 * question 1, each once; stop words score 0.
 */
#ifndef NSC_ANALYSIS_ROUTE_H
#define NSC_ANALYSIS_ROUTE_H

#include "nsyscope/trace.h"

#include "analysis/skill/narrow.h"
#include "core/buf.h"
#include "core/sheet.h"

/* Whether the first word of a text tells questions not apart: "the", "which", "time". */
bool nsc_route_is_plain(const char *text);

/* A skill to match; borrowed. */
struct nsc_route_entry {
    const char *name, *question, *words;
};

struct nsc_route {
    uint32_t entry; /* index of the entry */
    uint32_t score;
};

/* Writes at most max routes, the best first; ties: the first entry first. Drops scores below half
 * of the best. Returns their number. */
uint32_t nsc_route_find(struct nsc_route out[], uint32_t max,
                        const struct nsc_route_entry entries[], uint32_t n, const char *question);

/* Appends the words of a question that none of n texts has: "\"variance\", \"first\"". A text is words as in
 * skill.def, or a sentence, which has a word if it has its stem. Returns their number. */
uint32_t nsc_route_unheard(struct nsc_buf *out, const char *question, const char *const heard[],
                           uint32_t n);
/* Whether a text has one of the words, which are not common ones. */
bool nsc_route_names(struct nsc_text text, const char *words);

/* A row of question.def: the meaning of a question in people's words, and its answer, a sentence
 * with cells of a sheet. */
struct nsc_people_question {
    const char *words, *skill, *params, *sheet, *sentence, *none, *advice;
};

/* The row that best matches the words left after narrowing. A question with limits only means the
 * overview. NULL: none. */
const struct nsc_people_question *nsc_people_question_find(const struct nsc_narrowing *narrowing,
                                                           const char *question);
/* The row of the cause that a question is about: findings of its rules have that cause. The row for
 * any cause if none has the question's words, or row is for a cause itself. is_first: it fits at
 * least as well as the row of nsc_people_question_find, or better than by a name alone. */
const struct nsc_people_question *nsc_people_question_cause(bool *is_first,
                                                            const struct nsc_narrowing *narrowing,
                                                            const struct nsc_people_question *row);
/* How many groups of the row's words the question has. */
uint32_t nsc_people_question_groups(const struct nsc_people_question *row,
                                    const struct nsc_narrowing *narrowing);
/* The row of a question that no skill answers, but another command: advice is that command. Without
 * a sentence it is about late ranks; without advice, too, no recording tells. NULL: none. */
const struct nsc_people_question *nsc_people_question_elsewhere(const char *question);
/* The first row of a skill, which must have one. */
const struct nsc_people_question *nsc_people_question_of(const char *skill);
/* Finds a name in the rest of the question, if it has none and asks about nothing else: the first
 * word that is part of a kernel's, range's or call's name and of no row; X in "how long does X
 * take". */
void nsc_people_question_name(struct nsc_narrowing *narrowing, const struct nsc_trace *trace,
                              const char *question);
/* Up to max rows of different skills: those that share words with the question, then the most common
 * ones. Returns their number. */
uint32_t nsc_people_questions_near(const struct nsc_people_question *out[], uint32_t max,
                                   const char *question);
/* Appends the row's parameters, filled with the number and the name: "iteration=12". */
void nsc_people_question_params(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing);
/* The sheet that answers the row, and in *at the row of the sheet: the first, or greatest, for the
 * GPU in the question; NSC_NONE if there is none. NULL: no such sheet. */
const struct nsc_sheet *nsc_people_question_sheet(uint32_t *at,
                                                  const struct nsc_people_question *row,
                                                  const struct nsc_narrowing *narrowing,
                                                  const struct nsc_sheets *sheets);
/* The next row with the same words and skill, to try if a row has no answer; NULL: none. */
const struct nsc_people_question *nsc_people_question_next(const struct nsc_people_question *row);
/* Appends the sentence with the cells of row at of the sheet, and says when GPUs tie; NSC_NONE: the
 * text for no row. */
void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing,
                                const struct nsc_sheets *sheets, uint32_t at, bool ascii);
/* The finding that names one of the words, without common ones; NSC_NONE. */
uint32_t nsc_people_question_named_finding(const struct nsc_sheets *sheets, const char *words);
/* Appends what to do: the next step of the finding in row at of a sheet, or the row's advice; without an answer, what fits the lack of one. */
void nsc_people_question_advice(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_sheets *sheets, uint32_t at);

#endif
