/*
 * Property tests of comparisons: sums equal plain loops, an iteration is the sum of its parts, a
 * recording equals itself, and the verdict follows from change, noise and gate.
 */
#include "analysis/job/diff.h"
#include "core/bits.h"
#include "core/text.h"
#include "core/vec.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 60, ROUNDS = 200 };

static const char *const names[] = {"gemm", "ncclAllReduce", "add"};

static void add_work(struct nsc_test_row *row, struct dice *dice, nsc_time at)
{
    *row = (struct nsc_test_row){.kind = dice_below(dice, 5) ? NSC_KIND_KERNEL : NSC_KIND_COPY_HTOD,
                                 .process = 1 + dice_below(dice, 2),
                                 .device = (int64_t)dice_below(dice, 2),
                                 .stream = (int64_t)dice_below(dice, 3),
                                 .name = names[dice_below(dice, 3)],
                                 .start = at,
                                 .end = at + 1 + (nsc_time)dice_below(dice, 30)};
}

/* Random work, with iterations of varying length on request. */
static struct nsc_trace *roll_trace(struct dice *dice, uint32_t iterations)
{
    struct nsc_test_row rows[2 * MAX_ROWS];
    char texts[MAX_ROWS][24];
    uint32_t n = 1 + (uint32_t)dice_below(dice, MAX_ROWS);
    nsc_time at = 0;

    for (uint32_t i = 0; i < n; i++)
        add_work(&rows[i], dice, (nsc_time)dice_below(dice, 1000));
    for (uint32_t i = 0; i < iterations; i++) {
        nsc_time length = 100 + (nsc_time)dice_below(dice, 20);

        (void)snprintf(texts[i], sizeof texts[i], "iteration %u", i * 1000);
        rows[n++] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                          .process = 1,
                                          .tid = 1,
                                          .name = texts[i],
                                          .start = at,
                                          .end = at + length};
        at += length;
    }
    return nsc_test_trace_build(rows, n);
}

static void measure(struct nsc_recording *run, struct nsc_trace *trace, const char *named)
{
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_error error = {0};

    if (nsc_recording_measure(run, &scope, NULL, nsc_text_from(named), &error) != NSC_OK)
        fail_msg("%s", error.text);
}

static void check_sums(const struct nsc_recording *run, const struct nsc_trace *trace)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time total = 0;
    uint64_t count = 0;

    for (nsc_event event = 0; event < events->n; event++) {
        if (events->kind[event] != NSC_KIND_KERNEL || events->start[event] < run->window.t0 ||
            events->start[event] >= run->window.t1)
            continue;
        total += nsc_event_duration(events, event);
        count++;
    }
    assert_int_equal(run->kernel_time, total);
    assert_int_equal(run->kernel_count, count);
    for (size_t i = 0; i < run->kernels.list.n; i++) {
        total -= run->kernels.list.at[i].total;
        count -= run->kernels.list.at[i].count;
        assert_true(i == 0 || run->kernels.list.at[i].total <= run->kernels.list.at[i - 1].total);
    }
    assert_int_equal(total, 0);
    assert_int_equal(count, 0);
    for (size_t i = 0; i < run->families.list.n; i++) {
        total += run->families.list.at[i].total;
        count += run->families.list.at[i].count;
        assert_true(i == 0 || run->families.list.at[i].total <= run->families.list.at[i - 1].total);
    }
    assert_int_equal(total, run->kernel_time);
    assert_int_equal(count, run->kernel_count);
}

TEST(test_parts_add_up_to_the_whole)
{
    struct dice dice = dice_new(91);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_trace *trace = roll_trace(&dice, 0);
        struct nsc_recording run;
        double sum = 0;

        measure(&run, trace, "");
        assert_int_equal(run.n, 1);
        assert_int_equal(run.n_found, 0);
        for (unsigned m = NSC_RECORDING_COMPUTE; m <= NSC_RECORDING_IDLE; m++) {
            assert_true(run.metrics[m].median >= 0);
            sum += run.metrics[m].median;
        }
        assert_true(fabs(sum - run.metrics[NSC_RECORDING_ITERATION].median) < 1e-6);
        assert_true(run.metrics[NSC_RECORDING_EXPOSED].median <=
                    run.metrics[NSC_RECORDING_COMM].median);
        assert_true(run.metrics[NSC_RECORDING_KERNELS].median == (double)run.kernel_count);
        check_sums(&run, trace);
        nsc_recording_fini(&run);
        nsc_trace_free(trace);
    }
}

