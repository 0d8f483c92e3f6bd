/*
 * Compares rows of the terminal with the rows that shall be there, moved or not.
 */
#include "core/die.h"
#include "tui/display.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Estimated bytes: to send a cell, to move the cursor, to shift a row. */
enum { CELL_COST = 3, MOVE_COST = 12, SHIFT_COST = 8 };
enum { SCROLLED = 3 }; /* rows from which on scrolling pays */

/* ---- sideways ---- */

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

/* Estimated bytes to write n inks where `shown` is shifted by `by`; cells that enter are new. */
static int cost_of(const struct nsc_ink *shown, const struct nsc_ink *inks, int n, int by)
{
    bool same = true;
    int cost = 0;

    for (int i = 0; i < n; i++) {
        bool was_same = same;

        same = i + by >= 0 && i + by < n && !memcmp(&shown[i + by], &inks[i], sizeof *inks);
        cost += same ? 0 : was_same ? CELL_COST + MOVE_COST : CELL_COST;
    }
    return cost;
}

/* Keeps the two halves of a wide character together. */
static bool is_narrow(const struct nsc_ink *inks, int n)
{
    for (int i = 0; i < n; i++)
        if (inks[i].width != 1)
            return false;
    return true;
}

void nsc_shift_rows(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks,
                    int col, int by)
{
    int n = display->cols - col;

    for (int row = 0; row < display->rows; row++) {
        int at = row * display->cols + col;
        int cost = cost_of(&display->shown[at], &inks[at], n, 0);

        if (cost > SHIFT_COST && is_narrow(&display->shown[at], n) &&
            cost_of(&display->shown[at], &inks[at], n, by) + SHIFT_COST < cost)
            nsc_display_shift(out, display, row, col, by);
    }
}

/* ---- up and down ---- */

struct scroll {
    int top, end; /* rows that scroll: [top, end) */
    int by;
    int gain; /* rows that need not be written */
};

/* Whether a row shows what another row shall show. */
static bool row_is(const struct nsc_display *display, int shown, const struct nsc_ink *inks,
                   int row)
{
    size_t cols = (size_t)display->cols;

    return !memcmp(display->shown + (size_t)shown * cols, inks + (size_t)row * cols,
                   cols * sizeof *inks);
}

/* The scroll for rows [from, to), which are shown `by` rows below. */
static struct scroll scroll_of(const struct nsc_display *display, const struct nsc_ink *inks,
                               int from, int to, int by)
{
    struct scroll scroll = {by > 0 ? from : from + by, by > 0 ? to + by : to, by, to - from};

    for (int row = scroll.top; row < scroll.end; row++)
        scroll.gain -= row_is(display, row, inks, row);
    return scroll;
}

/* Which rows change into something to look for: not into blanks or a line. */
static bool *find_changed(const struct nsc_display *display, const struct nsc_ink *inks)
{
    bool *changed = nsc_xcalloc((size_t)display->rows, sizeof *changed);
    size_t same = (size_t)(display->cols - 1) * sizeof *inks;

    for (int row = 0; row < display->rows; row++) {
        const struct nsc_ink *ink = inks + (size_t)row * (size_t)display->cols;

        changed[row] = memcmp(ink, ink + 1, same) != 0 && !row_is(display, row, inks, row);
    }
    return changed;
}

/* The best scroll by `by` rows. */
static struct scroll find_scroll(const struct nsc_display *display, const struct nsc_ink *inks,
                                 const bool *changed, int by)
{
    struct scroll best = {0};
    int end = by > 0 ? display->rows - by : display->rows;
    int from = by > 0 ? 0 : -by;

    for (int row = from; row <= end; row++) {
        struct scroll next;

        if (row < end && changed[row] && row_is(display, row + by, inks, row))
            continue;
        if (row - from >= SCROLLED) {
            next = scroll_of(display, inks, from, row, by);
            best = next.gain > best.gain ? next : best;
        }
        from = row + 1;
    }
    return best;
}

void nsc_shift_scroll(struct nsc_buf *out, struct nsc_display *display, const struct nsc_ink *inks)
{
    bool *changed = find_changed(display, inks);
    struct scroll best = {0};

    for (int by = 1 - display->rows; by < display->rows; by++) {
        struct scroll next = find_scroll(display, inks, changed, by);

        best = next.gain > best.gain ? next : best;
    }
    free(changed);
    if (best.gain >= SCROLLED)
        nsc_display_scroll(out, display, best.top, best.end, best.by);
}
