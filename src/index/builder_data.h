/*
 * What is inside the builder, its families and feeds: raw rows in chunks on one side, columns that
 * grow on the other.
 *
 * A raw row is known by its number: chunk << NSC_CHUNK_BITS | offset. Feeds are written by one
 * thread each; all else belongs to the builder's thread, but for the parts that nsc_family_end
 * hands to the pool.
 */
#ifndef NSC_INDEX_BUILDER_DATA_H
#define NSC_INDEX_BUILDER_DATA_H

#include "core/strpool.h"
#include "core/vec.h"
#include "index/builder.h"
#include "index/idtable.h"
#include "index/trace_data.h"

#ifdef NSC_SMALL
#define NSC_CHUNK_BITS        6
#define NSC_BLOCK_BITS        12
#define NSC_BLOB_BITS         10
#define NSC_COUNTERS_AS_NAMES 4
#else
#define NSC_CHUNK_BITS 16
#define NSC_BLOCK_BITS 21
#define NSC_BLOB_BITS  20
#define NSC_COUNTERS_AS_NAMES \
    64 /* a pattern with more distinct counters keeps them with its events */
#endif
#define NSC_RECENT_TEXTS 256 /* a power of two */
#define NSC_CHUNK_ROWS   (1u << NSC_CHUNK_BITS)

/* ---- a worker's side
 * ---------------------------------------------------------------------------------------------- */

enum nsc_raw_column {
    NSC_RAW_KIND,
    NSC_RAW_TRACK,
    NSC_RAW_NAME,
    NSC_RAW_LINK,
    NSC_RAW_SOURCE,
    NSC_RAW_DURATION,
    NSC_RAW_START,
    NSC_N_RAW
};

#define NSC_RAW_SAMPLE UINT8_MAX /* kind of a counter's sample: link and duration are its value */
#define NSC_RAW_OPEN   INT64_MIN /* duration of a range that is still open */

struct nsc_raw_long {
    uint32_t offset;
    nsc_time duration;
};

/*
 * Rows side by side in the blocks of their feed: chunks come and go, the blocks stay, and are
 * handed on from family to family, for a page the system has to zero costs as much as reading its
 * rows.
 */
struct nsc_chunk {
    void *columns[NSC_N_RAW]; /* NULL once gathered */
    struct nsc_feed *feed;
    uint64_t first; /* row of the feed's blocks */
    uint32_t task, seq, n, capacity;
    NSC_VEC(struct nsc_raw_long) longs; /* rows whose duration is NSC_LONG, ascending by offset */
};

struct nsc_feed_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t built; /* index of the builder's track, NSC_NONE until a row needs it */
};

/* The distinct counters met with one pattern, by the place of their bytes in the blob. */
struct nsc_counter_set {
    uint32_t *slots; /* link + 1; 0 = empty */
    uint32_t n, n_slots;
    bool overflow;
};

struct nsc_feed_name {
    nsc_str full, brief; /* of the feed's strings */
    uint32_t argb;
    uint8_t colored, counters;
    struct nsc_counter_set set;
    uint32_t built; /* index of the builder's name; with counters: of the family's pattern. NSC_NONE
                       until needed */
};

struct nsc_feed {
    struct nsc_family *family;
    NSC_VEC(struct nsc_chunk) chunks;
    NSC_VEC(void *) blocks[NSC_N_RAW]; /* row i of a column: byte i * width of its blocks */
    NSC_VEC(void *) spare;             /* blocks of no column yet */
    uint32_t task, seq;
    bool fresh;  /* the next row begins a chunk */
    bool failed; /* memory was refused */
    NSC_VEC(struct nsc_feed_track) tracks;
    struct nsc_idtable track_ids;
    uint32_t recent[4], next_recent;
    struct nsc_strpool strings;
    NSC_VEC(struct nsc_feed_name) names;
    struct nsc_idtable name_ids;
    uint32_t recent_texts[NSC_RECENT_TEXTS]; /* names by the hash of their text */
    /*
     * Packed counters of texts: a length byte and the bytes each, in blocks that no entry
     * straddles. In front of an entry of a set stand 4 bytes of its own, for the name it becomes
     * (see resolve.c). link = block << NSC_BLOB_BITS | offset
     */
    NSC_VEC(uint8_t *) blob;
    uint32_t blob_used; /* of the last block */
};

static inline uint8_t *nsc_feed_packed(const struct nsc_feed *feed, uint32_t link)
{
    return feed->blob.at[link >> NSC_BLOB_BITS] + (link & ((1u << NSC_BLOB_BITS) - 1));
}

