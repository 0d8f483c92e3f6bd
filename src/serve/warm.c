/* Loads exports ahead of the command lines that ask for them. */
#include "serve/warm.h"

#include "nsys/jobs/job_load.h"

void nsc_warm_drop(struct nsc_warm *warm)
{
    nsc_trace_free(warm->trace);
    nsc_job_close(warm->job);
    warm->trace = NULL;
    warm->job = NULL;
}

enum nsc_status nsc_warm_update(struct nsc_warm *warm, const struct nsc_job_options *options,
                                struct nsc_error *error)
{
    const char *const *paths = (const char *const *)warm->files.words.at;
    uint32_t n = (uint32_t)warm->files.words.n;
    enum nsc_status status;

    if (n == 0 || (warm->trace && !nsc_job_has_changed(warm->job)))
        return NSC_OK;
    nsc_warm_drop(warm);
    status = nsc_job_open(&warm->job, paths, n, options, error);
    if (status == NSC_OK)
        status = nsc_job_load(&warm->trace, warm->job, NULL, error);
    if (status != NSC_OK)
        nsc_warm_drop(warm);
    return status;
}

struct nsc_warm *nsc_warms_find(const struct nsc_warms *warms, const char *const paths[], size_t n)
{
    for (unsigned i = 0; warms && i < warms->n; i++)
        if (warms->at[i].trace && nsc_argv_is(&warms->at[i].files, paths, n))
            return &warms->at[i];
    return NULL;
}

bool nsc_warms_claim(struct nsc_warms *warms, const char *path)
{
    for (unsigned i = 0; i < warms->n; i++) {
        if (warms->at[i].trace && nsc_job_move(warms->at[i].job, path)) {
            nsc_argv_fini(&warms->at[i].files);
            nsc_argv_add(&warms->at[i].files, path);
            return true;
        }
    }
    return false;
}
