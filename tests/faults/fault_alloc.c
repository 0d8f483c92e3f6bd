/*
 * Preloaded into the program: the Nth allocation fails, once or from then on.
 *
 *     NSC_FAULT_ALLOC=N:once|ever
 *
 * malloc, calloc, realloc and mmap of plain memory are counted together from 1, after the program
 * has begun; SQLite's allocations are among them. NSC_FAULT_LOG=FILE: how many there were, written at
 * the end.
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t n); /* glibc's own */
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);

static unsigned long fail_at;
static bool is_ever;
static atomic_bool has_begun;
static atomic_ulong n_calls;

__attribute__((constructor)) static void start(void)
{
    const char *words = getenv("NSC_FAULT_ALLOC");

    fail_at = words ? strtoul(words, NULL, 10) : 0;
    is_ever = words && strstr(words, ":ever");
    atomic_store(&has_begun, words != NULL);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("NSC_FAULT_LOG");
    unsigned long n = atomic_load(&n_calls);
    char digits[24];
    int at = (int)sizeof digits;
    int fd = path && n ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    for (digits[--at] = '\n'; n && at > 0; n /= 10)
        digits[--at] = (char)('0' + n % 10);
    if (fd >= 0 && write(fd, digits + at, sizeof digits - (size_t)at) >= 0)
        close(fd);
}

static bool fails(void)
{
    unsigned long n;

    if (!atomic_load(&has_begun))
        return false;
    n = atomic_fetch_add(&n_calls, 1) + 1;
    if (n != fail_at && !(is_ever && fail_at && n > fail_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
    return fails() ? NULL : __libc_realloc(old, n);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}
