/*
 * Moves a family's events, in their final order, from raw rows to the builder's columns.
 *
 * Each raw row is read once and each column written once, by tasks on all threads. Once all rows of
 * a slab are moved, the slab is kept for the next family or returned to the system, so most rows
 * never exist in both forms at once.
 */
#include "core/hints.h"
#include "core/pages.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/builder_data.h"
#include "index/final_row.h"

#ifdef NSC_SMALL
enum { TOUCH_ROWS = 24 };
#else
enum { TOUCH_ROWS = 16384 }; /* rows whose memory is populated at once */
#endif
enum { AHEAD = 32 }; /* rows that are fetched before they are moved */

/* The builder's columns. */
struct columns {
    nsc_time *start;
    uint32_t *duration, *name, *link, *source;
    uint8_t *kind;
};

/* Results of one worker. */
struct gathered {
    struct nsc_spares spares;             /* to keep */
    NSC_VEC(struct nsc_build_long) longs; /* unordered */
};

struct gathering {
    struct nsc_family *family;
    struct columns to;
    NSC_VEC(const struct nsc_gather_task *) tasks;
    struct gathered *by_worker; /* one per thread */
    atomic_bool *touched;       /* by TOUCH_ROWS rows */
    uint64_t rows_wanted;
};

/* ---- slabs ---- */

/* Rows of memory to keep: later families may use as much as this one, if as many rows are left. */
static uint64_t measure_wanted(const struct nsc_family *family)
{
    uint64_t rows = 0;

    for (unsigned f = 0; f < family->n_feeds; f++)
        for (size_t i = 0; i < family->feeds[f].slabs.n; i++)
            rows += family->feeds[f].slabs.at[i].memory.n;
    return rows < family->builder->rows_left ? rows : family->builder->rows_left;
}

/* Keeps memory that later families can use, and returns other memory to the system. */
static void give_up(struct gathering *gathering, struct gathered *own, struct nsc_spare spare)
{
    if (atomic_fetch_add(&gathering->family->rows_kept, spare.n) < gathering->rows_wanted)
        nsc_spares_add(&own->spares, spare);
    else
        nsc_pages_drop(spare.rows, nsc_spare_bytes(spare));
}

/* Notes that n more rows of the chunk are moved. */
static void release_rows(struct gathering *gathering, struct gathered *own,
                         const struct nsc_chunk *chunk, uint32_t n)
{
    struct nsc_slab *slab = &chunk->feed->slabs.at[chunk->slab];
    uint32_t left = __atomic_sub_fetch(&slab->left, n, __ATOMIC_ACQ_REL);

    if (left || !slab->memory.n)
        return;
    give_up(gathering, own, slab->memory); /* no other thread reads it: these were its last rows */
    slab->memory.rows = NULL;
}

/* ---- rows ---- */

static inline void put_row(struct columns to, uint32_t at, struct nsc_rows_from from, uint32_t i)
{
    struct nsc_raw row = nsc_final_row(from, i);

    to.start[at] = row.start;
    to.duration[at] = row.duration;
    to.name[at] = row.name;
    to.link[at] = row.link;
    to.source[at] = row.source;
    to.kind[at] = from.kinds[i];
}

/* Stores the duration of a long row of the chunk, now row `at`. */
NSC_RARE static void note_long(struct gathered *own, uint32_t at, const struct nsc_chunk *chunk,
                               uint32_t i)
{
    *NSC_VEC_ADD(&own->longs) = (struct nsc_build_long){at, nsc_chunk_duration(chunk, i)};
}

/* Moves consecutive rows. */
static void move_range(struct columns to, uint32_t at, const struct nsc_chunk *chunk,
                       struct nsc_chunk_range range, struct gathered *own)
{
    struct nsc_rows_from from = nsc_chunk_open(chunk);

    at -= range.first;
    for (uint32_t i = range.first; i < range.first + range.n; i++) {
        NSC_FETCH(&from.rows[i + AHEAD]);
        put_row(to, at + i, from, i);
        if (from.rows[i].duration == NSC_LONG)
            note_long(own, at + i, chunk, i);
    }
}

/* Moves each row to the next place of its lane. */
static void deal_range(struct columns to, const uint32_t *lane, uint32_t next[],
                       const struct nsc_chunk *chunk, struct nsc_chunk_range range,
                       struct gathered *own)
{
    struct nsc_rows_from from = nsc_chunk_open(chunk);

    for (uint32_t i = range.first; i < range.first + range.n; i++) {
        uint32_t at = next[*lane++]++;

        NSC_FETCH(&from.rows[i + AHEAD]);
        put_row(to, at, from, i);
        if (from.rows[i].duration == NSC_LONG)
            note_long(own, at, chunk, i);
    }
}

/* ---- tasks ---- */

/* Populates the columns' pages where rows [first, first + n) are about to be written, in blocks of
 * rows of this family. */
static void touch_rows(struct gathering *gathering, uint32_t first, uint32_t n)
{
    const struct nsc_builder *builder = gathering->family->builder;
    uint32_t block = (first - builder->n) / TOUCH_ROWS;

    for (; n && block <= (first + n - 1 - builder->n) / TOUCH_ROWS; block++) {
        uint32_t row = builder->n + block * TOUCH_ROWS;
        uint32_t end = builder->n + gathering->family->n_events;
        uint32_t rows = end - row < TOUCH_ROWS ? end - row : TOUCH_ROWS;

        if (atomic_exchange_explicit(&gathering->touched[block], true, memory_order_relaxed))
            continue;
        for (int i = 0; i < NSC_N_COLUMNS; i++)
            nsc_pages_touch((char *)builder->columns[i].at + (size_t)row * nsc_column_width(i),
                            rows * nsc_column_width(i));
    }
}

