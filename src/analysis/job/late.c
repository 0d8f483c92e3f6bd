/* Finds the ranks that hold others up. */
#include "analysis/job/late.h"

#include "analysis/base/limit.h"
#include "analysis/base/quantile.h"
#include "analysis/job/late_chance.h"
#include "analysis/job/late_when.h"
#include "core/sort.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 64 /* of more ranks the median of all stands for that of the others */ };

struct member {
    nsc_time kept;
    nsc_time pending; /* late, but the others are not held up yet */
    nsc_time waited;
    nsc_time here;  /* time in the collectives of this meeting */
    uint32_t times; /* collectives to which it came late */
    double counted; /* kept, but of each step the cap at most; 0: it is told */
    bool is_named, is_told;
};

struct judging {
    struct nsc_verdicts *out;
    uint32_t meeting_no;
    double n_tests;
    const struct nsc_meeting *meeting;
    uint32_t n, steps;
    float *late;      /* by member, then step */
    float cap;        /* what counts of a step at most */
    nsc_time *sorted; /* n */
    struct member *members;
    bool *is_seen; /* by step: it has a collective */
};

static const struct nsc_fleet_rank *rank_of(const struct nsc_verdicts *of,
                                            const struct nsc_meeting *meeting, uint32_t m)
{
    return &of->meetings->fleet->ranks.at[meeting->ranks[m]];
}

static nsc_time whole(double ns)
{
    return (nsc_time)fmin(ns, 9e18);
}

/* ---- lateness ---- */

/* The lower median of the others, for a member that arrives at t. */
static nsc_time median_of_others(const nsc_time sorted[], uint32_t n, nsc_time t)
{
    uint32_t middle = (n - 2) / 2;

    if (n > EXACT)
        return sorted[0];
    return sorted[t <= sorted[middle] ? middle + 1 : middle];
}

nsc_time nsc_lateness_noise(const struct nsc_meeting *meeting)
{
    nsc_time noise = 1000 * NSC_LIMIT_LATE_NOISE;

    for (uint32_t m = 0; m < meeting->n_ranks; m++)
        noise = nsc_later(noise, nsc_product(3, meeting->clocks[m].residual));
    return noise;
}

void nsc_lateness(nsc_time late[], const struct nsc_meet_walk *walk, nsc_time noise,
                  nsc_time sorted[])
{
    uint32_t n = walk->meeting->n_ranks;

    memcpy(sorted, walk->arrival, n * sizeof *sorted);
    if (n > EXACT)
        sorted[0] = nsc_select(sorted, n, (n - 1) / 2);
    else
        qsort(sorted, n, sizeof *sorted, nsc_time_compare);
    for (uint32_t m = 0; m < n; m++) {
        late[m] = nsc_span(median_of_others(sorted, n, walk->arrival[m]), walk->arrival[m]);
        if (late[m] <= noise)
            late[m] = 0;
    }
}

/* The step of a collective; without iterations, the number of the collective. */
static uint32_t step_of(const struct judging *judging, const struct nsc_meet_walk *walk, uint32_t i)
{
    const struct nsc_fleet_rank *first = rank_of(judging->out, judging->meeting, 0);

    return first->n_rows > 1 ? nsc_fleet_row_at(first, walk->arrival[0]) : i;
}

/* Adds what a member is late. If the ranks compute on, they are not held up yet: it counts once, with the collective
 * that holds them up. */
static void add_late(struct judging *judging, const struct nsc_meet_walk *walk, uint32_t step,
                     uint32_t m, nsc_time late)
{
    judging->members[m].times += late > 0;
    judging->members[m].pending = nsc_later(judging->members[m].pending, late);
    if (walk->is_beside)
        return;
    judging->late[(size_t)m * judging->steps + step] += (float)judging->members[m].pending;
    judging->members[m].kept = nsc_sum(judging->members[m].kept, judging->members[m].pending);
    judging->members[m].pending = 0;
}

