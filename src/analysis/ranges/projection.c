/*
 * Projects ranges: reads the launches inside the ranges of a track, together with the ranges of all
 * depths. Several threads project at once.
 */
#include "analysis/ranges/projection.h"

#include "analysis/base/correlate.h"
#include "core/die.h"
#include "core/sparse.h"
#include "core/sum.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/derived_trace.h"
#include "index/pack.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { BLOCK = 4 };
#else
enum { BLOCK = 256 }; /* launches summed at once: many domains may have ranges around all of them */
#endif

struct piece { /* projected ranges of one depth on one device */
    struct nsc_projection_line line;
    nsc_event open;                         /* range of the last row */
    NSC_VEC(struct nsc_derived_trace) rows; /* until it is packed */
    uint32_t first;                         /* its first row in the derived */
    NSC_VEC(uint32_t) ends;                 /* of its lanes, after first */
    NSC_VEC(struct nsc_derived_trace_long) longs;
    bool is_left_out;
};

struct block { /* the ops at BLOCK positions of launches */
    uint32_t n;
    struct span { /* of the ops on a device */
        uint32_t device;
        struct nsc_window at;
    } * spans;
};

struct work {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_launches *launches;
    struct nsc_progress *stop;      /* then the pieces are wrong */
    struct block *blocks;           /* of all positions but the last ones */
    const struct nsc_fields *spans; /* NULL: without start/end ranges */
    const struct nsc_track *tracks;
    uint32_t n_tracks;
    uint32_t depths;
    struct pieces {
        NSC_VEC(struct piece) list;
    } * of_track, all; /* all: outer depths first, so that inner ones are dropped if there are too
                        * many */
    struct nsc_trace *derived; /* rows of all pieces, by lane and start */
    uint32_t n_packed;
    uint32_t left_out;
};

/* ---- one depth ---- */

/* Whether a range ends on the thread that started it; push/pop ranges always do. */
static bool ends_here(const struct work *work, nsc_event range, uint32_t tid)
{
    int64_t thread;

    return work->events->kind[range] != NSC_KIND_NVTX_SPAN ||
           !nsc_fields_int(&thread, work->spans, NSC_RANGE_END_THREAD,
                           nsc_fields_find(work->spans, range)) ||
           ((uint64_t)thread & 0xffffff) == (tid & 0xffffff);
}

struct cursor { /* of a lane: the first row that has not ended, and the end */
    nsc_event row, end;
};

/* Moves the cursors of a track to t. The first time from t on at which a range is open; *until: the
 * first after t at which one begins or ends. */
static nsc_time move_cursors(struct cursor at[], uint32_t n, const struct nsc_events *events,
                             nsc_time t, nsc_time *until)
{
    nsc_time found = *until = INT64_MAX;

    for (uint32_t k = 0; k < n; k++) {
        nsc_time end = INT64_MAX;

        while (at[k].row < at[k].end && (end = nsc_event_touch_end(events, at[k].row)) <= t)
            at[k].row++;
        if (at[k].row < at[k].end) {
            nsc_time start = events->start[at[k].row];

            found = nsc_earlier(found, nsc_later(t, start));
            *until = nsc_earlier(*until, start > t ? start : end);
        }
    }
    return found;
}

static struct nsc_window join(struct nsc_window a, struct nsc_window b)
{
    return (struct nsc_window){nsc_earlier(a.t0, b.t0), nsc_later(a.t1, b.t1)};
}

/* The op at a position. */
static struct span span_at(const struct work *work, uint32_t position)
{
    nsc_event op = nsc_launches_op(work->launches, position);

    return (struct span){nsc_event_group(work->trace, op),
                         {work->events->start[op], nsc_event_end(work->events, op)}};
}

/* Sums the ops of a block; a task for each block. */
static void sum_block(void *context, unsigned worker, uint32_t number)
{
    struct work *work = context;
    struct block *block = &work->blocks[number];
    struct span spans[BLOCK];

    (void)worker;
    for (uint32_t i = 0; i < BLOCK; i++) {
        struct span more = span_at(work, number * BLOCK + i);
        uint32_t at = 0;

        while (at < block->n && spans[at].device != more.device)
            at++;
        spans[at] = at == block->n ? more : (struct span){more.device, join(spans[at].at, more.at)};
        block->n += at == block->n;
    }
    block->spans = nsc_xmalloc(block->n * sizeof *block->spans);
    memcpy(block->spans, spans, block->n * sizeof *spans);
}

