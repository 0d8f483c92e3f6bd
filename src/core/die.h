/*
 * What happens when a small allocation fails: one function, and one hook that restores the terminal
 * first.
 */
#ifndef NSC_CORE_DIE_H
#define NSC_CORE_DIE_H

#include <stddef.h>

/*
 * Calls the hook set for this process (the terminal's restore, installed once by the tui), prints
 * one line to stderr and exits with status 5 (over the memory budget). Never returns.
 */
_Noreturn void nsc_die_oom(void);
/* Set once, at start; NULL for none. The hook must be async-signal-safe. */
void nsc_die_hook(void (*restore)(void));

/* malloc, calloc and realloc that end the program through nsc_die_oom() instead of returning
 * NULL. */
void *nsc_xmalloc(size_t n);
void *nsc_xcalloc(size_t n, size_t size);
void *nsc_xrealloc(void *old, size_t n, size_t size);
/* The first n bytes of text, and a 0 behind them. */
char *nsc_xcopy(const char *text, size_t n);

#endif
