/* Draws the bookmarks as a list. */
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/compare.h"
#include "view/scene/subject.h"

enum { NUMBER, TIME, LENGTH, NAME, PLACE, NOTE, N_COLUMNS };

struct bookmark_row {
    uint64_t number;
    nsc_time time, length;
    const char *name;
    struct nsc_text place, note;
};

static const struct nsc_sheet_column columns[N_COLUMNS] = {
    [NUMBER] = NSC_COL_ID(bookmark_row, number, "number", ""),
    [TIME] = NSC_COL_INSTANT(bookmark_row, time, "time_ns", "time"),
    [LENGTH] = NSC_COL_NS(bookmark_row, length, "length_ns", "length"),
    [NAME] = NSC_COL_TEXT(bookmark_row, name, "name", "name"),
    [PLACE] = NSC_COL_TEXT(bookmark_row, place, "row", "row"),
    [NOTE] = NSC_COL_TEXT(bookmark_row, note, "note", "note or path"),
};

/* "[tags] note"; without both, the ranges around it. */
static void note_add(struct nsc_buf *out, const struct nsc_bookmark *b)
{
    const char *note = nsc_bookmark_text(b, NSC_BOOKMARK_NOTE);
    const char *tags = nsc_bookmark_text(b, NSC_BOOKMARK_TAGS);

    if (tags[0])
        nsc_buf_printf(out, "[%s] ", tags);
    nsc_buf_puts(out, note[0] || tags[0] ? note : nsc_bookmark_text(b, NSC_BOOKMARK_PATH));
}

void nsc_pane_bookmarks_list(const struct nsc_scene *scene, struct nsc_pane_bookmarks *bookmarks)
{
    const struct nsc_bookmarks *list = &bookmarks->list;
    struct nsc_buf place = NSC_BUF_INIT(NSC_NAME_BYTES), note = NSC_BUF_INIT(SIZE_MAX);

    nsc_sheet_fini(&bookmarks->sheet);
    nsc_sheet_init(&bookmarks->sheet, "bookmarks", "", columns, N_COLUMNS);
    for (size_t i = 0; i < nsc_bookmarks_live(list); i++) {
        const struct nsc_bookmark *b = &list->at[i];
        uint32_t track =
            b->has_track && scene->trace ? nsc_track_id_find(scene->trace, &b->track) : NSC_NONE;

        nsc_buf_clear(&place);
        nsc_buf_clear(&note);
        if (track != NSC_NONE)
            nsc_place_add(scene, &place, track);
        note_add(&note, b);
        NSC_ADD_ROW(&bookmarks->sheet, bookmark_row, .number = i + 1, .time = b->time,
                    .length = nsc_known(b->has_range, nsc_window_length(b->range)),
                    .name = nsc_bookmark_text(b, NSC_BOOKMARK_NAME),
                    .place = nsc_text_of_buf(&place), .note = nsc_text_of_buf(&note));
    }
    nsc_buf_fini(&place);
    nsc_buf_fini(&note);
    nsc_table_renew(&bookmarks->table, &bookmarks->sheet, scene->ascii);
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

/* An empty list explains how to create a bookmark. */
static void advice_draw(const struct nsc_keymap *keymap, struct nsc_page *page)
{
    char key[3][32];

    nsc_page_printf(page, NSC_ROLE_DIM,
                    "No bookmarks yet.  %s saves one at the cursor, %s and %s one of a range",
                    nsc_keymap_key(key[0], keymap, NSC_ACTION_BOOKMARK),
                    nsc_keymap_key(key[1], keymap, NSC_ACTION_RANGE_START),
                    nsc_keymap_key(key[2], keymap, NSC_ACTION_RANGE_END));
}

static void head_draw(const struct nsc_scene *scene, const struct nsc_pane_bookmarks *bookmarks,
                      const struct nsc_keymap *keymap, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    size_t n = nsc_bookmarks_live(&bookmarks->list);
    uint32_t i = nsc_table_row(&bookmarks->table);

    if (!n) {
        advice_draw(keymap, &page);
        return;
    }
    nsc_page_printf(&page, NSC_ROLE_DIM, "%zu bookmark%s   ", n, n == 1 ? "" : "s");
    if (i != NSC_NONE) { /* a narrow list cuts them */
        bool has_note = nsc_bookmark_text(&bookmarks->list.at[i], NSC_BOOKMARK_NOTE)[0];

        nsc_page_puts(&page, NSC_ROLE_TEXT,
                      nsc_bookmark_text(&bookmarks->list.at[i],
                                        has_note ? NSC_BOOKMARK_NOTE : NSC_BOOKMARK_NAME));
    }
}

/* Draws the flag of a coloured one beside its number. */
static bool number_draw(const void *context, uint32_t row, const struct nsc_table_cell *cell)
{
    const struct nsc_pane_bookmarks *bookmarks = context;
    struct nsc_rect rect = cell->page.rect;

    if (cell->column == NUMBER && bookmarks->list.at[row].color >= 0)
        draw_flag(cell->page.grid, rect.row, rect.col + rect.cols, &bookmarks->list.at[row]);
    return false;
}

int nsc_pane_bookmarks_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                            struct nsc_rect rect)
{
    const struct nsc_pane_bookmarks *bookmarks = view->pane;
    struct nsc_table table = bookmarks->table;
    struct nsc_rect below = {rect.row + 1, rect.col, rect.rows - 1, rect.cols};

    head_draw(view->scene, bookmarks, view->keymap, grid, rect);
    table.draw = number_draw;
    table.context = bookmarks;
    if (nsc_bookmarks_live(&bookmarks->list))
        nsc_table_draw(&table, view->focus, grid, below);
    return 0;
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
