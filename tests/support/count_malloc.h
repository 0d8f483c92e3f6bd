/*
 * Counts a program's calls of the C library's heap.
 *
 * A program that links this gets a malloc that counts and forwards. A sanitizer has its own malloc;
 * then nothing is counted.
 */
#ifndef NSC_TEST_COUNT_MALLOC_H
#define NSC_TEST_COUNT_MALLOC_H

#include <stdbool.h>

/* Calls of malloc, calloc and realloc so far, by all threads. */
unsigned long nsc_test_allocations(void);
bool nsc_test_allocations_counted(void);

#endif
