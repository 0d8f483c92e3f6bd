/*
 * Decides which ranks come late more often than by chance, and why.
 */
#include "analysis/job/rank_collectives.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

enum { WORKS = 4 }; /* compute, copies, communication, nothing */

/* One group of ranks. */
struct lateness {
    struct nsc_rank_collectives *out;
    uint32_t collective;
    const struct nsc_rank_group *group;
    uint32_t *lasts;   /* of each rank: instances in which it was last, alone or not */
    nsc_time *kept;    /* of each rank: later than the others, added */
    nsc_time *starts;  /* of an instance */
    nsc_time *scratch; /* n_ranks */
    uint64_t all_lasts;
    nsc_time transfer, span;
};

/* ---- who ---- */

static nsc_time median_without(struct lateness *lateness, const nsc_time values[], uint32_t without)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < lateness->group->n_ranks; m++)
        if (m != without)
            lateness->scratch[n++] = values[m];
    qsort(lateness->scratch, n, sizeof *lateness->scratch, nsc_time_compare);
    return lateness->scratch[(n - 1) / 2];
}

/* How much later than the others rank m starts, if it is among the last; else 0. */
static nsc_time late_by(struct lateness *lateness, uint32_t m)
{
    nsc_time noise = lateness->out->list.at[lateness->collective].noise;
    nsc_time latest = INT64_MIN;
    nsc_time by = 0;

    for (uint32_t k = 0; k < lateness->group->n_ranks; k++)
        latest = nsc_later(latest, lateness->starts[k]);
    if (nsc_span(lateness->starts[m], latest) > noise)
        return 0;
    by = nsc_span(median_without(lateness, lateness->starts, m), lateness->starts[m]);
    return by > noise ? by : 0;
}

static void count_lasts(struct lateness *lateness)
{
    for (uint32_t i = 0; i < lateness->group->n; i++) {
        nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
        for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
            nsc_time by = late_by(lateness, m);

            lateness->lasts[m] += by > 0;
            lateness->all_lasts += by > 0;
            lateness->kept[m] = nsc_sum(lateness->kept[m], by);
        }
    }
}

/* The probability of k or more of n, each with p. */
static double upper_tail(uint32_t n, uint32_t k, double p)
{
    double sum = 0;

    if (k == 0 || p >= 1)
        return 1;
    for (uint32_t i = k; i <= n; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) +
                   (n - i) * log1p(-p));
    return sum < 1 ? sum : 1;
}

/* ---- why ---- */

/* What the GPU of rank m did between instances i - 1 and i. */
static void add_work(nsc_time sums[WORKS], const struct lateness *lateness, uint32_t i, uint32_t m)
{
    const struct nsc_rank_group *group = lateness->group;
    const struct nsc_rank_op *ops = lateness->out->ops->ops.at;
    const struct nsc_rank_op *from = &ops[group->ops[(size_t)(i - 1) * group->n_ranks + m]];
    const struct nsc_rank_op *to = &ops[group->ops[(size_t)i * group->n_ranks + m]];
    nsc_time busy = nsc_span(from->after.busy, to->before.busy);
    nsc_time compute = nsc_span(from->after.compute, to->before.compute);
    nsc_time copy = nsc_span(from->after.copy, to->before.copy);

    sums[0] = nsc_sum(sums[0], compute);
    sums[1] = nsc_sum(sums[1], copy);
    sums[2] = nsc_sum(sums[2], nsc_span(nsc_sum(compute, copy), busy));
    sums[3] = nsc_sum(sums[3], nsc_span(busy, nsc_span(from->end, to->start)));
}

/* Compares what rank m did before the instances in which it was late with what the others did. */
static void find_cause(struct nsc_late_rank *late, struct lateness *lateness, uint32_t m)
{
    static const enum nsc_late_cause causes[WORKS] = {NSC_LATE_COMPUTE, NSC_LATE_COPIES,
                                                      NSC_LATE_COLLECTIVE, NSC_LATE_CPU};
    uint32_t n_ranks = lateness->group->n_ranks;
    nsc_time(*sums)[WORKS] = nsc_xcalloc(n_ranks, sizeof *sums);
    nsc_time *of_ranks = nsc_xcalloc(n_ranks, sizeof *of_ranks);
    nsc_time all = 0;

    for (uint32_t i = 1; i < lateness->group->n; i++) {
        nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
        if (late_by(lateness, m) == 0)
            continue;
        for (uint32_t k = 0; k < n_ranks; k++)
            add_work(sums[k], lateness, i, k);
    }
    for (unsigned w = 0; w < WORKS; w++) {
        nsc_time excess;

        for (uint32_t k = 0; k < n_ranks; k++)
            of_ranks[k] = sums[k][w];
        excess = nsc_difference(of_ranks[m], median_without(lateness, of_ranks, m));
        all = nsc_sum(all, excess);
        if (excess > late->excess) {
            late->excess = excess;
            late->cause = causes[w];
        }
    }
    if (all <= 0 || late->excess < all / 2)
        late->cause = NSC_LATE_UNKNOWN;
    free(of_ranks);
    free(sums);
}

