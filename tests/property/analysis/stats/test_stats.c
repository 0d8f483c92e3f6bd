/*
 * Property tests of the stats reports: figures equal naive counts on random traces: spreads,
 * rounding, nesting of ranges, ranges around launches, gaps and use of GPUs.
 */
#include "analysis/stats/ranges.h"
#include "analysis/stats/stats.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"
#include "share/stats_number.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 200
#define PID    77u

/* ---- spreads ---- */

static int compare_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void assert_close(double a, double b)
{
    if (fabs(a - b) > 1e-9 * (1 + fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

static void check_spread(const struct nsc_spread *spread, int64_t values[], size_t n)
{
    double mean = 0, sum = 0;
    int64_t total = 0;

    assert_int_equal(spread->n, n);
    if (n == 0)
        return;
    qsort(values, n, sizeof *values, compare_values);
    for (size_t i = 0; i < n; i++)
        total += values[i];
    mean = (double)total / (double)n;
    for (size_t i = 0; i < n; i++)
        sum += ((double)values[i] - mean) * ((double)values[i] - mean);
    assert_int_equal(spread->total, total);
    assert_int_equal(spread->min, values[0]);
    assert_int_equal(spread->max, values[n - 1]);
    assert_close(spread->mean, mean);
    assert_close(spread->median, ((double)values[(n - 1) / 2] + (double)values[n / 2]) / 2);
    assert_close(spread->deviation, n > 1 ? sqrt(sum / (double)(n - 1)) : 0);
}

struct numbers {
    uint32_t n, group[600];
    int64_t value[600];
};

static bool number_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct numbers *numbers = context;

    *group = numbers->group[i];
    *value = numbers->value[i];
    return i % 7 != 3;
}

TEST(test_spreads)
{
    struct dice dice = dice_new(11);

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n_groups = 1 + (uint32_t)dice_below(&dice, 9);
        uint64_t range = 1 + dice_below(&dice, round % 3 ? 5 : 2000000000);
        struct numbers numbers = {.n = (uint32_t)dice_below(&dice, 600)};
        struct nsc_spread *spread;

        for (uint32_t i = 0; i < numbers.n; i++) {
            numbers.group[i] = (uint32_t)dice_below(&dice, n_groups);
            numbers.value[i] = (int64_t)dice_below(&dice, range);
        }
        spread = nsc_spreads_measure(n_groups, numbers.n, number_row, &numbers, false);
        assert_non_null(spread);
        for (uint32_t g = 0; g < n_groups; g++) {
            int64_t values[600];
            size_t n = 0;

            for (uint32_t i = 0; i < numbers.n; i++)
                if (numbers.group[i] == g && i % 7 != 3)
                    values[n++] = numbers.value[i];
            check_spread(&spread[g], values, n);
        }
        free(spread);
    }
}

/* Of values far beyond what their sum can hold. */
TEST(test_saturation)
{
    int64_t values[] = {INT64_MAX, INT64_MAX, INT64_MAX - 2};
    struct nsc_spread spread;

    nsc_spread_measure(&spread, values, 3);
    assert_int_equal(spread.total, INT64_MAX);
    assert_true(spread.mean > 9.2e18 && spread.mean < 9.3e18);
}

/* ---- rounding ---- */

/* Halves away from zero, by whole numbers. */
TEST(test_rounding)
{
    struct dice dice = dice_new(12);

    for (int round = 0; round < 20000; round++) {
        uint64_t a = dice_below(&dice, 1000000000), b = 1 + dice_below(&dice, 40);
        uint64_t tenths = (20 * a + b) / (2 * b); /* 10 a / b, and a half */
        struct nsc_buf text = NSC_BUF_INIT(64);
        char wanted[64];

        nsc_stats_put_rounded(&text, (double)a / (double)b);
        snprintf(wanted, sizeof wanted, "%llu.%llu", (unsigned long long)(tenths / 10),
                 (unsigned long long)(tenths % 10));
        assert_string_equal(text.bytes, wanted);
        nsc_buf_fini(&text);
    }
}

/* A number of any size, often at the edge of rounding. */
static double roll_real(struct dice *dice)
{
    double value = (double)dice_below(dice, (uint64_t)1 << dice_below(dice, 52));

    value /= (double)(1 + dice_below(dice, 200));
    if (dice_below(dice, 4) == 0)
        value = floor(value) + (double)dice_below(dice, 100) / 100;
    return dice_below(dice, 2) ? -value : value;
}

/* A real of a report has the digits of its rounding, and commas between thousands only. */
TEST(test_commas)
{
    struct dice dice = dice_new(15);

    for (int round = 0; round < 20000; round++) {
        struct nsc_stats_cell cell = {.form = NSC_STATS_REAL, .real = roll_real(&dice)};
        struct nsc_buf plain = NSC_BUF_INIT(512), grouped = NSC_BUF_INIT(512);
        size_t k = 0;

        nsc_stats_put_rounded(&plain, cell.real);
        nsc_stats_put_number(&grouped, &cell, NSC_STATS_PLAIN, NSC_STATS_NSEC, true);
        for (size_t i = 0; i < plain.n; i++) {
            size_t left = plain.n - 2 - i; /* digits from here on, without the tenth */

            if (i + 2 < plain.n && left % 3 == 0 && i > 0 && plain.bytes[i - 1] != '-')
                assert_int_equal(grouped.bytes[k++], ',');
            assert_int_equal(grouped.bytes[k++], plain.bytes[i]);
        }
        assert_int_equal(k, grouped.n);
        nsc_buf_fini(&plain);
        nsc_buf_fini(&grouped);
    }
}

/* ---- columns ---- */

#define LAYOUT_ROWS 12
enum { LAYOUT_COLUMNS = 9 };

static bool keep(void *context, struct nsc_buf *text)
{
    nsc_buf_add(context, text->bytes, text->n);
    nsc_buf_clear(text);
    return true;
}

static void roll_cells(struct nsc_stats_cell cells[LAYOUT_COLUMNS], struct dice *dice)
{
    static const char *const texts[] = {"", "kernel", "two words", "caf\xc3\xa9", "\xe4\xb8\xad"};

    for (int c = 0; c + 1 < LAYOUT_COLUMNS; c++) {
        uint64_t form = dice_below(dice, 5);

        cells[c] = (struct nsc_stats_cell){.form = NSC_STATS_EMPTY};
        if (form < 2)
            cells[c] = (struct nsc_stats_cell){
                .form = NSC_STATS_INT,
                .integer = (int64_t)(dice_next(dice) >> dice_below(dice, 64))};
        else if (form < 4)
            cells[c] = (struct nsc_stats_cell){.form = NSC_STATS_REAL, .real = roll_real(dice)};
    }
    cells[LAYOUT_COLUMNS - 1] = (struct nsc_stats_cell){
        .form = NSC_STATS_STRING, .text = nsc_text_from(texts[dice_below(dice, 5)])};
}

/* Each cell as formatted alone, padded to the widest. */
static void lay_out(struct nsc_buf *out, const struct nsc_stats *report,
                    const struct nsc_stats_cell rows[LAYOUT_ROWS][LAYOUT_COLUMNS],
                    enum nsc_stats_time time)
{
    struct nsc_buf cell = NSC_BUF_INIT(512);

    for (int row = 0; row < LAYOUT_ROWS; row++) {
        for (int c = 0; c + 1 < LAYOUT_COLUMNS; c++) {
            size_t widest = 1, n;

            for (int r = LAYOUT_ROWS; r >= 0; r--) {
                const struct nsc_stats_cell *at = &rows[r == 0 ? row : r - 1][c];

                nsc_buf_clear(&cell);
                if (at->form != NSC_STATS_EMPTY)
                    nsc_stats_put_number(&cell, at, report->columns[c].unit, time, true);
                widest = cell.n > widest ? cell.n : widest;
            }
            n = widest - cell.n;
            nsc_buf_printf(out, "%s%*s%s", c ? "  " : " ", (int)n, "", cell.bytes);
        }
        nsc_buf_puts(out, "  ");
        nsc_buf_puts(out, rows[row][LAYOUT_COLUMNS - 1].text.bytes);
        nsc_buf_putc(out, '\n');
    }
    nsc_buf_fini(&cell);
}

/* Rows that are given twice, as by a report that repeats them on request. */
TEST(test_columns)
{
    const struct nsc_stats *report = &nsc_stats_all[NSC_STATS_NVTX_STARTEND_SUM];
    struct dice dice = dice_new(16);

    assert_int_equal(nsc_stats_columns(report), LAYOUT_COLUMNS);
    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_cell rows[LAYOUT_ROWS][LAYOUT_COLUMNS];
        struct nsc_buf out = NSC_BUF_INIT(1u << 20), wanted = NSC_BUF_INIT(1u << 20);
        struct nsc_stats_style style = {.no_header = true,
                                        .time = (enum nsc_stats_time)dice_below(&dice, 4)};
        struct nsc_stats_writer writer;
        struct nsc_stats_sink sink;

        for (int r = 0; r < LAYOUT_ROWS; r++)
            roll_cells(rows[r], &dice);
        nsc_stats_writer_init(&writer, report, &style, keep, &out);
        sink = nsc_stats_writer_sink(&writer);
        do {
            for (int r = 0; r < LAYOUT_ROWS; r++)
                assert_true(sink.row(sink.context, rows[r]));
        } while (nsc_stats_again(&sink));
        assert_true(nsc_stats_writer_end(&writer));
        lay_out(&wanted, report, (const struct nsc_stats_cell(*)[LAYOUT_COLUMNS])rows, style.time);
        assert_string_equal(out.bytes, wanted.bytes);
        nsc_stats_writer_fini(&writer);
        nsc_buf_fini(&out);
        nsc_buf_fini(&wanted);
    }
}

