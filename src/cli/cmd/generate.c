/*
 * nsyscope generate: makes a synthetic export.
 */
#include "nsys/generate/generate.h"

#include "cli/commands.h"

int nsc_cmd_generate(const struct nsc_options *options)
{
    struct nsc_error error = {0};
    enum nsc_status status = nsc_generate(options->file, &options->generate, &error);

    if (status == NSC_OK)
        return NSC_EXIT_DONE;
    nsc_complain(&error);
    return status == NSC_EIO ? NSC_EXIT_WRITE : nsc_exit_of(status);
}
