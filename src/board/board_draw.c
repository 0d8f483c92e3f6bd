/* Draws the screen of a job. */
#include "board/board.h"
#include "core/units.h"
#include "fleet/late_sheets.h"
#include "view/kit/help.h"
#include "view/kit/page.h"

#include <inttypes.h>

enum {
    HEAD = NSC_BOARD_HEAD,
    LABEL_COLS = NSC_BOARD_LABELS,
    PANE_ROWS = NSC_BOARD_PANE,
    LEAST_ROWS = HEAD + PANE_ROWS + 4,
    LEAST_COLS = 60,
    TICK_COLS = 12,
    SCALE_CELLS = 8,
    SCALE_COLS = SCALE_CELLS + 24
};

struct drawing {
    const struct nsc_board *board;
    const struct nsc_heat *heat;
    struct nsc_grid *grid;
    struct nsc_page pane;
    struct nsc_buf line; /* drawn next */
};

/* ---- words ---- */

static void add_ns(struct drawing *drawing, const char *before, double ns)
{
    char text[NSC_UNITS_BYTES];

    nsc_buf_printf(
        &drawing->line, "%s%s", before,
        nsc_units_duration(text, ns < 9e18 ? (nsc_time)ns : INT64_MAX, drawing->grid->ascii));
}

/* "rank 5", "rank 8 +7", "node1 +7": a rank and how many follow it. */
static void add_rank(struct drawing *drawing, uint32_t rank, uint32_t n, bool as_node)
{
    const struct nsc_fleet *fleet = drawing->board->values->fleet;
    struct nsc_text host = nsc_fleet_text(fleet, fleet->ranks.at[rank].host);

    if (as_node)
        nsc_buf_add(&drawing->line, host.bytes, host.n);
    else
        nsc_buf_printf(&drawing->line, "rank %" PRId64, fleet->ranks.at[rank].number);
    if (n > 1)
        nsc_buf_printf(&drawing->line, " +%u", n - 1);
}

/* The ranks of groups [group, end) of the view of waits. */
static void add_groups(struct drawing *drawing, uint32_t group, uint32_t end)
{
    const struct nsc_job_values *values = drawing->board->values;
    uint32_t first = group * values->of_a_group;
    uint32_t last = end * values->of_a_group;

    add_rank(drawing, first, (last < values->n_ranks ? last : values->n_ranks) - first, false);
}

/* Draws the line on a row of the screen, at most width cells. */
static void put(struct drawing *drawing, int row, int col, int width, enum nsc_role role)
{
    int room = (int)drawing->grid->cols - 1 - col;

    (void)nsc_grid_text(drawing->grid, row, col, width < room ? width : room, role,
                        nsc_text_of_buf(&drawing->line));
    nsc_buf_clear(&drawing->line);
}

/* Draws the line on the next rows of the pane. */
static void tell(struct drawing *drawing, enum nsc_role role)
{
    nsc_page_wrap(&drawing->pane, role, drawing->line.n ? drawing->line.bytes : "", 2);
    nsc_buf_clear(&drawing->line);
}

/* ---- above the cells ---- */

static void draw_head(struct drawing *drawing)
{
    const struct nsc_board *board = drawing->board;
    const struct nsc_job_values *values = board->values;
    int cols = (int)drawing->grid->cols;

    nsc_grid_fill(drawing->grid, (struct nsc_rect){0, 0, 1, cols}, NSC_ROLE_TITLE, " ");
    nsc_buf_printf(&drawing->line, "%u ranks, %" PRIu64 " iterations: %s", values->n_ranks,
                   (uint64_t)values->n_columns * values->of_a_column, board->name);
    put(drawing, 0, 1, cols, NSC_ROLE_TITLE);
    nsc_verdict_sentence(&drawing->line, board->verdicts, 0);
    put(drawing, 1, 1, cols, board->verdicts->list.n ? NSC_ROLE_WARNING : NSC_ROLE_TEXT);
}

