/*
 * Ends the program in order when a small allocation fails.
 */
#include "core/die.h"

#include "core/temporary.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whichever thread dies, the terminal must be restored. */
static _Atomic(void (*)(
    void)) die_restore; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

static atomic_bool is_dying; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

enum { EXIT_OVER_MEMORY = 5 };

void nsc_die_hook(void (*restore)(void))
{
    atomic_store(&die_restore, restore);
}

_Noreturn void nsc_die_oom(void)
{
    static const char line[] = "nsyscope: out of memory: close other programs, or read less with "
                               "--trim, --gpu or --tables, or raise --mem\n";
    void (*restore)(void) = atomic_exchange(&die_restore, NULL);

    if (restore)
        restore();
    if (atomic_exchange(&is_dying, true))
        for (;;)
            (void)pause(); /* another thread reports it and ends the process */
    nsc_temporary_remove_all();
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
        _exit(EXIT_OVER_MEMORY);
    _exit(EXIT_OVER_MEMORY);
}

void nsc_die_oom_unless_screen(void)
{
    if (!atomic_load(&die_restore))
        nsc_die_oom();
}

void *nsc_xmalloc(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        nsc_die_oom();
    return p;
}

void *nsc_xcalloc(size_t n, size_t size)
{
    void *p = n && size ? calloc(n, size) : calloc(1, 1);

    if (!p)
        nsc_die_oom();
    return p;
}

void *nsc_xrealloc(void *old, size_t n, size_t size)
{
    size_t bytes = 0;
    void *p = NULL;

    if (__builtin_mul_overflow(n, size, &bytes))
        nsc_die_oom();
    p = realloc(old, bytes ? bytes : 1);
    if (!p)
        nsc_die_oom();
    return p;
}

char *nsc_xcopy(const char *text, size_t n)
{
    char *copy = nsc_xmalloc(n + 1);

    if (n)
        memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}
