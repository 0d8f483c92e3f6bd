/* Orders the timeline's lines, and drops those that folding hides. */
#include "view/model/rows.h"

#include "nsyscope/cover.h"

#include "core/bits.h"
#include "core/vec.h"

enum {
    PROJECTED_LANES = 3, /* lanes of one depth: projections may overlap */
    PROJECTED_FEW = 3,   /* lines of a device, unless the user wants all */
    SPARE_HEIGHT = 2,    /* a name and a duration */
    QUERY_LANES = 8
};

struct nsc_pin nsc_rows_pin(const struct nsc_line *line)
{
    return (struct nsc_pin){line->track, line->index, line->kind};
}

/* ---- lines of one row ---- */

static void row_add(struct nsc_rows *rows, struct nsc_line line, uint8_t height)
{
    line.parts = height;
    for (line.part = 0; line.part < height; line.part++)
        *NSC_VEC_ADD(rows) = line;
}

/* Adds a row at its place, unless it is hidden or pinned. */
static void line_add(struct nsc_rows *rows, struct nsc_line line, uint8_t height)
{
    const struct nsc_arrangement *arrangement = rows->arrangement;

    if (nsc_arrangement_hides(arrangement, line.track))
        rows->n_hidden++;
    else if (line.kind == NSC_LINE_GROUP || !arrangement ||
             nsc_arrangement_pin_find(arrangement, nsc_rows_pin(&line)) >= arrangement->n_pins)
        row_add(rows, line, height);
}

/* ---- rows of one track ---- */

/* The number of lanes shown of a track. */
static uint32_t lanes_shown(const struct nsc_rows *rows, const struct nsc_track *track)
{
    uint32_t most = rows->every_lane ? UINT32_MAX : NSC_ROWS_MAX_LANES;
    uint32_t shown = track->n_lanes < most ? track->n_lanes : most;

    if (track->kind == NSC_TRACK_NVTX && rows->nvtx_cut && shown >= rows->nvtx_cut)
        shown = rows->nvtx_cut - 1;
    return shown;
}

static struct nsc_line lane_line(const struct nsc_rows *rows, const struct nsc_track *tracks,
                                 uint32_t track, uint32_t i)
{
    uint32_t shown = lanes_shown(rows, &tracks[track]);

    return (struct nsc_line){.track = track,
                             .lane = tracks[track].first_lane + i,
                             .index = i,
                             .more = i + 1 == shown ? tracks[track].n_lanes - shown : 0,
                             .kind = NSC_LINE_LANE};
}

/* Whether the filter keeps an event of the lane. kept NULL: all. */
static bool has_kept(const struct nsc_trace *trace, const struct nsc_summary *kept, uint32_t lane)
{
    struct nsc_window all = {INT64_MIN, INT64_MAX};

    return !kept || nsc_lane_measure(trace, kept, lane, all).events > 0;
}

static void lanes_add(struct nsc_rows *rows, const struct nsc_trace *trace,
                      const struct nsc_track *tracks, uint32_t track)
{
    uint32_t shown = lanes_shown(rows, &tracks[track]);
    uint8_t height = nsc_arrangement_height(rows->arrangement, trace, track);

    for (uint32_t i = 0; i < shown; i++) {
        struct nsc_line line = lane_line(rows, tracks, track, i);

        if (rows->dims || has_kept(trace, rows->kept, line.lane))
            line_add(rows, line, height);
    }
}

/* Whether the filter leaves something on the first lanes of a depth. */
static bool has_projected(const struct nsc_rows *rows, const struct nsc_projection_line *line,
                          uint32_t shown)
{
    bool is_kept = !rows->kept || rows->dims;

    for (uint32_t k = 0; k < shown && !is_kept; k++)
        is_kept = has_kept(rows->projection->derived, rows->projected, line->first_lane + k);
    return is_kept;
}

/* Adds at most so many first lanes of a depth. Returns their number. */
static uint32_t projection_add(struct nsc_rows *rows, const struct nsc_projection_line *line,
                               uint32_t most, uint32_t more)
{
    uint32_t shown = line->n_lanes < most ? line->n_lanes : most;

    if (!has_projected(rows, line, shown))
        return 0;
    for (uint32_t k = 0; k < shown; k++)
        line_add(rows,
                 (struct nsc_line){.track = line->device,
                                   .lane = NSC_NONE,
                                   .index = line->first_lane + k,
                                   .more = k + 1 == shown ? line->n_lanes - shown + more : 0,
                                   .kind = NSC_LINE_PROJECTED},
                 1);
    return shown;
}

/* Adds the first lanes of each depth, or the first lane of a few depths; the last of these says how
 * many lanes are left out. */
static void projections_add(struct nsc_rows *rows, uint32_t device)
{
    const struct nsc_projection *projection = rows->projection;
    bool few = rows->project == NSC_PROJECT_FEW;
    uint32_t left = few ? PROJECTED_FEW : UINT32_MAX;
    uint32_t most = few ? 1 : rows->every_lane ? UINT32_MAX : PROJECTED_LANES;

    if (!projection || rows->project == NSC_PROJECT_OFF)
        return;
    for (uint32_t i = 0; i < projection->n && left; i++) {
        uint32_t more = 0;

        if (projection->lines[i].device != device)
            continue;
        for (uint32_t k = i + 1; left == 1 && k < projection->n; k++)
            more += projection->lines[k].device == device ? projection->lines[k].n_lanes : 0;
        left -= projection_add(rows, &projection->lines[i], most, more);
    }
}

