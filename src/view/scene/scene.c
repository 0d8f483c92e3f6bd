/*
 * The only writer of the scene.
 */
#include "view/scene/scene.h"

#include "core/bits.h"
#include "core/die.h"
#include "view/model/carry.h"
#include "view/scene/history.h"
#include "view/scene/look.h"

#include <stdlib.h>

enum { TICKS = 13 };

struct nsc_scene_edit {
    struct nsc_scene scene;
    struct nsc_moves moves;
};

/* ---- the life of a scene ---- */

struct nsc_scene_edit *nsc_scene_new(void)
{
    struct nsc_scene_edit *edit = nsc_xcalloc(1, sizeof *edit);

    edit->scene.selected = NSC_NONE;
    edit->scene.ticks = TICKS;
    edit->scene.lines.arrangement = &edit->scene.arrangement;
    edit->scene.arrangement.stream = NSC_NONE;
    return edit;
}

void nsc_scene_free(struct nsc_scene_edit *edit)
{
    nsc_rows_fini(&edit->scene.lines);
    nsc_arrangement_fini(&edit->scene.arrangement);
    free(edit->scene.folds);
    free(edit->scene.bins);
    free(edit->scene.times);
    free(edit->scene.overview);
    free(edit);
}

const struct nsc_scene *nsc_scene_of(const struct nsc_scene_edit *edit)
{
    return &edit->scene;
}

struct nsc_moves *nsc_scene_moves(struct nsc_scene_edit *edit)
{
    return &edit->moves;
}

/* Makes the scratch as wide as the screen; never shrinks it. */
static void scratch_reserve(struct nsc_scene *scene, uint32_t cols)
{
    if (cols <= scene->scratch_cols)
        return;
    scene->bins = nsc_xrealloc(scene->bins, cols, sizeof *scene->bins);
    scene->times = nsc_xrealloc(scene->times, NSC_SCENE_TIMES * (size_t)cols, sizeof *scene->times);
    scene->overview = nsc_xrealloc(scene->overview, cols, sizeof *scene->overview);
    scene->scratch_cols = cols;
}

void nsc_scene_set_size(struct nsc_scene_edit *edit, uint32_t rows, uint32_t cols)
{
    edit->scene.rows = rows;
    edit->scene.cols = cols;
}

void nsc_scene_set_layout(struct nsc_scene_edit *edit, struct nsc_layout layout)
{
    struct nsc_scene *scene = &edit->scene;

    scene->layout = layout;
    scratch_reserve(scene, scene->cols);
    if (!scene->trace)
        return;
    if (layout.timeline.cols)
        nsc_viewport_resize(&scene->viewport, (uint32_t)layout.timeline.cols);
    nsc_scene_rebuild(edit);
}

static size_t first_lane_line(const struct nsc_rows *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        if (lines->at[i].kind == NSC_LINE_LANE)
            return i;
    return 0;
}

void nsc_scene_load(struct nsc_scene_edit *edit, const struct nsc_trace *trace)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t n = 0;

    scene->trace = trace;
    scene->summary = nsc_trace_summary(trace);
    scene->lines.query = NULL;
    scene->lines.kept = NULL;
    scene->lines.projection = NULL;
    scene->selected = NSC_NONE;
    scene->has_range = false;
    edit->moves.history = (struct nsc_history){0};
    (void)nsc_trace_tracks(trace, &n);
    free(scene->folds);
    scene->folds = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *scene->folds);
    nsc_rows_fold_default(scene->folds, trace);
    nsc_arrangement_init(&scene->arrangement, trace);
    nsc_rows_build(&scene->lines, trace, scene->folds);
    nsc_viewport_init(&scene->viewport, nsc_trace_extent(trace), 1);
    scene->cursor = nsc_window_cut(scene->viewport.extent, 1, 2);
    scene->line = first_lane_line(&scene->lines);
    scene->top = 0;
}

/* ---- the whole trace in the place of the early one ---- */

void nsc_scene_replace(struct nsc_scene_edit *edit, const struct nsc_trace *whole)
{
    edit->scene.trace = whole;
    edit->scene.lines.kept = NULL;
    edit->scene.summary = nsc_trace_summary(whole);
}

