/*
 * Moves a family's events, in their final order, from raw chunks to the builder's columns.
 *
 * One column after another, each raw one freed as soon as it is copied: at no time do both forms of
 * more than one exist, nor of all of the widest.
 */
#include "core/pages.h"
#include "core/threads.h"
#include "index/builder_data.h"

#include <string.h>

#define SLICE_ROWS 65536u

struct gathering {
    const struct nsc_family *family;
    const void **from; /* the raw column of each chunk */
    void *to;          /* the builder's column at the family's first event */
    uint32_t begin, n; /* chunks to copy from; a column in one go: all of them */
};

void nsc_family_free_raw(const struct nsc_family *family, enum nsc_raw_column raw)
{
    for (unsigned f = 0; f < family->n_feeds; f++)
        nsc_feed_free_column(&family->feeds[f], raw, UINT64_MAX);
    for (uint32_t c = 0; c < family->n_chunks; c++)
        family->chunks[c].columns[raw] = NULL;
}

/* Gives one raw column of the first n chunks back, as far as it does not share blocks with later
 * ones. */
static void free_front(const struct nsc_family *family, enum nsc_raw_column raw, uint32_t n)
{
    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];
        uint32_t c = n;

        while (c < family->n_chunks && family->chunks[c].feed != feed)
            c++;
        nsc_feed_free_column(feed, raw,
                             c < family->n_chunks ? family->chunks[c].first : UINT64_MAX);
    }
    for (uint32_t c = 0; c < n; c++)
        family->chunks[c].columns[raw] = NULL;
}

static uint32_t count_slices(const struct nsc_family *family)
{
    return (uint32_t)(((uint64_t)family->n_events + SLICE_ROWS - 1) / SLICE_ROWS);
}

static uint32_t slice_end(const struct nsc_family *family, uint32_t slice)
{
    uint64_t end = ((uint64_t)slice + 1) * SLICE_ROWS;

    return end < family->n_events ? (uint32_t)end : family->n_events;
}

static void copy_u8(void *context, unsigned worker, uint32_t slice)
{
    const struct gathering *gathering = context;
    const uint8_t *const *from = (const uint8_t *const *)gathering->from;
    const uint32_t *order = gathering->family->order;
    uint32_t end = slice_end(gathering->family, slice);
    uint8_t *to = gathering->to;

    (void)worker;
    for (uint32_t i = slice * SLICE_ROWS; i < end; i++)
        to[i] = from[order[i] >> NSC_CHUNK_BITS][order[i] & (NSC_CHUNK_ROWS - 1)];
}

static void copy_u32(void *context, unsigned worker, uint32_t slice)
{
    const struct gathering *gathering = context;
    const uint32_t *const *from = (const uint32_t *const *)gathering->from;
    const uint32_t *order = gathering->family->order;
    uint32_t end = slice_end(gathering->family, slice);
    uint32_t *to = gathering->to;

    (void)worker;
    for (uint32_t i = slice * SLICE_ROWS; i < end; i++)
        to[i] = from[order[i] >> NSC_CHUNK_BITS][order[i] & (NSC_CHUNK_ROWS - 1)];
}

static void copy_time(void *context, unsigned worker, uint32_t slice)
{
    const struct gathering *gathering = context;
    const nsc_time *const *from = (const nsc_time *const *)gathering->from;
    const uint32_t *order = gathering->family->order;
    uint32_t end = slice_end(gathering->family, slice);
    nsc_time *to = gathering->to;

    (void)worker;
    for (uint32_t i = slice * SLICE_ROWS; i < end; i++) {
        uint32_t chunk = order[i] >> NSC_CHUNK_BITS;

        if (chunk - gathering->begin < gathering->n)
            to[i] = from[chunk][order[i] & (NSC_CHUNK_ROWS - 1)];
    }
}

/* ---- links: correlation ids as they are, packed counters to the end of the trace's ---- */

/* Whether the link of a raw row of this kind is a correlation id. */
static bool has_correlation(uint8_t kind)
{
    return nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind) || kind == NSC_KIND_SYNC;
}

