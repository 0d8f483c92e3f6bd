/*
 * Fills the cells of the tree pane.
 */
#include "view/pane/tree_columns.h"

#include "core/units.h"

static void put_duration(struct nsc_list_cell *cell, nsc_time t)
{
    nsc_units_duration(cell->text, t, cell->page.ascii);
}

static void put_count(struct nsc_list_cell *cell, uint64_t n)
{
    if (n)
        nsc_units_count(cell->text, n);
}

/* ---- columns of the instances ---- */

enum { START, DURATION, SHARE, SPAN, GPU_WORK, GPU_LAUNCHES, GPU_CAPTURED };

static const struct nsc_tree_column instance_columns[] = {
    {"start", 21, 6, true, true, false, -1, START},
    {"duration", 10, 1, true, false, false, -1, DURATION},
    {"of parent", NSC_LIST_BAR_COLS + 2, 3, true, false, true, -1, SHARE},
    {"GPU span", 10, 4, true, false, false, -1, SPAN},
    {"GPU work", 10, 2, true, false, false, -1, GPU_WORK},
    {"launches", 11, 5, false, false, false, -1, GPU_LAUNCHES},
    {"captured", 10, 2, true, false, false, -1, GPU_CAPTURED}, /* the last: not always shown */
};

nsc_event nsc_tree_line_event(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return nsc_instance_event(&tree->walk.all, line->at);
}

/* The duration of a line, summed over those of a run. The line has an event. */
static nsc_time duration_of(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return line->is_run
               ? nsc_instance_run_total(&tree->walk.all, &line->run)
               : nsc_event_duration(nsc_trace_events(tree->trace), nsc_tree_line_event(tree, line));
}

/* Share of the parent range; for GPU work, of all work launched in its range. */
static void draw_share(const struct nsc_tree *tree, const struct nsc_tree_line *line,
                       const struct nsc_list_cell *cell)
{
    const struct nsc_instances *all = &tree->walk.all;
    struct nsc_instance parent = nsc_instance_parent(all, line->at);

    if (nsc_instance_is_none(parent) || parent.range == NSC_NONE)
        return;
    nsc_list_bar(cell, NSC_ROLE_SHARE, 0, duration_of(tree, line),
                 line->at.op != NSC_NONE
                     ? nsc_instance_figures(all, parent).work
                     : nsc_event_duration(nsc_trace_events(tree->trace), parent.range));
}

/* Figures of the GPU work launched in a range, or in those of a run. */
static void fill_gpu(int figure, const struct nsc_tree *tree, const struct nsc_tree_line *line,
                     struct nsc_list_cell *cell)
{
    const struct nsc_events *events = nsc_trace_events(tree->trace);
    struct nsc_gpu_figures figures = line->is_run
                                         ? nsc_instance_run_figures(&tree->walk.all, &line->run)
                                         : nsc_instance_figures(&tree->walk.all, line->at);
    nsc_time span = 0;

    if (figure == GPU_LAUNCHES)
        put_count(cell, figures.launches);
    else if (figure == GPU_WORK && figures.ops)
        put_duration(cell, figures.work);
    else if (figure == SPAN && figures.first != NSC_NONE &&
             !__builtin_sub_overflow(nsc_event_end(events, figures.last),
                                     events->start[figures.first], &span))
        put_duration(cell, span);
}

/* Figures of the GPU work captured in a range. */
static void fill_captured(const struct nsc_tree *tree, const struct nsc_tree_line *line,
                          struct nsc_list_cell *cell)
{
    struct nsc_instances all = tree->walk.all;
    struct nsc_gpu_figures figures;

    all.measured = tree->captured.launches;
    all.lent = &tree->captured.lent;
    figures = nsc_instance_figures(&all, line->at);
    if (figures.ops)
        put_duration(cell, figures.work);
}