static void add_lateness(struct judging *judging)
{
    struct nsc_meet_walk walk;
    nsc_time noise = nsc_lateness_noise(judging->meeting);
    nsc_time *late = nsc_xcalloc(judging->n, sizeof *late);

    nsc_meet_walk_init(&walk, judging->out->meetings, judging->meeting_no);
    for (uint32_t i = 0; nsc_meet_walk_next(&walk); i++) {
        uint32_t step = step_of(judging, &walk, i);

        judging->is_seen[step] = true;
        nsc_lateness(late, &walk, noise, judging->sorted);
        for (uint32_t m = 0; m < judging->n; m++) {
            nsc_time last = walk.last[m];

            judging->members[m].waited =
                nsc_sum(judging->members[m].waited, nsc_span(walk.shortest, last));
            judging->members[m].here =
                nsc_sum(judging->members[m].here, nsc_product(walk.every, last));
            if (!judging->meeting->is_sends)
                add_late(judging, &walk, step, m, late[m]);
        }
    }
    nsc_meet_walk_fini(&walk);
    free(late);
    for (uint32_t m = 0; m < judging->n; m++) {
        struct nsc_late_figures *figures = &judging->out->ranks[judging->meeting->ranks[m]];

        figures->last += judging->members[m].times;
        figures->kept = nsc_sum(figures->kept, judging->members[m].kept);
    }
}

/* ---- the test ---- */

static double longest_of(const struct judging *judging, uint32_t m)
{
    float longest = 0;

    for (uint32_t s = 0; s < judging->steps; s++)
        longest = fmaxf(longest, judging->late[(size_t)m * judging->steps + s]);
    return (double)fminf(longest, judging->cap);
}

/* Whether the others wait for a member for a large part of their time, in several steps, and for hardly any other. */
static bool is_costly(const struct judging *judging, const struct nsc_late_chance *chance,
                      uint32_t m)
{
    double kept = judging->members[m].counted;

    return kept >= NSC_SHARE(LARGE) * (double)judging->meeting->span &&
           kept >= NSC_SHARE(LATE_MOST) * chance->latest &&
           longest_of(judging, m) <= NSC_SHARE(LATE_ONE) * kept;
}

static void count(struct judging *judging, uint32_t m)
{
    struct member *member = &judging->members[m];

    member->counted = 0;
    for (uint32_t s = 0; s < judging->steps && !member->is_told; s++)
        member->counted +=
            (double)fminf(judging->late[(size_t)m * judging->steps + s], judging->cap);
}

static bool is_dear(const struct judging *judging, double kept)
{
    return kept > 0 && kept >= NSC_LIMIT_LATE_SPAN / 1000.0 * (double)judging->meeting->span;
}

static bool is_late(const struct judging *judging, const struct nsc_late_chance *chance, uint32_t m)
{
    double kept = judging->members[m].counted;

    return is_dear(judging, kept) && (nsc_late_chance_is_unlikely(chance, kept, judging->n_tests) ||
                                      is_costly(judging, chance, m));
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
            named += judging->members[k].is_named;
        }
    return here > 1 && named == here && here < judging->n &&
           nsc_fleet_text(judging->out->meetings->fleet, host).n > 0;
}

/* Takes the named members that belong with member m into a verdict: its node, or those that follow each other; whole nodes that
 * do are one verdict. */
static void take_near(struct nsc_verdict *verdict, const struct judging *judging, uint32_t m)
{
    nsc_str host = rank_of(judging->out, judging->meeting, m)->host;
    bool is_whole = is_node(judging, m);
    uint32_t end = m;

    while (end < judging->n && judging->members[end].is_named && is_node(judging, end) == is_whole)
        end++;
    if (is_whole && rank_of(judging->out, judging->meeting, end - 1)->host == host)
        verdict->who = NSC_WHO_NODE;
    else
        verdict->who = end - m > 1 ? NSC_WHO_RANGE : NSC_WHO_RANK;
    for (uint32_t k = m; k < judging->n; k++)
        if (verdict->who == NSC_WHO_NODE ? rank_of(judging->out, judging->meeting, k)->host == host
                                         : k < end)
            verdict->members[verdict->n_members++] = k;
}

