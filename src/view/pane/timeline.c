/* Draws the timeline: lines with their labels, and the cursor and range over them. */
#include "core/bits.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/model/counter_text.h"
#include "view/pane/lines.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE_MIN_COLS = 16, SHARE_SHORT_COLS = 20, WORDS_COLS = 24, GROUP_COL = 1, LABEL_COL = 3 };

/* Rounds "61.2 %" to "61 %" if the name needs the room, as whole shares are. */
static void share_shorten(char text[NSC_UNITS_BYTES])
{
    char *dot = strchr(text, '.');
    long whole = strtol(text, NULL, 10);

    if (!dot || strcmp(dot + 2, " %") != 0)
        return;
    if (text[0] == '<' || (!whole && dot[1] != '0'))
        (void)snprintf(text, NSC_UNITS_BYTES, "<1 %%");
    else
        (void)snprintf(text, NSC_UNITS_BYTES, "%ld %%", whole + (dot[1] >= '5' && whole != 99));
}

/* The share of time; for marks and samples, which have no duration, their number. */
static void lane_text(const struct nsc_scene *scene, uint32_t lane, nsc_time whole,
                      char out[NSC_UNITS_BYTES])
{
    struct nsc_bin bin =
        nsc_lane_measure(scene->trace, scene->summary, lane, nsc_viewport_window(&scene->viewport));

    if (bin.busy || !bin.events) {
        nsc_units_percent(out, bin.busy, whole);
        return;
    }
    nsc_units_count(out, bin.events);
    (void)snprintf(out + strlen(out), NSC_UNITS_BYTES - strlen(out),
                   scene->layout.labels.cols < WORDS_COLS ? ""
                   : bin.events == 1                      ? " event"
                                                          : " events");
}

static nsc_time device_busy(const struct nsc_scene *scene, uint32_t track)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(scene->trace, track);

    return covers && covers->busy
               ? nsc_cover_measure(covers->busy, nsc_viewport_window(&scene->viewport))
               : 0;
}

/* Busy share of the window, or a counter's value at the cursor. Folded streams that work at once add up
 * to more than all, which is no share. */
static void share_text(const struct nsc_scene *scene, const struct nsc_line *line,
                       char out[NSC_UNITS_BYTES])
{
    const struct nsc_track *track = nsc_trace_track(scene->trace, line->track);
    nsc_time whole = nsc_window_length(nsc_viewport_window(&scene->viewport));
    nsc_time rest = line->kind == NSC_LINE_REST ? nsc_lines_rest_busy(scene, line) : -1;

    out[0] = '\0';
    if (line->kind == NSC_LINE_LANE)
        lane_text(scene, line->lane, whole, out);
    else if (line->kind == NSC_LINE_IDLE)
        nsc_units_percent(out, whole - device_busy(scene, line->track), whole);
    else if (line->kind == NSC_LINE_QUERY || line->kind == NSC_LINE_PROJECTED)
        nsc_units_percent(out, nsc_derived_busy(scene, line), whole);
    else if (rest >= 0 && rest <= whole && track->kind == NSC_TRACK_STREAM)
        nsc_units_percent(out, rest, whole);
    else if (line->kind == NSC_LINE_COUNTER)
        nsc_lines_counter_value(scene, track->counter, out);
    else if (line->kind == NSC_LINE_GROUP && track->kind == NSC_TRACK_DEVICE &&
             nsc_bits_get(scene->folds, line->track))
        nsc_units_percent(out, device_busy(scene, line->track), whole);
}

/* The text after the track's own label: depth of an NVTX line, number of a further lane, dropped
 * lanes. */
static void label_tail(const struct nsc_track *track, const struct nsc_line *line,
                       char out[NSC_LINES_LABEL])
{
    out[0] = '\0';
    if (line->kind != NSC_LINE_LANE)
        return;
    if (line->more)
        (void)snprintf(out, NSC_LINES_LABEL, " +%u %s", line->more,
                       track->kind == NSC_TRACK_NVTX ? "deeper" : "more");
    else if (track->kind == NSC_TRACK_NVTX || line->index)
        (void)snprintf(out, NSC_LINES_LABEL, " %u", line->index);
}

