/*
 * The commands that run once the trace is on the screen: saved settings, the user's rc file, then
 * those of the command line.
 */
#ifndef NSC_CLI_STARTUP_H
#define NSC_CLI_STARTUP_H

#include "cli/options.h"
#include "core/arena.h"
#include "core/vec.h"

struct nsc_startup {
    struct nsc_arena arena;
    NSC_VEC(const char *) commands;
};

/*
 * Reads nsyscope/rc in the user's config folder, one command a line; skips empty lines and lines
 * that begin with #. The file may be absent; warns on stderr when it cannot be read. The caller
 * calls fini.
 */
void nsc_startup_init(struct nsc_startup *startup, const struct nsc_options *options);
void nsc_startup_fini(struct nsc_startup *startup);

/* Sets the user's character type; C.UTF-8 where the user's locale is not installed and names UTF-8.
 */
void nsc_session_locale_set(void);

#endif
