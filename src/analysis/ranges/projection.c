/*
 * Projects ranges: reads the launches of a thread once per depth, together with the ranges of that
 * depth.
 */
#include "analysis/ranges/projection.h"

#include "analysis/base/around.h"
#include "core/sum.h"
#include "index/pack.h"
#include "index/shadow.h"

#include <stdlib.h>
#include <string.h>

struct piece { /* projected ranges of one depth on one device */
    struct nsc_projection_line line;
    uint32_t first, n; /* in rows */
};

struct work {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_launches *launches;
    const struct nsc_fields *spans; /* NULL: without start/end ranges */
    const struct nsc_track *tracks;
    uint32_t n_tracks;
    NSC_VEC(struct nsc_shadow) rows;
    NSC_VEC(struct piece) pieces;
    NSC_VEC(uint32_t) ends; /* ends of the shadow's lanes */
    uint32_t left_out;
};

/* ---- one depth ---- */

static uint32_t device_of(const struct work *work, nsc_event op)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(work->trace, NULL);

    return nsc_trace_group_of(work->trace, lanes[nsc_trace_lane_of(work->trace, op)].track);
}

static void row_extend(struct nsc_shadow *row, const struct nsc_events *events, nsc_event op)
{
    nsc_time end = nsc_event_end(events, op);

    row->at.t0 = nsc_earlier(row->at.t0, events->start[op]);
    row->at.t1 = nsc_later(row->at.t1, end);
}

/* Whether a range ends on the thread that started it; push/pop ranges always do. */
static bool ends_here(const struct work *work, nsc_event range, uint32_t tid)
{
    int64_t thread;

    return work->events->kind[range] != NSC_KIND_NVTX_SPAN ||
           !nsc_fields_int(&thread, work->spans, NSC_RANGE_END_THREAD,
                           nsc_fields_find(work->spans, range)) ||
           ((uint64_t)thread & 0xffffff) == (tid & 0xffffff);
}

/* Appends the projections of a lane's ranges on one device. False if there are too many. */
static bool lane_project(struct work *work, uint32_t lane, struct nsc_positions in, uint32_t device)
{
    const struct nsc_events *events = work->events;
    uint32_t tid = work->tracks[nsc_trace_lanes(work->trace, NULL)[lane].track].tid;
    nsc_event open = NSC_NONE; /* range of the last row */
    bool fits = true;
    struct nsc_around around;

    nsc_around_nested(&around, work->trace, lane, 1);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_time t = nsc_launches_time(work->launches, i);
        nsc_event op = nsc_launches_op(work->launches, i);
        nsc_event range = nsc_around_latest(&around, t, t);

        if (range == NSC_NONE || device_of(work, op) != device || !ends_here(work, range, tid))
            continue;
        if (range != open) {
            fits = work->rows.n < NSC_PROJECTION_ROWS;
            if (!fits)
                break;
            *NSC_VEC_ADD(&work->rows) =
                (struct nsc_shadow){{events->start[op], nsc_event_end(events, op)}, range};
            open = range;
        }
        row_extend(&work->rows.at[work->rows.n - 1], events, op);
    }
    nsc_around_fini(&around);
    return fits;
}

static void depth_project(struct work *work, uint32_t track, uint32_t depth, uint32_t device)
{
    struct nsc_positions in = nsc_launches_of_track(work->launches, track);
    uint32_t first = (uint32_t)work->rows.n;
    struct piece piece = {{device, track, depth, 0, 0}, first, 0};

    if (!lane_project(work, work->tracks[track].first_lane + depth, in, device)) {
        work->rows.n = first;
        work->left_out++;
        return;
    }
    piece.n = (uint32_t)work->rows.n - first;
    if (piece.n)
        *NSC_VEC_ADD(&work->pieces) = piece;
}

static bool is_wanted(const struct work *work, uint32_t track)
{
    uint8_t kind = work->tracks[track].kind;

    return kind == NSC_TRACK_NVTX || (kind == NSC_TRACK_SPANS && work->spans);
}