static void keep_places(struct nsc_history *history, const uint32_t map[])
{
    for (uint32_t i = 0; i < history->n + history->ahead; i++)
        if (history->at[i].track != NSC_NONE)
            history->at[i].track = map[history->at[i].track];
    if (history->has_back && history->back.track != NSC_NONE)
        history->back.track = map[history->back.track];
}

/* Carries rows over to the whole trace. New rows are pinned and folded as in the last session. */
static void keep_rows(struct nsc_scene *scene, const struct nsc_trace *early, const uint32_t map[],
                      const struct nsc_session_state *state)
{
    uint32_t *rank = nsc_carry_ranks(&scene->arrangement, early, scene->trace, map);
    uint64_t *known = nsc_carry_known(early, scene->trace, map);
    uint64_t *folds = nsc_carry_folds(scene->folds, early, scene->trace, map);

    free(scene->folds);
    scene->folds = folds;
    nsc_carry_arrangement(&scene->arrangement, scene->trace, map);
    if (state && state->modified)
        nsc_session_rows_restore(state, known, scene->trace, &scene->arrangement, folds);
    nsc_arrangement_sort(&scene->arrangement, scene->trace, rank);
    nsc_rows_build(&scene->lines, scene->trace, folds);
    free(known);
    free(rank);
}

/* The row that the cursor was on. */
static size_t find_row(const struct nsc_scene *scene, struct nsc_pin row, bool had)
{
    size_t line = had ? nsc_rows_find_row(&scene->lines, row) : 0;

    if (had && line == scene->lines.n && row.track != NSC_NONE)
        line = nsc_rows_find_track(&scene->lines, scene->trace, row.track);
    return line < scene->lines.n ? line : 0;
}

void nsc_scene_take_over(struct nsc_scene_edit *edit, const struct nsc_trace *early,
                         const struct nsc_session_state *state)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t *map = nsc_carry_map(early, scene->trace);
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    bool is_whole = nsc_viewport_is_whole(&scene->viewport);
    bool had = scene->line < scene->lines.n;
    struct nsc_pin row = {0};

    if (had)
        row = nsc_rows_pin(&scene->lines.at[scene->line]);
    if (had && row.kind != NSC_LINE_QUERY)
        row.track = map[row.track];
    keep_places(&edit->moves.history, map);
    keep_rows(scene, early, map, state);
    nsc_viewport_init(&scene->viewport, nsc_trace_extent(scene->trace), scene->viewport.cols);
    if (!is_whole)
        nsc_viewport_set(&scene->viewport, w);
    nsc_scene_set_line(edit, find_row(scene, row, had));
    free(map);
}

/* ---- a session that is brought back ---- */

static void restore_row(struct nsc_scene_edit *edit, const struct nsc_session_state *state)
{
    const struct nsc_scene *scene = &edit->scene;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    uint32_t track = state->has_row ? nsc_track_id_find(scene->trace, &state->row) : NSC_NONE;

    if (track == NSC_NONE)
        nsc_scene_set_line(edit, scene->line);
    else
        nsc_scene_go_to_row(edit, track,
                            state->row.lane < tracks[track].n_lanes
                                ? tracks[track].first_lane + state->row.lane
                                : NSC_NONE);
}

void nsc_scene_restore(struct nsc_scene_edit *edit, const struct nsc_session_state *state)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_window w;

    scene->arrangement.n_pins = 0;
    nsc_session_rows_restore(state, NULL, scene->trace, &scene->arrangement, scene->folds);
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    if (state->has_window && state->window.t0 < state->window.t1) {
        nsc_viewport_set(&scene->viewport, state->window);
        w = nsc_viewport_window(&scene->viewport);
        scene->cursor = state->cursor < w.t0   ? w.t0
                        : state->cursor < w.t1 ? state->cursor
                                               : w.t1 - 1;
    }
    restore_row(edit, state);
}

/* ---- the cursor and the range ---- */

void nsc_scene_set_cursor(struct nsc_scene_edit *edit, nsc_time t)
{
    edit->scene.cursor = t;
}

