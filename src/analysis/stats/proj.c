/*
 * nvtx_gpu_proj_trace and nvtx_gpu_proj_sum: NVTX ranges at the time of the GPU work launched
 * inside them.
 *
 * A projection begins with the first of that work and ends with the last; work whose launch is
 * known and in no range is one row without a name. Children are those that launched work as well.
 */
#include "analysis/stats/by_tag.h"
#include "analysis/stats/functions.h"
#include "analysis/stats/ranges.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/hints.h"
#include "core/sort.h"
#include "core/text.h"

#include <stdlib.h>

struct projected {
    nsc_time start, end;
    uint32_t ops, children;
};

struct projecting {
    const struct nsc_events *events;
    struct nsc_stats_ranges ranges;
    struct projected *at; /* by range */
    struct projected none;
    nsc_event none_call; /* of the op outside all ranges that ends last */
};

static const uint8_t gpu_kinds[] = {NSC_KIND_KERNEL,    NSC_KIND_COPY_HTOD, NSC_KIND_COPY_DTOH,
                                    NSC_KIND_COPY_DTOD, NSC_KIND_COPY_PTOP, NSC_KIND_COPY_OTHER,
                                    NSC_KIND_MEMSET};

static void add_op(struct projected *to, nsc_time start, nsc_time end)
{
    if (to->ops == 0 || start < to->start)
        to->start = start;
    if (to->ops == 0 || end > to->end)
        to->end = end;
    to->ops++;
}

static void visit_op(void *context, const struct nsc_stats_launch *launch, const uint32_t around[],
                     uint32_t n)
{
    struct projecting *projecting = context;
    nsc_time start = projecting->events->start[launch->op];
    nsc_time end = nsc_event_end(projecting->events, launch->op);

    if (launch->call == NSC_NONE)
        return;
    if (n == 0) {
        if (projecting->none.ops == 0 || end > projecting->none.end)
            projecting->none_call = launch->call;
        add_op(&projecting->none, start, end);
    }
    for (uint32_t i = 0; i < n; i++)
        add_op(&projecting->at[around[i]], start, end);
}

static void project(struct projecting *projecting, const struct nsc_stats_input *input)
{
    struct nsc_stats_list ops;

    *projecting =
        (struct projecting){.events = nsc_trace_events(input->trace), .none_call = NSC_NONE};
    nsc_stats_ranges_init(&projecting->ranges, input, NSC_N_KINDS);
    projecting->at = nsc_xcalloc((size_t)projecting->ranges.n + 1, sizeof *projecting->at);
    ops = nsc_stats_list(input, gpu_kinds, sizeof gpu_kinds);
    nsc_stats_ranges_walk(&projecting->ranges, &ops, visit_op, projecting);
    free(ops.event);
    for (uint32_t i = 0; i < projecting->ranges.n; i++) {
        uint32_t parent = projecting->ranges.at[i].parent;

        if (projecting->at[i].ops && parent != NSC_NONE)
            projecting->at[parent].children++;
    }
}

static void fini_projecting(struct projecting *projecting)
{
    free(projecting->at);
    nsc_stats_ranges_fini(&projecting->ranges);
}

static nsc_time length_of(const struct projected *projected)
{
    nsc_time d;

    return __builtin_sub_overflow(projected->end, projected->start, &d) ? INT64_MAX : d;
}

/* ---- trace ---- */

static void add_range(struct nsc_stats_cell cells[14], const struct projecting *projecting,
                      uint32_t i, struct nsc_buf *stack)
{
    const struct nsc_stats_ranges *ranges = &projecting->ranges;
    const struct nsc_stats_range *range = &ranges->at[i];
    uint8_t kind = projecting->events->kind[range->event];

    cells[3] = nsc_cell_of_int(range->start);
    cells[4] = nsc_cell_of_int(nsc_stats_range_duration(range));
    cells[5] = nsc_cell_of_text(nsc_stats_style(kind));
    cells[9] = nsc_cell_of_int(range->level);
    cells[11] = nsc_cell_of_int(projecting->events->source[range->event]);
    if (range->parent != NSC_NONE)
        cells[12] = nsc_cell_of_int(projecting->events->source[ranges->at[range->parent].event]);
    nsc_stats_stack(stack, ranges, i);
    cells[13] = nsc_cell_of_text(nsc_text_of_buf(stack));
}

