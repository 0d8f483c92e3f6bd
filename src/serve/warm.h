/*
 * Exports that are loaded already, each alone or several as one trace, for a command line that asks for
 * just these files.
 */
#ifndef NSC_SERVE_WARM_H
#define NSC_SERVE_WARM_H

#include "nsyscope/job.h"

#include "core/argv.h"

/* trace NULL: nothing is loaded. The command line that takes trace and job leaves NULL. */
struct nsc_warm {
    struct nsc_argv files; /* owned */
    struct nsc_trace *trace;
    struct nsc_job *job;
};

/* Those of a process. */
struct nsc_warms {
    struct nsc_warm *at;
    unsigned n;
    bool is_by_content; /* a command line names its files as its own folder does: see claim */
};

/* Loads the files, unless they are loaded and have not changed on the disk. If it fails nothing is loaded:
 * a command line that then loads them says why. */
enum nsc_status nsc_warm_update(struct nsc_warm *warm, const struct nsc_job_options *options,
                                struct nsc_error *error);
/* Frees what is loaded. */
void nsc_warm_drop(struct nsc_warm *warm);
/* The one of just these files, in this order; NULL: none. */
struct nsc_warm *nsc_warms_find(const struct nsc_warms *warms, const char *const paths[], size_t n);
/* Gives a loaded export of the same content as the file at that path this path. False: there is none. */
bool nsc_warms_claim(struct nsc_warms *warms, const char *path);

#endif
