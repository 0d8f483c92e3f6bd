/*
 * The overlap pane: one line of shades per class of work, exact figures, and the streams that run
 * together.
 */
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_COL = 2, FIGURE_COL = 20, SECOND_COL = 42, THIRD_COL = 68, CELL_COLS = 8 };

/* A line for a class of work: a cover, or the part of one cover (the device's; NULL: the whole
 * window) outside of another. */
struct heat {
    const char *name;
    enum nsc_role role;
    uint8_t shade;
    const struct nsc_cover *cover, *less;
    bool is_rest; /* the part of cover outside of less */
};

enum { N_HEATS = NSC_N_OP_CLASSES + 3, BRIGHT = 255, MATRIX = 0x80, COMMON = 0x80 };

static void heats_list(const struct nsc_device_covers *covers, struct heat out[N_HEATS])
{
    struct heat heats[N_HEATS] = {
        {"compute", NSC_ROLE_KERNEL, MATRIX, covers->work[NSC_OP_COMPUTE], NULL, false},
        {"communication", NSC_ROLE_COMM, COMMON, covers->work[NSC_OP_COMM], NULL, false},
        {"  overlapped", NSC_ROLE_OVERLAP_BOTH, BRIGHT, covers->hidden, NULL, false},
        {"  exposed", NSC_ROLE_OVERLAP_EXPOSED, BRIGHT, covers->work[NSC_OP_COMM], covers->hidden,
         true},
        {"copies HtoD", NSC_ROLE_COPY_HTOD, 0, covers->work[NSC_OP_HTOD], NULL, false},
        {"copies DtoH", NSC_ROLE_COPY_DTOH, 0, covers->work[NSC_OP_DTOH], NULL, false},
        {"copies DtoD, peer", NSC_ROLE_COPY_DTOD, 0, covers->work[NSC_OP_PEER], NULL, false},
        {"memset", NSC_ROLE_MEMSET, 0, covers->work[NSC_OP_MEMSET], NULL, false},
        {"idle", NSC_ROLE_DIM, 0, NULL, covers->busy, true},
    };

    memcpy(out, heats, sizeof heats);
}

/* Lines without any work in the recording are dropped. */
static bool heat_is_shown(const struct heat *heat)
{
    return heat->cover || (heat->is_rest && heat->less);
}

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

static nsc_time heat_measure(const struct heat *heat, struct nsc_window w)
{
    nsc_time of = heat->cover ? measure(heat->cover, w) : heat->is_rest ? nsc_window_length(w) : 0;

    return heat->is_rest ? of - measure(heat->less, w) : of;
}

/* ---- lines of shades ---- */

/* The columns of the timeline, even if it is hidden. */
static struct nsc_rect columns_of(const struct nsc_scene *scene)
{
    int left = scene->layout.left;

    return (struct nsc_rect){0, left, 1, (int)scene->cols - left};
}

/* Busy time of each column, into the scratch. */
static void heat_bins(const struct nsc_scene *scene, const struct heat *heat, uint32_t cols)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    nsc_time *out = scene->times;
    nsc_time *less = scene->times + scene->scratch_cols;

    if (heat->cover)
        nsc_cover_bins(heat->cover, w, cols, out);
    else
        for (uint32_t c = 0; c < cols; c++)
            out[c] = nsc_window_column(w, c, cols);
    if (!heat->is_rest || !heat->less)
        return;
    nsc_cover_bins(heat->less, w, cols, less);
    for (uint32_t c = 0; c < cols; c++)
        out[c] -= less[c];
}

static void shades_draw(const struct nsc_scene *scene, const struct nsc_page *page,
                        const struct heat *heat)
{
    struct nsc_rect rect = columns_of(scene);
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    uint32_t cols = (uint32_t)rect.cols;
    int row = page->rect.row + page->line - page->top;
    int cursor = nsc_window_col(w, cols, scene->cursor);

    if (!page->grid || page->line < page->top || page->line - page->top >= page->rect.rows)
        return;
    if (cursor >= 0 && cursor < rect.cols)
        nsc_grid_put(page->grid, row, rect.col + cursor, NSC_ROLE_CURSOR, 0, "│");
    heat_bins(scene, heat, cols);
    rect.row = row;
    nsc_bars_times_draw(page->grid, rect, w, scene->times, heat->role, heat->shade);
}

