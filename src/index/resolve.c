/*
 * Turns the numbers of single workers into those of the trace: tracks, names, and ends of open
 * ranges.
 *
 * Numbers follow the first row that needs them, in the order of (task, row), so they do not depend
 * on which worker was faster.
 */
#include "core/sort.h"
#include "index/builder_data.h"
#include "index/fold.h"

#include <string.h>

/* ---- tracks ---- */

static bool is_track(const void *context, uint32_t id, const void *key)
{
    const struct nsc_family *family = context;

    return nsc_track_key_is_same(&family->builder->tracks.at[id].key, key);
}

static uint32_t build_track(struct nsc_family *family, struct nsc_idtable *ids,
                            const struct nsc_track_key *key)
{
    struct nsc_builder *builder = family->builder;
    struct nsc_track_key own = *key;
    uint32_t id;

    own.process = nsc_builder_key(builder, key->process);
    id = nsc_idtable_place(ids, nsc_track_key_hash(&own), is_track, family, &own,
                           (uint32_t)builder->tracks.n);
    if (id == builder->tracks.n)
        *NSC_VEC_ADD(&builder->tracks) = (struct nsc_build_track){.key = own, .counter = NSC_NONE};
    return id;
}

/* Numbers the tracks in the order of their first rows, and counts their rows. order: the chunks by
 * key. */
static void resolve_tracks(struct nsc_family *family, const struct nsc_sort_pair order[])
{
    struct nsc_builder *builder = family->builder;
    struct nsc_idtable ids = {NULL, 0, 0};

    for (size_t i = 0; i < family->n_chunks; i++) {
        struct nsc_chunk *chunk = &family->chunks[order[i].value];
        const struct nsc_feed_track *track = &chunk->feed->tracks.at[chunk->track];
        uint32_t built = build_track(family, &ids, &track->key);

        builder->tracks.at[built].running_total |= track->running_total;
        builder->tracks.at[built].n += chunk->n;
        chunk->track = built - family->first_track;
    }
    family->n_tracks = (uint32_t)builder->tracks.n - family->first_track;
    nsc_idtable_fini(&ids);
}

/* Puts the chunks of each track together, by key. */
static void deal_chunks(struct nsc_family *family, const struct nsc_sort_pair order[])
{
    size_t n = family->n_chunks;
    struct nsc_chunk *dealt = nsc_xmalloc((n + 1) * sizeof *dealt);
    uint32_t *next = nsc_xcalloc((size_t)family->n_tracks + 1, sizeof *next);

    family->first_chunk = nsc_xcalloc((size_t)family->n_tracks + 1, sizeof *next);
    for (size_t i = 0; i < n; i++)
        family->first_chunk[family->chunks[i].track + 1]++;
    for (uint32_t t = 0; t < family->n_tracks; t++) {
        family->first_chunk[t + 1] += family->first_chunk[t];
        next[t] = family->first_chunk[t];
    }
    for (size_t i = 0; i < n; i++) {
        const struct nsc_chunk *chunk = &family->chunks[order[i].value];

        dealt[next[chunk->track]++] = *chunk;
    }
    free(family->chunks);
    free(next);
    family->chunks = dealt;
}

/* Sorts the chunks by key: the order in which one thread would have fed the rows. */
static void sort_chunks(struct nsc_family *family)
{
    size_t n = family->n_chunks;
    struct nsc_sort_pair *order = nsc_xmalloc(2 * n * sizeof *order);

    for (uint32_t c = 0; c < n; c++)
        order[c] = (struct nsc_sort_pair){family->chunks[c].key, c};
    nsc_sort_pairs(order, order + n, n);
    resolve_tracks(family, order);
    deal_chunks(family, order);
    free(order);
}