/*
 * Columns for a header's name: the whole line for an open thread, half of it for an open export,
 * which has figures, and the label column for other headers.
 */
static int header_room(const struct nsc_scene *scene, const struct nsc_track *track, bool folded)
{
    int labels = scene->layout.labels.cols;
    int cols = labels + scene->layout.timeline.cols;

    if (scene->compare.on && track->capture_no == 1 && track->kind == NSC_TRACK_CAPTURE)
        return labels - 7; /* a separate line shows the differences, and their share */
    if (track->kind == NSC_TRACK_CAPTURE && !folded)
        return cols / 2 > labels ? cols / 2 : labels - 1;
    return track->kind == NSC_TRACK_THREAD && !folded ? cols - 1 : labels - 1;
}

/* If the name does not fit, keeps the part after the dot, which distinguishes threads of one
 * process. */
static struct nsc_text header_name(struct nsc_text text, int width, bool ascii,
                                   char scratch[NSC_LINES_LABEL])
{
    uint32_t n = nsc_label_part(text);

    if (nsc_text_width(text, ascii) <= (size_t)width)
        return text;
    if (n == text.n)
        return nsc_lines_without_maker(text, scratch);
    n += (uint32_t)strlen("·");
    while (n < text.n && text.bytes[n] == ' ')
        n++;
    text.bytes += n;
    text.n -= n;
    return text;
}

/* Indentation of a line below the header of its export. */
static int indent_of(const struct nsc_track *track)
{
    return nsc_track_is_header(track->kind) ? track->depth : track->depth - 1;
}

static bool is_pinned(const struct nsc_scene *scene, const struct nsc_line *line)
{
    return line < scene->lines.at + scene->lines.n_pinned;
}

static void header_draw(const struct nsc_scene *scene, struct nsc_grid *grid, int row,
                        const struct nsc_line *line, bool current)
{
    const struct nsc_track *track = nsc_trace_track(scene->trace, line->track);
    bool folded = nsc_bits_get(scene->folds, line->track);
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_GROUP;
    int col = scene->layout.labels.col + GROUP_COL + indent_of(track);
    char share[NSC_UNITS_BYTES];
    char scratch[NSC_LINES_LABEL];
    char side[NSC_NAME_BYTES];
    struct nsc_text name = nsc_trace_string(scene->trace, track->label);
    int width = header_room(scene, track, folded) - GROUP_COL - indent_of(track) - 2;

    share_text(scene, line, share);
    if (share[0])
        width -= (int)strlen(share) + 1;
    if (track->kind == NSC_TRACK_CAPTURE)
        name = nsc_scene_side_label(scene, name, side);
    if (is_pinned(scene, line))
        nsc_grid_put(grid, row, scene->layout.labels.col, NSC_ROLE_KEY, 0, "p");
    nsc_grid_put(grid, row, col, role, 0, folded ? "▸" : "▾");
    nsc_label_draw(grid, (struct nsc_rect){row, col + 2, 1, width}, role,
                   header_name(name, width, scene->ascii, scratch));
    nsc_grid_puts_right(grid, row, scene->layout.labels.col, scene->layout.labels.cols - 1,
                        current ? role : NSC_ROLE_SHARE, share);
}

