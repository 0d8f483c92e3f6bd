/*
 * Iterations: the repetitions in a training or inference job.
 *
 * An iteration lasts from its start to the next start; the last one lasts until its last work ends.
 * Time between its ranges and the next start (data loading) belongs to it. Another range that does
 * not recur in every iteration (evaluation, checkpoint), or work under no range there that few have, is an
 * interlude. It is listed separately; its time counts neither for the period nor for slowness.
 *
 * The search tries in this order:
 *   range     the outermost NVTX range that recurs and launches most of the GPU work
 *   group     several such ranges in turn: forward, backward, optimizer
 *   launches  without such ranges: the period of the sequence of launches
 * Each process of a job has a line of its own; the lines have the same iterations. The thresholds
 * are in threshold.def.
 *
 * If the host runs ahead, the GPU works on an iteration after the host has left it. Then its window
 * is on the GPU: from the start of the first kernel launched in it to that of the next iteration's
 * first kernel.
 *
 * All times are ns on the trace's clock, windows half-open. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_ITERATIONS_H
#define NSC_ANALYSIS_ITERATIONS_H

#include "nsyscope/trace.h"

#include "analysis/base/limit.h"
#include "analysis/base/scope.h"

#define NSC_ITERATIONS_LABEL 96

enum nsc_iterations_by {
    NSC_ITERATIONS_BY_NOTHING,
    NSC_ITERATIONS_BY_RANGE,
    NSC_ITERATIONS_BY_GROUP,
    NSC_ITERATIONS_BY_LAUNCHES
};

struct nsc_iteration {
    struct nsc_window window; /* window shown and measured: gpu if on_gpu, else host */
    struct nsc_window host;   /* from its first range or launch to the next one's */
    struct nsc_window gpu;    /* from the first to the last work launched in it; t0 == t1: none */
    nsc_time period;          /* the window without the interludes in it */
    nsc_time in_ranges;       /* host time inside its ranges; 0 without ranges */
    nsc_time work;            /* summed GPU time of the work launched in it */
    uint32_t ops;             /* kernels, graphs, copies and memsets launched in it */
    nsc_event event;          /* its range, the first range of its group, or its first launch
                               * call */
    uint8_t kind;             /* from 0, the most frequent first */
    bool warm_up, slow;
    bool
        sized; /* launches one of several graphs of different lengths and is of no kind of its own: not
                 * judged */
};

/* Ranges, or work under none, between two iterations that are not part of either. */
struct nsc_interlude {
    struct nsc_window window; /* window of its ranges on the host */
    struct nsc_window taken;  /* its part of the iteration's window; t0 >= t1: none */
    nsc_event event;          /* the first of its ranges, or its first launch call */
    uint32_t n; /* number of consecutive ranges with this name; 0: the name is of a launch call */
    uint32_t after; /* the iteration before it */
};

/* The iterations of one process (or of one thread that drives a GPU). */
struct nsc_iteration_line {
    uint32_t track; /* the NVTX track of its ranges, or the thread that launches */
    uint32_t first; /* the number of its first iteration */
    uint32_t n;
    struct nsc_iteration *at;
};

struct nsc_iteration_kind {
    uint32_t n;             /* number of iterations of the kind, without warm-up */
    nsc_time median, above; /* ns; periods longer than above are slow; INT64_MAX: too few to
                             * judge */
    double mean;            /* mean period in ns, without warm-up */
};

struct nsc_iterations {
    uint32_t n;     /* 0: none found; why says the reason */
    uint32_t first; /* the number of at[0]: not 0 in those of one line only */
    struct nsc_iteration
        *at; /* ordered by time; times are those of the first line. Of a single line
                               * mostly the same array */
    struct nsc_iteration_line *lines;
    uint32_t n_lines;
    struct nsc_interlude *interludes; /* of the first line, ordered by time */
    uint32_t n_interludes;

    enum nsc_iterations_by by;
    bool by_time;                     /* launches are not known: ranges count by their own time */
    bool on_gpu;                      /* measured on the GPU: the host runs ahead */
    double confidence;                /* 0 to 1 */
    double coverage;                  /* share of the process's GPU time that they launch; by_time:
                                       * share of their track's time */
    double loop_coverage;             /* the same, without copies, communication and one-time ranges
                                       * before and after the iterations */
    char label[NSC_ITERATIONS_LABEL]; /* the name, "#" for its numbers; raw bytes, cut */
    const char *why;                  /* reason for n = 0; NULL if there are iterations */
    nsc_time shortest, median, longest; /* of the period, without warm-up */
    double mean;

    nsc_time first_work; /* start of the first GPU work of iteration 0; INT64_MAX: none */
    uint32_t warm_up;    /* number of warm-up iterations at the beginning */
    uint32_t n_slow;
    uint32_t recurs; /* every n-th is slow; 0: slow ones are not regular */
    struct nsc_iteration_kind kinds[NSC_LIMIT_KINDS];
    uint32_t n_kinds;
    uint32_t shift; /* first iteration on the new level; 0: no change of level */
    nsc_time level_before, level_after; /* medians of the most frequent kind; for a drift, the line
                                         * at the first and the last iteration */
    uint32_t swings; /* how often the period switches between two levels that each last for several
                   * iterations; level_before is the shorter one. 0: never */
    double drift;    /* ns per iteration of the most frequent kind, without a change of level; 0: no
                   * drift */
    bool is_kept;    /* a store owns the arrays: fini frees nothing */
};

