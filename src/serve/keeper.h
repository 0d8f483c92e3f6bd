/*
 * A keeper: a process that holds exports loaded and answers command lines about them, one at a time,
 * each in a process of its own.
 *
 * It is a copy of this process (fork), so no program is started. An answer begins with the loaded
 * trace as it is, and whatever happens to it (no memory, a crash) leaves the trace and the server alone
 * (docs/adr/0025-serving.md).
 */
#ifndef NSC_SERVE_KEEPER_H
#define NSC_SERVE_KEEPER_H

#include "serve/tool.h"
#include "serve/warm.h"

#include <poll.h>
#include <sys/types.h>

/* What the keepers run, in their processes. */
struct nsc_serve_host {
    const struct nsc_job_options *loading; /* of all exports */
    /* Runs a command line, of which words[0] is the program's name; writes to descriptors 1 and 2 and
     * returns the exit status. It may take what is warm. */
    int (*run)(const void *context, struct nsc_warms *warm, int n, char *const words[]);
    const void *context; /* borrowed */
    const char *version;
    const struct nsc_warms *warm; /* of a session: loaded already; NULL: none */
    int idle;                     /* ms after which a silent client is left; 0: never */
};

#define NSC_KEEPER_LIMIT ((size_t)64 << 20) /* bytes of an answer */
#define NSC_N_KEEPERS    4                  /* of a server */

enum nsc_keeper_fd { NSC_KEEPER_ANSWER, NSC_KEEPER_TROUBLE, NSC_KEEPER_STATUS, NSC_N_KEEPER_FDS };

/* All zero: no process. */
struct nsc_keeper {
    pid_t pid; /* of its process group too */
    struct nsc_argv files;
    int request; /* while it is open the keeper stays */
    int from[NSC_N_KEEPER_FDS];
    bool is_answer;                 /* it is the answer of one call itself, from what is warm */
    bool is_busy;                   /* a command line has begun */
    bool is_done;                   /* the status is known, and the answer is whole */
    int status;                     /* exit status, 128 + N for a signal */
    uint64_t used;                  /* when it was asked last, for the caller */
    struct nsc_buf answer, trouble; /* what the command line wrote */
};

/* Whether it is the keeper of just these files. */
bool nsc_keeper_has(const struct nsc_keeper *keeper, const struct nsc_argv *files);
/* Starts a keeper for the files of the call, that loads them with the first command line; is_answer: the
 * call's answer instead. others: the keepers of the server, whose descriptors it does not keep.
 * NSC_EIO. */
NSC_NODISCARD enum nsc_status nsc_keeper_start(struct nsc_keeper *keeper,
                                               const struct nsc_serve_host *host,
                                               struct nsc_tool_call *call, bool is_answer,
                                               const struct nsc_keeper others[NSC_N_KEEPERS],
                                               struct nsc_error *error);
/* Gives an idle keeper a command line, without the program's name. NSC_EIO: it has ended. */
NSC_NODISCARD enum nsc_status
nsc_keeper_begin(struct nsc_keeper *keeper, const struct nsc_argv *words, struct nsc_error *error);
/* Fills in what it waits for. */
void nsc_keeper_poll(const struct nsc_keeper *keeper, struct pollfd polled[NSC_N_KEEPER_FDS]);
/* Reads what has come; is_done is then set at the end of an answer, also of a keeper that has ended
 * (pid is then 0). */
void nsc_keeper_read(struct nsc_keeper *keeper);
/* Kills the keeper with the command line that runs; read tells the end. */
void nsc_keeper_cancel(const struct nsc_keeper *keeper);
/* Makes the keeper idle after is_done. */
void nsc_keeper_clear(struct nsc_keeper *keeper);
/* Ends the keeper and frees what it holds. */
void nsc_keeper_stop(struct nsc_keeper *keeper);

#endif
