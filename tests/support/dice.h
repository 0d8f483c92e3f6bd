/*
 * Repeatable random numbers for property tests. Each test has a fixed seed; NSC_SEED in the
 * environment replaces it. The seed is printed.
 */
#ifndef NSC_TESTS_DICE_H
#define NSC_TESTS_DICE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Uniform enough in [0, n), n > 0. */
static inline uint64_t dice_below(struct dice *dice, uint64_t n)
{
    return dice_next(dice) % n;
}

static inline struct dice dice_new(uint64_t seed)
{
    const char *text = getenv("NSC_SEED");
    struct dice dice = {text ? strtoull(text, NULL, 0) : seed};

    printf("seed %llu (NSC_SEED replays it)\n", (unsigned long long)dice.state);
    fflush(stdout); /* a crash would lose it */
    return dice;
}

#endif
