/*
 * Computes the figures of the tree: reads the launches and ranges of each thread together, then
 * adds sums up to the roots. A selection moves up from each lane to the lane above.
 */
#include "analysis/ranges/tree_gpu.h"

#include "nsyscope/cover.h"

#include "analysis/base/around.h"
#include "analysis/base/correlate.h"
#include "analysis/base/device_ops.h"
#include "analysis/base/quantile.h"
#include "analysis/base/shared.h"
#include "analysis/ranges/helper_launches.h"
#include "core/bits.h"
#include "core/pages.h"
#include "core/sum.h"
#include "index/lane_merge.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_MOST = 64 };

static bool build_tree(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_calltree **out = value;

    (void)device;
    *out = nsc_scope_is_stopped(scope)
               ? NULL
               : nsc_calltree_build(scope->trace, NULL, NSC_PATHS_BY_DIGITS);
    return *out != NULL;
}

static void free_tree(void *value)
{
    struct nsc_calltree **tree = value;

    nsc_calltree_free(*tree);
}

struct nsc_calltree *nsc_range_tree_ask(const struct nsc_scope *scope, const uint64_t *mask,
                                        bool *is_kept)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_calltree *), build_tree,
                                                free_tree};
    struct nsc_calltree *tree = NULL;

    *is_kept = false;
    if (mask)
        return nsc_calltree_build(scope->trace, mask, NSC_PATHS_BY_DIGITS);
    (void)nsc_shared_ask(&tree, is_kept, &kind, scope, NSC_NONE);
    return tree;
}

struct nsc_calltree *nsc_range_tree_touching(const struct nsc_scope *scope, enum nsc_paths paths,
                                             bool *is_kept)
{
    struct nsc_lane_walk at = nsc_trace_all_lanes(scope->trace, NSC_TRACK_BIT(NSC_TRACK_NVTX));
    uint64_t *mask = NULL;
    struct nsc_calltree *tree;

    if (scope->has_window)
        mask = nsc_xcalloc(nsc_bits_words(nsc_trace_events(scope->trace)->n) + 1, sizeof *mask);
    while (mask && nsc_lane_walk_next(&at)) {
        nsc_event row, end;

        nsc_scope_rows(scope, at.lane, &row, &end);
        for (; row < end; row++)
            nsc_bits_set(mask, row);
    }
    *is_kept = false;
    tree = paths == NSC_PATHS_BY_DIGITS ? nsc_range_tree_ask(scope, mask, is_kept)
                                        : nsc_calltree_build(scope->trace, mask, paths);
    free(mask);
    return tree;
}

/* The node of the innermost open range that has a node. */
static uint32_t node_at(struct nsc_around *around, const struct nsc_calltree *tree, nsc_time t)
{
    nsc_around_step(around, t);
    for (size_t k = around->open.n; k-- > 0;) {
        uint32_t node = tree->node_of[around->open.at[k].id - tree->first_row];

        if (node != NSC_NONE)
            return node;
    }
    return NSC_NONE;
}

/* Looks at the launches inside the track's ranges only: a thread may have thousands of domains. */
static void add_track(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                      const struct nsc_trace *trace, const struct nsc_launches *launches,
                      uint32_t track, struct nsc_progress *stop)
{
    struct nsc_positions in = nsc_launches_of_track(launches, track);
    const struct nsc_track *of = nsc_trace_track(trace, track);
    struct nsc_around around;

    nsc_around_nested(&around, trace, of->first_lane, of->n_lanes);
    while (in.first < in.end && !nsc_progress_is_cancelled(stop)) {
        uint32_t node = node_at(&around, tree, nsc_launches_time(launches, in.first));
        uint32_t end = nsc_launches_find_ahead(launches, in, nsc_around_next(&around));

        if (node != NSC_NONE) {
            struct nsc_gpu_figures sum =
                nsc_launches_measure(launches, (struct nsc_positions){in.first, end});

            out->launches[node] += sum.launches;
            out->ops[node] += sum.ops;
            out->work[node] = nsc_sum(out->work[node], sum.work);
        }
        in.first = end;
    }
    nsc_around_fini(&around);
}

