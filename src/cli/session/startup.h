/*
 * The start commands, run when the trace is on the screen: saved settings, the user's rc file, then
 * the command line.
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
 * Reads nsyscope/rc in the user's config folder, one command per line; skips empty lines and lines
 * that begin with #. The file may be absent; warns on stderr if it cannot be read. The caller calls
 * fini.
 */
void nsc_startup_init(struct nsc_startup *startup, const struct nsc_options *options);
void nsc_startup_fini(struct nsc_startup *startup);

/* Sets the user's character type if that is UTF-8; uses C.UTF-8, or else none, if the user's locale
 * names UTF-8 but is not installed. Whether the user's terminal takes UTF-8. */
bool nsc_locale_set(void);

#endif
