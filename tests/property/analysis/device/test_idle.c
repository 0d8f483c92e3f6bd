/*
 * Property tests of idle time: loops over all events paint each ns of the window busy or with a
 * cause; totals, gaps and ranges equal this painting.
 */
#include "analysis/device/idle_data.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/gpu_world.h"

struct naive {
    nsc_time busy, idle;
    uint32_t n_gaps;
};

static bool is_busy(const struct gpu_world *world, uint32_t device, nsc_time t)
{
    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
        if (gpu_world_device(world, e) == device && gpu_world_fills(world, e, t))
            return true;
    return false;
}

/* ---- the naive meaning of a gap ---- */

#define STEP 1000 /* all times are multiples of it */

struct naive_gap {
    nsc_time start, end;
    nsc_event next, call, last, last_call;
    uint32_t thread;
};

static uint32_t group_of(const struct gpu_world *world, nsc_event e)
{
    return nsc_trace_group_of(world->trace, gpu_world_track(world, e));
}

static bool is_call(const struct gpu_world *world, nsc_event e)
{
    uint8_t kind = nsc_trace_events(world->trace)->kind[e];

    return nsc_kind_is_api(kind) || kind == NSC_KIND_OSRT;
}

static bool holds(const struct gpu_world *world, nsc_event e, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);

    return events->start[e] <= t && t < nsc_event_end(events, e);
}

/* The call that counts on a thread at t; NSC_NONE: none. */
static nsc_event call_at(const struct gpu_world *world, struct nsc_host_walk *host, uint32_t group,
                         nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++) {
        enum nsc_host_act act, least;

        if (!is_call(world, e) || !holds(world, e, t) || group_of(world, e) != group)
            continue;
        act = nsc_host_walk_act(host, e);
        least = best == NSC_NONE ? NSC_HOST_CPU : nsc_host_walk_act(host, best);
        if (best == NSC_NONE || act < least ||
            (act == least && (events->start[e] < events->start[best] ||
                              (events->start[e] == events->start[best] &&
                               nsc_event_end(events, e) > nsc_event_end(events, best)))))
            best = e;
    }
    return best;
}

static bool is_inner(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (events->start[a] != events->start[b])
        return events->start[a] > events->start[b];
    if (nsc_event_end(events, a) != nsc_event_end(events, b))
        return nsc_event_end(events, a) < nsc_event_end(events, b);
    return a > b;
}

/* The call that counts at t inside another one. */
static nsc_event inside_at(const struct gpu_world *world, struct nsc_host_walk *host,
                           uint32_t group, nsc_event outer, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;
    uint32_t n = 0;

    for (nsc_event e = 0; e < events->n; e++) {
        int more;

        if (!is_call(world, e) || !holds(world, e, t) || group_of(world, e) != group)
            continue;
        n++;
        if (!is_inner(events, e, outer))
            continue;
        more = best == NSC_NONE
                   ? -1
                   : (int)nsc_host_walk_act(host, e) - (int)nsc_host_walk_act(host, best);
        if (more < 0 || (more == 0 && is_inner(events, best, e)))
            best = e;
    }
    return n <= NSC_HOST_INSIDE ? best : NSC_NONE;
}

static nsc_event range_at(const struct gpu_world *world, uint32_t group, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (events->kind[e] == NSC_KIND_NVTX_RANGE && holds(world, e, t) &&
            group_of(world, e) == group &&
            (best == NSC_NONE || events->start[e] > events->start[best] ||
             (events->start[e] == events->start[best] &&
              nsc_event_end(events, e) <= nsc_event_end(events, best))))
            best = e;
    return best;
}

/* The last API call on a thread that ends by t; ties: the last row. */
static nsc_event before(const struct gpu_world *world, uint32_t group, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_api(events->kind[e]) && nsc_event_end(events, e) <= t &&
            group_of(world, e) == group &&
            (best == NSC_NONE || nsc_event_end(events, e) >= nsc_event_end(events, best)))
            best = e;
    return best;
}

/* ---- checks of what each piece says ---- */

