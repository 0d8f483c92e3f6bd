/*
 * Draws the links of the selected event: its launch or launched work, the range around that, and
 * the GPU work it waited for, like search hits, with a line between their rows.
 */
#include "view/pane/panes.h"
#include "view/scene/look.h"

enum { LINKS_MOST = 5 };

/* The place of an event on the screen; row -1: not visible. */
struct drawn {
    int row, from, to; /* to: after the last column */
    bool begins;       /* starts inside the window */
};

static struct drawn drawn_of(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    uint32_t lane = nsc_trace_lane_of(scene->trace, event);
    size_t line = nsc_rows_find(&scene->lines, scene->trace, lane);
    struct nsc_rect rect = scene->layout.timeline;
    struct drawn at = {-1, 0, 0, false};
    int row = 0;

    if (line >= scene->lines.n || scene->lines.at[line].lane != lane)
        return at;
    row = nsc_scene_row_of(scene, line);
    at.from = nsc_viewport_col(&scene->viewport, events->start[event]);
    at.to = nsc_viewport_col(&scene->viewport, nsc_event_touch_end(events, event) - 1) + 1;
    at.begins = at.from >= 0;
    at.from = at.from < 0 ? 0 : at.from;
    at.to = at.to > rect.cols ? rect.cols : at.to;
    at.row = row >= 0 && row < rect.rows && at.from < at.to ? row : -1;
    return at;
}

/* Letters on bars stay letters on bars. */
static void color_row(struct nsc_grid *grid, int row, int from, int to)
{
    for (int col = from; col < to; col++) {
        struct nsc_cell *cell = nsc_grid_at(grid, (uint32_t)row, (uint32_t)col);

        cell->role = (uint8_t)(NSC_ROLE_LINK | (cell->role & NSC_CELL_ON_BAR));
    }
}

/* Draws a line from row to row in the empty cells of a column. */
static void rows_join(const struct nsc_scene *scene, struct nsc_grid *grid, int col, int from,
                      int to)
{
    struct nsc_rect rect = scene->layout.timeline;

    for (int row = (from < to ? from : to) + 1; row < (from < to ? to : from); row++) {
        const struct nsc_cell *cell =
            nsc_grid_at(grid, (uint32_t)(rect.row + row), (uint32_t)(rect.col + col));

        if (cell->n == 1 && cell->text[0] == ' ' && cell->role == NSC_ROLE_TEXT &&
            scene->lines.at[nsc_scene_line_at(scene, row)].kind != NSC_LINE_GROUP)
            nsc_grid_put(grid, rect.row + row, rect.col + col, NSC_ROLE_LINK, 0, "┆");
    }
}

nsc_event nsc_pane_details_waited(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details)
{
    return scene->selected != NSC_NONE && details->row_of == scene->selected ? details->waited
                                                                             : NSC_NONE;
}

/* Collects the launch, the innermost range around it, the launched work, and the work it waited
 * for. Returns their number. */
static uint32_t links_of(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                         nsc_event out[LINKS_MOST])
{
    const struct nsc_facts *facts = &details->facts;
    uint32_t n = 0;
    nsc_event next = nsc_scene_consequence(scene, facts->event);

    if (facts->launch != NSC_NONE)
        out[n++] = facts->launch;
    if (facts->n_path && facts->path[facts->n_path - 1] != facts->event)
        out[n++] = facts->path[facts->n_path - 1];
    if (next != NSC_NONE)
        out[n++] = next;
    next = next == NSC_NONE ? next : nsc_scene_consequence(scene, next);
    if (next != NSC_NONE)
        out[n++] = next;
    next = nsc_pane_details_waited(scene, details);
    if (next != NSC_NONE)
        out[n++] = next;
    return n;
}

void nsc_pane_links_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                         struct nsc_grid *grid)
{
    struct nsc_rect rect = scene->layout.timeline;
    nsc_event links[LINKS_MOST];
    uint32_t n = 0;
    struct drawn own;

    if (scene->selected == NSC_NONE || scene->selected != details->facts.event || scene->logical ||
        !rect.rows)
        return;
    own = drawn_of(scene, scene->selected);
    n = links_of(scene, details, links);
    for (uint32_t i = 0; i < n; i++) {
        struct drawn at = drawn_of(scene, links[i]);

        if (at.row < 0)
            continue;
        color_row(grid, rect.row + at.row, rect.col + at.from, rect.col + at.to);
        if (own.row >= 0 && at.begins)
            rows_join(scene, grid, at.from, at.row, own.row);
    }
}
