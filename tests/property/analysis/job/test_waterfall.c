/*
 * Property tests of waterfalls: each part equals a loop over every ns, and the changes add up to
 * the change of the mean period, both in the figures and in print.
 */
#include "analysis/base/device_ops.h"
#include "analysis/job/waterfall.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 90, ROUNDS = 200, LENGTH = 1000 };

static const char *const names[] = {"gemm", "ncclAllReduce", "add", "ncclSend"};

static struct nsc_trace *roll_trace(struct dice *dice, uint32_t iterations)
{
    struct nsc_test_row rows[MAX_ROWS + 16];
    char texts[16][24];
    uint32_t n = 2 + (uint32_t)dice_below(dice, MAX_ROWS - 2);
    nsc_time at = 0;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(dice, LENGTH);

        rows[i] = (struct nsc_test_row){.kind = dice_below(dice, 4) ? NSC_KIND_KERNEL
                                                                    : NSC_KIND_COPY_HTOD,
                                        .process = 1,
                                        .device = (int64_t)dice_below(dice, 2),
                                        .stream = (int64_t)dice_below(dice, 3),
                                        .name = names[dice_below(dice, 4)],
                                        .start = start,
                                        .end = start + (nsc_time)dice_below(dice, 40)};
    }
    rows[0].end = rows[0].start + 1;
    for (uint32_t i = 0; i < iterations; i++) {
        nsc_time length = 100 + (nsc_time)dice_below(dice, 20);

        (void)snprintf(texts[i], sizeof texts[i], "iteration %u", i);
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

static void measure(struct nsc_recording *run, const struct nsc_trace *trace, const char *named)
{
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_error error = {0};

    if (nsc_recording_measure(run, &scope, NULL, nsc_text_from(named), &error) != NSC_OK)
        fail_msg("%s", error.text);
}

/* ---- every ns by itself ---- */

static enum nsc_part_class class_of(const struct nsc_trace *trace, nsc_event event)
{
    enum nsc_op_kind kind = NSC_OP_KIND_COMPUTE;

    (void)nsc_op_kind_of(trace, event, &kind);
    return kind == NSC_OP_KIND_COMPUTE ? NSC_PART_COMPUTE
           : kind < NSC_OP_KIND_HTOD   ? NSC_PART_EXPOSED
                                       : NSC_PART_OTHER;
}

/* Compute first, then copies, then communication. */
static bool hides(enum nsc_part_class a, enum nsc_part_class b)
{
    return a != b && (a == NSC_PART_COMPUTE || (a == NSC_PART_OTHER && b == NSC_PART_EXPOSED));
}

/* The op that an ns of a device belongs to; NSC_NONE: idle. */
static nsc_event owner(const struct nsc_trace *trace, int64_t gpu, nsc_time t)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    nsc_event best = NSC_NONE;

    for (nsc_event e = 0; e < events->n; e++) {
        const struct nsc_track *track = &tracks[lanes[nsc_trace_lane_of(trace, e)].track];

        if (!nsc_kind_is_gpu(events->kind[e]) || track->gpu != gpu || events->start[e] > t ||
            nsc_event_end(events, e) <= t)
            continue;
        if (best == NSC_NONE || hides(class_of(trace, e), class_of(trace, best)) ||
            (class_of(trace, e) == class_of(trace, best) && events->start[e] < events->start[best]))
            best = e;
    }
    return best;
}

static nsc_time part_total(const struct nsc_recording *run, enum nsc_part_class class,
                           const char *name)
{
    nsc_time total = 0;

    for (size_t i = 0; i < run->parts.list.n; i++) {
        const struct nsc_recording_part *part = &run->parts.list.at[i];
        struct nsc_text text = nsc_strpool_text(&run->texts, part->name);

        if (part->class == class &&
            (!name || (text.n == strlen(name) && memcmp(text.bytes, name, text.n) == 0)))
            total += part->total;
    }
    return total;
}

