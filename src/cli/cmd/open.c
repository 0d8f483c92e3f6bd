/*
 * nsyscope FILE: opens the timeline. If standard output is not a terminal, prints the output of
 * info; timeline and tui print the first screen.
 */
#include "cli/commands.h"
#include "cli/config_files.h"
#include "cli/session/session.h"
#include "cli/session/startup.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static enum nsc_status parse_color(enum nsc_color_mode *out, const char *word,
                                   struct nsc_error *error)
{
    static const struct {
        const char *word;
        enum nsc_color_mode mode;
    } modes[] = {{"auto", NSC_COLOR_AUTO},
                 {"true", NSC_COLOR_TRUE},
                 {"256", NSC_COLOR_256},
                 {"16", NSC_COLOR_16},
                 {"mono", NSC_COLOR_MONO}};

    *out = NSC_COLOR_AUTO;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (!word || strcmp(word, modes[i].word) != 0)
            continue;
        *out = modes[i].mode;
        return NSC_OK;
    }
    if (!word)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "--color %s: give %s", word,
                    nsc_option_rows[NSC_OPTION_COLOR].arguments);
}

enum nsc_status nsc_cmd_open(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_theme theme;
    struct nsc_keymap keymap;
    struct nsc_presets presets;
    struct nsc_startup startup;
    struct nsc_session_options session = {
        .paths = options->operands,
        .n_paths = options->n_operands,
        .align = options->arg[NSC_OPTION_ALIGN][0],
        .job = {&options->open, options->align, options->align_range},
        .theme = &theme,
        .theme_name = options->arg[NSC_OPTION_THEME][0],
        .keymap = &keymap,
        .filter = options->arg[NSC_OPTION_FILTER][0],
        .bookmarks = options->arg[NSC_OPTION_BOOKMARKS][0],
        .no_restore = options->set[NSC_OPTION_NO_RESTORE],
        .presets = &presets,
        .startup = &startup,
        .compare = options->set[NSC_OPTION_COMPARE],
        .ascii = options->set[NSC_OPTION_ASCII],
        .low_bandwidth = options->set[NSC_OPTION_LOW_BANDWIDTH],
        .no_mouse = options->set[NSC_OPTION_NO_MOUSE]};
    enum nsc_status status = parse_color(&session.color, options->arg[NSC_OPTION_COLOR][0], error);

    if (status == NSC_OK)
        status = nsc_theme_load(&theme, options->arg[NSC_OPTION_THEME][0], error);
    if (status == NSC_OK)
        status = nsc_keymap_load(&keymap, options->arg[NSC_OPTION_KEYMAP][0], error);
    if (status == NSC_OK)
        status = nsc_filter_check(options->arg[NSC_OPTION_FILTER][0], error);
    if (status != NSC_OK)
        return status;
    if (!isatty(STDOUT_FILENO))
        return options->alias ? nsc_cmd_render(options, error) : nsc_cmd_info(options, error);
    nsc_presets_init(&presets);
    nsc_startup_init(&startup, options);
    signal(SIGXFSZ,
           SIG_DFL); /* main ignores the signal, but the session must restore the terminal */
    *options->exit_status = nsc_session_run(&session);
    nsc_startup_fini(&startup);
    nsc_presets_fini(&presets);
    return NSC_OK;
}
