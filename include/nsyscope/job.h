/*
 * Several exports as one trace, on one time axis: the ranks of a job, or runs to be compared.
 *
 * The axis is that of the first export. Everything that is asked of a trace is asked of all of them
 * at once; nsc_trace_captures() tells which rows and tracks are whose. A job of one export is that
 * export and nothing more.
 */
#ifndef NSYSCOPE_JOB_H
#define NSYSCOPE_JOB_H

#include "nsyscope/open.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NSC_JOB_EXPORTS 64 /* at most */

struct nsc_job_options {
    const struct nsc_open_options *open; /* for each of them; NULL: the defaults */
    enum nsc_align align;
    const char *range; /* NSC_ALIGN_NVTX: the whole text of a range or mark that all have */
};

struct nsc_job;

/*
 * Opens them in this order; reads no events yet. What is left out (open->trim) counts on the common
 * axis. Errors as nsc_capture_open(), naming the export; NSC_EINVAL also for the same file twice.
 * All is borrowed until nsc_job_close() but the options themselves.
 */
NSC_NODISCARD enum nsc_status nsc_job_open(struct nsc_job **out, const char *const paths[],
                                           uint32_t n, const struct nsc_job_options *options,
                                           struct nsc_error *error);
void nsc_job_close(struct nsc_job *job); /* NULL is fine */

/*
 * Brings them onto one axis and reads everything into a new trace, after one estimate of the memory
 * for all. NSC_ENODATA when they cannot be aligned as asked. progress may be NULL.
 */
NSC_NODISCARD enum nsc_status nsc_job_load(struct nsc_trace **out, struct nsc_job *job,
                                           struct nsc_progress *progress, struct nsc_error *error);

/* The same of the i-th export alone, where it lies on the common axis: for questions that are asked
 * of each in turn. No header stands above its groups. */
NSC_NODISCARD enum nsc_status nsc_job_load_one(struct nsc_trace **out, struct nsc_job *job,
                                               uint32_t i, struct nsc_progress *progress,
                                               struct nsc_error *error);

/*
 * What there is to look at before a long load is done: once the GPU's rows are there and much else
 * is still to be read, show gets a trace of them on the loading thread, without links or covers;
 * else never. Its rows are those that the loaded trace begins with. It is the caller's, to be
 * freed before that one, and good until then even when the load fails. Of several exports they are
 * the first one's.
 */
struct nsc_early {
    void (*show)(void *context, struct nsc_trace *trace);
    void *context;
    uint64_t rows; /* that must be left to read for it to be worth while; 0: any */
};
/* For the next nsc_job_load(); copied. */
void nsc_job_show_early(struct nsc_job *job, const struct nsc_early *early);

uint32_t nsc_job_count(const struct nsc_job *job);
/* What tells the i-th from the others, "0: rank0" or "1: rank1 on node2", as in nsc_trace_info;
 * raw bytes, borrowed from the job. "" for a lone one. */
const char *nsc_job_label(const struct nsc_job *job, uint32_t i);
/* For its tables, its warnings, its rows. */
struct nsc_capture *nsc_job_capture(struct nsc_job *job, uint32_t i);
/* What came of each known table, over all exports: counts are sums, the status is the best one. Of
 * a lone export as nsc_capture_tables(). Borrowed from the job until the next call. */
const struct nsc_table_status *nsc_job_tables(struct nsc_job *job, uint32_t *n);
/* Whether any of the files has changed since it was opened. */
bool nsc_job_changed(const struct nsc_job *job);
/* As nsc_capture_details(), from the export that the event is from. */
NSC_NODISCARD enum nsc_status nsc_job_details(struct nsc_details *out, struct nsc_job *job,
                                              const struct nsc_trace *trace, nsc_event event,
                                              struct nsc_error *error);

#ifdef __cplusplus
}
#endif
#endif
