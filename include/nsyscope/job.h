/*
 * Several exports as one trace on one time axis: the ranks of a job, or recordings to compare.
 *
 * The axis is the first export's. Every question to the trace covers all exports;
 * nsc_trace_captures() gives the rows and tracks of each. A job may consist of a single export.
 */
#ifndef NSYSCOPE_JOB_H
#define NSYSCOPE_JOB_H

#include "nsyscope/open.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NSC_JOB_EXPORTS 256 /* most exports of a job */

struct nsc_job_options {
    const struct nsc_open_options *open; /* used for every export; NULL: the defaults */
    enum nsc_align align;
    const char *range; /* NSC_ALIGN_NVTX: the whole text of a range or mark that every export has */
    const char *const *names; /* whose differing parts label the exports; NULL: their paths */
};

struct nsc_job;

/*
 * Opens the exports in this order; reads no events yet. open->trim is on the common axis. Errors as
 * nsc_capture_open(), naming the export; NSC_EINVAL also if a file is given twice. The job copies
 * the options, but borrows what they point to until nsc_job_close().
 */
NSC_NODISCARD enum nsc_status nsc_job_open(struct nsc_job **out, const char *const paths[],
                                           uint32_t n, const struct nsc_job_options *options,
                                           struct nsc_error *error);
void nsc_job_close(struct nsc_job *job); /* NULL is fine */

/* Aligns the exports and reads everything into a new trace, after one estimate of the memory for
 * all. NSC_ENODATA if they cannot be aligned as requested. progress may be NULL. */
NSC_NODISCARD enum nsc_status nsc_job_load(struct nsc_trace **out, struct nsc_job *job,
                                           struct nsc_progress *progress, struct nsc_error *error);

/*
 * Reads export i alone, at its place on the common axis. The trace has no header above its groups.
 */
NSC_NODISCARD enum nsc_status nsc_job_load_one(struct nsc_trace **out, struct nsc_job *job,
                                               uint32_t i, struct nsc_progress *progress,
                                               struct nsc_error *error);

/*
 * An early look at a long load. Once the GPU rows are in memory and at least `rows` rows are left
 * to read, the load calls show on its thread with a trace of them, without links or covers;
 * otherwise never. Its rows are the first rows of the loaded trace. The callee owns the trace and
 * frees it before the loaded one; it stays valid if the load fails. With several exports it holds
 * the first one.
 */
struct nsc_early {
    void (*show)(void *context, struct nsc_trace *trace);
    void *context;
    uint64_t rows; /* least number of rows left to read; 0: any */
};
/* For the next nsc_job_load(). Copies early. */
void nsc_job_show_early(struct nsc_job *job, const struct nsc_early *early);

uint32_t nsc_job_count(const struct nsc_job *job);
/* The label that tells export i from the others, "0: rank0" or "1: rank1 on node2", as in
 * nsc_trace_info. Raw bytes, borrowed from the job. "" for a single export. */
const char *nsc_job_label(const struct nsc_job *job, uint32_t i);
/* ns: the own time 0 of export i on the axis of the first; 0 before a load. */
nsc_time nsc_job_offset(const struct nsc_job *job, uint32_t i);
/* Borrowed from the job. */
struct nsc_capture *nsc_job_capture(struct nsc_job *job, uint32_t i);
/* The status of each known table over all exports: counts are added, the best status is kept. For a
 * single export as nsc_capture_tables(). Borrowed from the job until the next call. */
const struct nsc_table_status *nsc_job_tables(struct nsc_job *job, uint32_t *n);
/* Whether any file has changed since the job opened it. */
bool nsc_job_has_changed(const struct nsc_job *job);
/* Call this before printing results, with the status so far: returns NSC_EIO and one line if an
 * export changed since it was opened, or if that cannot be checked. */
NSC_NODISCARD enum nsc_status nsc_job_check(const struct nsc_job *job, enum nsc_status status,
                                            struct nsc_error *error);
/* As nsc_capture_details(), from the event's export. */
NSC_NODISCARD enum nsc_status nsc_job_details(struct nsc_details *out, struct nsc_job *job,
                                              const struct nsc_trace *trace, nsc_event event,
                                              struct nsc_error *error);

#ifdef __cplusplus
}
#endif
#endif