void nsc_scene_set_viewport(struct nsc_scene_edit *edit, struct nsc_viewport viewport)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_window w = nsc_viewport_window(&viewport);

    scene->viewport = viewport;
    if (scene->cursor < w.t0)
        scene->cursor = w.t0;
    else if (scene->cursor >= w.t1)
        scene->cursor = nsc_viewport_time(&viewport, viewport.cols - 1);
}

void nsc_scene_go(struct nsc_scene_edit *edit, nsc_time t)
{
    edit->scene.cursor = t;
    (void)nsc_viewport_show(&edit->scene.viewport, t);
}

void nsc_scene_set_window(struct nsc_scene_edit *edit, struct nsc_window w)
{
    nsc_viewport_set(&edit->scene.viewport, w);
}

void nsc_scene_set_range(struct nsc_scene_edit *edit, struct nsc_window range)
{
    edit->scene.range = range;
    edit->scene.has_range = edit->moves.range_is_new = range.t0 < range.t1;
}

void nsc_scene_drop_range(struct nsc_scene_edit *edit)
{
    edit->scene.has_range = false;
}

/* ---- lines ---- */

/* Scrolls so that the row with the cursor is visible and few screen rows stay empty. */
static void scroll_to_line(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    const struct nsc_rows *lines = &scene->lines;
    size_t pinned = nsc_scene_pinned(scene);
    size_t height = (size_t)scene->layout.timeline.rows - pinned;
    size_t end = lines->n ? scene->line + lines->at[scene->line].parts : 0;

    if (scene->line >= pinned) {
        if (scene->line < scene->top)
            scene->top = scene->line;
        if (height && end > scene->top + height)
            scene->top = end - height;
    }
    if (height && scene->top + height > lines->n)
        scene->top = lines->n > height + pinned ? lines->n - height : pinned;
    scene->top = scene->top < pinned ? pinned : scene->top;
    /* A tall row at the top starts with its first line. */
    if (scene->top < lines->n && lines->at[scene->top].part)
        scene->top = nsc_rows_step(lines, scene->top, true);
    if (scene->line >= pinned && scene->top > scene->line)
        scene->top = scene->line;
}

void nsc_scene_set_line(struct nsc_scene_edit *edit, size_t line)
{
    size_t n = edit->scene.lines.n;

    edit->scene.line = n ? nsc_rows_first(&edit->scene.lines, line < n ? line : n - 1) : 0;
    scroll_to_line(edit);
}

void nsc_scene_unfold(struct nsc_scene_edit *edit, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(edit->scene.trace, NULL);
    bool changed = false;

    for (uint32_t i = 0; i < track; i++)
        if (tracks[i].skip > track && nsc_bits_get(edit->scene.folds, i)) {
            nsc_bits_unset(edit->scene.folds, i);
            changed = true;
        }
    if (changed)
        nsc_rows_build(&edit->scene.lines, edit->scene.trace, edit->scene.folds);
}

bool nsc_scene_fold(struct nsc_scene_edit *edit, size_t line)
{
    uint32_t group = 0;

    if (line >= edit->scene.lines.n)
        return false;
    group = nsc_trace_group_of(edit->scene.trace, edit->scene.lines.at[line].track);
    if (nsc_bits_get(edit->scene.folds, group))
        nsc_bits_unset(edit->scene.folds, group);
    else
        nsc_bits_set(edit->scene.folds, group);
    nsc_rows_build(&edit->scene.lines, edit->scene.trace, edit->scene.folds);
    nsc_scene_set_line(edit, nsc_rows_find_track(&edit->scene.lines, edit->scene.trace, group));
    return true;
}

void nsc_scene_fold_every(struct nsc_scene_edit *edit, bool folded)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, &n);
    uint32_t group =
        scene->lines.n ? nsc_trace_group_of(scene->trace, scene->lines.at[scene->line].track) : 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!nsc_track_is_header(tracks[i].kind))
            continue;
        if (folded)
            nsc_bits_set(scene->folds, i);
        else
            nsc_bits_unset(scene->folds, i);
    }
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    nsc_scene_go_to_row(edit, group, NSC_NONE);
}

void nsc_scene_go_to_row(struct nsc_scene_edit *edit, uint32_t track, uint32_t lane)
{
    const struct nsc_scene *scene = &edit->scene;

    nsc_scene_set_line(edit, lane != NSC_NONE
                                 ? nsc_rows_find(&scene->lines, scene->trace, lane)
                                 : nsc_rows_find_track(&scene->lines, scene->trace, track));
}

