/*
 * The big columns: zeroed memory straight from the kernel that returns there the moment it is
 * freed.
 *
 * The caller owns what it gets and gives the same size back. Reserving more than is touched costs
 * nothing but address space, so columns are sized by an upper bound and trimmed when full.
 * Any thread may call.
 */
#ifndef NSC_CORE_PAGES_H
#define NSC_CORE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* NULL when the system refuses; n = 0 gives NULL too. */
void *nsc_pages_new(size_t bytes);
void nsc_pages_free(void *pages, size_t bytes);
/* Asks for the memory of the whole pages in a range that will all be written soon: cheaper than
 * page by page. Without it they come as they are written. */
void nsc_pages_touch(void *range, size_t bytes);
/* Gives the memory of the whole pages in a range back and keeps their addresses; they read as zero
 * again. */
void nsc_pages_drop(void *range, size_t bytes);
/* Gives the tail back: what remains is the first new_bytes. Returns the (possibly same) pointer. */
void *nsc_pages_trim(void *pages, size_t old_bytes, size_t new_bytes);

/*
 * Memory to read from, every bit of it set: the same few pages again and again, so that it takes
 * next to none however large it is. NULL as above.
 */
const void *nsc_pages_ones(size_t bytes);

/* Peak resident set of the process in bytes (VmHWM), and what is available to it now (MemAvailable,
 * or less under an address-space limit). 0 when the system does not say. */
uint64_t nsc_memory_peak(void);
uint64_t nsc_memory_available(void);

#endif
