/*
 * The inside of the builder, its families and feeds: raw rows in chunks, and columns that grow.
 *
 * One thread writes each feed; everything else belongs to the builder's thread, except the parts
 * that nsc_family_end hands to the pool.
 */
#ifndef NSC_INDEX_BUILDER_DATA_H
#define NSC_INDEX_BUILDER_DATA_H

#include "core/hints.h"
#include "core/strpool.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/builder.h"
#include "index/idtable.h"
#include "index/trace_data.h"

#ifdef NSC_SMALL
#define NSC_SLAB_BITS         5
#define NSC_SLAB_FIRST        2
#define NSC_BLOCKS            4
#define NSC_COUNTERS_AS_NAMES 4
#define NSC_RECENT_BITS       2
#else
#define NSC_SLAB_BITS         13 /* 200 KB */
#define NSC_SLAB_FIRST        4  /* rows of a track's first slab */
#define NSC_BLOCKS            10 /* of a slab */
/* A pattern with more distinct counters stores them with its events. */
#define NSC_COUNTERS_AS_NAMES 64
#define NSC_RECENT_BITS       11 /* in 256 slots, the tracks of many processes meet */
#endif
#define NSC_SHAPES        512 /* recent texts; a power of two */
#define NSC_RECENT_TRACKS (1u << NSC_RECENT_BITS)

/* ---- a worker's side ---- */

#define NSC_RAW_SAMPLE UINT8_MAX /* kind of a counter's sample: link and duration hold its value */
#define NSC_RAW_OPEN   INT64_MIN /* duration of an open range */

/* A raw row. An array of its own stores its kind; its chunk knows its track. */
struct nsc_raw {
    nsc_time start;
    uint32_t duration; /* NSC_LONG: see the chunk's longs */
    uint32_t name;     /* of the feed */
    uint32_t link;
    uint32_t source;
};

/*
 * A slab: memory for rows of one track and one feed. The first slabs of a track are small, the next
 * ones blocks of a whole slab, then whole ones. Blocks and whole slabs go from family to family,
 * because a page that the system has to zero costs as much as reading its rows.
 */
#define NSC_SLAB_ROWS  (1u << NSC_SLAB_BITS)
#define NSC_SLAB_BYTES ((size_t)NSC_SLAB_ROWS * (sizeof(struct nsc_raw) + 1))
#define NSC_SLABS      16 /* slabs of one allocation */
/* A part of a slab: rows put in order, then their kinds. Whole pages, 5 of them. */
#define NSC_BLOCK_BYTES (NSC_SLAB_BYTES / NSC_BLOCKS)
#define NSC_BLOCK_ROWS  ((uint32_t)(NSC_BLOCK_BYTES / (sizeof(struct nsc_raw) + 1)))

/* A whole slab, or a block of one: memory for n rows, and for their kinds behind them. */
struct nsc_spare {
    struct nsc_raw *rows;
    uint32_t n;
};

static inline size_t nsc_spare_bytes(struct nsc_spare spare)
{
    return spare.n == NSC_SLAB_ROWS ? NSC_SLAB_BYTES : NSC_BLOCK_BYTES;
}

/* Memory to be used again. */
struct nsc_spares {
    NSC_VEC(struct nsc_raw *) slabs; /* whole ones */
    NSC_VEC(struct nsc_raw *) blocks;
};

static inline void nsc_spares_add(struct nsc_spares *spares, struct nsc_spare spare)
{
    if (spare.n == NSC_SLAB_ROWS)
        *NSC_VEC_ADD(&spares->slabs) = spare.rows;
    else
        *NSC_VEC_ADD(&spares->blocks) = spare.rows;
}
/* family.c: moves all of them. */
void nsc_spares_move(struct nsc_spares *to, struct nsc_spares *from);

struct nsc_slab {
    struct nsc_spare memory; /* rows: NULL once given away; n: 0 for a small slab */
    uint32_t left;           /* rows not gathered yet */
};

struct nsc_raw_long {
    uint32_t offset;
    nsc_time duration;
};

/* A chunk: rows of one track, one task and one slab, in the order in which they were fed. Or sorted
 * rows of one track (sort_by_bucket.c): these have no feed, and carry the builder's names and links. */
