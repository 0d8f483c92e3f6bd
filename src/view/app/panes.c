/*
 * The bottom pane: opening and closing it, its focus, its list and its keys.
 */
#include "view/app/panes.h"

#include "view/app/prompt.h"
#include "view/pane/panes.h"
#include "view/scene/move.h"

#include <stdio.h>

enum { WITH_DETAILS_COLS = 156 };

static bool is_shown(const struct nsc_app *app)
{
    return app->scene->trace && app->pane_open && app->scene->layout.pane.rows > 0;
}

static struct nsc_table *table_of(struct nsc_app *app)
{
    size_t at = app->kinds[app->pane].table;

    return at ? (void *)((char *)app + at) : NULL;
}

void nsc_app_panes_update(struct nsc_app *app)
{
    const struct nsc_pane *pane = &app->kinds[app->pane];

    app->panes.focus &= !app->scene->trace || is_shown(app);
    if (!is_shown(app))
        return;
    if (pane->update)
        pane->update(app);
    if (pane->head)
        nsc_table_fit(table_of(app), nsc_app_pane_lines(app), nsc_app_pane_inner(app).cols);
}

struct nsc_rect nsc_app_pane_inner(const struct nsc_app *app)
{
    struct nsc_rect rect = app->scene->layout.pane;

    rect.cols -= rect.col > 0 ? 3 : 2;
    rect.col += rect.col > 0 ? 2 : 1;
    if (app->kinds[app->pane].with_details && rect.cols >= WITH_DETAILS_COLS)
        rect.cols = rect.cols * 3 / 5;
    return rect;
}

int nsc_app_pane_lines(const struct nsc_app *app)
{
    return nsc_app_pane_inner(app).rows - app->kinds[app->pane].head;
}

/* ---- lists ---- */

/* Where it is in struct nsc_app; 0: a pane of text. */
static size_t list_at(const struct nsc_pane *pane)
{
    return pane->table ? pane->table + offsetof(struct nsc_table, list) : pane->list;
}

struct nsc_list *nsc_app_pane_list(struct nsc_app *app, uint32_t pane)
{
    size_t at = list_at(&app->kinds[pane]);

    return at ? (void *)((char *)app + at) : NULL;
}

bool nsc_app_pane_has_lines(const struct nsc_app *app)
{
    size_t at = list_at(&app->kinds[app->pane]);
    const struct nsc_list *list = at ? (const void *)((const char *)app + at) : NULL;

    return !list || list->n > 0;
}

static struct nsc_list *list_of(struct nsc_app *app)
{
    return is_shown(app) ? nsc_app_pane_list(app, app->pane) : NULL;
}

void nsc_app_pane_moved(struct nsc_app *app)
{
    const struct nsc_pane *pane = &app->kinds[app->pane];
    nsc_event event = pane->event ? pane->event(app) : NSC_NONE;

    if (event != NSC_NONE)
        nsc_scene_show_event(app->edit, event);
}

bool nsc_app_pane_take_event(struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_pane *pane = &app->kinds[app->pane];
    const char *things = nsc_actions[action].things;
    nsc_event event;

    if (things[0] != 'e' || !pane->event || !nsc_app_pane_has_focus(app))
        return true;
    event = pane->event(app);
    if (event != app->scene->selected)
        nsc_app_pane_moved(app);
    return event != NSC_NONE || things[1] ||
           nsc_app_refuse(app, "This line is no event of the timeline.");
}

int nsc_app_pane_draw(const struct nsc_app *app, uint32_t pane, struct nsc_grid *grid,
                      struct nsc_rect rect)
{
    struct nsc_pane_view view = {.pane = (const char *)app + app->kinds[pane].of,
                                 .scene = app->scene,
                                 .explore = &app->explore,
                                 .findings = &app->findings,
                                 .keymap = app->keymap,
                                 .hits = app->search.pick.summary,
                                 .search = app->search.text,
                                 .is_building = app->builds[NSC_BUILDS_FLAME].runs,
                                 .now = app->now,
                                 .focus = nsc_app_pane_has_focus(app),
                                 .top = pane == app->pane ? app->pane_top : 0};

