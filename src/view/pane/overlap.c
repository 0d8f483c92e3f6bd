/*
 * The overlap pane: one line of shades per class of work, exact figures, and which streams run
 * together.
 */
#include "analysis/base/activity.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum {
    LABEL_COL = 2,
    NAME_COLS = 16,
    FIGURE_COL = 18,
    SECOND_COL = 46,
    CELL_COLS = 8,
    CELL_BYTES = 96,
    MAX_SHADE = 255
};

struct heat { /* a class of work as a line */
    const char *name;
    const struct nsc_cover *cover;
};

enum { N_HEATS = NSC_N_OP_CLASSES + 1 };

static void heats_list(const struct nsc_device_covers *covers, struct heat out[N_HEATS])
{
    static const char *const names[NSC_N_OP_CLASSES] = {
        [NSC_OP_COMPUTE] = "compute", [NSC_OP_COMM] = "comm",          [NSC_OP_HTOD] = "copy HtoD",
        [NSC_OP_DTOH] = "copy DtoH",  [NSC_OP_PEER] = "copy D2D/peer", [NSC_OP_MEMSET] = "memset",
    };

    for (int i = 0; i < NSC_N_OP_CLASSES; i++)
        out[i] = (struct heat){names[i], covers->work[i]};
    out[NSC_N_OP_CLASSES] = (struct heat){"overlap", covers->overlap};
}

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

/* ---- lines of shades ---- */

/* The columns of the timeline, also where it is not shown. */
static struct nsc_rect columns_of(const struct nsc_scene *scene)
{
    struct nsc_layout_options options = {.pane = false};
    struct nsc_rect rect = nsc_layout_build(scene->rows, scene->cols, options).timeline;

    return rect;
}

static void shades_draw(const struct nsc_scene *scene, const struct nsc_page *page,
                        const struct nsc_cover *cover)
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
    if (!cover)
        return;
    nsc_cover_bins(cover, w, cols, scene->times);
    for (uint32_t c = 0; c < cols; c++) {
        nsc_time length = nsc_window_cut(w, c + 1, cols) - nsc_window_cut(w, c, cols);
        uint32_t eighths = nsc_bars_eighths(scene->times[c], length);

        if (eighths)
            nsc_grid_put(page->grid, row, rect.col + (int)c, NSC_ROLE_HEAT,
                         (uint8_t)((long double)scene->times[c] * MAX_SHADE / (long double)length),
                         nsc_bars_lower[eighths]);
    }
}

/* "copy HtoD", or "HtoD" where that does not fit beside the share. */
static const char *short_name(const char *name, int room)
{
    static const char copy[] = "copy ";

    return (int)strlen(name) > room && strncmp(name, copy, sizeof copy - 1) == 0
               ? name + sizeof copy - 1
               : name;
}

/* A name at the left, the share of the window before the columns. */
static void heat_put(const struct nsc_scene *scene, struct nsc_page *page, const struct heat *heat)
{
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    int labels = columns_of(scene).col - page->rect.col - 1;
    char share[NSC_UNITS_BYTES];

    nsc_units_percent(share, measure(heat->cover, w), nsc_window_length(w));
    shades_draw(scene, page, heat->cover);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_LABEL,
                  short_name(heat->name, labels - (int)strlen(share) - 1 - page->col));
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
        if (heats[i].cover || i == NSC_OP_COMPUTE || i == NSC_OP_COMM)
            heat_put(scene, page, &heats[i]);
}

/* ---- exact figures ---- */

/* "1 234 567 ns  12.3 %". */
static void figure_put(struct nsc_page *page, int col, nsc_time part, nsc_time whole)
{
    char ns[NSC_UNITS_BYTES];
    char share[NSC_UNITS_BYTES];

    nsc_units_count(ns, (uint64_t)part);
    nsc_units_percent(share, part, whole);
    page->col = col + 15 - (int)strlen(ns) > page->col ? col + 15 - (int)strlen(ns) : page->col;
    nsc_page_puts(page, NSC_ROLE_TEXT, ns);
    nsc_page_puts(page, NSC_ROLE_DIM, " ns ");
    page->col += 7 - (int)strlen(share) > 0 ? 7 - (int)strlen(share) : 0;
    nsc_page_puts(page, NSC_ROLE_SHARE, share);
}

static void figures_line(struct nsc_page *page, const char *name, const nsc_time part[2],
                         const nsc_time whole[2])
{
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_LABEL, name);
    figure_put(page, FIGURE_COL, part[0], whole[0]);
    figure_put(page, SECOND_COL, part[1], whole[1]);
    nsc_page_end(page);
}

static void figures_head(struct nsc_page *page, const struct nsc_activity at[2])
{
    char text[NSC_UNITS_BYTES];

    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_DIM, "share of");
    page->col = FIGURE_COL;
    nsc_units_count(text, (uint64_t)at[0].window);
    nsc_page_puts(page, NSC_ROLE_DIM, "cursor column ");
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
    nsc_page_puts(page, NSC_ROLE_DIM, " ns");
    page->col = page->col + 2 > SECOND_COL ? page->col + 2 : SECOND_COL;
    nsc_units_count(text, (uint64_t)at[1].window);
    nsc_page_puts(page, NSC_ROLE_DIM, "window ");
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
    nsc_page_puts(page, NSC_ROLE_DIM, " ns");
    nsc_page_end(page);
}

static void classes_put(struct nsc_page *page, const struct nsc_device_covers *covers,
                        const struct nsc_window w[2], const nsc_time whole[2])
{
    struct heat heats[N_HEATS];

    heats_list(covers, heats);
    for (int i = 0; i < N_HEATS; i++) {
        nsc_time part[2] = {measure(heats[i].cover, w[0]), measure(heats[i].cover, w[1])};

        if (heats[i].cover)
            figures_line(page, heats[i].name, part, whole);
    }
}

