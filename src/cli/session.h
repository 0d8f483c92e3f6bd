/*
 * The interactive session: exports in the terminal, from the first screen to the last.
 */
#ifndef NSC_CLI_SESSION_H
#define NSC_CLI_SESSION_H

#include "nsyscope/job.h"

#include "tui/color.h"
#include "view/kit/theme.h"

struct nsc_keymap;
struct nsc_presets;
struct nsc_startup;

struct nsc_session_options {
    const char *const *paths; /* borrowed, as all here */
    uint32_t n_paths;
    const char *align; /* what --align was given; NULL: nothing */
    struct nsc_job_options job;
    const struct nsc_theme *theme;
    const char *theme_name;          /* as it was asked for; NULL: the default */
    const struct nsc_keymap *keymap; /* NULL: the default */
    const char *filter;              /* NULL: none */
    const char *bookmarks;           /* the file to keep them in; NULL: that of the export */
    const struct nsc_presets *presets;
    const struct nsc_startup *startup;
    enum nsc_color_mode color;
    bool no_restore;    /* the view is not as it was left */
    bool ascii;         /* also when the locale is not UTF-8 */
    bool low_bandwidth; /* frames as for a slow link */
    bool no_mouse;      /* the mouse stays the terminal's */
};

/*
 * Shows the loading screen, loads in another thread, and runs until the user quits. Says what went
 * wrong in one line on stderr, after the terminal has been given back. Returns the exit status
 * (enum nsc_exit).
 */
int nsc_session_run(const struct nsc_session_options *options);

#endif
