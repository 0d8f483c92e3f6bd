/*
 * Which exports become one trace, and where on its axis each of them lies.
 */
#ifndef NSC_NSYS_LOAD_H
#define NSC_NSYS_LOAD_H

#include "nsyscope/job.h"

struct nsc_aligned;

struct nsc_job_source {
    struct nsc_capture *capture;
    nsc_time offset;          /* ns: added to all its times */
    const char *label, *host; /* "" for none */
};

struct nsc_job_plan {
    const struct nsc_job_source *sources; /* in order; borrowed, as all here */
    uint32_t n;                           /* at least 1 */
    const struct nsc_aligned *aligned;    /* NULL: a lone export */
    const char *range;                    /* what NVTX went by; NULL: none */
    const struct nsc_early *early;        /* NULL: nobody looks */
};

/*
 * As nsc_capture_load(), for several. The budget and the threads are those of the first, and what is
 * left out counts on the common axis.
 */
NSC_NODISCARD enum nsc_status nsc_job_load_all(struct nsc_trace **out,
                                               const struct nsc_job_plan *plan,
                                               struct nsc_progress *progress,
                                               struct nsc_error *error);

/* A line about one of n exports says which, unless it does already or is about all of them. error
 * may be NULL. */
void nsc_job_name_error(struct nsc_error *error, const char *path, uint32_t n);

#endif
