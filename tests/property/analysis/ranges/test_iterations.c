/*
 * Property tests of iterations: invariants of all results, of one export or two, and a planted period
 * is found.
 * tests/scenarios/iterations.c tests their meaning.
 */
#include "analysis/ranges/iterations.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 200 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    char texts[MAX_ROWS][32];
    uint32_t n;
    struct nsc_trace *trace;
};

static struct nsc_test_row *add(struct world *world, uint8_t kind, nsc_time start, nsc_time end)
{
    struct nsc_test_row *row = &world->rows[world->n];

    *row = (struct nsc_test_row){.kind = kind,
                                 .process = 1,
                                 .tid = 1,
                                 .context = 1,
                                 .start = start,
                                 .end = end,
                                 .name = world->texts[world->n]};
    world->n++;
    return row;
}

static void name(struct world *world, const char *text, uint32_t number)
{
    (void)snprintf(world->texts[world->n], sizeof world->texts[0], "%s%u", text, number);
}

/* ---- what holds of any iterations ---- */

static void check_line(const struct nsc_iterations *found, const struct nsc_iteration_line *line)
{
    for (uint32_t i = 0; i < line->n; i++) {
        const struct nsc_iteration *it = &line->at[i];

        assert_true(it->host.t0 < it->host.t1);
        assert_true(it->window.t0 < it->window.t1);
        assert_true(it->period > 0 && it->period <= nsc_window_length(it->window));
        assert_true(i + 1 == line->n || it->window.t1 == it[1].window.t0);
        assert_int_equal(it->slow, found->at[line->first + i].slow);
        assert_int_equal(it->kind, found->at[line->first + i].kind);
    }
}

static void check_judged(const struct nsc_iterations *found)
{
    uint32_t slow = 0;
    uint32_t counted = 0;

    assert_true(found->n >= 1 && found->n_lines >= 1 && found->n_kinds >= 1);
    assert_true(found->warm_up * NSC_LIMIT_WARM_UP_MOST <= found->n);
    for (uint32_t i = 0; i < found->n; i++) {
        const struct nsc_iteration *it = &found->at[i];

        assert_true(i == 0 || found->at[i - 1].window.t0 < it->window.t0);
        assert_int_equal(nsc_iterations_at(found, it->window.t0), i);
        assert_int_equal(nsc_iterations_at(found, it->window.t0 - 1), i ? i - 1 : NSC_NONE);
        assert_true(it->kind < found->n_kinds);
        assert_int_equal(it->warm_up, i < found->warm_up);
        assert_false(it->warm_up && it->slow);
        assert_true(it->warm_up || (found->shortest <= it->period && it->period <= found->longest));
        slow += it->slow;
    }
    assert_int_equal(slow, found->n_slow);
    for (uint32_t k = 0; k < found->n_kinds; k++)
        counted += found->kinds[k].n;
    assert_int_equal(counted, found->n - found->warm_up);
    for (uint32_t l = 0; l < found->n_lines; l++)
        check_line(found, &found->lines[l]);
}

static void check_detect(const struct world *world)
{
    struct nsc_iterations found;
    struct nsc_window steady = {0, 0};

    if (nsc_iterations_find(&found, world->trace)) {
        check_judged(&found);
        assert_true(found.n >= NSC_LIMIT_ITERATIONS &&
                    found.confidence >= NSC_SHARE(ITERATION_TRUST));
        assert_true(nsc_steady_state(&steady, &found));
        assert_int_equal(steady.t0, found.at[found.warm_up].window.t0);
        assert_null(found.why);
    } else {
        assert_int_equal(found.n, 0);
        assert_non_null(found.why);
        assert_false(nsc_steady_state(&steady, &found));
    }
    nsc_iterations_fini(&found);
}

