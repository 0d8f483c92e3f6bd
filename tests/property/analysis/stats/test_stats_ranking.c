/*
 * Property test of rankings: the greatest total first, ties in the order of comparison.
 */
#include "analysis/stats/rows.h"
#include "support/cm.h"
#include "support/dice.h"

enum { ROWS = 90 };

static nsc_time total_of(const void *context, uint32_t row)
{
    return ((const nsc_time *)context)[row];
}

/* Ties: the greatest row first. */
static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return (a < b) - (a > b);
}

static nsc_time roll_total(struct dice *dice)
{
    static const nsc_time edges[] = {0, 61, 62, 63, -1, INT64_MAX, INT64_MIN};

    if (dice_below(dice, 3) == 0)
        return edges[dice_below(dice, 7)];
    return (nsc_time)dice_below(dice, 1u << dice_below(dice, 9)) - (nsc_time)dice_below(dice, 4);
}

/* Each place goes before the next: by total, then by row, descending. */
static void check_order(const uint32_t index[], uint32_t n, const nsc_time totals[])
{
    bool met[ROWS] = {false};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = index[i], before = i ? index[i - 1] : row;

        assert_true(row < n && !met[row]);
        met[row] = true;
        assert_true(totals[before] >= totals[row]);
        if (i > 0 && totals[before] == totals[row])
            assert_true(before > row);
    }
}

TEST(rankings_are_in_order)
{
    struct dice dice = dice_new(815);

    for (int round = 0; round < 400; round++) {
        uint32_t n = (uint32_t)dice_below(&dice, ROWS + 1);
        nsc_time totals[ROWS + 1] = {0};
        uint32_t *index;

        for (uint32_t i = 0; i < n; i++)
            totals[i] = roll_total(&dice);
        index = nsc_stats_rank(n, total_of, compare_rows, totals);
        check_order(index, n, totals);
        free(index);
    }
}
