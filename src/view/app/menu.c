/* The menu: its items, choosing by keys and by mouse, and drawing. */

#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/kit/grid.h"
#include "view/scene/look.h"

#include <string.h>

enum { FRAME = 2, HELP_COLS = 38, KEY_COLS = 12, BOX_COLS = HELP_COLS + KEY_COLS + FRAME };

/* ---- what it is about ---- */

/* The kinds of things on a line of the timeline. */
static const char *things_of_line(const struct nsc_app *app, bool on_label)
{
    bool range = app->scene->has_range && app->scene->cursor >= app->scene->range.t0 &&
                 app->scene->cursor < app->scene->range.t1;

    if (app->scene->line >= app->scene->lines.n)
        return range ? "wt" : "t";
    if (nsc_line_folds(&app->scene->lines.at[app->scene->line]))
        return "g";
    if (on_label)
        return "r";
    if (app->scene->selected != NSC_NONE)
        return range ? "ewr" : "er";
    return range ? "wtr" : "tr";
}

static const char *things_of_pane(const struct nsc_app *app)
{
    switch (app->kinds[app->pane].scope) {
    case NSC_KEY_SCOPE_TREE:
        return "n";
    case NSC_KEY_SCOPE_BOOKMARKS:
        return "b";
    case NSC_KEY_SCOPE_SQL:
        return "q";
    default:
        return nsc_pane_is_list(&app->kinds[app->pane]) ? "l" : "e";
    }
}

/* Whether the timeline or a pane has the focus, with nothing over them. */
static bool has_plain_focus(const struct nsc_app *app)
{
    enum nsc_key_scope scope = nsc_app_scope(app);

    return scope == NSC_KEY_SCOPE_TIMELINE || (app->scene->trace && nsc_app_pane_has_focus(app) &&
                                               scope == app->kinds[app->pane].scope);
}

static bool has_item(const struct nsc_app_menu *menu, enum nsc_action action)
{
    for (size_t i = 0; i < menu->list.n; i++)
        if (menu->items[i] == action)
            return true;
    return false;
}

static void items_build(struct nsc_app_menu *menu)
{
    menu->list.n = 0;
    for (const char *thing = menu->things; *thing; thing++)
        for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
            if (strchr(nsc_actions[i].things, *thing) && !has_item(menu, (enum nsc_action)i) &&
                menu->list.n < NSC_MENU_ITEMS)
                menu->items[menu->list.n++] = (enum nsc_action)i;
}

bool nsc_app_menu_open_at(struct nsc_app *app, int row, int col)
{
    struct nsc_app_menu *menu = &app->menu;
    int height = (int)app->scene->rows - 2 - FRAME;

    if (app->scene->layout.too_small || height < 1 || !has_plain_focus(app))
        return false;
    *menu = (struct nsc_app_menu){.row = row, .col = col};
    strcpy(menu->things,
           nsc_app_pane_has_focus(app)
               ? things_of_pane(app)
               : things_of_line(app, nsc_rect_has(app->scene->layout.labels, row, col)));
    items_build(menu);
    menu->list.height = menu->list.n < (size_t)height ? menu->list.n : (size_t)height;
    menu->open = menu->list.n > 0;
    return menu->open;
}

bool nsc_app_menu_open(struct nsc_app *app)
{
    struct nsc_rect timeline = app->scene->layout.timeline;
    int row = 0;

    if (app->menu.open) { /* its key closes it */
        nsc_app_menu_close(app);
        return true;
    }
    if (!has_plain_focus(app))
        return false;
    if (nsc_app_pane_has_focus(app))
        return nsc_app_menu_open_at(app, app->scene->layout.pane.row + 1,
                                    app->scene->layout.pane.col + 2);
    row = nsc_scene_row_of(app->scene, app->scene->line);
    return nsc_app_menu_open_at(app, timeline.row + (row < 0 ? 0 : row),
                                timeline.col + (int)nsc_scene_cursor_col(app->scene));
}

void nsc_app_menu_close(struct nsc_app *app)
{
    app->menu.open = false;
}

/* ---- choosing ---- */

static enum nsc_action choose(struct nsc_app *app)
{
    nsc_app_menu_close(app);
    return app->menu.items[app->menu.list.cursor];
}

