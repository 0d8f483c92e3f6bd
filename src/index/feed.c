/*
 * A worker's feed: puts rows into chunks and numbers their tracks.
 */
#include "core/bisect.h"
#include "core/hints.h"
#include "core/pages.h"
#include "index/builder_data.h"

#include <assert.h>

#define PAGES_BYTES (NSC_SLABS * NSC_SLAB_BYTES)

struct nsc_feed *nsc_feed_init(struct nsc_feed *feed, struct nsc_family *family)
{
    *feed = (struct nsc_feed){0};
    feed->family = family;
    nsc_strpool_init(&feed->strings);
    /* name 0 is the unknown name */
    *NSC_VEC_ADD(&feed->names) = (struct nsc_feed_name){.first = NSC_NO_KEY};
    return feed;
}

void nsc_chunk_fini(struct nsc_chunk *chunk)
{
    NSC_VEC_FINI(&chunk->longs);
}

/* The pages stay with the builder, because later families reuse blocks and whole slabs. */
static void give_slabs(struct nsc_feed *feed)
{
    struct nsc_builder *builder = feed->family->builder;

    for (size_t i = 0; i < feed->slabs.n; i++) {
        struct nsc_spare memory = feed->slabs.at[i].memory;

        if (memory.n && memory.rows)
            nsc_pages_drop(memory.rows, nsc_spare_bytes(memory));
    }
    nsc_spares_move(&builder->spares, &feed->spares);
    for (size_t i = 0; i < feed->slab_pages.n; i++)
        *NSC_VEC_ADD(&builder->slab_pages) = feed->slab_pages.at[i];
    for (size_t i = 0; i < feed->small_pages.n; i++)
        nsc_pages_free(feed->small_pages.at[i], PAGES_BYTES);
    NSC_VEC_FINI(&feed->slabs);
    NSC_VEC_FINI(&feed->slab_pages);
    NSC_VEC_FINI(&feed->small_pages);
}

void nsc_feed_fini(struct nsc_feed *feed)
{
    for (size_t i = 0; i < feed->chunks.n; i++)
        nsc_chunk_fini(&feed->chunks.at[i]);
    for (size_t i = 0; i < feed->names.n; i++)
        nsc_idtable_fini(&feed->names.at[i].links);
    for (size_t i = 0; i < feed->packed.n && !feed->packed_given; i++)
        nsc_pages_free(feed->packed.at[i], (size_t)1 << NSC_PACKED_BITS);
    give_slabs(feed);
    free(feed->map);
    NSC_VEC_FINI(&feed->packed);
    NSC_VEC_FINI(&feed->open);
    NSC_VEC_FINI(&feed->chunks);
    NSC_VEC_FINI(&feed->tracks);
    NSC_VEC_FINI(&feed->names);
    nsc_idtable_fini(&feed->track_ids);
    nsc_idtable_fini(&feed->name_ids);
    nsc_strpool_fini(&feed->strings);
}

/* ---- tracks ---- */

static bool is_track(const void *context, uint32_t id, const void *key)
{
    const struct nsc_feed *feed = context;

    return nsc_track_key_is_same(&feed->tracks.at[id].key, key);
}

/* The slot for a recent track with this key. */
static inline uint32_t *place_recent(struct nsc_feed *feed, const struct nsc_track_key *key)
{
    uint64_t hash = key->process + key->tid;

    hash += (uint64_t)key->stream << 24;
    hash += (uint64_t)key->context << 32;
    hash += (uint64_t)key->device << 40;
    hash += (uint64_t)(key->domain + key->kind) << 48;
    return &feed->recent[hash * 0x9E3779B97F4A7C15u >> (64 - NSC_RECENT_BITS)];
}

