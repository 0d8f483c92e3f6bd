/*
 * The parts of the search for iterations: the ranges or launches of one process, and the iterations
 * found. Only for the files named iteration*.c.
 */
#ifndef NSC_ANALYSIS_ITERATION_SEARCH_H
#define NSC_ANALYSIS_ITERATION_SEARCH_H

#include "analysis/ranges/iterations.h"
#include "analysis/ranges/launches.h"
#include "core/strpool.h"
#include "core/vec.h"

#include <stdatomic.h>

struct nsc_search_process {
    uint64_t process;
    uint32_t first;    /* group of its first thread: processes ascend by it */
    uint32_t *threads; /* groups of threads that launch, by track */
    uint32_t n_threads;
    nsc_time work; /* summed GPU time of all their launches */
};

struct nsc_iteration_search {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_launches *launches;
    struct nsc_progress *stop;
    NSC_VEC(struct nsc_search_process) processes; /* with NVTX ranges or launches */
    struct nsc_strpool patterns;                  /* names with one sign per number */
    nsc_str *pattern;                             /* by name; NSC_NONE: not looked up */
    NSC_VEC(uint8_t) traits;                      /* by pattern */
    atomic_uchar *kernel_traits; /* by name, for nsc_search_kernel_traits(); 0: not looked up */
    uint32_t n_parts;            /* repetitions of ranges that are parts, such as layers; 0: none */
    bool by_time;                /* launches are not known: ranges count by their own time */
    bool is_pytorch;             /* nsc_trace_is_pytorch() */
};

/* The iterations found in a process; at is owned. */
struct nsc_found {
    enum nsc_iterations_by by;
    uint32_t n;
    struct nsc_iteration *at; /* host, in_ranges and event are set; host.t1 of the last is the end
                               * of its ranges */
    NSC_VEC(struct nsc_interlude) interludes;
    uint32_t track;
    const struct nsc_search_process *process;
    nsc_str pattern; /* pattern of a range */
    bool hinted;     /* named like a step */
    double steady, coverage;
    double loop_coverage; /* as in nsc_iterations */
    nsc_time first_work;  /* as in nsc_iterations */
    nsc_time host_end;    /* end of the last iteration's ranges or launches */
    char label[NSC_ITERATIONS_LABEL];
};

/* Adds work under no range behind iteration i, launched from that of op on, as an interlude: an
 * evaluation, a checkpoint. Little work, such as the copy of a loss, is a part of the iteration. */
void nsc_found_add_aside(struct nsc_found *found, const struct nsc_events *events, uint32_t i,
                         nsc_time work, nsc_event op);

/* Searches the whole trace of a scope. capture: only processes of this export; NSC_NONE: all. False: it
 * was stopped; nsc_search_fini is due all the same. */
bool nsc_search_init(struct nsc_iteration_search *search, const struct nsc_scope *scope,
                     uint32_t capture);
void nsc_search_fini(struct nsc_iteration_search *search);
/* The process of a thread's track; NULL: it is not searched. O(log processes). */
const struct nsc_search_process *nsc_search_process_of(const struct nsc_iteration_search *search,
                                                       uint32_t track);
/* The pattern of a range's name, with its traits looked up. */
nsc_str nsc_search_pattern(struct nsc_iteration_search *search, nsc_event row);
/* Appends a name to a label: "forward, backward". */
void nsc_search_label(char out[NSC_ITERATIONS_LABEL], const struct nsc_iteration_search *search,
                      nsc_str pattern);
/* The traits of a name (iteration_period.h), and NSC_TRAIT_EPOCH. */
#define NSC_TRAIT_EPOCH 64
uint8_t nsc_search_traits(struct nsc_text name);
/* The traits of a kernel's launch; never 0. Processes launch kernels of the same names, so each name is
 * looked at once. Several threads may ask at once. */
uint8_t nsc_search_kernel_traits(const struct nsc_iteration_search *search, nsc_name name);

/* The GPU work launched by the threads of a process in a window. */
struct nsc_gpu_figures nsc_search_work(const struct nsc_iteration_search *search,
                                       const struct nsc_search_process *process,
                                       struct nsc_window window);
