/* Finds gaps, and attributes each to what the thread does that launches the op after it. */
#include "analysis/device/gaps.h"

#include "analysis/base/correlate.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>

_Static_assert((int)NSC_GAP_OVERHEAD == (int)NSC_HOST_OVERHEAD &&
                   (int)NSC_GAP_LAUNCH == (int)NSC_HOST_LAUNCH &&
                   (int)NSC_GAP_CPU == (int)NSC_HOST_CPU &&
                   (int)NSC_GAP_DRAINED == (int)NSC_N_HOST_ACTS,
               "the late parts of a gap are the acts of the host");

const char *nsc_gap_part_word(enum nsc_gap_part part)
{
    static const char *const words[NSC_N_GAP_PARTS] = {
        [NSC_GAP_OVERHEAD] = "profiler overhead",
        [NSC_GAP_MPI] = "MPI call",
        [NSC_GAP_GIL] = "wait for Python's GIL",
        [NSC_GAP_GC] = "Python's garbage collection",
        [NSC_GAP_SYNC] = "synchronizing call",
        [NSC_GAP_COPY] = "blocking copy",
        [NSC_GAP_MEMORY] = "allocating or freeing",
        [NSC_GAP_LONG_LAUNCH] = "long launch call",
        [NSC_GAP_LAUNCH] = "launch overhead",
        [NSC_GAP_CUDA] = "other CUDA call",
        [NSC_GAP_FILE] = "file I/O",
        [NSC_GAP_LOCK] = "lock or join (waits for another thread)",
        [NSC_GAP_SLEEP] = "sleep",
        [NSC_GAP_NETWORK] = "network",
        [NSC_GAP_EVENTS] = "wait for events or requests",
        [NSC_GAP_OS] = "other OS call",
        [NSC_GAP_CPU] = "CPU work",
        [NSC_GAP_DRAINED] = "after a wait that drained the queue",
        [NSC_GAP_OFF_CPU] = "off the CPU",
        [NSC_GAP_STREAM] = "behind its own stream",
        [NSC_GAP_OTHER_STREAM] = "behind another stream",
        [NSC_GAP_BEHIND_COPY] = "behind a copy",
        [NSC_GAP_MIGRATION] = "behind a migration of unified memory",
        [NSC_GAP_BEHIND_GPU] = "behind another GPU",
        [NSC_GAP_QUEUED] = "why is not known",
        [NSC_GAP_OTHER_GPU] = "the host waits for another GPU",
        [NSC_GAP_ENDED] = "no more work",
        [NSC_GAP_UNKNOWN] = "not known",
        [NSC_GAP_UNRECORDED] = "not recorded",
    };

    return words[part];
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

static bool is_launch(const struct nsc_host_piece *piece)
{
    return piece->act == NSC_HOST_LAUNCH || piece->act == NSC_HOST_LONG_LAUNCH;
}

/* Marks short CPU work between two calls, before piece i, as launch overhead. run: first of these
 * pieces; prior: end and act of the call before them. */
static void mark_between(struct nsc_gap_piece *out, const struct nsc_host_piece *pieces, size_t run,
                         size_t i, nsc_time prior, uint8_t act)
{
    struct nsc_host_piece before = {.act = act};
    nsc_time from = prior;

    if (run > 0) {
        before = pieces[run - 1];
        from = pieces[run].start;
    }
    if (nsc_span(from, pieces[i].start) > NSC_LAUNCH_BETWEEN_NS ||
        !(is_launch(&before) || before.act == NSC_HOST_CUDA) ||
        !(is_launch(&pieces[i]) || pieces[i].act == NSC_HOST_CUDA) ||
        !(is_launch(&before) || is_launch(&pieces[i])))
        return;
    for (size_t k = run; k < i; k++)
        out[k].part = NSC_GAP_LAUNCH;
}

/* Whether the call returns only after all earlier GPU work is done. cudaFree does, cudaFreeAsync
 * does not. */
static bool drains(struct nsc_gap_walk *walk, nsc_event call, enum nsc_host_act act)
{
    struct nsc_text name;

    if (act != NSC_HOST_MEMORY)
        return act == NSC_HOST_SYNC || act == NSC_HOST_COPY;
    name = nsc_event_name(walk->scope->trace, call);
    return nsc_text_contains_folded(name, nsc_text_from("free")) &&
           !nsc_text_contains_folded(name, nsc_text_from("async"));
}

/* Whether the work after a wait would be hidden without it: three quarters of it are no longer than
 * the GPU's work since the last wait before it. Otherwise the work itself keeps the GPU idle. */
static bool hides_work(struct nsc_gap_walk *walk, const struct nsc_gap *gap, nsc_event wait)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event first = nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, wait)].first;
    nsc_time work = nsc_span(nsc_later(gap->start, nsc_event_end(events, wait)), gap->end);
    bool is_wait = true;

    if (work <= NSC_LAUNCH_BETWEEN_NS)
        return true;
    for (; wait > first; wait--) {
        bool drained = drains(walk, wait - 1, nsc_host_walk_act(&walk->host, wait - 1));

        if (drained && !is_wait)
            break;
        is_wait &= drained; /* item() copies, and then waits for the copy */
    }
    return work - work / 4 <=
           nsc_cover_measure(walk->ops.busy, (struct nsc_window){events->start[wait], gap->start});
}

