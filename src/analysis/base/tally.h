/*
 * Sums of durations by group. A group is a pair of numbers: (text, device), (process, text) ...
 *
 * Owned by the caller; an empty tally is all zero. Sums saturate. Groups keep the order in which
 * they first occurred.
 */
#ifndef NSC_ANALYSIS_TALLY_H
#define NSC_ANALYSIS_TALLY_H

#include "analysis/names/texts.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/idtable.h"

struct nsc_tally_row {
    uint64_t key[2];
    uint64_t count;
    nsc_time total;
};

struct nsc_tally_extremes {
    nsc_time shortest, longest; /* longest: INT64_MIN without any event */
};

struct nsc_tally {
    NSC_VEC(struct nsc_tally_row) rows;
    NSC_VEC(struct nsc_tally_extremes) extremes; /* by group; only if has_extremes */
    struct nsc_idtable table;
    bool has_extremes; /* set before the first group */
};

void nsc_tally_fini(struct nsc_tally *tally);
/* The number of the group; adds it if it is new. */
uint32_t nsc_tally_group(struct nsc_tally *tally, uint64_t first, uint64_t second);
/* Counts one event of `ns`; returns the number of its group. */
uint32_t nsc_tally_add(struct nsc_tally *tally, uint64_t first, uint64_t second, nsc_time ns);
/* The same for a group that is known. */
static inline void nsc_tally_count(struct nsc_tally *tally, uint32_t group, nsc_time ns)
{
    struct nsc_tally_row *row = &tally->rows.at[group];

    row->count++;
    row->total = nsc_sum(row->total, ns);
    if (tally->has_extremes) {
        struct nsc_tally_extremes *extremes = &tally->extremes.at[group];

        extremes->shortest = nsc_earlier(extremes->shortest, ns);
        extremes->longest = nsc_later(extremes->longest, ns);
    }
}

/*
 * Adds the groups of another tally to out, merged by one of their keys (0 or 1) into groups (key,
 * 0). Equals counting each event there too, except for extremes.
 */
void nsc_tally_merge(struct nsc_tally *out, const struct nsc_tally *of, unsigned key);

enum nsc_tally_order {
    NSC_TALLY_TOTAL,      /* by total, the greatest first; then by text, then by the other key */
    NSC_TALLY_OTHER_TOTAL /* by the other key, ascending; then as TOTAL */
};
/*
 * The numbers of the groups in order, for free(); the tally does not change. text: which of the two
 * keys is a text (0 or 1); the other is a number. texts NULL: neither is a text.
 */
uint32_t *nsc_tally_sort(const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text,
                         struct nsc_texts *texts);

static inline double nsc_tally_mean(const struct nsc_tally_row *row)
{
    return row->count ? (double)row->total / (double)row->count : 0;
}

#endif