/* Draws a name at the left, and the share of the window before the columns. */
static void heat_put(const struct nsc_scene *scene, struct nsc_page *page, const struct heat *heat)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    int labels = columns_of(scene).col - page->rect.col - 1;
    char share[NSC_UNITS_BYTES];

    nsc_units_percent(share, heat_measure(heat, w), nsc_window_length(w));
    shades_draw(scene, page, heat);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_LABEL, heat->name);
    if (page->col + (int)strlen(share) < labels) {
        page->col = labels - (int)strlen(share);
        nsc_page_puts(page, NSC_ROLE_SHARE, share);
    }
    nsc_page_end(page);
}

static void heats_put(const struct nsc_scene *scene, struct nsc_page *page,
                      const struct nsc_device_covers *covers)
{
    struct heat heats[N_HEATS];

    heats_list(covers, heats);
    for (int i = 0; i < N_HEATS; i++)
        if (heat_is_shown(&heats[i]))
            heat_put(scene, page, &heats[i]);
}

/* ---- exact figures ---- */

static void duration_put(struct nsc_page *page, int right, nsc_time part)
{
    char text[NSC_UNITS_BYTES];

    nsc_units_duration(text, part, page->ascii);
    page->col = right - (int)nsc_text_width(nsc_text_from(text), page->ascii);
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
}

static void share_put(struct nsc_page *page, int right, nsc_time part, nsc_time whole)
{
    char share[NSC_UNITS_BYTES];

    nsc_units_percent(share, part, whole);
    page->col = right - (int)strlen(share);
    nsc_page_puts(page, NSC_ROLE_SHARE, share);
}

/* "1.23 ms  12.3 %". */
static void figure_put(struct nsc_page *page, int col, nsc_time part, nsc_time whole)
{
    duration_put(page, col + 12, part);
    share_put(page, col + 20, part, whole);
}

static void figures_head(struct nsc_page *page)
{
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_DIM, "time and share");
    page->col = FIGURE_COL + 2;
    nsc_page_puts(page, NSC_ROLE_DIM, "of the cursor's column");
    page->col = SECOND_COL + 9;
    nsc_page_puts(page, NSC_ROLE_DIM, "of the window");
    page->col = THIRD_COL;
    nsc_page_line(page, NSC_ROLE_DIM, "of communication");
}

static void figures_line(struct nsc_page *page, const struct heat *heats, int i,
                         const struct nsc_window w[2])
{
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_LABEL, heats[i].name);
    figure_put(page, FIGURE_COL, heat_measure(&heats[i], w[0]), nsc_window_length(w[0]));
    figure_put(page, SECOND_COL, heat_measure(&heats[i], w[1]), nsc_window_length(w[1]));
    if (heats[i].name[0] == ' ') /* a part of communication */
        share_put(page, THIRD_COL + 7, heat_measure(&heats[i], w[1]),
                  heat_measure(&heats[1], w[1]));
    nsc_page_end(page);
}

static void figures_put(const struct nsc_scene *scene, struct nsc_page *page,
                        const struct nsc_device_covers *covers)
{
    uint32_t cols = (uint32_t)columns_of(scene).cols;
    struct nsc_window all = nsc_viewport_window(&scene->viewport);
    int col = nsc_window_col(all, cols, scene->cursor);
    uint32_t c = col < 0 ? 0 : (uint32_t)col >= cols ? cols - 1 : (uint32_t)col;
    struct nsc_window w[2] = {{nsc_window_cut(all, c, cols), nsc_window_cut(all, c + 1, cols)},
                              all};
    struct heat heats[N_HEATS];

    heats_list(covers, heats);
    figures_head(page);
    for (int i = 0; i < N_HEATS; i++)
        if (heat_is_shown(&heats[i]))
            figures_line(page, heats, i, w);
}

