/*
 * The face of all instances: open places, the cursor, and the visible lines. Reads only visible
 * parts of the tree.
 */
#include "nsyscope/cover.h"

#include "analysis/base/correlate.h"
#include "core/bits.h"
#include "core/sum.h"
#include "view/model/tree.h"
#include "view/model/viewport.h"

enum { CHOICES_MAX = 4096, RUN_LEAST = 3, LEVELS_MOST = 64 };

/* ---- what is open ---- */

static uint32_t lane_of(const struct nsc_tree_walk *walk, struct nsc_instance at)
{
    return at.range == NSC_NONE ? 0 : nsc_trace_lane_of(walk->all.trace, at.range) + 1;
}

/* The choice for the run that begins with a place; NULL: none. */
static const struct nsc_tree_choice *find_run_choice(const struct nsc_tree_walk *walk,
                                                     struct nsc_instance first)
{
    for (size_t i = 0; i < walk->choices.n; i++)
        if (walk->choices.at[i].run && nsc_instance_is_same(walk->choices.at[i].at, first))
            return &walk->choices.at[i];
    return NULL;
}

/* The choice for the place itself, else for the innermost place around it whose choice includes
 * everything below. */
static const struct nsc_tree_choice *find_choice(const struct nsc_tree_walk *walk,
                                                 struct nsc_instance at)
{
    const struct nsc_tree_choice *found = NULL;

    for (size_t i = 0; i < walk->choices.n; i++) {
        const struct nsc_tree_choice *choice = &walk->choices.at[i];

        if (choice->run)
            continue;
        if (nsc_instance_is_same(choice->at, at))
            return choice;
        if (choice->all && nsc_instance_is_below(&walk->all, at, choice->at) &&
            (!found || lane_of(walk, choice->at) > lane_of(walk, found->at)))
            found = choice;
    }
    return found;
}

/* The run of a place; a single place if the run is too short to be folded. */
static struct nsc_instance_run run_of(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance_run run = {at, at, 1};

    if (!tree->walk.linear)
        run = nsc_instance_run(&tree->walk.all, at);
    return run.n >= RUN_LEAST ? run : (struct nsc_instance_run){at, at, 1};
}

/* Whether one line stands for all of a run. A run of ranges opens with everything above it, unlike
 * one of ops, because it hides what is below. */
static bool run_is_closed(const struct nsc_tree *tree, const struct nsc_instance_run *run)
{
    const struct nsc_tree_choice *choice = NULL;

    if (run->n == 1)
        return false;
    choice = find_run_choice(&tree->walk, run->first);
    if (choice || run->first.op != NSC_NONE)
        return !choice || !choice->open;
    choice = find_choice(&tree->walk, nsc_instance_parent(&tree->walk.all, run->first));
    return choice && choice->all ? !choice->open : tree->walk.levels != UINT32_MAX;
}

/* The place whose line shows a place: for a closed run its first one. */
static struct nsc_instance run_line(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance_run run = run_of(tree, at);

    return run_is_closed(tree, &run) ? run.first : at;
}

static bool is_open(const struct nsc_tree *tree, struct nsc_instance at)
{
    const struct nsc_tree_choice *choice = NULL;

    if (at.op != NSC_NONE)
        return false;
    if (tree->walk.linear)
        return true;
    choice = find_choice(&tree->walk, at);
    if (choice)
        return choice->open;
    /* The ranges of a run that was opened begin closed: there may be thousands. */
    if (tree->walk.levels != UINT32_MAX && run_of(tree, at).n > 1)
        return false;
    return nsc_instance_depth(&tree->walk.all, at) < tree->walk.levels;
}

/* Drops the choice for a place, and those below it. */
static void drop_choices(struct nsc_tree_walk *walk, struct nsc_tree_choice made)
{
    size_t kept = 0;

    for (size_t i = 0; i < walk->choices.n; i++) {
        struct nsc_tree_choice it = walk->choices.at[i];
        bool is_same = it.run == made.run && nsc_instance_is_same(it.at, made.at);

        if (!is_same && !(made.all && nsc_instance_is_below(&walk->all, it.at, made.at)))
            walk->choices.at[kept++] = it;
    }
    walk->choices.n = kept;
}

