/*
 * Loads exports into one trace, each at its place on the axis.
 */
#ifndef NSC_NSYS_LOAD_H
#define NSC_NSYS_LOAD_H

#include "nsyscope/job.h"

struct nsc_aligned;

struct nsc_job_source {
    struct nsc_capture *capture;
    nsc_time offset;          /* ns, added to all its times */
    const char *label, *host; /* "": none */
};

struct nsc_job_plan {
    const struct nsc_job_source *sources; /* in order; all members are borrowed */
    uint32_t n;                           /* at least 1 */
    const struct nsc_aligned *aligned;    /* NULL: a single export */
    const char *range;                    /* the range of an NVTX alignment; NULL: none */
    const struct nsc_early *early;        /* NULL: no early trace */
};

/* As nsc_capture_load(), for several exports. Uses the budget and threads of the first one; --trim
 * is on the common axis. */
NSC_NODISCARD enum nsc_status nsc_job_load_all(struct nsc_trace **out,
                                               const struct nsc_job_plan *plan,
                                               struct nsc_progress *progress,
                                               struct nsc_error *error);

/* Prefixes an error about one of n exports with its path, unless the text names it already. error
 * may be NULL. */
void nsc_job_name_error(struct nsc_error *error, const char *path, uint32_t n);

/* ---- identity.c: an export by its content ---- */

/* The identity is equal for a moved or copied file, and different for any other export, whatever
 * its name. */
#define NSC_IDENTITY_TEXT 33 /* 32 hexadecimal digits and a NUL */

/* Hashes the size, the change counter, the start of the recording (UTC) and at most 64 pages spread
 * over the file, including the first and the last. NSC_EIO on failure. */
NSC_NODISCARD enum nsc_status nsc_capture_identity(char out[NSC_IDENTITY_TEXT],
                                                   struct nsc_capture *capture,
                                                   struct nsc_error *error);

/* The identity of several exports, computed from theirs in order. A single export keeps its own. */
NSC_NODISCARD enum nsc_status nsc_job_identity(char out[NSC_IDENTITY_TEXT], struct nsc_job *job,
                                               struct nsc_error *error);

/* Lets a job of one export that is loaded read the file at another path from now on. False, and the job
 * as it was, if there is no export of the same content, or if the job's own file has changed. */
bool nsc_job_move(struct nsc_job *job, const char *path);
/* The path of an export, as given. */
const char *nsc_capture_path(const struct nsc_capture *capture);

#endif
