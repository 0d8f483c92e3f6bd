/*
 * Times of --filter-time, in the source tool's notation.
 */
#ifndef NSC_CLI_STATS_TIME_H
#define NSC_CLI_STATS_TIME_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

/*
 * Reads "[START]/[END]"; a missing end is the clock's own. A time is a sum of numbers with units:
 * "1s2ms3us4ns", "-1.5e3us", "250" (ns); h m s ms us ns. NSC_EINVAL.
 */
NSC_NODISCARD enum nsc_status nsc_stats_time_window(struct nsc_window *out, const char *text,
                                                    struct nsc_error *error);

#endif
