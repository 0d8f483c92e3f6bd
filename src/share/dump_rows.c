/*
 * Events as rows in order of time: CSV, one JSON document, or one JSON object a line.
 *
 * Times are ns on the clock of the first export. Properties that an event does not have are empty
 * in CSV and absent in JSON.
 */
#include "analysis/base/correlate.h"
#include "core/die.h"
#include "core/json_write.h"
#include "share/csv.h"
#include "share/dump_data.h"

#include <stdlib.h>

#define ROWS_FORMAT "nsyscope-events-1" /* the JSON document and its version */

enum { PATH_MOST = 256 };

struct rows {
    struct nsc_dump *dump;
    bool csv, lines;
    bool first; /* field of the line */
    struct nsc_json json;
    struct nsc_buf path;
};

static const char *const columns[] = {
    "start_ns", "duration_ns", "kind",   "name",   "group",     "row",       "pid",       "tid",
    "device",   "context",     "stream", "domain", "launch_ns", "nvtx_path", "source_row"};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* ---- fields: set by name in JSON, by place in CSV ---- */

static void put_int(struct rows *rows, const char *key, int64_t value)
{
    if (rows->csv)
        nsc_csv_int(&rows->dump->out, rows->first, value);
    else
        nsc_json_int(&rows->json, key, value);
    rows->first = false;
}

static void put_text(struct rows *rows, const char *key, struct nsc_text value)
{
    if (rows->csv)
        nsc_csv_text(&rows->dump->out, rows->first, value);
    else
        nsc_json_text(&rows->json, key, value);
    rows->first = false;
}

static void put_known(struct rows *rows, const char *key, bool known, int64_t value)
{
    if (known)
        put_int(rows, key, value);
    else if (rows->csv)
        nsc_csv_text(&rows->dump->out, false, nsc_text_from(""));
}

/* Appends the texts of the ranges around an event: "step > forward". */
static void put_path(struct rows *rows, nsc_event event)
{
    nsc_event path[PATH_MOST];
    uint32_t n = nsc_event_path(rows->dump->trace, event, path, PATH_MOST);

    nsc_buf_clear(&rows->path);
    for (uint32_t i = 0; i < n && i < PATH_MOST; i++) {
        struct nsc_text text = nsc_dump_text(rows->dump, path[i]);

        nsc_buf_puts(&rows->path, i ? " > " : "");
        nsc_buf_add(&rows->path, text.bytes, text.n);
    }
    if (n > PATH_MOST)
        nsc_buf_printf(&rows->path, " > (%u deeper)", n - PATH_MOST);
    if (n || rows->csv)
        put_text(rows, "nvtx_path", nsc_text_of_buf(&rows->path));
}

static void put_place(struct rows *rows, uint32_t track)
{
    const struct nsc_track *at = &rows->dump->tracks[track];
    uint32_t group = nsc_trace_group_of(rows->dump->trace, track);

    nsc_buf_clear(&rows->path);
    nsc_dump_group_put(rows->dump, &rows->path, group);
    put_text(rows, "group", nsc_text_of_buf(&rows->path));
    put_text(rows, "row", nsc_trace_string(rows->dump->trace, at->label));
    put_known(rows, "pid", at->pid != 0, at->pid);
    put_known(rows, "tid", at->tid != 0, at->tid);
    put_known(rows, "device", at->device >= 0, at->device);
    put_known(rows, "context", at->context >= 0, at->context);
    put_known(rows, "stream", at->stream >= 0, at->stream);
    put_known(rows, "domain",
              at->kind == NSC_TRACK_NVTX || at->kind == NSC_TRACK_SPANS ||
                  at->kind == NSC_TRACK_MARKS,
              at->domain);
}

static void put_row(struct rows *rows, nsc_event event)
{
    const struct nsc_events *events = rows->dump->events;
    nsc_event launch = nsc_event_launch(rows->dump->trace, event);
    uint32_t source = events->source[event];

    rows->first = true;
    put_int(rows, "start_ns", events->start[event]);
    put_int(rows, "duration_ns", nsc_event_duration(events, event));
    put_text(rows, "kind", nsc_text_from(nsc_kind_word((enum nsc_kind)events->kind[event])));
    put_text(rows, "name", nsc_dump_text(rows->dump, event));
    put_place(rows, rows->dump->lanes[nsc_trace_lane_of(rows->dump->trace, event)].track);
    put_known(rows, "launch_ns", launch != NSC_NONE,
              launch != NSC_NONE ? events->start[launch] : 0);
    put_path(rows, event);
    put_known(rows, "source_row", source != NSC_NONE, source);
}

static void row_write(struct rows *rows, nsc_event event)
{
    if (rows->lines)
        nsc_json_init(&rows->json, &rows->dump->out, false);
    if (!rows->csv)
        nsc_json_open(&rows->json, NULL, '{');
    put_row(rows, event);
    if (rows->csv)
        nsc_csv_end(&rows->dump->out);
    else
        nsc_json_close(&rows->json, '}');
}

/* ---- all of them ---- */

static void write_head(struct rows *rows)
{
    struct nsc_dump *dump = rows->dump;
    struct nsc_window w = dump->query->window;

    if (w.t0 == INT64_MIN && w.t1 == INT64_MAX)
        w = nsc_trace_extent(dump->trace);
    for (uint32_t i = 0; rows->csv && i < N_COLUMNS; i++)
        nsc_csv_text(&dump->out, i == 0, nsc_text_from(columns[i]));
    if (rows->csv)
        nsc_csv_end(&dump->out);
    if (rows->csv || rows->lines)
        return;
    nsc_json_init(&rows->json, &dump->out, false);
    rows->json.lines = 2;
    nsc_json_open(&rows->json, NULL, '{');
    nsc_json_puts(&rows->json, "format", ROWS_FORMAT);
    nsc_json_text(&rows->json, "file",
                  nsc_trace_string(dump->trace, nsc_trace_info(dump->trace)->path));
    nsc_json_text(&rows->json, "filter", dump->query->filter);
    nsc_json_open(&rows->json, "window", '{');
    nsc_json_int(&rows->json, "start_ns", w.t0);
    nsc_json_int(&rows->json, "end_ns", w.t1);
    nsc_json_close(&rows->json, '}');
    nsc_json_open(&rows->json, "events", '[');
}

static void write_all(struct rows *rows)
{
    struct nsc_dump *dump = rows->dump;
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)dump->n_lanes + 1, sizeof *ranges);
    struct nsc_lane_merge merge;

    for (uint32_t i = 0; i < dump->n_lanes; i++)
        ranges[i] = nsc_lane_rows(dump->trace, i, dump->query->window);
    nsc_lane_merge_open(&merge, dump->trace, ranges, dump->n_lanes);
    for (nsc_event event; (event = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        if (nsc_dump_keeps(dump, event))
            row_write(rows, event);
        if (!nsc_dump_go_on(dump))
            break;
    }
    nsc_lane_merge_fini(&merge);
    free(ranges);
}

void nsc_dump_rows(struct nsc_dump *dump)
{
    struct rows rows = {.dump = dump,
                        .csv = dump->query->format == NSC_DUMP_CSV,
                        .lines = dump->query->format == NSC_DUMP_NDJSON,
                        .path = NSC_BUF_INIT(1u << 24)};

    write_head(&rows);
    write_all(&rows);
    if (!rows.csv && !rows.lines) {
        nsc_json_close(&rows.json, ']');
        nsc_json_close(&rows.json, '}');
    }
    nsc_buf_fini(&rows.path);
}
