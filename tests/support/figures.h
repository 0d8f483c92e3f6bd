/*
 * Figures of several measurements side by side: one line per figure, one column per measurement,
 * with goal and growth.
 *
 * Any process forked after figures_new() may add figures. A figure has one goal for all columns, or
 * one per column.
 */
#ifndef NSC_TEST_FIGURES_H
#define NSC_TEST_FIGURES_H

struct figures;

enum { FIGURES_COLUMNS = 8, FIGURES_LINES = 96 };

/* Ends the program if out of memory. */
struct figures *figures_new(void);
void figures_free(struct figures *figures);
/* Begins the next column. title is copied. */
void figures_begin(struct figures *figures, const char *title);
/* Adds a figure. goal: upper limit for the value; 0: none. */
void figures_put(struct figures *figures, const char *name, double goal, double measured);
/* As figures_put, but keeps the least of several values under one name. */
void figures_least(struct figures *figures, const char *name, double goal, double measured);
/*
 * Prints a table in Markdown: goal, values, the greatest ratio of a value to its goal, and the last
 * column's value relative to the first one's.
 */
void figures_print(const struct figures *figures);

#endif
