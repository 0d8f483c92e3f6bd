/*
 * An export that is loaded already, or several as one trace, for a command line that asks for just
 * these files.
 */
#ifndef NSC_SERVE_WARM_H
#define NSC_SERVE_WARM_H

#include "nsyscope/job.h"

#include "core/argv.h"

/* trace NULL: nothing is loaded. The command line that takes trace and job leaves NULL. */
struct nsc_warm {
    const struct nsc_argv *files; /* borrowed */
    struct nsc_trace *trace;
    struct nsc_job *job;
};

/* Loads the files, unless they are loaded and have not changed on the disk. Nothing is loaded if it
 * fails: the command line that then loads them says why. */
void nsc_warm_update(struct nsc_warm *warm, const struct nsc_job_options *options);
/* Moves trace and job to the caller if they are of just these files, in this order. */
bool nsc_warm_take(struct nsc_trace **trace, struct nsc_job **job, struct nsc_warm *warm,
                   const char *const paths[], unsigned n);
void nsc_warm_drop(struct nsc_warm *warm);

#endif
