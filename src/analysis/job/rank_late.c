/* Decides which ranks come late more often than by chance, and finds the cause. */
#include "analysis/job/rank_collectives.h"
#include "analysis/names/collective.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORKS = 4 }; /* compute, copies, communication, nothing */

struct member {
    uint32_t lasts;   /* instances in which it was late */
    nsc_time kept;    /* summed lateness */
    nsc_time longest; /* of it */
    nsc_time by;      /* in the current instance; 0: not late */
    bool is_late;     /* is named */
};

/* One group of ranks. */
struct lateness {
    struct nsc_rank_collectives *out;
    uint32_t collective;
    const struct nsc_rank_group *group;
    struct member *members;
    nsc_time *starts, *sorted; /* of the current instance */
    uint32_t *who;             /* by instance: the latest rank, the first of several; NSC_NONE */
    double lasts, kept;        /* sums over all ranks */
    double worst, squares;     /* sums over all instances: lateness of the latest, and its square */
    double fresh; /* share of instances that count, because they do not repeat the previous one */
    nsc_time transfer, span;
    bool is_stages; /* sends between two stages of a pipeline */
};

/* ---- which rank ---- */

/* The lower median of n >= 2 sorted values without one of them. */
static nsc_time median_without(const nsc_time sorted[], uint32_t n, nsc_time value)
{
    uint32_t middle = (n - 2) / 2;

    return sorted[value <= sorted[middle] ? middle + 1 : middle];
}

static const struct nsc_rank_op *op_of(const struct lateness *lateness, uint32_t i, uint32_t m)
{
    const struct nsc_rank_group *group = lateness->group;

    return &lateness->out->ops->ops.at[group->ops[(size_t)i * group->n_ranks + m]];
}

/* How much later than the others rank m starts in instance i. A stage that receives early computes while it
 * waits, and is not kept. */
static nsc_time later_by(const struct lateness *lateness, uint32_t i, uint32_t m)
{
    nsc_time start = lateness->starts[m];
    nsc_time by =
        nsc_span(median_without(lateness->sorted, lateness->group->n_ranks, start), start);

    if (lateness->is_stages && by > 0) {
        const struct nsc_rank_op *other = op_of(lateness, i, 1 - m);

        by = nsc_span(nsc_span(other->before.compute, other->after.compute), by);
    }
    return by;
}

/* Measures how late each rank is in instance i: 0 unless it is about as late as the latest. */
static void measure_instance(struct lateness *lateness, uint32_t i)
{
    uint32_t n = lateness->group->n_ranks;
    nsc_time noise = lateness->out->list.at[lateness->collective].noise;
    nsc_time latest = 0;

    nsc_rank_starts(lateness->starts, lateness->out, lateness->group, i);
    memcpy(lateness->sorted, lateness->starts, n * sizeof *lateness->sorted);
    qsort(lateness->sorted, n, sizeof *lateness->sorted, nsc_time_compare);
    for (uint32_t m = 0; m < n; m++) {
        lateness->members[m].by = later_by(lateness, i, m);
        latest = nsc_later(latest, lateness->members[m].by);
    }
    for (uint32_t m = 0; m < n; m++) {
        nsc_time by = lateness->members[m].by;

        if (by <= noise || (double)by < NSC_SHARE(LATE_TOGETHER) * (double)latest)
            lateness->members[m].by = 0;
    }
}

static void add_instance(struct lateness *lateness, uint32_t i)
{
    nsc_time worst = 0;

    measure_instance(lateness, i);
    for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
        struct member *member = &lateness->members[m];

        member->lasts += member->by > 0;
        member->kept = nsc_sum(member->kept, member->by);
        member->longest = nsc_later(member->longest, member->by);
        lateness->lasts += member->by > 0;
        lateness->kept += (double)member->by;
        if (member->by > worst)
            lateness->who[i] = m;
        worst = nsc_later(worst, member->by);
    }
    lateness->worst += (double)worst;
    lateness->squares += (double)worst * (double)worst;
}

/* ---- instances that repeat each other ---- */

/* Whether the ranks went on computing while instance i ran. Then it held no rank up, and the rank
 * late for it is also late for the next one. */