/* ---- ranges ---- */

struct world {
    NSC_VEC(struct nsc_test_row) rows;
    struct nsc_trace *trace;
};

static void add_ranges(struct world *world, struct dice *dice, uint32_t n)
{
    nsc_time length = 1 + (nsc_time)dice_below(dice, 200);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(dice, 300);
        nsc_time end = start + (nsc_time)dice_below(dice, (uint64_t)length);

        *NSC_VEC_ADD(&world->rows) = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                                           .process = PID,
                                                           .tid = 1 + (uint32_t)dice_below(dice, 2),
                                                           .domain = (int64_t)dice_below(dice, 3),
                                                           .start = start,
                                                           .end = end,
                                                           .name = "range"};
    }
}

static void add_launches(struct world *world, struct dice *dice, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        nsc_time start = (nsc_time)dice_below(dice, 300);
        nsc_time queued = (nsc_time)dice_below(dice, 50), length = (nsc_time)dice_below(dice, 20);

        *NSC_VEC_ADD(&world->rows) =
            (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME,
                                  .process = PID,
                                  .tid = 1 + (uint32_t)dice_below(dice, 2),
                                  .start = start,
                                  .end = start + (nsc_time)dice_below(dice, 10),
                                  .name = "cudaLaunchKernel_v7000",
                                  .correlation = i};
        *NSC_VEC_ADD(&world->rows) =
            (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                  .process = PID,
                                  .device = (int64_t)dice_below(dice, 2),
                                  .context = 1,
                                  .stream = (int64_t)dice_below(dice, 3),
                                  .start = start + queued,
                                  .end = start + queued + length,
                                  .name = dice_below(dice, 2) ? "gemm" : "copy",
                                  .correlation = dice_below(dice, 8) ? i : 0};
    }
}

