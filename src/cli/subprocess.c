/*
 * Forks, executes, lends the terminal, forwards signals and waits.
 */
#include "cli/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
    pid_t pid;
    int failed[2]; /* a pipe for the child's errno if it cannot execute */
    int input[2];  /* the child's standard input; -1 if it shares the parent's */
    bool has_terminal;
    sigset_t before; /* the signals blocked before */
};

/* ---- PATH ---- */

static bool is_program(const char *folder, size_t n, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s%s%s", (int)n, folder, n ? "/" : "", name);

    return length > 0 && (size_t)length < sizeof path && access(path, X_OK) == 0;
}

bool nsc_subprocess_finds(const char *program)
{
    const char *path = getenv("PATH");

    if (strchr(program, '/'))
        return is_program("", 0, program);
    while (path) {
        size_t n = strcspn(path, ":");

        if (is_program(n ? path : ".", n ? n : 1, program))
            return true;
        path = path[n] ? path + n + 1 : NULL;
    }
    return false;
}

/* ---- the child's side ---- */

static void become_child(const struct child *child, char *const argv[])
{
    static const int reset[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGTTOU};
    int why = 0;

    (void)setpgid(0, 0);
    if (child->has_terminal) {
        signal(SIGTTOU, SIG_IGN); /* otherwise taking the terminal would stop this process */
        (void)tcsetpgrp(STDIN_FILENO, getpid());
    }
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &child->before, NULL);
    if (child->input[0] >= 0)
        (void)dup2(child->input[0], STDIN_FILENO);
    execvp(argv[0], argv);
    why = errno;
    (void)!write(child->failed[1], &why, sizeof why);
    _exit(127);
}

/* ---- ours ---- */

/* Writes the rest of the input without blocking. */
static void feed_input(struct child *child, struct nsc_text *left)
{
    while (left->n) {
        ssize_t n = write(child->input[1], left->bytes, left->n);

        if (n > 0) {
            left->bytes += n;
            left->n -= (uint32_t)n;
        } else if (n < 0 && errno == EAGAIN)
            return;
        else if (n == 0 || errno != EINTR)
            left->n = 0; /* the child closed its end */
    }
    close(child->input[1]);
    child->input[1] = -1;
}

/* Waits for the next signal; 0 when the input can be written. */
static int wait_signal(const struct child *child, const sigset_t *ours)
{
    static const struct timespec soon = {0, 20000000};
    struct pollfd poll_input = {child->input[1], POLLOUT, 0};

    if (child->input[1] < 0)
        return sigwaitinfo(ours, NULL);
    if (poll(&poll_input, 1, 0) > 0)
        return 0;
    return sigtimedwait(ours, NULL, &soon);
}

static int wait_child(struct child *child, struct nsc_text input, const sigset_t *ours)
{
    for (;;) {
        int status = 0;
        int got = 0;

        if (child->input[1] >= 0)
            feed_input(child, &input);
        if (waitpid(child->pid, &status, WNOHANG) == child->pid)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        got = wait_signal(child, ours);
        if (got > 0 && got != SIGCHLD)
            (void)kill(-child->pid, got);
    }
}

static enum nsc_status open_pipes(struct child *child, bool has_input, struct nsc_error *error)
{
    child->input[0] = child->input[1] = -1;
    if (pipe(child->failed) < 0)
        return nsc_fail(error, NSC_EIO, "no pipe: %s", strerror(errno));
    if (has_input && pipe(child->input) < 0) {
        int why = errno;

        close(child->failed[0]);
        close(child->failed[1]);
        return nsc_fail(error, NSC_EIO, "no pipe: %s", strerror(why));
    }
    (void)fcntl(child->failed[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(child->failed[1], F_SETFD, FD_CLOEXEC);
    if (has_input) {
        (void)fcntl(child->input[0], F_SETFD, FD_CLOEXEC);
        (void)fcntl(child->input[1], F_SETFD, FD_CLOEXEC);
        (void)fcntl(child->input[1], F_SETFL, O_NONBLOCK);
    }
    return NSC_OK;
}

static void close_pipes(struct child *child)
{
    close(child->failed[0]);
    if (child->input[1] >= 0)
        close(child->input[1]);
}

static void take_terminal_back(const struct child *child)
{
    if (!child->has_terminal)
        return;
    signal(SIGTTOU, SIG_IGN);
    (void)tcsetpgrp(STDIN_FILENO, getpgrp());
    signal(SIGTTOU, SIG_DFL);
}

/* Waits for the forked child, or reports why it never ran. */
static enum nsc_status follow(int *exit_status, struct child *child, const char *program,
                              struct nsc_text input, const sigset_t *ours, struct nsc_error *error)
{
    int why = 0;

    (void)setpgid(child->pid, child->pid); /* parent and child both call it, because either may run
                                            * first */
    close(child->failed[1]);
    if (child->input[0] >= 0)
        close(child->input[0]);
    *exit_status = wait_child(child, input, ours);
    take_terminal_back(child);
    if (read(child->failed[0], &why, sizeof why) == (ssize_t)sizeof why)
        return nsc_fail(error, why == ENOENT ? NSC_EINVAL : NSC_EIO, "%s: cannot be run: %s",
                        program, strerror(why));
    return NSC_OK;
}

enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[],
                                   const struct nsc_subprocess_options *options,
                                   struct nsc_error *error)
{
    struct nsc_text none = {"", 0};
    bool has_input = options && options->has_input;
    struct child child = {.has_terminal = !has_input && isatty(STDIN_FILENO) &&
                                          tcgetpgrp(STDIN_FILENO) == getpgrp()};
    enum nsc_status status = open_pipes(&child, has_input, error);
    sigset_t ours;

    if (status != NSC_OK)
        return status;
    (void)fflush(NULL);
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &ours, &child.before);
    signal(SIGPIPE, SIG_IGN);
    child.pid = fork();
    if (child.pid == 0)
        become_child(&child, argv);
    if (child.pid < 0) {
        status = nsc_fail(error, NSC_EIO, "%s: cannot be started: %s", argv[0], strerror(errno));
        close(child.failed[1]);
        if (child.input[0] >= 0)
            close(child.input[0]);
    } else
        status =
            follow(exit_status, &child, argv[0], has_input ? options->input : none, &ours, error);
    close_pipes(&child);
    (void)sigprocmask(SIG_SETMASK, &child.before, NULL);
    return status;
}
