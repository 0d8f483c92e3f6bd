/*
 * nsyscope generate: makes a synthetic export.
 */
#include "cli/commands.h"

#include <stdio.h>

int nsc_cmd_generate(const struct nsc_options *options)
{
    struct nsc_error error = {0};
    enum nsc_status status = nsc_generate(options->file, &options->generate, NULL, &error);

    if (status == NSC_OK)
        return NSC_EXIT_DONE;
    nsc_report(&error);
    return status == NSC_EIO ? NSC_EXIT_WRITE : nsc_exit_of(status);
}
