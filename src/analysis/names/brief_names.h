/*
 * Names that are one kernel to people: those with the same short text.
 */
#ifndef NSC_ANALYSIS_BRIEF_NAMES_H
#define NSC_ANALYSIS_BRIEF_NAMES_H

#include "nsyscope/trace.h"

/* For each name the first one with the same short text. The caller frees it. */
nsc_name *nsc_names_by_brief(const struct nsc_trace *trace);

#endif