/* One whole window, two devices: the loop over ns, by class and by name. */
TEST(test_each_part_equals_a_loop_over_every_ns)
{
    struct dice dice = dice_new(191);
    int n_checked = 0;

    for (int round = 0; round < ROUNDS / 4; round++) {
        struct nsc_trace *trace = roll_trace(&dice, 0);
        const struct nsc_events *events = nsc_trace_events(trace);
        nsc_time sums[NSC_N_PART_CLASSES] = {0};
        nsc_time gemm = 0;
        struct nsc_recording run;

        measure(&run, trace, "");
        for (int64_t gpu = 0; gpu < 2; gpu++)
            for (nsc_time t = run.window.t0; t < run.window.t1; t++) {
                nsc_event e = owner(trace, gpu, t);
                struct nsc_text text;

                sums[e == NSC_NONE ? NSC_PART_IDLE : class_of(trace, e)]++;
                if (e == NSC_NONE)
                    continue;
                text = nsc_trace_string(trace, nsc_trace_names(trace)->full[events->name[e]]);
                gemm +=
                    class_of(trace, e) == NSC_PART_COMPUTE && memcmp(text.bytes, "gemm", 4) == 0;
            }
        if (run.n_devices == 2) { /* else the other one is not asked */
            for (int class = 0; class < NSC_N_PART_CLASSES; class ++)
                assert_int_equal(part_total(&run, (enum nsc_part_class) class, NULL), sums[class]);
            assert_int_equal(part_total(&run, NSC_PART_COMPUTE, "gemm"), gemm);
            n_checked++;
        }
        nsc_recording_fini(&run);
        nsc_trace_free(trace);
    }
    assert_true(n_checked > ROUNDS / 8);
}

/* ---- sums ---- */

static void check_sheet(const struct nsc_diff *diff, const struct nsc_waterfall *waterfall,
                        uint32_t limit)
{
    struct nsc_sheets sheets = {0};
    const struct nsc_sheet *sheet;
    uint32_t n;
    nsc_time sum = 0;

    nsc_waterfall_sheet(&sheets, diff, limit);
    sheet = nsc_sheets_find(&sheets, "waterfall");
    n = nsc_sheet_rows(sheet);
    for (uint32_t i = 1; i + 1 < n; i++)
        sum += nsc_sheet_at(sheet, i, 0)->integer;
    assert_int_equal(sum, llround(waterfall->after) - llround(waterfall->before));
    assert_int_equal(nsc_sheet_at(sheet, n - 2, 0)->integer, 0); /* nothing is left unexplained */
    nsc_sheets_fini(&sheets);
}

TEST(test_changes_add_up_to_the_change)
{
    struct dice dice = dice_new(192);

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t iterations = dice_below(&dice, 3) ? 5 + (uint32_t)dice_below(&dice, 8) : 0;
        struct nsc_trace *x = roll_trace(&dice, iterations);
        struct nsc_trace *y = roll_trace(&dice, iterations);
        struct nsc_recording a;
        struct nsc_recording b;
        struct nsc_diff diff;
        struct nsc_waterfall waterfall;

        measure(&a, x, iterations ? "iteration" : "");
        measure(&b, y, iterations ? "iteration" : "");
        nsc_diff_measure(&diff, &a, &b, (double)NSC_LIMIT_DIFF_GATE, true);
        assert_true(nsc_waterfall_build(&waterfall, &diff));
        assert_true(fabs(waterfall.rest) < 1e-6);
        if (iterations && waterfall.before > 0)
            assert_true(fabs(100 * (waterfall.after - waterfall.before) / waterfall.before -
                             diff.change) < 1e-9);
        check_sheet(&diff, &waterfall, 0);
        check_sheet(&diff, &waterfall, 2);
        nsc_waterfall_fini(&waterfall);
        nsc_recording_fini(&a);
        nsc_recording_fini(&b);
        nsc_trace_free(x);
        nsc_trace_free(y);
    }
}
