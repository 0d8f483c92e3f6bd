/*
 * What is opened if the command line names no recording: the picked ones, or the example of the tour.
 */
#include "cli/commands.h"
#include "cli/sandbox.h"
#include "open/subprocess.h"
#include "start/picker.h"
#include "start/tour.h"

#include <sys/stat.h>
#include <unistd.h>

/* The picked paths become the operands. */
static enum nsc_status take(struct nsc_options *options)
{
    options->n_operands = (unsigned)options->found[2].words.n;
    free(options->operands);
    options->operands = nsc_xcalloc(options->n_operands + 1, sizeof *options->operands);
    for (unsigned i = 0; i < options->n_operands; i++)
        options->operands[i] = options->found[2].words.at[i];
    options->named = options->operands;
    options->file = options->operands[0];
    options->picks = 0;
    return NSC_OK;
}

static int pick_apart(void *context)
{
    const struct nsc_options *options = context;
    struct nsc_error error = {NSC_OK, ""};

    nsc_limits_enter(options);
    _exit(nsc_cmd_open(options, &error) == NSC_OK ? *options->exit_status : nsc_complain(&error));
}

bool nsc_opens_folder(const struct nsc_options *options)
{
    struct stat info;

    return !options->file || (options->n_operands == 1 && !nsc_names_job(options) &&
                              stat(options->file, &info) == 0 && S_ISDIR(info.st_mode));
}

enum nsc_status nsc_pick(struct nsc_options *options, struct nsc_error *error)
{
    if (options->set[NSC_OPTION_TOUR] && !options->file)
        return nsc_tour_example(&options->found[2], error) == NSC_OK ? take(options)
                                                                     : error->status;
    if (options->command != NSC_COMMAND_OPEN || !nsc_opens_folder(options) ||
        !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || options->set[NSC_OPTION_SHEET_FORMAT])
        return NSC_OK;
    if (nsc_subprocess_input(&options->picks, error) != NSC_OK ||
        nsc_subprocess_fork(options->exit_status, pick_apart, options, error) != NSC_OK)
        return error->status;
    nsc_picker_read(&options->found[2], options->picks);
    return options->found[2].words.n ? take(options) : NSC_OK;
}
