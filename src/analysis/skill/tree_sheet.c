/* Skills that show the NVTX tree: merged by path, or range by range with the launched kernels. */
#include "nsyscope/calltree.h"

#include "analysis/names/label.h"
#include "analysis/ranges/instances.h"
#include "analysis/ranges/tree_gpu.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

/* For people, indents the name by two spaces a level. */
static struct nsc_kept_text keep_indented(struct nsc_sheet *sheet,
                                          const struct nsc_question *question, uint32_t depth,
                                          struct nsc_text name)
{
    struct nsc_buf text = NSC_BUF_INIT(NSC_NAME_BYTES + 2 * 64 + 8);

    for (uint32_t i = 0; question->indent && i < depth && i < 64; i++)
        nsc_buf_puts(&text, "  ");
    nsc_buf_add(&text, name.bytes, name.n);
    return nsc_sheet_keep_buf(sheet, &text);
}

/* An op is in each range around it: 40,000 ranges around 1,000 ops are 40 million rows. */
#define MOST_ROWS UINT64_C(1000000) /* and one an event, without a limit */

static bool is_full(const struct nsc_question *question, const struct nsc_sheet *sheet)
{
    int64_t limit = question->params[NSC_PARAM_LIMIT].integer;

    return nsc_sheet_rows(sheet) >=
           (limit > 0 ? (uint64_t)limit : MOST_ROWS + nsc_trace_events(question->scope->trace)->n);
}

/* ---- nvtx_tree: merged by path ---- */

struct tree_row {
    uint32_t depth;
    int64_t calls, ops;
    nsc_time total, self, mean, longest, work, all;
    struct nsc_kept_text range;
};

const struct nsc_sheet_column nsc_skill_nvtx_tree_columns[] = {
    NSC_COL_COUNT(tree_row, depth, "depth", "Depth"),
    NSC_COL_COUNT(tree_row, calls, "calls", "Calls"),
    NSC_COL_NS(tree_row, total, "total_ns", "On the CPU"),
    NSC_COL_NS(tree_row, self, "self_ns", "Self"),
    NSC_COL_NS(tree_row, mean, "mean_ns", "Mean"),
    NSC_COL_NS(tree_row, longest, "longest_ns", "Longest"),
    NSC_COL_COUNT(tree_row, ops, "gpu_ops", "GPU ops"),
    NSC_COL_NS(tree_row, work, "gpu_work_ns", "GPU work"),
    NSC_COL_SHARE(tree_row, work, all, "gpu_share", "Share", "summed GPU work"),
    NSC_COL_TEXT(tree_row, range, "range", "NVTX range"),
    {0},
};

struct merged {
    const struct nsc_trace *trace;
    struct nsc_calltree *tree;
    bool has_kept_tree; /* owned by a store */
    struct nsc_tree_gpu gpu;
    uint32_t *depth;
    uint64_t ops; /* ops of the scope, inside ranges or not */
    nsc_time work;
    uint64_t ops_inside;
    nsc_time work_inside;
};