static struct naive_gap find_gap(const struct gpu_world *world, uint32_t device,
                                 const struct nsc_gap *gap)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct naive_gap naive = {.start = gap->start,
                              .end = gap->end,
                              .next = NSC_NONE,
                              .call = NSC_NONE,
                              .last = NSC_NONE,
                              .last_call = NSC_NONE,
                              .thread = NSC_NONE};
    nsc_time reach = INT64_MIN, called = INT64_MIN;

    for (nsc_event e = 0; e < events->n; e++) {
        bool counts = nsc_kind_is_gpu(events->kind[e]) && group_of(world, e) == device &&
                      nsc_event_duration(events, e) > 0 &&
                      (!world->scope.mask || nsc_bits_get(world->scope.mask, e));

        if (counts && events->start[e] >= gap->end &&
            (naive.next == NSC_NONE || events->start[e] < events->start[naive.next]))
            naive.next = e;
        if (counts && nsc_scope_has(&world->scope, e) && events->start[e] < gap->start &&
            events->link[e] != NSC_NONE && events->start[e] >= called) {
            called = events->start[e];
            naive.last_call = events->link[e];
        }
        if (counts && nsc_scope_has(&world->scope, e) && events->start[e] < gap->start &&
            (naive.last == NSC_NONE || nsc_event_end(events, e) > reach ||
             (nsc_event_end(events, e) == reach &&
              events->start[e] >= events->start[naive.last]))) {
            reach = nsc_event_end(events, e);
            naive.last = e;
        }
    }
    if (naive.next != NSC_NONE)
        naive.call = events->link[naive.next];
    if (naive.call != NSC_NONE)
        naive.thread = group_of(world, naive.call);
    return naive;
}

static bool is_late(const struct naive_gap *naive, const struct nsc_events *events, nsc_time t)
{
    return naive->call != NSC_NONE && t < nsc_event_end(events, naive->call);
}

/* The CPU work around t on a thread, between two calls: short, and one of them launches. */
static bool is_between(const struct gpu_world *world, struct nsc_host_walk *host,
                       const struct naive_gap *naive, uint32_t group, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time from = t, to = t;
    nsc_time late_end = nsc_event_end(events, naive->call);
    nsc_event one, other;
    enum nsc_host_act a, b;

    while (from > naive->start && call_at(world, host, group, from - STEP) == NSC_NONE)
        from -= STEP;
    while (to < naive->end && to < late_end && call_at(world, host, group, to) == NSC_NONE)
        to += STEP;
    if (to >= naive->end || to >= late_end)
        return false;
    one = from > naive->start ? call_at(world, host, group, from - STEP)
                              : before(world, group, naive->start);
    if (one == NSC_NONE)
        return false;
    if (from <= naive->start)
        from = nsc_event_end(events, one);
    other = call_at(world, host, group, to);
    a = nsc_host_walk_act(host, one);
    b = nsc_host_walk_act(host, other);
    return to - from <= NSC_LAUNCH_BETWEEN_NS &&
           (a == NSC_HOST_CUDA || a == NSC_HOST_LAUNCH || a == NSC_HOST_LONG_LAUNCH) &&
           (b == NSC_HOST_CUDA || b == NSC_HOST_LAUNCH || b == NSC_HOST_LONG_LAUNCH) &&
           !(a == NSC_HOST_CUDA && b == NSC_HOST_CUDA);
}

static bool is_wait(struct nsc_host_walk *host, nsc_event call)
{
    enum nsc_host_act act = nsc_host_walk_act(host, call);

    return act == NSC_HOST_SYNC || act == NSC_HOST_COPY;
}

/* The call before this one in the same lane; NSC_NONE: none. */
static nsc_event call_before(const struct gpu_world *world, nsc_event call)
{
    uint32_t lane = nsc_trace_lane_of(world->trace, call);
    nsc_event found = NSC_NONE;

    for (nsc_event e = 0; e < call; e++)
        if (nsc_trace_lane_of(world->trace, e) == lane)
            found = e;
    return found;
}

/* Whether the work after a wait would be hidden without it. Goes back over the waits in a row, and the calls
 * before them, to the first call after an earlier wait; counts the GPU's time from there. */
