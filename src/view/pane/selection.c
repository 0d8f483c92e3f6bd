/*
 * The selection pane: statistics of the range or window, in total and per group.
 */
#include "analysis/select/selection.h"

#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

static const char *const pivot_names[NSC_N_PIVOTS] = {
    [NSC_PIVOT_NAME] = "name",
    [NSC_PIVOT_TRACK] = "row",
    [NSC_PIVOT_NVTX] = "NVTX range",
    [NSC_PIVOT_PROCESS] = "process",
};

/* ---- the table of groups ---- */

/* In the order in which a narrow pane drops them: the last ones first. */
enum { NAME_LEAST = 24 };
enum { NAME, BAR, SUM, COUNT, OF_SUM, UNION, MEAN, P95, MEDIAN, MAX, OF_TIME, MIN };

struct group_row {
    struct nsc_text name;
    const char *bar;
    nsc_time sum, all, covered, window, mean, p95, median, max, min;
    int64_t count;
};

static const struct nsc_sheet_column columns[NSC_PANE_SELECTION_COLUMNS] = {
    [NAME] = NSC_COL_TEXT(group_row, name, "name", ""),
    [BAR] = NSC_COL_TEXT(group_row, bar, "", "        "), /* as wide as a bar */
    [SUM] = NSC_COL_NS(group_row, sum, "sum_ns", "sum"),
    [COUNT] = NSC_COL_COUNT(group_row, count, "count", "count"),
    [OF_SUM] = NSC_COL_SHARE(group_row, sum, all, "of_sum", "of sum", NULL),
    [UNION] = NSC_COL_NS(group_row, covered, "union_ns", "union"),
    [MEAN] = NSC_COL_NS(group_row, mean, "mean_ns", "mean"),
    [P95] = NSC_COL_NS(group_row, p95, "p95_ns", "p95"),
    [MEDIAN] = NSC_COL_NS(group_row, median, "median_ns", "median"),
    [MAX] = NSC_COL_NS(group_row, max, "max_ns", "max"),
    [OF_TIME] = NSC_COL_SHARE(group_row, covered, window, "of_time", "of time", NULL),
    [MIN] = NSC_COL_NS(group_row, min, "min_ns", "min"),
};

/* The group at the cursor; NULL if there is none. */
const struct nsc_pivot_group *nsc_pane_selection_group(const struct nsc_pane_selection *selection)
{
    const struct nsc_pivot_group *groups = NULL;
    uint32_t n = 0, row = nsc_table_row(&selection->table);

    if (!selection->made)
        return NULL;
    groups = nsc_selection_groups(selection->made, &n);
    return row < n ? &groups[row] : NULL;
}

bool nsc_pane_selection_can_show(const struct nsc_pane_selection *selection)
{
    const struct nsc_pivot_group *group = nsc_pane_selection_group(selection);

    return selection->made_pivot == NSC_PIVOT_NAME && group && group->like != NSC_NONE;
}

static void name_add(const struct nsc_scene *scene, struct nsc_buf *out, enum nsc_pivot pivot,
                     nsc_event like)
{
    char scratch[NSC_NAME_BYTES];
    uint32_t track = like == NSC_NONE ? NSC_NONE : nsc_event_track(scene->trace, like);
    struct nsc_text name;

    if (like == NSC_NONE) {
        nsc_buf_puts(out, "(in no range)");
    } else if (pivot == NSC_PIVOT_TRACK) {
        nsc_place_add(scene, out, track);
    } else if (pivot == NSC_PIVOT_PROCESS) {
        nsc_buf_printf(out, "process %u", nsc_trace_track(scene->trace, track)->pid);
    } else {
        name = nsc_scene_name_text(scene, nsc_trace_events(scene->trace)->name[like], scratch);
        nsc_buf_add(out, name.bytes, name.n);
    }
}