/* Takes the named members from m on if they have a pattern, else those that belong with m. */
static void take_members(struct nsc_verdict *verdict, struct judging *judging, uint32_t m)
{
    for (uint32_t k = m; k < judging->n; k++)
        if (judging->members[k].is_named)
            verdict->members[verdict->n_members++] = k;
    if (!nsc_verdict_find_pattern(verdict, judging->out)) {
        verdict->n_members = 0;
        take_near(verdict, judging, m);
    }
    for (uint32_t i = 0; i < verdict->n_members; i++) {
        judging->members[verdict->members[i]].is_named = false;
        judging->members[verdict->members[i]].is_told = true;
    }
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

enum why { COMPUTE, COPIES, ELSEWHERE, HOST, N_WHYS, NETWORK = N_WHYS };

static const char *const whys[] = {"compute", "copies", "other collectives", "host",
                                   "network or larger messages"};

/* The time that a member spends on a reason to be late: of its whole time, put on the span of the meeting. */
static nsc_time time_of(const struct judging *judging, uint32_t m, enum why why, nsc_str word)
{
    static const enum nsc_part_class classes[N_WHYS] = {
        [COMPUTE] = NSC_PART_COMPUTE, [COPIES] = NSC_PART_OTHER, [HOST] = NSC_PART_IDLE};
    const struct nsc_fleet_rank *rank = rank_of(judging->out, judging->meeting, m);
    double scale = rank->span > 0 ? (double)judging->meeting->span / (double)rank->span : (double)0;
    nsc_time all = judging->out->communication[judging->meeting->ranks[m]];

    if (why == NETWORK) /* which is the same for all members in this meeting */
        return judging->out->ranks[judging->meeting->ranks[m]].transfer;
    if (why == ELSEWHERE)
        return nsc_span(judging->members[m].here, all);
    if (why == HOST && rank->gpu == NSC_RANK_NO_GPU)
        return nsc_span(all, judging->meeting->span);
    return whole(scale * (double)(word ? cause_total(rank, word) : rank->total[classes[why]]));
}

/* How much more of it a member has than the median of those not in the verdict. */
static nsc_time excess_of(struct judging *judging, const struct nsc_verdict *verdict, uint32_t m,
                          enum why why, nsc_str word)
{
    uint32_t n = 0;
    uint32_t k = 0;

    for (uint32_t i = 0; i < judging->n; i++)
        if (k < verdict->n_members && verdict->members[k] == i)
            k++;
        else
            judging->sorted[n++] = time_of(judging, i, why, word);
    return n ? nsc_difference(time_of(judging, m, why, word),
                              nsc_select(judging->sorted, n, (n - 1) / 2))
             : 0;
}

/* Whether all members take part in about as many collectives as member m. */
static bool all_have_as_many(const struct judging *judging, uint32_t m)
{
    const struct nsc_late_figures *ranks = judging->out->ranks;
    double most = ranks[judging->meeting->ranks[m]].matched;

    for (uint32_t i = 0; i < judging->n; i++)
        if (ranks[judging->meeting->ranks[i]].matched < 0.9 * most)
            return false;
    return true;
}

static void find_cause(struct nsc_verdict *verdict, struct judging *judging)
{
    uint32_t worst = verdict->members[0];
    const struct nsc_fleet_rank *rank;
    nsc_time network, most = 0;

    for (uint32_t i = 1; i < verdict->n_members; i++)
        if (judging->members[verdict->members[i]].counted > judging->members[worst].counted)
            worst = verdict->members[i];
    for (unsigned why = 0; why < N_WHYS; why++) {
        nsc_time excess = excess_of(judging, verdict, worst, (enum why)why, 0);

        if (excess > verdict->excess) {
            verdict->excess = excess;
            verdict->cause = whys[why];
        }
    }
    network = excess_of(judging, verdict, worst, NETWORK, 0);
    if (verdict->cause == whys[ELSEWHERE] && network >= judging->members[worst].kept / 2 &&
        all_have_as_many(judging, worst)) {
        verdict->excess = network;
        verdict->cause = whys[NETWORK];
    }
    if (verdict->excess < judging->members[worst].kept / 2 ||
        2 * judging->members[worst].counted < (double)judging->members[worst].kept)
        verdict->cause = NULL; /* an accident of its own hides the cause of the other steps */
    verdict->is_own = verdict->cause && verdict->cause != whys[ELSEWHERE];
    rank = rank_of(judging->out, judging->meeting, worst);
    for (uint32_t i = 0; verdict->cause == whys[HOST] && i < rank->n_causes; i++) {
        nsc_time excess = excess_of(judging, verdict, worst, HOST, rank->causes[i].word);

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
    verdict.kept_by = nsc_xcalloc(verdict.n_members, sizeof *verdict.kept_by);
    verdict.late_by = nsc_xcalloc(verdict.n_members, sizeof *verdict.late_by);
    for (uint32_t i = 0; i < verdict.n_members; i++) {
        verdict.kept_by[i] = judging->members[verdict.members[i]].kept;
        verdict.late_by[i] = judging->members[verdict.members[i]].times;
    }
    for (uint32_t s = 0; s < judging->steps; s++) {
        for (uint32_t i = 0; i < verdict.n_members; i++)
            cost[s] =
                fmaxf(cost[s], judging->late[(size_t)verdict.members[i] * judging->steps + s]);
        sum += cost[s];
        cost[s] = fminf(cost[s], judging->cap);
        verdict.seen += judging->is_seen[s];
    }
    verdict.kept = whole(sum);
    verdict.ceiling = ceiling_of(judging, &verdict);
    nsc_verdict_find_when(&verdict, judging->out->meetings->fleet,
                          rank_of(judging->out, judging->meeting, verdict.members[0]), cost);
    find_cause(&verdict, judging);
    *NSC_VEC_ADD(&judging->out->list) = verdict;
    free(cost);
}

/* ---- all ---- */

/* Keeps what the costliest member did that is not told. */
static void keep_doubted(struct judging *judging)
{
    struct nsc_doubted *of = &judging->out->doubted;

    judging->cap = INFINITY;
    for (uint32_t m = 0; m < judging->n; m++) {
        nsc_time kept = judging->members[m].kept;
        double longest = longest_of(judging, m);
        double most = 0;

        if (judging->members[m].is_told || kept <= of->kept)
            continue;
        *of = (struct nsc_doubted){.meeting = judging->meeting_no,
                                   .member = m,
                                   .kept = kept,
                                   .of = judging->steps,
                                   .is_accident = is_dear(judging, (double)kept) &&
                                                  longest > NSC_SHARE(LATE_ONE) * (double)kept};
        for (uint32_t s = 0; s < judging->steps; s++) {
            double late = (double)judging->late[(size_t)m * judging->steps + s];

            of->steps += 2 * late >= longest;
            most += 2 * late >= longest ? late : 0;
        }
        if (!is_dear(judging, (double)kept) || 2 * most < (double)kept ||
            4 * (uint64_t)of->steps > of->of)
            of->steps = 0;
    }
}

/* Whether a member costs two thirds of kept. */
static bool costs_as_much(const struct judging *judging, uint32_t m, double kept)
{
    return kept > 0 && 3 * judging->members[m].counted >= 2 * kept;
}

/* Whether a member costs two thirds of kept, and is late in most of the steps in which a named one is. */
static bool is_late_with(const struct judging *judging, uint32_t m, uint32_t named, double kept)
{
    const float *own = judging->late + (size_t)m * judging->steps;
    const float *other = judging->late + (size_t)named * judging->steps;
    uint32_t n = 0;
    uint32_t both = 0;

    for (uint32_t s = 0; s < judging->steps; s++) {
        n += other[s] > 0;
        both += other[s] > 0 && own[s] > 0;
    }
    return costs_as_much(judging, m, kept) && both > n / 2;
}

/* Names those that cost as much as the costliest, at most half of all, if chance hardly gives them together so much: they
 * are late in turns, each too seldom to be named alone. */
static void name_turns(struct judging *judging)
{
    struct nsc_late_chance chance;
    double top = 0;
    double kept = 0;
    uint32_t k = 0;

    for (uint32_t m = 0; m < judging->n; m++)
        top = fmax(top, judging->members[m].counted);
    for (uint32_t m = 0; m < judging->n; m++)
        if (costs_as_much(judging, m, top)) {
            kept += judging->members[m].counted;
            k++;
        }
    chance = nsc_late_chance_measure(judging->late, judging->cap, judging->n, judging->steps, k);
    if (k < 2 || k > judging->n / 2 || !is_dear(judging, kept) ||
        !nsc_late_chance_is_unlikely(&chance, kept, judging->n_tests))
        return;
    for (uint32_t m = 0; m < judging->n; m++)
        judging->members[m].is_named |= costs_as_much(judging, m, top);
}

static void name_like(struct judging *judging, uint32_t named, double kept)
{
    for (uint32_t m = 0; m < judging->n; m++)
        judging->members[m].is_named |= is_late_with(judging, m, named, kept);
}

/* Whether no member costs between half and two thirds of kept. */
static bool is_apart(const struct judging *judging, double kept)
{
    for (uint32_t m = 0; m < judging->n; m++)
        if (2 * judging->members[m].counted >= kept && 3 * judging->members[m].counted < 2 * kept)
            return false;
    return true;
}

/* Names those that are late with the one that costs most: of many each is late alone less surely. That one costs most by
 * chance, too: then those that are like the mean of these, if they stand apart from the others. */
static void name_others(struct judging *judging)
{
    uint32_t top = NSC_NONE;
    uint32_t n = 0;
    double sum = 0;

    for (uint32_t m = 0; m < judging->n; m++)
        if (judging->members[m].is_named &&
            (top == NSC_NONE || judging->members[m].counted > judging->members[top].counted))
            top = m;
    if (top == NSC_NONE) {
        name_turns(judging);
        return;
    }
    name_like(judging, top, judging->members[top].counted);
    for (uint32_t m = 0; m < judging->n; m++) {
        n += judging->members[m].is_named;
        sum += judging->members[m].is_named ? judging->members[m].counted : 0;
    }
    if (is_apart(judging, sum / n))
        name_like(judging, top, sum / n);
}

/* Judges what counts whole, then with a lower and lower cap: an accident hides no rank that is late in each step. Each test
 * has half the level of the one before. */
static void judge(struct judging *judging)
{
    struct nsc_late_chance chance;

    judging->cap = INFINITY;
    do {
        judging->n_tests *= 2;
        chance =
            nsc_late_chance_measure(judging->late, judging->cap, judging->n, judging->steps, 1);
        for (uint32_t m = 0; m < judging->n; m++) {
            count(judging, m);
            judging->members[m].is_named = is_late(judging, &chance, m);
        }
        name_others(judging);
        for (uint32_t m = 0; m < judging->n; m++)
            if (judging->members[m].is_named)
                add_verdict(judging, m);
        judging->cap = (float)chance.longest / 2;
    } while (is_dear(judging, (double)judging->cap * judging->steps));
    keep_doubted(judging);
}

/* Names the stage of two that computes longer while the other one waits in what they send. */
static void judge_stages(struct judging *judging)
{
    for (uint32_t m = 0; m < 2 && judging->n == 2; m++) {
        nsc_time more =
            nsc_difference(time_of(judging, m, COMPUTE, 0), time_of(judging, 1 - m, COMPUTE, 0));
        nsc_time kept = nsc_earlier(more, judging->members[1 - m].waited);
        struct nsc_verdict *verdict;

        if ((double)kept < NSC_SHARE(SLIGHT) * (double)judging->meeting->span)
            continue;
        judging->members[m].kept = kept;
        judging->members[m].counted = (double)kept;
        judging->members[m].times = judging->meeting->n;
        judging->members[m].is_named = true;
        add_verdict(judging, m);
        verdict = &judging->out->list.at[judging->out->list.n - 1];
        verdict->kept = verdict->ceiling = kept;
        verdict->late_steps = verdict->seen;
        verdict->cause = whys[COMPUTE];
        verdict->is_own = true;
        verdict->excess = more;
    }
}

void nsc_verdicts_judge(struct nsc_verdicts *out, uint32_t i, uint32_t n_tests)
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
    judging.members = nsc_xcalloc(judging.n, sizeof *judging.members);
    judging.is_seen = nsc_xcalloc(judging.steps, sizeof *judging.is_seen);
    add_lateness(&judging);
    if (meeting->is_sends)
        judge_stages(&judging);
    else
        judge(&judging);
    free(judging.late);
    free(judging.sorted);
    free(judging.members);
    free(judging.is_seen);
}
