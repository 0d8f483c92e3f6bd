/* The tree as a whole: creation for a trace, and actions on either of its two faces. */
#include "view/model/tree.h"

#include "core/pages.h"

enum { FIRST_BUBBLE = 100000 };

/* The ops and ranges that a filter keeps; nothing without one. */
struct kept {
    struct nsc_launches *launches;
    struct nsc_instance_runs runs;
    uint64_t *rows;
    size_t bytes;
};

/* Launches whose figures and likeness can be asked. NULL if out of memory. */
static struct nsc_launches *build_launches(const struct nsc_trace *trace, const uint64_t *mask)
{
    struct nsc_launches *launches = nsc_launches_build(trace, mask, NULL);

    if (launches && nsc_launches_sum(launches) && nsc_launches_compare(launches))
        return launches;
    nsc_launches_free(launches);
    return NULL;
}

static bool keep_rows(struct kept *out, const struct nsc_tree *tree, const uint64_t *mask)
{
    struct nsc_helper_figures lent = {0};

    out->launches = build_launches(tree->trace, mask);
    if (out->launches && nsc_helper_figures_build(&lent, tree->trace, &tree->launched.lends, mask))
        out->rows = nsc_tree_keep(&out->bytes, tree->trace, out->launches, &lent, mask);
    nsc_helper_figures_fini(&lent);
    return out->rows;
}

static bool keep(struct kept *out, const struct nsc_tree *tree, const uint64_t *mask)
{
    struct nsc_instances all = tree->walk.all;

    *out = (struct kept){0};
    if (!mask || keep_rows(out, tree, mask)) {
        all.launches = mask ? out->launches : tree->launched.launches;
        all.keep = out->rows;
        if (nsc_instance_runs_build(&out->runs, &all))
            return true;
    }
    nsc_pages_free(out->rows, out->bytes);
    nsc_launches_free(out->launches);
    return false;
}

static void put_kept(struct nsc_tree *tree, const struct kept *kept)
{
    nsc_launches_free(tree->launches);
    nsc_pages_free(tree->keep, tree->keep_bytes);
    nsc_instance_runs_fini(&tree->runs);
    tree->launches = kept->launches;
    tree->keep = kept->rows;
    tree->keep_bytes = kept->bytes;
    tree->runs = kept->runs;
    tree->walk.all.launches = kept->launches ? kept->launches : tree->launched.launches;
    tree->walk.all.keep = kept->rows;
    tree->walk.all.runs = &tree->runs;
}

/* Builds what the figures count, whatever the filter. False if out of memory. */
static bool measure(struct nsc_tree_measure *out, const struct nsc_trace *trace)
{
    out->launches = build_launches(trace, NULL);
    if (out->launches)
        nsc_helper_launches_build(&out->lends, trace, out->launches);
    return out->launches && nsc_helper_figures_build(&out->lent, trace, &out->lends, NULL);
}

static bool measure_all(struct nsc_tree *tree)
{
    const struct nsc_trace *captured = nsc_trace_captured(tree->trace);
    bool is_fine =
        measure(&tree->launched, tree->trace) && (!captured || measure(&tree->captured, captured));

    tree->walk.all.measured = tree->launched.launches;
    tree->walk.all.lent = &tree->launched.lent;
    return is_fine;
}

static void free_measure(struct nsc_tree_measure *measure)
{
    nsc_launches_free(measure->launches);
    nsc_helper_launches_fini(&measure->lends);
    nsc_helper_figures_fini(&measure->lent);
}

struct nsc_tree *nsc_tree_new(const struct nsc_trace *trace, const uint64_t *mask)
{
    struct nsc_tree *tree = nsc_xcalloc(1, sizeof *tree);
    struct kept kept;

