/*
 * Property tests of sorting: any mixture of runs and random parts equals qsort with ties broken by
 * place.
 */
#include "core/sort.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 600, MAX_PAIRS = 5000, ROUNDS = 3000 }; /* from 2,048 pairs on digits are wider */

static nsc_time time_of(const void *context, uint32_t row)
{
    return ((const nsc_time *)context)[row];
}

struct oracle {
    nsc_time time;
    uint32_t place, row;
};

static int compare(const void *a, const void *b)
{
    const struct oracle *x = a;
    const struct oracle *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Runs of random length, of few or many different times, near zero or anywhere. */
static void roll_times(struct dice *dice, nsc_time *times, uint32_t n)
{
    uint64_t runs = 1 + dice_below(dice, dice_below(dice, 2) ? 6 : n + 1);
    uint64_t spread = dice_below(dice, 3);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t raw = dice_next(dice);
        nsc_time t = spread == 0   ? (nsc_time)(raw % 5) - 2
                     : spread == 1 ? (nsc_time)(raw % 100000)
                                   : (nsc_time)raw;

        times[i] = t;
        if (i && times[i] < times[i - 1] && dice_below(dice, n) >= runs)
            times[i] = times[i - 1];
    }
}

TEST(times_sort_like_qsort)
{
    struct dice dice = dice_new(11);
    static nsc_time times[MAX_ROWS];
    static uint32_t index[MAX_ROWS];
    static struct oracle want[MAX_ROWS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = (uint32_t)dice_below(&dice, dice_below(&dice, 4) ? 40 : MAX_ROWS);

        roll_times(&dice, times, n);
        for (uint32_t i = 0; i < n; i++) { /* rows in an order of their own */
            uint32_t k = (uint32_t)dice_below(&dice, i + 1);

            index[i] = index[k];
            index[k] = i;
        }
        if (dice_below(&dice, 2))
            for (uint32_t i = 0; i < n; i++)
                index[i] = i;
        for (uint32_t i = 0; i < n; i++)
            want[i] = (struct oracle){times[index[i]], i, index[i]};
        qsort(want, n, sizeof *want, compare);
        nsc_sort_by_time(index, n, time_of, times);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(index[i], want[i].row);
    }
}

TEST(pairs_sort_like_qsort)
{
    struct dice dice = dice_new(12);
    static struct nsc_sort_pair pairs[MAX_PAIRS];
    static struct nsc_sort_pair scratch[MAX_PAIRS];
    static struct oracle want[MAX_PAIRS];

    for (int round = 0; round < ROUNDS; round++) {
        size_t n = dice_below(&dice, dice_below(&dice, 20) ? MAX_ROWS : MAX_PAIRS);
        uint64_t mask = dice_next(&dice) & dice_next(&dice);

        for (size_t i = 0; i < n; i++) {
            pairs[i].key = dice_next(&dice) & mask;
            pairs[i].value = (uint32_t)i;
            want[i] = (struct oracle){(nsc_time)(pairs[i].key ^ (uint64_t)1 << 63), (uint32_t)i,
                                      (uint32_t)i};
        }
        qsort(want, n, sizeof *want, compare);
        nsc_sort_pairs(pairs, scratch, n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(pairs[i].value, want[i].row);
    }
}
