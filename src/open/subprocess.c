/*
 * Spawns a program, passes signals on to it and waits for it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "open/subprocess.h"

#include "core/outfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- PATH ---- */

static bool is_program(struct nsc_buf *out, const char *folder, size_t n, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s%s%s", (int)n, folder, n ? "/" : "", name);
    bool is = length > 0 && (size_t)length < sizeof path && access(path, X_OK) == 0;

    if (is && out)
        nsc_buf_puts(out, path);
    return is;
}

bool nsc_subprocess_finds(struct nsc_buf *out, const char *program)
{
    const char *path = getenv("PATH");

    if (strchr(program, '/'))
        return is_program(out, "", 0, program);
    while (path) {
        size_t n = strcspn(path, ":");

        if (is_program(out, n ? path : ".", n ? n : 1, program))
            return true;
        path = path[n] ? path + n + 1 : NULL;
    }
    return false;
}

/* ---- the program ---- */

/* Starts the program with the signals as they were before. output: of its standard output and error;
 * -1: ours. Returns 0 or an errno. */
static int start(pid_t *child, char *const argv[], int input, int output, const sigset_t *before)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t reset;
    int why = 0;

    sigemptyset(&reset);
    sigaddset(&reset, SIGCHLD);
    sigaddset(&reset, SIGPIPE);
    sigaddset(&reset, SIGXFSZ);
    (void)fflush(NULL);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    if (output >= 0) {
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    }
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&how, before);
    posix_spawnattr_setsigdefault(&how, &reset);
    why = posix_spawnp(child, argv[0], &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return why;
}

/* ---- waiting ---- */

/* While a program runs: the signals that wait_child takes, and the state before. */
struct hold {
    sigset_t ours, before;
    struct sigaction child;
    int fd; /* the signals arrive here */
};

/* An ignored SIGCHLD, which a parent may leave us, would neither arrive nor leave a status. Returns 0 or
 * an errno. */
static int hold_signals(struct hold *hold)
{
    static const int numbers[] = {SIGCHLD, SIGINT,  SIGQUIT, SIGTERM,
                                  SIGHUP,  SIGTSTP, SIGTTIN, SIGTTOU};
    struct sigaction usual;

    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    sigemptyset(&hold->ours);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&hold->ours, numbers[i]);
    (void)sigaction(SIGCHLD, &usual, &hold->child);
    (void)sigprocmask(SIG_BLOCK, &hold->ours, &hold->before);
    hold->fd = signalfd(-1, &hold->ours, SFD_CLOEXEC | SFD_NONBLOCK);
    return hold->fd < 0 ? errno : 0;
}

static void restore_signals(const struct hold *hold)
{
    if (hold->fd >= 0)
        (void)close(hold->fd);
    (void)sigprocmask(SIG_SETMASK, &hold->before, NULL);
    (void)sigaction(SIGCHLD, &hold->child, NULL);
}

/* Drops what arrived for the program, so that it does not end us now. */
static void release_signals(const struct hold *hold)
{
    static const struct timespec now = {0, 0};

    while (sigtimedwait(&hold->ours, NULL, &now) > 0)
        ;
    restore_signals(hold);
}

/* Stops us after the program has stopped, so that the shell takes the terminal when the program has
 * left it. The shell continues our whole group. */
static void stop_too(void)
{
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    (void)raise(SIGTSTP);
    (void)sigprocmask(SIG_UNBLOCK, &stop, NULL);
    (void)sigprocmask(SIG_BLOCK, &stop, NULL);
}

/* What happens while a program runs. */
enum { SIGNALS, OUTPUT, KEYS, N_EVENTS };

/* Gives away what the program has written. The pipe does not block. */
static void read_output(struct pollfd *output, const struct nsc_subprocess_watch *watch)
{
    char bytes[4096];
    ssize_t n = 0;

    while (output->fd >= 0 && (n = read(output->fd, bytes, sizeof bytes)) > 0)
        watch->read(watch->context, (struct nsc_text){bytes, (uint32_t)n});
    if (output->fd >= 0 && n == 0)
        output->fd = -1; /* poll then leaves it out */
}

/* A key alone: the escape sequence of another key comes as one piece. */
static bool is_escape(struct pollfd *keys)
{
    char bytes[64];
    ssize_t n = read(keys->fd, bytes, sizeof bytes);

    if (n <= 0)
        keys->fd = -1;
    return n == 1 && bytes[0] == '\033';
}

/* Waits for an event. Passes on what a process sent us, not what the terminal sent to the program as
 * well. */
