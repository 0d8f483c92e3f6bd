/*
 * Answers in sentences: which row of question.def a question in people's words means, and its
 * sentence with the cells of the sheet.
 */
#ifndef NSC_ANALYSIS_ANSWER_H
#define NSC_ANALYSIS_ANSWER_H

#include "core/buf.h"
#include "core/sheet.h"

struct nsc_people_question {
    const char *words, *skill, *params, *sheet, *sentence, *none, *advice;
};

/* The row that the question means; NULL: none. *number: the first number in it, -1 without one. */
const struct nsc_people_question *nsc_people_question_find(int64_t *number, const char *question);
/* Up to max rows that share a word with it, or the commonest ones. Returns how many. */
uint32_t nsc_people_questions_near(const struct nsc_people_question *out[], uint32_t max,
                                   const char *question);
/* Appends the row's parameters with the number: "iteration=12". */
void nsc_people_question_params(struct nsc_buf *out, const struct nsc_people_question *row,
                                int64_t number);
/* Appends the sentence with cells of the first row of sheets; the text for no row without one. */
void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                int64_t number, const struct nsc_sheets *sheets, bool ascii);

#endif
