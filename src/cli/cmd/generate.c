/*
 * nsyscope generate: makes a synthetic export.
 */
#include "nsys/generate/generate.h"

#include "cli/commands.h"

enum nsc_status nsc_cmd_generate(const struct nsc_options *options, struct nsc_error *error)
{
    return nsc_generate(options->file, &options->generate, error);
}
