/*
 * Property tests of the tree of ranges: walked in both directions it equals the naive expansion of
 * nested ranges and their launched work, under any selection. Its figures, and those of merged
 * paths, are sums over all work.
 */
#include "analysis/ranges/instance_runs.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/bits.h"
#include "core/pages.h"
#include "support/cm.h"
#include "support/hand_ranges.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_RANGES = 40,
    MAX_CALLS = 30,
    MAX_ROWS = 512,
    MAX_LINES = 4096,
    N_STREAMS = 2,
    N_NAMES = 5
};

struct world {
    struct dice dice;
    struct hand_trace hand;
    uint64_t mask[MAX_ROWS / 64];
    uint64_t naive_keep[MAX_ROWS / 64];
    const uint64_t *selection;        /* NULL: all */
    struct nsc_helper_launches lends; /* of any op to any range */
};

/* ---- a random thread and its device ---- */

/* Nested ranges, as pushes and pops make them; with crossing, some end after the range around
 * them. */
static uint32_t roll_ranges(struct dice *dice, struct hand_range ranges[], bool crossing)
{
    uint32_t open[MAX_RANGES];
    uint32_t depth = 0;
    uint32_t n = 0;
    nsc_time t = 0;
    uint32_t most = (uint32_t)dice_below(dice, MAX_RANGES);

    if (crossing) {
        hand_ranges_roll(dice, ranges, most, 5);
        return most;
    }
    while (n < most || depth > 0) {
        t += (nsc_time)dice_below(dice, 4);
        if (n < most && dice_below(dice, 2)) {
            open[depth++] = n;
            ranges[n++] = (struct hand_range){++t, 0, (nsc_name)dice_below(dice, N_NAMES)};
        } else if (depth > 0) {
            ranges[open[--depth]].end = ++t;
        }
    }
    return n;
}

static void roll_calls(struct world *world, nsc_event calls[], uint32_t n)
{
    nsc_time t = 0;

    hand_trace_track(&world->hand, NSC_TRACK_API);
    if (n > 0)
        hand_trace_lane(&world->hand);
    for (uint32_t i = 0; i < n; i++) {
        nsc_time length = (nsc_time)dice_below(&world->dice, 3);

        t += 1 + (nsc_time)dice_below(&world->dice, 6);
        calls[i] = hand_trace_row(&world->hand, t, t + length, 0, NSC_KIND_API_RUNTIME);
        t += length;
    }
}

static void roll_work(struct world *world, const nsc_event calls[], uint32_t n)
{
    hand_trace_track(&world->hand, NSC_TRACK_DEVICE);
    for (int s = 0; s < N_STREAMS; s++) {
        nsc_time t = (nsc_time)dice_below(&world->dice, 10);

        hand_trace_track(&world->hand, NSC_TRACK_STREAM);
        hand_trace_lane(&world->hand);
        for (uint32_t i = 0; i < n; i++) {
            for (uint64_t k = dice_below(&world->dice, 3); k > 0; k--) {
                nsc_time length = 1 + (nsc_time)dice_below(&world->dice, 5);
                nsc_event op = hand_trace_row(&world->hand, t, t + length, 0, NSC_KIND_KERNEL);

                t += length + (nsc_time)dice_below(&world->dice, 3);
                if (dice_below(&world->dice, 8))
                    world->hand.link.at[op] = calls[i];
                if (world->hand.link.at[calls[i]] == NSC_NONE)
                    world->hand.link.at[calls[i]] =
                        world->hand.link.at[op] == calls[i] ? op : NSC_NONE;
            }
        }
    }
}

static void roll_lends(struct world *world)
{
    const struct nsc_events *events = &world->hand.trace.events;

    NSC_VEC_CLEAR(&world->lends.list);
    for (nsc_event op = 0; op < events->n; op++) {
        nsc_event range = (nsc_event)dice_below(&world->dice, events->n);

        if (nsc_kind_is_gpu(events->kind[op]) && events->link[op] != NSC_NONE &&
            events->kind[range] == NSC_KIND_NVTX_RANGE)
            *NSC_VEC_ADD(&world->lends.list) = (struct nsc_helper_launch){op, range};
    }
}