static bool is_overlapped(const struct lateness *lateness, uint32_t i)
{
    double all = 0;
    double compute = 0;

    for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
        const struct nsc_rank_op *op = op_of(lateness, i, m);

        all += (double)nsc_span(op->start, op->end);
        compute += (double)nsc_span(op->before.compute, op->after.compute);
    }
    return compute > NSC_SHARE(LATE_OVERLAPPED) * all;
}

/* The probability that the late ranks of two independent instances differ. */
static double expect_change(const struct lateness *lateness)
{
    double same = 0;

    for (uint32_t m = 0; m < lateness->group->n_ranks && lateness->lasts > 0; m++)
        same += pow(lateness->members[m].lasts / lateness->lasts, 2);
    return lateness->lasts > 0 ? 1 - same : 0;
}

/* The share of instances that count. Where instances follow one that held no rank up, the chain of last
 * ranks decides: a chain that stays with probability s counts for (1 - s) / (1 + s) of its length. */
static double find_fresh(const struct lateness *lateness)
{
    double change = expect_change(lateness);
    double followers = 0;
    double changes = 1; /* one is added to both: few pairs show little */
    double pairs = 1;
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
    stay = change > 0 ? fmax(0, 1 - changes / pairs / change) : 0;
    return 1 - followers / lateness->group->n * (1 - (1 - stay) / (1 + stay));
}

/* The probability of k or more of n events, each with probability p; n and k are rounded down. */
static double upper_tail(double n, double k, double p)
{
    double sum = 0;

    n = floor(n);
    k = floor(k);
    if (k == 0 || p >= 1)
        return 1;
    for (uint64_t i = (uint64_t)k; i <= (uint64_t)n; i++)
        sum += exp(lgamma(n + 1) - lgamma((double)i + 1) - lgamma(n - (double)i + 1) +
                   (double)i * log(p) + (n - (double)i) * log1p(-p));
    return sum < 1 ? sum : 1;
}

/* ---- the cause ---- */

/* Measures the work of rank m's GPU from the start of instance i - 1 to that of i. Compute and copies also
 * count while instance i - 1 ran: a rank that waits in it may go on with what comes next. */
static void measure_work(nsc_time out[WORKS], const struct lateness *lateness, uint32_t i,
                         uint32_t m)
{
    const struct nsc_rank_op *from = op_of(lateness, i - 1, m);
    const struct nsc_rank_op *to = op_of(lateness, i, m);
    const struct nsc_rank_work *end = &to->before;
    nsc_time busy = nsc_span(from->after.busy, end->busy);
    nsc_time own =
        nsc_sum(nsc_span(from->after.compute, end->compute), nsc_span(from->after.copy, end->copy));

    out[0] = nsc_span(from->before.compute, end->compute);
    out[1] = nsc_span(from->before.copy, end->copy);
    out[2] = nsc_span(own, busy);
    out[3] = nsc_span(busy, nsc_span(from->end, to->start));
}

/* Adds by how much the work of each rank that is late in instance i exceeds the others'. */
static void add_excess(nsc_time (*excess)[WORKS], struct lateness *lateness, uint32_t i)
{
    uint32_t n = lateness->group->n_ranks;
    nsc_time(*works)[WORKS] = nsc_xcalloc(n, sizeof *works);

    measure_instance(lateness, i);
    for (uint32_t m = 0; m < n; m++)
        measure_work(works[m], lateness, i, m);
    for (unsigned w = 0; w < WORKS; w++) {
        for (uint32_t m = 0; m < n; m++)
            lateness->sorted[m] = works[m][w];
        qsort(lateness->sorted, n, sizeof *lateness->sorted, nsc_time_compare);
        for (uint32_t m = 0; m < n; m++)
            if (lateness->members[m].by > 0)
                excess[m][w] = nsc_sum(
                    excess[m][w],
                    nsc_difference(works[m][w], median_without(lateness->sorted, n, works[m][w])));
    }
    free(works);
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
    return (double)nsc_difference(work[m], work[1 - m]) >=
           NSC_SHARE(LATE_STAGE) * (double)late->kept;
}

