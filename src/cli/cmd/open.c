/*
 * nsyscope FILE: opens the timeline; nsyscope, and nsyscope FOLDER: the picker; sketches: the job. If standard output is not a terminal, prints the list
 * of the folder or the output of info; timeline and tui print the first screen.
 */
#include "cli/cmd/job.h"
#include "cli/commands.h"
#include "cli/config_files.h"
#include "cli/session/session.h"
#include "cli/session/startup.h"
#include "cli/skill_list.h"
#include "start/picker.h"

#include <signal.h>
#include <unistd.h>

static enum nsc_status pick(const struct nsc_session_options *session,
                            const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_picker_options picker = {.folder = options->file ? options->file : ".",
                                        .keymap = session->keymap,
                                        .out = options->picks};
    struct nsc_theme theme;
    struct nsc_term term;
    int wake[2];

    if (nsc_session_terminal(&term, &theme, wake, session, error) != NSC_OK)
        return error->status;
    picker.loop = (struct nsc_loop_options){session->ascii || !term.utf8, session->low_bandwidth};
    return nsc_picker_run(options->exit_status, &term, wake, &picker, error);
}

enum nsc_status nsc_cmd_open(const struct nsc_options *options, struct nsc_error *error)
{
    static const enum nsc_color_mode modes[] = {NSC_COLOR_AUTO, NSC_COLOR_TRUE, NSC_COLOR_256,
                                                NSC_COLOR_16, NSC_COLOR_MONO}; /* of --color */
    struct nsc_theme theme;
    struct nsc_keymap keymap;
    struct nsc_presets presets;
    struct nsc_skill_list skills;
    struct nsc_startup startup;
    struct nsc_session_options session = {
        .paths = options->operands,
        .n_paths = options->n_operands,
        .align = options->arg[NSC_OPTION_ALIGN][0],
        .job = {&options->open, options->align, options->align_range, options->named},
        .theme = &theme,
        .theme_name = options->arg[NSC_OPTION_THEME][0],
        .keymap = &keymap,
        .filter = options->arg[NSC_OPTION_FILTER][0],
        .bookmarks = options->arg[NSC_OPTION_BOOKMARKS][0],
        .no_restore = options->set[NSC_OPTION_NO_RESTORE] || options->set[NSC_OPTION_TOUR],
        .presets = &presets,
        .startup = &startup,
        .color = modes[options->word[NSC_OPTION_COLOR]],
        .tour = options->set[NSC_OPTION_TOUR],
        .compare = options->set[NSC_OPTION_COMPARE],
        .ascii = options->set[NSC_OPTION_ASCII],
        .low_bandwidth = options->set[NSC_OPTION_LOW_BANDWIDTH],
        .no_mouse = options->set[NSC_OPTION_NO_MOUSE]};
    bool is_folder = nsc_opens_folder(options);
    enum nsc_status status;

    if (is_folder && !options->picks)
        return nsc_recordings_print(options, error);
    if (options->set[NSC_OPTION_SHEET_FORMAT])
        return nsc_fail(error, NSC_EINVAL, "--format: of the list of a folder only");
    status = nsc_theme_load(&theme, options->arg[NSC_OPTION_THEME][0], error);
    if (status == NSC_OK)
        status = nsc_keymap_load(&keymap, options->arg[NSC_OPTION_KEYMAP][0], error);
    if (status == NSC_OK)
        status = nsc_filter_check(options->arg[NSC_OPTION_FILTER][0], error);
    if (status != NSC_OK)
        return status;
    if (is_folder || nsc_names_job(options))
        return is_folder ? pick(&session, options, error) : nsc_job_show(options, &session, error);
    if (!isatty(STDOUT_FILENO))
        return options->alias ? nsc_cmd_render(options, error) : nsc_cmd_info(options, error);
    nsc_presets_init(&presets, options);
    nsc_skill_list_init(&skills);
    session.skills = skills.skills;
    session.n_skills = skills.n;
    nsc_startup_init(&startup, options);
    /* main ignores the signal, but the session must restore the terminal */
    signal(SIGXFSZ, SIG_DFL);
    *options->exit_status = nsc_session_run(&session);
    nsc_startup_fini(&startup);
    nsc_presets_fini(&presets);
    nsc_skill_list_fini(&skills);
    return NSC_OK;
}
