/*
 * Runs another program in our own process group and waits for it, as system(3) does.
 *
 * The terminal sends its signals to the whole group; we stop when the program stops, and a shell
 * continues both (docs/adr/0018-programs-in-our-group.md).
 */
#ifndef NSC_CLI_SUBPROCESS_H
#define NSC_CLI_SUBPROCESS_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

/*
 * Finds argv[0] in PATH, runs it and waits. *exit_status is the shell's: 128 + N for a signal.
 * NSC_EINVAL: no such program; NSC_EIO: it cannot be started. input: the text of its standard
 * input; NULL: it shares ours.
 *
 * While it runs, SIGINT, SIGQUIT, SIGTERM and SIGHUP do not end us. Those that a process sends us
 * are passed on; the terminal sends its own to the program too.
 */
NSC_NODISCARD enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[],
                                                 const struct nsc_text *input,
                                                 struct nsc_error *error);
/* Whether a program of this name is in PATH. */
bool nsc_subprocess_finds(const char *program);

#endif