/* "lateness, sorted by rank, greatest of 205 x 13" ranks and iterations of a cell; and the scale. */
static void draw_what(struct drawing *drawing)
{
    static const char *const words[NSC_N_JOB_VALUES] = {"lateness", "waiting", "duration",
                                                        "exposed",  "idle",    "compute"};
    static const char *const sorts[NSC_N_LINES_SORTS] = {"rank", "lateness", "node"};
    const struct nsc_board *board = drawing->board;
    const struct nsc_heat *heat = drawing->heat;
    int scale = (int)drawing->grid->cols - SCALE_COLS;

    if (board->view == NSC_BOARD_WAITS)
        nsc_buf_puts(&drawing->line, "who waits for whom (columns)");
    else
        nsc_buf_printf(&drawing->line, "%s, sorted by ", words[board->value]);
    if (board->view == NSC_BOARD_RANKS && nsc_board_split(board))
        nsc_job_split_word(&drawing->line, nsc_board_split(board));
    else if (board->view == NSC_BOARD_RANKS)
        nsc_buf_puts(&drawing->line, sorts[board->sort]);
    if (heat->lines.each > 1 || heat->cols.each > 1)
        nsc_buf_printf(&drawing->line, ", greatest of %u x %u", heat->lines.each, heat->cols.each);
    if (board->filter.n)
        nsc_buf_printf(&drawing->line, ", filter %s", board->filter.text);
    put(drawing, 2, 1, scale - 2, NSC_ROLE_TEXT);
    add_ns(drawing, "", (double)heat->low);
    nsc_grid_puts_right(drawing->grid, 2, scale, 11, NSC_ROLE_DIM, drawing->line.bytes);
    nsc_buf_clear(&drawing->line);
    for (int i = 0; i < SCALE_CELLS; i++)
        nsc_heat_put(drawing->grid, 2, scale + 12 + i, (float)i / (SCALE_CELLS - 1), board->plain);
    add_ns(drawing, "", (double)heat->high);
    put(drawing, 2, scale + 13 + SCALE_CELLS, 11, NSC_ROLE_DIM);
}

/* The number of an iteration, or a group, above its column. */
static void draw_tick(struct drawing *drawing, uint32_t item, int col, enum nsc_role role)
{
    const struct nsc_job_values *values = drawing->board->values;

    if (drawing->board->view == NSC_BOARD_WAITS)
        add_groups(drawing, item, item + 1);
    else
        nsc_buf_printf(&drawing->line, "%" PRIu64, (uint64_t)item * values->of_a_column);
    put(drawing, HEAD - 1, col, TICK_COLS - 2, role);
}

/* Ticks, but for those in the way of the cursor's, or of the edge. */
static void draw_ruler(struct drawing *drawing, int cursor)
{
    const struct nsc_heat_axis *cols = &drawing->heat->cols;
    int next = LABEL_COLS;

    for (uint32_t c = 0; c < cols->cells; c++) {
        int col = LABEL_COLS + nsc_heat_col(drawing->heat, c);

        if (col < next)
            continue;
        next = col + TICK_COLS;
        if (next <= (int)drawing->grid->cols && (next <= cursor || col >= cursor + TICK_COLS))
            draw_tick(drawing, nsc_heat_axis_first(cols, c), col, NSC_ROLE_RULER);
    }
    nsc_grid_put(drawing->grid, HEAD - 1, cursor, NSC_ROLE_CURSOR, 0, "▼");
    draw_tick(drawing, cols->cursor, cursor + 1, NSC_ROLE_KEY);
}

/* ---- the cells ---- */

