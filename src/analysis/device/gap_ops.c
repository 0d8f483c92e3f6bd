/* Walks the gaps of a device with cursors over its lanes. */
#include "analysis/device/gap_ops.h"

#include "analysis/base/activity.h"
#include "analysis/device/copies.h"
#include "index/lane_merge.h"

static void add_lane(struct nsc_gap_ops *ops, const struct nsc_lane_walk *at)
{
    const nsc_time *start = nsc_trace_events(ops->scope->trace)->start;
    nsc_event row = nsc_lane_find(ops->scope->trace, at->lane, ops->window.t0);
    nsc_event end = at->rows->first + at->rows->n;

    *NSC_VEC_ADD(&ops->lanes) = (struct nsc_gap_lane){.number = at->lane,
                                                      .stream = at->track,
                                                      .end = end,
                                                      .row = row,
                                                      .start = row < end ? start[row] : INT64_MAX,
                                                      .ahead = row,
                                                      .any = {NSC_NONE, row},
                                                      .with_call = {NSC_NONE, row}};
}

/* Moves a cursor to the first row that starts at or after t. */
static void move_lane(const struct nsc_gap_ops *ops, struct nsc_gap_lane *lane, nsc_time t)
{
    const nsc_time *start = nsc_trace_events(ops->scope->trace)->start;

    lane->row = nsc_lane_find_near(ops->scope->trace, lane->number, t - 1, lane->row);
    while (lane->row < lane->end && start[lane->row] < t)
        lane->row++;
    lane->start = lane->row < lane->end ? start[lane->row] : INT64_MAX;
}

/* Whether a row is an op of the scope with a length. */
static bool is_op(const struct nsc_gap_ops *ops, nsc_event row)
{
    return nsc_trace_events(ops->scope->trace)->duration[row] > 0 &&
           nsc_scope_selects(ops->scope, row);
}

/* The last op of a lane before the gap. Looks at each row once. */
static nsc_event find_last(const struct nsc_gap_ops *ops, const struct nsc_gap_lane *lane,
                           struct nsc_gap_last *last, bool has_call)
{
    const struct nsc_events *events = nsc_trace_events(ops->scope->trace);
    nsc_event row = lane->row;

    while (row > last->end &&
           !(is_op(ops, row - 1) && (!has_call || events->link[row - 1] != NSC_NONE)))
        row--;
    if (row > last->end)
        last->op = row - 1;
    last->end = lane->row;
    return last->op;
}

/* Whether op a comes after op b (NSC_NONE: none) in the order of the device. */
static bool is_after(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    if (b == NSC_NONE || events->start[a] != events->start[b])
        return b == NSC_NONE || events->start[a] > events->start[b];
    return a > b;
}

/* Moves the cursors to t, and finds the op with the latest end before it. Ends of a lane ascend, so
 * only lanes that move have later ones than before the last gap. */
static void move_lanes(struct nsc_gap_ops *ops, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(ops->scope->trace);
    nsc_time most = ops->last == NSC_NONE ? INT64_MIN : nsc_event_end(events, ops->last);

    for (uint32_t i = 0; i < ops->lanes.n; i++) {
        struct nsc_gap_lane *lane = &ops->lanes.at[i];
        nsc_event op;

        if (lane->start >= t)
            continue;
        move_lane(ops, lane, t);
        op = find_last(ops, lane, &lane->any, false);
        if (op == NSC_NONE || nsc_event_end(events, op) < most ||
            (nsc_event_end(events, op) == most && !is_after(events, op, ops->last)))
            continue;
        ops->last = op;
        ops->last_stream = lane->stream;
        most = nsc_event_end(events, op);
    }
}

nsc_event nsc_gap_ops_last_call(struct nsc_gap_ops *ops)
{
    const struct nsc_events *events = nsc_trace_events(ops->scope->trace);
    nsc_event found = NSC_NONE;

    for (uint32_t i = 0; i < ops->lanes.n; i++) {
        nsc_event op = find_last(ops, &ops->lanes.at[i], &ops->lanes.at[i].with_call, true);

        if (op != NSC_NONE && is_after(events, op, found))
            found = op;
    }
    return found == NSC_NONE ? NSC_NONE : events->link[found];
}

