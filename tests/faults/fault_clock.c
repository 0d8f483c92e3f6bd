/*
 * Preloaded into the program: when the file $NSC_FAULT_GATE exists, clocks are $NSC_FAULT_SECONDS
 * ahead; if that is negative, only clocks that may go back do.
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead(clockid_t clock)
{
    const char *gate = getenv("NSC_FAULT_GATE");
    const char *seconds = getenv("NSC_FAULT_SECONDS");
    time_t n = 0;

    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        return 0;
    if (gate && seconds && syscall(SYS_access, gate, F_OK) == 0)
        n = (time_t)strtol(seconds, NULL, 10);
    return n < 0 && clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE ? 0 : n;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, out);

    if (!failed)
        out->tv_sec += ahead(clock);
    return failed;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now = {0, 0};

    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