TEST(test_a_recording_equals_itself)
{
    struct dice dice = dice_new(92);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_trace *trace = roll_trace(&dice, 4 + (uint32_t)dice_below(&dice, 8));
        struct nsc_sheets sheets = {0};
        const struct nsc_sheet *kernels = NULL;
        struct nsc_diff diff;
        struct nsc_recording a;
        struct nsc_recording b;

        measure(&a, trace, "iteration");
        measure(&b, trace, "iteration");
        assert_true(a.n >= a.n_found - a.n_found / NSC_LIMIT_WARM_UP_MOST);
        check_sums(&a, trace);
        nsc_diff_measure(&diff, &a, &b, (double)NSC_LIMIT_DIFF_GATE, false);
        assert_true(diff.confidence == 1);
        assert_true(diff.change == 0);
        assert_int_equal(diff.verdict, NSC_DIFF_SAME);
        nsc_diff_sheets(&sheets, &diff, 0);
        kernels = nsc_sheets_find(&sheets, "kernels");
        assert_int_equal(nsc_sheet_rows(kernels), a.kernels.list.n);
        for (uint32_t i = 0; i < nsc_sheet_rows(kernels); i++)
            assert_memory_equal(nsc_sheet_text(kernels, nsc_sheet_at(kernels, i, 1)).bytes,
                                "unchanged", 9);
        nsc_sheets_fini(&sheets);
        nsc_recording_fini(&a);
        nsc_recording_fini(&b);
        nsc_trace_free(trace);
    }
}

/* The verdict on two runs of ten iterations whose medians are given; mad is of both. */
static struct nsc_diff judge(double before, double after, double mad, double gate)
{
    struct nsc_recording a = {.n = 10, .n_found = 11, .n_devices = 1, .n_processes = 1};
    struct nsc_recording b = a;
    struct nsc_diff diff;

    nsc_strpool_init(&a.texts);
    nsc_strpool_init(&b.texts);
    a.metrics[NSC_RECORDING_ITERATION] =
        (struct nsc_recording_spread){before, before, before, mad, before};
    b.metrics[NSC_RECORDING_ITERATION] =
        (struct nsc_recording_spread){after, after, after, mad, after};
    nsc_diff_measure(&diff, &a, &b, gate, false);
    nsc_recording_fini(&a);
    nsc_recording_fini(&b);
    return diff;
}

TEST(test_the_verdict_follows_change_noise_and_gate)
{
    assert_int_equal(judge(1000, 1019, 0, 5).verdict, NSC_DIFF_SAME);
    assert_int_equal(judge(1000, 1030, 0, 5).verdict, NSC_DIFF_SLOWER);
    assert_int_equal(judge(1000, 970, 0, 5).verdict, NSC_DIFF_FASTER);
    assert_int_equal(judge(1000, 1050, 0, 5).verdict, NSC_DIFF_REGRESSION);
    assert_int_equal(judge(1000, 950, 0, 5).verdict, NSC_DIFF_IMPROVEMENT);
    assert_int_equal(judge(1000, 1030, 0, 3).verdict, NSC_DIFF_REGRESSION);
    /* 1.4826 * 100 / sqrt(10) on each side: 13.3 % of noise */
    assert_int_equal(judge(1000, 1120, 100, 5).verdict, NSC_DIFF_SAME);
    assert_int_equal(judge(1000, 1200, 100, 5).verdict, NSC_DIFF_REGRESSION);
    assert_int_equal(judge(0, 1000, 0, 5).verdict, NSC_DIFF_INCONCLUSIVE);
    assert_true(fabs(judge(1000, 1000, 100, 5).noise -
                     200 * 1.4826 * 100 / sqrt(10) * sqrt(2) / 1000) < 1e-9);
}

TEST(test_other_workloads_give_no_verdict)
{
    struct dice dice = dice_new(93);
    struct nsc_trace *with = roll_trace(&dice, 6);
    struct nsc_trace *without = roll_trace(&dice, 0);
    struct nsc_diff diff;
    struct nsc_recording a;
    struct nsc_recording b;

    measure(&a, with, "iteration");
    measure(&b, without, "");
    nsc_diff_measure(&diff, &a, &b, (double)NSC_LIMIT_DIFF_GATE, false);
    assert_true(diff.factor[NSC_DIFF_ITERATIONS] < 0.5);
    assert_int_equal(diff.verdict, NSC_DIFF_INCONCLUSIVE);
    nsc_recording_fini(&a);
    nsc_recording_fini(&b);
    nsc_trace_free(with);
    nsc_trace_free(without);
}

/* A row that counts, by its name. */
static bool is_kept(const char *name)
{
    return strcmp(name, "add") != 0;
}

