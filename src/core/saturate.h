/*
 * Sums and differences of times that stop at the ends of int64 instead of passing them: a file may
 * hold any times.
 */
#ifndef NSC_CORE_SATURATE_H
#define NSC_CORE_SATURATE_H

#include <stdint.h>

static inline int64_t nsc_add_saturated(int64_t a, int64_t b)
{
    int64_t sum = 0;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a > 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t nsc_sub_saturated(int64_t a, int64_t b)
{
    int64_t difference = 0;

    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a > b ? INT64_MAX : INT64_MIN;
}

#endif
