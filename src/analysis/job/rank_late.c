/* Decides which ranks come late more often than by chance, and finds the cause. */
#include "analysis/job/rank_collectives.h"
#include "analysis/names/collective.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

enum { WORKS = 4 }; /* compute, copies, communication, nothing */
#define OVERLAPPED      (NSC_LIMIT_LATE_OVERLAPPED / 100.0) /* of an instance */
#define ALWAYS_THE_SAME (NSC_LIMIT_LATE_TURNS / 100.0)
#define ENOUGH_FRESH    NSC_LIMIT_LATE_FRESH
#define AS_LATE         (NSC_LIMIT_LATE_AS / 100.0)
#define TURN            (NSC_LIMIT_LATE_TURN / 100.0)
#define STAGE           (NSC_LIMIT_LATE_STAGE / 100.0)

/* One group of ranks. */
struct lateness {
    struct nsc_rank_collectives *out;
    uint32_t collective;
    const struct nsc_rank_group *group;
    uint32_t *lasts;   /* by rank: instances in which it was last, alone or with others */
    nsc_time *kept;    /* by rank: summed lateness */
    nsc_time *starts;  /* of an instance */
    nsc_time *scratch; /* n_ranks */
    uint32_t *who;     /* by instance: the last rank, the first of several; NSC_NONE */
    bool *is_late;     /* by rank: already judged late */
    uint64_t all_lasts;
    double all_kept, squares; /* sums over all ranks and instances: lateness, and its square */
    double fresh; /* share of instances that count, because they do not repeat the previous one */
    nsc_time transfer, span;
    bool is_stages; /* sends between two stages of a pipeline */
};

/* ---- which rank ---- */

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

static const struct nsc_rank_op *op_of(const struct lateness *lateness, uint32_t i, uint32_t m)
{
    const struct nsc_rank_group *group = lateness->group;

    return &lateness->out->ops->ops.at[group->ops[(size_t)i * group->n_ranks + m]];
}

/* The same for instance i. A stage that receives early computes while it waits, and is not kept. */
static nsc_time keeps_by(struct lateness *lateness, uint32_t i, uint32_t m)
{
    nsc_time by = late_by(lateness, m);

    if (lateness->is_stages && by > 0) {
        const struct nsc_rank_op *other = op_of(lateness, i, 1 - m);

        by = nsc_span(nsc_span(other->before.compute, other->after.compute), by);
    }
    return by > lateness->out->list.at[lateness->collective].noise ? by : 0;
}

static void count_lasts(struct lateness *lateness)
{
    for (uint32_t i = 0; i < lateness->group->n; i++) {
        nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
        for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
            nsc_time by = keeps_by(lateness, i, m);

            lateness->lasts[m] += by > 0;
            lateness->all_lasts += by > 0;
            lateness->kept[m] = nsc_sum(lateness->kept[m], by);
            lateness->all_kept += (double)by;
            lateness->squares += (double)by * (double)by;
            if (by > 0 && lateness->who[i] == NSC_NONE)
                lateness->who[i] = m;
        }
    }
}

/* ---- instances that repeat each other ---- */

/* Whether the ranks went on computing while instance i ran. Then it held no rank up, and the rank
 * late for it is also late for the next one. */
static bool is_overlapped(const struct lateness *lateness, uint32_t i)
{
    nsc_time all = 0;
    nsc_time compute = 0;

    for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
        const struct nsc_rank_op *op = op_of(lateness, i, m);

        all = nsc_sum(all, nsc_span(op->start, op->end));
        compute = nsc_sum(compute, nsc_span(op->before.compute, op->after.compute));
    }
    return (double)compute > OVERLAPPED * (double)all;
}

/* The probability that two independent instances have different last ranks. */
static double expect_change(const struct lateness *lateness)
{
    uint32_t *of = nsc_xcalloc(lateness->group->n_ranks, sizeof *of);
    double same = 0;
    double n = 0;

    for (uint32_t i = 0; i < lateness->group->n; i++)
        if (lateness->who[i] != NSC_NONE) {
            of[lateness->who[i]]++;
            n++;
        }
    for (uint32_t m = 0; m < lateness->group->n_ranks && n > 0; m++)
        same += of[m] / n * (of[m] / n);
    free(of);
    return n > 0 ? 1 - same : 0;
}

