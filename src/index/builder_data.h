/*
 * What is inside the builder, its families and feeds: raw rows in chunks on one side, columns that
 * grow on the other.
 *
 * Feeds are written by one thread each; all else belongs to the builder's thread, but for the parts
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
#define NSC_COUNTERS_AS_NAMES 4
#else
#define NSC_SLAB_BITS         13 /* 200 KB */
#define NSC_SLAB_FIRST        4  /* rows of a track's first slab */
/* A pattern with more distinct counters keeps them with its events. */
#define NSC_COUNTERS_AS_NAMES 64
#endif
#define NSC_SHAPES        512 /* texts met lately; a power of two */
#define NSC_RECENT_TRACKS 256

/* ---- a worker's side ---- */

#define NSC_RAW_SAMPLE UINT8_MAX /* kind of a counter's sample: link and duration are its value */
#define NSC_RAW_OPEN   INT64_MIN /* duration of a range that is still open */

/* A row as it was fed; its kind stands apart, its track is its chunk's. */
struct nsc_raw {
    nsc_time start;
    uint32_t duration; /* NSC_LONG: see the chunk's longs */
    uint32_t name;     /* of the feed */
    uint32_t link;
    uint32_t source;
};

/*
 * Memory for rows of one track and one feed: NSC_SLAB_ROWS of them, or fewer at first. Whole slabs
 * are handed on from family to family, for a page the system has to zero costs as much as reading
 * its rows.
 */
#define NSC_SLAB_ROWS  (1u << NSC_SLAB_BITS)
#define NSC_SLAB_BYTES ((size_t)NSC_SLAB_ROWS * (sizeof(struct nsc_raw) + 1))
#define NSC_SLABS      16 /* are reserved at once */

struct nsc_slab {
    struct nsc_raw *rows; /* their kinds follow; NULL once given on */
    uint32_t left;        /* rows that have not been gathered yet */
    bool whole;
};

struct nsc_raw_long {
    uint32_t offset;
    nsc_time duration;
};

/* Rows of one track, one task and one slab, in the order in which they were fed. */
struct nsc_chunk {
    struct nsc_raw *rows;
    uint8_t *kinds;
    struct nsc_feed *feed;
    uint64_t key;          /* task << 32 | rows of the task before its first one */
    nsc_time least, reach; /* of all starts; of all ends, where an instant takes 1 ns */
    uint32_t track;        /* of the feed; from nsc_family_resolve on, of the family */
    uint32_t n, slab;
    uint32_t descents;                  /* rows that belong in front of the one before */
    bool overlaps;                      /* two of its rows do */
    NSC_VEC(struct nsc_raw_long) longs; /* rows whose duration is NSC_LONG, ascending by offset */
};

struct nsc_feed_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t chunk;             /* being written, or NSC_NONE */
    struct nsc_raw *next;       /* where the next row goes */
    const struct nsc_raw *stop; /* next here: a chunk must begin first */
    const struct nsc_raw *end;  /* of the slab */
    uint8_t *next_kind;
    nsc_time last;  /* start of the chunk's last row */
    nsc_time reach; /* of the chunk so far, as the chunk's */
    bool overlaps;  /* likewise */
    uint32_t slab;
    uint32_t slab_rows; /* of the last slab */
};

/* The distinct counters met with one pattern, by their links. */
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
    uint64_t first; /* least key of a row that has it; NSC_NO_KEY: none has */
    uint32_t built; /* with counters: index of the family's pattern */
};
#define NSC_NO_KEY UINT64_MAX

/* A name with few counters, by which a text that is alike is known without folding it. */
#define NSC_SHAPE_COUNTERS 4
struct nsc_shape {
    uint64_t at; /* its n bytes among the feed's strings */
    uint32_t name, argb, n;
    uint32_t counter[NSC_SHAPE_COUNTERS]; /* where they stand in it */
    uint8_t counters;
    bool colored;
};

/* What a name of a feed is to the builder. */
struct nsc_name_map {
    uint32_t name;  /* NSC_NONE: the row's counters tell, see nsc_entry */
    uint32_t keeps; /* 1: rows keep their counters */
};

/*
 * What stands in front of shared counters: the least key of a row that has them, and the name they
 * become. Copied, for it lies unaligned.
 */
