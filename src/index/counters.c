/*
 * Turns the samples of a family into counters: times and values in columns, changes summed.
 */
#include "core/pages.h"
#include "core/sum.h"
#include "core/threads.h"
#include "index/builder_data.h"
#include "index/final_row.h"

struct values { /* of all counters of a family, one column each */
    nsc_time *time;
    int64_t *value;
};

static int64_t value_of(const struct nsc_raw *row)
{
    return (int64_t)((uint64_t)row->duration << 32 | row->link);
}

static void add_sample(struct nsc_counter *counter, struct values to, nsc_time time, int64_t value)
{
    uint32_t i = counter->n++;

    to.time[i] = time;
    to.value[i] = value;
    if (i == 0 || value < counter->min)
        counter->min = value;
    if (i == 0 || value > counter->max)
        counter->max = value;
}

/* Copies the samples of one track of the family. */
static struct nsc_counter copy_samples(const struct nsc_family *family, struct values to,
                                       uint32_t t)
{
    const struct nsc_track_order *order = &family->orders[t];
    bool is_running = nsc_family_track(family, t)->running_total;
    struct nsc_counter counter = {.time = to.time, .value = to.value, .is_bytes = is_running};
    int64_t total = 0;

    for (size_t p = 0; p < order->ranges.n; p++) {
        struct nsc_chunk_range range = order->ranges.at[p];
        const struct nsc_raw *row = &family->chunks[range.chunk].rows[range.first];

        for (const struct nsc_raw *end = row + range.n; row < end; row++) {
            total = nsc_sum(total, value_of(row));
            add_sample(&counter, to, row->start, is_running ? total : value_of(row));
        }
    }
    return counter;
}

/* Adds a counter without samples. */
static void add_counter(struct nsc_family *family, uint32_t t)
{
    struct nsc_builder *builder = family->builder;
    struct nsc_build_track *track = nsc_family_track(family, t);
    const struct nsc_chunk_range *first = &family->orders[t].ranges.at[0];
    struct nsc_rows_from from = nsc_chunk_open(&family->chunks[first->chunk]);
    uint32_t name = nsc_final_row(from, first->first).name;

    track->counter = (uint32_t)builder->counters.n;
    track->label = builder->names.at[name].full;
    *NSC_VEC_ADD(&builder->counters) = (struct nsc_counter){0};
    *NSC_VEC_ADD(&builder->counter_columns) = (struct nsc_column){NULL, 0};
    *NSC_VEC_ADD(&builder->counter_columns) = (struct nsc_column){NULL, 0};
}

/* Returns the memory of the track's raw rows to the system. */
static void drop_rows(const struct nsc_family *family, uint32_t t)
{
    for (uint32_t c = family->first_chunk[t]; c < family->first_chunk[t + 1]; c++) {
        const struct nsc_chunk *chunk = &family->chunks[c];
        struct nsc_spare block = {chunk->rows, NSC_BLOCK_ROWS};
        struct nsc_spare *memory =
            chunk->feed ? &chunk->feed->slabs.at[chunk->slab].memory : &block;

        if (memory->n && memory->rows)
            nsc_pages_drop(memory->rows, nsc_spare_bytes(*memory));
        memory->rows = NULL;
    }
}

struct copying {
    struct nsc_family *family;
    struct values all;
};

static void copy_track(void *context, unsigned worker, uint32_t t)
{
    const struct copying *copying = context;
    struct nsc_family *family = copying->family;
    uint32_t first = family->first_row[t];
    struct values to = {copying->all.time + first, copying->all.value + first};
    const struct nsc_build_track *track = nsc_family_track(family, t);

    (void)worker;
    if (track->key.kind != NSC_TRACK_COUNTER)
        return;
    family->builder->counters.at[track->counter] = copy_samples(family, to, t);
    drop_rows(family, t);
}

bool nsc_family_build_counters(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    size_t first_column = builder->counter_columns.n;
    size_t n = family->n - family->n_events;
    struct copying copying = {.family = family};
    struct values *all = &copying.all;

    if (!n)
        return true;
    all->time = nsc_pages_new(n * sizeof *all->time);
    all->value = nsc_pages_new(n * sizeof *all->value);
    if (!all->time || !all->value) {
        nsc_pages_free(all->time, n * sizeof *all->time);
        nsc_pages_free(all->value, n * sizeof *all->value);
        return false;
    }
    for (uint32_t t = 0; t < family->n_tracks; t++)
        if (nsc_family_track(family, t)->key.kind == NSC_TRACK_COUNTER)
            add_counter(family, t);
    nsc_pool_run(builder->pool, family->n_tracks, copy_track, &copying);
    /* The first counter of a family owns the memory of all of them. */
    builder->counter_columns.at[first_column] =
        (struct nsc_column){all->time, n * sizeof *all->time};
    builder->counter_columns.at[first_column + 1] =
        (struct nsc_column){all->value, n * sizeof *all->value};
    return true;
}
