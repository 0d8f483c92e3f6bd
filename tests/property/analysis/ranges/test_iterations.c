/*
 * Property tests of iterations: what is found satisfies the definition, nothing that satisfies it
 * is better, and a planted beat is found.
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

/* ---- the definition, read slowly ---- */

static int compare_times(const void *a, const void *b)
{
    nsc_time x = *(const nsc_time *)a;
    nsc_time y = *(const nsc_time *)b;

    return x < y ? -1 : x > y;
}

struct seen {
    uint32_t n;
    nsc_time total;
    nsc_event rows[MAX_ROWS];
    bool hinted;
};

static void label(char out[64], const struct nsc_trace *trace, nsc_event row)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(trace, row, false, scratch);
    size_t n = 0;

    for (uint32_t i = 0; i < text.n; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            out[n++] = text.bytes[i];
        else if (!n || out[n - 1] != '#')
            out[n++] = '#';
    out[n] = '\0';
}

/* The ranges of a lane that are named like one of them, whatever the numbers. */
static struct seen see(const struct nsc_trace *trace, uint32_t lane, nsc_event like)
{
    const struct nsc_lane *at = &nsc_trace_lanes(trace, NULL)[lane];
    struct seen seen = {0};
    char wanted[64];

    label(wanted, trace, like);
    seen.hinted = nsc_text_contains_folded(nsc_text_from(wanted), nsc_text_from("iter")) ||
                  nsc_text_contains_folded(nsc_text_from(wanted), nsc_text_from("step"));
    for (nsc_event row = at->first; row < at->first + at->n; row++) {
        char own[64];

        label(own, trace, row);
        if (strcmp(own, wanted) != 0)
            continue;
        seen.total += nsc_event_duration(nsc_trace_events(trace), row);
        seen.rows[seen.n++] = row;
    }
    return seen;
}

static bool qualifies(const struct nsc_trace *trace, const struct seen *seen, nsc_time span)
{
    const nsc_time *start = nsc_trace_events(trace)->start;
    nsc_time gaps[MAX_ROWS];
    uint32_t n = seen->n ? seen->n - 1 : 0;
    uint32_t usual = 0;

    if (seen->n < NSC_ITERATIONS_LEAST || 2 * seen->total < span)
        return false;
    for (uint32_t i = 0; i < n; i++)
        gaps[i] = start[seen->rows[i + 1]] - start[seen->rows[i]];
    qsort(gaps, n, sizeof *gaps, compare_times);
    for (uint32_t i = 0; i < n; i++)
        usual += gaps[i] >= gaps[(n - 1) / 2] / 2 && gaps[i] / 2 <= gaps[(n - 1) / 2];
    return 4 * usual >= 3 * n;
}

static nsc_time span_of(const struct world *world)
{
    struct nsc_window w = {INT64_MAX, INT64_MIN};

    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];

        if (row->kind != NSC_KIND_KERNEL || row->start == row->end)
            continue;
        w.t0 = row->start < w.t0 ? row->start : w.t0;
        w.t1 = row->end > w.t1 ? row->end : w.t1;
    }
    return nsc_window_length(w.t0 < w.t1 ? w : nsc_trace_extent(world->trace));
}

static void check_statistics(const struct world *world, const struct nsc_iterations *found)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_time times[MAX_ROWS];

    for (uint32_t i = 0; i < found->n; i++) {
        struct nsc_window w = nsc_iterations_window(found, world->trace, i);

        times[i] = nsc_event_duration(events, found->event[i]);
        assert_int_equal(nsc_iterations_at(found, world->trace, w.t0), i);
        assert_int_equal(nsc_iterations_at(found, world->trace, w.t0 - 1), i ? i - 1 : NSC_NONE);
    }
    qsort(times, found->n, sizeof *times, compare_times);
    assert_int_equal(found->shortest, times[0]);
    assert_int_equal(found->median, times[(found->n - 1) / 2]);
    assert_int_equal(found->longest, times[found->n - 1]);
}

