/*
 * A vector of arguments for a program to be run: built word by word, never a line for a shell.
 *
 * Printing quotes each word so that a POSIX shell reads the same vector back; that is for people to
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
/* A word put together. */
void nsc_argv_printf(struct nsc_argv *argv, const char *format, ...) NSC_PRINTF(2, 3);
/* NULL behind the last word, for execvp; borrowed until the next change. */
char *const *nsc_argv_vector(struct nsc_argv *argv);
void nsc_argv_fini(struct nsc_argv *argv);

/* Appends a word as a POSIX shell reads it back. */
void nsc_argv_quote(struct nsc_buf *out, const char *word);
/* All words, a space between them. */
void nsc_argv_print(struct nsc_buf *out, const struct nsc_argv *argv);

#endif
