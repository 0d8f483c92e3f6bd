/*
 * The limits that the process sets itself: memory, and rights given up before it reads a file. It
 * gives up starting programs and using a network; subcommands also give up writing to files that
 * the user did not name (docs/adr/0017-sandbox.md).
 *
 * Without Landlock in the kernel, or if a rule cannot be made, it keeps its rights; only --version
 * reports this.
 */
#ifndef NSC_CLI_SANDBOX_H
#define NSC_CLI_SANDBOX_H

#include "cli/options.h"

#include <stdint.h>

/* The kernel's version of Landlock; 0: none, or disabled. */
int nsc_sandbox_offered(void);
/* Gives up rights and begins to watch the memory. Call it before starting the first thread. */
void nsc_limits_enter(const struct nsc_options *options);

/* ---- memory_watch.c ---- */

/*
 * Ends the program in order, with status 5, if its memory outgrows the budget of --mem. A load that
 * does not fit is refused before it begins; this bounds everything else that a subcommand builds.
 *
 * Starts a thread that checks every few ms. bytes: the budget; a quarter of it, plus 64 MiB for the
 * program itself, are added. Without a thread there is no check.
 */
void nsc_memory_watch(uint64_t bytes);

#endif
