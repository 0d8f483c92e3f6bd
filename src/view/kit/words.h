/* The words of values in settings files. */
#ifndef NSC_VIEW_KIT_WORDS_H
#define NSC_VIEW_KIT_WORDS_H

#include "nsyscope/types.h"

/* The next word of text; text moves past it. n == 0 at the end. Words end at blanks and tabs. */
struct nsc_text nsc_word_next(struct nsc_text *text);

/* Warns about a line: "before 'text' after", with text of the file cleaned. Does nothing without a
 * function. */
struct nsc_word_warner {
    void (*warning)(void *context, unsigned line, const char *what); /* may be NULL */
    void *context;
};

void nsc_word_warn(const struct nsc_word_warner *warner, unsigned line, const char *before,
                   struct nsc_text text, const char *after);

#endif
