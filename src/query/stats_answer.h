/* Reports of stats that are files: src/analysis/stats/NAME.sql. */
#ifndef NSC_QUERY_STATS_ANSWER_H
#define NSC_QUERY_STATS_ANSWER_H

#include "analysis/stats/stats.h"

/* Runs the statement of the file of input->id. */
nsc_stats_ask nsc_stats_answer;

#endif
