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
struct nsc_json;

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
    uint32_t track, group; /* of the line of a timeline that is being written */
    bool *told;            /* by number: the line has its name; owned by nsc_dump_timeline */
    uint64_t rows;         /* not yet reported to progress */
    uint64_t bytes;        /* bytes written */
    struct nsc_error *error;
    enum nsc_status status; /* the first failure; the writers then stop */
    char scratch[NSC_NAME_BYTES];
};

/* Merges the rows of the window in lanes [first, first + n) by time. */
void nsc_dump_merge(struct nsc_lane_merge *merge, const struct nsc_dump *dump, uint32_t first,
                    uint32_t n);
/* Whether the mask keeps this row of the window. */
bool nsc_dump_keeps(const struct nsc_dump *dump, nsc_event event);
/* Call after each row: outputs the text when there is enough. False: stop. */
bool nsc_dump_go_on(struct nsc_dump *dump);
/* For writers that gather rows and output text on different threads. Counts a row; false if
 * cancelled, as nsc_dump_go_on then also reports. */
bool nsc_dump_count(struct nsc_dump *dump);
void nsc_dump_flush(struct nsc_dump *dump);
void nsc_dump_send(struct nsc_dump *dump, const struct nsc_buf *bytes);
/* Writes an integer that a double cannot represent as a string. */
void nsc_dump_int(struct nsc_json *json, const char *key, int64_t value);
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
/* Adds the grid, block, registers and shared memory of a kernel, the bytes of a copy or memset. */
void nsc_dump_shape_of(struct nsc_dump_args *out, const struct nsc_field_sets *sets,
                       const struct nsc_events *events, nsc_event event);
void nsc_dump_args_of(struct nsc_dump_args *out, const struct nsc_dump *dump, nsc_event event);

/* ---- the lines of a timeline ---- */

/* A group, or a line below it: a track, a lane of those that cross, a line of ranges on the GPU. */
struct nsc_dump_line {
    uint32_t number;
    uint32_t parent; /* number of its group; 0: it is one; its own: the events of a group */
    uint32_t order;
    struct nsc_text name;
    bool is_counter;
};

struct nsc_dump_timeline {
    struct nsc_nest nest; /* its context is that of all */
    /* Names a line, before its first event: a filter leaves no empty ones. */
    void (*name)(void *context, const struct nsc_dump_line *line);
    void (*sample)(void *context, nsc_time at, int64_t value); /* of the counter of a track */
    /* A range projected onto the span of the work that it launched; time: since the start. */
    void (*projected)(void *context, uint32_t number, nsc_event range, struct nsc_window time);
};

/* The number of a line of the track, by where its events are (struct nsc_nest). */
static inline uint32_t nsc_dump_line_of(const struct nsc_dump *dump, uint32_t where)
{
    return where ? dump->n_tracks + where : dump->track + 1;
}
/* Names a line, and its group, unless it was done. */
void nsc_dump_tell(struct nsc_dump *dump, const struct nsc_dump_timeline *to, uint32_t where);
/* Visits the tracks, then the projected ranges. */
void nsc_dump_timeline(struct nsc_dump *dump, const struct nsc_dump_timeline *to);
bool nsc_dump_has_bookmark(const struct nsc_dump *dump, const struct nsc_bookmark *bookmark);
/* The number of the line of bookmark i - 1; 0: of their group. */
uint32_t nsc_dump_bookmark_row(const struct nsc_dump *dump, size_t i);

/* ---- the writers: dump->status says what came of it ---- */

void nsc_dump_chrome(struct nsc_dump *dump);
void nsc_dump_perfetto(struct nsc_dump *dump);
void nsc_dump_speedscope(struct nsc_dump *dump);
void nsc_dump_folded(struct nsc_dump *dump);
void nsc_dump_folded_cpu(struct nsc_dump *dump);
void nsc_dump_folded_stacks(struct nsc_dump *dump);
void nsc_dump_rows(struct nsc_dump *dump); /* CSV, JSON, NDJSON */
void nsc_dump_page(struct nsc_dump *dump); /* HTML, with answers */

#endif
