/* Finds the thread that hands over at the end of a sleep. */
#include "nsyscope/summary.h"

#include "analysis/device/gaps.h"
#include "analysis/device/host_walk.h"
#include "core/sum.h"
#include "index/lane_merge.h"

static bool is_wait(enum nsc_host_act act)
{
    return act == NSC_HOST_LOCK || act == NSC_HOST_SLEEP || act == NSC_HOST_EVENTS;
}

/* Distance from t at which the row hands over; INT64_MAX if it does not. */
static nsc_time measure_row(struct nsc_host_walk *host, nsc_event row, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(host->trace);
    nsc_time to_start =
        nsc_span(nsc_earlier(events->start[row], t), nsc_later(events->start[row], t));
    nsc_time end = nsc_event_end(events, row);
    nsc_time to_end = nsc_span(nsc_earlier(end, t), nsc_later(end, t));
    enum nsc_host_act act = nsc_host_walk_act(host, row);

    if (is_wait(act))
        return to_start;
    if (nsc_kind_is_nvtx(events->kind[row]))
        return nsc_earlier(to_start, to_end);
    return act == NSC_HOST_SYNC || act == NSC_HOST_CUDA ? INT64_MAX : to_end; /* waits or queries */
}

struct candidate {
    nsc_time distance;
    nsc_time asleep;         /* time asleep until another thread wakes it */
    nsc_time idle;           /* time in waits for events, or for requests of a server */
    struct nsc_window quiet; /* no row begins or ends inside */
    struct nsc_window sleep; /* the last wait that counts as asleep */
};

/* A time in which no row of the lane begins or ends: during row if it starts by t, else before it. */
static struct nsc_window find_quiet(const struct nsc_events *events, const struct nsc_lane *lane,
                                    nsc_event row, nsc_time t)
{
    struct nsc_window quiet = {INT64_MIN, INT64_MAX};

    if (row - lane->first < lane->n && events->start[row] <= t)
        return (struct nsc_window){events->start[row], nsc_event_end(events, row)};
    if (row > lane->first)
        quiet.t0 = nsc_event_end(events, row - 1);
    if (row - lane->first < lane->n)
        quiet.t1 = events->start[row];
    return quiet;
}

/* Adds what the rows of a lane near the end say, and those in part, from the place of the sleep
 * before: sleeps mostly ascend. */
static void look_at_lane(struct candidate *candidate, struct nsc_host_walk *host, uint32_t lane,
                         nsc_time end, struct nsc_window part)
{
    const struct nsc_events *events = nsc_trace_events(host->trace);
    const struct nsc_lane *at = &nsc_trace_lanes(host->trace, NULL)[lane];
    uint32_t *near = nsc_sparse_at(&host->near, lane);
    nsc_event row = nsc_lane_find_near(host->trace, lane, end - NSC_HANDOVER_NS, at->first + *near);
    struct nsc_window quiet = find_quiet(events, at, row, end);

    *near = row - at->first;
    candidate->quiet = nsc_window_meet(candidate->quiet, quiet);
    for (; row - at->first < at->n && events->start[row] < end + NSC_HANDOVER_NS; row++)
        candidate->distance = nsc_earlier(candidate->distance, measure_row(host, row, end));
    if (candidate->distance == INT64_MAX ||
        nsc_trace_track(host->trace, at->track)->kind != NSC_TRACK_OSRT)
        return;
    row = nsc_lane_find_near(host->trace, lane, part.t0, at->first + *near);
    for (; row - at->first < at->n && events->start[row] < part.t1; row++) {
        enum nsc_host_act act = nsc_host_walk_act(host, row);
        nsc_time *sum = act == NSC_HOST_EVENTS ? &candidate->idle : &candidate->asleep;

        if (is_wait(act) && act != NSC_HOST_EVENTS)
            candidate->sleep = (struct nsc_window){events->start[row], nsc_event_end(events, row)};
        if (is_wait(act))
            *sum = nsc_sum(*sum, nsc_span(nsc_later(events->start[row], part.t0),
                                          nsc_earlier(nsc_event_end(events, row), part.t1)));
    }
}

