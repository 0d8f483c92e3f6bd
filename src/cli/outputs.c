/*
 * Lists the outputs that the command line names, and checks that their folders exist.
 */
#include "cli/outputs.h"

#include "core/outfile.h"

#include <string.h>

/* Whether the option names an output of this command line. */
static bool names_output(const struct nsc_options *options, enum nsc_option option)
{
    const char *path = options->arg[option][0];

    if (!options->set[option])
        return false;
    switch (option) {
    case NSC_OPTION_STATS_OUTPUT:
        return strcmp(path, "-") != 0 && strcmp(path, ".") != 0;
    case NSC_OPTION_OUT:
        return !options->set[NSC_OPTION_DRY_RUN] && !options->set[NSC_OPTION_EXPLAIN];
    case NSC_OPTION_BOOKMARKS: /* other commands only read them */
        return options->command == NSC_COMMAND_OPEN || options->command == NSC_COMMAND_BOOKMARKS;
    case NSC_OPTION_BASELINES: /* diff and list only read it */
        return options->command == NSC_COMMAND_BASELINE && strcmp(options->file, "list") != 0;
    default:
        return true;
    }
}

unsigned nsc_outputs_list(const char *out[NSC_OUTPUTS_MOST], const struct nsc_options *options)
{
    static const enum nsc_option outputs[] = {
        NSC_OPTION_OUTPUT,     NSC_OPTION_STATS_OUTPUT, NSC_OPTION_REPORT_OUT, NSC_OPTION_OUT,
        NSC_OPTION_INSTALL_TO, NSC_OPTION_BOOKMARKS,    NSC_OPTION_BASELINES};
    unsigned n = 0;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (names_output(options, outputs[i]))
            out[n++] = options->arg[outputs[i]][0];
    if (options->command == NSC_COMMAND_GENERATE && options->file)
        out[n++] = options->file;
    return n;
}

enum nsc_status nsc_outputs_check(const struct nsc_options *options, struct nsc_error *error)
{
    const char *outputs[NSC_OUTPUTS_MOST];
    unsigned n = nsc_outputs_list(outputs, options);
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < n && status == NSC_OK; i++)
        status = nsc_outfile_check_folder(outputs[i], error);
    return status;
}
