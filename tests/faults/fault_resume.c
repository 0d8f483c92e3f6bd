/*
 * Preloaded into the program: after it stopped itself, SIGTERM arrives at the $NSC_FAULT_AT'th place
 * where it touches the terminal: before or after a call of tcsetattr, or a write. A second signal
 * arrives at the next place if $NSC_FAULT_TWICE is set.
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static bool has_stopped; /* only the main thread touches the terminal */
static long places;
static int (*set_modes)(int fd, int when, const struct termios *modes);

__attribute__((constructor)) static void start(void)
{
    *(void **)&set_modes = dlsym(RTLD_NEXT, "tcsetattr");
}

static void pass(void)
{
    const char *at = getenv("NSC_FAULT_AT");
    long n = has_stopped && at ? ++places - strtol(at, NULL, 10) : -1;

    if (n == 0 || (n == 1 && getenv("NSC_FAULT_TWICE")))
        pthread_kill(pthread_self(), SIGTERM);
}

int raise(int number)
{
    int failed = pthread_kill(pthread_self(), number);

    has_stopped |= number == SIGTSTP;
    return failed;
}

int tcsetattr(int fd, int when, const struct termios *modes)
{
    int failed;

    pass();
    failed = set_modes(fd, when, modes);
    pass();
    return failed;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    bool is_terminal = has_stopped && isatty(fd);
    ssize_t written;

    if (is_terminal)
        pass();
    written = syscall(SYS_write, fd, bytes, n);
    if (is_terminal)
        pass();
    return written;
}
