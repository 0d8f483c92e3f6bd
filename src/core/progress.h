/*
 * The progress of a load: one side counts up, another reads, and a flag cancels.
 *
 * Lies in core because the index also checks the flag between its phases. nsyscope/open.h has the
 * public functions.
 */
#ifndef NSC_CORE_PROGRESS_H
#define NSC_CORE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct nsc_progress {
    _Atomic uint64_t rows, rows_total, events;
    _Atomic int phase;           /* enum nsc_phase of nsyscope/open.h */
    _Atomic uint32_t capture_no; /* number of the export being read */
    _Atomic bool cancel;
#ifdef NSC_SMALL
    _Atomic int64_t looks; /* tests: cancels itself at the last of so many looks; 0: never */
#endif
};

/* In all of these, progress may be NULL. */
static inline bool nsc_progress_is_cancelled(struct nsc_progress *progress)
{
#ifdef NSC_SMALL
    if (progress && atomic_load(&progress->looks) > 0 && atomic_fetch_sub(&progress->looks, 1) == 1)
        atomic_store(&progress->cancel, true);
#endif
    return progress && atomic_load_explicit(&progress->cancel, memory_order_relaxed);
}

static inline void nsc_progress_add(struct nsc_progress *progress, uint64_t rows, uint64_t events)
{
    if (!progress)
        return;
    atomic_fetch_add_explicit(&progress->rows, rows, memory_order_relaxed);
    atomic_fetch_add_explicit(&progress->events, events, memory_order_relaxed);
}

static inline void nsc_progress_begin(struct nsc_progress *progress)
{
    if (!progress)
        return;
    atomic_store_explicit(&progress->rows, 0, memory_order_relaxed);
    atomic_store_explicit(&progress->events, 0, memory_order_relaxed);
}

/* Sets the expected number of rows. */
static inline void nsc_progress_set_rows(struct nsc_progress *progress, uint64_t rows)
{
    if (progress)
        atomic_store_explicit(&progress->rows_total, rows, memory_order_relaxed);
}

static inline void nsc_progress_capture(struct nsc_progress *progress, uint32_t capture_no)
{
    if (progress)
        atomic_store_explicit(&progress->capture_no, capture_no, memory_order_relaxed);
}

static inline void nsc_progress_phase(struct nsc_progress *progress, int phase)
{
    if (progress)
        atomic_store_explicit(&progress->phase, phase, memory_order_relaxed);
}

#endif