/* ---- streams together ---- */

static struct nsc_text stream_label(const struct nsc_scene *scene, uint32_t track, bool brief)
{
    struct nsc_text text =
        nsc_trace_string(scene->trace, nsc_trace_track(scene->trace, track)->label);

    for (uint32_t i = 0; brief && i < text.n; i++)
        if (text.bytes[i] == ' ')
            text.n = i;
    return text;
}

/* Busy time of the less busy of two streams: the upper bound of their overlap. */
static nsc_time smaller(const struct nsc_overlap *overlap, uint32_t i, uint32_t k)
{
    nsc_time a = overlap->together[i][i];
    nsc_time b = overlap->together[k][k];

    return a < b ? a : b;
}

static void cell_put(struct nsc_page *page, const struct nsc_overlap *overlap, uint32_t i,
                     uint32_t k, int col)
{
    char share[NSC_UNITS_BYTES];

    if (i == k)
        (void)snprintf(share, sizeof share, "%s", page->ascii ? "-" : "·");
    else if (!overlap->together[i][k])
        (void)snprintf(share, sizeof share, "0");
    else
        nsc_units_percent(share, overlap->together[i][k], smaller(overlap, i, k));
    page->col = col + CELL_COLS - 1 - (int)nsc_text_width(nsc_text_from(share), false);
    nsc_page_puts(page, i == k || !overlap->together[i][k] ? NSC_ROLE_DIM : NSC_ROLE_TEXT, share);
}

static void matrix_put(const struct nsc_scene *scene, struct nsc_page *page,
                       const struct nsc_overlap *overlap)
{
    for (uint32_t k = 0; k < overlap->n; k++) {
        page->col = FIGURE_COL + (int)k * CELL_COLS + 1;
        nsc_page_text(page, NSC_ROLE_LABEL, stream_label(scene, overlap->track[k], true));
    }
    nsc_page_end(page);
    for (uint32_t i = 0; i < overlap->n; i++) {
        nsc_page_tab(page, LABEL_COL - 1);
        nsc_page_text(page, NSC_ROLE_LABEL, stream_label(scene, overlap->track[i], false));
        for (uint32_t k = 0; k < overlap->n; k++)
            cell_put(page, overlap, i, k, FIGURE_COL + (int)k * CELL_COLS);
        nsc_page_end(page);
    }
}

struct pair {
    uint32_t i, k;
};

/* Lists pairs that overlap, the longest first. */
static uint32_t pairs_list(const struct nsc_overlap *overlap,
                           struct pair out[NSC_OVERLAP_STREAMS * NSC_OVERLAP_STREAMS])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < overlap->n; i++) {
        for (uint32_t k = i + 1; k < overlap->n; k++) {
            uint32_t at = n;

            if (!overlap->together[i][k])
                continue;
            for (; at > 0 &&
                   overlap->together[out[at - 1].i][out[at - 1].k] < overlap->together[i][k];
                 at--)
                out[at] = out[at - 1];
            out[at] = (struct pair){i, k};
            n++;
        }
    }
    return n;
}

static void pairs_put(const struct nsc_scene *scene, struct nsc_page *page,
                      const struct nsc_overlap *overlap)
{
    struct pair pairs[NSC_OVERLAP_STREAMS * NSC_OVERLAP_STREAMS];
    uint32_t n = pairs_list(overlap, pairs);

    for (uint32_t p = 0; p < n; p++) {
        uint32_t i = pairs[p].i;
        uint32_t k = pairs[p].k;
        uint32_t least = overlap->together[i][i] <= overlap->together[k][k] ? i : k;

        nsc_page_tab(page, LABEL_COL - 1);
        nsc_page_text(page, NSC_ROLE_LABEL, stream_label(scene, overlap->track[i], true));
        nsc_page_puts(page, NSC_ROLE_DIM, " and ");
        nsc_page_text(page, NSC_ROLE_LABEL, stream_label(scene, overlap->track[k], true));
        figure_put(page, FIGURE_COL, overlap->together[i][k], smaller(overlap, i, k));
        nsc_page_puts(page, NSC_ROLE_DIM, " of ");
        nsc_page_text(page, NSC_ROLE_LABEL, stream_label(scene, overlap->track[least], true));
        nsc_page_end(page);
    }
    if (n)
        return;
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_line(page, NSC_ROLE_DIM, "No two streams run at the same time in the window.");
}

