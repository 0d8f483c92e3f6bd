/*
 * Runs another program, or a part of this one, in our own process group and waits for it, as
 * system(3) does.
 *
 * The terminal sends its signals to the whole group; we stop when the program stops, and a shell
 * continues both (docs/adr/0018-programs-in-our-group.md).
 */
#ifndef NSC_OPEN_SUBPROCESS_H
#define NSC_OPEN_SUBPROCESS_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/buf.h"

/*
 * Finds argv[0] in PATH, runs it and waits. *exit_status is the shell's: 128 + N for a signal.
 * NSC_EINVAL: no such program; NSC_EIO: it cannot be started. input: its standard input; borrowed.
 *
 * While it runs, SIGINT, SIGQUIT, SIGTERM and SIGHUP do not end us. Those that a process sends us
 * are passed on; the terminal sends its own to the program too.
 */
NSC_NODISCARD enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[], int input,
                                                 struct nsc_error *error);
/* What happens while a program runs. */
struct nsc_subprocess_watch {
    /* Takes a part of what the program writes to standard output and standard error. */
    void (*read)(void *context, struct nsc_text text);
    void *context;
    int keys; /* a terminal without lines: Esc sends SIGINT to the program; -1: none */
};
/* As nsc_subprocess_run, with an empty standard input. */
NSC_NODISCARD enum nsc_status nsc_subprocess_read(int *exit_status, char *const argv[],
                                                  const struct nsc_subprocess_watch *watch,
                                                  struct nsc_error *error);
/* As nsc_subprocess_run, of a copy of this process that exits with what run returns. Call it before
 * starting the first thread. */
NSC_NODISCARD enum nsc_status nsc_subprocess_fork(int *exit_status, int (*run)(void *context),
                                                  void *context, struct nsc_error *error);
/* Makes an empty file in memory, to be a standard input: unlike a pipe it need not be fed while the
 * program runs. The caller closes it. */
NSC_NODISCARD enum nsc_status nsc_subprocess_input(int *fd, struct nsc_error *error);
/* Writes the text into such a file, which is then read from its start. */
NSC_NODISCARD enum nsc_status nsc_subprocess_write(int fd, struct nsc_text text,
                                                   struct nsc_error *error);
/* Whether a program of this name is in PATH; appends where. out: NULL if that does not matter. */
bool nsc_subprocess_finds(struct nsc_buf *out, const char *program);

#endif
