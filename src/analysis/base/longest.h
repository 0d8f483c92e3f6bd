/*
 * Keeps the n longest of many events in a heap of n.
 *
 * The owner calls fini. Order: the longest first, then by row.
 */
#ifndef NSC_ANALYSIS_LONGEST_H
#define NSC_ANALYSIS_LONGEST_H

#include "nsyscope/types.h"

#include "core/vec.h"

struct nsc_long_event {
    nsc_time length;
    nsc_event event;
};

struct nsc_longest {
    size_t limit;                        /* 0: all */
    uint64_t offered;                    /* in all */
    NSC_VEC(struct nsc_long_event) kept; /* in order after nsc_longest_end */
};

static inline struct nsc_longest nsc_longest_new(size_t limit)
{
    struct nsc_longest longest = {.limit = limit};

    return longest;
}

void nsc_longest_add(struct nsc_longest *longest, nsc_event event, nsc_time length);
void nsc_longest_end(struct nsc_longest *longest);
void nsc_longest_fini(struct nsc_longest *longest);

#endif