void nsc_scene_open_group(struct nsc_scene_edit *edit, uint32_t group)
{
    struct nsc_scene *scene = &edit->scene;

    if (!nsc_bits_get(scene->folds, group))
        return;
    nsc_bits_unset(scene->folds, group);
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
}

/* ---- the selection ---- */

void nsc_scene_select(struct nsc_scene_edit *edit, nsc_event event)
{
    if (event != edit->scene.selected)
        edit->scene.n_selected++;
    edit->scene.selected = event;
    edit->moves.fit = NSC_FIT_SELECTION;
}

/* Does not touch the cycle of fits: it goes on while the cursor follows the window. */
void nsc_scene_settle(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    nsc_event event = NSC_NONE;

    nsc_scene_set_viewport(edit, scene->viewport);
    event = nsc_scene_event_here(scene, &scene->cursor);
    (void)nsc_viewport_show(&scene->viewport, scene->cursor);
    if (event == scene->selected)
        return;
    scene->selected = event;
    scene->n_selected++;
}

/* ---- rows ---- */

void nsc_scene_rebuild(struct nsc_scene_edit *edit)
{
    size_t line = edit->scene.line;
    bool had = line < edit->scene.lines.n;
    struct nsc_pin row = had ? nsc_rows_pin(&edit->scene.lines.at[line]) : (struct nsc_pin){0};

    if (!edit->scene.trace)
        return;
    nsc_rows_fill(&edit->scene.lines, edit->scene.trace, edit->scene.folds,
                  &edit->scene.arrangement, (size_t)edit->scene.layout.timeline.rows);
    line = had ? nsc_rows_find_row(&edit->scene.lines, row) : 0;
    if (line == edit->scene.lines.n)
        line = nsc_rows_find_track(&edit->scene.lines, edit->scene.trace, row.track);
    nsc_scene_set_line(edit, line);
}

/* A pinned row changes places with the pinned one beside it. */
static bool pin_move(struct nsc_scene_edit *edit, struct nsc_pin row, bool down)
{
    struct nsc_arrangement *arrangement = &edit->scene.arrangement;
    uint32_t i = nsc_arrangement_pin_find(arrangement, row);
    uint32_t other = down ? i + 1 : i - 1;
    struct nsc_pin pin;

    if (i >= arrangement->n_pins || (down ? other == arrangement->n_pins : i == 0))
        return false;
    pin = arrangement->pins[i];
    arrangement->pins[i] = arrangement->pins[other];
    arrangement->pins[other] = pin;
    nsc_scene_rebuild(edit);
    return true;
}

void nsc_scene_reveal(struct nsc_scene_edit *edit, uint32_t track)
{
    if (nsc_arrangement_reveal(&edit->scene.arrangement, edit->scene.trace, track))
        nsc_rows_build(&edit->scene.lines, edit->scene.trace, edit->scene.folds);
}

bool nsc_scene_move_row(struct nsc_scene_edit *edit, bool down)
{
    struct nsc_scene *scene = &edit->scene;
    const struct nsc_line *line = &scene->lines.at[scene->line];

    if (scene->line >= scene->lines.n || line->kind == NSC_LINE_QUERY)
        return false;
    if (scene->line < scene->lines.n_pinned)
        return pin_move(edit, nsc_rows_pin(line), down);
    if (!nsc_arrangement_move(&scene->arrangement, scene->trace, line->track, down))
        return false;
    nsc_scene_rebuild(edit);
    return true;
}

bool nsc_scene_pin_toggle(struct nsc_scene_edit *edit, struct nsc_pin row)
{
    if (!nsc_arrangement_pin_toggle(&edit->scene.arrangement, row))
        return false;
    nsc_scene_rebuild(edit);
    return true;
}

void nsc_scene_hide(struct nsc_scene_edit *edit, uint32_t track)
{
    struct nsc_scene *scene = &edit->scene;

    nsc_arrangement_hide(&scene->arrangement, scene->trace, track);
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    nsc_scene_set_line(edit, scene->line);
}