static void roll_world(struct world *world, bool crossing)
{
    static const nsc_str strings[N_NAMES] = {0, 1, 2, 3, 4};
    static const uint8_t counters[N_NAMES] = {0};
    static const struct nsc_names names = {
        .n = N_NAMES, .full = strings, .brief = strings, .counters = counters};
    struct hand_range ranges[MAX_RANGES];
    nsc_event calls[MAX_CALLS];
    uint32_t n_calls = (uint32_t)dice_below(&world->dice, MAX_CALLS);

    bool several = dice_below(&world->dice, 2);

    nsc_summary_free(world->hand.trace.summary);
    hand_trace_clear(&world->hand);
    if (several)
        hand_trace_track(&world->hand, NSC_TRACK_CAPTURE);
    hand_trace_track(&world->hand, NSC_TRACK_THREAD);
    for (uint64_t n = dice_below(&world->dice, 3); n > 0; n--) {
        uint32_t n_ranges = roll_ranges(&world->dice, ranges, crossing);

        hand_trace_track(&world->hand, NSC_TRACK_NVTX);
        hand_ranges_add(&world->hand, ranges, n_ranges);
    }
    roll_calls(world, calls, n_calls);
    roll_work(world, calls, n_calls);
    if (several) /* an export without events */
        hand_trace_track(&world->hand, NSC_TRACK_CAPTURE);
    hand_trace_end(&world->hand, &names);
    world->hand.trace.summary = nsc_summary_build(&world->hand.trace, NULL);
    assert_true(world->hand.trace.events.n <= MAX_ROWS);
    roll_lends(world);
    for (int i = 0; i < MAX_ROWS / 64; i++)
        world->mask[i] = dice_next(&world->dice) & dice_next(&world->dice);
}

/* ---- the naive tree ---- */

struct line {
    nsc_event range, op; /* op: a row */
    uint32_t depth;
    nsc_time time;
};

static bool is_selected(const struct world *world, nsc_event row)
{
    return !world->selection || nsc_bits_get(world->selection, row);
}

static bool is_inside(const struct nsc_trace *trace, nsc_event range, nsc_time t)
{
    return trace->events.start[range] <= t && t < nsc_event_touch_end(&trace->events, range);
}

static bool is_work(const struct world *world, nsc_event row)
{
    const struct nsc_events *events = &world->hand.trace.events;

    return nsc_kind_is_gpu(events->kind[row]) && events->link[row] != NSC_NONE &&
           is_selected(world, row);
}

static nsc_time launch_of(const struct nsc_trace *trace, nsc_event op)
{
    return trace->events.start[trace->events.link[op]];
}

/* The range of a lane around t. */
static nsc_event around(const struct nsc_trace *trace, const struct nsc_track *track, uint32_t k,
                        nsc_time t)
{
    const struct nsc_lane *lane = &trace->lanes[track->first_lane + k];

    for (nsc_event row = lane->first; k < track->n_lanes && row < lane->first + lane->n; row++)
        if (is_inside(trace, row, t))
            return row;
    return NSC_NONE;
}

/* Marks ranges that are selected, launch selected work, or enclose such ranges, from the deepest
 * lane up. */
static void mark_kept(struct world *world, const struct nsc_track *track)
{
    const struct nsc_trace *trace = &world->hand.trace;

    for (uint32_t k = track->n_lanes; k-- > 0;) {
        const struct nsc_lane *lane = &trace->lanes[track->first_lane + k];

        for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
            nsc_time t = trace->events.start[row];
            nsc_event above = k > 0 ? around(trace, track, k - 1, t) : NSC_NONE;

            for (nsc_event op = 0; op < trace->events.n; op++)
                if (is_work(world, op) && is_inside(trace, row, launch_of(trace, op)))
                    nsc_bits_set(world->naive_keep, row);
            for (size_t i = 0; i < world->lends.list.n; i++)
                if (world->lends.list.at[i].range == row &&
                    is_selected(world, world->lends.list.at[i].op))
                    nsc_bits_set(world->naive_keep, row);
            if (is_selected(world, row))
                nsc_bits_set(world->naive_keep, row);
            if (above != NSC_NONE && nsc_bits_get(world->naive_keep, row))
                nsc_bits_set(world->naive_keep, above);
        }
    }
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a;
    const struct line *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The children of one line, in order. */
