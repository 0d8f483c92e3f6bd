/* Iterates the ops of a device: merges the lanes of its streams. */
#include "analysis/base/device_ops.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

uint32_t nsc_device_next(const struct nsc_trace *trace, uint32_t track)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t t = track == NSC_NONE ? 0 : track + 1; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_DEVICE)
            return t;
    return NSC_NONE;
}

bool nsc_device_window(struct nsc_window *out, const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);

    *out = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (uint32_t t = device; t < tracks[device].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++)
            nsc_scope_widen(out, scope, tracks[t].first_lane + k);
    if (out->t0 >= out->t1)
        return false;
    if (scope->has_window)
        *out = scope->window;
    if (scope->has_window && scope->of_devices) { /* a narrower question stays narrow */
        out->t0 = nsc_later(out->t0, scope->of_devices[device].t0);
        out->t1 = nsc_earlier(out->t1, scope->of_devices[device].t1);
    }
    return out->t0 < out->t1;
}

/* ---- kinds ---- */

const char *nsc_op_kind_word(enum nsc_op_kind kind)
{
    static const char *const words[] = {
        [NSC_OP_KIND_COMPUTE] = "compute",
        [NSC_OP_KIND_HTOD] = "copy host to device",
        [NSC_OP_KIND_DTOH] = "copy device to host",
        [NSC_OP_KIND_DTOD] = "copy device to device",
        [NSC_OP_KIND_PEER] = "copy peer to peer",
        [NSC_OP_KIND_COPY] = "other copy",
        [NSC_OP_KIND_MEMSET] = "memset",
    };

    if (kind >= NSC_OP_KIND_COMM && kind < NSC_OP_KIND_HTOD)
        return nsc_collective_word((enum nsc_collective)(kind - NSC_OP_KIND_COMM));
    return words[kind];
}

static enum nsc_op_kind kind_of_comm(const struct nsc_trace *trace, nsc_name name)
{
    const struct nsc_names *names = nsc_trace_names(trace);

    return (enum nsc_op_kind)(NSC_OP_KIND_COMM +
                              nsc_collective_of(nsc_trace_string(trace, names->brief[name])));
}

/* The kind of GPU work other than communication. */
static inline enum nsc_op_kind kind_of_event(uint8_t kind)
{
    _Static_assert(
        NSC_KIND_COPY_OTHER - NSC_KIND_COPY_HTOD == NSC_OP_KIND_COPY - NSC_OP_KIND_HTOD &&
            NSC_KIND_MEMSET - NSC_KIND_COPY_HTOD == NSC_OP_KIND_MEMSET - NSC_OP_KIND_HTOD,
        "copies and memsets come in the same order in both lists");

    return kind < NSC_KIND_COPY_HTOD
               ? NSC_OP_KIND_COMPUTE
               : (enum nsc_op_kind)(NSC_OP_KIND_HTOD + kind - NSC_KIND_COPY_HTOD);
}

static inline bool is_comm(const struct nsc_events *events, const uint8_t flags[], nsc_event event)
{
    return events->kind[event] == NSC_KIND_KERNEL && flags[events->name[event]] & NSC_NAME_COMM;
}

bool nsc_op_kind_of(const struct nsc_trace *trace, nsc_event event, enum nsc_op_kind *out)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    if (!nsc_kind_is_gpu(events->kind[event]))
        return false;
    *out = is_comm(events, nsc_trace_names(trace)->flags, event)
               ? kind_of_comm(trace, events->name[event])
               : kind_of_event(events->kind[event]);
    return true;
}

/* The kind of an op; looks at each name of a communication kernel once. */
static enum nsc_op_kind find_kind(struct nsc_device_ops *work, nsc_event event)
{
    const struct nsc_events *events = work->merge.events;
    nsc_name name = events->name[event];

    if (!is_comm(events, work->name_flags, event))
        return kind_of_event(events->kind[event]);
    if (work->kind_of_name[name] == 0)
        work->kind_of_name[name] = (uint8_t)kind_of_comm(work->scope->trace, name);
    return (enum nsc_op_kind)work->kind_of_name[name];
}

/* ---- ops ---- */

struct lane_part {
    nsc_event first, end;
    uint32_t track;
};

