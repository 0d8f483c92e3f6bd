/*
 * Reads one table: the parts that all readers share, from cells of a batch to counted rows in a
 * feed.
 *
 * A reader is a function that takes rows. It returns false only if the load cannot continue; it
 * skips and counts broken rows. Each worker has its own counts and names, so readers need no lock.
 */
#ifndef NSC_NSYS_READING_H
#define NSC_NSYS_READING_H

#include "core/hints.h"
#include "core/sum.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/builder.h"
#include "nsys/tables/load_filter.h"
#include "nsys/tables/namemap.h"
#include "nsys/tables/strings.h"

#include <stdatomic.h>

#define NSC_METRIC_TYPE   (-1) /* names a type of generic events */
#define NSC_METRIC_SOURCE (-2) /* names a source of them */

struct nsc_metric {
    int64_t type, metric;
    char *name;
    uint32_t n;
};

/* A row of NVTX_EVENTS that names a category, a thread or a domain. */
struct nsc_nvtx_name {
    int64_t rowid;
    int64_t type; /* eventType: 33, 39, 75 */
    uint64_t process;
    uint32_t tid;
    int64_t domain, category;
    char *text;
    uint32_t n;
};

struct nsc_nvtx_names {
    NSC_VEC(struct nsc_nvtx_name) names;
};
void nsc_nvtx_names_fini(struct nsc_nvtx_names *names);

/* One load: the state that all tables share. */
struct nsc_table_load {
    struct nsc_source *source;
    const struct nsc_schema *schema;
    const struct nsc_strings *strings;
    const struct nsc_load_filter *filter;
    struct nsc_builder *builder;
    struct nsc_pool *pool;
    struct nsc_progress *progress;
    struct nsc_table_status *reports; /* NSC_N_TABLES */
    struct nsc_nvtx_names *nvtx_names;
    NSC_VEC(struct nsc_metric) metrics;
    nsc_time offset;           /* ns, added to every time */
    bool no_pages, sync_types; /* sync_types: the exporter writes a reliable syncType */
    uint64_t event_limit;      /* more events exceed the memory budget */
    _Atomic uint64_t events;
    _Atomic bool over_budget;
};

struct nsc_reading_worker {
    struct nsc_feed *feed;
    struct nsc_namemap *names;
    bool began;
    uint32_t task;
    uint64_t rows, events, skipped[NSC_N_SKIPS], trimmed, missing_names;
    struct nsc_window outside; /* from the first to the last row that --trim skips; {0, 0}: none */
    void *gathered;            /* the reader's own */
    NSC_APART;
};

/* Rows [from, to) of a batch. */
struct nsc_batch_rows {
    uint32_t from, to;
};

struct nsc_reading;
typedef bool nsc_row_reader(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                            const struct nsc_batch *batch, struct nsc_batch_rows rows);

struct nsc_reading {
    struct nsc_table_load *load;
    enum nsc_table_id id;
    const struct nsc_table_def *def;
    const struct nsc_schema_table *table;
    nsc_row_reader *rows;
    void (*reset)(struct nsc_reading *reading); /* frees what the reader gathered; may be NULL */
    const void *extra;                          /* the reader's own */
    NSC_APART;
    struct nsc_reading_worker workers[NSC_SOURCE_WORKERS];
};

/* ---- cells ---- */

/* The type of a cell; NULL if the table lacks the column. */
static inline uint8_t nsc_cell_type(const struct nsc_reading *reading,
                                    const struct nsc_batch *batch, enum nsc_slot slot, uint32_t i)
{
    int at = reading->table->at[slot];

    return at < 0 ? (uint8_t)NSC_CELL_NULL : batch->type[i][at];
}

/* The integer in a cell; false for anything else. */
static inline bool nsc_cell_int(int64_t *out, const struct nsc_reading *reading,
                                const struct nsc_batch *batch, enum nsc_slot slot, uint32_t i)
{
    int at = reading->table->at[slot];

    if (at < 0 || batch->type[i][at] != NSC_CELL_INT)
        return false;
    *out = batch->value[at][i];
    return true;
}