/* Sets the first row of each track: among events or among samples. */
static void place_tracks(struct nsc_family *family)
{
    uint32_t samples = 0;

    family->first_row = nsc_xmalloc(((size_t)family->n_tracks + 1) * sizeof *family->first_row);
    for (uint32_t t = 0; t < family->n_tracks; t++) {
        const struct nsc_build_track *track = nsc_family_track(family, t);
        uint32_t *at = track->key.kind == NSC_TRACK_COUNTER ? &samples : &family->n_events;

        family->first_row[t] = *at;
        *at += track->n;
    }
}

/* ---- names ---- */

static nsc_str copy_string(struct nsc_family *family, const struct nsc_feed *feed, nsc_str id)
{
    struct nsc_text text = nsc_strpool_text(&feed->strings, id);

    return text.n ? nsc_strpool_add(&family->builder->strings, text.bytes, text.n) : 0;
}

static bool is_pattern(const void *context, uint32_t id, const void *key)
{
    const struct nsc_family *family = context;
    const struct nsc_pattern *a = &family->patterns.at[id];
    const struct nsc_pattern *b = key;

    return a->full == b->full && a->argb == b->argb && a->colored == b->colored &&
           a->counters == b->counters;
}

static uint32_t build_pattern(struct nsc_family *family, const struct nsc_feed *feed,
                              const struct nsc_feed_name *name)
{
    struct nsc_pattern pattern = {
        .argb = name->argb, .colored = name->colored, .counters = name->counters, .name = NSC_NONE};
    uint64_t hash = 0;
    uint32_t id = 0;

    pattern.full = copy_string(family, feed, name->full);
    hash = nsc_hash_mix(pattern.full, (uint64_t)pattern.argb << 16 |
                                          (uint64_t)pattern.colored << 8 | pattern.counters);
    id = nsc_idtable_place(&family->pattern_ids, hash, is_pattern, family, &pattern,
                           (uint32_t)family->patterns.n);
    if (id == family->patterns.n)
        *NSC_VEC_ADD(&family->patterns) = pattern;
    return id;
}

/* Adds counters to the pattern's distinct ones, unless they are there; sets overflow if there are
 * too many. */
static void see_counters(struct nsc_pattern *pattern, const uint8_t *packed)
{
    for (size_t i = 0; i < pattern->seen.n; i++)
        if (!memcmp(pattern->seen.at[i], packed, packed[0] + 1u))
            return;
    if (pattern->seen.n == NSC_COUNTERS_AS_NAMES)
        pattern->overflow = true;
    else
        *NSC_VEC_ADD(&pattern->seen) = packed;
}

/* A name to be numbered: a feed's name, or a name made of shared counters. */
struct item {
    uint32_t feed, name;
    uint32_t link; /* link of the counters; NSC_NONE: the name itself */
};

struct items {
    NSC_VEC(struct item) at;
    NSC_VEC(struct nsc_sort_pair) keys;
};

static void add_item(struct items *items, uint64_t key, struct item item)
{
    *NSC_VEC_ADD(&items->keys) = (struct nsc_sort_pair){key, (uint32_t)items->at.n};
    *NSC_VEC_ADD(&items->at) = item;
}

/* Sorts by the first row that needs each. */
static void sort_items(struct items *items)
{
    size_t n = items->keys.n;
    struct nsc_sort_pair *scratch = nsc_xmalloc((n + 1) * sizeof *scratch);

    if (n)
        nsc_sort_pairs(items->keys.at, scratch, n);
    free(scratch);
}

static void clear_items(struct items *items)
{
    NSC_VEC_FINI(&items->at);
    NSC_VEC_FINI(&items->keys);
}

/* Finds the patterns with too many distinct counters for names. The answer does not depend on how
 * the rows were divided among feeds. */
