/*
 * nvtx_pushpop_trace: every push/pop range with its place in the nesting.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/ranges.h"
#include "core/buf.h"
#include "core/text.h"

#include <inttypes.h>

void nsc_stats_stack(struct nsc_buf *out, const struct nsc_stats_ranges *ranges, uint32_t range)
{
    const uint32_t *source = nsc_trace_events(ranges->input->trace)->source;
    uint32_t level = ranges->at[range].level;
    uint32_t at = ranges->at[range].outer;
    uint32_t path[NSC_STATS_DEEP];
    uint32_t n = 0;

    for (; at != NSC_NONE && n < NSC_STATS_DEEP; at = ranges->at[at].parent)
        path[n++] = at;
    nsc_buf_clear(out);
    while (n > 0)
        nsc_buf_printf(out, ":%" PRIu32, source[ranges->at[path[--n]].event]);
    if (level < NSC_STATS_DEEP)
        return;
    nsc_buf_printf(out, ":(%" PRIu32 " deeper)", level - NSC_STATS_DEEP + 1);
    if (ranges->input->is_deep)
        *ranges->input->is_deep = true;
}

struct tracing {
    struct nsc_stats_ranges ranges;
    struct nsc_stats_tags tags;
    struct nsc_buf stack, tree;
};

/* Orders by start, the shorter first. */
static int compare_starts(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_stats_ranges *ranges = &((const struct tracing *)context)->ranges;
    const struct nsc_stats_range *x = &ranges->at[a], *y = &ranges->at[b];
    const uint32_t *source = nsc_trace_events(ranges->input->trace)->source;
    int order = NSC_ORDER(x->start, y->start);

    order = order ? order : NSC_ORDER(x->end, y->end);
    return order ? order : NSC_ORDER(source[x->event], source[y->event]);
}

static void fill_range(void *context, uint32_t i, struct nsc_stats_cell cells[])
{
    struct tracing *tracing = context;
    const struct nsc_stats_ranges *ranges = &tracing->ranges;
    const struct nsc_stats_range *range = &ranges->at[i];
    const uint32_t *source = nsc_trace_events(ranges->input->trace)->source;
    const struct nsc_track *track = nsc_stats_track(ranges->input->trace, range->event);
    nsc_time duration = nsc_stats_range_duration(range);
    struct nsc_text tag;
    bool has_tag = nsc_stats_tag(&tag, &tracing->tags, range->event);

    nsc_stats_stack(&tracing->stack, ranges, i);
    nsc_buf_clear(&tracing->tree);
    for (uint32_t level = 0; has_tag && level < range->level && level < NSC_STATS_DEEP; level++)
        nsc_buf_puts(&tracing->tree, "--");
    nsc_buf_add(&tracing->tree, tag.bytes, tag.n);
    cells[0] = nsc_cell_of_int(range->start);
    if (!ranges->no_ends) {
        cells[1] = nsc_cell_of_int(range->end);
        cells[2] = nsc_cell_of_int(duration);
        cells[4] = nsc_cell_of_int(duration - range->inside);
    }
    cells[3] = nsc_cell_of_int(range->inside);
    cells[5] = nsc_cell_of_text(tag);
    cells[6] = nsc_cell_of_int(nsc_stats_pid(track));
    cells[7] = nsc_cell_of_int(nsc_stats_tid(track));
    cells[8] = nsc_cell_of_int(range->level);
    cells[9] = nsc_cell_of_int(range->children);
    cells[10] = nsc_cell_of_int(source[range->event]);
    if (range->parent != NSC_NONE)
        cells[11] = nsc_cell_of_int(source[ranges->at[range->parent].event]);
    cells[12] = nsc_cell_of_text(nsc_text_of_buf(&tracing->stack));
    cells[13] = nsc_cell_of_text(nsc_text_of_buf(&tracing->tree));
}

enum nsc_status nsc_stats_pushpop_trace(const struct nsc_stats_input *input,
                                        const struct nsc_stats_sink *sink)
{
    struct tracing tracing = {.stack = NSC_BUF_INIT(SIZE_MAX), .tree = NSC_BUF_INIT(SIZE_MAX)};
    uint32_t n;

    nsc_stats_ranges_load(&tracing.ranges, input, NSC_KIND_NVTX_RANGE);
    nsc_stats_tags_init(&tracing.tags, input);
    n = tracing.ranges.n;
    nsc_stats_put_sorted(sink, n, 0, compare_starts, fill_range, &tracing);
    nsc_stats_tags_fini(&tracing.tags);
    nsc_stats_ranges_fini(&tracing.ranges);
    nsc_buf_fini(&tracing.stack);
    nsc_buf_fini(&tracing.tree);
    return n ? NSC_OK : NSC_ENODATA;
}
