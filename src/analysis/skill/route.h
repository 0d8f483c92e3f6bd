/*
 * Finds the skills that answer a question in people's words. Uses no model: compares the words of
 * the question (letters and digits, "-" inside, any case) with each skill's words, the parts of its
 * name and the words of its own question. A word of the row counts 3, a part of the name 2, a word
 * of its question 1, each once; stop words count nothing.
 */
#ifndef NSC_ANALYSIS_ROUTE_H
#define NSC_ANALYSIS_ROUTE_H

#include "nsyscope/trace.h"

#include "analysis/skill/narrow.h"
#include "core/buf.h"
#include "core/sheet.h"

/* Whether a word counts nothing: "the", "which". */
bool nsc_route_is_little(const char *word);

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

/* The row that the question means, by the words that its narrowing leaves; one that only narrows asks
 * what happens there. NULL: none. */
const struct nsc_people_question *nsc_people_question_find(const struct nsc_narrowing *narrowing,
                                                           const char *question);
/* The first row of a skill, which must have one. */
const struct nsc_people_question *nsc_people_question_of(const char *skill);
/* The row that asks what happens: the last one. */
const struct nsc_people_question *nsc_people_question_overview(void);
/* Takes as the name, if there is none and the question is about no other thing, the first word of the
 * rest that is part of the name of a kernel, range or call and of no row; of "how long does X take" X. */
void nsc_people_question_name(struct nsc_narrowing *narrowing, const struct nsc_trace *trace,
                              const char *question);
/* Up to max rows that share a word with it, or the commonest ones. Returns how many. */
uint32_t nsc_people_questions_near(const struct nsc_people_question *out[], uint32_t max,
                                   const char *question);
/* Appends the row's parameters with the number and the name: "iteration=12". */
void nsc_people_question_params(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing);
/* The sheet that answers, and which of its rows: the first, or greatest, of the GPU that the question
 * names; *at is NSC_NONE if there is none. NULL: there is no such sheet. */
const struct nsc_sheet *nsc_people_question_sheet(uint32_t *at,
                                                  const struct nsc_people_question *row,
                                                  const struct nsc_narrowing *narrowing,
                                                  const struct nsc_sheets *sheets);
/* The row that answers the same words with the same skill where this one has no row; NULL: none. */
const struct nsc_people_question *nsc_people_question_next(const struct nsc_people_question *row);
/* Appends the sentence with cells of that row; the text for no row without one. */
void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing,
                                const struct nsc_sheets *sheets, bool ascii);

#endif
