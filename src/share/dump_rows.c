/*
 * Writes events as rows in order of time: CSV, one JSON document, or one JSON object per line.
 *
 * Times are ns on the clock of the first export. Properties that an event does not have are empty
 * in CSV and absent in JSON.
 *
 * All cores format the blocks of one batch of rows, while the next batch is gathered and the
 * previous one is written. Texts shared by many rows are formatted once: kinds, places, paths.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "core/die.h"
#include "core/json_write.h"
#include "core/threads.h"
#include "share/csv.h"
#include "share/dump_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_FORMAT "nsyscope-events-1" /* the JSON document and its version */

#ifdef NSC_SMALL /* tests reach every edge with few rows */
enum { BLOCK_ROWS = 8, BLOCKS = 3 };
#else
enum { BLOCK_ROWS = 4096, BLOCKS = 8 };
#endif
enum { BATCHES = 3, TASK_GATHER = 0, TASK_WRITE = 1, TASK_FORMAT = 2 };
enum { PATH_ENDS = 8 }; /* ranges at each end of a shortened path */

enum column {
    START,
    DURATION,
    KIND,
    NAME,
    GROUP,
    ROW,
    PID,
    TID,
    DEVICE,
    CONTEXT,
    STREAM,
    DOMAIN,
    LAUNCH,
    PATH,
    SOURCE,
    N_COLUMNS
};

static const char *const columns[N_COLUMNS] = {
    "start_ns", "duration_ns", "kind",   "name",   "group",     "row",       "pid",       "tid",
    "device",   "context",     "stream", "domain", "launch_ns", "nvtx_path", "source_row"};

struct batch {
    nsc_event rows[BLOCK_ROWS * BLOCKS];
    uint32_t n;
    struct nsc_buf text[BLOCKS];
};

struct path_text {
    struct nsc_buf rows; /* event of the path */
    struct nsc_buf text;
    bool is_cut, is_set;
};

struct worker {
    struct nsc_path_memo *memo;
    struct path_text *paths; /* by place */
    uint32_t n_paths;
    struct nsc_buf joined;
    char scratch[NSC_NAME_BYTES];
};

struct rows {
    struct nsc_dump *dump;
    bool csv, lines;
    char prefix[N_COLUMNS][24]; /* the comma and the key before a value */
    size_t prefix_n[N_COLUMNS]; /* its length */
    struct nsc_buf *kinds;      /* by kind: column KIND */
    struct nsc_buf *places;     /* by track: columns GROUP to DOMAIN */
    struct nsc_pool *pool;
    struct worker *workers;
    struct nsc_lane_merge merge;
    bool is_first, is_over;       /* state of gathering */
    struct batch *batch[BATCHES]; /* being gathered, formatted, written */
};

/* ---- fields ---- */

static void begin_field(const struct rows *rows, struct nsc_buf *out, enum column column)
{
    nsc_buf_add(out, rows->prefix[column], rows->prefix_n[column]);
}

static void put_int(const struct rows *rows, struct nsc_buf *out, enum column column, int64_t value)
{
    begin_field(rows, out, column);
    nsc_buf_int(out, value);
}

static void put_text(const struct rows *rows, struct nsc_buf *out, enum column column,
                     struct nsc_text value)
{
    begin_field(rows, out, column);
    if (rows->csv)
        nsc_csv_text(out, true, value, rows->dump->query->raw_csv);
    else
        nsc_json_string(out, value);
}

static void put_known(const struct rows *rows, struct nsc_buf *out, enum column column, bool known,
                      int64_t value)
{
    if (known)
        put_int(rows, out, column, value);
    else if (rows->csv)
        begin_field(rows, out, column);
}