/* The track of a key; remembers it in the slot. */
NSC_RARE static uint32_t find_track(struct nsc_feed *feed, const struct nsc_track_key *key,
                                    uint32_t *recent)
{
    uint32_t id = nsc_idtable_place(&feed->track_ids, nsc_track_key_hash(key), is_track, feed, key,
                                    (uint32_t)feed->tracks.n);

    assert(key->kind < NSC_N_TRACK_KINDS && !nsc_track_is_group(key->kind));
    if (id == feed->tracks.n)
        *NSC_VEC_ADD(&feed->tracks) = (struct nsc_feed_track){.key = *key, .chunk = NSC_NONE};
    *recent = id;
    return id;
}

uint32_t nsc_feed_track(struct nsc_feed *feed, const struct nsc_track_key *key)
{
    uint32_t *recent = place_recent(feed, key);

    if (*recent >= feed->tracks.n || !nsc_track_key_is_same(&feed->tracks.at[*recent].key, key))
        return find_track(feed, key, recent);
    return *recent;
}

void nsc_feed_running_total(struct nsc_feed *feed, uint32_t track)
{
    feed->tracks.at[track].running_total = true;
}

/* ---- slabs ---- */

/* False if out of memory. */
static bool add_slabs(struct nsc_feed *feed)
{
    char *pages = nsc_pages_new(PAGES_BYTES);

    if (!pages)
        return false;
    *NSC_VEC_ADD(&feed->slab_pages) = (struct nsc_column){pages, PAGES_BYTES};
    for (int i = NSC_SLABS; i-- > 0;)
        *NSC_VEC_ADD(&feed->spares.slabs) = (void *)(pages + (size_t)i * NSC_SLAB_BYTES);
    return true;
}

/* A whole slab, zeroed or not; NULL if out of memory. */
static struct nsc_raw *take_whole(struct nsc_feed *feed)
{
    struct nsc_raw *rows = NULL;

    if (!feed->spares.slabs.n && !add_slabs(feed))
        return NULL;
    rows = feed->spares.slabs.at[--feed->spares.slabs.n];
    nsc_pages_touch(rows, NSC_SLAB_BYTES);
    return rows;
}

/* A block, zeroed or not; cuts a whole slab if none is left. NULL if out of memory. */
static struct nsc_raw *take_block(struct nsc_feed *feed)
{
    struct nsc_spares *spares = &feed->spares;
    char *slab = NULL;

    if (!spares->blocks.n) {
        slab = (char *)take_whole(feed);
        if (!slab)
            return NULL;
        for (int i = NSC_BLOCKS; i-- > 0;)
            *NSC_VEC_ADD(&spares->blocks) = (void *)(slab + (size_t)i * NSC_BLOCK_BYTES);
    }
    return spares->blocks.at[--spares->blocks.n];
}

static struct nsc_raw *take_small(struct nsc_feed *feed, uint32_t rows)
{
    size_t bytes = ((size_t)rows * (sizeof(struct nsc_raw) + 1) + 63) / 64 * 64;
    char *pages = NULL;

    if (!feed->small_pages.n || feed->small_used + bytes > PAGES_BYTES) {
        pages = nsc_pages_new(PAGES_BYTES);
        if (!pages)
            return NULL;
        *NSC_VEC_ADD(&feed->small_pages) = pages;
        feed->small_used = 0;
    }
    pages = feed->small_pages.at[feed->small_pages.n - 1];
    feed->small_used += bytes;
    return (void *)(pages + (feed->small_used - bytes));
}

/* A slab as large as those of the track so far, at most: a small one, a block or a whole one. Blocks
 * that are left are used first. */
static bool take_slab(struct nsc_feed *feed, struct nsc_feed_track *track)
{
    uint32_t n = track->room ? track->room : NSC_SLAB_FIRST;
    bool small = n < NSC_BLOCK_ROWS;
    struct nsc_raw *rows = NULL;

    if (small)
        rows = take_small(feed, n);
    else if (n < NSC_SLAB_ROWS || (feed->spares.blocks.n && !feed->spares.slabs.n)) {
        n = NSC_BLOCK_ROWS;
        rows = take_block(feed);
    } else {
        n = NSC_SLAB_ROWS;
        rows = take_whole(feed);
    }
    if (!rows)
        return false;
    track->slab = (uint32_t)feed->slabs.n;
    track->room += n;
    track->next = rows;
    track->stop = rows;
    track->end = rows + n;
    track->next_kind = (uint8_t *)(rows + n);
    *NSC_VEC_ADD(&feed->slabs) = (struct nsc_slab){{rows, small ? 0 : n}, 0};
    return true;
}