/* As nsc_cell_int, with 0 for NULL and for a missing column. */
static inline bool nsc_cell_nullable(int64_t *out, const struct nsc_reading *reading,
                                     const struct nsc_batch *batch, enum nsc_slot slot, uint32_t i)
{
    int at = reading->table->at[slot];

    *out = 0;
    if (at < 0)
        return true;
    if (batch->type[i][at] > NSC_CELL_INT)
        return false;
    *out = batch->value[at][i];
    return true;
}

/* ---- rows ---- */

/* Counts the row as skipped. Returns true, for the reader to return. */
static inline bool nsc_reading_skip(struct nsc_reading_worker *worker, enum nsc_skip skip)
{
    worker->skipped[skip]++;
    return true;
}

/* Clamps a source or link to the trace's 32 bits. */
static inline uint32_t nsc_reading_u32(int64_t value)
{
    return value >= 0 && value < NSC_NONE ? (uint32_t)value : NSC_NONE;
}

/* Sets start, end and source of a row. Without an end column, end is start. open_end: an end of
 * NULL becomes NSC_TIME_OPEN. False if the row was skipped and counted. */
static inline bool nsc_reading_times(struct nsc_row *row, struct nsc_reading *reading,
                                     struct nsc_reading_worker *worker,
                                     const struct nsc_batch *batch, uint32_t i, bool open_end)
{
    nsc_time length;

    row->source = nsc_reading_u32(batch->rowid[i]);
    if (!nsc_cell_int(&row->start, reading, batch, NSC_SLOT_START, i))
        return !nsc_reading_skip(worker, NSC_SKIP_TYPE);
    row->end = row->start;
    if (reading->table->at[NSC_SLOT_END] < 0)
        return row->end != NSC_TIME_OPEN || !nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    if (open_end && nsc_cell_type(reading, batch, NSC_SLOT_END, i) == NSC_CELL_NULL) {
        row->end = NSC_TIME_OPEN;
        return true;
    }
    if (!nsc_cell_int(&row->end, reading, batch, NSC_SLOT_END, i))
        return !nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (__builtin_sub_overflow(row->end, row->start, &length) || row->end == NSC_TIME_OPEN)
        return !nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    if (length < 0)
        return !nsc_reading_skip(worker, NSC_SKIP_NEGATIVE);
    return true;
}

/* Sets process and tid of a track from globalTid, or from globalPid if the table has that. False if
 * it is neither NULL nor an integer. */
static inline bool nsc_reading_thread(struct nsc_track_key *key, const struct nsc_reading *reading,
                                      const struct nsc_batch *batch, uint32_t i)
{
    bool has_thread = reading->table->at[NSC_SLOT_THREAD] >= 0;
    int64_t id;

    if (!nsc_cell_nullable(&id, reading, batch, has_thread ? NSC_SLOT_THREAD : NSC_SLOT_PROCESS, i))
        return false;
    key->process = (uint64_t)id >> 24;
    key->tid = has_thread ? (uint32_t)((uint64_t)id & 0xffffff) : 0;
    return true;
}

/* Sets the correlation id; 0: none. False if it is neither NULL nor an integer. */
static inline bool nsc_reading_link(struct nsc_row *row, const struct nsc_reading *reading,
                                    const struct nsc_batch *batch, uint32_t i)
{
    int64_t id;

    if (!nsc_cell_nullable(&id, reading, batch, NSC_SLOT_CORRELATION, i))
        return false;
    row->link = id > 0 && id < NSC_NONE ? (uint32_t)id : 0;
    return true;
}

/* Feeds the row. False if the load cannot continue. */
static inline bool nsc_reading_event(struct nsc_reading_worker *worker,
                                     const struct nsc_track_key *key, struct nsc_row *row)
{
    row->track = nsc_feed_track(worker->feed, key);
    worker->events++;
    return nsc_feed_event(worker->feed, row);
}

/* Whether a row of this time and process is wanted; counts one that is not. */
static inline bool nsc_reading_wanted(const struct nsc_reading *reading,
                                      struct nsc_reading_worker *worker, const struct nsc_row *row,
                                      uint64_t process)
{
    const struct nsc_load_filter *filter = reading->load->filter;
    nsc_time end = row->end == NSC_TIME_OPEN ? INT64_MAX : row->end;

    if (!nsc_load_filter_wants_process(filter, process)) {
        worker->trimmed++;
        return false;
    }
    if (nsc_load_filter_wants_time(filter, row->start, end))
        return true;
    nsc_window_join(&worker->outside,
                    (struct nsc_window){row->start, end == INT64_MAX ? row->start : row->end});
    worker->trimmed++;
    return false;
}

