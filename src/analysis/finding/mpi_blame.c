/* Follows each wait from process to process, to those that were late without waiting themselves. */
#include "analysis/finding/mpi_blame.h"

#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

struct step { /* a share of the current wait, to be split at wait `wait` */
    size_t wait;
    uint32_t hops;
    double ns;
};

struct blaming {
    const struct nsc_mpi_wait *waits; /* by process and start; disjoint per process */
    size_t *first;                    /* first wait of each process; n + 1 entries */
    const struct nsc_cpu_thread *const *of;
    double least;             /* ns: smaller shares of the current wait are not followed */
    double *share;            /* of the current wait, by process */
    NSC_VEC(uint32_t) shares; /* processes with a share */
    NSC_VEC(struct step) steps;
};

static int compare_waits(const void *a, const void *b)
{
    const struct nsc_mpi_wait *x = a;
    const struct nsc_mpi_wait *y = b;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return (x->by > y->by) - (x->by < y->by);
}

/* Of waits at the same time, keeps the one that ends last. */
static void flatten(struct nsc_mpi_waits *waits, const struct nsc_cpu_thread *const of[])
{
    struct nsc_mpi_wait *at = waits->list.at;
    size_t n = 0;

    for (size_t i = 0; i < waits->list.n; i++) {
        at[i].start = nsc_later(at[i].start, of[at[i].of]->window.t0);
        at[i].end = nsc_earlier(at[i].end, of[at[i].of]->window.t1);
    }
    if (waits->list.n > 1)
        qsort(at, waits->list.n, sizeof *at, compare_waits);
    for (size_t i = 0; i < waits->list.n; i++) {
        bool has_last = n > 0 && at[n - 1].of == at[i].of;

        if (at[i].start >= at[i].end || (has_last && at[n - 1].end >= at[i].end))
            continue;
        if (has_last)
            at[n - 1].end = nsc_earlier(at[n - 1].end, at[i].start);
        at[n++] = at[i];
    }
    waits->list.n = n;
}

/* The part of [start, end) in which the process is outside its MPI calls. Calls ascend and do not
 * overlap. */
static nsc_time outside(const struct nsc_cpu_thread *thread, nsc_time start, nsc_time end)
{
    nsc_time left = nsc_span(start, end);
    size_t lo = 0;
    size_t hi = thread->mpi_calls.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (nsc_cpu_thread_call(thread, mid).t1 <= start)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < thread->mpi_calls.n; lo++) {
        struct nsc_window call = nsc_cpu_thread_call(thread, lo);

        if (call.t0 >= end)
            break;
        left -= nsc_earlier(call.t1, end) - nsc_later(call.t0, start);
    }
    return left;
}

/* The first wait of the process that ends after t. */
static size_t find_wait(const struct blaming *blaming, uint32_t process, nsc_time t)
{
    size_t lo = blaming->first[process];
    size_t hi = blaming->first[process + 1];

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (blaming->waits[mid].end <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void add_share(struct blaming *blaming, uint32_t process, double ns)
{
    if (ns <= 0)
        return;
    if (blaming->share[process] <= 0)
        *NSC_VEC_ADD(&blaming->shares) = process;
    blaming->share[process] += ns;
}

/* The part of wait i inside w. */
static nsc_time wait_in(const struct blaming *blaming, size_t i, struct nsc_window w)
{
    nsc_time start = nsc_later(blaming->waits[i].start, w.t0);
    nsc_time end = nsc_earlier(blaming->waits[i].end, w.t1);

    return start < end ? end - start : 0;
}

/* Splits a share between the process that caused the wait and that process's own earlier waits. */
static void take_step(struct blaming *blaming, struct step step)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[step.wait];
    const struct nsc_cpu_thread *by = blaming->of[wait->by];
    bool has_before = step.wait > blaming->first[wait->of];
    struct nsc_window since = {has_before ? wait[-1].end : by->window.t0, wait->end};
    size_t from = find_wait(blaming, wait->by, since.t0);
    size_t to = from;
    double length = (double)(wait->end - wait->start);
    nsc_time all = 0;
    nsc_time now = 0;
    double own;
    double inherited;

    for (; to < blaming->first[wait->by + 1] && blaming->waits[to].start < since.t1; to++) {
        all = nsc_sum(all, wait_in(blaming, to, since));
        now = nsc_sum(now, wait_in(blaming, to, (struct nsc_window){wait->start, wait->end}));
    }
    inherited = fmin((double)all, length);
    own = (double)(outside(by, wait->start, wait->end) + now); /* without calls that are not
                                                                * understood */
    add_share(blaming, wait->by, step.ns * fmax(0, own - inherited) / length);
    for (size_t i = from; i < to && step.hops < NSC_MPI_BLAME_HOPS; i++) {
        double ns = step.ns * inherited / length * (double)wait_in(blaming, i, since) / (double)all;

        if (ns > blaming->least)
            *NSC_VEC_ADD(&blaming->steps) = (struct step){i, step.hops + 1, ns};
    }
}

/* Adds the shares of a wait to the result. */
static void take_shares(struct blaming *blaming, struct nsc_mpi_blame out[])
{
    uint32_t most = NSC_NONE;

    for (size_t i = 0; i < blaming->shares.n; i++) {
        uint32_t p = blaming->shares.at[i];

        most = most == NSC_NONE || blaming->share[p] > blaming->share[most] ? p : most;
        out[p].causes = nsc_sum(out[p].causes, (nsc_time)blaming->share[p]);
    }
    if (most != NSC_NONE)
        out[most].times++;
    for (size_t i = 0; i < blaming->shares.n; i++)
        blaming->share[blaming->shares.at[i]] = 0;
    NSC_VEC_CLEAR(&blaming->shares);
}

/* Finds the first wait of each process. */
static void find_first(struct blaming *blaming, const struct nsc_mpi_waits *waits, uint32_t n)
{
    for (size_t i = 0; i < waits->list.n; i++)
        blaming->first[waits->list.at[i].of + 1] = i + 1;
    for (uint32_t p = 0; p < n; p++)
        if (blaming->first[p + 1] < blaming->first[p])
            blaming->first[p + 1] = blaming->first[p];
}

void nsc_mpi_blame_measure(struct nsc_mpi_blame out[], struct nsc_mpi_waits *waits,
                           const struct nsc_cpu_thread *const of[], uint32_t n)
{
    struct blaming blaming = {.waits = waits->list.at,
                              .first = nsc_xcalloc((size_t)n + 1, sizeof *blaming.first),
                              .of = of,
                              .share = nsc_xcalloc((size_t)n + 1, sizeof *blaming.share)};

    flatten(waits, of);
    find_first(&blaming, waits, n);
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
    free(blaming.first);
    free(blaming.share);
}
