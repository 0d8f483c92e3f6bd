/* The bottom of the screen: the line of tabs, the current pane, and the table of panes. */
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/kit/help.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- drawing each ---- */

int nsc_app_tree_draw(const struct nsc_pane_view *view, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_app *app = view->pane;
    enum nsc_build what = app->builds[NSC_BUILDS_TREE].what;

    if (!grid)
        return 0;
    if (!nsc_app_tree_is_built(app))
        return nsc_pane_tree_draw(view->scene, app->tree, view->hits, grid, rect);
    nsc_grid_puts(grid, rect.row, rect.col, rect.cols, NSC_ROLE_DIM,
                  what == NSC_BUILD_MERGE    ? "Merging equal paths ...  Esc gives up."
                  : what == NSC_BUILD_ACTION ? "Putting the paths in order ..."
                                             : "Making the tree ...  Esc gives up.");
    return 1;
}

/* ---- what can be done in each ---- */

static bool details_can_choose(const struct nsc_app *app)
{
    return nsc_pane_details_can_choose(&app->details);
}

static bool details_can_show(const struct nsc_app *app)
{
    return nsc_pane_details_can_show(&app->details);
}

static bool selection_can_show(const struct nsc_app *app)
{
    return nsc_pane_selection_can_show(&app->panes.selection);
}

const struct nsc_pane nsc_panes[NSC_N_PANES] = {
#define NSC_PANE(id, draw_it, ...) [NSC_PANE_##id] = {.draw = draw_it, __VA_ARGS__},
#include "view/pane/pane.def"
};

/* ---- hints ---- */

static const char *word_if(const struct nsc_app *app, const char *word,
                           bool (*can)(const struct nsc_app *app))
{
    return !can || can(app) ? word : NULL;
}

/* The two faces of the tree have different keys. */
static size_t tree_words(const struct nsc_app *app, struct nsc_hint_word *out)
{
    bool merged = app->tree && app->tree->merged_face;

    out[0] = (struct nsc_hint_word){NSC_ACTION_TREE_FACE, merged ? "instances" : "merge"};
    out[1] = (struct nsc_hint_word){NSC_ACTION_TREE_SORT, merged ? "sort" : NULL};
    out[2] = (struct nsc_hint_word){NSC_ACTION_TREE_LINEAR, merged ? NULL : "list"};
    out[3] = (struct nsc_hint_word){NSC_ACTION_TREE_BUBBLES, merged ? NULL : "idle"};
    return 4;
}

/* An answer has tables to step through, and leads back to the questions. */
static size_t answer_words(const struct nsc_app *app, struct nsc_hint_word *out)
{
    bool open = app->answers.is_open;

    out[0] = (struct nsc_hint_word){NSC_ACTION_ANSWER_TABLE, open ? "next table" : NULL};
    out[1] = (struct nsc_hint_word){NSC_ACTION_ANSWER_LIST, open ? "questions" : NULL};
    out[2] = (struct nsc_hint_word){NSC_ACTION_ANSWER_FORM, "parameters"};
    return 3;
}

