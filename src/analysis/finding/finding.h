/*
 * Runs all sources of findings.
 *
 * A source is a row of finding.def: it asks one question about a scope and adds one finding for
 * each device or cause. If the export cannot answer the question, the source adds a finding that
 * says so: silence would read like "all is well". A source takes time linear in the rows of the
 * scope. The screen runs all sources on a thread of their own over the immutable trace. It cancels
 * them through progress, which is checked before each source.
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
 * Asks every source and ranks the findings. Questions about GPUs are asked about the steady state
 * if the scope has no window of its own and iterations that launch most of the work are found.
 * fields may be NULL: none was read. progress (may be NULL) counts the questions as its rows. If it
 * cancels, the call returns false and the list holds the findings so far.
 */
bool nsc_findings_run(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, struct nsc_progress *progress);
/* The same, with further questions in the same run on the same threads. */
struct nsc_finding_others {
    uint32_t n;
    void (*ask)(void *context, unsigned worker, uint32_t i);
    void *context;
};
bool nsc_findings_run_with(struct nsc_findings *out, const struct nsc_scope *scope,
                           const struct nsc_field_sets *fields,
                           const struct nsc_finding_others *others, struct nsc_progress *progress);
/* Names the window that shares refer to, for titles: "the steady state". */
const char *nsc_finding_window_words(const struct nsc_findings *findings,
                                     const struct nsc_scope *scope);
/* Joins findings of one rule about GPUs of one export, if their titles and next steps differ only
 * in numbers: the cause is the same. A share below half of the other's stays apart. The one that
 * stands for the most time stays, and its title lists the others. Changes the order. */
void nsc_findings_join_gpus(struct nsc_findings *findings, const struct nsc_trace *trace);
/* Orders by the time that could be saved, the greatest first; ties by severity, then by the order
 * of adding. A finding that explains another one (nsc_finding_under) follows it. Information comes
 * after these, and questions not assessable last. */
void nsc_findings_rank(struct nsc_findings *findings);
#define NSC_FINDINGS_NOTE                                                                         \
    "In order of the time that could be saved; information has none. Several findings may stand " \
    "for the same time, so do not add them. nsyscope docs findings lists the thresholds."

/* Adds the sheet "findings" with one row each, in the order of the list. */
void nsc_findings_sheet(struct nsc_sheets *out, const struct nsc_findings *findings,
                        const struct nsc_scope *scope);

#endif
