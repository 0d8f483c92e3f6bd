/*
 * The inside of struct nsc_trace: the builder writes it, the rest of index/ reads it.
 *
 * Large columns come from core/pages (with their sizes, to free them), small tables from the arena.
 */
#ifndef NSC_INDEX_TRACE_DATA_H
#define NSC_INDEX_TRACE_DATA_H

#include "nsyscope/cover.h"
#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#include "core/arena.h"
#include "core/strpool.h"

#ifdef NSC_SMALL
#define NSC_PACKED_BITS 10
#else
#define NSC_PACKED_BITS 20 /* bytes of a slab of packed counters */
#endif

/*
 * The counters of NVTX texts, packed: a length byte, then one LEB128 varint per counter, at most
 * 255 bytes. A text with more bytes of counters keeps its digits in its name. Two texts are equal
 * if their names and packed bytes are. Packed counters begin at an even byte of a slab; a link is
 * the slab's number and half of that byte's offset.
 */
struct nsc_packed_counters {
    uint8_t **slabs; /* from core/pages, owned by the trace */
    uint32_t n_slabs;
    uint64_t bytes; /* bytes used of them */
};

#define NSC_LINK_BITS (NSC_PACKED_BITS - 1)

static inline uint8_t *nsc_packed_at(uint8_t *const slabs[], uint32_t link)
{
    return slabs[link >> NSC_LINK_BITS] + (size_t)(link & ((1u << NSC_LINK_BITS) - 1)) * 2;
}

struct nsc_column { /* one allocation of core/pages */
    void *at;
    size_t bytes;
};

enum nsc_column_id {
    NSC_COLUMN_START,
    NSC_COLUMN_DURATION,
    NSC_COLUMN_NAME,
    NSC_COLUMN_LINK,
    NSC_COLUMN_SOURCE,
    NSC_COLUMN_KIND,
    NSC_N_COLUMNS
};

struct nsc_trace {
    struct nsc_arena arena;     /* lanes, tracks, names, side tables, descriptions of counters */
    struct nsc_strpool strings; /* frozen */
    struct nsc_column columns[NSC_N_COLUMNS];
    struct nsc_events events; /* pointers into columns */
    struct nsc_lane *lanes;   /* ascending by first; each row is in exactly one */
    uint32_t n_lanes;
    struct nsc_track *tracks;
    uint32_t n_tracks;
    struct nsc_names names;
    struct nsc_packed_counters packed;
    struct nsc_counter *counters;
    uint32_t n_counters;
    struct nsc_column *counter_columns; /* two per counter: time, value; n_counters * 2 */
    struct nsc_window extent;
    struct nsc_trace_info *captures; /* at least one */
    uint32_t n_captures;
    struct nsc_alignment alignment;
    struct nsc_summary *summary; /* of all rows */
    uint32_t n_groups;           /* device groups, in track order */
    uint32_t *group_track;       /* their tracks */
    uint32_t n_by_thread;
    uint32_t *by_thread;              /* their groups, by process and tid */
    struct nsc_device_covers *covers; /* one per device group; owned */
    struct nsc_trace *captured;       /* see nsc_trace_captured; owns its links alone */
};

/* device_covers.c: fills trace->covers for all device groups, on the pool. */
struct nsc_pool;
bool nsc_trace_build_covers(struct nsc_trace *trace, struct nsc_pool *pool);
void nsc_trace_free_covers(struct nsc_trace *trace);
/* Bytes of a summary or a cover, for the memory report. */
size_t nsc_summary_bytes(const struct nsc_summary *summary);
size_t nsc_cover_bytes(const struct nsc_cover *cover);

#endif
