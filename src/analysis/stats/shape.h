/*
 * Shapes of launches as the reports print them.
 */
#ifndef NSC_ANALYSIS_STATS_SHAPE_H
#define NSC_ANALYSIS_STATS_SHAPE_H

#include "analysis/stats/rows.h"

#define NSC_STATS_SHAPE_BYTES 80

/* "%4d %4d %4d" of three columns of GRID, from column first on; "" unless all are set. */
struct nsc_text nsc_stats_shape(char out[NSC_STATS_SHAPE_BYTES], const struct nsc_fields *grid,
                                uint32_t first, uint32_t row);

#endif
