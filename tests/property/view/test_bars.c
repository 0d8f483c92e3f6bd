/*
 * Property test of bars: a column is drawn if and only if an event touches it, and full only if it
 * is busy from end to end; shared columns look the same in each block.
 */
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"
#include "view/model/bars.h"

#include <math.h>
#include <string.h>

enum { MAX_EVENTS = 60, MAX_COLUMNS = 80 };

static uint32_t roll_rows(struct dice *dice, struct nsc_test_row rows[MAX_EVENTS])
{
    static const char *const names[] = {"gemm", "a_kernel_with_a_long_name", "x", "mark"};
    uint32_t n = (uint32_t)dice_below(dice, MAX_EVENTS - 1) + 1;
    uint64_t most = (uint64_t)1 << dice_below(dice, 12);
    nsc_time t = (nsc_time)dice_below(dice, 1000) - 500;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time end = t + (nsc_time)dice_below(dice, most + 1);

        rows[i] = (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                        .process = 1,
                                        .stream = 7,
                                        .start = t,
                                        .end = end,
                                        .name = names[dice_below(dice, 4)]};
        t = end + (nsc_time)(dice_below(dice, 3) ? dice_below(dice, most + 1) : 0);
        t += t == rows[i].start; /* two instants at once would need a second lane */
    }
    return n;
}

/* By a scan: whether any event touches [t0, t1), and how much of it events cover. */
static bool scan(const struct nsc_test_row rows[], uint32_t n, nsc_time t0, nsc_time t1,
                 nsc_time *busy)
{
    bool touched = false;

    *busy = 0;
    for (uint32_t i = 0; i < n; i++) {
        nsc_time touch = rows[i].end > rows[i].start ? rows[i].end : rows[i].start + 1;
        nsc_time from = rows[i].start > t0 ? rows[i].start : t0;
        nsc_time to = rows[i].end < t1 ? rows[i].end : t1;

        touched = touched || (rows[i].start < t1 && touch > t0);
        *busy += to > from ? to - from : 0;
    }
    return touched;
}

static bool cell_is_empty(const struct nsc_cell *cell)
{
    return cell->n == 1 && cell->text[0] == ' ' && !nsc_cell_is_on_bar(cell);
}

/* A full block, or a letter on a bar. */
static bool cell_is_full(const struct nsc_cell *cell)
{
    return nsc_cell_is_on_bar(cell) || (cell->n == 3 && memcmp(cell->text, "█", 3) == 0);
}

static void check_line(struct nsc_grid *grid, const struct nsc_bars *bars,
                       const struct nsc_test_row rows[], uint32_t n, uint32_t cols)
{
    struct nsc_rect line = {0, 1, 1, (int)cols};

    nsc_grid_resize(grid, 1, cols + 2);
    nsc_bars_draw(bars, grid, line, 0);
    assert_true(cell_is_empty(nsc_grid_at(grid, 0, 0)));
    assert_true(cell_is_empty(nsc_grid_at(grid, 0, cols + 1)));
    for (uint32_t i = 0; i < cols; i++) {
        const struct nsc_cell *cell = nsc_grid_at(grid, 0, i + 1);
        nsc_time t0 = nsc_window_cut(bars->window, i, cols);
        nsc_time t1 = nsc_window_cut(bars->window, i + 1, cols);
        nsc_time busy = 0;

        assert_int_equal(!cell_is_empty(cell), scan(rows, n, t0, t1, &busy));
        if (cell_is_full(cell))
            assert_int_equal(busy, t1 - t0);
    }
}

static uint32_t touching(const struct nsc_test_row rows[], uint32_t n, nsc_time t0, nsc_time t1)
{
    uint32_t count = 0;
    nsc_time busy = 0;

    for (uint32_t i = 0; i < n; i++)
        count += scan(&rows[i], 1, t0, t1, &busy);
    return count;
}

/* A column shared by several events and filled from below. */
static bool is_shared(const struct nsc_bars *bars, const struct nsc_cell *cell,
                      const struct nsc_test_row rows[], uint32_t n, uint32_t cols, uint32_t i)
{
    bool is_level = false;

    for (int k = 1; k <= 8; k++)
        is_level |= cell->n == 3 && !memcmp(cell->text, nsc_bars_lower[k], 3);
    return is_level && !nsc_cell_is_on_bar(cell) && cell->role != NSC_ROLE_SELECTION &&
           touching(rows, n, nsc_window_cut(bars->window, i, cols),
                    nsc_window_cut(bars->window, i + 1, cols)) > 1;
}

