/*
 * Walks the tree of ranges and launched ops with two cursors per parent: one on the rows of the
 * lane below, one on the launches.
 */
#include "analysis/ranges/instances.h"

#include "nsyscope/calltree.h"
#include "nsyscope/summary.h"

#include "core/die.h"
#include "index/lane_merge.h"

#include <stdlib.h>

/* ---- roots ---- */

static void add_root(struct nsc_instances *all, uint32_t track, bool takes_work)
{
    all->roots[all->n_roots++] = (struct nsc_instance_root){track, takes_work};
}

/* Whether the export links any op to a call of the thread. */
static bool launches_work(const struct nsc_trace *trace, uint32_t group)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (struct nsc_lane_walk at = nsc_group_lanes(trace, group, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_lane_walk_next(&at);)
        for (nsc_event row = at.rows->first; row < at.rows->first + at.rows->n; row++)
            if (events->link[row] != NSC_NONE)
                return true;
    return false;
}

void nsc_instances_init(struct nsc_instances *all, const struct nsc_trace *trace,
                        const struct nsc_launches *launches)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    *all = (struct nsc_instances){.trace = trace, .launches = launches, .measured = launches};
    all->roots = nsc_xcalloc((size_t)n + 1, sizeof *all->roots);
    for (uint32_t group = nsc_trace_next_group(trace, 0); group < n;
         group = nsc_trace_next_group(trace, nsc_group_end(tracks, group))) {
        bool first = true;

        for (uint32_t t = group; t < nsc_group_end(tracks, group); t++) {
            if (tracks[t].kind != NSC_TRACK_NVTX || !tracks[t].n_lanes)
                continue;
            add_root(all, t, first);
            first = false;
        }
        if (first && launches_work(trace, group))
            add_root(all, group, true);
    }
}

void nsc_instances_fini(struct nsc_instances *all)
{
    free(all->roots);
    *all = (struct nsc_instances){0};
}

/* ---- the children of one place ---- */

/* The rows of the lane below, and the launches, that start inside a place. */
struct inside {
    uint32_t lane; /* NSC_NONE: no lane below */
    nsc_event first, end;
    struct nsc_positions ops;
};

/* Between two children: the row of the lane below and the position of the op behind it. */
struct cursors {
    nsc_event row;
    uint32_t op;
};

static const struct nsc_track *root_track(const struct nsc_instances *all, uint32_t root)
{
    return nsc_trace_track(all->trace, all->roots[root].track);
}

/* The first row of the lane that starts at t or later. */
static nsc_event lane_from(const struct nsc_instances *all, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *at = nsc_instances_lane(all, lane);
    nsc_event row = nsc_lane_find(all->trace, lane, t);

    return row < at->first + at->n && nsc_trace_events(all->trace)->start[row] < t ? row + 1 : row;
}

static struct inside inside_root(const struct nsc_instances *all, uint32_t root)
{
    const struct nsc_track *track = root_track(all, root);
    struct inside in = {.lane = NSC_NONE};

    if (track->kind == NSC_TRACK_NVTX) {
        in.lane = track->first_lane;
        in.first = nsc_instances_lane(all, in.lane)->first;
        in.end = in.first + nsc_instances_lane(all, in.lane)->n;
    }
    if (all->roots[root].takes_work)
        in.ops = nsc_launches_of_track(all->launches, all->roots[root].track);
    return in;
}

static struct inside inside_range(const struct nsc_instances *all, nsc_event range)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    uint32_t lane = nsc_trace_lane_of(all->trace, range);
    const struct nsc_track *track =
        nsc_trace_track(all->trace, nsc_instances_lane(all, lane)->track);
    struct inside in = {.lane = NSC_NONE, .ops = nsc_launches_inside(all->launches, range)};

    if (lane + 1 < track->first_lane + track->n_lanes) {
        in.lane = lane + 1;
        in.first = lane_from(all, in.lane, events->start[range]);
        in.end = lane_from(all, in.lane, nsc_event_touch_end(events, range));
    }
    return in;
}

static struct inside inside_of(const struct nsc_instances *all, struct nsc_instance at)
{
    return at.range == NSC_NONE ? inside_root(all, at.root) : inside_range(all, at.range);
}

/* The row of the lane below that contains t, shown or hidden; NSC_NONE. */
static nsc_event row_around(const struct nsc_instances *all, const struct inside *in, nsc_time t)
{
    nsc_event row = in->lane == NSC_NONE ? NSC_NONE : nsc_lane_around(all->trace, in->lane, t);

    return row >= in->first && row < in->end ? row : NSC_NONE;
}

/* The first op at or after position, launched before limit, that belongs to no deeper range. back:
 * the last op before position, launched at or after limit. */