/* For some rows only, the figures equal those of a recording with only these rows. */
TEST(test_rows_that_do_not_count_change_nothing)
{
    struct dice dice = dice_new(94);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[MAX_ROWS];
        struct nsc_test_row kept[MAX_ROWS];
        uint32_t n = 2 + (uint32_t)dice_below(&dice, MAX_ROWS - 2);
        uint32_t n_kept = 0;
        struct nsc_trace *all = NULL;
        struct nsc_trace *some = NULL;
        uint64_t *mask = NULL;
        struct nsc_scope scope;
        struct nsc_error error = {0};
        struct nsc_recording a;
        struct nsc_recording b;

        for (uint32_t i = 0; i < n; i++) {
            add_work(&rows[i], &dice, (nsc_time)dice_below(&dice, 1000));
            if (i == 0)
                rows[i].name = "gemm";
            if (is_kept(rows[i].name))
                kept[n_kept++] = rows[i];
        }
        all = nsc_test_trace_build(rows, n);
        some = nsc_test_trace_build(kept, n_kept);
        mask = nsc_xcalloc(nsc_bits_words(n), sizeof *mask);
        for (nsc_event event = 0; event < n; event++) {
            nsc_name id = nsc_trace_events(all)->name[event];
            struct nsc_text name = nsc_trace_string(all, nsc_trace_names(all)->full[id]);
            char text[32];

            (void)snprintf(text, sizeof text, "%.*s", (int)name.n, name.bytes);
            if (is_kept(text))
                nsc_bits_set(mask, event);
        }
        scope = nsc_scope_all(all);
        scope.mask = mask;
        if (nsc_recording_measure(&a, &scope, NULL, (struct nsc_text){"", 0}, &error) != NSC_OK)
            fail_msg("%s", error.text);
        measure(&b, some, "");
        assert_memory_equal(a.metrics, b.metrics, sizeof a.metrics);
        assert_int_equal(a.window.t0, b.window.t0);
        assert_int_equal(a.window.t1, b.window.t1);
        assert_int_equal(a.n_devices, b.n_devices);
        assert_int_equal(a.n_processes, b.n_processes);
        assert_int_equal(a.kernel_time, b.kernel_time);
        assert_int_equal(a.kernel_count, b.kernel_count);
        memset(mask, 0, nsc_bits_words(n) * sizeof *mask);
        nsc_recording_fini(&a);
        assert_int_equal(nsc_recording_measure(&a, &scope, NULL, (struct nsc_text){"", 0}, &error),
                         NSC_ENODATA);
        nsc_recording_fini(&b);
        free(mask);
        nsc_trace_free(all);
        nsc_trace_free(some);
    }
}

/* Iterations of the host only: no GPU work, so all of each is idle. */
TEST(test_iterations_without_work_are_idle)
{
    struct nsc_test_row rows[5] = {{.kind = NSC_KIND_KERNEL,
                                    .process = 1,
                                    .stream = 7,
                                    .name = "gemm",
                                    .start = 0,
                                    .end = 10}};
    static const char *const texts[] = {"iteration 0", "iteration 1", "iteration 2", "iteration 3"};
    struct nsc_trace *trace = NULL;
    struct nsc_scope scope;
    struct nsc_error error = {0};
    struct nsc_recording run;

    for (int i = 0; i < 4; i++)
        rows[i + 1] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                            .process = 1,
                                            .tid = 1,
                                            .name = texts[i],
                                            .start = 100 + i * 50,
                                            .end = 150 + i * 50};
    trace = nsc_test_trace_build(rows, 5);
    measure(&run, trace, "iteration");
    assert_int_equal(run.n_found, 4);
    assert_int_equal(run.n, 4);
    assert_int_equal(run.n_devices, 0);
    assert_true(run.metrics[NSC_RECORDING_ITERATION].median == 50);
    assert_true(run.metrics[NSC_RECORDING_IDLE].median == 50);
    nsc_recording_fini(&run);
    /* A window that cuts the last one leaves three. */
    scope = nsc_scope_all(trace);
    scope.window = (struct nsc_window){0, 290};
    scope.has_window = true;
    assert_int_equal(nsc_recording_measure(&run, &scope, NULL, nsc_text_from("iteration"), &error),
                     NSC_OK);
    assert_int_equal(run.n_found, 3);
    assert_int_equal(run.window.t1, 250);
    nsc_recording_fini(&run);
    scope.window = (struct nsc_window){0, 140};
    assert_int_equal(nsc_recording_measure(&run, &scope, NULL, nsc_text_from("iteration"), &error),
                     NSC_ENODATA);
    nsc_trace_free(trace);
}