    tree->trace = trace;
    nsc_instances_init(&tree->walk.all, trace, NULL);
    if (!measure_all(tree) || !keep(&kept, tree, mask)) {
        nsc_tree_free(tree);
        return NULL;
    }
    tree->least_bubble = FIRST_BUBBLE;
    put_kept(tree, &kept);
    tree->walk.levels = NSC_TREE_FITTING;
    tree->walk.cursor = tree->walk.top = tree->walk.anchor = NSC_NO_INSTANCE;
    return tree;
}

bool nsc_tree_filter(struct nsc_tree *tree, const uint64_t *mask)
{
    struct nsc_tree_walk *walk = &tree->walk;
    nsc_event event = NSC_NONE;
    struct kept kept;

    if (!keep(&kept, tree, mask))
        return false;
    if (!nsc_instance_is_none(walk->cursor))
        event = nsc_instance_event(&walk->all, walk->cursor);
    put_kept(tree, &kept);
    /* Drops choices on GPU work: its number among the launches changed. */
    if (event != NSC_NONE)
        walk->cursor = nsc_instance_of(&walk->all, event);
    walk->top = walk->cursor;
    walk->anchor = NSC_NO_INSTANCE;
    NSC_VEC_CLEAR(&tree->lines);
    nsc_tree_merged_clear(tree);
    tree->exact = tree->exact && tree->merged_face && nsc_tree_merge(tree);
    if (tree->merged_face && !nsc_tree_merge(tree))
        tree->merged_face = false;
    return true;
}

void nsc_tree_free(struct nsc_tree *tree)
{
    if (!tree)
        return;
    nsc_tree_merged_clear(tree);
    nsc_instances_fini(&tree->walk.all);
    NSC_VEC_FINI(&tree->walk.choices);
    NSC_VEC_FINI(&tree->lines);
    nsc_launches_free(tree->launches);
    free_measure(&tree->launched);
    free_measure(&tree->captured);
    nsc_pages_free(tree->keep, tree->keep_bytes);
    nsc_instance_runs_fini(&tree->runs);
    free(tree);
}

void nsc_tree_update(struct nsc_tree *tree, size_t height)
{
    tree->height = height;
    if (tree->merged_face)
        nsc_tree_merged_lines(tree, height);
    else
        nsc_tree_walk_lines(tree, height);
}

nsc_event nsc_tree_event(const struct nsc_tree *tree)
{
    uint32_t node = NSC_NONE;

    if (!tree->merged_face)
        return nsc_instance_is_none(tree->walk.cursor)
                   ? NSC_NONE
                   : nsc_instance_event(&tree->walk.all, tree->walk.cursor);
    node = nsc_tree_merged_cursor(tree);
    return node == NSC_NONE ? NSC_NONE : tree->merged.calls->slowest[node];
}

bool nsc_tree_span(const struct nsc_tree *tree, struct nsc_window *out)
{
    return !tree->merged_face && nsc_tree_walk_span(tree, out);
}

bool nsc_tree_reveal(struct nsc_tree *tree, nsc_event event)
{
    tree->merged_face = false;
    tree->walk.anchor = NSC_NO_INSTANCE;
    return nsc_tree_walk_reveal(tree, event, false);
}

bool nsc_tree_follow(struct nsc_tree *tree, nsc_event event)
{
    uint32_t node = NSC_NONE;
    struct nsc_instance at;

    if (!tree->merged_face)
        return nsc_tree_walk_reveal(tree, event, true);
    at = nsc_instance_of(&tree->walk.all, event);
    if (nsc_instance_is_none(at) || at.range == NSC_NONE)
        return false;
    node = tree->merged.calls->node_of[at.range - tree->merged.calls->first_row];
    nsc_tree_merged_reveal(tree, node);
    return node != NSC_NONE;
}

uint32_t nsc_tree_permille(const struct nsc_tree *tree)
{
    const struct nsc_list *list = &tree->merged.list;

    if (!tree->merged_face)
        return nsc_tree_walk_permille(tree);
    return list->n > 1 ? (uint32_t)(1000 * (uint64_t)list->cursor / (list->n - 1)) : 0;
}

