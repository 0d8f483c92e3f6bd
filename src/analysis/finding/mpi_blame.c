/* Follows each wait from process to process, to those that were late without waiting themselves. */
#include "analysis/finding/mpi_blame.h"

#include "core/bisect.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct step { /* a share of the current wait, to be split at wait `wait` */
    size_t wait;
    uint32_t hops;
    double ns;
};

/* A wait of the process that caused another wait. */
struct cause {
    size_t wait;
    nsc_time ns;
};

/* How a wait is split between the process that caused it and that process's own waits. */
struct split {
    size_t from, to; /* those of its causes that are long enough to be followed */
    nsc_time all;    /* the time of all waits of that process since the wait before */
    double own, inherited;
};

struct blaming {
    const struct nsc_mpi_wait *waits; /* by process and start; disjoint per process */
    size_t *first;                    /* first wait of each process; n + 1 entries */
    struct split *splits;             /* of each wait */
    NSC_VEC(struct cause) causes;     /* by split */
    const struct nsc_cpu_thread *const *of;
    double least;             /* ns: smaller shares of the current wait are not followed */
    double *share;            /* of the current wait, by process */
    NSC_VEC(uint32_t) shares; /* processes with a share */
    NSC_VEC(struct step) steps;
};

/* ---- sorting ---- */

/* Clips the waits to the windows of the threads and drops empty ones. Counts those of process p in
 * first[p + 1]. */
static void clip_waits(struct nsc_mpi_waits *waits, size_t first[],
                       const struct nsc_cpu_thread *const of[])
{
    size_t n = 0;

    for (size_t i = 0; i < waits->list.n; i++) {
        struct nsc_mpi_wait wait = waits->list.at[i];

        wait.start = nsc_later(wait.start, of[wait.of]->window.t0);
        wait.end = nsc_earlier(wait.end, of[wait.of]->window.t1);
        if (wait.start >= wait.end)
            continue;
        first[wait.of + 1]++;
        waits->list.at[n++] = wait;
    }
    waits->list.n = n;
}

static nsc_time start_of(const void *context, uint32_t row)
{
    return ((const struct nsc_mpi_wait *)context)[row].start;
}

/* Orders the waits by process and start; index holds a number for each wait. */
static void order_waits(uint32_t index[], const struct nsc_mpi_waits *waits, const size_t first[],
                        uint32_t n)
{
    size_t *next = nsc_xmalloc(((size_t)n + 1) * sizeof *next);

    memcpy(next, first, ((size_t)n + 1) * sizeof *next);
    for (size_t i = 0; i < waits->list.n; i++)
        index[next[waits->list.at[i].of]++] = (uint32_t)i;
    for (uint32_t p = 0; p < n; p++)
        nsc_sort_by_time(index + first[p], (uint32_t)(first[p + 1] - first[p]), start_of,
                         waits->list.at);
    free(next);
}

/* Whether wait a counts and not b. Both are of a process and start together. */
static bool outlasts(const struct nsc_mpi_wait *a, const struct nsc_mpi_wait *b)
{
    return a->end != b->end ? a->end > b->end : a->by <= b->by;
}

/* Orders the waits by process and start. Of those of a process at the same time, keeps the one that
 * ends last. Sets the first wait of each process. */
static void flatten(struct nsc_mpi_waits *waits, size_t first[],
                    const struct nsc_cpu_thread *const of[], uint32_t n)
{
    struct nsc_mpi_wait *flat;
    uint32_t *index;
    size_t at = 0;

    clip_waits(waits, first, of);
    for (uint32_t p = 0; p < n; p++)
        first[p + 1] += first[p];
    index = nsc_xmalloc((waits->list.n + 1) * sizeof *index);
    order_waits(index, waits, first, n);
    flat = nsc_xmalloc((waits->list.n + 1) * sizeof *flat);
    for (uint32_t p = 0; p < n; p++) {
        size_t i = first[p];

        for (first[p] = at; i < first[p + 1]; i++) {
            const struct nsc_mpi_wait *wait = &waits->list.at[index[i]];
            struct nsc_mpi_wait *last = at > first[p] ? &flat[at - 1] : NULL;

            if (last &&
                (last->start == wait->start ? outlasts(last, wait) : last->end >= wait->end))
                continue;
            if (last && last->start == wait->start)
                at--;
            else if (last)
                last->end = nsc_earlier(last->end, wait->start);
            flat[at++] = *wait;
        }
    }
    first[n] = at;
    free(index);
    free(waits->list.at);
    waits->list.at = flat;
    waits->list.capacity = waits->list.n + 1;
    waits->list.n = at;
}

/* ---- splitting ---- */

/* The first wait of the process that ends after t. */
static size_t find_wait(const struct blaming *blaming, uint32_t process, nsc_time t)
{
    size_t lo = blaming->first[process];
    size_t hi = blaming->first[process + 1];

    NSC_BISECT(lo, hi, mid, blaming->waits[mid].end <= t);
    return lo;
}

/* The part of wait i inside w. */
static nsc_time wait_in(const struct blaming *blaming, size_t i, struct nsc_window w)
{
    nsc_time start = nsc_later(blaming->waits[i].start, w.t0);
    nsc_time end = nsc_earlier(blaming->waits[i].end, w.t1);

    return start < end ? end - start : 0;
}