enum nsc_action nsc_app_menu_action(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_list *list = &app->menu.list;

    if (!app->menu.open) {
        app->effects.set |= NSC_EFFECT_BELL;
        return NSC_ACTION_NONE;
    }
    /* The cursor wraps around. */
    if (action == NSC_ACTION_MENU_UP)
        (void)nsc_list_set(list, list->cursor ? list->cursor - 1 : list->n - 1);
    else if (action == NSC_ACTION_MENU_DOWN)
        (void)nsc_list_set(list, list->cursor + 1 < list->n ? list->cursor + 1 : 0);
    else
        return choose(app);
    return NSC_ACTION_NONE;
}

/* The box is beside the pointer, moved to fit the screen. */
static struct nsc_rect box_of(const struct nsc_app *app)
{
    const struct nsc_app_menu *menu = &app->menu;
    struct nsc_rect box = {menu->row + 1, menu->col + 1, (int)menu->list.height + FRAME, BOX_COLS};

    box.cols = box.cols < (int)app->scene->cols ? box.cols : (int)app->scene->cols;
    if (box.col + box.cols > (int)app->scene->cols)
        box.col = (int)app->scene->cols - box.cols;
    if (box.row + box.rows > (int)app->scene->rows - 1)
        box.row =
            menu->row - box.rows >= 1 ? menu->row - box.rows : (int)app->scene->rows - 1 - box.rows;
    box.row = box.row < 1 ? 1 : box.row;
    return box;
}

/* The item at a screen position; list.n for none. */
static size_t item_at(const struct nsc_app *app, int row, int col)
{
    struct nsc_rect box = box_of(app);
    size_t item = app->menu.list.top + (size_t)(row - box.row - 1);

    if (!nsc_rect_has(box, row, col) || row == box.row || row == box.row + box.rows - 1)
        return app->menu.list.n;
    return item < app->menu.list.n ? item : app->menu.list.n;
}

enum nsc_action nsc_app_menu_mouse(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_list *list = &app->menu.list;
    size_t item = item_at(app, input->mouse.row, input->mouse.col);

    switch (input->mouse.action) {
    case NSC_MOUSE_WHEEL_UP:
    case NSC_MOUSE_WHEEL_DOWN:
        (void)nsc_list_move(list, input->mouse.action == NSC_MOUSE_WHEEL_UP ? -1 : 1);
        break;
    case NSC_MOUSE_DRAG:
        if (item < list->n)
            (void)nsc_list_set(list, item);
        break;
    case NSC_MOUSE_RELEASE: /* the press that opened the menu was outside of it */
        if (item < list->n && (input->mouse.row != app->menu.row))
            return choose(app);
        break;
    case NSC_MOUSE_PRESS:
    case NSC_MOUSE_DOUBLE:
        if (item == list->n) {
            nsc_app_menu_close(app);
            break;
        }
        (void)nsc_list_set(list, item);
        return choose(app);
    }
    return NSC_ACTION_NONE;
}

/* ---- drawing ---- */

static const char *title_of(char thing)
{
    static const char *const titles[][2] = {
        {"e", " Event "}, {"g", " Group "},    {"w", " Range "}, {"t", " Time "},
        {"n", " Range "}, {"b", " Bookmark "}, {"q", " Row "},   {"l", " Line "},
    };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (*titles[i][0] == thing)
            return titles[i][1];
    return " Row ";
}

static void item_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect line,
                      size_t item)
{
    enum nsc_action action = app->menu.items[item];
    bool current = item == app->menu.list.cursor;
    enum nsc_role role = nsc_list_line(grid, line, current, true);
    char key[32];

    nsc_grid_puts(grid, line.row, line.col + 1, line.cols - 1, role, nsc_actions[action].help);
    nsc_grid_puts_right(grid, line.row, line.col + line.cols - KEY_COLS, KEY_COLS - 1,
                        current ? role : NSC_ROLE_KEY, nsc_keymap_key(key, app->keymap, action));
}

void nsc_app_menu_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    const struct nsc_list *list = &app->menu.list;
    struct nsc_rect box = box_of(app);

    if (!app->menu.open)
        return;
    nsc_box_draw(grid, box, title_of(app->menu.things[0]));
    for (int i = 0; i < box.rows - FRAME && list->top + (size_t)i < list->n; i++)
        item_draw(app, grid, (struct nsc_rect){box.row + 1 + i, box.col + 1, 1, box.cols - FRAME},
                  list->top + (size_t)i);
}
