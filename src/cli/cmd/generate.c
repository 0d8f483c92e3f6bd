/*
 * nsyscope generate: makes a synthetic export, or a long export by repeating a short one.
 */
#include "nsys/generate/generate.h"

#include "cli/commands.h"

int nsc_cmd_generate(const struct nsc_options *options)
{
    struct nsc_tile_options tile = {options->tile, options->times, options->generate.force,
                                    options->generate.shuffle};
    struct nsc_error error = {0};
    enum nsc_status status = tile.from
                                 ? nsc_tile(options->file, &tile, &error)
                                 : nsc_generate(options->file, &options->generate, NULL, &error);

    if (status == NSC_OK)
        return NSC_EXIT_DONE;
    nsc_complain(&error);
    return status == NSC_EIO ? NSC_EXIT_WRITE : nsc_exit_of(status);
}
