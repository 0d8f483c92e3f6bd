/*
 * Unit tests of the tree of ranges: open places, the cursor, orders, folded digits, idle times and
 * filters.
 */
#include "core/bits.h"
#include "support/cm.h"
#include "support/screen_trace.h"
#include "view/model/tree.h"

#include <stdlib.h>
#include <string.h>

static const char sample[] = "nvtx 5 0 100us step 1\n"
                             "nvtx 5 10us 40us load\n"
                             "nvtx 5 50us 90us train\n"
                             "nvtx 5 200us 280us step 2\n"
                             "nvtx 5 210us 220us load\n"
                             "api 5 12us 13us cudaLaunchKernel #1\n"
                             "api 5 55us 56us cudaLaunchKernel #2\n"
                             "api 5 60us 61us cudaLaunchKernel #3\n"
                             "api 5 95us 96us cudaLaunchKernel #4\n"
                             "kernel 0:7 20us 30us copy_in #1\n"
                             "kernel 0:7 60us 70us gemm #2\n"
                             "kernel 0:7 400us 410us relu #3\n"
                             "kernel 0:7 420us 430us late #4\n";

struct world {
    struct nsc_trace *trace;
    struct nsc_tree *tree;
};

static int setup(void **state)
{
    struct world *world = calloc(1, sizeof *world);

    world->trace = nsc_test_trace_parse(sample);
    world->tree = nsc_tree_new(world->trace, NULL);
    nsc_tree_update(world->tree, 20);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;

    nsc_tree_free(world->tree);
    nsc_trace_free(world->trace);
    free(world);
    return 0;
}

static bool press(struct world *world, enum nsc_action action)
{
    bool did = nsc_tree_action(world->tree, action);

    nsc_tree_update(world->tree, 20);
    return did;
}

static nsc_event event_named(const struct world *world, const char *name)
{
    char scratch[NSC_NAME_BYTES];

    for (nsc_event event = 0; event < nsc_trace_events(world->trace)->n; event++) {
        struct nsc_text text = nsc_trace_event_text(world->trace, event, false, scratch);

        if (text.n == strlen(name) && memcmp(text.bytes, name, text.n) == 0)
            return event;
    }
    fail_msg("no event %s", name);
    return NSC_NONE;
}

static void cursor_is(const struct world *world, const char *name)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = {NULL, 0};

    assert_int_not_equal(nsc_tree_event(world->tree), NSC_NONE);
    text = nsc_trace_event_text(world->trace, nsc_tree_event(world->tree), false, scratch);
    assert_int_equal(text.n, strlen(name));
    assert_memory_equal(text.bytes, name, text.n);
}

TEST_WITH(levels_open_and_close, setup, teardown)
{
    struct world *world = *state;

    assert_int_equal(world->tree->lines.n, 1 + 5 + 4); /* all levels fit */
    assert_true(press(world, NSC_ACTION_TREE_LEVELS_1));
    assert_int_equal(world->tree->lines.n, 3);
    assert_true(press(world, NSC_ACTION_TREE_LEVELS_ALL));
    assert_int_equal(world->tree->lines.n, 1 + 5 + 4);
    assert_true(press(world, NSC_ACTION_TREE_CLOSE_ALL));
    assert_int_equal(world->tree->lines.n, 1);
    assert_true(press(world, NSC_ACTION_TREE_RIGHT));
    assert_int_equal(world->tree->lines.n, 3);
    assert_false(press(world, NSC_ACTION_TREE_RIGHT));
    assert_true(press(world, NSC_ACTION_TREE_OPEN_BELOW));
    assert_int_equal(world->tree->lines.n, 10);
    assert_true(press(world, NSC_ACTION_TREE_CLOSE_BELOW));
    assert_true(press(world, NSC_ACTION_TREE_RIGHT));
    assert_int_equal(world->tree->lines.n, 3);
}

TEST_WITH(left_closes_then_goes_out, setup, teardown)
{
    struct world *world = *state;

    assert_true(nsc_tree_reveal(world->tree, event_named(world, "relu")));
    nsc_tree_update(world->tree, 20);
    cursor_is(world, "relu");
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    cursor_is(world, "train");
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    cursor_is(world, "train");
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    cursor_is(world, "step 1");
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_int_equal(nsc_tree_event(world->tree), NSC_NONE);
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_false(press(world, NSC_ACTION_TREE_LEFT));
    assert_false(press(world, NSC_ACTION_TREE_UP));
}