/* The node of a range, or of the innermost one around it that has a node. */
static uint32_t node_around(const struct nsc_calltree *tree, const struct nsc_trace *trace,
                            nsc_event range)
{
    uint32_t node = NSC_NONE;

    for (; range != NSC_NONE && node == NSC_NONE; range = nsc_nvtx_parent(trace, range))
        node = tree->node_of[range - tree->first_row];
    return node;
}

/* Adds the work that other threads launch for a range. */
static void add_lent(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                     const struct nsc_trace *trace, const struct nsc_helper_launches *lends,
                     const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = NSC_NONE;

    for (size_t i = 0; i < lends->list.n; i++) {
        nsc_event op = lends->list.at[i].op;
        uint32_t node;

        if (scope && !nsc_scope_has(scope, op))
            continue;
        node = node_around(tree, trace, lends->list.at[i].range);
        if (node == NSC_NONE)
            continue;
        out->launches[node] += events->link[op] != call;
        out->ops[node]++;
        out->work[node] = nsc_sum(out->work[node], nsc_event_duration(events, op));
        call = events->link[op];
    }
}

static void add_up(struct nsc_tree_gpu *out, const struct nsc_calltree *tree)
{
    for (uint32_t i = tree->n; i-- > 0;) {
        uint32_t parent = tree->parent[i];

        if (parent == NSC_NONE)
            continue;
        out->launches[parent] += out->launches[i];
        out->ops[parent] += out->ops[i];
        out->work[parent] = nsc_sum(out->work[parent], out->work[i]);
    }
}

void nsc_tree_gpu_build(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches,
                        const struct nsc_helper_launches *lends, const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    out->launches = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->launches);
    out->ops = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->ops);
    out->work = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->work);
    out->idle = NULL;
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes)
            add_track(out, tree, trace, launches, t, scope ? scope->stop : NULL);
    add_lent(out, tree, trace, lends, scope);
    add_up(out, tree);
}

/* ---- lent ops ---- */

/* Whether the call is inside a range of its own thread that has a node. */
static bool has_node(const struct nsc_calltree *tree, const struct nsc_trace *trace, nsc_event call)
{
    nsc_event path[PATH_MOST];
    uint32_t n = nsc_event_path(trace, call, path, PATH_MOST);

    for (uint32_t i = 0; i < n && i < PATH_MOST; i++)
        if (tree->node_of[path[i] - tree->first_row] != NSC_NONE)
            return true;
    return false;
}

void nsc_tree_gpu_count_twice(uint64_t *ops, nsc_time *work, const struct nsc_calltree *tree,
                              const struct nsc_trace *trace,
                              const struct nsc_helper_launches *lends,
                              const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    *ops = 0;
    *work = 0;
    for (size_t i = 0; i < lends->list.n; i++) {
        nsc_event op = lends->list.at[i].op;

        if (!nsc_scope_has(scope, op) ||
            node_around(tree, trace, lends->list.at[i].range) == NSC_NONE ||
            !has_node(tree, trace, events->link[op]))
            continue;
        ++*ops;
        *work = nsc_sum(*work, nsc_event_duration(events, op));
    }
}

/* ---- idle time ---- */

struct idle {
    const struct nsc_trace *trace;
    const struct nsc_launches *launches;
    struct nsc_cover_cursor *busy; /* by track of a device; cover NULL: it is never busy */
};

/* Puts the cursors of all devices at the beginning. */
static void init_cursors(const struct idle *idle)
{
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(idle->trace, d)) != NSC_NONE;) {
        const struct nsc_device_covers *covers = nsc_trace_device_covers(idle->trace, d);

        if (covers && covers->busy)
            nsc_cover_cursor_init(&idle->busy[d], covers->busy);
    }
}

/* Does not sum up, because the time of a range includes that of its children. The rows of a lane
 * ascend, and so do their launches. */