static void put_place(const struct rows *rows, struct nsc_buf *out, uint32_t track)
{
    const struct nsc_track *at = &rows->dump->tracks[track];
    struct nsc_buf group = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_clear(&group);
    nsc_dump_group_put(rows->dump, &group, nsc_trace_group_of(rows->dump->trace, track));
    put_text(rows, out, GROUP, nsc_text_of_buf(&group));
    nsc_buf_fini(&group);
    put_text(rows, out, ROW, nsc_trace_string(rows->dump->trace, at->label));
    put_known(rows, out, PID, at->pid != 0, at->pid);
    put_known(rows, out, TID, at->tid != 0, at->tid);
    put_known(rows, out, DEVICE, at->device >= 0, at->device);
    put_known(rows, out, CONTEXT, at->context >= 0, at->context);
    put_known(rows, out, STREAM, at->stream >= 0, at->stream);
    put_known(rows, out, DOMAIN,
              at->kind == NSC_TRACK_NVTX || at->kind == NSC_TRACK_SPANS ||
                  at->kind == NSC_TRACK_MARKS,
              at->domain);
}

/* "step > forward"; in a short path a count replaces the middle: " > (240 between)". */
static void make_path(const struct rows *rows, struct worker *worker, struct nsc_buf *out,
                      struct nsc_path path)
{
    uint32_t n_ends = 2 * PATH_ENDS;
    uint32_t between = rows->dump->query->short_paths && path.n > n_ends ? path.n - n_ends : 0;

    nsc_buf_clear(&worker->joined);
    for (uint32_t i = 0; i < path.n; i++) {
        struct nsc_text text;

        if (between && i == PATH_ENDS) {
            nsc_buf_printf(&worker->joined, " > (%" PRIu32 " between)", between);
            i += between;
        }
        text = nsc_trace_event_text(rows->dump->trace, path.rows[i], false, worker->scratch);
        nsc_buf_puts(&worker->joined, i ? " > " : "");
        nsc_buf_add(&worker->joined, text.bytes, text.n);
    }
    if (path.is_cut)
        nsc_buf_puts(&worker->joined, " > (deeper)");
    nsc_buf_clear(out);
    if (path.n || rows->csv)
        put_text(rows, out, PATH, nsc_text_of_buf(&worker->joined));
}

/* The texts of the ranges around an event; rebuilt only if they differ from the previous row's. */
static void put_path(const struct rows *rows, struct worker *worker, struct nsc_buf *out,
                     struct nsc_path path)
{
    struct path_text *kept = &worker->paths[path.place];
    size_t bytes = path.n * sizeof *path.rows;

    if (!kept->is_set || kept->is_cut != path.is_cut || kept->rows.n != bytes ||
        (bytes && memcmp(kept->rows.bytes, path.rows, bytes) != 0)) {
        nsc_buf_clear(&kept->rows);
        nsc_buf_add(&kept->rows, (const char *)path.rows, bytes);
        kept->is_cut = path.is_cut;
        kept->is_set = true;
        make_path(rows, worker, &kept->text, path);
    }
    nsc_buf_join(out, &kept->text);
}

static void put_row(const struct rows *rows, struct worker *worker, struct nsc_buf *out,
                    nsc_event event)
{
    const struct nsc_events *events = rows->dump->events;
    nsc_event launch = nsc_event_launch(rows->dump->trace, event);
    uint32_t source = events->source[event];
    uint32_t lane = nsc_trace_lane_of(rows->dump->trace, event);
    const struct nsc_buf *place = &rows->places[rows->dump->lanes[lane].track];
    const struct nsc_buf *kind = &rows->kinds[events->kind[event]];

    put_int(rows, out, START, events->start[event]);
    put_int(rows, out, DURATION, nsc_event_duration(events, event));
    nsc_buf_join(out, kind);
    put_text(rows, out, NAME,
             nsc_trace_event_text(rows->dump->trace, event, false, worker->scratch));
    nsc_buf_join(out, place);
    put_known(rows, out, LAUNCH, launch != NSC_NONE,
              launch != NSC_NONE ? events->start[launch] : 0);
    put_path(rows, worker, out, nsc_path_memo_find(worker->memo, event, lane, launch));
    put_known(rows, out, SOURCE, source != NSC_NONE, source);
}

/* ---- a batch ---- */

