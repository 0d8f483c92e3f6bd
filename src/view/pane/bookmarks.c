/*
 * The bookmarks as a list that goes to them.
 */
#include "view/app/bookmarks.h"

#include "core/units.h"
#include "view/app/state.h"
#include "view/kit/label.h"

#include <stdio.h>

enum {
    HEAD_ROWS = 1,
    NUMBER_COLS = 3,
    TIME_COLS = 23,
    LENGTH_COLS = 10,
    NAME_COLS = 24,
    PLACE_COLS = 26
};

bool nsc_app_bookmarks_open(struct nsc_app *app)
{
    bool close = app->pane_open && app->pane == NSC_PANE_BOOKMARKS && !app->pane_full;

    nsc_app_pane_show(app, NSC_PANE_BOOKMARKS, false);
    if (close)
        nsc_app_pane_close(app);
    app->panes.focus = app->scene->layout.pane.rows > 0 && !close;
    return true;
}

bool nsc_pane_bookmarks_update(struct nsc_app *app, bool tick)
{
    int height = app->scene->layout.pane.rows - HEAD_ROWS;

    (void)tick;
    app->bookmarks.at.n = nsc_bookmarks_live(&app->bookmarks.list);
    app->bookmarks.at.height = height > 0 ? (size_t)height : 0;
    nsc_list_clamp(&app->bookmarks.at);
    return false;
}

struct nsc_list *nsc_pane_bookmarks_list(struct nsc_app *app)
{
    return &app->bookmarks.at;
}

/* The list keeps the focus, so that the next one is a key away. */
static bool go(struct nsc_app *app, size_t i)
{
    if (app->pane_full && i < nsc_bookmarks_live(&app->bookmarks.list))
        nsc_app_pane_show(app, NSC_PANE_BOOKMARKS, false);
    app->panes.focus = app->scene->layout.pane.rows > 0;
    return nsc_app_bookmark_jump(app, i);
}

bool nsc_pane_bookmarks_can_show(const struct nsc_app *app)
{
    return nsc_bookmarks_live(&app->bookmarks.list) > 0;
}

bool nsc_pane_bookmarks_act(struct nsc_app *app, enum nsc_action action)
{
    if (action >= NSC_ACTION_BOOKMARK_1 && action <= NSC_ACTION_BOOKMARK_9) {
        if (!go(app, (size_t)(action - NSC_ACTION_BOOKMARK_1)))
            nsc_app_say(app, "There is no bookmark of that number.");
        return true;
    }
    if (action == NSC_ACTION_CHOOSE)
        return go(app, app->bookmarks.at.cursor);
    if (action == NSC_ACTION_BOOKMARK_REMOVE)
        return nsc_app_bookmark_remove(app);
    if (action == NSC_ACTION_BOOKMARK_UNREMOVE)
        return nsc_app_bookmark_unremove(app);
    return nsc_app_bookmark_edit(app, action);
}

/* ---- drawing ---- */

static void place_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                       const struct nsc_bookmark *b)
{
    uint32_t track = b->has_track ? nsc_track_id_find(app->scene->trace, &b->track) : NSC_NONE;
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);

    if (track != NSC_NONE && rect.cols > 0)
        nsc_app_place_put(app, &page, track);
}

/* "[tags] note"; the ranges around it when it has neither. */
static void note_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                      const struct nsc_bookmark *b, enum nsc_role role)
{
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);
    const char *note = nsc_bookmark_text(b, NSC_BOOKMARK_NOTE);
    const char *tags = nsc_bookmark_text(b, NSC_BOOKMARK_TAGS);

    if (rect.cols < 2)
        return;
    if (tags[0]) {
        nsc_page_puts(&page, role, "[");
        nsc_page_puts(&page, role, tags);
        nsc_page_puts(&page, role, "] ");
    }
    nsc_page_puts(&page, role, note[0] || tags[0] ? note : nsc_bookmark_text(b, NSC_BOOKMARK_PATH));
}

