/* Follows each wait from process to process, to those that were late without
 * waiting themselves. */
#include "analysis/finding/mpi_blame.h"

#include "core/bisect.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>

struct blaming {
    const struct nsc_mpi_wait *waits; /* by process and start; disjoint per process */
    size_t *first;                    /* first wait of each process; n + 1 entries */
    const struct nsc_cpu_thread *const *of;
    struct nsc_mpi_blame *out;
    double least; /* ns: smaller shares of the current wait are not followed */
};

/* ---- disjoint waits ---- */

/* Clips the waits to the windows of the threads and drops empty ones. */
static void clip_waits(struct nsc_mpi_waits *waits, const struct nsc_cpu_thread *const of[])
{
    size_t n = 0;

    for (size_t i = 0; i < waits->list.n; i++) {
        struct nsc_mpi_wait wait = waits->list.at[i];

        wait.start = nsc_later(wait.start, of[wait.of]->window.t0);
        wait.end = nsc_earlier(wait.end, of[wait.of]->window.t1);
        if (wait.start < wait.end)
            waits->list.at[n++] = wait;
    }
    waits->list.n = n;
}

/* By process and start; the longest first. */
NSC_COMPARE(compare_waits, struct nsc_mpi_wait,
            NSC_LEAST(of) || NSC_LEAST(start) || NSC_MOST(end) || NSC_LEAST(by))

/* Orders the waits. Of those of a process at the same time, keeps the one that
 * ends last. */
static void flatten(struct nsc_mpi_waits *waits)
{
    struct nsc_mpi_wait *at = waits->list.at;
    size_t n = 0;

    NSC_VEC_SORT(&waits->list, compare_waits);
    for (size_t i = 0; i < waits->list.n; i++) {
        struct nsc_mpi_wait *last = n > 0 && at[n - 1].of == at[i].of ? &at[n - 1] : NULL;

        if (last && last->end >= at[i].end)
            continue;
        if (last)
            last->end = nsc_earlier(last->end, at[i].start);
        at[n++] = at[i];
    }
    waits->list.n = n;
}

/* ---- blame ---- */

/* The part of wait i inside w. */
static nsc_time wait_in(const struct blaming *blaming, size_t i, struct nsc_window w)
{
    nsc_time start = nsc_later(blaming->waits[i].start, w.t0);
    nsc_time end = nsc_earlier(blaming->waits[i].end, w.t1);

    return start < end ? end - start : 0;
}

/* The time since the process's wait before, in which others may have made it
 * wait. */
static struct nsc_window since_of(const struct blaming *blaming, size_t i)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[i];
    bool has_before = i > blaming->first[wait->of];

    return (struct nsc_window){has_before ? wait[-1].end : blaming->of[wait->by]->window.t0,
                               wait->end};
}

/* The first wait of the process that ends after t. */
static size_t find_wait(const struct blaming *blaming, uint32_t process, nsc_time t)
{
    size_t lo = blaming->first[process];
    size_t hi = blaming->first[process + 1];

    NSC_BISECT(lo, hi, mid, blaming->waits[mid].end <= t);
    return lo;
}

/* Splits ns of wait i between the process that caused it and that process's own
 * waits since. */
/* NOLINTNEXTLINE(misc-no-recursion): at most NSC_MPI_BLAME_HOPS deep */
static void split(struct blaming *blaming, size_t i, double ns, uint32_t hops)
{
    const struct nsc_mpi_wait *wait = &blaming->waits[i];
    const struct nsc_window during = {wait->start, wait->end}, since = since_of(blaming, i);
    size_t first = find_wait(blaming, wait->by, since.t0), end = first, near = 0;
    nsc_time all = 0, now = 0;
    nsc_time *causes = &blaming->out[wait->by].causes;
    double inherited, own;

    for (; end < blaming->first[wait->by + 1] && blaming->waits[end].start < since.t1; end++) {
        all = nsc_sum(all, wait_in(blaming, end, since));
        now = nsc_sum(now, wait_in(blaming, end, during));
    }
    /* without calls that are not understood */
    own = (double)nsc_sum(
        now, nsc_cpu_thread_outside_mpi(blaming->of[wait->by], &near, wait->start, wait->end));
    ns /= (double)(wait->end - wait->start);
    inherited = fmin((double)all, (double)(wait->end - wait->start));
    *causes = nsc_sum(*causes, (nsc_time)(ns * fmax(0, own - inherited)));
    for (size_t k = first; k < end && hops < NSC_MPI_BLAME_HOPS; k++) {
        double part = ns * inherited * (double)wait_in(blaming, k, since) / (double)all;

        if (part > blaming->least)
            split(blaming, k, part, hops + 1);
    }
}

void nsc_mpi_blame_measure(struct nsc_mpi_blame out[], struct nsc_mpi_waits *waits,
                           const struct nsc_cpu_thread *const of[], uint32_t n)
{
    struct blaming blaming = {
        .first = nsc_xcalloc((size_t)n + 1, sizeof *blaming.first), .of = of, .out = out};

    clip_waits(waits, of);
    flatten(waits);
    blaming.waits = waits->list.at;
    for (size_t i = 0; i < waits->list.n; i++)
        blaming.first[waits->list.at[i].of + 1] = i + 1;
    for (uint32_t p = 0; p < n; p++)
        if (blaming.first[p + 1] < blaming.first[p])
            blaming.first[p + 1] = blaming.first[p];
    for (size_t i = 0; i < waits->list.n; i++) {
        const struct nsc_mpi_wait *wait = &waits->list.at[i];
        nsc_time length = nsc_span(wait->start, wait->end);

        out[wait->of].waits = nsc_sum(out[wait->of].waits, length);
        blaming.least = (double)length / NSC_MPI_BLAME_LEAST;
        split(&blaming, i, (double)length, 0);
    }
    free(blaming.first);
}