/* ---- a group ---- */

static void judge_rank(struct lateness *lateness, uint32_t m)
{
    uint32_t n = lateness->group->n;
    double chance =
        (double)(lateness->all_lasts > n ? lateness->all_lasts : n) / n / lateness->group->n_ranks;
    struct nsc_late_rank late = {.rank = lateness->group->ranks[m],
                                 .collective = lateness->collective,
                                 .last = lateness->lasts[m],
                                 .instances = n,
                                 .chance = chance,
                                 .kept = lateness->kept[m],
                                 .span = lateness->span};

    if ((double)late.kept < NSC_LATE_SPAN * (double)lateness->span ||
        (double)late.kept < NSC_LATE_TRANSFER * (double)lateness->transfer)
        return;
    late.probability = upper_tail(n, late.last, chance);
    if (late.probability * lateness->group->n_ranks > NSC_LATE_LEVEL)
        return;
    find_cause(&late, lateness, m);
    *NSC_VEC_ADD(&lateness->out->late) = late;
}

/* From the first start to the last end of a rank: the same for all, nearly. */
static nsc_time span_of(const struct lateness *lateness)
{
    const struct nsc_rank_group *group = lateness->group;
    const struct nsc_rank_op *ops = lateness->out->ops->ops.at;

    return nsc_span(ops[group->ops[0]].start,
                    ops[group->ops[(size_t)(group->n - 1) * group->n_ranks]].end);
}

static void judge_group(struct nsc_rank_collectives *out, uint32_t collective)
{
    const struct nsc_rank_group *group = &out->groups.list.at[out->list.at[collective].group];
    struct lateness lateness = {.out = out, .collective = collective, .group = group};

    if (group->n == 0 || group->n_ranks < 2)
        return;
    lateness.lasts = nsc_xcalloc(group->n_ranks, sizeof *lateness.lasts);
    lateness.kept = nsc_xcalloc(group->n_ranks, sizeof *lateness.kept);
    lateness.starts = nsc_xcalloc(group->n_ranks, sizeof *lateness.starts);
    lateness.scratch = nsc_xcalloc(group->n_ranks, sizeof *lateness.scratch);
    lateness.transfer = out->list.at[collective].transfer;
    lateness.span = span_of(&lateness);
    count_lasts(&lateness);
    for (uint32_t m = 0; m < group->n_ranks; m++)
        judge_rank(&lateness, m);
    free(lateness.lasts);
    free(lateness.kept);
    free(lateness.starts);
    free(lateness.scratch);
}

static int compare_late(const void *a, const void *b)
{
    const struct nsc_late_rank *x = a;
    const struct nsc_late_rank *y = b;

    if (x->is_root != y->is_root)
        return x->is_root ? -1 : 1;
    if (x->kept != y->kept)
        return x->kept > y->kept ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->collective < y->collective ? -1 : x->collective > y->collective;
}

/* A rank that is late because of another collective is a victim itself, if that one has its late
 * rank. */
static void find_roots(struct nsc_rank_collectives *out)
{
    bool any = false;

    for (size_t i = 0; i < out->late.n; i++) {
        out->late.at[i].is_root = out->late.at[i].cause != NSC_LATE_COLLECTIVE;
        any = any || out->late.at[i].is_root;
    }
    for (size_t i = 0; i < out->late.n && !any; i++)
        out->late.at[i].is_root = true;
}

void nsc_rank_late_find(struct nsc_rank_collectives *collectives)
{
    for (uint32_t i = 0; i < collectives->list.n; i++)
        judge_group(collectives, i);
    find_roots(collectives);
    if (collectives->late.n)
        qsort(collectives->late.at, collectives->late.n, sizeof *collectives->late.at,
              compare_late);
}