static uint32_t expand(const struct world *world, const struct nsc_track *track, bool takes_work,
                       struct line parent, struct line out[])
{
    const struct nsc_trace *trace = &world->hand.trace;
    bool nvtx = track->kind == NSC_TRACK_NVTX;
    uint32_t k = parent.depth;
    uint32_t n = 0;

    if (parent.op != NSC_NONE)
        return 0;
    for (nsc_event row = 0; row < trace->events.n; row++) {
        bool range =
            nvtx && k < track->n_lanes && nsc_trace_lane_of(trace, row) == track->first_lane + k;
        nsc_time t = range ? trace->events.start[row] : 0;

        if (!range && !is_work(world, row))
            continue;
        t = range ? t : launch_of(trace, row);
        if (parent.range != NSC_NONE ? !is_inside(trace, parent.range, t) : !range && !takes_work)
            continue;
        if (range && nsc_bits_get(world->naive_keep, row))
            out[n++] = (struct line){row, NSC_NONE, k + 1, t};
        else if (!range && !(nvtx && k < track->n_lanes && around(trace, track, k, t) != NSC_NONE))
            out[n++] = (struct line){parent.range, row, k + 1, t};
    }
    qsort(out, n, sizeof *out, compare_lines);
    return n;
}

/* The whole tree of a root, line by line. */
static uint32_t expand_all(const struct world *world, const struct nsc_instance_root *root,
                           struct line out[])
{
    const struct nsc_track *track = &world->hand.trace.tracks[root->track];
    struct line stack[MAX_LINES];
    struct line children[MAX_ROWS];
    uint32_t depth = 1;
    uint32_t n = 0;

    stack[0] = (struct line){NSC_NONE, NSC_NONE, 0, 0};
    while (depth > 0) {
        struct line line = stack[--depth];
        uint32_t n_children = expand(world, track, root->takes_work, line, children);

        out[n++] = line;
        assert_true(n < MAX_LINES && depth + n_children < MAX_LINES);
        while (n_children-- > 0)
            stack[depth++] = children[n_children];
    }
    return n;
}

/* ---- against it ---- */

static struct nsc_instance step_down(const struct nsc_instances *all, struct nsc_instance at)
{
    struct nsc_instance child = nsc_instance_first_child(all, at);

    if (!nsc_instance_is_none(child))
        return child;
    for (; !nsc_instance_is_none(at); at = nsc_instance_parent(all, at)) {
        struct nsc_instance next = nsc_instance_next(all, at);

        if (!nsc_instance_is_none(next))
            return next;
    }
    return at;
}

static struct nsc_instance step_up(const struct nsc_instances *all, struct nsc_instance at)
{
    struct nsc_instance prev = nsc_instance_prev(all, at);

    if (nsc_instance_is_none(prev))
        return nsc_instance_parent(all, at);
    for (at = prev; !nsc_instance_is_none(prev); prev = nsc_instance_last_child(all, at))
        at = prev;
    return at;
}

/* Whether the op is lent to the range, or to one of the same track that starts inside it. */
static uint32_t is_lent(const struct world *world, nsc_event range, nsc_event op)
{
    const struct nsc_trace *trace = &world->hand.trace;
    nsc_event to = nsc_helper_launches_find(&world->lends, op);
    uint32_t lane = nsc_trace_lane_of(trace, range);
    uint32_t of = to == NSC_NONE ? 0 : nsc_trace_lane_of(trace, to);

    return to != NSC_NONE && trace->lanes[of].track == trace->lanes[lane].track &&
           is_inside(trace, range, trace->events.start[to]) &&
           (trace->events.start[to] > trace->events.start[range] || of >= lane);
}

