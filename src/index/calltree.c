/*
 * The tree of NVTX push/pop ranges merged by path: gathered lane by lane, then numbered in
 * preorder.
 */
#include "nsyscope/calltree.h"

#include "core/bits.h"
#include "core/pages.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/idtable.h"
#include "index/lane_merge.h"
#include "index/names.h"
#include "index/preorder.h"
#include "index/trace_data.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tree_box { /* what nsc_calltree_free gets */
    struct nsc_calltree tree;
    struct nsc_arena arena;
    uint32_t *node_of;
};

struct node {        /* 64 bytes */
    uint32_t parent; /* created before its children */
    nsc_name name;
    uint32_t text;     /* hash of the text that its name leaves out; 0: none */
    nsc_event made_by; /* the first call */
    nsc_name exact;    /* its name */
    bool mixed;
    uint32_t calls;
    nsc_event slowest;
    nsc_time first, total, shortest, longest;
};

/*
 * Ranges of depth d lie in lane d of their track. A walk through two neighbouring lanes at once
 * finds all parents in linear time, at any depth. Until the end, node_of holds the node of the
 * nearest selected ancestor for each row that is not selected.
 */
struct tree_build {
    const struct nsc_trace *trace;
    const uint64_t *mask;
    enum nsc_paths paths;
    bool too_many;
    nsc_name *alias; /* by name: the name it counts as; NULL: itself */
    NSC_VEC(struct node) nodes;
    struct nsc_preorder order;
    struct nsc_idtable ids; /* of nodes */
    uint32_t *node_of;
    nsc_event first_row;
    uint32_t n_rows;
};

/* ---- nodes by path ---- */

/* Hashes the text of a call. */
static uint32_t hash_text(const struct tree_build *build, nsc_event row)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(build->trace, row, false, scratch);

    return (uint32_t)nsc_hash_bytes(text.bytes, text.n);
}

struct path {
    uint32_t parent;
    nsc_name name;
    uint32_t text; /* hash of the part that is not in the name; 0: none */
    nsc_event row;
};

static bool is_node(const void *context, uint32_t id, const void *key)
{
    const struct tree_build *build = context;
    const struct node *node = &build->nodes.at[id];
    const struct path *path = key;

    return node->parent == path->parent && node->name == path->name && node->text == path->text &&
           (!path->text || nsc_trace_same_text(build->trace, node->made_by, path->row));
}

static uint32_t find_node(struct tree_build *build, uint32_t parent, nsc_event row)
{
    nsc_name exact = build->trace->events.name[row];
    struct path path = {parent, build->alias ? build->alias[exact] : exact, 0, row};
    uint64_t hash;
    uint32_t id;

    if (build->paths == NSC_PATHS_BY_TEXT && build->trace->names.counters[exact])
        path.text = hash_text(build, row);
    hash = nsc_hash_mix((uint64_t)parent << 32 | path.name, path.text);
    id = nsc_idtable_place(&build->ids, hash, is_node, build, &path, (uint32_t)build->nodes.n);
    if (id < build->nodes.n)
        return id;
    *NSC_VEC_ADD(&build->nodes) = (struct node){.parent = parent,
                                                .name = path.name,
                                                .text = path.text,
                                                .made_by = row,
                                                .exact = exact,
                                                .first = INT64_MAX,
                                                .shortest = INT64_MAX,
                                                .longest = -1};
    build->too_many = build->paths == NSC_PATHS_BY_TEXT && build->nodes.n > NSC_CALLTREE_TEXTS;
    return id;
}

/* Whether a call has the same text as the first one of its node. */
static bool is_same_text(const struct nsc_trace *trace, const struct node *node, nsc_event row)
{
    return node->exact == trace->events.name[row] &&
           (!trace->names.counters[node->exact] || nsc_trace_same_text(trace, row, node->made_by));
}

static void add_call(const struct tree_build *build, struct node *node, nsc_event row)
{
    nsc_time start = build->trace->events.start[row];
    nsc_time duration = nsc_event_duration(&build->trace->events, row);

    assert(node);
    if (build->paths == NSC_PATHS_BY_DIGITS && !node->mixed && row != node->made_by)
        node->mixed = !is_same_text(build->trace, node, row);
    if (duration > node->longest) {
        node->longest = duration;
        node->slowest = row;
    }
    node->calls++;
    node->total = nsc_sum(node->total, duration);
    node->first = start < node->first ? start : node->first;
    node->shortest = duration < node->shortest ? duration : node->shortest;
}

/* ---- rows ---- */

static bool is_selected(const struct tree_build *build, nsc_event row)
{
    return !build->mask || nsc_bits_get(build->mask, row);
}

/* above: the lane of the parents; NULL at depth 0. */
static void add_lane(struct tree_build *build, const struct nsc_lane *lane,
                     const struct nsc_lane *above)
{
    const struct nsc_events *events = &build->trace->events;
    nsc_event first_row = build->first_row;
    uint32_t *node_of = build->node_of;
    nsc_event end = lane->first + lane->n;
    nsc_event next = above ? above->first : 0;
    nsc_event next_end = above ? above->first + above->n : 0;
    struct nsc_window around = {INT64_MAX, INT64_MIN}; /* the row before next, to its touch end */
    uint32_t parent = NSC_NONE;                        /* node of that row */

    for (nsc_event row = lane->first; row < end && !build->too_many; row++) {
        nsc_time start = events->start[row];
        uint32_t node;

        while (around.t1 <= start && next < next_end) {
            around = (struct nsc_window){events->start[next], nsc_event_touch_end(events, next)};
            parent = node_of[next++ - first_row];
        }
        node = around.t0 <= start && start < around.t1 ? parent : NSC_NONE;
        if (is_selected(build, row)) {
            node = find_node(build, node, row);
            add_call(build, &build->nodes.at[node], row);
        }
        node_of[row - first_row] = node;
    }
}