    return app->kinds[pane].draw(&view, grid, rect);
}

void nsc_app_scroll_pane(struct nsc_app *app, int64_t by)
{
    struct nsc_rect rect = nsc_app_pane_inner(app);
    int64_t lines = 0;
    int64_t most = 0;
    int64_t top = app->pane_top + by;
    struct nsc_list *list = list_of(app);

    if (app->kinds[app->pane].scroll) {
        app->kinds[app->pane].scroll(app, by);
        return;
    }
    if (list) {
        if (nsc_list_scroll(list, by))
            nsc_app_pane_moved(app);
        return;
    }
    lines = rect.rows ? nsc_app_pane_draw(app, app->pane, NULL, rect) : 0;
    most = lines > rect.rows ? lines - rect.rows : 0;
    app->pane_top = (int)(top < 0 ? 0 : top > most ? most : top);
}

/* False if the action does not move in a list. *moved: whether the cursor moved. */
static bool list_act(struct nsc_list *list, enum nsc_action action, bool *moved)
{
    bool down = action == NSC_ACTION_PAGE_LINE_DOWN || action == NSC_ACTION_PAGE_DOWN;

    switch (action) {
    case NSC_ACTION_PAGE_LINE_UP:
    case NSC_ACTION_PAGE_LINE_DOWN:
        *moved = nsc_list_move(list, down ? 1 : -1);
        return true;
    case NSC_ACTION_PAGE_UP:
    case NSC_ACTION_PAGE_DOWN:
        *moved = nsc_list_page(list, down ? 1 : -1);
        return true;
    case NSC_ACTION_PAGE_TOP:
    case NSC_ACTION_PAGE_BOTTOM:
        *moved = nsc_list_set(list, action == NSC_ACTION_PAGE_TOP ? 0 : SIZE_MAX);
        return true;
    default:
        return false;
    }
}

struct nsc_table *nsc_app_table(struct nsc_app *app)
{
    return nsc_app_pane_has_focus(app) ? table_of(app) : NULL;
}

bool nsc_app_pane_narrow(struct nsc_app *app, struct nsc_text needle)
{
    struct nsc_table *table = nsc_app_table(app);

    if (!table)
        return false;
    (void)snprintf(table->list.needle, sizeof table->list.needle, "%.*s", (int)needle.n,
                   needle.bytes);
    nsc_table_list(table);
    return true;
}

static bool table_act(struct nsc_table *table, enum nsc_action action)
{
    switch (action) {
    case NSC_ACTION_CHOOSE_PREV:
    case NSC_ACTION_CHOOSE_NEXT:
        /* The keys never switch to another pane here. */
        (void)nsc_table_step(table, action == NSC_ACTION_CHOOSE_NEXT);
        return true;
    case NSC_ACTION_ANSWER_SORT:
    case NSC_ACTION_SQL_SORT:
        (void)nsc_table_sort(table);
        return true;
    default:
        return false;
    }
}

bool nsc_app_pane_act(struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_pane *pane = &app->kinds[app->pane];
    struct nsc_table *table = table_of(app);

    return (pane->act && pane->act(app, action)) || (table && table_act(table, action));
}

bool nsc_app_pane_action(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_list *list = list_of(app);
    bool moved = false;

    if (!is_shown(app) || !nsc_app_pane_has_focus(app))
        return false;
    if (list && list_act(list, action, &moved)) {
        if (moved)
            nsc_app_pane_moved(app);
        else if (!app->kinds[app->pane].beyond || !app->kinds[app->pane].beyond(app, action))
            app->effects.set |= NSC_EFFECT_BELL;
        return true;
    }
    if (action == NSC_ACTION_CANCEL && list && list->needle[0])
        return nsc_app_pane_narrow(app, nsc_text_from(""));
    return nsc_app_pane_act(app, action);
}

