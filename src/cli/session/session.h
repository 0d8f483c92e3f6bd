/*
 * The interactive session: exports in the terminal.
 */
#ifndef NSC_CLI_SESSION_H
#define NSC_CLI_SESSION_H

#include "cli/config_files.h"
#include "cli/skill_list.h"
#include "tui/loop.h"
#include "view/model/bookmark.h"

struct nsc_host;
struct nsc_term;

/* How a command line wants screens: of exports, of a job, of the picker. */
struct nsc_screen_setup {
    const struct nsc_options *options; /* borrowed */
    struct nsc_theme theme;
    struct nsc_keymap keymap;
    struct nsc_presets presets; /* of the user, like the next; empty before nsc_screen_setup_app */
    struct nsc_skill_list skills;
};

/* Reads theme and keymap, and checks the filter. */
NSC_NODISCARD enum nsc_status nsc_screen_setup_init(struct nsc_screen_setup *setup,
                                                    const struct nsc_options *options,
                                                    struct nsc_error *error);
/* Reads the user's filters and skills. The application for a terminal that nothing is known of. */
struct nsc_app_options nsc_screen_setup_app(struct nsc_screen_setup *setup);
void nsc_screen_setup_fini(struct nsc_screen_setup *setup);

/*
 * Shows the loading screen, loads on another thread, and runs until the user quits. Prints an error
 * as one line on stderr after restoring the terminal. Returns the exit status (enum nsc_exit).
 */
int nsc_session_run(struct nsc_screen_setup *setup);

/* Opens the terminal with the theme, fitted to it; wake: a pipe whose write end the signals wake. */
NSC_NODISCARD enum nsc_status nsc_session_terminal(struct nsc_term *term, struct nsc_theme *theme,
                                                   int wake[2],
                                                   const struct nsc_screen_setup *setup,
                                                   struct nsc_error *error);
/* How the loop of a screen draws on the terminal. */
struct nsc_loop_options nsc_screen_setup_loop(const struct nsc_screen_setup *setup,
                                              const struct nsc_term *term);

/* ---- written.c: files that commands of the screen write; none overwrites a file ---- */

/* Each gives the application a message with the result. */

void nsc_message_give(struct nsc_app *app, const char *text);

/* Writes bookmarks for other people, without the session. */
void nsc_bookmarks_share(struct nsc_app *app, struct nsc_text name,
                         const struct nsc_bookmarks *list, const char *identity);
/* Writes the screen in the format of the file name's ending (nsc_screen_format_of_file). */
void nsc_screenshot_write(struct nsc_app *app, const struct nsc_theme *theme, struct nsc_text name);
/* Writes the table of the Answers pane. */
void nsc_answer_write(struct nsc_app *app, struct nsc_text name);
/* Begins to write what nsc_app_export_request says; nothing is left if the exports have changed. */
void nsc_export_begin(const struct nsc_host *host);
/* Begins to write bookmarks as nsc_bookmark_session_write does; a message has the result. Takes the
 * bookmarks over, copies path and job, and borrows the rest. If the exports have changed, nothing
 * is written. */
void nsc_session_begin(const struct nsc_host *host, const char *identity,
                       struct nsc_bookmarks *bookmarks, struct nsc_text path);

#endif