struct nsc_feed *nsc_feed_init(struct nsc_feed *feed, struct nsc_family *family);
void nsc_feed_fini(struct nsc_feed *feed);
void nsc_feed_free_blob(struct nsc_feed *feed);
void nsc_chunk_fini(struct nsc_chunk *chunk);
/* Gives the blocks of one column that end before a row to the builder, which keeps what later
 * families may need. */
void nsc_feed_free_column(struct nsc_feed *feed, enum nsc_raw_column column, uint64_t row);

/* ---- a family
 * ------------------------------------------------------------------------------------------------------
 */

struct nsc_pattern { /* a text with counters, over all feeds */
    nsc_str full;    /* of the builder's strings */
    uint32_t argb;
    uint8_t colored, counters;
    bool overflow;                 /* its counters stay with its events */
    NSC_VEC(const uint8_t *) seen; /* the distinct counters so far, packed, in the feeds' blobs */
    uint32_t name;
};

struct nsc_family {
    struct nsc_builder *builder;
    struct nsc_feed *feeds;
    unsigned n_feeds;
    struct nsc_chunk *chunks; /* of all feeds, by (task, seq), from nsc_family_end on */
    uint32_t n_chunks;
    uint32_t n; /* rows; events come first in order[], samples behind */
    uint32_t n_events;
    uint32_t first_track; /* the builder's tracks from here on are this family's */
    NSC_VEC(struct nsc_pattern) patterns;
    struct nsc_idtable pattern_ids;
    uint64_t packed_n, packed_bytes; /* texts whose counters stay with them */
    uint32_t *order; /* raw rows, by (track, start, longer first, kind, source), then by lane */
    uint32_t *lane;  /* of order[i]; scratch before */
    uint32_t *span;  /* first row of each of the family's tracks in order[]; one more at the end */
};

static inline uint32_t *nsc_raw_u32(const struct nsc_chunk *chunk, enum nsc_raw_column column)
{
    return chunk->columns[column];
}

static inline uint32_t nsc_family_u32(const struct nsc_family *family, enum nsc_raw_column column,
                                      uint32_t raw)
{
    const uint32_t *at = family->chunks[raw >> NSC_CHUNK_BITS].columns[column];

    return at[raw & (NSC_CHUNK_ROWS - 1)];
}

static inline nsc_time nsc_family_start(const struct nsc_family *family, uint32_t raw)
{
    const nsc_time *at = family->chunks[raw >> NSC_CHUNK_BITS].columns[NSC_RAW_START];

    return at[raw & (NSC_CHUNK_ROWS - 1)];
}

static inline uint8_t nsc_family_kind(const struct nsc_family *family, uint32_t raw)
{
    const uint8_t *at = family->chunks[raw >> NSC_CHUNK_BITS].columns[NSC_RAW_KIND];

    return at[raw & (NSC_CHUNK_ROWS - 1)];
}

/* The duration of an event, long or not. */
nsc_time nsc_family_duration(const struct nsc_family *family, uint32_t raw);

/* resolve.c: rewrites tracks and names of all rows into the builder's, ends the ranges that are
 * open. */
void nsc_family_resolve(struct nsc_family *family);
/* order.c: order[], lane[] and the builder's lanes. False when the memory is refused. */
bool nsc_family_order(struct nsc_family *family);
/* gather.c: appends the events in order to the builder's columns, frees the raw ones. */
bool nsc_family_gather(struct nsc_family *family);
/* Gives one raw column of all chunks back. */
void nsc_family_free_raw(const struct nsc_family *family, enum nsc_raw_column raw);
/* counters.c: makes the family's samples counters of the builder, before gathering. */
bool nsc_family_counters(struct nsc_family *family);

/* ---- the builder
 * ---------------------------------------------------------------------------------------------------
 */

struct nsc_build_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t n, first_lane, n_lanes;
    uint32_t counter;          /* of a counter track */
    nsc_str label;             /* of a counter track */
    uint64_t busy[NSC_N_WORK]; /* streams: ns of each work, saturating */
    uint64_t nccl, peer;       /* parts of NSC_WORK_COMM and NSC_WORK_PEER, for the label's word */
};

struct nsc_build_name {
    nsc_str full, brief;
    uint32_t argb;
    uint8_t flags, counters;
};

/* Something said of a process, thread, device ... by the reader. */
enum nsc_fact_kind {
    NSC_FACT_PROCESS,
    NSC_FACT_THREAD, /* a: tid */
    NSC_FACT_DEVICE, /* a: gpu */
    NSC_FACT_MAP,    /* a: device; value: gpu */
    NSC_FACT_DOMAIN, /* a: domain */
    NSC_FACT_STREAM  /* a: context, b: stream */
};

