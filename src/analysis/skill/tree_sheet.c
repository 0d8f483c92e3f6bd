/*
 * Skills that show the NVTX tree: merged by path, or range by range with the kernels each launched.
 */
#include "nsyscope/calltree.h"

#include "analysis/names/label.h"
#include "analysis/ranges/instances.h"
#include "analysis/ranges/tree_gpu.h"
#include "analysis/skill/skills.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

/* Rows that belong to the scope, those of NVTX or those of the GPU; to be given to free(). */
static uint64_t *mask_rows(const struct nsc_scope *scope, bool gpu)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(events->n) + 1, sizeof *mask);

    for (nsc_event i = 0; i < events->n; i++)
        if ((gpu ? nsc_kind_is_gpu(events->kind[i]) : nsc_kind_is_nvtx(events->kind[i])) &&
            nsc_scope_has_row(scope, events, i))
            nsc_bits_set(mask, i);
    return mask;
}

/* The name behind two spaces a level where people read it. */
static void add_indented(struct nsc_sheet *sheet, const struct nsc_question *question,
                         uint32_t depth, struct nsc_text name)
{
    struct nsc_buf text = NSC_BUF_INIT(NSC_NAME_BYTES + 2 * 64 + 8);

    for (uint32_t i = 0; question->indent && i < depth && i < 64; i++)
        nsc_buf_puts(&text, "  ");
    nsc_buf_add(&text, name.bytes, name.n);
    nsc_sheet_add_text(sheet, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

static bool is_full(const struct nsc_question *question, const struct nsc_sheet *sheet)
{
    int64_t limit = question->params[NSC_PARAM_LIMIT].integer;

    return limit > 0 && nsc_sheet_rows(sheet) >= (uint64_t)limit;
}

/* ---- nvtx_tree: merged by path ---- */

const struct nsc_sheet_column nsc_skill_nvtx_tree_columns[] = {
    {"depth", "Depth", NULL, NSC_SHEET_COUNT, 0},
    {"calls", "Calls", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "On the CPU", NULL, NSC_SHEET_NS, 0},
    {"self_ns", "Self", NULL, NSC_SHEET_NS, 0},
    {"mean_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"longest_ns", "Longest", NULL, NSC_SHEET_NS, 0},
    {"gpu_ops", "GPU ops", NULL, NSC_SHEET_COUNT, 0},
    {"gpu_work_ns", "GPU work", NULL, NSC_SHEET_NS, 0},
    {"gpu_share", "Share", "summed GPU work", NSC_SHEET_PERCENT, 0},
    {"range", "NVTX range", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

struct merged {
    struct nsc_calltree *tree;
    struct nsc_tree_gpu gpu;
    uint32_t *depth;
    uint64_t ops; /* of the scope, inside a range or not */
    nsc_time work;
    uint64_t ops_inside;
    nsc_time work_inside;
};

static void sum_ops(struct merged *merged, const struct nsc_trace *trace, const uint64_t *mask)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    for (nsc_event i = 0; i < events->n; i++) {
        if (!nsc_bits_get(mask, i))
            continue;
        merged->ops++;
        merged->work = nsc_sum(merged->work, nsc_event_duration(events, i));
    }
}

static bool build_merged(struct merged *merged, const struct nsc_scope *scope)
{
    uint64_t *ranges = mask_rows(scope, false);
    uint64_t *ops = mask_rows(scope, true);
    struct nsc_launches *launches = nsc_launches_build(scope->trace, ops);

    *merged =
        (struct merged){.tree = nsc_calltree_build(scope->trace, ranges, NSC_PATHS_BY_DIGITS)};
    sum_ops(merged, scope->trace, ops);
    free(ranges);
    free(ops);
    if (merged->tree && launches) {
        nsc_tree_gpu_build(&merged->gpu, merged->tree, scope->trace, launches);
        merged->depth = nsc_xcalloc((size_t)merged->tree->n + 1, sizeof *merged->depth);
    }
    nsc_launches_free(launches);
    for (uint32_t i = 0; merged->depth && i < merged->tree->n; i++) {
        uint32_t parent = merged->tree->parent[i];

        merged->depth[i] = parent == NSC_NONE ? 0 : merged->depth[parent] + 1;
        if (parent != NSC_NONE)
            continue;
        merged->ops_inside += merged->gpu.ops[i];
        merged->work_inside = nsc_sum(merged->work_inside, merged->gpu.work[i]);
    }
    return merged->depth != NULL;
}

static void free_merged(struct merged *merged)
{
    if (merged->depth)
        nsc_tree_gpu_fini(&merged->gpu);
    free(merged->depth);
    if (merged->tree)
        nsc_calltree_free(merged->tree);
}

/* "#" for each number in which the calls differ. */
static uint32_t fold_digits(char text[], uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';

        if (!is_digit)
            text[kept++] = text[i];
        else if (kept == 0 || text[kept - 1] != '#')
            text[kept++] = '#';
    }
    return kept;
}

static void add_node(struct nsc_sheet *sheet, const struct nsc_question *question,
                     const struct merged *merged, uint32_t i)
{
    const struct nsc_calltree *tree = merged->tree;
    char name[NSC_NAME_BYTES];
    uint32_t n = nsc_label_pattern(name, question->scope->trace, tree->slowest[i]);

    n = tree->mixed[i] ? fold_digits(name, n) : n;
    nsc_sheet_add_int(sheet, merged->depth[i]);
    nsc_sheet_add_int(sheet, tree->calls[i]);
    nsc_sheet_add_int(sheet, tree->total[i]);
    nsc_sheet_add_int(sheet, tree->self[i]);
    nsc_sheet_add_int(sheet, tree->calls[i] ? tree->total[i] / tree->calls[i] : 0);
    nsc_sheet_add_int(sheet, tree->longest[i]);
    nsc_sheet_add_int(sheet, merged->gpu.ops[i]);
    nsc_sheet_add_int(sheet, merged->gpu.work[i]);
    nsc_sheet_add_share(sheet, merged->gpu.work[i], merged->work);
    add_indented(sheet, question, merged->depth[i], (struct nsc_text){name, n});
}

/* What was launched under no range, or by no known call. */
static void add_outside(struct nsc_sheet *sheet, const struct merged *merged)
{
    if (merged->ops <= merged->ops_inside)
        return;
    nsc_sheet_add_int(sheet, 0);
    for (int i = 0; i < 5; i++)
        nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, (int64_t)(merged->ops - merged->ops_inside));
    nsc_sheet_add_int(sheet, nsc_span(merged->work_inside, merged->work));
    nsc_sheet_add_share(sheet, nsc_span(merged->work_inside, merged->work), merged->work);
    nsc_sheet_add_puts(sheet, "(under no range)");
}

/* In preorder: with a limit the first of them, and how many are left out. */
void nsc_skill_nvtx_tree(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_param_value *deepest = &question->params[NSC_PARAM_DEPTH];
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "nvtx_tree", nsc_skill_nvtx_tree_columns);
    struct merged merged;

    if (!build_merged(&merged, question->scope)) {
        nsc_sheet_note(sheet, "No memory for the tree.");
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
    add_outside(sheet, &merged);
    if (merged.tree->n == 0)
        nsc_sheet_note(sheet, "There are no NVTX push/pop ranges in the window.");
    else
        nsc_sheet_note(sheet,
                       "Ranges of one path are one row; \"#\" stands for their numbers. GPU "
                       "work is what was launched inside, durations added, never wall time.");
    free_merged(&merged);
}

/* ---- nvtx_instances: range by range ---- */

const struct nsc_sheet_column nsc_skill_nvtx_instances_columns[] = {
    {"depth", "Depth", NULL, NSC_SHEET_COUNT, 0},
    {"kind", "Kind", NULL, NSC_SHEET_TEXT, 0},
    {"pid", "Process", NULL, NSC_SHEET_ID, 0},
    {"tid", "Thread", NULL, NSC_SHEET_ID, 0},
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_ID, 0},
    {"start_ns", "Start", NULL, NSC_SHEET_INSTANT, 0},
    {"duration_ns", "Duration", NULL, NSC_SHEET_NS, 0},
    {"gpu_ns", "GPU span", NULL, NSC_SHEET_NS, 0},
    {"gpu_work_ns", "GPU work", NULL, NSC_SHEET_NS, 0},
    {"name", "Name", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_known(struct nsc_sheet *sheet, bool is_known, int64_t value)
{
    if (is_known)
        nsc_sheet_add_int(sheet, value);
    else
        nsc_sheet_add_unknown(sheet);
}

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
    nsc_time first = figures.ops ? events->start[figures.first] : 0;

    nsc_sheet_add_int(sheet, depth);
    nsc_sheet_add_puts(sheet,
                       is_work ? nsc_kind_label((enum nsc_kind)events->kind[event]) : "range");
    nsc_sheet_add_int(sheet, track->pid);
    add_known(sheet, !is_work, track->tid);
    add_known(sheet, is_work, track->device);
    add_known(sheet, is_work, track->stream);
    nsc_sheet_add_int(sheet, events->start[event]);
    nsc_sheet_add_int(sheet, nsc_event_duration(events, event));
    add_known(sheet, figures.ops > 0,
              figures.ops ? nsc_span(first, nsc_event_end(events, figures.last)) : 0);
    nsc_sheet_add_int(sheet, figures.work);
    add_indented(sheet, question, depth, nsc_trace_event_text(trace, event, true, scratch));
}

/* The next place in preorder; children of a root or range that lies outside are passed by. */
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

    if (event == NSC_NONE)
        return true;
    return at.op != NSC_NONE || nsc_instance_figures(all, at).ops > 0 ||
           (nsc_scope_has(scope, event));
}

static void add_instances(struct nsc_sheet *sheet, const struct nsc_question *question,
                          const struct nsc_instances *all)
{
    struct nsc_instance at = {0, NSC_NONE, NSC_NONE};
    bool is_cut = false;

    while (all->n_roots > 0 && !nsc_instance_is_none(at) && !is_cut) {
        bool shown = is_shown(all, question->scope, at);

        is_cut = is_full(question, sheet);
        if (shown && !is_cut && nsc_instance_event(all, at) != NSC_NONE)
            add_event(sheet, question, all, at);
        at = step_on(all, at, shown);
    }
    if (is_cut)
        nsc_sheet_note(sheet, "More ranges follow: -p limit=0 lists all.");
}

void nsc_skill_nvtx_instances(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "nvtx_instances", nsc_skill_nvtx_instances_columns);
    uint64_t *ops = mask_rows(scope, true);
    struct nsc_launches *launches = nsc_launches_build(scope->trace, ops);
    struct nsc_instances all;

    free(ops);
    if (!launches || !nsc_launches_sum(launches)) {
        nsc_launches_free(launches);
        nsc_sheet_note(sheet, "No memory for the launches.");
        return;
    }
    nsc_instances_init(&all, scope->trace, launches);
    add_instances(sheet, question, &all);
    nsc_instances_fini(&all);
    nsc_launches_free(launches);
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "Every range that touches the window, thread by thread, and the GPU "
                         "work that belongs to it: launched inside it on its thread, or "
                         "outside of any range at depth 0. GPU span: first start to last end "
                         "of that work."
                       : "There are no NVTX ranges and no launched work in the window.");
}
