/*
 * The arguments of a program to run, added word by word; no shell parses them.
 *
 * Printing quotes each word so that a POSIX shell reads the same arguments back, for people to
 * copy. The owner calls fini.
 */
#ifndef NSC_CORE_ARGV_H
#define NSC_CORE_ARGV_H

#include "core/buf.h"
#include "core/vec.h"

struct nsc_argv {
    NSC_VEC(char *) words; /* owned */
};

void nsc_argv_add(struct nsc_argv *argv, const char *word);
/* Adds several words: NSC_ARGV_WORDS(argv, "nsys", "export"); */
#define NSC_ARGV_WORDS(argv, ...) nsc_argv_add_words(argv, (const char *const[]){__VA_ARGS__, NULL})
/* words end with a NULL. */
void nsc_argv_add_words(struct nsc_argv *argv, const char *const words[]);
/* Adds copies of the words of another. */
void nsc_argv_add_all(struct nsc_argv *argv, const struct nsc_argv *from);
/* Whether these are the words. */
bool nsc_argv_is(const struct nsc_argv *argv, const char *const words[], size_t n);
/* Adds one formatted word. */
void nsc_argv_printf(struct nsc_argv *argv, const char *format, ...) NSC_PRINTF(2, 3);
/* The words and a NULL, for execvp. Borrowed until the next change. */
char *const *nsc_argv_vector(struct nsc_argv *argv);
void nsc_argv_fini(struct nsc_argv *argv);

/* Appends word, quoted for a POSIX shell. Beside line ends and tabs, the result is as safe to show
 * as what nsc_text_clean makes. */
void nsc_argv_quote(struct nsc_buf *out, const char *word);
/* Appends all words, separated by spaces. */
void nsc_argv_print(struct nsc_buf *out, const struct nsc_argv *argv);

#endif
