/* Writes the rows of the scene: lines, the cursor's line, folds, pins and heights. */
#include "core/bits.h"
#include "view/scene/compare.h"
#include "view/scene/edit.h"
#include "view/scene/look.h"

/* ---- lines ---- */

/* Scrolls both halves so that the row with the cursor is visible. False if there are no halves. */
static bool scroll_halves(struct nsc_scene *scene)
{
    struct nsc_split split;

    if (!scene->compare.on || !scene->lines.n)
        return false;
    scene->compare.first = scene->lines.n_pinned;
    while (scene->compare.first < scene->lines.n &&
           !nsc_compare_is_between(scene, scene->compare.first))
        scene->compare.first++;
    if (!nsc_compare_split(scene, &split))
        return false;
    scene->compare.scroll = nsc_split_scroll(&split, scene->compare.scroll, scene->line,
                                             scene->line + scene->lines.at[scene->line].parts);
    return true;
}

/* Scrolls so that the row with the cursor is visible and few screen rows stay empty. */
static void scroll_to_line(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    const struct nsc_rows *lines = &scene->lines;
    size_t pinned = nsc_scene_pinned(scene);
    size_t height = (size_t)scene->layout.timeline.rows - pinned;
    size_t end = lines->n ? scene->line + lines->at[scene->line].parts : 0;

    if (scroll_halves(scene)) {
        scene->top = pinned;
        return;
    }
    if (scene->line >= pinned) {
        if (scene->line < scene->top)
            scene->top = scene->line;
        if (height && end > scene->top + height)
            scene->top = end - height;
    }
    if (height && scene->top + height > lines->n)
        scene->top = lines->n > height + pinned ? lines->n - height : pinned;
    /* A tall row at the top shows its first line, unless the pinned rows end inside it. */
    if (scene->top < lines->n && lines->at[scene->top].part)
        scene->top = nsc_rows_step(lines, scene->top, true);
    scene->top = scene->top < pinned ? pinned : scene->top;
    if (scene->line >= pinned && scene->top > scene->line)
        scene->top = scene->line;
}

void nsc_scene_set_line(struct nsc_scene_edit *edit, size_t line)
{
    size_t n = edit->scene.lines.n;

    edit->scene.line = n ? nsc_rows_first(&edit->scene.lines, line < n ? line : n - 1) : 0;
    scroll_to_line(edit);
    nsc_scene_near(edit);
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

/* Gives the tracks of a line of the rest rows of their own. */
static void rest_open(struct nsc_scene *scene, const struct nsc_line *line)
{
    for (uint32_t t = 0; t < scene->arrangement.n; t++)
        if (nsc_rows_rest_has(&scene->lines, scene->trace, line, t))
            nsc_bits_unset(scene->arrangement.rest, t);
}

bool nsc_scene_fold(struct nsc_scene_edit *edit, size_t line)
{
    struct nsc_place before;
    uint32_t group = 0;

    if (line >= edit->scene.lines.n)
        return false;
    before = nsc_history_rows(edit);
    group = nsc_trace_group_of(edit->scene.trace, edit->scene.lines.at[line].track);
    if (edit->scene.lines.at[line].kind == NSC_LINE_REST) {
        group = edit->scene.lines.at[line].track;
        rest_open(&edit->scene, &edit->scene.lines.at[line]);
    } else {
        nsc_bits_put(edit->scene.folds, group, !nsc_bits_get(edit->scene.folds, group));
    }
    nsc_rows_build(&edit->scene.lines, edit->scene.trace, edit->scene.folds);
    nsc_scene_set_line(edit, nsc_rows_find_track(&edit->scene.lines, edit->scene.trace, group));
    return nsc_history_keep(edit, before, true);
}

void nsc_scene_fold_every(struct nsc_scene_edit *edit, bool folded)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, &n);
    uint32_t group =
        scene->lines.n ? nsc_trace_group_of(scene->trace, scene->lines.at[scene->line].track) : 0;

    (void)nsc_history_keep(edit, nsc_history_rows(edit), true);
    (void)nsc_arrangement_open_rest(&scene->arrangement);
    for (uint32_t i = 0; i < n; i++)
        if (nsc_track_is_header(tracks[i].kind))
            nsc_bits_put(scene->folds, i, folded);
    if (folded)
        nsc_rows_rest_default(&scene->arrangement, scene->trace, scene->folds,
                              nsc_viewport_window(&scene->viewport));
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    nsc_scene_go_to_row(edit, group, NSC_NONE);
}

void nsc_scene_rest(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_pin row =
        scene->lines.n ? nsc_rows_pin(&scene->lines.at[scene->line]) : (struct nsc_pin){0};

    (void)nsc_arrangement_open_rest(&scene->arrangement);
    nsc_rows_rest_default(&scene->arrangement, scene->trace, scene->folds,
                          scene->compare.on ? nsc_trace_extent(scene->trace)
                                            : nsc_viewport_window(&scene->viewport));
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    nsc_scene_set_line(edit, nsc_rows_find_row(&scene->lines, row));
}

