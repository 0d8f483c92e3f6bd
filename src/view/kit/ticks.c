/* Chooses the steps of a time axis. */
#include "view/kit/ticks.h"

/* The smallest of 1, 2, 5, 10, 20 ... that is at least want; else the largest one. */
static nsc_time step_at_least(uint64_t want)
{
    uint64_t power = 1;

    for (;;) {
        if (power >= want || power > (uint64_t)INT64_MAX / 10)
            return (nsc_time)power;
        if (power * 2 >= want)
            return (nsc_time)(power * 2);
        if (power * 5 >= want)
            return (nsc_time)(power * 5);
        power *= 10;
    }
}

/* The first multiple of step, counted from origin, at or after t; false if there is none. */
static bool tick_from(nsc_time *out, nsc_time t, nsc_time step, nsc_time origin)
{
    nsc_time distance = 0, past = 0;

    if (__builtin_sub_overflow(t, origin, &distance)) {
        *out = t;
        return false;
    }
    past = distance % step;
    if (past < 0)
        past += step;
    return !__builtin_add_overflow(t, past ? step - past : 0, out);
}

struct nsc_ticks nsc_ticks_build(struct nsc_window w, uint32_t cols, uint32_t spacing,
                                 nsc_time origin)
{
    uint64_t length = (uint64_t)w.t1 - (uint64_t)w.t0;
    uint32_t room = cols ? cols : 1;
    struct nsc_ticks ticks = {1, w.t0, 0};
    uint64_t whole = length / room * spacing;
    uint64_t part = (length % room * spacing + room - 1) / room;

    ticks.step = step_at_least(whole + part ? whole + part : 1);
    if (tick_from(&ticks.first, w.t0, ticks.step, origin) && ticks.first < w.t1)
        ticks.n =
            (uint32_t)(((uint64_t)w.t1 - 1 - (uint64_t)ticks.first) / (uint64_t)ticks.step) + 1;
    return ticks;
}