/* The time since the process's wait before, in which others may have made it wait. */
static struct nsc_window since_of(const struct blaming *blaming, size_t i)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[i];
    bool has_before = i > blaming->first[wait->of];

    return (struct nsc_window){has_before ? wait[-1].end : blaming->of[wait->by]->window.t0,
                               wait->end};
}

/* Keeps at most as many causes as can have a share that is followed, because a wait may have as many
 * causes as there are waits. */
static struct split split_wait(struct blaming *blaming, size_t near[], size_t i)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[i];
    struct nsc_window since = since_of(blaming, i);
    size_t first = find_wait(blaming, wait->by, since.t0);
    size_t end = first;
    struct split split = {.from = blaming->causes.n};
    nsc_time now = 0;

    for (; end < blaming->first[wait->by + 1] && blaming->waits[end].start < since.t1; end++) {
        split.all = nsc_sum(split.all, wait_in(blaming, end, since));
        now = nsc_sum(now, wait_in(blaming, end, (struct nsc_window){wait->start, wait->end}));
    }
    for (size_t k = first; k < end; k++) {
        nsc_time ns = wait_in(blaming, k, since);

        if (ns > split.all / (NSC_MPI_BLAME_LEAST + 1))
            *NSC_VEC_ADD(&blaming->causes) = (struct cause){k, ns};
    }
    split.to = blaming->causes.n;
    /* without calls that are not understood */
    split.own = (double)(nsc_cpu_thread_outside_mpi(blaming->of[wait->by], &near[wait->by],
                                                    wait->start, wait->end) +
                         now);
    split.inherited = fmin((double)split.all, (double)(wait->end - wait->start));
    return split;
}

static void split_waits(struct blaming *blaming, uint32_t n)
{
    size_t *near = nsc_xmalloc(((size_t)n + 1) * sizeof *near); /* in the calls of each process */

    blaming->splits = nsc_xmalloc((blaming->first[n] + 1) * sizeof *blaming->splits);
    for (uint32_t p = 0; p < n; p++) {
        memset(near, 0, n * sizeof *near);
        for (size_t i = blaming->first[p]; i < blaming->first[p + 1]; i++)
            blaming->splits[i] = split_wait(blaming, near, i);
    }
    free(near);
}

/* ---- blame ---- */

static void add_share(struct blaming *blaming, uint32_t process, double ns)
{
    if (ns <= 0)
        return;
    if (blaming->share[process] <= 0)
        *NSC_VEC_ADD(&blaming->shares) = process;
    blaming->share[process] += ns;
}

/* Splits a share between the process that caused the wait and that process's own earlier waits. */
static void take_step(struct blaming *blaming, struct step step)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[step.wait];
    const struct split *split = &blaming->splits[step.wait];
    double length = (double)(wait->end - wait->start);

    add_share(blaming, wait->by, step.ns * fmax(0, split->own - split->inherited) / length);
    for (size_t i = split->from; i < split->to && step.hops < NSC_MPI_BLAME_HOPS; i++) {
        const struct cause *cause = &blaming->causes.at[i];
        double ns = step.ns * split->inherited / length * (double)cause->ns / (double)split->all;

        if (ns > blaming->least)
            *NSC_VEC_ADD(&blaming->steps) = (struct step){cause->wait, step.hops + 1, ns};
    }
}

/* Adds the shares of a wait to the result. */
static void take_shares(struct blaming *blaming, struct nsc_mpi_blame out[])
{
    for (size_t i = 0; i < blaming->shares.n; i++) {
        uint32_t p = blaming->shares.at[i];

        out[p].causes = nsc_sum(out[p].causes, (nsc_time)blaming->share[p]);
        blaming->share[p] = 0;
    }
    NSC_VEC_CLEAR(&blaming->shares);
}

void nsc_mpi_blame_measure(struct nsc_mpi_blame out[], struct nsc_mpi_waits *waits,
                           const struct nsc_cpu_thread *const of[], uint32_t n)
{
    struct blaming blaming = {.first = nsc_xcalloc((size_t)n + 1, sizeof *blaming.first),
                              .of = of,
                              .share = nsc_xcalloc((size_t)n + 1, sizeof *blaming.share)};

    flatten(waits, blaming.first, of, n);
    blaming.waits = waits->list.at;
    split_waits(&blaming, n);
    for (size_t i = 0; i < waits->list.n; i++) {
        const struct nsc_mpi_wait *wait = &waits->list.at[i];

        out[wait->of].waits = nsc_sum(out[wait->of].waits, nsc_span(wait->start, wait->end));
        *NSC_VEC_ADD(&blaming.steps) = (struct step){i, 0, (double)(wait->end - wait->start)};
        blaming.least = blaming.steps.at[0].ns / NSC_MPI_BLAME_LEAST;
        while (blaming.steps.n > 0)
            take_step(&blaming, blaming.steps.at[--blaming.steps.n]);
        take_shares(&blaming, out);
    }
    NSC_VEC_FINI(&blaming.steps);
    NSC_VEC_FINI(&blaming.shares);
    NSC_VEC_FINI(&blaming.causes);
    free(blaming.splits);
    free(blaming.first);
    free(blaming.share);
}