static void wait_event(pid_t child, struct pollfd events[N_EVENTS],
                       const struct nsc_subprocess_watch *watch)
{
    struct signalfd_siginfo info;

    if (poll(events, N_EVENTS, -1) < 0)
        return;
    if (watch && events[OUTPUT].revents)
        read_output(&events[OUTPUT], watch);
    if (events[KEYS].revents && is_escape(&events[KEYS]))
        (void)kill(child, SIGINT);
    if (events[SIGNALS].revents &&
        read(events[SIGNALS].fd, &info, sizeof info) == (ssize_t)sizeof info &&
        info.ssi_signo != SIGCHLD && info.ssi_code <= 0)
        (void)kill(child, (int)info.ssi_signo);
}

/* output: the end of the pipe that the program writes to; watch: NULL without one. */
static int wait_child(pid_t child, const struct hold *hold, int output,
                      const struct nsc_subprocess_watch *watch)
{
    struct pollfd events[N_EVENTS] = {
        {hold->fd, POLLIN, 0}, {output, POLLIN, 0}, {watch ? watch->keys : -1, POLLIN, 0}};
    int status = 0;

    for (;;) {
        pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);

        assert(changed >= 0);
        if (changed != 0 && !WIFSTOPPED(status)) {
            if (watch)
                read_output(&events[OUTPUT], watch);
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        }
        if (changed != 0)
            stop_too();
        else
            wait_event(child, events, watch);
    }
}

/* pipe: its two ends; NULL: the program writes where we do. */
static enum nsc_status run_program(int *exit_status, char *const argv[], int input,
                                   const int pipe[2], const struct nsc_subprocess_watch *watch,
                                   struct nsc_error *error)
{
    struct hold hold;
    pid_t child = 0;
    int why = hold_signals(&hold);

    if (why == 0)
        why = start(&child, argv, input, pipe ? pipe[1] : -1, &hold.before);
    if (pipe)
        (void)close(pipe[1]);
    if (why == 0)
        *exit_status = wait_child(child, &hold, pipe ? pipe[0] : -1, watch);
    if (pipe)
        (void)close(pipe[0]);
    release_signals(&hold);
    if (why != 0)
        return nsc_fail(error, why == ENOENT ? NSC_EINVAL : NSC_EIO, "%s: cannot be run: %s",
                        argv[0], strerror(why));
    return NSC_OK;
}

enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[], int input,
                                   struct nsc_error *error)
{
    return run_program(exit_status, argv, input, NULL, NULL, error);
}

enum nsc_status nsc_subprocess_read(int *exit_status, char *const argv[],
                                    const struct nsc_subprocess_watch *watch,
                                    struct nsc_error *error)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int ends[2];
    enum nsc_status status;

    if (input < 0 || pipe2(ends, O_CLOEXEC) != 0)
        status = nsc_fail(error, NSC_EIO, "%s: cannot be run: %s", argv[0], strerror(errno));
    else {
        (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
        status = run_program(exit_status, argv, input, ends, watch, error);
    }
    if (input >= 0)
        (void)close(input);
    return status;
}

enum nsc_status nsc_subprocess_fork(int *exit_status, int (*run)(void *context), void *context,
                                    struct nsc_error *error)
{
    struct hold hold;
    enum nsc_status status = NSC_OK;
    pid_t child;

    (void)fflush(NULL);
    if (hold_signals(&hold) != 0) {
        restore_signals(&hold);
        return nsc_fail(error, NSC_EIO, "no process can be started: %s", strerror(errno));
    }
    child = fork();
    if (child == 0) {
        restore_signals(&hold);
        exit(run(context));
    }
    if (child < 0)
        status = nsc_fail(error, NSC_EIO, "no process can be started: %s", strerror(errno));
    else
        *exit_status = wait_child(child, &hold, -1, NULL);
    release_signals(&hold);
    return status;
}

/* ---- its input ---- */

enum nsc_status nsc_subprocess_input(int *fd, struct nsc_error *error)
{
    *fd = memfd_create("nsyscope-input", MFD_CLOEXEC);
    return *fd < 0 ? nsc_fail(error, NSC_EIO, "no file in memory can be made: %s", strerror(errno))
                   : NSC_OK;
}

enum nsc_status nsc_subprocess_write(int fd, struct nsc_text text, struct nsc_error *error)
{
    if (!nsc_write_all(fd, text.bytes, text.n))
        return nsc_fail(error, NSC_EIO, "a file in memory cannot be written: %s", strerror(errno));
    (void)lseek(fd, 0, SEEK_SET);
    return NSC_OK;
}
