/* Finds the ranks that hold others up. */
#include "fleet/late.h"

#include "analysis/base/limit.h"
#include "analysis/base/quantile.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "fleet/late_when.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 64 /* of more ranks the median of all stands for that of the others */ };

struct judging {
    struct nsc_verdicts *out;
    uint32_t meeting_no, n_tests;
    const struct nsc_meeting *meeting;
    uint32_t n, steps;
    float *late;      /* by member, then step */
    nsc_time *sorted; /* n */
    nsc_time *kept;   /* by member */
    bool *is_named;   /* by member */
    bool *is_seen;    /* by step: it has a collective */
};

static const struct nsc_fleet_rank *rank_of(const struct nsc_verdicts *of,
                                            const struct nsc_meeting *meeting, uint32_t m)
{
    return &of->meetings->fleet->ranks.at[meeting->ranks[m]];
}

/* ---- lateness ---- */

/* The lower median of the others, for a member that arrives at t. */
static nsc_time median_of_others(const struct judging *judging, nsc_time t)
{
    uint32_t middle = (judging->n - 2) / 2;

    if (judging->n > EXACT)
        return judging->sorted[0];
    return judging->sorted[t <= judging->sorted[middle] ? middle + 1 : middle];
}

static void sort_arrivals(struct judging *judging, const nsc_time arrival[])
{
    memcpy(judging->sorted, arrival, judging->n * sizeof *arrival);
    if (judging->n > EXACT)
        judging->sorted[0] = nsc_select(judging->sorted, judging->n, (judging->n - 1) / 2);
    else
        qsort(judging->sorted, judging->n, sizeof *judging->sorted, nsc_time_compare);
}

/* The step of a collective; without iterations, the number of the collective. */
static uint32_t step_of(const struct judging *judging, const struct nsc_meet_walk *walk, uint32_t i)
{
    const struct nsc_fleet_rank *first = rank_of(judging->out, judging->meeting, 0);

    return first->n_rows > 1 ? nsc_fleet_row_at(first, walk->arrival[0]) : i;
}

static void add_lateness(struct judging *judging)
{
    struct nsc_meet_walk walk;
    nsc_time noise = 1000 * NSC_LIMIT_LATE_NOISE;

    for (uint32_t m = 0; m < judging->n; m++)
        noise = nsc_later(noise, 2 * judging->meeting->clocks[m].residual);
    nsc_meet_walk_init(&walk, judging->out->meetings, judging->meeting_no);
    for (uint32_t i = 0; nsc_meet_walk_next(&walk); i++) {
        uint32_t step = step_of(judging, &walk, i);

        judging->is_seen[step] = true;
        sort_arrivals(judging, walk.arrival);
        for (uint32_t m = 0; m < judging->n; m++) {
            nsc_time late = nsc_span(median_of_others(judging, walk.arrival[m]), walk.arrival[m]);

            late = late > noise ? late : 0;
            judging->late[(size_t)m * judging->steps + step] += (float)late;
            judging->kept[m] = nsc_sum(judging->kept[m], late);
        }
    }
    nsc_meet_walk_fini(&walk);
}

/* ---- the test ---- */

/* Sums over the steps of the mean and the variance over the members, and the longest of all. */
struct spread {
    double mean, variance, longest;
};

static struct spread measure(const struct judging *judging)
{
    struct spread spread = {0};

    for (uint32_t s = 0; s < judging->steps; s++) {
        double sum = 0;
        double squares = 0;

        for (uint32_t m = 0; m < judging->n; m++) {
            double late = judging->late[(size_t)m * judging->steps + s];

            sum += late;
            squares += late * late;
            spread.longest = fmax(spread.longest, late);
        }
        spread.mean += sum / judging->n;
        spread.variance += squares / judging->n - pow(sum / judging->n, 2);
    }
    return spread;
}

/* Whether chance hardly gives a rank so much lateness. */
static bool is_shown(const struct judging *judging, const struct spread *spread, nsc_time kept)
{
    double t = (double)kept - spread->mean;
    double u = spread->longest * t / spread->variance;
    double least = log((double)judging->n_tests) - log(NSC_SHARE(LATE_LEVEL));

    if (t <= 0 || spread->variance <= 0)
        return false;
    return spread->variance / pow(spread->longest, 2) * ((1 + u) * log1p(u) - u) > least &&
           (double)kept >= NSC_LIMIT_LATE_SPAN / 1000.0 * (double)judging->meeting->span;
}