/* Names the group of a pinned row. */
static void pinned_tail(const struct nsc_scene *scene, struct nsc_grid *grid, int row,
                        const struct nsc_line *line, char tail[NSC_LINES_LABEL])
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    uint32_t group = nsc_trace_group_of(scene->trace, line->track);
    size_t n = strlen(tail);

    nsc_grid_put(grid, row, scene->layout.labels.col + GROUP_COL, NSC_ROLE_KEY, 0, "p");
    if (tracks[group].depth && n < NSC_LINES_LABEL)
        (void)snprintf(tail + n, NSC_LINES_LABEL - n, " %u:", tracks[group].capture_no);
    n = strlen(tail);
    if (tracks[group].kind == NSC_TRACK_DEVICE)
        (void)snprintf(tail + n, NSC_LINES_LABEL - n, " GPU %" PRId64, tracks[group].gpu);
    else if (tracks[group].tid)
        (void)snprintf(tail + n, NSC_LINES_LABEL - n, " t%u", tracks[group].tid);
}

/* Highlights rows with a search hit in the window. */
static enum nsc_role label_role(const struct nsc_scene *scene, const struct nsc_summary *hits,
                                const struct nsc_line *line, bool current)
{
    if (current)
        return NSC_ROLE_LABEL_CURSOR;
    if (line->kind != NSC_LINE_LANE || !hits)
        return NSC_ROLE_LABEL;
    return nsc_lane_measure(scene->trace, hits, line->lane, nsc_viewport_window(&scene->viewport))
                   .events
               ? NSC_ROLE_MATCH
               : NSC_ROLE_LABEL;
}

/* How many streams, threads or rows a line stands for. */
static void rest_tail(const struct nsc_track *track, const struct nsc_line *line,
                      char tail[NSC_LINES_LABEL])
{
    const char *what = track->kind == NSC_TRACK_STREAM    ? "stream"
                       : nsc_track_is_header(track->kind) ? "thread"
                                                          : "row";

    (void)snprintf(tail, NSC_LINES_LABEL, "%u %s%s", line->index, what,
                   line->index == 1 ? "" : "s");
}

/* NOLINTNEXTLINE(readability-function-size): seven parameters of different kinds */
static void label_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                       struct nsc_grid *grid, int row, const struct nsc_line *line, bool current)
{
    struct nsc_rect rect = scene->layout.labels;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    const struct nsc_track *track = &tracks[line->track];
    enum nsc_role role = label_role(scene, hits, line, current);
    char share[NSC_UNITS_BYTES];
    char tail[NSC_LINES_LABEL], query[NSC_LINES_LABEL];
    struct nsc_text text = nsc_trace_string(scene->trace, track->label);
    int col = LABEL_COL + indent_of(track);
    int width = 0, tail_width = 0;

    share_text(scene, line, share);
    if (rect.cols < SHARE_SHORT_COLS)
        share_shorten(share);
    label_tail(track, line, tail);
    if (line->kind == NSC_LINE_COUNTER)
        (void)nsc_counter_unit(text, &text);
    if (line->kind == NSC_LINE_OVERLAP)
        text = nsc_text_from("overlap");
    if (line->kind == NSC_LINE_IDLE)
        text = nsc_text_from("idle");
    if (line->kind == NSC_LINE_REST) {
        text = nsc_text_from("▸ ");
        col -= nsc_track_is_header(track->kind) ? LABEL_COL - GROUP_COL : 0;
        rest_tail(track, line, tail);
    }
    if (line->kind == NSC_LINE_QUERY) {
        nsc_query_label(scene, line, query, sizeof query);
        text = nsc_text_from(query);
        if (line->more)
            (void)snprintf(tail, sizeof tail, " +%u more", line->more);
    }
    if (line->kind == NSC_LINE_PROJECTED) {
        nsc_projection_tail(scene, line, tail, sizeof tail);
        text = nsc_trace_string(scene->trace, tracks[nsc_projection_of(scene, line)->track].label);
    }
    if (is_pinned(scene, line))
        pinned_tail(scene, grid, row, line, tail);
    width = rect.cols - col - 1;
    if (rect.cols < SHARE_MIN_COLS || line->more)
        share[0] = '\0';
    if (share[0])
        width -= (int)nsc_text_width(nsc_text_from(share), scene->ascii) + 1;
    tail_width = (int)nsc_text_width(nsc_text_from(tail), scene->ascii);
    if (width > 0) {
        int room = tail_width < width ? width - tail_width : width;
        int end = rect.col + col + width;

        col = nsc_label_draw(grid, (struct nsc_rect){row, rect.col + col, 1, room}, role, text);
        nsc_grid_puts(grid, row, col, end - col, role, tail);
    }
    nsc_grid_puts_right(grid, row, rect.col, rect.cols - 1, current ? role : NSC_ROLE_SHARE, share);
}