static void end_world(struct world *world)
{
    nsc_trace_free(world->trace);
    NSC_VEC_CLEAR(&world->rows);
    world->trace = NULL;
}

static bool contains(const struct nsc_test_row *outer, nsc_time start, nsc_time end, uint32_t tid)
{
    return outer->kind == NSC_KIND_NVTX_RANGE && outer->tid == tid && outer->start <= start &&
           outer->end >= end;
}

/* Whether row a was opened before row b: by start, the longer first, then by row id. */
static bool is_before(const struct world *world, size_t a, size_t b)
{
    const struct nsc_test_row *x = &world->rows.at[a], *y = &world->rows.at[b];

    if (x->start != y->start)
        return x->start < y->start;
    return x->end != y->end ? x->end > y->end : a < b;
}

/* The shortest range of the thread that contains row i; ties: the one opened last. */
static size_t naive_parent(const struct world *world, size_t i)
{
    const struct nsc_test_row *row = &world->rows.at[i];
    size_t found = SIZE_MAX;

    for (size_t k = 0; k < world->rows.n; k++) {
        const struct nsc_test_row *outer = &world->rows.at[k];
        const struct nsc_test_row *best = found == SIZE_MAX ? NULL : &world->rows.at[found];

        if (k == i || !contains(outer, row->start, row->end, row->tid) || !is_before(world, k, i))
            continue;
        if (!best || outer->end - outer->start < best->end - best->start ||
            (outer->end - outer->start == best->end - best->start && is_before(world, found, k)))
            found = k;
    }
    return found;
}