static void add_ops(struct merged *merged, const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(merged->trace);

    for (struct nsc_scope_cursor at =
             nsc_scope_open_devices(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (nsc_kind_is_gpu(events->kind[at.row])) {
            merged->ops++;
            merged->work = nsc_sum(merged->work, nsc_event_duration(events, at.row));
        }
}

/* Builds the tree and its figures. False if out of memory, or with too many paths. */
static bool find_work(struct merged *merged, const struct nsc_scope *scope, enum nsc_paths paths,
                      const struct nsc_helper_launches *lends)
{
    bool is_all = !scope->mask && !scope->has_window;
    uint64_t *ranges = is_all ? NULL : nsc_scope_mask(scope, nsc_kind_is_nvtx);
    struct nsc_launches *all = nsc_launches_ask(scope), *launches = all;

    if (all && !is_all)
        launches = nsc_launches_select(all, nsc_scope_keeps, scope);
    merged->tree = paths == NSC_PATHS_BY_DIGITS
                       ? nsc_range_tree_ask(scope, ranges, &merged->has_kept_tree)
                       : nsc_calltree_build(scope->trace, ranges, paths);
    free(ranges);
    add_ops(merged, scope);
    if (merged->tree && launches)
        nsc_tree_gpu_build(&merged->gpu, merged->tree, scope->trace, launches, lends, scope);
    if (launches != all)
        nsc_launches_free(launches);
    nsc_launches_free(all);
    return merged->gpu.ops;
}

static bool build_merged(struct merged *merged, const struct nsc_scope *scope, enum nsc_paths paths)
{
    struct nsc_helper_launches *lends = nsc_helper_launches_ask(scope);
    uint64_t twice_ops = 0;
    nsc_time twice_work = 0;
    bool is_fine;

    *merged = (struct merged){.trace = scope->trace};
    is_fine = lends && find_work(merged, scope, paths, lends);
    if (is_fine)
        nsc_tree_gpu_count_twice(&twice_ops, &twice_work, merged->tree, scope->trace, lends, scope);
    nsc_helper_launches_free(lends);
    if (!is_fine)
        return false;
    merged->depth = nsc_xcalloc((size_t)merged->tree->n + 1, sizeof *merged->depth);
    for (uint32_t i = 0; i < merged->tree->n; i++) {
        uint32_t parent = merged->tree->parent[i];

        merged->depth[i] = parent == NSC_NONE ? 0 : merged->depth[parent] + 1;
        if (parent != NSC_NONE)
            continue;
        merged->ops_inside += merged->gpu.ops[i];
        merged->work_inside = nsc_sum(merged->work_inside, merged->gpu.work[i]);
    }
    merged->ops_inside -= twice_ops;
    merged->work_inside -= twice_work;
    return true;
}

static void free_merged(struct merged *merged)
{
    nsc_tree_gpu_fini(&merged->gpu);
    free(merged->depth);
    if (!merged->has_kept_tree)
        nsc_calltree_free(merged->tree);
}

static void add_node(struct nsc_sheet *sheet, const struct nsc_question *question,
                     const struct merged *merged, uint32_t i)
{
    const struct nsc_calltree *tree = merged->tree;
    const struct nsc_trace *trace = question->scope->trace;
    char name[NSC_NAME_BYTES];
    struct nsc_text text = {name, 0};

    if (!question->params[NSC_PARAM_FOLD].integer) {
        text = nsc_trace_event_text(trace, tree->slowest[i], false, name);
    } else {
        text.n = nsc_label_pattern(name, trace, tree->slowest[i], tree->mixed[i]);
    }
    NSC_ADD_ROW(sheet, tree_row, .depth = merged->depth[i], .calls = tree->calls[i],
                .total = tree->total[i], .self = tree->self[i],
                .mean = tree->calls[i] ? tree->total[i] / tree->calls[i] : 0,
                .longest = tree->longest[i], .ops = merged->gpu.ops[i], .work = merged->gpu.work[i],
                .all = merged->work,
                .range = keep_indented(sheet, question, merged->depth[i], text));
}

/* Adds nodes in preorder up to the limit, and counts the rest. */
void nsc_skill_nvtx_tree(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_param_value *deepest = &question->params[NSC_PARAM_DEPTH];
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nvtx_tree);
    enum nsc_paths paths =
        question->params[NSC_PARAM_FOLD].integer ? NSC_PATHS_BY_DIGITS : NSC_PATHS_BY_TEXT;
    struct merged merged;

    if (!build_merged(&merged, question->scope, paths)) {
        nsc_sheet_note(sheet, "No memory for the tree, or too many paths.");
        free_merged(&merged);
        return;
    }
    for (uint32_t i = 0; i < merged.tree->n; i++) {
        if (deepest->is_set && merged.depth[i] > deepest->integer)
            continue;
        if (is_full(question, sheet))
            sheet->n_left_out++;
        else
            add_node(sheet, question, &merged, i);
    }
    if (merged.ops > merged.ops_inside) /* launched outside of ranges, or by an unknown call */
        NSC_ADD_ROW(sheet, tree_row, .calls = NSC_UNKNOWN, .total = NSC_UNKNOWN,
                    .self = NSC_UNKNOWN, .mean = NSC_UNKNOWN, .longest = NSC_UNKNOWN,
                    .ops = (int64_t)(merged.ops - merged.ops_inside),
                    .work = nsc_span(merged.work_inside, merged.work), .all = merged.work,
                    .range = nsc_sheet_keep(sheet, nsc_text_from("(under no range)")));
    if (merged.tree->n == 0)
        nsc_sheet_note(sheet, "There are no NVTX push/pop ranges in the window.");
    else
        nsc_sheet_note(sheet, "Ranges of one path share a row; \"#\" stands for their numbers (-p "
                              "fold=off keeps them apart). GPU work adds the durations of the ops "
                              "launched inside, so it is not wall time.");
    free_merged(&merged);
}

/* ---- nvtx_instances: range by range ---- */

struct tree_instance_row {
    uint32_t depth, pid;
    const char *kind;
    int64_t tid, gpu, stream;
    nsc_time start, duration, gpu_span, work;
    struct nsc_kept_text name;
};

const struct nsc_sheet_column nsc_skill_nvtx_instances_columns[] = {
    NSC_COL_COUNT(tree_instance_row, depth, "depth", "Depth"),
    NSC_COL_TEXT(tree_instance_row, kind, "kind", "Kind"),
    NSC_COL_ID(tree_instance_row, pid, "pid", "Process"),
    NSC_COL_ID(tree_instance_row, tid, "tid", "Thread"),
    NSC_COL_ID(tree_instance_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(tree_instance_row, stream, "stream", "Stream"),
    NSC_COL_INSTANT(tree_instance_row, start, "start_ns", "Start"),
    NSC_COL_NS(tree_instance_row, duration, "duration_ns", "Duration"),
    NSC_COL_NS(tree_instance_row, gpu_span, "gpu_ns", "GPU span"),
    NSC_COL_NS(tree_instance_row, work, "gpu_work_ns", "GPU work"),
    NSC_COL_TEXT(tree_instance_row, name, "name", "Name"),
    {0},
};

static void add_event(struct nsc_sheet *sheet, const struct nsc_question *question,
                      const struct nsc_instances *all, struct nsc_instance at)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event event = nsc_instance_event(all, at);
    struct nsc_gpu_figures figures = nsc_instance_figures(all, at);
    const struct nsc_track *track = &nsc_trace_tracks(
        trace, &(uint32_t){0})[nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, event)].track];
    bool is_work = at.op != NSC_NONE;
    uint32_t depth = nsc_instance_depth(all, at) - 1;
    char scratch[NSC_NAME_BYTES];

    NSC_ADD_ROW(sheet, tree_instance_row, .depth = depth,
                .kind = is_work ? nsc_kind_label((enum nsc_kind)events->kind[event]) : "range",
                .pid = track->pid, .tid = nsc_known(!is_work, track->tid),
                .gpu = nsc_known(is_work, track->device),
                .stream = nsc_known(is_work, track->stream), .start = events->start[event],
                .duration = nsc_event_duration(events, event),
                .gpu_span = figures.ops ? nsc_span(events->start[figures.first],
                                                   nsc_event_end(events, figures.last))
                                        : NSC_UNKNOWN,
                .work = figures.work,
                .name = keep_indented(sheet, question, depth,
                                      nsc_trace_event_text(trace, event, true, scratch)));
}