static bool hides_work(const struct gpu_world *world, struct nsc_host_walk *host, uint32_t device,
                       const struct naive_gap *naive, nsc_event wait)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time end = nsc_event_end(events, wait);
    nsc_time work = naive->end - (end > naive->start ? end : naive->start);
    nsc_time busy = 0;
    nsc_event first = wait, call = call_before(world, wait);

    for (; call != NSC_NONE && is_wait(host, call); call = call_before(world, call))
        first = call;
    for (; call != NSC_NONE && !is_wait(host, call); call = call_before(world, call))
        first = call;
    for (nsc_time t = events->start[first]; t < naive->start; t += STEP)
        for (nsc_event e = 0; e < events->n; e++)
            if (nsc_kind_is_gpu(events->kind[e]) && group_of(world, e) == device &&
                nsc_scope_selects(&world->scope, e) && events->start[e] <= t &&
                t < nsc_event_end(events, e)) {
                busy += STEP;
                break;
            }
    return work <= NSC_LAUNCH_BETWEEN_NS || work - work / 4 <= busy;
}

static bool is_drain(const struct gpu_world *world, struct nsc_host_walk *host,
                     const struct naive_gap *naive, uint32_t group, nsc_event *drain)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event at = call_at(world, host, group, naive->start);
    nsc_event earlier = before(world, group, naive->start);
    enum nsc_host_act act = at == NSC_NONE ? NSC_HOST_CPU : nsc_host_walk_act(host, at);

    *drain = at;
    if ((act == NSC_HOST_SYNC || act == NSC_HOST_COPY) && events->start[at] < naive->start)
        return true;
    *drain = earlier;
    if (earlier == NSC_NONE || nsc_event_end(events, earlier) + NSC_DRAIN_SLACK_NS < naive->start)
        return false;
    act = nsc_host_walk_act(host, earlier);
    return act == NSC_HOST_SYNC || act == NSC_HOST_COPY;
}

struct checking {
    const struct gpu_world *world;
    uint32_t device;
    nsc_time *sum;
    struct nsc_gap_walk walk;
    struct nsc_host_walk host; /* only for the acts of names */
};

/* Whether another device runs work of a thread's process at t, in the scope or not. */
static bool is_busy_elsewhere(const struct checking *checking, uint32_t thread, nsc_time t)
{
    const struct nsc_trace *trace = checking->world->trace;
    uint64_t process = nsc_trace_track(trace, thread)->process;

    for (nsc_event e = 0; e < nsc_trace_events(trace)->n; e++)
        if (nsc_kind_is_gpu(nsc_trace_events(trace)->kind[e]) &&
            group_of(checking->world, e) != checking->device &&
            nsc_trace_track(trace, gpu_world_track(checking->world, e))->process == process &&
            holds(checking->world, e, t))
            return true;
    return false;
}

/* What a wait is at t: for another GPU while one runs work of the process, or in a short pause of
 * that work. */
static uint8_t want_wait(const struct checking *checking, const struct naive_gap *naive,
                         const struct nsc_gap_piece *piece, uint8_t part, nsc_time t)
{
    nsc_time before = t, after = t;

    if (is_busy_elsewhere(checking, piece->thread, t))
        return part == NSC_GAP_SYNC || piece->part == NSC_GAP_OTHER_GPU ? NSC_GAP_OTHER_GPU : part;
    if (piece->part != NSC_GAP_OTHER_GPU)
        return part;
    assert_true(part == NSC_GAP_SYNC || piece->call != naive->call);
    while (!is_busy_elsewhere(checking, piece->thread, before))
        before -= STEP;
    while (!is_busy_elsewhere(checking, piece->thread, after))
        after += STEP;
    assert_true(after - before - STEP <= NSC_HANDOVER_NS);
    return NSC_GAP_OTHER_GPU;
}

/* Whether an op of a thread's process ends on another device shortly before t. */
static bool ends_elsewhere(const struct checking *checking, uint32_t thread, nsc_time t)
{
    const struct nsc_trace *trace = checking->world->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint64_t process = nsc_trace_track(trace, thread)->process;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_kind_is_gpu(events->kind[e]) && group_of(checking->world, e) != checking->device &&
            nsc_trace_track(trace, gpu_world_track(checking->world, e))->process == process &&
            nsc_event_duration(events, e) > 0 && nsc_event_end(events, e) <= t &&
            nsc_event_end(events, e) > t - NSC_LAUNCH_LATENCY_NS)
            return true;
    return false;
}

