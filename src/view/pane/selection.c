/*
 * The selection pane: statistics of the range or window, in total and per group.
 */
#include "analysis/select/selection.h"

#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/columns.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum { LINES_MOST = 256 /* with more lines, similar names are not distinguished */ };

static const char *const pivot_names[NSC_N_PIVOTS] = {
    [NSC_PIVOT_NAME] = "name",
    [NSC_PIVOT_TRACK] = "row",
    [NSC_PIVOT_NVTX] = "NVTX range",
    [NSC_PIVOT_PROCESS] = "process",
};

/* ---- keeping it up to date ---- */

/* The group at the list's cursor; NULL if there is none. */
const struct nsc_pivot_group *nsc_pane_selection_group(const struct nsc_pane_selection *selection)
{
    const struct nsc_pivot_group *groups = NULL;
    uint32_t n = 0;

    if (!selection->made)
        return NULL;
    groups = nsc_selection_groups(selection->made, &n);
    return selection->list.cursor < n ? &groups[selection->list.cursor] : NULL;
}

bool nsc_pane_selection_can_show(const struct nsc_pane_selection *selection)
{
    const struct nsc_pivot_group *group = nsc_pane_selection_group(selection);

    return selection->made_pivot == NSC_PIVOT_NAME && group && group->like != NSC_NONE;
}

/* ---- columns ---- */

enum { NAME, BAR, SUM, OF_SUM, COUNT, UNION, OF_TIME, MEAN, MEDIAN, P95, MAX, MIN, N_COLUMNS };

/* The last ranks must leave more room to the name. */
static const struct nsc_list_column columns[N_COLUMNS] = {
    [NAME] = {.gap = 1, .is_left = true, .has_roles = true},
    [BAR] = {.title = "", .width = NSC_LIST_BAR_COLS + 1, .gap = 1, .has_roles = true},
    [SUM] = {.title = "sum", .width = 9, .rank = 1, .least = 18},
    [OF_SUM] = {.title = "of sum", .width = 8, .rank = 3, .least = 18},
    [COUNT] = {.title = "count", .width = 10, .rank = 2, .least = 18},
    [UNION] = {.title = "union", .width = 9, .rank = 4, .least = 18},
    [OF_TIME] = {.title = "of time", .width = 9, .rank = 9, .least = 36},
    [MEAN] = {.title = "mean", .width = 9, .rank = 5, .least = 18},
    [MEDIAN] = {.title = "median", .width = 9, .rank = 7, .least = 18},
    [P95] = {.title = "p95", .width = 9, .rank = 6, .least = 18},
    [MAX] = {.title = "max", .width = 9, .rank = 8, .least = 18},
    [MIN] = {.title = "min", .width = 9, .rank = 10, .least = 36},
};

/* The duration that a column shows; -1: it has none. */
static nsc_time duration_of(const struct nsc_figures *of, uint32_t column)
{
    const nsc_time durations[N_COLUMNS] = {
        [SUM] = of->inside,
        [UNION] = of->covered,
        [MEAN] = of->count ? of->total / of->count : 0,
        [MEDIAN] = of->median,
        [P95] = of->p95,
        [MAX] = of->max,
        [MIN] = of->min,
    };

    return durations[column];
}

/* ---- drawing ---- */

struct groups {
    const struct nsc_scene *scene;
    const struct nsc_pane_selection *selection;
    const struct nsc_pivot_group *at;
    const struct nsc_text *names; /* of the visible groups, from top on; NULL: not by name */
    size_t top;
    uint32_t n;
};

static void figure_fill(const struct groups *groups, const struct nsc_figures *of,
                        struct nsc_list_cell *cell)
{
    const struct nsc_figures *all = nsc_selection_all(groups->selection->made);
    bool has_quantiles = nsc_selection_has_quantiles(groups->selection->made);

    if (cell->column == OF_SUM)
        nsc_units_percent(cell->text, of->inside, all->inside);
    else if (cell->column == COUNT)
        nsc_units_count(cell->text, of->count);
    else if (cell->column == OF_TIME)
        nsc_units_percent(cell->text, of->covered,
                          nsc_window_length(groups->selection->question.window));
    else if (!has_quantiles && (cell->column == MEDIAN || cell->column == P95))
        (void)snprintf(cell->text, sizeof cell->text, "-");
    else
        nsc_units_duration(cell->text, duration_of(of, cell->column), cell->page.ascii);
}

static void bar_draw(const struct groups *groups, const struct nsc_pivot_group *group,
                     const struct nsc_list_cell *cell)
{
    nsc_event like = group->like;
    enum nsc_role role =
        like == NSC_NONE ? NSC_ROLE_HEAT : nsc_bars_role(groups->scene->trace, like);
    uint8_t shade = like == NSC_NONE ? 0 : nsc_bars_shade(groups->scene->trace, like);

    nsc_list_bar(cell, role, shade, group->figures.inside,
                 nsc_selection_all(groups->selection->made)->inside);
}

/* The name of a group; shared: bytes in common with others, see nsc_name_shared. */
static void label_put(const struct nsc_scene *scene, const struct nsc_pane_selection *selection,
                      struct nsc_page *page, nsc_event like, enum nsc_role role, uint32_t shared)
{
    enum nsc_pivot pivot = selection->made_pivot;
    char scratch[NSC_NAME_BYTES];

