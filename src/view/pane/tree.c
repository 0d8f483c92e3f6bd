/*
 * The tree pane: the path of the cursor, the lines, and the position in the whole.
 */
#include "view/model/tree.h"

#include "analysis/base/correlate.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/pane/tree_columns.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST_ROWS = 8, /* needed for a path, a header and a position around the lines */
    NAME_MIN = 30,
    PATH_MOST = 64,
    TEXT_BYTES = 64
};

/* What draws a cell. */
struct lines {
    const struct nsc_scene *scene;
    const struct nsc_tree *tree;
    const struct nsc_summary *hits;
};

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
    event = nsc_tree_line_event(tree, line);
    if (event != NSC_NONE)
        return nsc_bars_text(nsc_trace_event_text(scene->trace, event, !scene->demangled, scratch));
    return root_text(scene, tree->walk.all.roots[line->at.root].track, scratch);
}

/* The event that colours a line's mark; NSC_NONE. */
static nsc_event line_example(const struct nsc_tree *tree, const struct nsc_tree_line *line)
{
    return tree->merged_face ? tree->merged.calls->slowest[line->node]
                             : nsc_tree_line_event(tree, line);
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
    track = line->at.op != NSC_NONE ? nsc_event_track(scene->trace, nsc_tree_line_event(tree, line))
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
    if (line->is_run)
        (void)snprintf(text, sizeof text, "%s x ", run);
    else
        (void)snprintf(text, sizeof text, "%s of %s  ", nsc_units_count(at, line->run_at + 1u),
                       run);
    return nsc_grid_puts(grid, row, col, end - col,
                         is_marked(line) || line->is_run ? role : NSC_ROLE_DIM, text);
}

static void name_draw(const struct lines *table, struct nsc_grid *grid, struct nsc_rect at,
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

static void bubble_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect at,
                        const struct nsc_tree_line *line)
{
    char time[NSC_UNITS_BYTES];
    char text[TEXT_BYTES];
    int col = indent_draw(grid, at.row, at.col, at.cols, line->depth);

    (void)snprintf(text, sizeof text, "┄ GPU idle %s",
                   nsc_units_duration(time, line->bubble, scene->ascii));
    nsc_grid_puts(grid, at.row, col, at.col + at.cols - col, NSC_ROLE_DIM, text);
}

/* Draws names; of idle time no figure. */
static bool cell_draw(const void *context, uint32_t row, const struct nsc_table_cell *cell)
{
    const struct lines *lines = context;
    const struct nsc_tree_line *line = &lines->tree->lines.at[row];
    struct nsc_rect at = cell->page.rect;

    if (cell->column == 0 && line->bubble > 0)
        bubble_draw(lines->scene, cell->page.grid, at, line);
    else if (cell->column == 0)
        name_draw(lines, cell->page.grid, at, line);
    return cell->column == 0 || line->bubble > 0;
}

static bool line_is_marked(const void *context, uint32_t row)
{
    const struct lines *lines = context;

    return is_marked(&lines->tree->lines.at[row]);
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
    (void)snprintf(text, sizeof text, " median %s of %s calls ",
                   nsc_units_duration(median, merged->median, scene->ascii),
                   nsc_units_count(calls, merged->calls->calls[merged->median_of]));
    nsc_grid_puts_right(grid, rect.row + rect.rows - 1, rect.col, rect.cols - 2, NSC_ROLE_DIM,
                        text);
}

/* Draws the titles on the first line, unless there is no room for them, and the lines. */
static void lines_draw(const struct lines *lines, bool is_bare, struct nsc_grid *grid,
                       struct nsc_rect rect)
{
    const struct nsc_tree *tree = lines->tree;
    int name = rect.cols > 3 * NAME_MIN ? rect.cols / 3 : NAME_MIN, height = rect.rows - !is_bare;
    struct nsc_table table = {.list = {.n = tree->lines.n, .cursor = tree->lines.n},
                              .is_bare = is_bare,
                              .least =
                                  (uint16_t)(name < rect.cols * 2 / 3 ? name : rect.cols * 2 / 3),
                              .draw = cell_draw,
                              .marks = line_is_marked,
                              .context = lines};
    struct nsc_list *list = &table.list;
    struct nsc_sheet sheet;

    nsc_tree_columns_fill(&table, &sheet, tree);
    nsc_table_page(&table, &sheet, lines->scene->ascii);
    nsc_table_fit(&table, height, rect.cols);
    for (list->cursor = 0; list->cursor < list->n; list->cursor++)
        if (tree->lines.at[list->cursor].is_cursor)
            break;
    nsc_table_draw(&table, list->cursor < list->n, grid, rect);
    if (tree->lines.n == 0)
        nsc_grid_puts(grid, rect.row + !is_bare, rect.col, rect.cols, NSC_ROLE_DIM,
                      nsc_trace_has_tracks(lines->scene->trace, NSC_TRACK_NVTX, NSC_TRACK_NVTX)
                          ? "The filter leaves nothing."
                          : "The export has no NVTX push/pop ranges.");
    nsc_table_fini(&table);
    nsc_sheet_fini(&sheet);
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
    struct lines lines = {.scene = scene, .tree = tree, .hits = hits};

    if (!grid)
        return 0;
    if (!tree) {
        nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_DIM,
                      "The tree of ranges and the work they launched: t opens it.");
        return 1;
    }
    if (!nsc_pane_tree_has_frame(rect)) {
        lines_draw(&lines, true, grid, rect);
        return rect.rows;
    }
    face = tree->merged_face ? orders[tree->sort] : tree->walk.linear ? "linear" : "instances";
    path_draw(scene, tree, grid, rect, rect.cols - (int)strlen(face) - 3);
    nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_TAB_ACTIVE, face);
    lines_draw(&lines, false, grid,
               (struct nsc_rect){rect.row + 1, rect.col, rect.rows - 2, rect.cols});
    position_draw(tree, grid, rect);
    median_draw(scene, tree, grid, rect);
    return rect.rows;
}

bool nsc_pane_tree_has_frame(struct nsc_rect rect)
{
    return rect.rows >= LEAST_ROWS;
}
