/*
 * A list of findings: sentences about a recording, each with the time it stands for, its evidence
 * and the next step.
 *
 * The owner calls fini. Findings own their texts. Texts are raw bytes, because they may contain
 * names of the file. Times are ns.
 */
#ifndef NSC_ANALYSIS_FINDING_LIST_H
#define NSC_ANALYSIS_FINDING_LIST_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "core/vec.h"

#define NSC_STEADY_WORDS 320 /* bytes of a sentence about the window */

enum nsc_severity {
    NSC_SEVERITY_HIGH,
    NSC_SEVERITY_MEDIUM,
    NSC_SEVERITY_LOW,
    NSC_SEVERITY_INFO,
    NSC_SEVERITY_NOT_ASSESSABLE, /* the question could not be answered: the title says why */
    NSC_N_SEVERITIES
};

#define NSC_NO_THRESHOLD UINT32_MAX

/* "high", "medium", "low", "info", "not assessable". */
const char *nsc_severity_word(enum nsc_severity severity);

/* Another GPU of which a finding holds. */
struct nsc_likewise {
    uint32_t track;
    int64_t gpu;
    double share; /* percent; 0: none */
    nsc_time ns;
};

struct nsc_finding {
    const char *key; /* name of the rule: "gpu-idle"; static */
    bool ascii;      /* as in the list */
    char *title;
    enum nsc_severity severity;
    nsc_time ns;         /* the time it stands for; 0: none */
    double share;        /* percent that set the severity; 0: none */
    unsigned threshold;  /* enum nsc_threshold_name that set the severity; NSC_NO_THRESHOLD */
    bool is_cause;       /* names one cause of the idle time of its head */
    const char *head;    /* rule of the finding that this one explains: the same time; NULL: none */
    uint32_t head_track; /* track of that finding */
    uint32_t leader;     /* its number when the list was ranked; of one that leads its own */
    bool has_window;
    struct nsc_window window;              /* time to look at */
    nsc_event event;                       /* to jump to; NSC_NONE */
    uint32_t track;                        /* device, stream or thread to jump to; NSC_NONE */
    NSC_VEC(struct nsc_likewise) likewise; /* further GPUs, by number */
    NSC_VEC(char *) evidence;              /* lines: figures with units and denominators */
    char *next;                            /* what to do; NULL: nothing */
};

struct nsc_findings {
    NSC_VEC(struct nsc_finding) list;
    bool ascii;                    /* how sources write units: "us" for "µs" */
    bool is_of_losses;             /* information that takes long to find may be missing */
    bool is_steady;                /* asked about the steady state, not about the whole window */
    char window[NSC_STEADY_WORDS]; /* describes the window; "" if the caller chose the window */
};

void nsc_findings_fini(struct nsc_findings *findings);
void nsc_finding_fini(struct nsc_finding *finding);

/* ---- texts for the formats below: values, which hold to the end of the statement ---- */

#define NSC_SHOWN_BYTES 120

struct nsc_shown {
    char text[NSC_SHOWN_BYTES + 40]; /* with room for some words around a name */
};
struct nsc_shown nsc_show_ns(const struct nsc_finding *finding, nsc_time ns);
/* The first NSC_SHOWN_BYTES of a text. */
struct nsc_shown nsc_show(struct nsc_text text);
struct nsc_shown nsc_show_track(const struct nsc_trace *trace, uint32_t track);
/* The name of a range as nsc_label_pattern writes it; "" for NSC_NONE. */
struct nsc_shown nsc_show_range(const struct nsc_trace *trace, nsc_event range, bool is_mixed);

/* ---- filling: the pointer holds until the next finding is added ---- */

struct nsc_finding *nsc_findings_add(struct nsc_findings *findings, const char *key,
                                     enum nsc_severity severity, const char *title, ...)
    NSC_PRINTF(4, 5);
/* A finding "WHAT: not assessable: REASON". */
struct nsc_finding *nsc_findings_add_unassessed(struct nsc_findings *findings, const char *key,
                                                const char *what, const char *reason, ...)
    NSC_PRINTF(4, 5);
void nsc_finding_evidence(struct nsc_finding *finding, const char *format, ...) NSC_PRINTF(2, 3);
void nsc_finding_next(struct nsc_finding *finding, const char *format, ...) NSC_PRINTF(2, 3);
/* Where to look. track: device or thread. */
void nsc_finding_place(struct nsc_finding *finding, uint32_t track, nsc_time ns,
                       struct nsc_window window);
/* Marks the finding as an explanation of the finding of a rule (static) and a track: both stand for
 * the same time. */
void nsc_finding_under(struct nsc_finding *finding, const char *rule, uint32_t track);

#endif
