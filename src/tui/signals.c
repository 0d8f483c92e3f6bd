/*
 * Signal handlers, and the program's only mutable global state.
 */
#include "tui/signals.h"

#include "core/temporary.h"
#include "core/threads.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { CRASH_STACK = 64 * 1024, N_CRASHES = 5, GRACE_MS = 150, TRIES = 50 };

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,   SIGXCPU,
                             SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF};
static const int crashing[N_CRASHES] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
static const int changing[] = {SIGWINCH, SIGTSTP, SIGCONT};

/*
 * A handler takes no argument, so its data must be global: the flags it sets and the prepared bytes
 * that restore the terminal. Only the flags change while handlers are installed.
 */
/* NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables) */
static struct {
    volatile sig_atomic_t armed, restored, resize, stop, resume, ended;
    int fd, flags, wake_fd;
    struct termios saved;
    char leave[NSC_SIGNALS_LEAVE];
    size_t n_leave;
    struct sigaction before[N_CRASHES];
    atomic_flag crashed;
    pthread_t crasher; /* the first thread that did */
    char stack[CRASH_STACK];
} guard;
/* NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables) */

/*
 * Drops queued output first, to make room for the few bytes that restore the screen. Waits at most
 * 50 ms, because the link may be stalled: another thread may hold the terminal until its write ends.
 *
 * Leaves armed set: the signal may have come just before the main thread changes the modes or
 * writes, so that thread restores again as it leaves, and so does a second signal.
 */
void nsc_signals_restore(void)
{
    size_t at = 0;

    if (!guard.armed)
        return;
    guard.restored = 1;
    fcntl(guard.fd, F_SETFL, guard.flags | O_NONBLOCK);
    (void)tcflow(guard.fd, TCOON);
    for (int tries = 0; at < guard.n_leave && tries < TRIES; tries++) {
        ssize_t n;

        if (at == 0)
            tcflush(guard.fd, TCOFLUSH);
        n = write(guard.fd, guard.leave + at, guard.n_leave - at);
        if (n <= 0)
            (void)poll(NULL, 0, 1);
        at = n > 0 ? at + (size_t)n : 0;
    }
    tcsetattr(guard.fd, TCSANOW, &guard.saved);
    fcntl(guard.fd, F_SETFL, guard.flags);
}

static _Noreturn void end_now(void)
{
    nsc_signals_restore();
    nsc_temporary_remove_all();
    _exit(128 + guard.ended);
}

/* Leaves the main thread GRACE_MS to save the view. A second signal or the timer ends the process,
 * whatever it still waits for. */
static void end_soon(int number)
{
    static const struct itimerval grace = {{0, 0}, {0, GRACE_MS * 1000}};

    if (guard.ended)
        end_now();
    guard.ended = number;
    nsc_signals_restore();
    if (setitimer(ITIMER_REAL, &grace, NULL))
        end_now();
}

/* Gives the terminal back at once, and tells the loop. */
static void end(int number)
{
    end_soon(number);
    nsc_wake(guard.wake_fd);
}

static void say_crash(int number)
{
    char line[] = "nsyscope: ended by signal 00; the terminal was restored, please report this\n";
    char *digits = strchr(line, '0');
    ssize_t n = 0;

    digits[0] = (char)('0' + number / 10 % 10);
    digits[1] = (char)('0' + number % 10);
    n = write(STDERR_FILENO, line, sizeof line - 1);
    (void)n;
}

/* Restores the terminal, then the earlier handler (the default, or a sanitizer's report), and raises
 * the signal again. A thread that crashes meanwhile would drop the bytes that restore the screen, or
 * end the program before they are written: it waits for the end. */
static void crash(int number)
{
    if (!atomic_flag_test_and_set(&guard.crashed)) {
        guard.crasher = pthread_self();
        nsc_signals_restore();
        nsc_temporary_remove_all();
        say_crash(number);
    }
    while (!pthread_equal(guard.crasher, pthread_self()))
        pause();
    for (int i = 0; i < N_CRASHES; i++)
        if (crashing[i] == number)
            sigaction(number, &guard.before[i], NULL);
    raise(number);
}

static void remember(int number)
{
    if (number == SIGWINCH)
        guard.resize = 1;
    else if (number == SIGTSTP)
        guard.stop = 1;
    else
        guard.resume = 1;
    nsc_wake(guard.wake_fd);
}

static void set_handler(int number, void (*handler)(int), int flags, struct sigaction *before)
{
    struct sigaction action;
    struct sigaction old;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    sigaction(number, NULL, &old);
    if (before)
        *before = old;
    /* keeps ignoring a signal that our parent ignored (nohup) */
    if (before || old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void nsc_signals_install(const struct nsc_restore *restore)
{
    stack_t stack;
    size_t n = strlen(restore->leave);

    guard.ended = 0;
    guard.fd = restore->fd;
    guard.flags = restore->flags;
    guard.saved = restore->saved;
    guard.wake_fd = restore->wake_fd;
    guard.n_leave = n < sizeof guard.leave ? n : 0;
    memcpy(guard.leave, restore->leave, guard.n_leave);
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = guard.stack;
    stack.ss_size = sizeof guard.stack;
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        set_handler(ending[i], end, 0, NULL);
    for (size_t i = 0; i < N_CRASHES; i++)
        set_handler(crashing[i], crash, SA_ONSTACK, &guard.before[i]);
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        set_handler(changing[i], remember, SA_RESTART, NULL);
}

void nsc_signals_remove(void)
{
    stack_t stack;

    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        set_handler(ending[i], end_soon, 0, NULL);
    for (size_t i = 0; i < N_CRASHES; i++)
        sigaction(crashing[i], &guard.before[i], NULL);
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        set_handler(changing[i], SIG_DFL, 0, NULL);
    memset(&stack, 0, sizeof stack);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
}

void nsc_signals_enter(void)
{
    guard.restored = 0;
    guard.armed = 1;
}

/* Blocks all signals, also SIGTTOU: a shell may have the terminal. */
void nsc_signals_leave(void)
{
    sigset_t before;

    nsc_temporary_begin(&before);
    nsc_signals_restore();
    guard.armed = 0;
    nsc_temporary_end(&before);
}

bool nsc_signals_can_write(void)
{
    return guard.armed && !guard.restored;
}

int nsc_signals_ended(void)
{
    return guard.ended;
}

unsigned nsc_signals_take(void)
{
    unsigned set = (guard.resize ? NSC_SIGNAL_RESIZE : 0u) | (guard.stop ? NSC_SIGNAL_STOP : 0u) |
                   (guard.resume ? NSC_SIGNAL_CONTINUE : 0u);

    /* A second signal between the check and here is merged with the first. */
    if (set & NSC_SIGNAL_RESIZE)
        guard.resize = 0;
    if (set & NSC_SIGNAL_STOP)
        guard.stop = 0;
    if (set & NSC_SIGNAL_CONTINUE)
        guard.resume = 0;
    return set;
}

void nsc_signals_suspend(void)
{
    set_handler(SIGTSTP, SIG_DFL, 0, NULL);
    raise(SIGTSTP);
    set_handler(SIGTSTP, remember, SA_RESTART, NULL);
    guard.resume = 0; /* the caller of suspend knows */
}