/* Projects outer depths first, so that inner ones are dropped if there are too many. */
static void all_project(struct work *work, uint32_t depths)
{
    for (uint32_t depth = 0; depth < depths; depth++)
        for (uint32_t t = 0; t < work->n_tracks; t++) {
            if (!is_wanted(work, t) || depth >= work->tracks[t].n_lanes)
                continue;
            for (uint32_t d = nsc_trace_next_group(work->trace, 0); d < work->n_tracks;
                 d = nsc_trace_next_group(work->trace, work->tracks[d].skip))
                if (work->tracks[d].kind == NSC_TRACK_DEVICE &&
                    work->tracks[d].capture_no == work->tracks[t].capture_no)
                    depth_project(work, t, depth, d);
        }
    for (uint32_t t = 0; t < work->n_tracks; t++)
        if (is_wanted(work, t) && work->tracks[t].n_lanes > depths)
            work->left_out += work->tracks[t].n_lanes - depths;
}

/* ---- lanes ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct nsc_shadow *x = a;
    const struct nsc_shadow *y = b;

    if (x->at.t0 != y->at.t0)
        return x->at.t0 < y->at.t0 ? -1 : 1;
    if (x->at.t1 != y->at.t1)
        return x->at.t1 > y->at.t1 ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static struct nsc_window row_span(const void *context, uint32_t i)
{
    const struct nsc_shadow *rows = context;
    struct nsc_window w = rows[i].at;

    w.t1 += w.t1 == w.t0 && w.t1 < INT64_MAX;
    return w;
}

/* Sorts a piece by lane, then start, and stores the end of each lane. */
static void piece_pack(struct work *work, struct piece *piece)
{
    struct nsc_shadow *rows = work->rows.at + piece->first;
    uint32_t *lane = nsc_xmalloc((size_t)piece->n * sizeof *lane);
    struct nsc_shadow *sorted = nsc_xmalloc((size_t)piece->n * sizeof *sorted);
    uint32_t *next = NULL;

    qsort(rows, piece->n, sizeof *rows, compare_rows);
    piece->line.first_lane = (uint32_t)work->ends.n;
    piece->line.n_lanes = nsc_pack_lanes(lane, piece->n, row_span, rows);
    next = nsc_xcalloc((size_t)piece->line.n_lanes + 1, sizeof *next);
    for (uint32_t i = 0; i < piece->n; i++)
        next[lane[i] + 1]++;
    for (uint32_t k = 0; k < piece->line.n_lanes; k++) {
        next[k + 1] += next[k];
        *NSC_VEC_ADD(&work->ends) = piece->first + next[k + 1];
    }
    for (uint32_t i = 0; i < piece->n; i++)
        sorted[next[lane[i]]++] = rows[i];
    memcpy(rows, sorted, (size_t)piece->n * sizeof *sorted);
    free(next);
    free(sorted);
    free(lane);
}

static int compare_lines(const void *a, const void *b)
{
    const struct nsc_projection_line *x = a;
    const struct nsc_projection_line *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static struct nsc_projection *finish(struct work *work)
{
    struct nsc_projection *out = nsc_xcalloc(1, sizeof *out);

    for (size_t i = 0; i < work->pieces.n; i++)
        piece_pack(work, &work->pieces.at[i]);
    out->n = (uint32_t)work->pieces.n;
    out->left_out = work->left_out;
    out->lines = nsc_xcalloc((size_t)out->n + 1, sizeof *out->lines);
    for (uint32_t i = 0; i < out->n; i++)
        out->lines[i] = work->pieces.at[i].line;
    qsort(out->lines, out->n, sizeof *out->lines, compare_lines);
    out->shadow = nsc_shadow_new(work->trace, work->rows.at, (uint32_t)work->rows.n, work->ends.at,
                                 (uint32_t)work->ends.n);
    if (out->shadow)
        return out;
    nsc_projection_free(out);
    return NULL;
}

struct nsc_projection *nsc_projection_build(const struct nsc_trace *trace,
                                            const struct nsc_launches *launches, uint32_t depths,
                                            const struct nsc_fields *spans)
{
    struct work work = {
        .trace = trace, .events = nsc_trace_events(trace), .launches = launches, .spans = spans};
    struct nsc_projection *out = NULL;

    work.tracks = nsc_trace_tracks(trace, &work.n_tracks);
    all_project(&work, depths);
    out = finish(&work);
    NSC_VEC_FINI(&work.rows);
    NSC_VEC_FINI(&work.pieces);
    NSC_VEC_FINI(&work.ends);
    return out;
}

void nsc_projection_free(struct nsc_projection *projection)
{
    if (!projection)
        return;
    nsc_shadow_free(projection->shadow);
    free(projection->lines);
    free(projection);
}
