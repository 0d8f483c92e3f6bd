/*
 * Times of --filter-time as the source tool spells them.
 */
#ifndef NSC_CLI_STATS_TIME_H
#define NSC_CLI_STATS_TIME_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

/*
 * Reads "[START]/[END]"; an end that is left out is the clock's own. A time is numbers with units
 * that are added up: "1s2ms3us4ns", "-1.5e3us", "250" (ns); h m s ms us ns. NSC_EINVAL.
 */
NSC_NODISCARD enum nsc_status nsc_stats_time_window(struct nsc_window *out, const char *text,
                                                    struct nsc_error *error);

#endif