static void draw_labels(struct drawing *drawing, int current)
{
    const struct nsc_board *board = drawing->board;
    const struct nsc_heat_axis *lines = &drawing->heat->lines;

    for (uint32_t r = 0; r < lines->cells; r++) {
        uint32_t item = nsc_heat_axis_first(lines, r);
        uint32_t end = nsc_heat_axis_first(lines, r + 1);
        int row = HEAD + (int)r;

        if (board->view == NSC_BOARD_WAITS)
            add_groups(drawing, item, end);
        else
            add_rank(drawing, board->lines.rank[board->lines.first[item]],
                     board->lines.first[end] - board->lines.first[item],
                     board->folded && !nsc_board_split(board));
        if (row == current)
            nsc_grid_fill(drawing->grid, (struct nsc_rect){row, 0, 1, LABEL_COLS},
                          NSC_ROLE_LABEL_CURSOR, " ");
        put(drawing, row, 1, LABEL_COLS - 2,
            row == current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_LABEL);
    }
}

static void draw_marks(struct drawing *drawing)
{
    const struct nsc_board *board = drawing->board;
    const struct nsc_heat_axis *lines = &drawing->heat->lines;
    const struct nsc_heat_axis *cols = &drawing->heat->cols;

    for (size_t i = 0; i < nsc_bookmarks_live(&board->marks); i++) {
        uint32_t rank = nsc_board_marked(board, &board->marks.at[i]);
        uint32_t line = rank == NSC_NONE ? lines->n : nsc_lines_find(&board->lines, rank);
        uint64_t col = (uint64_t)board->marks.at[i].time / board->values->of_a_column;

        if (line - lines->first < lines->shown && col - cols->first < cols->shown)
            nsc_grid_put(drawing->grid, HEAD + (int)nsc_heat_axis_cell(lines, line),
                         LABEL_COLS +
                             nsc_heat_col(drawing->heat, nsc_heat_axis_cell(cols, (uint32_t)col)),
                         NSC_ROLE_BOOKMARK, 0, "⚑");
    }
}

static void draw_cells(struct drawing *drawing)
{
    const struct nsc_heat *heat = drawing->heat;
    struct nsc_grid *grid = drawing->grid;

    if (heat->lines.cells == 0) {
        nsc_buf_puts(&drawing->line, "the filter leaves no rank");
        put(drawing, HEAD, 1, LEAST_COLS, NSC_ROLE_WARNING);
        return;
    }
    grid->cursor_row = HEAD + (int)nsc_heat_axis_cell(&heat->lines, heat->lines.cursor);
    grid->cursor_col =
        LABEL_COLS + nsc_heat_col(heat, nsc_heat_axis_cell(&heat->cols, heat->cols.cursor));
    draw_ruler(drawing, grid->cursor_col);
    draw_labels(drawing, grid->cursor_row);
    nsc_heat_draw(heat, grid, HEAD, LABEL_COLS, drawing->board->plain);
    if (drawing->board->view == NSC_BOARD_RANKS)
        draw_marks(drawing);
    (void)nsc_grid_label(grid, grid->cursor_row, grid->cursor_col, 1, nsc_text_from("x"));
}

/* ---- the pane ---- */

/* Whom the rank kept, or who kept it, in the collective of a column that cost most. */
static void tell_meeting(struct drawing *drawing, uint32_t rank, uint32_t column)
{
    const struct nsc_meetings *meetings = drawing->board->verdicts->meetings;
    const struct nsc_job_meet *worst =
        nsc_job_worst_meet(drawing->board->values, meetings, rank, column);

    if (!worst)
        return;
    nsc_buf_puts(&drawing->line, worst->last == rank ? "It" : "");
    if (worst->last != rank)
        add_rank(drawing, worst->last, 1, false);
    nsc_buf_printf(&drawing->line, " came last of %u ranks, and kept",
                   meetings->list.at[worst->meeting].n_ranks);
    add_ns(drawing, " the others ", (double)worst->waited);
    nsc_buf_puts(&drawing->line, " together.");
    tell(drawing, NSC_ROLE_TEXT);
}

static double value_at(const struct drawing *drawing, enum nsc_job_value value, uint32_t rank,
                       uint32_t column)
{
    const struct nsc_job_values *values = drawing->board->values;

    return (double)values->at[value][(size_t)rank * values->n_columns + column];
}

