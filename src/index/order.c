/*
 * The order of a family's rows: by track, then lane, then start.
 *
 * Needs three 32-bit numbers a row at most, one of them in the place of the raw track column.
 * Tracks are independent of each other, so the pool sorts and packs them side by side.
 */
#include "core/pages.h"
#include "core/sort.h"
#include "core/threads.h"
#include "index/builder_data.h"
#include "index/pack.h"

#include <string.h>

nsc_time nsc_family_duration(const struct nsc_family *family, uint32_t raw)
{
    uint32_t duration = nsc_family_u32(family, NSC_RAW_DURATION, raw);
    const struct nsc_chunk *chunk = &family->chunks[raw >> NSC_CHUNK_BITS];
    uint32_t offset = raw & (NSC_CHUNK_ROWS - 1);
    size_t low = 0;
    size_t high = chunk->longs.n;

    if (duration != NSC_LONG)
        return (nsc_time)duration;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (chunk->longs.at[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return chunk->longs.at[low].duration;
}

/* ---- by track ---- */

static bool is_counter(const struct nsc_family *family, uint32_t track)
{
    return family->builder->tracks.at[family->first_track + track].key.kind == NSC_TRACK_COUNTER;
}

static uint32_t track_count(const struct nsc_family *family)
{
    return (uint32_t)family->builder->tracks.n - family->first_track;
}

/* span[]: where the rows of each track begin; tracks of events first, then those of samples. */
static void place_tracks(struct nsc_family *family)
{
    uint32_t n_tracks = track_count(family);
    uint32_t at = 0;

    family->span = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *family->span);
    for (int counters = 0; counters < 2; counters++) {
        for (uint32_t t = 0; t < n_tracks; t++) {
            if (is_counter(family, t) != (counters != 0))
                continue;
            family->span[t] = at;
            at += family->builder->tracks.at[family->first_track + t].n;
        }
        if (!counters)
            family->n_events = at;
    }
    family->span[n_tracks] = at;
}

/* Chunks [begin, end) of a family: what one task counts, then deals out. */
struct deal {
    struct nsc_family *family;
    uint32_t n_tasks, n_tracks;
    uint32_t *next; /* n_tracks numbers a task: rows of each track, then where the next one goes */
};

static uint32_t first_chunk(const struct deal *deal, uint32_t task)
{
    return (uint32_t)((uint64_t)deal->family->n_chunks * task / deal->n_tasks);
}

static void count_rows(void *context, unsigned worker, uint32_t task)
{
    struct deal *deal = context;
    const struct nsc_family *family = deal->family;
    uint32_t *count = deal->next + (size_t)task * deal->n_tracks;

    (void)worker;
    for (uint32_t c = first_chunk(deal, task); c < first_chunk(deal, task + 1); c++) {
        const uint32_t *track = nsc_raw_u32(&family->chunks[c], NSC_RAW_TRACK);

        for (uint32_t i = 0; i < family->chunks[c].n; i++)
            count[track[i] - family->first_track]++;
    }
}

static void deal_chunks(void *context, unsigned worker, uint32_t task)
{
    struct deal *deal = context;
    const struct nsc_family *family = deal->family;
    uint32_t *next = deal->next + (size_t)task * deal->n_tracks;

    (void)worker;
    for (uint32_t c = first_chunk(deal, task); c < first_chunk(deal, task + 1); c++) {
        const uint32_t *track = nsc_raw_u32(&family->chunks[c], NSC_RAW_TRACK);

        for (uint32_t i = 0; i < family->chunks[c].n; i++)
            family->order[next[track[i] - family->first_track]++] = c << NSC_CHUNK_BITS | i;
    }
}

/* From rows of each track in each task to where each task begins in the track's span. */
static void sum_counts(struct deal *deal)
{
    for (uint32_t t = 0; t < deal->n_tracks; t++) {
        uint32_t at = deal->family->span[t];

        for (uint32_t task = 0; task < deal->n_tasks; task++) {
            uint32_t *next = &deal->next[(size_t)task * deal->n_tracks + t];
            uint32_t n = *next;

            *next = at;
            at += n;
        }
    }
}

/* Puts the raw rows into the spans of their tracks, in the order they were read. */
static void deal_rows(struct nsc_family *family)
{
    struct nsc_pool *pool = family->builder->pool;
    struct deal deal = {family, nsc_pool_threads(pool), track_count(family), NULL};

    deal.next = nsc_xcalloc((size_t)deal.n_tasks * deal.n_tracks + 1, sizeof *deal.next);
    nsc_pool_run(pool, deal.n_tasks, count_rows, &deal);
    sum_counts(&deal);
    nsc_pool_run(pool, deal.n_tasks, deal_chunks, &deal);
    free(deal.next);
}

/* ---- by time ---- */

static nsc_time start_key(const void *context, uint32_t raw)
{
    return nsc_family_start(context, raw);
}

static nsc_time longer_key(const void *context, uint32_t raw)
{
    /* What stands in a sample's duration is a part of its value. */
    return nsc_family_kind(context, raw) == NSC_RAW_SAMPLE ? 0 : -nsc_family_duration(context, raw);
}

static nsc_time kind_key(const void *context, uint32_t raw)
{
    return nsc_family_kind(context, raw);
}

static nsc_time source_key(const void *context, uint32_t raw)
{
    return nsc_family_u32(context, NSC_RAW_SOURCE, raw);
}

/* Whether b may follow a: (start, longer first, kind, source) does not descend. */
static bool in_order(const struct nsc_family *family, uint32_t a, uint32_t b)
{
    static nsc_time (*const keys[])(const void *, uint32_t) = {start_key, longer_key, kind_key,
                                                               source_key};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        nsc_time x = keys[i](family, a);
        nsc_time y = keys[i](family, b);

        if (x != y)
            return x < y;
    }
    return true;
}

