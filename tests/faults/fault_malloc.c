/*
 * Preloaded into the program: when the file $NSC_FAULT_GATE exists, its allocator crashes while it
 * holds a lock; later allocations wait for ever.
 *
 * With NSC_FAULT=handler, the handler of that crash crashes again, in tcsetattr. When the file
 * $NSC_FAULT_LEAVE exists, SIGTERM arrives at the first call of tcsetattr, which restores the
 * terminal; then nothing crashes.
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

void *__libc_malloc(size_t n); /* glibc's own */

static atomic_bool has_crashed;
static atomic_bool has_left;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*set_modes)(int fd, int when, const struct termios *modes);

__attribute__((constructor)) static void start(void)
{
    *(void **)&set_modes = dlsym(RTLD_NEXT, "tcsetattr");
}

/* A plain system call: nothing here may allocate. */
static bool is_time(void)
{
    const char *gate = getenv("NSC_FAULT_GATE");

    return gate && syscall(SYS_access, gate, F_OK) == 0;
}

static void crash(void)
{
    volatile int *nowhere = NULL;

    *nowhere = 0;
}

void *malloc(size_t n)
{
    if (atomic_load(&has_crashed) || is_time()) {
        pthread_mutex_lock(&lock); /* never let go */
        atomic_store(&has_crashed, true);
        crash();
    }
    return __libc_malloc(n);
}

int tcsetattr(int fd, int when, const struct termios *modes)
{
    const char *words = getenv("NSC_FAULT");
    const char *leave = getenv("NSC_FAULT_LEAVE");

    if (atomic_load(&has_crashed) && words && strcmp(words, "handler") == 0)
        crash();
    if (leave && syscall(SYS_access, leave, F_OK) == 0 && !atomic_exchange(&has_left, true))
        raise(SIGTERM);
    return set_modes(fd, when, modes);
}