/* ---- chunks ---- */

static void close_chunk(struct nsc_feed *feed, struct nsc_feed_track *track)
{
    struct nsc_chunk *chunk = &feed->chunks.at[track->chunk];

    chunk->n = (uint32_t)(track->next - chunk->rows);
    chunk->least = track->least;
    chunk->reach = track->reach;
    chunk->descents = track->descents;
    chunk->overlaps = track->overlaps;
    feed->slabs.at[chunk->slab].left += chunk->n;
    track->chunk = NSC_NONE;
    track->stop = track->next;
}

void nsc_feed_close(struct nsc_feed *feed)
{
    for (size_t i = 0; i < feed->open.n; i++) {
        struct nsc_feed_track *track = &feed->tracks.at[feed->open.at[i]];

        if (track->chunk != NSC_NONE)
            close_chunk(feed, track);
    }
    NSC_VEC_CLEAR(&feed->open);
}

void nsc_feed_begin_task(struct nsc_feed *feed, uint32_t task)
{
    nsc_feed_close(feed);
    feed->key = (uint64_t)task << 32;
}

/* Makes room for a row of the track. False if out of memory. */
NSC_RARE static bool begin_chunk(struct nsc_feed *feed, uint32_t id, nsc_time start)
{
    struct nsc_feed_track *track = &feed->tracks.at[id];

    if (track->chunk != NSC_NONE)
        close_chunk(feed, track);
    else
        *NSC_VEC_ADD(&feed->open) = id;
    if (feed->failed || (track->next == track->end && !take_slab(feed, track))) {
        feed->failed = true;
        return false;
    }
    track->chunk = (uint32_t)feed->chunks.n;
    track->stop = track->end;
    track->last = track->reach = INT64_MIN;
    track->least = start;
    track->descents = 0;
    track->overlaps = false;
    *NSC_VEC_ADD(&feed->chunks) = (struct nsc_chunk){.rows = track->next,
                                                     .kinds = track->next_kind,
                                                     .feed = feed,
                                                     .key = feed->key,
                                                     .track = id,
                                                     .slab = track->slab};
    return true;
}

nsc_time nsc_chunk_duration(const struct nsc_chunk *chunk, uint32_t i)
{
    uint32_t duration = chunk->rows[i].duration;
    size_t low = 0;
    size_t high = chunk->longs.n;

    if (chunk->kinds[i] == NSC_RAW_SAMPLE)
        return 0;
    if (duration != NSC_LONG)
        return (nsc_time)duration;
    NSC_BISECT(low, high, middle, chunk->longs.at[middle].offset < i);
    return chunk->longs.at[low].duration;
}

bool nsc_chunk_in_order(const struct nsc_chunk *a, uint32_t i, const struct nsc_chunk *b,
                        uint32_t j)
{
    const struct nsc_raw *x = &a->rows[i];
    const struct nsc_raw *y = &b->rows[j];
    nsc_time long_x, long_y;

    if (x->start != y->start)
        return x->start < y->start;
    long_x = nsc_chunk_duration(a, i);
    long_y = nsc_chunk_duration(b, j);
    if (long_x != long_y)
        return long_x > long_y;
    if (a->kinds[i] != b->kinds[j])
        return a->kinds[i] < b->kinds[j];
    return x->source <= y->source;
}

/* ---- rows ---- */

/* Notes whether the last row, which starts with its predecessor, sorts before it. */
static void note_tie(const struct nsc_feed *feed, struct nsc_feed_track *track)
{
    const struct nsc_chunk *chunk = &feed->chunks.at[track->chunk];
    uint32_t i = (uint32_t)(track->next - chunk->rows) - 1;

    track->descents += i > 0 && !nsc_chunk_in_order(chunk, i - 1, chunk, i);
}