struct nsc_entry {
    uint64_t first;
    uint32_t name;
};
#define NSC_ENTRY_BYTES 12

struct nsc_feed {
    struct nsc_family *family;
    NSC_VEC(struct nsc_chunk) chunks;
    NSC_VEC(uint32_t) open; /* tracks whose chunks are being written */
    NSC_VEC(struct nsc_slab) slabs;
    NSC_VEC(void *) spare;       /* whole slabs of no track yet */
    NSC_VEC(void *) slab_pages;  /* allocations of NSC_SLABS slabs each */
    NSC_VEC(void *) small_pages; /* likewise, for slabs that are not whole */
    size_t small_used;           /* bytes of the last one */
    uint64_t key;                /* of the next row */
    bool failed;                 /* memory was refused */
    NSC_VEC(struct nsc_feed_track) tracks;
    struct nsc_idtable track_ids;
    uint32_t recent[NSC_RECENT_TRACKS]; /* tracks by the hash of their keys */
    struct nsc_strpool strings;
    NSC_VEC(struct nsc_feed_name) names;
    struct nsc_idtable name_ids;
    struct nsc_shape shapes[NSC_SHAPES];
    struct nsc_name_map *map; /* of each name, from nsc_family_resolve on */
    /*
     * Packed counters of texts: a length byte and the bytes each, in slabs that no text straddles.
     * Those whose counters are kept are handed to the trace as they are, behind the first_packed of
     * the builder's: see struct nsc_packed_counters for links. Shared ones have a struct nsc_entry
     * in front.
     */
    NSC_VEC(uint8_t *) packed;
    uint32_t packed_used; /* bytes of the last slab */
    uint32_t first_packed;
    bool packed_given;
    NSC_APART;
};

static inline uint8_t *nsc_feed_packed(const struct nsc_feed *feed, uint32_t link)
{
    return nsc_packed_at(feed->packed.at, link);
}

struct nsc_entry nsc_entry_load(const uint8_t *packed);
void nsc_entry_store(uint8_t *packed, struct nsc_entry entry);

struct nsc_feed *nsc_feed_init(struct nsc_feed *feed, struct nsc_family *family);
void nsc_feed_fini(struct nsc_feed *feed);
void nsc_chunk_fini(struct nsc_chunk *chunk);
/* Completes the chunks that are being written. */
void nsc_feed_close(struct nsc_feed *feed);
/* The link of a text's counters: shared while the pattern has few, its own afterwards. NSC_NONE,
 * and the feed has failed, when the memory is refused. */
uint32_t nsc_feed_counters(struct nsc_feed *feed, uint32_t name, const uint8_t *packed, uint8_t n);
/* Forgets when names and counters were first met, as far as that was from key on. */
void nsc_feed_forget(struct nsc_feed *feed, uint64_t key);

/* The duration of a row, long or not; NSC_RAW_OPEN until resolved. Not of a sample. */
nsc_time nsc_chunk_duration(const struct nsc_chunk *chunk, uint32_t i);
/* Whether row j of b may follow row i of a: (start, longer first, kind, source) does not
 * descend. */
bool nsc_chunk_in_order(const struct nsc_chunk *a, uint32_t i, const struct nsc_chunk *b,
                        uint32_t j);
/* Where the touch ends: an instant takes 1 ns, unless it starts at INT64_MAX. */
nsc_time nsc_chunk_reach(const struct nsc_chunk *chunk, uint32_t i);

/* ---- a family ---- */

struct nsc_pattern { /* a text with counters, over all feeds */
    nsc_str full;    /* of the builder's strings */
    uint32_t argb;
    uint8_t colored, counters;
    bool overflow;                 /* its counters stay with its events */
    NSC_VEC(const uint8_t *) seen; /* the distinct counters so far, packed, in the feeds' slabs */
    uint32_t name;
};

struct nsc_chunk_range { /* rows [first, first + n) of a chunk */
    uint32_t chunk, first, n;
};

#define NSC_FEW_LANES 255

/* Ranges that are gathered in one go. */
struct nsc_gather_task {
    uint32_t track;                 /* of the family */
    uint32_t first_range, n_ranges; /* of ids: first row and rows */
    uint32_t row;                   /* rows of the track before it */
    uint32_t *before;               /* with lanes: NSC_FEW_LANES numbers, of each lane's rows */
};