static void add_op(struct piece *piece, struct nsc_window op, nsc_event range)
{
    struct nsc_window *at;

    if (range != piece->open && !(piece->is_left_out = piece->rows.n == NSC_PROJECTION_ROWS))
        *NSC_VEC_ADD(&piece->rows) = (struct nsc_derived_trace){op, range};
    piece->open = range;
    if (piece->is_left_out)
        return;
    at = &piece->rows.at[piece->rows.n - 1].at;
    *at = join(*at, op);
}

static bool is_wanted(const struct work *work, uint32_t track)
{
    uint8_t kind = work->tracks[track].kind;

    return work->tracks[track].n_lanes > 0 &&
           (kind == NSC_TRACK_NVTX || (kind == NSC_TRACK_SPANS && work->spans));
}

/* The pieces of a track on a device, one for each of n depths. known: by track of a device, the number
 * of its first piece + 1. A track may be one of thousands, with thousands of devices. */
static struct piece *find_pieces(struct pieces *of, const struct nsc_sparse *known, uint32_t device,
                                 uint32_t track, uint32_t n)
{
    uint32_t *at = nsc_sparse_at(known, device);

    if (*at == 0) {
        *at = (uint32_t)of->list.n + 1;
        for (uint32_t depth = 0; depth < n; depth++)
            *NSC_VEC_ADD(&of->list) =
                (struct piece){.line = {device, track, depth, 0, 0}, .open = NSC_NONE};
    }
    return &of->list.at[*at - 1];
}

/* The spans of the ops at the positions from in.first on: those of a block if all of its launches are
 * before until, else that of one op, in *one. */
static struct block take_spans(const struct work *work, struct nsc_positions *in, nsc_time until,
                               struct span *one)
{
    uint32_t first = in->first;

    if (first % BLOCK == 0 && in->end - first >= BLOCK &&
        nsc_launches_time(work->launches, first + BLOCK - 1) < until) {
        in->first += BLOCK;
        return work->blocks[first / BLOCK];
    }
    in->first++;
    *one = span_at(work, first);
    return (struct block){1, one};
}

/* Projects the ranges of a track on all devices. Leaves out too many. */
static void project_track(void *context, unsigned worker, uint32_t track)
{
    struct work *work = context;
    const struct nsc_track *of = &work->tracks[track];
    const struct nsc_lane *lanes = nsc_trace_lanes(work->trace, NULL) + of->first_lane;
    const struct nsc_events *events = work->events;
    struct nsc_positions in = nsc_launches_of_track(work->launches, track);
    uint32_t n = of->n_lanes < work->depths ? of->n_lanes : work->depths;
    struct cursor *at;
    struct nsc_sparse known;

    (void)worker;
    if (!is_wanted(work, track) || in.first == in.end)
        return;
    nsc_sparse_init(&known, work->n_tracks, sizeof(uint32_t));
    at = nsc_xcalloc((size_t)n + 1, sizeof *at);
    for (uint32_t k = 0; k < n; k++)
        at[k] = (struct cursor){lanes[k].first, lanes[k].first + lanes[k].n};
    while (in.first < in.end && !nsc_progress_is_cancelled(work->stop)) {
        nsc_time t = nsc_launches_time(work->launches, in.first);
        nsc_time until;
        nsc_time next = move_cursors(at, n, events, t, &until);
        struct span one;
        struct block block;

        if (next > t) {
            in.first = nsc_launches_find_ahead(work->launches, in, next);
            continue;
        }
        block = take_spans(work, &in, until, &one);
        for (uint32_t i = 0; i < block.n; i++) {
            struct piece *pieces =
                find_pieces(&work->of_track[track], &known, block.spans[i].device, track, n);

            for (uint32_t k = 0; k < n; k++)
                if (at[k].row < at[k].end && events->start[at[k].row] <= t &&
                    !pieces[k].is_left_out && ends_here(work, at[k].row, of->tid))
                    add_op(&pieces[k], block.spans[i].at, at[k].row);
        }
    }
    free(at);
    nsc_sparse_fini(&known);
}