static uint32_t find_work(const struct nsc_instances *all, const struct inside *in,
                          uint32_t position, nsc_time limit, bool back)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    struct nsc_positions left = {back ? in->ops.first : position, back ? position : in->ops.end};

    while (left.first < left.end) {
        uint32_t op = back ? left.end - 1 : left.first;
        nsc_time t = nsc_launches_time(all->launches, op);
        nsc_event around;

        if (back ? t < limit : t >= limit)
            break;
        around = row_around(all, in, t);
        if (around == NSC_NONE)
            return op;
        if (back)
            left.end = nsc_launches_find(all->launches, left, events->start[around]);
        else
            left.first =
                nsc_launches_find(all->launches, left, nsc_event_touch_end(events, around));
    }
    return NSC_NONE;
}

/* The first child at or after these cursors. back: the last one before them. */
static struct nsc_instance find_child(const struct nsc_instances *all, const struct inside *in,
                                      struct nsc_instance parent, struct cursors at, bool back)
{
    nsc_event first = back ? in->first : at.row, end = back ? at.row : in->end;
    bool has_row;
    nsc_time limit = back ? INT64_MIN : INT64_MAX;
    nsc_event row;
    uint32_t op;

    if (in->lane == NSC_NONE)
        first = end;
    while (first < end && !nsc_instances_shows(all, back ? end - 1 : first)) {
        first += !back;
        end -= back;
    }
    has_row = first < end;
    row = back ? end - 1 : first;
    if (has_row)
        limit = nsc_trace_events(all->trace)->start[row];
    op = find_work(all, in, at.op, limit, back);
    if (op != NSC_NONE)
        return (struct nsc_instance){parent.root, parent.range, op};
    return has_row ? (struct nsc_instance){parent.root, row, NSC_NONE} : NSC_NO_INSTANCE;
}

/* ---- steps ---- */

nsc_event nsc_instance_event(const struct nsc_instances *all, struct nsc_instance at)
{
    return at.op != NSC_NONE ? nsc_launches_op(all->launches, at.op) : at.range;
}

uint32_t nsc_instance_depth(const struct nsc_instances *all, struct nsc_instance at)
{
    uint32_t depth = at.op != NSC_NONE ? 1 : 0;

    if (at.range == NSC_NONE)
        return depth;
    return depth + 1 + nsc_trace_lane_of(all->trace, at.range) -
           root_track(all, at.root)->first_lane;
}

bool nsc_instance_is_below(const struct nsc_instances *all, struct nsc_instance at,
                           struct nsc_instance above)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    nsc_time t = 0;

    if (at.root != above.root || above.op != NSC_NONE || nsc_instance_is_same(at, above))
        return false;
    if (above.range == NSC_NONE)
        return true;
    if (at.range == NSC_NONE)
        return false;
    if (at.range == above.range)
        return at.op != NSC_NONE;
    t = events->start[at.range];
    return nsc_trace_lane_of(all->trace, at.range) > nsc_trace_lane_of(all->trace, above.range) &&
           events->start[above.range] <= t && t < nsc_event_touch_end(events, above.range);
}

struct nsc_instance nsc_instance_parent(const struct nsc_instances *all, struct nsc_instance at)
{
    if (nsc_instance_is_none(at) || (at.range == NSC_NONE && at.op == NSC_NONE))
        return NSC_NO_INSTANCE;
    if (at.op != NSC_NONE)
        return (struct nsc_instance){at.root, at.range, NSC_NONE};
    return (struct nsc_instance){at.root, nsc_nvtx_parent(all->trace, at.range), NSC_NONE};
}

static struct nsc_instance outer_child(const struct nsc_instances *all, struct nsc_instance at,
                                       bool back)
{
    struct inside in;

    if (at.op != NSC_NONE)
        return NSC_NO_INSTANCE;
    in = inside_of(all, at);
    return find_child(all, &in, at,
                      (struct cursors){back ? in.end : in.first, back ? in.ops.end : in.ops.first},
                      back);
}

struct nsc_instance nsc_instance_first_child(const struct nsc_instances *all,
                                             struct nsc_instance at)
{
    return outer_child(all, at, false);
}

struct nsc_instance nsc_instance_last_child(const struct nsc_instances *all, struct nsc_instance at)
{
    return outer_child(all, at, true);
}

struct nsc_instance nsc_instance_root(const struct nsc_instances *all, uint32_t root, bool back)
{
    for (; root < all->n_roots; root += back ? UINT32_MAX : 1) {
        struct nsc_instance at = {root, NSC_NONE, NSC_NONE};

        if (!all->keep || !nsc_instance_is_none(nsc_instance_first_child(all, at)))
            return at;
    }
    return NSC_NO_INSTANCE;
}

/* The first row of the lane below that starts at t or later, or the end of the rows; t lies between
 * rows. */
static nsc_event row_at_gap(const struct nsc_instances *all, const struct inside *in, nsc_time t)
{
    nsc_event row = in->end;

    if (in->lane != NSC_NONE)
        row = lane_from(all, in->lane, t);
    return row < in->first ? in->first : row > in->end ? in->end : row;
}

static struct nsc_instance step(const struct nsc_instances *all, struct nsc_instance at, bool back)
{
    struct nsc_instance parent = nsc_instance_parent(all, at);
    const struct nsc_events *events = nsc_trace_events(all->trace);
    struct cursors from = {back ? at.range : at.range + 1, back ? at.op : at.op + 1};
    struct inside in;

