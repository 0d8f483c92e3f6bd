/* Follows the critical path back from the end of the window to its start. */
#include "analysis/device/critical.h"

#include "nsyscope/summary.h"

#include "analysis/base/correlate.h"
#include "analysis/base/device_ops.h"
#include "analysis/device/gaps.h"
#include "core/die.h"
#include "core/sum.h"
#include "index/lane_merge.h"

#include <stdlib.h>

#define STILL 1000 /* gives up after so many steps of zero length in a row */
#define NEXT  1000 /* ops of a lane among which the next compute op is looked for */

struct pathing {
    struct nsc_critical *out;
    const struct nsc_depends *depends;
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_host_walk host; /* classifies calls */
    nsc_time at;               /* the path from here to the end is known */
    uint32_t track, n_lanes;   /* lanes of calls of the thread passed last */
    struct nsc_row_range *lanes;
};

const char *nsc_critical_word(enum nsc_critical_kind kind)
{
    static const char *const words[NSC_N_CRITICAL_KINDS] = {
        "compute",   "communication",           "copies",   "launch",
        "host work", "delay on the GPU's side", "not known"};

    return words[kind];
}

/* Adds a step from start to where the path is known. */
static void add_step(struct pathing *of, enum nsc_critical_kind kind, nsc_time start,
                     nsc_event event)
{
    struct nsc_critical *out = of->out;

    start = nsc_later(start, out->window.t0);
    if (start >= of->at)
        return;
    if (out->n == out->capacity) {
        out->capacity = out->capacity ? out->capacity * 2 : 64;
        out->steps = nsc_xrealloc(out->steps, out->capacity, sizeof *out->steps);
    }
    out->steps[out->n++] = (struct nsc_critical_step){start, of->at, (uint8_t)kind, event};
    out->part[kind] = nsc_sum(out->part[kind], nsc_span(start, of->at));
    of->at = start;
}

static enum nsc_critical_kind kind_of(const struct nsc_trace *trace, nsc_event op)
{
    enum nsc_op_kind kind;

    if (!nsc_op_kind_of(trace, op, &kind))
        return NSC_CRITICAL_UNKNOWN;
    return kind == NSC_OP_KIND_COMPUTE ? NSC_CRITICAL_COMPUTE
           : kind < NSC_OP_KIND_HTOD   ? NSC_CRITICAL_COMM
                                       : NSC_CRITICAL_COPY;
}

/* The rows of a lane that end by t. */
static struct nsc_row_range ended_by(const struct pathing *of, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *at = &nsc_trace_lanes(of->trace, NULL)[lane];
    struct nsc_row_range rows = {at->first, nsc_lane_find(of->trace, lane, t)};

    /* rows touching t include an instant at t, which comes later */
    while (rows.end < at->first + at->n && nsc_event_end(of->events, rows.end) <= t)
        rows.end++;
    return rows;
}

