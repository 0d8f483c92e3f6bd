/* Forks keepers and their answers, and moves bytes between them and the server. */
#define _GNU_SOURCE /* pipe2, environ */
#include "serve/keeper.h"

#include "core/outfile.h"
#include "serve/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum {
    TROUBLE_LIMIT = 1 << 16,
    PIECE = 1 << 16,
    ANSWER_SECONDS = 600 /* most of an answer from a session */
};

/* ---- in the keeper ---- */

struct keeping {
    const struct nsc_serve_host *host;
    struct nsc_warm own;
    int request, to[NSC_N_KEEPER_FDS];
    struct nsc_buf bytes; /* of a command line: its words, each with its NUL */
    struct nsc_argv words;
    struct nsc_tool_call *call; /* answered by this process itself; NULL: a keeper's */
};

/* If the parent dies, so does this process. */
static void follow_parent(void)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static bool read_all(int fd, char *out, size_t n)
{
    while (n > 0) {
        ssize_t got = read(fd, out, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        out += got;
        n -= (size_t)got;
    }
    return true;
}

/* Waits for a command line. False: the server has gone. */
static bool read_request(struct keeping *keeping)
{
    uint32_t n = 0;

    nsc_buf_clear(&keeping->bytes);
    if (!read_all(keeping->request, (char *)&n, sizeof n) ||
        !read_all(keeping->request, nsc_buf_reserve(&keeping->bytes, n), n))
        return false;
    nsc_argv_fini(&keeping->words);
    nsc_argv_add(&keeping->words, "nsyscope");
    for (size_t at = 0; at < n; at += strlen(keeping->bytes.bytes + at) + 1)
        nsc_argv_add(&keeping->words, keeping->bytes.bytes + at);
    return true;
}

/* Takes the place of a client's own command line: its folder, environment and descriptors. */
static bool take_place(struct nsc_tool_call *call)
{
    bool is_there = fchdir(call->fds[NSC_LINE_FDS - 1]) == 0;

    for (int fd = 0; fd < NSC_LINE_FDS - 1 && is_there; fd++)
        is_there = dup2(call->fds[fd], fd) == fd;
    environ = (char **)(uintptr_t)nsc_argv_vector(&call->environment);
    return is_there;
}

static _Noreturn void answer(struct keeping *keeping, struct nsc_warms warm)
{
    follow_parent();
    (void)close(keeping->request);
    (void)dup2(keeping->to[NSC_KEEPER_ANSWER], STDOUT_FILENO);
    (void)dup2(keeping->to[NSC_KEEPER_TROUBLE], STDERR_FILENO);
    if (keeping->call && keeping->call->has_fds && !take_place(keeping->call))
        exit(NSC_SESSION_ELSEWHERE);
    exit(keeping->host->run(keeping->host->context, &warm, (int)keeping->words.words.n,
                            nsc_argv_vector(&keeping->words)));
}

/* Answers the call in this process, a copy of the session. */
static _Noreturn void answer_call(struct keeping *keeping)
{
    struct nsc_warms warm = *keeping->host->warm;

    (void)alarm(ANSWER_SECONDS);
    warm.is_by_content = keeping->call->has_fds;
    if (!keeping->call->has_fds)
        nsc_argv_add(&keeping->words, "nsyscope");
    nsc_argv_add_all(&keeping->words, &keeping->call->words);
    answer(keeping, warm);
}

/* Without memory or processes the keeper ends, and the server begins anew. */
static void answer_apart(struct keeping *keeping)
{
    int status = 0;
    pid_t child = fork();
    char byte;

    if (child == 0) {
        (void)close(keeping->to[NSC_KEEPER_STATUS]);
        answer(keeping, (struct nsc_warms){&keeping->own, 1, false});
    }
    if (child < 0)
        exit(EXIT_FAILURE);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    byte = (char)(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    (void)nsc_write_all(keeping->to[NSC_KEEPER_STATUS], &byte, 1);
}

static _Noreturn void keep(struct keeping *keeping)
{
    while (read_request(keeping)) {
        (void)nsc_warm_update(&keeping->own, keeping->host->loading, NULL);
        answer_apart(keeping);
    }
    nsc_warm_drop(&keeping->own);
    nsc_buf_fini(&keeping->bytes);
    nsc_argv_fini(&keeping->words);
    exit(EXIT_SUCCESS);
}

/* ---- in the server ---- */

bool nsc_keeper_has(const struct nsc_keeper *keeper, const struct nsc_argv *files)
{
    return keeper->pid && !keeper->is_answer &&
           nsc_argv_is(&keeper->files, (const char *const *)files->words.at, files->words.n);
}

static void close_ends(const struct nsc_keeper *keeper)
{
    (void)close(keeper->request);
    for (unsigned i = 0; i < NSC_N_KEEPER_FDS; i++)
        (void)close(keeper->from[i]);
}

/* Leaves the client's input and output to the server, and the other keepers to themselves. */
static void become_keeper(const struct nsc_keeper *self,
                          const struct nsc_keeper others[NSC_N_KEEPERS])
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    follow_parent();
    (void)setpgid(0, 0);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)dup2(nothing, fd);
    close_ends(self);
    for (unsigned i = 0; i < NSC_N_KEEPERS; i++)
        if (others[i].pid)
            close_ends(&others[i]);
}

static bool open_pipe(int *in, int *out)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *in = ends[0];
    *out = ends[1];
    return true;
}