/* The share of instances that count: those after an instance that held all ranks up, if there are
 * enough. Else the chain of last ranks decides: a chain that stays with probability s counts for (1
 * - s) / (1 + s) of its length. */
static double find_fresh(const struct lateness *lateness)
{
    double change = expect_change(lateness);
    double n = lateness->group->n;
    double followers = 0;
    double changes = 0;
    double pairs = 0;
    double stay;

    for (uint32_t i = 1; i < lateness->group->n; i++) {
        if (!is_overlapped(lateness, i - 1))
            continue;
        followers++;
        if (lateness->who[i] == NSC_NONE || lateness->who[i - 1] == NSC_NONE)
            continue;
        pairs++;
        changes += lateness->who[i] != lateness->who[i - 1];
    }
    if (pairs == 0 || change < ALWAYS_THE_SAME)
        return 1;
    if (n - followers >= ENOUGH_FRESH)
        return 1 - followers / n;
    stay = fmax(0, 1 - changes / pairs / change);
    return 1 - followers / n * (1 - (1 - stay) / (1 + stay));
}

/* The probability of k or more of n events, each with probability p. */
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

/* ---- the cause ---- */

/* Adds the work of rank m's GPU from the start of instance i - 1 to that of i. Compute and copies also
 * count while instance i - 1 ran: a rank that waits in it may go on with what comes next. */
static void add_work(nsc_time sums[WORKS], const struct lateness *lateness, uint32_t i, uint32_t m)
{
    const struct nsc_rank_op *from = op_of(lateness, i - 1, m);
    const struct nsc_rank_op *to = op_of(lateness, i, m);
    const struct nsc_rank_work *end = &to->before;
    nsc_time busy = nsc_span(from->after.busy, end->busy);
    nsc_time own =
        nsc_sum(nsc_span(from->after.compute, end->compute), nsc_span(from->after.copy, end->copy));

    sums[0] = nsc_sum(sums[0], nsc_span(from->before.compute, end->compute));
    sums[1] = nsc_sum(sums[1], nsc_span(from->before.copy, end->copy));
    sums[2] = nsc_sum(sums[2], nsc_span(own, busy));
    sums[3] = nsc_sum(sums[3], nsc_span(busy, nsc_span(from->end, to->start)));
}

/* Whether a stage computes or copies more than its neighbour in all, by a good part of its lateness. If not,
 * it is late by design: its neighbour received early, or the pipeline fills. */
static bool works_more(const struct lateness *lateness, uint32_t m,
                       const struct nsc_late_rank *late)
{
    nsc_time work[2];

    for (uint32_t k = 0; k < 2; k++) {
        const struct nsc_rank_work *from = &op_of(lateness, 0, k)->before;
        const struct nsc_rank_work *to = &op_of(lateness, lateness->group->n - 1, k)->after;

        work[k] = late->cause == NSC_LATE_COMPUTE ? nsc_span(from->compute, to->compute)
                                                  : nsc_span(from->copy, to->copy);
    }
    return (double)nsc_difference(work[m], work[1 - m]) >= STAGE * (double)late->kept;
}

/* Compares the work of rank m before its late instances with that of the others. */
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
    if (lateness->is_stages &&
        (late->cause == NSC_LATE_COMPUTE || late->cause == NSC_LATE_COPIES) &&
        !works_more(lateness, m, late))
        late->cause = NSC_LATE_COLLECTIVE;
    free(of_ranks);
    free(sums);
}

/* ---- a group ---- */

/* The probability that chance gives rank m so many last places or, if that is lower, so much of the
 * lateness, so that few long waits count fully. Lateness counts as that many equal waits. Long waits of
 * stages, while the pipeline fills, are by design: only their number counts. */
