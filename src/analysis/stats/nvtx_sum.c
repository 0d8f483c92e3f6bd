/*
 * nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum: NVTX ranges by tag.
 */
#include "analysis/stats/by_tag.h"
#include "analysis/stats/functions.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>

struct summing {
    struct nsc_stats_ranges ranges;
    struct nsc_stats_by_tag *groups;
    uint32_t *group; /* by range */
};

static void find_groups(struct summing *summing)
{
    uint32_t n = summing->ranges.n;

    summing->group = nsc_xmalloc(((size_t)n + 1) * sizeof *summing->group);
    for (uint32_t i = 0; i < n; i++)
        summing->group[i] = nsc_stats_by_tag_find(summing->groups, summing->ranges.at[i].event,
                                                  summing->ranges.at[i].track);
    nsc_stats_by_tag_close(summing->groups);
}

static bool range_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct summing *summing = context;

    *group = summing->group[i];
    *value = nsc_stats_range_duration(&summing->ranges.at[i]);
    return true;
}

static int compare_tags(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    const struct nsc_stats_group *x = &summing->groups->all.at[a], *y = &summing->groups->all.at[b];
    int order = x->has_tag - y->has_tag;

    if (!order)
        order = nsc_text_compare(nsc_stats_tag_of(summing->groups, a),
                                 nsc_stats_tag_of(summing->groups, b));
    return order ? order : y->push_pop - x->push_pop;
}

static void label_tag(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;

    cells[0] = nsc_cell_of_text(nsc_stats_tag_of(summing->groups, group));
}

static void label_style(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;
    bool push_pop = summing->groups->all.at[group].push_pop;

    cells[0] =
        nsc_cell_of_text(nsc_stats_style(push_pop ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN));
    cells[1] = nsc_cell_of_text(nsc_stats_tag_of(summing->groups, group));
}

enum nsc_status nsc_stats_nvtx_sums(const struct nsc_stats_input *input,
                                    const struct nsc_stats_sink *sink)
{
    enum nsc_kind kind = input->id == NSC_STATS_NVTX_PUSHPOP_SUM    ? NSC_KIND_NVTX_RANGE
                         : input->id == NSC_STATS_NVTX_STARTEND_SUM ? NSC_KIND_NVTX_SPAN
                                                                    : NSC_KIND_UNKNOWN;
    struct nsc_stats_by_tag tags;
    struct summing summing = {.groups = &tags};
    struct nsc_stats_groups groups = {.label = kind == NSC_KIND_UNKNOWN ? label_style : label_tag,
                                      .compare = compare_tags,
                                      .is_parallel = true,
                                      .context = &summing};
    struct nsc_spread *spread;
    enum nsc_status status;

    nsc_stats_ranges_load(&summing.ranges, input, kind);
    nsc_stats_by_tag_init(&tags, input, true);
    find_groups(&summing);
    spread =
        nsc_spreads_measure((uint32_t)tags.all.n, summing.ranges.n, range_row, &summing, false);
    groups.n = (uint32_t)tags.all.n;
    groups.spread = spread;
    groups.is_unknown = summing.ranges.no_ends;
    status = nsc_stats_put_groups(&groups, sink);
    free(spread);
    free(summing.group);
    nsc_stats_by_tag_fini(&tags);
    nsc_stats_ranges_fini(&summing.ranges);
    return status;
}
