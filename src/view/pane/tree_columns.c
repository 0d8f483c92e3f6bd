/* The columns of the tree pane: of the instances, and of the merged paths. */
#include "view/pane/tree_columns.h"

/* ---- the instances ---- */

/* In the order in which a narrow pane drops them: the last ones first. */
enum { NAME, START, DURATION, WORK, OF_PARENT, SPAN, LAUNCHES, CAPTURED, N_INSTANCE_COLUMNS };

struct instance_row {
    const char *name; /* drawn */
    nsc_time start, duration, work, part, whole, span, captured;
    int64_t launches;
};

static const struct nsc_sheet_column instance_columns[N_INSTANCE_COLUMNS] = {
    [NAME] = NSC_COL_TEXT(instance_row, name, "name", "range or work"),
    [START] = NSC_COL_INSTANT(instance_row, start, "start_ns", "start"),
    [DURATION] = NSC_COL_NS(instance_row, duration, "duration_ns", "duration"),
    [WORK] = NSC_COL_NS(instance_row, work, "gpu_work_ns", "GPU work"),
    [OF_PARENT] = NSC_COL_SHARE(instance_row, part, whole, "of_parent", "of parent", NULL),
    [SPAN] = NSC_COL_NS(instance_row, span, "gpu_span_ns", "GPU span"),
    [LAUNCHES] = NSC_COL_COUNT(instance_row, launches, "launches", "launches"),
    [CAPTURED] = NSC_COL_NS(instance_row, captured, "captured_ns", "captured"),
};

/* The duration of a line, summed over those of a run. */
static nsc_time duration_of(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    nsc_event event = nsc_tree_line_event(tree, line);

    if (line->is_run)
        return nsc_instance_run_total(&tree->walk.all, &line->run);
    return event == NSC_NONE ? NSC_UNKNOWN
                             : nsc_event_duration(nsc_trace_events(tree->trace), event);
}

/* What its share is of: the parent range; for GPU work, all work launched in its range. */
static nsc_time whole_of(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    const struct nsc_instances *all = &tree->walk.all;
    struct nsc_instance parent = nsc_instance_parent(all, line->at);

    if (nsc_instance_is_none(parent) || parent.range == NSC_NONE)
        return 0;
    return line->at.op != NSC_NONE
               ? nsc_instance_figures(all, parent).work
               : nsc_event_duration(nsc_trace_events(tree->trace), parent.range);
}

/* Sets figures of the GPU work launched in a range, or in those of a run. */
static void set_gpu(struct instance_row *row, const struct nsc_tree *tree,
                    const struct nsc_tree_line *line)
{
    const struct nsc_events *events = nsc_trace_events(tree->trace);
    struct nsc_instance_run place = {line->at, line->at, 1};
    struct nsc_gpu_figures figures =
        nsc_instance_run_figures(&tree->walk.all, line->is_run ? &line->run : &place);

    row->launches = nsc_known(figures.launches > 0, (int64_t)figures.launches);
    row->work = nsc_known(figures.ops > 0, figures.work);
    if (figures.first == NSC_NONE ||
        __builtin_sub_overflow(nsc_event_end(events, figures.last), events->start[figures.first],
                               &row->span))
        row->span = NSC_UNKNOWN;
}

/* The GPU work captured in a range. */
static nsc_time captured_of(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    struct nsc_instances all = tree->walk.all;
    struct nsc_gpu_figures figures;

    if (!tree->captured.launches || line->at.op != NSC_NONE || line->is_run)
        return NSC_UNKNOWN;
    all.measured = tree->captured.launches;
    all.lent = &tree->captured.lent;
    figures = nsc_instance_figures(&all, line->at);
    /* Of a root that takes no work those of the whole thread are known only. */
    return nsc_known(figures.ops &&
                         (line->at.range != NSC_NONE || all.roots[line->at.root].takes_work),
                     figures.work);
}

static void instance_add(struct nsc_sheet *sheet, const struct nsc_tree *tree,
                         const struct nsc_tree_line *line)
{
    struct instance_row row = {.start = NSC_UNKNOWN,
                               .duration = NSC_UNKNOWN,
                               .work = NSC_UNKNOWN,
                               .span = NSC_UNKNOWN,
                               .launches = NSC_UNKNOWN,
                               .captured = NSC_UNKNOWN};
    nsc_event event = nsc_tree_line_event(tree, line);

    if (line->bubble <= 0) {
        row.start = event == NSC_NONE ? NSC_UNKNOWN : nsc_trace_events(tree->trace)->start[event];
        row.part = row.duration = duration_of(tree, line);
        row.whole = whole_of(tree, line);
        row.captured = captured_of(tree, line);
        if (line->at.op == NSC_NONE || line->is_run)
            set_gpu(&row, tree, line);
    }
    NSC_SHEET_ADD_ROW(sheet, &row);
}

/* ---- the merged paths ---- */

