/* Prints a filter as a line of words and compares two filters, for tests of the parser. */
#ifndef NSC_TESTS_SUPPORT_FILTER_PRINT_H
#define NSC_TESTS_SUPPORT_FILTER_PRINT_H

#include "analysis/select/filter.h"

/* Appends the filter in its plainest form, from which parsing gives an equal filter. Raw bytes. */
void filter_print(struct nsc_buf *out, const struct nsc_filter *filter);
bool filter_equal(const struct nsc_filter *a, const struct nsc_filter *b);

#endif