static struct candidate look_at_thread(struct nsc_host_walk *host, uint32_t group, nsc_time end,
                                       struct nsc_window part)
{
    const uint32_t acts = NSC_TRACK_BIT(NSC_TRACK_API) | NSC_TRACK_BIT(NSC_TRACK_NVTX);
    const uint32_t passes[] = {acts, NSC_TRACK_BIT(NSC_TRACK_OSRT)};
    struct candidate candidate = {.distance = INT64_MAX, .quiet = {INT64_MIN, INT64_MAX}};

    for (int i = 0; i < 2; i++)
        for (struct nsc_lane_walk at = nsc_group_lanes(host->trace, group, passes[i]);
             nsc_lane_walk_next(&at);)
            look_at_lane(&candidate, host, at.lane, end, part);
    return candidate;
}

/* Threads at work come first, at any distance: a thread that waits for events only passes on what
 * came in. */
static bool is_better(const struct candidate *a, const struct candidate *b, nsc_time length)
{
    bool a_idle = a->idle >= length / 2;
    bool b_idle = b->idle >= length / 2;

    return a_idle != b_idle ? b_idle : a->distance < b->distance;
}

/* Lists the threads of the process of a thread, which follow each other. */
static void list_peers(struct nsc_host_walk *host, uint32_t g)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(host->trace, &n);
    uint64_t process = tracks[g].process;

    if (host->peers.n > 0 && tracks[host->peers.at[0].group].process == process)
        return;
    NSC_VEC_CLEAR(&host->peers);
    while (g > 0 && tracks[g - 1].process == process &&
           tracks[tracks[g - 1].group].kind == NSC_TRACK_THREAD)
        g = tracks[g - 1].group;
    for (; g < n && tracks[g].process == process; g = nsc_group_end(tracks, g))
        *NSC_VEC_ADD(&host->peers) = (struct nsc_host_peer){g, {0, 0}, {0, 0}};
}

/* Whether a wait that is known already has the peer asleep for half of the time, as when many threads
 * wait for their turn. */
static bool is_asleep(const struct nsc_host_peer *peer, nsc_time t0, nsc_time t1)
{
    nsc_time from = nsc_later(peer->sleep.t0, t0), to = nsc_earlier(peer->sleep.t1, t1);

    return from < to && nsc_span(from, to) >= (t1 - t0) / 2;
}

uint32_t nsc_waker_find(struct nsc_host_walk *host, nsc_event sleep, nsc_time t0, nsc_time t1)
{
    const struct nsc_events *events = nsc_trace_events(host->trace);
    uint32_t own = nsc_host_walk_thread(host, sleep);
    nsc_time end = nsc_event_end(events, sleep);
    struct candidate best = {.distance = INT64_MAX, .idle = INT64_MAX};
    uint32_t found = NSC_NONE;

    list_peers(host, own);
    for (size_t i = 0; i < host->peers.n; i++) {
        struct nsc_host_peer *peer = &host->peers.at[i];
        struct candidate candidate;

        if (peer->group == own || is_asleep(peer, t0, t1) ||
            (peer->quiet.t0 < end - NSC_HANDOVER_NS && peer->quiet.t1 > end + NSC_HANDOVER_NS))
            continue;
        candidate = look_at_thread(host, peer->group, end, (struct nsc_window){t0, t1});
        peer->quiet = candidate.quiet;
        peer->sleep = candidate.sleep;
        if (candidate.distance > NSC_HANDOVER_NS || candidate.asleep >= (t1 - t0) / 2 ||
            !is_better(&candidate, &best, t1 - t0))
            continue;
        best = candidate;
        found = peer->group;
    }
    return found;
}