/* The launches of a thread, by its group, in a window. */
struct nsc_positions nsc_search_in(const struct nsc_iteration_search *search, uint32_t thread,
                                   struct nsc_window window);
/* A time, and that of the op if it is compute. */
nsc_time nsc_search_add_compute(nsc_time time, const struct nsc_iteration_search *search,
                                nsc_event op);

/* The time of kernels and graphs only, without communication. */
nsc_time nsc_search_compute_time(const struct nsc_iteration_search *search,
                                 const struct nsc_search_process *process,
                                 struct nsc_window window);

/* Whether a thread of a process drives its GPU work: launches much of it, or waits for what other
 * threads launch. group: the thread's track. */
bool nsc_search_drives(const struct nsc_iteration_search *search,
                       const struct nsc_search_process *process, uint32_t group);
/* Whether the ranges of an NVTX track can never be iterations: libraries, loaders, watchdogs. */
bool nsc_search_is_never(const struct nsc_trace *trace, uint32_t track);

/* Each of these keeps the best result for a process so far. */
void nsc_search_ranges(struct nsc_iteration_search *search,
                       const struct nsc_search_process *process, struct nsc_found *best,
                       uint32_t *n_recurring);
/* Different processes may be searched in parallel. */
void nsc_search_launches(const struct nsc_iteration_search *search,
                         const struct nsc_search_process *process, struct nsc_found *best);
/* Takes the ranges of a process with this pattern, in the track where they take the most time. */
void nsc_search_named(struct nsc_iteration_search *search, const struct nsc_search_process *process,
                      struct nsc_text part, struct nsc_found *best);
/* The compute that iterations launch on a stream. */
struct nsc_stream_time {
    const struct nsc_found *of; /* NULL: of none yet */
    nsc_time compute;
};

/* Fills in the GPU figures of the iterations. The last one lasts until its last work ends. by_track
 * has room for each track: zeros, or what other iterations left. */
void nsc_search_measure(const struct nsc_iteration_search *search, struct nsc_found *found,
                        struct nsc_stream_time by_track[]);
/* Ends the last iteration, whose work is measured, with its range or its last work, whichever is
 * later. A range that was still open when the recording ended does not count. */
void nsc_search_end_last(const struct nsc_iteration_search *search, struct nsc_found *found);
void nsc_found_fini(struct nsc_found *found);

/* Sets the kind of each iteration by what it launches. Returns whether some are marked as sized. */
bool nsc_iterations_split_by_launches(struct nsc_iterations *of,
                                      const struct nsc_iteration_search *search);
/* The middle of the widest step between neighbours in sorted order, as a factor of at least `widest`, with
 * enough values on both sides; 0: none. */
nsc_time nsc_iterations_find_step(const nsc_time sorted[], uint32_t n, double widest);
/* A length that tells two kinds of iterations apart, of which the longer ones do more; lengths that
 * are less apart do so only if the longer ones launch more. 0: none.
 * sorted: the n periods of a kind. */
nsc_time nsc_iterations_find_border(const struct nsc_iterations *of,
                                    const struct nsc_iteration_search *search, uint8_t kind,
                                    const nsc_time sorted[], uint32_t n);
/* A number of launches that tells two kinds of iterations apart: some launch far more, and are longer
 * by the work of these launches. 0: none. sorted: the n numbers of launches of a kind. */
nsc_time nsc_iterations_find_number(const struct nsc_iterations *of,
                                    const struct nsc_iteration_search *search, uint8_t kind,
                                    const nsc_time sorted[], uint32_t n);
/* The place where most periods of the most frequent kind lie on the side of their level, and the medians
 * before it and from it on; 0: none. It comes after the first fifth, because warm-up is not a level.
 * Tries at most 256 places, then those around the best. */
uint32_t nsc_iterations_find_shift(const struct nsc_iterations *of, nsc_time level[2]);
/* Judges the iterations: kinds, warm-up, slow ones, changes of level. */
void nsc_iterations_judge(struct nsc_iterations *iterations,
                          const struct nsc_iteration_search *search);

#endif
