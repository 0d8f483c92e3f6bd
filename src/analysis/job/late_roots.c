/* Judges a job: tells which verdicts are roots, and whom they name. */
#include "analysis/base/limit.h"
#include "analysis/job/late.h"
#include "analysis/names/collective.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    ACCIDENT = 3, /* members that may have a pattern by accident */
    RUNS = 4      /* most that are told one by one */
};

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
        !nsc_meeting_has(there, rank))
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

NSC_COMPARE(compare_verdicts, struct nsc_verdict,
            NSC_MOST(is_root) || NSC_MOST(kept) || NSC_LEAST(meeting) || NSC_LEAST(members[0]))

/* Whether a rank that waits by design is named: the members are stages, no work of its own makes it late, and
 * no other verdict tells why it is. */
static bool is_by_design(const struct nsc_verdicts *of, const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];

    for (uint32_t m = 0; m < meeting->n_ranks; m++)
        if (!of->sends[meeting->ranks[m]])
            return false;
    return verdict->is_root && !verdict->is_own;
}

static void fini_verdict(struct nsc_verdict *verdict)
{
    free(verdict->members);
    free(verdict->kept_by);
    free(verdict->late_by);
}

/* Tells roots from those that another named rank keeps, drops what is by design, and sorts. */
static void find_roots(struct nsc_verdicts *out)
{
    size_t n = 0;

    for (size_t i = 0; i < out->list.n; i++)
        out->list.at[i].is_root = !is_kept(out, &out->list.at[i]);
    for (size_t i = 0; i < out->list.n; i++)
        if (is_by_design(out, &out->list.at[i]))
            fini_verdict(&out->list.at[i]);
        else
            out->list.at[n++] = out->list.at[i];
    out->list.n = n;
    if (n)
        qsort(out->list.at, n, sizeof *out->list.at, compare_verdicts);
}

/* ---- who ---- */

/* The end of the members that follow each other from i on. */
static uint32_t run_end(const struct nsc_verdict *verdict, uint32_t i)
{
    do
        i++;
    while (i < verdict->n_members && verdict->members[i] == verdict->members[i - 1] + 1);
    return i;
}

/* Whether runs as long as the first return at the step from the first to the second, all through the meeting. */
static bool is_periodic(const struct nsc_verdict *verdict, uint32_t n)
{
    const uint32_t *members = verdict->members;
    uint32_t run = run_end(verdict, 0);
    uint32_t step = members[run] - members[0];
    uint32_t i = 0;

    while (i < verdict->n_members && members[i] == members[0] + i / run * step + i % run)
        i++;
    return i == verdict->n_members && members[0] + i / run * step + i % run >= n &&
           members[0] + run <= step;
}

static int64_t number_of(const struct nsc_verdicts *of, const struct nsc_verdict *verdict,
                         uint32_t member)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];

    return of->meetings->fleet->ranks.at[meeting->ranks[member]].number;
}

bool nsc_verdict_find_pattern(struct nsc_verdict *verdict, const struct nsc_verdicts *of)
{
    uint32_t n = of->meetings->list.at[verdict->meeting].n_ranks;
    uint32_t runs = 0;

    for (uint32_t i = 0; i < verdict->n_members; i = run_end(verdict, i))
        runs++;
    if (runs > 1 && verdict->n_members > ACCIDENT && is_periodic(verdict, n) &&
        number_of(of, verdict, n - 1) - number_of(of, verdict, 0) == (int64_t)n - 1)
        verdict->who = NSC_WHO_EVERY;
    else if (runs > RUNS)
        verdict->who = NSC_WHO_MANY;
    else
        return false;
    return true;
}

static void put_every(struct nsc_buf *out, const struct nsc_verdicts *of,
                      const struct nsc_verdict *verdict, uint32_t n)
{
    uint32_t run = run_end(verdict, 0);
    uint32_t step = verdict->members[run] - verdict->members[0];
    int64_t first = number_of(of, verdict, verdict->members[0]);

    if (run == 1)
        nsc_buf_printf(out, "every %u%s rank of %u, from rank %" PRId64, step,
                       nsc_units_ordinal(step), n, first);
    else
        nsc_buf_printf(out, "ranks %" PRId64 " to %" PRId64 " of every %u, of %u", first,
                       first + run - 1, step, n);
}

