/*
 * The function of each report, for the table in stats.c.
 */
#ifndef NSC_ANALYSIS_STATS_FUNCTIONS_H
#define NSC_ANALYSIS_STATS_FUNCTIONS_H

#include "analysis/stats/stats.h"

#define NSC_STATS(id, name, title, is_rule, takes, tables, needs, fields, columns, function) \
    enum nsc_status function(const struct nsc_stats_input *input,                            \
                             const struct nsc_stats_sink *sink);
#include "analysis/stats/stats.def"
#undef NSC_STATS

#endif
