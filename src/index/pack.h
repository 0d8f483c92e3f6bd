/*
 * Assigns the spans of a track to lanes: greedy first fit, the fewest lanes.
 */
#ifndef NSC_INDEX_PACK_H
#define NSC_INDEX_PACK_H

#include "nsyscope/types.h"

/*
 * Gives each of n spans, ordered by (start, longer first), the lowest lane that is free at its
 * start. Returns the number of lanes: the most spans that overlap. Properly nested spans get their
 * depth. span(context, i) is [start, touch end) of span i. O(n log lanes).
 */
uint32_t nsc_pack_lanes(uint32_t lane[], uint32_t n,
                        struct nsc_window (*span)(const void *context, uint32_t i),
                        const void *context);

/*
 * Assigns lanes span by span. A tree of minima holds the times at which lanes become free: tree[1]
 * is the root, lane i is tree[capacity + i]. Up to NSC_PACK_SCAN lanes are scanned, and the inner
 * nodes are not updated. Starts as {NULL, 0, 0}.
 */
struct nsc_packer {
    nsc_time *tree;
    uint32_t capacity; /* leaves, a power of two */
    uint32_t n;        /* lanes in use; further leaves are INT64_MAX */
};

#ifdef NSC_SMALL
#define NSC_PACK_SCAN 3
#else
#define NSC_PACK_SCAN 12
#endif

/* As nsc_packer_add, if the span needs a new lane or there are many lanes. */
uint32_t nsc_packer_add_lane(struct nsc_packer *packer, nsc_time start, nsc_time touch_end);
void nsc_packer_fini(struct nsc_packer *packer);

/* The lane of the next span. */
static inline uint32_t nsc_packer_add(struct nsc_packer *packer, nsc_time start, nsc_time touch_end)
{
    if (packer->n <= NSC_PACK_SCAN) {
        nsc_time *free_at = packer->tree + packer->capacity;

        for (uint32_t i = 0; i < packer->n; i++)
            if (free_at[i] <= start) {
                free_at[i] = touch_end;
                return i;
            }
    }
    return nsc_packer_add_lane(packer, start, touch_end);
}

#endif
