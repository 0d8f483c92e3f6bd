/*
 * The limits that the process sets itself: memory, and rights that it gives up before it reads a file
 * (docs/adr/0017-sandbox.md). Afterwards it starts no program and opens no socket, and a subcommand
 * writes only to the folders of the outputs that the command line names, with all below them, and to
 * the folder of bookmarks if it saves any.
 */
#ifndef NSC_CLI_SANDBOX_H
#define NSC_CLI_SANDBOX_H

#include "cli/options.h"
#include "core/buf.h"

/* What of this the system can enforce. */
struct nsc_sandbox_offer {
    int landlock; /* the kernel's version; 0: none, or disabled */
    bool seccomp;
};

struct nsc_sandbox_offer nsc_sandbox_offer(void);
/* Appends a line that says what is denied with such an offer. */
void nsc_sandbox_print(struct nsc_buf *out, struct nsc_sandbox_offer offer);

/*
 * Sets the limits of a command that starts no programs; otherwise does nothing. Call it before
 * starting the first thread. A right that the system refuses to take is kept, and a line says so.
 */
void nsc_limits_enter(const struct nsc_options *options);

/* ---- sandbox_calls.c ---- */

/* Whether the system offers seccomp filters and the architecture is a known one. */
bool nsc_sandbox_calls_offered(void);
/* Denies the system calls that start a program or make a socket, for good and for children too. The
 * process must have given up new privileges. NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_sandbox_calls_deny(struct nsc_error *error);

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
