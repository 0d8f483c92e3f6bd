/* Draws the time axis: ticks with their times, the cursor, and the range. */
#include "core/units.h"
#include "view/kit/keymap.h"
#include "view/kit/ticks.h"
#include "view/pane/panes.h"
#include "view/scene/axis.h"

#include <stdio.h>

enum { TICKS_COLS = 160 }; /* columns that the scene's ticks refer to */

/* Columns up to the next tick: a cut label would look like another number. */
static int tick_room(const struct nsc_scene *scene, nsc_time t, nsc_time step, int cols)
{
    int col = nsc_viewport_col(&scene->viewport, t);
    int next = cols;
    nsc_time after = 0;

    if (!__builtin_add_overflow(t, step, &after))
        next = nsc_viewport_col(&scene->viewport, after);
    return (next < cols ? next : cols) - col - 1;
}

static void tick_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                      struct nsc_grid *grid, nsc_time t, nsc_time step)
{
    struct nsc_rect rect = scene->layout.ruler;
    char text[NSC_UNITS_BYTES + 1];
    int col = nsc_viewport_col(&scene->viewport, t);
    int width = 0;

    if (col < 0 || col >= rect.cols)
        return;
    nsc_axis_tick(scene, explore, text, t, step);
    nsc_grid_put(grid, rect.row, rect.col + col, NSC_ROLE_RULER, 0, "╷");
    width = (int)nsc_text_width(nsc_text_from(text), scene->ascii);
    if (width <= tick_room(scene, t, step, rect.cols))
        nsc_grid_puts(grid, rect.row, rect.col + col + 1, width, NSC_ROLE_RULER, text);
}

/* Draws the mark over the ticks. */
static void mark_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                      struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.ruler;
    int col = nsc_viewport_col(&scene->viewport, explore->mark);

    if (explore->has_mark && col >= 0 && col < rect.cols)
        nsc_grid_put(grid, rect.row, rect.col + col, NSC_ROLE_BOOKMARK, 0, "M");
}

static void range_draw(const struct nsc_scene *scene, struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.ruler;
    int from = nsc_viewport_col(&scene->viewport, scene->range.t0);
    int to = nsc_viewport_col(&scene->viewport, scene->range.t1);

    if (!scene->has_range)
        return;
    for (int c = from < 0 ? 0 : from; c < rect.cols && c <= to; c++)
        if (rect.row < (int)grid->rows && rect.col + c < (int)grid->cols)
            nsc_grid_at(grid, (uint32_t)rect.row, (uint32_t)(rect.col + c))->role = NSC_ROLE_RANGE;
}

/* Draws the meaning of the numbers, and the length of a column. */
static void corner_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                        struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.corner;
    char text[NSC_AXIS_BYTES];

    nsc_axis_label(scene, explore, text);
    nsc_grid_puts(grid, scene->layout.ruler.row, 1, rect.cols - 2, NSC_ROLE_DIM,
                  scene->logical ? "in order" : text);
}

static void logical_draw(const struct nsc_keymap *keymap, struct nsc_grid *grid,
                         struct nsc_rect rect)
{
    char key[32];
    char text[128];

    nsc_keymap_key(key, keymap, NSC_ACTION_LOGICAL_ORDER);
    snprintf(text, sizeof text, "events one after the other, equally wide (%s: back to time)", key);
    nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_RULER, text);
}

void nsc_pane_ruler_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                         const struct nsc_keymap *keymap, struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.ruler;
    struct nsc_window w = nsc_viewport_window(&scene->viewport);
    struct nsc_ticks ticks = {0};

    if (!rect.rows)
        return;
    nsc_grid_fill(grid, rect, NSC_ROLE_RULER, " ");
    corner_draw(scene, explore, grid);
    if (scene->logical) {
        logical_draw(keymap, grid, rect);
        return;
    }
    ticks = nsc_ticks_build(w, (uint32_t)rect.cols, TICKS_COLS / scene->ticks,
                            nsc_axis_origin(scene, explore));
    for (uint32_t i = 0; i < ticks.n; i++)
        tick_draw(scene, explore, grid, nsc_ticks_at(&ticks, i), ticks.step);
    range_draw(scene, grid);
    mark_draw(scene, explore, grid);
}