static void check_figures(const struct world *world, const struct nsc_instances *all,
                          struct nsc_instance at)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_gpu_figures figures = nsc_instance_figures(all, at);
    nsc_time work = 0;
    uint32_t ops = 0;

    for (nsc_event op = 0; op < trace->events.n; op++) {
        uint32_t times = is_work(world, op) ? is_inside(trace, at.range, launch_of(trace, op)) +
                                                  is_lent(world, at.range, op)
                                            : 0;

        if (times == 0)
            continue;
        ops += times;
        work += times * nsc_event_duration(&trace->events, op);
        assert_true(trace->events.start[figures.first] <= trace->events.start[op]);
        assert_true(nsc_event_end(&trace->events, figures.last) >=
                    nsc_event_end(&trace->events, op));
    }
    assert_int_equal(figures.ops, ops);
    assert_int_equal(figures.work, work);
    assert_int_equal(figures.launches > 0, ops > 0);
}

/* A root that takes no work counts what its ranges hold. */
static void check_root(const struct world *world, const struct nsc_instances *all,
                       struct nsc_instance at)
{
    const struct nsc_trace *trace = &world->hand.trace;
    const struct nsc_instance_root *root = &all->roots[at.root];
    const struct nsc_track *track = &trace->tracks[root->track];
    struct nsc_instance_run place = {at, at, 1};
    struct nsc_gpu_figures figures = nsc_instance_run_figures(all, &place);
    nsc_time work = 0;
    uint32_t ops = 0;

    for (nsc_event op = 0; op < trace->events.n; op++) {
        nsc_event to = nsc_helper_launches_find(&world->lends, op);
        uint32_t times = 0;

        if (!is_work(world, op))
            continue;
        times += root->takes_work || around(trace, track, 0, launch_of(trace, op)) != NSC_NONE;
        times += to != NSC_NONE && trace->lanes[nsc_trace_lane_of(trace, to)].track == root->track;
        ops += times;
        work += times * nsc_event_duration(&trace->events, op);
    }
    assert_int_equal(figures.ops, ops);
    assert_int_equal(figures.work, work);
}

static bool are_alike(const struct world *world, const struct nsc_instances *all,
                      struct nsc_instance a, struct nsc_instance b)
{
    const struct nsc_events *events = nsc_trace_events(&world->hand.trace);
    nsc_event x = nsc_instance_event(all, a);
    nsc_event y = nsc_instance_event(all, b);

    return (a.op == NSC_NONE) == (b.op == NSC_NONE) && x != NSC_NONE && y != NSC_NONE &&
           events->name[x] == events->name[y] && events->kind[x] == events->kind[y];
}

/* Siblings one by one, while they are alike. Adds their figures. */
static struct nsc_instance naive_end(const struct world *world, const struct nsc_instances *all,
                                     struct nsc_instance at, bool forward,
                                     struct nsc_gpu_figures *figures, nsc_time *total)
{
    const struct nsc_events *events = nsc_trace_events(&world->hand.trace);

    for (;;) {
        struct nsc_instance next =
            forward ? nsc_instance_next(all, at) : nsc_instance_prev(all, at);

        if (nsc_instance_is_none(next) || !are_alike(world, all, at, next))
            return at;
        at = next;
        nsc_gpu_figures_add(figures, events, nsc_instance_figures(all, at));
        *total += nsc_event_duration(events, nsc_instance_event(all, at));
    }
}

static void check_run(const struct world *world, const struct nsc_instances *all,
                      struct nsc_instance at)
{
    const struct nsc_events *events = nsc_trace_events(&world->hand.trace);
    struct nsc_instance_run run = nsc_instance_run(all, at);
    struct nsc_gpu_figures naive = nsc_instance_figures(all, at);
    struct nsc_gpu_figures figures = nsc_instance_run_figures(all, &run);
    nsc_time total = nsc_event_duration(events, nsc_instance_event(all, at));
    struct nsc_instance it = naive_end(world, all, at, false, &naive, &total);
    uint32_t n = 0;

