/*
 * The functions behind finding.def: each asks a scope one question and adds what it finds.
 */
#ifndef NSC_ANALYSIS_FINDING_SOURCES_H
#define NSC_ANALYSIS_FINDING_SOURCES_H

#include "analysis/finding/finding.h"

/* fields may be NULL: none was read. */
#define NSC_FINDING(function, scopes)                                      \
    void function(struct nsc_findings *out, const struct nsc_scope *scope, \
                  const struct nsc_field_sets *fields);
#include "analysis/finding/finding.def"
#undef NSC_FINDING

#endif