static uint8_t want_late(struct checking *checking, const struct naive_gap *naive,
                         const struct nsc_gap *gap, const struct nsc_gap_piece *piece, nsc_time t)
{
    nsc_event call = call_at(checking->world, &checking->host, piece->thread, t);
    uint8_t part =
        call == NSC_NONE ? NSC_GAP_CPU : (uint8_t)nsc_host_walk_act(&checking->host, call);

    if (part == NSC_GAP_CPU && piece->thread == naive->thread &&
        is_between(checking->world, &checking->host, naive, piece->thread, t))
        part = NSC_GAP_LAUNCH;
    if (gap->drained != NSC_NONE && (part == NSC_GAP_CPU || part == NSC_GAP_LAUNCH))
        return NSC_GAP_DRAINED;
    assert_int_equal(piece->call, call);
    if (part == NSC_GAP_SYNC || part == NSC_GAP_COPY)
        return want_wait(checking, naive, piece, part, t);
    return part;
}

static uint8_t want_queue(const struct checking *checking, const struct naive_gap *naive,
                          const struct nsc_gap *gap)
{
    const struct nsc_events *events = nsc_trace_events(checking->world->trace);
    nsc_time issued = nsc_event_end(events, naive->call);

    if (events->start[naive->next] - issued <= NSC_LAUNCH_LATENCY_NS &&
        (issued >= naive->start || naive->end - naive->start > NSC_LIMIT_STREAM_GAP))
        return gap->drained != NSC_NONE ? NSC_GAP_DRAINED : NSC_GAP_LAUNCH;
    if (naive->last == NSC_NONE || naive->end - naive->start > NSC_HANDOVER_NS)
        return NSC_GAP_QUEUED;
    if (events->link[naive->last] == naive->call ||
        gpu_world_track(checking->world, naive->last) ==
            gpu_world_track(checking->world, naive->next))
        return NSC_GAP_STREAM;
    return nsc_kind_is_copy(events->kind[naive->last]) ? NSC_GAP_BEHIND_COPY : NSC_GAP_OTHER_STREAM;
}

/* What queued time is at t, if an op of another GPU ends just before the gap does: behind that GPU
 * while one runs work, or in a short pause of that work. */
static uint8_t want_behind(const struct checking *checking, uint32_t thread, uint8_t part,
                           nsc_time t)
{
    nsc_time before = t, after = t;

    if (is_busy_elsewhere(checking, thread, t))
        return NSC_GAP_BEHIND_GPU;
    if (part != NSC_GAP_BEHIND_GPU)
        return NSC_GAP_QUEUED;
    while (!is_busy_elsewhere(checking, thread, before))
        before -= STEP;
    while (!is_busy_elsewhere(checking, thread, after))
        after += STEP;
    assert_true(after - before - STEP <= NSC_HANDOVER_NS);
    return NSC_GAP_BEHIND_GPU;
}

/* Whether another thread may stand for the launching one at t: that one sleeps, or has no
 * records. */
static bool may_follow(struct checking *checking, const struct naive_gap *naive, nsc_time t)
{
    nsc_event call = call_at(checking->world, &checking->host, naive->thread, t);

    if (call != NSC_NONE)
        return nsc_host_walk_act(&checking->host, call) == NSC_HOST_LOCK;
    return range_at(checking->world, naive->thread, t) == NSC_NONE;
}

/* Whether the main thread may lend the range to a piece of another thread: the range is open during
 * the piece, and the main thread waits for the other all the time, or the other is autograd's. */
static bool may_lend(struct checking *checking, const struct nsc_gap_piece *piece)
{
    const struct gpu_world *world = checking->world;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t lender = group_of(world, piece->range);
    const struct nsc_track *track = nsc_trace_track(world->trace, lender);
    struct nsc_text label =
        nsc_trace_string(world->trace, nsc_trace_track(world->trace, piece->thread)->label);

    if (lender == piece->thread || track->tid != track->pid ||
        events->start[piece->range] >= piece->end ||
        nsc_event_end(events, piece->range) <= piece->start)
        return false;
    for (nsc_time t = piece->start; t < piece->end; t += STEP) {
        nsc_event call = call_at(world, &checking->host, lender, t);

        if (!nsc_text_contains_folded(label, nsc_text_from("autograd")) &&
            (call == NSC_NONE || nsc_host_walk_act(&checking->host, call) != NSC_HOST_LOCK))
            return false;
    }
    return true;
}

