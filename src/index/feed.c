/*
 * A worker's feed: takes rows into chunks, and numbers the tracks they lie on.
 */
#include "core/pages.h"
#include "index/builder_data.h"

#include <assert.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)1 << NSC_BLOCK_BITS)
/* Rows after which every column begins a block: no chunk straddles that. */
#define BLOCK_ROWS (BLOCK_BYTES / sizeof(nsc_time))
/* Chunks begin at such a row, so that no two of them share a cache line of any column but one. */
#define ALIGN_ROWS 16u

static const uint8_t raw_width[NSC_N_RAW] = {1, 4, 4, 4, 4, 4, 8};

struct nsc_feed *nsc_feed_init(struct nsc_feed *feed, struct nsc_family *family)
{
    *feed = (struct nsc_feed){0};
    feed->family = family;
    feed->fresh = true;
    nsc_strpool_init(&feed->strings);
    *NSC_VEC_ADD(&feed->names) = (struct nsc_feed_name){0}; /* 0 is the unknown name */
    return feed;
}

void nsc_chunk_fini(struct nsc_chunk *chunk)
{
    memset(chunk->columns, 0, sizeof chunk->columns);
    NSC_VEC_FINI(&chunk->longs);
}

/* The bytes of raw rows that later families can still need. */
static uint64_t wanted_bytes(const struct nsc_builder *builder)
{
    uint64_t row = 0;

    for (int i = 0; i < NSC_N_RAW; i++)
        row += raw_width[i];
    return builder->rows_left * row;
}

static void give_block(struct nsc_builder *builder, void *block)
{
    if ((builder->blocks.n + 1) << NSC_BLOCK_BITS > wanted_bytes(builder))
        nsc_pages_free(block, BLOCK_BYTES);
    else
        *NSC_VEC_ADD(&builder->blocks) = block;
}

void nsc_feed_free_column(struct nsc_feed *feed, enum nsc_raw_column column, uint64_t row)
{
    uint64_t rows = BLOCK_BYTES / raw_width[column];

    for (size_t i = 0; i < feed->blocks[column].n && (i + 1) * rows <= row; i++) {
        if (feed->blocks[column].at[i])
            give_block(feed->family->builder, feed->blocks[column].at[i]);
        feed->blocks[column].at[i] = NULL;
    }
    if (row == UINT64_MAX)
        NSC_VEC_FINI(&feed->blocks[column]);
}

void nsc_feed_free_blob(struct nsc_feed *feed)
{
    for (size_t i = 0; i < feed->blob.n; i++)
        nsc_pages_free(feed->blob.at[i], (size_t)1 << NSC_BLOB_BITS);
    NSC_VEC_FINI(&feed->blob);
}

void nsc_feed_fini(struct nsc_feed *feed)
{
    for (size_t i = 0; i < feed->chunks.n; i++)
        nsc_chunk_fini(&feed->chunks.at[i]);
    for (size_t i = 0; i < feed->names.n; i++)
        free(feed->names.at[i].set.slots);
    nsc_feed_free_blob(feed);
    for (int i = 0; i < NSC_N_RAW; i++)
        nsc_feed_free_column(feed, (enum nsc_raw_column)i, UINT64_MAX);
    for (size_t i = 0; i < feed->spare.n; i++)
        give_block(feed->family->builder, feed->spare.at[i]);
    NSC_VEC_FINI(&feed->spare);
    NSC_VEC_FINI(&feed->chunks);
    NSC_VEC_FINI(&feed->tracks);
    NSC_VEC_FINI(&feed->names);
    nsc_idtable_fini(&feed->track_ids);
    nsc_idtable_fini(&feed->name_ids);
    nsc_strpool_fini(&feed->strings);
}

/* ---- tracks ---- */

static bool same_key(const struct nsc_track_key *a, const struct nsc_track_key *b)
{
    return a->kind == b->kind && a->tid == b->tid && a->process == b->process &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->domain == b->domain;
}

static bool is_track(const void *context, uint32_t id, const void *key)
{
    const struct nsc_feed *feed = context;

    return same_key(&feed->tracks.at[id].key, key);
}

static uint64_t hash_key(const struct nsc_track_key *key)
{
    uint64_t hash = nsc_hash_mix(key->kind, key->tid);

    hash = nsc_hash_mix(hash, key->process);
    hash = nsc_hash_mix(hash, (uint64_t)key->device);
    hash = nsc_hash_mix(hash, (uint64_t)key->context);
    hash = nsc_hash_mix(hash, (uint64_t)key->stream);
    return nsc_hash_mix(hash, (uint64_t)key->domain);
}

uint32_t nsc_feed_track(struct nsc_feed *feed, const struct nsc_track_key *key)
{
    uint64_t hash = 0;
    uint32_t id = 0;

    for (uint32_t i = 0; i < 4 && feed->tracks.n; i++)
        if (same_key(&feed->tracks.at[feed->recent[i]].key, key))
            return feed->recent[i];
    hash = hash_key(key);
    id = nsc_idtable_find(&feed->track_ids, hash, is_track, feed, key);
    if (id == NSC_NONE) {
        assert(key->kind < NSC_N_TRACK_KINDS && !nsc_track_is_group(key->kind));
        id = (uint32_t)feed->tracks.n;
        *NSC_VEC_ADD(&feed->tracks) = (struct nsc_feed_track){*key, false, NSC_NONE};
        nsc_idtable_add(&feed->track_ids, hash, id);
    }
    feed->recent[feed->next_recent++ % 4] = id;
    return id;
}

