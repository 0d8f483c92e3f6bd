/*
 * The face of merged paths: sorts siblings, opens and closes nodes, and computes the visible lines.
 */
#include "analysis/ranges/tree_gpu.h"
#include "core/bits.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/preorder.h"
#include "view/model/tree.h"

#include <stdlib.h>

enum { LEVELS_MOST = 64 };

void nsc_tree_merged_clear(struct nsc_tree *tree)
{
    struct nsc_tree_merged *merged = &tree->merged;

    nsc_calltree_free(merged->calls);
    nsc_tree_gpu_fini(&merged->gpu);
    nsc_tree_gpu_fini(&merged->captured);
    free(merged->depth);
    free(merged->order);
    free(merged->open);
    free(merged->shown);
    *merged = (struct nsc_tree_merged){0};
}

/* As many levels as there are lines for, but at least one. */
static uint32_t fitting_levels(const struct nsc_tree *tree)
{
    uint32_t counts[LEVELS_MOST] = {0};
    size_t n = 0;

    for (uint32_t i = 0; i < tree->merged.calls->n; i++)
        if (tree->merged.depth[i] < LEVELS_MOST)
            counts[tree->merged.depth[i]]++;
    for (uint32_t level = 0; level < LEVELS_MOST; level++) {
        n += counts[level];
        if (n > tree->height)
            return level ? level : 1;
    }
    return LEVELS_MOST;
}

bool nsc_tree_merge(struct nsc_tree *tree)
{
    struct nsc_tree_merged *merged = &tree->merged;
    uint32_t n = 0;

    if (merged->calls)
        return true;
    merged->calls = nsc_calltree_build(tree->trace, tree->keep,
                                       tree->exact ? NSC_PATHS_BY_TEXT : NSC_PATHS_BY_DIGITS);
    if (!merged->calls)
        return false;
    n = merged->calls->n;
    nsc_tree_gpu_build(&merged->gpu, merged->calls, tree->trace, tree->launched.launches,
                       &tree->launched.lends, NULL);
    nsc_tree_gpu_add_idle(&merged->gpu, merged->calls, tree->trace, tree->launched.launches);
    if (tree->captured.launches)
        nsc_tree_gpu_build(&merged->captured, merged->calls, nsc_trace_captured(tree->trace),
                           tree->captured.launches, &tree->captured.lends, NULL);
    merged->depth = nsc_xcalloc((size_t)n + 1, sizeof *merged->depth);
    merged->order = nsc_xcalloc((size_t)n + 1, sizeof *merged->order);
    merged->shown = nsc_xcalloc((size_t)n + 1, sizeof *merged->shown);
    merged->open = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *merged->open);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = merged->calls->parent[i];

        merged->depth[i] = parent == NSC_NONE ? 0 : merged->depth[parent] + 1;
        if (parent == NSC_NONE)
            merged->whole = nsc_sum(merged->whole, merged->calls->total[i]);
    }
    merged->median_of = NSC_NONE;
    nsc_tree_merged_levels(tree, fitting_levels(tree));
    nsc_tree_merged_sort(tree);
    return true;
}

/* ---- order ---- */

struct named {
    struct nsc_text text;
    uint32_t node;
};

NSC_COMPARE(compare_named, struct named,
            NSC_BY(nsc_text_compare(x->text, y->text)) || NSC_LEAST(node))

/* Orders nodes by name; the first gets the smallest key. */
static void name_keys(const struct nsc_tree *tree, struct nsc_sort_pair pairs[])
{
    const struct nsc_calltree *calls = tree->merged.calls;
    const struct nsc_names *names = nsc_trace_names(tree->trace);
    struct named *at = nsc_xcalloc((size_t)calls->n + 1, sizeof *at);

    for (uint32_t i = 0; i < calls->n; i++)
        at[i] = (struct named){nsc_trace_string(tree->trace, names->full[calls->name[i]]), i};
    qsort(at, calls->n, sizeof *at, compare_named);
    for (uint32_t i = 0; i < calls->n; i++)
        pairs[at[i].node] = (struct nsc_sort_pair){i, at[i].node};
    free(at);
}

static uint64_t sort_key(const struct nsc_tree_merged *merged, enum nsc_tree_sort sort, uint32_t i)
{
    switch (sort) {
    case NSC_TREE_BY_SELF:
        return (uint64_t)merged->calls->self[i];
    case NSC_TREE_BY_COUNT:
        return merged->calls->calls[i];
    case NSC_TREE_BY_GPU:
        return (uint64_t)merged->gpu.work[i];
    case NSC_TREE_BY_IDLE:
        return (uint64_t)merged->gpu.idle[i];
    default:
        return (uint64_t)merged->calls->total[i];
    }
}

/* Rebuilds the lines after nodes were opened or closed. */
static void show_open(struct nsc_tree *tree)
{
    struct nsc_tree_merged *merged = &tree->merged;
    const struct nsc_calltree *calls = merged->calls;
    uint32_t n = 0;

    for (uint32_t k = 0; k < calls->n;) {
        uint32_t node = merged->order[k];

        merged->shown[n++] = node;
        k += nsc_bits_get(merged->open, node) ? 1 : calls->skip[node] - node;
    }
    merged->list.n = n;
    nsc_list_clamp(&merged->list);
}

