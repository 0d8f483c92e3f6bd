/* Runs programs, discards their output and measures their cost. */
#include "support/programs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

double programs_now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void programs_fail(const char *what)
{
    fflush(stdout);
    (void)fprintf(stderr, "bench: %s: failed\n", what);
    exit(1);
}

struct cost programs_try(char *const argv[])
{
    struct cost cost = {0};
    struct rusage usage;
    double start = 0;
    pid_t pid = 0;

    fflush(stdout);
    start = programs_now(CLOCK_MONOTONIC);
    pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &cost.status, 0, &usage) != pid)
        programs_fail(argv[0]);
    cost.wall = programs_now(CLOCK_MONOTONIC) - start;
    cost.cpu = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
               (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
    cost.rss = (double)usage.ru_maxrss * 1024;
    return cost;
}

struct cost programs_run(char *const argv[])
{
    struct cost cost = programs_try(argv);

    if (cost.status != 0)
        programs_fail(argv[0]);
    return cost;
}
