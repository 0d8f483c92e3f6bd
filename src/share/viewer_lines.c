/* The rows of the timeline in a page: labels, events or columns, covers and samples. */
#include "analysis/base/activity.h"
#include "core/die.h"
#include "share/dump_data.h"
#include "share/viewer_pack.h"
#include "view/model/counter_text.h"

/* The rows of one lane, from the trace or from the projected ranges. */
struct lane_rows {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;
    const struct nsc_events *events;
    uint32_t lane;
    bool is_shadow;
};

static struct lane_rows rows_of(const struct nsc_viewer_pack *pack, const struct nsc_line *line)
{
    struct lane_rows rows = {pack->trace, pack->viewer->scope->summary, pack->events, line->lane,
                             false};

    if (line->kind != NSC_LINE_PROJECTED)
        return rows;
    rows.trace = pack->projection->derived;
    rows.summary = nsc_trace_summary(rows.trace);
    rows.events = nsc_trace_events(rows.trace);
    rows.lane = line->index;
    rows.is_shadow = true;
    return rows;
}

/* The event of the trace that a row shows. */
static nsc_event event_of(const struct lane_rows *rows, nsc_event row)
{
    return rows->is_shadow ? rows->events->source[row] : row;
}

/* The rows [*first, *end) of a lane that touch the detail. */
static void find_rows(const struct nsc_viewer_pack *pack, const struct lane_rows *rows,
                      nsc_event *first, nsc_event *end)
{
    struct nsc_scope scope = {.trace = rows->trace, .window = pack->viewer->detail};

    nsc_scope_rows(&scope, rows->lane, first, end);
}

/* ---- events, one by one ---- */

static bool is_kept(const struct nsc_viewer_pack *pack, const struct lane_rows *rows, nsc_event row)
{
    const uint64_t *mask = pack->viewer->scope->mask;

    return !mask || nsc_bits_get(mask, event_of(rows, row));
}

/* Numbers the events of the page by line, so that links can point forward. */
static void places_set(struct nsc_viewer_pack *pack)
{
    pack->places = nsc_xcalloc((size_t)pack->events->n + 1, sizeof *pack->places);
    pack->n_places = 0;
    for (size_t i = 0; i < pack->rows.n; i++) {
        struct lane_rows rows = rows_of(pack, &pack->rows.at[i]);
        nsc_event row;
        nsc_event end;

        if (rows.lane == NSC_NONE)
            continue;
        find_rows(pack, &rows, &row, &end);
        for (; row < end; row++)
            if (is_kept(pack, &rows, row)) {
                pack->n_places++;
                if (!rows.is_shadow)
                    pack->places[row] = pack->n_places;
            }
    }
}

/* The link of a row: its launch or first op; for a projected range, the range. */
static uint32_t link_of(const struct nsc_viewer_pack *pack, const struct lane_rows *rows,
                        nsc_event row)
{
    uint8_t kind = rows->events->kind[row];
    uint32_t link = rows->events->link[row];

    if (rows->is_shadow)
        return pack->places[rows->events->source[row]];
    if (link == NSC_NONE || !(nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind)))
        return 0;
    return pack->places[link];
}

enum event_column { STARTS, DURATIONS, TITLES, LINKS, SOURCES, SHAPES, N_EVENT_COLUMNS };

static void event_put(struct nsc_viewer_pack *pack, const struct lane_rows *rows, nsc_event row,
                      enum event_column column, int64_t *before)
{
    int64_t value = 0;

    if (column == DURATIONS) {
        nsc_viewer_uint(pack, (uint64_t)nsc_event_duration(rows->events, row));
        return;
    }
    if (column == TITLES) {
        nsc_viewer_uint(pack, nsc_viewer_title(pack, event_of(rows, row)));
        return;
    }
    if (column == SHAPES) {
        nsc_viewer_uint(pack, rows->is_shadow ? 0 : nsc_viewer_shape(pack, row));
        return;
    }
    if (column == STARTS)
        value = (int64_t)nsc_viewer_offset(pack, rows->events->start[row]);
    else if (column == LINKS)
        value = link_of(pack, rows, row);
    else
        value = rows->is_shadow || rows->events->source[row] == NSC_NONE
                    ? 0
                    : (int64_t)rows->events->source[row] + 1;
    nsc_viewer_int(pack, (int64_t)((uint64_t)value - (uint64_t)*before));
    *before = value;
}

static void events_put(struct nsc_viewer_pack *pack, const struct lane_rows *rows)
{
    size_t at = pack->bytes.n;
    uint64_t count = 0;
    nsc_event first;
    nsc_event end;

    find_rows(pack, rows, &first, &end);
    for (int column = 0; column < N_EVENT_COLUMNS; column++) {
        int64_t before = 0;

        for (nsc_event row = first; row < end; row++)
            if (is_kept(pack, rows, row)) {
                count += column == 0;
                event_put(pack, rows, row, (enum event_column)column, &before);
            }
    }
    nsc_viewer_list(pack, "events", at, count);
}