/* Work launched by a call is below the innermost range around the call, in the order of calls. */
TEST_WITH(work_stands_where_it_was_launched, setup, teardown)
{
    static const char *const order[] = {"step 1", "load", "copy_in", "train", "gemm",
                                        "relu",   "late", "step 2",  "load"};
    struct world *world = *state;

    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_true(press(world, NSC_ACTION_TREE_DOWN));
        cursor_is(world, order[i]);
    }
    assert_false(press(world, NSC_ACTION_TREE_DOWN));
    for (size_t i = sizeof order / sizeof *order; i-- > 0;) {
        cursor_is(world, order[i]);
        assert_true(press(world, NSC_ACTION_TREE_UP));
    }
}

TEST_WITH(a_small_screen_shows_the_cursor, setup, teardown)
{
    struct world *world = *state;

    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    for (int i = 0; i < 9; i++) {
        bool found = false;

        (void)nsc_tree_action(world->tree, NSC_ACTION_TREE_DOWN);
        nsc_tree_update(world->tree, 3);
        assert_int_equal(world->tree->lines.n, 3);
        for (size_t k = 0; k < 3; k++)
            found = found || world->tree->lines.at[k].is_cursor;
        assert_true(found);
    }
    nsc_tree_scroll(world->tree, -100);
    nsc_tree_update(world->tree, 3);
    assert_true(world->tree->lines.at[2].is_cursor);
}

TEST_WITH(idle_times_stand_between, setup, teardown)
{
    struct world *world = *state;
    size_t bubbles = 0;

    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    assert_true(press(world, NSC_ACTION_TREE_BUBBLES));
    for (size_t i = 0; i < world->tree->lines.n; i++) {
        if (world->tree->lines.at[i].bubble == 0)
            continue;
        bubbles++;
        assert_int_equal(world->tree->lines.at[i].bubble, 330000);
        assert_false(nsc_tree_click(world->tree, i));
    }
    assert_int_equal(bubbles, 1);
}

TEST_WITH(orders_are_kept_among_siblings, setup, teardown)
{
    struct world *world = *state;

    assert_false(press(world, NSC_ACTION_TREE_SORT));
    assert_true(press(world, NSC_ACTION_TREE_FACE));
    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    assert_int_equal(world->tree->lines.n, 3);
    assert_int_equal(world->tree->merged.calls->calls[world->tree->lines.at[0].node], 2);
    assert_int_equal(world->tree->merged.median, 80000); /* of 80 and 100 us */
    press(world, NSC_ACTION_TREE_DOWN);
    cursor_is(world, "load"); /* 40 us each: in order of their first start */
    press(world, NSC_ACTION_TREE_SORT);
    press(world, NSC_ACTION_TREE_SORT);
    press(world, NSC_ACTION_TREE_SORT);
    assert_int_equal(world->tree->sort, NSC_TREE_BY_GPU);
    press(world, NSC_ACTION_TREE_DOWN);
    cursor_is(world, "train");
    press(world, NSC_ACTION_TREE_SORT); /* by idle time */
    press(world, NSC_ACTION_TREE_SORT);
    press(world, NSC_ACTION_TREE_DOWN);
    cursor_is(world, "load");
}

/* One key merges and sorts, with the cursor on top. */
TEST_WITH(a_key_sorts_by_one_figure, setup, teardown)
{
    struct world *world = *state;

    press(world, NSC_ACTION_TREE_DOWN);
    assert_true(press(world, NSC_ACTION_TREE_SORT_GPU));
    assert_true(world->tree->merged_face);
    assert_int_equal(world->tree->merged.list.cursor, 0);
    assert_int_equal(world->tree->merged.gpu.work[0], 40000);
    assert_true(press(world, NSC_ACTION_TREE_SORT_IDLE));
    assert_int_equal(world->tree->sort, NSC_TREE_BY_IDLE);
    assert_int_equal(world->tree->merged.gpu.idle[0], 80000); /* 100 us less two ops of 10 us */
    assert_true(press(world, NSC_ACTION_TREE_SORT_SHARE));
    assert_int_equal(world->tree->sort, NSC_TREE_BY_TIME);
}