static void find_patterns(struct nsc_family *family)
{
    struct items items = {0};

    for (uint32_t f = 0; f < family->n_feeds; f++)
        for (uint32_t i = 1; i < family->feeds[f].names.n; i++) {
            const struct nsc_feed_name *name = &family->feeds[f].names.at[i];

            if (name->counters && name->first != NSC_NO_KEY)
                add_item(&items, name->first, (struct item){f, i, NSC_NONE});
        }
    sort_items(&items);
    for (size_t k = 0; k < items.keys.n; k++) {
        const struct item *item = &items.at.at[items.keys.at[k].value];
        struct nsc_feed *feed = &family->feeds[item->feed];
        struct nsc_feed_name *name = &feed->names.at[item->name];
        struct nsc_pattern *pattern = NULL;

        name->built = build_pattern(family, feed, name);
        pattern = &family->patterns.at[name->built];
        pattern->overflow |= name->overflow;
        for (uint32_t s = 0; s < name->links.n_slots && !pattern->overflow; s++) {
            uint32_t id = name->links.slots[s].id;
            const uint8_t *packed = id ? nsc_feed_packed(feed, id - 1) : NULL;

            if (packed && nsc_entry_load(packed).first != NSC_NO_KEY)
                see_counters(pattern, packed);
        }
    }
    clear_items(&items);
}

static uint32_t build_plain(struct nsc_family *family, const struct nsc_feed *feed,
                            const struct nsc_feed_name *name)
{
    struct nsc_build_name built = {.argb = name->argb};

    built.full = copy_string(family, feed, name->full);
    built.brief = copy_string(family, feed, name->brief);
    built.flags = name->colored ? NSC_NAME_COLORED : 0;
    return nsc_builder_name(family->builder, &built);
}

/* The name of a pattern whose counters stay with the events. */
static uint32_t build_folded(struct nsc_family *family, struct nsc_pattern *pattern)
{
    if (pattern->name == NSC_NONE) {
        struct nsc_build_name built = {pattern->full, pattern->full, pattern->argb,
                                       pattern->colored ? NSC_NAME_COLORED : 0, pattern->counters};

        pattern->name = nsc_builder_name(family->builder, &built);
    }
    return pattern->name;
}

/* The name of a pattern with few counters, digits included. */
static uint32_t build_unfolded(struct nsc_family *family, const struct nsc_pattern *pattern,
                               const uint8_t *packed)
{
    char text[NSC_NAME_BYTES];
    struct nsc_build_name built = {.argb = pattern->argb};
    uint32_t n = nsc_fold_expand(text, nsc_strpool_text(&family->builder->strings, pattern->full),
                                 packed + 1);

    built.full = built.brief = nsc_strpool_add(&family->builder->strings, text, n);
    built.flags = pattern->colored ? NSC_NAME_COLORED : 0;
    return nsc_builder_name(family->builder, &built);
}

static void number_item(struct nsc_family *family, const struct item *item)
{
    struct nsc_feed *feed = &family->feeds[item->feed];
    const struct nsc_feed_name *name = &feed->names.at[item->name];
    struct nsc_name_map *map = &feed->map[item->name];

    if (item->link != NSC_NONE) {
        uint8_t *packed = nsc_feed_packed(feed, item->link);
        struct nsc_entry entry = nsc_entry_load(packed);

        entry.name = build_unfolded(family, &family->patterns.at[name->built], packed);
        nsc_entry_put(packed, entry);
        return;
    }
    if (name->counters)
        *map = (struct nsc_name_map){build_folded(family, &family->patterns.at[name->built]), 1};
    else
        map->name = build_plain(family, feed, name);
}

/* Lists the names of a feed: those of its rows, and those made of patterns with few counters. */
static void list_names(struct items *items, struct nsc_family *family, uint32_t f)
{
    struct nsc_feed *feed = &family->feeds[f];

    feed->map = nsc_xcalloc(feed->names.n, sizeof *feed->map);
    for (uint32_t i = 1; i < feed->names.n; i++) {
        const struct nsc_feed_name *name = &feed->names.at[i];

        if (name->first == NSC_NO_KEY)
            continue;
        if (!name->counters || family->patterns.at[name->built].overflow) {
            add_item(items, name->first, (struct item){f, i, NSC_NONE});
            continue;
        }
        feed->map[i].name = NSC_NONE;
        for (uint32_t s = 0; s < name->links.n_slots; s++) {
            uint32_t link = name->links.slots[s].id - 1;

            if (link != NSC_NONE && nsc_entry_load(nsc_feed_packed(feed, link)).first != NSC_NO_KEY)
                add_item(items, nsc_entry_load(nsc_feed_packed(feed, link)).first,
                         (struct item){f, i, link});
        }
    }
}

