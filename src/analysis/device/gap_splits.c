/* Splits the time of a gap in which another GPU of the process is at work, or the thread on no CPU. */
#include "analysis/device/gap_steps.h"
#include "core/bisect.h"
#include "core/sum.h"

/* Whether the host may wait for another GPU in the piece: not in a copy of this one. */
static bool may_wait_elsewhere(struct nsc_gap_walk *walk, const struct nsc_gap *gap,
                               const struct nsc_gap_piece *piece)
{
    if (piece->part == NSC_GAP_COPY)
        return piece->call != gap->call && piece->call != nsc_gap_ops_last_call(&walk->ops);
    return piece->part == NSC_GAP_SYNC;
}

static void add_part(struct nsc_gap_walk *walk, struct nsc_gap_piece piece, uint8_t part,
                     nsc_time start, nsc_time end)
{
    piece.part = part;
    piece.start = start;
    piece.end = end;
    if (start < end)
        *NSC_VEC_ADD(&walk->pieces) = piece;
}

/* Adds a piece, with another part where other GPUs run work of the process. */
static void add_split(struct nsc_gap_walk *walk, struct nsc_gap_piece piece, uint64_t process,
                      enum nsc_gap_part part)
{
    nsc_time t = piece.start;
    struct nsc_window busy;

    while (nsc_other_gpus_busy(&walk->others, process, t, piece.end, &busy)) {
        if (t == piece.start || busy.t0 - t > NSC_HANDOVER_NS)
            add_part(walk, piece, piece.part, t, busy.t0);
        else
            busy.t0 = t;
        add_part(walk, piece, (uint8_t)part, busy.t0, busy.t1);
        t = busy.t1;
    }
    add_part(walk, piece, piece.part, t, piece.end);
}

/* Moves the pieces from first on to those that are split. */
static void move_pieces(struct nsc_gap_walk *walk, size_t first)
{
    NSC_VEC_CLEAR(&walk->unsplit);
    for (size_t i = first; i < walk->pieces.n; i++)
        *NSC_VEC_ADD(&walk->unsplit) = walk->pieces.at[i];
    walk->pieces.n = first;
}

void nsc_gap_split_waits(struct nsc_gap_walk *walk, const struct nsc_gap *gap, size_t first)
{
    move_pieces(walk, first);
    for (size_t i = 0; i < walk->unsplit.n; i++) {
        const struct nsc_gap_piece *piece = &walk->unsplit.at[i];

        if (may_wait_elsewhere(walk, gap, piece))
            add_split(walk, *piece, nsc_trace_track(walk->scope->trace, piece->thread)->process,
                      NSC_GAP_OTHER_GPU);
        else
            *NSC_VEC_ADD(&walk->pieces) = *piece;
    }
}

uint32_t nsc_thread_track(const struct nsc_trace *trace, uint32_t thread, uint8_t kind)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t end = nsc_group_end(tracks, thread);
    uint32_t t = thread + 1;
    uint32_t high = end;

    NSC_BISECT(t, high, middle, tracks[middle].kind < kind);
    return t < end && tracks[t].kind == kind ? t : NSC_NONE;
}

void nsc_gap_split_work(struct nsc_gap_walk *walk, uint32_t thread, size_t first)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t sched = nsc_thread_track(trace, thread, NSC_TRACK_SCHED);
    const struct nsc_lane *lane;
    uint32_t number;

    if (sched == NSC_NONE || nsc_trace_track(trace, sched)->n_lanes == 0)
        return;
    number = nsc_trace_track(trace, sched)->first_lane;
    lane = &nsc_trace_lanes(trace, NULL)[number];
    move_pieces(walk, first);
    for (size_t i = 0; i < walk->unsplit.n; i++) {
        const struct nsc_gap_piece *piece = &walk->unsplit.at[i];
        nsc_event row = nsc_lane_find(trace, number, piece->start);
        nsc_time t = piece->start;

        if (piece->part != NSC_GAP_CPU) {
            *NSC_VEC_ADD(&walk->pieces) = *piece;
            continue;
        }
        for (; row - lane->first < lane->n && events->start[row] < piece->end; row++) {
            nsc_time from = nsc_later(t, events->start[row]);
            nsc_time to = nsc_earlier(nsc_event_end(events, row), piece->end);

            add_part(walk, *piece, NSC_GAP_OFF_CPU, t, from);
            add_part(walk, *piece, NSC_GAP_CPU, from, to);
            t = nsc_later(from, to);
        }
        add_part(walk, *piece, NSC_GAP_OFF_CPU, t, piece->end);
    }
}

void nsc_gap_add_queued(struct nsc_gap_walk *walk, struct nsc_gap *gap, struct nsc_gap_piece piece)
{
    size_t first = walk->pieces.n;
    uint64_t process =
        nsc_trace_track(walk->scope->trace, nsc_host_walk_thread(&walk->host, gap->call))->process;

    add_split(walk, piece, process, NSC_GAP_BEHIND_GPU);
    if (!nsc_other_gpus_ended(&walk->others, process, gap->end - NSC_LAUNCH_LATENCY_NS, gap->end)) {
        walk->pieces.n = first;
        *NSC_VEC_ADD(&walk->pieces) = piece;
    }
    for (size_t i = first; i < walk->pieces.n; i++) {
        const struct nsc_gap_piece *added = &walk->pieces.at[i];

        gap->part[added->part] =
            nsc_sum(gap->part[added->part], nsc_span(added->start, added->end));
    }
}