/* The first op that starts at t; ties: the lesser row. */
static nsc_event find_next(struct nsc_gap_ops *ops, nsc_time t)
{
    const nsc_time *start = nsc_trace_events(ops->scope->trace)->start;
    nsc_event found = NSC_NONE;

    for (uint32_t i = 0; i < ops->lanes.n; i++) {
        nsc_event row = ops->lanes.at[i].row;

        if (ops->lanes.at[i].start != t)
            continue;
        while (row < ops->lanes.at[i].end && start[row] == t && !is_op(ops, row))
            row++;
        if (row >= ops->lanes.at[i].end || start[row] != t || row >= found)
            continue;
        found = row;
        ops->next_stream = ops->lanes.at[i].stream;
    }
    return found;
}

bool nsc_gap_ops_is_migration(struct nsc_gap_ops *ops, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(ops->scope->trace);

    return nsc_kind_is_copy(events->kind[op]) && events->link[op] == NSC_NONE &&
           nsc_copies_is_migration(ops->scope->trace, events->name[op]);
}

/* The first op at or after t, also after the window, that is not a migration. */
static nsc_event look_ahead(struct nsc_gap_ops *ops, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(ops->scope->trace);
    nsc_event found = NSC_NONE;

    for (uint32_t i = 0; i < ops->lanes.n; i++) {
        struct nsc_gap_lane *lane = &ops->lanes.at[i];

        while (lane->ahead < lane->end &&
               (events->start[lane->ahead] < t || !is_op(ops, lane->ahead) ||
                nsc_gap_ops_is_migration(ops, lane->ahead)))
            lane->ahead++;
        if (lane->ahead >= lane->end ||
            (found != NSC_NONE && events->start[lane->ahead] >= events->start[found]))
            continue;
        found = lane->ahead;
        ops->next_stream = lane->stream;
    }
    return found;
}

bool nsc_gap_ops_init(struct nsc_gap_ops *ops, const struct nsc_scope *scope, uint32_t device)
{
    *ops = (struct nsc_gap_ops){.scope = scope, .last = NSC_NONE};
    if (!nsc_device_window(&ops->window, scope, device)) {
        ops->window.t1 = ops->window.t0 = ops->t = scope->window.t0;
        return false;
    }
    ops->t = ops->window.t0;
    ops->busy = nsc_scope_cover_busy(&ops->owned, scope, device);
    if (ops->busy) { /* not if all ops are instants */
        ops->n_intervals = nsc_cover_count(ops->busy);
        ops->interval = nsc_cover_find(ops->busy, ops->t);
    }
    for (struct nsc_lane_walk at = nsc_device_lanes(scope->trace, device); nsc_lane_walk_next(&at);)
        add_lane(ops, &at);
    return true;
}

void nsc_gap_ops_fini(struct nsc_gap_ops *ops)
{
    nsc_cover_free(ops->owned);
    NSC_VEC_FINI(&ops->lanes);
    *ops = (struct nsc_gap_ops){0};
}

/* Finds the next interval in which nothing runs. */
static bool find_idle(struct nsc_gap_ops *ops)
{
    do {
        struct nsc_window busy = {ops->window.t1, ops->window.t1};

        if (ops->t >= ops->window.t1)
            return false;
        if (ops->interval < ops->n_intervals)
            busy = nsc_cover_at(ops->busy, ops->interval++);
        ops->start = ops->t;
        ops->end = nsc_earlier(busy.t0, ops->window.t1);
        ops->t = busy.t1;
    } while (ops->start >= ops->end);
    return true;
}

bool nsc_gap_ops_next(struct nsc_gap_ops *ops)
{
    if (!find_idle(ops))
        return false;
    move_lanes(ops, ops->end);
    ops->after = ops->end < ops->window.t1 ? find_next(ops, ops->end) : NSC_NONE;
    ops->next = ops->after;
    if (ops->after == NSC_NONE || nsc_gap_ops_is_migration(ops, ops->after))
        ops->next = look_ahead(ops, ops->end);
    return true;
}
