/* Finds the pattern of steps in which ranks are late. */
#include "analysis/job/late_when.h"

#include "core/units.h"

#include <stdlib.h>

#define MOST   0.8  /* of the cost */
#define FEW    0.15 /* of the mean cost afterwards: hardly any before */
#define HALVES 4    /* times the other half of the steps */

enum { TIMES = 3, LONGEST = 512 };

static double sum_of(const float cost[], uint32_t from, uint32_t to, uint32_t by)
{
    double sum = 0;

    for (uint32_t s = from; s < to; s += by)
        sum += cost[s];
    return sum;
}

static bool is_at_interludes(struct nsc_verdict *verdict, const struct nsc_fleet *fleet,
                             const struct nsc_fleet_rank *rank, const float cost[], double all)
{
    bool *is_after = nsc_xcalloc(verdict->steps + 2, sizeof *is_after);
    uint32_t n = 0;
    double sum = 0;

    for (uint32_t i = 0; i < rank->n_interludes; i++) {
        uint32_t row = fleet->interludes.at[rank->first_interlude + i].after / rank->of_a_row;

        if (row < verdict->steps)
            is_after[row] = is_after[row + 1] = true;
    }
    for (uint32_t s = 0; s < verdict->steps; s++) {
        n += is_after[s];
        sum += is_after[s] ? cost[s] : 0;
    }
    free(is_after);
    if (n == 0 || n > verdict->steps / 2 || sum < MOST * all)
        return false;
    verdict->when = NSC_WHEN_AT;
    verdict->at = fleet->interludes.at[rank->first_interlude].name;
    return true;
}

/* Doubles a pattern as long as one of two of its steps costs most: the other steps have some cost by chance. */
static void double_every(struct nsc_verdict *verdict, const float cost[], uint32_t phase)
{
    while (2 * verdict->every <= verdict->steps / TIMES) {
        double one = sum_of(cost, phase, verdict->steps, 2 * verdict->every);
        double other = sum_of(cost, phase + verdict->every, verdict->steps, 2 * verdict->every);

        if (one < HALVES * other && other < HALVES * one)
            return;
        phase += other > one ? verdict->every : 0;
        verdict->every *= 2;
    }
}

static bool is_every(struct nsc_verdict *verdict, const float cost[], double all)
{
    uint32_t every = verdict->steps / TIMES < LONGEST ? verdict->steps / TIMES : LONGEST;

    if (verdict->seen < MOST * verdict->steps)
        return false;           /* the steps that were kept have a beat of their own */
    for (; every >= 2; every--) /* what is late in every 10th is late in every 2nd */
        for (uint32_t phase = 0; phase < every; phase++)
            if (sum_of(cost, phase, verdict->steps, every) >= MOST * all) {
                verdict->when = NSC_WHEN_EVERY;
                verdict->every = every;
                double_every(verdict, cost, phase);
                return true;
            }
    return false;
}

/* The step that splits the costs best: the sum from there on is farthest above its share. */
static void find_since(struct nsc_verdict *verdict, const float cost[], double all)
{
    double rest = all;
    double best = 0;
    uint32_t since = 0;
    double before;
    double after;

    for (uint32_t s = 0; s < verdict->steps; s++) {
        double above = rest - all * (verdict->steps - s) / verdict->steps;

        if (above > best) {
            best = above;
            since = s;
        }
        rest -= cost[s];
    }
    before = since ? sum_of(cost, 0, since, 1) / since : all;
    after = sum_of(cost, since, verdict->steps, 1) / (verdict->steps - since);
    if (since < verdict->steps / 20 || since < TIMES || before > FEW * after)
        return;
    verdict->when = NSC_WHEN_SINCE;
    verdict->since = since;
}

void nsc_verdict_find_when(struct nsc_verdict *verdict, const struct nsc_fleet *fleet,
                           const struct nsc_fleet_rank *rank, const float cost[])
{
    double all = sum_of(cost, 0, verdict->steps, 1);
    double squares = 0;

    for (uint32_t s = 0; s < verdict->steps; s++)
        squares += (double)cost[s] * cost[s];
    for (uint32_t s = 0; s < verdict->steps; s++)
        verdict->late_steps += all > 0 && cost[s] >= squares / all / 4;
    if (all > 0 && !is_at_interludes(verdict, fleet, rank, cost, all) &&
        !is_every(verdict, cost, all))
        find_since(verdict, cost, all);
}

void nsc_verdict_when(struct nsc_buf *out, const struct nsc_verdicts *of,
                      const struct nsc_verdict *verdict)
{
    const struct nsc_meeting *meeting = &of->meetings->list.at[verdict->meeting];
    const struct nsc_fleet_rank *rank = &of->meetings->fleet->ranks.at[meeting->ranks[0]];
    struct nsc_text at = nsc_fleet_text(of->meetings->fleet, verdict->at);
    uint32_t of_a_row = rank->of_a_row;

    switch (verdict->when) {
    case NSC_WHEN_EVERY:
        nsc_buf_printf(out, "late in every %u%s step", verdict->every * of_a_row,
                       nsc_units_ordinal((uint64_t)verdict->every * of_a_row));
        break;
    case NSC_WHEN_SINCE:
        nsc_buf_printf(out, "since step %u", verdict->since * of_a_row);
        break;
    case NSC_WHEN_AT:
        nsc_buf_printf(out, "at %.*s", (int)at.n, at.bytes);
        break;
    default:
        nsc_buf_printf(out, "late in %u of %u steps", verdict->late_steps, verdict->seen);
    }
}
