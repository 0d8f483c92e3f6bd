/* Walks the events of a table, or the samples of counters, within bounds. */
#include "core/bisect.h"
#include "core/text.h"
#include "core/vec.h"
#include "query/query_data.h"

#include <stdlib.h>

#define TRACK(kind) NSC_TRACK_BIT(NSC_TRACK_##kind)

const struct nsc_query_events_table nsc_query_events_tables[NSC_N_QUERY_EVENTS] = {
#define QUERY_EVENTS(name, first, last, tracks, help) \
    {#name, help, NSC_KIND_##first, NSC_KIND_##last, (tracks)},
#include "query/event_table.def"
};

enum { ID, START, END };

const struct nsc_query_bounds nsc_query_unbounded = {.low = {INT64_MIN, INT64_MIN, INT64_MIN},
                                                     .high = {INT64_MAX, INT64_MAX, INT64_MAX}};

/* ---- what is walked ---- */

static bool is_equal(const struct nsc_query_value *a, const struct nsc_query_value *b)
{
    if (a->type == NSC_QUERY_INT || b->type == NSC_QUERY_INT)
        return a->type == b->type && a->integer == b->integer;
    return a->type != NSC_QUERY_NULL && nsc_text_equal(a->text, b->text);
}

/* Of a synchronization each event has a place of its own. */
static bool has_place(struct nsc_query_scan *scan, const struct nsc_query_bounds *bounds)
{
    bool is_sync = nsc_trace_track(scan->row.query->trace, scan->row.track)->kind == NSC_TRACK_SYNC;

    for (uint32_t i = 0; i < bounds->n_places && !is_sync; i++) {
        struct nsc_query_value value = nsc_query_value_of(&scan->row, bounds->places[i].column);

        if (!is_equal(&value, &bounds->places[i].value))
            return false;
    }
    return true;
}

static void add_span(struct nsc_query_scan *scan, size_t *capacity, struct nsc_row_range rows)
{
    if (rows.first >= rows.end)
        return;
    if (scan->n_spans == *capacity)
        scan->spans = nsc_vec_grow(scan->spans, capacity, sizeof *scan->spans);
    scan->spans[scan->n_spans++] = (struct nsc_query_span){rows, scan->row.track, scan->row.lane};
}

/* Those of the rows whose numbers lie within the bounds of id. */
static struct nsc_row_range rows_by_id(struct nsc_row_range rows,
                                       const struct nsc_query_bounds *bounds)
{
    if (rows.first < rows.end && bounds->low[ID] > (int64_t)rows.first)
        rows.first = bounds->low[ID] < (int64_t)rows.end ? (nsc_event)bounds->low[ID] : rows.end;
    if (bounds->high[ID] < (int64_t)rows.end)
        rows.end =
            bounds->high[ID] < (int64_t)rows.first ? rows.first : (nsc_event)bounds->high[ID] + 1;
    return rows;
}

/* Leaves out rows that start or end too early; starts and ends ascend. */
static struct nsc_row_range rows_from(const struct nsc_events *events, struct nsc_row_range rows,
                                      const struct nsc_query_bounds *bounds)
{
    nsc_event end = rows.end;

    NSC_BISECT(rows.first, end, row, events->start[row] < bounds->low[START]);
    end = rows.end;
    NSC_BISECT(rows.first, end, row, nsc_event_end(events, row) < bounds->low[END]);
    return rows;
}

/* Leaves out rows that start or end too late. */
static struct nsc_row_range rows_until(const struct nsc_events *events, struct nsc_row_range rows,
                                       const struct nsc_query_bounds *bounds)
{
    nsc_event end = rows.first;

    NSC_BISECT(end, rows.end, row, events->start[row] <= bounds->high[START]);
    end = rows.first;
    NSC_BISECT(end, rows.end, row, nsc_event_end(events, row) <= bounds->high[END]);
    return rows;
}

/* The rows of a lane that touch the window, within the bounds. */
static struct nsc_row_range rows_of(const struct nsc_query_scan *scan,
                                    const struct nsc_query_bounds *bounds)
{
    const struct nsc_trace_query *query = scan->row.query;
    struct nsc_row_range rows =
        rows_by_id(nsc_lane_rows(query->trace, scan->row.lane, query->window), bounds);

    rows = rows_from(query->events, rows, bounds);
    return rows_until(query->events, rows, bounds);
}

/* The samples of a counter that touch the window, within the bounds of start. */
static struct nsc_row_range samples_of(const struct nsc_query_scan *scan,
                                       const struct nsc_query_bounds *bounds)
{
    const struct nsc_counter *counter = scan->row.counter;
    struct nsc_window w = scan->row.query->window;
    struct nsc_row_range rows = {0, counter->n};
    uint32_t end = rows.end;

    /* the last sample at or before the window holds in it */
    NSC_BISECT(rows.first, end, i, i + 1 < counter->n && counter->time[i + 1] <= w.t0);
    end = rows.end;
    NSC_BISECT(rows.first, end, i, counter->time[i] < bounds->low[START]);
    end = rows.first;
    NSC_BISECT(end, rows.end, i,
               counter->time[i] < w.t1 && counter->time[i] <= bounds->high[START]);
    return rows;
}

static void add_track(struct nsc_query_scan *scan, size_t *capacity,
                      const struct nsc_query_bounds *bounds)
{
    const struct nsc_trace *trace = scan->row.query->trace;
    const struct nsc_track *track = nsc_trace_track(trace, scan->row.track);

    if (track->kind == NSC_TRACK_COUNTER) {
        if (track->counter == NSC_NONE || scan->table->last != NSC_KIND_UNKNOWN)
            return;
        scan->row.counter = &nsc_trace_counters(trace, NULL)[track->counter];
        add_span(scan, capacity, samples_of(scan, bounds));
        return;
    }
    for (uint32_t i = 0; i < track->n_lanes; i++) {
        scan->row.lane = track->first_lane + i;
        add_span(scan, capacity, rows_of(scan, bounds));
    }
}

/* One event: only its lane is looked at, because a join asks for each row. Of 20,000 ops with their
 * calls, among 100,000 tracks, it takes 0.8 s; looking at every track takes 2.7. */
static void add_event(struct nsc_query_scan *scan, size_t *capacity,
                      const struct nsc_query_bounds *bounds)
{
    const struct nsc_trace *trace = scan->row.query->trace;

    if (bounds->low[ID] < 0 || bounds->low[ID] >= (int64_t)scan->row.query->events->n)
        return;
    scan->row.lane = nsc_trace_lane_of(trace, (nsc_event)bounds->low[ID]);
    scan->row.track = nsc_trace_lanes(trace, NULL)[scan->row.lane].track;
    if (scan->table->tracks & NSC_TRACK_BIT(nsc_trace_track(trace, scan->row.track)->kind) &&
        has_place(scan, bounds))
        add_span(scan, capacity, rows_of(scan, bounds));
}

NSC_COMPARE(compare_spans, struct nsc_query_span, NSC_LEAST(rows.first))

static void add_spans(struct nsc_query_scan *scan, const struct nsc_query_bounds *bounds)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scan->row.query->trace, &n_tracks);
    bool is_counter = scan->table->last == NSC_KIND_UNKNOWN;
    size_t capacity = 0;

    if (!is_counter && bounds->low[ID] == bounds->high[ID]) {
        add_event(scan, &capacity, bounds);
        return;
    }
    for (uint32_t t = 0; t < n_tracks; t++) {
        scan->row.track = t;
        if (scan->table->tracks & NSC_TRACK_BIT(tracks[t].kind) && has_place(scan, bounds))
            add_track(scan, &capacity, bounds);
    }
    if (!is_counter && scan->n_spans > 1)
        qsort(scan->spans, scan->n_spans, sizeof *scan->spans, compare_spans);
}

