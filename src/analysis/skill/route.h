/*
 * Finds the skills that answer a question in people's words. Uses no model: compares the words of
 * the question (letters and digits, "-" inside, any case) with each skill's words, the parts of its
 * name and the words of its own question. A word of the row counts 3, a part of the name 2, a word
 * of its question 1, each once; stop words count nothing.
 */
#ifndef NSC_ANALYSIS_ROUTE_H
#define NSC_ANALYSIS_ROUTE_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/sheet.h"

#define NSC_ROUTE_WORDS 160 /* bytes of the matched words that are kept */

/* What can answer; borrowed. */
struct nsc_route_entry {
    const char *name, *question, *words;
};

struct nsc_route {
    uint32_t entry; /* its number */
    uint32_t score;
    char matched[NSC_ROUTE_WORDS]; /* words of the question that led here, separated by spaces */
};

/* Writes at most max routes, the best first, of equals the first entry; leaves out scores below
 * half of the best. Returns how many. */
uint32_t nsc_route_find(struct nsc_route out[], uint32_t max,
                        const struct nsc_route_entry entries[], uint32_t n, const char *question);

/* A row of question.def: what a question in people's words means, and the sentence that answers it with
 * the cells of a sheet. */
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
