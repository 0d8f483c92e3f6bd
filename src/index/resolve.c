/*
 * What workers numbered for themselves becomes what the trace knows: tracks, names, and the ends of
 * open ranges.
 *
 * Everything is numbered when a row first needs it, rows by (task, seq): so the numbers depend on
 * no worker's luck.
 */
#include "index/builder_data.h"
#include "index/fold.h"

#include <string.h>

/* ---- tracks ---- */

static bool is_track(const void *context, uint32_t id, const void *key)
{
    const struct nsc_family *family = context;
    const struct nsc_track_key *a = &family->builder->tracks.at[id].key;
    const struct nsc_track_key *b = key;

    return a->kind == b->kind && a->tid == b->tid && a->process == b->process &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->domain == b->domain;
}

static uint32_t build_track(struct nsc_family *family, struct nsc_idtable *ids,
                            const struct nsc_track_key *key)
{
    struct nsc_builder *builder = family->builder;
    struct nsc_track_key own = *key;
    uint64_t hash = nsc_hash_mix(key->kind, key->tid);
    uint32_t id = 0;

    own.process = nsc_builder_key(builder, key->process);
    hash = nsc_hash_mix(nsc_hash_mix(hash, own.process), (uint64_t)key->device);
    hash = nsc_hash_mix(nsc_hash_mix(hash, (uint64_t)key->context), (uint64_t)key->stream);
    hash = nsc_hash_mix(hash, (uint64_t)key->domain);
    id = nsc_idtable_find(ids, hash, is_track, family, &own);
    if (id != NSC_NONE)
        return id;
    id = (uint32_t)builder->tracks.n;
    *NSC_VEC_ADD(&builder->tracks) = (struct nsc_build_track){.key = own, .counter = NSC_NONE};
    nsc_idtable_add(ids, hash, id);
    return id;
}

/* Counts the rows of each track on the way. */
static void resolve_tracks(struct nsc_family *family, struct nsc_idtable *ids,
                           const struct nsc_chunk *chunk)
{
    uint32_t *tracks = nsc_raw_u32(chunk, NSC_RAW_TRACK);

    for (uint32_t i = 0; i < chunk->n; i++) {
        struct nsc_feed_track *track = &chunk->feed->tracks.at[tracks[i]];

        if (track->built == NSC_NONE)
            track->built = build_track(family, ids, &track->key);
        tracks[i] = track->built;
        family->builder->tracks.at[track->built].n++;
    }
}

