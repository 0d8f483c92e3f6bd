/* Iterates the ops of a device: merges the lanes of its streams. */
#include "analysis/base/device_ops.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

uint32_t nsc_device_next(const struct nsc_trace *trace, uint32_t track)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t t = track == NSC_NONE ? 0 : nsc_group_end(tracks, track); t < n;) {
        uint32_t capture = tracks[t].capture_no;
        uint32_t high = n;

        if (tracks[t].kind == NSC_TRACK_DEVICE)
            return t;
        /* the devices of an export come before its threads */
        if (tracks[t].kind == NSC_TRACK_THREAD)
            NSC_BISECT(t, high, middle, tracks[middle].capture_no <= capture);
        else
            t++;
    }
    return NSC_NONE;
}

bool nsc_device_window(struct nsc_window *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_scope of = *scope;

    if (scope->has_window) /* a device that works only at other times is idle */
        of.window = nsc_trace_extent(scope->trace);
    *out = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (struct nsc_lane_walk at = nsc_device_lanes(scope->trace, device); nsc_lane_walk_next(&at);)
        nsc_scope_widen(out, &of, at.lane);
    if (out->t0 >= out->t1)
        return false;
    if (scope->has_window)
        *out = scope->window;
    if (scope->has_window && scope->of_devices) /* a narrower question stays narrow */
        *out = nsc_window_meet(*out, scope->of_devices[device]);
    return out->t0 < out->t1;
}

struct nsc_scope nsc_device_scope(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_scope own = *scope;

    if (scope->of_devices && !nsc_device_window(&own.window, scope, device))
        own.window.t1 = own.window.t0;
    return own;
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

/* ---- ops ---- */

#ifdef NSC_SMALL /* tests reach every edge with few rows */
enum { BLOCK_OPS = 3 };
#else
enum { BLOCK_OPS = 512 };
#endif

/* The kind of an op; remembers that of a name of kernels. */
static enum nsc_op_kind find_kind(const struct nsc_device_ops *work, nsc_event row, uint8_t kind)
{
    enum nsc_op_kind found = kind_of_event(kind);
    nsc_name name = work->events->name[row];

    if (kind != NSC_KIND_KERNEL)
        return found;
    if (work->name_flags[name] & NSC_NAME_COMM)
        found = kind_of_comm(work->scope->trace, name);
    work->kind_of_name[name] = (uint8_t)(found + 1);
    return found;
}

NSC_COMPARE(compare_lanes, struct nsc_ops_lane, NSC_LEAST(first))

/* The rows of each lane in the window. */
static void gather_lanes(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device)
{
    NSC_VEC(struct nsc_row_range) rows = {0};

    for (struct nsc_lane_walk at = nsc_device_lanes(scope->trace, device);
         nsc_lane_walk_next(&at);) {
        struct nsc_row_range range = nsc_lane_rows(scope->trace, at.lane, scope->window);

        if (range.first >= range.end)
            continue;
        *NSC_VEC_ADD(&rows) = range;
        *NSC_VEC_ADD(&work->lanes) = (struct nsc_ops_lane){range.first, range.end, at.track};
    }
    nsc_lane_merge_open(&work->merge, scope->trace, rows.at, (uint32_t)rows.n);
    NSC_VEC_FINI(&rows);
    NSC_VEC_SORT(&work->lanes, compare_lanes);
}

/* The track of a row's stream. */
static uint32_t find_stream(struct nsc_device_ops *work, nsc_event row)
{
    const struct nsc_ops_lane *lane = &work->lanes.at[work->last_lane];
    size_t low = 0, high = work->lanes.n;

    if (row >= lane->first && row < lane->end)
        return lane->stream;
    NSC_BISECT(low, high, middle, work->lanes.at[middle].first <= row);
    work->last_lane = low - 1;
    return work->lanes.at[low - 1].stream;
}

/* Decodes an op, clipped to the window. */
static void decode_op(struct nsc_device_ops *work, nsc_event row, struct nsc_device_op *op)
{
    const struct nsc_events *events = work->events;
    uint8_t kind = events->kind[row];
    uint8_t known = kind == NSC_KIND_KERNEL ? work->kind_of_name[events->name[row]] : 0;
    nsc_time start = events->start[row], end = start + nsc_event_duration(events, row);

    op->start = nsc_later(start, work->window.t0);
    op->end = nsc_earlier(end, work->window.t1);
    op->is_clipped = op->start != start || op->end != end;
    op->event = row;
    op->call = events->link[row];
    op->stream = find_stream(work, row);
    op->kind = known ? (uint8_t)(known - 1) : (uint8_t)find_kind(work, row, kind);
    op->is_graph = kind == NSC_KIND_GRAPH;
}

bool nsc_device_ops_step(struct nsc_device_ops *work)
{
    nsc_event row;

    work->at = work->n = 0;
    if (nsc_scope_is_stopped(work->scope))
        return false;
    while (work->n < BLOCK_OPS && (row = nsc_lane_merge_next(&work->merge)) != NSC_NONE)
        if (nsc_scope_selects(work->scope, row) && nsc_kind_is_gpu(work->events->kind[row]))
            decode_op(work, row, &work->block[work->n++]);
    return work->n > 0;
}

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device)
{
    struct nsc_scope own = nsc_device_scope(scope, device);

    *work = (struct nsc_device_ops){.scope = scope,
                                    .events = nsc_trace_events(scope->trace),
                                    .window = own.window,
                                    .name_flags = nsc_trace_names(scope->trace)->flags};
    work->kind_of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    gather_lanes(work, &own, device);
    work->block = nsc_xmalloc(BLOCK_OPS * sizeof *work->block);
}

void nsc_device_ops_fini(struct nsc_device_ops *work)
{
    nsc_lane_merge_fini(&work->merge);
    NSC_VEC_FINI(&work->lanes);
    free(work->block);
    free(work->kind_of_name);
    *work = (struct nsc_device_ops){0};
}

bool nsc_process_works_on(const struct nsc_trace *trace, uint32_t device, uint64_t process)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        if (tracks[t].kind == NSC_TRACK_STREAM && tracks[t].process == process)
            return true;
    return false;
}
