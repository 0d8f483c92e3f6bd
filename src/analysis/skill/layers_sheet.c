/*
 * The GPU work of NVTX ranges as sheets: by layer, and projected.
 */
#include "analysis/names/label.h"
#include "analysis/ranges/range_work.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

#define NESTING 64 /* levels of a path that are shown */

struct layer_row {
    struct nsc_range_node of;
    nsc_time all, wall;
    int64_t calls;
    double cv;
    struct nsc_kept_text path;
};

const struct nsc_sheet_column nsc_skill_layers_columns[] = {
    NSC_COL_NS(layer_row, of.own.work, "work_ns", "Summed"),
    NSC_COL_SHARE(layer_row, of.own.work, all, "work_share", "Share", "summed GPU work"),
    NSC_COL_NS(layer_row, of.own.busy, "busy_ns", "GPU busy"),
    NSC_COL_NS(layer_row, of.exposed, "exposed_ns", "Exposed comm."),
    NSC_COL_COUNT(layer_row, calls, "instances", "Instances"),
    NSC_COL_COUNT(layer_row, of.own.launches, "launches", "Launches"),
    NSC_COL_COUNT(layer_row, of.own.ops, "ops", "Ops"),
    NSC_COL_NUMBER(layer_row, cv, "cv", "CV", 2),
    NSC_COL_TEXT(layer_row, path, "path", "NVTX path"),
    {0},
};

const struct nsc_sheet_column nsc_skill_projection_columns[] = {
    NSC_COL_NS(layer_row, of.inside.busy, "busy_ns", "GPU busy inside"),
    NSC_COL_NS(layer_row, of.span, "span_ns", "Projected"),
    NSC_COL_NS(layer_row, of.inside.work, "work_ns", "Summed"),
    NSC_COL_NS(layer_row, of.own.work, "own_work_ns", "Of its own"),
    NSC_COL_NS(layer_row, wall, "wall_ns", "On the CPU"),
    NSC_COL_COUNT(layer_row, calls, "instances", "Instances"),
    NSC_COL_COUNT(layer_row, of.projected, "projected", "With ops"),
    NSC_COL_COUNT(layer_row, of.inside.ops, "ops", "Ops"),
    NSC_COL_TEXT(layer_row, path, "path", "NVTX path"),
    {0},
};

struct line {
    nsc_time key;  /* the greatest first */
    uint32_t node; /* tree->n: under no range */
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a;
    const struct line *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* From the root to the node, levels by " / ". */
static struct nsc_kept_text keep_path(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                      const struct nsc_calltree *tree, uint32_t node)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_buf path = NSC_BUF_INIT(1u << 16);
    struct nsc_kept_text kept;
    uint32_t levels[NESTING];
    uint32_t n = 0;

    for (uint32_t i = node; i != NSC_NONE && n < NESTING; i = tree->parent[i])
        levels[n++] = i;
    while (n-- > 0) {
        char text[NSC_NAME_BYTES];
        uint32_t bytes =
            nsc_label_fold(text, nsc_trace_string(trace, names->full[tree->name[levels[n]]]));

        nsc_buf_add(&path, text, bytes);
        nsc_buf_puts(&path, n > 0 ? " / " : "");
    }
    kept = nsc_sheet_keep(sheet, nsc_text_of_buf(&path));
    nsc_buf_fini(&path);
    return kept;
}

static void add_layer(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                      const struct nsc_range_work *work, uint32_t i)
{
    bool is_none = i == work->tree->n;
    const struct nsc_range_node *node = is_none ? &work->none : &work->at[i];
    double cv = is_none ? -1 : nsc_range_node_cv(node);

    NSC_ADD_ROW(sheet, layer_row, .of = *node, .all = work->work,
                .wall = is_none ? NSC_UNKNOWN : work->tree->total[i],
                .calls = is_none ? NSC_UNKNOWN : work->tree->calls[i],
                .cv = cv >= 0 ? cv : (double)NAN,
                .path = is_none ? nsc_sheet_keep(sheet, nsc_text_from("(none)"))
                                : keep_path(sheet, scope->trace, work->tree, i));
}

/* Lines with ops, sorted; the caller frees them. */
static struct line *sort_lines(const struct nsc_range_work *work, bool own, size_t *n)
{
    struct line *lines = nsc_xcalloc((size_t)work->tree->n + 1, sizeof *lines);

    *n = 0;
    for (uint32_t i = 0; i < work->tree->n; i++) {
        const struct nsc_range_figures *of = own ? &work->at[i].own : &work->at[i].inside;

        if (of->ops > 0)
            lines[(*n)++] = (struct line){own ? of->work : of->busy, i};
    }
    if (own && work->none.own.ops > 0)
        lines[(*n)++] = (struct line){work->none.own.work, work->tree->n};
    qsort(lines, *n, sizeof *lines, compare_lines);
    return lines;
}

static void add_lines(struct nsc_sheet *sheet, const struct nsc_question *question, bool own)
{
    struct nsc_range_work work;
    struct line *lines;
    size_t n = 0;
    size_t shown;

    if (!nsc_range_work_build(&work, question->scope)) {
        nsc_sheet_note(sheet, "There is too little memory for this question.");
        return;
    }
    lines = sort_lines(&work, own, &n);
    shown = nsc_question_limit(question, sheet, n);
    for (size_t i = 0; i < shown; i++)
        add_layer(sheet, question->scope, &work, lines[i].node);
    if (work.tree->n == 0)
        nsc_sheet_note(sheet, "There are no NVTX push/pop ranges in the window.");
    else if (work.ops > 0)
        nsc_sheet_note(sheet,
                       "%.1f %% of the summed GPU work is attributed to a range; the rest was "
                       "launched outside any range of its thread, or its launch is unknown.",
                       nsc_percent(work.work - work.none.own.work, work.work));
    free(lines);
    nsc_range_work_fini(&work);
}

void nsc_skill_layers(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, layers);

    add_lines(sheet, question, true);
    nsc_sheet_note(sheet, "Each op is attributed to the innermost range around its launch on the "
                          "same thread. # stands for a number. Summed adds durations, so it is not "
                          "wall time; busy is the union of the ops, added over GPUs. CV: standard "
                          "deviation divided by mean, of the work inside an instance.");
}

void nsc_skill_projection(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, projection);

    add_lines(sheet, question, false);
    nsc_sheet_note(sheet,
                   "Each op is attributed to every range around its launch on the same thread. "
                   "Projected: from the first op of an instance to its last, added over instances; "
                   "projections may overlap, so the sum can exceed wall time. Busy is the union of "
                   "the ops, added over GPUs. Start/end ranges are not projected.");
}
