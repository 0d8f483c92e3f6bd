/* Adds sheets of the GPU work of NVTX ranges: by layer, and projected. */
#include "analysis/base/quantile.h"
#include "analysis/base/tally.h"
#include "analysis/names/label.h"
#include "analysis/ranges/iteration_period.h"
#include "analysis/ranges/iteration_search.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/range_work.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/strpool.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NESTING 64 /* most levels of a path shown */

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
    uint32_t node; /* tree->n: outside of ranges */
};

NSC_COMPARE(compare_lines, struct line, NSC_MOST(key) || NSC_LEAST(node))

/* The path from root to node, joined with " / ". */
static struct nsc_kept_text keep_path(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                      const struct nsc_calltree *tree, uint32_t node, bool fold)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    uint32_t levels[NESTING];
    uint32_t n = 0;

    for (uint32_t i = node; i != NSC_NONE && n < NESTING; i = tree->parent[i])
        levels[n++] = i;
    while (n-- > 0) {
        char scratch[NSC_NAME_BYTES];
        struct nsc_text text =
            fold ? nsc_trace_string(trace, names->full[tree->name[levels[n]]])
                 : nsc_trace_event_text(trace, tree->slowest[levels[n]], false, scratch);

        if (fold)
            text = (struct nsc_text){scratch, nsc_label_fold(scratch, text)};
        nsc_buf_add(&path, text.bytes, text.n);
        nsc_buf_puts(&path, n > 0 ? " / " : "");
    }
    return nsc_sheet_keep_buf(sheet, &path);
}