/* ---- who ---- */

/* Whether all members on the node of member m are named, and there are several and other nodes. */
static bool is_node(const struct judging *judging, uint32_t m)
{
    nsc_str host = rank_of(judging->out, judging->meeting, m)->host;
    uint32_t here = 0;
    uint32_t named = 0;

    for (uint32_t k = 0; k < judging->n; k++)
        if (rank_of(judging->out, judging->meeting, k)->host == host) {
            here++;
            named += judging->is_named[k];
        }
    return here > 1 && named == here && here < judging->n &&
           nsc_fleet_text(judging->out->meetings->fleet, host).n > 0;
}

/* Takes the named members that belong with member m into a verdict: its node, or those that follow each other. */
static void take_members(struct nsc_verdict *verdict, struct judging *judging, uint32_t m)
{
    nsc_str host = rank_of(judging->out, judging->meeting, m)->host;

    verdict->who = is_node(judging, m) ? NSC_WHO_NODE : NSC_WHO_RANK;
    for (uint32_t k = m; k < judging->n; k++) {
        bool is_in = verdict->who == NSC_WHO_NODE
                         ? rank_of(judging->out, judging->meeting, k)->host == host
                         : judging->is_named[k] && !is_node(judging, k);

        if (!is_in && verdict->who != NSC_WHO_NODE)
            break;
        if (is_in)
            verdict->members[verdict->n_members++] = k;
    }
    for (uint32_t i = 0; i < verdict->n_members; i++)
        judging->is_named[verdict->members[i]] = false;
    if (verdict->who == NSC_WHO_RANK && verdict->n_members > 1)
        verdict->who = NSC_WHO_RANGE;
}

/* ---- what without it, and why ---- */

static nsc_time ceiling_of(const struct judging *judging, const struct nsc_verdict *verdict)
{
    bool *is_member = nsc_xcalloc(judging->n, sizeof *is_member);
    struct nsc_meet_walk walk;
    nsc_time sum = 0;

    for (uint32_t i = 0; i < verdict->n_members; i++)
        is_member[verdict->members[i]] = true;
    nsc_meet_walk_init(&walk, judging->out->meetings, judging->meeting_no);
    while (nsc_meet_walk_next(&walk)) {
        nsc_time others = INT64_MIN;

        for (uint32_t m = 0; m < judging->n; m++)
            if (!is_member[m])
                others = nsc_later(others, walk.arrival[m]);
        if (others != INT64_MIN)
            sum = nsc_sum(sum, nsc_span(others, walk.release));
    }
    nsc_meet_walk_fini(&walk);
    free(is_member);
    return sum;
}

static nsc_time cause_total(const struct nsc_fleet_rank *rank, nsc_str word)
{
    for (uint32_t i = 0; i < rank->n_causes; i++)
        if (rank->causes[i].word == word)
            return rank->causes[i].total;
    return 0;
}

/* How much more of a class, or of a cause of idle time (word), a member has than the median of those not in the
 * verdict. */
static nsc_time excess_of(struct judging *judging, const struct nsc_verdict *verdict, uint32_t m,
                          enum nsc_part_class class, nsc_str word)
{
    uint32_t n = 0;
    uint32_t k = 0;
    const struct nsc_fleet_rank *own = rank_of(judging->out, judging->meeting, m);

    for (uint32_t i = 0; i < judging->n; i++) {
        const struct nsc_fleet_rank *rank = rank_of(judging->out, judging->meeting, i);

        if (k < verdict->n_members && verdict->members[k] == i)
            k++;
        else
            judging->sorted[n++] = word ? cause_total(rank, word) : rank->total[class];
    }
    if (n == 0)
        return 0;
    return nsc_difference(word ? cause_total(own, word) : own->total[class],
                          nsc_select(judging->sorted, n, (n - 1) / 2));
}

