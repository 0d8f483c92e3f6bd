/*
 * The GPU figures of the merged tree: each thread's launches and ranges walked side by side, then
 * added up towards the roots.
 */
#include "analysis/ranges/tree_gpu.h"

#include "analysis/base/around.h"
#include "core/sum.h"

#include <stdlib.h>

/* The node of the innermost open range that has one. */
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

static void add_track(struct nsc_tree_gpu *out, const struct nsc_calltree *tree,
                      const struct nsc_trace *trace, const struct nsc_launches *launches,
                      uint32_t track)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_positions in = nsc_launches_of_track(launches, track);
    const struct nsc_track *of = nsc_trace_track(trace, track);
    struct nsc_around around;
    nsc_event call = NSC_NONE;
    uint32_t node = NSC_NONE;

    nsc_around_nested(&around, trace, of->first_lane, of->n_lanes);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        bool same = events->link[op] == call;

        call = events->link[op];
        node = same ? node : node_at(&around, tree, events->start[call]);
        if (node == NSC_NONE)
            continue;
        out->launches[node] += !same;
        out->ops[node]++;
        out->work[node] = nsc_sum(out->work[node], nsc_event_duration(events, op));
    }
    nsc_around_fini(&around);
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
                        const struct nsc_trace *trace, const struct nsc_launches *launches)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    out->launches = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->launches);
    out->ops = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->ops);
    out->work = nsc_xcalloc((size_t)tree->n + 1, sizeof *out->work);
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes)
            add_track(out, tree, trace, launches, t);
    add_up(out, tree);
}

void nsc_tree_gpu_fini(struct nsc_tree_gpu *gpu)
{
    free(gpu->launches);
    free(gpu->ops);
    free(gpu->work);
    *gpu = (struct nsc_tree_gpu){0};
}