static void check_piece(struct checking *checking, const struct naive_gap *naive,
                        const struct nsc_gap *gap, const struct nsc_gap_piece *piece)
{
    const struct nsc_events *events = nsc_trace_events(checking->world->trace);

    for (nsc_time t = piece->start; t < piece->end; t += STEP) {
        nsc_event range;

        if (naive->call == NSC_NONE) {
            assert_true(piece->part == NSC_GAP_UNKNOWN ||
                        (piece->part == NSC_GAP_ENDED && naive->next == NSC_NONE));
            continue;
        }
        if (!is_late(naive, events, t)) {
            uint8_t want = want_queue(checking, naive, gap);

            if (want == NSC_GAP_QUEUED && events->start[naive->next] == naive->end &&
                ends_elsewhere(checking, naive->thread, naive->end))
                want = want_behind(checking, naive->thread, piece->part, t);
            assert_int_equal(piece->part, want);
            continue;
        }
        if (piece->thread != naive->thread)
            assert_true(may_follow(checking, naive, t));
        else
            assert_int_equal(piece->part, want_late(checking, naive, gap, piece, t));
        if (piece->call != NSC_NONE && piece->part != NSC_GAP_DRAINED)
            assert_int_equal(piece->inside, inside_at(checking->world, &checking->host,
                                                      piece->thread, piece->call, t));
        range = range_at(checking->world, piece->thread, t);
        if (range == NSC_NONE && piece->range != NSC_NONE)
            assert_true(may_lend(checking, piece));
        else
            assert_true((range == NSC_NONE) == (piece->range == NSC_NONE));
        if (range != NSC_NONE)
            assert_int_equal(events->start[range], events->start[piece->range]);
    }
}

/* Until when another GPU of the export works in a gap that nothing follows. */
static nsc_time others_end(const struct checking *checking, const struct naive_gap *naive,
                           const struct nsc_gap *gap)
{
    const struct nsc_events *events = nsc_trace_events(checking->world->trace);
    nsc_time end = naive->start;

    if (checking->walk.ops.after != NSC_NONE || gpu_world_is_barred(checking->world))
        return end;
    for (uint32_t d = NSC_NONE; (d = gpu_world_next_device(checking->world, d)) != NSC_NONE;) {
        struct nsc_window w = {INT64_MAX, INT64_MIN};

        for (nsc_event e = 0; e < events->n; e++)
            if (nsc_kind_is_gpu(events->kind[e]) && nsc_scope_selects(&checking->world->scope, e) &&
                group_of(checking->world, e) == d) {
                w.t0 = nsc_earlier(w.t0, events->start[e]);
                w.t1 = nsc_later(w.t1, nsc_event_end(events, e));
            }
        if (d != checking->device && w.t0 < w.t1 &&
            nsc_trace_track(checking->world->trace, d)->capture_no ==
                nsc_trace_track(checking->world->trace, checking->device)->capture_no)
            end = nsc_later(end, nsc_earlier(w.t1, gap->end));
    }
    return end;
}

/* If nothing follows, there is no more work until the others' end; then all is late or a wait for another GPU. The
 * thread is that of the last op with a known call. */
static void check_end(struct checking *checking, const struct naive_gap *naive,
                      const struct nsc_gap *gap)
{
    nsc_time late = nsc_gap_late(gap) + gap->part[NSC_GAP_OTHER_GPU];
    const struct nsc_events *events = nsc_trace_events(checking->world->trace);
    nsc_time end = others_end(checking, naive, gap);
    bool is_known = false;

    for (nsc_event e = 0; e < events->n; e++)
        is_known =
            is_known || (nsc_kind_is_gpu(events->kind[e]) && events->link[e] != NSC_NONE &&
                         gpu_world_device(checking->world, e) == checking->device &&
                         nsc_event_duration(events, e) > 0 && events->start[e] < naive->start);
    is_known &= !gpu_world_is_barred(checking->world);
    assert_int_equal(gap->part[NSC_GAP_ENDED], end - gap->start);
    assert_int_equal(late, is_known ? gap->end - end : 0);
    *checking->sum += gap->end - gap->start;
}

/* The part of a gap that the export records, an instant for 1 ns; the rest is not recorded. */
static struct nsc_gap check_recorded(struct checking *checking, const struct nsc_gap *gap)
{
    const struct nsc_trace *trace = checking->world->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t capture = nsc_trace_track(trace, checking->device)->capture_no;
    struct nsc_window w = {INT64_MAX, INT64_MIN};
    struct nsc_gap part = *gap;

