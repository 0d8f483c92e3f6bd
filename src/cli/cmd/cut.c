/*
 * nsyscope cut: writes a part of an export as an export.
 */
#include "nsys/generate/cut.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/sum.h"
#include "nsys/jobs/job_load.h"

enum nsc_status nsc_cmd_cut(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    struct nsc_cut cut = {.window = {INT64_MIN, INT64_MAX},
                          .force = options->set[NSC_OPTION_FORCE]};
    char identity[NSC_IDENTITY_TEXT];
    enum nsc_status status;

    if (!options->set[NSC_OPTION_OUTPUT])
        return nsc_fail(error, NSC_EINVAL, "cut: give -o FILE.sqlite, the export to write");
    if (nsc_loaded_scope_open(&loaded, options, error) != NSC_OK)
        return error->status;
    if (loaded.scope.has_window) /* and what answers about it look at beside it */
        cut.window = (struct nsc_window){nsc_sum(loaded.scope.window.t0, -NSC_BESIDE_TRIM),
                                         nsc_sum(loaded.scope.window.t1, NSC_BESIDE_TRIM)};
    cut.trace = loaded.trace;
    cut.mask = loaded.mask;
    cut.key = options->set[NSC_OPTION_MASK_NAMES] ? identity : NULL; /* who has the cut lacks it */
    status = nsc_capture_identity(identity, loaded.capture, error);
    if (status == NSC_OK)
        status = nsc_cut_write(options->arg[NSC_OPTION_OUTPUT][0], loaded.capture, &cut, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}