static bool put_projected(const struct projecting *projecting, const struct nsc_stats_sink *sink,
                          uint32_t i, struct nsc_stats_tags *tags, struct nsc_buf *stack)
{
    const struct projected *projected = i == NSC_NONE ? &projecting->none : &projecting->at[i];
    nsc_event of = i == NSC_NONE ? projecting->none_call : projecting->ranges.at[i].event;
    const struct nsc_track *track =
        of == NSC_NONE ? NULL : nsc_stats_track(projecting->ranges.input->trace, of);
    struct nsc_stats_cell cells[14] = {{0}};
    struct nsc_text tag = {"", 0};

    cells[1] = nsc_cell_of_int(projected->start);
    cells[2] = nsc_cell_of_int(length_of(projected));
    cells[6] = track ? nsc_cell_of_int(nsc_stats_pid(track)) : nsc_cell_empty();
    cells[7] = track ? nsc_cell_of_int(nsc_stats_tid(track)) : nsc_cell_empty();
    cells[8] = nsc_cell_of_int(projected->ops);
    cells[10] = nsc_cell_of_int(projected->children);
    if (i != NSC_NONE) {
        (void)nsc_stats_tag(&tag, tags, of);
        add_range(cells, projecting, i, stack);
    }
    cells[0] = nsc_cell_of_text(tag);
    return sink->row(sink->context, cells);
}

static int compare_sources(const void *context, uint32_t a, uint32_t b)
{
    const struct projecting *projecting = context;
    uint32_t x = projecting->events->source[projecting->ranges.at[a].event];
    uint32_t y = projecting->events->source[projecting->ranges.at[b].event];

    return (x > y) - (x < y);
}

/* The ranges that launched something; to be given to free(). */
static uint32_t *list_projected(const struct projecting *projecting, uint32_t *n)
{
    uint32_t *index = nsc_xmalloc(((size_t)projecting->ranges.n + 1) * sizeof *index);

    *n = 0;
    for (uint32_t i = 0; i < projecting->ranges.n; i++)
        if (projecting->at[i].ops)
            index[(*n)++] = i;
    return index;
}

enum nsc_status nsc_stats_proj_trace(const struct nsc_stats_input *input,
                                     const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct projecting projecting;
    struct nsc_buf stack = NSC_BUF_INIT(1u << 28);
    struct nsc_stats_tags tags;
    uint32_t n, *index;
    enum nsc_status status = NSC_OK;

    project(&projecting, input);
    nsc_stats_tags_init(&tags, input);
    index = list_projected(&projecting, &n);
    nsc_sort_by(index, n, compare_sources, &projecting);
    if (n == 0 && projecting.none.ops == 0)
        status = nsc_stats_nothing(error, "GPU work");
    do {
        bool goes_on = true;

        if (projecting.none.ops)
            goes_on = put_projected(&projecting, sink, NSC_NONE, &tags, &stack);
        for (uint32_t i = 0; i < n && goes_on; i++)
            goes_on = put_projected(&projecting, sink, index[i], &tags, &stack);
    } while (nsc_stats_again(sink));
    free(index);
    nsc_stats_tags_fini(&tags);
    nsc_buf_fini(&stack);
    fini_projecting(&projecting);
    return status;
}

/* ---- sum ---- */

#define AHEAD 16 /* rows */

struct sums {
    uint64_t ops, levels, children;
    nsc_time total; /* of the ranges themselves; saturating */
};

struct summing {
    struct projecting projecting;
    struct nsc_stats_by_tag *groups;
    uint32_t n, *index, *group;
    struct nsc_spread *spread;
    struct sums *sums; /* by group */
};

static void find_groups(struct summing *summing)
{
    const struct projecting *projecting = &summing->projecting;

    summing->index = list_projected(projecting, &summing->n);
    summing->group = nsc_xmalloc(((size_t)summing->n + 1) * sizeof *summing->group);
    for (uint32_t i = 0; i < summing->n; i++)
        summing->group[i] =
            nsc_stats_group_of(summing->groups, &projecting->ranges.at[summing->index[i]]);
    nsc_stats_by_tag_close(summing->groups);
}

static bool projected_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct summing *summing = context;

    *group = summing->group[i];
    *value = length_of(&summing->projecting.at[summing->index[i]]);
    return true;
}