    for (nsc_event e = 0; e < events->n; e++)
        if (nsc_trace_capture_of(trace, e) == capture) {
            w.t0 = nsc_earlier(w.t0, events->start[e]);
            w.t1 = nsc_later(w.t1, nsc_later(nsc_event_end(events, e), events->start[e] + 1));
        }
    part.start = nsc_later(gap->start, nsc_earlier(w.t0, gap->end));
    part.end = nsc_earlier(gap->end, nsc_later(w.t1, gap->start));
    part.part[NSC_GAP_UNRECORDED] = 0;
    for (size_t i = 0; i < checking->walk.pieces.n; i++) {
        const struct nsc_gap_piece *piece = &checking->walk.pieces.at[i];

        if (piece->part == NSC_GAP_UNRECORDED)
            assert_true(piece->end <= w.t0 || piece->start >= w.t1);
    }
    assert_int_equal(gap->part[NSC_GAP_UNRECORDED],
                     nsc_span(gap->start, gap->end) - nsc_later(0, part.end - part.start));
    *checking->sum += gap->part[NSC_GAP_UNRECORDED];
    return part;
}

static void check_gap(struct checking *checking, const struct nsc_gap *whole)
{
    const struct nsc_gap part = check_recorded(checking, whole), *gap = &part;
    struct naive_gap naive = find_gap(checking->world, checking->device, gap);
    nsc_event drain = NSC_NONE;
    nsc_time at = gap->start;
    nsc_time sum = 0;
    bool follows = false;

    if (gap->start >= gap->end)
        return;
    assert_false(is_busy(checking->world, checking->device, gap->start));
    assert_int_equal(checking->walk.ops.last, naive.last);
    assert_int_equal(nsc_gap_ops_last_call(&checking->walk.ops), naive.last_call);
    if (naive.next == NSC_NONE || gap->next == NSC_NONE ||
        (gap->end < checking->walk.ops.window.t1 &&
         nsc_trace_events(checking->world->trace)->start[naive.next] == gap->end))
        assert_int_equal(gap->next, naive.next);
    else
        assert_int_equal(nsc_trace_events(checking->world->trace)->start[gap->next],
                         nsc_trace_events(checking->world->trace)->start[naive.next]);
    naive.next = gap->next; /* beyond the gap, of ops that start together either may come first */
    if (naive.next == NSC_NONE && naive.last != NSC_NONE) {
        check_end(checking, &naive, gap);
        return;
    }
    naive.call = gpu_world_is_barred(checking->world) ? NSC_NONE : gap->call;
    if (naive.call != NSC_NONE)
        naive.thread = group_of(checking->world, naive.call);
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        sum += gap->part[i];
    assert_int_equal(sum, gap->end - gap->start);
    *checking->sum += sum;
    for (size_t i = 0; i < checking->walk.pieces.n; i++) {
        const struct nsc_gap_piece *piece = &checking->walk.pieces.at[i];

        if (piece->part == NSC_GAP_UNRECORDED)
            continue;
        assert_int_equal(piece->start, at);
        at = piece->end;
        follows = follows || (piece->thread != NSC_NONE && piece->thread != naive.thread);
    }
    assert_int_equal(at, gap->end);
    if (!follows && naive.call != NSC_NONE &&
        is_late(&naive, nsc_trace_events(checking->world->trace), gap->start))
        assert_int_equal(
            gap->drained,
            is_drain(checking->world, &checking->host, &naive, naive.thread, &drain) &&
                    hides_work(checking->world, &checking->host, checking->device, &naive, drain)
                ? drain
                : NSC_NONE);
    for (size_t i = 0; !follows && i < checking->walk.pieces.n; i++)
        if (checking->walk.pieces.at[i].part != NSC_GAP_UNRECORDED)
            check_piece(checking, &naive, gap, &checking->walk.pieces.at[i]);
}

/* Checks each gap; returns their sum. */
static nsc_time check_gaps(const struct gpu_world *world, uint32_t device)
{
    nsc_time sum = 0;
    struct checking checking = {.world = world, .device = device, .sum = &sum};
    struct nsc_gap gap;

    nsc_host_walk_init(&checking.host, &world->scope);
    assert_true(nsc_gap_walk_init(&checking.walk, &world->scope, device));
    while (nsc_gap_walk_next(&checking.walk, &gap))
        check_gap(&checking, &gap);
    nsc_gap_walk_fini(&checking.walk);
    nsc_host_walk_fini(&checking.host);
    return sum;
}

