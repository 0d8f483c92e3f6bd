/* The screen of a job: its figures against sums by hand, the order of its lines, and any keys at any size. */
#include "board/board.h"
#include "core/text.h"
#include "fleet/column.h"
#include "fleet/sketch_read.h"
#include "support/cm.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 6, STEPS = 12, MS = 1000000, LATE = 3 };

static int64_t compute_of(int rank, int step)
{
    return 10 * MS + 100 * rank + (rank == LATE ? 2 * MS : 0) + step;
}

static int64_t arrival_of(int rank, int step)
{
    return step * 20 * (int64_t)MS + compute_of(rank, step) + MS; /* idle for 1 ms */
}

static int64_t end_of(int step)
{
    return step * 20 * (int64_t)MS + 15 * MS;
}

static void add_column(struct nsc_buf *out, const char *name, const int64_t values[], size_t n)
{
    nsc_buf_printf(out, "\"%s\":\"", name);
    nsc_column_put(out, values, n);
    nsc_buf_puts(out, "\"");
}

static void add_part(struct nsc_buf *out, const char *class, const int64_t values[], size_t n)
{
    nsc_buf_printf(out, "{\"class\":\"%s\",\"total_ns\":0,", class);
    add_column(out, "ns", values, n);
    nsc_buf_puts(out, "},");
}

/* Rows of `each` steps. */
static void add_iterations(struct nsc_buf *out, int rank, int each)
{
    int64_t of[5][STEPS] = {{0}}; /* starts, compute, exposed, copies, idle */
    size_t n = (size_t)(STEPS / each);

    for (int step = STEPS - 1; step >= 0; step--) {
        int row = step / each;

        of[0][row] = step * 20 * (int64_t)MS;
        of[1][row] += compute_of(rank, step);
        of[2][row] += end_of(step) - arrival_of(rank, step);
        of[3][row] += MS / 2;
        of[4][row] += MS;
    }
    nsc_buf_printf(out, "\"iterations\":{\"of_a_row\":%d,\"unit_ns\":1,", each);
    add_column(out, "starts", of[0], n);
    nsc_buf_puts(out, ",\"parts\":[");
    add_part(out, "compute", of[1], n);
    add_part(out, "exposed comm", of[2], n);
    add_part(out, "copies", of[3], n);
    add_part(out, "idle", of[4], n);
    out->n--; /* the last comma */
    nsc_buf_puts(out, "]}");
}

static void add_series(struct nsc_buf *out, int rank)
{
    int64_t gaps[STEPS], lasts[STEPS];

    for (int step = 0; step < STEPS; step++) {
        gaps[step] = arrival_of(rank, step) - (step ? end_of(step - 1) : 0);
        lasts[step] = end_of(step) - arrival_of(rank, step);
    }
    nsc_buf_puts(
        out,
        "\"series\":[{\"rank\":0,\"kernel\":\"ncclDevKernel_AllReduce_Sum\",\"communicator\":0,"
        "\"every\":1,\"unit_ns\":1,");
    add_column(out, "gaps", gaps, STEPS);
    nsc_buf_puts(out, ",");
    add_column(out, "lasts", lasts, STEPS);
    nsc_buf_puts(out, "}]");
}

static enum nsc_status add_sketch(struct nsc_fleet *fleet, const struct nsc_buf *text)
{
    struct nsc_sketch_reader reader;
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};
    enum nsc_status status = nsc_json_parse(&tree, nsc_text_of_buf(text), &error);

    nsc_sketch_reader_init(&reader, fleet, 1);
    reader.keeps_parts = true;
    if (status == NSC_OK)
        status = nsc_sketch_read(&reader, &tree, &error);
    nsc_sketch_reader_fini(&reader);
    nsc_json_fini(&tree);
    return status;
}

struct world {
    struct nsc_fleet fleet;
    struct nsc_judged judged;
    struct nsc_job_values values;
    struct nsc_keymap keymap;
};

