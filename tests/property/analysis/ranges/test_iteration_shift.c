/* Property test of changes of level: they equal those found by sorting each level at each place. */
#include "analysis/base/quantile.h"
#include "analysis/ranges/iteration_search.h"
#include "core/sum.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MOST = 1400 };

static struct nsc_iteration list[MOST];
static nsc_time scratch[MOST];

static uint32_t list_periods(uint32_t first, uint32_t end)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        if (list[i].kind == 0)
            scratch[n++] = list[i].period;
    return n;
}

static nsc_time median_between(uint32_t first, uint32_t end)
{
    uint32_t n = list_periods(first, end);

    return n > 0 ? nsc_quantile(scratch, n, 500) : 0;
}

static nsc_time mad_between(uint32_t first, uint32_t end, nsc_time median)
{
    uint32_t n = list_periods(first, end);

    for (uint32_t i = 0; i < n; i++)
        scratch[i] = nsc_span(median, scratch[i]) + nsc_span(scratch[i], median);
    return n > 0 ? nsc_quantile(scratch, n, 500) : 0;
}

static double judge_place(uint32_t n_all, uint32_t i, nsc_time level[2])
{
    uint32_t first = i < 2 * NSC_LIMIT_FEW ? i / 3 : n_all / NSC_LIMIT_WARM_UP_MOST;
    uint32_t n[2] = {0}, right[2] = {0};
    nsc_time apart, mad;

    first = first < i / 2 ? first : i / 2;
    level[0] = median_between(first, i);
    level[1] = median_between(i, n_all);
    apart = nsc_span(level[0], level[1]) + nsc_span(level[1], level[0]);
    if ((double)apart <= NSC_SHARE(SLIGHT) * (double)level[0])
        return 0;
    mad = nsc_later(mad_between(first, i, level[0]), mad_between(i, n_all, level[1]));
    if (apart <= NSC_LIMIT_DEVIATIONS * mad)
        return 0;
    for (uint32_t k = first; k < n_all; k++) {
        int side = k >= i;

        n[side] += list[k].kind == 0;
        right[side] += list[k].kind == 0 && (list[k].period > level[0] / 2 + level[1] / 2) ==
                                                (side == (level[1] > level[0]));
    }
    for (int side = 0; side < 2; side++)
        if (n[side] < NSC_LIMIT_FEW || right[side] < n[side] * NSC_SHARE(NEARLY_ALL))
            return 0;
    return (double)(right[0] + right[1]) / (n[0] + n[1]);
}

static uint32_t find_naively(uint32_t n, nsc_time level[2])
{
    uint32_t from = n / NSC_LIMIT_WARM_UP_MOST + 1;
    uint32_t step = n > 256 ? n / 256 : 1;
    uint32_t place = 0;
    double best = 0;

    from = from > NSC_LIMIT_FEW ? from : NSC_LIMIT_FEW;
    for (uint32_t i = from; i + NSC_LIMIT_FEW <= n; i += step) {
        double score = judge_place(n, i, level);

        place = score > best ? i : place;
        best = score > best ? score : best;
    }
    for (uint32_t i = place > from + step ? place - step : from;
         best > 0 && i < place + step && i + NSC_LIMIT_FEW <= n; i++) {
        double score = judge_place(n, i, level);

        place = score > best ? i : place;
        best = score > best ? score : best;
    }
    if (best > 0)
        (void)judge_place(n, place, level);
    return place;
}

/* Two levels with a change anywhere, with more or less noise and iterations of another kind. */
static uint32_t roll_list(struct dice *dice)
{
    uint32_t n = (uint32_t)dice_below(dice, dice_below(dice, 4) == 0 ? MOST : 60);
    uint32_t change = (uint32_t)dice_below(dice, n + 1);
    nsc_time usual = 100 + (nsc_time)dice_below(dice, 1000000);
    uint64_t noise = 1 + (uint64_t)usual / (2 + dice_below(dice, 50));
    nsc_time more = (nsc_time)dice_below(dice, (uint64_t)usual) - usual / 3;

    memset(list, 0, sizeof list);
    for (uint32_t i = 0; i < n; i++) {
        list[i].kind = dice_below(dice, 10) == 0;
        list[i].period = usual + (i >= change ? more : 0) + (nsc_time)dice_below(dice, noise);
        if (dice_below(dice, 20) == 0)
            list[i].period *= 5;
    }
    return n;
}

TEST(test_shift_is_where_sorting_finds_it)
{
    struct dice dice = dice_new(0x54f);
    uint32_t n_found = 0;

    for (int round = 0; round < 400; round++) {
        struct nsc_iterations of = {.n = roll_list(&dice), .at = list};
        nsc_time want[2], level[2];
        uint32_t place = find_naively(of.n, want);

        assert_int_equal(nsc_iterations_find_shift(&of, level), place);
        n_found += place > 0;
        if (place > 0)
            assert_memory_equal(level, want, sizeof want);
    }
    assert_true(n_found > 40);
}