static struct naive paint(const struct gpu_world *world, uint32_t device, struct nsc_window w)
{
    struct naive naive = {0};
    bool idle_before = false;

    for (nsc_time t = w.t0; t < w.t1; t += STEP) {
        bool idle = !is_busy(world, device, t);

        naive.busy += idle ? 0 : STEP;
        naive.idle += idle ? STEP : 0;
        naive.n_gaps += idle && !idle_before;
        idle_before = idle;
    }
    return naive;
}

static void check_device(const struct gpu_world *world, uint32_t device)
{
    struct nsc_window w;
    struct nsc_idle idle;
    struct naive naive;
    nsc_time parts = 0, ranges = 0, causes = 0;
    uint32_t sizes = 0;

    if (!nsc_idle_build(&idle, &world->scope, device)) {
        assert_false(nsc_device_window(&w, &world->scope, device));
        return;
    }
    naive = paint(world, device, idle.window);
    assert_int_equal(idle.busy, naive.busy);
    assert_int_equal(idle.idle, naive.idle);
    assert_int_equal(idle.busy + idle.idle, nsc_window_length(idle.window));
    assert_int_equal(idle.n_gaps, naive.n_gaps);
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        parts += idle.part[i];
    assert_int_equal(parts, idle.idle);
    for (int i = 0; i < NSC_IDLE_SIZES; i++)
        sizes += idle.sizes[i];
    assert_int_equal(sizes, idle.n_gaps);
    for (uint32_t i = 0; i < idle.n_causes; i++) {
        causes += idle.causes[i].ns;
        assert_true(i == 0 || idle.causes[i - 1].ns >= idle.causes[i].ns);
    }
    assert_int_equal(causes, idle.idle);
    for (uint32_t i = 0; i < idle.n_ranges; i++)
        ranges += idle.ranges[i].late;
    assert_int_equal(ranges, nsc_idle_late(&idle));
    for (uint32_t i = 1; i < idle.n_longest; i++)
        assert_true(idle.longest[i - 1].of.end - idle.longest[i - 1].of.start >=
                    idle.longest[i].of.end - idle.longest[i].of.start);
    assert_int_equal(check_gaps(world, device), idle.idle);
    nsc_idle_fini(&idle);
}

TEST(idle_time_is_what_is_not_painted)
{
    struct gpu_world world = {.dice = dice_new(502), .unit = STEP};

    for (int i = 0; i < 150; i++) {
        gpu_world_roll(&world);
        for (uint32_t d = gpu_world_next_device(&world, NSC_NONE); d != NSC_NONE;
             d = gpu_world_next_device(&world, d))
            check_device(&world, d);
        gpu_world_clear(&world);
    }
}

/* Whatever was asked before, of parts of sleeps in any order. */
TEST(a_thread_that_hands_over_is_found_without_memory_too)
{
    struct gpu_world world = {.dice = dice_new(503), .unit = STEP};
    uint32_t n_found = 0;

    for (int i = 0; i < 300; i++) {
        struct nsc_host_walk host;
        const struct nsc_events *events;

        gpu_world_roll(&world);
        events = nsc_trace_events(world.trace);
        nsc_host_walk_init(&host, &world.scope);
        for (nsc_event sleep = 0; sleep < events->n; sleep++) {
            nsc_time t0 = events->start[sleep], t1 = nsc_event_end(events, sleep);
            struct nsc_host_walk fresh;
            uint32_t found;

            if (!nsc_parked_is(world.trace, sleep) || t0 == t1)
                continue;
            t0 += (nsc_time)dice_below(&world.dice, (uint64_t)(t1 - t0));
            nsc_host_walk_init(&fresh, &world.scope);
            found = nsc_waker_find(&fresh, sleep, t0, t1);
            nsc_host_walk_fini(&fresh);
            assert_int_equal(nsc_waker_find(&host, sleep, t0, t1), found);
            n_found += found != NSC_NONE;
        }
        nsc_host_walk_fini(&host);
        gpu_world_clear(&world);
    }
    assert_true(n_found > 0);
}
