/* Property test of the unions along the paths of a forest: each node's length is counted ns by ns. */
#include "analysis/ranges/path_unions.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { NODES = 60, INTERVALS = 80, TIME = 200 };

struct forest {
    uint32_t outer[NODES], n;
    bool is_busy[NODES][TIME]; /* by ns */
};

/* Trees of any shape: reach 1 makes one deep path, a great one makes bushes. */
static void roll_forest(struct forest *forest, struct dice *dice)
{
    uint64_t reach = 1 + dice_below(dice, 8);

    *forest = (struct forest){.n = (uint32_t)dice_below(dice, NODES + 1)};
    for (uint32_t i = 0; i < forest->n; i++) {
        uint64_t back = 1 + dice_below(dice, reach);

        forest->outer[i] = back > i || dice_below(dice, 20) == 0 ? NSC_NONE : (uint32_t)(i - back);
    }
}

static void check_lengths(struct nsc_path_unions *unions, const struct forest *forest)
{
    nsc_path_unions_sum(unions);
    for (uint32_t i = 0; i < forest->n; i++) {
        nsc_time want = 0;

        for (int t = 0; t < TIME; t++)
            want += forest->is_busy[i][t];
        assert_int_equal(nsc_path_unions_length(unions, i), want);
    }
}

/* Adds intervals by start, as few or as many of them overlap. */
static void check_round(struct nsc_path_unions *unions, struct forest *forest, struct dice *dice)
{
    uint64_t n = forest->n ? dice_below(dice, INTERVALS) : 0;
    uint64_t longest = 1 + dice_below(dice, TIME / 2);
    nsc_time start = 0;

    nsc_path_unions_clear(unions);
    memset(forest->is_busy, 0, sizeof forest->is_busy);
    for (uint64_t i = 0; i < n && start < TIME / 2; i++) {
        uint32_t node = (uint32_t)dice_below(dice, forest->n);
        nsc_time end = start + (nsc_time)dice_below(dice, longest);

        nsc_path_unions_add(unions, node, start, end);
        for (; node != NSC_NONE; node = forest->outer[node])
            for (nsc_time t = start; t < end; t++)
                forest->is_busy[node][t] = true;
        start += (nsc_time)dice_below(dice, 4);
    }
    check_lengths(unions, forest);
}

TEST(lengths_are_those_of_unions)
{
    struct dice dice = dice_new(617);
    static struct forest forest;
    struct nsc_path_unions unions;

    for (int i = 0; i < 1000; i++) {
        roll_forest(&forest, &dice);
        nsc_path_unions_init(&unions, forest.outer, forest.n);
        for (int round = 0; round < 3; round++)
            check_round(&unions, &forest, &dice);
        nsc_path_unions_fini(&unions);
    }
}

/* Lengths stop at the end of int64. */
TEST(longest_times_saturate)
{
    const uint32_t outer[] = {NSC_NONE, 0};
    struct nsc_path_unions unions;

    nsc_path_unions_init(&unions, outer, 2);
    nsc_path_unions_add(&unions, 1, INT64_MIN + 1, -5);
    nsc_path_unions_add(&unions, 0, 5, INT64_MAX);
    nsc_path_unions_sum(&unions);
    assert_int_equal(nsc_path_unions_length(&unions, 0), INT64_MAX);
    assert_int_equal(nsc_path_unions_length(&unions, 1), INT64_MAX - 5);
    nsc_path_unions_fini(&unions);
}
