/* A malloc that counts its calls and forwards them to the C library. */
#include "support/count_malloc.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h> /* __GLIBC__ */

static _Atomic unsigned long calls;

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __GLIBC__
#define SANITIZED
#endif

#ifndef SANITIZED
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t n);

void *malloc(size_t n)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_calloc(n, size);
}

void *realloc(void *at, size_t n)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_realloc(at, n);
}
#endif

unsigned long nsc_test_allocations(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

bool nsc_test_allocations_counted(void)
{
#ifdef SANITIZED
    return false;
#else
    return true;
#endif
}