/* Draws the part left of a line. */
/* NOLINTNEXTLINE(readability-function-size): seven parameters of different kinds */
static void margin_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                        struct nsc_grid *grid, int row, const struct nsc_line *line, bool current)
{
    struct nsc_rect rect = scene->layout.labels;

    if (current)
        nsc_grid_fill(grid, (struct nsc_rect){row, rect.col, 1, rect.cols}, NSC_ROLE_LABEL_CURSOR,
                      " ");
    if (line->kind == NSC_LINE_GROUP)
        header_draw(scene, grid, row, line, current);
    else
        label_draw(scene, hits, grid, row, line, current);
}

static void line_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                      const struct nsc_bars *bars, const struct nsc_line *line,
                      struct nsc_rect rect)
{
    switch ((enum nsc_line_kind)line->kind) {
    case NSC_LINE_GROUP:
        nsc_lines_group_draw(scene, grid, rect, line->track);
        break;
    case NSC_LINE_OVERLAP:
        nsc_lines_overlap_draw(scene, grid, rect, line->track);
        break;
    case NSC_LINE_IDLE:
        nsc_lines_idle_draw(scene, grid, rect, line->track);
        break;
    case NSC_LINE_REST:
        nsc_lines_rest_draw(scene, grid, rect, line);
        break;
    case NSC_LINE_QUERY:
    case NSC_LINE_PROJECTED:
        nsc_derived_draw(scene, bars->looks, grid, rect, line);
        break;
    case NSC_LINE_LANE:
        if (scene->logical)
            nsc_bars_draw_logical(bars, grid, rect, line->lane,
                                  nsc_scene_logical_first(scene, line->lane, &(uint32_t){0}));
        else {
            nsc_dimmed_draw(scene, scene->trace, grid, rect, line->lane);
            nsc_bars_draw(bars, grid, rect, line->lane);
        }
        break;
    case NSC_LINE_COUNTER:
        nsc_lines_counter_draw(scene, grid, rect, line->track);
        break;
    }
}

/* Changes the role of blank cells of a column; drawn cells stay. */
static void column_tint(const struct nsc_scene *scene, struct nsc_grid *grid, int col,
                        enum nsc_role role, const char *glyph)
{
    struct nsc_rect rect = scene->layout.timeline;

    for (int i = 0; i < rect.rows && nsc_scene_line_at(scene, i) < scene->lines.n; i++) {
        int row = rect.row + i;
        const struct nsc_cell *cell = nsc_grid_at(grid, (uint32_t)row, (uint32_t)(rect.col + col));

        if (cell->n == 1 && cell->text[0] == ' ' && cell->role == NSC_ROLE_TEXT &&
            scene->lines.at[nsc_scene_line_at(scene, i)].kind != NSC_LINE_GROUP)
            nsc_grid_put(grid, row, rect.col + col, role, 0, glyph);
    }
}

static void range_tint(const struct nsc_scene *scene, struct nsc_grid *grid)
{
    int from = nsc_viewport_col(&scene->viewport, scene->range.t0);
    int to = nsc_viewport_col(&scene->viewport, scene->range.t1);

    if (!scene->has_range || scene->logical)
        return;
    for (int c = from < 0 ? 0 : from; c < scene->layout.timeline.cols && c <= to; c++)
        column_tint(scene, grid, c, NSC_ROLE_RANGE, " ");
}

