/*
 * Runs another program and waits for it: in its own process group, with the terminal lent to it,
 * and signals forwarded.
 */
#ifndef NSC_CLI_SUBPROCESS_H
#define NSC_CLI_SUBPROCESS_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

struct nsc_subprocess_options {
    struct nsc_text input; /* its standard input if has_input */
    bool has_input;        /* false: shares the parent's input */
};

/*
 * Finds argv[0] in PATH, runs it and waits. *exit_status is the shell's: 128 + N for a signal.
 * NSC_EINVAL: no such program; NSC_EIO: it cannot be started. Forwards SIGINT, SIGTERM and SIGHUP
 * to its group and continues to wait. options may be NULL.
 */
NSC_NODISCARD enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[],
                                                 const struct nsc_subprocess_options *options,
                                                 struct nsc_error *error);
/* Whether a program of this name is in PATH. */
bool nsc_subprocess_finds(const char *program);

#endif