static void line_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                      size_t i)
{
    const struct nsc_bookmark *b = &app->bookmarks.list.at[i];
    bool current = i == app->bookmarks.at.cursor;
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;
    int col = rect.col + NUMBER_COLS + TIME_COLS + LENGTH_COLS + 2;
    int name = rect.col + rect.cols - col;
    int place = name >= NAME_COLS + PLACE_COLS ? PLACE_COLS : 0;
    int note = name >= 2 * NAME_COLS + PLACE_COLS ? (name - place) / 2 : 0;
    char text[NSC_UNITS_BYTES];

    if (current)
        nsc_grid_fill(grid, rect, role, " ");
    (void)snprintf(text, sizeof text, "%zu", i + 1);
    nsc_grid_puts_right(grid, rect.row, rect.col, NUMBER_COLS, role, text);
    nsc_units_instant(text, b->time);
    nsc_grid_puts_right(grid, rect.row, rect.col + NUMBER_COLS, TIME_COLS, role, text);
    if (b->has_range) {
        nsc_units_duration(text, nsc_window_length(b->range), app->scene->ascii);
        nsc_grid_puts_right(grid, rect.row, rect.col + NUMBER_COLS + TIME_COLS, LENGTH_COLS, role,
                            text);
    }
    name -= place + note;
    if (b->color >= 0)
        nsc_app_bookmark_flag(grid, rect.row, rect.col + NUMBER_COLS, b);
    nsc_label_draw(grid, (struct nsc_rect){rect.row, col, 1, name - 1}, role,
                   nsc_text_from(nsc_bookmark_text(b, NSC_BOOKMARK_NAME)));
    place_draw(app, grid, (struct nsc_rect){rect.row, col + name, 1, place - 1}, b);
    note_draw(app, grid, (struct nsc_rect){rect.row, col + name + place, 1, note}, b,
              current ? role : NSC_ROLE_DIM);
}

/* How to make one: a list of nothing asks for it. */
static void advice_draw(const struct nsc_app *app, struct nsc_page *page)
{
    static const struct {
        enum nsc_action action;
        const char *does;
    } ways[] = {{NSC_ACTION_BOOKMARK, " saves one at the cursor"},
                {NSC_ACTION_RANGE_START, " and "},
                {NSC_ACTION_RANGE_END, " one of a range"}};
    char key[32];

    nsc_page_puts(page, NSC_ROLE_DIM, "No bookmarks yet.  ");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (i == 1)
            nsc_page_puts(page, NSC_ROLE_DIM, ", ");
        nsc_page_puts(page, NSC_ROLE_KEY, nsc_keymap_key(key, app->keymap, ways[i].action));
        nsc_page_puts(page, NSC_ROLE_DIM, ways[i].does);
    }
}

static void head_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);
    char count[NSC_UNITS_BYTES];
    size_t n = nsc_bookmarks_live(&app->bookmarks.list);

    if (!n) {
        advice_draw(app, &page);
        return;
    }
    nsc_units_count(count, n);
    nsc_page_puts(&page, NSC_ROLE_TEXT, count);
    nsc_page_puts(&page, NSC_ROLE_DIM, n == 1 ? " bookmark" : " bookmarks");
}

int nsc_pane_bookmarks_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_list *list = &app->bookmarks.at;
    size_t n = nsc_bookmarks_live(&app->bookmarks.list);

    if (!grid)
        return HEAD_ROWS;
    head_draw(app, grid, rect);
    for (size_t i = 0; i < list->height && list->top + i < n; i++) {
        struct nsc_rect line = {rect.row + HEAD_ROWS + (int)i, rect.col, 1, rect.cols};

        line_draw(app, grid, line, list->top + i);
        if (list->top + i != list->cursor || !nsc_app_pane_has_focus(app))
            continue;
        grid->cursor_row = line.row;
        grid->cursor_col = line.col;
    }
    return HEAD_ROWS;
}