static void check_nesting(const struct world *world, const struct nsc_stats_ranges *ranges)
{
    const uint32_t *source = nsc_trace_events(world->trace)->source;

    for (uint32_t i = 0; i < ranges->n; i++) {
        const struct nsc_stats_range *range = &ranges->at[i];
        size_t row = source[range->event], parent = naive_parent(world, row), above = parent;
        uint32_t level = 0, children = 0;
        nsc_time inside = 0;

        if (parent == SIZE_MAX)
            assert_int_equal(range->parent, NSC_NONE);
        else
            assert_int_equal(source[ranges->at[range->parent].event], parent);
        for (; above != SIZE_MAX; above = naive_parent(world, above))
            level++;
        for (size_t k = 0; k < world->rows.n; k++)
            if (world->rows.at[k].kind == NSC_KIND_NVTX_RANGE && naive_parent(world, k) == row) {
                children++;
                inside += world->rows.at[k].end - world->rows.at[k].start;
            }
        assert_int_equal(range->level, level);
        assert_int_equal(range->children, children);
        assert_int_equal(range->inside, inside);
    }
}

TEST(test_nesting)
{
    struct dice dice = dice_new(13);
    struct world world = {.trace = NULL};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.trace = NULL};
        struct nsc_stats_ranges ranges;

        add_ranges(&world, &dice, 1 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        nsc_stats_ranges_load(&ranges, &input, NSC_KIND_NVTX_RANGE);
        assert_int_equal(ranges.n, world.rows.n);
        check_nesting(&world, &ranges);
        nsc_stats_ranges_fini(&ranges);
        end_world(&world);
    }
    NSC_VEC_FINI(&world.rows);
}

struct visiting {
    const struct world *world;
    uint32_t seen, outside;
};

static void visit(void *context, const struct nsc_stats_launch *launch,
                  struct nsc_stats_open open[], uint32_t n)
{
    struct visiting *visiting = context;
    const struct nsc_events *events = nsc_trace_events(visiting->world->trace);
    const struct nsc_test_row *call = NULL;
    uint32_t wanted = 0, found = 0;

    visiting->seen++;
    if (launch->call != NSC_NONE)
        call = &visiting->world->rows.at[events->source[launch->call]];
    for (size_t i = 0; call && i < visiting->world->rows.n; i++)
        wanted += contains(&visiting->world->rows.at[i], call->start, call->end, call->tid);
    for (uint32_t i = 0; i < n; i++) {
        size_t row = events->source[open[i].range.event];

        assert_true(i == 0 || open[i].number > open[i - 1].number);
        if (open[i].range.end < launch->end)
            continue;
        assert_true(contains(&visiting->world->rows.at[row], call->start, call->end, call->tid));
        found++;
    }
    assert_int_equal(found, wanted);
}

static void visit_outside(void *context, const struct nsc_stats_launch *launch)
{
    (void)launch;
    ((struct visiting *)context)->outside++;
}

/* Checks the work of a range against every kernel's call. */
static void check_work(void *context, const struct nsc_stats_open *range,
                       struct nsc_stats_open *parent)
{
    const struct world *world = ((struct visiting *)context)->world;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const struct nsc_test_row *row = &world->rows.at[events->source[range->range.event]];
    struct nsc_stats_work wanted = {INT64_MAX, INT64_MIN, 0, 0};

