/*
 * Hints to the compiler and the processor, each for a loop that measured faster with it.
 */
#ifndef NSC_CORE_HINTS_H
#define NSC_CORE_HINTS_H

/* Marks a rarely called function, so that it is not inlined: inlined it would take registers from
 * the loop around it. Saves a tenth of all instructions in the innermost loops of opening an
 * export. */
#define NSC_RARE __attribute__((noinline, cold))

/* Starts loading memory that is read soon. On a big trace a read without it takes about 0.3 us,
 * twenty times as long, because caches and page tables do not hold the address. */
#define NSC_FETCH(address) __builtin_prefetch(address)

/* Marks a function that only calls NSC_FETCH: otherwise gcc drops its calls, as they have no
 * effect. */
#define NSC_FETCHER static inline __attribute__((always_inline)) void

/*
 * Pads per-thread data to separate pairs of cache lines (128 B), so that threads never share one:
 * the last member of a struct that each thread has, or the member before what each thread writes.
 */
#define NSC_APART char apart[128]

#endif
