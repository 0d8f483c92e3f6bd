/*
 * The bounds that the process sets for itself: its memory, and what it gives up before it reads a
 * file. That is to start programs and to talk to a network, and in subcommands to write anywhere
 * but where they were told to (docs/adr/0017-sandbox.md).
 *
 * Where the kernel has no Landlock, and where a rule cannot be made, nothing is given up and nothing
 * is said but by --version.
 */
#ifndef NSC_CLI_SANDBOX_H
#define NSC_CLI_SANDBOX_H

#include "cli/options.h"

#include <stdint.h>

/* The version of Landlock that the kernel offers; 0: none, or it is not to be used. */
int nsc_sandbox_offered(void);
/* Before the first thread is started. */
void nsc_sandbox_enter(const struct nsc_options *options);

/* ---- memory_watch.c ---- */

/*
 * Ends the program in order, with status 5, when its memory outgrows the budget of --mem: a load
 * refuses before it begins, and whatever else a subcommand builds is bounded by this.
 *
 * Starts a thread that looks every few ms. bytes: the budget; a quarter of it, and 64 MiB for the
 * program itself, come on top. Without a thread nothing is watched.
 */
void nsc_memory_watch(uint64_t bytes);

#endif