static void choose(struct nsc_tree_walk *walk, struct nsc_tree_choice made)
{
    drop_choices(walk, made);
    if (walk->choices.n == CHOICES_MAX)
        return;
    *NSC_VEC_ADD(&walk->choices) = made;
}

static bool has_children(const struct nsc_tree *tree, struct nsc_instance at)
{
    return !nsc_instance_is_none(nsc_instance_first_child(&tree->walk.all, at));
}

/* Opens or closes the run of a place; the cursor goes to its first line. */
static bool set_run(struct nsc_tree *tree, struct nsc_instance at, bool open)
{
    struct nsc_instance_run run = run_of(tree, at);

    if (run.n == 1 || run_is_closed(tree, &run) != open)
        return false;
    choose(&tree->walk, (struct nsc_tree_choice){.at = run.first, .open = open, .run = true});
    tree->walk.cursor = run.first;
    return true;
}

/* Left on a range of an open run closes first the range, then the run. */
bool nsc_tree_walk_set(struct nsc_tree *tree, struct nsc_instance at, enum nsc_tree_open what)
{
    bool open = what == NSC_TREE_OPEN || what == NSC_TREE_OPEN_ALL;
    bool all = what == NSC_TREE_OPEN_ALL || what == NSC_TREE_CLOSE_ALL;
    struct nsc_instance_run run = run_of(tree, at);

    if (nsc_instance_is_none(at))
        return false;
    if (at.op != NSC_NONE || run_is_closed(tree, &run))
        return set_run(tree, at, open);
    if (has_children(tree, at) && (all || is_open(tree, at) != open)) {
        choose(&tree->walk, (struct nsc_tree_choice){.at = at, .open = open, .all = all});
        return true;
    }
    return !open && set_run(tree, at, false);
}

/* ---- places in the order of the screen ---- */

static struct nsc_instance next_shown(const struct nsc_tree *tree, struct nsc_instance at)
{
    const struct nsc_instances *all = &tree->walk.all;
    struct nsc_instance_run run = run_of(tree, at);
    bool is_closed = run_is_closed(tree, &run);

    at = is_closed ? run.last : at;
    if (!is_closed && is_open(tree, at)) {
        struct nsc_instance child = nsc_instance_first_child(all, at);

        if (!nsc_instance_is_none(child))
            return child;
    }
    while (!nsc_instance_is_none(at)) {
        struct nsc_instance next = nsc_instance_next(all, at);

        if (!nsc_instance_is_none(next))
            return next;
        at = nsc_instance_parent(all, at);
    }
    return at;
}

/* The last visible line of a place: itself if it is closed, that of its run if the run is. */
static struct nsc_instance last_below(const struct nsc_tree *tree, struct nsc_instance at)
{
    for (;;) {
        struct nsc_instance_run run = run_of(tree, at);
        struct nsc_instance child = NSC_NO_INSTANCE;

        if (run_is_closed(tree, &run))
            return run.first;
        if (is_open(tree, at))
            child = nsc_instance_last_child(&tree->walk.all, at);
        if (nsc_instance_is_none(child))
            return at;
        at = child;
    }
}

static struct nsc_instance prev_shown(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance prev = nsc_instance_prev(&tree->walk.all, at);

    return nsc_instance_is_none(prev) ? nsc_instance_parent(&tree->walk.all, at)
                                      : last_below(tree, prev);
}

/* Moves by lines, and stops at the first or last one. */
static struct nsc_instance step_lines(const struct nsc_tree *tree, struct nsc_instance at,
                                      int64_t by)
{
    while (by != 0) {
        struct nsc_instance next = by < 0 ? prev_shown(tree, at) : next_shown(tree, at);

        if (nsc_instance_is_none(next))
            break;
        at = next;
        by += by < 0 ? 1 : -1;
    }
    return at;
}

static struct nsc_instance last_place(const struct nsc_tree *tree)
{
    const struct nsc_instances *all = &tree->walk.all;
    struct nsc_instance root = nsc_instance_root(all, all->n_roots - 1, true);

    return nsc_instance_is_none(root) ? root : last_below(tree, root);
}