static void plain_add(struct nsc_rows *rows, uint8_t kind, uint32_t track)
{
    line_add(rows, (struct nsc_line){.track = track, .lane = NSC_NONE, .kind = kind}, 1);
}

static bool has_overlap(const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, track);

    return covers && covers->work[NSC_OP_COMM];
}

bool nsc_track_works(const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, track);

    return covers && covers->busy;
}

static void group_add(struct nsc_rows *rows, const struct nsc_trace *trace,
                      const struct nsc_track *tracks, uint32_t track, bool folded)
{
    plain_add(rows, NSC_LINE_GROUP, track);
    if (folded || tracks[track].kind != NSC_TRACK_DEVICE ||
        nsc_arrangement_hides(rows->arrangement, track))
        return;
    if (has_overlap(trace, track))
        plain_add(rows, NSC_LINE_OVERLAP, track);
    if (rows->idle && nsc_track_works(trace, track))
        plain_add(rows, NSC_LINE_IDLE, track);
    projections_add(rows, track);
}

/* ---- all rows ---- */

/* Whether this trace has such a row with the present settings. */
static bool pin_is_there(const struct nsc_rows *rows, const struct nsc_trace *trace,
                         struct nsc_pin pin)
{
    const struct nsc_track *track = nsc_trace_track(trace, pin.track);

    switch ((enum nsc_line_kind)pin.kind) {
    case NSC_LINE_GROUP:
        return nsc_track_is_header(track->kind);
    case NSC_LINE_OVERLAP:
        return has_overlap(trace, pin.track);
    case NSC_LINE_IDLE:
        return rows->idle && nsc_track_works(trace, pin.track);
    case NSC_LINE_LANE:
        return pin.index < lanes_shown(rows, track) && track->counter == NSC_NONE;
    case NSC_LINE_COUNTER:
        return track->counter != NSC_NONE;
    case NSC_LINE_PROJECTED:
    case NSC_LINE_REST:
    case NSC_LINE_QUERY:
        break;
    }
    return false;
}

static void pins_add(struct nsc_rows *rows, const struct nsc_trace *trace)
{
    const struct nsc_arrangement *arrangement = rows->arrangement;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t i = 0; arrangement && i < arrangement->n_pins; i++) {
        struct nsc_pin pin = arrangement->pins[i];
        struct nsc_line line = {
            .track = pin.track, .lane = NSC_NONE, .index = pin.index, .kind = pin.kind};
        bool is_lane = pin.kind == NSC_LINE_LANE;

        if (!pin_is_there(rows, trace, pin))
            continue;
        row_add(rows, is_lane ? lane_line(rows, tracks, pin.track, pin.index) : line,
                is_lane ? nsc_arrangement_height(arrangement, trace, pin.track) : 1);
    }
    rows->n_pinned = rows->n;
}

static void track_add(struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t track,
                      bool folded)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    if (nsc_track_is_header(tracks[track].kind))
        group_add(rows, trace, tracks, track, folded);
    else if (tracks[track].counter != NSC_NONE)
        plain_add(rows, NSC_LINE_COUNTER, track);
    else
        lanes_add(rows, trace, tracks, track);
}

/* The first lanes of the rows of a query. */
static void query_add(struct nsc_rows *rows)
{
    uint32_t n = 0;

    if (!rows->query)
        return;
    (void)nsc_trace_lanes(rows->query, &n);
    for (uint32_t i = 0; i < n && i < QUERY_LANES; i++) {
        struct nsc_line line = {.lane = NSC_NONE, .index = i, .kind = NSC_LINE_QUERY};

        line.more = i + 1 == QUERY_LANES ? n - QUERY_LANES : 0;
        row_add(rows, line, 1);
    }
}

/* Streams with events that a filter keeps have rows of their own. */
static bool is_rest(const struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_arrangement *arrangement = rows->arrangement;
    const struct nsc_track *at = nsc_trace_track(trace, track);
    bool is_rest = arrangement && arrangement->n && nsc_bits_get(arrangement->rest, track) &&
                   !nsc_arrangement_hides(arrangement, track);

    for (uint32_t i = 0; is_rest && rows->kept && i < at->n_lanes; i++)
        is_rest = rows->dims && !has_kept(trace, rows->kept, at->first_lane + i);
    return is_rest;
}

/* What a line of the rest stands for. */
enum rest_of { REST_ROWS, REST_STREAMS, REST_THREADS, N_RESTS };

static enum rest_of rest_of(const struct nsc_track *track)
{
    return track->kind == NSC_TRACK_STREAM    ? REST_STREAMS
           : nsc_track_is_header(track->kind) ? REST_THREADS
                                              : REST_ROWS;
}

