/*
 * The tree pane: the cells of its columns, the cursor's path, column titles, lines, and the position in the whole.
 */
#include "view/model/tree.h"

#include "analysis/base/correlate.h"
#include "analysis/base/scope.h"
#include "core/units.h"
#include "view/kit/columns.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST_ROWS = 8, /* needed for a path, a header and a position around the lines */
    NAME_MIN = 30,
    PATH_MOST = 64,
    TEXT_BYTES = 64
};

struct tree_column {
    const char *title;
    int width;
    int rank;   /* the highest ranks are dropped first if there is no room */
    bool time;  /* hidden without times */
    bool start; /* shown with start times */
    int sort;   /* enum nsc_tree_sort, or -1 */
};

static void put_duration(struct nsc_list_cell *cell, nsc_time t)
{
    nsc_units_duration(cell->text, t, cell->page.ascii);
}

static void put_count(struct nsc_list_cell *cell, uint64_t n)
{
    if (n)
        nsc_units_count(cell->text, n);
}

/* ---- columns of the instances: each has the figure of its number ---- */

enum { START, DURATION, SHARE, SPAN, GPU_WORK, GPU_LAUNCHES, GPU_CAPTURED };

static const struct tree_column instance_columns[] = {
    {"start", 21, 6, true, true, -1},
    {"duration", 10, 1, true, false, -1},
    {"of parent", NSC_LIST_BAR_COLS + 2, 3, true, false, -1},
    {"GPU span", 10, 4, true, false, -1},
    {"GPU work", 10, 2, true, false, -1},
    {"launches", 11, 5, false, false, -1},
    {"captured", 10, 2, true, false, -1}, /* the last: not always shown */
};

static nsc_event line_event(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return nsc_instance_event(&tree->walk.all, line->at);
}

/* The duration of a line, summed over those of a run. The line has an event. */
static nsc_time duration_of(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return line->is_run ? nsc_instance_run_total(&tree->walk.all, &line->run)
                        : nsc_event_duration(nsc_trace_events(tree->trace), line_event(tree, line));
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
    struct nsc_instance_run place = {line->at, line->at, 1};
    struct nsc_gpu_figures figures =
        nsc_instance_run_figures(&tree->walk.all, line->is_run ? &line->run : &place);
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
    /* Of a root that takes no work those of the whole thread are known only. */
    if (figures.ops && (line->at.range != NSC_NONE || all.roots[line->at.root].takes_work))
        put_duration(cell, figures.work);
}

