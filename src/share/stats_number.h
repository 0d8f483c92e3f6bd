/*
 * The numbers of stats reports as text, digit by digit as the source tool prints them.
 */
#ifndef NSC_SHARE_STATS_NUMBER_H
#define NSC_SHARE_STATS_NUMBER_H

#include "share/stats_write.h"

/*
 * value with decimals 0 to 4, halves of the decimal number away from zero: 841.15 is 841.2, though
 * the double is a hair less. That is the SQL function round() of the tool's SQLite (before 3.43),
 * which its averages and shares go through: value, 3e-16 of it, and half a last digit are added,
 * and the sum is cut.
 */
void nsc_stats_put_rounded(struct nsc_buf *out, double value, unsigned decimals);
/*
 * The same text as nsc_stats_put_number appends, for the cells that nearly all are: whole numbers,
 * and numbers of one decimal that are below 10^11 and not at the edge of rounding. Returns the
 * bytes written; 0: none of these.
 */
#define NSC_STATS_QUICK 32
uint32_t nsc_stats_quick_number(char out[NSC_STATS_QUICK], const struct nsc_stats_cell *cell,
                                uint8_t unit, enum nsc_stats_time time, bool commas);
/* Appends a cell's number in its unit. commas: separates thousands. */
void nsc_stats_put_number(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                          enum nsc_stats_time time, bool commas);
/* Appends the title with its unit: "Total Time (ns)". */
void nsc_stats_put_title(struct nsc_buf *out, const struct nsc_stats_column *column,
                         enum nsc_stats_time time);

#endif