/* Shared columns of a block of eight, counted from time 0, look alike. */
static void check_blocks(struct nsc_grid *grid, const struct nsc_bars *bars,
                         const struct nsc_test_row rows[], uint32_t n, uint32_t cols)
{
    struct nsc_window w = bars->window;
    int64_t before = llroundl((long double)w.t0 * cols / (long double)nsc_window_length(w));
    const struct nsc_cell *first = NULL;
    int64_t block = 0;

    for (uint32_t i = 0; i < cols; i++) {
        const struct nsc_cell *cell = nsc_grid_at(grid, 0, i + 1);
        int64_t here = (int64_t)floorl((long double)(before + i) / 8);

        if (!is_shared(bars, cell, rows, n, cols, i))
            continue;
        if (first && here == block) {
            assert_int_equal(cell->role, first->role);
            assert_int_equal(cell->shade, first->shade);
        }
        first = cell;
        block = here;
    }
}

static void check_trace(struct dice *dice, struct nsc_grid *grid)
{
    static struct nsc_bin bins[2 * MAX_COLUMNS];
    struct nsc_test_row rows[MAX_EVENTS];
    uint32_t n = roll_rows(dice, rows);
    struct nsc_trace *trace = nsc_test_trace_build(rows, n);
    struct nsc_window extent = nsc_trace_extent(trace);
    uint64_t length = (uint64_t)(extent.t1 - extent.t0);
    struct nsc_bars_looks looks = {0};
    struct nsc_bars bars = {
        .trace = trace, .summary = nsc_trace_summary(trace), .bins = bins, .looks = &looks};
    uint32_t cols = 0;

    for (int i = 0; i < 20; i++) {
        bars.window.t0 = extent.t0 - 5 + (nsc_time)dice_below(dice, length + 10);
        bars.window.t1 = bars.window.t0 + 1 + (nsc_time)dice_below(dice, length * 2);
        bars.selected = (nsc_event)dice_below(dice, n + 3);
        bars.demangled = dice_below(dice, 2) == 0;
        cols = (uint32_t)dice_below(dice, MAX_COLUMNS) + 1;
        check_line(grid, &bars, rows, n, cols);
        check_blocks(grid, &bars, rows, n, cols);
    }
    nsc_trace_free(trace);
}

TEST(columns_tell_the_truth)
{
    struct dice dice = dice_new(20240903);
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    for (int i = 0; i < 1000; i++)
        check_trace(&dice, &grid);
    nsc_grid_fini(&grid);
}

/* ---- columns that several kinds share ---- */

enum { MOST_MIXED = 16, TALL = 3 };

/* Two kinds that lie on each other are those that fill most, the larger one below. */
static void check_mix(struct dice *dice, struct nsc_grid *grid)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET};
    struct nsc_test_row rows[MOST_MIXED];
    struct nsc_bin bins[1];
    nsc_time busy[NSC_N_ROLES] = {0};
    uint32_t n = (uint32_t)dice_below(dice, MOST_MIXED - 2) + 3;
    nsc_time t = 0;
    struct nsc_trace *trace = NULL;
    struct nsc_bars_looks looks = {0};
    struct nsc_bars bars = {.bins = bins, .selected = NSC_NONE, .looks = &looks};
    enum nsc_role below, above;

    for (uint32_t i = 0; i < n; i++, t = rows[i - 1].end + (nsc_time)dice_below(dice, 3))
        rows[i] = (struct nsc_test_row){.kind = kinds[dice_below(dice, 3)],
                                        .process = 1,
                                        .stream = 7,
                                        .start = t,
                                        .end = t + 1 + (nsc_time)dice_below(dice, 20),
                                        .name = "work"};
    trace = nsc_test_trace_build(rows, n);
    bars.trace = trace;
    bars.summary = nsc_trace_summary(trace);
    bars.window = nsc_trace_extent(trace);
    for (uint32_t i = 0; i < n; i++)
        busy[nsc_bars_role(trace, nsc_test_event_of(trace, i))] += rows[i].end - rows[i].start;
    nsc_grid_resize(grid, TALL, 1);
    nsc_bars_draw(&bars, grid, (struct nsc_rect){0, 0, TALL, 1}, 0);
    below = nsc_cell_role(nsc_grid_at(grid, TALL - 1, 0));
    above = cell_is_empty(nsc_grid_at(grid, 0, 0)) ? nsc_cell_role(nsc_grid_at(grid, 1, 0))
                                                   : nsc_cell_role(nsc_grid_at(grid, 0, 0));
    for (size_t k = 0; k < sizeof kinds; k++) {
        static const enum nsc_role roles[] = {NSC_ROLE_KERNEL, NSC_ROLE_COPY_HTOD, NSC_ROLE_MEMSET};

        assert_true(busy[roles[k]] <= busy[below]);
        assert_true(above != below || !busy[roles[k]] || roles[k] == below);
        assert_true(roles[k] == below || busy[roles[k]] <= busy[above]);
    }
    nsc_trace_free(trace);
}

TEST(the_kinds_that_fill_most_lie_on_each_other)
{
    struct dice dice = dice_new(20261129);
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    for (int i = 0; i < 1000; i++)
        check_mix(&dice, &grid);
    nsc_grid_fini(&grid);
}
