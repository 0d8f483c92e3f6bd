/* Loads exports ahead of the command lines that ask for them. */
#include "serve/warm.h"

#include <string.h>

void nsc_warm_drop(struct nsc_warm *warm)
{
    nsc_trace_free(warm->trace);
    nsc_job_close(warm->job);
    warm->trace = NULL;
    warm->job = NULL;
}

void nsc_warm_update(struct nsc_warm *warm, const struct nsc_job_options *options)
{
    const char *const *paths = (const char *const *)warm->files->words.at;
    uint32_t n = (uint32_t)warm->files->words.n;
    struct nsc_error error = {0};

    if (warm->trace && !nsc_job_has_changed(warm->job))
        return;
    nsc_warm_drop(warm);
    if (n == 0 || nsc_job_open(&warm->job, paths, n, options, &error) != NSC_OK ||
        nsc_job_load(&warm->trace, warm->job, NULL, &error) != NSC_OK)
        nsc_warm_drop(warm);
}

bool nsc_warm_take(struct nsc_trace **trace, struct nsc_job **job, struct nsc_warm *warm,
                   const char *const paths[], unsigned n)
{
    unsigned same = 0;

    while (same < n && same < warm->files->words.n &&
           strcmp(paths[same], warm->files->words.at[same]) == 0)
        same++;
    if (!warm->trace || same != n || same != warm->files->words.n)
        return false;
    *trace = warm->trace;
    *job = warm->job;
    warm->trace = NULL;
    warm->job = NULL;
    return true;
}