/* Writes the first row of the task in each lane, and populates the lanes' pages. */
static void open_lanes(struct gathering *gathering, const struct nsc_track_order *order,
                       const struct nsc_gather_task *task, uint32_t base, uint32_t next[])
{
    const struct nsc_gather_task *later =
        task + 1 < order->tasks.at + order->tasks.n ? task + 1 : NULL;

    for (uint32_t i = 0; i < order->n_lanes; i++) {
        uint32_t before = i < task->n_before ? task->before[i] : 0;
        uint32_t end = !later ? order->rows[i] : i < later->n_before ? later->before[i] : 0;

        next[i] = base + before;
        touch_rows(gathering, next[i], end - before);
        base += order->rows[i];
    }
}

static void gather_ranges(struct gathering *gathering, const struct nsc_gather_task *task,
                          struct gathered *own, uint32_t first)
{
    const struct nsc_track_order *order = &gathering->family->orders[task->track];
    uint32_t *next = order->lane ? nsc_xmalloc(order->n_lanes * sizeof *next) : NULL;
    uint32_t row = task->row;
    uint32_t base = first - task->row;

    if (next)
        open_lanes(gathering, order, task, base, next);
    for (uint32_t p = task->first_range; p < task->first_range + task->n_ranges; p++) {
        const struct nsc_chunk_range *range = &order->ranges.at[p];
        const struct nsc_chunk *chunk = &gathering->family->chunks[range->chunk];

        if (order->lane)
            deal_range(gathering->to, order->lane + row, next, chunk, *range, own);
        else {
            touch_rows(gathering, base + row, range->n);
            move_range(gathering->to, base + row, chunk, *range, own);
        }
        row += range->n;
        if (chunk->feed)
            release_rows(gathering, own, chunk, range->n);
        else if (range->first + range->n == chunk->n) /* other ranges of the chunk came before */
            give_up(gathering, own, (struct nsc_spare){chunk->rows, NSC_BLOCK_ROWS});
    }
    free(next);
}

static void gather_task(void *context, unsigned worker, uint32_t i)
{
    struct gathering *gathering = context;
    const struct nsc_family *family = gathering->family;
    const struct nsc_gather_task *task = gathering->tasks.at[i];
    uint32_t first = family->builder->n + family->first_row[task->track] + task->row;

    gather_ranges(gathering, task, &gathering->by_worker[worker], first);
}

/* ---- all ---- */

NSC_COMPARE(compare_longs, struct nsc_build_long, NSC_LEAST(event))

static void collect_gathered(struct gathering *gathering)
{
    struct nsc_builder *builder = gathering->family->builder;
    size_t first = builder->longs.n;

    for (unsigned w = 0; w < nsc_pool_threads(builder->pool); w++) {
        struct gathered *own = &gathering->by_worker[w];

        nsc_spares_move(&builder->spares, &own->spares);
        for (size_t i = 0; i < own->longs.n; i++)
            *NSC_VEC_ADD(&builder->longs) = own->longs.at[i];
        NSC_VEC_FINI(&own->longs);
    }
    if (builder->longs.n > first)
        qsort(builder->longs.at + first, builder->longs.n - first, sizeof *builder->longs.at,
              compare_longs);
}

static void list_tasks(struct gathering *gathering)
{
    const struct nsc_family *family = gathering->family;

    for (uint32_t t = 0; t < family->n_tracks; t++)
        for (size_t i = 0; i < family->orders[t].tasks.n; i++)
            *NSC_VEC_ADD(&gathering->tasks) = &family->orders[t].tasks.at[i];
}

bool nsc_family_give_packed(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;

    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];
        bool keeps = false;

        for (size_t i = 0; i < feed->names.n && !keeps; i++)
            keeps = feed->map[i].keeps;
        if (!keeps)
            continue;
        if (builder->packed.n + feed->packed.n > NSC_NONE >> NSC_LINK_BITS)
            return false;
        feed->first_packed = (uint32_t)builder->packed.n;
        feed->packed_given = true;
        builder->packed_bytes += (uint64_t)(feed->packed.n - 1) << NSC_PACKED_BITS;
        builder->packed_bytes += feed->packed_used;
        for (size_t i = 0; i < feed->packed.n; i++)
            *NSC_VEC_ADD(&builder->packed) = feed->packed.at[i];
    }
    return true;
}

bool nsc_family_gather(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    struct gathering gathering = {.family = family};

    if (!nsc_builder_reserve(builder, family->n_events))
        return false;
    gathering.to = (struct columns){
        builder->columns[NSC_COLUMN_START].at,  builder->columns[NSC_COLUMN_DURATION].at,
        builder->columns[NSC_COLUMN_NAME].at,   builder->columns[NSC_COLUMN_LINK].at,
        builder->columns[NSC_COLUMN_SOURCE].at, builder->columns[NSC_COLUMN_KIND].at};
    gathering.rows_wanted = measure_wanted(family);
    gathering.by_worker = nsc_xcalloc(nsc_pool_threads(builder->pool), sizeof *gathering.by_worker);
    gathering.touched = nsc_xcalloc(family->n_events / TOUCH_ROWS + 1, sizeof *gathering.touched);
    list_tasks(&gathering);
    nsc_pool_run(builder->pool, (uint32_t)gathering.tasks.n, gather_task, &gathering);
    collect_gathered(&gathering);
    builder->n += family->n_events;
    NSC_VEC_FINI(&gathering.tasks);
    free(gathering.by_worker);
    free(gathering.touched);
    return true;
}