static void check_lane(const struct world *world, uint32_t lane, const struct seen *best)
{
    const struct nsc_lane *at = &nsc_trace_lanes(world->trace, NULL)[lane];

    for (nsc_event row = at->first; row < at->first + at->n; row++) {
        struct seen seen = see(world->trace, lane, row);

        if (!qualifies(world->trace, &seen, span_of(world)))
            continue;
        assert_non_null(best);
        assert_true(best->hinted || !seen.hinted);
        assert_true(best->hinted != seen.hinted || best->total >= seen.total);
    }
}

/* Against every name of every lane of the two outer depths. */
static void check_detect(const struct world *world)
{
    const struct nsc_trace *trace = world->trace;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    struct nsc_iterations found;
    bool any = nsc_iterations_find(&found, trace);
    struct seen best = {0};

    if (any) {
        best = see(trace, found.lane, found.event[0]);
        assert_int_equal(found.n, best.n);
        assert_memory_equal(found.event, best.rows, best.n * sizeof *best.rows);
        assert_true(qualifies(trace, &best, span_of(world)));
        check_statistics(world, &found);
    }
    for (uint32_t t = 0; t < n; t++) {
        if (tracks[t].kind != NSC_TRACK_NVTX && tracks[t].kind != NSC_TRACK_SPANS)
            continue;
        for (uint32_t k = 0; k < tracks[t].n_lanes && k < NSC_ITERATIONS_DEPTHS; k++)
            check_lane(world, tracks[t].first_lane + k, any ? &best : NULL);
    }
    nsc_iterations_fini(&found);
}

static void roll_noise(struct world *world, uint32_t most)
{
    static const char *const names[] = {"forward", "step ", "op ", "epoch", "ITER"};
    static const uint8_t kinds[] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN,
                                    NSC_KIND_KERNEL};
    uint64_t longest = 1 + dice_below(&world->dice, 900);

    for (uint64_t n = dice_below(&world->dice, most); n > 0; n--) {
        nsc_time start = (nsc_time)dice_below(&world->dice, 1000);

        name(world, names[dice_below(&world->dice, 5)], (uint32_t)dice_below(&world->dice, 3));
        add(world, kinds[dice_below(&world->dice, 4)], start,
            start + (nsc_time)dice_below(&world->dice, longest))
            ->tid = 1 + (uint32_t)dice_below(&world->dice, 2);
    }
}

/* Ranges one after the other, so that depth 0 is theirs. */
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

static void detection_is_as_defined(void **state)
{
    struct world world = {.dice = dice_new(41)};

    (void)state;
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

/* Iterations of much the same length, with phases in them, between a warm-up and an end. */
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

static void a_planted_beat_is_found(void **state)
{
    struct world world = {.dice = dice_new(42)};

    (void)state;
    for (int i = 0; i < 500; i++) {
        uint32_t n = NSC_ITERATIONS_LEAST + (uint32_t)dice_below(&world.dice, 40);
        struct nsc_iterations found;

        world.n = 0;
        plant(&world, n);
        world.trace = nsc_test_trace_build(world.rows, world.n);
        assert_true(nsc_iterations_find(&found, world.trace));
        assert_int_equal(found.n, n);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(nsc_trace_events(world.trace)->start[found.event[k]],
                             world.rows[3 * k].start);
        check_statistics(&world, &found);
        assert_int_equal(found.other_n, 0);
        assert_string_equal(found.label, "iteration #");
        nsc_iterations_fini(&found);
        assert_true(nsc_iterations_named(&found, world.trace, nsc_text_from("FORW")));
        assert_int_equal(found.n, n);
        nsc_iterations_fini(&found);
        assert_true(nsc_iterations_named(&found, world.trace, nsc_text_from("iteration #")));
        assert_int_equal(found.n, n);
        nsc_iterations_fini(&found);
        assert_false(nsc_iterations_named(&found, world.trace, nsc_text_from("nothing")));
        assert_false(nsc_iterations_named(&found, world.trace, nsc_text_from("")));
        nsc_trace_free(world.trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(detection_is_as_defined),
                                       cmocka_unit_test(a_planted_beat_is_found)};

    return cmocka_run_group_tests_name("iterations", tests, NULL, NULL);
}