static void find_cause(struct nsc_verdict *verdict, struct judging *judging)
{
    static const char *const words[NSC_N_PART_CLASSES] = {"compute", "other collectives", "copies",
                                                          "host"};
    uint32_t worst = verdict->members[0];
    const struct nsc_fleet_rank *rank;
    nsc_time most = 0;

    for (uint32_t i = 1; i < verdict->n_members; i++)
        if (judging->kept[verdict->members[i]] > judging->kept[worst])
            worst = verdict->members[i];
    for (unsigned class = 0; class < NSC_N_PART_CLASSES; class ++) {
        nsc_time excess = excess_of(judging, verdict, worst, (enum nsc_part_class) class, 0);

        if (excess > verdict->excess) {
            verdict->excess = excess;
            verdict->cause = words[class];
        }
    }
    if (verdict->excess < judging->kept[worst] / 2)
        verdict->cause = NULL;
    rank = rank_of(judging->out, judging->meeting, worst);
    for (uint32_t i = 0; verdict->cause == words[NSC_PART_IDLE] && i < rank->n_causes; i++) {
        nsc_time excess = excess_of(judging, verdict, worst, NSC_PART_IDLE, rank->causes[i].word);

        if (excess > most) {
            most = excess;
            verdict->why = rank->causes[i].word;
        }
    }
}

static void add_verdict(struct judging *judging, uint32_t m)
{
    struct nsc_verdict verdict = {.meeting = judging->meeting_no,
                                  .steps = judging->steps,
                                  .members = nsc_xcalloc(judging->n, sizeof(uint32_t)),
                                  .is_root = true};
    float *cost = nsc_xcalloc(judging->steps, sizeof *cost);
    double sum = 0;

    take_members(&verdict, judging, m);
    for (uint32_t s = 0; s < judging->steps; s++) {
        for (uint32_t i = 0; i < verdict.n_members; i++)
            cost[s] =
                fmaxf(cost[s], judging->late[(size_t)verdict.members[i] * judging->steps + s]);
        sum += cost[s];
        verdict.seen += judging->is_seen[s];
    }
    verdict.kept = (nsc_time)sum;
    verdict.ceiling = ceiling_of(judging, &verdict);
    nsc_verdict_find_when(&verdict, judging->out->meetings->fleet,
                          rank_of(judging->out, judging->meeting, verdict.members[0]), cost);
    find_cause(&verdict, judging);
    *NSC_VEC_ADD(&judging->out->list) = verdict;
    free(cost);
}

/* ---- all ---- */

static void judge(struct judging *judging)
{
    struct nsc_verdicts *out = judging->out;
    struct spread spread;

    add_lateness(judging);
    spread = measure(judging);
    for (uint32_t m = 0; m < judging->n; m++) {
        judging->is_named[m] = is_shown(judging, &spread, judging->kept[m]);
        if (!judging->is_named[m] && judging->kept[m] > out->doubted.kept) {
            out->doubted.meeting = judging->meeting_no;
            out->doubted.member = m;
            out->doubted.kept = judging->kept[m];
        }
    }
    for (uint32_t m = 0; m < judging->n; m++)
        if (judging->is_named[m])
            add_verdict(judging, m);
}

static void judge_meeting(struct nsc_verdicts *out, uint32_t i, uint32_t n_tests)
{
    const struct nsc_meeting *meeting = &out->meetings->list.at[i];
    struct judging judging = {
        .out = out, .meeting_no = i, .n_tests = n_tests, .meeting = meeting, .n = meeting->n_ranks};
    uint32_t n_rows = rank_of(out, meeting, 0)->n_rows;

    judging.steps = n_rows > 1 ? n_rows : meeting->n;
    if (judging.steps == 0)
        return;
    judging.late = nsc_xcalloc((size_t)judging.n * judging.steps, sizeof *judging.late);
    judging.sorted = nsc_xcalloc(judging.n, sizeof *judging.sorted);
    judging.kept = nsc_xcalloc(judging.n, sizeof *judging.kept);
    judging.is_named = nsc_xcalloc(judging.n, sizeof *judging.is_named);
    judging.is_seen = nsc_xcalloc(judging.steps, sizeof *judging.is_seen);
    judge(&judging);
    free(judging.late);
    free(judging.sorted);
    free(judging.kept);
    free(judging.is_named);
    free(judging.is_seen);
}