static int compare_parts(const void *a, const void *b)
{
    const struct lane_part *x = a;
    const struct lane_part *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

/* The rows of each lane in the window, in order of row. */
static struct lane_part *gather_parts(const struct nsc_scope *scope, uint32_t device, uint32_t *n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    uint32_t bound = 0;
    struct lane_part *parts;

    *n = 0;
    for (uint32_t t = device; t < tracks[device].skip; t++)
        bound += tracks[t].kind == NSC_TRACK_STREAM ? tracks[t].n_lanes : 0;
    parts = nsc_xcalloc((size_t)bound + 1, sizeof *parts);
    for (uint32_t t = device; t < tracks[device].skip; t++) {
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            struct lane_part *part = &parts[*n];

            nsc_scope_rows(scope, tracks[t].first_lane + k, &part->first, &part->end);
            part->track = t;
            *n += part->first < part->end;
        }
    }
    qsort(parts, *n, sizeof *parts, compare_parts);
    return parts;
}

static void open_merge(struct nsc_device_ops *work, const struct nsc_scope *scope, uint32_t device)
{
    uint32_t n = 0;
    struct lane_part *parts = gather_parts(scope, device, &n);
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)n + 1, sizeof *ranges);

    *work = (struct nsc_device_ops){.scope = scope, .n_lanes = n};
    work->lane_end = nsc_xcalloc((size_t)n + 1, sizeof *work->lane_end);
    work->lane_track = nsc_xcalloc((size_t)n + 1, sizeof *work->lane_track);
    for (uint32_t i = 0; i < n; i++) {
        ranges[i] = (struct nsc_row_range){parts[i].first, parts[i].end};
        work->lane_end[i] = parts[i].end;
        work->lane_track[i] = parts[i].track;
    }
    work->name_flags = nsc_trace_names(scope->trace)->flags;
    work->kind_of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    nsc_lane_merge_open(&work->merge, scope->trace, ranges, n);
    free(ranges);
    free(parts);
}