static void gather(struct rows *rows, struct batch *batch)
{
    struct nsc_dump *dump = rows->dump;

    batch->n = 0;
    while (batch->n < BLOCK_ROWS * BLOCKS && !rows->is_over) {
        nsc_event event = nsc_lane_merge_next(&rows->merge);

        rows->is_over = event == NSC_NONE || !nsc_dump_count(dump);
        if (!rows->is_over && nsc_dump_keeps(dump, event))
            batch->rows[batch->n++] = event;
    }
}

static void format_block(const struct rows *rows, struct worker *worker, struct batch *batch,
                         uint32_t block)
{
    struct nsc_buf *out = &batch->text[block];
    uint32_t first = block * BLOCK_ROWS;

    nsc_buf_clear(out);
    for (uint32_t i = first; i < batch->n && i < first + BLOCK_ROWS; i++) {
        if (!rows->csv)
            nsc_buf_puts(out, rows->lines ? "{" : ",\n    {");
        put_row(rows, worker, out, batch->rows[i]);
        nsc_buf_puts(out, rows->csv ? "\n" : rows->lines ? "}\n" : "}");
    }
}

static void write_batch(struct rows *rows, const struct batch *batch)
{
    for (uint32_t block = 0; block * BLOCK_ROWS < batch->n; block++) {
        struct nsc_buf text = batch->text[block]; /* borrowed */
        bool comma = !rows->csv && !rows->lines && rows->is_first;

        text.bytes += comma; /* not before the first row */
        text.n -= comma;
        nsc_dump_send(rows->dump, &text);
        rows->is_first = false;
    }
}

static void run_task(void *context, unsigned worker, uint32_t task)
{
    struct rows *rows = context;

    if (task == TASK_GATHER)
        gather(rows, rows->batch[0]);
    else if (task == TASK_WRITE)
        write_batch(rows, rows->batch[2]);
    else
        format_block(rows, &rows->workers[worker], rows->batch[1], task - TASK_FORMAT);
}

/* Moves each batch to the next stage: gathered, formatted, written. */
static void turn(struct rows *rows)
{
    struct batch *written = rows->batch[2];

    rows->batch[2] = rows->batch[1];
    rows->batch[1] = rows->batch[0];
    rows->batch[0] = written;
    written->n = 0;
}

/* ---- all of them ---- */

static void write_head(const struct rows *rows)
{
    struct nsc_dump *dump = rows->dump;
    struct nsc_window w = dump->query->window;
    struct nsc_json json;

    if (w.t0 == INT64_MIN && w.t1 == INT64_MAX)
        w = nsc_trace_extent(dump->trace);
    for (uint32_t i = 0; rows->csv && i < N_COLUMNS; i++)
        nsc_csv_text(&dump->out, i == 0, nsc_text_from(columns[i]), false);
    if (rows->csv)
        nsc_buf_putc(&dump->out, '\n');
    if (rows->csv || rows->lines)
        return;
    nsc_json_init(&json, &dump->out, false);
    json.lines = 2;
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "format", ROWS_FORMAT);
    nsc_json_text(&json, "file", nsc_trace_string(dump->trace, nsc_trace_info(dump->trace)->path));
    nsc_json_text(&json, "filter", dump->query->filter);
    nsc_json_open(&json, "window", '{');
    nsc_json_int(&json, "start_ns", w.t0);
    nsc_json_int(&json, "end_ns", w.t1);
    nsc_json_close(&json, '}');
    nsc_json_open(&json, "events", '[');
}

static void init_prefixes(struct rows *rows)
{
    for (int i = 0; i < N_COLUMNS; i++)
        if (rows->csv)
            snprintf(rows->prefix[i], sizeof rows->prefix[i], "%s", i ? "," : "");
        else
            snprintf(rows->prefix[i], sizeof rows->prefix[i], "%s\"%s\":", i ? "," : "",
                     columns[i]);
    for (int i = 0; i < N_COLUMNS; i++)
        rows->prefix_n[i] = strlen(rows->prefix[i]);
}

static void init_kinds(struct rows *rows)
{
    rows->kinds = nsc_xcalloc(NSC_N_KINDS, sizeof *rows->kinds);
    for (unsigned i = 0; i < NSC_N_KINDS; i++) {
        rows->kinds[i] = (struct nsc_buf)NSC_BUF_INIT(1024);
        put_text(rows, &rows->kinds[i], KIND, nsc_text_from(nsc_kind_word((enum nsc_kind)i)));
    }
}