struct nsc_chunk {
    struct nsc_raw *rows;
    uint8_t *kinds;
    struct nsc_feed *feed; /* NULL: put in order */
    uint64_t key;          /* task << 32 | rows of the task before this chunk */
    nsc_time least, reach; /* least start; greatest end, with 1 ns for an instant */
    uint32_t track;        /* of the feed; after nsc_family_resolve, of the family */
    uint32_t n, slab;
    uint32_t descents;                  /* rows that sort before their predecessor */
    bool overlaps;                      /* some of its rows overlap */
    NSC_VEC(struct nsc_raw_long) longs; /* rows with duration NSC_LONG, ascending by offset */
};

/* Compares all fields without branches: consecutive rows may differ in any. */
static inline bool nsc_track_key_is_same(const struct nsc_track_key *a,
                                         const struct nsc_track_key *b)
{
    uint64_t differ = (uint64_t)(a->kind ^ b->kind) | (a->tid ^ b->tid);

    differ |= a->process ^ b->process;
    differ |= (uint64_t)(a->device ^ b->device) | (uint64_t)(a->context ^ b->context);
    differ |= (uint64_t)(a->stream ^ b->stream) | (uint64_t)(a->domain ^ b->domain);
    return differ == 0;
}

static inline uint64_t nsc_track_key_hash(const struct nsc_track_key *key)
{
    uint64_t hash = nsc_hash_mix(key->kind, key->tid);

    hash = nsc_hash_mix(hash, key->process);
    hash = nsc_hash_mix(hash, (uint64_t)key->device);
    hash = nsc_hash_mix(hash, (uint64_t)key->context);
    hash = nsc_hash_mix(hash, (uint64_t)key->stream);
    return nsc_hash_mix(hash, (uint64_t)key->domain);
}

struct nsc_feed_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t chunk;             /* being written; NSC_NONE: none */
    struct nsc_raw *next;       /* place of the next row */
    const struct nsc_raw *stop; /* if next is here, begin a new chunk first */
    const struct nsc_raw *end;  /* end of the slab */
    uint8_t *next_kind;
    nsc_time last; /* start of the chunk's last row */
    /* Of the chunk so far. */
    nsc_time least, reach;
    uint32_t descents;
    bool overlaps;
    uint32_t slab;
    uint32_t room; /* rows that fit into its slabs so far */
};

/* The distinct counters of a pattern, by their links. */
struct nsc_feed_name {
    nsc_str full, brief; /* of the feed's strings */
    uint32_t argb;
    uint8_t colored, counters;
    struct nsc_idtable links; /* of its distinct counters, unless there are too many */
    bool overflow;
    uint64_t first; /* least key of its rows; NSC_NO_KEY: no rows */
    uint32_t built; /* names with counters: index of the family's pattern */
};
#define NSC_NO_KEY UINT64_MAX

/* A name with few counters. A text of the same shape gets this name without folding. */
#define NSC_SHAPE_COUNTERS 4
struct nsc_shape {
    uint64_t at; /* place of its n bytes in the feed's strings */
    uint32_t name, argb, n;
    uint32_t counter[NSC_SHAPE_COUNTERS]; /* places of the counters in it */
    uint8_t counters;
    bool colored;
};

/* The builder's name for a feed's name. */
struct nsc_name_map {
    uint32_t name;  /* NSC_NONE: depends on the row's counters, see nsc_entry */
    uint32_t keeps; /* 1: rows keep their counters */
};

/* Stored in front of shared counters: the least key of their rows, and the name they become.
 * Unaligned, so it is copied. */
struct nsc_entry {
    uint64_t first;
    uint32_t name;
};
#define NSC_ENTRY_BYTES 12

struct nsc_feed {
    struct nsc_family *family;
    NSC_VEC(struct nsc_chunk) chunks;
    NSC_VEC(uint32_t) open; /* tracks with a chunk being written */
    NSC_VEC(struct nsc_slab) slabs;
    struct nsc_spares spares; /* not used yet */
    NSC_VEC(struct nsc_column) slab_pages;
    NSC_VEC(void *) small_pages; /* allocations for smaller slabs */
    size_t small_used;           /* bytes used of the last one */
    uint64_t key;                /* of the next row */
    bool failed;                 /* out of memory */
    NSC_VEC(struct nsc_feed_track) tracks;
    struct nsc_idtable track_ids;
    uint32_t recent[NSC_RECENT_TRACKS]; /* tracks by the hash of their keys */
    struct nsc_strpool strings;
    NSC_VEC(struct nsc_feed_name) names;
    struct nsc_idtable name_ids;
    struct nsc_shape shapes[NSC_SHAPES];
    struct nsc_name_map *map; /* per name, after nsc_family_resolve */
    /*
     * Packed counters of texts, each a length byte and its bytes, in slabs; no text crosses the end
     * of a slab. The trace takes the slabs whose counters are kept, after the builder's
     * first_packed slabs; links: see struct nsc_packed_counters. A struct nsc_entry precedes shared
     * counters.
     */
    NSC_VEC(uint8_t *) packed;
    uint32_t packed_used; /* bytes used of the last slab */
    uint32_t first_packed;
    bool packed_given;
    NSC_APART;
};

