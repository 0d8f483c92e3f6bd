/* Finds the place where the periods of iterations change to another level. */
#include "analysis/base/quantile.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

struct shifting {
    const struct nsc_iterations *of;
    nsc_time *periods; /* of the most frequent kind */
    nsc_time *scratch; /* room for as many */
    uint32_t *before;  /* by iteration: the periods before it; one more at the end */
};

static void shifting_init(struct shifting *shifting, const struct nsc_iterations *of)
{
    uint32_t n = 0;

    shifting->of = of;
    shifting->periods = nsc_xcalloc((size_t)of->n + 1, sizeof *shifting->periods);
    shifting->scratch = nsc_xcalloc((size_t)of->n + 1, sizeof *shifting->scratch);
    shifting->before = nsc_xcalloc((size_t)of->n + 1, sizeof *shifting->before);
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->at[i].kind == 0)
            shifting->periods[n++] = of->at[i].period;
        shifting->before[i + 1] = n;
    }
}

static void shifting_fini(struct shifting *shifting)
{
    free(shifting->periods);
    free(shifting->scratch);
    free(shifting->before);
}

/* The median distance of the periods [first, end) from a value; 0 if there are none. */
static nsc_time median_distance(const struct shifting *shifting, uint32_t first, uint32_t end,
                                nsc_time from)
{
    memcpy(shifting->scratch, shifting->periods + first, (end - first) * sizeof *shifting->scratch);
    return nsc_median_distance(shifting->scratch, end - first, from);
}

static uint32_t count_most(const struct shifting *shifting, uint32_t first, uint32_t end,
                           nsc_time limit)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        n += shifting->periods[i] <= limit;
    return n;
}

/* How well a change of level at i explains the periods of the most frequent kind: the share on the
 * correct side of the middle between both medians, for the worse side; 0: not at all. */
static double judge_place(const struct shifting *shifting, uint32_t i, nsc_time level[2])
{
    uint32_t n_all = shifting->of->n;
    uint32_t first = i < 2 * NSC_LIMIT_FEW ? i / 3 : n_all / NSC_LIMIT_WARM_UP_MOST;
    uint32_t at[3]; /* the borders of both levels, in the periods */
    nsc_time mad[2], middle, apart;
    uint32_t right = 0;

    at[0] = shifting->before[first < i / 2 ? first : i / 2];
    at[1] = shifting->before[i];
    at[2] = shifting->before[n_all];
    for (int side = 0; side < 2; side++)
        level[side] = median_distance(shifting, at[side], at[side + 1], 0);
    middle = level[0] / 2 + level[1] / 2;
    apart = nsc_span(level[0], level[1]) + nsc_span(level[1], level[0]);
    if ((double)apart <= NSC_SHARE(SLIGHT) * (double)level[0])
        return 0;
    for (int side = 0; side < 2; side++)
        mad[side] = median_distance(shifting, at[side], at[side + 1], level[side]);
    if (apart <= nsc_product(NSC_LIMIT_DEVIATIONS, nsc_later(mad[0], mad[1])))
        return 0;
    for (int side = 0; side < 2; side++) {
        uint32_t n = at[side + 1] - at[side];
        uint32_t n_right = count_most(shifting, at[side], at[side + 1], middle);

        if ((side == 1) == (level[1] > level[0]))
            n_right = n - n_right;
        if (n < NSC_LIMIT_FEW || n_right < n * NSC_SHARE(NEARLY_ALL))
            return 0;
        right += n_right;
    }
    return (double)right / (at[2] - at[0]);
}

/* The place with the best score above *best, from first on, step by step, and at most reach behind the
 * best so far; `best_at` if there is none. */
static uint32_t find_best(const struct shifting *shifting, uint32_t first, uint32_t step,
                          uint32_t reach, uint32_t best_at, double *best)
{
    nsc_time level[2];

    for (uint32_t i = first; i < best_at + reach && i + NSC_LIMIT_FEW <= shifting->of->n;
         i += step) {
        double score = judge_place(shifting, i, level);

        if (score > *best) {
            *best = score;
            best_at = i;
        }
    }
    return best_at;
}

uint32_t nsc_iterations_find_shift(const struct nsc_iterations *of, nsc_time level[2])
{
    uint32_t first = of->n / NSC_LIMIT_WARM_UP_MOST + 1;
    uint32_t step = of->n > 256 ? of->n / 256 : 1;
    uint32_t from = first > NSC_LIMIT_FEW ? first : NSC_LIMIT_FEW;
    struct shifting shifting;
    uint32_t place;
    double best = 0;

    shifting_init(&shifting, of);
    place = find_best(&shifting, from, step, of->n, 0, &best);
    if (place > 0 && step > 1)
        place =
            find_best(&shifting, place > from + step ? place - step : from, 1, step, place, &best);
    if (place > 0)
        (void)judge_place(&shifting, place, level);
    shifting_fini(&shifting);
    return place;
}
