/* Finds gaps, and attributes each to what the thread does that launches the op after it. */
#include "analysis/base/correlate.h"
#include "analysis/device/gap_steps.h"
#include "core/sum.h"

#include <stdlib.h>

_Static_assert((int)NSC_GAP_OVERHEAD == (int)NSC_HOST_OVERHEAD &&
                   (int)NSC_GAP_LAUNCH == (int)NSC_HOST_LAUNCH &&
                   (int)NSC_GAP_CPU == (int)NSC_HOST_CPU &&
                   (int)NSC_GAP_DRAINED == (int)NSC_N_HOST_ACTS,
               "the late parts of a gap are the acts of the host");

const char *nsc_gap_part_word(enum nsc_gap_part part)
{
    static const char *const words[] = {
#define NSC_GAP_PART(name, words) words,
#include "analysis/device/gap_part.def"
#undef NSC_GAP_PART
    };

    return words[part];
}

const char *nsc_gap_doubt(const struct nsc_trace *trace)
{
    return nsc_trace_has_tracks(trace, NSC_TRACK_OSRT, NSC_TRACK_SAMPLES)
               ? NULL
               : "a wait looks like CPU work: the export has no calls of the OS, CPU samples or "
                 "thread states";
}

const char *nsc_gap_side_word(enum nsc_gap_part part)
{
    return part < NSC_GAP_LATE         ? "CPU late"
           : part < NSC_GAP_OTHER_GPU  ? "queued"
           : part == NSC_GAP_OTHER_GPU ? "host waits"
           : part == NSC_GAP_ENDED     ? "done"
                                       : "unknown";
}

/* ---- the CPU is late ---- */

static void add_piece(struct nsc_gap_walk *walk, struct nsc_gap *gap, struct nsc_gap_piece piece)
{
    if (piece.start >= piece.end)
        return;
    gap->part[piece.part] = nsc_sum(gap->part[piece.part], nsc_span(piece.start, piece.end));
    *NSC_VEC_ADD(&walk->pieces) = piece;
}

/* ---- a thread ---- */

/* Whether a thread's work in the gap comes after the wait that drained the queue. A thread that the
 * launching thread waits for holds it up whether or not the queue is empty, unless it drained it
 * itself. */
static bool is_after_drain(struct nsc_gap_walk *walk, const struct nsc_gap *gap, uint32_t thread,
                           nsc_event sleep)
{
    return gap->drained != NSC_NONE &&
           (sleep == NSC_NONE || nsc_host_walk_thread(&walk->host, gap->drained) == thread);
}

/* Adds pieces of a thread. sleep: the call in which the launching thread waits for it; NSC_NONE. */
static void add_thread(struct nsc_gap_walk *walk, struct nsc_gap *gap, uint32_t thread,
                       nsc_event sleep, struct nsc_host_pieces pieces)
{
    size_t first = walk->pieces.n;
    bool is_drained;

    if (pieces.n > 0 && gap->drained == NSC_NONE)
        gap->drained = nsc_gap_find_drain(walk, gap, pieces.at);
    is_drained = is_after_drain(walk, gap, thread, sleep);
    for (size_t i = 0; i < pieces.n; i++) {
        const struct nsc_host_piece *piece = &pieces.at[i];

        *NSC_VEC_ADD(&walk->pieces) =
            (struct nsc_gap_piece){piece->start,  piece->end,   piece->act, piece->row,
                                   piece->inside, piece->range, thread,     sleep};
    }
    if (walk->others.is_any)
        nsc_gap_split_waits(walk, gap, first);
    nsc_gap_split_work(walk, thread, first);
    for (size_t i = first; i < walk->pieces.n; i++) {
        struct nsc_gap_piece *piece = &walk->pieces.at[i];

        if (is_drained && (piece->part == NSC_GAP_CPU || piece->part == NSC_GAP_LAUNCH)) {
            piece->part = NSC_GAP_DRAINED;
            piece->inside = piece->call;
            piece->call = gap->drained;
        }
        gap->part[piece->part] =
            nsc_sum(gap->part[piece->part], nsc_span(piece->start, piece->end));
    }
    nsc_gap_lend_ranges(walk, thread, first);
}

static bool is_cuda(uint8_t act)
{
    return act == NSC_HOST_CUDA || act == NSC_HOST_LAUNCH || act == NSC_HOST_LONG_LAUNCH;
}