/* ---- columns of the whole ---- */

/*
 * Puts for each column: the busy ns; twice the number of events that start in it, plus 1 if one
 * enters; title + 1 and duration of the longest event. Sums of these counts over columns count no
 * event twice.
 */
static void columns_put(struct nsc_viewer_pack *pack, const struct lane_rows *rows)
{
    struct nsc_bin *bins = nsc_xcalloc(pack->columns, sizeof *bins);
    size_t at = pack->bytes.n;

    nsc_lane_bins(rows->trace, rows->summary, rows->lane, pack->extent, pack->columns, bins);
    for (uint32_t i = 0; i < pack->columns; i++)
        nsc_viewer_uint(pack, (uint64_t)bins[i].busy);
    for (uint32_t i = 0; i < pack->columns; i++) {
        nsc_time t = nsc_window_cut(pack->extent, i, pack->columns);
        nsc_event around = nsc_lane_around(rows->trace, rows->lane, t);
        bool enters = around != NSC_NONE && rows->events->start[around] < t &&
                      nsc_summary_has(rows->summary, around);

        nsc_viewer_uint(pack, 2 * ((uint64_t)bins[i].events - (bins[i].events && enters)) +
                                  (bins[i].events && enters));
    }
    for (uint32_t i = 0; i < pack->columns; i++)
        nsc_viewer_uint(pack, bins[i].longest == NSC_NONE
                                  ? 0
                                  : nsc_viewer_title(pack, event_of(rows, bins[i].longest)) + 1u);
    for (uint32_t i = 0; i < pack->columns; i++)
        if (bins[i].longest != NSC_NONE)
            nsc_viewer_uint(pack, (uint64_t)nsc_event_duration(rows->events, bins[i].longest));
    nsc_viewer_list(pack, "columns", at, pack->columns);
    free(bins);
}

static void lane_put(struct nsc_viewer_pack *pack, const struct nsc_line *line)
{
    struct lane_rows rows = rows_of(pack, line);

    if (pack->has_events)
        events_put(pack, &rows);
    if (pack->columns)
        columns_put(pack, &rows);
}

/* ---- covers of a device ---- */

static void cover_put(struct nsc_viewer_pack *pack, const char *key, const struct nsc_cover *cover)
{
    struct nsc_window w = pack->viewer->detail;
    size_t at = pack->bytes.n;
    uint64_t n = 0;
    nsc_time before = pack->extent.t0;

    if (!cover)
        return;
    for (uint32_t i = nsc_cover_find(cover, w.t0); i < nsc_cover_count(cover); i++, n++) {
        struct nsc_window span = nsc_cover_at(cover, i);

        if (span.t0 >= w.t1)
            break;
        nsc_viewer_int(pack, (int64_t)((uint64_t)span.t0 - (uint64_t)before));
        nsc_viewer_int(pack, (int64_t)((uint64_t)span.t1 - (uint64_t)span.t0));
        before = span.t0;
    }
    nsc_viewer_list(pack, key, at, n);
}

static void cover_columns_put(struct nsc_viewer_pack *pack, const char *key,
                              const struct nsc_cover *cover)
{
    nsc_time *covered;
    size_t at = pack->bytes.n;

    if (!cover)
        return;
    covered = nsc_xcalloc(pack->columns, sizeof *covered);
    nsc_cover_bins(cover, pack->extent, pack->columns, covered);
    for (uint32_t i = 0; i < pack->columns; i++)
        nsc_viewer_uint(pack, (uint64_t)covered[i]);
    nsc_viewer_list(pack, key, at, pack->columns);
    free(covered);
}

/* The covers of all work: a filter does not make a device idle. */
static void device_put(struct nsc_viewer_pack *pack, uint32_t track)
{
    struct nsc_scope_covers covers;
    struct nsc_scope all = *pack->viewer->scope;
    struct nsc_json *json = &pack->json;

    all.mask = NULL;
    if (!nsc_scope_covers_build(&covers, &all, track))
        return;
    for (int whole = 0; whole < 2; whole++) {
        void (*put)(struct nsc_viewer_pack *, const char *, const struct nsc_cover *) =
            whole ? cover_columns_put : cover_put;

        if (whole ? !pack->columns : !pack->has_events)
            continue;
        nsc_json_open(json, whole ? "coverColumns" : "covers", '{');
        put(pack, "busy", covers.of.busy);
        put(pack, "compute", covers.of.work[NSC_OP_COMPUTE]);
        put(pack, "comm", covers.of.work[NSC_OP_COMM]);
        put(pack, "overlap", covers.of.overlap);
        put(pack, "hidden", covers.of.hidden);
        nsc_json_close(json, '}');
    }
    nsc_scope_covers_fini(&covers);
}

/* ---- counters ---- */

