/*
 * Running other programs for a benchmark, and what they cost.
 */
#ifndef NSC_TEST_PROGRAMS_H
#define NSC_TEST_PROGRAMS_H

#include <time.h>

struct cost {
    double wall, cpu; /* s */
    double rss;       /* bytes */
    int status;
};

double programs_now(clockid_t clock); /* s */
/* Ends the benchmark. */
void programs_fail(const char *what);
/* argv[0] is looked for in PATH; what it prints is thrown away. */
struct cost programs_try(char *const argv[]);
/* The same; one that fails ends the benchmark. */
struct cost programs_run(char *const argv[]);

#endif
