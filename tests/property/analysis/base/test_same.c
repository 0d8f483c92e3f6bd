/*
 * Property tests of events of one name: a walk visits all of them in order, and finds the longest.
 */
#include "analysis/select/standing.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

enum { MAX_ROWS = 200 }; /* several words of 64 rows */

static const char *const names[] = {"a", "b", "c"};

static void roll(struct dice *dice, struct nsc_test_row rows[], uint32_t n)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_OSRT, NSC_KIND_KERNEL};

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(dice, 40);

        rows[i] = (struct nsc_test_row){.kind = kinds[dice_below(dice, 3)],
                                        .process = 1,
                                        .tid = 1,
                                        .context = 1,
                                        .stream = (int64_t)dice_below(dice, 3),
                                        .name = names[dice_below(dice, 3)],
                                        .start = start,
                                        .end = start + (nsc_time)dice_below(dice, 5)};
    }
}

static bool is_same(const struct nsc_events *events, const uint64_t *mask, nsc_event a, nsc_event b)
{
    return events->name[a] == events->name[b] && events->kind[a] == events->kind[b] &&
           mask[a / 64] >> a % 64 & 1;
}

static void check_event(const struct nsc_trace *trace, const struct nsc_summary *summary,
                        const uint64_t *mask, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event longest = nsc_event_longest_same(trace, summary, event, false);
    uint32_t before = 0;
    uint32_t after = 0;
    uint32_t n = 0;

    for (nsc_event row = 0; row < events->n; row++) {
        bool later = events->start[row] > events->start[event] ||
                     (events->start[row] == events->start[event] && row > event);

        if (!is_same(events, mask, row, event))
            continue;
        assert_true(nsc_event_duration(events, row) <= nsc_event_duration(events, longest));
        n++;
        after += row != event && later;
        before += row != event && !later;
    }
    assert_int_equal(longest == NSC_NONE, n == 0);
    for (nsc_event at = event;
         (at = nsc_event_next_same(trace, summary, at, false, true)) != NSC_NONE;) {
        assert_true(is_same(events, mask, at, event));
        after--;
    }
    for (nsc_event at = event;
         (at = nsc_event_next_same(trace, summary, at, false, false)) != NSC_NONE;)
        before--;
    assert_int_equal(before, 0);
    assert_int_equal(after, 0);
}

TEST(walks_visit_all_of_a_name)
{
    struct dice dice = dice_new(51);

    for (int i = 0; i < 300; i++) {
        struct nsc_test_row rows[MAX_ROWS];
        uint32_t n = 1 + (uint32_t)dice_below(&dice, MAX_ROWS);
        uint64_t mask[MAX_ROWS / 64 + 2] = {0};
        struct nsc_trace *trace = NULL;
        struct nsc_summary *summary = NULL;

        for (uint32_t w = 0; w * 64 < n; w++)
            mask[w] = dice_next(&dice) | dice_next(&dice);
        roll(&dice, rows, n);
        trace = nsc_test_trace_build(rows, n);
        summary = nsc_summary_build(trace, mask);
        for (nsc_event event = 0; event < n; event++)
            check_event(trace, summary, mask, event);
        nsc_summary_free(summary);
        nsc_trace_free(trace);
    }
}