static void fill_instance(int figure, const struct nsc_tree *tree, const struct nsc_tree_line *line,
                          struct nsc_list_cell *cell)
{
    nsc_event event = line_event(tree, line);

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

static const struct tree_column merged_columns[] = {
    {"calls", 11, 2, false, false, NSC_TREE_BY_COUNT},
    {"total", 10, 1, true, false, NSC_TREE_BY_TIME},
    {"of all", 8, 6, true, false, -1},
    {"", NSC_LIST_BAR_COLS + 2, 8, true, false, -1},
    {"self", 10, 7, true, false, NSC_TREE_BY_SELF},
    {"min", 10, 10, true, false, -1},
    {"max", 10, 9, true, false, -1},
    {"GPU work", 10, 3, true, false, NSC_TREE_BY_GPU},
    {"GPU idle", 10, 4, true, false, NSC_TREE_BY_IDLE},
    {"launches", 11, 5, false, false, -1},
    {"captured", 10, 3, true, false, -1}, /* likewise */
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

static const struct tree_column *columns_of(const struct nsc_tree *tree, uint32_t *n)
{
    *n = tree->merged_face ? sizeof merged_columns / sizeof *merged_columns
                           : sizeof instance_columns / sizeof *instance_columns;
    *n -= !tree->captured.launches;
    return tree->merged_face ? merged_columns : instance_columns;
}

/* ---- which columns there is room for ---- */

/* A name, and the columns of the face. */
struct table {
    const struct nsc_scene *scene;
    const struct nsc_tree *tree;
    const struct nsc_summary *hits;
    const struct tree_column *columns;
    struct nsc_list_column of[NSC_COLUMNS_MOST];
    struct nsc_columns shown;
    struct nsc_rect rect; /* rect of the lines */
};

static void lay_columns(struct table *table)
{
    const struct nsc_tree *tree = table->tree;
    int third = table->rect.cols / 3;
    uint32_t n = 0, hidden = 0;

    table->columns = columns_of(tree, &n);
    table->of[0] = (struct nsc_list_column){
        .title = tree->merged_face ? "path" : "range or work", .is_left = true, .has_roles = true};
    if (tree->merged_face && tree->sort == NSC_TREE_BY_NAME)
        table->of[0].mark = "↑";
    for (uint32_t i = 0; i < n; i++) {
        const struct tree_column *column = &table->columns[i];
        struct nsc_list_column *out = &table->of[i + 1];

        *out = (struct nsc_list_column){.title = column->title,
                                        .width = column->width,
                                        .has_roles = true, /* a name may extend over it */
                                        .rank = column->rank,
                                        .least = third > NAME_MIN ? third : NAME_MIN};
        hidden |= (uint32_t)((column->time && tree->times == NSC_TREE_NO_TIMES) ||
                             (column->start && tree->times != NSC_TREE_STARTS))
                  << (i + 1);
        if (tree->merged_face && column->sort == (int)tree->sort)
            out->mark = "↓";
    }
    nsc_columns_fit(&table->shown, table->of, n + 1, hidden, table->rect);
}

/* ---- lines ---- */

/* The name of a merged path: '#' replaces each run of differing digits. */
static struct nsc_text node_text(const struct nsc_scene *scene, const struct nsc_tree *tree,
                                 uint32_t node, char scratch[NSC_NAME_BYTES])
{
    const struct nsc_calltree *calls = tree->merged.calls;
    struct nsc_text text =
        nsc_bars_text(nsc_trace_event_text(scene->trace, calls->slowest[node], false, scratch));

    return calls->mixed[node] ? nsc_digits_fold(text, scratch) : text;
}

/* The label of a root's group, preceded by its export's if there are several. */
static struct nsc_text root_text(const struct nsc_scene *scene, uint32_t track,
                                 char scratch[NSC_NAME_BYTES])
{
    uint32_t group = nsc_trace_group_of(scene->trace, track);
    const struct nsc_track *at = nsc_trace_track(scene->trace, group);
    struct nsc_text label = nsc_trace_string(scene->trace, at->label);
    char side[NSC_NAME_BYTES];
    struct nsc_text capture = nsc_scene_capture_label(scene, track, side);
    int n = 0;

    if (!at->depth)
        return label;
    n = snprintf(scratch, NSC_NAME_BYTES, "%.*s · %.*s", (int)capture.n, capture.bytes,
                 (int)label.n, label.bytes);
    n = n < NSC_NAME_BYTES ? n : NSC_NAME_BYTES - 1;
    return (struct nsc_text){scratch, n > 0 ? (uint32_t)n : 0};
}

/* The name of a line's event; for a root the label of its track. */
static struct nsc_text line_text(const struct nsc_scene *scene, const struct nsc_tree *tree,
                                 const struct nsc_tree_line *line, char scratch[NSC_NAME_BYTES])
{
    nsc_event event = NSC_NONE;

    if (tree->merged_face)
        return node_text(scene, tree, line->node, scratch);
    event = line_event(tree, line);
    if (event != NSC_NONE)
        return nsc_bars_text(nsc_trace_event_text(scene->trace, event, !scene->demangled, scratch));
    return root_text(scene, tree->walk.all.roots[line->at.root].track, scratch);
}

/* The event that colours a line's mark; NSC_NONE. */
static nsc_event line_example(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return tree->merged_face ? tree->merged.calls->slowest[line->node] : line_event(tree, line);
}

/* Draws a root's label, whose dots belong to the view, not to the file. */
static int line_text_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                          struct nsc_grid *grid, struct nsc_rect at, enum nsc_role role,
                          const struct nsc_tree_line *line)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = line_text(scene, tree, line, scratch);

