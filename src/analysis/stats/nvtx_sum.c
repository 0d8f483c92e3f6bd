/*
 * nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum: NVTX ranges by tag.
 */
#include "analysis/stats/by_tag.h"
#include "analysis/stats/functions.h"
#include "core/text.h"

#include <stdlib.h>

struct summing {
    struct nsc_stats_ranges ranges;
    struct nsc_stats_by_tag groups;
};

static bool range_row(const void *context, uint32_t i, int64_t *value)
{
    const struct summing *summing = context;

    *value = nsc_stats_range_duration(&summing->ranges.at[i]);
    return true;
}

static int compare_tags(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_stats_by_tag *groups = &((const struct summing *)context)->groups;
    int order = nsc_stats_group_has_tag(groups, a) - nsc_stats_group_has_tag(groups, b);

    if (!order)
        order = nsc_text_compare(nsc_stats_tag_of(groups, a), nsc_stats_tag_of(groups, b));
    return order ? order
                 : (nsc_stats_group_kind(groups, b) == NSC_KIND_NVTX_RANGE) -
                       (nsc_stats_group_kind(groups, a) == NSC_KIND_NVTX_RANGE);
}

static void label_tag(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;

    cells[0] = nsc_cell_of_text(nsc_stats_tag_of(&summing->groups, group));
}

static void label_style(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;

    cells[0] = nsc_cell_of_text(nsc_stats_style(nsc_stats_group_kind(&summing->groups, group)));
    label_tag(context, group, cells + 1);
}

enum nsc_status nsc_stats_nvtx_sums(const struct nsc_stats_input *input,
                                    const struct nsc_stats_sink *sink)
{
    enum nsc_kind kind = input->id == NSC_STATS_NVTX_PUSHPOP_SUM    ? NSC_KIND_NVTX_RANGE
                         : input->id == NSC_STATS_NVTX_STARTEND_SUM ? NSC_KIND_NVTX_SPAN
                                                                    : NSC_KIND_UNKNOWN;
    struct summing summing = {0};
    struct nsc_stats_groups groups = {.label = kind == NSC_KIND_UNKNOWN ? label_style : label_tag,
                                      .compare = compare_tags,
                                      .context = &summing};
    struct nsc_spread *spread;
    enum nsc_status status;

    nsc_stats_ranges_load(&summing.ranges, input, kind);
    nsc_stats_by_tag_init(&summing.groups, input, true);
    for (uint32_t i = 0; i < summing.ranges.n; i++)
        (void)nsc_stats_by_tag_add(&summing.groups, summing.ranges.at[i].event,
                                   summing.ranges.at[i].track);
    nsc_stats_by_tag_close(&summing.groups);
    spread = nsc_totals_measure(&summing.groups.totals, range_row, &summing);
    groups.n = summing.groups.totals.n;
    groups.spread = spread;
    groups.is_unknown = summing.ranges.no_ends;
    status = nsc_stats_put_groups(&groups, sink);
    free(spread);
    nsc_stats_by_tag_fini(&summing.groups);
    nsc_stats_ranges_fini(&summing.ranges);
    return status;
}
