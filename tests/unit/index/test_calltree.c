/* Unit tests of the merged tree: merging, masks, and a depth of a million. */
#include "nsyscope/calltree.h"

#include "support/cm.h"
#include "support/hand_ranges.h"

TEST(calls_of_one_path_are_one_node)
{
    struct hand_range ranges[] = {{0, 100, 1},   {10, 30, 2},   {40, 90, 2},  {50, 60, 3},
                                  {200, 300, 1}, {210, 220, 3}, {230, 260, 2}};
    struct hand_trace hand;
    struct nsc_calltree *tree = NULL;
    static const nsc_name names[] = {1, 2, 3, 3};
    static const nsc_time total[] = {200, 100, 10, 10};
    static const nsc_time self[] = {90, 90, 10, 10};
    static const uint32_t skip[] = {4, 3, 3, 4};

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_NVTX);
    hand_ranges_add(&hand, ranges, 7);
    tree = nsc_calltree_build(hand_trace_end(&hand, NULL), NULL, NSC_PATHS_BY_NAME);
    assert_int_equal(tree->n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(tree->name[i], names[i]);
        assert_int_equal(tree->total[i], total[i]);
        assert_int_equal(tree->self[i], self[i]);
        assert_int_equal(tree->skip[i], skip[i]);
    }
    assert_int_equal(tree->calls[1], 3);
    assert_int_equal(tree->shortest[1], 20);
    assert_int_equal(tree->longest[1], 50);
    nsc_calltree_free(tree);
    hand_trace_fini(&hand);
}

TEST(a_trace_without_ranges_has_an_empty_tree)
{
    struct hand_trace hand;
    struct nsc_calltree *tree = NULL;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    hand_trace_lane(&hand);
    hand_trace_row(&hand, 0, 5, 0, NSC_KIND_KERNEL);
    tree = nsc_calltree_build(hand_trace_end(&hand, NULL), NULL, NSC_PATHS_BY_NAME);
    assert_non_null(tree);
    assert_int_equal(tree->n, 0);
    assert_int_equal(tree->n_rows, 0);
    nsc_calltree_free(tree);
    nsc_calltree_free(NULL);
    hand_trace_fini(&hand);
}

TEST(a_hidden_parent_passes_its_children_up)
{
    struct hand_range ranges[] = {{0, 100, 1}, {10, 90, 2}, {20, 30, 3}};
    struct hand_trace hand;
    struct nsc_calltree *tree = NULL;
    uint64_t mask = 1u << 0 | 1u << 2;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_NVTX);
    hand_ranges_add(&hand, ranges, 3);
    tree = nsc_calltree_build(hand_trace_end(&hand, NULL), &mask, NSC_PATHS_BY_NAME);
    assert_int_equal(tree->n, 2);
    assert_int_equal(tree->name[1], 3);
    assert_int_equal(tree->parent[1], 0);
    assert_int_equal(tree->self[0], 90);
    assert_int_equal(tree->node_of[1], NSC_NONE);
    nsc_calltree_free(tree);
    hand_trace_fini(&hand);
}

TEST(a_million_levels_are_as_good_as_one)
{
    enum { DEPTH = 1000000 };
    struct hand_trace hand;
    struct nsc_calltree *tree = NULL;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_THREAD);
    hand_trace_track(&hand, NSC_TRACK_NVTX);
    for (nsc_time i = 0; i < DEPTH; i++) {
        hand_trace_lane(&hand);
        hand_trace_row(&hand, i, 3L * DEPTH - i, 7, NSC_KIND_NVTX_RANGE);
    }
    tree = nsc_calltree_build(hand_trace_end(&hand, NULL), NULL, NSC_PATHS_BY_NAME);
    assert_int_equal(tree->n, DEPTH);
    for (uint32_t i = 0; i < DEPTH; i++) {
        assert_int_equal(tree->parent[i], i == 0 ? NSC_NONE : i - 1);
        assert_int_equal(tree->skip[i], DEPTH);
    }
    assert_int_equal(tree->self[0], 2);
    assert_int_equal(nsc_nvtx_path(&hand.trace, 0, 0, DEPTH, NULL, 0), DEPTH);
    nsc_calltree_free(tree);
    hand_trace_fini(&hand);
}