bool nsc_tree_walk_step(struct nsc_tree *tree, enum nsc_tree_step step, int64_t by)
{
    struct nsc_instance to = tree->walk.cursor;

    if (nsc_instance_is_none(to))
        return false;
    if (step == NSC_TREE_FIRST)
        to = nsc_instance_root(&tree->walk.all, 0, false);
    else if (step == NSC_TREE_LAST)
        to = last_place(tree);
    else if (step == NSC_TREE_PARENT)
        to = nsc_instance_parent(&tree->walk.all, to);
    else
        to = step_lines(tree, to, by);
    if (nsc_instance_is_none(to) || nsc_instance_is_same(to, tree->walk.cursor))
        return false;
    tree->walk.cursor = to;
    tree->walk.anchor = NSC_NO_INSTANCE;
    return true;
}

bool nsc_tree_walk_extend(struct nsc_tree *tree, int64_t by)
{
    struct nsc_instance anchor =
        nsc_instance_is_none(tree->walk.anchor) ? tree->walk.cursor : tree->walk.anchor;

    if (!nsc_tree_walk_step(tree, NSC_TREE_LINES, by))
        return false;
    tree->walk.anchor = anchor;
    return true;
}

bool nsc_tree_walk_span(const struct nsc_tree *tree, struct nsc_window *out)
{
    const struct nsc_events *events = nsc_trace_events(tree->trace);
    const struct nsc_tree_walk *walk = &tree->walk;
    struct nsc_instance_run run = run_of(tree, walk->cursor);
    struct nsc_instance ends[3] = {walk->cursor, walk->anchor,
                                   run_is_closed(tree, &run) ? run.last : NSC_NO_INSTANCE};

    *out = (struct nsc_window){0, 0};
    for (int i = 0; i < 3; i++) {
        nsc_event event =
            nsc_instance_is_none(ends[i]) ? NSC_NONE : nsc_instance_event(&walk->all, ends[i]);

        if (event == NSC_NONE)
            continue;
        nsc_window_join(out, nsc_event_window(events, event));
    }
    return out->t0 != 0 || out->t1 != 0;
}

/* ---- a cursor that is shown ---- */

static bool is_hidden(const struct nsc_tree *tree, struct nsc_instance at)
{
    return tree->keep && at.op == NSC_NONE && at.range != NSC_NONE &&
           !nsc_bits_get(tree->keep, at.range);
}

/* The place itself, or the innermost visible one around it; for a place in a closed run the line of
 * the run. */
static struct nsc_instance nearest_shown(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance found = at;

    for (struct nsc_instance up = at; !nsc_instance_is_none(up);) {
        struct nsc_instance parent = nsc_instance_parent(&tree->walk.all, up);
        struct nsc_instance line = is_hidden(tree, up) ? up : run_line(tree, up);

        if (!nsc_instance_is_same(line, up))
            found = line;
        if (!nsc_instance_is_none(parent) && (is_hidden(tree, up) || !is_open(tree, parent)))
            found = parent;
        up = parent;
    }
    return found;
}

/* The same; beside a root that a filter leaves empty. */
static struct nsc_instance place_shown(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance found = nearest_shown(tree, at), next;

    if (nsc_instance_is_none(found) || nsc_instance_depth(&tree->walk.all, found) > 0 ||
        has_children(tree, found))
        return found;
    next = nsc_instance_next(&tree->walk.all, found);
    return nsc_instance_is_none(next) ? nsc_instance_prev(&tree->walk.all, found) : next;
}

void nsc_tree_walk_levels(struct nsc_tree *tree, uint32_t levels)
{
    tree->walk.levels = levels;
    NSC_VEC_CLEAR(&tree->walk.choices);
}

bool nsc_tree_walk_reveal(struct nsc_tree *tree, nsc_event event, bool follows)
{
    struct nsc_instance at = nsc_instance_of(&tree->walk.all, event);
    struct nsc_instance exact = at;

    if (nsc_instance_is_none(at))
        return false;
    if (tree->walk.levels == NSC_TREE_FITTING)
        tree->walk.levels = 1;
    while (!nsc_instance_is_none(at = nsc_instance_parent(&tree->walk.all, at))) {
        if (!is_open(tree, at))
            choose(&tree->walk, (struct nsc_tree_choice){.at = at, .open = true});
        (void)set_run(tree, at, true);
    }
    if (!follows || exact.op == NSC_NONE)
        (void)set_run(tree, exact, true);
    tree->walk.cursor = nearest_shown(tree, exact);
    tree->walk.top = step_lines(tree, tree->walk.cursor, -(int64_t)(tree->height / 2));
    return true;
}

