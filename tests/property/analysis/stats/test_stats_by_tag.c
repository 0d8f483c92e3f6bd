/*
 * Property test of the groups of range summaries: grouping by text numbers equals grouping by the
 * bytes of the tags, and each group has the tag of its ranges.
 */
#include "analysis/stats/by_tag.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { ROWS = 120 };

static struct nsc_trace *roll_trace(struct dice *dice)
{
    static const char *const names[] = {"step 1", "step 2", "step 01", "plain", "",
                                        "a:b",    ":x",     "é 7",     "12",    "op_id = 3, 4"};
    struct nsc_test_row rows[ROWS];

    for (int i = 0; i < ROWS; i++) {
        bool nests = dice_below(dice, 3) > 0;

        rows[i] = (struct nsc_test_row){.kind = nests ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN,
                                        .process = 1,
                                        .tid = 1 + (uint32_t)dice_below(dice, 2),
                                        .domain = (int64_t)dice_below(dice, 3),
                                        .start = (nsc_time)dice_below(dice, 500),
                                        .name = names[dice_below(dice, 10)]};
        rows[i].end = rows[i].start + (nsc_time)dice_below(dice, 60);
        if (dice_below(dice, 10) == 0)
            rows[i].name = NULL;
    }
    return nsc_test_trace_build(rows, ROWS);
}

static void find_groups(uint32_t group[ROWS], struct nsc_stats_by_tag *groups,
                        const struct nsc_stats_ranges *ranges)
{
    for (uint32_t i = 0; i < ranges->n; i++)
        group[i] = nsc_stats_by_tag_add(groups, ranges->at[i].event, ranges->at[i].track);
}

static void check_groups(const struct nsc_stats_input *input, bool tells_none)
{
    struct nsc_stats_ranges ranges;
    struct nsc_stats_by_tag numbers, bytes;
    uint32_t group[ROWS], by_bytes[ROWS];

    nsc_stats_ranges_load(&ranges, input, NSC_KIND_UNKNOWN);
    nsc_stats_by_tag_init(&numbers, input, tells_none);
    nsc_stats_by_tag_init(&bytes, input, tells_none);
    assert_false(numbers.by_bytes);
    bytes.by_bytes = true;
    assert_int_equal(ranges.n, ROWS);
    find_groups(group, &numbers, &ranges);
    find_groups(by_bytes, &bytes, &ranges);
    assert_memory_equal(group, by_bytes, sizeof group);
    nsc_stats_by_tag_close(&numbers);
    nsc_stats_by_tag_close(&bytes);
    for (uint32_t i = 0; i < ranges.n; i++) {
        struct nsc_text tag;

        assert_int_equal(nsc_stats_tag(&tag, &bytes.tags, ranges.at[i].event),
                         nsc_stats_group_has_tag(&numbers, group[i]));
        assert_int_equal(nsc_text_compare(tag, nsc_stats_tag_of(&numbers, group[i])), 0);
        assert_int_equal(nsc_stats_group_kind(&numbers, group[i]),
                         nsc_trace_events(input->trace)->kind[ranges.at[i].event]);
    }
    assert_int_equal(numbers.totals.n, bytes.totals.n);
    for (uint32_t i = 0; i < bytes.totals.n; i++) /* no two are one */
        for (uint32_t k = 0; k < i; k++)
            assert_false(
                nsc_stats_group_kind(&bytes, i) == nsc_stats_group_kind(&bytes, k) &&
                nsc_stats_group_has_tag(&bytes, i) == nsc_stats_group_has_tag(&bytes, k) &&
                nsc_text_compare(nsc_stats_tag_of(&bytes, i), nsc_stats_tag_of(&bytes, k)) == 0);
    nsc_stats_by_tag_fini(&numbers);
    nsc_stats_by_tag_fini(&bytes);
    nsc_stats_ranges_fini(&ranges);
}

TEST(groups_are_those_of_bytes)
{
    struct dice dice = dice_new(812);

    for (int round = 0; round < 150; round++) {
        struct nsc_trace *trace = roll_trace(&dice);
        struct nsc_stats_input input = {.trace = trace};

        check_groups(&input, dice_below(&dice, 2));
        nsc_trace_free(trace);
    }
}

/* Ranges come thread by thread in order of start, the longer first, each with its own track. */
TEST(ranges_are_in_order)
{
    struct dice dice = dice_new(813);

    for (int round = 0; round < 150; round++) {
        struct nsc_trace *trace = roll_trace(&dice);
        struct nsc_stats_input input = {.trace = trace};
        const struct nsc_lane *lanes = nsc_trace_lanes(input.trace, NULL);
        const uint32_t *source = nsc_trace_events(input.trace)->source;
        struct nsc_stats_ranges ranges;

        nsc_stats_ranges_load(&ranges, &input, NSC_KIND_UNKNOWN);
        assert_int_equal(ranges.n, ROWS);
        for (uint32_t i = 0; i < ranges.n; i++) {
            const struct nsc_stats_range *b = &ranges.at[i], *a = i ? b - 1 : b;

            assert_int_equal(b->track, lanes[nsc_trace_lane_of(input.trace, b->event)].track);
            assert_true(nsc_trace_group_of(input.trace, a->track) <=
                        nsc_trace_group_of(input.trace, b->track));
            if (a == b || nsc_trace_group_of(input.trace, a->track) !=
                              nsc_trace_group_of(input.trace, b->track))
                continue;
            assert_true(
                a->start < b->start ||
                (a->start == b->start &&
                 (a->end > b->end || (a->end == b->end && source[a->event] < source[b->event]))));
        }
        nsc_stats_ranges_fini(&ranges);
        nsc_trace_free(trace);
    }
}
