/* Replaces the early trace by the whole one, and restores the view of an earlier session. */
#include "core/die.h"
#include "view/model/bookmark.h"
#include "view/scene/edit.h"

#include <stdlib.h>

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
    uint32_t *moved = nsc_xmalloc(((size_t)scene->arrangement.n + 1) * sizeof *moved);
    uint32_t n_moved = nsc_arrangement_moved(&scene->arrangement, early, moved), n = 0;
    uint64_t *known = nsc_carry_rows(&scene->arrangement, &scene->folds, scene->trace, map);

    for (uint32_t i = 0; i < n_moved; i++)
        if (map[moved[i]] != NSC_NONE)
            moved[n++] = map[moved[i]];
    if (state)
        nsc_session_rows_restore(state, known, scene->trace, &scene->arrangement, scene->folds);
    nsc_rows_rest_default(&scene->arrangement, scene->trace, scene->folds,
                          nsc_trace_extent(scene->trace));
    nsc_arrangement_sort(&scene->arrangement, scene->trace, moved, n);
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    free(known);
    free(moved);
}

/* The row with the cursor before. */
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
    nsc_history_drop_rows(&edit->moves.history);
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
    nsc_scene_rest(edit);
    restore_row(edit, state); /* times are those of its recording */
    if (state->has_window && state->window.t0 < state->window.t1) {
        nsc_viewport_set(&scene->viewport, state->window);
        w = nsc_viewport_window(&scene->viewport);
        scene->cursor = state->cursor < w.t0   ? w.t0
                        : state->cursor < w.t1 ? state->cursor
                                               : w.t1 - 1;
    }
}
