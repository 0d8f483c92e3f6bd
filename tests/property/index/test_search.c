/*
 * Property tests of the search for a time among starts: from any place and any guess it finds what
 * a scan finds.
 */
#include "index/search.h"
#include "support/cm.h"
#include "support/dice.h"

enum { MAX_STARTS = 300 };

/* Even or uneven, many equal. */
static void roll_starts(struct dice *dice, nsc_time start[], struct nsc_block block[])
{
    uint64_t wide = 1 + dice_below(dice, 40);
    nsc_time t = -100;

    for (uint32_t i = 0; i < MAX_STARTS; i++) {
        t += dice_below(dice, 3) ? (nsc_time)dice_below(dice, 3)
                                 : (nsc_time)(dice_next(dice) >> (64 - wide));
        start[i] = t;
        block[i] = (struct nsc_block){.start = t};
    }
}

/* The last of (at, last] that starts before t, else at. */
static uint32_t scan(const nsc_time start[], uint32_t at, uint32_t last, nsc_time t)
{
    uint32_t found = at;

    for (uint32_t i = at + 1; i <= last; i++)
        if (start[i] < t)
            found = i;
    return found;
}

TEST(searches_find_what_a_scan_finds)
{
    struct dice dice = dice_new(97);
    static nsc_time start[MAX_STARTS];
    static struct nsc_block block[MAX_STARTS];

    for (int round = 0; round < 20000; round++) {
        uint32_t at, last, guess, want;
        nsc_time t;

        if (round % 100 == 0)
            roll_starts(&dice, start, block);
        at = (uint32_t)dice_below(&dice, MAX_STARTS);
        last = at + (uint32_t)dice_below(&dice, MAX_STARTS - at);
        guess = at + (uint32_t)dice_below(&dice, last - at + 1);
        t = start[dice_below(&dice, MAX_STARTS)] + (nsc_time)dice_below(&dice, 3) - 1;
        want = scan(start, at, last, t);
        assert_int_equal(nsc_search_starts(start, at, last, t), want);
        assert_int_equal(nsc_search_about(block, at, last, guess, t), want);
    }
}