/* Two ranks a node. Rows of the last rank are two steps. */
static int open_world(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    struct nsc_error error = {0};

    nsc_fleet_init(&world->fleet);
    for (int rank = 0; rank < RANKS; rank++) {
        struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(
            &text,
            "{\"format\":\"nsyscope-sketch-1\",\"identity\":{\"rank\":%d,\"host\":\"n%d\","
            "\"path\":\"/runs/rank%d.sqlite\"},\"ranks\":[{",
            rank, rank / 2, rank);
        add_iterations(&text, rank, rank == RANKS - 1 ? 2 : 1);
        nsc_buf_puts(&text, "}],");
        add_series(&text, rank);
        nsc_buf_puts(&text, "}");
        assert_int_equal(add_sketch(&world->fleet, &text), NSC_OK);
        nsc_buf_fini(&text);
    }
    nsc_judge(&world->judged, &world->fleet);
    assert_int_equal(nsc_job_values_build(&world->values, &world->judged.meetings, &error), NSC_OK);
    nsc_keymap_init(&world->keymap);
    *state = world;
    return 0;
}

static int close_world(void **state)
{
    struct world *world = *state;

    nsc_job_values_fini(&world->values);
    nsc_judged_fini(&world->judged);
    nsc_fleet_fini(&world->fleet);
    free(world);
    return 0;
}

static float value_of(const struct world *world, enum nsc_job_value value, int rank, int column)
{
    return world->values.at[value][(size_t)rank * world->values.n_columns + (size_t)column];
}

static void check_near(float got, int64_t wanted)
{
    assert_true(got >= (float)wanted * 0.99999F - 1 && got <= (float)wanted * 1.00001F + 1);
}

TEST_WITH(figures_are_the_sums_of_their_steps, open_world, close_world)
{
    const struct world *world = *state;

    assert_int_equal(world->values.of_a_column, 2);
    assert_int_equal(world->values.n_columns, STEPS / 2);
    for (int rank = 0; rank < RANKS; rank++)
        for (int column = 0; column < STEPS / 2; column++) {
            int64_t sums[NSC_N_JOB_VALUES] = {0};

            for (int step = 2 * column; step < 2 * column + 2; step++) {
                sums[NSC_JOB_COMPUTE] += compute_of(rank, step);
                sums[NSC_JOB_EXPOSED] += end_of(step) - arrival_of(rank, step);
                sums[NSC_JOB_IDLE] += MS;
                sums[NSC_JOB_DURATION] +=
                    compute_of(rank, step) + end_of(step) - arrival_of(rank, step) + MS + MS / 2;
                sums[NSC_JOB_WAITING] += arrival_of(LATE, step) - arrival_of(rank, step);
                sums[NSC_JOB_LATE] +=
                    rank == LATE ? arrival_of(LATE, step) - arrival_of(2, step) : 0;
            }
            for (unsigned value = 0; value < NSC_N_JOB_VALUES; value++)
                check_near(value_of(world, (enum nsc_job_value)value, rank, column), sums[value]);
        }
}

TEST_WITH(all_wait_for_the_last_rank, open_world, close_world)
{
    const struct world *world = *state;
    const struct nsc_job_values *values = &world->values;

    assert_int_equal(values->n_groups, RANKS);
    assert_int_equal(values->meets.n, STEPS);
    for (uint32_t i = 0; i < RANKS; i++)
        for (uint32_t k = 0; k < RANKS; k++)
            assert_true(k == LATE ? values->waits[i * RANKS + k] >= 0
                                  : values->waits[i * RANKS + k] < 0);
    for (size_t i = 0; i < values->meets.n; i++) {
        assert_int_equal(values->meets.at[i].last, LATE);
        assert_int_equal(values->meets.at[i].column, i / 2);
        assert_true(values->meets.at[i].waited > 9 * MS && values->meets.at[i].waited < 11 * MS);
    }
}

static void check_lines(const struct world *world, uint32_t sort, bool folded, const char *filter,
                        const char *wanted)
{
    struct nsc_lines lines;
    struct nsc_buf got = NSC_BUF_INIT(SIZE_MAX);

    nsc_lines_build(&lines, &world->values, NULL, sort, folded, filter);
    for (uint32_t line = 0; line < lines.n; line++) {
        nsc_buf_puts(&got, line ? " " : "");
        for (uint32_t i = lines.first[line]; i < lines.first[line + 1]; i++) {
            nsc_buf_printf(&got, "%u", lines.rank[i]);
            assert_int_equal(nsc_lines_find(&lines, lines.rank[i]), line);
        }
    }
    assert_string_equal(got.n ? got.bytes : "", wanted);
    nsc_buf_fini(&got);
    nsc_lines_fini(&lines);
}