static void row_add(struct nsc_pane_selection *selection, struct nsc_text name,
                    const struct nsc_figures *of)
{
    NSC_ADD_ROW(&selection->sheet, group_row, .name = name, .sum = of->inside,
                .all = nsc_selection_all(selection->made)->inside, .count = of->count,
                .covered = of->covered, .window = nsc_window_length(selection->question.window),
                .mean = of->count ? of->total / of->count : 0, .p95 = of->p95, .median = of->median,
                .max = of->max, .min = of->min);
}

void nsc_pane_selection_list(const struct nsc_scene *scene, struct nsc_pane_selection *selection)
{
    uint32_t n = 0;
    const struct nsc_pivot_group *groups = nsc_selection_groups(selection->made, &n);
    struct nsc_buf name = NSC_BUF_INIT(NSC_NAME_BYTES);

    memcpy(selection->columns, columns, sizeof columns);
    selection->columns[NAME].title = pivot_names[selection->made_pivot];
    nsc_sheet_fini(&selection->sheet);
    nsc_sheet_init(&selection->sheet, "selection", "", selection->columns,
                   NSC_PANE_SELECTION_COLUMNS);
    for (uint32_t i = 0; i < n; i++) {
        nsc_buf_clear(&name);
        name_add(scene, &name, selection->made_pivot, groups[i].like);
        row_add(selection, nsc_text_of_buf(&name), &groups[i].figures);
    }
    nsc_buf_fini(&name);
    row_add(selection, nsc_text_from("all"), nsc_selection_all(selection->made));
    nsc_table_renew(&selection->table, &selection->sheet, scene->ascii);
    selection->table.hidden =
        nsc_selection_has_quantiles(selection->made) ? 0 : 1u << P95 | 1u << MEDIAN;
    selection->table.has_total = true;
    selection->table.least = NAME_LEAST;
    nsc_table_list(&selection->table);
    selection->table.is_list = false; /* keys choose the groups, not their order */
    selection->is_listed = true;
}

/* ---- drawing ---- */

static void about_put(const struct nsc_scene *scene, const struct nsc_pane_selection *selection,
                      struct nsc_page *page)
{
    nsc_subject_put(scene, &selection->question, page);
    if (!selection->made) {
        nsc_page_puts(page, NSC_ROLE_WARNING, "counting");
    } else if (!nsc_selection_has_quantiles(selection->made)) {
        nsc_page_puts(page, NSC_ROLE_WARNING, "median and p95 need a smaller range");
    } else if (nsc_selection_all(selection->made)->inside <
               nsc_selection_all(selection->made)->total) {
        nsc_page_puts(page, NSC_ROLE_DIM,
                      selection->question.is_range ? "sums are clipped to the range"
                                                   : "sums are clipped to the window");
    }
    nsc_page_end(page);
}

/* Draws a group's share of the sum. */
static bool bar_draw(const void *context, uint32_t row, const struct nsc_table_cell *cell)
{
    const struct nsc_pane_view *view = context;
    const struct nsc_pane_selection *selection = view->pane;
    const struct nsc_trace *trace = view->scene->trace;
    uint32_t n = 0;
    const struct nsc_pivot_group *groups = nsc_selection_groups(selection->made, &n);
    nsc_event like = row < n ? groups[row].like : NSC_NONE;

    if (cell->column != BAR || row >= n)
        return false;
    nsc_table_bar(cell, like == NSC_NONE ? NSC_ROLE_HEAT : nsc_bars_role(trace, like),
                  like == NSC_NONE ? 0 : nsc_bars_shade(trace, like), groups[row].figures.inside,
                  nsc_selection_all(selection->made)->inside);
    return true;
}

int nsc_pane_selection_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                            struct nsc_rect rect)
{
    const struct nsc_pane_selection *selection = view->pane;
    const struct nsc_scene *scene = view->scene;
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    struct nsc_rect below = {rect.row + 1, rect.col, rect.rows - 1, rect.cols};
    struct nsc_table table = selection->table;

    if (!selection->is_asked)
        return 0;
    about_put(scene, selection, &page);
    if (!selection->made)
        return 0;
    table.draw = bar_draw;
    table.context = view;
    nsc_table_draw(&table, view->focus, grid, below);
    return 0;
}
