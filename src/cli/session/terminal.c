/* Opens the terminal of the session and of the picker. */
#include "cli/config_files.h"
#include "cli/session/session.h"
#include "cli/session/startup.h"
#include "tui/term.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool is_default(const char *theme)
{
    return !theme || strcmp(theme, "default") == 0;
}

enum nsc_status nsc_session_terminal(struct nsc_term *term, struct nsc_theme *theme, int wake[2],
                                     const struct nsc_session_options *options,
                                     struct nsc_error *error)
{
    struct nsc_term_options how = {theme, options->color, !options->no_mouse, nsc_locale_set(), -1};
    enum nsc_status status;

    *theme = *options->theme;
    if (pipe(wake))
        return nsc_fail(error, NSC_ENOMEM, "cannot make a pipe: too many open files");
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
    }
    how.wake_fd = wake[1];
    status = nsc_term_open(term, &how, error);
    if (status == NSC_OK && is_default(options->theme_name))
        status = nsc_theme_fit(theme, term, error);
    if (status != NSC_OK)
        nsc_term_close(term);
    return status;
}
