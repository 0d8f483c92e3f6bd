/*
 * Durations added up in groups, a group a pair of numbers: (text, device), (process, text) ...
 *
 * Owned by the caller; zero is an empty tally. Sums saturate. Groups stand in the order in which
 * they were met until they are sorted.
 */
#ifndef NSC_ANALYSIS_TALLY_H
#define NSC_ANALYSIS_TALLY_H

#include "analysis/texts.h"
#include "core/vec.h"
#include "index/idtable.h"

struct nsc_tally_row {
    uint64_t key[2];
    uint64_t count;
    nsc_time total, shortest, longest; /* longest: of no event INT64_MIN */
};

struct nsc_tally {
    NSC_VEC(struct nsc_tally_row) rows;
    struct nsc_idtable table;
};

void nsc_tally_fini(struct nsc_tally *tally);
/* The number of the group, made when it is not there yet. */
uint32_t nsc_tally_group(struct nsc_tally *tally, uint64_t first, uint64_t second);
/* Counts one event of so many ns; the number of its group. */
uint32_t nsc_tally_add(struct nsc_tally *tally, uint64_t first, uint64_t second, nsc_time ns);

enum nsc_tally_order {
    NSC_TALLY_TOTAL,      /* by total, the greatest first; then text, then the other key */
    NSC_TALLY_COUNT,      /* by count, the greatest first; then the same */
    NSC_TALLY_OTHER_TOTAL /* by the other key, ascending; then as TOTAL */
};
/*
 * The groups in order, as numbers, to be freed; the tally itself stays as it is. text: which of the
 * two keys is a text (0 or 1), the other is a number. texts NULL: neither is.
 */
uint32_t *nsc_tally_sort(const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text,
                         const struct nsc_texts *texts);

static inline double nsc_tally_mean(const struct nsc_tally_row *row)
{
    return row->count ? (double)row->total / (double)row->count : 0;
}

#endif