/* ---- lines ---- */

/* Idle ns of the device between the last work of one place and the first work of the next. */
static nsc_time idle_between(const struct nsc_tree *tree, struct nsc_instance before,
                             struct nsc_instance at)
{
    const struct nsc_events *events = nsc_trace_events(tree->trace);
    struct nsc_gpu_figures from = nsc_instance_figures(&tree->walk.all, before);
    struct nsc_gpu_figures to = nsc_instance_figures(&tree->walk.all, at);
    const struct nsc_device_covers *covers = NULL;
    struct nsc_window w = {0, 0};

    if (from.last == NSC_NONE || to.first == NSC_NONE)
        return 0;
    w.t0 = nsc_event_end(events, from.last);
    w.t1 = events->start[to.first];
    if (w.t0 >= w.t1)
        return 0;
    covers = nsc_trace_device_covers(tree->trace, nsc_event_group(tree->trace, to.first));
    if (!covers || !covers->busy)
        return 0;
    return nsc_window_length(w) - nsc_cover_measure(covers->busy, w);
}

static void add_bubble(struct nsc_tree *tree, struct nsc_instance at, uint32_t depth)
{
    struct nsc_instance before =
        depth > 0 ? nsc_instance_prev(&tree->walk.all, at) : NSC_NO_INSTANCE;
    nsc_time idle = nsc_instance_is_none(before) ? 0 : idle_between(tree, before, at);

    if (idle > 0 && idle >= tree->least_bubble)
        *NSC_VEC_ADD(&tree->lines) =
            (struct nsc_tree_line){.at = NSC_NO_INSTANCE, .depth = depth, .bubble = idle};
}

/* Whether visible place a comes before visible place b on the screen. */
static bool is_before(const struct nsc_tree *tree, struct nsc_instance a, struct nsc_instance b)
{
    const struct nsc_instances *all = &tree->walk.all;
    const struct nsc_events *events = nsc_trace_events(tree->trace);
    nsc_time ta = INT64_MIN;
    nsc_time tb = INT64_MIN;

    if (a.root != b.root)
        return a.root < b.root;
    if (nsc_instance_is_below(all, b, a))
        return true;
    if (nsc_instance_is_below(all, a, b))
        return false;
    if (a.op != NSC_NONE || a.range != NSC_NONE)
        ta = a.op != NSC_NONE ? nsc_launches_time(all->launches, a.op) : events->start[a.range];
    if (b.op != NSC_NONE || b.range != NSC_NONE)
        tb = b.op != NSC_NONE ? nsc_launches_time(all->launches, b.op) : events->start[b.range];
    return ta != tb ? ta < tb : a.op != NSC_NONE && b.op != NSC_NONE && a.op < b.op;
}

static bool is_selected(const struct nsc_tree *tree, struct nsc_instance at)
{
    struct nsc_instance from = tree->walk.anchor;
    struct nsc_instance to = tree->walk.cursor;

    if (nsc_instance_is_none(from))
        return false;
    if (is_before(tree, to, from)) {
        from = tree->walk.cursor;
        to = tree->walk.anchor;
    }
    return !is_before(tree, at, from) && !is_before(tree, to, at);
}