static void init_workers(struct rows *rows)
{
    unsigned n = nsc_pool_threads(rows->pool);

    rows->workers = nsc_xcalloc(n, sizeof *rows->workers);
    for (unsigned i = 0; i < n; i++) {
        struct worker *worker = &rows->workers[i];

        worker->memo = nsc_path_memo_new(rows->dump->trace);
        worker->n_paths = nsc_path_memo_places(worker->memo);
        worker->paths = nsc_xcalloc(worker->n_paths + 1u, sizeof *worker->paths);
        worker->joined = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
        for (uint32_t p = 0; p < worker->n_paths; p++)
            worker->paths[p].rows.limit = worker->paths[p].text.limit = SIZE_MAX;
    }
}

static void init(struct rows *rows)
{
    struct nsc_dump *dump = rows->dump;

    nsc_dump_merge(&rows->merge, dump, 0, dump->n_lanes);
    rows->pool = nsc_pool_new(dump->query->threads);
    init_prefixes(rows);
    init_kinds(rows);
    init_workers(rows);
    rows->places = nsc_xcalloc(dump->n_tracks + 1u, sizeof *rows->places);
    for (uint32_t i = 0; i < dump->n_tracks; i++) {
        rows->places[i].limit = SIZE_MAX;
        put_place(rows, &rows->places[i], i);
    }
    for (int i = 0; i < BATCHES; i++) {
        rows->batch[i] = nsc_xcalloc(1, sizeof *rows->batch[i]);
        for (int block = 0; block < BLOCKS; block++)
            rows->batch[i]->text[block].limit = 1u << 30;
    }
}

static void worker_fini(struct worker *worker)
{
    for (uint32_t p = 0; p < worker->n_paths; p++) {
        nsc_buf_fini(&worker->paths[p].rows);
        nsc_buf_fini(&worker->paths[p].text);
    }
    free(worker->paths);
    nsc_buf_fini(&worker->joined);
    nsc_path_memo_free(worker->memo);
}

static void fini(struct rows *rows)
{
    for (unsigned i = 0; i < nsc_pool_threads(rows->pool); i++)
        worker_fini(&rows->workers[i]);
    for (int i = 0; i < BATCHES; i++) {
        for (int block = 0; block < BLOCKS; block++)
            nsc_buf_fini(&rows->batch[i]->text[block]);
        free(rows->batch[i]);
    }
    for (uint32_t i = 0; i < rows->dump->n_tracks; i++)
        nsc_buf_fini(&rows->places[i]);
    for (unsigned i = 0; i < NSC_N_KINDS; i++)
        nsc_buf_fini(&rows->kinds[i]);
    free(rows->kinds);
    free(rows->places);
    free(rows->workers);
    nsc_pool_free(rows->pool);
    nsc_lane_merge_fini(&rows->merge);
}

void nsc_dump_rows(struct nsc_dump *dump)
{
    struct rows rows = {.dump = dump,
                        .csv = dump->query->format == NSC_DUMP_CSV,
                        .lines = dump->query->format == NSC_DUMP_NDJSON,
                        .is_first = true};

    init(&rows);
    write_head(&rows);
    nsc_dump_flush(dump);
    gather(&rows, rows.batch[0]);
    do {
        turn(&rows);
        nsc_pool_run(rows.pool, TASK_FORMAT + (rows.batch[1]->n + BLOCK_ROWS - 1) / BLOCK_ROWS,
                     run_task, &rows);
        if (dump->status == NSC_OK && nsc_progress_is_cancelled(dump->progress))
            dump->status = nsc_fail(dump->error, NSC_ECANCELLED, "export: cancelled");
    } while (dump->status == NSC_OK && (rows.batch[0]->n || rows.batch[1]->n));
    if (!rows.csv && !rows.lines)
        nsc_buf_puts(&dump->out, "\n  ]\n}\n");
    fini(&rows);
}