/* ---- names ---- */

/* Makes a name from string id named->a. */
void nsc_reading_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      struct nsc_named *named);

/* The name of a string id, or "[string N missing]". brief_call: the brief name has no version
 * suffix. */
static inline uint32_t nsc_reading_string(struct nsc_reading *reading,
                                          struct nsc_reading_worker *worker, int64_t id,
                                          bool brief_call)
{
    struct nsc_named *named =
        nsc_namemap_find(worker->names, brief_call ? NSC_NAME_CALL : NSC_NAME_PLAIN, id, 0);

    if (!named->known)
        nsc_reading_name(reading, worker, named);
    worker->missing_names += named->missing;
    return named->number;
}

/* A fixed name of the reader, remembered by (use, a). */
uint32_t nsc_reading_fixed(struct nsc_reading_worker *worker, enum nsc_name_use use, int64_t a,
                           const char *text);
/* The same of the text and a number: "CPU 3". */
uint32_t nsc_reading_numbered(struct nsc_reading_worker *worker, enum nsc_name_use use,
                              int64_t number, const char *text);
/* The name of a metric of a type, or of the type itself: metric is then NSC_METRIC_TYPE. */
struct nsc_named *nsc_reading_metric(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                                     int64_t type, int64_t metric);
/* The text of a string id; or "[string N missing]", written to scratch, with *missing set. */
struct nsc_text nsc_reading_text(const struct nsc_table_load *load, int64_t id, char scratch[48],
                                 bool *missing);

/* Makes the row loop of a reader from a function for one row. The function is inlined, because a
 * call per row would save and restore the loop's registers. */
#define NSC_READING_ROWS(name, row)                                           \
    bool name(struct nsc_reading *reading, struct nsc_reading_worker *worker, \
              const struct nsc_batch *batch, struct nsc_batch_rows rows)      \
    {                                                                         \
        for (uint32_t i = rows.from; i < rows.to; i++)                        \
            if (!row(reading, worker, batch, i))                              \
                return false;                                                 \
        return true;                                                          \
    }

/* ---- a table ---- */

/*
 * Reads the table from its pages, or with SQLite if that fails. tasks: numbers used so far;
 * advances it. Adds the counts to the table's status. NSC_ECANCELLED also if a reader could not
 * continue.
 */
NSC_NODISCARD enum nsc_status nsc_reading_run(struct nsc_reading *reading,
                                              struct nsc_family *family, uint32_t *tasks,
                                              struct nsc_error *error);

/* Adds the counts of all workers to the table's status, and clears them. For a reader that makes
 * events after nsc_reading_run, which does the same. */
void nsc_reading_report(struct nsc_reading *reading);

/* Reads a table whose reader sets rows and extra itself, and frees its memory. */
NSC_NODISCARD enum nsc_status nsc_read_sched(struct nsc_reading *reading, struct nsc_family *family,
                                             uint32_t *tasks, struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_read_sample(struct nsc_reading *reading,
                                              struct nsc_family *family, uint32_t *tasks,
                                              struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_read_nvtx(struct nsc_reading *reading, struct nsc_family *family,
                                            uint32_t *tasks, struct nsc_error *error);

/* The rows of the tables that need no more than these. */
nsc_row_reader nsc_work_rows, nsc_fault_rows, nsc_call_rows, nsc_metric_rows, nsc_memory_rows;

/* ---- shift.c: moves the times of a batch onto the axis of a trace ---- */

struct nsc_shifted {
    struct nsc_batch
        batch; /* the same rows; borrows from the original batch and from this struct */
    int64_t start[NSC_SCAN_ROWS], end[NSC_SCAN_ROWS];
    bool lost[NSC_SCAN_ROWS]; /* whether a time of the row would exceed 64 bits */
};

/* start, end: columns with times; negative: none. offset: ns. Moves only integers. */
void nsc_shift(struct nsc_shifted *out, const struct nsc_batch *batch, int start, int end,
               nsc_time offset);

#endif
