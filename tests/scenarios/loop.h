/*
 * A training loop as PyTorch leaves it, for scenarios: steps of equal length with kernels that run
 * one after the other, launched some time before they start.
 */
#ifndef NSC_TESTS_LOOP_H
#define NSC_TESTS_LOOP_H

#include "scenarios/scenario.h"

struct loop {
    int64_t thread;     /* that launches; 0: a thread "python" of process 100 is made */
    int device, stream; /* stream 0: 7 */
    int steps;          /* 0: 20 */
    int64_t start;      /* of the first step; 0: 10 ms */
    int64_t period;     /* 0: 10 ms */
    int64_t kernel;     /* length; 0: 95 us. 1 us lies between two kernels. */
    int64_t idle;       /* at the end of each step, before the next one's first kernel */
    int64_t ahead;      /* of a launch before its kernel; 0: 30 us */
    const char *range;  /* NVTX range of a step; NULL: "train_step"; "": none */
    const char *const
        *names; /* names of kernels, used in turn, NULL at the end; NULL: those of a bf16 model */
};

/* Writes a loop. Returns the thread that launches. The GPU must exist. */
int64_t loop_run(struct scenario *s, const struct loop *loop);
/* The start of step i. */
int64_t loop_step(const struct loop *loop, int i);

/* Asks "iters". How many rows its sheet of iterations has. */
#define TIMING "iteration_timing"
int loop_iterations(struct scenario *s);
/* Whether these words are in the last answer. */
bool loop_notes(struct scenario *s, const char *words);

/* These read the answer of scenario_findings(). */
/* The number of findings above information; with a rule: of this rule. */
int loop_faults(struct scenario *s, const char *rule);
/* Fails unless the findings call the recording healthy, in one line, and contain no fault. */
void loop_is_healthy(struct scenario *s);
/* What a scenario expects of a rule; tests/checks/rules.sh counts them. Fires: one finding of the
 * rule. Quiet, the near miss: none. Abstains: none, and this many that are not assessable (0: the
 * rule then says nothing). */
void loop_fires(struct scenario *s, const char *rule);
void loop_is_quiet(struct scenario *s, const char *rule);
void loop_abstains(struct scenario *s, const char *rule, int says);
/* Fails unless the findings of two rules, or of one, stand for the same time. */
void loop_same_time(struct scenario *s, const char *rule, const char *other);
/* Fails unless the finding of this rule leads the others of its time. */
void loop_leads(struct scenario *s, const char *rule);
/* Fails unless the only finding of this rule has this severity. */
void loop_severity(struct scenario *s, const char *rule, const char *severity);

#endif