static void keep_running_totals(struct nsc_family *family)
{
    for (unsigned f = 0; f < family->n_feeds; f++)
        for (size_t i = 0; i < family->feeds[f].tracks.n; i++) {
            const struct nsc_feed_track *track = &family->feeds[f].tracks.at[i];

            if (track->running_total && track->built != NSC_NONE)
                family->builder->tracks.at[track->built].running_total = true;
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
    id = nsc_idtable_find(&family->pattern_ids, hash, is_pattern, family, &pattern);
    if (id != NSC_NONE)
        return id;
    id = (uint32_t)family->patterns.n;
    *NSC_VEC_ADD(&family->patterns) = pattern;
    nsc_idtable_add(&family->pattern_ids, hash, id);
    return id;
}

/* One more of the pattern's distinct counters, unless it is known; one too many makes it overflow.
 */
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

/*
 * The 4 bytes in front of shared counters: 0 at first, 1 once their pattern has seen them, then 2 +
 * the name they became. Bytes, for they lie unaligned.
 */
static uint32_t load_memo(const uint8_t *packed)
{
    uint32_t memo = 0;

    memcpy(&memo, packed - sizeof memo, sizeof memo);
    return memo;
}

static void store_memo(uint8_t *packed, uint32_t memo)
{
    memcpy(packed - sizeof memo, &memo, sizeof memo);
}

/* Which patterns have too many distinct counters to be names: the same answer for any share of rows
 * among feeds. */
static void find_patterns(struct nsc_family *family, const struct nsc_chunk *chunk)
{
    struct nsc_feed *feed = chunk->feed;
    const uint32_t *names = nsc_raw_u32(chunk, NSC_RAW_NAME);
    const uint32_t *links = nsc_raw_u32(chunk, NSC_RAW_LINK);

    for (uint32_t i = 0; i < chunk->n; i++) {
        struct nsc_feed_name *name = &feed->names.at[names[i]];
        struct nsc_pattern *pattern = NULL;
        uint8_t *packed = NULL;

        if (!name->counters)
            continue;
        if (name->built == NSC_NONE)
            name->built = build_pattern(family, feed, name);
        pattern = &family->patterns.at[name->built];
        if (name->set.overflow)
            pattern->overflow = true;
        if (pattern->overflow)
            continue;
        packed = nsc_feed_packed(feed, links[i]);
        if (load_memo(packed))
            continue;
        store_memo(packed, 1);
        see_counters(pattern, packed);
    }
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

/* The name of a pattern with few counters: the digits are back in it. */
static uint32_t build_unfolded(struct nsc_family *family, const struct nsc_pattern *pattern,
                               uint8_t *packed)
{
    char text[NSC_NAME_BYTES];
    struct nsc_build_name built = {.argb = pattern->argb};
    uint32_t memo = load_memo(packed);
    uint32_t n = 0;

    if (memo > 1)
        return memo - 2;
    n = nsc_fold_expand(text, nsc_strpool_text(&family->builder->strings, pattern->full),
                        packed + 1);
    built.full = built.brief = nsc_strpool_add(&family->builder->strings, text, n);
    built.flags = pattern->colored ? NSC_NAME_COLORED : 0;
    memo = nsc_builder_name(family->builder, &built) + 2;
    store_memo(packed, memo);
    return memo - 2;
}

static void resolve_names(struct nsc_family *family, const struct nsc_chunk *chunk)
{
    struct nsc_feed *feed = chunk->feed;
    uint32_t *names = nsc_raw_u32(chunk, NSC_RAW_NAME);
    const uint32_t *links = nsc_raw_u32(chunk, NSC_RAW_LINK);

    for (uint32_t i = 0; i < chunk->n; i++) {
        struct nsc_feed_name *name = &feed->names.at[names[i]];
        uint8_t *packed = NULL;

        if (!names[i])
            continue;
        if (!name->counters) {
            if (name->built == NSC_NONE)
                name->built = build_plain(family, feed, name);
            names[i] = name->built;
            continue;
        }
        packed = nsc_feed_packed(feed, links[i]);
        if (family->patterns.at[name->built].overflow) {
            names[i] = build_folded(family, &family->patterns.at[name->built]);
            family->packed_n++;
            family->packed_bytes += packed[0] + 1u;
        } else {
            names[i] = build_unfolded(family, &family->patterns.at[name->built], packed);
        }
    }
}

/* ---- times ---- */

void nsc_bounds_add(struct nsc_bounds *bounds, nsc_time t0, nsc_time t1)
{
    if (!bounds->any || t0 < bounds->t0)
        bounds->t0 = t0;
    if (!bounds->any || t1 > bounds->t1)
        bounds->t1 = t1;
    bounds->any = true;
}

static nsc_time touch_end(nsc_time start, nsc_time duration)
{
    nsc_time end = INT64_MAX;

    if (__builtin_add_overflow(start, duration > 0 ? duration : 1, &end))
        end = INT64_MAX;
    return end;
}

/* What all events of a chunk span; an open one is an instant for now. */
static void measure_chunk(struct nsc_builder *builder, const struct nsc_chunk *chunk)
{
    const nsc_time *start = chunk->columns[NSC_RAW_START];
    const uint8_t *kind = chunk->columns[NSC_RAW_KIND];
    const uint32_t *duration = nsc_raw_u32(chunk, NSC_RAW_DURATION);
    size_t at = 0;

    for (uint32_t i = 0; i < chunk->n; i++) {
        bool graph = kind[i] == NSC_KIND_GRAPH_EVENT || kind[i] == NSC_KIND_GRAPH_NODE_EVENT;
        nsc_time d = duration[i];

        if (kind[i] == NSC_RAW_SAMPLE)
            continue;
        if (d == (nsc_time)NSC_LONG)
            d = chunk->longs.at[at++].duration;
        nsc_bounds_add(graph ? &builder->graph_bounds : &builder->bounds, start[i],
                       touch_end(start[i], d));
    }
}

/* Ranges still open end with everything else. */
static void close_ranges(struct nsc_family *family, nsc_time end)
{
    for (uint32_t c = 0; c < family->n_chunks; c++) {
        struct nsc_chunk *chunk = &family->chunks[c];
        const nsc_time *start = chunk->columns[NSC_RAW_START];
        uint32_t *duration = nsc_raw_u32(chunk, NSC_RAW_DURATION);

        for (size_t i = 0; i < chunk->longs.n; i++) {
            struct nsc_raw_long *entry = &chunk->longs.at[i];

            if (entry->duration != NSC_RAW_OPEN)
                continue;
            if (__builtin_sub_overflow(end, start[entry->offset], &entry->duration))
                entry->duration = INT64_MAX;
            if (entry->duration < (nsc_time)NSC_LONG)
                duration[entry->offset] = (uint32_t)entry->duration;
            nsc_bounds_add(&family->builder->bounds, start[entry->offset], end);
        }
    }
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
        measure_chunk(builder, &family->chunks[c]);
    if (!has_open(family))
        return;
    end = builder->bounds.t1; /* an open event is in it */
    if (!__builtin_add_overflow(info->duration, info->offset, &told) && told > end)
        end = told;
    close_ranges(family, end);
}

void nsc_family_resolve(struct nsc_family *family)
{
    struct nsc_idtable ids = {NULL, 0, 0};

    for (uint32_t c = 0; c < family->n_chunks; c++) {
        resolve_tracks(family, &ids, &family->chunks[c]);
        find_patterns(family, &family->chunks[c]);
    }
    for (uint32_t c = 0; c < family->n_chunks; c++)
        resolve_names(family, &family->chunks[c]);
    keep_running_totals(family);
    resolve_times(family);
    nsc_idtable_fini(&ids);
}
