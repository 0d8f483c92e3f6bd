/*
 * Property tests of the merged tree: under any mask it equals the naive map from paths to figures,
 * in preorder.
 */
#include "nsyscope/calltree.h"

#include "core/bits.h"
#include "support/cm.h"
#include "support/hand_ranges.h"

enum { MAX_RANGES = 60, MAX_ROWS = 320, MAX_NODES = MAX_ROWS };

struct world {
    struct dice dice;
    struct hand_trace hand;
    uint64_t mask[MAX_ROWS / 64];
};

static void roll_world(struct world *world)
{
    struct hand_range ranges[MAX_RANGES];
    uint64_t dense = dice_below(&world->dice, 3);

    hand_trace_clear(&world->hand);
    hand_trace_track(&world->hand, NSC_TRACK_THREAD);
    for (uint64_t n = dice_below(&world->dice, 5); n > 0; n--) {
        uint32_t n_ranges = (uint32_t)dice_below(&world->dice, MAX_RANGES);

        hand_trace_track(&world->hand,
                         dice_below(&world->dice, 4) ? NSC_TRACK_NVTX : NSC_TRACK_API);
        hand_ranges_roll(&world->dice, ranges, n_ranges, 1 + (uint32_t)dice_below(&world->dice, 5));
        hand_ranges_add(&world->hand, ranges, n_ranges);
    }
    hand_trace_end(&world->hand, NULL);
    for (int i = 0; i < MAX_ROWS / 64; i++)
        world->mask[i] = dense ? dice_next(&world->dice) | dice_next(&world->dice)
                               : dice_next(&world->dice) & dice_next(&world->dice);
}

static bool is_counted(const struct nsc_trace *trace, const uint64_t *mask, nsc_event row)
{
    return trace->tracks[trace->lanes[nsc_trace_lane_of(trace, row)].track].kind ==
               NSC_TRACK_NVTX &&
           (!mask || nsc_bits_get(mask, row));
}

/* Compares the paths of a row and a node, from the bottom up. */
static void check_path(const struct nsc_trace *trace, const uint64_t *mask,
                       const struct nsc_calltree *tree, nsc_event row)
{
    uint32_t node = tree->node_of[row - tree->first_row];

    for (; row != NSC_NONE; row = nsc_nvtx_parent(trace, row)) {
        if (mask && !nsc_bits_get(mask, row))
            continue;
        assert_true(node < tree->n);
        assert_int_equal(tree->name[node], trace->events.name[row]);
        node = tree->parent[node];
    }
    assert_int_equal(node, NSC_NONE);
}

struct figures {
    uint32_t calls;
    nsc_time total, shortest, longest, first;
};

static void add_row(const struct nsc_trace *trace, struct figures *figures, nsc_event row)
{
    nsc_time duration = nsc_event_duration(&trace->events, row);
    nsc_time start = trace->events.start[row];

    if (figures->calls == 0 || duration < figures->shortest)
        figures->shortest = duration;
    if (figures->calls == 0 || duration > figures->longest)
        figures->longest = duration;
    if (figures->calls == 0 || start < figures->first)
        figures->first = start;
    figures->calls++;
    figures->total += duration;
}

static void check_figures(const struct nsc_calltree *tree, const struct figures figures[])
{
    nsc_time children[MAX_NODES] = {0};

    for (uint32_t i = 0; i < tree->n; i++) {
        assert_true(tree->calls[i] > 0);
        assert_int_equal(tree->calls[i], figures[i].calls);
        assert_int_equal(tree->total[i], figures[i].total);
        assert_int_equal(tree->shortest[i], figures[i].shortest);
        assert_int_equal(tree->longest[i], figures[i].longest);
        if (tree->parent[i] != NSC_NONE)
            children[tree->parent[i]] += tree->total[i];
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        nsc_time self = tree->total[i] - children[i];

        assert_int_equal(tree->self[i], self > 0 ? self : 0);
    }
}

/* Preorder; names differ among the children of one node, which come in order of their first
 * start. */
static void check_shape(const struct nsc_calltree *tree, const struct figures figures[])
{
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->parent[i];
        uint32_t end = parent == NSC_NONE ? tree->n : tree->skip[parent];
        uint32_t next = tree->skip[i];

        assert_true(parent == NSC_NONE || parent < i);
        assert_true(next > i && next <= end);
        assert_true(i + 1 == next || tree->parent[i + 1] == i);
        if (next < end) {
            assert_int_equal(tree->parent[next], parent);
            assert_true(figures[i].first <= figures[next].first);
        }
        for (; next < end; next = tree->skip[next])
            assert_int_not_equal(tree->name[next], tree->name[i]);
    }
}

static void check_tree(struct world *world, const uint64_t *mask)
{
    const struct nsc_trace *trace = &world->hand.trace;
    struct nsc_calltree *tree = nsc_calltree_build(trace, mask, NSC_PATHS_BY_NAME);
    struct figures figures[MAX_NODES] = {{0}};

    assert_non_null(tree);
    assert_true(tree->n <= MAX_NODES);
    for (nsc_event row = 0; row < trace->events.n; row++) {
        bool inside = row >= tree->first_row && row - tree->first_row < tree->n_rows;

        if (is_counted(trace, mask, row)) {
            assert_true(inside);
            check_path(trace, mask, tree, row);
            add_row(trace, &figures[tree->node_of[row - tree->first_row]], row);
        } else if (inside) {
            assert_int_equal(tree->node_of[row - tree->first_row], NSC_NONE);
        }
    }
    check_figures(tree, figures);
    check_shape(tree, figures);
    nsc_calltree_free(tree);
}

TEST(tree_equals_paths)
{
    struct world world = {.dice = dice_new(4)};

    hand_trace_init(&world.hand);
    for (int i = 0; i < 4000; i++) {
        roll_world(&world);
        check_tree(&world, NULL);
        check_tree(&world, world.mask);
    }
    hand_trace_fini(&world.hand);
}