static void *grow_column(struct nsc_column *column, size_t bytes)
{
    void *at = nsc_pages_new(bytes);

    if (!at)
        return NULL;
    if (column->at)
        memcpy(at, column->at, column->bytes < bytes ? column->bytes : bytes);
    nsc_pages_free(column->at, column->bytes);
    *column = (struct nsc_column){at, bytes};
    return at;
}

/* Room for the counters this family keeps with its events. */
static bool reserve_packed(struct nsc_family *family, uint64_t used)
{
    struct nsc_builder *builder = family->builder;
    uint64_t texts = builder->packed_n + family->packed_n;
    uint64_t blocks = texts / NSC_COUNTER_BLOCK + 2;

    if (!family->packed_n)
        return true;
    return grow_column(&builder->columns[NSC_COLUMN_COUNTER_BYTES], used + family->packed_bytes) &&
           grow_column(&builder->columns[NSC_COLUMN_COUNTER_OFFSETS], blocks * sizeof(uint64_t));
}

/* What one slice of a family's events packs: counted first, so that all slices can write at once.
 */
struct packing {
    struct nsc_family *family;
    uint32_t *texts; /* of each slice; then the number of its first */
    uint64_t *bytes; /* likewise */
};

/* The counters that event i (of the family) keeps, NULL for one that has none. */
static const uint8_t *kept_counters(const struct nsc_family *family, uint32_t i)
{
    const struct nsc_builder *builder = family->builder;
    const uint32_t *link = (const uint32_t *)builder->columns[NSC_COLUMN_LINK].at + builder->n;
    const uint32_t *name = (const uint32_t *)builder->columns[NSC_COLUMN_NAME].at + builder->n;

    if (!builder->names.at[name[i]].counters)
        return NULL;
    return nsc_feed_packed(family->chunks[family->order[i] >> NSC_CHUNK_BITS].feed, link[i]);
}

static void count_packed(void *context, unsigned worker, uint32_t slice)
{
    struct packing *packing = context;
    const struct nsc_family *family = packing->family;
    const uint8_t *kind =
        (const uint8_t *)family->builder->columns[NSC_COLUMN_KIND].at + family->builder->n;
    uint32_t texts = 0;
    uint64_t bytes = 0;

    (void)worker;
    for (uint32_t i = slice * SLICE_ROWS; i < slice_end(family, slice); i++) {
        const uint8_t *packed = has_correlation(kind[i]) ? NULL : kept_counters(family, i);

        texts += packed != NULL;
        bytes += packed ? packed[0] + 1u : 0;
    }
    packing->texts[slice] = texts;
    packing->bytes[slice] = bytes;
}

/* Writes the counters of a slice behind those of the slices before; links number them. */
static void write_packed(void *context, unsigned worker, uint32_t slice)
{
    struct packing *packing = context;
    const struct nsc_family *family = packing->family;
    const struct nsc_builder *builder = family->builder;
    const uint8_t *kind = (const uint8_t *)builder->columns[NSC_COLUMN_KIND].at + builder->n;
    uint32_t *link = (uint32_t *)builder->columns[NSC_COLUMN_LINK].at + builder->n;
    uint8_t *to = builder->columns[NSC_COLUMN_COUNTER_BYTES].at;
    uint64_t *offset = builder->columns[NSC_COLUMN_COUNTER_OFFSETS].at;
    uint32_t text = packing->texts[slice];
    uint64_t at = packing->bytes[slice];

    (void)worker;
    for (uint32_t i = slice * SLICE_ROWS; i < slice_end(family, slice); i++) {
        const uint8_t *packed = NULL;

        if (has_correlation(kind[i]))
            continue;
        packed = kept_counters(family, i);
        link[i] = NSC_NONE;
        if (!packed)
            continue;
        if (text % NSC_COUNTER_BLOCK == 0)
            offset[text / NSC_COUNTER_BLOCK] = at;
        memcpy(to + at, packed, packed[0] + 1u);
        at += packed[0] + 1u;
        link[i] = text++;
    }
}

