/*
 * nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum: NVTX ranges by tag.
 */
#include "analysis/stats_functions.h"
#include "analysis/stats_ranges.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>

struct summing {
    struct nsc_stats_ranges ranges;
    struct nsc_strpool keys; /* style letter and tag; a letter alone: no tag */
    uint32_t *group;
};

static void find_groups(struct summing *summing)
{
    const struct nsc_events *events = nsc_trace_events(summing->ranges.input->trace);
    struct nsc_buf key = NSC_BUF_INIT(1u << 21);
    struct nsc_stats_tags tags;

    nsc_stats_tags_init(&tags, summing->ranges.input);
    summing->group = nsc_xmalloc(((size_t)summing->ranges.n + 1) * sizeof *summing->group);
    for (uint32_t i = 0; i < summing->ranges.n; i++) {
        nsc_event e = summing->ranges.at[i].event;
        struct nsc_text tag;
        bool has_tag = nsc_stats_tag(&tag, &tags, e);

        nsc_buf_clear(&key);
        nsc_buf_putc(&key, events->kind[e] == NSC_KIND_NVTX_RANGE ? 'p' : 's');
        if (has_tag)
            nsc_buf_putc(&key, '=');
        nsc_buf_add(&key, tag.bytes, tag.n);
        summing->group[i] = nsc_strpool_add(&summing->keys, key.bytes, key.n);
    }
    nsc_buf_fini(&key);
    nsc_stats_tags_fini(&tags);
}

static bool range_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct summing *summing = context;

    *group = summing->group[i];
    *value = nsc_stats_range_duration(&summing->ranges.at[i]);
    return true;
}

static struct nsc_text tag_of(const struct summing *summing, uint32_t group)
{
    struct nsc_text key = nsc_strpool_text(&summing->keys, group);

    return key.n > 2 ? (struct nsc_text){key.bytes + 2, key.n - 2} : (struct nsc_text){"", 0};
}

static int compare_tags(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    struct nsc_text x = nsc_strpool_text(&summing->keys, a);
    struct nsc_text y = nsc_strpool_text(&summing->keys, b);
    int order = (x.n > 1) - (y.n > 1);

    if (!order)
        order = nsc_text_compare(tag_of(summing, a), tag_of(summing, b));
    return order ? order : x.bytes[0] - y.bytes[0];
}

static void label_tag(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    cells[0] = nsc_cell_of_text(tag_of(context, group));
}

static void label_style(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;
    bool push_pop = nsc_strpool_text(&summing->keys, group).bytes[0] == 'p';

    cells[0] =
        nsc_cell_of_text(nsc_stats_style(push_pop ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN));
    cells[1] = nsc_cell_of_text(tag_of(summing, group));
}

static enum nsc_status put_ranges(const struct nsc_stats_input *input,
                                  const struct nsc_stats_sink *sink, enum nsc_kind kind,
                                  struct nsc_error *error)
{
    struct summing summing;
    struct nsc_stats_groups groups = {.label = kind == NSC_KIND_UNKNOWN ? label_style : label_tag,
                                      .compare = compare_tags,
                                      .context = &summing};
    struct nsc_spread *spread;
    enum nsc_status status = NSC_OK;

    nsc_stats_ranges_init(&summing.ranges, input, kind);
    nsc_strpool_init(&summing.keys);
    find_groups(&summing);
    spread = nsc_spreads_measure(summing.keys.n, summing.ranges.n, range_row, &summing);
    groups.n = summing.keys.n;
    groups.spread = spread;
    groups.is_unknown = summing.ranges.no_ends;
    if (!spread)
        status = nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the durations");
    else if (summing.ranges.n == 0)
        status = nsc_stats_nothing(error, "NVTX ranges");
    else
        nsc_stats_put_groups(&groups, sink);
    free(spread);
    free(summing.group);
    nsc_strpool_fini(&summing.keys);
    nsc_stats_ranges_fini(&summing.ranges);
    return status;
}

enum nsc_status nsc_stats_nvtx_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    return put_ranges(input, sink, NSC_KIND_UNKNOWN, error);
}

enum nsc_status nsc_stats_pushpop_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    return put_ranges(input, sink, NSC_KIND_NVTX_RANGE, error);
}

enum nsc_status nsc_stats_startend_sum(const struct nsc_stats_input *input,
                                       const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    return put_ranges(input, sink, NSC_KIND_NVTX_SPAN, error);
}
