/*
 * Iterations: the repetitions of which a training or inference job consists.
 *
 * An iteration lasts from its start to the next start; the last one lasts until its last work ends.
 * Time between its ranges and the next start (data loading) belongs to it. Time of another range
 * that does not recur with every iteration (evaluation, checkpoint) is an interlude: it is listed
 * as that range and counts neither to the period nor to slowness.
 *
 * They are found in this order:
 *   range     the outermost NVTX range that recurs and launches most of the GPU work
 *   group     several such ranges in turn: forward, backward, optimizer
 *   launches  without such ranges: the period of the sequence of launches
 * Each process of a job has a line of its own; the lines have the same iterations. The thresholds
 * are in iteration_rules.h.
 *
 * Where the host runs ahead, so that the GPU works on an iteration after the host has left it, the
 * window of an iteration is that on the GPU: from the start of the first kernel launched in it to
 * that of the next iteration.
 *
 * All times are ns on the trace's clock, windows half-open. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_ITERATIONS_H
#define NSC_ANALYSIS_ITERATIONS_H

#include "nsyscope/trace.h"

#include "analysis/base/scope.h"
#include "analysis/ranges/iteration_rules.h"

#define NSC_ITERATIONS_LABEL 96

enum nsc_iterations_by {
    NSC_ITERATIONS_BY_NOTHING,
    NSC_ITERATIONS_BY_RANGE,
    NSC_ITERATIONS_BY_GROUP,
    NSC_ITERATIONS_BY_LAUNCHES
};

struct nsc_iteration {
    struct nsc_window window; /* where it is shown and measured: gpu if on_gpu, else host */
    struct nsc_window host;   /* from its first range or launch to the next one's */
    struct nsc_window gpu;    /* of the work launched in it; t0 == t1: none */
    nsc_time period;          /* the window without the interludes in it */
    nsc_time in_ranges;       /* on the host inside its ranges; 0 without ranges */
    nsc_time work;            /* GPU time of the work launched in it, added */
    uint32_t ops;             /* kernels, graphs, copies and memsets launched in it */
    nsc_event event;          /* its range, the first of its group, or its first launch call */
    uint8_t kind;             /* from 0, the most frequent first */
    bool warm_up, slow;
};

/* A range between two iterations that is none of them. */
struct nsc_interlude {
    struct nsc_window window; /* of its ranges, on the host */
    struct nsc_window taken;  /* what it takes of the iteration's window; t0 >= t1: nothing */
    nsc_event event;          /* the first of its ranges */
    uint32_t n;               /* ranges of this name one after the other */
    uint32_t after;           /* the iteration before it */
};

/* The iterations of one process (or of one thread that drives a GPU). */
struct nsc_iteration_line {
    uint32_t track; /* the NVTX track of its ranges, or the thread that launches */
    uint32_t first; /* the number of its first iteration */
    uint32_t n;
    struct nsc_iteration *at;
};

struct nsc_iteration_kind {
    uint32_t n;             /* iterations of it, without warm-up */
    nsc_time median, above; /* ns; above: longer ones are slow; INT64_MAX: too few to ask */
    double mean;            /* of the period, ns; without warm-up */
};

struct nsc_iterations {
    uint32_t n;               /* 0: none found, see why */
    struct nsc_iteration *at; /* in order of time; times are those of the first line */
    struct nsc_iteration_line *lines;
    uint32_t n_lines;
    struct nsc_interlude *interludes; /* of the first line, in order of time */
    uint32_t n_interludes;

    enum nsc_iterations_by by;
    bool by_time;                     /* no launch is known: ranges count by their own time */
    bool on_gpu;                      /* measured on the GPU: the host runs ahead */
    double confidence;                /* 0 to 1 */
    double coverage;                  /* share of the process's GPU time that they launch; by_time:
                                           of the time of their track */
    double loop_coverage;             /* the same without copies before and behind the iterations,
                                           and without ranges there that come once */
    char label[NSC_ITERATIONS_LABEL]; /* the name, "#" for its numbers; raw bytes, cut */
    const char *why;                  /* why there are none; NULL when there are */
    nsc_time shortest, median, longest; /* of the period, without warm-up */
    double mean;