static void add_idle(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                     const struct idle *idle, const struct nsc_lane *lane)
{
    const struct nsc_events *events = nsc_trace_events(idle->trace);
    struct nsc_positions ahead = nsc_launches_of_track(idle->launches, lane->track);

    init_cursors(idle);
    for (nsc_event row = lane->first; row < lane->first + lane->n && ahead.first < ahead.end;
         row++) {
        struct nsc_window w = {events->start[row], nsc_event_end(events, row)};
        uint32_t node = tree->node_of[row - tree->first_row];
        struct nsc_cover_cursor *busy = NULL;
        uint64_t before;

        if (node == NSC_NONE || w.t1 <= w.t0)
            continue;
        ahead.first = nsc_launches_find_ahead(idle->launches, ahead, w.t0);
        if (ahead.first < ahead.end && nsc_launches_time(idle->launches, ahead.first) < w.t1)
            busy = &idle->busy[nsc_event_group(idle->trace,
                                               nsc_launches_op(idle->launches, ahead.first))];
        if (!busy || !busy->cover)
            continue;
        before = nsc_cover_cursor_step(busy, w.t0);
        out->idle[node] =
            nsc_sum(out->idle[node],
                    nsc_window_length(w) - (nsc_time)(nsc_cover_cursor_step(busy, w.t1) - before));
    }
}

void nsc_tree_gpu_add_idle(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                           const struct nsc_trace *trace, const struct nsc_launches *launches)
{
    uint32_t n = 0;
    struct idle idle = {.trace = trace, .launches = launches};

    (void)nsc_trace_tracks(trace, &n);
    out->idle = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->idle);
    idle.busy = nsc_xcalloc((size_t)n + 1, sizeof *idle.busy);
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(trace, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);)
        add_idle(out, tree, &idle, at.rows);
    free(idle.busy);
}

void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu)
{
    free(gpu->launches);
    free(gpu->ops);
    free(gpu->work);
    free(gpu->idle);
    *gpu = (struct nsc_tree_gpu){0};
}

static void keep_launching(uint64_t *keep, const struct nsc_trace *trace,
                           const struct nsc_launches *launches, uint32_t track)
{
    struct nsc_positions in = nsc_launches_of_track(launches, track);
    const struct nsc_track *of = nsc_trace_track(trace, track);
    struct nsc_around around;

    nsc_around_nested(&around, trace, of->first_lane, of->n_lanes);
    while (in.first < in.end) {
        nsc_time t = nsc_launches_time(launches, in.first);
        nsc_event row = nsc_around_latest(&around, t, t);

        in.first = nsc_launches_find_ahead(launches, in, nsc_around_next(&around));
        if (row != NSC_NONE)
            nsc_bits_set(keep, row);
    }
    nsc_around_fini(&around);
}

/* Keeps the rows of the lane above that enclose a kept row. */
static void keep_above(uint64_t *keep, const struct nsc_trace *trace, uint32_t below)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[below];
    struct nsc_around above;

    nsc_around_nested(&above, trace, below - 1, 1);
    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        nsc_event outer = nsc_bits_get(keep, row)
                              ? nsc_around_latest(&above, events->start[row], events->start[row])
                              : NSC_NONE;

        if (outer != NSC_NONE)
            nsc_bits_set(keep, outer);
    }
    nsc_around_fini(&above);
}

uint64_t *nsc_tree_keep(size_t *bytes, const struct nsc_trace *trace,
                        const struct nsc_launches *launches, const struct nsc_helper_figures *lent,
                        const uint64_t *mask)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint64_t *keep = NULL;

    *bytes = (nsc_bits_words(events->n) + 1) * sizeof *keep;
    keep = nsc_pages_need(*bytes);
    if (!keep)
        return NULL;
    memcpy(keep, mask, nsc_bits_words(events->n) * sizeof *keep);
    for (uint32_t i = 0; i < lent->n; i++)
        nsc_bits_set(keep, lent->places[i].range);
    for (uint32_t t = 0; t < n; t++) {
        if (tracks[t].kind != NSC_TRACK_NVTX || !tracks[t].n_lanes)
            continue;
        keep_launching(keep, trace, launches, t);
        for (uint32_t k = tracks[t].n_lanes; k-- > 1;)
            keep_above(keep, trace, tracks[t].first_lane + k);
    }
    return keep;
}

nsc_time nsc_tree_median(const struct nsc_trace *trace, const struct nsc_calltree *tree,
                         uint32_t node)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time *at = nsc_xmalloc(tree->calls[node] * sizeof *at);
    uint32_t n = 0;
    nsc_time median = 0;

    for (uint32_t i = 0; i < tree->n_rows && n < tree->calls[node]; i++)
        if (tree->node_of[i] == node)
            at[n++] = nsc_event_duration(events, tree->first_row + i);
    median = nsc_select(at, n, (n - 1) / 2);
    free(at);
    return median;
}
