/*
 * Property tests of the early trace: its rows are the first of the whole trace, lane by lane and
 * bin by bin, and stay valid if the load fails.
 */
#include "nsyscope/summary.h"

#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_ROWS = 400, ROUNDS = 120, WINDOWS = 8, COLS = 13 };

static const char *const names[] = {"gemm",    "ncclAllReduce", "layer 1", "layer 2",
                                    "forward", "op 5001",       "op 5002"};

/* All kinds except synchronizations, which take their names from calls. */
static struct nsc_test_row roll_row(struct dice *dice)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL,     NSC_KIND_KERNEL,     NSC_KIND_COPY_HTOD,
                                    NSC_KIND_MEMSET,     NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN,
                                    NSC_KIND_API_RUNTIME};
    nsc_time start = (nsc_time)dice_below(dice, 3000) - 500;
    uint64_t length = dice_below(dice, 30) ? dice_below(dice, 50) : (uint64_t)UINT32_MAX + 7;

    return (struct nsc_test_row){.kind = kinds[dice_below(dice, sizeof kinds)],
                                 .process = 1 + dice_below(dice, 2),
                                 .tid = 1 + (uint32_t)dice_below(dice, 3),
                                 .device = (int64_t)dice_below(dice, 2),
                                 .context = 1,
                                 .stream = 7 + (int64_t)dice_below(dice, 3),
                                 .start = start,
                                 .end = start + (nsc_time)length,
                                 .name = names[dice_below(dice, sizeof names / sizeof names[0])],
                                 .correlation = 1 + (uint32_t)dice_below(dice, 50)};
}

/* Of one export or of several. */
static uint32_t roll_rows(struct dice *dice, struct nsc_test_row rows[MAX_ROWS])
{
    uint32_t n = (uint32_t)dice_below(dice, MAX_ROWS + 1);
    uint64_t exports = 1 + dice_below(dice, 3);

    for (uint32_t i = 0; i < n; i++) {
        rows[i] = roll_row(dice);
        rows[i].capture_no = (uint32_t)dice_below(dice, exports);
    }
    return n;
}

/* The number of rows before NVTX of the first export. */
static uint32_t count_first(const struct nsc_test_row rows[], uint32_t n)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i < n; i++)
        first += !rows[i].capture_no && !nsc_kind_is_nvtx(rows[i].kind);
    return first;
}

/* Rows as they were fed. */
static void assert_rows(const struct nsc_trace *early, const struct nsc_test_row rows[], uint32_t n)
{
    const struct nsc_events *events = nsc_trace_events(early);

    assert_int_equal(events->n, n);
    for (nsc_event e = 0; e < n; e++) {
        const struct nsc_test_row *row = &rows[events->source[e]];
        char scratch[NSC_NAME_BYTES];
        struct nsc_text text = nsc_trace_event_text(early, e, false, scratch);

        assert_int_equal(events->kind[e], row->kind);
        assert_int_equal(events->start[e], row->start);
        assert_int_equal(nsc_event_end(events, e), row->end);
        assert_int_equal(events->link[e], NSC_NONE);
        assert_int_equal(text.n, strlen(row->name));
        assert_memory_equal(text.bytes, row->name, text.n);
    }
}

static void assert_same_bins(struct dice *dice, const struct nsc_trace *early,
                             const struct nsc_trace *whole, uint32_t lane)
{
    for (int i = 0; i < WINDOWS; i++) {
        nsc_time t0 = (nsc_time)dice_below(dice, 3200) - 600;
        struct nsc_window w = {t0, t0 + 1 + (nsc_time)dice_below(dice, 4000)};
        struct nsc_bin a[COLS];
        struct nsc_bin b[COLS];

        nsc_lane_bins(early, nsc_trace_summary(early), lane, w, COLS, a);
        nsc_lane_bins(whole, nsc_trace_summary(whole), lane, w, COLS, b);
        for (int c = 0; c < COLS; c++) {
            assert_int_equal(a[c].events, b[c].events);
            assert_int_equal(a[c].busy, b[c].busy);
            assert_int_equal(a[c].longest, b[c].longest);
        }
    }
}

/* Lanes have the same rows, and lie in tracks that show the same. */
static void assert_lanes(struct dice *dice, const struct nsc_trace *early,
                         const struct nsc_trace *whole)
{
    uint32_t n_early = 0;
    uint32_t n = 0;
    const struct nsc_lane *a = nsc_trace_lanes(early, &n_early);
    const struct nsc_lane *b = nsc_trace_lanes(whole, &n);
    const struct nsc_track *tracks_a = nsc_trace_tracks(early, NULL);
    const struct nsc_track *tracks_b = nsc_trace_tracks(whole, NULL);

    assert_true(n_early <= n);
    for (uint32_t lane = 0; lane < n_early; lane++) {
        const struct nsc_track *x = &tracks_a[a[lane].track];
        const struct nsc_track *y = &tracks_b[b[lane].track];

        assert_int_equal(a[lane].first, b[lane].first);
        assert_int_equal(a[lane].n, b[lane].n);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->process, y->process);
        assert_int_equal(x->stream, y->stream);
        assert_int_equal(x->device, y->device);
        assert_int_equal(x->tid, y->tid);
        assert_same_bins(dice, early, whole, lane);
    }
}

TEST(the_whole_trace_begins_with_it)
{
    struct dice dice = dice_new(1);
    static struct nsc_test_row rows[MAX_ROWS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = roll_rows(&dice, rows);
        uint32_t first = count_first(rows, n);
        struct nsc_trace *early = NULL;
        struct nsc_trace *whole = nsc_test_trace_build_early(&early, rows, n, true);

        assert_non_null(whole);
        assert_int_equal(early != NULL, first > 0);
        if (early) {
            assert_rows(early, rows, first);
            assert_lanes(&dice, early, whole);
        }
        nsc_trace_free(early);
        nsc_trace_free(whole);
    }
}

TEST(it_outlives_a_load_that_fails)
{
    struct dice dice = dice_new(2);
    static struct nsc_test_row rows[MAX_ROWS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = roll_rows(&dice, rows);
        struct nsc_trace *early = NULL;

        assert_null(nsc_test_trace_build_early(&early, rows, n, false));
        if (early)
            assert_rows(early, rows, count_first(rows, n));
        nsc_trace_free(early);
    }
}