void nsc_feed_running_total(struct nsc_feed *feed, uint32_t track)
{
    feed->tracks.at[track].running_total = true;
}

/* ---- rows ---- */

void nsc_feed_task(struct nsc_feed *feed, uint32_t task)
{
    feed->task = task;
    feed->seq = 0;
    feed->fresh = true;
}

static void *new_block(struct nsc_feed *feed)
{
    return feed->spare.n ? feed->spare.at[--feed->spare.n] : nsc_pages_new(BLOCK_BYTES);
}

/* Where row i of a column lies; NULL when the memory is refused. */
static void *place_row(struct nsc_feed *feed, int column, uint64_t i)
{
    size_t at = (size_t)i * raw_width[column];

    if (at >> NSC_BLOCK_BITS == feed->blocks[column].n) {
        void *block = new_block(feed);

        if (!block)
            return NULL;
        *NSC_VEC_ADD(&feed->blocks[column]) = block;
    }
    return (char *)feed->blocks[column].at[at >> NSC_BLOCK_BITS] + (at & (BLOCK_BYTES - 1));
}

/* The row at which the next chunk begins. */
static uint64_t next_row(const struct nsc_feed *feed)
{
    const struct nsc_chunk *last = NULL;

    if (!feed->chunks.n)
        return 0;
    last = &feed->chunks.at[feed->chunks.n - 1];
    return last->first + ((uint64_t)last->n + ALIGN_ROWS - 1) / ALIGN_ROWS * ALIGN_ROWS;
}

static bool add_chunk(struct nsc_feed *feed)
{
    struct nsc_chunk chunk = {.feed = feed, .task = feed->task, .first = next_row(feed)};
    uint64_t left = BLOCK_ROWS - chunk.first % BLOCK_ROWS;

    chunk.capacity = left < NSC_CHUNK_ROWS ? (uint32_t)left : NSC_CHUNK_ROWS;
    for (int i = 0; i < NSC_N_RAW; i++) {
        chunk.columns[i] = place_row(feed, i, chunk.first);
        if (!chunk.columns[i])
            return false;
    }
    chunk.seq = feed->seq++;
    *NSC_VEC_ADD(&feed->chunks) = chunk;
    feed->fresh = false;
    return true;
}

/* The chunk the next row goes to, or NULL. */
static struct nsc_chunk *open_chunk(struct nsc_feed *feed)
{
    struct nsc_chunk *last = feed->fresh ? NULL : &feed->chunks.at[feed->chunks.n - 1];

    if (last && last->n < last->capacity)
        return last;
    if (feed->failed || !add_chunk(feed)) {
        feed->failed = true;
        return NULL;
    }
    return &feed->chunks.at[feed->chunks.n - 1];
}

static void put_u32(struct nsc_chunk *chunk, enum nsc_raw_column column, uint32_t value)
{
    nsc_raw_u32(chunk, column)[chunk->n] = value;
}

static void put_kind_and_start(struct nsc_chunk *chunk, uint8_t kind, nsc_time start)
{
    uint8_t *kinds = chunk->columns[NSC_RAW_KIND];
    nsc_time *starts = chunk->columns[NSC_RAW_START];

    kinds[chunk->n] = kind;
    starts[chunk->n] = start;
}

/* The 32-bit duration of a row; what does not fit goes to the side list. */
static uint32_t shorten(struct nsc_chunk *chunk, const struct nsc_row *row)
{
    struct nsc_raw_long entry = {chunk->n, NSC_RAW_OPEN};

    assert(row->start <= row->end);
    if (row->end != NSC_TIME_OPEN) {
        if (__builtin_sub_overflow(row->end, row->start, &entry.duration))
            entry.duration = INT64_MAX;
        if (entry.duration < (nsc_time)NSC_LONG)
            return (uint32_t)entry.duration;
    }
    *NSC_VEC_ADD(&chunk->longs) = entry;
    return NSC_LONG;
}

bool nsc_feed_event(struct nsc_feed *feed, const struct nsc_row *row)
{
    struct nsc_chunk *chunk = open_chunk(feed);

    if (!chunk)
        return false;
    assert(row->kind < NSC_N_KINDS && row->track < feed->tracks.n && row->name < feed->names.n);
    put_kind_and_start(chunk, row->kind, row->start);
    put_u32(chunk, NSC_RAW_TRACK, row->track);
    put_u32(chunk, NSC_RAW_NAME, row->name);
    put_u32(chunk, NSC_RAW_LINK, row->link);
    put_u32(chunk, NSC_RAW_SOURCE, row->source);
    put_u32(chunk, NSC_RAW_DURATION, shorten(chunk, row));
    chunk->n++;
    return true;
}

bool nsc_feed_sample(struct nsc_feed *feed, uint32_t track, uint32_t name, nsc_time time,
                     int64_t value)
{
    struct nsc_chunk *chunk = open_chunk(feed);

    if (!chunk)
        return false;
    assert(feed->tracks.at[track].key.kind == NSC_TRACK_COUNTER);
    put_kind_and_start(chunk, NSC_RAW_SAMPLE, time);
    put_u32(chunk, NSC_RAW_TRACK, track);
    put_u32(chunk, NSC_RAW_NAME, name);
    put_u32(chunk, NSC_RAW_LINK, (uint32_t)(uint64_t)value);
    put_u32(chunk, NSC_RAW_SOURCE, NSC_NONE);
    put_u32(chunk, NSC_RAW_DURATION, (uint32_t)((uint64_t)value >> 32));
    chunk->n++;
    return true;
}