size_t nsc_app_words(const struct nsc_app *app, struct nsc_hint_word *out)
{
    static const enum nsc_action of_a_bookmark[] = {
        NSC_ACTION_BOOKMARK_REMOVE, NSC_ACTION_BOOKMARK_NAME, NSC_ACTION_BOOKMARK_SESSION};
    const struct nsc_pane *pane = &nsc_panes[app->pane];
    bool every = app->panes.selection.every;
    enum nsc_key_scope scope = nsc_app_scope(app);
    bool quits = scope == NSC_KEY_SCOPE_TIMELINE || scope == NSC_KEY_SCOPE_LOADING;
    size_t n = 0;

    /* elsewhere it closes a box or a pane first */
    out[n++] = (struct nsc_hint_word){NSC_ACTION_QUIT, quits ? "quit" : "back"};
    out[n++] = (struct nsc_hint_word){NSC_ACTION_CHOOSE_PREV,
                                      word_if(app, pane->chooses, pane->can_choose)};
    out[n++] = (struct nsc_hint_word){
        NSC_ACTION_CHOOSE,
        word_if(app, pane->shows, pane->can_show ? pane->can_show : nsc_app_pane_has_lines)};
    n += answer_words(app, out + n);
    out[n++] = (struct nsc_hint_word){NSC_ACTION_EVERY_ROW, app->pane != NSC_PANE_SELECTION ? NULL
                                                            : every ? "this row"
                                                                    : "all rows"};
    out[n++] = (struct nsc_hint_word){NSC_ACTION_PANE_FILTER, pane->filtered ? "filter" : NULL};
    out[n++] = (struct nsc_hint_word){NSC_ACTION_ZOOM_PANE, app->pane_full ? "smaller" : "larger"};
    out[n++] = (struct nsc_hint_word){NSC_ACTION_BOOKMARK_UNREMOVE,
                                      app->bookmarks.n_removed ? "bring back" : NULL};
    out[n++] = (struct nsc_hint_word){NSC_ACTION_FILTER_CLEAR,
                                      nsc_scene_is_filtered(app->scene) ? "unfilter" : NULL};
    n += tree_words(app, out + n);
    if (nsc_bookmarks_live(&app->bookmarks.list))
        return n;
    for (size_t i = 0; i < sizeof of_a_bookmark / sizeof *of_a_bookmark; i++)
        out[n++] = (struct nsc_hint_word){of_a_bookmark[i], NULL};
    return n;
}

/* ---- names ---- */

/* MORE_COLS: columns for "…" after the last name that fits. */
enum { TABS_COL = 2, TABS_GAP = 2, MORE_COLS = 1, DETAILS_GAP = 2 };

/* The name, and the key that opens it from anywhere. */
static int tab_cols(const struct nsc_app *app, uint32_t pane)
{
    char key[32];
    int cols = (int)strlen(nsc_panes[pane].name);

    (void)nsc_keymap_key(key, app->keymap, nsc_panes[pane].key);
    return cols + (key[0] ? (int)nsc_text_width(nsc_text_from(key), app->scene->ascii) + 1 : 0);
}

static int tab_put(const struct nsc_app *app, struct nsc_grid *grid, int col, uint32_t pane)
{
    struct nsc_rect rect = app->scene->layout.tabs;
    int end = rect.col + rect.cols;
    enum nsc_role role = pane == app->pane ? NSC_ROLE_TAB_ACTIVE : NSC_ROLE_TAB;
    char key[32];

    col = nsc_grid_puts(grid, rect.row, col, end - col, role, nsc_panes[pane].name);
    if (!nsc_keymap_key(key, app->keymap, nsc_panes[pane].key)[0])
        return col;
    nsc_grid_put(grid, rect.row, col++, role, 0, " ");
    return nsc_grid_puts(grid, rect.row, col, end - col, NSC_ROLE_KEY, key);
}

/* Columns of a name with the gap or "…" after it. */
static int tab_need(const struct nsc_app *app, uint32_t pane)
{
    return tab_cols(app, pane) + (pane + 1 < NSC_N_PANES ? TABS_GAP + MORE_COLS : 1);
}

/* The first name that is shown, chosen so that the current pane's name fits. */
static uint32_t first_tab(const struct nsc_app *app)
{
    int room = app->scene->layout.tabs.cols - TABS_COL;
    int cols = tab_need(app, app->pane);
    uint32_t first = app->pane;

    while (first > 0 && cols + tab_cols(app, first - 1) + TABS_GAP <= room)
        cols += tab_cols(app, --first) + TABS_GAP;
    return first;
}

int nsc_app_tab_at(const struct nsc_app *app, int col)
{
    int at = app->scene->layout.tabs.col + TABS_COL;
    int end = app->scene->layout.tabs.col + app->scene->layout.tabs.cols;

    for (uint32_t i = first_tab(app); i < NSC_N_PANES && at + tab_need(app, i) <= end; i++) {
        if (col >= at && col < at + tab_cols(app, i))
            return (int)i;
        at += tab_cols(app, i) + TABS_GAP;
    }
    return -1;
}