static void roll_noise(struct world *world, uint32_t most)
{
    static const char *const names[] = {"forward", "step ", "op ", "epoch", "ITER"};
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN,
                                    NSC_KIND_KERNEL};
    uint64_t longest = 1 + dice_below(&world->dice, 900);
    uint64_t exports = 1 + dice_below(&world->dice, 2);

    for (uint64_t n = dice_below(&world->dice, most); n > 0; n--) {
        nsc_time start = (nsc_time)dice_below(&world->dice, 1000);
        struct nsc_test_row *row;

        name(world, names[dice_below(&world->dice, 5)], (uint32_t)dice_below(&world->dice, 3));
        row = add(world, kinds[dice_below(&world->dice, 4)], start,
                  start + (nsc_time)dice_below(&world->dice, longest));
        row->tid = 1 + (uint32_t)dice_below(&world->dice, 2);
        row->capture_no = (uint32_t)dice_below(&world->dice, exports);
    }
}

/* Consecutive ranges, which therefore have depth 0. */
static void roll_row_of_ranges(struct world *world)
{
    static const char *const names[] = {"a", "b ", "step "};
    nsc_time t = (nsc_time)dice_below(&world->dice, 50);

    while (t < 900) {
        nsc_time end = t + 1 + (nsc_time)dice_below(&world->dice, 120);

        name(world, names[dice_below(&world->dice, 3)], (uint32_t)dice_below(&world->dice, 9));
        add(world, NSC_KIND_NVTX_RANGE, t, end);
        t = end + (nsc_time)dice_below(&world->dice, 40);
    }
}

TEST(whatever_is_found_holds_together)
{
    struct world world = {.dice = dice_new(41)};

    for (int i = 0; i < 3000; i++) {
        world.n = 0;
        if (dice_below(&world.dice, 2))
            roll_row_of_ranges(&world);
        roll_noise(&world, dice_below(&world.dice, 2) ? 10 : 60);
        world.trace = nsc_test_trace_build(world.rows, world.n);
        check_detect(&world);
        nsc_trace_free(world.trace);
    }
}

/* Iterations of similar length, with phases, between a warm-up and an end. */
static void plant(struct world *world, uint32_t n)
{
    nsc_time period = 1000 + (nsc_time)dice_below(&world->dice, 100000);
    nsc_time t = (nsc_time)dice_below(&world->dice, (uint64_t)period);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time length = period * (nsc_time)(75 + dice_below(&world->dice, 20)) / 100;

        name(world, "iteration ", i + 7);
        add(world, NSC_KIND_NVTX_RANGE, t, t + length);
        name(world, "forward", 0);
        add(world, NSC_KIND_NVTX_RANGE, t + 1, t + length / 3);
        name(world, "gemm", 0);
        add(world, NSC_KIND_KERNEL, t + 10, t + length);
        t += period;
    }
    name(world, "save", 0);
    add(world, NSC_KIND_NVTX_RANGE, t, t + period / 3);
}

TEST(a_planted_beat_is_found)
{
    struct world world = {.dice = dice_new(42)};

    for (int i = 0; i < 500; i++) {
        uint32_t n = NSC_LIMIT_ITERATIONS + (uint32_t)dice_below(&world.dice, 40);
        struct nsc_iterations found;
        struct nsc_scope scope;

        world.n = 0;
        plant(&world, n);
        world.trace = nsc_test_trace_build(world.rows, world.n);
        scope = nsc_scope_all(world.trace);
        assert_true(nsc_iterations_find(&found, world.trace));
        assert_int_equal(found.n, n);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(nsc_trace_events(world.trace)->start[found.at[k].event],
                             world.rows[3 * k].start);
        check_judged(&found);
        assert_string_equal(found.label, "iteration #");
        nsc_iterations_fini(&found);
        assert_true(nsc_iterations_named(&found, &scope, nsc_text_from("FORW")));
        assert_int_equal(found.n, n);
        nsc_iterations_fini(&found);
        assert_true(nsc_iterations_named(&found, &scope, nsc_text_from("iteration #")));
        assert_int_equal(found.n, n);
        nsc_iterations_fini(&found);
        assert_false(nsc_iterations_named(&found, &scope, nsc_text_from("nothing")));
        assert_false(nsc_iterations_named(&found, &scope, nsc_text_from("")));
        nsc_trace_free(world.trace);
    }
}