    if (like == NSC_NONE) {
        nsc_page_puts(page, NSC_ROLE_DIM, "(in no range)");
    } else if (pivot == NSC_PIVOT_TRACK) {
        nsc_place_put(scene, page, nsc_event_track(scene->trace, like));
    } else if (pivot == NSC_PIVOT_PROCESS) {
        nsc_page_printf(page, role, "process %u",
                        nsc_trace_track(scene->trace, nsc_event_track(scene->trace, like))->pid);
    } else {
        nsc_name_put(
            page, role,
            nsc_scene_name_text(scene, nsc_trace_events(scene->trace)->name[like], scratch),
            shared);
    }
}

static void group_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct groups *groups = context;
    const struct nsc_pivot_group *group = &groups->at[item];
    uint32_t at = (uint32_t)(item - groups->top);

    if (cell->column == NAME)
        label_put(groups->scene, groups->selection, &cell->page, group->like, cell->role,
                  groups->names ? nsc_name_shared(groups->names, groups->n, at,
                                                  (uint32_t)cell->page.rect.cols)
                                : 0);
    else if (cell->column == BAR)
        bar_draw(groups, group, cell);
    else
        figure_fill(groups, &group->figures, cell);
}

static void all_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct groups *groups = context;

    (void)item;
    if (cell->column == NAME)
        nsc_page_puts(&cell->page, cell->role, "all");
    else if (cell->column != BAR)
        figure_fill(groups, nsc_selection_all(groups->selection->made), cell);
}

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

void nsc_pane_group_names(const struct nsc_scene *scene, const struct nsc_pivot_group groups[],
                          uint32_t n, struct nsc_text out[])
{
    const struct nsc_names *names = nsc_trace_names(scene->trace);
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0; i < n; i++) {
        nsc_name name = groups[i].like != NSC_NONE
                            ? nsc_trace_events(scene->trace)->name[groups[i].like]
                            : NSC_NONE;

        out[i] = name == NSC_NONE || names->counters[name]
                     ? nsc_text_from("")
                     : nsc_scene_name_text(scene, name, scratch);
    }
}

static void table_draw(struct groups *groups, const struct nsc_list *list, bool focus,
                       struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_text names[LINES_MOST];
    struct nsc_list_column titled[N_COLUMNS];
    struct nsc_columns shown;
    struct nsc_list_source source = {&shown, all_fill, groups, groups->scene->ascii};
    size_t n = list->n - list->top < list->height ? list->n - list->top : list->height;

    memcpy(titled, columns, sizeof titled);
    titled[NAME].title = pivot_names[groups->selection->made_pivot];
    nsc_columns_fit(&shown, titled, N_COLUMNS, 0, rect);
    if (rect.rows > 1)
        nsc_columns_titles(&shown, grid, rect.row + 1);
    if (rect.rows > 2)
        nsc_list_put(&source, grid, rect.row + 2, 0, NSC_ROLE_GROUP, false);
    if (groups->selection->made_pivot == NSC_PIVOT_NAME && n <= LINES_MOST) {
        groups->n = (uint32_t)n;
        nsc_pane_group_names(groups->scene, groups->at + list->top, groups->n, names);
        groups->names = names;
    }
    source.fill = group_fill;
    nsc_list_draw(list, &source, focus, focus, grid, rect.row + NSC_PANE_SELECTION_HEAD);
    groups->names = NULL;
}

int nsc_pane_selection_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_selection *selection, bool focus,
                            struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    struct groups groups = {.scene = scene, .selection = selection, .top = selection->list.top};

    if (!selection->is_asked || !grid)
        return NSC_PANE_SELECTION_HEAD;
    about_put(scene, selection, &page);
    if (!selection->made)
        return NSC_PANE_SELECTION_HEAD;
    groups.at = nsc_selection_groups(selection->made, &(uint32_t){0});
    table_draw(&groups, &selection->list, focus, grid, rect);
    return NSC_PANE_SELECTION_HEAD + (int)selection->list.n;
}

/* ---- the clipboard ---- */

/* Copies the name of the group under the cursor, or its figures in ns, separated by tabs. */
bool nsc_pane_selection_copy(const struct nsc_scene *scene,
                             const struct nsc_pane_selection *selection, struct nsc_buf *out,
                             bool row)
{
    const struct nsc_pivot_group *group = nsc_pane_selection_group(selection);
    const struct nsc_figures *f = NULL;
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_text_from("(in no range)");

    if (!group)
        return false;
    f = &group->figures;
    if (group->like != NSC_NONE) {
        nsc_event like = group->like;

        text =
            selection->made_pivot == NSC_PIVOT_TRACK
                ? nsc_trace_string(
                      scene->trace,
                      nsc_trace_track(scene->trace, nsc_event_track(scene->trace, like))->label)
                : nsc_scene_name_text(scene, nsc_trace_events(scene->trace)->name[like], scratch);
    }
    nsc_text_clean(out, text, false);
    if (row)
        nsc_buf_printf(out, "\t%lld\t%u\t%lld\t%lld\t%lld\t%lld\t%lld", (long long)f->inside,
                       f->count, (long long)f->covered, (long long)f->median, (long long)f->p95,
                       (long long)f->max, (long long)f->min);
    return true;
}
