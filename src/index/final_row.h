/*
 * Reads the raw rows of a chunk as they go into the trace: with the builder's names and links. First
 * give the feeds' counters to the builder (nsc_family_give_packed).
 */
#ifndef NSC_INDEX_FINAL_ROW_H
#define NSC_INDEX_FINAL_ROW_H

#include "index/builder_data.h"

/* Whether the link of a raw row of this kind is a correlation id. */
static inline bool nsc_has_correlation(uint8_t kind)
{
    return nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind) || kind == NSC_KIND_SYNC;
}

/* The inputs of a chunk's rows, as local variables: the compiler would reload pointers after every
 * byte written. */
struct nsc_rows_from {
    const struct nsc_raw *rows;
    const uint8_t *kinds;
    const struct nsc_feed *feed;
    const struct nsc_name_map *map;
    uint32_t first_link; /* first link of the feed's counters, in the builder */
};

static inline struct nsc_rows_from nsc_chunk_open(const struct nsc_chunk *chunk)
{
    const struct nsc_feed *feed = chunk->feed;

    if (!feed)
        return (struct nsc_rows_from){chunk->rows, chunk->kinds, NULL, NULL, 0};
    return (struct nsc_rows_from){chunk->rows, chunk->kinds, feed, feed->map,
                                  feed->first_packed << NSC_LINK_BITS};
}

/* A row with the builder's name and link. */
static inline struct nsc_raw nsc_final_row(struct nsc_rows_from from, uint32_t i)
{
    struct nsc_raw row = from.rows[i];
    struct nsc_name_map map;

    if (!from.map)
        return row;
    map = from.map[row.name];
    row.name = map.name;
    if (map.name == NSC_NONE)
        row.name = nsc_entry_load(nsc_feed_packed(from.feed, row.link)).name;
    if (!nsc_has_correlation(from.kinds[i]) && from.kinds[i] != NSC_RAW_SAMPLE)
        row.link = map.keeps ? row.link + from.first_link : NSC_NONE;
    return row;
}

#endif
