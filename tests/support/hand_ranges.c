/*
 * Random NVTX push/pop tracks for hand-made traces.
 */
#include "support/hand_ranges.h"

#include <stdlib.h>

static int compare_ranges(const void *a, const void *b)
{
    const struct hand_range *x = a;
    const struct hand_range *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static nsc_time touch_end(const struct hand_range *range)
{
    return range->end > range->start ? range->end : range->start + 1;
}

void hand_ranges_add(struct hand_trace *hand, struct hand_range ranges[], uint32_t n)
{
    uint32_t *lane = nsc_xmalloc(n * sizeof *lane + 1);
    NSC_VEC(nsc_time) busy_until = {0};

    if (n > 0)
        qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;

        while (k < busy_until.n && busy_until.at[k] > ranges[i].start)
            k++;
        if (k == busy_until.n)
            (void)NSC_VEC_ADD(&busy_until);
        busy_until.at[k] = touch_end(&ranges[i]);
        lane[i] = k;
    }
    for (uint32_t k = 0; k < busy_until.n; k++) {
        hand_trace_lane(hand);
        for (uint32_t i = 0; i < n; i++)
            if (lane[i] == k)
                hand_trace_row(hand, ranges[i].start, ranges[i].end, ranges[i].name,
                               NSC_KIND_NVTX_RANGE);
    }
    NSC_VEC_FINI(&busy_until);
    free(lane);
}

void hand_ranges_roll(struct dice *dice, struct hand_range ranges[], uint32_t n, uint32_t n_names)
{
    for (uint32_t i = 0; i < n; i++) {
        struct hand_range *range = &ranges[i];
        uint32_t outer = i > 0 ? (uint32_t)dice_below(dice, i) : 0;
        nsc_time room = i > 0 ? ranges[outer].end - ranges[outer].start : 0;

        range->name = (nsc_name)dice_below(dice, n_names);
        if (room > 0 && dice_below(dice, 8)) { /* inside one that is there */
            range->start = ranges[outer].start + (nsc_time)dice_below(dice, (uint64_t)room);
            range->end = range->start + (nsc_time)dice_below(
                                            dice, (uint64_t)(ranges[outer].end - range->start) + 1);
        } else {
            range->start = (nsc_time)dice_below(dice, 8 * (uint64_t)n);
            range->end = range->start + (nsc_time)dice_below(dice, 60);
        }
    }
}