static void resolve_names(struct nsc_family *family)
{
    struct items items = {0};

    for (uint32_t f = 0; f < family->n_feeds; f++)
        list_names(&items, family, f);
    sort_items(&items);
    for (size_t k = 0; k < items.keys.n; k++)
        number_item(family, &items.at.at[items.keys.at[k].value]);
    clear_items(&items);
}

/* ---- times ---- */

/* Adds the time of a chunk's events to the bounds; an open range counts as an instant here. */
static void measure_chunk(const struct nsc_family *family, const struct nsc_chunk *chunk)
{
    struct nsc_builder *builder = family->builder;

    switch (nsc_family_track(family, chunk->track)->key.kind) {
    case NSC_TRACK_COUNTER:
        break;
    case NSC_TRACK_GRAPH_EVENTS:
        nsc_bounds_add(&builder->graph_bounds, chunk->least, chunk->reach);
        break;
    default:
        nsc_bounds_add(&builder->bounds, chunk->least, chunk->reach);
    }
}

/* Computes the order and reach of a chunk again after its durations changed. */
static void note_again(struct nsc_chunk *chunk)
{
    chunk->descents = 0;
    chunk->overlaps = false;
    chunk->reach = INT64_MIN;
    for (uint32_t i = 0; i < chunk->n; i++) {
        nsc_time reach = nsc_chunk_reach(chunk, i);

        chunk->overlaps |= chunk->rows[i].start < chunk->reach;
        chunk->descents += i > 0 && !nsc_chunk_in_order(chunk, i - 1, chunk, i);
        chunk->reach = reach > chunk->reach ? reach : chunk->reach;
    }
}

/* Ends open ranges at the end of all other events. */
static void close_ranges(struct nsc_chunk *chunk, nsc_time end)
{
    bool closed = false;

    for (size_t i = 0; i < chunk->longs.n; i++) {
        struct nsc_raw_long *entry = &chunk->longs.at[i];
        struct nsc_raw *row = &chunk->rows[entry->offset];

        if (entry->duration != NSC_RAW_OPEN)
            continue;
        if (__builtin_sub_overflow(end, row->start, &entry->duration))
            entry->duration = INT64_MAX;
        if (entry->duration < (nsc_time)NSC_LONG)
            row->duration = (uint32_t)entry->duration;
        closed = true;
    }
    if (closed)
        note_again(chunk);
}

static bool has_open(const struct nsc_family *family)
{
    for (uint32_t c = 0; c < family->n_chunks; c++)
        for (size_t i = 0; i < family->chunks[c].longs.n; i++)
            if (family->chunks[c].longs.at[i].duration == NSC_RAW_OPEN)
                return true;
    return false;
}

static void resolve_times(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    const struct nsc_trace_info *info = nsc_builder_at_hand(builder);
    nsc_time end = INT64_MIN;
    nsc_time told = 0;

    for (uint32_t c = 0; c < family->n_chunks; c++)
        measure_chunk(family, &family->chunks[c]);
    if (!has_open(family))
        return;
    end = builder->bounds.t1; /* includes open ranges */
    if (info->duration > 0 && !__builtin_add_overflow(info->duration, info->offset, &told) &&
        told > end)
        end = told;
    nsc_bounds_add(&builder->bounds, end - 1, end);
    for (uint32_t c = 0; c < family->n_chunks; c++)
        close_ranges(&family->chunks[c], end);
}

void nsc_family_resolve(struct nsc_family *family)
{
    sort_chunks(family);
    place_tracks(family);
    find_patterns(family);
    resolve_names(family);
    resolve_times(family);
}