/* The wait that drained the queue and holds up what follows: the thread was in it when the gap began,
 * or left it just before. */
static nsc_event find_drain(struct nsc_gap_walk *walk, const struct nsc_gap *gap,
                            const struct nsc_host_piece *first)
{
    const struct nsc_events *events = nsc_trace_events(walk->scope->trace);
    nsc_event before = walk->host.before;
    enum nsc_host_act act;

    if (first->start > gap->start)
        return NSC_NONE;
    if (first->act != NSC_HOST_CPU && events->start[first->row] < gap->start &&
        drains(walk, first->row, (enum nsc_host_act)first->act))
        return hides_work(walk, gap, first->row) ? first->row : NSC_NONE;
    if (before == NSC_NONE || nsc_event_end(events, before) + NSC_DRAIN_SLACK_NS < gap->start)
        return NSC_NONE;
    act = nsc_host_walk_act(&walk->host, before);
    return drains(walk, before, act) && hides_work(walk, gap, before) ? before : NSC_NONE;
}

/* ---- the ranges of a thread that has none ---- */

/* What may lend its ranges to a thread: the main thread of its process, unless it is that itself. */
static const struct nsc_gap_lender *find_lender(struct nsc_gap_walk *walk, uint32_t thread)
{
    const struct nsc_trace *trace = walk->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct nsc_gap_lender *lender = nsc_sparse_at(&walk->lenders, thread);
    uint32_t main;

    if (lender->is_known)
        return lender;
    main = nsc_trace_thread(trace, tracks[thread].process, tracks[thread].pid);
    *lender = (struct nsc_gap_lender){
        .thread = main != thread ? main : NSC_NONE,
        .is_known = true,
        .is_always = nsc_text_contains_folded(nsc_trace_string(trace, tracks[thread].label),
                                              nsc_text_from("autograd"))};
    return lender;
}

/* Whether the thread just read waits for another one all the time. */
static bool is_parked(const struct nsc_gap_walk *walk)
{
    for (size_t i = 0; i < walk->host.pieces.n; i++)
        if (walk->host.pieces.at[i].act != NSC_HOST_LOCK ||
            !nsc_parked_is(walk->scope->trace, walk->host.pieces.at[i].row))
            return false;
    return walk->host.pieces.n > 0;
}

/* The range with most of the time just read. */
static nsc_event main_range(const struct nsc_gap_walk *walk)
{
    nsc_event range = NSC_NONE;
    nsc_time most = 0;

    for (size_t i = 0; i < walk->host.pieces.n; i++) {
        const struct nsc_host_piece *piece = &walk->host.pieces.at[i];

        if (piece->range == NSC_NONE || nsc_span(piece->start, piece->end) <= most)
            continue;
        most = nsc_span(piece->start, piece->end);
        range = piece->range;
    }
    return range;
}

/* Attributes the thread's work outside of ranges to the main thread's range if the main thread waits
 * for it, as it does for autograd's threads. */