enum {
    PATH,
    TOTAL,
    CALLS,
    PATH_WORK,
    IDLE,
    PATH_LAUNCHES,
    PATH_CAPTURED,
    OF_ALL,
    SELF,
    BAR,
    MAX,
    MIN,
    N_PATH_COLUMNS
};

struct path_row {
    const char *path; /* drawn */
    nsc_time total, whole, work, idle, self, max, min, captured;
    int64_t calls, launches;
};

static const struct nsc_sheet_column path_columns[N_PATH_COLUMNS] = {
    [PATH] = NSC_COL_TEXT(path_row, path, "path", "path"),
    [TOTAL] = NSC_COL_NS(path_row, total, "total_ns", "total"),
    [CALLS] = NSC_COL_COUNT(path_row, calls, "calls", "calls"),
    [PATH_WORK] = NSC_COL_NS(path_row, work, "gpu_work_ns", "GPU work"),
    [IDLE] = NSC_COL_NS(path_row, idle, "gpu_idle_ns", "GPU idle"),
    [PATH_LAUNCHES] = NSC_COL_COUNT(path_row, launches, "launches", "launches"),
    [PATH_CAPTURED] = NSC_COL_NS(path_row, captured, "captured_ns", "captured"),
    [OF_ALL] = NSC_COL_SHARE(path_row, total, whole, "of_all", "of all", NULL),
    [SELF] = NSC_COL_NS(path_row, self, "self_ns", "self"),
    [BAR] = NSC_COL_SHARE(path_row, total, whole, "", "", NULL),
    [MAX] = NSC_COL_NS(path_row, max, "max_ns", "max"),
    [MIN] = NSC_COL_NS(path_row, min, "min_ns", "min"),
};

static void path_add(struct nsc_sheet *sheet, const struct nsc_tree *tree, uint32_t node)
{
    const struct nsc_tree_merged *merged = &tree->merged;
    const struct nsc_calltree *calls = merged->calls;
    bool has_work = merged->gpu.ops[node] > 0;
    bool is_captured = tree->captured.launches && merged->captured.ops[node];

    NSC_ADD_ROW(
        sheet, path_row, .total = calls->total[node], .whole = merged->whole,
        .calls = nsc_known(calls->calls[node] > 0, (int64_t)calls->calls[node]),
        .work = nsc_known(has_work, merged->gpu.work[node]),
        .idle = nsc_known(has_work, merged->gpu.idle[node]),
        .launches = nsc_known(merged->gpu.launches[node] > 0, (int64_t)merged->gpu.launches[node]),
        .self = calls->self[node], .max = calls->longest[node], .min = calls->shortest[node],
        .captured = is_captured ? merged->captured.work[node] : NSC_UNKNOWN);
}

/* ---- of both ---- */

/* By whether paths are merged. */
static const struct {
    const struct nsc_sheet_column *columns;
    uint32_t n, captured, bar;
} faces[] = {{instance_columns, N_INSTANCE_COLUMNS, CAPTURED, OF_PARENT},
             {path_columns, N_PATH_COLUMNS, PATH_CAPTURED, BAR}};

static const uint32_t sorted_columns[NSC_N_TREE_SORTS] = {
    [NSC_TREE_BY_TIME] = TOTAL,    [NSC_TREE_BY_SELF] = SELF, [NSC_TREE_BY_COUNT] = CALLS,
    [NSC_TREE_BY_GPU] = PATH_WORK, [NSC_TREE_BY_IDLE] = IDLE, [NSC_TREE_BY_NAME] = PATH};

static bool is_hidden(const struct nsc_tree *tree, uint32_t column)
{
    uint8_t kind = faces[tree->merged_face].columns[column].kind;

    if (column == faces[tree->merged_face].captured && !tree->captured.launches)
        return true;
    return column != NAME && ((kind != NSC_SHEET_COUNT && tree->times == NSC_TREE_NO_TIMES) ||
                              (kind == NSC_SHEET_INSTANT && tree->times != NSC_TREE_STARTS));
}

void nsc_tree_columns_fill(struct nsc_table *table, struct nsc_sheet *sheet,
                           const struct nsc_tree *tree)
{
    uint32_t n = faces[tree->merged_face].n;

    nsc_sheet_init(sheet, "tree", "", faces[tree->merged_face].columns, n);
    for (size_t i = 0; i < tree->lines.n; i++)
        if (tree->merged_face)
            path_add(sheet, tree, tree->lines.at[i].node);
        else
            instance_add(sheet, tree, &tree->lines.at[i]);
    table->sorted = tree->merged_face ? sorted_columns[tree->sort] : NSC_NONE;
    table->descending = tree->sort != NSC_TREE_BY_NAME;
    table->bars = 1u << faces[tree->merged_face].bar;
    for (uint32_t c = 0; c < n; c++)
        table->hidden |= (uint32_t)is_hidden(tree, c) << c;
}
