/*
 * Where findings come from, and asking for all of them.
 *
 * A source is a row of finding.def: it asks one question about a scope and adds one finding for
 * each device or cause. Where it cannot know, it adds a finding that says so: silence would read
 * like "all is well". The time of a source is linear in the rows of the scope. The screen runs them
 * on a thread of their own over the immutable trace and cancels through progress, which is checked
 * before each source.
 */
#ifndef NSC_ANALYSIS_FINDING_H
#define NSC_ANALYSIS_FINDING_H

#include "analysis/base/scope.h"
#include "analysis/finding/finding_list.h"
#include "core/sheet.h"

struct nsc_progress;
struct nsc_field_sets;

/* ---- all of them ---- */

/*
 * Asks every source and ranks. fields may be NULL: none was read. progress (may be NULL) counts the
 * questions as its rows, and cancels: false then, and the list holds what was found so far.
 */
bool nsc_findings_run(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, struct nsc_progress *progress);
/* Orders by the time they stand for, the greatest first; equal ones by severity, then as they were
 * added. What is not assessable comes last. */
void nsc_findings_rank(struct nsc_findings *findings);
/* Adds the sheet "findings", a row each, in the order of the list. */
void nsc_findings_sheet(struct nsc_sheets *out, const struct nsc_findings *findings,
                        const struct nsc_scope *scope);

#endif