/* Finds the iterations of the job. False if there are none; then why says the reason. */
bool nsc_iterations_find(struct nsc_iterations *out, const struct nsc_trace *trace);
/* Finds those of one export of a job, by its number, as if it were alone; NSC_NONE: of all. Of the
 * scope only the trace and the stop count. */
bool nsc_iterations_find_one(struct nsc_iterations *out, const struct nsc_scope *scope,
                             uint32_t capture);
/* Finds those of the job in out[0] or, apart, of its first two exports in both. */
void nsc_iterations_find_each(struct nsc_iterations out[2], const struct nsc_trace *trace,
                              bool apart);
/* Leaves from empty. */
void nsc_iterations_move(struct nsc_iterations *to, struct nsc_iterations *from);
/* As nsc_iterations_find for the trace of a scope, computed once for all questions of a run (base/shared.h). */
bool nsc_iterations_ask(struct nsc_iterations *out, const struct nsc_scope *scope);
/* Lends found iterations (nsc_iterations_find) to the store of a scope, which must not have been
 * asked for them yet. They must outlive the store. */
void nsc_iterations_lend(const struct nsc_iterations *found, const struct nsc_scope *scope);
/* The caller frees out with fini. */
void nsc_iterations_copy(struct nsc_iterations *out, const struct nsc_iterations *of);
/*
 * Takes the ranges whose name contains text, in any case, at any depth; "#" stands for a number. Of
 * several, takes the name and lane that cover the most time. False if there is none. Of the scope
 * only the trace and the stop count.
 */
bool nsc_iterations_named(struct nsc_iterations *out, const struct nsc_scope *scope,
                          struct nsc_text text);
void nsc_iterations_fini(struct nsc_iterations *iterations);

/* "NVTX range", "group of NVTX ranges", "period of the launches". */
const char *nsc_iterations_by_word(enum nsc_iterations_by by);
/* The last iteration that starts at t or before; NSC_NONE before the first. O(log n). */
uint32_t nsc_iterations_at(const struct nsc_iterations *iterations, nsc_time t);
/* The line of a process, of several that of the thread (NSC_NONE: the first); NSC_NONE: it has none of its
 * own. */
uint32_t nsc_iterations_line(const struct nsc_iterations *iterations, const struct nsc_trace *trace,
                             uint64_t process, uint32_t tid);
/* The usual period at iteration i: the level there, for the most frequent kind, or the median of
 * its kind. Of two alternating levels, the nearer one. */
nsc_time nsc_iterations_level(const struct nsc_iterations *iterations, uint32_t i);
static inline nsc_time nsc_iterations_middle(const struct nsc_iterations *iterations)
{
    return iterations->level_before + (iterations->level_after - iterations->level_before) / 2;
}
/* The window of iteration i, as shown and measured. */
struct nsc_window nsc_iterations_window(const struct nsc_iterations *iterations, uint32_t i);

/* Piece k, from 0, of a window without the interludes in it; host: on a line's host time. False
 * after the last piece. O(log n). */
bool nsc_iteration_piece(struct nsc_window *out, const struct nsc_interlude interludes[],
                         size_t n_interludes, uint32_t iteration, struct nsc_window host,
                         uint32_t k);

/*
 * The steady state: from the first iteration after the warm-up to the end of the last. Without
 * warm-up it starts at the first work of the first iteration, but at most one period earlier: a
 * longer lead is set-up. Questions about the whole run are answered for it, unless the user chose a
 * window or --whole. False without iterations; *out is then unchanged. Interludes lie inside it:
 * see nsc_iterations.interludes.
 */
bool nsc_steady_state(struct nsc_window *out, const struct nsc_iterations *iterations);

/* ---- iteration_pairs.c: two recordings ---- */

/*
 * Pairs the iterations of two recordings.
 *
 * The n-th iteration of the warm-up pairs with the n-th. For the others, the recordings have the
 * same kinds if both have equally many, at least two, and the kinds, ordered by the mean number of
 * ops launched, agree in that number within NSC_LIMIT_NEARLY_ALL %. If so, the n-th of a kind pairs
 * with the n-th of the same kind. If not, the n-th pairs with the n-th of any kind. The rest has no
 * partner.
 */
struct nsc_iteration_pairs {
    const struct nsc_iterations *of[2]; /* borrowed */
    uint32_t *partner[2];               /* by iteration; NSC_NONE: it has none */
    uint32_t n;                         /* number of pairs */
    bool by_kind;
};

void nsc_iteration_pairs_build(struct nsc_iteration_pairs *out, const struct nsc_iterations *a,
                               const struct nsc_iterations *b);
void nsc_iteration_pairs_fini(struct nsc_iteration_pairs *pairs);
/*
 * The pair in effect at time t of a side, as the iteration on that side: the last iteration with a
 * partner that starts at or before t, else the first one with a partner; NSC_NONE without pairs.
 */
uint32_t nsc_iteration_pairs_at(const struct nsc_iteration_pairs *pairs, unsigned side, nsc_time t);

#endif
