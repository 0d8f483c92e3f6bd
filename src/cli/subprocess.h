/*
 * Runs another program and waits for it: its own process group, our terminal lent to it, signals
 * passed on.
 */
#ifndef NSC_CLI_RUN_H
#define NSC_CLI_RUN_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

struct nsc_subprocess_options {
    struct nsc_text input; /* what it reads on its standard input; has_input */
    bool has_input;        /* else it has ours */
};

/*
 * Finds argv[0] in PATH and runs it to its end. *exit_status: as a shell says it, 128 + N for a
 * signal. NSC_EINVAL when there is no such program, NSC_EIO when it cannot be started. SIGINT,
 * SIGTERM and SIGHUP sent to us go to its group, and we go on waiting. options may be NULL.
 */
NSC_NODISCARD enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[],
                                                 const struct nsc_subprocess_options *options,
                                                 struct nsc_error *error);
/* Whether a program of this name would be found. */
bool nsc_subprocess_finds(const char *program);

#endif