/* The order of one track's rows. */
struct nsc_track_order {
    NSC_VEC(struct nsc_chunk_range) ranges; /* by time */
    uint8_t *lane;    /* of each row by time; NULL: there is one lane, or ids */
    uint32_t *ids;    /* instead of ranges: rows by lane, then time, as nsc_family_row takes them */
    uint32_t n_lanes; /* 0: a counter's samples */
    uint32_t *rows;   /* of each lane; NULL when there is one */
    NSC_VEC(struct nsc_gather_task) tasks;
    bool failed; /* memory was refused */
};

struct nsc_family {
    struct nsc_builder *builder;
    struct nsc_feed *feeds;
    unsigned n_feeds;
    struct nsc_chunk *chunks; /* of all feeds, by (track, key), from nsc_family_resolve on */
    uint32_t n_chunks;
    uint32_t n;           /* rows */
    uint32_t n_events;    /* rows but samples */
    uint32_t first_track; /* the builder's tracks from here on are this family's */
    uint32_t n_tracks;
    uint32_t *first_chunk; /* of each track; one more at the end */
    uint32_t *first_row;   /* of each track, in the order of tracks; of a counter: among samples */
    NSC_VEC(struct nsc_pattern) patterns;
    struct nsc_idtable pattern_ids;
    struct nsc_track_order *orders; /* of each track */
    uint32_t *chunk_base;           /* id of each chunk's first row; NULL until ids are needed */
    uint32_t *stride_chunk;         /* chunk of each NSC_ID_STRIDE ids */
    uint32_t n_strides;
    _Atomic uint32_t slabs_kept;
};
#define NSC_ID_STRIDE 16u

struct nsc_raw_at {
    const struct nsc_chunk *chunk;
    uint32_t i;
};

static inline const struct nsc_raw *nsc_raw_row(struct nsc_raw_at at)
{
    return &at.chunk->rows[at.i];
}

/* The row of an id. */
static inline struct nsc_raw_at nsc_family_row(const struct nsc_family *family, uint32_t id)
{
    uint32_t c = family->stride_chunk[id / NSC_ID_STRIDE];

    return (struct nsc_raw_at){&family->chunks[c], id - family->chunk_base[c]};
}

/* resolve.c: tracks and names of all rows become the builder's, chunks are sorted by them, open
 * ranges end. */
void nsc_family_resolve(struct nsc_family *family);
/* order.c: orders[] and the builder's lanes. False when the memory is refused. */
bool nsc_family_order(struct nsc_family *family);
/* shuffle.c: chunk_base and stride_chunk. False when there are more rows than ids. */
bool nsc_family_number(struct nsc_family *family);
/* shuffle.c: ids of a track's rows by (lane, time), for what cannot be said in ranges. */
void nsc_track_shuffle(struct nsc_family *family, uint32_t track);
/* lanes.c: lanes of a track whose ranges are known, and tasks. False: it takes too many lanes. */
bool nsc_track_pack(struct nsc_family *family, uint32_t track);
/* gather.c: appends the events in order to the builder's columns, gives the raw ones on. */
bool nsc_family_gather(struct nsc_family *family);
/* counters.c: makes the family's samples counters of the builder, before gathering. */
bool nsc_family_counters(struct nsc_family *family);

/* ---- the builder ---- */

struct nsc_build_track {
    struct nsc_track_key key;
    bool running_total;
    uint32_t n, first_lane, n_lanes;
    uint32_t counter;                /* of a counter track */
    nsc_str label;                   /* of a counter track */
    uint64_t busy[NSC_N_OP_CLASSES]; /* streams: ns of each work, saturating */
    uint64_t nccl, peer; /* parts of NSC_OP_COMM and NSC_OP_PEER, for the label's word */
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
    NSC_VEC(struct nsc_trace_info) captures; /* the last one is at hand */
    struct nsc_alignment alignment;
    bool has_trim;
    struct nsc_window trim;
    NSC_VEC(struct nsc_fact) facts;
    struct nsc_idtable fact_ids;