static void add_layer(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                      const struct nsc_range_work *work, uint32_t i, bool fold)
{
    bool is_none = i == work->tree->n;
    const struct nsc_range_node *node = is_none ? &work->none : &work->at[i];
    double cv = is_none ? -1 : nsc_range_node_cv(node);

    NSC_ADD_ROW(sheet, layer_row, .of = *node, .all = work->work,
                .wall = is_none ? NSC_UNKNOWN : work->tree->total[i],
                .calls = is_none ? NSC_UNKNOWN : work->tree->calls[i],
                .cv = cv >= 0 ? cv : (double)NAN,
                .path = is_none ? nsc_sheet_keep(sheet, nsc_text_from("(none)"))
                                : keep_path(sheet, scope->trace, work->tree, i, fold));
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

/* explanation: of the columns, so it is left out where there are no rows. */
static void add_lines(struct nsc_sheet *sheet, const struct nsc_question *question, bool own,
                      const char *explanation)
{
    bool fold = question->params[NSC_PARAM_FOLD].integer;
    bool is_captured = question->params[NSC_PARAM_CAPTURED].integer;
    struct nsc_range_work work;
    struct line *lines;
    size_t n = 0;
    size_t shown;

    if (!nsc_range_work_build(&work, question->scope,
                              fold ? NSC_PATHS_BY_DIGITS : NSC_PATHS_BY_TEXT)) {
        nsc_sheet_note(sheet, "There is too little memory for this question.");
        return;
    }
    lines = sort_lines(&work, own, &n);
    shown = nsc_question_limit(question, sheet, n);
    for (size_t i = 0; i < shown; i++)
        add_layer(sheet, question->scope, &work, lines[i].node, fold);
    if (work.tree->n == 0)
        nsc_sheet_note(sheet, "There are no NVTX push/pop ranges in the window.");
    else if (work.ops > 0)
        nsc_sheet_note(
            sheet, "%.1f %% of the summed GPU work is attributed to a range; the rest was %s.",
            nsc_percent(work.work - work.none.own.work, work.work),
            is_captured ? "captured outside any range, or no capture of it is known"
                        : "launched outside any range of its thread, or its launch is unknown");
    else
        nsc_sheet_note(sheet, "There is no GPU work in the window.");
    if (!is_captured && nsc_trace_captured(question->scope->trace))
        nsc_sheet_note(sheet, "Work of CUDA graphs belongs to the launch of its graph here; -p "
                              "captured=on shows it in the ranges in which it was captured.");
    if (nsc_sheet_rows(sheet) > 0)
        nsc_sheet_note(
            sheet, "Each op is attributed to %s range around its %s on the same thread. %s",
            own ? "the innermost" : "every", is_captured ? "capture" : "launch", explanation);
    free(lines);
    nsc_range_work_fini(&work);
}

/* ---- ranges that are numbered: layer.0 to layer.31 ---- */

struct numbered_row {
    struct nsc_kept_text family, name;
    uint32_t members;
    uint64_t instances;
    nsc_time work, family_work, median;
    const char *verdict;
};

static const struct nsc_sheet_column numbered_columns[] = {
    NSC_COL_TEXT(numbered_row, family, "family", "Ranges"),
    NSC_COL_COUNT(numbered_row, members, "members", "Of them"),
    NSC_COL_NS(numbered_row, work, "gpu_work_ns", "GPU work"),
    NSC_COL_SHARE(numbered_row, work, family_work, "share", "Share", "GPU work of all of them"),
    NSC_COL_SHARE(numbered_row, work, median, "of_median", "Of median", "median of all of them"),
    NSC_COL_COUNT(numbered_row, instances, "instances", "Instances"),
    NSC_COL_TEXT(numbered_row, verdict, "verdict", "Verdict"),
    NSC_COL_TEXT(numbered_row, name, "name", "NVTX range"),
    {0},
};

/* Whether a range is named like a numbered layer, and not like a step, a micro-batch or an op. */
static bool is_layer(struct nsc_text text)
{
    static const char *const others[] = {"step",  "iter",  "batch", "micro",
                                         "epoch", "op_id", "seq",   NULL};
    char folded[NSC_NAME_BYTES];
    uint32_t n = nsc_label_fold(folded, text);

    return memchr(folded, '#', n) && (nsc_search_traits(text) & NSC_TRAIT_PART) &&
           !nsc_text_contains_any(text, others);
}

struct layers {
    struct nsc_tally tally; /* by (family, text) */
    struct nsc_strpool pool;
    struct nsc_launches *launches;
    uint32_t *family; /* by name: 0: not known yet; NO_LAYER; FAMILY + its text in the pool */
    uint32_t *text;   /* by name without counters, of a layer: 1 + its text; 0: not known yet */
};

enum { NO_LAYER = 1, FAMILY };

/* Whether a range is a layer. Texts of one name differ only in numbers, so all of them are layers
 * of one family or none is. */
static bool find_layer(struct layers *layers, nsc_str *text, const struct nsc_trace *trace,
                       nsc_event range)
{
    nsc_name name = nsc_trace_events(trace)->name[range];
    uint32_t *family = &layers->family[name];
    char scratch[NSC_NAME_BYTES];
    char folded[NSC_NAME_BYTES];
    struct nsc_text whole;

    if (layers->text[name] > 0) {
        *text = layers->text[name] - 1;
        return true;
    }
    whole = nsc_trace_event_text(trace, range, false, scratch);
    if (*family == 0 && !is_layer(whole)) {
        *family = NO_LAYER;
        return false;
    }
    *text = nsc_strpool_add(&layers->pool, whole.bytes, whole.n);
    if (*family == 0)
        *family = FAMILY + nsc_strpool_add(&layers->pool, folded, nsc_label_fold(folded, whole));
    if (nsc_trace_names(trace)->counters[name] == 0)
        layers->text[name] = *text + 1;
    return true;
}

/* The rows of a lane ascend, and so do their launches. */
static void tally_lane(struct layers *layers, const struct nsc_scope *scope, uint32_t lane)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_positions in =
        nsc_launches_of_track(layers->launches, nsc_trace_lanes(scope->trace, NULL)[lane].track);
    nsc_event row, end;

    nsc_scope_rows(scope, lane, &row, &end);
    for (; row < end; row++) {
        struct nsc_positions inside;
        nsc_str text;

        if (events->kind[row] != NSC_KIND_NVTX_RANGE ||
            layers->family[events->name[row]] == NO_LAYER ||
            !find_layer(layers, &text, scope->trace, row))
            continue;
        in.first = nsc_launches_find_ahead(layers->launches, in, events->start[row]);
        inside.first = in.first;
        inside.end =
            nsc_launches_find_ahead(layers->launches, in, nsc_event_touch_end(events, row));
        nsc_tally_add(&layers->tally, layers->family[events->name[row]] - FAMILY, text,
                      nsc_launches_measure(layers->launches, inside).work);
    }
}