    assert_true(nsc_instance_is_same(run.first, it));
    assert_true(nsc_instance_is_same(run.last, naive_end(world, all, at, true, &naive, &total)));
    for (; !nsc_instance_is_same(it, run.last); it = nsc_instance_next(all, it), n++)
        if (nsc_instance_is_same(it, at))
            assert_int_equal(nsc_instance_run_index(all, &run, at), n);
    assert_int_equal(run.n, n + 1);
    assert_int_equal(nsc_instance_run_total(all, &run), total);
    assert_int_equal(figures.ops, naive.ops);
    assert_int_equal(figures.work, naive.work);
    if (naive.ops) {
        assert_int_equal(events->start[figures.first], events->start[naive.first]);
        assert_int_equal(nsc_event_end(events, figures.last), nsc_event_end(events, naive.last));
    }
}

static void check_line(const struct world *world, const struct nsc_instances *all,
                       struct nsc_instance at, const struct line *line)
{
    assert_false(nsc_instance_is_none(at));
    assert_int_equal(at.range, line->range);
    assert_int_equal(at.op == NSC_NONE, line->op == NSC_NONE);
    if (line->range != NSC_NONE || line->op != NSC_NONE)
        check_run(world, all, at);
    if (line->op != NSC_NONE)
        assert_int_equal(nsc_instance_event(all, at), line->op);
    assert_int_equal(nsc_instance_depth(all, at), line->depth);
    if (at.op == NSC_NONE && at.range != NSC_NONE)
        check_figures(world, all, at);
    if (at.op == NSC_NONE && at.range == NSC_NONE)
        check_root(world, all, at);
}

/* The last line of the tree. */
static struct nsc_instance last_line(const struct nsc_instances *all)
{
    struct nsc_instance next = nsc_instance_root(all, all->n_roots - 1, true);
    struct nsc_instance at = next;

    for (; !nsc_instance_is_none(next); next = nsc_instance_last_child(all, at))
        at = next;
    return at;
}

/* A root without a line below is hidden by a filter. */
static void check_walk(const struct world *world, const struct nsc_instances *all)
{
    struct line lines[MAX_LINES];
    struct nsc_instance at = nsc_instance_root(all, 0, false);
    uint32_t n = 0;

    for (uint32_t r = 0; r < all->n_roots; r++) {
        n = expand_all(world, &all->roots[r], lines);
        for (uint32_t i = 0; i < n && (n > 1 || !all->keep); i++) {
            assert_int_equal(at.root, r);
            check_line(world, all, at, &lines[i]);
            at = step_down(all, at);
        }
    }
    assert_true(nsc_instance_is_none(at));
    at = last_line(all);
    for (uint32_t r = all->n_roots; r-- > 0;) {
        n = expand_all(world, &all->roots[r], lines);
        for (uint32_t i = n; i-- > 0 && (n > 1 || !all->keep);) {
            assert_int_equal(at.root, r);
            check_line(world, all, at, &lines[i]);
            at = step_up(all, at);
        }
    }
    assert_true(nsc_instance_is_none(at));
}

static void check_world(struct world *world, const uint64_t *selection)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_launches *launches = nsc_launches_build(trace, selection, NULL);
    struct nsc_helper_figures lent;
    struct nsc_instance_runs runs;
    struct nsc_instances all;
    size_t bytes = 0;
    uint64_t *keep = NULL;

    assert_non_null(launches);
    if (dice_below(&world->dice, 2))
        assert_true(nsc_launches_sum(launches));
    world->selection = selection;
    memset(world->naive_keep, 0, sizeof world->naive_keep);
    for (uint32_t t = 0; t < trace->n_tracks; t++)
        if (trace->tracks[t].kind == NSC_TRACK_NVTX)
            mark_kept(world, &trace->tracks[t]);
    assert_true(nsc_helper_figures_build(&lent, trace, &world->lends, selection));
    if (selection)
        keep = nsc_tree_keep(&bytes, trace, launches, &lent, selection);
    nsc_instances_init(&all, trace, launches);
    all.keep = keep;
    all.lent = &lent;
    assert_true(nsc_instance_runs_build(&runs, &all));
    all.runs = &runs;
    check_walk(world, &all);
    nsc_instances_fini(&all);
    nsc_instance_runs_fini(&runs);
    nsc_pages_free(keep, bytes);
    nsc_helper_figures_fini(&lent);
    nsc_launches_free(launches);
}