/* The op of a process with the latest end in [t0, t1]; ties: the last row. NSC_NONE: none. */
static nsc_event find_last(const struct pathing *of, uint64_t process, struct nsc_window w)
{
    nsc_event best = NSC_NONE;

    for (struct nsc_lane_walk at = nsc_trace_all_lanes(of->trace, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_lane_walk_next(&at);) {
        struct nsc_row_range rows = ended_by(of, at.lane, w.t1);

        if (at.tracks[at.track].process == process && rows.end > rows.first &&
            nsc_event_end(of->events, rows.end - 1) >= w.t0 &&
            nsc_ends_later(of->events, rows.end - 1, best))
            best = rows.end - 1;
    }
    return best;
}

/* The op of the device with the latest end that starts before t1; ties: the last row. */
static nsc_event find_end(const struct pathing *of, uint32_t device, struct nsc_window w)
{
    nsc_event best = NSC_NONE;

    for (struct nsc_lane_walk at = nsc_device_lanes(of->trace, device); nsc_lane_walk_next(&at);) {
        struct nsc_row_range rows = nsc_lane_rows(of->trace, at.lane, w);

        if (rows.first < rows.end && nsc_ends_later(of->events, rows.end - 1, best))
            best = rows.end - 1;
    }
    return best;
}

/* The first compute op of a lane that starts at or after t; NSC_NONE: none among the next ones. */
static nsc_event compute_after(const struct pathing *of, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *rows = &nsc_trace_lanes(of->trace, NULL)[lane];
    nsc_event end = rows->first + rows->n;
    nsc_event row = nsc_lane_find(of->trace, lane, t);

    for (uint32_t i = 0; row < end && i < NEXT; i++, row++)
        if (of->events->start[row] >= t && kind_of(of->trace, row) == NSC_CRITICAL_COMPUTE)
            return row;
    return NSC_NONE;
}

/* The device's next compute op at or after t (of several, the first row); NSC_NONE: none, or it is
 * not known what it waited for. */
static nsc_event find_next(const struct pathing *of, uint32_t device, nsc_time t)
{
    nsc_event best = NSC_NONE;

    for (struct nsc_lane_walk at = nsc_device_lanes(of->trace, device); nsc_lane_walk_next(&at);) {
        nsc_event row = compute_after(of, at.lane, t);

        if (row != NSC_NONE &&
            (best == NSC_NONE || of->events->start[row] < of->events->start[best] ||
             (of->events->start[row] == of->events->start[best] && row < best)))
            best = row;
    }
    if (best != NSC_NONE && nsc_event_launch(of->trace, best) == NSC_NONE &&
        nsc_depends_last(of->depends, best, 0) == NSC_NONE)
        return NSC_NONE;
    return best;
}

/* The op that a wait waited for. */
static nsc_event find_awaited(const struct pathing *of, nsc_event wait, enum nsc_host_act act)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(of->trace, NULL);
    uint32_t track = lanes[nsc_trace_lane_of(of->trace, wait)].track;
    struct nsc_window w = {of->events->start[wait],
                           nsc_event_end(of->events, wait) + NSC_DRAIN_SLACK_NS};

    if (act == NSC_HOST_COPY)
        return of->events->link[wait];
    w.t1 = nsc_earlier(w.t1, of->at);
    return find_last(of, nsc_trace_track(of->trace, track)->process, w);
}

static bool is_wait(struct pathing *of, nsc_event row)
{
    enum nsc_host_act act = nsc_host_walk_act(&of->host, row);

    return act == NSC_HOST_SYNC || act == NSC_HOST_COPY;
}

/* The op that a call waited for, if it ends before the known part of the path. */
static nsc_event judge_call(struct pathing *of, nsc_event row)
{
    nsc_event op =
        is_wait(of, row) ? find_awaited(of, row, nsc_host_walk_act(&of->host, row)) : NSC_NONE;

    return op != NSC_NONE && nsc_event_end(of->events, op) < of->at ? op : NSC_NONE;
}

/* The last call of a lane that ends by t and waited for an op, which is stored in *awaited;
 * NSC_NONE: none. The path goes back in time, so calls that end later or never wait are dropped
 * from the lane. A wait whose op ends too late is kept, because the path may begin earlier next
 * time. */
static nsc_event find_wait(struct pathing *of, struct nsc_row_range *lane, nsc_time t,
                           nsc_event *awaited)
{
    while (lane->end > lane->first &&
           (nsc_event_end(of->events, lane->end - 1) > t || !is_wait(of, lane->end - 1)))
        lane->end--;
    for (nsc_event row = lane->end; row-- > lane->first;) {
        if (nsc_event_end(of->events, row) <= of->out->window.t0)
            return NSC_NONE;
        *awaited = judge_call(of, row);
        if (*awaited != NSC_NONE)
            return row;
    }
    return NSC_NONE;
}

/* Takes the lanes of a thread, up to the calls that end by a time. */
static void use_track(struct pathing *of, uint32_t t, nsc_time until)
{
    const struct nsc_track *track = nsc_trace_track(of->trace, t);

    if (of->track == t)
        return;
    of->track = t;
    of->n_lanes = track->n_lanes;
    of->lanes = nsc_xrealloc(of->lanes, (size_t)track->n_lanes + 1, sizeof *of->lanes);
    for (uint32_t k = 0; k < track->n_lanes; k++)
        of->lanes[k] = ended_by(of, track->first_lane + k, until);
}