/* ---- the walk ---- */

static void open_merge(struct nsc_query_scan *scan)
{
    struct nsc_row_range *ranges = nsc_xcalloc(scan->n_spans + 1, sizeof *ranges);

    for (size_t i = 0; i < scan->n_spans; i++)
        ranges[i] = scan->spans[i].rows;
    nsc_lane_merge_open(&scan->merge, scan->row.query->trace, ranges, (uint32_t)scan->n_spans);
    free(ranges);
}

void nsc_query_scan_open(struct nsc_query_scan *scan, struct nsc_trace_query *query,
                         enum nsc_query_events table, const struct nsc_query_bounds *bounds,
                         bool by_start)
{
    nsc_query_scan_fini(scan);
    scan->table = &nsc_query_events_tables[table];
    scan->row.query = query;
    scan->names = bounds->names;
    scan->is_merged = by_start;
    add_spans(scan, bounds);
    if (by_start)
        open_merge(scan);
}

void nsc_query_scan_fini(struct nsc_query_scan *scan)
{
    free(scan->spans);
    free(scan->sorted);
    if (scan->is_merged)
        nsc_lane_merge_fini(&scan->merge);
    scan->spans = NULL;
    scan->sorted = NULL;
    scan->n_spans = scan->span = 0;
    scan->next = scan->end = 0;
    scan->is_merged = false;
    scan->row.counter = NULL;
}

