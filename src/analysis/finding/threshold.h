/*
 * The thresholds of findings, from threshold.def.
 */
#ifndef NSC_ANALYSIS_THRESHOLD_H
#define NSC_ANALYSIS_THRESHOLD_H

#include "analysis/base/limit.h"
#include "analysis/finding/finding_list.h"
#include "core/buf.h"

struct nsc_threshold {
    const char *rule;
    double low, medium, high; /* percent */
    const char *of, *about;
};

enum nsc_threshold_name {
#define NSC_THRESHOLD(name, rule, low, medium, high, of, about) NSC_THRESHOLD_##name,
#include "analysis/base/threshold.def"
    NSC_N_THRESHOLDS
};

extern const struct nsc_threshold nsc_thresholds[NSC_N_THRESHOLDS];

/* The severity of a share in percent; NSC_SEVERITY_INFO below low. A share below 1 % is never rated
 * medium, and below 5 % never high, whatever the table says. */
enum nsc_severity nsc_threshold_severity(enum nsc_threshold_name name, double share);
/* Adds a finding of this rule with the severity of the share. nsc_findings_cite() later cites the
 * threshold as evidence. */
struct nsc_finding *nsc_findings_add_share(struct nsc_findings *findings,
                                           enum nsc_threshold_name name, const char *rule,
                                           double share, const char *title, ...) NSC_PRINTF(5, 6);
/* Prints both tables in Markdown. */
void nsc_findings_cite(struct nsc_findings *findings);
/* Both tables in Markdown. */
void nsc_thresholds_print(struct nsc_buf *out);

#endif