struct nsc_fact {
    uint64_t kind, process;
    int64_t a, b;
    int64_t value; /* a string, or what is said above */
};

struct nsc_build_long {
    nsc_event event;
    nsc_time duration;
};

struct nsc_bounds {
    bool any;
    nsc_time t0, t1;
};

struct nsc_builder {
    struct nsc_pool *pool;
    struct nsc_progress *progress;
    struct nsc_strpool strings;
    NSC_VEC(struct nsc_trace_info) exports; /* the last one is at hand */
    struct nsc_alignment alignment;
    bool has_trim;
    struct nsc_window trim;
    NSC_VEC(struct nsc_fact) facts;
    struct nsc_idtable fact_ids;

    struct nsc_column columns[NSC_N_COLUMNS];
    uint64_t capacity; /* events the columns have room for */
    uint32_t n;
    uint64_t rows_left;                   /* that may still come after the family at hand */
    NSC_VEC(void *) blocks;               /* of raw rows, for the next family */
    NSC_VEC(struct nsc_build_long) longs; /* ascending by event */
    NSC_VEC(struct nsc_lane) lanes;       /* track: index of tracks below */
    NSC_VEC(struct nsc_build_track) tracks;
    NSC_VEC(struct nsc_build_name) names;
    struct nsc_idtable name_ids;
    uint32_t packed_n; /* texts whose counters stay with them */
    uint64_t packed_bytes;
    NSC_VEC(struct nsc_counter) counters;
    NSC_VEC(struct nsc_column) counter_columns; /* two a counter */
    struct nsc_bounds bounds, graph_bounds;     /* of graph creation apart; of the export at hand */
    struct nsc_bounds before, graph_before;     /* of the exports before it */
};

#define NSC_PROCESS_BITS 40 /* above them stands the number of the export */

static inline struct nsc_trace_info *nsc_builder_at_hand(const struct nsc_builder *builder)
{
    return &builder->exports.at[builder->exports.n - 1];
}

/* A process of the export at hand, among those of all. */
static inline uint64_t nsc_builder_key(const struct nsc_builder *builder, uint64_t process)
{
    return process | (uint64_t)(builder->exports.n - 1) << NSC_PROCESS_BITS;
}

static inline uint32_t nsc_process_export(uint64_t process)
{
    return (uint32_t)(process >> NSC_PROCESS_BITS);
}

/* The value of a fact, or fallback. */
int64_t nsc_builder_fact(const struct nsc_builder *builder, const struct nsc_fact *key,
                         int64_t fallback);
uint32_t nsc_builder_name(struct nsc_builder *builder, const struct nsc_build_name *name);
/* Counts what the export at hand has given. */
void nsc_builder_end_export(struct nsc_builder *builder);
/* Makes room for n more events. False when the memory is refused. */
bool nsc_builder_reserve(struct nsc_builder *builder, uint32_t n);
void nsc_bounds_add(struct nsc_bounds *bounds, nsc_time t0, nsc_time t1);

/* The rows of a track lie side by side. */
static inline uint32_t nsc_builder_first_row(const struct nsc_builder *builder,
                                             const struct nsc_build_track *track)
{
    return track->n_lanes ? builder->lanes.at[track->first_lane].first : 0;
}

/* links.c: launch <-> work, and names of synchronizations. False when the memory is refused. */
bool nsc_builder_link(struct nsc_builder *builder);
/* work.c: flags communication kernels, sums what fills the streams. */
void nsc_builder_work(struct nsc_builder *builder);
/* tracks.c: the tracks of the trace, in preorder, and the lanes that point to them. */
void nsc_builder_tracks(struct nsc_trace *trace, struct nsc_builder *builder);
/* labels.c: a text for a track or group, as a string of the builder. */
nsc_str nsc_label_track(struct nsc_builder *builder, const struct nsc_build_track *track,
                        bool say_context, bool say_process);
nsc_str nsc_label_device(struct nsc_builder *builder, uint32_t xport, int64_t gpu);
nsc_str nsc_label_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid);
/* work.c: the work that fills most of a stream. */
enum nsc_work nsc_track_work(const struct nsc_build_track *track);
/* What a kind of GPU work is; comm: its name says communication. False for what is no GPU work. */
bool nsc_work_of_kind(enum nsc_work *out, uint8_t kind, bool comm);

#endif
