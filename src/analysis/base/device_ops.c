/* Iterates the ops of a device: merges the lanes of its streams, block by block. */
#include "analysis/base/device_ops.h"

#include "core/bisect.h"
#include "core/die.h"

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
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_scope of = *scope;

    if (scope->has_window) /* a device that works only at other times is idle */
        of.window = nsc_trace_extent(scope->trace);
    *out = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++)
            nsc_scope_widen(out, &of, tracks[t].first_lane + k);
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

/* A lane has at most this many rows in a block, so that a block of ten lanes fits into the first-level
 * cache. */
#ifdef NSC_SMALL /* tests reach every edge with few rows */
enum { BLOCK_ROWS = 2 };
#else
enum { BLOCK_ROWS = 32 };
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

static int compare_lanes(const void *a, const void *b)
{
    const struct nsc_ops_lane *x = a;
    const struct nsc_ops_lane *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

/* The most rows of a lane in the next block. */
static uint32_t most_rows(const struct nsc_ops_lane *lane)
{
    return lane->end - lane->row < BLOCK_ROWS ? lane->end - lane->row : BLOCK_ROWS;
}

/* The rows of each lane in the window, in order of row. */
static void gather_lanes(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    uint32_t bound = 0;

    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        bound += tracks[t].kind == NSC_TRACK_STREAM ? tracks[t].n_lanes : 0;
    work->lanes = nsc_xcalloc((size_t)bound + 1, sizeof *work->lanes);
    work->runs = nsc_xcalloc((size_t)bound + 1, sizeof *work->runs);
    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            struct nsc_ops_lane *lane = &work->lanes[work->n_lanes];

            nsc_scope_rows(scope, tracks[t].first_lane + k, &lane->row, &lane->end);
            lane->stream = t;
            work->n_lanes += lane->row < lane->end;
        }
    qsort(work->lanes, work->n_lanes, sizeof *work->lanes, compare_lanes);
}

/* ---- a block ---- */

/* Decodes rows of a lane, unclipped; returns how many are ops of the scope. */
static uint32_t decode_rows(const struct nsc_device_ops *work, nsc_event row, nsc_event end,
                            uint32_t stream, struct nsc_device_op out[])
{
    const struct nsc_events events = *work->events;
    const uint64_t *mask = work->scope->mask;
    const uint8_t *kind_of_name = work->kind_of_name;
    struct nsc_device_op *op = out;

    for (; row < end; row++) {
        uint8_t kind = events.kind[row];
        uint8_t known = kind == NSC_KIND_KERNEL ? kind_of_name[events.name[row]] : 0;

        if ((mask && !nsc_bits_get(mask, row)) || !nsc_kind_is_gpu(kind))
            continue;
        op->start = events.start[row];
        op->end = op->start + nsc_event_duration(&events, row);
        op->event = row;
        op->call = events.link[row];
        op->stream = stream;
        op->kind = known ? (uint8_t)(known - 1) : (uint8_t)find_kind(work, row, kind);
        op->is_graph = kind == NSC_KIND_GRAPH;
        op->is_clipped = false;
        op++;
    }
    return (uint32_t)(op - out);
}

/* The end of a lane's rows in a block that ends at t. */
static nsc_event find_end(const struct nsc_device_ops *work, const struct nsc_ops_lane *lane,
                          nsc_time t)
{
    nsc_event row = lane->row;
    nsc_event end = row + most_rows(lane);

    NSC_BISECT(row, end, middle, work->events->start[middle] < t);
    return row;
}

/* The start of the first row that is too much for the block; false if all rows fit. */
static bool find_limit(const struct nsc_device_ops *work, nsc_time *t)
{
    bool has_limit = false;

    for (uint32_t i = 0; i < work->n_lanes; i++) {
        const struct nsc_ops_lane *lane = &work->lanes[i];
        nsc_time start;

        if (lane->end - lane->row <= BLOCK_ROWS)
            continue;
        start = work->events->start[lane->row + BLOCK_ROWS];
        *t = has_limit ? nsc_earlier(*t, start) : start;
        has_limit = true;
    }
    return has_limit;
}