/* Appends a row to its track, and updates the order and reach of the chunk, except for ties. No
 * branch: rows may come in any order. */
static inline void put_row(struct nsc_feed *feed, struct nsc_feed_track *track, struct nsc_raw raw,
                           uint8_t kind, nsc_time reach)
{
    struct nsc_feed_name *name = &feed->names.at[raw.name];

    *track->next++ = raw;
    *track->next_kind++ = kind;
    track->descents += raw.start < track->last;
    track->last = raw.start;
    track->least = raw.start < track->least ? raw.start : track->least;
    track->overlaps |= raw.start < track->reach;
    track->reach = reach > track->reach ? reach : track->reach;
    if (feed->key < name->first)
        name->first = feed->key;
    feed->key++;
}

/* Stores a duration of NSC_LONG or more in the side list. */
static void note_long(struct nsc_feed *feed, const struct nsc_feed_track *track,
                      const struct nsc_row *row)
{
    struct nsc_chunk *chunk = &feed->chunks.at[track->chunk];
    struct nsc_raw_long entry = {(uint32_t)(track->next - chunk->rows) - 1, NSC_RAW_OPEN};

    if (row->end != NSC_TIME_OPEN && __builtin_sub_overflow(row->end, row->start, &entry.duration))
        entry.duration = INT64_MAX;
    *NSC_VEC_ADD(&chunk->longs) = entry;
}

/* As nsc_feed_event, for any row. */
NSC_RARE static bool add_any_event(struct nsc_feed *feed, const struct nsc_row *row)
{
    struct nsc_feed_track *track = &feed->tracks.at[row->track];
    uint64_t length = (uint64_t)row->end - (uint64_t)row->start;
    bool fits = length < NSC_LONG && row->end != NSC_TIME_OPEN;
    struct nsc_raw raw = {row->start, fits ? (uint32_t)length : NSC_LONG, row->name, row->link,
                          row->source};
    nsc_time reach = row->end;
    bool ties = false;

    if (track->next == track->stop && !begin_chunk(feed, row->track, row->start))
        return false;
    if (row->end == NSC_TIME_OPEN || row->end == row->start)
        reach = row->start < INT64_MAX ? row->start + 1 : INT64_MAX;
    ties = row->start == track->last;
    put_row(feed, track, raw, row->kind, reach);
    if (!fits)
        note_long(feed, track, row);
    if (ties) /* stores long durations first, because they are compared */
        note_tie(feed, track);
    return true;
}

bool nsc_feed_event(struct nsc_feed *feed, const struct nsc_row *row)
{
    struct nsc_feed_track *track = &feed->tracks.at[row->track];
    uint64_t length = (uint64_t)row->end - (uint64_t)row->start;

    assert(row->kind < NSC_N_KINDS && row->track < feed->tracks.n && row->name < feed->names.n);
    assert(row->start <= row->end || row->end == NSC_TIME_OPEN);
    if (track->next == track->stop || row->start == track->last || length == 0 ||
        length >= NSC_LONG || row->end == NSC_TIME_OPEN)
        return add_any_event(feed, row);
    put_row(feed, track,
            (struct nsc_raw){row->start, (uint32_t)length, row->name, row->link, row->source},
            row->kind, row->end);
    return true;
}

bool nsc_feed_sample(struct nsc_feed *feed, uint32_t track_id, uint32_t name, nsc_time time,
                     int64_t value)
{
    struct nsc_feed_track *track = &feed->tracks.at[track_id];
    struct nsc_raw raw = {time, (uint32_t)((uint64_t)value >> 32), name, (uint32_t)(uint64_t)value,
                          NSC_NONE};
    bool ties = false;

    assert(track->key.kind == NSC_TRACK_COUNTER);
    if (track->next == track->stop && !begin_chunk(feed, track_id, time))
        return false;
    ties = time == track->last;
    put_row(feed, track, raw, NSC_RAW_SAMPLE, time < INT64_MAX ? time + 1 : time);
    if (ties)
        note_tie(feed, track);
    return true;
}
