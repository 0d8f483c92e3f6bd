/* Prepares screens, and opens their terminal. */
#include "cli/commands.h"
#include "cli/session/session.h"
#include "cli/session/startup.h"
#include "query/query.h"
#include "tui/term.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const enum nsc_color_mode modes[] = {NSC_COLOR_AUTO, NSC_COLOR_TRUE, NSC_COLOR_256,
                                            NSC_COLOR_16, NSC_COLOR_MONO}; /* of --color */

enum nsc_status nsc_screen_setup_init(struct nsc_screen_setup *setup,
                                      const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_status status;

    *setup = (struct nsc_screen_setup){.options = options};
    status = nsc_theme_load(&setup->theme, options->arg[NSC_OPTION_THEME][0], false, error);
    if (status == NSC_OK)
        status = nsc_keymap_load(&setup->keymap, options->arg[NSC_OPTION_KEYMAP][0], error);
    return status == NSC_OK ? nsc_filter_check(options->arg[NSC_OPTION_FILTER][0], error) : status;
}

struct nsc_app_options nsc_screen_setup_app(struct nsc_screen_setup *setup)
{
    const struct nsc_options *options = setup->options;
    bool is_ascii = nsc_output_is_ascii();

    nsc_presets_init(&setup->presets, options);
    nsc_skill_list_init(&setup->skills);
    return (struct nsc_app_options){.file = options->file,
                                    .files = options->operands,
                                    .n_files = options->n_operands,
                                    .align = options->arg[NSC_OPTION_ALIGN][0],
                                    .compare = options->set[NSC_OPTION_COMPARE],
                                    .ascii = options->set[NSC_OPTION_ASCII] || is_ascii,
                                    .ascii_only = is_ascii,
                                    .no_mouse = options->set[NSC_OPTION_NO_MOUSE],
                                    .color = modes[options->word[NSC_OPTION_COLOR]],
                                    .theme = options->arg[NSC_OPTION_THEME][0],
                                    .export_colors = setup->theme.nvtx_export,
                                    .builds_apart = true,
                                    .keymap = &setup->keymap,
                                    .query_words = nsc_trace_query_words,
                                    .filter = options->arg[NSC_OPTION_FILTER][0],
                                    .presets = setup->presets.list.at,
                                    .n_presets = (uint32_t)setup->presets.list.n,
                                    .skills = setup->skills.skills,
                                    .n_skills = setup->skills.n};
}

void nsc_screen_setup_fini(struct nsc_screen_setup *setup)
{
    nsc_presets_fini(&setup->presets);
    nsc_skill_list_fini(&setup->skills);
}

static bool is_default(const char *theme)
{
    return !theme || strcmp(theme, "default") == 0;
}

enum nsc_status nsc_session_terminal(struct nsc_term *term, struct nsc_theme *theme, int wake[2],
                                     const struct nsc_screen_setup *setup, struct nsc_error *error)
{
    const struct nsc_options *options = setup->options;
    struct nsc_term_options how = {theme, modes[options->word[NSC_OPTION_COLOR]],
                                   !options->set[NSC_OPTION_NO_MOUSE], nsc_locale_set(), -1};
    enum nsc_status status;

    *theme = setup->theme;
    if (pipe(wake))
        return nsc_fail(error, NSC_ENOMEM, "cannot make a pipe: too many open files");
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
    }
    how.wake_fd = wake[1];
    status = nsc_term_open(term, &how, error);
    if (status == NSC_OK && is_default(options->arg[NSC_OPTION_THEME][0]))
        status = nsc_theme_fit(theme, term, error);
    if (status != NSC_OK)
        nsc_term_close(term);
    return status;
}

struct nsc_loop_options nsc_screen_setup_loop(const struct nsc_screen_setup *setup,
                                              const struct nsc_term *term)
{
    return (struct nsc_loop_options){setup->options->set[NSC_OPTION_ASCII] || !term->utf8,
                                     setup->options->set[NSC_OPTION_LOW_BANDWIDTH]};
}