/* The ends of the keeper go into keeping. */
static bool open_pipes(struct keeping *keeping, struct nsc_keeper *keeper)
{
    bool is_open = open_pipe(&keeping->request, &keeper->request);

    for (unsigned i = 0; i < NSC_N_KEEPER_FDS && is_open; i++)
        is_open = open_pipe(&keeper->from[i], &keeping->to[i]) &&
                  fcntl(keeper->from[i], F_SETFL, O_NONBLOCK) == 0;
    return is_open;
}

enum nsc_status nsc_keeper_start(struct nsc_keeper *keeper, const struct nsc_serve_host *host,
                                 struct nsc_tool_call *call, bool is_answer,
                                 const struct nsc_keeper others[NSC_N_KEEPERS],
                                 struct nsc_error *error)
{
    struct keeping keeping = {.host = host,
                              .call = is_answer ? call : NULL,
                              .own = {.files = call->files},
                              .request = -1,
                              .to = {-1, -1, -1},
                              .bytes = NSC_BUF_INIT(SIZE_MAX)};
    pid_t pid;

    *keeper = (struct nsc_keeper){.request = -1,
                                  .from = {-1, -1, -1},
                                  .answer = NSC_BUF_INIT(NSC_KEEPER_LIMIT),
                                  .trouble = NSC_BUF_INIT(TROUBLE_LIMIT)};
    (void)fflush(NULL);
    pid = open_pipes(&keeping, keeper) ? fork() : -1;
    if (pid == 0) {
        become_keeper(keeper, others);
        if (is_answer)
            answer_call(&keeping);
        keep(&keeping);
    }
    (void)close(keeping.request);
    for (unsigned i = 0; i < NSC_N_KEEPER_FDS; i++)
        (void)close(keeping.to[i]);
    if (pid < 0) {
        close_ends(keeper);
        *keeper = (struct nsc_keeper){0};
        return nsc_fail(error, NSC_EIO, "no process can be started: %s", strerror(errno));
    }
    (void)setpgid(pid, pid);
    keeper->pid = pid;
    keeper->is_answer = keeper->is_busy = is_answer;
    nsc_argv_add_all(&keeper->files, &call->files);
    return NSC_OK;
}

enum nsc_status nsc_keeper_begin(struct nsc_keeper *keeper, const struct nsc_argv *words,
                                 struct nsc_error *error)
{
    struct nsc_buf bytes = NSC_BUF_INIT(SIZE_MAX);
    uint32_t n;

    for (size_t i = 0; i < words->words.n; i++)
        nsc_buf_add(&bytes, words->words.at[i], strlen(words->words.at[i]) + 1);
    n = (uint32_t)bytes.n;
    keeper->is_busy = nsc_write_all(keeper->request, (const char *)&n, sizeof n) &&
                      nsc_write_all(keeper->request, bytes.bytes, n);
    nsc_buf_fini(&bytes);
    return keeper->is_busy ? NSC_OK
                           : nsc_fail(error, NSC_EIO, "the process of the exports has ended");
}

void nsc_keeper_poll(const struct nsc_keeper *keeper, struct pollfd polled[NSC_N_KEEPER_FDS])
{
    for (unsigned i = 0; i < NSC_N_KEEPER_FDS; i++)
        polled[i] = (struct pollfd){keeper->pid ? keeper->from[i] : -1, POLLIN, 0};
}

/* Reads what is there. False: the other end is closed. */
static bool drain(int fd, struct nsc_buf *out)
{
    char piece[PIECE];
    ssize_t n;

    while ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            nsc_buf_add(out, piece, (size_t)n);
    return n < 0 && errno == EAGAIN;
}

/* Takes the end of a keeper for the end of its command line. */
static void reap(struct nsc_keeper *keeper)
{
    int status = 0;

    while (waitpid(keeper->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close_ends(keeper);
    keeper->pid = 0;
    if (!keeper->is_done)
        keeper->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                         : keeper->is_answer ? WEXITSTATUS(status)
                                             : 128;
    keeper->is_done = true;
}

void nsc_keeper_read(struct nsc_keeper *keeper)
{
    struct nsc_buf status = NSC_BUF_INIT(PIECE);
    bool is_alive = drain(keeper->from[NSC_KEEPER_STATUS], &status); /* first: it ends an answer */

    if (status.n > 0) {
        keeper->is_done = true;
        keeper->status = (unsigned char)status.bytes[0];
    }
    nsc_buf_fini(&status);
    (void)drain(keeper->from[NSC_KEEPER_ANSWER], &keeper->answer);
    (void)drain(keeper->from[NSC_KEEPER_TROUBLE], &keeper->trouble);
    if (!is_alive)
        reap(keeper);
    else if (keeper->answer.overflow && !keeper->is_done)
        nsc_keeper_cancel(keeper);
}

void nsc_keeper_cancel(const struct nsc_keeper *keeper)
{
    if (keeper->pid)
        (void)kill(-keeper->pid, SIGKILL);
}

void nsc_keeper_clear(struct nsc_keeper *keeper)
{
    keeper->is_busy = keeper->is_done = false;
    nsc_buf_clear(&keeper->answer);
    nsc_buf_clear(&keeper->trouble);
}

void nsc_keeper_stop(struct nsc_keeper *keeper)
{
    nsc_keeper_cancel(keeper);
    if (keeper->pid)
        reap(keeper);
    nsc_argv_fini(&keeper->files);
    nsc_buf_fini(&keeper->answer);
    nsc_buf_fini(&keeper->trouble);
    *keeper = (struct nsc_keeper){0};
}