/* Adds the rows of a lane up to end to the block, as one run. */
static uint32_t add_run(struct nsc_device_ops *work, uint32_t i, nsc_event end, uint32_t n_runs)
{
    struct nsc_ops_lane *lane = &work->lanes[i];
    uint32_t n = decode_rows(work, lane->row, end, lane->stream, &work->block[work->n]);

    lane->row = end;
    work->n += n;
    if (n > 0 && work->block[work->n - 1].end > work->window.t1) { /* the last op of the lane */
        work->block[work->n - 1].end = work->window.t1;
        work->block[work->n - 1].is_clipped = true;
    }
    work->runs[n_runs] = work->n;
    return n_runs + (n > 0);
}

/* Merges the runs [a, b) and [b, end) of ops; on equal starts the first run's rows are less. */
static void merge_runs(struct nsc_device_op *out, const struct nsc_device_op *a,
                       const struct nsc_device_op *b, const struct nsc_device_op *end)
{
    const struct nsc_device_op *a_end = b;

    while (a < a_end && b < end)
        *out++ = b->start < a->start ? *b++ : *a++;
    while (a < a_end)
        *out++ = *a++;
    while (b < end)
        *out++ = *b++;
}

/* Merges runs in pairs until one is left. */
static void merge_block(struct nsc_device_ops *work, uint32_t n_runs)
{
    while (n_runs > 1) {
        struct nsc_device_op *merged = work->spare;
        uint32_t from = 0, n = 0;

        for (uint32_t i = 0; i < n_runs; i += 2) {
            uint32_t end = work->runs[i + 1 < n_runs ? i + 1 : i];

            merge_runs(&merged[from], &work->block[from], &work->block[work->runs[i]],
                       &work->block[end]);
            work->runs[n++] = from = end;
        }
        n_runs = n;
        work->spare = work->block;
        work->block = merged;
    }
}

/* Clips the starts of ops. They were merged by their whole starts. */
static void clip_starts(struct nsc_device_ops *work)
{
    for (uint32_t i = 0; i < work->n && work->block[i].start < work->window.t0; i++) {
        work->block[i].start = work->window.t0;
        work->block[i].is_clipped = true;
    }
}

bool nsc_device_ops_step(struct nsc_device_ops *work)
{
    uint32_t n_rows = 0, n_runs = 0;
    nsc_time limit = 0;
    bool has_limit = find_limit(work, &limit);

    work->at = work->n = 0;
    for (uint32_t i = 0; i < work->n_lanes; i++) {
        const struct nsc_ops_lane *lane = &work->lanes[i];
        nsc_event end = has_limit ? find_end(work, lane, limit) : lane->end;

        n_rows += end - lane->row;
        n_runs = add_run(work, i, end, n_runs);
    }
    /* Never at a limit: two rows of a lane do not start together before INT64_MAX. */
    if (n_rows == 0)
        return false;
    merge_block(work, n_runs);
    clip_starts(work);
    return true;
}

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device)
{
    struct nsc_scope own = nsc_device_scope(scope, device);
    size_t n = 1;

    *work = (struct nsc_device_ops){.scope = scope,
                                    .events = nsc_trace_events(scope->trace),
                                    .window = own.window,
                                    .name_flags = nsc_trace_names(scope->trace)->flags};
    work->kind_of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    gather_lanes(work, &own, device);
    for (uint32_t i = 0; i < work->n_lanes; i++)
        n += most_rows(&work->lanes[i]);
    work->block = nsc_xmalloc(n * sizeof *work->block);
    work->spare = nsc_xmalloc(n * sizeof *work->spare);
}

void nsc_device_ops_fini(struct nsc_device_ops *work)
{
    free(work->lanes);
    free(work->block);
    free(work->spare);
    free(work->runs);
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