TEST_WITH(lines_are_ordered_folded_and_filtered, open_world, close_world)
{
    const struct world *world = *state;

    check_lines(world, NSC_LINES_BY_RANK, false, "", "0 1 2 3 4 5");
    check_lines(world, NSC_LINES_BY_LATENESS, false, "", "3 0 1 2 4 5");
    check_lines(world, NSC_LINES_BY_NODE, true, "", "01 23 45");
    check_lines(world, NSC_LINES_BY_LATENESS, true, "", "23 01 45");
    check_lines(world, NSC_LINES_BY_LATENESS, false, "2-4", "3 2 4");
    check_lines(world, NSC_LINES_BY_RANK, false, "5", "5");
    check_lines(world, NSC_LINES_BY_RANK, false, "N1", "2 3");
    check_lines(world, NSC_LINES_BY_RANK, true, "1-", "");
    check_lines(world, NSC_LINES_BY_RANK, false, "99999999999999999999", "");
}

static struct nsc_effects press(struct nsc_board *board, const char *name)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    assert_true(nsc_key_parse(&input.key, nsc_text_from(name)));
    return nsc_board_input(board, &input);
}

static void resize(struct nsc_board *board, struct nsc_grid *grid, uint32_t rows, uint32_t cols)
{
    struct nsc_input input = {.type = NSC_INPUT_RESIZE, .rows = rows, .cols = cols};

    (void)nsc_board_input(board, &input);
    nsc_board_draw(board, grid);
}

static void open_board(struct nsc_board *board, const struct world *world)
{
    *board = (struct nsc_board){.keymap = &world->keymap,
                                .name = "a job",
                                .values = &world->values,
                                .verdicts = &world->judged.verdicts,
                                .plain = true};
    nsc_board_init(board);
}

TEST_WITH(enter_asks_for_the_export_at_the_cursor, open_world, close_world)
{
    const struct world *world = *state;
    struct nsc_board board;
    struct nsc_grid grid;
    uint32_t rank = 0;
    uint32_t column = 0;

    open_board(&board, world);
    nsc_grid_init(&grid, false);
    resize(&board, &grid, 24, 80);
    (void)press(&board, "e"); /* the rank of the first verdict */
    (void)press(&board, "Right");
    assert_true(press(&board, "Enter").set & NSC_EFFECT_QUIT);
    assert_true(board.opens && nsc_board_at(&board, &rank, &column));
    board.opens = false;
    assert_int_equal(rank, LATE);
    assert_int_equal(column, 1);
    assert_int_equal(nsc_job_column_window(&world->values, rank, column).t0, 40 * MS);
    (void)press(&board, "/"); /* a filter that leaves none */
    (void)press(&board, "z");
    (void)press(&board, "Enter");
    assert_true(press(&board, "Enter").set & NSC_EFFECT_BELL);
    assert_false(board.opens || nsc_board_at(&board, &rank, &column));
    assert_true(press(&board, "q").set & NSC_EFFECT_QUIT);
    nsc_grid_fini(&grid);
    nsc_board_fini(&board);
}

static struct nsc_effects point(struct nsc_board *board, enum nsc_mouse_action action, int row,
                                int col)
{
    return nsc_board_input(
        board,
        &(struct nsc_input){.type = NSC_INPUT_MOUSE,
                            .mouse = {.action = action, .button = 1, .row = row, .col = col}});
}

