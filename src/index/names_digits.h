/*
 * Names that differ in their digits only.
 */
#ifndef NSC_INDEX_NAMES_DIGITS_H
#define NSC_INDEX_NAMES_DIGITS_H

#include "nsyscope/trace.h"

struct nsc_strpool;

/*
 * For each name the first one whose full text is the same once every run of digits and counters is
 * one sign. The caller frees it.
 */
nsc_name *nsc_names_fold_digits(const struct nsc_names *names, const struct nsc_strpool *strings);

#endif
