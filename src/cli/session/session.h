/*
 * The interactive session: exports in the terminal.
 */
#ifndef NSC_CLI_SESSION_H
#define NSC_CLI_SESSION_H

#include "nsyscope/job.h"

#include "tui/color.h"
#include "view/app/app.h"
#include "view/kit/theme.h"
#include "view/model/bookmark.h"

struct nsc_host;
struct nsc_keymap;
struct nsc_presets;
struct nsc_skill;
struct nsc_startup;

struct nsc_session_options {
    const char *const *paths; /* borrowed, like all members */
    uint32_t n_paths;
    const char *align; /* the word of --align; NULL: none */
    struct nsc_job_options job;
    const struct nsc_theme *theme;
    const char *theme_name;          /* the name the user gave; NULL: the default */
    const struct nsc_keymap *keymap; /* NULL: the default */
    const char *filter;              /* NULL: none */
    const char *bookmarks;           /* file for the bookmarks; NULL: that of the export */
    const struct nsc_presets *presets;
    const struct nsc_skill *skills;
    uint32_t n_skills;
    const struct nsc_startup *startup;
    enum nsc_color_mode color;
    bool no_restore;    /* do not restore the view */
    bool compare;       /* compares the two exports */
    bool ascii;         /* ASCII only, or a locale that is not UTF-8 */
    bool low_bandwidth; /* draw as for a slow link */
    bool tour;          /* walk through it */
    bool no_mouse;      /* leave the mouse to the terminal */
};

/*
 * Shows the loading screen, loads on another thread, and runs until the user quits. Prints an error
 * as one line on stderr after restoring the terminal. Returns the exit status (enum nsc_exit).
 */
int nsc_session_run(const struct nsc_session_options *options);

struct nsc_term;

/* Opens the terminal with the theme, fitted to it; wake: a pipe whose write end the signals wake. */
NSC_NODISCARD enum nsc_status nsc_session_terminal(struct nsc_term *term, struct nsc_theme *theme,
                                                   int wake[2],
                                                   const struct nsc_session_options *options,
                                                   struct nsc_error *error);

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
