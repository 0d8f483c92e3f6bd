/*
 * Findings: what an analysis has to tell a person, each with the time it stands for, its evidence
 * and the next step.
 *
 * The owner calls fini. Texts are raw bytes (names of the file may be in them) and owned by the
 * finding; times are ns. A source is a row of finding.def: it asks a scope one question and adds
 * what it finds, one finding a device or a cause, and where it cannot know a finding that says so:
 * never silence that reads like a clean bill. Sources are linear in the rows of the scope and their
 * lanes' merge, not sliced: a screen runs them on a thread of its own over the immutable trace and
 * cancels through progress, which is looked at before each source.
 */
#ifndef NSC_ANALYSIS_FINDING_H
#define NSC_ANALYSIS_FINDING_H

#include "analysis/scope.h"
#include "core/sheet.h"

struct nsc_progress;
struct nsc_field_sets;

enum nsc_severity {
    NSC_SEVERITY_HIGH,
    NSC_SEVERITY_MEDIUM,
    NSC_SEVERITY_LOW,
    NSC_SEVERITY_INFO,
    NSC_SEVERITY_NOT_ASSESSABLE, /* the question could not be answered: the title says why */
    NSC_N_SEVERITIES
};

/* "high", "medium", "low", "info", "not assessable". */
const char *nsc_severity_word(enum nsc_severity severity);

struct nsc_finding {
    const char *key; /* of the rule: "gpu-idle"; static */
    char *title;
    enum nsc_severity severity;
    nsc_time ns; /* the time it stands for; 0 for what is no time */
    bool has_window;
    struct nsc_window window; /* where to look */
    nsc_event event;          /* to jump to; NSC_NONE */
    uint32_t track;           /* to jump to: a device, a stream, a thread; NSC_NONE */
    NSC_VEC(char *) evidence; /* lines: figures with units and denominators */
    char *next;               /* what to do; NULL: nothing */
};

struct nsc_findings {
    NSC_VEC(struct nsc_finding) list;
    bool ascii; /* how sources write units: "us" for "µs" */
};

void nsc_findings_fini(struct nsc_findings *findings);

/* ---- filling: the pointer holds until the next finding is added ---- */

struct nsc_finding *nsc_findings_add(struct nsc_findings *findings, const char *key,
                                     enum nsc_severity severity, const char *title, ...)
    NSC_PRINTF(4, 5);
/* A finding "WHAT: not assessable: REASON". */
struct nsc_finding *nsc_findings_abstain(struct nsc_findings *findings, const char *key,
                                         const char *what, const char *reason, ...)
    NSC_PRINTF(4, 5);
void nsc_finding_evidence(struct nsc_finding *finding, const char *format, ...) NSC_PRINTF(2, 3);
void nsc_finding_next(struct nsc_finding *finding, const char *format, ...) NSC_PRINTF(2, 3);

/* ---- all of them ---- */

struct nsc_finding_source {
    const char *key;      /* "idle" */
    const char *question; /* "Does the GPU wait, and for whom?" */
    /* fields may be NULL: none was read. */
    void (*find)(struct nsc_findings *out, const struct nsc_scope *scope,
                 const struct nsc_field_sets *fields);
};

/* The rows of finding.def. */
const struct nsc_finding_source *nsc_finding_sources(uint32_t *n);
/*
 * Asks every source and ranks. progress (may be NULL) only cancels: false then, and the list holds
 * what was found so far.
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