    struct nsc_column columns[NSC_N_COLUMNS];
    uint64_t capacity; /* events the columns have room for */
    uint32_t n;
    uint64_t rows_left;                   /* that may still come after the family at hand */
    NSC_VEC(void *) slab_pages;           /* allocations of NSC_SLABS slabs each, until the end */
    NSC_VEC(void *) slabs;                /* for the next family */
    NSC_VEC(struct nsc_build_long) longs; /* ascending by event */
    NSC_VEC(struct nsc_lane) lanes;       /* track: index of tracks below */
    NSC_VEC(struct nsc_build_track) tracks;
    NSC_VEC(struct nsc_build_name) names;
    struct nsc_idtable name_ids;
    NSC_VEC(uint8_t *) packed; /* slabs of the counters that stay with their events */
    uint64_t packed_bytes;     /* of them that are used */
    NSC_VEC(struct nsc_counter) counters;
    NSC_VEC(struct nsc_column) counter_columns; /* two a counter */
    struct nsc_bounds bounds, graph_bounds;     /* of graph creation apart; of the export at hand */
    struct nsc_bounds before, graph_before;     /* of the exports before it */
    struct nsc_trace *early;                    /* looks into the columns; NULL: nobody does */
};

#define NSC_PROCESS_BITS 40 /* above them stands the number of the export */

static inline struct nsc_trace_info *nsc_builder_at_hand(const struct nsc_builder *builder)
{
    return &builder->captures.at[builder->captures.n - 1];
}

/* A process of the export at hand, among those of all. */
static inline uint64_t nsc_builder_key(const struct nsc_builder *builder, uint64_t process)
{
    return process | (uint64_t)(builder->captures.n - 1) << NSC_PROCESS_BITS;
}

static inline uint32_t nsc_process_capture(uint64_t process)
{
    return (uint32_t)(process >> NSC_PROCESS_BITS);
}

/* The value of a fact, or fallback. */
int64_t nsc_builder_fact(const struct nsc_builder *builder, const struct nsc_fact *key,
                         int64_t fallback);
uint32_t nsc_builder_name(struct nsc_builder *builder, const struct nsc_build_name *name);
/* Counts what the export at hand has given. */
void nsc_builder_end_capture(struct nsc_builder *builder);
/* Makes room for n more events. False when the memory is refused. */
bool nsc_builder_reserve(struct nsc_builder *builder, uint32_t n);
void nsc_bounds_add(struct nsc_bounds *bounds, nsc_time t0, nsc_time t1);

static inline struct nsc_build_track *nsc_family_track(const struct nsc_family *family, uint32_t t)
{
    return &family->builder->tracks.at[family->first_track + t];
}

/* The rows of a track lie side by side. */
static inline uint32_t nsc_builder_first_row(const struct nsc_builder *builder,
                                             const struct nsc_build_track *track)
{
    return track->n_lanes ? builder->lanes.at[track->first_lane].first : 0;
}

/* finish.c: all but links, columns, counters of texts, strings and what is built of rows. */
void nsc_builder_describe(struct nsc_trace *trace, struct nsc_builder *builder);
/* finish.c: the trace's events are the first n rows of the columns. */
void nsc_trace_view(struct nsc_trace *trace, const struct nsc_column columns[NSC_N_COLUMNS],
                    uint32_t n);
/* The columns that the early trace looks into become its own, if there is one. */
void nsc_builder_leave(struct nsc_trace *early, struct nsc_column columns[NSC_N_COLUMNS]);
/* Frees the memory of raw rows, once no family is left. */
void nsc_builder_free_slabs(struct nsc_builder *builder);

/* links.c: launch <-> work, and names of synchronizations. False when the memory is refused. */
bool nsc_builder_link(struct nsc_builder *builder);
/* work.c: flags communication kernels, sums what fills the streams. */
void nsc_builder_work(struct nsc_builder *builder);
/* tracks.c: the tracks of the trace, in preorder, and the lanes that point to them. */
void nsc_builder_tracks(struct nsc_trace *trace, struct nsc_builder *builder);
/* labels.c: a text for a track or group, as a string of the builder. */
nsc_str nsc_label_track(struct nsc_builder *builder, const struct nsc_build_track *track,
                        bool say_context, bool say_process);
nsc_str nsc_label_device(struct nsc_builder *builder, uint32_t capture_no, int64_t gpu);
nsc_str nsc_label_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid);
/* work.c: the work that fills most of a stream. */
enum nsc_op_class nsc_track_work(const struct nsc_build_track *track);

#endif