static inline uint8_t *nsc_feed_packed(const struct nsc_feed *feed, uint32_t link)
{
    return nsc_packed_at(feed->packed.at, link);
}

struct nsc_entry nsc_entry_load(const uint8_t *packed);
void nsc_entry_put(uint8_t *packed, struct nsc_entry entry);

struct nsc_feed *nsc_feed_init(struct nsc_feed *feed, struct nsc_family *family);
void nsc_feed_fini(struct nsc_feed *feed);
void nsc_chunk_fini(struct nsc_chunk *chunk);
/* Completes the chunks being written. */
void nsc_feed_close(struct nsc_feed *feed);
/* Stores a text's counters and returns their link. Equal counters share one link while the pattern
 * has few. NSC_NONE if out of memory: the feed has failed. */
uint32_t nsc_feed_counters(struct nsc_feed *feed, uint32_t name, const uint8_t *packed, uint8_t n);
/* Forgets names and counters whose first row has this key or a later one. */
void nsc_feed_remove(struct nsc_feed *feed, uint64_t key);

/* The duration of a row in ns; NSC_RAW_OPEN until resolved; 0 for a sample. */
nsc_time nsc_chunk_duration(const struct nsc_chunk *chunk, uint32_t i);
/*
 * Whether row j of b may follow row i of a: (start, longer first, kind, source) does not descend.
 */
bool nsc_chunk_in_order(const struct nsc_chunk *a, uint32_t i, const struct nsc_chunk *b,
                        uint32_t j);
/* The touch end: an instant takes 1 ns, unless it starts at INT64_MAX. Means nothing for samples. */
static inline nsc_time nsc_chunk_reach(const struct nsc_chunk *chunk, uint32_t i)
{
    const struct nsc_raw *row = &chunk->rows[i];
    nsc_time duration =
        row->duration == NSC_LONG ? nsc_chunk_duration(chunk, i) : (nsc_time)row->duration;
    nsc_time reach = INT64_MAX;

    if (__builtin_add_overflow(row->start, duration > 0 ? duration : 1, &reach))
        reach = INT64_MAX;
    return reach;
}

/* ---- a family ---- */

struct nsc_pattern { /* a text with counters, over all feeds */
    nsc_str full;    /* of the builder's strings */
    uint32_t argb;
    uint8_t colored, counters;
    bool overflow; /* its counters stay with its events */
    NSC_VEC(const uint8_t *)
    seen; /* distinct counters so far, packed; point into the feeds' slabs */
    uint32_t name;
};

struct nsc_chunk_range { /* rows [first, first + n) of a chunk */
    uint32_t chunk, first, n;
};

/* Ranges for one task of gathering. */
struct nsc_gather_task {
    uint32_t track; /* of the family */
    uint32_t first_range, n_ranges;
    uint32_t row;      /* rows of the track before this task */
    uint32_t *before;  /* rows of each lane before this task; NULL without lanes */
    uint32_t n_before; /* later lanes have none */
};

/* The order of one track's rows. */
struct nsc_track_order {
    NSC_VEC(struct nsc_chunk_range) ranges; /* by time */
    uint32_t *lane;                         /* per row by time; NULL: one lane */
    uint32_t n_lanes;                       /* 0: samples of a counter */
    uint32_t *rows;                         /* per lane; NULL if there is one */
    NSC_VEC(struct nsc_gather_task) tasks;
    NSC_VEC(struct nsc_chunk) chunks; /* sorted chunks, until nsc_family_take_resorted */
    bool failed;                      /* out of memory */
};

