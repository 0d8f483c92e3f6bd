/*
 * Sums and differences of times that stop at the ends of int64, because a file may hold any times.
 */
#ifndef NSC_CORE_SUM_H
#define NSC_CORE_SUM_H

#include "nsyscope/types.h"

/* Holds the sum of any values of a file. */
__extension__ typedef __int128 nsc_wide;

/* The nearest value of 64 bits. */
static inline int64_t nsc_narrow(nsc_wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* a + b */
static inline nsc_time nsc_sum(nsc_time a, nsc_time b)
{
    nsc_time sum = 0;

    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a > 0 ? INT64_MAX : INT64_MIN;
}

/* a - b */
static inline nsc_time nsc_difference(nsc_time a, nsc_time b)
{
    nsc_time difference = 0;

    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return a > b ? INT64_MAX : INT64_MIN;
}

/* n times a, which are not negative */
static inline nsc_time nsc_product(nsc_time n, nsc_time a)
{
    nsc_time product = 0;

    return __builtin_mul_overflow(n, a, &product) ? INT64_MAX : product;
}

/* From t0 to t1 in ns: 0 if t1 is not later, at most INT64_MAX. */
static inline nsc_time nsc_span(nsc_time t0, nsc_time t1)
{
    nsc_time d;

    if (t1 <= t0)
        return 0;
    return __builtin_sub_overflow(t1, t0, &d) ? INT64_MAX : d;
}

static inline nsc_time nsc_earlier(nsc_time a, nsc_time b)
{
    return a < b ? a : b;
}

static inline nsc_time nsc_later(nsc_time a, nsc_time b)
{
    return a > b ? a : b;
}

/* The ns that [start, end) adds to a union that so far ends at *reach; extends *reach. Intervals
 * must come by start. */
static inline nsc_time nsc_extend(nsc_time *reach, nsc_time start, nsc_time end)
{
    nsc_time added = nsc_span(nsc_later(*reach, start), end);

    *reach = nsc_later(*reach, end);
    return added;
}

/* 100 part / whole; 0 if whole is 0. */
static inline double nsc_percent(nsc_time part, nsc_time whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* The time that both hold; t1 <= t0: none. */
static inline struct nsc_window nsc_window_meet(struct nsc_window a, struct nsc_window b)
{
    return (struct nsc_window){nsc_later(a.t0, b.t0), nsc_earlier(a.t1, b.t1)};
}

/* Widens *w until it holds the times of `with`. {0, 0} is empty. */
static inline void nsc_window_join(struct nsc_window *w, struct nsc_window with)
{
    if (with.t0 == 0 && with.t1 == 0)
        return;
    if (w->t0 == 0 && w->t1 == 0)
        *w = with;
    w->t0 = nsc_earlier(w->t0, with.t0);
    w->t1 = nsc_later(w->t1, with.t1);
}

#endif
