/*
 * What the process gives up before it reads a file: to start programs and to talk to a network, and
 * in subcommands to write anywhere but where they were told to (docs/adr/0017-sandbox.md).
 *
 * Where the kernel has no Landlock, and where a rule cannot be made, nothing is given up and nothing
 * is said but by --version.
 */
#ifndef NSC_CLI_SANDBOX_H
#define NSC_CLI_SANDBOX_H

#include "cli/options.h"

/* The version of Landlock that the kernel offers; 0: none, or it is not to be used. */
int nsc_sandbox_offered(void);
/* Before the first thread is started. */
void nsc_sandbox_enter(const struct nsc_options *options);

#endif