/* Reads a thread; short CPU work between two CUDA calls, one of them a launch, is launch overhead. */
static void read_thread(struct nsc_gap_walk *walk, uint32_t thread, nsc_time t0, nsc_time t1)
{
    struct nsc_host_walk *host = &walk->host;
    uint8_t act = NSC_HOST_CPU; /* of the call before, which ends at t */
    nsc_time t = 0;
    size_t first = 0; /* piece after it */

    nsc_host_walk_read(host, thread, t0, t1);
    if (host->before != NSC_NONE) {
        act = (uint8_t)nsc_host_walk_act(host, host->before);
        t = nsc_event_end(nsc_trace_events(walk->scope->trace), host->before);
    }
    for (size_t i = 0; i < host->pieces.n; i++) {
        struct nsc_host_piece *piece = &host->pieces.at[i];

        if (piece->row == NSC_NONE)
            continue;
        if (is_cuda(act) && is_cuda(piece->act) &&
            (act != NSC_HOST_CUDA || piece->act != NSC_HOST_CUDA) &&
            nsc_span(t, piece->start) <= NSC_LAUNCH_BETWEEN_NS)
            for (; first < i; first++)
                host->pieces.at[first].act = NSC_HOST_LAUNCH;
        act = piece->act;
        t = piece->end;
        first = i + 1;
    }
}

/* Adds the pieces of the launching thread, and in their place those of the threads at work. */
static void add_late(struct nsc_gap_walk *walk, struct nsc_gap *gap, nsc_event call,
                     struct nsc_window part)
{
    uint32_t thread = nsc_host_walk_thread(&walk->host, call);
    struct nsc_host_pieces own;

    read_thread(walk, thread, part.t0, part.t1);
    nsc_gap_find_workers(walk, thread);
    own = walk->host.pieces;
    walk->host.pieces = walk->own;
    walk->own = own;
    for (size_t i = 0; i < own.n; i++) {
        struct nsc_host_piece *piece = &own.at[i];
        uint32_t worker = walk->workers.at[i];

        if (worker == NSC_NONE) {
            add_thread(walk, gap, thread, NSC_NONE, (struct nsc_host_pieces){piece, 1, 1});
            continue;
        }
        read_thread(walk, worker, piece->start, piece->end);
        add_thread(walk, gap, worker, piece->row, walk->host.pieces);
    }
}

/* ---- the work is issued ---- */

static enum nsc_gap_part judge_queue(struct nsc_gap_walk *walk, const struct nsc_gap *gap,
                                     nsc_time issued)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);

    if (events->start[gap->next] - issued <= NSC_LAUNCH_LATENCY_NS &&
        (issued >= gap->start || nsc_span(gap->start, gap->end) > NSC_LIMIT_STREAM_GAP))
        return gap->drained != NSC_NONE ? NSC_GAP_DRAINED : NSC_GAP_LAUNCH;
    if (walk->ops.after != NSC_NONE && nsc_gap_ops_is_migration(&walk->ops, walk->ops.after))
        return NSC_GAP_MIGRATION;
    if (walk->ops.last == NSC_NONE || nsc_span(gap->start, gap->end) > NSC_HANDOVER_NS)
        return NSC_GAP_QUEUED;
    if (nsc_event_launch(trace, walk->ops.last) == gap->call ||
        walk->ops.last_stream == walk->ops.next_stream)
        return NSC_GAP_STREAM;
    return nsc_kind_is_copy(events->kind[walk->ops.last]) ? NSC_GAP_BEHIND_COPY
                                                          : NSC_GAP_OTHER_STREAM;
}

/* The end of the last work of another GPU of the export in a gap, or the gap's start. */
static nsc_time others_end(const struct nsc_gap_walk *walk, const struct nsc_gap *gap)
{
    struct nsc_scope scope = *walk->scope;
    uint32_t capture = nsc_trace_track(scope.trace, walk->others.device)->capture_no;
    nsc_time end = gap->start;
    struct nsc_window other;

    scope.has_window = false;
    scope.window = nsc_trace_extent(scope.trace);
    scope.of_devices = NULL;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope.trace, d)) != NSC_NONE;)
        if (d != walk->others.device && nsc_trace_track(scope.trace, d)->capture_no == capture &&
            nsc_device_window(&other, &scope, d))
            end = nsc_later(end, nsc_earlier(other.t1, gap->end));
    return end;
}

/* Of which nothing is known. */
static const struct nsc_gap_piece no_piece = {.part = NSC_GAP_UNKNOWN,
                                              .call = NSC_NONE,
                                              .inside = NSC_NONE,
                                              .range = NSC_NONE,
                                              .thread = NSC_NONE,
                                              .sleep = NSC_NONE};