TEST_WITH(the_mouse_chooses_zooms_and_opens, open_world, close_world)
{
    const struct world *world = *state;
    struct nsc_board board;
    struct nsc_grid grid;
    uint32_t rank = 0;
    uint32_t column = 0;

    open_board(&board, world);
    nsc_grid_init(&grid, false);
    resize(&board, &grid, 24, 80);
    for (int row = 0; row < RANKS; row++)
        for (int cell = 0; cell < STEPS / 2; cell++) {
            int col = NSC_BOARD_LABELS + nsc_heat_col(&board.heat[0], (uint32_t)cell);

            (void)point(&board, NSC_MOUSE_PRESS, NSC_BOARD_HEAD + row, col);
            assert_true(nsc_board_at(&board, &rank, &column));
            assert_int_equal(rank, row);
            assert_int_equal(column, cell);
        }
    (void)point(&board, NSC_MOUSE_PRESS, NSC_BOARD_HEAD + 1, 2); /* a label: only the line */
    assert_true(nsc_board_at(&board, &rank, &column));
    assert_int_equal(rank, 1);
    assert_int_equal(column, STEPS / 2 - 1);
    (void)point(&board, NSC_MOUSE_WHEEL_UP, NSC_BOARD_HEAD, NSC_BOARD_LABELS);
    assert_int_equal(board.heat[0].cols.shown, STEPS / 4);
    assert_int_equal(board.heat[0].cols.cursor, 0);
    (void)point(&board, NSC_MOUSE_WHEEL_DOWN, NSC_BOARD_HEAD, NSC_BOARD_LABELS);
    assert_int_equal(board.heat[0].cols.shown, STEPS / 2);
    assert_false(point(&board, NSC_MOUSE_DOUBLE, 0, 0).set & NSC_EFFECT_QUIT);
    assert_true(point(&board, NSC_MOUSE_DOUBLE, NSC_BOARD_HEAD + 2, 30).set & NSC_EFFECT_QUIT);
    assert_true(board.opens && nsc_board_at(&board, &rank, &column) && rank == 2);
    nsc_grid_fini(&grid);
    nsc_board_fini(&board);
}

TEST_WITH(the_export_has_the_figures_shown, open_world, close_world)
{
    const struct world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_board board;
    struct nsc_effects effects;

    open_board(&board, world);
    (void)nsc_board_input(&board,
                          &(struct nsc_input){.type = NSC_INPUT_RESIZE, .rows = 24, .cols = 80});
    (void)press(&board, "+"); /* the first half of the iterations */
    (void)press(&board, "/");
    (void)press(&board, "3");
    (void)press(&board, "Enter");
    (void)press(&board, "x");
    effects = press(&board, "Enter");
    assert_true(effects.set & NSC_EFFECT_ANSWER_WRITE);
    assert_true(nsc_text_is(effects.text, "job.csv"));
    (void)press(&board, "x");
    assert_false(press(&board, "Esc").set & NSC_EFFECT_ANSWER_WRITE);
    nsc_board_sheet(&sheets, &board);
    assert_int_equal(nsc_sheet_rows(&sheets.list.at[0]), STEPS / 4);
    assert_int_equal(nsc_sheet_at(&sheets.list.at[0], 0, 0)->integer, LATE);
    check_near((float)nsc_sheet_at(&sheets.list.at[0], 1, 8)->integer,
               compute_of(LATE, 2) + compute_of(LATE, 3));
    nsc_sheets_fini(&sheets);
    nsc_board_fini(&board);
}

/* A meeting of n ranks with a series each. */
static void meet(struct world *world, struct nsc_meetings *meetings, enum nsc_parallel parallel,
                 bool is_sends, const uint32_t ranks[], uint32_t n)
{
    uint32_t series[RANKS];
    struct nsc_clock clocks[RANKS] = {{.slope = 1}};

    for (uint32_t i = 0; i < n; i++) {
        series[i] = (uint32_t)world->fleet.series.n;
        *NSC_VEC_ADD(&world->fleet.series) =
            (struct nsc_fleet_series){.rank = ranks[i],
                                      .parallel = parallel,
                                      .is_silent = parallel == NSC_PARALLEL_UNKNOWN,
                                      .every = 1};
    }
    nsc_meetings_add(meetings, series, clocks, n);
    meetings->list.at[meetings->list.n - 1].is_sends = is_sends;
}

static void check_split(const struct nsc_job_split *split, const char *word, const char *groups)
{
    struct nsc_buf got = NSC_BUF_INIT(SIZE_MAX);

    nsc_job_split_word(&got, split);
    assert_string_equal(got.bytes, word);
    nsc_buf_clear(&got);
    for (int rank = 0; rank < RANKS; rank++)
        nsc_buf_printf(&got, "%u", split->group[rank]);
    assert_string_equal(got.bytes, groups);
    nsc_buf_fini(&got);
}

