/*
 * Property tests of packing: lanes never overlap, their number is minimal, each span takes the
 * lowest free lane.
 */
#include "index/pack.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_SPANS = 200, ROUNDS = 3000 };

static struct nsc_window span_of(const void *context, uint32_t i)
{
    return ((const struct nsc_window *)context)[i];
}

static int compare(const void *a, const void *b)
{
    const struct nsc_window *x = a;
    const struct nsc_window *y = b;

    if (x->t0 != y->t0)
        return x->t0 < y->t0 ? -1 : 1;
    return x->t1 > y->t1 ? -1 : x->t1 < y->t1;
}

static uint32_t make_spans(struct dice *dice, struct nsc_window spans[MAX_SPANS])
{
    uint32_t n = (uint32_t)dice_below(dice, MAX_SPANS + 1);
    uint64_t range = 1 + dice_below(dice, 300);
    uint64_t longest = 1 + dice_below(dice, 100);

    for (uint32_t i = 0; i < n; i++) {
        spans[i].t0 = (nsc_time)dice_below(dice, range) - 50;
        spans[i].t1 = spans[i].t0 + 1 + (nsc_time)dice_below(dice, longest);
    }
    qsort(spans, n, sizeof *spans, compare);
    return n;
}

static bool overlap(struct nsc_window a, struct nsc_window b)
{
    return a.t0 < b.t1 && b.t0 < a.t1;
}

/* The greatest number of spans at once; it occurs at the start of one. */
static uint32_t greatest_depth(const struct nsc_window spans[], uint32_t n)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t depth = 0;

        for (uint32_t k = 0; k < n; k++)
            depth += spans[k].t0 <= spans[i].t0 && spans[i].t0 < spans[k].t1;
        most = depth > most ? depth : most;
    }
    return most;
}

/* Whether a span before i in order still occupies this lane when i starts. */
static bool is_taken(const struct nsc_window spans[], const uint32_t lane[], uint32_t i, uint32_t l)
{
    for (uint32_t k = 0; k < i; k++)
        if (lane[k] == l && spans[k].t1 > spans[i].t0)
            return true;
    return false;
}

TEST(packing_is_first_fit_and_minimal)
{
    struct dice dice = dice_new(1);
    static struct nsc_window spans[MAX_SPANS];
    uint32_t lane[MAX_SPANS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = make_spans(&dice, spans);

        assert_int_equal(nsc_pack_lanes(lane, n, span_of, spans), greatest_depth(spans, n));
        for (uint32_t i = 0; i < n; i++) {
            assert_false(is_taken(spans, lane, i, lane[i]));
            for (uint32_t l = 0; l < lane[i]; l++)
                assert_true(is_taken(spans, lane, i, l));
        }
    }
}

/* Random nesting: inside a span, children one after the other, each at least as far in as its
 * parent. */
static uint32_t nest(struct dice *dice, struct nsc_window spans[], uint32_t depth[])
{
    nsc_time ends[32] = {1000000};
    uint32_t open = 1;
    uint32_t n = 0;
    nsc_time at = 0;

    while (n < MAX_SPANS) {
        at += (nsc_time)dice_below(dice, 20);
        while (open > 1 && ends[open - 1] <= at)
            open--;
        if (open < 32 && dice_below(dice, 3)) {
            nsc_time end = at + 1 + (nsc_time)dice_below(dice, 200);

            end = end < ends[open - 1] ? end : ends[open - 1];
            spans[n] = (struct nsc_window){at, end};
            depth[n++] = open - 1;
            ends[open++] = end;
        }
    }
    return n;
}

TEST(nested_spans_get_their_depth)
{
    struct dice dice = dice_new(2);
    static struct nsc_window spans[MAX_SPANS];
    uint32_t depth[MAX_SPANS];
    uint32_t lane[MAX_SPANS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = nest(&dice, spans, depth);

        (void)nsc_pack_lanes(lane, n, span_of, spans);
        assert_memory_equal(lane, depth, n * sizeof *lane);
        for (uint32_t i = 1; i < n; i++)
            assert_true(!overlap(spans[i - 1], spans[i]) || lane[i] != lane[i - 1]);
    }
}
