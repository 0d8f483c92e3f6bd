/*
 * Whether later iterations are longer because they have more work.
 *
 * Two signs count. The texts of the iterations' ranges have a number behind a word for a size ("len=512",
 * "batch 8") that grows; the number of the iteration itself, a loss and a rate do not count. Or the
 * grids of their kernels grow, summed in blocks. The growth must be at least half of the growth of
 * the period, since a part of the time is fixed. A size in a text counts by its square, as the work for an
 * image or for attention may.
 */
#ifndef NSC_ANALYSIS_WORK_SIZE_H
#define NSC_ANALYSIS_WORK_SIZE_H

#include "analysis/ranges/iterations.h"
#include "core/buf.h"

/* Compares the texts of an early and a late iteration: whether a size grows so that its square is at least
 * this many times as large. Appends how: "len grows from 512 to 1536". */
bool nsc_texts_grow(struct nsc_buf *out, const struct nsc_trace *trace,
                    const struct nsc_iterations *all, uint32_t early, uint32_t late, double least);

#endif
