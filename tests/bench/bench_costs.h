/*
 * Figures of whole processes, for the benchmark.
 */
#ifndef NSC_TEST_BENCH_COSTS_H
#define NSC_TEST_BENCH_COSTS_H

#include "support/figures.h"

#include <stdbool.h>

enum { BENCH_ROUNDS = 3 };

/* Opening, against reading every byte and against SQLite. Returns its wall time, s. */
double bench_measure_open(struct figures *figures, char *program, char *path, bool cold);
/* Subcommands, against opening just before each. of: wall s of opening, events. */
void bench_measure_answers(struct figures *figures, char *program, char *path, const double of[2]);

#endif