static void add_sums(struct summing *summing)
{
    const struct projecting *projecting = &summing->projecting;

    summing->sums = nsc_xcalloc(summing->groups->all.n + 1, sizeof *summing->sums);
    for (uint32_t i = 0; i < summing->n; i++) {
        const struct nsc_stats_range *range = &projecting->ranges.at[summing->index[i]];
        struct sums *sums = &summing->sums[summing->group[i]];

        sums->ops += projecting->at[summing->index[i]].ops;
        sums->children += projecting->at[summing->index[i]].children;
        sums->levels += range->level;
        if (__builtin_add_overflow(sums->total, nsc_stats_range_duration(range), &sums->total))
            sums->total = INT64_MAX;
    }
}

static int compare_tags(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    const struct nsc_stats_group *all = summing->groups->all.at;
    int order = nsc_text_compare(all[a].tag, all[b].tag);

    return order ? order : (int)a - (int)b;
}

/* What is told of a group. */
struct sum_row {
    struct nsc_spread spread;
    struct sums sums;
    struct nsc_stats_group of;
};

static bool put_sum(const struct sum_row *row, const struct nsc_stats_sink *sink)
{
    const struct nsc_spread *spread = &row->spread;
    const struct sums *sums = &row->sums;
    double n = (double)spread->n;
    struct nsc_stats_cell cells[14];

    cells[0] = nsc_cell_of_text(row->of.tag);
    cells[1] = nsc_cell_of_text(
        nsc_stats_style(row->of.push_pop ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN));
    cells[2] = nsc_cell_of_int(spread->total);
    cells[3] = nsc_cell_of_int(sums->total);
    cells[4] = nsc_cell_of_int((int64_t)spread->n);
    cells[5] = nsc_cell_of_real(spread->mean);
    cells[6] = nsc_cell_of_real(spread->median);
    cells[7] = nsc_cell_of_int(spread->min);
    cells[8] = nsc_cell_of_int(spread->max);
    cells[9] = nsc_cell_of_real(spread->deviation);
    cells[10] = nsc_cell_of_int((int64_t)sums->ops);
    cells[11] = nsc_cell_of_real((double)sums->ops / n);
    cells[12] = nsc_cell_of_real((double)sums->levels / n);
    cells[13] = nsc_cell_of_real((double)sums->children / n);
    return sink->row(sink->context, cells);
}

/*
 * The groups side by side in order of their totals, to be freed: they lie all over memory, and a
 * loop that does nothing but copy waits for many of them at once.
 */
static struct sum_row *order_groups(const struct summing *summing, uint32_t *n)
{
    uint32_t *index =
        nsc_stats_rank(summing->spread, (uint32_t)summing->groups->all.n, n, compare_tags, summing);
    struct sum_row *rows = nsc_xmalloc(((size_t)*n + 1) * sizeof *rows);

    for (uint32_t i = 0; i < *n; i++)
        rows[i] = (struct sum_row){summing->spread[index[i]], summing->sums[index[i]],
                                   summing->groups->all.at[index[i]]};
    free(index);
    return rows;
}

static void put_sums(const struct summing *summing, const struct nsc_stats_sink *sink)
{
    uint32_t n = 0;
    struct sum_row *rows = order_groups(summing, &n);

    do {
        for (uint32_t i = 0; i < n; i++) {
            if (i + AHEAD < n)
                NSC_FETCH(rows[i + AHEAD].of.tag.bytes);
            if (!put_sum(&rows[i], sink))
                break;
        }
    } while (nsc_stats_again(sink));
    free(rows);
}

enum nsc_status nsc_stats_proj_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct nsc_stats_by_tag groups;
    struct summing summing = {.groups = &groups};
    enum nsc_status status = NSC_OK;

    project(&summing.projecting, input);
    nsc_stats_by_tag_init(&groups, input, false);
    find_groups(&summing);
    summing.spread =
        nsc_spreads_measure((uint32_t)groups.all.n, summing.n, projected_row, &summing);
    add_sums(&summing);
    fini_projecting(&summing.projecting); /* the groups are enough from here on */
    if (!summing.spread)
        status = nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the projections");
    else if (summing.n == 0)
        status = nsc_stats_nothing(error, "NVTX ranges that launched GPU work");
    else
        put_sums(&summing, sink);
    free(summing.spread);
    free(summing.sums);
    free(summing.index);
    free(summing.group);
    nsc_stats_by_tag_fini(&groups);
    return status;
}
