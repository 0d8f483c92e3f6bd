/* Writes the scene: creation, visible time, selection, and options. */
#include "view/scene/scene.h"

#include "core/bits.h"
#include "core/die.h"
#include "view/scene/edit.h"
#include "view/scene/look.h"

#include <stdlib.h>

enum { TICKS = 13 };

/* ---- the life of a scene ---- */

static void projected_drop(struct nsc_scene_edit *edit)
{
    edit->scene.lines.projected = NULL;
    nsc_summary_free(edit->projected);
    free(edit->projected_mask);
    edit->projected = NULL;
    edit->projected_mask = NULL;
}

/* Finds what the filter keeps of the projected ranges: 1.5 ms for 200 000, and there are at most two
 * million. */
static void projected_update(struct nsc_scene_edit *edit)
{
    const struct nsc_projection *projection = edit->scene.lines.projection;
    const struct nsc_events *rows = projection ? nsc_trace_events(projection->derived) : NULL;

    projected_drop(edit);
    if (!projection || !nsc_scene_is_filtered(&edit->scene))
        return;
    edit->projected_mask = nsc_xcalloc(nsc_bits_words(rows->n) + 1, sizeof *edit->projected_mask);
    for (uint32_t i = 0; i < rows->n; i++)
        if (nsc_summary_has(edit->scene.summary, rows->source[i]))
            nsc_bits_set(edit->projected_mask, i);
    edit->projected = nsc_summary_build(projection->derived, edit->projected_mask);
    if (!edit->projected)
        nsc_die_oom();
    edit->scene.lines.projected = edit->projected;
}

struct nsc_scene_edit *nsc_scene_new(void)
{
    struct nsc_scene_edit *edit = nsc_xcalloc(1, sizeof *edit);

    edit->scene.selected = NSC_NONE;
    edit->scene.ticks = TICKS;
    edit->scene.lines.idle = true;
    edit->scene.lines.arrangement = &edit->scene.arrangement;
    edit->scene.arrangement.stream = NSC_NONE;
    return edit;
}

void nsc_scene_free(struct nsc_scene_edit *edit)
{
    projected_drop(edit);
    nsc_history_clear(&edit->moves.history);
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

void nsc_scene_load(struct nsc_scene_edit *edit, const struct nsc_trace *trace)
{
    struct nsc_scene *scene = &edit->scene;
    uint32_t n = 0;

    projected_drop(edit);
    scene->trace = trace;
    scene->summary = nsc_trace_summary(trace);
    scene->lines.query = NULL;
    scene->lines.kept = NULL;
    scene->lines.projection = NULL;
    scene->selected = NSC_NONE;
    scene->has_range = false;
    scene->compare = (struct nsc_compare){0};
    nsc_history_clear(&edit->moves.history);
    (void)nsc_trace_tracks(trace, &n);
    free(scene->folds);
    scene->folds = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *scene->folds);
    nsc_rows_fold_default(scene->folds, trace);
    nsc_arrangement_init(&scene->arrangement, trace);
    nsc_rows_build(&scene->lines, trace, scene->folds);
    nsc_viewport_init(&scene->viewport, nsc_trace_extent(trace), 1);
    scene->cursor = nsc_window_cut(scene->viewport.extent, 1, 2);
    scene->line = nsc_rows_first_lane(&scene->lines);
    scene->top = 0;
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

/* ---- the selection ---- */

void nsc_scene_select(struct nsc_scene_edit *edit, nsc_event event)
{
    if (event != edit->scene.selected)
        edit->scene.n_selected++;
    edit->scene.selected = event;
    edit->moves.fit = NSC_FIT_SELECTION;
}

/* Does not reset the cycle of fits, which continues while the cursor follows the window. */
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

/* ---- what is shown besides ---- */

void nsc_scene_set_query(struct nsc_scene_edit *edit, const struct nsc_trace *query)
{
    edit->scene.lines.query = query;
    nsc_scene_rebuild(edit);
}

void nsc_scene_set_projection(struct nsc_scene_edit *edit, const struct nsc_projection *projection)
{
    edit->scene.lines.projection = projection;
    projected_update(edit);
    nsc_scene_rebuild(edit);
}

void nsc_scene_drop_projection(struct nsc_scene_edit *edit)
{
    edit->scene.lines.projection = NULL;
    projected_drop(edit);
}

void nsc_scene_set_idle(struct nsc_scene_edit *edit, const struct nsc_idle_covers *idle, uint32_t n)
{
    edit->scene.idle = idle;
    edit->scene.n_idle = n;
}

/* Rebuilds the lines. A filter that keeps no event hides no row. */
static void kept_update(struct nsc_scene_edit *edit)
{
    struct nsc_scene *scene = &edit->scene;
    bool filters = nsc_scene_is_filtered(scene) && nsc_summary_count(scene->summary);
    const struct nsc_summary *kept = filters ? scene->summary : NULL;

    scene->lines.kept = kept;
    scene->lines.dims = scene->empty_rows || scene->dim;
    nsc_scene_rebuild(edit);
}

void nsc_scene_set_summary(struct nsc_scene_edit *edit, const struct nsc_summary *summary)
{
    edit->scene.summary = summary;
    edit->scene.summary_no++;
    projected_update(edit);
    kept_update(edit);
}

static uint32_t *option_of(struct nsc_scene *scene, enum nsc_scene_option option)
{
    uint32_t *const options[NSC_N_SCENE_OPTIONS] = {
        [NSC_SCENE_ASCII] = &scene->ascii,
        [NSC_SCENE_DEMANGLED] = &scene->demangled,
        [NSC_SCENE_LOGICAL] = &scene->logical,
        [NSC_SCENE_EXPORT_COLORS] = &scene->export_colors,
        [NSC_SCENE_EARLY] = &scene->early,
        [NSC_SCENE_TICKS] = &scene->ticks,
        [NSC_SCENE_AXIS] = &scene->axis,
        [NSC_SCENE_DIM] = &scene->dim,
        [NSC_SCENE_EMPTY_ROWS] = &scene->empty_rows,
        [NSC_SCENE_NVTX_DEPTH] = &scene->lines.nvtx_cut,
        [NSC_SCENE_STREAM_ROWS] = &scene->arrangement.stream_height,
        [NSC_SCENE_OTHER_ROWS] = &scene->arrangement.other_height,
        [NSC_SCENE_PROJECT] = &scene->lines.project,
        [NSC_SCENE_IDLE_ROW] = &scene->lines.idle,
    };

    return options[option];
}

uint32_t nsc_scene_get(struct nsc_scene_edit *edit, enum nsc_scene_option option)
{
    return *option_of(&edit->scene, option);
}

void nsc_scene_set(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value)
{
    *option_of(&edit->scene, option) = value;
    if (option >= NSC_SCENE_DIM)
        kept_update(edit);
}