TEST_WITH(as_many_levels_open_as_fit, setup, teardown)
{
    struct world *world = *state;
    static const struct {
        size_t height, lines;
    } rows[] = {{20, 10}, {9, 7}, {7, 7}, {6, 3}, {2, 2}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nsc_tree_free(world->tree);
        world->tree = nsc_tree_new(world->trace, NULL);
        nsc_tree_update(world->tree, rows[i].height);
        assert_int_equal(world->tree->lines.n, rows[i].lines);
    }
}

static const char run_sample[] = "nvtx 5 0 100us step\n"
                                 "api 5 10us 11us cudaLaunchKernel #1\n"
                                 "api 5 20us 21us cudaLaunchKernel #2\n"
                                 "api 5 30us 31us cudaLaunchKernel #3\n"
                                 "api 5 40us 41us cudaLaunchKernel #4\n"
                                 "api 5 50us 51us cudaLaunchKernel #5\n"
                                 "kernel 0:7 20us 30us gemm #1\n"
                                 "kernel 0:7 30us 40us gemm #2\n"
                                 "kernel 0:7 40us 50us gemm #3\n"
                                 "kernel 0:7 50us 60us relu #4\n"
                                 "kernel 0:7 60us 70us relu #5\n";

static void run_is(const struct world *world, size_t line, uint32_t n, bool is_open)
{
    assert_int_equal(world->tree->lines.at[line].run.n, n);
    assert_int_equal(world->tree->lines.at[line].is_open, is_open);
}

/* Three alike stand on one line that opens; two do not. */
TEST_WITH(alike_work_is_one_line, setup, teardown)
{
    struct world *world = *state;

    nsc_tree_free(world->tree);
    nsc_trace_free(world->trace);
    world->trace = nsc_test_trace_parse(run_sample);
    world->tree = nsc_tree_new(world->trace, NULL);
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 5);
    run_is(world, 2, 3, false);
    run_is(world, 3, 1, false);
    for (int i = 0; i < 3; i++)
        assert_true(press(world, NSC_ACTION_TREE_DOWN));
    cursor_is(world, "relu");
    assert_true(press(world, NSC_ACTION_TREE_UP));
    cursor_is(world, "gemm");
    assert_true(press(world, NSC_ACTION_TREE_RIGHT));
    assert_int_equal(world->tree->lines.n, 7);
    run_is(world, 2, 3, true);
    assert_true(press(world, NSC_ACTION_TREE_DOWN));
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_int_equal(world->tree->lines.n, 5);
    assert_true(nsc_tree_follow(world->tree, event_named(world, "gemm")));
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 5);
    assert_true(nsc_tree_reveal(world->tree, event_named(world, "gemm") + 1));
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 7);
    assert_true(world->tree->lines.at[3].is_cursor);
}

static const char run_of_ranges[] = "nvtx 5 0 100us step\n"
                                    "nvtx 5 10us 20us sum\n"
                                    "nvtx 5 12us 16us inner\n"
                                    "nvtx 5 20us 30us sum\n"
                                    "nvtx 5 22us 26us inner\n"
                                    "nvtx 5 30us 50us sum\n"
                                    "nvtx 5 32us 36us inner\n"
                                    "nvtx 5 60us 70us sum\n"
                                    "nvtx 5 70us 80us sum\n"
                                    "api 5 13us 14us cudaLaunchKernel #1\n"
                                    "api 5 33us 34us cudaLaunchKernel #2\n"
                                    "api 5 55us 56us cudaLaunchKernel #3\n"
                                    "kernel 0:7 20us 30us gemm #1\n"
                                    "kernel 0:7 40us 60us relu #2\n"
                                    "kernel 0:7 60us 70us between #3\n";

static void parse(struct world *world, const char *text)
{
    nsc_tree_free(world->tree);
    nsc_trace_free(world->trace);
    world->trace = nsc_test_trace_parse(text);
    world->tree = nsc_tree_new(world->trace, NULL);
    nsc_tree_update(world->tree, 20);
}

