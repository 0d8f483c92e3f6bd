/*
 * Walks threads forward: a cursor in each lane of calls, and one for the innermost range.
 */
#include "analysis/device/host_walk.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

void nsc_host_walk_init(struct nsc_host_walk *walk, const struct nsc_trace *trace)
{
    *walk = (struct nsc_host_walk){.trace = trace};
    nsc_call_classes_build(&walk->classes, trace);
    (void)nsc_trace_tracks(trace, &walk->n_tracks);
    walk->threads = nsc_xcalloc((size_t)walk->n_tracks + 1, sizeof *walk->threads);
}

void nsc_host_walk_fini(struct nsc_host_walk *walk)
{
    for (uint32_t t = 0; t < walk->n_tracks; t++) {
        struct nsc_host_thread *thread = walk->threads[t];

        for (uint32_t i = 0; thread && i < thread->n_ranges; i++)
            nsc_around_fini(&thread->ranges[i]);
        if (thread) {
            free(thread->ranges);
            free(thread->lanes);
        }
        free(thread);
    }
    free(walk->threads);
    NSC_VEC_FINI(&walk->pieces);
    nsc_call_classes_fini(&walk->classes);
}

static bool holds_calls(uint8_t track_kind)
{
    return track_kind == NSC_TRACK_API || track_kind == NSC_TRACK_OSRT;
}

static struct nsc_host_thread *make_thread(struct nsc_host_walk *walk, uint32_t group)
{
    const struct nsc_track *tracks = nsc_trace_tracks(walk->trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(walk->trace, NULL);
    struct nsc_host_thread *thread = nsc_xcalloc(1, sizeof *thread);
    uint32_t n_lanes = 0;
    uint32_t n_ranges = 0;

    for (uint32_t t = group; t < tracks[group].skip; t++) {
        n_lanes += holds_calls(tracks[t].kind) ? tracks[t].n_lanes : 0;
        n_ranges += tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0;
    }
    thread->lanes = nsc_xcalloc((size_t)n_lanes + 1, sizeof *thread->lanes);
    thread->ranges = nsc_xcalloc((size_t)n_ranges + 1, sizeof *thread->ranges);
    for (uint32_t t = group; t < tracks[group].skip; t++) {
        for (uint32_t k = 0; holds_calls(tracks[t].kind) && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &lanes[tracks[t].first_lane + k];

            thread->lanes[thread->n_lanes++] =
                (struct nsc_host_cursor){lane->first, lane->first + lane->n};
        }
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0)
            nsc_around_nested(&thread->ranges[thread->n_ranges++], walk->trace,
                              tracks[t].first_lane, tracks[t].n_lanes);
    }
    return thread;
}

static struct nsc_host_thread *find_thread(struct nsc_host_walk *walk, nsc_event call)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(walk->trace, NULL);
    const struct nsc_lane *lane = &lanes[walk->lane];
    uint32_t group;

    if (call < lane->first || call - lane->first >= lane->n) {
        walk->lane = nsc_trace_lane_of(walk->trace, call);
        lane = &lanes[walk->lane];
    }
    group = nsc_trace_group_of(walk->trace, lane->track);
    if (!walk->threads[group])
        walk->threads[group] = make_thread(walk, group);
    return walk->threads[group];
}

/* OS calls that are no waits count as NSC_HOST_UNTRACED: they do not explain a late launch. */
static uint8_t state_of(const struct nsc_host_walk *walk, nsc_event row)
{
    switch (nsc_call_class_of(&walk->classes, row)) {
    case NSC_CALL_SYNC:
        return NSC_HOST_SYNC;
    case NSC_CALL_BLOCKING_COPY:
        return NSC_HOST_BLOCKING_COPY;
    case NSC_CALL_OS_WAIT:
        return NSC_HOST_OS_WAIT;
    default:
        return nsc_kind_is_api(nsc_trace_events(walk->trace)->kind[row]) ? NSC_HOST_CUDA
                                                                         : NSC_HOST_UNTRACED;
    }
}

static void gather_pieces(struct nsc_host_walk *walk, struct nsc_host_cursor *at, nsc_time t0,
                          nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);

    while (at->row < at->end && nsc_event_end(events, at->row) <= t0)
        at->row++;
    for (nsc_event row = at->row; row < at->end && events->start[row] < t1; row++) {
        struct nsc_host_piece piece = {nsc_later(events->start[row], t0),
                                       nsc_earlier(nsc_event_end(events, row), t1),
                                       state_of(walk, row)};

        if (piece.start < piece.end && piece.state != NSC_HOST_UNTRACED)
            *NSC_VEC_ADD(&walk->pieces) = piece;
    }
}

static int compare_pieces(const void *a, const void *b)
{
    const struct nsc_host_piece *x = a;
    const struct nsc_host_piece *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* The length of the union of the pieces whose state is this one or one before it. */
static nsc_time measure_pieces(const struct nsc_host_walk *walk, uint8_t state)
{
    nsc_time reach = INT64_MIN;
    nsc_time sum = 0;

    for (size_t i = 0; i < walk->pieces.n; i++) {
        const struct nsc_host_piece *piece = &walk->pieces.at[i];

        if (piece->state <= state)
            sum = nsc_sum(sum, nsc_extend(&reach, piece->start, piece->end));
    }
    return sum;
}

void nsc_host_walk_add(struct nsc_host_walk *walk, nsc_event call, nsc_time t0, nsc_time t1,
                       nsc_time spent[NSC_N_HOST_STATES])
{
    struct nsc_host_thread *thread = find_thread(walk, call);
    nsc_time before = 0;

    NSC_VEC_CLEAR(&walk->pieces);
    for (uint32_t i = 0; i < thread->n_lanes; i++)
        gather_pieces(walk, &thread->lanes[i], t0, t1);
    if (walk->pieces.n > 1)
        qsort(walk->pieces.at, walk->pieces.n, sizeof *walk->pieces.at, compare_pieces);
    for (unsigned state = 0; state < NSC_HOST_UNTRACED; state++) {
        nsc_time covered = measure_pieces(walk, (uint8_t)state);

        spent[state] = nsc_sum(spent[state], covered - before);
        before = covered;
    }
    spent[NSC_HOST_UNTRACED] = nsc_sum(spent[NSC_HOST_UNTRACED], nsc_span(t0, t1) - before);
}

nsc_event nsc_host_walk_range(struct nsc_host_walk *walk, nsc_event call, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(walk->trace);
    struct nsc_host_thread *thread = find_thread(walk, call);
    nsc_event best = NSC_NONE;

    for (uint32_t i = 0; i < thread->n_ranges; i++) {
        nsc_event row = nsc_around_latest(&thread->ranges[i], t, t);

        if (row != NSC_NONE && (best == NSC_NONE || events->start[row] > events->start[best]))
            best = row;
    }
    return best;
}