void nsc_verdict_who(struct nsc_buf *out, const struct nsc_verdicts *of,
                     const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];
    int64_t first = number_of(of, verdict, verdict->members[0]);
    int64_t last = number_of(of, verdict, verdict->members[verdict->n_members - 1]);
    struct nsc_text host =
        nsc_fleet_text(of->meetings->fleet,
                       of->meetings->fleet->ranks.at[meeting->ranks[verdict->members[0]]].host);

    if (verdict->who == NSC_WHO_EVERY)
        put_every(out, of, verdict, meeting->n_ranks);
    else if (verdict->who == NSC_WHO_MANY)
        nsc_buf_printf(out, "%u of %u ranks between %" PRId64 " and %" PRId64, verdict->n_members,
                       meeting->n_ranks, first, last);
    else if (verdict->who == NSC_WHO_RANK)
        nsc_buf_printf(out, "rank %" PRId64, first);
    else if (verdict->who == NSC_WHO_RANGE)
        nsc_buf_printf(out, "ranks %" PRId64 " to %" PRId64 " of %u", first, last,
                       meeting->n_ranks);
    else
        nsc_buf_printf(out, "node %.*s (ranks %" PRId64 " to %" PRId64 " of %u)", (int)host.n,
                       host.bytes, first, last, meeting->n_ranks);
}

/* ---- stragglers ---- */

/* Whether a collective of a verdict is the operation. */
static bool is_of_op(const struct nsc_verdicts *of, const struct nsc_verdict *verdict,
                     struct nsc_text op)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];
    const struct nsc_fleet *fleet = of->meetings->fleet;

    for (size_t i = 0; i < meeting->series.n; i += meeting->n_ranks) {
        const char *word =
            nsc_nccl_word(nsc_fleet_text(fleet, fleet->series.at[meeting->series.at[i]].name));

        if (word && nsc_text_is(op, word))
            return true;
    }
    return false;
}

static void put_rank(struct nsc_buf *out, const struct nsc_fleet *fleet, uint32_t rank)
{
    const struct nsc_fleet_rank *late = &fleet->ranks.at[rank];
    bool shares = false;

    for (size_t k = 0; k < fleet->ranks.n; k++)
        shares = shares || (k != rank && fleet->ranks.at[k].pid == late->pid);
    nsc_buf_printf(out, "%spid:%" PRIu32, out->n ? " " : "", late->pid);
    if (shares)
        nsc_buf_printf(out, ",gpu:%" PRId64, late->gpu);
}

void nsc_verdicts_stragglers(struct nsc_buf *out, const struct nsc_verdicts *of, struct nsc_text op)
{
    nsc_buf_clear(out);
    for (size_t i = 0; i < of->list.n; i++) {
        const struct nsc_verdict *verdict = &of->list.at[i];

        for (uint32_t m = 0; m < verdict->n_members && is_of_op(of, verdict, op); m++)
            put_rank(out, of->meetings->fleet,
                     of->meetings->list.at[verdict->meeting].ranks[verdict->members[m]]);
    }
    nsc_buf_putc(out, '\0');
}

/* ---- all ---- */

static void add_communication(struct nsc_verdicts *out)
{
    const struct nsc_fleet *fleet = out->meetings->fleet;

    for (uint32_t s = 0; s < out->meetings->n_series; s++) {
        const struct nsc_fleet_series *series = &fleet->series.at[s];
        double sum = 0;

        for (uint32_t i = 0; i < series->n; i++)
            sum += (double)fleet->lasts.at[series->first + i] * series->every;
        out->communication[series->rank] =
            nsc_sum(out->communication[series->rank], (nsc_time)fmin(sum, 9e18));
        out->sends[series->rank] |=
            nsc_collective_of(nsc_fleet_text(fleet, series->name)) == NSC_COLLECTIVE_SENDRECV;
    }
}

void nsc_judge(struct nsc_judged *out, struct nsc_fleet *fleet)
{
    struct nsc_verdicts *of = &out->verdicts;
    uint32_t n_tests = 0;

    nsc_fleet_number(fleet);
    nsc_meetings_build(&out->meetings, fleet);
    *of = (struct nsc_verdicts){.meetings = &out->meetings,
                                .ranks = out->meetings.ranks,
                                .communication =
                                    nsc_xcalloc(fleet->ranks.n + 1, sizeof *of->communication),
                                .sends = nsc_xcalloc(fleet->ranks.n + 1, sizeof *of->sends)};
    add_communication(of);
    for (uint32_t i = 0; i < out->meetings.list.n; i++)
        n_tests += out->meetings.list.at[i].n_ranks;
    for (uint32_t i = 0; i < out->meetings.list.n; i++)
        nsc_verdicts_judge(of, i, n_tests);
    find_roots(of);
    of->doubted.is_seen =
        of->doubted.steps > 1 &&
        (of->list.n > 0 ||
         (double)of->doubted.kept >=
             NSC_SHARE(LARGE) * (double)out->meetings.list.at[of->doubted.meeting].span);
    for (size_t i = 0; i < of->list.n; i++)
        of->doubted.is_seen &=
            of->list.at[i].meeting == of->doubted.meeting && of->list.at[i].kept < of->doubted.kept;
}

void nsc_judged_fini(struct nsc_judged *judged)
{
    NSC_VEC_FINI_EACH(&judged->verdicts.list, fini_verdict);
    free(judged->verdicts.communication);
    free(judged->verdicts.sends);
    nsc_meetings_fini(&judged->meetings);
}