static void line_is(const struct world *world, size_t line, bool is_run, bool is_open)
{
    assert_true(line < world->tree->lines.n);
    assert_int_equal(world->tree->lines.at[line].is_run, is_run);
    assert_int_equal(world->tree->lines.at[line].is_open, is_open);
}

/* Three ranges, then an op of their parent, then two ranges: only the three are one line. */
TEST_WITH(equal_ranges_are_one_line, setup, teardown)
{
    struct world *world = *state;
    struct nsc_instance_run run;
    struct nsc_window span;

    parse(world, run_of_ranges);
    assert_int_equal(world->tree->lines.n, 6); /* root, step, run, op, sum, sum */
    line_is(world, 2, true, false);
    run = world->tree->lines.at[2].run;
    assert_int_equal(run.n, 3);
    assert_int_equal(nsc_instance_run_total(&world->tree->walk.all, &run), 40000);
    assert_int_equal(nsc_instance_run_figures(&world->tree->walk.all, &run).work, 30000);
    assert_int_equal(world->tree->lines.at[4].run.n, 1);
    for (int i = 0; i < 3; i++)
        assert_true(press(world, NSC_ACTION_TREE_DOWN));
    cursor_is(world, "between");
    assert_true(press(world, NSC_ACTION_TREE_UP));
    assert_true(nsc_tree_span(world->tree, &span));
    assert_int_equal(span.t0, 10000);
    assert_int_equal(span.t1, 50000);
    assert_true(press(world, NSC_ACTION_TREE_RIGHT)); /* the run opens, its ranges stay closed */
    assert_int_equal(world->tree->lines.n, 8);
    line_is(world, 2, false, false);
    assert_true(nsc_tree_span(world->tree, &span));
    assert_int_equal(span.t1, 20000);
    assert_true(press(world, NSC_ACTION_TREE_DOWN));
    assert_int_equal(world->tree->lines.at[3].run_at, 1);
    assert_true(press(world, NSC_ACTION_TREE_RIGHT));
    assert_int_equal(world->tree->lines.n, 9);
    line_is(world, 3, false, true);
    assert_true(press(world, NSC_ACTION_TREE_LEFT)); /* first the range, then its run */
    assert_int_equal(world->tree->lines.n, 8);
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_int_equal(world->tree->lines.n, 6);
    assert_true(world->tree->lines.at[2].is_cursor);
    assert_true(press(world, NSC_ACTION_TREE_LEFT));
    assert_true(world->tree->lines.at[1].is_cursor);
}

TEST_WITH(runs_of_ranges_open_for_what_is_inside, setup, teardown)
{
    struct world *world = *state;
    uint64_t mask[4] = {0};
    nsc_event relu = NSC_NONE;

    parse(world, run_of_ranges);
    relu = event_named(world, "relu");
    assert_true(nsc_tree_follow(world->tree, relu));
    nsc_tree_update(world->tree, 20);
    cursor_is(world, "relu");
    assert_true(press(world, NSC_ACTION_TREE_LEVELS_1));
    cursor_is(world, "step");
    assert_true(press(world, NSC_ACTION_TREE_OPEN_BELOW)); /* everything, runs too */
    assert_int_equal(world->tree->lines.n, 1 + 1 + 3 + 5 + 3);
    assert_true(press(world, NSC_ACTION_TREE_CLOSE_BELOW));
    assert_int_equal(world->tree->lines.n, 2);
    assert_true(press(world, NSC_ACTION_TREE_LEVELS_ALL));
    assert_int_equal(world->tree->lines.n, 13);
    assert_true(press(world, NSC_ACTION_TREE_LINEAR));
    assert_int_equal(world->tree->lines.n, 13);
    assert_true(press(world, NSC_ACTION_TREE_LINEAR));
    nsc_bits_set(mask, relu);
    assert_true(nsc_tree_filter(world->tree, mask)); /* one of the three is left */
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 5);
    for (size_t i = 0; i < world->tree->lines.n; i++)
        assert_int_equal(world->tree->lines.at[i].run.n, 1);
}