/* Fills the lines, starting at the top. Returns whether the cursor is among them. */
static bool fill_lines(struct nsc_tree *tree, size_t height)
{
    struct nsc_instance at = tree->walk.top;
    bool found = false;

    NSC_VEC_CLEAR(&tree->lines);
    while (tree->lines.n < height && !nsc_instance_is_none(at)) {
        uint32_t depth = tree->walk.linear ? 0 : nsc_instance_depth(&tree->walk.all, at);
        bool is_cursor = nsc_instance_is_same(at, tree->walk.cursor);
        struct nsc_instance_run run = run_of(tree, at);
        bool is_run = run_is_closed(tree, &run);
        bool begins_ops = at.op != NSC_NONE && run.n > 1 && at.op == run.first.op;

        if (tree->bubbles && tree->lines.n > 0)
            add_bubble(tree, at, depth);
        if (tree->lines.n == height)
            break;
        *NSC_VEC_ADD(&tree->lines) = (struct nsc_tree_line){
            .at = at,
            .depth = depth,
            .is_cursor = is_cursor,
            .is_selected = is_selected(tree, at),
            .has_children = is_run || begins_ops || has_children(tree, at),
            .is_open = !is_run && (begins_ops || is_open(tree, at)),
            .run = run,
            .run_at = is_run || run.n == 1 ? 0 : nsc_instance_run_index(&tree->walk.all, &run, at),
            .is_run = is_run};
        found = found || is_cursor;
        at = next_shown(tree, at);
    }
    return found;
}

/* Sets as many levels as the screen has lines for, but at least one. */
static void fit_levels(struct nsc_tree *tree, size_t height)
{
    for (uint32_t levels = 1;; levels++) {
        struct nsc_instance at = nsc_instance_root(&tree->walk.all, 0, false);
        size_t n = 0;

        tree->walk.levels = levels;
        for (; n <= height && !nsc_instance_is_none(at); n++)
            at = next_shown(tree, at);
        if (n > height && levels > 1)
            tree->walk.levels = levels - 1;
        if (n > height || levels == LEVELS_MOST)
            return;
    }
}

void nsc_tree_walk_lines(struct nsc_tree *tree, size_t height)
{
    struct nsc_tree_walk *walk = &tree->walk;
    int64_t back = height > 1 ? (int64_t)height - 1 : 0;

    if (nsc_instance_is_none(walk->cursor))
        walk->cursor = nsc_instance_root(&tree->walk.all, 0, false);
    if (walk->levels == NSC_TREE_FITTING)
        fit_levels(tree, height);
    if (nsc_instance_is_none(walk->top))
        walk->top = walk->cursor;
    NSC_VEC_CLEAR(&tree->lines);
    walk->cursor = place_shown(tree, walk->cursor);
    walk->top = place_shown(tree, walk->top);
    if (nsc_instance_is_none(walk->cursor))
        return;
    if (!fill_lines(tree, height)) {
        bool above = is_before(tree, walk->cursor, walk->top);

        walk->top = above ? walk->cursor : step_lines(tree, walk->cursor, -back);
        while (!fill_lines(tree, height) && !nsc_instance_is_same(walk->top, walk->cursor))
            walk->top = step_lines(tree, walk->top, 1);
    }
    if (tree->lines.n < height && tree->lines.n > 0) {
        walk->top = step_lines(tree, last_place(tree), -back);
        while (!fill_lines(tree, height) && !nsc_instance_is_same(walk->top, walk->cursor))
            walk->top = step_lines(tree, walk->top, 1);
    }
}

void nsc_tree_walk_scroll(struct nsc_tree *tree, int64_t by)
{
    struct nsc_tree_walk *walk = &tree->walk;
    size_t height = tree->lines.n;

    if (height == 0)
        return;
    walk->top = step_lines(tree, walk->top, by);
    if (fill_lines(tree, height))
        return;
    walk->cursor = by > 0 ? walk->top : step_lines(tree, walk->top, (int64_t)tree->lines.n - 1);
}

uint32_t nsc_tree_walk_permille(const struct nsc_tree *tree)
{
    const struct nsc_tree_walk *walk = &tree->walk;
    struct nsc_window w = nsc_trace_extent(tree->trace);
    nsc_event event = NSC_NONE;
    double part = 0;

    if (nsc_instance_is_none(walk->cursor))
        return 0;
    event = nsc_instance_event(&walk->all, walk->cursor);
    if (event != NSC_NONE)
        part = ((double)nsc_trace_events(tree->trace)->start[event] - (double)w.t0) /
               ((double)w.t1 - (double)w.t0);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return (uint32_t)(1000 * (walk->cursor.root + part) / walk->all.n_roots);
}
