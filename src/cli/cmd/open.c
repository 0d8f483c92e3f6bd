/*
 * nsyscope FILE: opens the timeline; nsyscope, and nsyscope FOLDER: the picker; sketches: the job. If standard output is not a terminal, prints the list
 * of the folder or the output of info; timeline and tui print the first screen.
 */
#include "cli/cmd/job.h"
#include "cli/commands.h"
#include "start/picker.h"

#include <signal.h>
#include <unistd.h>

static enum nsc_status pick(const struct nsc_screen_setup *setup, struct nsc_error *error)
{
    const struct nsc_options *options = setup->options;
    struct nsc_picker_options picker = {.folder = options->file ? options->file : ".",
                                        .keymap = &setup->keymap,
                                        .out = options->picks};
    struct nsc_theme theme;
    struct nsc_term term;
    int wake[2];

    if (nsc_session_terminal(&term, &theme, wake, setup, error) != NSC_OK)
        return error->status;
    picker.loop = nsc_screen_setup_loop(setup, &term);
    return nsc_picker_run(options->exit_status, &term, wake, &picker, error);
}

enum nsc_status nsc_cmd_open(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_screen_setup setup;
    bool is_folder = nsc_opens_folder(options);

    if (is_folder && !options->picks)
        return nsc_recordings_print(options, error);
    if (options->set[NSC_OPTION_SHEET_FORMAT])
        return nsc_fail(error, NSC_EINVAL, "--format: of the list of a folder only");
    if (nsc_screen_setup_init(&setup, options, error) != NSC_OK)
        return error->status;
    if (is_folder || nsc_names_job(options))
        return is_folder ? pick(&setup, error) : nsc_job_show(&setup, error);
    if (!isatty(STDOUT_FILENO))
        return options->alias ? nsc_cmd_render(options, error) : nsc_cmd_info(options, error);
    /* main ignores the signal, but the session must restore the terminal */
    signal(SIGXFSZ, SIG_DFL);
    *options->exit_status = nsc_session_run(&setup);
    nsc_screen_setup_fini(&setup);
    return NSC_OK;
}
