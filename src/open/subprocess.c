/*
 * Spawns a program, passes signals on to it and waits for it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "open/subprocess.h"

#include "core/outfile.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* ---- the program ---- */

/* Starts the program with the signals as they were before. Returns 0 or an errno. */
static int start(pid_t *child, char *const argv[], int input, const sigset_t *before)
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
};

/* An ignored SIGCHLD, which a parent may leave us, would neither arrive nor leave a status. */
static void hold_signals(struct hold *hold)
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
}

static void restore_signals(const struct hold *hold)
{
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

/* Passes on what a process sent us, not what the terminal sent to the program as well. */
static int wait_child(pid_t child, const struct hold *hold)
{
    siginfo_t info;
    int status = 0;

    for (;;) {
        pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);

        assert(changed >= 0);
        if (changed != 0 && !WIFSTOPPED(status))
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (changed != 0)
            stop_too();
        else if (sigwaitinfo(&hold->ours, &info) > 0 && info.si_signo != SIGCHLD &&
                 info.si_code <= 0)
            (void)kill(child, info.si_signo);
    }
}

enum nsc_status nsc_subprocess_run(int *exit_status, char *const argv[], int input,
                                   struct nsc_error *error)
{
    struct hold hold;
    pid_t child = 0;
    int why = 0;

    hold_signals(&hold);
    why = start(&child, argv, input, &hold.before);
    if (why == 0)
        *exit_status = wait_child(child, &hold);
    release_signals(&hold);
    if (why != 0)
        return nsc_fail(error, why == ENOENT ? NSC_EINVAL : NSC_EIO, "%s: cannot be run: %s",
                        argv[0], strerror(why));
    return NSC_OK;
}

enum nsc_status nsc_subprocess_fork(int *exit_status, int (*run)(void *context), void *context,
                                    struct nsc_error *error)
{
    struct hold hold;
    enum nsc_status status = NSC_OK;
    pid_t child;

    (void)fflush(NULL);
    hold_signals(&hold);
    child = fork();
    if (child == 0) {
        restore_signals(&hold);
        exit(run(context));
    }
    if (child < 0)
        status = nsc_fail(error, NSC_EIO, "no process can be started: %s", strerror(errno));
    else
        *exit_status = wait_child(child, &hold);
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
