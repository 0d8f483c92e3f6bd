/*
 * Property test of rankings: the greatest total first, ties in the order of comparison, and a mark
 * wherever the total changes.
 */
#include "analysis/stats/rows.h"
#include "core/bits.h"
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

/* Each place goes before the next: by total, then by row in the given direction. */
static void check_order(const struct nsc_stats_ranking *ranking, const nsc_time totals[],
                        bool ascends)
{
    bool met[ROWS] = {false};

    for (uint32_t i = 0; i < ranking->n; i++) {
        uint32_t row = ranking->index[i], before = i ? ranking->index[i - 1] : row;

        assert_true(row < ranking->n && !met[row]);
        met[row] = true;
        assert_true(totals[before] >= totals[row]);
        assert_int_equal(nsc_bits_get(ranking->first, i), i == 0 || totals[before] != totals[row]);
        if (i > 0 && totals[before] == totals[row])
            assert_int_equal(before < row, ascends);
    }
}

TEST(rankings_are_in_order)
{
    struct dice dice = dice_new(815);

    for (int round = 0; round < 400; round++) {
        uint32_t n = (uint32_t)dice_below(&dice, ROWS + 1);
        nsc_time totals[ROWS + 1] = {0};
        struct nsc_stats_ranking ranking;

        for (uint32_t i = 0; i < n; i++)
            totals[i] = roll_total(&dice);
        nsc_stats_rank(&ranking, n, total_of, totals);
        assert_int_equal(ranking.n, n);
        check_order(&ranking, totals, true);
        nsc_stats_rank_ties(&ranking, compare_rows, NULL, NULL);
        check_order(&ranking, totals, false);
        nsc_stats_ranking_fini(&ranking);
    }
}