    (void)parent;
    for (nsc_event e = 0; e < events->n; e++) {
        const struct nsc_test_row *call;

        if (events->kind[e] != NSC_KIND_KERNEL || events->link[e] == NSC_NONE)
            continue;
        call = &world->rows.at[events->source[events->link[e]]];
        if (!contains(row, call->start, call->end, call->tid))
            continue;
        wanted.ops++;
        wanted.start = nsc_earlier(wanted.start, events->start[e]);
        wanted.end = nsc_later(wanted.end, nsc_event_end(events, e));
    }
    assert_int_equal(range->work.ops, wanted.ops);
    if (wanted.ops) {
        assert_int_equal(range->work.start, wanted.start);
        assert_int_equal(range->work.end, wanted.end);
    }
}

/* The kernels whose call is known and in no range. */
static uint32_t count_outside(const struct world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t n = 0;

    for (nsc_event e = 0; e < events->n; e++) {
        const struct nsc_test_row *call;
        bool is_inside = false;

        if (events->kind[e] != NSC_KIND_KERNEL || events->link[e] == NSC_NONE)
            continue;
        call = &world->rows.at[events->source[events->link[e]]];
        for (size_t i = 0; i < world->rows.n; i++)
            is_inside |= contains(&world->rows.at[i], call->start, call->end, call->tid);
        n += !is_inside;
    }
    return n;
}

static uint32_t count_kernels(const struct world *world)
{
    uint32_t n = 0;

    for (size_t i = 0; i < world->rows.n; i++)
        n += world->rows.at[i].kind == NSC_KIND_KERNEL;
    return n;
}

TEST(test_launches)
{
    struct dice dice = dice_new(14);
    struct world world = {.trace = NULL};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.trace = NULL};
        struct visiting visiting = {.world = &world};

        add_ranges(&world, &dice, (uint32_t)dice_below(&dice, 40));
        add_launches(&world, &dice, 1 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        nsc_stats_ranges_walk(
            &input, NSC_N_KINDS, 1u << NSC_KIND_KERNEL,
            &(struct nsc_stats_walk){visit, visit_outside, check_work, &visiting});
        assert_int_equal(visiting.seen, count_kernels(&world));
        assert_int_equal(visiting.outside, count_outside(&world));
        end_world(&world);
    }
    NSC_VEC_FINI(&world.rows);
}

/* ---- rules ---- */

struct taken {
    NSC_VEC(struct nsc_stats_cell) cells;
    uint32_t width, rows;
};

static bool take(void *context, const struct nsc_stats_cell cells[])
{
    struct taken *taken = context;

    for (uint32_t c = 0; c < taken->width; c++) {
        struct nsc_stats_cell *cell = NSC_VEC_ADD(&taken->cells);

        *cell = cells[c];
        if (cell->form == NSC_STATS_STRING) /* lives only until we return */
            cell->text =
                nsc_text_from(cell->text.n && cell->text.bytes[0] == 'g' ? "gemm" : "copy");
    }
    taken->rows++;
    return true;
}

static enum nsc_status run(struct taken *taken, const struct nsc_stats_input *input,
                           enum nsc_stats_id id)
{
    const struct nsc_stats *report = &nsc_stats_all[id];
    struct nsc_stats_sink sink = {take, taken, NULL};

    NSC_VEC_CLEAR(&taken->cells);
    taken->rows = 0;
    taken->width = nsc_stats_columns(report);
    return nsc_stats_report_run(report, input, &sink, NULL);
}

/* The last end before t and the first start from t on, of a device's kernels. */
static bool is_busy(const struct world *world, int64_t device, nsc_time t)
{
    for (size_t i = 0; i < world->rows.n; i++) {
        const struct nsc_test_row *row = &world->rows.at[i];

        if (row->kind == NSC_KIND_KERNEL && row->device == device && row->start <= t &&
            row->end > t)
            return true;
    }
    return false;
}

static bool has_edge(const struct world *world, int64_t device, nsc_time t)
{
    for (size_t i = 0; i < world->rows.n; i++) {
        const struct nsc_test_row *row = &world->rows.at[i];

        if (row->kind == NSC_KIND_KERNEL && row->device == device && row->start <= t &&
            row->end >= t)
            return true;
    }
    return false;
}

