/*
 * The commands that run by themselves once a trace is on the screen: settings that were saved,
 * the user's rc file, then those of the command line.
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
 * Reads nsyscope/rc in the user's config folder, a command a line; empty lines and those that begin
 * with # are none. No such file is fine; one that cannot be read is warned about on stderr. The
 * caller calls fini.
 */
void nsc_startup_init(struct nsc_startup *startup, const struct nsc_options *options);
void nsc_startup_fini(struct nsc_startup *startup);

#endif
