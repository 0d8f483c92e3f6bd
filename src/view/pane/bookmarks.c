/* Draws the bookmarks as a list. */
#include "view/pane/bookmarks.h"

#include "core/units.h"
#include "view/kit/keymap.h"
#include "view/kit/label.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/scene/compare.h"
#include "view/scene/subject.h"

#include <stdio.h>

enum { NUMBER_COLS = 3, TIME_COLS = 23, LENGTH_COLS = 10, NAME_COLS = 24, PLACE_COLS = 26 };

static void place_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                       const struct nsc_bookmark *b)
{
    uint32_t track = b->has_track ? nsc_track_id_find(scene->trace, &b->track) : NSC_NONE;
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    if (track != NSC_NONE && rect.cols > 0)
        nsc_place_put(scene, &page, track);
}

/* "[tags] note"; without both, the ranges around it. */
static void note_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                      const struct nsc_bookmark *b, enum nsc_role role)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
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

static void line_draw(const struct nsc_scene *scene, const struct nsc_pane_bookmarks *bookmarks,
                      struct nsc_grid *grid, struct nsc_rect rect, size_t i, bool focus)
{
    const struct nsc_bookmark *b = &bookmarks->list.at[i];
    bool current = i == bookmarks->at.cursor;
    enum nsc_role role = nsc_list_line(grid, rect, current, focus);
    int col = rect.col + NUMBER_COLS + TIME_COLS + LENGTH_COLS + 2;
    int name = rect.col + rect.cols - col;
    int place = name >= NAME_COLS + PLACE_COLS ? PLACE_COLS : 0;
    int note = name >= 2 * NAME_COLS + PLACE_COLS ? (name - place) / 2 : 0;
    char text[NSC_UNITS_BYTES];

    (void)snprintf(text, sizeof text, "%zu", i + 1);
    nsc_grid_puts_right(grid, rect.row, rect.col, NUMBER_COLS, role, text);
    nsc_units_instant(text, b->time);
    nsc_grid_puts_right(grid, rect.row, rect.col + NUMBER_COLS, TIME_COLS, role, text);
    if (b->has_range) {
        nsc_units_duration(text, nsc_window_length(b->range), scene->ascii);
        nsc_grid_puts_right(grid, rect.row, rect.col + NUMBER_COLS + TIME_COLS, LENGTH_COLS, role,
                            text);
    }
    name -= place + note;
    if (b->color >= 0)
        nsc_pane_bookmark_flag(grid, rect.row, rect.col + NUMBER_COLS, b);
    nsc_label_draw(grid, (struct nsc_rect){rect.row, col, 1, name - 1}, role,
                   nsc_text_from(nsc_bookmark_text(b, NSC_BOOKMARK_NAME)));
    place_draw(scene, grid, (struct nsc_rect){rect.row, col + name, 1, place - 1}, b);
    note_draw(scene, grid, (struct nsc_rect){rect.row, col + name + place, 1, note}, b,
              current ? role : NSC_ROLE_DIM);
    if (current)
        nsc_grid_set_role(grid, rect, role);
}

/* An empty list explains how to create a bookmark. */
static void advice_draw(const struct nsc_keymap *keymap, struct nsc_page *page)
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
        nsc_page_puts(page, NSC_ROLE_KEY, nsc_keymap_key(key, keymap, ways[i].action));
        nsc_page_puts(page, NSC_ROLE_DIM, ways[i].does);
    }
}

static void head_draw(const struct nsc_scene *scene, const struct nsc_pane_bookmarks *bookmarks,
                      const struct nsc_keymap *keymap, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    char count[NSC_UNITS_BYTES];
    size_t n = nsc_bookmarks_live(&bookmarks->list);

    if (!n) {
        advice_draw(keymap, &page);
        return;
    }
    nsc_units_count(count, n);
    nsc_page_puts(&page, NSC_ROLE_TEXT, count);
    nsc_page_puts(&page, NSC_ROLE_DIM, n == 1 ? " bookmark   " : " bookmarks   ");
    if (bookmarks->at.cursor < n) /* the line may cut the name, so show it whole */
        nsc_page_puts(
            &page, NSC_ROLE_TEXT,
            nsc_bookmark_text(&bookmarks->list.at[bookmarks->at.cursor], NSC_BOOKMARK_NAME));
}

int nsc_pane_bookmarks_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_bookmarks *bookmarks,
                            const struct nsc_keymap *keymap, bool focus, struct nsc_grid *grid,
                            struct nsc_rect rect)
{
    const struct nsc_list *list = &bookmarks->at;
    size_t n = nsc_bookmarks_live(&bookmarks->list);

    if (!grid)
        return NSC_PANE_BOOKMARKS_HEAD;
    head_draw(scene, bookmarks, keymap, grid, rect);
    for (size_t i = 0; i < list->height && list->top + i < n; i++) {
        struct nsc_rect line = {rect.row + NSC_PANE_BOOKMARKS_HEAD + (int)i, rect.col, 1,
                                rect.cols};

        line_draw(scene, bookmarks, grid, line, list->top + i, focus);
    }
    return NSC_PANE_BOOKMARKS_HEAD;
}

/* Draws a user's colour as the nearest hue of the theme. */
void nsc_pane_bookmark_flag(struct nsc_grid *grid, int row, int col, const struct nsc_bookmark *b)
{
    uint8_t shade = 0;

    if (b->color >= 0 && nsc_bars_export_shade(&shade, (uint32_t)b->color))
        nsc_grid_put(grid, row, col, NSC_ROLE_NVTX, shade, "⚑");
    else
        nsc_grid_put(grid, row, col, NSC_ROLE_BOOKMARK, 0, "⚑");
}

void nsc_pane_bookmarks_mark(const struct nsc_scene *scene,
                             const struct nsc_pane_bookmarks *bookmarks, struct nsc_grid *grid)
{
    const struct nsc_bookmarks *list = &bookmarks->list;
    struct nsc_rect rect = scene->layout.overview;

    for (size_t i = 0; i < nsc_bookmarks_live(list); i++) {
        const struct nsc_bookmark *b = &list->at[i];
        uint32_t track = scene->compare.on && b->has_track
                             ? nsc_track_id_find(scene->trace, &b->track)
                             : NSC_NONE;
        int col = nsc_window_col(scene->viewport.extent, (uint32_t)rect.cols,
                                 nsc_compare_near_time(scene, track, b->time));

        if (col >= 0 && col < rect.cols)
            nsc_pane_bookmark_flag(grid, rect.row, rect.col + col, b);
    }
}