/* By ns: stretches of idle time between the first start and the last end, cut by instants. */
static uint32_t naive_gaps(const struct world *world, nsc_time least, nsc_time *sum)
{
    uint32_t n = 0;

    *sum = 0;
    for (int64_t device = 0; device < 2; device++) {
        nsc_time from = 0;
        bool open = false, any = false;

        for (nsc_time t = 0; t < 400; t++) {
            if (any && open && has_edge(world, device, t) && t - from > least) {
                n++;
                *sum += t - from;
            }
            if (has_edge(world, device, t)) {
                any = true;
                open = !is_busy(world, device, t);
                from = t;
            }
        }
    }
    return n;
}

TEST(test_gaps)
{
    struct dice dice = dice_new(15);
    struct world world = {.trace = NULL};
    struct taken taken = {.rows = 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.arguments = {.gap = 1 + (nsc_time)dice_below(&dice, 9)}};
        nsc_time sum, wanted;

        add_launches(&world, &dice, 1 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        assert_int_equal(run(&taken, &input, NSC_STATS_GPU_GAPS), NSC_OK);
        assert_int_equal(taken.rows, naive_gaps(&world, input.arguments.gap, &wanted));
        sum = 0;
        for (uint32_t i = 0; i < taken.rows; i++) {
            const struct nsc_stats_cell *cells = &taken.cells.at[i * taken.width];

            sum += cells[1].integer;
            assert_int_equal(cells[0].integer, i + 1);
            assert_true(i == 0 || cells[1].integer <= cells[1 - (int)taken.width].integer);
            assert_false(is_busy(&world, cells[4].integer, cells[2].integer));
        }
        assert_int_equal(sum, wanted);
        end_world(&world);
    }
    NSC_VEC_FINI(&taken.cells);
    NSC_VEC_FINI(&world.rows);
}

/* If every chunk is listed, the rows add up to the durations of the kernels. */
TEST(test_use)
{
    struct dice dice = dice_new(16);
    struct world world = {.trace = NULL};
    struct taken taken = {.rows = 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {
            .arguments = {.chunks = 1 + (uint32_t)dice_below(&dice, 12), .threshold = 1e9}};
        double used = 0, wanted = 0;

        add_launches(&world, &dice, 1 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        assert_int_equal(run(&taken, &input, NSC_STATS_GPU_TIME_UTIL), NSC_OK);
        for (uint32_t i = 0; i < taken.rows; i++) {
            const struct nsc_stats_cell *cells = &taken.cells.at[i * taken.width];

            used += cells[1].real * (double)cells[2].integer / 100;
        }
        for (size_t i = 0; i < world.rows.n; i++)
            if (world.rows.at[i].kind == NSC_KIND_KERNEL)
                wanted += (double)(world.rows.at[i].end - world.rows.at[i].start);
        assert_close(used, wanted);
        end_world(&world);
    }
    NSC_VEC_FINI(&taken.cells);
    NSC_VEC_FINI(&world.rows);
}

/* ---- sums ---- */

/* The ranges of a thread that are around the launch of a kernel with this name. */
static uint32_t count_around(const struct world *world, int64_t tid, struct nsc_text name)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint32_t n = 0;

    for (size_t i = 0; i < world->rows.n; i++) {
        bool is_around = false;

        for (nsc_event e = 0; e < events->n && !is_around; e++) {
            const struct nsc_test_row *call;

            if (events->kind[e] != NSC_KIND_KERNEL || events->link[e] == NSC_NONE ||
                !nsc_text_is(name, world->rows.at[events->source[e]].name))
                continue;
            call = &world->rows.at[events->source[events->link[e]]];
            is_around =
                call->tid == tid && contains(&world->rows.at[i], call->start, call->end, call->tid);
        }
        n += is_around;
    }
    return n;
}

