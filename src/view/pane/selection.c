/*
 * The selection pane: statistics of the range or window, in total and per group.
 */
#include "view/pane/selection.h"

#include "analysis/select/selection.h"
#include "core/units.h"
#include "view/kit/label.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines above the list: subject, titles, total. */
enum {
    NAME_COLS = 18,
    WIDE_NAME_COLS = 36, /* room for the name that less important columns must leave */
    WIDE_RANK = 9,       /* rank from which columns are less important */
    BAR_COLS = 8,
    LINES_MOST = 256 /* with more lines, similar names are not distinguished */
};

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

    if (!selection->made || !nsc_selection_is_done(selection->made))
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

/* The figures of a line. */
struct figures {
    const struct nsc_figures *of, *all;
    nsc_time window;
    bool quantiles, ascii;
};

static void sum_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_duration(out, f->of->inside, f->ascii);
}

static void share_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_percent(out, f->of->inside, f->all->inside);
}

static void count_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_count(out, f->of->count);
}

static void union_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_duration(out, f->of->covered, f->ascii);
}

static void busy_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_percent(out, f->of->covered, f->window);
}

static void mean_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_duration(out, f->of->count ? f->of->total / f->of->count : 0, f->ascii);
}

static void quantile_text(char out[NSC_UNITS_BYTES], const struct figures *f, nsc_time value)
{
    if (f->quantiles)
        nsc_units_duration(out, value, f->ascii);
    else
        (void)snprintf(out, NSC_UNITS_BYTES, "-");
}

static void median_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    quantile_text(out, f, f->of->median);
}

static void p95_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    quantile_text(out, f, f->of->p95);
}

static void max_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_duration(out, f->of->max, f->ascii);
}

static void min_text(char out[NSC_UNITS_BYTES], const struct figures *f)
{
    nsc_units_duration(out, f->of->min, f->ascii);
}

/* In display order. If there is no room, columns with high ranks are dropped first. */
static const struct column {
    const char *title;
    int width, rank;
    void (*text)(char out[NSC_UNITS_BYTES], const struct figures *f);
} columns[] = {
    {"sum", 9, 1, sum_text},       {"of sum", 8, 3, share_text}, {"count", 10, 2, count_text},
    {"union", 9, 4, union_text},   {"of time", 9, 9, busy_text}, {"mean", 9, 5, mean_text},
    {"median", 9, 7, median_text}, {"p95", 9, 6, p95_text},      {"max", 9, 8, max_text},
    {"min", 9, 10, min_text},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* The greatest rank that still fits. */
static int rank_shown(int cols, int *used)
{
    int rank = 0;

    *used = BAR_COLS + 1;
    for (int wanted = 1; wanted <= N_COLUMNS; wanted++)
        for (int i = 0; i < N_COLUMNS; i++)
            if (columns[i].rank == wanted) {
                int name = wanted < WIDE_RANK ? NAME_COLS : WIDE_NAME_COLS;

                if (*used + columns[i].width > cols - name)
                    return rank;
                *used += columns[i].width;
                rank = wanted;
            }
    return rank;
}

/* ---- drawing ---- */

struct table {
    const struct nsc_scene *scene;
    const struct nsc_pane_selection *selection;
    bool focus;
    struct nsc_grid *grid;
    struct nsc_rect rect;
    int name_cols, rank;
    struct figures figures;
};

static void titles_draw(const struct table *table, int row)
{
    int col = table->rect.col + table->name_cols + BAR_COLS + 1;

    nsc_grid_puts(table->grid, row, table->rect.col, table->name_cols, NSC_ROLE_DIM,
                  pivot_names[table->selection->made_pivot]);
    for (int i = 0; i < N_COLUMNS; i++) {
        if (columns[i].rank > table->rank)
            continue;
        nsc_grid_puts_right(table->grid, row, col, columns[i].width, NSC_ROLE_DIM,
                            columns[i].title);
        col += columns[i].width;
    }
}

static void bar_draw(const struct table *table, int row, nsc_event like)
{
    const struct nsc_figures *of = table->figures.of;
    const struct nsc_figures *all = table->figures.all;
    double share = all->inside > 0 ? (double)of->inside / (double)all->inside : 0;
    int filled = (int)(share * BAR_COLS * 8 + 0.5);
    enum nsc_role role =
        like == NSC_NONE ? NSC_ROLE_HEAT : nsc_bars_role(table->scene->trace, like);
    uint8_t shade = like == NSC_NONE ? 0 : nsc_bars_shade(table->scene->trace, like);

    if (of->inside > 0 && filled == 0)
        filled = 1;
    nsc_grid_bar(table->grid,
                 (struct nsc_rect){row, table->rect.col + table->name_cols, 1, BAR_COLS}, role,
                 shade, filled);
}

static void figures_draw(const struct table *table, int row, enum nsc_role role)
{
    int col = table->rect.col + table->name_cols + BAR_COLS + 1;

    for (int i = 0; i < N_COLUMNS; i++) {
        char text[NSC_UNITS_BYTES];

        if (columns[i].rank > table->rank)
            continue;
        columns[i].text(text, &table->figures);
        nsc_grid_puts_right(table->grid, row, col, columns[i].width, role, text);
        col += columns[i].width;
    }
}

static const struct nsc_track *track_of(const struct nsc_scene *scene, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(scene->trace, NULL);

    return nsc_trace_track(scene->trace, lanes[nsc_trace_lane_of(scene->trace, event)].track);
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
        nsc_place_put(scene, page,
                      (uint32_t)(track_of(scene, like) - nsc_trace_tracks(scene->trace, NULL)));
    } else if (pivot == NSC_PIVOT_PROCESS) {
        nsc_page_printf(page, role, "process %u", track_of(scene, like)->pid);
    } else {
        nsc_name_put(
            page, role,
            nsc_scene_name_text(scene, nsc_trace_events(scene->trace)->name[like], scratch),
            shared);
    }
}

