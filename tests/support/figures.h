/*
 * Figures of several measurements side by side: one line a figure, one column a measurement, with
 * its goal and its growth.
 *
 * Any process that was forked after figures_new() may put figures in. A figure of one name has one
 * goal for all columns, or one a column.
 */
#ifndef NSC_TEST_FIGURES_H
#define NSC_TEST_FIGURES_H

struct figures;

enum { FIGURES_COLUMNS = 8, FIGURES_LINES = 96 };

/* Ends the program when there is no memory. */
struct figures *figures_new(void);
void figures_free(struct figures *figures);
/* The next column; what is put from here on stands in it. title is copied. */
void figures_begin(struct figures *figures, const char *title);
/* goal: 0 for none; what is measured should not be above it. */
void figures_put(struct figures *figures, const char *name, double goal, double measured);
/* The same; of several put under one name the least stays. */
void figures_least(struct figures *figures, const char *name, double goal, double measured);
/*
 * As a table in Markdown: goal, what was measured, the greatest ratio of that to its goal, and how
 * much the last column that has it is of the first one.
 */
void figures_print(const struct figures *figures);

#endif
