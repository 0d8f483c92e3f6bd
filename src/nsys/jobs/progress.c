/*
 * The progress of a load for its caller.
 */
#include "core/progress.h"

#include "nsyscope/open.h"

#include "core/die.h"

#include <stdlib.h>

struct nsc_progress *nsc_progress_new(void)
{
    return nsc_xcalloc(1, sizeof(struct nsc_progress));
}

void nsc_progress_free(struct nsc_progress *progress)
{
    free(progress);
}

void nsc_progress_cancel(struct nsc_progress *progress)
{
    atomic_store(&progress->cancel, true);
}

struct nsc_progress_view nsc_progress_view(const struct nsc_progress *progress)
{
    struct nsc_progress_view view = {
        .rows = atomic_load(&progress->rows),
        .rows_total = atomic_load(&progress->rows_total),
        .events = atomic_load(&progress->events),
        .capture_no = atomic_load(&progress->capture_no),
        .phase = (enum nsc_phase)atomic_load(&progress->phase),
    };

    return view;
}
