/*
 * Fills the cells of the tree pane.
 */
#include "view/pane/tree_columns.h"

#include "core/units.h"

#include <stdio.h>

static void put_duration(const struct nsc_scene *scene, struct nsc_tree_cell *cell, nsc_time t)
{
    char text[NSC_UNITS_BYTES];

    nsc_units_duration(text, t, scene->ascii);
    (void)snprintf(cell->text, sizeof cell->text, "%s", text);
}

static void put_count(struct nsc_tree_cell *cell, uint64_t n)
{
    char text[NSC_UNITS_BYTES];

    nsc_units_count(text, n);
    if (n)
        (void)snprintf(cell->text, sizeof cell->text, "%s", text);
}

/* ---- columns of the instances ---- */

nsc_event nsc_tree_line_event(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return nsc_instance_event(&tree->walk.all, line->at);
}

static struct nsc_gpu_figures line_figures(const struct nsc_tree *tree,
                                           const struct nsc_tree_line *line)
{
    return line->is_run ? nsc_instance_run_figures(&tree->walk.all, &line->run)
                        : nsc_instance_figures(&tree->walk.all, line->at);
}

static void fill_start(const struct nsc_scene *scene, const struct nsc_tree *tree,
                       const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    nsc_event event = nsc_tree_line_event(tree, line);

    if (event != NSC_NONE)
        nsc_units_instant(cell->text, nsc_trace_events(scene->trace)->start[event]);
}

static void fill_duration(const struct nsc_scene *scene, const struct nsc_tree *tree,
                          const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    nsc_event event = nsc_tree_line_event(tree, line);

    if (line->is_run)
        put_duration(scene, cell, nsc_instance_run_total(&tree->walk.all, &line->run));
    else if (event != NSC_NONE)
        put_duration(scene, cell, nsc_event_duration(nsc_trace_events(scene->trace), event));
}

/* Share of the parent range; for GPU work, of all work launched in its range. */
static void fill_share(const struct nsc_scene *scene, const struct nsc_tree *tree,
                       const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    const struct nsc_instances *all = &tree->walk.all;
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    struct nsc_instance parent = nsc_instance_parent(all, line->at);
    nsc_event event = nsc_tree_line_event(tree, line);

    if (nsc_instance_is_none(parent) || parent.range == NSC_NONE)
        return;
    cell->part =
        line->is_run ? nsc_instance_run_total(all, &line->run) : nsc_event_duration(events, event);
    cell->whole = line->at.op != NSC_NONE ? nsc_instance_figures(all, parent).work
                                          : nsc_event_duration(events, parent.range);
}

static void fill_span(const struct nsc_scene *scene, const struct nsc_tree *tree,
                      const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    struct nsc_gpu_figures figures = line_figures(tree, line);
    nsc_time span = 0;

    if ((line->at.op == NSC_NONE || line->is_run) && figures.first != NSC_NONE &&
        !__builtin_sub_overflow(nsc_event_end(events, figures.last), events->start[figures.first],
                                &span))
        put_duration(scene, cell, span);
}

static void fill_work(const struct nsc_scene *scene, const struct nsc_tree *tree,
                      const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    struct nsc_gpu_figures figures = line_figures(tree, line);

    if ((line->at.op == NSC_NONE || line->is_run) && figures.ops)
        put_duration(scene, cell, figures.work);
}

static void fill_launches(const struct nsc_scene *scene, const struct nsc_tree *tree,
                          const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    (void)scene;
    if (line->at.op == NSC_NONE || line->is_run)
        put_count(cell, line_figures(tree, line).launches);
}

static const struct nsc_tree_column instance_columns[] = {
    {"start", 21, 6, true, false, -1, fill_start, 0},
    {"duration", 10, 1, true, false, -1, fill_duration, 0},
    {"of parent", NSC_TREE_BAR_COLS + 2, 3, true, true, -1, fill_share, 0},
    {"GPU span", 10, 4, true, false, -1, fill_span, 0},
    {"GPU work", 10, 2, true, false, -1, fill_work, 0},
    {"launches", 11, 5, false, false, -1, fill_launches, 0},
};

/* ---- columns of the merged paths ---- */

static void fill_bar(const struct nsc_scene *scene, const struct nsc_tree *tree,
                     const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    (void)scene;
    cell->part = tree->merged.calls->total[line->node];
    cell->whole = tree->merged.whole;
}

static void fill_percent(const struct nsc_scene *scene, const struct nsc_tree *tree,
                         const struct nsc_tree_line *line, struct nsc_tree_cell *cell)
{
    (void)scene;
    nsc_units_percent(cell->text, tree->merged.calls->total[line->node], tree->merged.whole);
}

enum figure { CALLS, TOTAL, SELF, MIN, MAX, WORK, IDLE, LAUNCHES };

static void fill_figure(enum figure figure, const struct nsc_scene *scene,
                        const struct nsc_tree *tree, uint32_t node, struct nsc_tree_cell *cell)
{
    const struct nsc_calltree *calls = tree->merged.calls;
    const nsc_time *times[] = {
        [TOTAL] = calls->total, [SELF] = calls->self,           [MIN] = calls->shortest,
        [MAX] = calls->longest, [WORK] = tree->merged.gpu.work, [IDLE] = tree->merged.gpu.idle};

    if (figure == CALLS)
        put_count(cell, calls->calls[node]);
    else if (figure == LAUNCHES)
        put_count(cell, tree->merged.gpu.launches[node]);
    else if (figure < WORK || tree->merged.gpu.ops[node])
        put_duration(scene, cell, times[figure][node]);
}

static const struct nsc_tree_column merged_columns[] = {
    {"calls", 11, 2, false, false, NSC_TREE_BY_COUNT, NULL, CALLS},
    {"total", 10, 1, true, false, NSC_TREE_BY_TIME, NULL, TOTAL},
    {"of all", 8, 6, true, false, -1, fill_percent, 0},
    {"", NSC_TREE_BAR_COLS + 2, 8, true, true, -1, fill_bar, 0},
    {"self", 10, 7, true, false, NSC_TREE_BY_SELF, NULL, SELF},
    {"min", 10, 10, true, false, -1, NULL, MIN},
    {"max", 10, 9, true, false, -1, NULL, MAX},
    {"GPU work", 10, 3, true, false, NSC_TREE_BY_GPU, NULL, WORK},
    {"GPU idle", 10, 4, true, false, NSC_TREE_BY_IDLE, NULL, IDLE},
    {"launches", 11, 5, false, false, -1, NULL, LAUNCHES},
};

const struct nsc_tree_column *nsc_tree_columns(const struct nsc_tree *tree, int *n)
{
    *n = tree->merged_face ? (int)(sizeof merged_columns / sizeof *merged_columns)
                           : (int)(sizeof instance_columns / sizeof *instance_columns);
    return tree->merged_face ? merged_columns : instance_columns;
}

void nsc_tree_fill(const struct nsc_tree_column *column, const struct nsc_scene *scene,
                   const struct nsc_tree *tree, const struct nsc_tree_line *line,
                   struct nsc_tree_cell *cell)
{
    if (column->fill)
        column->fill(scene, tree, line, cell);
    else
        fill_figure((enum figure)column->figure, scene, tree, line->node, cell);
}
