/*
 * Chooses the sizes. On a smaller screen the overview is dropped first, then the pane; then the
 * labels get narrower.
 */
#include "view/kit/layout.h"

enum {
    OVERVIEW_MIN_ROWS = 16,
    PANE_MIN_ROWS = 14,
    PANE_MIN_TIMELINE = 4,
    LABELS_MIN = 10,
    LABELS_LEAST = 20,
    LABELS_MOST = 36,
    BESIDE_COLS = 140
};

static struct nsc_rect rect(int row, int col, int rows, int cols)
{
    struct nsc_rect r = {row, col, rows, cols};

    return r;
}

static int label_cols(int cols, int whole)
{
    int wanted = cols / 5 < LABELS_MOST ? cols / 5 : LABELS_MOST;
    int most = cols * 3 / 10;
    int wide =
        cols / 4 < LABELS_MOST ? LABELS_MOST : cols / 4; /* long labels, where there is room */

    if (cols < 80) {
        wanted = LABELS_MIN + (cols - NSC_LAYOUT_MIN_COLS) * 2 / 5;
        return wanted < LABELS_LEAST ? wanted : LABELS_LEAST;
    }
    if (whole > wanted)
        wanted = whole < most ? whole : most;
    if (wanted < LABELS_LEAST)
        return LABELS_LEAST;
    return wanted < wide ? wanted : wide;
}

static int pane_rows(int rows)
{
    if (rows < 22)
        return 3;
    if (rows < 34)
        return 4;
    if (rows < 50)
        return 9;
    return 12;
}

/* The pane's rows of body: the rows left for timeline and pane after title, status, ruler and
 * overview. */
static int pane_share(int rows, int body, struct nsc_layout_options options)
{
    int want = pane_rows(rows);
    int tall = options.pane_tall ? (body - 1) / 2 : 0;

    if (!options.pane)
        return 0;
    if (options.pane_full)
        return body - 1;
    if (options.pane_lines > 0 && options.pane_lines < tall)
        tall = options.pane_lines;
    want = want > tall ? want : tall;
    if (rows < PANE_MIN_ROWS || body - 1 - want < PANE_MIN_TIMELINE)
        return 0;
    want += options.spare > 0 ? options.spare : 0;
    return want < body - 1 ? want : body - 2;
}

struct nsc_layout nsc_layout_build(uint32_t n_rows, uint32_t n_cols,
                                   struct nsc_layout_options options)
{
    struct nsc_layout layout = {0};
    int rows = (int)n_rows;
    int cols = (int)n_cols;
    bool full = options.pane && options.pane_full;
    int side = full && options.beside && cols >= BESIDE_COLS ? cols / 2 : 0; /* for the pane */
    int left = label_cols(cols - side, options.labels);
    int top = 1;
    int axis = 0, strip = 0, pane = 0, body = 0;

    if (rows < NSC_LAYOUT_MIN_ROWS || cols < NSC_LAYOUT_MIN_COLS) {
        layout.too_small = true;
        layout.note = rect(0, 0, rows ? 1 : 0, cols);
        return layout;
    }
    layout.left = left;
    layout.title = rect(0, 0, 1, cols);
    layout.status = rect(rows - 1, 0, 1, cols);
    if (side) {
        cols -= side;
        full = options.pane = false;
        layout.tabs = rect(top, cols, 1, side);
        layout.pane = rect(top + 1, cols, rows - 2 - top, side);
    }
    if (!full) {
        axis = rows >= OVERVIEW_MIN_ROWS ? 2 : 1;
        strip = options.strip && axis == 2;
        if (axis == 2)
            layout.overview = rect(top, left, 1, cols - left);
        layout.ruler = rect(top + axis - 1, left, 1, cols - left);
        layout.strip = rect(top + axis, left, strip, strip ? cols - left : 0);
        layout.corner = rect(top, 0, axis + strip, left);
    }
    top += axis + strip;
    body = rows - 1 - top;
    pane = pane_share(rows, body, options);
    options.spare = 0;
    layout.room = full ? 0 : body - (pane ? pane_share(rows, body, options) + 1 : 0);
    if (pane) {
        layout.tabs = rect(rows - 2 - pane, 0, 1, cols);
        layout.pane = rect(rows - 1 - pane, 0, pane, cols);
        body -= pane + 1;
    }
    if (!full) {
        layout.labels = rect(top, 0, body, left);
        layout.timeline = rect(top, left, body, cols - left);
    }
    return layout;
}

bool nsc_rect_has(struct nsc_rect r, int row, int col)
{
    return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}