static bool meets(const struct nsc_meeting *meeting, uint32_t rank)
{
    for (uint32_t m = 0; m < meeting->n_ranks; m++)
        if (meeting->ranks[m] == rank)
            return true;
    return false;
}

static bool names(const struct nsc_verdict *verdict, const struct nsc_meeting *meeting,
                  uint32_t rank)
{
    for (uint32_t i = 0; i < verdict->n_members; i++)
        if (meeting->ranks[verdict->members[i]] == rank)
            return true;
    return false;
}

/* Whether another verdict tells why a rank is late here: it meets that one's ranks there, or is one of fewer; or the same
 * rank is named there for more. */
static bool tells(const struct nsc_verdicts *of, const struct nsc_verdict *other,
                  const struct nsc_verdict *verdict, uint32_t rank)
{
    const struct nsc_meeting *there = &of->meetings->list.at[other->meeting];

    if (other->meeting == verdict->meeting || other->kept < verdict->kept / 2 ||
        !meets(there, rank))
        return false;
    if (!names(other, there, rank) || other->n_members < verdict->n_members)
        return true;
    return other->n_members == verdict->n_members &&
           (other->kept > verdict->kept ||
            (other->kept == verdict->kept && other->meeting < verdict->meeting));
}

/* Whether other verdicts tell why every member of a verdict is late. */
static bool is_kept(const struct nsc_verdicts *of, const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *here = &of->meetings->list.at[verdict->meeting];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < verdict->n_members; i++) {
        bool is = false;

        for (size_t k = 0; k < of->list.n && !is; k++)
            is = tells(of, &of->list.at[k], verdict, here->ranks[verdict->members[i]]);
        kept += is;
    }
    return kept == verdict->n_members;
}

static int compare_verdicts(const void *a, const void *b)
{
    const struct nsc_verdict *x = a;
    const struct nsc_verdict *y = b;

    if (x->is_root != y->is_root)
        return x->is_root ? -1 : 1;
    if (x->kept != y->kept)
        return x->kept > y->kept ? -1 : 1;
    if (x->meeting != y->meeting)
        return x->meeting < y->meeting ? -1 : 1;
    return x->members[0] < y->members[0] ? -1 : x->members[0] > y->members[0];
}

void nsc_verdicts_find(struct nsc_verdicts *out, const struct nsc_meetings *meetings)
{
    uint32_t n_tests = 0;

    memset(out, 0, sizeof *out);
    out->meetings = meetings;
    for (size_t i = 0; i < meetings->list.n; i++)
        n_tests += meetings->list.at[i].n_ranks;
    for (uint32_t i = 0; i < meetings->list.n; i++)
        judge_meeting(out, i, n_tests);
    for (size_t i = 0; i < out->list.n; i++)
        out->list.at[i].is_root = !is_kept(out, &out->list.at[i]);
    if (out->list.n)
        qsort(out->list.at, out->list.n, sizeof *out->list.at, compare_verdicts);
}

void nsc_verdict_who(struct nsc_buf *out, const struct nsc_verdicts *of,
                     const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];
    const struct nsc_fleet_rank *first = rank_of(of, meeting, verdict->members[0]);
    const struct nsc_fleet_rank *last =
        rank_of(of, meeting, verdict->members[verdict->n_members - 1]);
    struct nsc_text host = nsc_fleet_text(of->meetings->fleet, first->host);

    if (verdict->who == NSC_WHO_NODE)
        nsc_buf_printf(out, "node %.*s (", (int)host.n, host.bytes);
    if (verdict->who == NSC_WHO_RANK)
        nsc_buf_printf(out, "rank %" PRId64, first->number);
    else
        nsc_buf_printf(out, "ranks %" PRId64 " to %" PRId64 " of %u", first->number, last->number,
                       meeting->n_ranks);
    nsc_buf_puts(out, verdict->who == NSC_WHO_NODE ? ")" : "");
}

void nsc_verdicts_fini(struct nsc_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->list.n; i++)
        free(verdicts->list.at[i].members);
    NSC_VEC_FINI(&verdicts->list);
}