static void tell_figures(struct drawing *drawing, uint32_t rank, uint32_t column)
{
    double all = value_at(drawing, NSC_JOB_DURATION, rank, column);
    double compute = value_at(drawing, NSC_JOB_COMPUTE, rank, column);
    double exposed = value_at(drawing, NSC_JOB_EXPOSED, rank, column);
    double idle = value_at(drawing, NSC_JOB_IDLE, rank, column);
    double copies = all - compute - exposed - idle;

    if (all >= 0) {
        add_ns(drawing, "", all);
        add_ns(drawing, ": compute ", compute);
        add_ns(drawing, ", exposed ", exposed);
        add_ns(drawing, ", copies ", copies > all / 1e5 ? copies : 0); /* floats are rounded */
        add_ns(drawing, ", idle ", idle);
        tell(drawing, NSC_ROLE_TEXT);
    }
    if (value_at(drawing, NSC_JOB_WAITING, rank, column) >= 0) {
        add_ns(drawing, "It waited ", value_at(drawing, NSC_JOB_WAITING, rank, column));
        add_ns(drawing, " in collectives, and came ",
               value_at(drawing, NSC_JOB_LATE, rank, column));
        nsc_buf_puts(&drawing->line, " after the others' median.");
        tell(drawing, NSC_ROLE_TEXT);
    }
}

static void tell_cell(struct drawing *drawing)
{
    const struct nsc_fleet *fleet = drawing->board->values->fleet;
    uint64_t each = drawing->board->values->of_a_column;
    struct nsc_text path;
    uint32_t rank, column;

    if (!nsc_board_at(drawing->board, &rank, &column))
        return;
    path = nsc_fleet_text(fleet, fleet->ranks.at[rank].path);
    nsc_board_name(&drawing->line, drawing->board, rank);
    nsc_buf_printf(&drawing->line, ", iteration %" PRIu64, column * each);
    if (each > 1)
        nsc_buf_printf(&drawing->line, " to %" PRIu64, (column + 1) * each - 1);
    tell(drawing, NSC_ROLE_TAB_ACTIVE);
    tell_figures(drawing, rank, column);
    tell_meeting(drawing, rank, column);
    nsc_buf_puts(&drawing->line, "export ");
    nsc_buf_add(&drawing->line, path.bytes, path.n);
    tell(drawing, NSC_ROLE_DIM);
}

static void tell_pair(struct drawing *drawing)
{
    const struct nsc_job_values *values = drawing->board->values;
    uint32_t row, col;
    float waited;

    nsc_heat_worst(drawing->heat, &row, &col);
    waited = values->waits[(size_t)row * values->n_groups + col];
    add_groups(drawing, row, row + 1);
    add_ns(drawing, " waited ", waited > 0 ? (double)waited : 0);
    nsc_buf_puts(&drawing->line, " for ");
    add_groups(drawing, col, col + 1);
    nsc_buf_puts(&drawing->line, ": in collectives that it entered last of all.");
    tell(drawing, NSC_ROLE_TEXT);
}

static void tell_marks(struct drawing *drawing)
{
    const struct nsc_board *board = drawing->board;
    size_t n = nsc_bookmarks_live(&board->marks);

    for (size_t i = n ? board->chosen % n : 0; i < n; i++) {
        const struct nsc_bookmark *mark = &board->marks.at[i];

        nsc_buf_printf(&drawing->line, "%s, iteration %" PRId64 ": %s",
                       nsc_bookmark_text(mark, NSC_BOOKMARK_PATH), mark->time,
                       nsc_bookmark_text(mark, NSC_BOOKMARK_NAME));
        tell(drawing, i == board->chosen % n ? NSC_ROLE_BOOKMARK : NSC_ROLE_TEXT);
    }
    if (n == 0)
        nsc_page_wrap(&drawing->pane, NSC_ROLE_DIM, "There are no bookmarks yet.", 2);
}

