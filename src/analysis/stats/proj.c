/*
 * nvtx_gpu_proj_trace and nvtx_gpu_proj_sum: NVTX ranges at the time of the GPU work launched
 * inside them.
 *
 * A projection begins with the first of that work and ends with the last. Work outside all ranges
 * with a known launch is one row without a name. Children are those that launched work as well.
 */
#include "analysis/stats/by_tag.h"
#include "analysis/stats/functions.h"
#include "analysis/stats/ranges.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

#define GPU_KINDS                                                                      \
    (1u << NSC_KIND_KERNEL | 1u << NSC_KIND_COPY_HTOD | 1u << NSC_KIND_COPY_DTOH |     \
     1u << NSC_KIND_COPY_DTOD | 1u << NSC_KIND_COPY_PTOP | 1u << NSC_KIND_COPY_OTHER | \
     1u << NSC_KIND_MEMSET)

/* Shared by both reports: the work outside all ranges. */
struct outside {
    const struct nsc_events *events;
    struct nsc_stats_work work; /* launched outside all ranges */
    nsc_event call;             /* call of that work's op that ends last */
};

/* context begins with a struct outside. */
static void add_outside(void *context, const struct nsc_stats_launch *launch)
{
    struct outside *outside = context;
    struct nsc_stats_work *work = &outside->work;
    struct nsc_stats_work op = {outside->events->start[launch->op],
                                nsc_event_end(outside->events, launch->op), 1, 0};

    if (work->ops == 0 || op.end > work->end)
        outside->call = launch->call;
    nsc_stats_work_add(work, &op);
}

static void project(struct outside *outside, const struct nsc_stats_input *input,
                    void (*close)(void *context, const struct nsc_stats_open *range,
                                  struct nsc_stats_open *parent))
{
    outside->events = nsc_trace_events(input->trace);
    outside->call = NSC_NONE;
    nsc_stats_ranges_walk(
        input, NSC_N_KINDS, GPU_KINDS,
        &(struct nsc_stats_walk){.outside = add_outside, .close = close, .context = outside});
}

/* ---- trace ---- */

struct projecting {
    struct outside outside; /* first: add_outside wants it */
    struct nsc_stats_ranges ranges;
    struct nsc_stats_work *at; /* by range */
    struct nsc_stats_tags tags;
    struct nsc_buf stack; /* scratch */
};

static void keep_range(void *context, const struct nsc_stats_open *range,
                       struct nsc_stats_open *parent)
{
    struct projecting *projecting = context;

    nsc_stats_ranges_put(&projecting->ranges, range);
    projecting->at[range->number] = range->work;
    if (range->work.ops && parent)
        parent->work.children++;
}

static void add_range(struct nsc_stats_cell cells[14], struct projecting *projecting, uint32_t i)
{
    const struct nsc_stats_ranges *ranges = &projecting->ranges;
    const struct nsc_stats_range *range = &ranges->at[i];
    uint8_t kind = projecting->outside.events->kind[range->event];

    cells[3] = nsc_cell_of_int(range->start);
    cells[4] = nsc_cell_of_int(nsc_stats_range_duration(range));
    cells[5] = nsc_cell_of_text(nsc_stats_style(kind));
    cells[9] = nsc_cell_of_int(range->level);
    cells[11] = nsc_cell_of_int(projecting->outside.events->source[range->event]);
    if (range->parent != NSC_NONE)
        cells[12] =
            nsc_cell_of_int(projecting->outside.events->source[ranges->at[range->parent].event]);
    nsc_stats_stack(&projecting->stack, ranges, i);
    cells[13] = nsc_cell_of_text(nsc_text_of_buf(&projecting->stack));
}

/* The row of a range; NSC_NONE: of the work outside all ranges. */
static void fill_projected(void *context, uint32_t i, struct nsc_stats_cell cells[])
{
    struct projecting *projecting = context;
    const struct nsc_stats_work *work =
        i == NSC_NONE ? &projecting->outside.work : &projecting->at[i];
    nsc_event of = i == NSC_NONE ? projecting->outside.call : projecting->ranges.at[i].event;
    struct nsc_text tag = {"", 0};

    cells[1] = nsc_cell_of_int(work->start);
    cells[2] = nsc_cell_of_int(nsc_span(work->start, work->end));
    if (of != NSC_NONE) {
        const struct nsc_track *track = nsc_stats_track(projecting->ranges.input->trace, of);

        cells[6] = nsc_cell_of_int(nsc_stats_pid(track));
        cells[7] = nsc_cell_of_int(nsc_stats_tid(track));
    }
    cells[8] = nsc_cell_of_int(work->ops);
    cells[10] = nsc_cell_of_int(work->children);
    if (i != NSC_NONE) {
        (void)nsc_stats_tag(&tag, &projecting->tags, of);
        add_range(cells, projecting, i);
    }
    cells[0] = nsc_cell_of_text(tag);
}

static int compare_sources(const void *context, uint32_t a, uint32_t b)
{
    const struct projecting *projecting = context;
    const uint32_t *source = projecting->outside.events->source;

    return NSC_ORDER(source[projecting->ranges.at[a].event],
                     source[projecting->ranges.at[b].event]);
}

/* Lists the work outside, if there is any, then the ranges that launched something by row id. Free
 * with free(). */