/* Follows the thread of a call back. Returns the op that its last wait waited for; NSC_NONE if the
 * window begins first. */
static nsc_event pass_host(struct pathing *of, nsc_event call)
{
    nsc_event wait = NSC_NONE;
    nsc_event awaited = NSC_NONE;

    use_track(of, nsc_trace_lanes(of->trace, NULL)[nsc_trace_lane_of(of->trace, call)].track,
              of->events->start[call]);
    for (uint32_t k = 0; k < of->n_lanes; k++) {
        nsc_event op = NSC_NONE;
        nsc_event row = find_wait(of, &of->lanes[k], of->events->start[call], &op);

        if (row != NSC_NONE && (wait == NSC_NONE || nsc_event_end(of->events, row) >=
                                                        nsc_event_end(of->events, wait))) {
            wait = row;
            awaited = op;
        }
    }
    add_step(of, NSC_CRITICAL_HOST,
             awaited == NSC_NONE ? of->out->window.t0 : nsc_event_end(of->events, awaited), wait);
    return awaited;
}

/* Adds an op to the path, then what made it ready. Returns the next op; NSC_NONE: the path ends. */
static nsc_event pass_op(struct pathing *of, nsc_event op)
{
    nsc_event call = nsc_event_launch(of->trace, op);
    nsc_event dep = nsc_depends_last(of->depends, op, 0);
    nsc_time freed = dep == NSC_NONE ? INT64_MIN : nsc_event_end(of->events, dep);
    nsc_time issued;

    add_step(of, kind_of(of->trace, op), of->events->start[op], op);
    if (of->at <= of->out->window.t0)
        return NSC_NONE;
    if (call == NSC_NONE) {
        if (dep != NSC_NONE && freed <= of->at)
            add_step(of, NSC_CRITICAL_DELAY, freed, op);
        else
            add_step(of, NSC_CRITICAL_UNKNOWN, of->out->window.t0, op);
        return dep;
    }
    issued = nsc_depends_issued(of->depends, op, dep);
    if (issued >= freed) {
        add_step(of, NSC_CRITICAL_LAUNCH, of->events->start[call], call);
        return of->host.is_barred ? NSC_NONE : pass_host(of, call);
    }
    add_step(of, NSC_CRITICAL_DELAY, freed, op);
    return dep;
}

bool nsc_critical_build(struct nsc_critical *out, const struct nsc_scope *scope,
                        const struct nsc_depends *depends, uint32_t device,
                        struct nsc_window window)
{
    struct pathing of = {.out = out,
                         .depends = depends,
                         .trace = depends->trace,
                         .events = nsc_trace_events(depends->trace),
                         .at = window.t1,
                         .track = NSC_NONE};
    uint32_t n_still = 0;
    nsc_event next;
    nsc_event op;

    *out = (struct nsc_critical){.window = window};
    op = find_end(&of, device, window);
    if (op == NSC_NONE || nsc_event_end(of.events, op) <= window.t0)
        return false;
    nsc_host_walk_init(&of.host, scope);
    next = find_next(&of, device, window.t1);
    if (next != NSC_NONE)
        op = next;
    else
        add_step(&of, NSC_CRITICAL_HOST, nsc_event_end(of.events, op), NSC_NONE);
    while (op != NSC_NONE && of.at > window.t0 && n_still < STILL) {
        nsc_time before = of.at;

        op = pass_op(&of, op);
        n_still = of.at == before ? n_still + 1 : 0;
    }
    add_step(&of, NSC_CRITICAL_UNKNOWN, window.t0, NSC_NONE);
    nsc_host_walk_fini(&of.host);
    free(of.lanes);
    for (uint32_t i = 0; i < out->n / 2; i++) {
        struct nsc_critical_step step = out->steps[i];

        out->steps[i] = out->steps[out->n - 1 - i];
        out->steps[out->n - 1 - i] = step;
    }
    return true;
}

void nsc_critical_fini(struct nsc_critical *critical)
{
    free(critical->steps);
    *critical = (struct nsc_critical){0};
}
