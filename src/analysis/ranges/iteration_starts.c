/* Moves the starts of iterations from their anchors to the beginning of the iterations. */
#include "analysis/base/limit.h"
#include "analysis/ranges/iteration_period.h"

uint64_t nsc_symbol_hash(uint64_t symbol)
{
    uint64_t z = (symbol + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The sum of the n places before this place. */
static uint64_t sum_before(const struct nsc_sequence *of, uint32_t place, uint32_t n)
{
    uint64_t sum = 0;

    for (uint32_t i = place - n; i < place; i++)
        sum += nsc_symbol_hash(of->symbol[i]);
    return sum;
}

/* The number of places before each start that belong to the iteration: the places before the first
 * start that also precede the others, back to the beginning of the sequence or by half an
 * iteration. */
static uint32_t lead_of(const struct nsc_sequence *of, const struct nsc_period *period)
{
    const uint32_t *symbol = of->symbol;
    uint32_t middle = period->start[period->n / 2];
    uint32_t lead = 0;
    uint32_t same = 0;
    uint64_t sum;

    while (lead + 1 < period->length && lead < period->start[0] &&
           symbol[period->start[0] - 1 - lead] == symbol[middle - 1 - lead])
        lead++;
    if (lead < period->start[0] && lead < period->length / 2)
        return 0;
    sum = sum_before(of, period->start[0], lead);
    for (uint32_t i = 1; i < period->n; i++)
        same += period->start[i] - period->start[i - 1] >= lead &&
                sum_before(of, period->start[i], lead) == sum;
    return same >= NSC_SHARE(NEARLY_ALL) * (period->n - 1) ? lead : 0;
}

/* The start of an iteration with an unusual lead: the last place before its anchor with the two
 * symbols that begin the others; else the usual lead. */
static uint32_t start_unlike(const struct nsc_sequence *of, const struct nsc_period *period,
                             uint32_t i, const uint32_t begin[2])
{
    const uint32_t *symbol = of->symbol;
    uint32_t at = period->start[i];

    while (at-- > period->start[i - 1])
        if (symbol[at] == begin[0] && symbol[at + 1] == begin[1])
            return at;
    return NSC_NONE;
}

static bool is_result(const struct nsc_sequence *of, uint32_t at)
{
    return (of->traits[of->symbol[at]] & (NSC_TRAIT_EXCHANGE | NSC_TRAIT_STEP)) ==
           NSC_TRAIT_EXCHANGE;
}

/* The place after the last result between two starts; without one, the second start. */
static uint32_t after_result(const struct nsc_sequence *of, uint32_t from, uint32_t start)
{
    for (uint32_t at = start; at > from + 1; at--)
        if (is_result(of, at - 1))
            return at;
    return start;
}

/* If nearly all iterations end with a result for the host, but for a few launches, launches after a
 * result belong to the next iteration: an encoder, a prefill, a kernel now and then. */
static void end_with_results(struct nsc_period *period, const struct nsc_sequence *of)
{
    uint32_t *start = period->start;
    uint32_t n = 0;
    uint32_t exact = 0;

    for (uint32_t i = 1; i < period->n && of->of_launches; i++) {
        uint32_t at = after_result(of, start[i - 1], start[i]);

        n += is_result(of, at - 1) && start[i] - at <= NSC_LIMIT_ITERATION_MORE;
        exact += is_result(of, start[i] - 1);
    }
    for (uint32_t i = 1; i < period->n && exact > 0; i++)
        if (n >= NSC_SHARE(NEARLY_ALL) * (period->n - 1))
            start[i] = after_result(of, start[i - 1], start[i]);
}

static void shift_by_lead(struct nsc_period *period, const struct nsc_sequence *of)
{
    uint32_t lead = period->n > 1 ? lead_of(of, period) : 0;
    const uint32_t *symbol = of->symbol;
    uint64_t usual;
    uint32_t begin[2];

    if (lead == 0)
        return;
    usual = sum_before(of, period->start[0], lead);
    begin[0] = symbol[period->start[0] - lead];
    begin[1] = symbol[period->start[0] - lead + 1];
    for (uint32_t i = period->n - 1; i > 0; i--) {
        uint32_t start = period->start[i];
        uint32_t other = start - period->start[i - 1] < lead || sum_before(of, start, lead) != usual
                             ? start_unlike(of, period, i, begin)
                             : NSC_NONE;

        period->start[i] = other == NSC_NONE ? start - lead : other;
    }
    period->start[0] -= lead;
}

void nsc_period_shift(struct nsc_period *period, const struct nsc_sequence *of)
{
    shift_by_lead(period, of);
    end_with_results(period, of);
}