/* Puts the samples of the detail; for the whole, the maximum of each column. */
static void counter_put(struct nsc_viewer_pack *pack, const struct nsc_counter *counter)
{
    struct nsc_window w = pack->has_events ? pack->viewer->detail : pack->extent;
    size_t at = pack->bytes.n;
    uint64_t n = 0;
    uint64_t before = 0;

    for (uint32_t i = 0; i < counter->n; i++) {
        nsc_time t = counter->time[i];
        bool is_last = i + 1 == counter->n;
        uint32_t best = i;

        if (t >= w.t1 || (!is_last && counter->time[i + 1] <= w.t0))
            continue;
        while (!pack->has_events && i + 1 < counter->n &&
               ((uint64_t)counter->time[i + 1] - (uint64_t)t) <
                   (uint64_t)nsc_window_length(w) / pack->columns) {
            i++;
            best = counter->value[i] > counter->value[best] ? i : best;
        }
        nsc_viewer_int(pack, (int64_t)(nsc_viewer_offset(pack, counter->time[best]) - before));
        nsc_viewer_int(pack, counter->value[best]);
        before = nsc_viewer_offset(pack, counter->time[best]);
        n++;
    }
    nsc_viewer_list(pack, "samples", at, n);
    nsc_dump_int(&pack->json, "least", counter->min);
    nsc_dump_int(&pack->json, "most", counter->max);
    nsc_json_bool(&pack->json, "bytes", counter->is_bytes);
}

/* ---- lines ---- */

static const char *const line_words[] = {
    [NSC_LINE_GROUP] = "group", [NSC_LINE_OVERLAP] = "overlap", [NSC_LINE_PROJECTED] = "projected",
    [NSC_LINE_LANE] = "lane",   [NSC_LINE_COUNTER] = "counter", [NSC_LINE_QUERY] = "query"};

static void label_put(struct nsc_viewer_pack *pack, const struct nsc_line *line)
{
    const struct nsc_track *track = nsc_trace_track(pack->trace, line->track);
    struct nsc_text label = nsc_trace_string(pack->trace, track->label);
    struct nsc_buf text = NSC_BUF_INIT(1u << 16);

    if (line->kind == NSC_LINE_OVERLAP)
        label = nsc_text_from("overlap");
    if (line->kind == NSC_LINE_COUNTER)
        nsc_json_puts(&pack->json, "unit", nsc_counter_unit(label, &label));
    if (line->kind == NSC_LINE_PROJECTED) {
        const struct nsc_projection_line *at =
            nsc_projection_line_of(pack->projection, line->index);

        track = nsc_trace_track(pack->trace, at->track);
        label = nsc_trace_string(pack->trace, track->label);
        nsc_buf_add(&text, label.bytes, label.n);
        nsc_buf_printf(&text, " %u t%u", at->depth, track->tid);
    } else {
        nsc_buf_add(&text, label.bytes, label.n);
    }
    if (line->kind == NSC_LINE_LANE && line->more)
        nsc_buf_printf(&text, " +%u more", line->more);
    else if (line->kind == NSC_LINE_LANE && (track->kind == NSC_TRACK_NVTX || line->index))
        nsc_buf_printf(&text, " %u", line->index);
    nsc_json_text(&pack->json, "label", nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

static void line_put(struct nsc_viewer_pack *pack, const struct nsc_line *line)
{
    const struct nsc_track *track = nsc_trace_track(pack->trace, line->track);
    struct nsc_json *json = &pack->json;

    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "kind", line_words[line->kind]);
    label_put(pack, line);
    nsc_json_uint(json, "track", line->track);
    nsc_json_uint(json, "group", nsc_trace_group_of(pack->trace, line->track));
    nsc_json_puts(json, "of", nsc_track_kind_word(track->kind));
    nsc_json_uint(json, "indent", track->depth);
    if (line->kind == NSC_LINE_LANE)
        nsc_json_uint(json, "lane", line->lane);
    if (line->kind == NSC_LINE_GROUP) {
        nsc_json_uint(json, "skip", track->skip);
        nsc_json_bool(json, "folded", nsc_bits_get(pack->folds, line->track));
    }
    if (line->kind == NSC_LINE_GROUP && track->kind == NSC_TRACK_DEVICE)
        device_put(pack, line->track);
    if (line->kind == NSC_LINE_LANE || line->kind == NSC_LINE_PROJECTED)
        lane_put(pack, line);
    if (line->kind == NSC_LINE_COUNTER)
        counter_put(pack, &nsc_trace_counters(pack->trace, NULL)[track->counter]);
    nsc_json_close(json, '}');
}

void nsc_viewer_lines(struct nsc_viewer_pack *pack)
{
    if (pack->has_events)
        places_set(pack);
    nsc_json_open(&pack->json, "lines", '[');
    for (size_t i = 0; i < pack->rows.n; i++)
        line_put(pack, &pack->rows.at[i]);
    nsc_json_close(&pack->json, ']');
}