static void lend_ranges(struct nsc_gap_walk *walk, uint32_t thread, size_t first)
{
    const struct nsc_gap_lender *lender = find_lender(walk, thread);

    for (size_t i = first; i < walk->pieces.n && lender->thread != NSC_NONE; i++) {
        struct nsc_gap_piece *piece = &walk->pieces.at[i];

        if (piece->range != NSC_NONE)
            continue;
        nsc_host_walk_read(&walk->host, lender->thread, piece->start, piece->end);
        if (lender->is_always || is_parked(walk))
            piece->range = main_range(walk);
    }
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

/* Pieces of a thread, one after the other. */
struct stretch {
    const struct nsc_host_piece *at;
    size_t n;
    nsc_time prior;    /* end of what came before them */
    uint8_t prior_act; /* its act; NSC_HOST_CPU: no call */
};

/* The pieces of the last read. */
static struct stretch read_stretch(struct nsc_gap_walk *walk)
{
    struct stretch stretch = {walk->host.pieces.at, walk->host.pieces.n, INT64_MIN / 2,
                              NSC_HOST_CPU};
    nsc_event before = walk->host.before;

    if (before != NSC_NONE) {
        stretch.prior = nsc_event_end(nsc_trace_events(walk->scope->trace), before);
        stretch.prior_act = (uint8_t)nsc_host_walk_act(&walk->host, before);
    }
    return stretch;
}

/* Marks launch overhead in pieces, which were added from first on. */
static void mark_launches(struct nsc_gap_walk *walk, size_t first, const struct stretch *stretch)
{
    size_t run = 0;

    for (size_t i = 0; i < stretch->n; i++) {
        if (stretch->at[i].act == NSC_HOST_CPU)
            continue;
        if (i > run)
            mark_between(&walk->pieces.at[first], stretch->at, run, i, stretch->prior,
                         stretch->prior_act);
        run = i + 1;
    }
}

/* Adds pieces of a thread. sleep: the call in which the launching thread waits for it; NSC_NONE. */
static void add_thread(struct nsc_gap_walk *walk, struct nsc_gap *gap, uint32_t thread,
                       nsc_event sleep, const struct stretch *stretch)
{
    const struct nsc_host_piece *pieces = stretch->at;
    size_t first = walk->pieces.n;
    size_t n = stretch->n;
    bool is_waiting = false;
    bool is_drained;

    if (n > 0 && gap->drained == NSC_NONE)
        gap->drained = find_drain(walk, gap, pieces);
    is_drained = is_after_drain(walk, gap, thread, sleep);
    for (size_t i = 0; i < n; i++) {
        *NSC_VEC_ADD(&walk->pieces) =
            (struct nsc_gap_piece){pieces[i].start,  pieces[i].end,   pieces[i].act, pieces[i].row,
                                   pieces[i].inside, pieces[i].range, thread,        sleep};
        is_waiting |= pieces[i].act == NSC_HOST_SYNC || pieces[i].act == NSC_HOST_COPY;
    }
    mark_launches(walk, first, stretch);
    if (walk->others.is_any && is_waiting)
        nsc_gap_walk_split_waits(walk, gap, first);
    nsc_gap_walk_split_work(walk, thread, first);
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
    lend_ranges(walk, thread, first);
}

/* The thread that worked, until *end, while the launching thread has no records. */
static uint32_t find_busy_thread(struct nsc_gap_walk *walk, uint32_t thread, nsc_time *end)
{
    const struct nsc_events *events = nsc_trace_events(walk->scope->trace);
    const struct nsc_host_piece *first = walk->host.pieces.at;
    nsc_event call = walk->ops.last == NSC_NONE
                         ? NSC_NONE
                         : nsc_event_launch(walk->scope->trace, walk->ops.last);
    uint32_t other;

    if (call == NSC_NONE || first->act != NSC_HOST_CPU || first->range != NSC_NONE ||
        (walk->host.before != NSC_NONE &&
         nsc_event_end(events, walk->host.before) > events->start[call]))
        return NSC_NONE;
    other = nsc_host_walk_thread(&walk->host, call);
    if (other == thread || nsc_trace_track(walk->scope->trace, other)->process !=
                               nsc_trace_track(walk->scope->trace, thread)->process)
        return NSC_NONE;
    *end = first->end;
    return other;
}

static uint32_t find_worker(struct nsc_gap_walk *walk, const struct nsc_host_piece *piece)
{
    if (piece->act != NSC_HOST_LOCK || !nsc_parked_is(walk->scope->trace, piece->row))
        return NSC_NONE;
    if (walk->last_sleep.row != piece->row) {
        walk->last_sleep = (struct nsc_gap_sleep){
            piece->row, nsc_waker_find(&walk->host, piece->row, piece->start, piece->end)};
    }
    return walk->last_sleep.worker;
}

/* Finds the thread at work in each piece of the launching thread, which was just read; false if no
 * other one is. A sleep that ends by a timeout, without a handover, continues in the next sleep. */
static bool find_workers(struct nsc_gap_walk *walk)
{
    const struct nsc_host_piece *pieces = walk->host.pieces.at;
    uint32_t next = NSC_NONE;
    nsc_time from = INT64_MAX; /* start of the sleep that next was found for */
    bool is_any = false;

    NSC_VEC_CLEAR(&walk->workers);
    for (size_t i = 0; i < walk->host.pieces.n; i++) {
        *NSC_VEC_ADD(&walk->workers) = find_worker(walk, &pieces[i]);
        is_any |= walk->workers.at[i] != NSC_NONE;
    }
    for (size_t i = walk->host.pieces.n; i-- > 0 && is_any;) {
        bool is_sleep =
            pieces[i].act == NSC_HOST_LOCK && nsc_parked_is(walk->scope->trace, pieces[i].row);

        if (is_sleep && walk->workers.at[i] == NSC_NONE && from - NSC_HANDOVER_NS <= pieces[i].end)
            walk->workers.at[i] = next;
        if (is_sleep) {
            next = walk->workers.at[i];
            from = pieces[i].start;
        }
    }
    return is_any;
}

/* Adds the pieces of the launching thread, and in their place those of the threads at work. other:
 * the one at work until silent; NSC_NONE: none. */
static void add_threads(struct nsc_gap_walk *walk, struct nsc_gap *gap, uint32_t thread,
                        struct stretch part, uint32_t other, nsc_time silent)
{
    struct nsc_host_pieces own = walk->host.pieces;

    walk->host.pieces = walk->own;
    walk->own = own;
    for (size_t i = 0; i < own.n; i += part.n) {
        const struct nsc_host_piece *piece = &own.at[i];
        uint32_t at_work = piece->end <= silent ? other : walk->workers.at[i];

        if (i > 0)
            part = (struct stretch){piece, 0, piece->start, piece[-1].act};
        part.n = 1;
        if (at_work == NSC_NONE) {
            while (i + part.n < own.n && walk->workers.at[i + part.n] == NSC_NONE)
                part.n++;
            add_thread(walk, gap, thread, NSC_NONE, &part);
        } else {
            struct stretch theirs;

            nsc_host_walk_read(&walk->host, at_work, piece->start, piece->end);
            theirs = read_stretch(walk);
            add_thread(walk, gap, at_work, at_work != other ? piece->row : NSC_NONE, &theirs);
        }
    }
}

/* Reads the launching thread in a part of the gap, and other threads while it is not at work. */
static void add_late(struct nsc_gap_walk *walk, struct nsc_gap *gap, nsc_event call,
                     struct nsc_window part)
{
    uint32_t thread = nsc_host_walk_thread(&walk->host, call);
    nsc_time silent = part.t0;
    struct stretch all;
    uint32_t other;

    nsc_host_walk_read(&walk->host, thread, part.t0, part.t1);
    all = read_stretch(walk);
    other = find_busy_thread(walk, thread, &silent);
    if (find_workers(walk) || other != NSC_NONE)
        add_threads(walk, gap, thread, all, other, silent);
    else
        add_thread(walk, gap, thread, NSC_NONE, &all);
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
        nsc_gap_walk_add_queued(walk, gap, piece);
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
    uint32_t n_tracks = 0;

    *walk = (struct nsc_gap_walk){.scope = scope, .last_sleep = {NSC_NONE, NSC_NONE}};
    nsc_host_walk_init(&walk->host, scope);
    (void)nsc_trace_tracks(scope->trace, &n_tracks);
    nsc_sparse_init(&walk->lenders, n_tracks, sizeof(struct nsc_gap_lender));
    nsc_other_gpus_init(&walk->others, scope, device);
    walk->recorded = nsc_trace_captures(scope->trace, NULL)[capture].recorded;
    return nsc_gap_ops_init(&walk->ops, scope, device);
}

void nsc_gap_walk_fini(struct nsc_gap_walk *walk)
{
    nsc_host_walk_fini(&walk->host);
    nsc_gap_ops_fini(&walk->ops);
    nsc_sparse_fini(&walk->lenders);
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
