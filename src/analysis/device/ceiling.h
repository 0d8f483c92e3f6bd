/*
 * How much could be won at most if a loss were gone (DEFINITIONS 26).
 *
 * With a window of T and a loss of R inside it, the new time is T - R or more and the gain of
 * throughput at most T / (T - R) - 1: a ceiling, no forecast. Losses overlap: never add them.
 */
#ifndef NSC_ANALYSIS_CEILING_H
#define NSC_ANALYSIS_CEILING_H

#include "nsyscope/types.h"

/* In percent; below 0 where it has no end (loss >= whole) or no sense (whole <= 0). */
double nsc_gain_ceiling(nsc_time whole, nsc_time loss);

#endif