    return line_example(tree, line) == NSC_NONE
               ? nsc_label_draw(grid, at, role, text)
               : nsc_grid_text(grid, at.row, at.col, at.cols, role, text);
}

/* Draws guides up to a line's depth, or a number for deeper levels. Returns the next column. */
static int indent_draw(struct nsc_grid *grid, int row, int col, int width, uint32_t depth)
{
    uint32_t most = width > 8 ? (uint32_t)(width / 4) : 1;
    char text[TEXT_BYTES];

    if (depth > most) {
        (void)snprintf(text, sizeof text, "%u ", depth);
        for (uint32_t i = 0; i + 3 < most; i++, col += 2)
            nsc_grid_put(grid, row, col, NSC_ROLE_BORDER, 0, "│");
        return nsc_grid_puts(grid, row, col, width, NSC_ROLE_DIM, text);
    }
    for (uint32_t i = 0; i < depth; i++, col += 2)
        nsc_grid_put(grid, row, col, NSC_ROLE_BORDER, 0, "│");
    return col;
}

/* The second half of a line's name: the domain of a root, the stream of work. */
static struct nsc_text line_place(const struct nsc_scene *scene, const struct nsc_tree *tree,
                                  const struct nsc_tree_line *line)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scene->trace, NULL);
    struct nsc_text none = {"", 0};
    uint32_t track = 0;

    if (tree->merged_face || (line->at.range != NSC_NONE && line->at.op == NSC_NONE))
        return none;
    track = line->at.op != NSC_NONE ? nsc_event_track(scene->trace, line_event(tree, line))
                                    : tree->walk.all.roots[line->at.root].track;
    if (nsc_track_is_group(tracks[track].kind))
        return none;
    return nsc_trace_string(scene->trace, tracks[track].label);
}

static bool is_marked(const struct nsc_tree_line *line)
{
    return line->is_cursor || line->is_selected;
}

/* "285 x " before the name of a closed run, "2 of 285 " in an open one. */
static int run_draw(struct nsc_grid *grid, int row, int col, int end, enum nsc_role role,
                    const struct nsc_tree_line *line)
{
    char run[NSC_UNITS_BYTES], at[NSC_UNITS_BYTES];
    char text[TEXT_BYTES * 2];

    if (line->run.n < 2 || col >= end)
        return col;
    nsc_units_count(run, line->run.n);
    nsc_units_count(at, line->run_at + 1u);
    if (line->is_run)
        (void)snprintf(text, sizeof text, "%s x ", run);
    else
        (void)snprintf(text, sizeof text, "%s of %s  ", at, run);
    return nsc_grid_puts(grid, row, col, end - col,
                         is_marked(line) || line->is_run ? role : NSC_ROLE_DIM, text);
}

static void name_draw(const struct table *table, struct nsc_grid *grid, struct nsc_rect at,
                      const struct nsc_tree_line *line)
{
    const struct nsc_scene *scene = table->scene;
    const struct nsc_tree *tree = table->tree;
    nsc_event example = line_example(tree, line);
    bool is_work = !tree->merged_face && line->at.op != NSC_NONE;
    enum nsc_role role = is_marked(line)       ? NSC_ROLE_LABEL_CURSOR
                         : example == NSC_NONE ? NSC_ROLE_GROUP
                         : table->hits && nsc_summary_has(table->hits, example)
                             ? NSC_ROLE_MATCH /* of a merged path, its slowest call decides */
                             : NSC_ROLE_TEXT;
    const char *mark = is_work && !line->has_children ? "▪"
                       : !line->has_children          ? "·"
                       : line->is_open                ? "▾"
                                                      : "▸";
    int col = indent_draw(grid, at.row, at.col, at.cols, line->depth);
    int end = at.col + at.cols - 1;
    struct nsc_text place = line_place(scene, tree, line);
    int kept = 0; /* columns for the domain of a root */

    nsc_grid_put(grid, at.row, col,
                 example == NSC_NONE ? role : nsc_bars_role(scene->trace, example),
                 example == NSC_NONE ? 0 : (uint8_t)(nsc_bars_shade(scene->trace, example)), mark);
    col = run_draw(grid, at.row, col + 2, end, role, line);
    if (example == NSC_NONE && place.n)
        kept = (int)nsc_text_width(place, scene->ascii) + 2;
    kept = kept < (end - col) / 2 ? kept : (end - col) / 2;
    col = line_text_draw(scene, tree, grid, (struct nsc_rect){at.row, col, 1, end - col - kept},
                         role, line);
    if (place.n && end - col > 4)
        nsc_label_draw(grid, (struct nsc_rect){at.row, col + 2, 1, end - col - 2}, NSC_ROLE_DIM,
                       place);
}