/* Rows that start together, sorted by the rest of the key. */
static void sort_ties(const struct nsc_family *family, uint32_t *rows, uint32_t *scratch,
                      uint32_t n)
{
    bool sorted = true;

    for (uint32_t i = 1; i < n && sorted; i++)
        sorted = in_order(family, rows[i - 1], rows[i]);
    if (sorted)
        return;
    nsc_sort_by_time(rows, scratch, n, source_key, family);
    nsc_sort_by_time(rows, scratch, n, kind_key, family);
    nsc_sort_by_time(rows, scratch, n, longer_key, family);
}

static void sort_rows(const struct nsc_family *family, uint32_t *rows, uint32_t *scratch,
                      uint32_t n)
{
    uint32_t i = 1;

    while (i < n && in_order(family, rows[i - 1], rows[i]))
        i++;
    if (i >= n)
        return;
    nsc_sort_by_time(rows, scratch, n, start_key, family);
    for (uint32_t first = 0; first < n; first = i) {
        nsc_time start = nsc_family_start(family, rows[first]);

        for (i = first + 1; i < n && nsc_family_start(family, rows[i]) == start;)
            i++;
        if (i - first > 1)
            sort_ties(family, rows + first, scratch + first, i - first);
    }
}

/* ---- into lanes ---- */

struct lanes {   /* of one track */
    uint32_t *n; /* rows of each lane; NULL when there is one lane */
    uint32_t count;
    bool failed;
};

struct ordering {
    struct nsc_family *family;
    struct lanes *lanes; /* of each of the family's tracks */
    uint32_t *tracks;    /* the largest first */
    uint32_t n_tracks;
};

struct track_rows {
    const struct nsc_family *family;
    const uint32_t *rows;
};

static struct nsc_window span_of(const void *context, uint32_t i)
{
    const struct track_rows *track = context;
    uint32_t raw = track->rows[i];
    nsc_time duration = nsc_family_duration(track->family, raw);
    struct nsc_window w = {nsc_family_start(track->family, raw), 0};

    if (__builtin_add_overflow(w.t0, duration ? duration : 1, &w.t1))
        w.t1 = INT64_MAX;
    return w;
}