static void group_draw(struct table *table, int row, const struct nsc_pivot_group *group,
                       bool current, uint32_t shared)
{
    struct nsc_rect line = {row, table->rect.col, 1, table->rect.cols};
    enum nsc_role role = nsc_list_line(table->grid, line, current, true);
    struct nsc_rect at = {row, table->rect.col, 1, table->name_cols - 1};
    struct nsc_page page = nsc_page(table->grid, at, 0, table->scene->ascii);

    table->figures.of = &group->figures;
    label_put(table->scene, table->selection, &page, group->like, role, shared);
    bar_draw(table, row, group->like);
    figures_draw(table, row, role);
}

static void about_put(const struct nsc_scene *scene, const struct nsc_pane_selection *selection,
                      struct nsc_page *page)
{
    nsc_subject_put(scene, &selection->question, page);
    if (!nsc_selection_is_done(selection->made)) {
        nsc_page_printf(page, NSC_ROLE_WARNING, "counting %u %%",
                        nsc_selection_permille(selection->made) / 10);
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

static void groups_draw(struct table *table)
{
    const struct nsc_list *list = &table->selection->list;
    struct nsc_text names[LINES_MOST];
    uint32_t n = 0;
    uint32_t shown = 0;
    bool by_name = false;
    const struct nsc_pivot_group *groups = nsc_selection_groups(table->selection->made, &n);

    shown =
        n - (uint32_t)list->top < list->height ? n - (uint32_t)list->top : (uint32_t)list->height;
    shown = list->top < n ? shown : 0;
    by_name = table->selection->made_pivot == NSC_PIVOT_NAME && shown <= LINES_MOST;
    nsc_pane_group_names(table->scene, groups + list->top, by_name ? shown : 0, names);
    for (uint32_t i = 0; i < shown; i++)
        group_draw(table, table->rect.row + NSC_PANE_SELECTION_HEAD + (int)i,
                   &groups[list->top + i], table->focus && list->top + i == list->cursor,
                   by_name ? nsc_name_shared(names, shown, i, (uint32_t)table->name_cols - 1) : 0);
}

int nsc_pane_selection_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_selection *selection, bool focus,
                            struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    struct table table = {
        .scene = scene, .selection = selection, .focus = focus, .grid = grid, .rect = rect};
    int used = 0;

    if (!selection->made || !grid)
        return NSC_PANE_SELECTION_HEAD;
    about_put(scene, selection, &page);
    if (!nsc_selection_is_done(selection->made))
        return NSC_PANE_SELECTION_HEAD;
    table.rank = rank_shown(rect.cols, &used);
    table.name_cols = rect.cols - used;
    table.figures = (struct figures){
        .of = nsc_selection_all(selection->made),
        .all = nsc_selection_all(selection->made),
        .window = nsc_window_length(selection->question.window),
        .quantiles = nsc_selection_has_quantiles(selection->made),
        .ascii = scene->ascii,
    };
    if (rect.rows > 1)
        titles_draw(&table, rect.row + 1);
    if (rect.rows > 2) {
        nsc_grid_puts(grid, rect.row + 2, rect.col, table.name_cols, NSC_ROLE_GROUP, "all");
        figures_draw(&table, rect.row + 2, NSC_ROLE_GROUP);
    }
    groups_draw(&table);
    return NSC_PANE_SELECTION_HEAD + (int)selection->list.n;
}

/* ---- the clipboard ---- */

/* Copies the name of the group under the cursor, or its figures in ns, separated by tabs. */
bool nsc_pane_selection_copy(const struct nsc_scene *scene,
                             const struct nsc_pane_selection *selection, struct nsc_buf *out,
                             bool row)
{
    const struct nsc_pivot_group *groups = NULL;
    const struct nsc_figures *f = NULL;
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_text_from("(in no range)");
    uint32_t n = 0;

    if (!selection->made || !nsc_selection_is_done(selection->made))
        return false;
    groups = nsc_selection_groups(selection->made, &n);
    if (selection->list.cursor >= n)
        return false;
    f = &groups[selection->list.cursor].figures;
    if (groups[selection->list.cursor].like != NSC_NONE) {
        nsc_event like = groups[selection->list.cursor].like;

        text =
            selection->made_pivot == NSC_PIVOT_TRACK
                ? nsc_trace_string(scene->trace, track_of(scene, like)->label)
                : nsc_scene_name_text(scene, nsc_trace_events(scene->trace)->name[like], scratch);
    }
    nsc_text_clean(out, text, false);
    if (row)
        nsc_buf_printf(out, "\t%lld\t%u\t%lld\t%lld\t%lld\t%lld\t%lld", (long long)f->inside,
                       f->count, (long long)f->covered, (long long)f->median, (long long)f->p95,
                       (long long)f->max, (long long)f->min);
    return true;
}