bool nsc_app_pane_passes(const struct nsc_app *app, enum nsc_action action)
{
    const struct nsc_pane *pane = &app->kinds[app->pane];

    if (action == NSC_ACTION_EVERY_ROW)
        return app->pane != NSC_PANE_SELECTION;
    if (action == NSC_ACTION_CHOOSE_PREV || action == NSC_ACTION_CHOOSE_NEXT)
        return !pane->chooses || (pane->can_choose && !pane->can_choose(app));
    return false;
}

/* The lines of a list are the last ones of its pane. */
bool nsc_app_pane_press(struct nsc_app *app, int row, int col)
{
    struct nsc_list *list = list_of(app);
    struct nsc_rect rect = nsc_app_pane_inner(app);
    int line = list ? row - (rect.row + rect.rows - (int)list->height) : -1;

    app->panes.focus = true;
    if (list && col >= rect.col + rect.cols) /* the details beside it */
        return false;
    if (line < 0) {
        if (nsc_app_table(app) && line == -1 - nsc_app_table(app)->has_total)
            nsc_table_click(nsc_app_table(app), col - rect.col);
        return app->kinds[app->pane].press && app->kinds[app->pane].press(app, row, col - rect.col);
    }
    if (list->top + (size_t)line >= list->n)
        return false;
    if (nsc_list_set(list, list->top + (size_t)line))
        nsc_app_pane_moved(app);
    return true;
}

/* ---- open and closed ---- */

void nsc_app_pane_show(struct nsc_app *app, uint32_t pane, bool full)
{
    bool was_full = app->pane_open && app->pane_full;
    char key[32];

    app->pane_top = pane == app->pane ? app->pane_top : 0;
    app->pane = pane;
    app->pane_open = true;
    app->pane_full = full;
    app->panes.entered = false;
    nsc_app_relayout(app);
    if (!app->scene->layout.pane.rows && !was_full)
        nsc_app_sayf(app, "No room for %s: %s shows it over the whole screen.",
                     app->kinds[pane].name, nsc_keymap_key(key, app->keymap, NSC_ACTION_ZOOM_PANE));
}

void nsc_app_pane_keep(struct nsc_app *app)
{
    if (app->pane_full)
        nsc_app_pane_show(app, app->pane, false);
    app->panes.focus = app->scene->layout.pane.rows > 0;
}

void nsc_app_pane_close(struct nsc_app *app)
{
    app->pane_open = app->pane_full = app->panes.focus = false;
    nsc_app_relayout(app);
}

bool nsc_app_pane_zoom(struct nsc_app *app)
{
    if (!app->scene->trace)
        return false;
    nsc_app_pane_show(app, app->pane, !(app->pane_open && app->pane_full));
    nsc_app_scroll_pane(app, 0);
    return true;
}

/* ---- focus ---- */

bool nsc_app_switch_focus(struct nsc_app *app)
{
    if (!app->scene->trace)
        return false;
    if (app->pane_full && !app->scene->layout.timeline.rows) {
        nsc_app_pane_show(app, app->pane, false);
        app->panes.focus = false;
        return true;
    }
    if (!app->pane_open)
        nsc_app_pane_show(app, app->pane, false);
    app->panes.focus = !app->panes.focus && app->scene->layout.pane.rows > 0;
    return true;
}

void nsc_app_pane_back(struct nsc_app *app)
{
    uint32_t before = app->panes.before;

    if (before == app->pane || before == NSC_N_PANES) {
        nsc_app_pane_close(app);
        return;
    }
    app->panes.focus = false;
    nsc_app_pane_show(app, before, false);
}

bool nsc_app_pane_toggle(struct nsc_app *app, uint32_t pane, bool full)
{
    if (!app->scene->trace)
        return false;
    if (app->pane_open && app->pane == pane && nsc_app_pane_has_focus(app)) {
        nsc_app_pane_back(app);
        return true;
    }
    /* When changing between panes with keys, remembers the pane shown before them. */
    if (!nsc_app_pane_has_focus(app) && app->pane != pane)
        app->panes.before = app->pane_open ? app->pane : NSC_N_PANES;
    nsc_app_pane_show(app, pane, full);
    app->panes.focus = app->scene->layout.pane.rows > 0;
    return true;
}

