/* The steps of the walk over gaps, each by its exception in device/gaps.h. */
#ifndef NSC_ANALYSIS_GAP_STEPS_H
#define NSC_ANALYSIS_GAP_STEPS_H

#include "analysis/device/gaps.h"

/* Drain: the wait that drained the queue and holds up what follows, by the first piece of the
 * launching thread, which was just read; NSC_NONE: none. */
nsc_event nsc_gap_find_drain(struct nsc_gap_walk *walk, const struct nsc_gap *gap,
                             const struct nsc_host_piece *first);

/* Workers: the thread at work in each piece of the launching thread, which was just read. A sleep that
 * ends by a timeout, without a handover, continues in the next one. */
void nsc_gap_find_workers(struct nsc_gap_walk *walk, uint32_t thread);
/* Whether the thread waits for another one. */
bool nsc_gap_is_sleep(const struct nsc_gap_walk *walk, const struct nsc_host_piece *piece);

/* Lenders: attributes the thread's work outside of ranges, from this piece on, to the main thread's
 * range if the main thread waits for it, as it does for autograd's threads. */
void nsc_gap_lend_ranges(struct nsc_gap_walk *walk, uint32_t thread, size_t first);

/* Splits the CPU work of the pieces from first on where the thread is on no CPU. */
void nsc_gap_split_work(struct nsc_gap_walk *walk, uint32_t thread, size_t first);
/* Splits the waits of the pieces from first on where other GPUs run the process's work. */
void nsc_gap_split_waits(struct nsc_gap_walk *walk, const struct nsc_gap *gap, size_t first);
/* Adds queued time, of which some may be behind another GPU, to the pieces and the gap. */
void nsc_gap_add_queued(struct nsc_gap_walk *walk, struct nsc_gap *gap, struct nsc_gap_piece piece);

#endif
