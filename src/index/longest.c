/*
 * The longest selected row of a range: a search in a flat tree of keys that reads only the ends of
 * each level.
 */
#include "index/summary_data.h"

/* The greater of two keys; exact: also if both are of NSC_LONG rows. */
static inline uint64_t pick_key(const struct nsc_events *events, uint64_t a, uint64_t b, bool exact)
{
    if (exact)
        return nsc_longest_pick(events, a, b);
    return a > b ? a : b;
}

static inline uint64_t key_at(const struct nsc_summary *summary, uint32_t level, uint32_t i)
{
    return level ? summary->longest[level - 1][i] : summary->block[i].longest;
}

/*
 * The greatest of the keys [from, to) of a level that no key above covers. With fewer keys it reads
 * the first key again, because counting them would mispredict a branch at both ends of each level.
 */
static inline uint64_t longest_of_ends(const struct nsc_summary *summary,
                                       const struct nsc_events *events, uint32_t level,
                                       uint32_t from, uint32_t to, bool exact)
{
    uint32_t up = (from + NSC_SUMMARY_FAN - 1) / NSC_SUMMARY_FAN * NSC_SUMMARY_FAN;
    uint32_t down = to / NSC_SUMMARY_FAN * NSC_SUMMARY_FAN;
    uint64_t best = 0;

    up = up < to ? up : to;
    down = down > from ? down : from;
    for (uint32_t k = 0; k < NSC_SUMMARY_FAN - 1; k++) {
        uint32_t left = k < up - from ? from + k : from;
        uint32_t right = k < to - down ? to - 1 - k : from;

        best = pick_key(events, best, key_at(summary, level, left), exact);
        best = pick_key(events, best, key_at(summary, level, right), exact);
    }
    return best;
}

/* The longest event of blocks [from, to), from the tables of each level. */
static inline uint64_t longest_of_levels(const struct nsc_summary *summary,
                                         const struct nsc_events *events, uint32_t from,
                                         uint32_t to, bool exact)
{
    uint64_t best = 0;

    for (uint32_t level = 0; from < to; level++) {
        best =
            pick_key(events, best, longest_of_ends(summary, events, level, from, to, exact), exact);
        from = from / NSC_SUMMARY_FAN + (from % NSC_SUMMARY_FAN != 0);
        to /= NSC_SUMMARY_FAN;
    }
    return best;
}

/* The longest selected row of whole blocks [from, to). Rows of NSC_LONG are compared exactly only
 * if one is found. */
uint64_t nsc_longest_of_blocks(const struct nsc_summary *summary, const struct nsc_events *events,
                               uint32_t from, uint32_t to)
{
    uint64_t longest = longest_of_levels(summary, events, from, to, false);

    return nsc_longest_is_long(longest) ? longest_of_levels(summary, events, from, to, true)
                                        : longest;
}

/* The better of best and rows [from, to) of one block. Reads the rows only if the block's longest
 * could be better. */
static uint64_t longest_of_part(const struct nsc_summary *summary, const struct nsc_events *events,
                                nsc_event from, nsc_event to, uint64_t best)
{
    uint32_t block = from / NSC_SUMMARY_BLOCK;
    nsc_event first = block * NSC_SUMMARY_BLOCK;
    uint64_t top = summary->block[block].longest;
    uint64_t key = top;

    if (top == 0 || nsc_longest_pick(events, best, top) == best)
        return best;
    if (nsc_longest_row(top) < from || nsc_longest_row(top) >= to)
        key = nsc_rows_longest(events, nsc_summary_word(summary, block), first, from - first,
                               to - first);
    return nsc_longest_pick(events, best, key);
}

nsc_event nsc_longest_of_rows(const struct nsc_summary *summary, const struct nsc_events *events,
                              nsc_event from, nsc_event to)
{
    uint32_t from_block = from / NSC_SUMMARY_BLOCK + (from % NSC_SUMMARY_BLOCK != 0);
    uint32_t to_block = to / NSC_SUMMARY_BLOCK;
    uint64_t longest = 0;

    if (from >= to)
        return NSC_NONE;
    if (to - from == 1) /* the caller knows that it is selected */
        return from;
    if (from_block > to_block) /* both ends are in one block */
        return nsc_longest_row(longest_of_part(summary, events, from, to, 0));
    longest = nsc_longest_of_blocks(summary, events, from_block, to_block);
    if (from % NSC_SUMMARY_BLOCK)
        longest = longest_of_part(summary, events, from, from_block * NSC_SUMMARY_BLOCK, longest);
    if (to % NSC_SUMMARY_BLOCK)
        longest = longest_of_part(summary, events, to_block * NSC_SUMMARY_BLOCK, to, longest);
    return nsc_longest_row(longest);
}
