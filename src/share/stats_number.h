/* Formats the numbers of stats reports, digit by digit as nsys prints them. */
#ifndef NSC_SHARE_STATS_NUMBER_H
#define NSC_SHARE_STATS_NUMBER_H

#include "share/stats_write.h"

/*
 * Rounds value to one decimal, halves of the decimal number away from zero: 841.15 becomes
 * 841.2, although the double is slightly smaller. This equals round() of SQLite before 3.43, which
 * nsys uses for averages and shares: it adds 3e-16 of value and half a last digit, and truncates
 * the sum.
 */
void nsc_stats_put_rounded(struct nsc_buf *out, double value);
/* Appends a cell's number in its unit. commas: separates thousands. */
void nsc_stats_put_number(struct nsc_buf *out, const struct nsc_stats_cell *cell, uint8_t unit,
                          enum nsc_stats_time time, bool commas);
/* Appends the title with its unit: "Total Time (ns)". */
void nsc_stats_put_title(struct nsc_buf *out, const struct nsc_stats_column *column,
                         enum nsc_stats_time time);

#endif