/* A range counts once, however many kernels of the name it launches, and whatever ends meanwhile. */
TEST(test_ranges_of_kernels)
{
    struct dice dice = dice_new(18);
    struct world world = {.trace = NULL};
    struct taken taken = {.rows = 0};
    uint32_t n_inside = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.trace = NULL};

        add_ranges(&world, &dice, 1 + (uint32_t)dice_below(&dice, 40));
        add_launches(&world, &dice, 10 + (uint32_t)dice_below(&dice, 60));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        assert_int_equal(run(&taken, &input, NSC_STATS_NVTX_KERN_SUM), NSC_OK);
        for (uint32_t i = 0; i < taken.rows; i++) {
            const struct nsc_stats_cell *cells = &taken.cells.at[i * taken.width];
            bool is_inside = cells[1].form == NSC_STATS_STRING; /* it has a style */

            assert_int_equal(cells[4].integer,
                             is_inside ? count_around(&world, cells[3].integer, cells[12].text)
                                       : 0);
            n_inside += is_inside;
        }
        end_world(&world);
    }
    assert_true(n_inside > 0);
    NSC_VEC_FINI(&taken.cells);
    NSC_VEC_FINI(&world.rows);
}

/* Kernels by name, one by one. */
TEST(test_kern_sum)
{
    struct dice dice = dice_new(17);
    struct world world = {.trace = NULL};
    struct taken taken = {.rows = 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.has_window = round % 2,
                                        .window = {(nsc_time)dice_below(&dice, 200), 300}};

        add_launches(&world, &dice, 10 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        if (run(&taken, &input, NSC_STATS_CUDA_GPU_KERN_SUM) != NSC_OK)
            taken.rows = 0;
        for (uint32_t i = 0; i < taken.rows; i++) {
            const struct nsc_stats_cell *cells = &taken.cells.at[i * taken.width];
            int64_t total = 0, count = 0;

            for (size_t k = 0; k < world.rows.n; k++) {
                const struct nsc_test_row *row = &world.rows.at[k];
                nsc_time touch = row->end > row->start ? row->end : row->end + 1;
                bool wanted =
                    !input.has_window || (row->start < input.window.t1 && touch > input.window.t0);

                if (row->kind != NSC_KIND_KERNEL || !wanted ||
                    strlen(row->name) != cells[8].text.n ||
                    memcmp(row->name, cells[8].text.bytes, cells[8].text.n) != 0)
                    continue;
                total += row->end - row->start;
                count++;
            }
            assert_int_equal(cells[1].integer, total);
            assert_int_equal(cells[2].integer, count);
        }
        end_world(&world);
    }
    NSC_VEC_FINI(&taken.cells);
    NSC_VEC_FINI(&world.rows);
}

/* Writes launch, wait and kernel by row; starts differ where it matters. */
TEST(test_exec)
{
    struct dice dice = dice_new(18);
    struct world world = {.trace = NULL};
    struct taken taken = {.rows = 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_stats_input input = {.trace = NULL};
        uint32_t wanted = 0;
        int64_t queued = 0, queues = 0;

        add_launches(&world, &dice, 10 + (uint32_t)dice_below(&dice, 40));
        world.trace = nsc_test_trace_build(world.rows.at, (uint32_t)world.rows.n);
        input.trace = world.trace;
        for (size_t i = 0; i + 1 < world.rows.n; i += 2) {
            nsc_time queue = world.rows.at[i + 1].start - world.rows.at[i].end;

            if (world.rows.at[i + 1].correlation == 0)
                continue;
            wanted++;
            queued += queue >= 0;
            queues += queue >= 0 ? queue : 0;
        }
        if (run(&taken, &input, NSC_STATS_CUDA_KERN_EXEC_TRACE) != NSC_OK)
            taken.rows = 0;
        assert_int_equal(taken.rows, wanted);
        for (uint32_t i = 0; i < taken.rows; i++) {
            const struct nsc_stats_cell *cells = &taken.cells.at[i * taken.width];
            nsc_time call_end = cells[0].integer + cells[1].integer;
            nsc_time end = cells[4].integer + cells[5].integer;

            assert_int_equal(cells[6].integer,
                             (end > call_end ? end : call_end) - cells[0].integer);
            assert_true(i == 0 || cells[0].integer >= cells[-(int)taken.width].integer);
            if (cells[3].form == NSC_STATS_EMPTY)
                continue;
            assert_int_equal(cells[2].integer, call_end);
            assert_int_equal(cells[2].integer + cells[3].integer, cells[4].integer);
            queued--;
            queues -= cells[3].integer;
        }
        assert_int_equal(queued, 0);
        assert_int_equal(queues, 0);
        end_world(&world);
    }
    NSC_VEC_FINI(&taken.cells);
    NSC_VEC_FINI(&world.rows);
}