void nsc_tree_merged_sort(struct nsc_tree *tree)
{
    struct nsc_tree_merged *merged = &tree->merged;
    uint32_t n = merged->calls->n;
    struct nsc_sort_pair *pairs = nsc_xcalloc(2 * (size_t)n + 1, sizeof *pairs);
    struct nsc_preorder order;

    if (tree->sort == NSC_TREE_BY_NAME)
        name_keys(tree, pairs);
    else
        for (uint32_t i = 0; i < n; i++)
            pairs[i] = (struct nsc_sort_pair){~sort_key(merged, tree->sort, i), i};
    nsc_preorder_build(&order, merged->calls->parent, pairs, n);
    for (uint32_t i = 0; i < n; i++)
        merged->order[order.position[i]] = i;
    nsc_preorder_fini(&order);
    free(pairs);
    show_open(tree);
    merged->list.top = 0;
    (void)nsc_list_set(&merged->list, 0);
}

/* ---- what is shown ---- */

uint32_t nsc_tree_merged_cursor(const struct nsc_tree *tree)
{
    const struct nsc_tree_merged *merged = &tree->merged;

    return merged->list.cursor < merged->list.n ? merged->shown[merged->list.cursor] : NSC_NONE;
}

/* Moves the cursor to a node, or to the nearest visible one around it. */
void nsc_tree_merged_reveal(struct nsc_tree *tree, uint32_t node)
{
    struct nsc_tree_merged *merged = &tree->merged;

    for (; node != NSC_NONE; node = merged->calls->parent[node]) {
        for (size_t i = 0; i < merged->list.n; i++) {
            if (merged->shown[i] == node) {
                (void)nsc_list_set(&merged->list, i);
                return;
            }
        }
    }
}

static bool node_has_children(const struct nsc_tree_merged *merged, uint32_t node)
{
    return merged->calls->skip[node] > node + 1;
}

bool nsc_tree_merged_set(struct nsc_tree *tree, uint32_t node, enum nsc_tree_open what)
{
    struct nsc_tree_merged *merged = &tree->merged;
    bool open = what == NSC_TREE_OPEN || what == NSC_TREE_OPEN_ALL;
    bool all = what == NSC_TREE_OPEN_ALL || what == NSC_TREE_CLOSE_ALL;
    uint32_t end = 0;

    if (node == NSC_NONE || !node_has_children(merged, node))
        return false;
    if (!all && nsc_bits_get(merged->open, node) == open)
        return false;
    end = all ? merged->calls->skip[node] : node + 1;
    for (uint32_t i = node; i < end; i++)
        nsc_bits_put(merged->open, i, open);
    show_open(tree);
    nsc_tree_merged_reveal(tree, node);
    return true;
}

void nsc_tree_merged_levels(struct nsc_tree *tree, uint32_t levels)
{
    struct nsc_tree_merged *merged = &tree->merged;
    uint32_t cursor = nsc_tree_merged_cursor(tree);

    for (uint32_t i = 0; i < merged->calls->n; i++)
        nsc_bits_put(merged->open, i, (uint64_t)merged->depth[i] + 1 < levels);
    show_open(tree);
    nsc_tree_merged_reveal(tree, cursor);
}

bool nsc_tree_merged_step(struct nsc_tree *tree, enum nsc_tree_step step, int64_t by)
{
    struct nsc_tree_merged *merged = &tree->merged;
    uint32_t cursor = nsc_tree_merged_cursor(tree);

    if (cursor == NSC_NONE)
        return false;
    if (step == NSC_TREE_FIRST)
        return nsc_list_set(&merged->list, 0);
    if (step == NSC_TREE_LAST)
        return nsc_list_set(&merged->list, merged->list.n - 1);
    if (step == NSC_TREE_LINES)
        return nsc_list_move(&merged->list, by);
    if (merged->calls->parent[cursor] == NSC_NONE)
        return false;
    nsc_tree_merged_reveal(tree, merged->calls->parent[cursor]);
    return true;
}

/* Finds the median of the node with the cursor, and keeps it until the cursor leaves the node. */
static void find_median(struct nsc_tree *tree)
{
    struct nsc_tree_merged *merged = &tree->merged;
    uint32_t cursor = nsc_tree_merged_cursor(tree);

    if (cursor != NSC_NONE && cursor != merged->median_of)
        merged->median = nsc_tree_median(tree->trace, merged->calls, cursor);
    merged->median_of = cursor;
}

void nsc_tree_merged_lines(struct nsc_tree *tree, size_t height)
{
    struct nsc_tree_merged *merged = &tree->merged;

    merged->list.height = height;
    nsc_list_clamp(&merged->list);
    find_median(tree);
    NSC_VEC_CLEAR(&tree->lines);
    for (size_t i = merged->list.top; i < merged->list.n && tree->lines.n < height; i++) {
        uint32_t node = merged->shown[i];

        *NSC_VEC_ADD(&tree->lines) =
            (struct nsc_tree_line){.at = NSC_NO_INSTANCE,
                                   .node = node,
                                   .depth = merged->depth[node],
                                   .is_cursor = i == merged->list.cursor,
                                   .has_children = node_has_children(merged, node),
                                   .is_open = nsc_bits_get(merged->open, node)};
    }
}