NSC_COMPARE(compare_pieces, struct piece,
            NSC_LEAST(line.depth) || NSC_LEAST(line.track) || NSC_LEAST(line.device))

/* Lists the pieces of all tracks. */
static void list_pieces(struct work *work)
{
    for (uint32_t t = 0; t < work->n_tracks; t++) {
        for (size_t i = 0; i < work->of_track[t].list.n; i++)
            *NSC_VEC_ADD(&work->all.list) = work->of_track[t].list.at[i];
        NSC_VEC_FINI(&work->of_track[t].list);
        if (is_wanted(work, t) && work->tracks[t].n_lanes > work->depths)
            work->left_out += work->tracks[t].n_lanes - work->depths;
    }
    free(work->of_track);
    NSC_VEC_SORT(&work->all.list, compare_pieces);
}

/* Keeps the pieces with rows, while there is room for all rows of a piece. */
static void drop_pieces(struct work *work)
{
    size_t kept = 0;

    for (size_t i = 0; i < work->all.list.n; i++) {
        struct piece *piece = &work->all.list.at[i];

        piece->is_left_out |= piece->rows.n > NSC_PROJECTION_ROWS - work->n_packed;
        work->left_out += piece->is_left_out;
        if (piece->is_left_out || piece->rows.n == 0) {
            NSC_VEC_FINI(&piece->rows);
            continue;
        }
        piece->first = work->n_packed;
        work->n_packed += (uint32_t)piece->rows.n;
        work->all.list.at[kept++] = *piece;
    }
    work->all.list.n = kept;
}

/* ---- lanes ---- */

NSC_COMPARE(compare_rows, struct nsc_derived_trace,
            NSC_LEAST(at.t0) || NSC_MOST(at.t1) || NSC_LEAST(event))

static struct nsc_window row_span(const void *context, uint32_t i)
{
    const struct nsc_derived_trace *rows = context;
    struct nsc_window w = rows[i].at;

    w.t1 += w.t1 == w.t0 && w.t1 < INT64_MAX;
    return w;
}

static void put_row(struct work *work, struct piece *piece, nsc_event at,
                    const struct nsc_derived_trace *row)
{
    if (!nsc_derived_trace_put(work->derived, work->trace, at, row))
        *NSC_VEC_ADD(&piece->longs) =
            (struct nsc_derived_trace_long){at, nsc_window_length(row->at)};
}

/* Puts the rows of a piece by lane, then start, and stores the end of each lane; a task for each
 * piece. */
static void pack_piece(void *context, unsigned worker, uint32_t number)
{
    struct work *work = context;
    struct piece *piece = &work->all.list.at[number];
    const struct nsc_derived_trace *rows = piece->rows.at;
    uint32_t n = (uint32_t)piece->rows.n;
    uint32_t *lane = nsc_xmalloc((size_t)n * sizeof *lane);
    uint32_t *next = NULL;

    (void)worker;
    qsort(piece->rows.at, n, sizeof *rows, compare_rows);
    piece->line.n_lanes = nsc_pack_lanes(lane, n, row_span, rows);
    next = nsc_xcalloc((size_t)piece->line.n_lanes + 1, sizeof *next);
    for (uint32_t i = 0; i < n; i++)
        next[lane[i] + 1]++;
    for (uint32_t k = 0; k < piece->line.n_lanes; k++) {
        next[k + 1] += next[k];
        *NSC_VEC_ADD(&piece->ends) = next[k + 1];
    }
    nsc_derived_trace_touch(work->derived, piece->first, n);
    for (uint32_t i = 0; i < n; i++)
        put_row(work, piece, piece->first + next[lane[i]]++, &rows[i]);
    NSC_VEC_FINI(&piece->rows);
    free(next);
    free(lane);
}

NSC_COMPARE(compare_lines, struct nsc_projection_line,
            NSC_LEAST(device) || NSC_LEAST(track) || NSC_LEAST(depth))