static bool finish_links(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    uint32_t slices = count_slices(family);
    struct packing packing = {family, NULL, NULL};

    if (!reserve_packed(family, builder->packed_bytes))
        return false;
    packing.texts = nsc_xcalloc((size_t)slices + 1, sizeof *packing.texts);
    packing.bytes = nsc_xcalloc((size_t)slices + 1, sizeof *packing.bytes);
    nsc_pool_run(builder->pool, slices, count_packed, &packing);
    for (uint32_t i = 0; i < slices; i++) {
        uint32_t texts = packing.texts[i];
        uint64_t bytes = packing.bytes[i];

        packing.texts[i] = builder->packed_n;
        packing.bytes[i] = builder->packed_bytes;
        builder->packed_n += texts;
        builder->packed_bytes += bytes;
    }
    nsc_pool_run(builder->pool, slices, write_packed, &packing);
    free(packing.texts);
    free(packing.bytes);
    return true;
}

/* The workers' counters are of no use once they are packed with their events. */
static void free_blobs(struct nsc_family *family)
{
    for (unsigned f = 0; f < family->n_feeds; f++)
        nsc_feed_free_blob(&family->feeds[f]);
}

/* ---- long durations ---- */

static void collect_longs(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    const uint32_t *duration = (uint32_t *)builder->columns[NSC_COLUMN_DURATION].at + builder->n;

    for (uint32_t i = 0; i < family->n_events; i++)
        if (duration[i] == NSC_LONG)
            *NSC_VEC_ADD(&builder->longs) = (struct nsc_build_long){
                builder->n + i, nsc_family_duration(family, family->order[i])};
}

/* ---- all ---- */

static const struct {
    enum nsc_raw_column raw;
    enum nsc_column_id id;
    uint8_t width;
} steps[] = {
    {NSC_RAW_KIND, NSC_COLUMN_KIND, 1},         {NSC_RAW_NAME, NSC_COLUMN_NAME, 4},
    {NSC_RAW_LINK, NSC_COLUMN_LINK, 4},         {NSC_RAW_SOURCE, NSC_COLUMN_SOURCE, 4},
    {NSC_RAW_DURATION, NSC_COLUMN_DURATION, 4}, {NSC_RAW_START, NSC_COLUMN_START, 8},
};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

/* Copies one column and frees the raw one; a wide one in halves, for the peak is where both forms
 * exist. */
static void gather_column(struct nsc_family *family, const void **from, size_t step)
{
    struct nsc_builder *builder = family->builder;
    uint32_t slices = count_slices(family);
    uint8_t width = steps[step].width;
    struct gathering gathering = {.family = family, .from = from};
    uint32_t half = width > 4 ? family->n_chunks / 2 : family->n_chunks;

    gathering.to = (char *)builder->columns[steps[step].id].at + (size_t)builder->n * width;
    for (uint32_t c = 0; c < family->n_chunks; c++)
        from[c] = family->chunks[c].columns[steps[step].raw];
    for (uint32_t end = half; gathering.begin < family->n_chunks; end = family->n_chunks) {
        gathering.n = end - gathering.begin;
        nsc_pool_run(builder->pool, slices,
                     width == 1   ? copy_u8
                     : width == 4 ? copy_u32
                                  : copy_time,
                     &gathering);
        gathering.begin = end;
        if (end < family->n_chunks)
            free_front(family, steps[step].raw, end);
    }
    if (steps[step].raw == NSC_RAW_DURATION)
        collect_longs(family);
    nsc_family_free_raw(family, steps[step].raw);
}

bool nsc_family_gather(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    const void **from = NULL;
    bool ok = nsc_builder_reserve(builder, family->n_events);

    if (!ok)
        return false;
    from = nsc_xmalloc((size_t)family->n_chunks * sizeof *from);
    for (size_t i = 0; ok && i < N_STEPS; i++) {
        gather_column(family, from, i);
        if (steps[i].raw == NSC_RAW_LINK) {
            ok = finish_links(family);
            free_blobs(family);
        }
    }
    free(from);
    if (ok)
        builder->n += family->n_events;
    return ok;
}