/* The lane of a row, usually that of the row before. */
static uint32_t find_lane(struct nsc_device_ops *work, nsc_event row)
{
    uint32_t low = 0;
    uint32_t high = work->n_lanes - 1;

    if (row < work->lane_end[work->at_lane] &&
        (work->at_lane == 0 || row >= work->lane_end[work->at_lane - 1]))
        return work->at_lane;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (row < work->lane_end[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return work->at_lane = low;
}

/* The next row of the merge that is an op of the scope. */
static nsc_event next_row(struct nsc_device_ops *work)
{
    const struct nsc_events *events = work->merge.events;
    nsc_event row;

    do
        row = nsc_lane_merge_next(&work->merge);
    while (row != NSC_NONE &&
           !(nsc_kind_is_gpu(events->kind[row]) && nsc_scope_has_row(work->scope, events, row)));
    return row;
}

static bool build_order(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_device_order *order = value;
    struct nsc_device_ops work;
    uint64_t n = 0;

    *order = (struct nsc_device_order){0};
    open_merge(&work, scope, device);
    for (uint32_t i = 0; i < work.merge.n; i++)
        n += work.merge.heap[i].end - work.merge.heap[i].row;
    if (n > 0 && work.n_lanes <= UINT16_MAX) {
        order->rows = nsc_xmalloc(n * sizeof *order->rows);
        order->lanes = nsc_xmalloc(n * sizeof *order->lanes);
        for (nsc_event row; (row = next_row(&work)) != NSC_NONE; order->n++) {
            order->rows[order->n] = row;
            order->lanes[order->n] = (uint16_t)find_lane(&work, row);
        }
    }
    nsc_device_ops_fini(&work);
    return order->n > 0;
}

static void fini_order(void *value)
{
    struct nsc_device_order *order = value;

    free(order->rows);
    free(order->lanes);
}

/* The first position whose row starts after t, or at t with a number of at least row. */
static uint32_t find_position(const struct nsc_device_ops *work, nsc_time t, nsc_event row)
{
    const nsc_time *start = work->merge.events->start;
    uint32_t low = 0;
    uint32_t high = work->order.n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        nsc_event at = work->order.rows[middle];

        if (start[at] < t || (start[at] == t && at < row))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Limits the order to the rows from the first that touches the window to the last that starts in
 * it. */
static void limit_order(struct nsc_device_ops *work, uint32_t device)
{
    const nsc_time *start = work->merge.events->start;
    uint32_t n = 0;
    struct lane_part *parts = gather_parts(work->scope, device, &n);
    nsc_event first = n > 0 ? parts[0].first : NSC_NONE;

    for (uint32_t i = 1; i < n; i++) /* on equal starts, the least row is already first */
        if (start[parts[i].first] < start[first])
            first = parts[i].first;
    work->end = find_position(work, work->scope->window.t1, 0);
    work->at = first == NSC_NONE ? work->end : find_position(work, start[first], first);
    free(parts);
}

/* The outermost scope, if its order contains all ops of this one. */
static bool find_outer(struct nsc_scope *out, const struct nsc_scope *scope)
{
    return nsc_shared_outermost(out, scope) && (!out->mask || out->mask == scope->mask) &&
           out->window.t0 <= scope->window.t0 && out->window.t1 >= scope->window.t1;
}

/* Whether a scope has all rows of the order of the outermost scope, and clips none. */
static bool is_whole(const struct nsc_scope *scope, const struct nsc_scope *outer)
{
    struct nsc_window all = nsc_trace_extent(scope->trace);

    return scope->mask == outer->mask && scope->window.t0 == outer->window.t0 &&
           scope->window.t1 == outer->window.t1 && scope->window.t0 <= all.t0 &&
           scope->window.t1 >= all.t1;
}

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_device_order), build_order,
                                                fini_order};
    struct nsc_device_order order = {0};
    struct nsc_scope own = *scope;
    struct nsc_scope outer;

    if (scope->of_devices && !nsc_device_window(&own.window, scope, device))
        own.window.t1 = own.window.t0; /* none of the device's ops */
    if (find_outer(&outer, scope))
        (void)nsc_shared_ask(&order, NULL, &kind, &outer, device);
    open_merge(work, order.n > 0 ? &outer : &own, device);
    work->own = own;
    work->scope = scope->of_devices ? &work->own : scope;
    work->order = order;
    work->is_whole = order.n > 0 && is_whole(&own, &outer);
    if (order.n > 0)
        limit_order(work, device);
}

/* Finds the lane of a row of the scope, and clips the row. */
static bool next_in_order(struct nsc_device_ops *work, struct nsc_device_op *op, uint32_t *lane)
{
    while (work->at < work->end) {
        op->event = work->order.rows[work->at];
        *lane = work->order.lanes[work->at++];
        if (work->is_whole) {
            op->start = work->merge.events->start[op->event];
            op->end = nsc_event_end(work->merge.events, op->event);
            return true;
        }
        if (nsc_scope_clip_row(work->scope, work->merge.events, op->event, &op->start, &op->end))
            return true;
    }
    return false;
}

static bool next_merged(struct nsc_device_ops *work, struct nsc_device_op *op, uint32_t *lane)
{
    op->event = next_row(work);
    if (op->event == NSC_NONE)
        return false;
    *lane = find_lane(work, op->event);
    return nsc_scope_clip_row(work->scope, work->merge.events, op->event, &op->start, &op->end);
}

bool nsc_device_ops_next(struct nsc_device_ops *work, struct nsc_device_op *op)
{
    uint32_t lane;

    if (!(work->order.n > 0 ? next_in_order(work, op, &lane) : next_merged(work, op, &lane))) {
        op->event = NSC_NONE;
        return false;
    }
    op->stream = work->lane_track[lane];
    op->kind = find_kind(work, op->event);
    return true;
}

void nsc_device_ops_fini(struct nsc_device_ops *work)
{
    nsc_lane_merge_fini(&work->merge);
    free(work->lane_end);
    free(work->lane_track);
    free(work->kind_of_name);
    *work = (struct nsc_device_ops){0};
}

bool nsc_process_works_on(const struct nsc_trace *trace, uint32_t device, uint64_t process)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t t = device; t < tracks[device].skip; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM && tracks[t].process == process)
            return true;
    return false;
}
