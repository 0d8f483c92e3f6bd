/*
 * The GPU figures of the merged tree: each thread's launches and ranges walked side by side, then
 * added up towards the roots.
 */
#include "analysis/tree_gpu.h"

#include "core/die.h"

#include <stdlib.h>

/* The ranges that are open at the launch that is looked at: row[d] of lane d, and its node or that
 * of the nearest range around it that has one. */
struct sweep {
    const struct nsc_events *events;
    const struct nsc_calltree *tree;
    const struct nsc_lane *lanes; /* of the track */
    uint32_t n_lanes;
    nsc_event *next; /* by lane: the first row not passed yet */
    nsc_event *row;
    uint32_t *node;
    uint32_t depth; /* how many are open */
};

static void open_row(struct sweep *sweep, nsc_event row)
{
    uint32_t node = sweep->tree->node_of[row - sweep->tree->first_row];

    if (node == NSC_NONE && sweep->depth > 0)
        node = sweep->node[sweep->depth - 1];
    sweep->row[sweep->depth] = row;
    sweep->node[sweep->depth] = node;
    sweep->depth++;
}

/* Each row is passed once, whatever the depth. */
static uint32_t node_at(struct sweep *sweep, nsc_time t)
{
    while (sweep->depth > 0 &&
           nsc_event_touch_end(sweep->events, sweep->row[sweep->depth - 1]) <= t)
        sweep->depth--;
    while (sweep->depth < sweep->n_lanes) {
        const struct nsc_lane *lane = &sweep->lanes[sweep->depth];
        nsc_event *next = &sweep->next[sweep->depth];

        while (*next < lane->first + lane->n && nsc_event_touch_end(sweep->events, *next) <= t)
            ++*next;
        if (*next >= lane->first + lane->n || sweep->events->start[*next] > t)
            break;
        open_row(sweep, *next);
    }
    return sweep->depth > 0 ? sweep->node[sweep->depth - 1] : NSC_NONE;
}

static void add_work(nsc_time *sum, nsc_time more)
{
    *sum = more > INT64_MAX - *sum ? INT64_MAX : *sum + more;
}

static void sweep_track(struct nsc_tree_gpu *out, struct sweep *sweep,
                        const struct nsc_launches *launches, struct nsc_positions in)
{
    nsc_event call = NSC_NONE;
    uint32_t node = NSC_NONE;

    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        bool same = sweep->events->link[op] == call;

        call = sweep->events->link[op];
        node = same ? node : node_at(sweep, sweep->events->start[call]);
        if (node == NSC_NONE)
            continue;
        out->launches[node] += !same;
        out->ops[node]++;
        add_work(&out->work[node], nsc_event_duration(sweep->events, op));
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
        add_work(&out->work[parent], out->work[i]);
    }
}

static void build_track(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches,
                        uint32_t track)
{
    const struct nsc_track *at = &nsc_trace_tracks(trace, &(uint32_t){0})[track];
    struct sweep sweep = {.events = nsc_trace_events(trace),
                          .tree = tree,
                          .lanes = nsc_trace_lanes(trace, &(uint32_t){0}) + at->first_lane,
                          .n_lanes = at->n_lanes};

    sweep.next = nsc_xcalloc((size_t)at->n_lanes * 3 + 1, sizeof *sweep.next);
    sweep.row = sweep.next + at->n_lanes;
    sweep.node = sweep.row + at->n_lanes;
    for (uint32_t k = 0; k < at->n_lanes; k++)
        sweep.next[k] = sweep.lanes[k].first;
    sweep_track(out, &sweep, launches, nsc_launches_of_track(launches, track));
    free(sweep.next);
}

void nsc_tree_gpu_build(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                        const struct nsc_trace *trace, const struct nsc_launches *launches)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    out->launches = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->launches);
    out->ops = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->ops);
    out->work = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->work);
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes)
            build_track(out, tree, trace, launches, t);
    add_up(out, tree);
}

void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu)
{
    free(gpu->launches);
    free(gpu->ops);
    free(gpu->work);
    *gpu = (struct nsc_tree_gpu){0};
}