    nsc_time first_work; /* start of the first GPU work of iteration 0; INT64_MAX: none */
    uint32_t warm_up;    /* the first so many are warm-up */
    uint32_t n_slow;
    uint32_t recurs; /* every so many-th is slow; 0: the slow ones are not regular */
    struct nsc_iteration_kind kinds[NSC_ITERATIONS_KINDS];
    uint32_t n_kinds;
    uint32_t shift; /* from this one on all are on another level; 0: no change of level */
    nsc_time level_before, level_after; /* medians; of the most frequent kind. Of a drift: the line
                                           at the first iteration and at the last */
    uint32_t
        swings;   /* so often the period goes from one of two levels to the other, between spells of
                        several iterations; level_before is the shorter one. 0: it does not */
    double drift; /* ns from an iteration of the most frequent kind to the next, without a change
                     of level; 0: no drift */
    bool is_kept; /* a store owns the arrays: fini frees nothing */
};

/* Finds the iterations of the job. False if there are none; then why tells the reason. */
bool nsc_iterations_find(struct nsc_iterations *out, const struct nsc_trace *trace);
/* Those of one export of a job, by its number, as if it were alone; NSC_NONE: of all. */
bool nsc_iterations_find_one(struct nsc_iterations *out, const struct nsc_trace *trace,
                             uint32_t capture);
/* The same for the trace of a scope, found once for all questions of a run (base/shared.h). */
bool nsc_iterations_ask(struct nsc_iterations *out, const struct nsc_scope *scope);
/* Gives those that were found (nsc_iterations_find) to the store of a scope, which has not been asked
 * for them. They must outlive it. */
void nsc_iterations_lend(const struct nsc_iterations *found, const struct nsc_scope *scope);
/* The caller frees out with fini. */
void nsc_iterations_copy(struct nsc_iterations *out, const struct nsc_iterations *of);
/*
 * Takes the ranges whose name contains text, in any case ("#" stands for a number), at any depth:
 * the name and lane that cover most. False if there is none.
 */
bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_trace *trace,
                          struct nsc_text text);
void nsc_iterations_fini(struct nsc_iterations *iterations);

/* "NVTX range", "group of NVTX ranges", "period of the launches". */
const char *nsc_iterations_by_word(enum nsc_iterations_by by);
/* The last iteration that starts at t or before; NSC_NONE before the first. O(log n). */
uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, nsc_time t);
/* What is usual where iteration i is: the level there, of the most frequent kind, or the median of its
 * kind. Of two levels in turn it is the nearer one; their middle lies between them. */
nsc_time nsc_iterations_level(const struct nsc_iterations *iterations, uint32_t i);
static inline nsc_time nsc_iterations_middle(const struct nsc_iterations *iterations)
{
    return iterations->level_before + (iterations->level_after - iterations->level_before) / 2;
}
/* Where iteration i is shown and measured. */
struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations, uint32_t i);

/* Piece k, from 0, of the host's time of an iteration without its interludes; host: of a line. False
 * behind the last piece. O(log n). */
bool nsc_iteration_piece(struct nsc_window *out, const struct nsc_interlude interludes[],
                         size_t n_interludes, uint32_t iteration, struct nsc_window host,
                         uint32_t k);

/*
 * The steady state: from the first iteration after the warm-up (without warm-up, from its first work,
 * if that is earlier, by a period at most: what takes longer is a set-up) to the end of the last. Questions
 * about the whole of a run are asked there unless the user chose a window or --whole. False without
 * iterations; then *out is untouched. Interludes lie inside it: nsc_iterations.interludes has them.
 */
bool nsc_steady_state(struct nsc_window *out, const struct nsc_iterations *iterations);

/* ---- iteration_pairs.c: two recordings ---- */

/*
 * Which iterations of two recordings stand beside each other.
 *
 * Warm-up pairs with warm-up, the n-th with the n-th. Of the others, the n-th of a kind pairs with
 * the n-th of the same kind where both have the same kinds, at least two: as many, and, ordered by
 * the mean number of ops that they launch, each with about as many (NSC_LIMIT_DIFF_ALIKE %). Else
 * the n-th pairs with the n-th, whatever their kinds. What is left over has no partner.
 */
struct nsc_iteration_pairs {
    const struct nsc_iterations *of[2]; /* borrowed */
    uint32_t *partner[2];               /* by iteration; NSC_NONE: it has none */
    uint32_t n;                         /* pairs */
    bool by_kind;
};

void nsc_iteration_pairs_build(struct nsc_iteration_pairs *out, const struct nsc_iterations *a,
                               const struct nsc_iterations *b);
void nsc_iteration_pairs_fini(struct nsc_iteration_pairs *pairs);
/*
 * The pair that holds at time t of a side, as its iteration on that side: the last iteration with a
 * partner that starts at t or before, else the first one with a partner; NSC_NONE without any pair.
 */
uint32_t nsc_iteration_pairs_at(const struct nsc_iteration_pairs *pairs, unsigned side, nsc_time t);

#endif
