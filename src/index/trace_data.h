/*
 * What is inside struct nsc_trace: written by the builder, read by the rest of index/, hidden from
 * everyone else.
 *
 * Big columns come from core/pages (their byte counts are kept for the free), small tables from the
 * arena.
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
 * The counters of NVTX texts, packed: one length byte and that many bytes of LEB128 varints, one a
 * counter, in order. A text of more than 255 bytes of counters is never packed (it keeps its digits
 * in its name). Equal names and equal bytes: equal texts. Each begins at an even byte of its slab;
 * a link is the slab's number and half of that: it says where the counters lie, and nothing else.
 */
struct nsc_packed_counters {
    uint8_t **slabs; /* of core/pages, owned by the trace */
    uint32_t n_slabs;
    uint64_t bytes; /* of them that are used */
};

#define NSC_LINK_BITS (NSC_PACKED_BITS - 1)

static inline uint8_t *nsc_packed_at(uint8_t *const slabs[], uint32_t link)
{
    return slabs[link >> NSC_LINK_BITS] + (size_t)(link & ((1u << NSC_LINK_BITS) - 1)) * 2;
}

struct nsc_column { /* one big allocation of core/pages */
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
    struct nsc_arena arena;     /* lanes, tracks, names, side tables, counters' descriptions */
    struct nsc_strpool strings; /* frozen */
    struct nsc_column columns[NSC_N_COLUMNS];
    struct nsc_events events; /* views of columns */
    unsigned threads;         /* it was made by, and is freed by */
    struct nsc_lane *lanes;   /* ascending by first; every row is in exactly one */
    uint32_t n_lanes;
    struct nsc_track *tracks;
    uint32_t n_tracks;
    struct nsc_names names;
    struct nsc_packed_counters packed;
    struct nsc_counter *counters;
    uint32_t n_counters;
    struct nsc_column *counter_columns; /* two a counter: time, value; sized n_counters * 2 */
    struct nsc_window extent;
    struct nsc_trace_info *captures; /* at least one */
    uint32_t n_captures;
    struct nsc_alignment alignment;
    struct nsc_summary *summary;      /* of all rows */
    uint32_t n_groups;                /* device groups, in track order */
    uint32_t *group_track;            /* their tracks */
    struct nsc_device_covers *covers; /* one a device group; the covers in it are owned here */
};

/* Implemented in device_covers.c: fills trace->covers for all device groups. pool for the parallel
 * part. */
struct nsc_pool;
bool nsc_trace_build_covers(struct nsc_trace *trace, struct nsc_pool *pool);
void nsc_trace_free_covers(struct nsc_trace *trace);
/* Bytes a summary or a cover holds, for the memory report. */
size_t nsc_summary_bytes(const struct nsc_summary *summary);
size_t nsc_cover_bytes(const struct nsc_cover *cover);

#endif
