/*
 * Memory for large columns: zeroed pages from the kernel, returned as soon as they are freed.
 *
 * The caller owns the pages and frees them with the same size. A reservation costs only address
 * space, so columns are sized by an upper bound and trimmed when complete. Any thread may call.
 */
#ifndef NSC_CORE_PAGES_H
#define NSC_CORE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* NULL if out of memory, and for bytes = 0. */
void *nsc_pages_new(size_t bytes);
/* As nsc_pages_new, for a part of an answer: out of memory, a subcommand ends with status 5 rather
 * than print less; the screen gets NULL. */
void *nsc_pages_need(size_t bytes);
void nsc_pages_free(void *pages, size_t bytes);
/* Populates the pages of a range that is about to be written, of any memory. One call is cheaper
 * than a page fault a page: some virtual machines take 15 us for a fault. */
void nsc_pages_touch(void *range, size_t bytes);
/* Returns the memory of the whole pages in a range but keeps the addresses; they read as zero. */
void nsc_pages_drop(void *range, size_t bytes);
/* Puts the memory of this process into huge pages where the system can: a fork then copies a few entries
 * instead of one for each 4 KB. */
void nsc_pages_collapse(void);
/* Returns the tail and keeps the first new_bytes. The pointer may change. */
void *nsc_pages_trim(void *pages, size_t old_bytes, size_t new_bytes);

/* Bytes: peak resident set of the process (VmHWM), and the memory available to it now
 * (MemAvailable, or less under a limit). 0 if unknown. */
uint64_t nsc_memory_peak(void);
uint64_t nsc_memory_available(void);

#endif