static uint32_t logical_col(const struct nsc_scene *scene, uint32_t lane)
{
    uint32_t slot = 0;

    (void)nsc_scene_logical_first(scene, lane, &slot);
    return slot * NSC_BARS_SLOT;
}

static void cursor_place(const struct nsc_scene *scene, struct nsc_grid *grid)
{
    int row = nsc_scene_row_of(scene, scene->line);

    if (row < 0)
        return;
    grid->cursor_row = scene->layout.timeline.row + row;
    grid->cursor_col = scene->layout.timeline.col;
    if (!scene->logical)
        grid->cursor_col += (int)nsc_scene_cursor_col(scene);
    else if (scene->lines.at[scene->line].lane != NSC_NONE)
        grid->cursor_col += (int)logical_col(scene, scene->lines.at[scene->line].lane);
}

static void empty_draw(const struct nsc_scene *scene, struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.timeline;

    nsc_grid_puts(grid, rect.row + rect.rows / 2, 2, rect.col + rect.cols - 4, NSC_ROLE_WARNING,
                  "No events: left out by the options given, or not recorded  (i: why)");
}

/* Visible lines of a tall row, starting at a screen row. */
static int row_height(const struct nsc_scene *scene, int i)
{
    size_t first = nsc_scene_line_at(scene, i);
    size_t line = first;
    int n = 0;

    do
        line = nsc_scene_line_at(scene, i + ++n);
    while (i + n < scene->layout.timeline.rows && line == first + (size_t)n &&
           line < scene->lines.n && scene->lines.at[line].part);
    return n;
}

static int row_draw(const struct nsc_scene *of, const struct nsc_summary *hits,
                    struct nsc_grid *grid, const struct nsc_bars *bars_of, int i)
{
    struct nsc_scene copy;
    size_t at = nsc_scene_line_at(of, i);
    const struct nsc_scene *scene = nsc_compare_scene(of, at, &copy);
    const struct nsc_line *line = &scene->lines.at[at];
    struct nsc_rect rect = scene->layout.timeline;
    struct nsc_bars bars = *bars_of;

    rect.row += i;
    rect.rows = row_height(scene, i);
    bars.window = nsc_viewport_window(&scene->viewport);
    line_draw(scene, grid, &bars, line, rect);
    margin_draw(scene, hits, grid, rect.row, line,
                nsc_rows_first(&scene->lines, at) == scene->line);
    return rect.rows;
}

void nsc_pane_timeline_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.timeline;
    struct nsc_bars_looks looks = {0};
    struct nsc_bars bars = {.trace = scene->trace,
                            .summary = scene->summary,
                            .window = nsc_viewport_window(&scene->viewport),
                            .selected = scene->selected,
                            .demangled = scene->demangled,
                            .bins = scene->bins,
                            .looks = &looks,
                            .export_colors = scene->export_colors};

    if (!rect.rows)
        return;
    for (int i = 0; i < rect.rows && nsc_scene_line_at(scene, i) < scene->lines.n;)
        i += row_draw(scene, hits, grid, &bars, i);
    if (!scene->lines.n)
        empty_draw(scene, grid);
    range_tint(scene, grid);
    if (!scene->logical && scene->lines.n)
        column_tint(scene, grid, (int)nsc_scene_cursor_col(scene), NSC_ROLE_CURSOR, "│");
    cursor_place(scene, grid);
    grid->window_col = scene->logical || rect.col + rect.cols < (int)grid->cols ? -1 : rect.col;
    grid->window_end = rect.row + rect.rows;
    grid->window = bars.window;
}

void nsc_pane_timeline_mark(const struct nsc_scene *scene, const struct nsc_explore *explore,
                            struct nsc_grid *grid)
{
    int col = nsc_viewport_col(&scene->viewport, explore->mark);

    if (explore->has_mark && !scene->logical && col >= 0 && col < scene->layout.timeline.cols)
        column_tint(scene, grid, col, NSC_ROLE_BOOKMARK, "┊");
}