/* ---- what keys do ---- */

static bool step(struct nsc_tree *tree, enum nsc_tree_step what, int64_t by)
{
    return tree->merged_face ? nsc_tree_merged_step(tree, what, by)
                             : nsc_tree_walk_step(tree, what, by);
}

static bool set(struct nsc_tree *tree, enum nsc_tree_open what)
{
    return tree->merged_face ? nsc_tree_merged_set(tree, nsc_tree_merged_cursor(tree), what)
                             : nsc_tree_walk_set(tree, tree->walk.cursor, what);
}

static bool set_levels(struct nsc_tree *tree, uint32_t levels)
{
    if (tree->merged_face)
        nsc_tree_merged_levels(tree, levels);
    else
        nsc_tree_walk_levels(tree, levels);
    return true;
}

static bool page(struct nsc_tree *tree, int64_t pages)
{
    int64_t lines = tree->lines.n > 2 ? (int64_t)tree->lines.n - 1 : 1;

    return step(tree, NSC_TREE_LINES, pages * lines);
}

static bool next_face(struct nsc_tree *tree)
{
    if (!tree->merged_face && !nsc_tree_merge(tree))
        return false;
    tree->merged_face = !tree->merged_face;
    return true;
}

/* A list in time order shows instances, not merged paths. */
static bool next_linear(struct nsc_tree *tree)
{
    tree->walk.linear = tree->merged_face || !tree->walk.linear;
    tree->merged_face = false;
    return true;
}

static bool next_alike(struct nsc_tree *tree)
{
    if (!tree->merged_face)
        return false;
    tree->exact = !tree->exact;
    nsc_tree_merged_clear(tree);
    if (nsc_tree_merge(tree))
        return true;
    tree->exact = false;
    tree->merged_face = nsc_tree_merge(tree);
    return false;
}

static bool next_sort(struct nsc_tree *tree)
{
    if (!tree->merged_face)
        return false;
    tree->sort = (enum nsc_tree_sort)((tree->sort + 1) % NSC_N_TREE_SORTS);
    nsc_tree_merged_sort(tree);
    return true;
}

/* Merges equal paths first, because instances are always sorted by time. */
static bool sort_by(struct nsc_tree *tree, enum nsc_tree_sort sort)
{
    tree->sort = sort;
    if (!nsc_tree_merge(tree))
        return false;
    tree->merged_face = true;
    nsc_tree_merged_sort(tree);
    return true;
}

static bool next_bubble(struct nsc_tree *tree)
{
    tree->bubbles = true;
    tree->least_bubble = tree->least_bubble >= 10000000 ? 1000 : tree->least_bubble * 10;
    return true;
}

static bool move(struct nsc_tree *tree, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_TREE_UP:
        return step(tree, NSC_TREE_LINES, -1);
    case NSC_ACTION_TREE_DOWN:
        return step(tree, NSC_TREE_LINES, 1);
    case NSC_ACTION_TREE_EXTEND_UP:
        return !tree->merged_face && nsc_tree_walk_extend(tree, -1);
    case NSC_ACTION_TREE_EXTEND_DOWN:
        return !tree->merged_face && nsc_tree_walk_extend(tree, 1);
    case NSC_ACTION_TREE_PAGE_UP:
        return page(tree, -1);
    case NSC_ACTION_TREE_PAGE_DOWN:
        return page(tree, 1);
    case NSC_ACTION_TREE_FIRST:
        return step(tree, NSC_TREE_FIRST, 0);
    case NSC_ACTION_TREE_LAST:
        return step(tree, NSC_TREE_LAST, 0);
    case NSC_ACTION_TREE_LEFT:
        return set(tree, NSC_TREE_CLOSE) || step(tree, NSC_TREE_PARENT, 0);
    case NSC_ACTION_TREE_RIGHT:
        return set(tree, NSC_TREE_OPEN);
    case NSC_ACTION_TREE_TOGGLE:
        return set(tree, NSC_TREE_OPEN) || set(tree, NSC_TREE_CLOSE);
    case NSC_ACTION_TREE_OPEN_BELOW:
        return set(tree, NSC_TREE_OPEN_ALL);
    case NSC_ACTION_TREE_CLOSE_BELOW:
        return set(tree, NSC_TREE_CLOSE_ALL);
    default:
        return false;
    }
}

