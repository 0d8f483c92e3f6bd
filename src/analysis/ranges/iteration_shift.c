/* Finds the place where the periods of iterations change to another level. */
#include "analysis/base/section.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

struct shifting {
    const struct nsc_iterations *of;
    struct nsc_sections periods; /* of the most frequent kind */
    uint32_t *before;            /* by iteration: the periods before it; one more at the end */
};

static void shifting_init(struct shifting *shifting, const struct nsc_iterations *of)
{
    nsc_time *list = nsc_xcalloc((size_t)of->n + 1, sizeof *list);
    uint32_t n = 0;

    shifting->of = of;
    shifting->before = nsc_xcalloc((size_t)of->n + 1, sizeof *shifting->before);
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->at[i].kind == 0)
            list[n++] = of->at[i].period;
        shifting->before[i + 1] = n;
    }
    nsc_sections_build(&shifting->periods, list, n);
    free(list);
}

/* How well a change of level at i explains the periods of the most frequent kind: the share on the
 * correct side of the middle between both medians, for the worse side; 0: not at all. */
static double judge_place(const struct shifting *shifting, uint32_t i, nsc_time level[2])
{
    const struct nsc_sections *periods = &shifting->periods;
    uint32_t n_all = shifting->of->n;
    uint32_t first =
        i < 2 * NSC_ITERATIONS_LEVEL_LEAST ? i / 3 : n_all / NSC_ITERATIONS_MOST_WARMUP;
    uint32_t at[3]; /* the borders of both levels, in the periods */
    nsc_time mad[2], middle, apart;
    uint32_t right = 0;

    at[0] = shifting->before[first < i / 2 ? first : i / 2];
    at[1] = shifting->before[i];
    at[2] = shifting->before[n_all];
    for (int side = 0; side < 2; side++)
        level[side] = nsc_sections_median(periods, at[side], at[side + 1]);
    middle = level[0] / 2 + level[1] / 2;
    apart = nsc_span(level[0], level[1]) + nsc_span(level[1], level[0]);
    if ((double)apart <= NSC_ITERATIONS_LEVEL_SHARE * (double)level[0])
        return 0;
    for (int side = 0; side < 2; side++)
        mad[side] = nsc_sections_mad(periods, at[side], at[side + 1], level[side]);
    if (apart <= nsc_product(NSC_ITERATIONS_SLOW_MADS, nsc_later(mad[0], mad[1])))
        return 0;
    for (int side = 0; side < 2; side++) {
        uint32_t n = at[side + 1] - at[side];
        uint32_t n_right = nsc_sections_count(periods, at[side], at[side + 1], middle);

        if ((side == 1) == (level[1] > level[0]))
            n_right = n - n_right;
        if (n < NSC_ITERATIONS_LEVEL_LEAST || n_right < n * NSC_ITERATIONS_LEVEL_SIDES)
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

    for (uint32_t i = first;
         i < best_at + reach && i + NSC_ITERATIONS_LEVEL_LEAST <= shifting->of->n; i += step) {
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
    uint32_t first = of->n / NSC_ITERATIONS_MOST_WARMUP + 1;
    uint32_t step = of->n > 256 ? of->n / 256 : 1;
    uint32_t from = first > NSC_ITERATIONS_LEVEL_LEAST ? first : NSC_ITERATIONS_LEVEL_LEAST;
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
    nsc_sections_fini(&shifting.periods);
    free(shifting.before);
    return place;
}