bool nsc_scene_rest_here(struct nsc_scene_edit *edit)
{
    struct nsc_place before = nsc_history_rows(edit);

    nsc_scene_rest(edit);
    return nsc_history_keep(edit, before, true);
}

void nsc_scene_go_to_row(struct nsc_scene_edit *edit, uint32_t track, uint32_t lane)
{
    const struct nsc_scene *scene = &edit->scene;

    nsc_scene_set_line(edit, lane != NSC_NONE
                                 ? nsc_rows_find(&scene->lines, scene->trace, lane)
                                 : nsc_rows_find_track(&scene->lines, scene->trace, track));
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
                  &edit->scene.arrangement, (size_t)edit->scene.layout.room);
    line = had ? nsc_rows_find_row(&edit->scene.lines, row) : 0;
    if (line == edit->scene.lines.n)
        line = nsc_rows_find_track(&edit->scene.lines, edit->scene.trace, row.track);
    nsc_scene_set_line(edit, line);
}

/* Swaps a pinned row with the adjacent one. */
static bool pin_move(struct nsc_arrangement *arrangement, struct nsc_pin row, bool down)
{
    uint32_t i = nsc_arrangement_pin_find(arrangement, row);
    uint32_t other = down ? i + 1 : i - 1;
    struct nsc_pin pin;

    if (i >= arrangement->n_pins || (down ? other == arrangement->n_pins : i == 0))
        return false;
    pin = arrangement->pins[i];
    arrangement->pins[i] = arrangement->pins[other];
    arrangement->pins[other] = pin;
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
    struct nsc_place before;
    bool moved;

    if (scene->line >= scene->lines.n || line->kind >= NSC_LINE_REST)
        return false;
    before = nsc_history_rows(edit);
    moved = scene->line < scene->lines.n_pinned
                ? pin_move(&scene->arrangement, nsc_rows_pin(line), down)
                : nsc_arrangement_move(&scene->arrangement, scene->trace, line->track, down);
    if (moved)
        nsc_scene_rebuild(edit);
    return nsc_history_keep(edit, before, moved);
}

bool nsc_scene_pin_toggle(struct nsc_scene_edit *edit, struct nsc_pin row)
{
    struct nsc_place before = nsc_history_rows(edit);
    bool changed = nsc_arrangement_pin_toggle(&edit->scene.arrangement, row);

    if (changed)
        nsc_scene_rebuild(edit);
    return nsc_history_keep(edit, before, changed);
}

void nsc_scene_hide(struct nsc_scene_edit *edit, uint32_t track)
{
    struct nsc_scene *scene = &edit->scene;

    (void)nsc_history_keep(edit, nsc_history_rows(edit), true);
    nsc_arrangement_hide(&scene->arrangement, scene->trace, track);
    nsc_rows_build(&scene->lines, scene->trace, scene->folds);
    nsc_scene_set_line(edit, scene->line);
}

void nsc_scene_taller(struct nsc_scene_edit *edit, uint32_t track)
{
    struct nsc_arrangement *arrangement = &edit->scene.arrangement;
    uint8_t height = nsc_arrangement_height(arrangement, edit->scene.trace, track);

    (void)nsc_history_keep(edit, nsc_history_rows(edit), true);
    arrangement->height[track] = (uint8_t)(height % NSC_ARRANGEMENT_HEIGHT + 1);
    nsc_scene_rebuild(edit);
}

bool nsc_scene_reveal_all(struct nsc_scene_edit *edit)
{
    struct nsc_place before = nsc_history_rows(edit);
    bool any = nsc_arrangement_reveal_all(&edit->scene.arrangement);

    nsc_scene_rebuild(edit);
    return nsc_history_keep(edit, before, any);
}

uint32_t nsc_scene_match(struct nsc_scene_edit *edit, struct nsc_text pattern, const char **wrong)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_place before = nsc_history_rows(edit);
    uint32_t n = nsc_arrangement_match(&scene->arrangement, scene->trace, pattern, wrong);

    if (!nsc_history_keep(edit, before, !*wrong && n > 0))
        return 0;
    nsc_scene_rebuild(edit);
    return n;
}

void nsc_scene_follow_stream(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    struct nsc_arrangement *arrangement = &scene->arrangement;
    const struct nsc_line *line = nsc_scene_cursor_line(scene);
    uint32_t track = line && line->kind == NSC_LINE_LANE ? line->track : NSC_NONE;

    if (track == NSC_NONE || nsc_trace_track(scene->trace, track)->kind != NSC_TRACK_STREAM)
        return;
    if (arrangement->stream == track)
        return;
    arrangement->stream = track;
    if (arrangement->stream_height != arrangement->other_height)
        nsc_scene_rebuild(edit);
}