/* A filter opens everything; without it the levels are as before, with the cursor in sight. */
TEST_WITH(a_filter_gives_the_levels_back, setup, teardown)
{
    struct world *world = *state;
    uint64_t mask[4] = {0};

    press(world, NSC_ACTION_TREE_LEVELS_1);
    assert_int_equal(world->tree->lines.n, 3);
    nsc_bits_set(mask, event_named(world, "relu"));
    for (int i = 0; i < 2; i++) { /* a second filter, too */
        assert_true(nsc_tree_filter(world->tree, mask));
        nsc_tree_show_matches(world->tree, true);
        nsc_tree_update(world->tree, 20);
        assert_int_equal(world->tree->lines.n, 4);
    }
    for (int i = 0; i < 3; i++)
        press(world, NSC_ACTION_TREE_DOWN);
    cursor_is(world, "relu");
    assert_true(nsc_tree_filter(world->tree, NULL));
    nsc_tree_show_matches(world->tree, false);
    nsc_tree_update(world->tree, 20);
    cursor_is(world, "relu");
    assert_int_equal(world->tree->lines.n, 3 + 3 + 2); /* step 1 and train are open */
    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    nsc_tree_show_matches(world->tree, true);
    nsc_tree_show_matches(world->tree, false);
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 10);
}

TEST_WITH(digits_are_folded_or_told_apart, setup, teardown)
{
    struct world *world = *state;

    assert_false(press(world, NSC_ACTION_TREE_ALIKE));
    press(world, NSC_ACTION_TREE_FACE);
    assert_int_equal(world->tree->merged.calls->n, 3);
    assert_true(world->tree->merged.calls->mixed[0]);
    assert_false(world->tree->merged.calls->mixed[1]);
    assert_true(press(world, NSC_ACTION_TREE_ALIKE));
    assert_int_equal(world->tree->merged.calls->n, 5);
    assert_true(press(world, NSC_ACTION_TREE_ALIKE));
    assert_int_equal(world->tree->merged.calls->n, 3);
}

TEST_WITH(a_filter_leaves_what_is_around, setup, teardown)
{
    struct world *world = *state;
    uint64_t mask[4] = {0};

    assert_true(nsc_trace_events(world->trace)->n < 256);
    nsc_bits_set(mask, event_named(world, "relu"));
    assert_true(nsc_tree_reveal(world->tree, event_named(world, "relu")));
    assert_true(nsc_tree_filter(world->tree, mask));
    nsc_tree_update(world->tree, 20);
    cursor_is(world, "relu");
    assert_int_equal(world->tree->lines.n, 4);
    assert_true(press(world, NSC_ACTION_TREE_FACE));
    assert_int_equal(world->tree->merged.calls->n, 2);
    assert_int_equal(world->tree->merged.gpu.work[0], 40000); /* of all that is in it */
    press(world, NSC_ACTION_TREE_FACE);
    assert_true(nsc_tree_filter(world->tree, NULL));
    press(world, NSC_ACTION_TREE_LEVELS_ALL);
    assert_int_equal(world->tree->lines.n, 10);
    cursor_is(world, "relu");
}

/* Work under no range stands below its root. */
TEST_WITH(a_filter_leaves_work_outside_of_ranges, setup, teardown)
{
    struct world *world = *state;
    uint64_t mask[4] = {0};

    parse(world, "nvtx 5 0 10us step\n"
                 "api 5 20us 21us launch #1\n"
                 "kernel 0:7 30us 40us late #1\n"
                 "nvtx 6 0 10us other\n");
    nsc_bits_set(mask, event_named(world, "late"));
    assert_true(nsc_tree_reveal(world->tree, event_named(world, "late")));
    assert_true(nsc_tree_filter(world->tree, mask));
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 2); /* not the other thread */
    cursor_is(world, "late");
    press(world, NSC_ACTION_TREE_UP);
    nsc_bits_unset(mask, event_named(world, "late"));
    nsc_bits_set(mask, event_named(world, "other"));
    assert_true(nsc_tree_filter(world->tree, mask));
    nsc_tree_update(world->tree, 20);
    assert_true(world->tree->lines.n > 0 && world->tree->lines.at[0].is_cursor);
    nsc_bits_unset(mask, event_named(world, "other"));
    assert_true(nsc_tree_filter(world->tree, mask));
    nsc_tree_update(world->tree, 20);
    assert_int_equal(world->tree->lines.n, 0);
}