/* Figures of communication, as shares of communication time. */
static void comm_put(struct nsc_page *page, const struct nsc_activity at[2])
{
    nsc_time comm[2] = {at[0].comm, at[1].comm};
    nsc_time exposed[2] = {at[0].exposed, at[1].exposed};
    nsc_time overlap[2] = {at[0].overlap, at[1].overlap};
    nsc_time whole[2] = {at[0].window, at[1].window};

    if (!at[1].comm)
        return;
    figures_line(page, "exposed comm", exposed, whole);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_DIM, "share of communication");
    nsc_page_end(page);
    figures_line(page, "overlap", overlap, comm);
    figures_line(page, "exposed comm", exposed, comm);
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
    struct nsc_activity at[2] = {nsc_device_activity(covers, w[0]),
                                 nsc_device_activity(covers, w[1])};
    nsc_time whole[2] = {at[0].window, at[1].window};
    nsc_time busy[2] = {at[0].busy, at[1].busy};
    nsc_time idle[2] = {at[0].idle, at[1].idle};

    figures_head(page, at);
    figures_line(page, "busy", busy, whole);
    figures_line(page, "idle", idle, whole);
    classes_put(page, covers, w, whole);
    comm_put(page, at);
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

/* Busy time of the less busy of two streams: the most they could share. */
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

/* Pairs that share time, those that share most first. */
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
    nsc_page_puts(page, NSC_ROLE_DIM, "No two streams run at the same time in the window.");
    nsc_page_end(page);
}

static void graphs_put(const struct nsc_scene *scene, struct nsc_page *page,
                       const struct nsc_overlap *overlap)
{
    char scratch[NSC_NAME_BYTES];
    char text[2 * CELL_BYTES];
    char ns[NSC_UNITS_BYTES];
    char n[NSC_UNITS_BYTES];

    if (!overlap->n_graphs)
        return;
    nsc_units_count(ns, (uint64_t)overlap->graph);
    nsc_units_count(n, overlap->n_graphs);
    (void)snprintf(text, sizeof text, ": %s %s recorded as graphs, %s ns of work", n,
                   overlap->n_graphs == 1 ? "launch" : "launches", ns);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_page_puts(page, NSC_ROLE_DIM, "Compute counts ");
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_trace_event_text(scene->trace, overlap->last_graph, true, scratch));
    nsc_page_puts(page, NSC_ROLE_DIM, text);
    nsc_page_puts(page, NSC_ROLE_DIM, "; what runs inside them is not in the export.");
    nsc_page_end(page);
}

static void streams_head(struct nsc_page *page, const struct nsc_overlap *overlap)
{
    char text[2 * CELL_BYTES];
    char done[NSC_UNITS_BYTES];

    nsc_page_skip(page);
    nsc_page_tab(page, LABEL_COL - 1);
    nsc_units_percent(done, (nsc_time)overlap->rows_done, (nsc_time)overlap->rows);
    if (!overlap->done)
        (void)snprintf(text, sizeof text, "streams at once: measuring, %s of the window's events",
                       done);
    else if (overlap->n < overlap->n_working)
        (void)snprintf(text, sizeof text,
                       "streams at once, the busiest %u of %u: share of the less busy one's time",
                       overlap->n, overlap->n_working);
    else
        (void)snprintf(text, sizeof text,
                       "streams at once: share of the less busy one's time in the window");
    nsc_page_puts(page, NSC_ROLE_GROUP, text);
    nsc_page_end(page);
}

static void streams_put(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        struct nsc_page *page, uint32_t device)
{
    const struct nsc_overlap *overlap = &explore->overlap;

    if (!explore->has_overlap || overlap->group != device)
        return;
    streams_head(page, overlap);
    if (!overlap->done)
        return;
    if (overlap->n > 1)
        matrix_put(scene, page, overlap);
    pairs_put(scene, page, overlap);
    graphs_put(scene, page, overlap);
}

static void head_put(const struct nsc_scene *scene, struct nsc_page *page, uint32_t device)
{
    const struct nsc_track *track = nsc_trace_track(scene->trace, device);

    nsc_page_text(page, NSC_ROLE_GROUP, nsc_trace_string(scene->trace, track->label));
    if (track->depth) {
        nsc_page_puts(page, NSC_ROLE_DIM, " · ");
        nsc_page_text(page, NSC_ROLE_TEXT, nsc_scene_capture_label(scene, device));
    }
    nsc_page_puts(
        page, NSC_ROLE_DIM,
        nsc_scene_is_filtered(scene)
            ? "  share of each column that is busy, of all streams; the filter does not count"
            : "  share of each column that is busy, of all streams");
    nsc_page_end(page);
}

int nsc_pane_overlap_draw(const struct nsc_scene *scene, const struct nsc_explore *explore, int top,
                          struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, top, scene->ascii);
    uint32_t device = nsc_scene_device(scene);

    if (columns_of(scene).cols <= 0)
        return 0;
    if (device == NSC_NONE) {
        nsc_page_puts(&page, NSC_ROLE_DIM,
                      scene->early
                          ? "This comes with the rest of the export, which is still being read."
                          : "No GPU work in this export: record with  nsys profile -t cuda");
        nsc_page_end(&page);
        return page.line;
    }
    head_put(scene, &page, device);
    heats_put(scene, &page, nsc_trace_device_covers(scene->trace, device));
    nsc_page_skip(&page);
    figures_put(scene, &page, nsc_trace_device_covers(scene->trace, device));
    streams_put(scene, explore, &page, device);
    return page.line;
}