static void bubble_draw(const struct nsc_scene *scene, struct nsc_grid *grid, int row,
                        struct nsc_rect at, const struct nsc_tree_line *line)
{
    char time[NSC_UNITS_BYTES];
    char text[TEXT_BYTES];
    int col = indent_draw(grid, row, at.col, at.cols, line->depth);

    nsc_units_duration(time, line->bubble, scene->ascii);
    (void)snprintf(text, sizeof text, "┄ GPU idle %s", time);
    nsc_grid_puts(grid, row, col, at.col + at.cols - col, NSC_ROLE_DIM, text);
}

static void line_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct table *table = context;
    const struct nsc_tree_line *line = &table->tree->lines.at[item];
    struct nsc_rect at = cell->page.rect;

    if (line->bubble > 0) {
        if (cell->column == 0)
            bubble_draw(table->scene, cell->page.grid, at.row, at, line);
    } else if (cell->column == 0) {
        name_draw(table, cell->page.grid, at, line);
    } else if (table->tree->merged_face) {
        fill_merged((int)cell->column - 1, table->tree, line->node, cell);
    } else {
        fill_instance((int)cell->column - 1, table->tree, line, cell);
    }
}

/* ---- the frame ---- */

/* The line of the cursor and those around it, innermost first. */
static uint32_t path_lines(const struct nsc_tree *tree, struct nsc_tree_line out[PATH_MOST])
{
    uint32_t n = 0;

    if (tree->merged_face) {
        for (uint32_t node = nsc_tree_merged_cursor(tree); node != NSC_NONE && n < PATH_MOST;
             node = tree->merged.calls->parent[node])
            out[n++] = (struct nsc_tree_line){.at = NSC_NO_INSTANCE, .node = node};
    } else {
        for (struct nsc_instance at = tree->walk.cursor; !nsc_instance_is_none(at) && n < PATH_MOST;
             at = nsc_instance_parent(&tree->walk.all, at))
            out[n++] = (struct nsc_tree_line){.at = at};
    }
    return n;
}

/* Draws as many of the innermost as fit. */
static void path_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                      struct nsc_grid *grid, struct nsc_rect rect, int width)
{
    struct nsc_tree_line lines[PATH_MOST];
    char scratch[NSC_NAME_BYTES];
    uint32_t n = path_lines(tree, lines);
    uint32_t from = 0;
    int col = rect.col;
    size_t used = 2;

    while (from < n && (from == 0 || used < (size_t)width)) {
        used += nsc_text_width(line_text(scene, tree, &lines[from], scratch), scene->ascii) + 3;
        from += from == 0 || used < (size_t)width;
    }
    if (from < n)
        col = nsc_grid_puts(grid, rect.row, col, width, NSC_ROLE_DIM, "… › ");
    while (from-- > 0) {
        struct nsc_rect rest = {rect.row, col, 1, rect.col + width - col};

        col = line_text_draw(scene, tree, grid, rest, from ? NSC_ROLE_TEXT : NSC_ROLE_GROUP,
                             &lines[from]);
        if (from)
            col = nsc_grid_puts(grid, rect.row, col, rect.col + width - col, NSC_ROLE_DIM, " › ");
    }
}