static void explain_gap(struct nsc_gap_walk *walk, struct nsc_gap *gap)
{
    const struct nsc_events *events = nsc_trace_events(walk->scope->trace);
    struct nsc_gap_piece piece = no_piece;
    nsc_event call = gap->next == NSC_NONE ? nsc_gap_ops_last_call(&walk->ops)
                                           : nsc_event_launch(walk->scope->trace, gap->next);
    nsc_time issued;

    piece.start = gap->start;
    piece.end = gap->end;
    if (gap->next != NSC_NONE) {
        gap->call = call;
    } else if (walk->ops.after == NSC_NONE && !walk->host.is_barred) {
        piece.part = NSC_GAP_ENDED;
        piece.end = others_end(walk, gap);
        add_piece(walk, gap, piece);
        piece.part = NSC_GAP_UNKNOWN;
        piece.start = piece.end;
        piece.end = gap->end;
    }
    if (piece.start >= piece.end)
        return;
    if (call == NSC_NONE || walk->host.is_barred) {
        add_piece(walk, gap, piece);
        return;
    }
    if (gap->next == NSC_NONE) {
        add_late(walk, gap, call, (struct nsc_window){piece.start, gap->end});
        return;
    }
    issued = nsc_event_end(events, gap->call);
    if (issued > gap->start)
        add_late(walk, gap, gap->call,
                 (struct nsc_window){gap->start, nsc_earlier(issued, gap->end)});
    if (issued >= gap->end)
        return;
    piece.start = nsc_later(issued, gap->start);
    piece.part = (uint8_t)judge_queue(walk, gap, issued);
    if (piece.part < NSC_GAP_LATE) {
        piece.call = piece.part == NSC_GAP_DRAINED ? gap->drained : gap->call;
        piece.thread = nsc_host_walk_thread(&walk->host, gap->call);
    }
    if (piece.part == NSC_GAP_QUEUED && walk->others.is_any && events->start[gap->next] == gap->end)
        nsc_gap_add_queued(walk, gap, piece);
    else
        add_piece(walk, gap, piece);
}

/* Explains the part of a gap that the device's export records. */
static void explain_recorded(struct nsc_gap_walk *walk, struct nsc_gap *gap)
{
    struct nsc_window of = {gap->start, gap->end}, rec = walk->recorded;
    struct nsc_gap_piece piece = no_piece;

    piece.part = NSC_GAP_UNRECORDED;
    piece.start = of.t0;
    piece.end = nsc_earlier(of.t1, rec.t0);
    add_piece(walk, gap, piece);
    gap->start = nsc_later(of.t0, rec.t0);
    gap->end = nsc_earlier(of.t1, rec.t1);
    if (gap->start < gap->end)
        explain_gap(walk, gap);
    piece.start = nsc_later(of.t0, rec.t1);
    piece.end = of.t1;
    add_piece(walk, gap, piece);
    gap->start = of.t0;
    gap->end = of.t1;
}

/* ---- the walk ---- */

bool nsc_gap_walk_init(struct nsc_gap_walk *walk, const struct nsc_scope *scope, uint32_t device)
{
    uint32_t capture = nsc_trace_track(scope->trace, device)->capture_no;
    *walk = (struct nsc_gap_walk){.scope = scope, .last_sleep = {NSC_NONE, NSC_NONE}};
    nsc_host_walk_init(&walk->host, scope);
    nsc_other_gpus_init(&walk->others, scope, device);
    walk->recorded = nsc_trace_captures(scope->trace, NULL)[capture].recorded;
    return nsc_gap_ops_init(&walk->ops, scope, device);
}

void nsc_gap_walk_fini(struct nsc_gap_walk *walk)
{
    nsc_host_walk_fini(&walk->host);
    nsc_gap_ops_fini(&walk->ops);
    NSC_VEC_FINI(&walk->own);
    NSC_VEC_FINI(&walk->workers);
    NSC_VEC_FINI(&walk->unsplit);
    nsc_other_gpus_fini(&walk->others);
    NSC_VEC_FINI(&walk->pieces);
}

bool nsc_gap_walk_next(struct nsc_gap_walk *walk, struct nsc_gap *gap)
{
    if (nsc_scope_is_stopped(walk->scope) || !nsc_gap_ops_next(&walk->ops))
        return false;
    *gap = (struct nsc_gap){.start = walk->ops.start,
                            .end = walk->ops.end,
                            .next = walk->ops.next,
                            .call = NSC_NONE,
                            .drained = NSC_NONE,
                            .range = NSC_NONE};
    NSC_VEC_CLEAR(&walk->pieces);
    explain_recorded(walk, gap);
    return true;
}
