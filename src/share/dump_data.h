/* State shared by the writers dump*.c: the text to output, and the walk over the rows. */
#ifndef NSC_SHARE_DUMP_DATA_H
#define NSC_SHARE_DUMP_DATA_H

#include "analysis/base/field_sets.h"
#include "analysis/ranges/nccl_calls.h"
#include "analysis/ranges/projection.h"
#include "core/progress.h"
#include "index/lane_merge.h"
#include "share/dump.h"

struct nsc_bookmark;

struct nsc_dump {
    const struct nsc_dump_query *query;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_track *tracks;
    const struct nsc_lane *lanes;
    uint32_t n_tracks, n_lanes;
    struct nsc_projection *projection; /* owned; NULL: not needed */
    struct nsc_nccl_calls calls;       /* payloads of collectives; empty: not known or not needed */
    nsc_time origin; /* start of the trace: time 0 for formats that count from it */
    struct nsc_buf out;
    const struct nsc_dump_sink *sink;
    struct nsc_progress *progress;
    uint64_t rows;  /* not yet reported to progress */
    uint64_t bytes; /* bytes written */
    struct nsc_error *error;
    enum nsc_status status; /* the first failure; the writers then stop */
    char scratch[NSC_NAME_BYTES];
};

/* Whether the mask keeps this row of the window. */
bool nsc_dump_keeps(const struct nsc_dump *dump, nsc_event event);
/* Call after each row: outputs the text when there is enough. False: stop. */
bool nsc_dump_go_on(struct nsc_dump *dump);
/* For writers that gather rows and output text on different threads. Counts a row; false if
 * cancelled, as nsc_dump_go_on then also reports. */
bool nsc_dump_count(struct nsc_dump *dump);
void nsc_dump_flush(struct nsc_dump *dump);
void nsc_dump_send(struct nsc_dump *dump, const struct nsc_buf *bytes);
/* ns since the start of the trace; may be negative, saturates. */
nsc_time nsc_dump_offset(const struct nsc_dump *dump, nsc_time t);
nsc_time nsc_dump_time(const struct nsc_dump *dump, nsc_event event);
/* The full text of an event, valid until the next call. */
struct nsc_text nsc_dump_text(struct nsc_dump *dump, nsc_event event);
/* Appends a group's label, "rank 0 · GPU 0 H100", preceded by its export's if there are several. */
void nsc_dump_group_put(const struct nsc_dump *dump, struct nsc_buf *out, uint32_t group);

/* ---- rows as they nest ---- */

/*
 * Visits the kept rows of a track by start, then by position. A row inside all open rows is opened
 * on the main line (where 0) and closed at its end, so that opens and closes there ascend and are
 * balanced; depth is the number of rows open around it. A row that crosses an open one, or runs at
 * the same time on an NSC_TRACK_SPANS, goes to a line for its lane (where 1 + lane) without
 * overlap; it is opened and closed at once. self: its duration minus that of the main line's rows
 * directly inside.
 */
struct nsc_nest {
    void (*open)(void *context, uint32_t where, nsc_event event, uint32_t depth);
    void (*close)(void *context, uint32_t where, nsc_event event, nsc_time self); /* may be NULL */
    void *context;
};
/* False: stop. */
bool nsc_dump_nest(struct nsc_dump *dump, uint32_t track, const struct nsc_nest *nest);

/* ---- what formats for timelines tell besides ---- */

enum nsc_dump_arg_key {
    NSC_DUMP_ARG_ROW, /* row id in its table */
    NSC_DUMP_ARG_GRID,
    NSC_DUMP_ARG_BLOCK,
    NSC_DUMP_ARG_REGISTERS,
    NSC_DUMP_ARG_STATIC, /* bytes, like the next two */
    NSC_DUMP_ARG_DYNAMIC,
    NSC_DUMP_ARG_BYTES,
    NSC_DUMP_ARG_CAPTURED,       /* the ranges around the capture of an op of a CUDA graph */
    NSC_DUMP_ARG_NCCL_OPERATION, /* from here on only for collectives with a known payload */
    NSC_DUMP_ARG_NCCL_BYTES,     /* of one rank, as NCCL counts them */
    NSC_DUMP_ARG_NCCL_COMMUNICATOR,
    NSC_DUMP_ARG_NCCL_RANKS,
    NSC_DUMP_ARG_NCCL_BUS, /* GB/s, as a text with two decimals */
    NSC_N_DUMP_ARGS
};
extern const char *const nsc_dump_arg_keys[NSC_N_DUMP_ARGS];

struct nsc_dump_arg {
    enum nsc_dump_arg_key key;
    bool is_text;
    int64_t value;
    char text[256];
};
struct nsc_dump_args {
    uint32_t n;
    struct nsc_dump_arg at[NSC_N_DUMP_ARGS];
};
void nsc_dump_args_of(struct nsc_dump_args *out, const struct nsc_dump *dump, nsc_event event);

/* A range projected onto the span of the work that it launched on a device. */
struct nsc_dump_projected {
    const struct nsc_projection_line *line;
    uint32_t lane, nth; /* lane of the derived; index in its line */
    nsc_event range;
    struct nsc_window time;
};
struct nsc_dump_projecting {
    void (*put)(void *context, const struct nsc_dump_projected *at);
    void *context;
};
/* Visits each projected range of the window that the mask keeps, line by line, by start. */
void nsc_dump_projected(struct nsc_dump *dump, const struct nsc_dump_projecting *to);
/* "NVTX 0 t111 on the GPU" */
void nsc_dump_projected_label(const struct nsc_dump *dump, struct nsc_buf *out,
                              const struct nsc_dump_projected *at);
/* Numbers of rows: tracks and lanes, then projected lanes, then bookmarks. */
static inline uint32_t nsc_dump_projected_row(const struct nsc_dump *dump, uint32_t lane)
{
    return dump->n_tracks + dump->n_lanes + 2 + lane;
}
bool nsc_dump_has_bookmark(const struct nsc_dump *dump, const struct nsc_bookmark *bookmark);
uint32_t nsc_dump_bookmark_row(const struct nsc_dump *dump, size_t i);
/* One more than the greatest row number. */
uint32_t nsc_dump_rows_end(const struct nsc_dump *dump);

/* ---- the writers: dump->status says what came of it ---- */

void nsc_dump_chrome(struct nsc_dump *dump);
void nsc_dump_perfetto(struct nsc_dump *dump);
void nsc_dump_speedscope(struct nsc_dump *dump);
void nsc_dump_folded(struct nsc_dump *dump);
void nsc_dump_folded_cpu(struct nsc_dump *dump);
void nsc_dump_folded_own(struct nsc_dump *dump);
void nsc_dump_folded_samples(struct nsc_dump *dump);
void nsc_dump_rows(struct nsc_dump *dump); /* CSV, JSON, NDJSON */
void nsc_dump_page(struct nsc_dump *dump); /* HTML, with answers */

#endif