/* The cause is the largest excess, if it is half of all. */
static void choose_cause(struct nsc_late_rank *late, const struct lateness *lateness, uint32_t m,
                         const nsc_time excess[WORKS])
{
    static const enum nsc_late_cause causes[WORKS] = {NSC_LATE_COMPUTE, NSC_LATE_COPIES,
                                                      NSC_LATE_COLLECTIVE, NSC_LATE_CPU};
    nsc_time all = 0;

    for (unsigned w = 0; w < WORKS; w++) {
        all = nsc_sum(all, excess[w]);
        if (excess[w] > late->excess) {
            late->excess = excess[w];
            late->cause = causes[w];
        }
    }
    if (all <= 0 || late->excess < all / 2)
        late->cause = NSC_LATE_UNKNOWN;
    if (lateness->is_stages &&
        (late->cause == NSC_LATE_COMPUTE || late->cause == NSC_LATE_COPIES) &&
        !works_more(lateness, m, late))
        late->cause = NSC_LATE_COLLECTIVE;
}

/* ---- a group ---- */

/* The probability that chance gives rank m so many late instances or, if that is lower, so much of the
 * lateness, so that few long waits count fully. Lateness counts as that many equal waits. Long waits of
 * stages, while the pipeline fills, are by design: only their number counts. */
static double probability_of(const struct lateness *lateness, uint32_t m)
{
    const struct member *member = &lateness->members[m];
    double n = lateness->group->n;
    double all = lateness->group->n_ranks;
    double equal = lateness->worst * lateness->worst / lateness->squares * lateness->fresh;
    double share = (double)member->kept / lateness->worst;
    double by_count = upper_tail(n * lateness->fresh, member->lasts * lateness->fresh,
                                 fmax(lateness->lasts, n) / n / all);
    double by_time =
        upper_tail(equal, share * floor(equal), lateness->kept / lateness->worst / all);

    return lateness->is_stages ? by_count : fmin(by_count, by_time);
}

/* Whether the others wait for rank m for a large part of their time, in several waits, and for hardly any other. */
static bool is_costly(const struct lateness *lateness, const struct member *member)
{
    double kept = (double)member->kept;

    return !lateness->is_stages &&
           kept * lateness->fresh >= NSC_SHARE(LATE_LARGE) * (double)lateness->span &&
           kept >= NSC_SHARE(LATE_MOST) * lateness->worst &&
           (double)member->longest <= NSC_SHARE(LATE_ONE) * kept;
}

/* Why rank m alone is not late, if so. */
static enum nsc_late_doubt find_doubt(const struct lateness *lateness, uint32_t m)
{
    const struct member *member = &lateness->members[m];
    double enough = fmax((NSC_LIMIT_LATE_SPAN / 1000.0) * (double)lateness->span,
                         NSC_SHARE(LATE_TRANSFER) * (double)lateness->transfer);

    if ((double)member->kept < enough || member->kept == 0)
        return NSC_DOUBT_TRIFLE;
    if ((double)(member->kept - member->longest) < enough)
        return NSC_DOUBT_ONCE;
    if (probability_of(lateness, m) * lateness->group->n_ranks <= NSC_SHARE(LATE_LEVEL) ||
        is_costly(lateness, member))
        return NSC_DOUBT_NONE;
    return NSC_DOUBT_CHANCE;
}

/* Judges the two ranks that cost most, if they are late in turn: together more often than by chance. Alone,
 * neither is. Whether they may be. */
static bool judge_pair(struct lateness *lateness)
{
    struct member *members = lateness->members;
    uint32_t n_ranks = lateness->group->n_ranks;
    double n = lateness->group->n;
    double pairs = n_ranks * (n_ranks - 1.0) / 2;
    double chance = 2.0 * fmax(lateness->lasts, n) / n / n_ranks;
    uint32_t pair[2] = {0, 0};
    double both;

    for (uint32_t m = 1; m < n_ranks; m++)
        if (members[m].kept > members[pair[0]].kept) {
            pair[1] = pair[0];
            pair[0] = m;
        } else if (pair[1] == pair[0] || members[m].kept > members[pair[1]].kept) {
            pair[1] = m;
        }
    both = fmin(n, (double)members[pair[0]].lasts + members[pair[1]].lasts) * lateness->fresh;
    if (upper_tail(n * lateness->fresh, both, chance) * pairs > NSC_SHARE(LATE_LEVEL))
        return false;
    for (int i = 0; i < 2; i++)
        members[pair[i]].is_late = find_doubt(lateness, pair[i]) == NSC_DOUBT_CHANCE;
    return true;
}