/* The next place in preorder; go_in: including the children of at. */
static struct nsc_instance step_on(const struct nsc_instances *all, struct nsc_instance at,
                                   bool go_in)
{
    struct nsc_instance next = go_in ? nsc_instance_first_child(all, at) : NSC_NO_INSTANCE;

    while (nsc_instance_is_none(next) && !nsc_instance_is_none(at)) {
        next = nsc_instance_next(all, at);
        at = nsc_instance_parent(all, at);
    }
    return next;
}

static bool is_shown(const struct nsc_instances *all, const struct nsc_scope *scope,
                     struct nsc_instance at)
{
    nsc_event event = nsc_instance_event(all, at);

    return event == NSC_NONE || at.op != NSC_NONE || nsc_instance_figures(all, at).ops > 0 ||
           nsc_scope_has(scope, event);
}

static void add_instances(struct nsc_sheet *sheet, const struct nsc_question *question,
                          const struct nsc_instances *all)
{
    struct nsc_instance at = {0, NSC_NONE, NSC_NONE};
    bool is_cut = false;

    while (all->n_roots > 0 && !nsc_instance_is_none(at) && !is_cut &&
           !nsc_scope_is_stopped(question->scope)) {
        bool shown = is_shown(all, question->scope, at);

        is_cut = is_full(question, sheet);
        if (shown && !is_cut && nsc_instance_event(all, at) != NSC_NONE)
            add_event(sheet, question, all, at);
        at = step_on(all, at, shown);
    }
    if (is_cut && question->params[NSC_PARAM_LIMIT].integer == 0 && question->error)
        (void)nsc_fail(question->error, NSC_EINVAL,
                       "nvtx_instances: more rows than fit; set a limit");
    else if (is_cut)
        nsc_sheet_note(sheet, "More ranges follow: -p limit=0 lists all.");
}

void nsc_skill_nvtx_instances(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nvtx_instances);
    uint64_t *ops = nsc_scope_mask(scope, nsc_kind_is_gpu);
    struct nsc_launches *launches = nsc_launches_build(scope->trace, ops, scope->stop);
    struct nsc_helper_figures lent = {0};
    struct nsc_instances all;

    free(ops);
    if (!launches || !nsc_launches_sum(launches) || !nsc_launches_compare(launches) ||
        !nsc_helper_figures_find(&lent, scope->trace, launches)) {
        nsc_launches_free(launches);
        nsc_sheet_note(sheet, "No memory for the launches.");
        return;
    }
    nsc_instances_init(&all, scope->trace, launches);
    all.lent = &lent;
    add_instances(sheet, question, &all);
    nsc_instances_fini(&all);
    nsc_helper_figures_fini(&lent);
    nsc_launches_free(launches);
    nsc_sheet_note(
        sheet, nsc_sheet_rows(sheet)
                   ? "Every range that touches the window, thread by thread, and the GPU work "
                     "launched inside it on its thread. Work launched outside any range is at "
                     "depth 0. GPU span and work of a range include work that autograd's threads "
                     "launch for it. GPU span: from the first start to the last end of that work."
                   : "There are no NVTX ranges and no launched work in the window.");
}