static double probability_of(const struct lateness *lateness, uint32_t m, double chance)
{
    double n = lateness->group->n * lateness->fresh;
    double equal = lateness->squares > 0 ? lateness->all_kept * lateness->all_kept /
                                               lateness->squares * lateness->fresh
                                         : 0;
    double share = lateness->all_kept > 0 ? (double)lateness->kept[m] / lateness->all_kept : 0;
    double by_count =
        upper_tail((uint32_t)n, (uint32_t)(lateness->lasts[m] * lateness->fresh), chance);
    double by_time = upper_tail((uint32_t)equal, (uint32_t)(share * floor(equal)),
                                1.0 / lateness->group->n_ranks);

    return lateness->is_stages ? by_count : fmin(by_count, by_time);
}

static void judge_rank(struct lateness *lateness, uint32_t m, bool is_with_another)
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
    late.probability = probability_of(lateness, m, chance);
    if (!is_with_another && late.probability * lateness->group->n_ranks > NSC_LATE_LEVEL)
        return;
    find_cause(&late, lateness, m);
    lateness->is_late[m] = true;
    *NSC_VEC_ADD(&lateness->out->late) = late;
}

/* Measures how much later ranks a and b start than the median of all others, summed over the
 * instances. */
static void measure_both(nsc_time out[2], struct lateness *lateness, uint32_t a, uint32_t b)
{
    nsc_time *others = nsc_xcalloc(lateness->group->n_ranks, sizeof *others);

    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < lateness->group->n; i++) {
        uint32_t n = 0;

        nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
        for (uint32_t m = 0; m < lateness->group->n_ranks; m++)
            if (m != a && m != b)
                others[n++] = lateness->starts[m];
        qsort(others, n, sizeof *others, nsc_time_compare);
        out[0] = nsc_sum(out[0], nsc_difference(lateness->starts[a], others[(n - 1) / 2]));
        out[1] = nsc_sum(out[1], nsc_difference(lateness->starts[b], others[(n - 1) / 2]));
    }
    free(others);
}

/* Judges ranks that come late together: only one is last each time, so those as late as a late one
 * are late too. Some ranks must not be. */
static void judge_equals(struct lateness *lateness, uint32_t late)
{
    nsc_time both[2];

    for (uint32_t m = 0; m < lateness->group->n_ranks && lateness->group->n_ranks > 3; m++) {
        if (lateness->is_late[m])
            continue;
        measure_both(both, lateness, late, m);
        if (both[0] > 0 && (double)both[1] >= AS_LATE * (double)both[0] &&
            (double)both[1] >= NSC_LATE_SPAN * (double)lateness->span)
            judge_rank(lateness, m, true);
    }
}

/* How often ranks a and b both start later than all others. */
static uint32_t count_both(struct lateness *lateness, uint32_t a, uint32_t b)
{
    nsc_time noise = lateness->out->list.at[lateness->collective].noise;
    uint32_t n = 0;

    for (uint32_t i = 0; i < lateness->group->n; i++) {
        nsc_time latest = INT64_MIN;

        nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
        for (uint32_t m = 0; m < lateness->group->n_ranks; m++)
            if (m != a && m != b)
                latest = nsc_later(latest, lateness->starts[m]);
        n += nsc_difference(nsc_earlier(lateness->starts[a], lateness->starts[b]), latest) > noise;
    }
    return n;
}

/* Whether ranks a and b come last in turn, each in a good part of the instances, and together more often
 * than by chance. */
static bool are_in_turn(const struct lateness *lateness, uint32_t a, uint32_t b, double pairs)
{
    double n = lateness->group->n;
    double chance = 2.0 * fmax((double)lateness->all_lasts, n) / n / lateness->group->n_ranks;
    double both = fmin(n, (double)lateness->lasts[a] + lateness->lasts[b]);

    return lateness->lasts[b] >= TURN * both && lateness->lasts[a] >= TURN * both &&
           upper_tail((uint32_t)(n * lateness->fresh), (uint32_t)(both * lateness->fresh), chance) *
                   pairs <=
               NSC_LATE_LEVEL;
}

/* Judges the two ranks that cost most, if they are late together or in turn: alone, neither is last
 * more often than by chance. */
