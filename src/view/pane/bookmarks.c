/* Draws the bookmarks as a list. */
#include "view/kit/columns.h"
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/subject.h"

#include <stdio.h>

enum { NUMBER, TIME, LENGTH, NAME, PLACE, NOTE, N_COLUMNS };

static const struct nsc_list_column columns[N_COLUMNS] = {
    [NUMBER] = {.width = 3},
    [TIME] = {.width = 23},
    [LENGTH] = {.width = 12, .gap = 2},
    [NAME] = {.gap = 1},
    [PLACE] = {.width = 26, .gap = 1, .rank = 1, .least = 24},
    [NOTE] = {.rank = 2, .least = 24},
};

struct marked {
    const struct nsc_scene *scene;
    const struct nsc_bookmark *at;
};

/* "[tags] note"; without both, the ranges around it. */
static void note_put(struct nsc_page *page, const struct nsc_bookmark *b)
{
    const char *note = nsc_bookmark_text(b, NSC_BOOKMARK_NOTE);
    const char *tags = nsc_bookmark_text(b, NSC_BOOKMARK_TAGS);

    if (tags[0]) {
        nsc_page_puts(page, NSC_ROLE_DIM, "[");
        nsc_page_puts(page, NSC_ROLE_DIM, tags);
        nsc_page_puts(page, NSC_ROLE_DIM, "] ");
    }
    nsc_page_puts(page, NSC_ROLE_DIM,
                  note[0] || tags[0] ? note : nsc_bookmark_text(b, NSC_BOOKMARK_PATH));
}

/* Draws a bookmark's flag in its colour. */
static void draw_flag(struct nsc_grid *grid, int row, int col, const struct nsc_bookmark *b)
{
    uint8_t shade = 0;

    if (b->color >= 0 && nsc_bars_export_shade(&shade, (uint32_t)b->color))
        nsc_grid_put(grid, row, col, NSC_ROLE_NVTX, shade, "⚑");
    else
        nsc_grid_put(grid, row, col, NSC_ROLE_BOOKMARK, 0, "⚑");
}

static void bookmark_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct marked *marked = context;
    const struct nsc_bookmark *b = &marked->at[item];
    const struct nsc_trace *trace = marked->scene->trace;
    struct nsc_page *page = &cell->page;
    uint32_t track = NSC_NONE;

    switch (cell->column) {
    case NUMBER:
        (void)snprintf(cell->text, sizeof cell->text, "%zu", item + 1);
        return;
    case TIME:
        if (b->color >= 0)
            draw_flag(page->grid, page->rect.row, page->rect.col, b);
        nsc_units_instant(cell->text, b->time);
        return;
    case LENGTH:
        if (b->has_range)
            nsc_units_duration(cell->text, nsc_window_length(b->range), page->ascii);
        return;
    case NAME:
        nsc_label_put(page, cell->role, nsc_text_from(nsc_bookmark_text(b, NSC_BOOKMARK_NAME)));
        return;
    case PLACE:
        track = b->has_track ? nsc_track_id_find(trace, &b->track) : NSC_NONE;
        if (track != NSC_NONE)
            nsc_place_put(marked->scene, page, track);
        return;
    default:
        note_put(page, b);
    }
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
    if (bookmarks->at.n) { /* a narrow list leaves out the note and cuts the name */
        const struct nsc_bookmark *b = &bookmarks->list.at[nsc_list_item(&bookmarks->at)];
        bool has_note = nsc_bookmark_text(b, NSC_BOOKMARK_NOTE)[0];

        nsc_page_puts(&page, NSC_ROLE_TEXT,
                      nsc_bookmark_text(b, has_note ? NSC_BOOKMARK_NOTE : NSC_BOOKMARK_NAME));
    }
    nsc_grid_puts_right(grid, rect.row, rect.col, rect.cols, NSC_ROLE_WARNING,
                        bookmarks->at.needle);
}

int nsc_pane_bookmarks_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_bookmarks *bookmarks,
                            const struct nsc_keymap *keymap, bool focus, struct nsc_grid *grid,
                            struct nsc_rect rect)
{
    struct marked marked = {scene, bookmarks->list.at};
    struct nsc_columns shown;
    struct nsc_list_source source = {&shown, bookmark_fill, &marked, scene->ascii};

    if (!grid)
        return NSC_PANE_BOOKMARKS_HEAD;
    head_draw(scene, bookmarks, keymap, grid, rect);
    nsc_columns_fit(&shown, columns, N_COLUMNS, 0, rect);
    nsc_list_draw(&bookmarks->at, &source, true, focus, grid, rect.row + NSC_PANE_BOOKMARKS_HEAD);
    return NSC_PANE_BOOKMARKS_HEAD;
}

/* Draws a user's colour as the nearest hue of the theme. */
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
            draw_flag(grid, rect.row, rect.col + col, b);
    }
}