TEST(walks_equal_expansions)
{
    struct world world = {.dice = dice_new(11)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 300; i++) {
        roll_world(&world, false);
        check_world(&world, NULL);
        check_world(&world, world.mask);
    }
    nsc_summary_free(world.hand.trace.summary);
    hand_trace_fini(&world.hand);
    NSC_VEC_FINI(&world.lends.list);
}

/* With crossing ranges only whole selections are walked: a range's place is that of its start. */
TEST(crossing_ranges_end)
{
    struct world world = {.dice = dice_new(12)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 300; i++) {
        struct nsc_launches *launches = NULL;
        struct nsc_instances all;
        struct nsc_instance at = {0, NSC_NONE, NSC_NONE};
        uint32_t n = 0;

        roll_world(&world, true);
        launches = nsc_launches_build(&world.hand.trace, NULL, NULL);
        nsc_instances_init(&all, &world.hand.trace, launches);
        for (at.root = all.n_roots ? 0 : NSC_NONE; !nsc_instance_is_none(at);
             at = step_down(&all, at))
            assert_true(n++ < MAX_LINES);
        nsc_instances_fini(&all);
        nsc_launches_free(launches);
    }
    nsc_summary_free(world.hand.trace.summary);
    hand_trace_fini(&world.hand);
    NSC_VEC_FINI(&world.lends.list);
}

/* ---- merged paths ---- */

/* A search that starts near its result equals a full search. */
static void check_ahead(const struct nsc_launches *launches, uint32_t track)
{
    struct nsc_positions in = nsc_launches_of_track(launches, track);

    for (; in.first < in.end; in.first++)
        for (uint32_t k = in.first; k < in.end; k++)
            for (nsc_time d = -1; d <= 1; d++) {
                nsc_time t = nsc_launches_time(launches, k) + d;

                assert_int_equal(nsc_launches_find_ahead(launches, in, t),
                                 nsc_launches_find(launches, in, t));
            }
}

static void check_merged(const struct world *world)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_launches *launches = nsc_launches_build(trace, NULL, NULL);
    struct nsc_calltree *tree = nsc_calltree_build(trace, NULL, NSC_PATHS_BY_NAME);
    uint32_t ops[MAX_ROWS] = {0};
    nsc_time work[MAX_ROWS] = {0};
    struct nsc_tree_gpu gpu;
    struct nsc_helper_launches lends;

    nsc_helper_launches_build(&lends, trace, launches);
    nsc_tree_gpu_build(&gpu, tree, trace, launches, &lends, NULL);
    nsc_helper_launches_fini(&lends);
    for (nsc_event op = 0; op < trace->events.n; op++) {
        for (nsc_event row = tree->first_row;
             is_work(world, op) && row < tree->first_row + tree->n_rows; row++) {
            uint32_t node = tree->node_of[row - tree->first_row];

            if (node == NSC_NONE || !is_inside(trace, row, launch_of(trace, op)))
                continue;
            ops[node]++;
            work[node] += nsc_event_duration(&trace->events, op);
        }
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        assert_int_equal(gpu.ops[i], ops[i]);
        assert_int_equal(gpu.work[i], work[i]);
        assert_true(gpu.launches[i] <= gpu.ops[i]);
    }
    for (uint32_t t = 0; t < trace->n_tracks; t++)
        if (trace->tracks[t].kind == NSC_TRACK_THREAD)
            check_ahead(launches, t);
    nsc_tree_gpu_fini(&gpu);
    nsc_calltree_free(tree);
    nsc_launches_free(launches);
}

TEST(merged_figures_are_sums)
{
    struct world world = {.dice = dice_new(13)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 500; i++) {
        roll_world(&world, false);
        check_merged(&world);
    }
    nsc_summary_free(world.hand.trace.summary);
    hand_trace_fini(&world.hand);
    NSC_VEC_FINI(&world.lends.list);
}