struct nsc_family {
    struct nsc_builder *builder;
    struct nsc_feed *feeds;
    unsigned n_feeds;
    struct nsc_chunk *chunks; /* chunks of all feeds; by (track, key) after nsc_family_resolve */
    uint32_t n_chunks;
    uint32_t n;           /* rows */
    uint32_t n_events;    /* rows except samples */
    uint32_t first_track; /* the family's tracks become the builder's from here on */
    uint32_t n_tracks;
    uint32_t *first_chunk; /* per track, and one more at the end */
    uint32_t *first_row;   /* per track; for a counter: among samples */
    NSC_VEC(struct nsc_pattern) patterns;
    struct nsc_idtable pattern_ids;
    struct nsc_track_order *orders; /* per track */
    _Atomic uint64_t rows_kept;     /* spares for the next family: rows that fit */
};

/*
 * resolve.c: gives tracks and names the builder's numbers, sorts chunks by track, ends open ranges.
 */
void nsc_family_resolve(struct nsc_family *family);
/* order.c: fills orders[] and the builder's lanes. False if out of memory. */
bool nsc_family_order(struct nsc_family *family);
/* sort_by_bucket.c: whether the track is large and consists of many ascending sequences. */
bool nsc_track_wants_buckets(const struct nsc_family *family, uint32_t track);
/* One worker's memory for tracks without order. Starts as zeros. */
struct nsc_bucket_sorter {
    NSC_VEC(struct nsc_raw *) spare;       /* blocks */
    NSC_VEC(struct nsc_column) slab_pages; /* memory of blocks that belong to no feed */
    struct nsc_chunk rows;                 /* a bucket side by side */
    uint64_t *places;                      /* two per row */
    size_t room;                           /* rows that fit into both */
    NSC_APART;
};
/* sort_by_bucket.c: moves the rows of a track to sorted chunks. One thread a track. */
void nsc_track_sort_by_bucket(struct nsc_family *family, uint32_t track,
                              struct nsc_bucket_sorter *sorter);
/* sort_by_bucket.c: gives the memory of blocks to the builder, and frees the rest. */
void nsc_bucket_sorter_fini(struct nsc_bucket_sorter *sorter, struct nsc_builder *builder);
/* sort_by_bucket.c: replaces the family's chunks by the sorted ones. */
void nsc_family_take_resorted(struct nsc_family *family);
/* gather.c: gives the slabs of kept counters to the builder. False if there are too many for
 * links. */
bool nsc_family_give_packed(struct nsc_family *family);
/* lanes.c: makes the lanes and tasks of a track whose ranges are known. False if out of memory. */
bool nsc_track_pack(struct nsc_family *family, uint32_t track);
/* gather.c: appends the ordered events to the builder's columns and frees the raw rows. */
bool nsc_family_gather(struct nsc_family *family);
/* counters.c: turns the family's samples into counters of the builder; before gathering. */
bool nsc_family_build_counters(struct nsc_family *family);

/* ---- the builder ---- */

struct nsc_build_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t n, first_lane, n_lanes;
    uint32_t counter;                /* of a counter track */
    nsc_str label;                   /* of a counter track */
    uint64_t busy[NSC_N_OP_CLASSES]; /* streams: ns per class, saturating */
    uint64_t nccl, peer; /* ns within NSC_OP_COMM and NSC_OP_PEER, for the word in the label */
};

struct nsc_build_name {
    nsc_str full, brief;
    uint32_t argb;
    uint8_t flags, counters;
};

/* A fact from the reader about a process, thread, device ... */
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
    int64_t value; /* a string, or as noted above */
};

struct nsc_build_long {
    nsc_event event;
    nsc_time duration;
};

struct nsc_bounds {
    bool any;
    nsc_time t0, t1;
};

/* Bytes of an event in a column. */
static inline size_t nsc_column_width(int id)
{
    static const uint8_t width[NSC_N_COLUMNS] = {
        [NSC_COLUMN_START] = 8, [NSC_COLUMN_DURATION] = 4, [NSC_COLUMN_NAME] = 4,
        [NSC_COLUMN_LINK] = 4,  [NSC_COLUMN_SOURCE] = 4,   [NSC_COLUMN_KIND] = 1,
    };

    return width[id];
}

struct nsc_builder {
    struct nsc_pool *pool;
    struct nsc_progress *progress;
    struct nsc_strpool strings;
    NSC_VEC(struct nsc_trace_info) captures; /* the last one is the current export */
    struct nsc_alignment alignment;
    bool has_trim;
    struct nsc_window trim;
    NSC_VEC(struct nsc_fact) facts;
    struct nsc_idtable fact_ids;

