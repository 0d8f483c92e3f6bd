/* Runs other programs for a benchmark and measures their cost. */
#ifndef NSC_TEST_PROGRAMS_H
#define NSC_TEST_PROGRAMS_H

#include <time.h>

struct cost {
    double wall, cpu; /* s */
    double rss;       /* bytes */
    int status;
};

double programs_now(clockid_t clock); /* s */
/* Prints the cause and ends the benchmark. */
void programs_fail(const char *what);
/* Searches argv[0] in PATH; discards the program's output. */
struct cost programs_try(char *const argv[]);
/* As programs_try, but a program that fails ends the benchmark. */
struct cost programs_run(char *const argv[]);

#endif