static struct nsc_late_rank late_rank(const struct lateness *lateness, uint32_t m,
                                      enum nsc_late_doubt doubt)
{
    double n = lateness->group->n;

    return (struct nsc_late_rank){.rank = lateness->group->ranks[m],
                                  .collective = lateness->collective,
                                  .last = lateness->members[m].lasts,
                                  .instances = lateness->group->n,
                                  .chance = fmax(lateness->lasts, n) / n / lateness->group->n_ranks,
                                  .kept = lateness->members[m].kept,
                                  .span = lateness->span,
                                  .doubt = doubt};
}

/* Names ranks, and keeps the one that is not named and cost most. Whether any may be named. */
static bool judge_ranks(struct lateness *lateness)
{
    struct nsc_rank_collectives *out = lateness->out;
    bool any = false;

    for (uint32_t m = 0; m < lateness->group->n_ranks; m++) {
        enum nsc_late_doubt doubt = find_doubt(lateness, m);

        lateness->members[m].is_late = doubt == NSC_DOUBT_NONE;
        any = any || doubt == NSC_DOUBT_NONE;
        if (doubt != NSC_DOUBT_NONE && lateness->members[m].kept > out->doubted.kept)
            out->doubted = late_rank(lateness, m, doubt);
    }
    return any || judge_pair(lateness);
}

/* Adds the named ranks, with their causes. */
static void add_late(struct lateness *lateness)
{
    uint32_t n = lateness->group->n_ranks;
    nsc_time(*excess)[WORKS] = nsc_xcalloc(n, sizeof *excess);

    for (uint32_t i = 1; i < lateness->group->n; i++)
        add_excess(excess, lateness, i);
    for (uint32_t m = 0; m < n; m++)
        if (lateness->members[m].is_late) {
            struct nsc_late_rank late = late_rank(lateness, m, NSC_DOUBT_NONE);

            choose_cause(&late, lateness, m, excess[m]);
            *NSC_VEC_ADD(&lateness->out->late) = late;
        }
    free(excess);
}

/* From the first start to the last end of a rank; nearly the same for all. */
static nsc_time span_of(const struct lateness *lateness)
{
    const struct nsc_rank_group *group = lateness->group;
    const struct nsc_rank_op *ops = lateness->out->ops->ops.at;

    return nsc_span(ops[group->ops[0]].start,
                    ops[group->ops[(size_t)(group->n - 1) * group->n_ranks]].end);
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
    lateness.members = nsc_xcalloc(group->n_ranks, sizeof *lateness.members);
    lateness.starts = nsc_xcalloc(group->n_ranks, sizeof *lateness.starts);
    lateness.sorted = nsc_xcalloc(group->n_ranks, sizeof *lateness.sorted);
    lateness.who = nsc_xcalloc(group->n, sizeof *lateness.who);
    lateness.transfer = out->list.at[collective].transfer;
    lateness.span = span_of(&lateness);
    lateness.is_stages = are_stages(out, collective);
    for (uint32_t i = 0; i < group->n; i++) {
        lateness.who[i] = NSC_NONE;
        add_instance(&lateness, i);
    }
    lateness.fresh = find_fresh(&lateness);
    if (judge_ranks(&lateness))
        add_late(&lateness);
    for (uint32_t m = 0; m < group->n_ranks; m++) {
        struct nsc_job_rank *rank = &out->ranks.at[group->ranks[m]];

        rank->last += lateness.members[m].lasts;
        rank->kept = nsc_sum(rank->kept, lateness.members[m].kept);
    }
    free(lateness.members);
    free(lateness.starts);
    free(lateness.sorted);
    free(lateness.who);
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
    if (!any && out->late.n && is_pipeline(out)) {
        out->doubted = out->late.at[0];
        out->doubted.doubt = NSC_DOUBT_STAGES;
        out->late.n = 0;
    }
    for (size_t i = 0; i < out->late.n && !any; i++)
        out->late.at[i].is_root = true;
}

void nsc_rank_late_find(struct nsc_rank_collectives *collectives)
{
    for (uint32_t i = 0; i < collectives->list.n; i++)
        judge_group(collectives, i);
    find_roots(collectives);
    NSC_VEC_SORT(&collectives->late, compare_late);
}
