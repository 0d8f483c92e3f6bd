/*
 * Small allocations that never fail: without memory they end the program, with the terminal
 * restored.
 */
#ifndef NSC_CORE_DIE_H
#define NSC_CORE_DIE_H

#include <stddef.h>

/* Calls the hook, prints one line to stderr and exits with status 5 (over the memory budget). */
_Noreturn void nsc_die_oom(void);
/* As nsc_die_oom() if no hook is set (command line). With a hook (screen) it returns: the screen
 * goes on and says what is missing. */
void nsc_die_oom_unless_screen(void);
/* Sets the hook once, at the start; NULL: none. It restores the terminal and must be
 * async-signal-safe. */
void nsc_die_hook(void (*restore)(void));

/* malloc, calloc and realloc that call nsc_die_oom() instead of returning NULL. */
void *nsc_xmalloc(size_t n);
void *nsc_xcalloc(size_t n, size_t size);
void *nsc_xrealloc(void *old, size_t n, size_t size);
/* A copy of the first n bytes of text, followed by a NUL. */
char *nsc_xcopy(const char *text, size_t n);

#endif