    struct nsc_column columns[NSC_N_COLUMNS];
    uint64_t capacity; /* events that fit in the columns */
    uint32_t n;
    uint64_t rows_left;                    /* upper bound of rows after the current family */
    NSC_VEC(struct nsc_column) slab_pages; /* memory of slabs, until the end */
    struct nsc_spares spares;              /* for the next family */
    NSC_VEC(struct nsc_build_long) longs;  /* ascending by event */
    NSC_VEC(struct nsc_lane) lanes;        /* lane.track: index of tracks below */
    NSC_VEC(struct nsc_build_track) tracks;
    NSC_VEC(struct nsc_build_name) names;
    struct nsc_idtable name_ids;
    NSC_VEC(uint8_t *) packed; /* slabs of counters that stay with their events */
    uint64_t packed_bytes;     /* bytes used of them */
    NSC_VEC(struct nsc_counter) counters;
    NSC_VEC(struct nsc_column) counter_columns; /* two per counter */
    struct nsc_bounds bounds, graph_bounds;     /* of the current export; graph creation apart */
    struct nsc_bounds before, graph_before;     /* of the exports before it */
    struct nsc_trace *early;                    /* reads the columns; NULL: none */
};

static inline struct nsc_trace_info *nsc_builder_at_hand(const struct nsc_builder *builder)
{
    return &builder->captures.at[builder->captures.n - 1];
}

/* A process of the current export, distinct from those of other exports. */
static inline uint64_t nsc_builder_key(const struct nsc_builder *builder, uint64_t process)
{
    return process | (uint64_t)(builder->captures.n - 1) << NSC_PROCESS_BITS;
}

static inline uint32_t nsc_process_capture(uint64_t process)
{
    return (uint32_t)(process >> NSC_PROCESS_BITS);
}

/* The value of a fact; fallback if it is unknown. */
int64_t nsc_builder_fact(const struct nsc_builder *builder, const struct nsc_fact *key,
                         int64_t fallback);
uint32_t nsc_builder_name(struct nsc_builder *builder, const struct nsc_build_name *name);
/* Closes the counts and bounds of the current export. */
void nsc_builder_end_capture(struct nsc_builder *builder);
/* Makes room for n more events. False if out of memory. */
bool nsc_builder_reserve(struct nsc_builder *builder, uint32_t n);
void nsc_bounds_add(struct nsc_bounds *bounds, nsc_time t0, nsc_time t1);

static inline struct nsc_build_track *nsc_family_track(const struct nsc_family *family, uint32_t t)
{
    return &family->builder->tracks.at[family->first_track + t];
}

/* The rows of a track are consecutive. */
static inline uint32_t nsc_builder_first_row(const struct nsc_builder *builder,
                                             const struct nsc_build_track *track)
{
    return track->n_lanes ? builder->lanes.at[track->first_lane].first : 0;
}

/* finish.c: fills the trace except links, columns, counters of texts, strings, summary and
 * covers. */
void nsc_builder_copy(struct nsc_trace *trace, struct nsc_builder *builder);
/* finish.c: points the trace's events at the first n rows of the columns. */
void nsc_trace_set_events(struct nsc_trace *trace, const struct nsc_column columns[NSC_N_COLUMNS],
                          uint32_t n);
/* Gives the columns to the early trace, if there is one. */
void nsc_builder_move_columns(struct nsc_trace *early, struct nsc_column columns[NSC_N_COLUMNS]);
/* Frees the memory of raw rows; no family may be left. */
void nsc_builder_free_slabs(struct nsc_builder *builder);

/* links.c: links launches and ops, names synchronizations. False if out of memory. */
bool nsc_builder_link(struct nsc_builder *builder);
/* work.c: flags communication kernels, sums the classes of each stream. */
void nsc_builder_measure_work(struct nsc_builder *builder);
/* tracks.c: the tracks in preorder; lanes point to them. */
void nsc_builder_order_tracks(struct nsc_trace *trace, struct nsc_builder *builder);
/* labels.c: the label of a track or group, as a string of the builder. */
nsc_str nsc_label_track(struct nsc_builder *builder, const struct nsc_build_track *track,
                        bool say_context, bool say_process);
nsc_str nsc_label_device(struct nsc_builder *builder, uint32_t capture_no, int64_t gpu);
nsc_str nsc_label_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid);
/* work.c: the op class that takes most time of a stream. */
enum nsc_op_class nsc_track_work(const struct nsc_build_track *track);

#endif