static uint32_t *list_projected(const struct projecting *projecting, uint32_t *n)
{
    uint32_t *list = nsc_xmalloc(((size_t)projecting->ranges.n + 2) * sizeof *list);
    uint32_t first = projecting->outside.work.ops > 0;

    list[0] = NSC_NONE;
    *n = first;
    for (uint32_t i = 0; i < projecting->ranges.n; i++)
        if (projecting->at[i].ops)
            list[(*n)++] = i;
    nsc_sort_by(list + first, *n - first, compare_sources, projecting);
    return list;
}

enum nsc_status nsc_stats_proj_trace(const struct nsc_stats_input *input,
                                     const struct nsc_stats_sink *sink)
{
    struct projecting projecting = {.stack = NSC_BUF_INIT(SIZE_MAX)};
    uint32_t n, *list;

    nsc_stats_ranges_init(&projecting.ranges, input);
    projecting.at = nsc_xmalloc(((size_t)projecting.ranges.most + 1) * sizeof *projecting.at);
    project(&projecting.outside, input, keep_range);
    nsc_stats_tags_init(&projecting.tags, input);
    list = list_projected(&projecting, &n);
    nsc_stats_put_list(sink, list, n, fill_projected, &projecting);
    free(list);
    nsc_stats_tags_fini(&projecting.tags);
    nsc_buf_fini(&projecting.stack);
    free(projecting.at);
    nsc_stats_ranges_fini(&projecting.ranges);
    return n ? NSC_OK : NSC_ENODATA;
}

/* ---- sum ---- */

struct sums {
    uint64_t ops, levels, children;
    nsc_time own;   /* saturating */
    uint32_t first; /* the least number of a range */
};

struct summing {
    struct outside outside; /* first: add_outside wants it */
    struct nsc_stats_by_tag groups;
    NSC_VEC(struct sums) sums; /* by group */
    NSC_VEC(nsc_time) lengths; /* of each projection, as they come */
    struct nsc_spread *spread; /* by group */
};

static void close_range(void *context, const struct nsc_stats_open *range,
                        struct nsc_stats_open *parent)
{
    struct summing *summing = context;
    struct sums *sums;
    uint32_t group;

    if (range->work.ops == 0)
        return;
    if (parent)
        parent->work.children++;
    group = nsc_stats_by_tag_add(&summing->groups, range->range.event, range->range.track);
    *NSC_VEC_ADD(&summing->lengths) = nsc_span(range->work.start, range->work.end);
    if (group == summing->sums.n)
        *NSC_VEC_ADD(&summing->sums) = (struct sums){.first = range->number};
    sums = &summing->sums.at[group];
    sums->first = range->number < sums->first ? range->number : sums->first;
    sums->ops += range->work.ops;
    sums->children += range->work.children;
    sums->levels += range->range.level;
    sums->own = nsc_sum(sums->own, nsc_stats_range_duration(&range->range));
}

static bool length_row(const void *context, uint32_t row, int64_t *value)
{
    *value = ((const struct summing *)context)->lengths.at[row];
    return true;
}

static int compare_tied(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    int order = nsc_text_compare(nsc_stats_tag_of(&summing->groups, a),
                                 nsc_stats_tag_of(&summing->groups, b));

    return order ? order : NSC_ORDER(summing->sums.at[a].first, summing->sums.at[b].first);
}

static void put_row(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct summing *summing = context;
    const struct sums *sums = &summing->sums.at[group];
    const struct nsc_spread *spread = &summing->spread[group];
    double n = (double)spread->n;

    cells[0] = nsc_cell_of_text(nsc_stats_tag_of(&summing->groups, group));
    cells[1] = nsc_cell_of_text(nsc_stats_style(nsc_stats_group_kind(&summing->groups, group)));
    cells[2] = nsc_cell_of_int(spread->total);
    cells[3] = nsc_cell_of_int(sums->own);
    cells[4] = nsc_cell_of_int((int64_t)spread->n);
    nsc_stats_put_spread(cells + 5, spread);
    cells[9] = nsc_cell_of_real(spread->deviation);
    cells[10] = nsc_cell_of_int((int64_t)sums->ops);
    cells[11] = nsc_cell_of_real((double)sums->ops / n);
    cells[12] = nsc_cell_of_real((double)sums->levels / n);
    cells[13] = nsc_cell_of_real((double)sums->children / n);
}

static enum nsc_status put_sums(struct summing *summing, const struct nsc_stats_sink *sink)
{
    uint32_t *order, n = (uint32_t)summing->sums.n;

    if (n == 0)
        return NSC_ENODATA;
    summing->spread = nsc_totals_measure(&summing->groups.totals, length_row, summing);
    if (!summing->spread)
        return NSC_ENOMEM;
    nsc_stats_by_tag_close(&summing->groups);
    order = nsc_sort_numbers(n);
    nsc_stats_rank(order, n, summing->spread, compare_tied, summing);
    nsc_stats_put_list(sink, order, n, put_row, summing);
    free(order);
    return NSC_OK;
}

enum nsc_status nsc_stats_proj_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink)
{
    struct summing summing = {0};
    enum nsc_status status;

    nsc_stats_by_tag_init(&summing.groups, input, false);
    project(&summing.outside, input, close_range);
    status = put_sums(&summing, sink);
    nsc_stats_by_tag_fini(&summing.groups);
    NSC_VEC_FINI(&summing.sums);
    NSC_VEC_FINI(&summing.lengths);
    free(summing.spread);
    return status;
}
