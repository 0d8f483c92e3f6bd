/*
 * Refuses to load code into the static program, whose C library would need its own kind on the system.
 * Only SQLite asks, for extensions, which nothing turns on.
 */
#include <stddef.h>

/* NOLINTBEGIN(readability-identifier-naming): the linker's name for a dlopen of ours */
void *__wrap_dlopen(const char *file, int mode);

void *__wrap_dlopen(const char *file, int mode)
{
    (void)file;
    (void)mode;
    return NULL;
}
/* NOLINTEND(readability-identifier-naming) */
