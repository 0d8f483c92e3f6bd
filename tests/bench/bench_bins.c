/*
 * Benchmark of the index's answers on rows made in memory: bins of one lane, summaries under a
 * mask, covers, the tree, filters,
 * ranks.
 */
#include "nsyscope/calltree.h"

#include "analysis/select/filter.h"
#include "analysis/select/standing.h"
#include "core/bits.h"
#include "core/text.h"
#include "support/dice.h"
#include "support/hand_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 240, ROUNDS = 101 };

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static nsc_time add_rows(struct hand_trace *hand, struct dice *dice, uint32_t n, uint8_t kind)
{
    nsc_time t = 0;

    hand_trace_lane(hand);
    for (uint32_t i = 0; i < n; i++) {
        nsc_time end = t + 1000 + (nsc_time)dice_below(dice, 20000);

        hand_trace_row(hand, t, end, (nsc_name)dice_below(dice, 500), kind);
        t = end + (nsc_time)dice_below(dice, 3000);
    }
    return t;
}

/* Windows of 1 / part of the lane; part corresponds to a zoom. */
static void time_bins(const struct nsc_trace *trace, const struct nsc_summary *summary,
                      nsc_time end, nsc_time part, const char *what)
{
    static struct nsc_bin bins[COLUMNS];
    double us[ROUNDS];
    struct dice dice = {part < 0 ? 0 : (uint64_t)part};

    for (int i = 0; i < ROUNDS; i++) {
        nsc_time t0 = part > 1 ? (nsc_time)dice_below(&dice, (uint64_t)(end - end / part)) : 0;
        double t = now_us();

        nsc_lane_bins(trace, summary, 0, (struct nsc_window){t0, t0 + end / part}, COLUMNS, bins);
        us[i] = now_us() - t;
    }
    qsort(us, ROUNDS, sizeof *us, compare_doubles);
    printf("%u rows, %s, 1/%lld of the lane: median %.1f us, p99 %.1f us\n", trace->events.n, what,
           (long long)part, us[ROUNDS / 2], us[ROUNDS - 2]);
}

static void time_lane(uint32_t n)
{
    struct dice dice = {n};
    struct hand_trace hand;
    struct nsc_trace *trace = NULL;
    struct nsc_summary *summary = NULL;
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(n), sizeof *mask);
    nsc_time end = 0;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    end = add_rows(&hand, &dice, n, NSC_KIND_KERNEL);
    trace = hand_trace_end(&hand, NULL);
    for (size_t i = 0; i < nsc_bits_words(n); i++)
        mask[i] = dice_next(&dice);
    for (int masked = 0; masked < 2; masked++) {
        double t = now_us();

        summary = nsc_summary_build(trace, masked ? mask : NULL);
        printf("%u rows, %s: summary in %.1f ms, %.2f bytes a row\n", n, masked ? "mask" : "all",
               (now_us() - t) / 1000, (double)nsc_summary_bytes(summary) / n);
        time_bins(trace, summary, end, 1, masked ? "mask" : "all");
        time_bins(trace, summary, end, 100, masked ? "mask" : "all");
        time_bins(trace, summary, end, 100000, masked ? "mask" : "all");
        nsc_summary_free(summary);
    }
    free(mask);
    hand_trace_fini(&hand);
}

static void time_cover(uint32_t n, uint32_t n_lanes)
{
    struct dice dice = {n};
    struct hand_trace hand;
    struct nsc_cover *cover = NULL;
    uint32_t *lanes = nsc_xcalloc(n_lanes, sizeof *lanes);
    double t = 0;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    for (uint32_t i = 0; i < n_lanes; i++) {
        lanes[i] = i;
        add_rows(&hand, &dice, n / n_lanes, NSC_KIND_KERNEL);
    }
    t = now_us();
    cover = nsc_cover_build(hand_trace_end(&hand, NULL), lanes, n_lanes, NULL, NULL);
    printf("%u rows in %u lanes: cover of %u intervals in %.1f ms, %.2f bytes an interval\n", n,
           n_lanes, nsc_cover_count(cover), (now_us() - t) / 1000,
           (double)nsc_cover_bytes(cover) / nsc_cover_count(cover));
    nsc_cover_free(cover);
    free(lanes);
    hand_trace_fini(&hand);
}

/* One lane per depth: each range contains two of the next depth. */
static void time_tree(uint32_t n, uint32_t depth)
{
    struct dice dice = {n};
    struct hand_trace hand;
    struct nsc_calltree *tree = NULL;
    double t = 0;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_NVTX);
    for (uint32_t d = 0; d < depth; d++) {
        uint32_t rows = n >> (depth - d);
        nsc_time step = (nsc_time)1000 << (depth - d);

        hand_trace_lane(&hand);
        for (uint32_t i = 0; i < rows; i++)
            hand_trace_row(&hand, i * step, (i + 1) * step, (nsc_name)dice_below(&dice, 4),
                           NSC_KIND_NVTX_RANGE);
    }
    hand_trace_end(&hand, NULL);
    t = now_us();
    tree = nsc_calltree_build(&hand.trace, NULL, NSC_PATHS_BY_NAME);
    printf("%u ranges: tree of %u nodes in %.1f ms\n", hand.trace.events.n, tree->n,
           (now_us() - t) / 1000);
    nsc_calltree_free(tree);
    hand_trace_fini(&hand);
}

enum { N_NAMES = 500 };

/* Kernels of N_NAMES names in one lane, for the cost of a filter and a rank. */
static void time_filter(uint32_t n)
{
    static const char *const lines[] = {"name:gemm", "kernel_4 dur>10us kind:kernel",
                                        "time:1s..2s"};
    static nsc_str full[N_NAMES];
    static uint8_t counters[N_NAMES];
    const struct nsc_names names = {
        .n = N_NAMES, .full = full, .brief = full, .counters = counters};
    struct dice dice = {n};
    struct hand_trace hand;
    struct nsc_trace *trace = NULL;
    struct nsc_histogram histogram;
    struct nsc_standing rank = {0};
    double t = 0;

    hand_trace_init(&hand);
    hand_trace_track(&hand, NSC_TRACK_STREAM);
    add_rows(&hand, &dice, n, NSC_KIND_KERNEL);
    trace = hand_trace_end(&hand, &names);
    nsc_strpool_init(&trace->strings);
    for (int i = 0; i < N_NAMES; i++) {
        char text[64];

        (void)snprintf(text, sizeof text, "void %s_kernel_%d", i % 5 ? "attention" : "gemm", i);
        full[i] = nsc_strpool_add(&trace->strings, text, strlen(text));
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct nsc_filter *filter = NULL;
        uint64_t *mask = NULL;

        if (nsc_filter_parse(&filter, nsc_text_from(lines[i]), NULL) != NSC_OK)
            abort();
        t = now_us();
        mask = nsc_filter_apply(filter, trace, NULL, NULL);
        printf("%u rows: filter %s in %.1f ms\n", n, lines[i], (now_us() - t) / 1000);
        free(mask);
        nsc_filter_free(filter);
    }
    t = now_us();
    rank = nsc_event_standing(&histogram, trace, NULL, n / 2, false);
    printf("%u rows: rank among %u in %.1f ms\n", n, rank.count, (now_us() - t) / 1000);
    nsc_strpool_fini(&trace->strings);
    hand_trace_fini(&hand);
}

int main(void)
{
    time_lane(1000000);
    time_lane(10000000);
    time_cover(10000000, 1);
    time_cover(10000000, 8);
    time_cover(10000000, 836);
    time_tree(15000000, 8);
    time_filter(10000000);
    return 0;
}