static void judge_pair(struct lateness *lateness)
{
    uint32_t n_ranks = lateness->group->n_ranks;
    double pairs = n_ranks * (n_ranks - 1.0) / 2;
    double chance = 2.0 / n_ranks; /* of a pair to be last, if the ranks of each met just before */
    uint32_t a = 0;
    uint32_t b = NSC_NONE;
    double times;

    for (uint32_t m = 1; m < n_ranks; m++)
        a = lateness->kept[m] > lateness->kept[a] ? m : a;
    for (uint32_t m = 0; m < n_ranks; m++)
        if (m != a && (b == NSC_NONE || lateness->kept[m] > lateness->kept[b]))
            b = m;
    if (n_ranks < 3)
        return;
    times = count_both(lateness, a, b) * lateness->fresh;
    if (!are_in_turn(lateness, a, b, pairs) &&
        (n_ranks == 3 ||
         upper_tail((uint32_t)(lateness->group->n * lateness->fresh), (uint32_t)times, chance) *
                 pairs >
             NSC_LATE_LEVEL))
        return;
    judge_rank(lateness, a, true);
    judge_rank(lateness, b, true);
}

/* From the first start to the last end of a rank; nearly the same for all. */
static nsc_time span_of(const struct lateness *lateness)
{
    const struct nsc_rank_group *group = lateness->group;
    const struct nsc_rank_op *ops = lateness->out->ops->ops.at;

    return nsc_span(ops[group->ops[0]].start,
                    ops[group->ops[(size_t)(group->n - 1) * group->n_ranks]].end);
}

/* Judges further ranks, after each was judged alone. */
static void judge_others(struct lateness *lateness)
{
    size_t n = lateness->out->late.n;
    bool any = false;

    for (uint32_t m = 0; m < lateness->group->n_ranks && n == lateness->out->late.n; m++) {
        any = any || lateness->is_late[m];
        if (lateness->is_late[m])
            judge_equals(lateness, m);
    }
    if (!any)
        judge_pair(lateness);
}

/* Whether a collective is the sends between two ranks. */
static bool are_stages(const struct nsc_rank_collectives *of, uint32_t collective)
{
    return of->list.at[collective].n_ranks == 2 &&
           nsc_collective_of(nsc_strpool_text(&of->ops->pool, of->list.at[collective].name)) ==
               NSC_COLLECTIVE_SENDRECV;
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
    lateness.who = nsc_xcalloc(group->n, sizeof *lateness.who);
    lateness.is_late = nsc_xcalloc(group->n_ranks, sizeof *lateness.is_late);
    for (uint32_t i = 0; i < group->n; i++)
        lateness.who[i] = NSC_NONE;
    lateness.transfer = out->list.at[collective].transfer;
    lateness.span = span_of(&lateness);
    lateness.is_stages = are_stages(out, collective);
    count_lasts(&lateness);
    lateness.fresh = find_fresh(&lateness);
    for (uint32_t m = 0; m < group->n_ranks; m++)
        judge_rank(&lateness, m, false);
    judge_others(&lateness);
    free(lateness.who);
    free(lateness.is_late);
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

/* Whether the job is a pipeline: every rank sends to another stage. */
static bool is_pipeline(const struct nsc_rank_collectives *of)
{
    bool *is_stage = nsc_xcalloc(of->ranks.n + 1, sizeof *is_stage);
    bool all = of->ranks.n > 0;

    for (uint32_t i = 0; i < of->list.n; i++) {
        const struct nsc_rank_group *group = &of->groups.list.at[of->list.at[i].group];

        for (uint32_t m = 0; are_stages(of, i) && m < group->n_ranks; m++)
            is_stage[group->ranks[m]] = true;
    }
    for (size_t r = 0; r < of->ranks.n; r++)
        all = all && is_stage[r];
    free(is_stage);
    return all;
}

/* Finds the roots. A rank that is late because of another collective is a victim itself, if that
 * one has a late rank. In a pipeline the stages wait for each other by design: if none is late for
 * its own reason, no rank is late. */
static void find_roots(struct nsc_rank_collectives *out)
{
    bool any = false;

    for (size_t i = 0; i < out->late.n; i++) {
        enum nsc_late_cause cause = out->late.at[i].cause;

        out->late.at[i].is_root =
            cause != NSC_LATE_COLLECTIVE &&
            (cause != NSC_LATE_UNKNOWN || !are_stages(out, out->late.at[i].collective));
        any = any || out->late.at[i].is_root;
    }
    if (!any && is_pipeline(out))
        out->late.n = 0;
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