    if (nsc_instance_is_none(at))
        return at;
    if (nsc_instance_is_none(parent))
        return nsc_instance_root(all, back ? at.root - 1 : at.root + 1, back);
    in = inside_of(all, parent);
    if (at.op != NSC_NONE)
        from.row = row_at_gap(all, &in, nsc_launches_time(all->launches, at.op));
    else
        from.op = nsc_launches_find(all->launches, in.ops,
                                    back ? events->start[at.range]
                                         : nsc_event_touch_end(events, at.range));
    return find_child(all, &in, parent, from, back);
}

struct nsc_instance nsc_instance_next(const struct nsc_instances *all, struct nsc_instance at)
{
    return step(all, at, false);
}

struct nsc_instance nsc_instance_prev(const struct nsc_instances *all, struct nsc_instance at)
{
    return step(all, at, true);
}

/* Ops between two shown rows of the lane below are siblings: hidden rows launch nothing. */
struct nsc_positions nsc_instance_alike_ops(const struct nsc_instances *all, struct nsc_instance op)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    struct inside in = inside_of(all, nsc_instance_parent(all, op));
    nsc_event after = row_at_gap(all, &in, nsc_launches_time(all->launches, op.op));
    nsc_event before = after;
    struct nsc_positions between = in.ops;

    while (in.lane != NSC_NONE && after < in.end && !nsc_instances_shows(all, after))
        after++;
    while (in.lane != NSC_NONE && before > in.first && !nsc_instances_shows(all, before - 1))
        before--;
    if (in.lane != NSC_NONE && after < in.end)
        between.end = nsc_launches_find(all->launches, in.ops, events->start[after]);
    if (in.lane != NSC_NONE && before > in.first)
        between.first =
            nsc_launches_find(all->launches, in.ops, nsc_event_touch_end(events, before - 1));
    return nsc_launches_alike(all->launches, between, op.op);
}

/* ---- from events ---- */

/* The range around t in the deepest lane for which all lanes above have one too; NSC_NONE. */
static nsc_event innermost(const struct nsc_instances *all, const struct nsc_track *track,
                           nsc_time t)
{
    nsc_event found = NSC_NONE, row;

    for (uint32_t k = 0; track->kind == NSC_TRACK_NVTX && k < track->n_lanes; k++) {
        row = nsc_lane_around(all->trace, track->first_lane + k, t);
        if (row == NSC_NONE)
            break;
        found = row;
    }
    return found;
}

/* The place at time t on a thread: under the shortest innermost range of its domains. */
static struct nsc_instance place_at(const struct nsc_instances *all, uint32_t track, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    uint32_t group = nsc_trace_group_of(all->trace, track);
    struct nsc_instance found = NSC_NO_INSTANCE;

    for (uint32_t r = 0; r < all->n_roots; r++) {
        nsc_event row = NSC_NONE;

        if (nsc_trace_group_of(all->trace, all->roots[r].track) != group)
            continue;
        row = innermost(all, root_track(all, r), t);
        if (nsc_instance_is_none(found) ||
            (row != NSC_NONE &&
             (found.range == NSC_NONE ||
              nsc_event_duration(events, row) < nsc_event_duration(events, found.range))))
            found = (struct nsc_instance){r, row, NSC_NONE};
    }
    return found;
}

static struct nsc_instance root_of_track(const struct nsc_instances *all, uint32_t track)
{
    for (uint32_t r = 0; r < all->n_roots; r++)
        if (all->roots[r].track == track)
            return (struct nsc_instance){r, NSC_NONE, NSC_NONE};
    return NSC_NO_INSTANCE;
}

struct nsc_instance nsc_instance_of(const struct nsc_instances *all, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    uint32_t op = nsc_launches_position(all->launches, event);
    nsc_event from = op == NSC_NONE ? event : events->link[event];
    uint32_t track = nsc_instances_lane(all, nsc_trace_lane_of(all->trace, from))->track;
    struct nsc_instance found = root_of_track(all, track);

    if (!nsc_instance_is_none(found))
        found.range = event;
    else if (!nsc_kind_is_gpu(events->kind[from]))
        found = place_at(all, track, events->start[from]);
    if (op != NSC_NONE && !nsc_instance_is_none(found))
        found.op = op;
    return found;
}

struct nsc_gpu_figures nsc_instance_figures(const struct nsc_instances *all, struct nsc_instance at)
{
    struct nsc_gpu_figures out;

    if (at.op != NSC_NONE)
        return nsc_launches_measure(all->launches, (struct nsc_positions){at.op, at.op + 1});
    if (at.range == NSC_NONE) {
        out = nsc_launches_measure(all->measured,
                                   nsc_launches_of_track(all->measured, all->roots[at.root].track));
        nsc_helper_figures_add_track(&out, all->lent, all->roots[at.root].track);
    } else {
        out = nsc_launches_measure(all->measured, nsc_launches_inside(all->measured, at.range));
        nsc_helper_figures_add(&out, all->lent, at.range);
    }
    return out;
}