static bool show(struct nsc_tree *tree, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_TREE_OPEN_ALL:
    case NSC_ACTION_TREE_LEVELS_ALL:
        return set_levels(tree, UINT32_MAX);
    case NSC_ACTION_TREE_CLOSE_ALL:
        return set_levels(tree, 0);
    case NSC_ACTION_TREE_TIMES:
        tree->times = (tree->times + 1) % NSC_N_TREE_TIMES;
        return true;
    case NSC_ACTION_TREE_BUBBLES:
        tree->bubbles = !tree->bubbles;
        return true;
    case NSC_ACTION_TREE_BUBBLE_LEAST:
        return next_bubble(tree);
    case NSC_ACTION_TREE_ALIKE:
        return next_alike(tree);
    case NSC_ACTION_TREE_FACE:
        return next_face(tree);
    case NSC_ACTION_TREE_LINEAR:
        return next_linear(tree);
    case NSC_ACTION_TREE_SORT:
        return next_sort(tree);
    case NSC_ACTION_TREE_SORT_GPU:
        return sort_by(tree, NSC_TREE_BY_GPU);
    case NSC_ACTION_TREE_SORT_SHARE:
        return sort_by(tree, NSC_TREE_BY_TIME);
    case NSC_ACTION_TREE_SORT_IDLE:
        return sort_by(tree, NSC_TREE_BY_IDLE);
    default:
        return false;
    }
}

void nsc_tree_show_matches(struct nsc_tree *tree, bool is_filtered)
{
    struct nsc_tree_walk *walk = &tree->walk;
    nsc_event event = nsc_instance_is_none(walk->cursor)
                          ? NSC_NONE
                          : nsc_instance_event(&walk->all, walk->cursor);

    if (is_filtered) {
        walk->levels_before = walk->shows_matches ? walk->levels_before : walk->levels;
        walk->shows_matches = true;
        (void)set_levels(tree, UINT32_MAX);
    } else if (walk->shows_matches) {
        walk->shows_matches = false;
        if (walk->levels != UINT32_MAX) /* the user chose others since */
            return;
        nsc_tree_walk_levels(tree, walk->levels_before);
        if (event != NSC_NONE)
            (void)nsc_tree_walk_reveal(tree, event, true);
    }
}

bool nsc_tree_action(struct nsc_tree *tree, enum nsc_action action)
{
    if (action >= NSC_ACTION_TREE_LEVELS_1 && action <= NSC_ACTION_TREE_LEVELS_5)
        return set_levels(tree, 1 + (uint32_t)(action - NSC_ACTION_TREE_LEVELS_1));
    return move(tree, action) || show(tree, action);
}

bool nsc_tree_click(struct nsc_tree *tree, size_t line)
{
    const struct nsc_tree_line *at = line < tree->lines.n ? &tree->lines.at[line] : NULL;

    if (!at || at->bubble > 0)
        return false;
    if (tree->merged_face)
        nsc_tree_merged_reveal(tree, at->node);
    else
        tree->walk.cursor = at->at;
    tree->walk.anchor = NSC_NO_INSTANCE;
    return true;
}

void nsc_tree_scroll(struct nsc_tree *tree, int64_t by)
{
    if (tree->merged_face)
        (void)nsc_list_scroll(&tree->merged.list, by);
    else
        nsc_tree_walk_scroll(tree, by);
}