void nsc_scene_taller(struct nsc_scene_edit *edit, uint32_t track)
{
    struct nsc_arrangement *arrangement = &edit->scene.arrangement;
    uint8_t height = nsc_arrangement_height(arrangement, edit->scene.trace, track);

    arrangement->height[track] = (uint8_t)(height % NSC_ARRANGEMENT_HEIGHT + 1);
    nsc_scene_rebuild(edit);
}

bool nsc_scene_reveal_all(struct nsc_scene_edit *edit)
{
    bool any = nsc_arrangement_reveal_all(&edit->scene.arrangement);

    nsc_scene_rebuild(edit);
    return any;
}

uint32_t nsc_scene_match(struct nsc_scene_edit *edit, struct nsc_text pattern, const char **wrong)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t n = nsc_arrangement_match(&scene->arrangement, scene->trace, pattern, wrong);

    if (*wrong || !n)
        return 0;
    nsc_scene_rebuild(edit);
    return n;
}

void nsc_scene_follow_stream(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_arrangement *arrangement = &scene->arrangement;
    const struct nsc_line *line =
        scene->line < scene->lines.n ? &scene->lines.at[scene->line] : NULL;
    uint32_t track = line && line->kind == NSC_LINE_LANE ? line->track : NSC_NONE;

    if (track == NSC_NONE || nsc_trace_track(scene->trace, track)->kind != NSC_TRACK_STREAM)
        return;
    if (arrangement->stream == track)
        return;
    arrangement->stream = track;
    if (arrangement->stream_height != arrangement->other_height)
        nsc_scene_rebuild(edit);
}

/* ---- what is shown besides ---- */

void nsc_scene_set_query(struct nsc_scene_edit *edit, const struct nsc_trace *query)
{
    edit->scene.lines.query = query;
    nsc_scene_rebuild(edit);
}

void nsc_scene_set_projection(struct nsc_scene_edit *edit, const struct nsc_projection *projection)
{
    edit->scene.lines.projection = projection;
    nsc_scene_rebuild(edit);
}

void nsc_scene_drop_projection(struct nsc_scene_edit *edit)
{
    edit->scene.lines.projection = NULL;
}

/* A filter that keeps nothing hides no row. */
static void kept_update(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    bool hides = nsc_scene_is_filtered(scene) && !scene->empty_rows && !scene->dim &&
                 nsc_summary_count(scene->summary);
    const struct nsc_summary *kept = hides ? scene->summary : NULL;

    if (kept == scene->lines.kept && !kept)
        return;
    scene->lines.kept = kept;
    nsc_scene_rebuild(edit);
}

void nsc_scene_set_summary(struct nsc_scene_edit *edit, const struct nsc_summary *summary)
{
    edit->scene.summary = summary;
    edit->scene.summary_no++;
    kept_update(edit);
}

static void height_set(struct nsc_scene_edit *edit, uint8_t *height, uint32_t value)
{
    *height = (uint8_t)value;
    nsc_scene_rebuild(edit);
}

void nsc_scene_set(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value)
{
    struct nsc_scene *scene = &edit->scene;

    switch (option) {
    case NSC_SCENE_ASCII:
        scene->ascii = value;
        break;
    case NSC_SCENE_DEMANGLED:
        scene->demangled = value;
        break;
    case NSC_SCENE_LOGICAL:
        scene->logical = value;
        break;
    case NSC_SCENE_DIM:
        scene->dim = value;
        kept_update(edit);
        break;
    case NSC_SCENE_EMPTY_ROWS:
        scene->empty_rows = value;
        kept_update(edit);
        break;
    case NSC_SCENE_EXPORT_COLORS:
        scene->export_colors = value;
        break;
    case NSC_SCENE_EARLY:
        scene->early = value;
        break;
    case NSC_SCENE_TICKS:
        scene->ticks = value;
        break;
    case NSC_SCENE_NVTX_DEPTH:
        scene->lines.nvtx_cut = value;
        nsc_scene_rebuild(edit);
        break;
    case NSC_SCENE_STREAM_ROWS:
        height_set(edit, &scene->arrangement.stream_height, value);
        break;
    case NSC_SCENE_OTHER_ROWS:
        height_set(edit, &scene->arrangement.other_height, value);
        break;
    }
}