/* The focused pane has its name in brackets. */
static const char *edge(const struct nsc_app *app, uint32_t pane, const char *bracket)
{
    return pane == app->pane && nsc_app_pane_has_focus(app) ? bracket : " ";
}

/* Draws the gap between two tabs. */
static int gap_draw(const struct nsc_app *app, struct nsc_grid *grid, int col, uint32_t pane)
{
    int row = app->scene->layout.tabs.row;
    const char *before = edge(app, pane, "[");

    nsc_grid_put(grid, row, col, NSC_ROLE_BORDER, 0, edge(app, pane - 1, "]"));
    nsc_grid_put(grid, row, col + 1, NSC_ROLE_BORDER, 0, before[0] == ' ' ? "│" : before);
    return col + TABS_GAP;
}

static void tabs_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.tabs;
    uint32_t first = first_tab(app);
    uint32_t i = first;
    int col = rect.col + TABS_COL;
    int end = rect.col + rect.cols;

    nsc_grid_fill(grid, rect, NSC_ROLE_BORDER, "─");
    if (first)
        nsc_grid_put(grid, rect.row, rect.col, NSC_ROLE_TAB, 0, "…");
    nsc_grid_put(grid, rect.row, col - 1, NSC_ROLE_BORDER, 0, edge(app, first, "["));
    for (; i < NSC_N_PANES && col + tab_need(app, i) <= end; i++) {
        col = tab_put(app, grid, col, i);
        if (i + 1 < NSC_N_PANES)
            col = gap_draw(app, grid, col, i + 1);
    }
    if (i < NSC_N_PANES)
        nsc_grid_put(grid, rect.row, col, NSC_ROLE_TAB, 0, "…");
    else
        nsc_grid_put(grid, rect.row, col, NSC_ROLE_BORDER, 0, edge(app, NSC_N_PANES - 1, "]"));
}

/* Whether the last cells of the tabs' row show only its border. */
static bool is_border(const struct nsc_app *app, struct nsc_grid *grid, int width)
{
    struct nsc_rect tabs = app->scene->layout.tabs;

    for (int i = 0; i < width; i++) {
        int col = tabs.col + tabs.cols - 1 - i;

        if (col < 0 ||
            nsc_cell_role(nsc_grid_at(grid, (uint32_t)tabs.row, (uint32_t)col)) != NSC_ROLE_BORDER)
            return false;
    }
    return true;
}

/* Draws how many lines are below the visible ones: beside the tabs; text also on the last line. */
static void more_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                      int lines)
{
    bool is_summary = app->pane == NSC_PANE_SUMMARY;
    int top = is_summary ? (int)app->summary.list.top : app->pane_top;
    int below = lines - top - rect.rows;
    char text[32];
    int width = 0;

    if (nsc_panes[app->pane].table || nsc_panes[app->pane].scope == NSC_KEY_SCOPE_TREE ||
        below <= 0 || rect.rows == 0)
        return;
    (void)snprintf(text, sizeof text, " ↓ %d more", below);
    width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii);
    if (is_border(app, grid, width + 1))
        rect = (struct nsc_rect){app->scene->layout.tabs.row, rect.col, 1, rect.cols};
    else if (is_summary)
        return;
    nsc_grid_puts_right(grid, rect.row + rect.rows - 1, rect.col + rect.cols - width, width,
                        NSC_ROLE_KEY, text);
}

void nsc_app_bottom_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect pane = app->scene->layout.pane;
    struct nsc_rect rect = nsc_app_pane_inner(app);
    struct nsc_rect right = {rect.row, rect.col + rect.cols + DETAILS_GAP, rect.rows, 0};

    if (!app->scene->layout.tabs.rows)
        return;
    tabs_draw(app, grid);
    for (int i = 0; pane.col > 0 && i < pane.rows; i++)
        nsc_grid_put(grid, pane.row + i, pane.col, NSC_ROLE_BORDER, 0, "│");
    right.cols = pane.col + pane.cols - 1 - right.col;
    if (right.cols > 0)
        (void)nsc_app_pane_draw(app, NSC_PANE_DETAILS, grid, right);
    more_draw(app, grid, rect, nsc_app_pane_draw(app, app->pane, grid, rect));
}