static void fill_instance(int figure, const struct nsc_tree *tree, const struct nsc_tree_line *line,
                          struct nsc_list_cell *cell)
{
    nsc_event event = nsc_tree_line_event(tree, line);

    if (figure == SHARE)
        draw_share(tree, line, cell);
    else if (figure == START && event != NSC_NONE)
        nsc_units_instant(cell->text, nsc_trace_events(tree->trace)->start[event]);
    else if (figure == DURATION && (line->is_run || event != NSC_NONE))
        put_duration(cell, duration_of(tree, line));
    else if (figure == GPU_CAPTURED && line->at.op == NSC_NONE && !line->is_run)
        fill_captured(tree, line, cell);
    else if (figure >= SPAN && figure < GPU_CAPTURED && (line->at.op == NSC_NONE || line->is_run))
        fill_gpu(figure, tree, line, cell);
}

/* ---- columns of the merged paths ---- */

enum { CALLS, TOTAL, OF_ALL, BAR, SELF, MIN, MAX, WORK, IDLE, LAUNCHES, CAPTURED };

static const struct nsc_tree_column merged_columns[] = {
    {"calls", 11, 2, false, false, false, NSC_TREE_BY_COUNT, CALLS},
    {"total", 10, 1, true, false, false, NSC_TREE_BY_TIME, TOTAL},
    {"of all", 8, 6, true, false, false, -1, OF_ALL},
    {"", NSC_LIST_BAR_COLS + 2, 8, true, false, true, -1, BAR},
    {"self", 10, 7, true, false, false, NSC_TREE_BY_SELF, SELF},
    {"min", 10, 10, true, false, false, -1, MIN},
    {"max", 10, 9, true, false, false, -1, MAX},
    {"GPU work", 10, 3, true, false, false, NSC_TREE_BY_GPU, WORK},
    {"GPU idle", 10, 4, true, false, false, NSC_TREE_BY_IDLE, IDLE},
    {"launches", 11, 5, false, false, false, -1, LAUNCHES},
    {"captured", 10, 3, true, false, false, -1, CAPTURED}, /* likewise */
};

static void fill_merged(int figure, const struct nsc_tree *tree, uint32_t node,
                        struct nsc_list_cell *cell)
{
    const struct nsc_calltree *calls = tree->merged.calls;
    const nsc_time *times[] = {
        [TOTAL] = calls->total, [SELF] = calls->self,           [MIN] = calls->shortest,
        [MAX] = calls->longest, [WORK] = tree->merged.gpu.work, [IDLE] = tree->merged.gpu.idle};

    if (figure == CALLS)
        put_count(cell, calls->calls[node]);
    else if (figure == LAUNCHES)
        put_count(cell, tree->merged.gpu.launches[node]);
    else if (figure == CAPTURED && tree->merged.captured.ops[node])
        put_duration(cell, tree->merged.captured.work[node]);
    else if (figure == OF_ALL)
        nsc_units_percent(cell->text, calls->total[node], tree->merged.whole);
    else if (figure == BAR)
        nsc_list_bar(cell, NSC_ROLE_SHARE, 0, calls->total[node], tree->merged.whole);
    else if (figure < WORK || (figure < LAUNCHES && tree->merged.gpu.ops[node]))
        put_duration(cell, times[figure][node]);
}

const struct nsc_tree_column *nsc_tree_columns(const struct nsc_tree *tree, uint32_t *n)
{
    *n = tree->merged_face ? sizeof merged_columns / sizeof *merged_columns
                           : sizeof instance_columns / sizeof *instance_columns;
    *n -= !tree->captured.launches;
    return tree->merged_face ? merged_columns : instance_columns;
}

void nsc_tree_fill(const struct nsc_tree_column *column, const struct nsc_tree *tree,
                   const struct nsc_tree_line *line, struct nsc_list_cell *cell)
{
    if (tree->merged_face)
        fill_merged(column->figure, tree, line->node, cell);
    else
        fill_instance(column->figure, tree, line, cell);
}