static void graphs_put(const struct nsc_scene *scene, struct nsc_page *page,
                       const struct nsc_overlap *overlap)
{
    char scratch[NSC_NAME_BYTES];
    char work[NSC_UNITS_BYTES], n[NSC_UNITS_BYTES];

    if (!overlap->n_graphs)
        return;
    nsc_units_duration(work, overlap->graph, page->ascii);
    nsc_units_count(n, overlap->n_graphs);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_DIM, "Compute counts ");
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_trace_event_text(scene->trace, overlap->last_graph, true, scratch));
    nsc_page_printf(page, NSC_ROLE_DIM, ": %s %s recorded as graphs, %s of work", n,
                    overlap->n_graphs == 1 ? "launch" : "launches", work);
    nsc_page_puts(page, NSC_ROLE_DIM, "; what runs inside them is not in the export.");
    nsc_page_end(page);
}

static void streams_head(struct nsc_page *page, const struct nsc_overlap *overlap)
{
    nsc_page_skip(page);
    nsc_page_tab(page, LABEL_COL - 1);
    if (!overlap)
        nsc_page_line(page, NSC_ROLE_GROUP, "streams at once: measuring");
    else if (overlap->n < overlap->n_working)
        nsc_page_printf(page, NSC_ROLE_GROUP,
                        "streams at once, the busiest %u of %u: share of the less busy one's time",
                        overlap->n, overlap->n_working);
    else
        nsc_page_line(page, NSC_ROLE_GROUP,
                      "streams at once: share of the less busy one's time in the window");
}

static void streams_put(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        struct nsc_page *page)
{
    const struct nsc_overlap *overlap = explore->has_overlap ? &explore->overlap : NULL;

    streams_head(page, overlap);
    if (!overlap)
        return;
    if (overlap->n > 1)
        matrix_put(scene, page, overlap);
    pairs_put(scene, page, overlap);
    graphs_put(scene, page, overlap);
}

static void head_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t device)
{
    const struct nsc_track *track = nsc_trace_track(scene->trace, device);
    char scratch[NSC_NAME_BYTES];

    nsc_page_text(page, NSC_ROLE_GROUP, nsc_trace_string(scene->trace, track->label));
    if (track->depth) {
        nsc_page_puts(page, NSC_ROLE_DIM, " · ");
        nsc_page_text(page, NSC_ROLE_TEXT, nsc_scene_capture_label(scene, device, scratch));
    }
    nsc_page_puts(
        page, NSC_ROLE_DIM,
        nsc_scene_is_filtered(scene)
            ? "  share of each column that is busy, of all streams; the filter does not count"
            : "  share of each column that is busy, of all streams");
    nsc_page_end(page);
}

int nsc_pane_overlap_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                          struct nsc_rect rect)
{
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, view->top, scene->ascii);
    uint32_t device = nsc_scene_device(scene);

    if (columns_of(scene).cols <= 0)
        return 0;
    if (device == NSC_NONE) {
        nsc_page_line(&page, NSC_ROLE_DIM,
                      scene->early
                          ? "This comes with the rest of the export, which is still being read."
                          : "No GPU work in this export: record with  nsys profile -t cuda");
        return page.line;
    }
    head_put(scene, &page, device);
    heats_put(scene, &page, nsc_trace_device_covers(scene->trace, device));
    nsc_page_skip(&page);
    figures_put(scene, &page, nsc_trace_device_covers(scene->trace, device));
    streams_put(scene, view->explore, &page);
    return page.line;
}