bool nsc_app_pane_open(struct nsc_app *app, uint32_t pane)
{
    bool full = app->kinds[pane].full || (pane == NSC_PANE_SUMMARY && app->pane_full);

    if (app->kinds[pane].whole && nsc_app_wait_for_rest(app))
        return false;
    return nsc_app_pane_toggle(app, pane, full);
}

/* ---- the layout ---- */

/* Columns that show the row labels whole, in addition to their share. */
static int labels_wanted(const struct nsc_trace *trace, bool ascii)
{
    enum { MARGIN = 4, SHARE = 7, TRACKS = 256 };
    uint32_t n = 0;
    const struct nsc_track *tracks = trace ? nsc_trace_tracks(trace, &n) : NULL;
    int most = 0;

    for (uint32_t i = 0; i < n && i < TRACKS; i++) {
        int width = (int)nsc_text_width(nsc_trace_string(trace, tracks[i].label), ascii);

        if (!nsc_track_is_header(tracks[i].kind) && tracks[i].kind != NSC_TRACK_COUNTER &&
            MARGIN + width + SHARE > most)
            most = MARGIN + width + SHARE;
    }
    return most;
}

/* The pane gets the rows that the timeline does not need. */
static void lay(struct nsc_app *app)
{
    struct nsc_layout_options options = {
        .pane = app->pane_open,
        .pane_full = app->pane_full,
        .beside = app->pane == NSC_PANE_TREE,
        .pane_tall = app->kinds[app->pane].tall,
        .pane_lines = app->pane == NSC_PANE_SUMMARY ? (int)app->summary.most : 0,
        .strip = app->explore.iterations.n > 0,
        .labels = labels_wanted(app->scene->trace, app->scene->ascii)};

    nsc_scene_set_layout(app->edit, nsc_layout_build(app->scene->rows, app->scene->cols, options));
    options.spare = app->scene->layout.timeline.rows - (int)app->scene->lines.n;
    if (app->scene->trace && app->scene->layout.pane.rows && options.spare > 0)
        nsc_scene_set_layout(app->edit,
                             nsc_layout_build(app->scene->rows, app->scene->cols, options));
    app->panes.laid = app->scene->lines.n;
}

void nsc_app_relayout_lines(struct nsc_app *app)
{
    if (app->panes.laid != app->scene->lines.n)
        lay(app);
}

void nsc_app_relayout(struct nsc_app *app)
{
    lay(app);
    if (!app->scene->trace)
        return;
    nsc_overview_build(app->scene);
    nsc_app_search_ticks(app);
}

/* ---- scopes of keys ---- */

bool nsc_app_pane_has_focus(const struct nsc_app *app)
{
    return app->pane_open &&
           (app->panes.focus || (app->pane_full && !app->scene->layout.timeline.rows));
}

enum nsc_key_scope nsc_app_scope_behind(const struct nsc_app *app)
{
    if (!app->scene->trace)
        return NSC_KEY_SCOPE_LOADING;
    if (app->menu.open)
        return NSC_KEY_SCOPE_MENU;
    if (app->config.open)
        return NSC_KEY_SCOPE_CONFIG;
    return nsc_app_pane_has_focus(app) ? app->kinds[app->pane].scope : NSC_KEY_SCOPE_TIMELINE;
}

enum nsc_key_scope nsc_app_scope(const struct nsc_app *app)
{
    if (app->help && app->prompt.open != NSC_PROMPT_NARROW)
        return NSC_KEY_SCOPE_HELP;
    return app->prompt.open != NSC_PROMPT_NONE ? NSC_KEY_SCOPE_PROMPT : nsc_app_scope_behind(app);
}

bool nsc_app_has_box(const struct nsc_app *app)
{
    return app->help || app->config.open || app->menu.open;
}