/* Sums the GPU work of layers, whatever the mask. */
static void tally_layers(struct layers *layers, const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    size_t n_names = nsc_trace_names(scope->trace)->n;

    layers->family = nsc_xcalloc(n_names + 1, sizeof *layers->family);
    layers->text = nsc_xcalloc(n_names + 1, sizeof *layers->text);
    for (uint32_t i = 0; i < n; i++)
        if (NSC_RANGE_TRACKS >> tracks[lanes[i].track].kind & 1)
            tally_lane(layers, scope, i);
    free(layers->family);
    free(layers->text);
}

/* Adds the rows of a family, starting at first in the tally's order. */
static void add_family(struct nsc_sheet *sheet, const struct nsc_tally *tally,
                       const struct nsc_strpool *pool, const uint32_t *order, size_t first)
{
    const struct nsc_tally_row *rows = tally->rows.at;
    nsc_time *work = nsc_xcalloc(tally->rows.n + 1, sizeof *work);
    size_t end = first;
    struct numbered_row row = {0};

    for (; end < tally->rows.n && rows[order[end]].key[0] == rows[order[first]].key[0]; end++) {
        work[end - first] = rows[order[end]].total;
        row.family_work = nsc_sum(row.family_work, rows[order[end]].total);
    }
    row.members = (uint32_t)(end - first);
    row.median = nsc_quantile(work, row.members, 500);
    row.verdict = row.median > 0 && rows[order[first]].total - row.median > row.median / 20
                      ? "the slowest takes 5 % more than the median, or more"
                      : "none stands out: all are within 5 % of the median";
    for (size_t i = first; i < end && row.members > 1 && row.family_work > 0; i++) {
        row.family = nsc_sheet_keep(sheet, nsc_strpool_text(pool, (nsc_str)rows[order[i]].key[0]));
        row.name = nsc_sheet_keep(sheet, nsc_strpool_text(pool, (nsc_str)rows[order[i]].key[1]));
        row.instances = rows[order[i]].count;
        row.work = rows[order[i]].total;
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    free(work);
}

/* Adds families by work, the greatest first, and in each its layers. */
static void add_families(struct nsc_sheet *sheet, const struct nsc_tally *tally,
                         const struct nsc_strpool *pool)
{
    struct nsc_tally families = {0}; /* (family, 0) */
    uint32_t *order = nsc_tally_sort(tally, NSC_TALLY_OTHER_TOTAL, 1, NULL);
    uint32_t *by_work;

    nsc_tally_merge(&families, tally, 0);
    by_work = nsc_tally_sort(&families, NSC_TALLY_TOTAL, 1, NULL);
    for (size_t i = 0; i < families.rows.n; i++) {
        size_t first = 0;

        while (tally->rows.at[order[first]].key[0] != families.rows.at[by_work[i]].key[0])
            first++;
        add_family(sheet, tally, pool, order, first);
    }
    free(by_work);
    free(order);
    nsc_tally_fini(&families);
}

static void add_numbered(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct layers layers = {.launches = nsc_launches_ask(question->scope)};
    struct nsc_sheet *sheet;

    nsc_strpool_init(&layers.pool);
    if (layers.launches)
        tally_layers(&layers, question->scope);
    if (layers.tally.rows.n > 1) {
        sheet = nsc_question_more(out, question, "numbered_layers",
                                  "Layers that are numbered, each by itself", numbered_columns);
        add_families(sheet, &layers.tally, &layers.pool);
        nsc_sheet_note(sheet,
                       "GPU work: work that the thread of a range %s in it, summed over all "
                       "instances of that name at any path.",
                       question->params[NSC_PARAM_CAPTURED].integer ? "captures" : "launches");
    }
    nsc_tally_fini(&layers.tally);
    nsc_strpool_fini(&layers.pool);
    nsc_launches_free(layers.launches);
}

void nsc_skill_layers(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, layers);

    add_lines(
        sheet, question, true,
        "# stands for a number (-p fold=off keeps them). Summed adds durations, so it is not wall "
        "time; busy is the union of the ops, summed over GPUs. CV: the standard deviation of the "
        "work per instance, divided by its mean.");
    add_numbered(out, question);
}

void nsc_skill_projection(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, projection);

    add_lines(
        sheet, question, false,
        "Projected: from the first op of an instance to its last, added over instances; "
        "projections may overlap, so the sum can exceed wall time. Busy is the union of the ops, "
        "added over GPUs. Start/end ranges are not projected.");
}