static void draw_pane(struct drawing *drawing, int row)
{
    static const char *const tabs[NSC_N_BOARD_TABS] = {" Details ", " Verdicts ", " Bookmarks "};
    const struct nsc_board *board = drawing->board;
    int cols = (int)drawing->grid->cols;
    int col = 1;

    nsc_grid_fill(drawing->grid, (struct nsc_rect){row, 0, 1, cols}, NSC_ROLE_BORDER, "─");
    for (int i = 0; i < NSC_N_BOARD_TABS; i++)
        col = 1 + nsc_grid_puts(drawing->grid, row, col, cols,
                                i == (int)board->tab ? NSC_ROLE_TAB_ACTIVE : NSC_ROLE_TAB, tabs[i]);
    drawing->pane = nsc_page(drawing->grid, (struct nsc_rect){row + 1, 1, PANE_ROWS, cols - 2}, 0,
                             drawing->grid->ascii);
    if (board->message.n) {
        nsc_page_wrap(&drawing->pane, NSC_ROLE_WARNING, board->message.bytes, 2);
        nsc_page_wrap(&drawing->pane, NSC_ROLE_KEY, board->command.n ? board->command.bytes : "",
                      2);
    } else if (board->tab == NSC_BOARD_MARKS)
        tell_marks(drawing);
    else if (board->tab == NSC_BOARD_DETAILS && board->view == NSC_BOARD_WAITS)
        tell_pair(drawing);
    else if (board->tab == NSC_BOARD_DETAILS)
        tell_cell(drawing);
    for (size_t i = board->verdict; board->tab == NSC_BOARD_VERDICTS && i < board->verdicts->list.n;
         i++) {
        nsc_verdict_sentence(&drawing->line, board->verdicts, i);
        tell(drawing, i == board->verdict ? NSC_ROLE_WARNING : NSC_ROLE_TEXT);
    }
}

/* ---- all ---- */

static void draw_last_line(struct drawing *drawing)
{
    const struct nsc_board *board = drawing->board;
    struct nsc_rect line = {(int)board->rows - 1, 0, 1, (int)board->cols};
    struct nsc_rect inside = {line.row, 1, 1, line.cols - 2};

    nsc_grid_fill(drawing->grid, line, NSC_ROLE_STATUS, " ");
    if (board->typed)
        nsc_prompt_draw(board->typed, drawing->grid, line,
                        board->typed == &board->file   ? " write to "
                        : board->typed == &board->mark ? " bookmark "
                                                       : " ranks or node ");
    else
        (void)nsc_hint_draw(drawing->grid, inside, board->keymap,
                            &(struct nsc_hint_place){NSC_KEY_SCOPE_JOB, NULL, 0});
}

int nsc_board_help_draw(const struct nsc_board *board, struct nsc_grid *grid)
{
    const struct nsc_help help = {board->keymap, NSC_KEY_SCOPE_JOB, "", nsc_board_does, false};

    return nsc_help_draw(grid, (struct nsc_rect){0, 0, (int)board->rows, (int)board->cols}, &help,
                         board->help_top);
}

void nsc_board_draw(void *context, struct nsc_grid *grid)
{
    const struct nsc_board *board = context;
    const struct nsc_heat *heat = &board->heat[board->view];
    struct drawing drawing = {
        .board = board, .heat = heat, .grid = grid, .line = NSC_BUF_INIT(SIZE_MAX)};
    struct nsc_rect all = {0, 0, (int)board->rows, (int)board->cols};

    nsc_grid_resize(grid, board->rows, board->cols);
    grid->cursor_row = grid->cursor_col = grid->window_col = -1;
    if (all.rows < LEAST_ROWS || all.cols < LEAST_COLS) {
        (void)nsc_grid_puts(grid, 0, 0, all.cols, NSC_ROLE_WARNING, "a job needs 60x13");
        return;
    }
    draw_head(&drawing);
    draw_what(&drawing);
    draw_cells(&drawing);
    draw_pane(&drawing, all.rows - PANE_ROWS - 2);
    draw_last_line(&drawing);
    if (board->helps)
        (void)nsc_board_help_draw(board, grid);
    nsc_buf_fini(&drawing.line);
}