/* Makes lanes of the packed rows. False if out of memory. */
static bool join_pieces(struct work *work, struct nsc_pool *pool)
{
    NSC_VEC(uint32_t) ends = {0};
    NSC_VEC(struct nsc_derived_trace_long) longs = {0};
    bool out;

    for (size_t i = 0; i < work->all.list.n; i++) {
        struct piece *piece = &work->all.list.at[i];

        piece->line.first_lane = (uint32_t)ends.n;
        for (size_t k = 0; k < piece->ends.n; k++)
            *NSC_VEC_ADD(&ends) = piece->first + piece->ends.at[k];
        for (size_t k = 0; k < piece->longs.n; k++)
            *NSC_VEC_ADD(&longs) = piece->longs.at[k];
        NSC_VEC_FINI(&piece->ends);
        NSC_VEC_FINI(&piece->longs);
    }
    out = nsc_derived_trace_end(work->derived, longs.at, (uint32_t)longs.n, ends.at,
                                (uint32_t)ends.n, pool);
    NSC_VEC_FINI(&ends);
    NSC_VEC_FINI(&longs);
    return out;
}

/* NULL if out of memory. */
static struct nsc_projection *pack(struct work *work, struct nsc_pool *pool)
{
    struct nsc_projection *out = nsc_xcalloc(1, sizeof *out);

    work->derived = nsc_derived_trace_new(work->trace, work->n_packed);
    out->derived = work->derived;
    out->n = (uint32_t)work->all.list.n;
    out->left_out = work->left_out;
    out->lines = nsc_xcalloc((size_t)out->n + 1, sizeof *out->lines);
    if (work->derived)
        nsc_pool_run(pool, out->n, pack_piece, work);
    if (!work->derived || !join_pieces(work, pool)) {
        nsc_projection_free(out);
        return NULL;
    }
    for (uint32_t i = 0; i < out->n; i++)
        out->lines[i] = work->all.list.at[i].line;
    qsort(out->lines, out->n, sizeof *out->lines, compare_lines);
    return out;
}

struct nsc_projection *nsc_projection_build(const struct nsc_trace *trace,
                                            const struct nsc_launches *launches, uint32_t depths,
                                            const struct nsc_fields *spans,
                                            struct nsc_progress *stop)
{
    struct work work = {.trace = trace,
                        .events = nsc_trace_events(trace),
                        .launches = launches,
                        .stop = stop,
                        .spans = spans,
                        .depths = depths};
    struct nsc_pool *pool = nsc_pool_new(0);
    struct nsc_projection *out;
    uint32_t n_blocks = nsc_launches_count(launches) / BLOCK;

    work.blocks = nsc_xcalloc((size_t)n_blocks + 1, sizeof *work.blocks);
    nsc_pool_run(pool, n_blocks, sum_block, &work);
    work.tracks = nsc_trace_tracks(trace, &work.n_tracks);
    work.of_track = nsc_xcalloc((size_t)work.n_tracks + 1, sizeof *work.of_track);
    nsc_pool_run(pool, work.n_tracks, project_track, &work);
    list_pieces(&work);
    drop_pieces(&work);
    out = pack(&work, pool);
    nsc_pool_free(pool);
    for (size_t i = 0; i < work.all.list.n; i++) /* without memory for the derived */
        NSC_VEC_FINI(&work.all.list.at[i].rows);
    NSC_VEC_FINI(&work.all.list);
    for (uint32_t i = 0; i < n_blocks; i++)
        free(work.blocks[i].spans);
    free(work.blocks);
    return out;
}

void nsc_projection_free(struct nsc_projection *projection)
{
    if (!projection)
        return;
    nsc_derived_trace_free(projection->derived);
    free(projection->lines);
    free(projection);
}

const struct nsc_projection_line *nsc_projection_line_of(const struct nsc_projection *projection,
                                                         uint32_t lane)
{
    uint32_t i = 0;

    while (lane < projection->lines[i].first_lane ||
           lane - projection->lines[i].first_lane >= projection->lines[i].n_lanes)
        i++;
    return &projection->lines[i];
}