/* Groups of one parallelism are a split, also beside those that share ranks with it; 6: in no group. */
TEST_WITH(meetings_split_the_ranks_into_groups, open_world, close_world)
{
    struct world *world = *state;
    struct nsc_meetings meetings = {.fleet = &world->fleet};
    struct nsc_job_splits splits;
    struct nsc_lines lines;

    for (uint32_t first = 0; first < RANKS; first += 2)
        meet(world, &meetings, NSC_PARALLEL_TP, false, (uint32_t[]){first, first + 1}, 2);
    for (uint32_t first = 0; first < 2; first++)
        meet(world, &meetings, NSC_PARALLEL_DP, false, (uint32_t[]){first, first + 2, first + 4},
             3);
    meet(world, &meetings, NSC_PARALLEL_UNKNOWN, false, (uint32_t[]){0, 3}, 2);
    meet(world, &meetings, NSC_PARALLEL_UNKNOWN, false, (uint32_t[]){3, 5}, 2);
    meet(world, &meetings, NSC_PARALLEL_UNKNOWN, true, (uint32_t[]){1, 2}, 2);
    meet(world, &meetings, NSC_PARALLEL_UNKNOWN, true, (uint32_t[]){4, 5}, 2);
    meet(world, &meetings, NSC_PARALLEL_UNKNOWN, true, (uint32_t[]){2, 4}, 2);
    meet(world, &meetings, NSC_PARALLEL_DP, false, (uint32_t[]){0, 1, 2, 3, 4, 5}, RANKS);
    nsc_job_splits_find(&splits, &meetings);
    assert_int_equal(splits.n, 5);
    check_split(&splits.list[0], "TP group", "002244");
    check_split(&splits.list[1], "DP group", "010101");
    check_split(&splits.list[2], "group of 2", "066066");
    check_split(&splits.list[3], "group of 2", "666363");
    check_split(&splits.list[4], "senders", "611611");
    nsc_lines_build(&lines, &world->values, &splits.list[1], NSC_N_LINES_SORTS + 1, true, "");
    assert_int_equal(lines.n, 2);
    assert_int_equal(lines.rank[1], 2);
    assert_int_equal(lines.rank[3], 1);
    nsc_lines_fini(&lines);
    nsc_job_splits_fini(&splits);
    nsc_meetings_fini(&meetings);
}

TEST_WITH(any_keys_at_any_size, open_world, close_world)
{
    static const char *const keys[] = {
        "Left", "Right", "Up",    "Down", "PgUp", "PgDn", "Home",  "End", "+", "-",
        "0",    "v",     "V",     "o",    "e",    "E",    "w",     "Tab", "/", "Backspace",
        "Esc",  "3",     "Enter", "n",    "?",    "y",    "Space", "1",   "x"};
    const struct world *world = *state;
    struct nsc_board board;
    struct nsc_grid grid;
    uint64_t random = 3;

    open_board(&board, world);
    nsc_grid_init(&grid, false);
    for (int round = 0; round < 3000; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        (void)press(&board, keys[(random >> 40) % (sizeof keys / sizeof *keys)]);
        (void)point(&board, (enum nsc_mouse_action)(random >> 35) % 6, (int)(random >> 20) % 30 - 2,
                    (int)(random >> 12) % 90 - 2);
        resize(&board, &grid, 1 + (uint32_t)(random >> 33) % 70,
               1 + (uint32_t)(random >> 50) % 210);
        assert_true(grid.cursor_row < (int)grid.rows && grid.cursor_col < (int)grid.cols);
    }
    nsc_grid_fini(&grid);
    nsc_board_fini(&board);
}

TEST(a_job_that_is_too_large_is_refused)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_meetings meetings = {0};
    struct nsc_job_values values;
    struct nsc_fleet fleet;
    struct nsc_error error = {0};
    int64_t starts[1024] = {0};

    nsc_buf_puts(&text,
                 "{\"format\":\"nsyscope-sketch-1\",\"ranks\":[{\"iterations\":{\"unit_ns\":1,");
    add_column(&text, "starts", starts, 1024);
    nsc_buf_puts(&text, "}}");
    for (int i = 0; i < 1 << 15; i++)
        nsc_buf_puts(&text, ",{\"iterations\":{\"unit_ns\":1,\"starts\":\"A\"}}");
    nsc_buf_puts(&text, "]}");
    nsc_fleet_init(&fleet);
    assert_int_equal(add_sketch(&fleet, &text), NSC_OK);
    meetings.fleet = &fleet;
    assert_int_equal(nsc_job_values_build(&values, &meetings, &error), NSC_ENODATA);
    nsc_job_values_fini(&values);
    nsc_fleet_fini(&fleet);
    nsc_buf_fini(&text);
}