/* Calls visit for each push/pop lane and the lane above it. */
static void each_lane(struct tree_build *build,
                      void (*visit)(struct tree_build *build, const struct nsc_lane *lane,
                                    const struct nsc_lane *above))
{
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(build->trace, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);)
        visit(build, at.rows, at.lane > at.tracks[at.track].first_lane ? at.rows - 1 : NULL);
}

static void widen_rows(struct tree_build *build, const struct nsc_lane *lane,
                       const struct nsc_lane *above)
{
    nsc_event end = build->first_row + build->n_rows;

    (void)above;
    if (build->n_rows == 0) {
        build->first_row = lane->first;
        build->n_rows = lane->n;
        return;
    }
    end = lane->first + lane->n > end ? lane->first + lane->n : end;
    build->first_row = lane->first < build->first_row ? lane->first : build->first_row;
    build->n_rows = end - build->first_row;
}

/* ---- preorder ---- */

/* Children in order of their first start, then of their first call. */
static void order_nodes(struct tree_build *build)
{
    uint32_t n = (uint32_t)build->nodes.n;
    struct nsc_sort_pair *pairs = nsc_xmalloc(2 * (size_t)n * sizeof *pairs + 1);
    uint32_t *parents = nsc_xmalloc(n * sizeof *parents + 1);

    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = &build->nodes.at[i];

        parents[i] = node->parent;
        pairs[i] = (struct nsc_sort_pair){nsc_sort_key(node->first), i};
    }
    nsc_preorder_build(&build->order, parents, pairs, n);
    free(pairs);
    free(parents);
}

static void number_rows(struct tree_build *build, const struct nsc_lane *lane,
                        const struct nsc_lane *above)
{
    (void)above;
    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        uint32_t *node = &build->node_of[row - build->first_row];

        *node = is_selected(build, row) ? build->order.position[*node] : NSC_NONE;
    }
}

/* ---- the result ---- */

/* Ranges that end after their parent may add up to more than the parent: self is at least 0. */
static void take_children(nsc_time *self, const struct nsc_calltree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->parent[i];

        if (parent != NSC_NONE)
            self[parent] = self[parent] > tree->total[i] ? self[parent] - tree->total[i] : 0;
    }
}

static void fill_tree(struct tree_box *box, const struct tree_build *build)
{
    uint32_t n = (uint32_t)build->nodes.n;
    uint32_t *words = NSC_ARENA_ARRAY(&box->arena, uint32_t, (size_t)n * 5);
    nsc_time *times = NSC_ARENA_ARRAY(&box->arena, nsc_time, (size_t)n * 4);
    const struct node *nodes = build->nodes.at;
    const uint32_t *position = build->order.position;
    bool *mixed = NSC_ARENA_ARRAY(&box->arena, bool, n);

    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = &nodes[i];
        size_t at = position[i];

        words[at] = node->name;
        words[n + at] = node->parent == NSC_NONE ? NSC_NONE : position[node->parent];
        words[2 * (size_t)n + at] = position[i] + build->order.size[i];
        words[3 * (size_t)n + at] = node->calls;
        words[4 * (size_t)n + at] = node->slowest;
        mixed[at] = node->mixed;
        times[at] = times[n + at] = node->total;
        times[2 * (size_t)n + at] = node->shortest;
        times[3 * (size_t)n + at] = node->longest;
    }
    box->tree = (struct nsc_calltree){
        .n = n,
        .name = words,
        .parent = words + n,
        .skip = words + 2 * (size_t)n,
        .calls = words + 3 * (size_t)n,
        .total = times,
        .self = times + n,
        .shortest = times + 2 * (size_t)n,
        .longest = times + 3 * (size_t)n,
        .slowest = words + 4 * (size_t)n,
        .mixed = mixed,
        .node_of = build->node_of,
        .first_row = build->first_row,
        .n_rows = build->n_rows,
    };
    take_children(times + n, &box->tree);
}

static struct tree_box *finish_tree(struct tree_build *build)
{
    struct tree_box *box = nsc_xcalloc(1, sizeof *box);

    order_nodes(build);
    each_lane(build, number_rows);
    box->node_of = build->node_of;
    fill_tree(box, build);
    nsc_preorder_fini(&build->order);
    return box;
}

struct nsc_calltree *nsc_calltree_build(const struct nsc_trace *trace, const uint64_t *mask,
                                        enum nsc_paths paths)
{
    struct tree_build build = {.trace = trace, .mask = mask, .paths = paths};
    struct tree_box *box = NULL;

    each_lane(&build, widen_rows);
    build.node_of = nsc_pages_need(build.n_rows * sizeof *build.node_of);
    if (!build.node_of && build.n_rows > 0)
        return NULL;
    if (build.n_rows > 0)
        memset(build.node_of, 0xff, build.n_rows * sizeof *build.node_of);
    build.alias = paths == NSC_PATHS_BY_DIGITS ? nsc_names_fold_digits(trace) : NULL;
    each_lane(&build, add_lane);
    if (!build.too_many)
        box = finish_tree(&build);
    else
        nsc_pages_free(build.node_of, build.n_rows * sizeof *build.node_of);
    nsc_idtable_fini(&build.ids);
    free(build.alias);
    NSC_VEC_FINI(&build.nodes);
    return box ? &box->tree : NULL;
}

void nsc_calltree_free(struct nsc_calltree *tree)
{
    struct tree_box *box = (struct tree_box *)tree; /* the tree is its first member */

    if (!box)
        return;
    nsc_pages_free(box->node_of, box->tree.n_rows * sizeof *box->node_of);
    nsc_arena_fini(&box->arena);
    free(box);
}
