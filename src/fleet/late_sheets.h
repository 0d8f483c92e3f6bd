/* Shows the judged ranks of a job as sheets. */
#ifndef NSC_FLEET_LATE_SHEETS_H
#define NSC_FLEET_LATE_SHEETS_H

#include "analysis/job/late.h"
#include "core/sheet.h"

/* Appends verdict i in a sentence; if there is none, that nobody is shown to hold the others up. */
void nsc_verdict_sentence(struct nsc_buf *out, const struct nsc_verdicts *of, size_t i);
/* The parallelism that the series of a meeting from `at` on agree on; if none names one, that of the ranks' places. */
enum nsc_parallel nsc_meeting_parallel(const struct nsc_fleet *fleet,
                                       const struct nsc_meeting *meeting, size_t at);
/* Adds "verdict", one row per verdict with a note that tells them, "late", one row per late rank, and "collectives",
 * by waiting. limit: most rows of the latter two; 0: all. */
void nsc_late_sheets(struct nsc_sheets *out, const struct nsc_judged *judged, uint32_t limit);
/* Adds the same without limit, then, at 3 and 4, "clocks" and "ranks", and "unmatched" (if there are any). */
void nsc_judged_sheets(struct nsc_sheets *out, const struct nsc_judged *judged);
/* The sheets of a trace, without stages: its exports, or the processes of its only one. */
void nsc_ranks_of_trace(struct nsc_sheets *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields);
#endif
