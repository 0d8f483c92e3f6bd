/*
 * Random NVTX push/pop tracks for hand-made traces: ranges are packed into lanes as in the builder:
 * first fit by start, the longer first.
 */
#ifndef NSC_TESTS_HAND_RANGES_H
#define NSC_TESTS_HAND_RANGES_H

#include "support/dice.h"
#include "support/hand_trace.h"

struct hand_range {
    nsc_time start, end;
    nsc_name name;
};

/* Adds the lanes of one track for these ranges (sorted in place); instants take 1 ns of their
 * lane. */
void hand_ranges_add(struct hand_trace *hand, struct hand_range ranges[], uint32_t n);
/* n ranges in [0, 8 * n), mostly nested, some crossing, some instants; n_names names. */
void hand_ranges_roll(struct dice *dice, struct hand_range ranges[], uint32_t n, uint32_t n_names);

#endif