/* Whether a track may be in the line of the rest that begins with another one. */
static bool is_beside(const struct nsc_track *first, const struct nsc_track *track)
{
    return rest_of(first) == REST_THREADS
               ? track->capture_no == first->capture_no
               : track->group == first->group && rest_of(track) == rest_of(first);
}

/* Ends the lines of the rest before a track that is not beside theirs; NULL: the last ones. */
static void rest_end(struct nsc_rows *rows, const struct nsc_track *tracks,
                     struct nsc_line rest[N_RESTS], const struct nsc_track *next)
{
    for (unsigned i = 0; i < N_RESTS; i++) {
        if (!rest[i].index || (next && is_beside(&tracks[rest[i].track], next)))
            continue;
        row_add(rows, rest[i], 1);
        rest[i].index = 0;
    }
}

void nsc_rows_build(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    struct nsc_line rests[N_RESTS] = {0};
    uint32_t place = 0;

    NSC_VEC_CLEAR(rows);
    rows->n_hidden = 0;
    pins_add(rows, trace);
    if (n)
        query_add(rows);
    while (place < n) {
        uint32_t track = nsc_arrangement_track(rows->arrangement, place);
        bool folded = nsc_bits_get(folds, track);
        struct nsc_line *rest = &rests[rest_of(&tracks[track])];

        rest_end(rows, tracks, rests, &tracks[track]);
        if (!is_rest(rows, trace, track))
            track_add(rows, trace, track, folded);
        else if (!rest->index++)
            *rest = (struct nsc_line){
                .track = track, .lane = NSC_NONE, .index = 1, .kind = NSC_LINE_REST};
        place += folded ? tracks[track].skip - track : 1;
    }
    rest_end(rows, tracks, rests, NULL);
}

bool nsc_rows_rest_has(const struct nsc_rows *rows, const struct nsc_trace *trace,
                       const struct nsc_line *line, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_track *first = &tracks[line->track];

    return is_rest(rows, trace, track) && rest_of(&tracks[track]) == rest_of(first) &&
           is_beside(first, &tracks[track]);
}

/* The number of lines of streams whose height the user did not choose. */
static size_t plain_streams(const struct nsc_rows *rows, const struct nsc_trace *trace)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++)
        n += rows->at[i].kind == NSC_LINE_LANE && rows->at[i].parts == 1 &&
             nsc_trace_track(trace, rows->at[i].track)->kind == NSC_TRACK_STREAM;
    return n;
}

void nsc_rows_fill(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds,
                   struct nsc_arrangement *arrangement, size_t room)
{
    if (room)
        arrangement->spare_height = 0;
    nsc_rows_build(rows, trace, folds);
    if (!room || rows->n + plain_streams(rows, trace) > room)
        return;
    arrangement->spare_height = SPARE_HEIGHT;
    nsc_rows_build(rows, trace, folds);
}

void nsc_rows_fini(struct nsc_rows *rows)
{
    NSC_VEC_FINI(rows);
}

/* ---- finding ---- */

size_t nsc_rows_first(const struct nsc_rows *rows, size_t line)
{
    return line - rows->at[line].part;
}

size_t nsc_rows_step(const struct nsc_rows *rows, size_t line, bool down)
{
    size_t first = nsc_rows_first(rows, line);

    if (!down)
        return first ? nsc_rows_first(rows, first - 1) : 0;
    return first + rows->at[first].parts < rows->n ? first + rows->at[first].parts : first;
}

size_t nsc_rows_first_lane(const struct nsc_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->at[i].kind == NSC_LINE_LANE)
            return i;
    return 0;
}

size_t nsc_rows_find_row(const struct nsc_rows *rows, struct nsc_pin row)
{
    size_t line = 0;

    while (line < rows->n && !nsc_pin_is_same(nsc_rows_pin(&rows->at[line]), row))
        line++;
    return line;
}

/* The first line of a track, not counting pinned lines; n if there is none. */
static size_t line_of(const struct nsc_rows *rows, uint32_t track)
{
    size_t line = rows->n_pinned;

    while (line < rows->n && rows->at[line].track != track)
        line++;
    if (line < rows->n)
        return line;
    for (line = 0; line < rows->n_pinned; line++)
        if (rows->at[line].track == track)
            return line;
    return rows->n;
}

size_t nsc_rows_find_track(const struct nsc_rows *rows, const struct nsc_trace *trace,
                           uint32_t track)
{
    uint32_t capture_no = nsc_trace_track(trace, track)->capture_no;
    size_t line = line_of(rows, track);

    if (line == rows->n)
        line = line_of(rows, nsc_trace_group_of(trace, track));
    if (line == rows->n)
        line = line_of(rows, nsc_trace_captures(trace, NULL)[capture_no].first_track);
    return line < rows->n ? line : 0;
}

size_t nsc_rows_find(const struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t lane)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    uint32_t track = lanes[lane].track;
    size_t last = rows->n;

    for (size_t i = 0; i < rows->n; i++) {
        if (rows->at[i].track == track)
            last = nsc_rows_first(rows, i);
        if (rows->at[i].lane == lane)
            return i;
    }
    return last < rows->n ? last : nsc_rows_find_track(rows, trace, track);
}