/* Deals the rows out to their lanes, in order. False when the memory is refused. */
static bool move_rows(uint32_t *rows, const uint32_t *lane, uint32_t n, const struct lanes *lanes)
{
    size_t bytes = (size_t)n * sizeof *rows;
    uint32_t *moved = nsc_pages_new(bytes);
    uint32_t *next = NULL;
    uint32_t at = 0;

    if (!moved)
        return false;
    next = nsc_xmalloc((size_t)lanes->count * sizeof *next);
    for (uint32_t i = 0; i < lanes->count; i++) {
        next[i] = at;
        at += lanes->n[i];
    }
    for (uint32_t i = 0; i < n; i++)
        moved[next[lane[i]]++] = rows[i];
    memcpy(rows, moved, bytes);
    nsc_pages_free(moved, bytes);
    free(next);
    return true;
}

static void order_track(void *context, unsigned worker, uint32_t i)
{
    struct ordering *ordering = context;
    struct nsc_family *family = ordering->family;
    uint32_t t = ordering->tracks[i];
    uint32_t n = family->builder->tracks.at[family->first_track + t].n;
    uint32_t *rows = family->order + family->span[t];
    uint32_t *lane = family->lane + family->span[t];
    struct lanes *lanes = &ordering->lanes[t];
    struct track_rows track = {family, rows};

    (void)worker;
    sort_rows(family, rows, lane, n);
    if (is_counter(family, t))
        return;
    lanes->count = nsc_pack_lanes(lane, n, span_of, &track);
    if (lanes->count == 1)
        return;
    lanes->n = nsc_xcalloc(lanes->count, sizeof *lanes->n);
    for (uint32_t r = 0; r < n; r++)
        lanes->n[lane[r]]++;
    lanes->failed = !move_rows(rows, lane, n, lanes);
}

/* The builder's lanes, in the order of rows. False when one of the tracks failed. */
static bool add_lanes(struct nsc_family *family, const struct lanes *lanes)
{
    struct nsc_builder *builder = family->builder;
    uint32_t first = builder->n;

    for (uint32_t t = 0; t < track_count(family); t++) {
        struct nsc_build_track *track = &builder->tracks.at[family->first_track + t];

        track->first_lane = (uint32_t)builder->lanes.n;
        track->n_lanes = lanes[t].count;
        for (uint32_t i = 0; i < lanes[t].count; i++) {
            uint32_t n = lanes[t].n ? lanes[t].n[i] : track->n;

            *NSC_VEC_ADD(&builder->lanes) = (struct nsc_lane){first, n, family->first_track + t};
            first += n;
        }
        if (lanes[t].failed)
            return false;
    }
    return true;
}

/* The tracks with many rows first, so that no worker is left with a long one at the end. */
static void queue_tracks(struct ordering *ordering)
{
    const struct nsc_build_track *tracks =
        ordering->family->builder->tracks.at + ordering->family->first_track;
    size_t n = ordering->n_tracks;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);

    for (uint32_t t = 0; t < n; t++)
        pairs[t] = (struct nsc_sort_pair){UINT32_MAX - tracks[t].n, t};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t t = 0; t < n; t++)
        ordering->tracks[t] = pairs[t].value;
    free(pairs);
}

static bool order_tracks(struct nsc_family *family)
{
    uint32_t n_tracks = track_count(family);
    struct ordering ordering = {family, NULL, NULL, n_tracks};
    bool ok = false;

    ordering.lanes = nsc_xcalloc((size_t)n_tracks + 1, sizeof *ordering.lanes);
    ordering.tracks = nsc_xcalloc((size_t)n_tracks + 1, sizeof *ordering.tracks);
    queue_tracks(&ordering);
    nsc_pool_run(family->builder->pool, n_tracks, order_track, &ordering);
    ok = add_lanes(family, ordering.lanes);
    for (uint32_t t = 0; t < n_tracks; t++)
        free(ordering.lanes[t].n);
    free(ordering.lanes);
    free(ordering.tracks);
    return ok;
}

bool nsc_family_order(struct nsc_family *family)
{
    size_t bytes = (size_t)family->n * sizeof *family->order;
    bool ok = false;

    family->order = nsc_pages_new(bytes);
    if (!family->order)
        return false;
    place_tracks(family);
    deal_rows(family);
    nsc_family_free_raw(family, NSC_RAW_TRACK); /* makes room for lane[] */
    family->lane = nsc_pages_new(bytes);
    if (!family->lane)
        return false;
    ok = order_tracks(family);
    nsc_pages_free(family->lane, bytes);
    family->lane = NULL;
    return ok;
}
