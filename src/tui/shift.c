/*
 * Shifts rows on the terminal and in curscr, curses' picture of it.
 *
 * Curses deletes and inserts characters only if the end of a row stays the same, which never holds
 * for a row of a time window. So we write the sequences ourselves and shift curscr alike; curses
 * then sends only the difference to the shifted rows.
 */
#include "tui/shift.h"

#include "tui/terminfo.h"

#include <curses.h>
#include <math.h>
#include <string.h>
#include <term.h>

/* Estimated bytes: to send a cell, to move the cursor, to shift a row. */
enum { CELL_COST = 3, MOVE_COST = 12, SHIFT_COST = 8, PIECE = 256 };

static const char *string_of(const char *capability)
{
    const char *string = nsc_terminfo_string(capability);

    /* Strings with delays are for terminals too old to shift. */
    return string && !strstr(string, "$<") ? string : NULL;
}

void nsc_shift_init(struct nsc_shift *shift)
{
    shift->address = string_of("cup");
    shift->down = string_of("cud");
    shift->insert = string_of("ich");
    shift->erase = string_of("dch");
    shift->erase_one = string_of("dch1");
    shift->down_one = string_of("cud1");
    shift->ready = shift->address && shift->down && shift->insert && shift->erase;
}

int nsc_shift_measure(struct nsc_window from, struct nsc_window to, uint32_t n)
{
    uint64_t length = (uint64_t)to.t1 - (uint64_t)to.t0;
    uint64_t before = (uint64_t)from.t1 - (uint64_t)from.t0;
    long double by = 0;

    /* Windows end on whole ns, so panning may change the length by one. */
    if (!length || (length > before ? length - before : before - length) > 1)
        return 0;
    by = ((long double)to.t0 - (long double)from.t0) * n / (long double)length;
    return fabsl(by) < n ? (int)lroundl(by) : 0;
}

/* Estimated bytes to rewrite a row if the terminal shows `was` shifted by `by` columns from `col`
 * on. */
static int cost_of(const struct nsc_cell *was, const struct nsc_cell *row, int col, int cols,
                   int by)
{
    static const struct nsc_cell blank = {{' '}, 1, 1, NSC_ROLE_TEXT, 0};
    bool same = true;
    int cost = 0;

    for (int c = col; c < cols; c++) {
        int from = c + by;
        const struct nsc_cell *cell = from >= col && from < cols ? &was[from] : &blank;
        bool was_same = same;

        same = !memcmp(cell, &row[c], sizeof *cell);
        cost += same ? 0 : was_same ? CELL_COST + MOVE_COST : CELL_COST;
    }
    return cost;
}

static bool is_narrow(const struct nsc_cell *row, int col, int cols)
{
    for (int c = col; c < cols; c++)
        if (row[c].width != 1)
            return false;
    return true;
}

static bool row_pays(const struct nsc_cell *was, const struct nsc_cell *row, int col, int cols,
                     int by)
{
    int cost = 0;

    /* keeps the two halves of a wide character together */
    if (!memcmp(was + col, row + col, (size_t)(cols - col) * sizeof *row) ||
        !is_narrow(was, col, cols))
        return false;
    cost = cost_of(was, row, col, cols, 0);
    return cost > SHIFT_COST && cost_of(was, row, col, cols, by) + SHIFT_COST < cost;
}

/* Shifts a row in curses' picture; cells that enter are blank. */
static void picture_shift(int row, int col, int cols, int by)
{
    static const wchar_t space[] = L" ";
    cchar_t piece[PIECE];
    int step = by > 0 ? 1 : -1;
    int n = by > 0 ? by : -by;
    int y = 0;
    int x = 0;

    getyx(curscr, y, x);
    /* Moves piece by piece, starting on the side that the row moves to. */
    for (int done = 0; done < cols - col - n;) {
        int left = cols - col - n - done;
        int size = left < PIECE - 1 ? left : PIECE - 1;
        int to = step > 0 ? col + done : cols - done - size;

        mvwin_wchnstr(curscr, row, to + by, piece, size);
        mvwadd_wchnstr(curscr, row, to, piece, size);
        done += size;
    }
    setcchar(piece, space, A_NORMAL, 0, NULL);
    for (int i = 0; i < n; i++)
        mvwadd_wchnstr(curscr, row, step > 0 ? cols - 1 - i : col + i, piece, 1);
    wmove(curscr, y, x);
}

void nsc_shift_rows(struct nsc_buf *out, const struct nsc_shift *shift,
                    const struct nsc_shift_frame *frame, const struct nsc_grid *grid)
{
    int cols = (int)grid->cols;
    int col = grid->window_col;
    int n = frame->by > 0 ? frame->by : -frame->by;
    int at = -1; /* row of the terminal's cursor */

    for (int row = 0; row < (int)grid->rows; row++) {
        const struct nsc_cell *was = &frame->shown[(size_t)row * grid->cols];
        const struct nsc_cell *cells = &grid->cells[(size_t)row * grid->cols];

        if (!row_pays(was, cells, col, cols, frame->by))
            continue;
        if (at < 0)
            nsc_buf_puts(out, tiparm(shift->address, row, col));
        else if (row == at + 1 && shift->down_one)
            nsc_buf_puts(out, shift->down_one);
        else
            nsc_buf_puts(out, tiparm(shift->down, row - at));
        if (frame->by == 1 && shift->erase_one)
            nsc_buf_puts(out, shift->erase_one);
        else
            nsc_buf_puts(out, tiparm(frame->by > 0 ? shift->erase : shift->insert, n));
        picture_shift(row, col, cols, frame->by);
        at = row;
    }
    if (at >= 0)
        nsc_buf_puts(out, tiparm(shift->address, frame->cursor_row, frame->cursor_col));
}
