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
#include "core/handoff.h"
#include "core/hints.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/threads.h"

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
    nsc_time start = outside->events->start[launch->op];
    nsc_time end = nsc_event_end(outside->events, launch->op);

    if (work->ops == 0 || end > work->end)
        outside->call = launch->call;
    work->start = work->ops == 0 ? start : nsc_earlier(work->start, start);
    work->end = work->ops == 0 ? end : nsc_later(work->end, end);
    work->ops++;
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

static nsc_time length_of(const struct nsc_stats_work *work)
{
    nsc_time d;

    return __builtin_sub_overflow(work->end, work->start, &d) ? INT64_MAX : d;
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
    cells[2] = nsc_cell_of_int(length_of(work));
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
    uint32_t x = projecting->outside.events->source[projecting->ranges.at[a].event];
    uint32_t y = projecting->outside.events->source[projecting->ranges.at[b].event];

    return (x > y) - (x < y);
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

#ifdef NSC_SMALL
#define SHARED_FROM 16u
#else
#define SHARED_FROM (1u << 16) /* events; fewer are not worth a second thread */
#endif

enum { PAIR = 2 }; /* most groups of a big export have one range a rank */

struct sums {
    uint64_t ops, levels;
    nsc_time own; /* saturating */
    uint32_t n, children;
    uint32_t first;      /* the least number of a range */
    uint32_t lengths;    /* more than PAIR: of its n lengths, once they lie side by side */
    nsc_time pair[PAIR]; /* up to PAIR: the lengths of its projections, the last one first */
};

struct summing {
    struct outside outside; /* first: add_outside wants it */
    struct nsc_stats_by_tag *groups;
    struct nsc_handoff *handoff; /* of struct closed, to another thread; NULL: there is none */
    NSC_VEC(struct sums) sums;   /* by group */
    NSC_VEC(nsc_time)
    lengths;                 /* of groups of more than PAIR projections, as they come; later by
                                  * group, the last one first */
    NSC_VEC(uint32_t) group; /* by length */
};

/* What the sums need of a closed range with work. */
struct closed {
    nsc_event event;
    uint32_t track, number, level, ops, children;
    nsc_time length, own; /* of the projection, of the range */
};

static void add_length(struct summing *summing, uint32_t group, nsc_time length)
{
    *NSC_VEC_ADD(&summing->group) = group;
    *NSC_VEC_ADD(&summing->lengths) = length;
}

static void sum_range(struct summing *summing, const struct closed *range, uint32_t group)
{
    struct sums *sums;

    if (group == summing->sums.n)
        *NSC_VEC_ADD(&summing->sums) = (struct sums){.first = range->number};
    sums = &summing->sums.at[group];
    for (uint32_t i = PAIR; i > 0 && sums->n == PAIR; i--)
        add_length(summing, group, sums->pair[i - 1]);
    if (sums->n >= PAIR)
        add_length(summing, group, range->length);
    sums->pair[1] = sums->pair[0];
    sums->pair[0] = range->length;
    sums->n++;
    sums->first = range->number < sums->first ? range->number : sums->first;
    sums->ops += range->ops;
    sums->children += range->children;
    sums->levels += range->level;
    sums->own = nsc_sum(sums->own, range->own);
}

static void sum_ranges(struct summing *summing, const struct closed ranges[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum_range(summing, &ranges[i],
                  nsc_stats_by_tag_find(summing->groups, ranges[i].event, ranges[i].track));
}

static void close_range(void *context, const struct nsc_stats_open *range,
                        struct nsc_stats_open *parent)
{
    struct summing *summing = context;
    struct closed closed = {range->range.event,      range->range.track,
                            range->number,           range->range.level,
                            range->work.ops,         range->work.children,
                            length_of(&range->work), nsc_stats_range_duration(&range->range)};

    if (range->work.ops == 0)
        return;
    if (parent)
        parent->work.children++;
    if (summing->handoff)
        *(struct closed *)nsc_handoff_add(summing->handoff) = closed;
    else
        sum_ranges(summing, &closed, 1);
}

/* One thread nests the ranges, and the other finds their groups. */
static void project_task(void *context, unsigned worker, uint32_t task)
{
    struct summing *summing = context;
    const struct closed *ranges;
    size_t n = 0;

    (void)worker;
    if (task == 0) {
        project(&summing->outside, summing->groups->tags.input, close_range);
        nsc_handoff_end(summing->handoff);
        return;
    }
    while ((ranges = nsc_handoff_take(summing->handoff, &n)))
        sum_ranges(summing, ranges, n);
}

static void sum_projections(struct summing *summing)
{
    const struct nsc_stats_input *input = summing->groups->tags.input;
    struct nsc_pool *pool = nsc_pool_new(nsc_trace_events(input->trace)->n > SHARED_FROM ? 0 : 1);

    if (nsc_pool_threads(pool) > 1) {
        summing->handoff = nsc_handoff_new(sizeof(struct closed));
        nsc_pool_run(pool, 2, project_task, summing);
        nsc_handoff_free(summing->handoff);
    } else {
        project(&summing->outside, input, close_range);
    }
    nsc_pool_free(pool);
}

/* Lays the lengths of each group side by side. */
static void gather_lengths(struct summing *summing)
{
    uint32_t n = (uint32_t)summing->lengths.n, end = 0;
    nsc_time *gathered = nsc_xmalloc(((size_t)n + 1) * sizeof *gathered);

    for (size_t g = 0; g < summing->sums.n; g++) {
        end += summing->sums.at[g].n > PAIR ? summing->sums.at[g].n : 0;
        summing->sums.at[g].lengths = end;
    }
    for (uint32_t i = 0; i < n; i++)
        gathered[--summing->sums.at[summing->group.at[i]].lengths] = summing->lengths.at[i];
    NSC_VEC_FINI(&summing->group);
    NSC_VEC_FINI(&summing->lengths);
    summing->lengths.at = gathered;
    summing->lengths.n = n;
}

static const nsc_time *lengths_of(const struct summing *summing, const struct sums *sums)
{
    return sums->n > PAIR ? &summing->lengths.at[sums->lengths] : sums->pair;
}

/* ---- order ---- */

static nsc_time projected(const void *context, uint32_t group)
{
    const struct summing *summing = context;
    const struct sums *sums = &summing->sums.at[group];
    const nsc_time *lengths = lengths_of(summing, sums);
    nsc_time total = 0;

    for (uint32_t i = 0; i < sums->n; i++)
        total = nsc_sum(total, lengths[i]);
    return total;
}

static int compare_tied(const void *context, uint32_t a, uint32_t b)
{
    const struct summing *summing = context;
    int order = nsc_text_compare(nsc_stats_tag_of(summing->groups, a),
                                 nsc_stats_tag_of(summing->groups, b));

    if (order)
        return order;
    return summing->sums.at[a].first < summing->sums.at[b].first ? -1 : 1;
}

/* ---- rows of sums ---- */

struct values {
    NSC_VEC(nsc_time) list; /* scratch: of one group */
    NSC_APART;
};

struct putting {
    const struct summing *summing;
    uint32_t *order;       /* all groups */
    struct values *values; /* by worker */
};

/* Measures a copy, because measuring changes the order, and the next time the last digits. */
static void measure_group(struct nsc_spread *out, struct values *values,
                          const struct summing *summing, const struct sums *sums)
{
    const nsc_time *lengths = lengths_of(summing, sums);

    NSC_VEC_CLEAR(&values->list);
    for (uint32_t i = 0; i < sums->n; i++)
        *NSC_VEC_ADD(&values->list) = lengths[i];
    nsc_spread_measure(out, values->list.at, values->list.n);
}

static void fill_row(struct nsc_stats_cell cells[], struct values *values,
                     const struct summing *summing, uint32_t group)
{
    const struct sums *sums = &summing->sums.at[group];
    bool push_pop = summing->groups->all.at[group].push_pop;
    double n = (double)sums->n;
    struct nsc_spread spread;

    measure_group(&spread, values, summing, sums);
    cells[0] = nsc_cell_of_text(nsc_stats_tag_of(summing->groups, group));
    cells[1] =
        nsc_cell_of_text(nsc_stats_style(push_pop ? NSC_KIND_NVTX_RANGE : NSC_KIND_NVTX_SPAN));
    cells[2] = nsc_cell_of_int(spread.total);
    cells[3] = nsc_cell_of_int(sums->own);
    cells[4] = nsc_cell_of_int((int64_t)spread.n);
    cells[5] = nsc_cell_of_real(spread.mean);
    cells[6] = nsc_cell_of_real(spread.median);
    cells[7] = nsc_cell_of_int(spread.min);
    cells[8] = nsc_cell_of_int(spread.max);
    cells[9] = nsc_cell_of_real(spread.deviation);
    cells[10] = nsc_cell_of_int((int64_t)sums->ops);
    cells[11] = nsc_cell_of_real((double)sums->ops / n);
    cells[12] = nsc_cell_of_real((double)sums->levels / n);
    cells[13] = nsc_cell_of_real((double)sums->children / n);
}

static void put_row(void *context, unsigned worker, uint32_t i, struct nsc_stats_cell cells[])
{
    struct putting *putting = context;

    fill_row(cells, &putting->values[worker], putting->summing, putting->order[i]);
}

/* Groups in the order in which they lie in memory. */
static void put_group(void *context, unsigned worker, uint32_t i, struct nsc_stats_cell cells[])
{
    struct putting *putting = context;

    fill_row(cells, &putting->values[worker], putting->summing, i);
}

static void put_sums(struct summing *summing, const struct nsc_stats_sink *sink)
{
    uint32_t n = (uint32_t)summing->sums.n;
    struct nsc_pool *pool = nsc_pool_new(n > NSC_STATS_SHARED_FROM ? 0 : 1);
    unsigned threads = nsc_pool_threads(pool);
    struct putting putting = {summing, NULL, nsc_xcalloc(threads, sizeof *putting.values)};

    nsc_stats_by_tag_close(summing->groups);
    putting.order = nsc_stats_rank(n, projected, compare_tied, summing);
    nsc_stats_put_rows(&(struct nsc_stats_rows){n, put_row, put_group, &putting, pool}, sink);
    for (unsigned i = 0; i < threads; i++)
        NSC_VEC_FINI(&putting.values[i].list);
    free(putting.values);
    free(putting.order);
    nsc_pool_free(pool);
}

enum nsc_status nsc_stats_proj_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink)
{
    struct nsc_stats_by_tag groups;
    struct summing summing = {.groups = &groups};
    enum nsc_status status = NSC_OK;

    nsc_stats_by_tag_init(&groups, input, false);
    sum_projections(&summing);
    nsc_stats_by_tag_end(&groups);
    gather_lengths(&summing);
    if (summing.sums.n == 0)
        status = NSC_ENODATA;
    else
        put_sums(&summing, sink);
    nsc_stats_by_tag_fini(&groups);
    NSC_VEC_FINI(&summing.sums);
    NSC_VEC_FINI(&summing.lengths);
    NSC_VEC_FINI(&summing.group);
    return status;
}