/* Moves to any event; false if there is none. */
static bool go_to(struct nsc_query_scan *scan, nsc_event event)
{
    const struct nsc_trace *trace = scan->row.query->trace;

    scan->row.at = event;
    if (event == NSC_NONE)
        return false;
    scan->row.lane = nsc_trace_lane_near(trace, scan->row.at, scan->row.lane);
    scan->row.track = nsc_trace_lanes(trace, NULL)[scan->row.lane].track;
    return true;
}

static bool next_in_spans(struct nsc_query_scan *scan)
{
    const struct nsc_trace *trace = scan->row.query->trace;

    if (scan->next == scan->end) {
        const struct nsc_query_span *span = &scan->spans[scan->span];

        if (scan->span++ == scan->n_spans)
            return false;
        scan->row.track = span->track;
        scan->row.lane = span->lane;
        scan->next = span->rows.first;
        scan->end = span->rows.end;
        if (scan->row.counter)
            scan->row.counter =
                &nsc_trace_counters(trace, NULL)[nsc_trace_track(trace, span->track)->counter];
    }
    scan->row.at = scan->next++;
    return true;
}

/* Whether the row is in the table and the scope; the walk has looked at its track and the window. */
static bool is_in(const struct nsc_query_scan *scan)
{
    const struct nsc_events *events = scan->row.query->events;
    uint8_t kind;

    if (scan->row.counter)
        return true;
    kind = events->kind[scan->row.at];
    if (scan->table == &nsc_query_events_tables[NSC_QUERY_EVENTS_launch] &&
        events->link[scan->row.at] == NSC_NONE)
        return false;
    return kind >= scan->table->first && kind <= scan->table->last &&
           nsc_scope_selects(scan->row.query->ground.scope, scan->row.at) &&
           (!scan->names || scan->names[events->name[scan->row.at]]);
}

bool nsc_query_scan_next(struct nsc_query_scan *scan)
{
    if (scan->sorted)
        return go_to(scan, scan->next_sorted < scan->n_sorted
                               ? scan->sorted[scan->next_sorted++].value
                               : NSC_NONE);
    while (scan->is_merged ? go_to(scan, nsc_lane_merge_next(&scan->merge)) : next_in_spans(scan)) {
        if (++scan->passed % NSC_LOOK_ROWS == 0 && nsc_scope_is_stopped(&scan->row.query->scope))
            return false;
        if (is_in(scan))
            return true;
    }
    return false;
}

void nsc_query_scan_sort(struct nsc_query_scan *scan, const struct nsc_query_column *by,
                         bool is_descending)
{
    NSC_VEC(struct nsc_sort_pair) rows = {0};
    struct nsc_sort_pair *scratch;

    while (nsc_query_scan_next(scan)) {
        struct nsc_query_value value = nsc_query_value_of(&scan->row, by);

        uint64_t key = value.type == NSC_QUERY_NULL ? 0 : (uint64_t)value.integer + 1;

        *NSC_VEC_ADD(&rows) = (struct nsc_sort_pair){is_descending ? ~key : key, scan->row.at};
    }
    (void)NSC_VEC_ADD(&rows); /* never NULL */
    scan->n_sorted = rows.n - 1;
    scan->next_sorted = 0;
    scan->sorted = rows.at;
    scratch = nsc_xmalloc(rows.n * sizeof *scratch);
    nsc_sort_pairs(rows.at, scratch, scan->n_sorted);
    free(scratch);
}