static void position_draw(const struct nsc_tree *tree, struct nsc_grid *grid, struct nsc_rect rect)
{
    int last = rect.row + rect.rows - 1;
    int at = (int)((uint64_t)nsc_tree_permille(tree) * (uint64_t)(rect.cols - 1) / 1000);
    struct nsc_rect line = {last, rect.col, 1, rect.cols};

    nsc_grid_fill(grid, line, NSC_ROLE_BORDER, "─");
    nsc_grid_put(grid, last, rect.col + at, NSC_ROLE_OVERVIEW_WINDOW, 0, "█");
}

/* Draws "median 1.2 ms of 144 calls"; the median has no column. */
static void median_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                        struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_tree_merged *merged = &tree->merged;
    char median[NSC_UNITS_BYTES], calls[NSC_UNITS_BYTES];
    char text[TEXT_BYTES * 2];

    if (!tree->merged_face || merged->median_of == NSC_NONE)
        return;
    nsc_units_duration(median, merged->median, scene->ascii);
    nsc_units_count(calls, merged->calls->calls[merged->median_of]);
    (void)snprintf(text, sizeof text, " median %s of %s calls ", median, calls);
    nsc_grid_puts_right(grid, rect.row + rect.rows - 1, rect.col, rect.cols - 2, NSC_ROLE_DIM,
                        text);
}

static void lines_draw(const struct table *table, struct nsc_grid *grid)
{
    const struct nsc_tree *tree = table->tree;
    struct nsc_list_source source = {&table->shown, line_fill, table, table->scene->ascii};
    struct nsc_rect line = {table->rect.row, table->rect.col, 1, table->rect.cols};

    for (size_t i = 0; i < tree->lines.n && (int)i < table->rect.rows; i++, line.row++) {
        bool marked = is_marked(&tree->lines.at[i]);
        bool is_cursor = tree->lines.at[i].is_cursor;

        nsc_list_put(&source, grid, line.row, i, nsc_list_line(grid, line, marked, is_cursor),
                     marked);
    }
    if (tree->lines.n == 0)
        nsc_grid_puts(grid, line.row, line.col, line.cols, NSC_ROLE_DIM,
                      nsc_trace_has_tracks(table->scene->trace, NSC_TRACK_NVTX, NSC_TRACK_NVTX)
                          ? "The filter leaves nothing."
                          : "The export has no NVTX push/pop ranges.");
}

int nsc_pane_tree_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                       const struct nsc_summary *hits, struct nsc_grid *grid, struct nsc_rect rect)
{
    /* The column of the order may not fit on the screen. */
    static const char *const orders[NSC_N_TREE_SORTS] = {
        [NSC_TREE_BY_TIME] = "merged, by total",    [NSC_TREE_BY_SELF] = "merged, by self",
        [NSC_TREE_BY_COUNT] = "merged, by calls",   [NSC_TREE_BY_GPU] = "merged, by GPU work",
        [NSC_TREE_BY_IDLE] = "merged, by GPU idle", [NSC_TREE_BY_NAME] = "merged, by name"};
    const char *face = NULL;
    struct table table = {.scene = scene, .tree = tree, .hits = hits, .rect = rect};

    if (!grid)
        return 0;
    if (!tree) {
        nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_DIM,
                      "The tree of ranges and the work they launched: t opens it.");
        return 1;
    }
    if (!nsc_pane_tree_has_frame(rect)) {
        lay_columns(&table);
        lines_draw(&table, grid);
        return rect.rows;
    }
    table.rect.row += 2;
    table.rect.rows -= 3;
    lay_columns(&table);
    face = tree->merged_face ? orders[tree->sort] : tree->walk.linear ? "linear" : "instances";
    path_draw(scene, tree, grid, rect, rect.cols - (int)strlen(face) - 3);
    nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_TAB_ACTIVE, face);
    nsc_columns_titles(&table.shown, grid, rect.row + 1);
    lines_draw(&table, grid);
    position_draw(tree, grid, rect);
    median_draw(scene, tree, grid, rect);
    return rect.rows;
}

bool nsc_pane_tree_has_frame(struct nsc_rect rect)
{
    return rect.rows >= LEAST_ROWS;
}
